/* Learns the preparation of a column, which may be an input or a target. */
#include "base/error.h"
#include "dataset/prepare/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status learn_categories(const struct shoal_dataset *dataset, const uint32_t *rows,
                                          size_t count, const struct column *source,
                                          struct prepare_column *column, struct shoal_error *error)
{
    const size_t categories = source->face.category_count;
    bool *is_used = calloc(categories + 1, sizeof *is_used);
    column->categories = calloc(categories + 1, sizeof *column->categories);
    bool has_memory = is_used && column->categories;
    for (size_t i = 0; i < count && has_memory; i++)
        if (!column_misses(source, rows[i]))
            is_used[(size_t)dataset_value(dataset, source, rows[i])] = true;
    for (size_t k = 0; k < categories && has_memory; k++)
        if (is_used[k]) {
            char *name = strdup(source->face.categories[k]);
            column->categories[column->category_count] = name;
            column->category_count += name != NULL;
            has_memory = name != NULL;
        }
    free(is_used);
    return has_memory ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status learn_column(const struct shoal_dataset *dataset, const uint32_t *rows, size_t count,
                               size_t c, struct prepare_column *column, struct shoal_error *error)
{
    const struct column *source = &dataset->columns[c];
    const bool is_number = column_is_number(source);
    double least = INFINITY, greatest = -INFINITY;
    bool is_whole = is_number;
    enum shoal_status status = SHOAL_OK;
    *column = (struct prepare_column){.name = strdup(source->name),
                                      .kind = is_number ? SHOAL_COLUMN_NUMBER : SHOAL_COLUMN_CATEGORY,
                                      .encoding = source->face.encoding,
                                      .bits = source->bits,
                                      .is_day = source->choice == CHOICE_DAY,
                                      .place = c};
    if (!column->name)
        return fail_host_memory(error);
    for (size_t i = 0; i < count && is_number; i++)
        if (!column_misses(source, rows[i])) {
            const double value = dataset_value(dataset, source, rows[i]);
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
            is_whole = is_whole && value == floor(value);
        }
    if (!is_number)
        status = learn_categories(dataset, rows, count, source, column, error);
    if (!status && (is_number ? least > greatest : !column->category_count))
        status = fail(error, SHOAL_IO, "%s: column %zu ('%s') has no value in the training rows; ignore it",
                      dataset->name, c + 1, source->name);
    if (status)
        return status;
    column->least = is_number ? least : 0;
    column->is_whole = is_whole;
    column->width = column->encoding == SHOAL_ENCODING_PLAIN     ? 1
                    : column->encoding == SHOAL_ENCODING_ONE_HOT ? column->category_count
                    : column->encoding == SHOAL_ENCODING_BITS    ? column->bits
                    : is_number                                  ? (size_t)(greatest - least)
                                                                 : column->category_count - 1;
    return SHOAL_OK;
}

void learn_scale(enum prepare_scale scale, const double *statistics, size_t count, double *shift,
                 double *factor)
{
    const double mean = statistics[0], least = statistics[1], greatest = statistics[2],
                 squares = statistics[3];
    const double spread = scale == PREPARE_STANDARD ? sqrt(squares / (double)count) : greatest - least;
    *shift = scale == PREPARE_STANDARD ? mean : scale == PREPARE_MIN_MAX ? least : 0;
    *factor = scale == PREPARE_NONE ? 1 : greatest > least && spread > 0 ? 1 / spread : 0;
}
