/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_cmaes_cases;
extern const struct bench_case_list *const bench_cmaes_lists[];

const struct bench_case_list *const bench_cmaes_lists[] = {
    &bench_cmaes_cases,
    NULL,
};
