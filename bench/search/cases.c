/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_direct_cases;
extern const struct bench_case_list *const bench_search_lists[];

const struct bench_case_list *const bench_search_lists[] = {
    &bench_direct_cases,
    NULL,
};
