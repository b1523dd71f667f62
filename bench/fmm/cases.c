/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_fmm_cases, bench_fmm_accuracy_cases;
extern const struct bench_case_list *const bench_fmm_lists[];

const struct bench_case_list *const bench_fmm_lists[] = {&bench_fmm_cases, &bench_fmm_accuracy_cases, NULL};
