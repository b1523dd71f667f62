/* The folders with cases, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list *const bench_compute_lists[];
extern const struct bench_case_list *const bench_lib_lists[];
extern const struct bench_case_list *const bench_fmm_lists[];
extern const struct bench_case_list *const bench_pso_lists[];
extern const struct bench_case_list *const bench_ga_lists[];
extern const struct bench_case_list *const bench_de_lists[];
extern const struct bench_case_list *const bench_cmaes_lists[];
extern const struct bench_case_list *const bench_search_lists[];
extern const struct bench_case_list *const bench_objective_lists[];
extern const struct bench_case_list *const bench_gas_lists[];
extern const struct bench_case_list *const bench_tsp_lists[];
extern const struct bench_case_list *const bench_mlp_lists[];
extern const struct bench_case_list *const bench_split_lists[];
extern const struct bench_case_list *const bench_pso_thesis_lists[];
extern const struct bench_case_list *const bench_gas_thesis_lists[];
extern const struct bench_case_list *const bench_ga_thesis_lists[];
extern const struct bench_case_list *const bench_tsp_thesis_lists[];
extern const struct bench_case_list *const bench_mlp_thesis_lists[];

const struct bench_case_list *const *const bench_folders[] = {
    bench_compute_lists,
    bench_lib_lists,
    bench_fmm_lists,
    bench_pso_lists,
    bench_ga_lists,
    bench_de_lists,
    bench_cmaes_lists,
    bench_search_lists,
    bench_objective_lists,
    bench_gas_lists,
    bench_tsp_lists,
    bench_mlp_lists,
    bench_split_lists,
#if SHOAL_THESES
    bench_pso_thesis_lists,
    bench_gas_thesis_lists,
    bench_ga_thesis_lists,
    bench_tsp_thesis_lists,
    bench_mlp_thesis_lists,
#endif
    NULL,
};
