/* Kicks of Lin-Kernighan search: a kick is repaired to a local optimum, and kept or undone. A repetition is a
 * step of a run that goes on, with the division into cells and the new tour counted in. The first steps,
 * which have no kicks or search cells from a greedy tour, are not measured. The host searches cells by the
 * rules of devices. A kick waits for one read of local memory after the other, and no rate is its roof. */
#include "bench/tsp/continued.h"

struct search_case {
    const char *generate;
    uint64_t first;   /* number of steps before the first repetition */
    uint64_t without; /* how many of them make no kicks */
};

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct search_case *own = bench->data;
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.cell = bench->queue ? 0 : 5000; /* a cell of that size has each step search all cells */
    params.generate = own->generate;
    return bench_continued_create(bench, &params, own->first, 1, error);
}

/* The work of a repetition is the mean number of kicks of the steps so far, which differs little between
 * steps. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct continued_run *continued = bench->state;
    const struct search_case *own = bench->data;
    struct shoal_result result = {0};
    const enum shoal_status status = shoal_solver_result(continued->solver, &result, error);
    if (status != SHOAL_OK)
        return status;
    bench->work = result.work / (double)(result.steps - own->without);
    return bench_continued_check(bench, check, error);
}

static const struct bench_ops ops = {create, bench_continued_prepare, bench_continued_run, check,
                                     bench_continued_destroy};

static const struct search_case e10k = {"E10k.0", 1, 0}, e100k = {"E100k.0", 2, 2}, e1m = {"E1M.0", 2, 2};

#define KICKS                                                                                                \
    .unit = "kicks/s", .precision = "u32", .clock = BENCH_WALL_TIME, .program = "tsp.lk-search",             \
    .device = &ops, .host = &ops

static const struct bench_case cases[] = {
    {.name = "tsp.search.E10k.0",
     .help = "kicks of Lin-Kernighan search on 10,000 cities",
     KICKS,
     .data = &e10k},
    {.name = "tsp.search.E100k.0",
     .help = "the same on 100,000 cities",
     KICKS,
     .data = &e100k,
     .large = true},
    {.name = "tsp.search.E1M.0", .help = "the same on 1,000,000 cities", KICKS, .data = &e1m, .large = true},
};

const struct bench_case_list bench_tsp_lk_cases = {cases, sizeof cases / sizeof *cases};
