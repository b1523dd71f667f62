/* Every case, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_core_cases, bench_eval_cases, bench_gas_sort_cases,
    bench_island_cases, bench_launch_cases, bench_lib_cases, bench_pso_cases, bench_thesis_cases,
    bench_thesis_eval_cases, bench_thesis_step_cases;
extern const struct bench_case_list bench_gas_allpairs_cases, bench_gas_list_cases;
extern const struct bench_case_list bench_thesis_gas_cases, bench_thesis_gas_cpu_cases,
    bench_thesis_gas_far_cases, bench_thesis_gas_cells_cases;

const struct bench_case_list *const bench_lists[] = {
    &bench_launch_cases,
    &bench_core_cases,
    &bench_lib_cases,
    &bench_pso_cases,
    &bench_island_cases,
    &bench_eval_cases,
    &bench_gas_allpairs_cases,
    &bench_gas_list_cases,
    &bench_gas_sort_cases,
    &bench_thesis_step_cases,
    &bench_thesis_eval_cases,
    &bench_thesis_cases,
    &bench_thesis_gas_cpu_cases,
    &bench_thesis_gas_cells_cases,
    &bench_thesis_gas_cases,
    &bench_thesis_gas_far_cases,
    NULL,
};
