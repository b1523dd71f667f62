/* Labels in a separate file, IDX or .npy, for images or rows of numbers. The labels become the last column,
 * the target. */
#include "base/counted.h"
#include "base/error.h"
#include "base/input.h"
#include "dataset/dataset.h"
#include "io/table.h"

#include <math.h>
#include <stdlib.h>

enum shoal_status dataset_check_labels(const struct shoal_dataset *dataset, const char *path, size_t labels,
                                       size_t rows)
{
    return labels == rows ? SHOAL_OK
                          : fail(dataset->error, SHOAL_IO, "%s: has %s, %s has %s", path,
                                 counted(labels, "label").s, dataset->name, counted(rows, "row").s);
}

static enum shoal_status npy_labels(const struct shoal_dataset *dataset, const char *path, size_t rows,
                                    double *labels)
{
    struct shoal_error *const error = dataset->error;
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(path, NULL, &table, error);
    if (status)
        return status;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    if (info->columns != 1)
        status = fail(error, SHOAL_IO, "%s: labels are whole numbers, one a row; these are %zu numbers a row",
                      path, (size_t)info->columns);
    if (!status)
        status = dataset_check_labels(dataset, path, (size_t)info->rows, rows);
    if (!status)
        status = shoal_table_read(table, 0, rows, labels, error);
    for (size_t row = 0; row < rows && !status; row++)
        if (labels[row] != floor(labels[row]))
            status =
                fail(error, SHOAL_IO, "%s: row %zu: %.10g is no whole number, but labels are whole numbers",
                     path, row + 1, labels[row]);
    shoal_table_destroy(&table);
    return status;
}

enum shoal_status dataset_open_labels(const struct shoal_dataset *dataset, const char *path, size_t rows,
                                      double **labels)
{
    char *text;
    size_t bytes;
    *labels = NULL;
    enum shoal_status status = read_input_unpacked(path, "labels", &text, &bytes, dataset->error);
    if (status)
        return status;
    double *numbers = calloc(rows + 1, sizeof *numbers);
    if (!numbers)
        status = fail_host_memory(dataset->error);
    else if (dataset_is_npy(text, bytes))
        status = npy_labels(dataset, path, rows, numbers);
    else
        status = dataset_idx_labels(dataset, path, text, bytes, rows, numbers);
    free(text);
    if (status)
        free(numbers);
    else
        *labels = numbers;
    return status;
}

enum shoal_status dataset_declare_labels(struct shoal_dataset *dataset)
{
    const size_t last = dataset->info.columns - 1;
    const enum shoal_status status = dataset_name(dataset, last, (struct word){&"label"[0], &"label"[5]});
    dataset->has_names = false; /* only the column of labels has a name; the other columns have numbers */
    dataset->columns[last].face.is_target = true;
    return status;
}

enum shoal_status dataset_use_labels(struct shoal_dataset *dataset)
{
    const size_t last = dataset->info.columns - 1;
    return dataset->columns[last].choice == CHOICE_NONE ? dataset_use_categories(dataset, last) : SHOAL_OK;
}
