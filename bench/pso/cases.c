/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_pso_cases, bench_island_cases;
extern const struct bench_case_list *const bench_pso_lists[];

const struct bench_case_list *const bench_pso_lists[] = {
    &bench_pso_cases,
    &bench_island_cases,
    NULL,
};
