/* Differential evolution with Rastrigin's function in 30 dimensions, as a program that embeds shoal runs it.
 * The first step is not timed, since drivers may still compile in it. All members stay, so that each step
 * makes the same number of evaluations. */
#include "bench/search/rastrigin.h"

enum { FIRST_STEP = 1, LAST_STEP = 2001, DIM = 30, EXCHANGE = 100, MEMBERS = 128 };

/* There are eight islands for each one that stays on an H200 at a time; on each of its 132 multiprocessors
 * six stay. */
enum { ISLANDS = 6336 };

struct size {
    uint64_t members, islands, runs, exchange, last;
    int32_t method;
};

static const struct size islands = {MEMBERS, ISLANDS, 1, EXCHANGE, LAST_STEP, SHOAL_DE_ONCHIP},
                         runs = {MEMBERS, 1, ISLANDS, 0, LAST_STEP, SHOAL_DE_ONCHIP},
                         one_island = {MEMBERS, 1, 1, 0, 1 << 20, SHOAL_DE_ONCHIP},
                         large = {16384, 1, 1, 0, LAST_STEP, SHOAL_DE_PIPELINE},
                         on_cpu = {MEMBERS, 64, 1, EXCHANGE, LAST_STEP, SHOAL_DE_AUTO};

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, size->last, 0, 0.5};
    struct bench_searches *searches;
    enum shoal_status status = bench_searches_begin(bench, "de", &searches, error);
    if (status == SHOAL_OK)
        status = shoal_objective_from_text(bench->shoal, BENCH_RASTRIGIN("cos2pi(x)"), "rastrigin.cl",
                                           &searches->objective, error);
    if (status != SHOAL_OK)
        return status;
    searches->params.search.objective = searches->objective;
    searches->params.search.dim = DIM;
    searches->params.search.lower = -5.12;
    searches->params.search.upper = 5.12;
    searches->params.search.islands = size->islands;
    searches->params.search.runs = size->runs;
    searches->params.search.exchange = size->exchange;
    searches->params.de.population = searches->params.de.population_end = size->members;
    searches->params.de.archive = 1;
    searches->params.de.method = size->method;
    return bench_searches_create(bench, &length, error);
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run,
                                     bench_rastrigin_check, bench_searches_destroy};

#define RASTRIGIN                                                                                            \
    "30 dimensions, current-to-pbest/1 with archive and memory, x * x - 10 * cos2pi(x) + 10 from a text, "   \
    "for at least half a second"

static const struct bench_case cases[] = {
    {.name = "de.islands.rastrigin30",
     .help = "6336 islands of 128 members that exchange every 100 steps; " RASTRIGIN,
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "de.onchip",
     .data = &islands,
     .device = &ops},
    {.name = "de.runs.rastrigin30",
     .help = "6336 runs of 128 members; " RASTRIGIN,
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &runs,
     .device = &ops},
    {.name = "de.onchip.128x30",
     .help = "one island of 128 members; " RASTRIGIN,
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &one_island,
     .device = &ops,
     .host = &ops},
    {.name = "de.pipeline.16384x30",
     .help = "one island of 16384 members; " RASTRIGIN,
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "de.trial",
     .data = &large,
     .device = &ops},
    {.name = "optimise.cpu.rastrigin30",
     .help = "64 islands of 128 members, for processors; " RASTRIGIN,
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &on_cpu,
     .device = &ops,
     .host = &ops},
};

const struct bench_case_list bench_de_cases = {cases, sizeof cases / sizeof *cases};
