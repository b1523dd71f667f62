/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_launch_cases, bench_core_cases, bench_link_cases, bench_sum_cases;
extern const struct bench_case_list *const bench_compute_lists[];

const struct bench_case_list *const bench_compute_lists[] = {
    &bench_launch_cases, &bench_core_cases, &bench_link_cases, &bench_sum_cases, NULL,
};
