/* Local search of children: flips evaluated in a second. A whole value of 64 bits takes 126 population counts
 * of words, of which a multiprocessor of sm_90 does 16 in the time of 128 fused multiplications and
 * additions, each of which counts twice in the measured rate of fp32: the roof is theirs. */
#include "bench/search/searches.h"

#include <shoal/objective.h>

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
};

const struct bench_case_list bench_improve_cases = {cases, sizeof cases / sizeof *cases};
