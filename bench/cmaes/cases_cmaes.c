/* CMA-ES, as a program that embeds shoal runs it: many independent populations, and one. The first step is
 * not timed, since drivers may still compile in it. In 2000 steps no population comes to its end, so that
 * each step makes the same number of evaluations. */
#include "bench/search/searches.h"

enum { FIRST_STEP = 1, LAST_STEP = 2001, DIM = 30, POPULATION = 14 };

/* There are four populations for each one that stays on an H100 at a time; on each of its 132 multiprocessors
 * eight stay. */
enum { RUNS = 4224, FEW_RUNS = 64 };

struct size {
    uint64_t runs, rotate;
    const char *function;
    int32_t form;
};

static const struct size many = {RUNS, 1, "ellipsoid", SHOAL_CMAES_FULL},
                         separable = {RUNS, 0, "ellipsoid", SHOAL_CMAES_SEPARABLE},
                         on_cpu = {FEW_RUNS, 0, "rastrigin", SHOAL_CMAES_FULL};

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, LAST_STEP, 0, 0.5};
    struct bench_searches *searches;
    enum shoal_status status = bench_searches_begin(bench, "cmaes", &searches, error);
    if (status != SHOAL_OK)
        return status;
    searches->params.search.objective = shoal_objective_find(size->function);
    searches->params.search.dim = DIM;
    searches->params.search.rotate = size->rotate;
    searches->params.search.runs = size->runs;
    searches->params.search.precision = SHOAL_FP64;
    searches->params.cmaes.population = POPULATION;
    searches->params.cmaes.form = size->form;
    return bench_searches_create(bench, &length, error);
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run, bench_searches_check,
                                     bench_searches_destroy};

#define POPULATIONS "runs of 14 points in 30 dimensions, for at least half a second"

static const struct bench_case cases[] = {
    {.name = "cmaes.runs.ellipsoid30",
     .help = "the rotated ellipsoid: 4224 " POPULATIONS,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .program = "cmaes.onchip",
     .data = &many,
     .device = &ops},
    {.name = "cmaes.runs.separable30",
     .help = "the ellipsoid with a diagonal covariance matrix: 4224 " POPULATIONS,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .program = "cmaes.onchip",
     .data = &separable,
     .device = &ops},
    {.name = "cmaes.cpu.rastrigin30",
     .help = "Rastrigin's function, for processors: 64 " POPULATIONS,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .data = &on_cpu,
     .device = &ops,
     .host = &ops},
};

const struct bench_case_list bench_cmaes_cases = {cases, sizeof cases / sizeof *cases};
