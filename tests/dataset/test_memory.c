/* Data sets of numbers in memory: equal to files with the same numbers; what is refused. */
#include "fixture.h"

#include <math.h>

static const double inputs[] = {1.5, 0, 2, 1, NAN, 0, 300.25, 1}, targets[] = {7, 9, 7, 7};
static const struct shoal_dataset_block both[] = {{inputs, 2}, {targets, 1}};

static struct shoal_dataset *from_memory(const char *target, const char *columns)
{
    struct shoal_dataset_params params;
    struct shoal_dataset *dataset = NULL;
    shoal_dataset_params_init(&params);
    params.path = test_path("a.csv"); /* its name in notes */
    params.target = target;
    params.columns = columns;
    assert_ok(shoal_dataset_from_memory(&params, both, 2, 4, &dataset, &test_error));
    return dataset;
}

static void equal(struct shoal_dataset *one, struct shoal_dataset *other)
{
    const struct shoal_dataset_info *a = shoal_dataset_get_info(one), *b = shoal_dataset_get_info(other);
    assert_int_equal(a->rows, 4);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->bytes, b->bytes);
    assert_string_equal(a->notes, b->notes);
    for (size_t c = 0; c < a->columns; c++) {
        const struct shoal_dataset_column *mine = shoal_dataset_column_at(one, c),
                                          *theirs = shoal_dataset_column_at(other, c);
        assert_int_equal(mine->kind, theirs->kind);
        assert_int_equal(mine->is_target, theirs->is_target);
        assert_int_equal(mine->category_count, theirs->category_count);
        for (size_t k = 0; k < mine->category_count; k++)
            assert_string_equal(mine->categories[k], theirs->categories[k]);
        double values[2][4];
        assert_ok(shoal_dataset_read(one, c, 0, 4, values[0], &test_error));
        assert_ok(shoal_dataset_read(other, c, 0, 4, values[1], &test_error));
        for (size_t i = 0; i < 4; i++)
            assert_true(values[0][i] == values[1][i] || (isnan(values[0][i]) && isnan(values[1][i])));
    }
    shoal_dataset_destroy(&one);
    shoal_dataset_destroy(&other);
}

static void numbers_are_those_of_a_file(void **state)
{
    (void)state;
    const char *text = "1.5,0,7\n2,1,9\n?,0,7\n300.25,1,7\n";
    equal(from_memory("3", NULL), open_csv(text, "3", NULL));
    equal(from_memory("3", "3 category"), open_csv(text, "3", "3 category"));
    equal(from_memory("1, 3", "3 number"), open_csv(text, "1, 3", "3 number"));
}

/* Columns of many rows lie in pieces until all rows are known: whole numbers, then fractions and longer ones
 * in each piece; numbers of 8 bits with missing ones; and a column of bits. */
static void many_rows(void **state)
{
    (void)state;
    enum { ROWS = 200003, COLUMNS = 3 };
    static double rows[ROWS][COLUMNS], read[ROWS];
    const struct shoal_dataset_block block = {rows[0], COLUMNS};
    struct shoal_dataset_params params;
    struct shoal_dataset *dataset = NULL;
    size_t missing = 0;
    for (size_t r = 0; r < ROWS; r++) {
        rows[r][0] = r < 70000 ? (double)(r % 200) : r < 140000 ? 0.5 : 0.1;
        rows[r][1] = r % 65537 == 65535 ? NAN : (double)(r % 256);
        rows[r][2] = (double)(r / 7 % 2);
        missing += r % 65537 == 65535;
    }
    shoal_dataset_params_init(&params);
    assert_ok(shoal_dataset_from_memory(&params, &block, 1, ROWS, &dataset, &test_error));
    assert_int_equal(shoal_dataset_get_info(dataset)->rows, ROWS);
    assert_int_equal(shoal_dataset_column_at(dataset, 1)->missing, missing);
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_ok(shoal_dataset_read(dataset, c, 0, ROWS, read, &test_error));
        for (size_t r = 0; r < ROWS; r++)
            if (!(read[r] == rows[r][c] || (isnan(read[r]) && isnan(rows[r][c]))))
                fail_msg("row %zu of column %zu is %g, not %g", r, c, read[r], rows[r][c]);
    }
    shoal_dataset_destroy(&dataset);
}

static void refuse(const struct shoal_dataset_params *params, const struct shoal_dataset_block *blocks,
                   size_t count, size_t rows, const char *message)
{
    struct shoal_dataset *dataset = NULL;
    assert_status(shoal_dataset_from_memory(params, blocks, count, rows, &dataset, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, message);
    assert_null(dataset);
}

static void what_is_refused(void **state)
{
    (void)state;
    const struct shoal_dataset_block none[] = {{NULL, 0}}, missing[] = {{inputs, 2}, {NULL, 1}},
                                     wide[] = {{inputs, 1}, {inputs, SIZE_MAX}};
    struct shoal_dataset_params params;
    shoal_dataset_params_init(&params);
    refuse(&params, both, 2, 0, "0 rows and 3 columns");
    refuse(&params, none, 1, 4, "4 rows and 0 columns");
    refuse(&params, both, 0, 4, "4 rows and 0 columns");
    refuse(&params, missing, 2, 4, "blocks[1].values is NULL");
    refuse(&params, wide, 2, 4, "more than 2^32 - 1 columns");
    params.target = "4";
    refuse(&params, both, 2, 4, "memory has no column '4'");
    params.target = NULL;
    params.format = "csv";
    refuse(&params, both, 2, 4, "format belongs to files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(numbers_are_those_of_a_file),
        UNIT_TEST(many_rows),
        UNIT_TEST(what_is_refused),
    };
    return cmocka_run_group_tests_name("data sets in memory", tests, NULL, NULL);
}
