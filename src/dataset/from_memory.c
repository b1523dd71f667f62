/* A data set of numbers in the memory of a caller. */
#include "base/error.h"
#include "base/params.h"
#include "dataset/dataset.h"

#include <stdlib.h>
#include <string.h>

/* Checks the arguments. `*columns` receives the number of columns of all blocks. */
static enum shoal_status check(const struct shoal_dataset_params *params,
                               const struct shoal_dataset_block *blocks, size_t block_count, size_t rows,
                               size_t *columns, struct shoal_error *error)
{
    static const char call[] = "shoal_dataset_from_memory";
    const char *of_file = params->labels           ? "labels"
                          : params->format         ? "format"
                          : params->missing_values ? "missing_values"
                                                   : NULL;
    *columns = 0;
    if (of_file)
        return fail(error, SHOAL_INVALID, "%s: %s belongs to files: leave it out", call, of_file);
    for (size_t b = 0; b < block_count; b++) {
        if (blocks[b].columns && !blocks[b].values)
            return fail(error, SHOAL_INVALID, "%s: blocks[%zu].values is NULL", call, b);
        if (blocks[b].columns > UINT32_MAX || *columns + blocks[b].columns > UINT32_MAX)
            return fail(error, SHOAL_INVALID, "%s: blocks have more than 2^32 - 1 columns", call);
        *columns += blocks[b].columns;
    }
    return rows && *columns ? SHOAL_OK
                            : fail(error, SHOAL_INVALID, "%s: %zu rows and %zu columns: each is 1 or more",
                                   call, rows, *columns);
}

static enum shoal_status add_rows(struct shoal_dataset *dataset, const struct shoal_dataset_block *blocks,
                                  size_t block_count, size_t rows)
{
    double *row = malloc(dataset->info.columns * sizeof *row);
    enum shoal_status status = row ? SHOAL_OK : fail_host_memory(dataset->error);
    for (size_t r = 0; r < rows && !status; r++) {
        size_t column = 0;
        for (size_t b = 0; b < block_count; b++) {
            const size_t count = blocks[b].columns;
            if (count)
                memcpy(row + column, blocks[b].values + r * count, count * sizeof *row);
            column += count;
        }
        status = dataset_add_numbers(dataset, row);
    }
    free(row);
    return status;
}

enum shoal_status shoal_dataset_from_memory(const struct shoal_dataset_params *params,
                                            const struct shoal_dataset_block *blocks, size_t block_count,
                                            size_t rows, struct shoal_dataset **out,
                                            struct shoal_error *error)
{
    struct shoal_dataset_params own;
    size_t columns;
    error_reset(error);
    if (!NEED(error, params, blocks, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_dataset_params_init, &own, error);
    if (!status)
        status = check(&own, blocks, block_count, rows, &columns, error);
    if (!status)
        status = dataset_create(own.path ? own.path : "memory", out, error);
    if (status)
        return status;
    (*out)->info.format = "memory";
    status = dataset_declare(*out, columns);
    if (!status)
        status = dataset_choose(*out, &own);
    if (!status)
        status = add_rows(*out, blocks, block_count, rows);
    if (!status)
        status = dataset_close(*out);
    if (status)
        shoal_dataset_destroy(out);
    return status;
}
