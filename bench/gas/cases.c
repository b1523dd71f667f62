/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_gas_allpairs_cases, bench_gas_list_cases, bench_gas_observe_cases,
    bench_gas_picture_cases, bench_gas_replicas_cases, bench_gas_rows_cases, bench_gas_sort_cases;
extern const struct bench_case_list *const bench_gas_lists[];

const struct bench_case_list *const bench_gas_lists[] = {
    &bench_gas_allpairs_cases, &bench_gas_list_cases, &bench_gas_observe_cases, &bench_gas_picture_cases,
    &bench_gas_replicas_cases, &bench_gas_rows_cases, &bench_gas_sort_cases,    NULL,
};
