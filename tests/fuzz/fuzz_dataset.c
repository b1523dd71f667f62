/* Data sets: the first byte says which choices go with the file that the rest is. What is read can be encoded
 * and counted, what is not has a reason. */
#include "target.h"

#include <math.h>
#include <shoal/dataset.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS_SHOWN = 40 };

static void look_at_column(const struct shoal_dataset *dataset, size_t index)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, index);
    const size_t rows = info->rows < ROWS_SHOWN ? info->rows : ROWS_SHOWN;
    struct shoal_error error = {0};
    double values[ROWS_SHOWN];
    size_t counted = column->missing;
    REQUIRE(column->name && column->missing <= info->rows);
    for (size_t k = 0; k < column->category_count; k++) {
        REQUIRE(column->categories[k]);
        counted += column->counts[k];
    }
    REQUIRE(!column->category_count || counted == info->rows);
    REQUIRE(shoal_dataset_read(dataset, index, info->rows - rows, rows, values, &error) == SHOAL_OK);
    for (size_t i = 0; i < rows; i++)
        REQUIRE(isnan(values[i]) ? column->missing || column->kind == SHOAL_COLUMN_IGNORED
                                 : !column->category_count || values[i] < (double)column->category_count);
}

static void look_at(const struct shoal_dataset *dataset)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    const size_t width = info->input_width + info->target_width;
    struct shoal_error error = {0};
    double *row = malloc((width + 1) * sizeof *row);
    REQUIRE(info->rows && info->columns && row);
    for (size_t c = 0; c < info->columns && c < 100; c++)
        look_at_column(dataset, c);
    for (size_t i = 0; i < info->rows && i < ROWS_SHOWN; i++) {
        const enum shoal_status status = shoal_dataset_encode(dataset, i, 1, row, &error);
        REQUIRE(status == SHOAL_OK || (status == SHOAL_IO && info->missing));
        for (size_t k = 0; k < width && !status; k++)
            REQUIRE(isfinite(row[k]));
    }
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lists[] = {
        NULL, "* category", "1 bits:3", "1-2 thermometer", "* ignored, 1 binary", "1 number"};
    const uint8_t choices = size ? *data : 0;
    struct shoal_error error = {0};
    struct shoal_dataset *dataset;
    struct shoal_dataset_params params;
    char path[64];
    const int file = memfd_create("dataset", MFD_CLOEXEC);
    data += size > 0;
    size -= size > 0;
    REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    shoal_dataset_params_init(&params);
    params.path = path;
    params.target = choices & 1 ? "1" : NULL;
    params.columns = lists[choices / 2 % 6];
    params.header = choices / 16 % 3;
    params.labels = choices >= 192 ? path : NULL;
    const enum shoal_status status = shoal_dataset_open(&params, &dataset, &error);
    if (status == SHOAL_OK)
        look_at(dataset);
    else
        REQUIRE(!dataset && error.status == status && error.message[0] && !strpbrk(error.message, "\r\n"));
    shoal_dataset_is_table(path);
    shoal_dataset_destroy(&dataset);
    close(file);
    return 0;
}
