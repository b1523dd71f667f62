/* Local search of children: how many flips of bits it evaluates in a second, and how many children that are
 * tours it makes. A whole value of 64 bits takes 126 population counts of words, of which a multiprocessor of
 * sm_90 does 16 in the time of 128 fused multiplications and additions, each of which counts twice in the
 * measured rate of fp32: the roof is the rate of these population counts. */
#include "bench/search/searches.h"

#include <shoal/objective.h>
#include <shoal/tsp.h>

enum { PLACES = 64, CHILDREN = 4224, LAST = 100001, COUNTS = 126, FLOPS_OF_COUNT = 2 * 128 / 16 };

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct bench_length length = {.first = 1, .last = LAST, .seconds = 0.5};
    struct bench_searches *searches;
    enum shoal_status status = bench_searches_begin(bench, "ga", &searches, error);
    if (status != SHOAL_OK)
        return status;
    struct shoal_ga_params *params = &searches->params.ga;
    params->search.objective = shoal_objective_find("labs");
    params->search.dim = PLACES;
    params->population = CHILDREN;
    params->elites = 0;
    params->local_search = SHOAL_GA_TABU;
    params->local_steps = PLACES;
    status = bench_searches_create(bench, &length, error);
    bench->work *= (double)PLACES * PLACES;
    bench->roof_work = (double)COUNTS * FLOPS_OF_COUNT * bench->work;
    return status;
}

static const struct bench_ops tabu = {create, bench_searches_prepare, bench_searches_run,
                                      bench_searches_check, bench_searches_destroy};

/* E1k.0 has 1000 cities. Timed are generations 2 to 5 of new populations. */
enum { TOURS = 1056, FIRST_TOURS = 1, LAST_TOURS = 5 };

static enum shoal_status create_tours(struct bench *bench, struct shoal_error *error)
{
    const struct bench_length length = {FIRST_TOURS, LAST_TOURS, LAST_TOURS - FIRST_TOURS, 0};
    struct bench_searches *searches;
    struct shoal_tsp_params cities;
    struct shoal_tsp_problem *problem;
    enum shoal_status status = bench_searches_begin(bench, "ga", &searches, error);
    if (status != SHOAL_OK)
        return status;
    shoal_tsp_params_init(&cities);
    cities.generate = "E1k.0";
    status = shoal_tsp_open(&cities, &problem, error);
    if (status != SHOAL_OK)
        return status;
    const size_t count = shoal_tsp_get_info(problem)->cities;
    status = shoal_objective_from_points(shoal_tsp_points(problem), count, 2, &searches->objective, error);
    shoal_tsp_close(&problem);
    if (status != SHOAL_OK)
        return status;
    struct shoal_ga_params *params = &searches->params.ga;
    params->search.objective = searches->objective;
    params->search.dim = count;
    params->population = TOURS;
    params->elites = 0;
    params->local_search = SHOAL_GA_FIRST_IMPROVEMENT;
    params->moves = SHOAL_GA_MOVES_2OPT_OROPT;
    return bench_searches_create(bench, &length, error);
}

static const struct bench_ops tours = {create_tours, bench_searches_prepare, bench_searches_run,
                                       bench_searches_check, bench_searches_destroy};

static const struct bench_case cases[] = {
    {.name = "ga.labs.64",
     .help =
         "flips that tabu search evaluates: 64 steps of each of 4224 children of 64 bits in a generation, "
         "whole values of the low autocorrelation of binary sequences, for at least half a second",
     .unit = "evaluations/s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "ga.improve",
     .device = &tabu},
    {.name = "ga.order.tour1000-local",
     .help = "children of generations 2 to 5 of one population of 1056 closed tours of the 1000 cities of "
             "E1k.0: OX, swaps, 2-opt and Or-opt of each to the end",
     .unit = "children/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "tsp.improve",
     .device = &tours},
};

const struct bench_case_list bench_improve_cases = {cases, sizeof cases / sizeof *cases};
