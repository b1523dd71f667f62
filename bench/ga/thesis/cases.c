/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_thesis_ga_cpu_cases, bench_thesis_ga_run_cases,
    bench_thesis_ga_number_cases, bench_thesis_ga_evaluation_cases;
extern const struct bench_case_list *const bench_ga_thesis_lists[];

const struct bench_case_list *const bench_ga_thesis_lists[] = {
    &bench_thesis_ga_cpu_cases,
    &bench_thesis_ga_run_cases,
    &bench_thesis_ga_number_cases,
    &bench_thesis_ga_evaluation_cases,
    NULL,
};
