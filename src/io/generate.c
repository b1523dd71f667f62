/* Rows of a least-squares problem, computed when they are read. */
#include "base/error.h"
#include "base/params.h"
#include "io/table.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_DRAW = INT32_MIN, NOISE_DRAWS = 3, MAX_DIM = 1 << 20 };

/* F10_ROWS and F10_NOISE: rows and noise of f10 of the thesis, in which the minimum is 323,428,599. The mean
 * residual sum of squares of a fit of four parameters is noise^2 (rows - 4). */
#define F10_ROWS  6980011
#define F10_NOISE sqrt(323428599.0 / (F10_ROWS - 4))

struct like {
    const char *name;
    size_t dim, rows;
};
static const struct like likes[] = {
    {"f6", 16, 16384}, {"f7", 16, 65536}, {"f8", 16, 272144}, {"f9", 16, 1088576}, {"f10", 4, F10_ROWS}};

void shoal_least_squares_params_init(struct shoal_least_squares_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_least_squares_params){.size = sizeof *params, .dim = 4, .rows = 1000, .seed = 1};
}

/* Noise of a row, approximately normal with variance 1: the sum of twelve uniform numbers less 6. The sum is
 * an integer until the last step, so that no rounding differs between machines. */
static double noise_of_row(uint64_t seed, size_t row)
{
    uint64_t sum = 0;
    for (uint32_t draw = 0; draw < NOISE_DRAWS; draw++) {
        const struct shoal_words words =
            shoal_random_words(seed, SHOAL_STREAM_DATA, (uint32_t)((uint64_t)row >> 32), (uint32_t)row,
                               (uint32_t)NOISE_DRAW + draw);
        sum += (uint64_t)words.x + words.y + words.z + words.w;
    }
    /* A word represents the middle of its interval, w + 1/2. */
    return (double)(sum + 6) / 4294967296.0 - 6;
}

static void generate_row(const struct shoal_least_squares_params *params, size_t row, double *out)
{
    const size_t dim = params->dim;
    double sum = 0;
    for (size_t d = 0; d < dim; d += 4) {
        const struct shoal_words words =
            shoal_random_words(params->seed, SHOAL_STREAM_DATA, (uint32_t)((uint64_t)row >> 32),
                               (uint32_t)row, (uint32_t)(d / 4));
        const uint32_t word[4] = {words.x, words.y, words.z, words.w};
        for (size_t k = 0; k < 4 && d + k < dim; k++) {
            out[d + k] = (double)(word[k] >> 15) / 65536 - 1;
            sum += out[d + k];
        }
    }
    if (params->noise > 0) {
        /* A separate statement, so that the compiler does not fuse the product with the sum below, which
         * would change bits. */
        const double noise = params->noise * noise_of_row(params->seed, row);
        sum += noise;
    }
    out[dim] = sum;
}

static enum shoal_status read_generated(const struct shoal_table *table, size_t first, size_t count,
                                        double *out, struct shoal_error *error)
{
    (void)error;
    for (size_t j = 0; j < count; j++)
        generate_row(table->state, first + j, out + j * table->info.columns);
    return SHOAL_OK;
}

static enum shoal_status resolve(struct shoal_least_squares_params *params, struct shoal_error *error)
{
    size_t bytes;
    if (params->like) {
        size_t i = 0;
        while (i < sizeof likes / sizeof *likes && strcmp(likes[i].name, params->like) != 0)
            i++;
        if (i == sizeof likes / sizeof *likes)
            return fail(error, SHOAL_INVALID, "'%.60s' is none of the thesis's f6, f7, f8, f9, f10",
                        params->like);
        params->dim = likes[i].dim;
        params->rows = likes[i].rows;
        params->noise = likes[i].rows == F10_ROWS ? F10_NOISE : 0;
    }
    if (params->dim < 1 || params->dim > MAX_DIM)
        return fail(error, SHOAL_INVALID, "dim: %zu is not between 1 and %d", params->dim, MAX_DIM);
    if (params->rows < 1 ||
        __builtin_mul_overflow(params->rows, (params->dim + 1) * sizeof(double), &bytes) || bytes > INT64_MAX)
        return fail(error, SHOAL_INVALID, "rows: %zu is not between 1 and what a file can hold",
                    params->rows);
    if (!(params->noise >= 0 && params->noise <= 1e150))
        return fail(error, SHOAL_INVALID, "noise: %g is not between 0 and 1e150", params->noise);
    return SHOAL_OK;
}

enum shoal_status shoal_table_least_squares(const struct shoal_least_squares_params *params,
                                            struct shoal_table **out, struct shoal_error *error)
{
    struct shoal_least_squares_params own;
    char name[160];
    error_reset(error);
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_least_squares_params_init, &own, error);
    if (!status)
        status = resolve(&own, error);
    if (status)
        return status;
    snprintf(name, sizeof name, "least-squares dim=%zu rows=%zu noise=%g seed=%llu", own.dim, own.rows,
             own.noise, (unsigned long long)own.seed);
    struct shoal_table *table = table_new(own.like ? own.like : name);
    struct shoal_least_squares_params *state = malloc(sizeof *state);
    if (!table || !state) {
        free(state);
        shoal_table_destroy(&table);
        return fail_host_memory(error);
    }
    *state = own;
    state->like = NULL; /* the caller owns the text, so it is not freed here */
    table->state = state;
    table->read = read_generated;
    table->info.format = "generated";
    table->info.type = "f8";
    table->info.order = "rows";
    table->info.rows = own.rows;
    table->info.columns = own.dim + 1;
    *out = table;
    return SHOAL_OK;
}
