/* Computes statistics and the least-squares solution of a table, in one pass. */
#include "base/error.h"
#include "base/params.h"
#include "objective/rows/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes least and greatest numbers, and sums (from which means follow) of each column. Copies the rows to
 * `block`, column by column, for the factor. */
static void take_rows(struct shoal_table_summary *summary, const double *rows, size_t count, double *block)
{
    const size_t columns = summary->columns;
    for (size_t c = 0; c < columns; c++) {
        double least = summary->least[c], greatest = summary->greatest[c], sum = 0;
        for (size_t j = 0; j < count; j++) {
            const double value = rows[j * columns + c];
            least = fmin(least, value);
            greatest = fmax(greatest, value);
            sum += value;
            block[c * count + j] = value;
        }
        summary->least[c] = least;
        summary->greatest[c] = greatest;
        summary->mean[c] += sum;
    }
}

static enum shoal_status summarise(const struct shoal_table *table, struct shoal_table_summary *summary,
                                   double *numbers, shoal_table_progress progress, void *data,
                                   struct shoal_error *error)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const size_t columns = info->columns, block = factor_block_rows(columns);
    double *factor = numbers, *rows = factor + columns * columns, *turned = rows + block * columns;
    for (size_t first = 0; first < info->rows; first += block) {
        const size_t left = info->rows - first, count = left < block ? left : block;
        enum shoal_status status = shoal_table_read(table, first, count, rows, error);
        if (status)
            return status;
        take_rows(summary, rows, count, turned);
        factor_add_rows(factor, columns, turned, count);
        if (progress && !progress(data, first + count, info->rows))
            return fail(error, SHOAL_STOPPED, "%s: stopped", info->name);
    }
    for (size_t c = 0; c < columns; c++)
        summary->mean[c] /= (double)info->rows;
    return factor_solve(factor, columns - 1, summary->minimiser, &summary->minimum, &summary->rank, error);
}

static enum shoal_status create(const struct shoal_table *table, struct shoal_table_summary *summary,
                                shoal_table_progress progress, void *data, struct shoal_error *error)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const size_t columns = info->columns;
    if (columns > FACTOR_MAX_COLUMNS)
        return fail(error, SHOAL_UNSUPPORTED, "%s: has %zu columns; up to %d can be summed up", info->name,
                    columns, FACTOR_MAX_COLUMNS);
    const size_t block = factor_block_rows(columns);
    double *numbers = calloc(columns * columns + 2 * block * columns, sizeof *numbers);
    /* All arrays are in one block of memory, which begins with `least`. */
    double *figures = calloc(4 * columns, sizeof *figures);
    *summary = (struct shoal_table_summary){.columns = columns, .least = figures};
    if (figures) {
        summary->greatest = figures + columns;
        summary->mean = figures + 2 * columns;
        summary->minimiser = figures + 3 * columns;
    }
    enum shoal_status status = numbers && figures ? SHOAL_OK : fail_host_memory(error);
    for (size_t c = 0; c < columns && !status; c++) {
        summary->least[c] = INFINITY;
        summary->greatest[c] = -INFINITY;
    }
    if (!status)
        status = summarise(table, summary, numbers, progress, data, error);
    free(numbers);
    if (status) {
        free(figures);
        *summary = (struct shoal_table_summary){.columns = 0};
    }
    return status;
}

enum shoal_status shoal_table_summarise(const struct shoal_table *table, struct shoal_table_summary *summary,
                                        shoal_table_progress progress, void *data, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, table, summary))
        return SHOAL_INVALID;
    struct shoal_table_summary found = {.columns = 0};
    enum shoal_status status = RESULT_CHECK(summary, minimiser, error);
    if (status)
        return status;
    status = create(table, &found, progress, data, error);
    RESULT_GIVE(&found, minimiser, summary);
    return status;
}

void shoal_table_summary_free(struct shoal_table_summary *summary)
{
    if (!summary || RESULT_CHECK(summary, minimiser, NULL))
        return;
    free(summary->least);
    RESULT_GIVE(&(struct shoal_table_summary){.columns = 0}, minimiser, summary);
}
