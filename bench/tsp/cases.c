/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_tsp_ants_cases, bench_tsp_batch_cases, bench_tsp_bound_cases,
    bench_tsp_faco_cases, bench_tsp_improve_cases, bench_tsp_lk_cases, bench_tsp_neighbours_cases,
    bench_tsp_start_cases, bench_tsp_tours_cases;
extern const struct bench_case_list *const bench_tsp_lists[];

const struct bench_case_list *const bench_tsp_lists[] = {
    &bench_tsp_ants_cases,       &bench_tsp_faco_cases,
    &bench_tsp_improve_cases,    &bench_tsp_lk_cases,
    &bench_tsp_neighbours_cases, &bench_tsp_start_cases,
    &bench_tsp_tours_cases,      &bench_tsp_bound_cases,
    &bench_tsp_batch_cases,      NULL,
};
