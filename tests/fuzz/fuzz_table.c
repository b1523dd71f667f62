/* Tables of numbers: the first byte says what the rest is, 'n' a .npy file, 'c' text, 'd' a list of columns,
 * a line feed and text, of whose rows those with missing values are dropped, 'r' a layout, a line feed and
 * raw numbers. Each may be packed by gzip. */
#include "target.h"

#include "io/table.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static void require_one_line(enum shoal_status status, const struct shoal_error *error)
{
    REQUIRE(status == error->status && error->message[0] && !strpbrk(error->message, "\r\n"));
}

/* The whole table at once, and row by row from its end. */
static void read_all(const struct shoal_table *table)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    struct shoal_error error = {0};
    REQUIRE(info->rows && info->columns && info->rows <= (1u << 20) / info->columns);
    double *all = malloc(info->rows * info->columns * sizeof *all),
           *row = malloc(info->columns * sizeof *row);
    REQUIRE(all && row);
    enum shoal_status status = shoal_table_read(table, 0, info->rows, all, &error);
    if (status)
        require_one_line(status, &error);
    for (size_t i = 0; i < info->rows * info->columns && !status; i++)
        REQUIRE(isfinite(all[i]));
    for (size_t j = info->rows; j-- > 0 && j + 100 > info->rows;) {
        enum shoal_status single = shoal_table_read(table, j, 1, row, &error);
        if (single)
            require_one_line(single, &error);
        REQUIRE(single ? status != SHOAL_OK
                       : status || memcmp(row, all + j * info->columns, info->columns * sizeof *row) == 0);
    }
    free(all);
    free(row);
}

static enum shoal_status open_as(uint8_t kind, struct shoal_table *table, const char *layout,
                                 struct shoal_error *error)
{
    enum shoal_status status = table_unpack(table, error);
    if (status)
        return status;
    if (kind == 'c' || kind == 'd')
        return table_open_csv(table, &(struct shoal_table_params){.size = sizeof(struct shoal_table_params)},
                              error);
    return kind == 'r' ? table_open_raw(table, layout, error) : table_open_npy(table, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const uint8_t kind = *data++;
    char layout[128] = "";
    size--;
    for (size_t i = 0; (kind == 'r' || kind == 'd') && size && i + 1 < sizeof layout; i++) {
        const char c = (char)*data++;
        size--;
        if (c == '\n')
            break;
        layout[i] = c;
    }
    struct shoal_error error = {0};
    struct shoal_table *table = table_new("fuzz");
    REQUIRE(table);
    table->file = memfd_create("fuzz", MFD_CLOEXEC);
    REQUIRE(table->file >= 0 && write(table->file, data, size) == (ssize_t)size);
    table->bytes = size;
    enum shoal_status status = open_as(kind, table, layout, &error);
    if (!status && kind == 'd' && table->info.rows && table->info.columns)
        status = shoal_table_choose(&table, layout, true, &error);
    if (status)
        require_one_line(status, &error);
    else if (table->info.rows && table->info.columns)
        read_all(table);
    shoal_table_destroy(&table);
    return 0;
}
