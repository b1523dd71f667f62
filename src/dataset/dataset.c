/* Reads from a data set: checked rows, encoded rows. */
#include "dataset/dataset.h"
#include "base/error.h"
#include "base/params.h"

#include <stdlib.h>
#include <string.h>

void shoal_dataset_params_init(struct shoal_dataset_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_dataset_params){.size = sizeof *params};
}

enum shoal_status dataset_create(const char *name, struct shoal_dataset **out, struct shoal_error *error)
{
    struct shoal_dataset *dataset = calloc(1, sizeof *dataset);
    *out = NULL;
    if (dataset)
        dataset->name = strdup(name);
    if (!dataset || !dataset->name) {
        free(dataset);
        return fail_host_memory(error);
    }
    dataset->info = (struct shoal_dataset_info){.size = sizeof dataset->info, .name = dataset->name};
    dataset->error = error;
    *out = dataset;
    return SHOAL_OK;
}

size_t dataset_find_name(const struct shoal_dataset *dataset, const char *name)
{
    for (size_t c = 0; c < dataset->info.columns; c++)
        if (strcmp(dataset->columns[c].name, name) == 0)
            return c;
    return SIZE_MAX;
}

void shoal_dataset_destroy(struct shoal_dataset **dataset)
{
    if (!dataset || !*dataset)
        return;
    for (size_t c = 0; (*dataset)->columns && c < (*dataset)->info.columns; c++) {
        struct column *column = &(*dataset)->columns[c];
        free(column->name);
        categories_free(column->categories);
        free((void *)column->face.categories);
        free(column->counts);
        column_drop(column);
        free(column->missing);
    }
    for (size_t b = 0; b < (*dataset)->block_count; b++)
        free((*dataset)->blocks[b].data);
    free((*dataset)->blocks);
    free((*dataset)->columns);
    free((*dataset)->notes);
    free((*dataset)->name);
    free(*dataset);
    *dataset = NULL;
}

const struct shoal_dataset_info *shoal_dataset_get_info(const struct shoal_dataset *dataset)
{
    return dataset ? &dataset->info : NULL;
}

const struct shoal_dataset_column *shoal_dataset_column_at(const struct shoal_dataset *dataset, size_t index)
{
    return dataset && index < dataset->info.columns ? &dataset->columns[index].face : NULL;
}

static enum shoal_status check_rows(const struct shoal_dataset *dataset, size_t first, size_t count,
                                    struct shoal_error *error)
{
    const size_t rows = dataset->info.rows;
    error_reset(error);
    if (first > rows || count > rows - first)
        return fail(error, SHOAL_INVALID, "%s: rows %zu to %zu of %zu do not exist", dataset->name, first + 1,
                    first + count, rows);
    return SHOAL_OK;
}

enum shoal_status shoal_dataset_read(const struct shoal_dataset *dataset, size_t index, size_t first,
                                     size_t count, double *out, struct shoal_error *error)
{
    if (!NEED(error, dataset, out))
        return SHOAL_INVALID;
    enum shoal_status status = check_rows(dataset, first, count, error);
    if (!status && index >= dataset->info.columns)
        status = fail(error, SHOAL_INVALID, "%s: column %zu of %zu does not exist", dataset->name, index + 1,
                      dataset->info.columns);
    for (size_t i = 0; i < count && !status; i++) {
        const struct column *column = &dataset->columns[index];
        out[i] = column->choice == CHOICE_IGNORED || column_misses(column, first + i)
                     ? NAN
                     : dataset_value(dataset, column, first + i);
    }
    return status;
}

/* Encoding ----------------------------------------------------------------------------------------------- */

void dataset_encode_value(enum shoal_encoding encoding, size_t width, double base, double value, double *out)
{
    switch (encoding) {
    case SHOAL_ENCODING_PLAIN:
        *out = value;
        break;
    case SHOAL_ENCODING_ONE_HOT:
        for (size_t k = 0; k < width; k++)
            out[k] = (double)k == value;
        break;
    case SHOAL_ENCODING_THERMOMETER:
        for (size_t k = 0; k < width; k++)
            out[k] = value > base + (double)k;
        break;
    case SHOAL_ENCODING_BITS:
        for (size_t k = 0; k < width; k++)
            out[k] = (uint32_t)value >> (width - 1 - k) & 1;
        break;
    }
}

static double *encode(const struct column *column, double value, double *out)
{
    const struct shoal_dataset_column *face = &column->face;
    dataset_encode_value(face->encoding, face->width, column->categories ? 0 : face->least, value, out);
    return out + face->width;
}

static double *encode_row(const struct shoal_dataset *dataset, size_t row, bool are_targets, double *out,
                          const struct column **missing)
{
    for (size_t c = 0; c < dataset->info.columns && !*missing; c++) {
        const struct column *column = &dataset->columns[c];
        if (column->choice == CHOICE_IGNORED || column->face.is_target != are_targets)
            continue;
        if (column_misses(column, row))
            *missing = column;
        else
            out = encode(column, dataset_value(dataset, column, row), out);
    }
    return out;
}

enum shoal_status shoal_dataset_encode(const struct shoal_dataset *dataset, size_t first, size_t count,
                                       double *out, struct shoal_error *error)
{
    if (!NEED(error, dataset, out))
        return SHOAL_INVALID;
    enum shoal_status status = check_rows(dataset, first, count, error);
    const struct column *missing = NULL;
    for (size_t row = first; row < first + count && !status; row++) {
        out = encode_row(dataset, row, false, out, &missing);
        out = encode_row(dataset, row, true, out, &missing);
        if (missing)
            return fail(error, SHOAL_IO,
                        "%s: row %zu, column %zu ('%s') has no value, which numbers cannot hold; fill it in, "
                        "or ignore the column",
                        dataset->name, row + 1, (size_t)(missing - dataset->columns) + 1, missing->name);
    }
    return status;
}
