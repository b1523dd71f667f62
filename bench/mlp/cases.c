/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_train_cases, bench_predict_cases;
extern const struct bench_case_list *const bench_mlp_lists[];

const struct bench_case_list *const bench_mlp_lists[] = {
    &bench_train_cases,
    &bench_predict_cases,
    NULL,
};
