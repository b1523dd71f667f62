#include "cli/tsp/verify.h"

#include "cli/cli.h"

#include <shoal/rng.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>

enum { CITIES = 1009, COUNT = 10 };

static double uniform(uint32_t index, uint32_t draw)
{
    return (double)shoal_uniform_float(shoal_random_words(1, SHOAL_STREAM_TEST, 0, index, draw).x);
}

/* What a device makes of a problem, and what the host makes of it: `count` words. */
struct compared {
    const char *what;
    size_t (*count)(uint32_t cities);
    enum shoal_status (*on_host)(const struct shoal_tsp_problem *problem, uint32_t *words,
                                 struct shoal_error *error);
    enum shoal_status (*on_device)(const struct shoal_tsp_problem *problem, struct shoal_queue *queue,
                                   enum shoal_variant variant, uint32_t *words, struct shoal_error *error);
};

static size_t entries_of(uint32_t cities)
{
    return (size_t)cities * COUNT;
}

static enum shoal_status lists_on_host(const struct shoal_tsp_problem *problem, uint32_t *lists,
                                       struct shoal_error *error)
{
    return shoal_tsp_neighbours(problem, COUNT, lists, error);
}

static enum shoal_status lists_on_device(const struct shoal_tsp_problem *problem, struct shoal_queue *queue,
                                         enum shoal_variant variant, uint32_t *lists,
                                         struct shoal_error *error)
{
    struct shoal_tsp_lister *lister = NULL;
    enum shoal_status status = shoal_tsp_lister_create(problem, COUNT, queue, variant, &lister, error);
    if (!status)
        status = shoal_tsp_lister_run(lister, error);
    if (!status)
        status = shoal_tsp_lister_get(lister, lists, error);
    shoal_tsp_lister_destroy(&lister);
    return status;
}

/* Host and device round distances equally, and sort cities at equal distance by their numbers, so every entry
 * must be equal. */
static const struct compared lists = {"entries of candidate lists", entries_of, lists_on_host,
                                      lists_on_device};

static size_t cities_of(uint32_t cities)
{
    return cities;
}

static enum shoal_status tour_on_host(const struct shoal_tsp_problem *problem, uint32_t *tour,
                                      struct shoal_error *error)
{
    return shoal_tsp_greedy(problem, COUNT, tour, error);
}

static enum shoal_status tour_on_device(const struct shoal_tsp_problem *problem, struct shoal_queue *queue,
                                        enum shoal_variant variant, uint32_t *tour, struct shoal_error *error)
{
    struct shoal_tsp_starter *starter = NULL;
    enum shoal_status status = shoal_tsp_starter_create(problem, COUNT, queue, variant, &starter, error);
    if (!status)
        status = shoal_tsp_starter_run(starter, error);
    if (!status)
        status = shoal_tsp_starter_get(starter, tour, error);
    shoal_tsp_starter_destroy(&starter);
    return status;
}

/* Host and device take edges in the same order, so the tours must be equal. */
static const struct compared tours = {"cities of greedy tours", cities_of, tour_on_host, tour_on_device};

static void compare(const struct verify *verify, struct shoal_device *device, const struct compared *compared,
                    const struct shoal_tsp_problem *problem, struct verify_row *row)
{
    const size_t words = compared->count(shoal_tsp_get_info(problem)->cities);
    uint32_t *wanted = cli_alloc(words * sizeof *wanted), *got = cli_alloc(words * sizeof *got);
    struct shoal_queue *queue = NULL;
    size_t different = 0;
    enum shoal_status status = compared->on_host(problem, wanted, &row->error);
    if (!status)
        status = shoal_queue_create(device, 0, &queue, &row->error);
    if (!status)
        status = compared->on_device(problem, queue, verify->variant, got, &row->error);
    for (size_t i = 0; i < words && !status; i++)
        different += wanted[i] != got[i];
    row->compared = words;
    row->deviation = (double)different / (double)words;
    shoal_queue_destroy(&queue);
    free(wanted);
    free(got);
}

static void verify_problem(struct verify *verify, struct shoal_device *device, const char *name,
                           const struct compared *compared, const struct shoal_tsp_params *params)
{
    struct shoal_tsp_problem *problem = NULL;
    struct verify_row row = {.name = name, .what = compared->what};
    cli_progress_show("%s  %s", name, shoal_device_get_info(device)->id);
    if (!shoal_tsp_open(params, &problem, &row.error))
        compare(verify, device, compared, problem, &row);
    verify_judge(verify, device, &row);
    shoal_tsp_close(&problem);
}

/* Verifies what is made of points at random. */
static void verify_points(struct verify *verify, struct shoal_device *device, const char *name,
                          const struct compared *compared)
{
    struct shoal_tsp_params params;
    double *numbers = cli_alloc(2 * CITIES * sizeof *numbers);
    for (uint32_t i = 0; i < 2 * CITIES; i++)
        numbers[i] = uniform(i / 2, i % 2);
    shoal_tsp_params_init(&params);
    params.points = numbers;
    params.count = CITIES;
    params.dim = 2;
    verify_problem(verify, device, name, compared, &params);
    free(numbers);
}

/* Verifies lists of points, by the tree of boxes (neighbours.cl), and lists of a matrix, by a search over all
 * cities (neighbours_all.cl). */
static void verify_lists(struct verify *verify, struct shoal_device *device)
{
    enum { ROWS = 101 };
    struct shoal_tsp_params params;
    if (shoal_device_get_info(device)->is_host)
        return;
    int32_t *matrix = cli_alloc(ROWS * ROWS * sizeof *matrix);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < ROWS; j++) /* a matrix with few different distances, many of them equal */
            matrix[i * ROWS + j] = i == j ? 0 : 1 + (int32_t)(50 * uniform(i < j ? i : j, i < j ? j : i));
    verify_points(verify, device, "tsp.lists points", &lists);
    shoal_tsp_params_init(&params);
    params.matrix = matrix;
    params.count = ROWS;
    verify_problem(verify, device, "tsp.lists matrix", &lists, &params);
    free(matrix);
}

/* A device without double precision makes no greedy tours. */
static void verify_greedy(struct verify *verify, struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    if (!info->is_host && info->fp64)
        verify_points(verify, device, "tsp.greedy points", &tours);
}

const struct verify_check tsp_checks[] = {
    {"tsp.lists", verify_lists, "-", "candidate lists of devices against the host", .is_short = true},
    {"tsp.greedy", verify_greedy, "-", "greedy tours of devices against the host", .is_short = true},
    {NULL}};
