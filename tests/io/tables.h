/* What the tests of tables in files share. */
#ifndef SHOAL_TEST_IO_TABLES_H
#define SHOAL_TEST_IO_TABLES_H

#include "unit.h"

#include "io/table.h"

/* The numbers of the tables below: exact in f4. */
static inline double number(size_t row, size_t column)
{
    return (double)row * 0.25 - (double)column * 16;
}

static inline struct shoal_table *open_table(const char *path, const char *layout)
{
    struct shoal_table *table = NULL;
    assert_ok(shoal_table_open(path, layout, &table, &test_error));
    assert_non_null(table);
    return table;
}

/* In pieces of several sizes, at odd places. */
static inline void check_numbers(const struct shoal_table *table, size_t rows, size_t columns)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    assert_int_equal(info->rows, rows);
    assert_int_equal(info->columns, columns);
    double *out = malloc(rows * columns * sizeof *out + 1);
    const size_t steps[] = {1, 3, 257, rows};
    for (size_t s = 0; s < 4; s++)
        for (size_t first = steps[s] == rows ? 0 : 1; first < rows; first += steps[s] * (rows > 64 ? 7 : 1)) {
            const size_t count = rows - first < steps[s] ? rows - first : steps[s];
            assert_ok(shoal_table_read(table, first, count, out, &test_error));
            for (size_t i = 0; i < count * columns; i++)
                assert_true(out[i] == number(first + i / columns, i % columns));
        }
    assert_ok(shoal_table_read(table, rows, 0, out, &test_error));
    assert_status(shoal_table_read(table, rows, 1, out, &test_error), SHOAL_INVALID);
    assert_status(shoal_table_read(table, 1, rows, out, &test_error), SHOAL_INVALID);
    assert_status(shoal_table_read(table, 2, SIZE_MAX, out, &test_error), SHOAL_INVALID);
    free(out);
}

#endif
