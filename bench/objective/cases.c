/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_eval_cases;
extern const struct bench_case_list *const bench_objective_lists[];

const struct bench_case_list *const bench_objective_lists[] = {
    &bench_eval_cases,
    NULL,
};
