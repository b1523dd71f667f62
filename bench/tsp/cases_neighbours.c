/* Candidate lists: the ten nearest cities of each of many at random. The roof is a copy of what such a search
 * reads and writes at least, places and lists; it looks at boxes and cities beside them, which are in caches
 * for the most part. */
#include "bench/runner/bench.h"

#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED = 10, CHECKED = 16 };

struct lists {
    struct shoal_tsp_problem *problem;
    struct shoal_tsp_lister *lister; /* NULL: the host makes the lists */
    uint32_t cities;
    uint32_t *lists;
};

static void destroy(struct bench *bench)
{
    struct lists *lists = bench->state;
    if (!lists)
        return;
    shoal_tsp_lister_destroy(&lists->lister);
    shoal_tsp_close(&lists->problem);
    free(lists->lists);
    free(lists);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct lists *lists = bench->state = calloc(1, sizeof *lists);
    struct shoal_tsp_params params;
    if (!lists)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for a bench of candidate lists");
    shoal_tsp_params_init(&params);
    params.generate = bench->data;
    enum shoal_status status = shoal_tsp_open(&params, &lists->problem, error);
    if (status != SHOAL_OK)
        return status;
    lists->cities = shoal_tsp_get_info(lists->problem)->cities;
    lists->lists = malloc((size_t)lists->cities * LISTED * sizeof *lists->lists);
    if (!lists->lists)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for lists of %lu cities",
                          (unsigned long)lists->cities);
    bench->work = lists->cities;
    bench->roof_work = bench->work * (2 * sizeof(uint32_t) + LISTED * sizeof(uint32_t));
    if (!bench->queue)
        return SHOAL_OK;
    status =
        shoal_tsp_lister_create(lists->problem, LISTED, bench->queue, bench->variant, &lists->lister, error);
    if (status == SHOAL_OK)
        bench_uses(bench, shoal_tsp_lister_program(lists->lister));
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct lists *lists = bench->state;
    return lists->lister ? shoal_tsp_lister_run(lists->lister, error)
                         : shoal_tsp_neighbours(lists->problem, LISTED, lists->lists, error);
}

/* Of cities at equal distance the lower number counts as nearer. */
static bool is_nearer(const struct lists *lists, uint32_t city, uint32_t a, uint32_t b)
{
    const int64_t to_a = shoal_tsp_distance(lists->problem, city, a);
    const int64_t to_b = shoal_tsp_distance(lists->problem, city, b);
    return to_a < to_b || (to_a == to_b && a < b);
}

/* Checks that a list is in order, and that as many cities are as near as its last city as the list has. */
static bool is_right(const struct lists *lists, uint32_t city)
{
    const uint32_t *list = lists->lists + (size_t)city * LISTED;
    uint32_t near = 0;
    for (uint32_t k = 0; k < LISTED; k++)
        if (list[k] >= lists->cities || list[k] == city ||
            (k && !is_nearer(lists, city, list[k - 1], list[k])))
            return false;
    for (uint32_t other = 0; other < lists->cities; other++)
        near += other != city && !is_nearer(lists, city, list[LISTED - 1], other);
    return near == LISTED;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct lists *lists = bench->state;
    const enum shoal_status status =
        lists->lister ? shoal_tsp_lister_get(lists->lister, lists->lists, error) : SHOAL_OK;
    check->passed = status == SHOAL_OK;
    for (uint32_t i = 0; i < CHECKED && check->passed; i++) {
        const uint32_t city = (uint32_t)((uint64_t)lists->cities * i / CHECKED);
        check->passed = is_right(lists, city);
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "the list of city %lu is wrong",
                     (unsigned long)city);
    }
    return status;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};

#define LISTS                                                                                                \
    .unit = "lists/s", .precision = "u32", .roof = SHOAL_ROOF_COPY_BYTES, .clock = BENCH_WALL_TIME,          \
    .program = "tsp.neighbours", .device = &ops, .host = &ops

static const struct bench_case cases[] = {
    {.name = "tsp.neighbours.E100k.0",
     .help = "candidate lists of the ten nearest cities for 100,000 cities",
     .data = "E100k.0",
     LISTS},
    {.name = "tsp.neighbours.E1M.0", .help = "the same for 1,000,000 cities", .data = "E1M.0", LISTS},
    {.name = "tsp.neighbours.E10M.0",
     .help = "the same for 10,000,000 cities",
     .data = "E10M.0",
     LISTS,
     .large = true},
};

const struct bench_case_list bench_tsp_neighbours_cases = {cases, sizeof cases / sizeof *cases};
