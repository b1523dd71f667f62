/* Kicks of Lin-Kernighan search: a kick is repaired to a local optimum, and kept or undone. A repetition is a
 * step of a run that goes on, with the division into cells and the new tour counted in. The first steps, in
 * which cells are searched from a greedy tour, are not measured. A kick waits for one read of local memory
 * after the other, and no rate is its roof. */
#include "bench/runner/bench.h"

#include <shoal/tsp.h>
#include <stdlib.h>

struct search_case {
    const char *generate;
    uint64_t first; /* number of steps before the first repetition */
};

struct search {
    struct shoal_solver *solver;
    uint64_t left; /* number of steps that are left before the first repetition */
};

static void destroy(struct bench *bench)
{
    struct search *search = bench->state;
    if (!search)
        return;
    shoal_solver_destroy(&search->solver);
    free(search);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct search_case *own = bench->data;
    struct search *search = bench->state = calloc(1, sizeof *search);
    struct shoal_tsp_params params;
    if (!search)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of kicks");
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.cell = bench->queue ? 0 : 5000; /* a cell of that size has each step search all cells */
    params.generate = own->generate;
    params.iterations = 4000000000;
    params.lists = SHOAL_TSP_LISTS_NEAREST; /* stated, so that no default changes the figures */
    const enum shoal_status status =
        shoal_solver_create(shoal_workload_find("tsp"), bench->device, bench->queue, &params, bench->variant,
                            &search->solver, error);
    if (status != SHOAL_OK)
        return status;
    search->left = own->first;
    bench->build_s = shoal_solver_build_seconds(search->solver);
    bench->native = shoal_solver_is_native(search->solver);
    bench->work = shoal_tsp_get_info(shoal_tsp_problem_of(search->solver))->cities; /* kicks of a step */
    return SHOAL_OK;
}

static enum shoal_status prepare(struct bench *bench, struct shoal_error *error)
{
    struct search *search = bench->state;
    const enum shoal_status status =
        search->left ? shoal_solver_run(search->solver, search->left, error) : SHOAL_OK;
    search->left = 0;
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct search *search = bench->state;
    return shoal_solver_run(search->solver, 1, error);
}

/* Checks that the best tour visits each city once, and measures its length again. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct search *search = bench->state;
    return bench_check_result(search->solver, check, error);
}

static const struct bench_ops ops = {create, prepare, run, check, destroy};

static const struct search_case e10k = {"E10k.0", 1}, e100k = {"E100k.0", 2}, e1m = {"E1M.0", 2};

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
