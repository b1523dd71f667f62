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

/* Compares the lists of the device with the lists of the host. Host and device round distances equally, and
 * sort cities at equal distance by their numbers, so every entry must be equal. */
static void compare(const struct verify *verify, struct shoal_device *device,
                    const struct shoal_tsp_problem *problem, struct verify_row *row)
{
    const uint32_t cities = shoal_tsp_get_info(problem)->cities;
    const size_t entries = (size_t)cities * COUNT;
    uint32_t *wanted = cli_alloc(entries * sizeof *wanted), *got = cli_alloc(entries * sizeof *got);
    struct shoal_queue *queue = NULL;
    struct shoal_tsp_lister *lister = NULL;
    size_t different = 0;
    enum shoal_status status = shoal_tsp_neighbours(problem, COUNT, wanted, &row->error);
    if (!status)
        status = shoal_queue_create(device, 0, &queue, &row->error);
    if (!status)
        status = shoal_tsp_lister_create(problem, COUNT, queue, verify->variant, &lister, &row->error);
    if (!status)
        status = shoal_tsp_lister_run(lister, &row->error);
    if (!status)
        status = shoal_tsp_lister_get(lister, got, &row->error);
    for (size_t i = 0; i < entries && !status; i++)
        different += wanted[i] != got[i];
    row->compared = entries;
    row->deviation = (double)different / (double)entries;
    shoal_tsp_lister_destroy(&lister);
    shoal_queue_destroy(&queue);
    free(wanted);
    free(got);
}

static void verify_problem(struct verify *verify, struct shoal_device *device, const char *name,
                           const struct shoal_tsp_params *params)
{
    struct shoal_tsp_problem *problem = NULL;
    struct verify_row row = {.name = name, .what = "entries of candidate lists"};
    cli_progress_show("%s  %s", name, shoal_device_get_info(device)->id);
    if (!shoal_tsp_open(params, &problem, &row.error))
        compare(verify, device, problem, &row);
    verify_judge(verify, device, &row);
    shoal_tsp_close(&problem);
}

/* Verifies lists of points, by the tree of boxes (neighbours.cl), and lists of a matrix, by a search over all
 * cities (neighbours_all.cl). */
static void verify_lists(struct verify *verify, struct shoal_device *device)
{
    enum { ROWS = 101 };
    struct shoal_tsp_params params;
    double *numbers = cli_alloc(2 * CITIES * sizeof *numbers);
    int32_t *matrix = cli_alloc(ROWS * ROWS * sizeof *matrix);
    if (shoal_device_get_info(device)->is_host)
        goto end;
    for (uint32_t i = 0; i < 2 * CITIES; i++)
        numbers[i] = uniform(i / 2, i % 2);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < ROWS; j++) /* a matrix with few different distances, many of them equal */
            matrix[i * ROWS + j] = i == j ? 0 : 1 + (int32_t)(50 * uniform(i < j ? i : j, i < j ? j : i));
    shoal_tsp_params_init(&params);
    params.points = numbers;
    params.count = CITIES;
    params.dim = 2;
    verify_problem(verify, device, "tsp.lists points", &params);
    shoal_tsp_params_init(&params);
    params.matrix = matrix;
    params.count = ROWS;
    verify_problem(verify, device, "tsp.lists matrix", &params);
end:
    free(numbers);
    free(matrix);
}

const struct verify_check tsp_checks[] = {
    {"tsp.lists", verify_lists, "-", "candidate lists of devices against the host", .is_short = true},
    {NULL}};
