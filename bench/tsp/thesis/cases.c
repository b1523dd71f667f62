/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_thesis_tsp_level_cases, bench_thesis_tsp_study_cases;
extern const struct bench_case_list *const bench_tsp_thesis_lists[];

const struct bench_case_list *const bench_tsp_thesis_lists[] = {
    &bench_thesis_tsp_level_cases,
    &bench_thesis_tsp_study_cases,
    NULL,
};
