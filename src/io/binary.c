/* Reads dense numbers: the content of .npy and raw files. */
#include "base/error.h"
#include "io/table.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct binary {
    uint64_t offset; /* offset of the first number in the file, in bytes */
    struct table_type type;
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

static uint64_t word_of(const char *bytes, struct table_type type)
{
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (type.width) {
    case 8:
        memcpy(&wide, bytes, sizeof wide);
        return type.is_big ? be64toh(wide) : le64toh(wide);
    case 4:
        memcpy(&word, bytes, sizeof word);
        return type.is_big ? be32toh(word) : le32toh(word);
    case 2:
        memcpy(&half, bytes, sizeof half);
        return type.is_big ? be16toh(half) : le16toh(half);
    default:
        return (unsigned char)*bytes;
    }
}

/* Value of a whole number of 64 bits; NaN: no double equals the number. */
static double whole(uint64_t word, struct table_type type)
{
    const unsigned unused = 64 - 8 * type.width;
    const bool is_negative = type.kind == 'i' && word >> (8 * type.width - 1);
    /* The number is in two's complement. */
    const uint64_t size = is_negative ? (0 - word) << unused >> unused : word;
    if (size > UINT64_C(1) << 53 && (size & (size - 1)) && size >> (__builtin_ctzll(size) + 53))
        return NAN;
    return is_negative ? -(double)size : (double)size;
}

static double number(const char *bytes, struct table_type type)
{
    double wide;
    float narrow;
    const uint64_t word = word_of(bytes, type);
    if (type.kind != 'f')
        return whole(word, type);
    if (type.width == sizeof wide) {
        memcpy(&wide, &word, sizeof wide);
        return wide;
    }
    const uint32_t low = (uint32_t)word;
    memcpy(&narrow, &low, sizeof narrow);
    return (double)narrow;
}

static enum shoal_status fail_inexact(const struct shoal_table *table, uint64_t index, const char *bytes,
                                      struct table_type type, struct shoal_error *error)
{
    const uint64_t word = word_of(bytes, type);
    char text[24];
    if (type.kind == 'i')
        snprintf(text, sizeof text, "%lld", (long long)word);
    else
        snprintf(text, sizeof text, "%llu", (unsigned long long)word);
    return fail(error, SHOAL_IO,
                "%s: number %llu is %s, which double precision has not: beyond 2^53 not every "
                "whole number is one",
                table->name, (unsigned long long)index + 1, text);
}

/* Reads the stored numbers index .. index + count - 1. Number index + i goes to out[i / group * stride + i %
 * group]. */
static enum shoal_status read_numbers(const struct shoal_table *table, uint64_t index, size_t count,
                                      double *out, size_t group, size_t stride, struct shoal_error *error)
{
    const struct binary *binary = table->state;
    const struct table_type type = binary->type;
    const unsigned width = type.width;
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
            for (size_t k = 0; k < run; k++) {
                const char *bytes = piece + (i + k) * width;
                out[in_group + k] = number(bytes, type);
                if (type.kind != 'f' && isnan(out[in_group + k]))
                    return fail_inexact(table, index + i + k, bytes, type, error);
            }
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

static const char *type_name(struct table_type type)
{
    static const char *const names[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    size_t i = 0;
    while (names[i][0] != type.kind || names[i][1] != (char)('0' + type.width))
        i++;
    return names[i];
}

enum shoal_status table_set_binary(struct shoal_table *table, uint64_t offset, struct table_type type,
                                   enum table_order order, const char *wanted, struct shoal_error *error)
{
    static const char *const names[] = {"rows", "columns", "blocks"};
    uint64_t size;
    if (__builtin_mul_overflow(table->info.rows, table->info.columns, &size) ||
        __builtin_mul_overflow(size, type.width, &size) || __builtin_add_overflow(size, offset, &size) ||
        size > INT64_MAX)
        return fail(error, SHOAL_IO, "%s: %zu x %zu numbers are more than a file can hold", table->name,
                    table->info.rows, table->info.columns);
    if (size != table->bytes)
        return fail(error, SHOAL_IO, "%s: has %llu bytes; %s needs %llu", table->name,
                    (unsigned long long)table->bytes, wanted, (unsigned long long)size);
    struct binary *binary = malloc(sizeof *binary);
    if (!binary)
        return fail_host_memory(error);
    *binary = (struct binary){.offset = offset, .type = type, .order = order};
    table->state = binary;
    table->read = read_binary;
    table->info.type = type_name(type);
    table->info.order = names[order];
    return SHOAL_OK;
}
