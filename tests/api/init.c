/* The initialiser of each parameter struct gives what its init function gives, with the members named set
 * after it. check_init.py compiles it as C and as C++, without a warning. */
#include <shoal/mpi.h>
#include <shoal/shoal.h>
#include <shoal/theses.h>
#include <stdio.h>
#include <string.h>

static int faults;

#define CHECK(what, condition)                                                                               \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s\n", what);                                                                            \
            faults++;                                                                                        \
        }                                                                                                    \
    } while (0)

/* Without members: the size and what the init function sets. size: the member that holds it. */
#define CHECK_SIZE(type, init, macro, size)                                                                  \
    do {                                                                                                     \
        struct type by_call, by_macro = macro();                                                             \
        init(&by_call);                                                                                      \
        CHECK(#macro, by_macro.size == sizeof by_macro && by_call.size == by_macro.size);                    \
    } while (0)
#define CHECK_EMPTY(type, init, macro) CHECK_SIZE(type, init, macro, size)
/* Searches have their size in the struct that they begin with. */
#define CHECK_SEARCH(type, init, macro) CHECK_SIZE(type, init, macro, search.size)

static void check_all(void)
{
    CHECK_EMPTY(shoal_params, shoal_params_init, SHOAL_PARAMS);
    CHECK_EMPTY(shoal_program_params, shoal_program_params_init, SHOAL_PROGRAM_PARAMS);
    CHECK_EMPTY(shoal_fmm_params, shoal_fmm_params_init, SHOAL_FMM_PARAMS);
    CHECK_EMPTY(shoal_fmm_points, shoal_fmm_points_init, SHOAL_FMM_POINTS);
    CHECK_EMPTY(shoal_fmm_args, shoal_fmm_args_init, SHOAL_FMM_ARGS);
    CHECK_EMPTY(shoal_gemm_params, shoal_gemm_params_init, SHOAL_GEMM_PARAMS);
    CHECK_EMPTY(shoal_sort_params, shoal_sort_params_init, SHOAL_SORT_PARAMS);
    CHECK_EMPTY(shoal_gemm_args, shoal_gemm_args_init, SHOAL_GEMM_ARGS);
    CHECK_EMPTY(shoal_evaluator_params, shoal_evaluator_params_init, SHOAL_EVALUATOR_PARAMS);
    CHECK_EMPTY(shoal_run_params, shoal_run_params_init, SHOAL_RUN_PARAMS);
    CHECK_EMPTY(shoal_table_params, shoal_table_params_init, SHOAL_TABLE_PARAMS);
    CHECK_EMPTY(shoal_least_squares_params, shoal_least_squares_params_init, SHOAL_LEAST_SQUARES_PARAMS);
    CHECK_EMPTY(shoal_dataset_params, shoal_dataset_params_init, SHOAL_DATASET_PARAMS);
    CHECK_EMPTY(shoal_dataset_generator, shoal_dataset_generator_init, SHOAL_DATASET_GENERATOR);
    CHECK_EMPTY(shoal_rows, shoal_rows_init, SHOAL_ROWS);
    CHECK_EMPTY(shoal_model, shoal_model_init, SHOAL_MODEL);
    CHECK_EMPTY(shoal_gas_params, shoal_gas_params_init, SHOAL_GAS_PARAMS);
    CHECK_EMPTY(shoal_gas_replicas_params, shoal_gas_replicas_params_init, SHOAL_GAS_REPLICAS_PARAMS);
    CHECK_EMPTY(shoal_gas_view, shoal_gas_view_init, SHOAL_GAS_VIEW);
    CHECK_EMPTY(shoal_tsp_params, shoal_tsp_params_init, SHOAL_TSP_PARAMS);
    CHECK_EMPTY(shoal_tsp_improve_params, shoal_tsp_improve_params_init, SHOAL_TSP_IMPROVE_PARAMS);
    CHECK_EMPTY(shoal_mlp_params, shoal_mlp_params_init, SHOAL_MLP_PARAMS);
    CHECK_EMPTY(shoal_mlp_trainer_params, shoal_mlp_trainer_params_init, SHOAL_MLP_TRAINER_PARAMS);
    CHECK_EMPTY(shoal_mlp_model_file, shoal_mlp_model_file_init, SHOAL_MLP_MODEL_FILE);
    CHECK_EMPTY(shoal_rates_params, shoal_rates_params_init, SHOAL_RATES_PARAMS);
    CHECK_EMPTY(shoal_split_params, shoal_split_params_init, SHOAL_SPLIT_PARAMS);
    CHECK_EMPTY(shoal_ranks_params, shoal_ranks_params_init, SHOAL_RANKS_PARAMS);
#if SHOAL_THESES
    CHECK_EMPTY(shoal_pso_thesis, shoal_pso_thesis_init, SHOAL_PSO_THESIS_PARAMS);
    CHECK_EMPTY(shoal_ga_thesis, shoal_ga_thesis_init, SHOAL_GA_THESIS_PARAMS);
    CHECK_EMPTY(shoal_gas_thesis, shoal_gas_thesis_init, SHOAL_GAS_THESIS_PARAMS);
    CHECK_EMPTY(shoal_tsp_thesis, shoal_tsp_thesis_init, SHOAL_TSP_THESIS_PARAMS);
    CHECK_EMPTY(shoal_mlp_thesis, shoal_mlp_thesis_init, SHOAL_MLP_THESIS_PARAMS);
#endif
}

static void check_searches(void)
{
    CHECK_SEARCH(shoal_de_params, shoal_de_params_init, SHOAL_DE_PARAMS);
    CHECK_SEARCH(shoal_cmaes_params, shoal_cmaes_params_init, SHOAL_CMAES_PARAMS);
    CHECK_SEARCH(shoal_nelder_mead_params, shoal_nelder_mead_params_init, SHOAL_NELDER_MEAD_PARAMS);
    CHECK_SEARCH(shoal_pattern_params, shoal_pattern_params_init, SHOAL_PATTERN_PARAMS);
    CHECK_SEARCH(shoal_random_params, shoal_random_params_init, SHOAL_RANDOM_PARAMS);
    CHECK_SEARCH(shoal_portfolio_params, shoal_portfolio_params_init, SHOAL_PORTFOLIO_PARAMS);
    CHECK_SEARCH(shoal_optimise_params, shoal_optimise_params_init, SHOAL_OPTIMISE_PARAMS);
    struct shoal_pso_params pso = SHOAL_PSO_PARAMS(.particles = 60, .search.dim = 3), plain_pso;
    struct shoal_ga_params ga = SHOAL_GA_PARAMS(), plain_ga;
    shoal_pso_params_init(&plain_pso);
    shoal_ga_params_init(&plain_ga);
    CHECK("SHOAL_PSO_PARAMS", pso.search.size == sizeof pso && pso.particles == 60 && pso.search.dim == 3);
    CHECK("SHOAL_PSO_PARAMS, rest", pso.update == plain_pso.update);
    CHECK("SHOAL_GA_PARAMS", ga.search.size == sizeof ga && ga.population == plain_ga.population);
}

static void check_members(void)
{
    static const double points[] = {0, 0, 1, 0, 1, 1, 0, 1};
    struct shoal_error error;
    struct shoal_tsp_problem *problem = NULL;
    /* Not in the order of their declaration, and the last wins. */
    struct shoal_tsp_params tsp = SHOAL_TSP_PARAMS(.count = 3, .points = points, .dim = 2, .count = 4);
    struct shoal_tsp_params plain;
    shoal_tsp_params_init(&plain);
    CHECK("SHOAL_TSP_PARAMS", tsp.count == 4 && tsp.points == points && tsp.metric == plain.metric);
    CHECK("shoal_tsp_open",
          !shoal_tsp_open(&tsp, &problem, &error) && shoal_tsp_get_info(problem)->cities == 4);
    shoal_tsp_close(&problem);
    struct shoal_mlp_params mlp =
        SHOAL_MLP_PARAMS(.hidden = "64", .activation = "relu", .output = NULL, .slope = 1, .dropout = 0.5,
                         .loss = 1, .huber = 1, .smoothing = 0.1, .start = 1, .range = 2, .output_bias = 0,
                         .optimiser = 1, .rate = 0.1, .momentum = 0.2, .beta2 = 0.3, .epsilon = 0.4,
                         .decay = 0.5, .step_up = 1, .step_down = 2, .step_least = 3, .step_greatest = 4,
                         .l1 = 5, .l2 = 6, .elimination = 7, .elimination_scale = 8, .clip = 9, .schedule = 0,
                         .rate_factor = 10, .rate_period = 11, .warm_up = 12, .batch = 13, .nets = 14);
    CHECK("32 members", mlp.dropout == 0.5 && mlp.clip == 9 && mlp.nets == 14 && !strcmp(mlp.hidden, "64"));
}

int main(void)
{
    check_all();
    check_searches();
    check_members();
    return faults != 0;
}
