/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_ga_cases, bench_ga_genes_cases, bench_improve_cases;
extern const struct bench_case_list *const bench_ga_lists[];

const struct bench_case_list *const bench_ga_lists[] = {
    &bench_ga_cases,
    &bench_ga_genes_cases,
    &bench_improve_cases,
    NULL,
};
