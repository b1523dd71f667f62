/* Dense little-endian numbers: the content of .npy and raw files. */
#include "base/error.h"
#include "io/table.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct binary {
    uint64_t offset; /* of the first number */
    unsigned width;
    enum table_order order;
};

enum shoal_status table_read_bytes(const struct shoal_table *table, uint64_t offset, void *out, size_t bytes,
                                   struct shoal_error *error)
{
    char *next = out;
    if (table->content) {
        memcpy(out, table->content + offset, bytes);
        return SHOAL_OK;
    }
    while (bytes) {
        ssize_t got = pread(table->file, next, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_call(error, SHOAL_IO, "pread", errno, "%s: cannot be read: %s", table->name,
                             strerror(errno));
        if (got == 0)
            return fail(error, SHOAL_IO, "%s: has become shorter while it was read", table->name);
        next += got;
        offset += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return SHOAL_OK;
}

static double number(const char *bytes, unsigned width)
{
    double wide;
    float narrow;
    if (width == sizeof wide) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        word = le64toh(word);
        memcpy(&wide, &word, sizeof wide);
        return wide;
    }
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    word = le32toh(word);
    memcpy(&narrow, &word, sizeof narrow);
    return (double)narrow;
}

/* Stored numbers index .. index + count - 1, the i-th to out[i / group * stride + i % group]. */
static enum shoal_status read_numbers(const struct shoal_table *table, uint64_t index, size_t count,
                                      double *out, size_t group, size_t stride, struct shoal_error *error)
{
    const struct binary *binary = table->state;
    const unsigned width = binary->width;
    char piece[32768];
    size_t in_group = 0;
    while (count) {
        const size_t room = sizeof piece / width, some = count < room ? count : room;
        enum shoal_status status =
            table_read_bytes(table, binary->offset + index * width, piece, some * width, error);
        if (status)
            return status;
        for (size_t i = 0; i < some;) {
            const size_t run = some - i < group - in_group ? some - i : group - in_group;
            for (size_t k = 0; k < run; k++)
                out[in_group + k] = number(piece + (i + k) * width, width);
            i += run;
            in_group += run;
            if (in_group == group) {
                in_group = 0;
                out += stride;
            }
        }
        index += some;
        count -= some;
    }
    return SHOAL_OK;
}

static enum shoal_status read_binary(const struct shoal_table *table, size_t first, size_t count, double *out,
                                     struct shoal_error *error)
{
    const struct binary *binary = table->state;
    const uint64_t rows = table->info.rows, columns = table->info.columns;
    enum shoal_status status = SHOAL_OK;
    switch (binary->order) {
    case TABLE_ROWS:
        return read_numbers(table, first * columns, count * columns, out, columns, columns, error);
    case TABLE_COLUMNS:
        for (size_t c = 0; c < columns && !status; c++)
            status = read_numbers(table, c * rows + first, count, out + c, 1, columns, error);
        return status;
    case TABLE_BLOCKS:
        if (columns > 1)
            status = read_numbers(table, first * (columns - 1), count * (columns - 1), out, columns - 1,
                                  columns, error);
        if (!status)
            status = read_numbers(table, rows * (columns - 1) + first, count, out + columns - 1, 1, columns,
                                  error);
        return status;
    }
    return status;
}

enum shoal_status table_set_binary(struct shoal_table *table, uint64_t offset, unsigned width,
                                   enum table_order order, const char *wanted, struct shoal_error *error)
{
    static const char *const names[] = {"rows", "columns", "blocks"};
    uint64_t size;
    if (__builtin_mul_overflow(table->info.rows, table->info.columns, &size) ||
        __builtin_mul_overflow(size, width, &size) || __builtin_add_overflow(size, offset, &size) ||
        size > INT64_MAX)
        return fail(error, SHOAL_IO, "%s: %zu x %zu numbers are more than a file can hold", table->name,
                    table->info.rows, table->info.columns);
    if (size != table->bytes)
        return fail(error, SHOAL_IO, "%s: has %llu bytes; %s needs %llu", table->name,
                    (unsigned long long)table->bytes, wanted, (unsigned long long)size);
    struct binary *binary = malloc(sizeof *binary);
    if (!binary)
        return fail_host_memory(error);
    *binary = (struct binary){.offset = offset, .width = width, .order = order};
    table->state = binary;
    table->read = read_binary;
    table->info.type = width == 4 ? "f4" : "f8";
    table->info.order = names[order];
    return SHOAL_OK;
}
