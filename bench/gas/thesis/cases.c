/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_thesis_gas_cpu_cases, bench_thesis_gas_cells_cases,
    bench_thesis_gas_cases, bench_thesis_gas_far_cases;
extern const struct bench_case_list *const bench_gas_thesis_lists[];

const struct bench_case_list *const bench_gas_thesis_lists[] = {
    &bench_thesis_gas_cpu_cases,
    &bench_thesis_gas_cells_cases,
    &bench_thesis_gas_cases,
    &bench_thesis_gas_far_cases,
    NULL,
};
