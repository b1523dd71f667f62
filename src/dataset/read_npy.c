/* Reads numbers of a .npy file as a data set. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

/* Reads the rows. labels: values of a further column; NULL: there is none. */
static enum shoal_status read_rows(struct shoal_dataset *dataset, const struct shoal_table *table,
                                   const double *labels)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    const size_t block = table_block_rows(info->columns);
    enum shoal_status status = SHOAL_OK;
    double *values = malloc(block * info->columns * sizeof *values),
           *row = malloc((info->columns + 1) * sizeof *row);
    if (!values || !row)
        status = fail_host_memory(dataset->error);
    for (size_t first = 0; first < info->rows && !status; first += block) {
        const size_t left = info->rows - first, count = left < block ? left : block;
        status = shoal_table_read(table, first, count, values, dataset->error);
        for (size_t i = 0; i < count && !status; i++) {
            memcpy(row, values + i * info->columns, info->columns * sizeof *row);
            if (labels)
                row[info->columns] = labels[first + i];
            status = dataset_add_numbers(dataset, row);
        }
    }
    free(row);
    free(values);
    return status;
}

enum shoal_status dataset_read_npy(struct shoal_dataset *dataset, const struct shoal_dataset_params *params)
{
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(params->path, NULL, &table, dataset->error);
    if (status)
        return status;
    const bool has_labels = params->labels != NULL;
    double *labels = NULL;
    if (has_labels)
        status = dataset_open_labels(dataset, params->labels, table->info.rows, &labels);
    if (!status)
        status = dataset_declare(dataset, table->info.columns + has_labels);
    if (!status && has_labels)
        status = dataset_declare_labels(dataset);
    if (!status)
        status = dataset_choose(dataset, params);
    if (!status && has_labels)
        status = dataset_use_labels(dataset);
    if (!status)
        status = read_rows(dataset, table, labels);
    free(labels);
    shoal_table_destroy(&table);
    return status;
}
