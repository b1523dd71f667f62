/* Objectives over tables: from memory, from files, the functions of the thesis, and the compressed form. */
#include "unit.h"

#include "objective/rows/rows.h"

#include <shoal/rng.h>

enum { DIM = 4, COLUMNS = DIM + 1, ROWS = 1003 };

static struct shoal_table *generate(double noise)
{
    struct shoal_least_squares_params params;
    struct shoal_table *table;
    shoal_least_squares_params_init(&params);
    params.dim = DIM;
    params.rows = ROWS;
    params.noise = noise;
    assert_ok(shoal_table_least_squares(&params, &table, &test_error));
    return table;
}

/* rows.values is the test's: free it. */
static struct shoal_rows make_rows(void)
{
    struct shoal_table *table = generate(0.5);
    double *values = malloc(ROWS * COLUMNS * sizeof *values);
    assert_ok(shoal_table_read(table, 0, ROWS, values, &test_error));
    shoal_table_destroy(&table);
    return (struct shoal_rows){.size = sizeof(struct shoal_rows),
                               .values = values,
                               .rows = ROWS,
                               .columns = COLUMNS,
                               .name = "data"};
}

static double direct(const struct shoal_rows *rows, const double *x)
{
    double sum = 0;
    for (size_t j = 0; j < rows->rows; j++) {
        const double *row = rows->values + j * rows->columns;
        double residual = row[rows->columns - 1];
        for (size_t d = 0; d + 1 < rows->columns; d++)
            residual -= row[d] * (rows->squared ? x[d] * x[d] : x[d]);
        sum += residual * residual;
    }
    return sum;
}

static void point(double *x, uint32_t index)
{
    for (uint32_t d = 0; d < DIM; d++)
        x[d] = 6 * (double)shoal_uniform_float(shoal_random_words(7, SHOAL_STREAM_TEST, index, d, 0).x) - 3;
}

static void rows_in_memory(void **state)
{
    (void)state;
    struct shoal_rows rows = make_rows();
    double x[DIM];
    for (int squared = 0; squared < 2; squared++) {
        struct shoal_objective *objective;
        struct shoal_kernel_text text;
        rows.squared = squared;
        rows.dim = squared ? DIM : 0;
        assert_ok(shoal_objective_from_rows(NULL, &rows, &objective, &test_error));
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        assert_string_equal(info->name, "data");
        assert_int_equal(info->shape, SHOAL_DATA_ROWS);
        assert_int_equal(info->min_dim, DIM);
        assert_int_equal(info->max_dim, DIM);
        assert_true(isnan(info->lower) && isnan(info->upper) &&
                    isnan(shoal_objective_minimum(objective, DIM)));
        assert_ok(objective_kernel_text(objective, &text, &test_error));
        assert_contains(text.text, squared ? "least_squares_squared.clh" : "least_squares.clh");
        for (uint32_t p = 0; p < 10; p++) {
            point(x, p);
            const double wanted = direct(&rows, x);
            assert_near(shoal_objective_value(objective, x, DIM), wanted, 1e-12 * wanted);
        }
        shoal_objective_destroy(&objective);
        assert_null(objective);
    }
    free((void *)rows.values);
}

static void refuse(const struct shoal_rows *rows, const char *message)
{
    struct shoal_objective *objective;
    assert_status(shoal_objective_from_rows(NULL, rows, &objective, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, message);
    assert_null(objective);
}

static void rows_that_are_refused(void **state)
{
    (void)state;
    double values[6] = {1, 2, 3, 4, 5, 6};
    struct shoal_rows good = {.size = sizeof good, .values = values, .rows = 2, .columns = 3, .name = "data"},
                      rows;
    rows = good;
    rows.rows = 0;
    refuse(&rows, "data: the table has no rows");
    rows = good;
    rows.values = NULL;
    refuse(&rows, "data: the table has no values");
    rows = good;
    rows.columns = 1;
    refuse(&rows, "data: has 1 column; least squares needs two or more, the last one being b");
    rows = good;
    rows.columns = 0;
    refuse(&rows, "data: has 0 columns; least squares needs two or more, the last one being b");
    rows = good;
    rows.dim = 3;
    refuse(&rows, "data: has 3 columns, so x has dim 2, one less (the last column is b), and not 3");
    rows = good;
    rows.text = "#define SHAPE DATA_ROWS\n";
    rows.squared = true;
    refuse(&rows, "data: squared belongs to the built-in residual, not to a text");
    values[4] = NAN;
    refuse(&good, "data: row 2, column 2: NaN is not finite");
    values[4] = -INFINITY;
    good.name = NULL;
    refuse(&good, "table: row 2, column 2: an infinity is not finite");
}

static void tables_in_files(void **state)
{
    (void)state;
    struct shoal_rows rows = make_rows();
    struct shoal_table *table = generate(0.5);
    const char *path = test_path("fit.npy"), *bad = test_path("bad.csv");
    struct shoal_objective *objective;
    double x[DIM];
    assert_ok(shoal_table_write(table, path, SHOAL_FP64, NULL, NULL, &test_error));
    shoal_table_destroy(&table);
    for (int squared = 0; squared < 2; squared++) {
        rows.squared = squared;
        const struct objective_file given = {.path = path, .squared = squared};
        assert_ok(objective_from_table_file(NULL, &given, &objective, &test_error));
        assert_string_equal(shoal_objective_get_info(objective)->name, "fit.npy");
        point(x, 1);
        const double wanted = direct(&rows, x);
        assert_near(shoal_objective_value(objective, x, DIM), wanted, 1e-12 * wanted);
        shoal_objective_destroy(&objective);
    }
    free((void *)rows.values);
    const struct objective_file wrong_dim = {.path = path, .dim = 5}, wrong = {.path = bad};
    assert_status(objective_from_table_file(NULL, &wrong_dim, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "fit.npy: has 5 columns, so x has dim 4, one less");
    assert_null(objective);
    test_write_text(bad, "1,2\n3,nan\n");
    assert_status(objective_from_table_file(NULL, &wrong, &objective, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "bad.csv: row 2 (line 2), column 2: 'nan' is missing");
    test_write_text(bad, "1\n3\n");
    assert_status(objective_from_table_file(NULL, &wrong, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "has 1 column; least squares needs two or more");
}

static void functions_of_the_thesis(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t dim, rows;
        double bound;
    } functions[] = {{"f6", 16, 16384, 100}, {"f7", 16, 65536, 100}, {"f8", 16, 272144, 100}};
    double ones[16], x[16];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct shoal_objective *objective, *small;
        const size_t dim = functions[i].dim;
        assert_ok(objective_from_thesis_table(functions[i].name, 1, &objective, &test_error));
        assert_string_equal(objective->info.name, functions[i].name);
        assert_int_equal(objective->table->rows, functions[i].rows);
        assert_int_equal(objective->info.min_dim, dim);
        assert_true(objective->info.lower == -functions[i].bound &&
                    objective->info.upper == functions[i].bound);
        for (size_t d = 0; d < dim; d++)
            ones[d] = x[d] = 1;
        /* Sums of the rows are exact, whatever their order. */
        assert_true(shoal_objective_value(objective, ones, dim) == 0);
        assert_true(shoal_objective_minimum(objective, dim) == 0 && objective->info.minimiser == 1);
        x[3] += 0.5;
        /* A quarter of the sum of squares of a column, which has the mean 1/3 and the variance 4/45. */
        const double rows = (double)functions[i].rows, value = shoal_objective_value(objective, x, dim);
        assert_near(value, rows / 12, 5 * 0.25 * sqrt(rows * 4 / 45));
        assert_ok(objective_compress(objective, &small, &test_error));
        assert_near(shoal_objective_value(small, x, dim), value, 1e-12 * value);
        assert_true(shoal_objective_value(small, ones, dim) >= 0 &&
                    shoal_objective_value(small, ones, dim) < 1e-18);
        shoal_objective_destroy(&small);
        shoal_objective_destroy(&objective);
    }
    struct shoal_objective *none;
    assert_status(objective_from_thesis_table("f5", 1, &none, &test_error), SHOAL_INVALID);
    assert_null(none);
}

static void the_stand_in_for_f10(void **state)
{
    (void)state;
    struct shoal_objective *objective, *small;
    assert_ok(objective_from_thesis_table("f10", 1, &objective, &test_error));
    assert_int_equal(objective->table->rows, 6980011);
    const double minimum = shoal_objective_minimum(objective, 4);
    /* The sum of 7 million squares of the variance 1.9 times theirs: 0.05 %, and five times that. */
    assert_near(minimum / 323428599, 1, 5 * sqrt(1.9 / 6980011));
    const double ones[4] = {1, 1, 1, 1}, value = shoal_objective_value(objective, ones, 4);
    assert_true(value >= minimum * (1 - 1e-12) && value < minimum * (1 + 1e-5));
    assert_ok(objective_compress(objective, &small, &test_error));
    assert_near(shoal_objective_value(small, ones, 4), value, 1e-12 * value);
    assert_true(shoal_objective_minimum(small, 4) == minimum);
    shoal_objective_destroy(&small);
    shoal_objective_destroy(&objective);
}

#define RESIDUAL                                                                                             \
    "#define SHAPE DATA_ROWS\n"                                                                              \
    "static inline real objective_residual(const real *x, const real *row)\n"                                \
    "{\n"                                                                                                    \
    "    real r = row[COLUMNS - 1];\n"                                                                       \
    "    int d;\n"                                                                                           \
    "    for (d = 0; d < DIM; d++)\n"                                                                        \
    "        r -= row[d] * x[d];\n"                                                                          \
    "    return r;\n"                                                                                        \
    "}\n"

static void residuals_of_a_text(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct shoal_rows rows = make_rows();
    struct shoal_objective *objective, *small;
    struct shoal_kernel_text text;
    double x[DIM];
    rows.text = RESIDUAL;
    rows.name = "mine.cl";
    /* The columns do not tell the dimension of another residual than the linear one. */
    assert_status(shoal_objective_from_rows(shoal, &rows, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "mine.cl: the dim of x does not follow from the table");
    rows.text = "#define MIN_DIM 2\n#define MAX_DIM 2\n" RESIDUAL;
    assert_ok(shoal_objective_from_rows(shoal, &rows, &objective, &test_error));
    assert_int_equal(objective->info.min_dim, 2);
    shoal_objective_destroy(&objective);
    rows.text = RESIDUAL;
    rows.dim = DIM;
    assert_ok(shoal_objective_from_rows(shoal, &rows, &objective, &test_error));
    assert_int_equal(objective->info.min_dim, DIM);
    assert_int_equal(objective->info.shape, SHOAL_DATA_ROWS);
    assert_ok(objective_kernel_text(objective, &text, &test_error));
    assert_string_equal(text.text, RESIDUAL);
    assert_string_equal(text.shown, "mine.cl");
    for (uint32_t p = 0; p < 5; p++) {
        point(x, p);
        const double wanted = direct(&rows, x);
        assert_near(shoal_objective_value(objective, x, DIM), wanted, 1e-12 * wanted);
    }
    assert_status(objective_compress(objective, &small, &test_error), SHOAL_UNSUPPORTED);
    shoal_objective_destroy(&objective);

    /* Another rule, and fewer coordinates than the row has numbers a. */
    rows.text = RESIDUAL "#define RULE(r) fabs(r)\n";
    rows.dim = 2;
    assert_ok(shoal_objective_from_rows(shoal, &rows, &objective, &test_error));
    double wanted = 0;
    for (size_t j = 0; j < ROWS; j++)
        wanted += fabs(rows.values[j * COLUMNS + DIM] - rows.values[j * COLUMNS] * x[0] -
                       rows.values[j * COLUMNS + 1] * x[1]);
    assert_near(shoal_objective_value(objective, x, 2), wanted, 1e-12 * wanted);
    shoal_objective_destroy(&objective);

    const char *path = test_path("fit.npy");
    struct shoal_table *table = generate(0.5);
    assert_ok(shoal_table_write(table, path, SHOAL_FP64, NULL, NULL, &test_error));
    shoal_table_destroy(&table);
    const struct objective_file file = {.path = path, .text = RESIDUAL, .dim = DIM};
    assert_ok(objective_from_table_file(shoal, &file, &objective, &test_error));
    assert_string_equal(objective->info.name, "fit.npy");
    assert_near(shoal_objective_value(objective, x, DIM), direct(&rows, x), 1e-12 * direct(&rows, x));
    shoal_objective_destroy(&objective);

    rows.text = "#define SHAPE OPAQUE\n"
                "static inline real objective_value(const real *x, uint dim) { return x[0] + dim; }\n";
    assert_status(shoal_objective_from_rows(shoal, &rows, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "mine.cl: the text reads no table: add a line #define TABLE, or omit --data");
    rows.text = "#define SHAPE DATA_ROWS\n"
                "static inline real objective_residual(const real *x, const real *row) { return x[0] + ; }\n";
    assert_status(shoal_objective_from_rows(shoal, &rows, &objective, &test_error), SHOAL_BUILD_FAILED);
    assert_contains(test_error.log, "mine.cl:2");
    assert_null(objective);
    free((void *)rows.values);
    shoal_close(&shoal);
}

static void compressed_objectives(void **state)
{
    (void)state;
    struct shoal_rows rows = make_rows();
    for (int squared = 0; squared < 2; squared++) {
        struct shoal_objective *objective, *small;
        double x[DIM];
        rows.squared = squared;
        assert_ok(shoal_objective_from_rows(NULL, &rows, &objective, &test_error));
        assert_ok(objective_compress(objective, &small, &test_error));
        shoal_objective_destroy(&objective);
        assert_string_equal(small->info.name, "data, compressed");
        assert_int_equal(small->info.shape, SHOAL_DATA_ROWS);
        assert_int_equal(small->table->rows, COLUMNS);
        assert_int_equal(small->table->columns, COLUMNS);
        for (uint32_t p = 0; p < 10; p++) {
            point(x, p);
            const double wanted = direct(&rows, x);
            assert_near(shoal_objective_value(small, x, DIM), wanted, 1e-12 * wanted);
        }
        /* Compressed once more it is the same. */
        assert_ok(objective_compress(small, &objective, &test_error));
        assert_near(shoal_objective_value(objective, x, DIM), direct(&rows, x), 1e-12 * direct(&rows, x));
        shoal_objective_destroy(&objective);
        shoal_objective_destroy(&small);
    }
    free((void *)rows.values);
}

static void what_cannot_be_compressed(void **state)
{
    (void)state;
    struct shoal_objective *objective, *small;
    assert_status(objective_compress(shoal_objective_find("sphere"), &small, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "sphere: only the built-in least squares");
    assert_null(small);
    struct shoal_rows rows = {
        .size = sizeof rows, .values = calloc(5000, sizeof(double)), .rows = 1, .columns = 5000};
    assert_ok(shoal_objective_from_rows(NULL, &rows, &objective, &test_error));
    assert_status(objective_compress(objective, &small, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "has 5000 columns; up to 4096 can be compressed");
    shoal_objective_destroy(&objective);
    free((void *)rows.values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(rows_in_memory),        UNIT_TEST(rows_that_are_refused),
        UNIT_TEST(tables_in_files),       UNIT_TEST(functions_of_the_thesis),
        UNIT_TEST(the_stand_in_for_f10),  UNIT_TEST(residuals_of_a_text),
        UNIT_TEST(compressed_objectives), UNIT_TEST(what_cannot_be_compressed),
    };
    return cmocka_run_group_tests_name("data objectives", tests, NULL, NULL);
}
