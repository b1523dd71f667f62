/* First tours: candidate lists of the eight nearest cities, and a greedy tour by them, of many cities at
 * random. On a device the clock ends when the tour is in the memory of the host. The roof is a copy of what
 * is read and written at least: places, lists, and the tour. */
#include "bench/runner/bench.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 8 };

struct start {
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_starter *starter; /* NULL: the host makes the tour */
    uint32_t cities;
    uint32_t *tour, *wanted;
    bool has_wanted; /* `wanted` is the host's tour */
};

static void destroy(struct bench *bench)
{
    struct start *start = bench->state;
    if (!start)
        return;
    shoal_tsp_starter_destroy(&start->starter);
    shoal_tsp_close(&start->problem);
    free(start->tour);
    free(start->wanted);
    free(start);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct start *start = bench->state = calloc(1, sizeof *start);
    struct shoal_tsp_params params;
    if (!start)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of first tours");
    shoal_tsp_params_init(&params);
    params.generate = bench->data;
    enum shoal_status status = shoal_tsp_open(&params, &start->problem, error);
    if (status != SHOAL_OK)
        return status;
    start->cities = shoal_tsp_get_info(start->problem)->cities;
    start->tour = malloc(start->cities * sizeof *start->tour);
    start->wanted = malloc(start->cities * sizeof *start->wanted);
    if (!start->tour || !start->wanted)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for tours of %lu cities",
                          (unsigned long)start->cities);
    bench->work = start->cities;
    bench->roof_work =
        bench->work * (2 * sizeof(uint32_t) + 2 * LISTED * sizeof(uint32_t) + sizeof(uint32_t));
    if (!bench->queue)
        return SHOAL_OK;
    status = shoal_tsp_starter_create(start->problem, LISTED, bench->queue, bench->variant, &start->starter,
                                      error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_tsp_starter_program(start->starter));
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct start *start = bench->state;
    if (!start->starter)
        return shoal_tsp_greedy(start->problem, LISTED, start->tour, error);
    const enum shoal_status status = shoal_tsp_starter_run(start->starter, error);
    return status ? status : shoal_tsp_starter_get(start->starter, start->tour, error);
}

/* A tour has each city once; that of a device is the host's. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct start *start = bench->state;
    int64_t length = 0;
    enum shoal_status status = shoal_tsp_check(start->problem, start->tour, start->cities, &length, error);
    if (status == SHOAL_OK && start->starter && !start->has_wanted) {
        status = shoal_tsp_greedy(start->problem, LISTED, start->wanted, error);
        start->has_wanted = status == SHOAL_OK;
    }
    if (status != SHOAL_OK)
        return status;
    check->passed =
        !start->has_wanted || memcmp(start->tour, start->wanted, start->cities * sizeof *start->tour) == 0;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "the tour is not that of the host");
    return SHOAL_OK;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};

#define START                                                                                                \
    .unit = "cities/s", .precision = "u32", .roof = SHOAL_ROOF_COPY_BYTES, .clock = BENCH_WALL_TIME,         \
    .program = "tsp.greedy", .device = &ops, .host = &ops

static const struct bench_case cases[] = {
    {.name = "tsp.start.greedy-E1M.0",
     .help = "candidate lists and a greedy tour for 1,000,000 cities",
     .data = "E1M.0",
     START},
    {.name = "tsp.start.greedy-E10M.0",
     .help = "the same for 10,000,000 cities",
     .data = "E10M.0",
     START,
     .large = true},
};

const struct bench_case_list bench_tsp_start_cases = {cases, sizeof cases / sizeof *cases};
