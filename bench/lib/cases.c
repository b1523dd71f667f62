/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_gemm_cases, bench_lib_cases;
extern const struct bench_case_list *const bench_lib_lists[];

const struct bench_case_list *const bench_lib_lists[] = {
    &bench_lib_cases,
    &bench_gemm_cases,
    NULL,
};
