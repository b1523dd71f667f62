/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_de_cases;
extern const struct bench_case_list *const bench_de_lists[];

const struct bench_case_list *const bench_de_lists[] = {
    &bench_de_cases,
    NULL,
};
