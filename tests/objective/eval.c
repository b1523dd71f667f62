#include "eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void exact_add(struct exact_sum *sum, double value)
{
    double together = sum->sum + value;
    sum->rest += fabs(sum->sum) >= fabs(value) ? sum->sum - together + value : value - together + sum->sum;
    sum->sum = together;
}

double *eval_points(size_t points, size_t dim, double span)
{
    size_t n = points * dim;
    uint32_t *words = harness_memory((n + 4) * sizeof *words);
    double *x = harness_memory(n * sizeof *x);
    harness_words(words, n, 7);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((words[i] / 4294967296.0 * 2 - 1) * span);
    return x;
}

static size_t place(const struct eval_setup *setup, size_t tile, size_t point, size_t d)
{
    return (point / tile * setup->dim + d) * tile + point % tile;
}

void eval_on_device(const struct eval_setup *setup, const double *points, size_t first, size_t count,
                    unsigned runs, double *values)
{
    const size_t real = setup->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t tile = evaluator_tile(setup->method, harness.info, setup->points);
    const size_t padded = (setup->points + tile - 1) / tile * tile;
    struct programs programs = {.device = harness.device, .variant = harness.variant};
    const struct evaluator_params params = {.objective = setup->objective,
                                            .precision = setup->precision,
                                            .method = setup->method,
                                            .dim = setup->dim,
                                            .points = setup->points,
                                            .chunk_rows = setup->chunk_rows,
                                            .shift = setup->shift,
                                            .programs = &programs};
    char *tiled = calloc(padded * setup->dim, real), *before = malloc(padded * real),
         *after = malloc(padded * real);
    assert_true(tiled && before && after);
    for (size_t i = 0; i < setup->points; i++)
        for (size_t d = 0; d < setup->dim; d++)
            if (real == sizeof(double))
                ((double *)tiled)[place(setup, tile, i, d)] = points[i * setup->dim + d];
            else
                ((float *)tiled)[place(setup, tile, i, d)] = (float)points[i * setup->dim + d];
    struct shoal_buffer *x = NULL, *y = NULL;
    assert_ok(shoal_buffer_create(harness.device, padded * setup->dim * real, &x, &test_error));
    assert_ok(shoal_buffer_create(harness.device, padded * real, &y, &test_error));
    assert_ok(shoal_buffer_write(harness.queue, x, 0, tiled, padded * setup->dim * real, &test_error));
    struct evaluator *evaluator = NULL;
    assert_ok(evaluator_create(harness.queue, &params, &evaluator, &test_error));
    for (unsigned run = 0; run < runs; run++) {
        memset(after, 0xA5, padded * real);
        assert_ok(shoal_buffer_write(harness.queue, y, 0, after, padded * real, &test_error));
        assert_ok(evaluator_run(evaluator, x, y, first, count, count, &test_error));
        assert_ok(shoal_buffer_read(harness.queue, y, 0, after, padded * real, &test_error));
        if (run)
            assert_memory_equal(before, after, padded * real);
        memcpy(before, after, padded * real);
    }
    for (size_t i = 0; i < padded * real; i++)
        if (i < first * real || i >= (first + count) * real)
            assert_int_equal((unsigned char)after[i], 0xA5);
    for (size_t i = 0; i < count; i++)
        values[i] =
            real == sizeof(double) ? ((double *)after)[first + i] : (double)((float *)after)[first + i];
    evaluator_destroy(&evaluator);
    programs_destroy(&programs);
    shoal_buffer_destroy(&x);
    shoal_buffer_destroy(&y);
    free(tiled);
    free(before);
    free(after);
}
