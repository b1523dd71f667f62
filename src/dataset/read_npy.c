/* Numbers of a .npy file. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/table.h"

#include <stdlib.h>

static enum shoal_status read_rows(struct shoal_dataset *dataset, const struct shoal_table *table)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const size_t block = table_block_rows(info->columns);
    enum shoal_status status = SHOAL_OK;
    double *values = malloc(block * info->columns * sizeof *values);
    if (!values)
        return fail_host_memory(dataset->error);
    for (size_t first = 0; first < info->rows && !status; first += block) {
        const size_t left = info->rows - first, count = left < block ? left : block;
        status = shoal_table_read(table, first, count, values, dataset->error);
        for (size_t i = 0; i < count && !status; i++)
            status = dataset_add_numbers(dataset, values + i * info->columns);
    }
    free(values);
    return status;
}

enum shoal_status dataset_read_npy(struct shoal_dataset *dataset, const struct shoal_dataset_params *params)
{
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(params->path, NULL, &table, dataset->error);
    if (status)
        return status;
    status = dataset_declare(dataset, table->info.columns);
    if (!status)
        status = dataset_choose(dataset, params);
    if (!status)
        status = read_rows(dataset, table);
    shoal_table_destroy(&table);
    return status;
}
