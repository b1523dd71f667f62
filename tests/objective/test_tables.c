/* Tables behind objectives: generated rows, tiles, sums over rows, and the least squares that they mean. */
#include "unit.h"

#include "objective/rows/factor.h"
#include "objective/rows/rows.h"

#include <float.h>
#include <pthread.h>
#include <shoal/rng.h>

/* Uniform in [-1, 1), by a count. */
static double draw(uint32_t index)
{
    return 2 * (double)shoal_uniform_float(shoal_random_words(7, SHOAL_STREAM_TEST, 0, index, 0).x) - 1;
}

static struct shoal_table *generate(size_t dim, size_t rows, double noise, uint64_t seed)
{
    struct shoal_least_squares_params params;
    struct shoal_table *table;
    shoal_least_squares_params_init(&params);
    params.dim = dim;
    params.rows = rows;
    params.noise = noise;
    params.seed = seed;
    assert_ok(shoal_table_least_squares(&params, &table, &test_error));
    return table;
}

/* memory: kept there; otherwise read anew each time. */
static struct objective_table *make_table(size_t dim, size_t rows, double noise, bool memory)
{
    struct objective_table *table;
    assert_ok(table_create(generate(dim, rows, noise, 1), dim, memory ? SIZE_MAX : 0, &table, &test_error));
    assert_true(memory == (table->tiles != NULL));
    return table;
}

/* Computed from the published algorithm by other means. */
static void generated_numbers_are_known(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        size_t row;
        double numbers[7];
    } known[] = {
        {1,
         0,
         {-0x1.6acp-3, 0x1.612cp-2, -0x1.c2b8p-3, 0x1.1a9ap-1, 0x1.938p-6, 0x1.81a6p-1, 0x1.4d2b661e8p+0}},
        {1,
         12345,
         {-0x1.41aep-1, -0x1.ec8ap-1, 0x1.f7c6p-1, 0x1.82cp-4, -0x1.f14p-3, 0x1.32b2p-1, -0x1.cdd7272d8p+0}},
        {0xfedcba9876543210,
         0x100000007,
         {-0x1.2d1p-2, -0x1.591p-2, -0x1.8468p-3, -0x1.1eap-3, 0x1.a8d6p-1, 0x1.e13p-3, -0x1.d728c818p-3}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double numbers[7];
        struct shoal_table *table = generate(6, (size_t)1 << 34, 0.5, known[i].seed);
        assert_ok(shoal_table_read(table, known[i].row, 1, numbers, &test_error));
        for (size_t c = 0; c < 7; c++)
            assert_true(numbers[c] == known[i].numbers[c]);
        shoal_table_destroy(&table);
    }
}

/* Mean and variance of a: 0 and 1/3; of the noise: 0 and 1; bounds are five standard errors. */
static void generated_numbers_are_spread_as_stated(void **state)
{
    (void)state;
    const size_t rows = 100000;
    struct shoal_table *table = generate(3, rows, 2, 5);
    double *numbers = malloc(rows * 4 * sizeof *numbers), sum[2] = {0}, square[2] = {0};
    assert_ok(shoal_table_read(table, 0, rows, numbers, &test_error));
    for (size_t i = 0; i < rows; i++) {
        const double *row = numbers + 4 * i, noise = (row[3] - (row[0] + row[1] + row[2])) / 2;
        assert_near(noise, 0, 6);
        sum[1] += noise;
        square[1] += noise * noise;
        for (size_t d = 0; d < 3; d++) {
            assert_true(row[d] >= -1 && row[d] < 1);
            sum[0] += row[d];
            square[0] += row[d] * row[d];
        }
    }
    const double n = (double)rows;
    assert_near(sum[0] / (3 * n), 0, 5 * sqrt(1 / (9 * n)));
    assert_near(square[0] / (3 * n), 1.0 / 3, 5 * sqrt(4.0 / 45 / (3 * n)));
    assert_near(sum[1] / n, 0, 5 * sqrt(1 / n));
    /* The fourth moment of the sum of twelve uniform numbers is 2.9. */
    assert_near(square[1] / n, 1, 5 * sqrt(1.9 / n));
    free(numbers);
    shoal_table_destroy(&table);
}

static void generators_that_are_refused(void **state)
{
    (void)state;
    struct shoal_least_squares_params params;
    struct shoal_table *table;
    shoal_least_squares_params_init(&params);
    params.dim = 0;
    assert_status(shoal_table_least_squares(&params, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "dim: 0 is not between 1 and");
    shoal_least_squares_params_init(&params);
    params.rows = SIZE_MAX;
    assert_status(shoal_table_least_squares(&params, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "rows: ");
    shoal_least_squares_params_init(&params);
    params.noise = NAN;
    assert_status(shoal_table_least_squares(&params, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "noise: ");
    shoal_least_squares_params_init(&params);
    params.like = "f5";
    assert_status(shoal_table_least_squares(&params, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "'f5' is none of the thesis's f6, f7, f8, f9, f10");
    assert_null(table);
}

static void tiles_from_memory_and_from_a_source(void **state)
{
    (void)state;
    static const size_t tiles[] = {1, 2, 3, 8, 32, 100};
    enum { ROWS = 1003, DIM = 4, COLUMNS = DIM + 1 };
    static double rows[ROWS * COLUMNS], out[2 * ROWS * COLUMNS];
    static float narrow[2 * ROWS * COLUMNS];
    struct shoal_table *source = generate(DIM, ROWS, 1, 1);
    assert_ok(shoal_table_read(source, 0, ROWS, rows, &test_error));
    shoal_table_destroy(&source);
    for (int memory = 0; memory < 2; memory++) {
        struct objective_table *table = make_table(DIM, ROWS, 1, memory);
        assert_ok(table_read(table, 5, ROWS - 5, out, &test_error));
        assert_memory_equal(out, rows + 5 * COLUMNS, (ROWS - 5) * COLUMNS * sizeof *out);
        for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
            for (size_t first = 0; first < ROWS; first += 333) {
                const size_t tile = tiles[t], count = ROWS - first < 500 ? ROWS - first : 500;
                const size_t whole = table_tiles_count(count, tile, COLUMNS);
                for (size_t i = 0; i < whole; i++)
                    out[i] = narrow[i] = -77;
                assert_ok(table_read_tiles(table, first, count, SHOAL_FP64, tile, out, &test_error));
                assert_ok(table_read_tiles(table, first, count, SHOAL_FP32, tile, narrow, &test_error));
                for (size_t j = 0; j < whole / COLUMNS; j++)
                    for (size_t c = 0; c < COLUMNS; c++) {
                        const size_t at = (j / tile * COLUMNS + c) * tile + j % tile;
                        const double wanted = j < count ? rows[(first + j) * COLUMNS + c] : 0;
                        assert_true(out[at] == wanted);
                        assert_true(narrow[at] == (float)wanted);
                    }
            }
        table_destroy(&table);
        assert_null(table);
    }
}

static void numbers_that_narrower_types_cannot_hold(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, -1e39, 7, 8};
    struct objective_table *table;
    double wide[8];
    float narrow[8];
    assert_ok(table_from_values(values, 4, 2, 1, "a test", &table, &test_error));
    assert_ok(table_read_tiles(table, 0, 4, SHOAL_FP64, 4, wide, &test_error));
    assert_ok(table_read_tiles(table, 0, 2, SHOAL_FP32, 4, narrow, &test_error));
    assert_status(table_read_tiles(table, 1, 3, SHOAL_FP32, 4, narrow, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "the table's row 3, column 2 is too large for fp32: use fp64");
    int32_t *numbers;
    assert_status(table_read_whole(table, &numbers, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "a test: row 3, column 2 is -");
    table_destroy(&table);
}

static long double direct_sum(const struct objective_table *table, const double *x, bool squared)
{
    long double sum = 0;
    double *row = malloc(table->columns * sizeof *row);
    for (size_t j = 0; j < table->rows; j++) {
        assert_ok(table_read(table, j, 1, row, &test_error));
        long double residual = row[table->dim];
        for (size_t d = 0; d < table->dim; d++)
            residual -= (long double)row[d] * x[d] * (squared ? x[d] : 1);
        sum += residual * residual;
    }
    free(row);
    return sum;
}

static const struct {
    size_t dim, rows;
} sizes[] = {{1, 1}, {1, 7}, {2, 8}, {3, 511}, {4, 512}, {5, 513}, {16, 2000}, {4, 40001}, {300, 77}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void sums_over_rows(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        const size_t dim = sizes[s].dim;
        struct objective_table *table = make_table(dim, sizes[s].rows, 0.5, true);
        struct objective_table *streamed = make_table(dim, sizes[s].rows, 0.5, false);
        double *x = malloc(dim * sizeof *x);
        for (uint32_t d = 0; d < dim; d++)
            x[d] = 3 * draw(d);
        for (int squared = 0; squared < 2; squared++) {
            const double value = rows_least_squares(table, x, squared);
            const long double wanted = direct_sum(table, x, squared);
            /* Each residual is off by some dim / 2 roundings of terms like its own size; their sum by 70. */
            assert_true(fabsl((long double)value - wanted) <=
                        (long double)(70 + 4 * (double)dim) * (long double)DBL_EPSILON * wanted);
            /* The same additions, wherever the rows are. */
            assert_true(rows_least_squares(streamed, x, squared) == value);
        }
        free(x);
        table_destroy(&table);
        table_destroy(&streamed);
    }
}

static void factors_hold_the_same_sum(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        const size_t dim = sizes[s].dim, columns = dim + 1;
        struct objective_table *table = make_table(dim, sizes[s].rows, 0.5, s % 2);
        double *factor = malloc(columns * columns * sizeof *factor), *x = malloc(2 * dim * sizeof *x),
               minimum;
        size_t rank;
        assert_ok(factor_table(table, factor, &test_error));
        for (size_t k = 0; k < columns; k++)
            for (size_t c = 0; c < k; c++)
                assert_true(factor[k * columns + c] == 0);
        for (uint32_t p = 0; p < 5; p++) {
            for (uint32_t d = 0; d < dim; d++)
                x[d] = 3 * draw(1000 * p + d);
            const double wanted = (double)direct_sum(table, x, false);
            assert_near(factor_value(factor, dim, x), wanted, 1e-12 * wanted);
        }
        assert_ok(factor_solve(factor, dim, x, &minimum, &rank, &test_error));
        assert_int_equal(rank, sizes[s].rows < dim ? sizes[s].rows : dim);
        const double scale = (double)direct_sum(table, memset(x + dim, 0, dim * sizeof *x), false);
        assert_true(minimum >= 0);
        assert_near((double)direct_sum(table, x, false), minimum, 1e-12 * scale);
        /* Nowhere near is it less. */
        for (uint32_t p = 0; p < 20; p++) {
            for (uint32_t d = 0; d < dim; d++)
                x[dim + d] = x[d] + 1e-3 * draw(777 * p + d);
            assert_true((double)direct_sum(table, x + dim, false) >= minimum - 1e-12 * scale);
        }
        free(factor);
        free(x);
        table_destroy(&table);
    }
}

/* Without noise the minimum is 0 at (1, ..., 1), to rounding. */
static void exact_tables_are_solved_exactly(void **state)
{
    (void)state;
    struct objective_table *table = make_table(16, 16384, 0, true);
    double factor[17 * 17], x[16], minimum;
    size_t rank;
    assert_ok(factor_table(table, factor, &test_error));
    assert_ok(factor_solve(factor, 16, x, &minimum, &rank, &test_error));
    assert_int_equal(rank, 16);
    for (size_t d = 0; d < 16; d++)
        assert_near(x[d], 1, 1e-13);
    assert_true(minimum >= 0 && minimum < 1e-22);
    table_destroy(&table);
}

/* Columns 1 and 2 in other units, column 4 made of 1 and 2, column 5 zero. */
static void dependent_columns_are_found(void **state)
{
    (void)state;
    enum { ROWS = 200, DIM = 5, COLUMNS = DIM + 1 };
    static double values[ROWS * COLUMNS];
    struct objective_table *table;
    double factor[COLUMNS * COLUMNS], x[DIM], minimum;
    size_t rank;
    for (uint32_t j = 0; j < ROWS; j++) {
        double *row = values + j * COLUMNS;
        row[0] = 1e12 * draw(4 * j);
        row[1] = 1e-12 * draw(4 * j + 1);
        row[2] = draw(4 * j + 2);
        row[3] = row[0] * 3e-12 - row[1] * 5e12;
        row[4] = 0;
        row[5] = row[2] * 2 + 0.1 * draw(4 * j + 3);
    }
    assert_ok(table_from_values(values, ROWS, COLUMNS, DIM, "table", &table, &test_error));
    assert_ok(factor_table(table, factor, &test_error));
    assert_ok(factor_solve(factor, DIM, x, &minimum, &rank, &test_error));
    assert_int_equal(rank, 3);
    const double reached = (double)direct_sum(table, x, false);
    assert_near(reached, minimum, 1e-10 * minimum);
    table_destroy(&table);
}

/* Kuhn and Tucker: the slope is 0 inside the box and points outwards on its faces. */
static void check_bounded(const double *factor, size_t dim, const double *lower, const double *upper)
{
    double *x = malloc(dim * sizeof *x), minimum;
    assert_ok(factor_solve_bounded(factor, dim, lower, upper, x, &minimum, &test_error));
    assert_near(factor_value(factor, dim, x), minimum, 1e-13 * minimum);
    for (size_t d = 0; d < dim; d++) {
        double slope = 0, size = 0, residuals = 0;
        for (size_t k = 0; k <= dim; k++) {
            double residual = factor[k * (dim + 1) + dim];
            for (size_t c = 0; c < dim; c++)
                residual -= factor[k * (dim + 1) + c] * x[c];
            slope -= factor[k * (dim + 1) + d] * residual;
            size += factor[k * (dim + 1) + d] * factor[k * (dim + 1) + d];
            residuals += residual * residual;
        }
        const double none = 1e-11 * sqrt(size * residuals);
        assert_true(x[d] >= lower[d] && x[d] <= upper[d]);
        if (x[d] > lower[d])
            assert_true(slope <= none);
        if (x[d] < upper[d])
            assert_true(slope >= -none);
    }
    free(x);
}

static void minima_in_boxes(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 5, 30};
    for (size_t s = 0; s < 4; s++) {
        const size_t dim = dims[s], columns = dim + 1;
        struct objective_table *table = make_table(dim, 3 * dim + 5, 2, true);
        double *numbers = malloc((columns * columns + 2 * dim) * sizeof *numbers),
               *lower = numbers + columns * columns;
        double *upper = lower + dim;
        assert_ok(factor_table(table, numbers, &test_error));
        for (uint32_t box = 0; box < 40; box++) {
            for (uint32_t d = 0; d < dim; d++) {
                const double middle = 3 * draw(box * 100 + d), half = fabs(draw(box * 100 + d + 50));
                lower[d] = box % 5 == 1 ? -INFINITY : box % 5 == 4 && d % 2 ? middle : middle - half;
                upper[d] = box % 5 == 2 ? INFINITY : box % 5 == 4 && d % 2 ? middle : middle + half;
                if (box % 5 == 3 && d % 2) {
                    lower[d] = -INFINITY;
                    upper[d] = INFINITY;
                }
            }
            check_bounded(numbers, dim, lower, upper);
        }
        free(numbers);
        table_destroy(&table);
    }
}

/* The nearest point of the box to the minimiser is not the minimiser in the box. */
static void clipping_is_not_the_answer(void **state)
{
    (void)state;
    static const double values[] = {1, 0.9, 3, 0, 0.2, -1}, lower[] = {-1, -1}, upper[] = {1, 10};
    struct objective_table *table;
    double factor[9], free_x[2], x[2], minimum;
    size_t rank;
    assert_ok(table_from_values(values, 2, 3, 2, "table", &table, &test_error));
    assert_ok(factor_table(table, factor, &test_error));
    assert_ok(factor_solve(factor, 2, free_x, &minimum, &rank, &test_error));
    assert_true(fabs(free_x[0] - 7.5) < 1e-12 && fabs(free_x[1] + 5) < 1e-12 && minimum < 1e-25);
    assert_ok(factor_solve_bounded(factor, 2, lower, upper, x, &minimum, &test_error));
    /* With x[0] = 1 the rest is (2 - 0.9 y)^2 + (1 + 0.2 y)^2. */
    assert_true(x[0] == 1 && fabs(x[1] - 1.6 / 0.85) < 1e-12);
    table_destroy(&table);
}

static void summaries(void **state)
{
    (void)state;
    static const double values[] = {1, 5, 2, -1, 3, -2, 4, 4, 8};
    struct shoal_table_summary summary = {.size = 1};
    struct shoal_table *table;
    const char *path = test_path("table.bin");
    test_write_file(path, values, sizeof values);
    assert_ok(shoal_table_open(path, "f8:3x3", &table, &test_error));
    assert_status(shoal_table_summarise(table, &summary, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "shoal_table_summarise: the struct for the result has size 1");
    summary.size = 0;
    assert_ok(shoal_table_summarise(table, &summary, NULL, NULL, &test_error));
    static const double least[] = {-1, 3, -2}, greatest[] = {4, 5, 8}, mean[] = {4.0 / 3, 4, 8.0 / 3};
    for (size_t c = 0; c < 3; c++) {
        assert_true(summary.least[c] == least[c] && summary.greatest[c] == greatest[c]);
        assert_near(summary.mean[c], mean[c], 1e-15);
    }
    assert_int_equal(summary.rank, 2);
    assert_true(fabs(summary.minimiser[0] - 2) < 1e-14 && fabs(summary.minimiser[1]) < 1e-14);
    assert_true(summary.minimum >= 0 && summary.minimum < 1e-28);
    shoal_table_summary_free(&summary);
    shoal_table_summary_free(&summary);
    shoal_table_destroy(&table);
    assert_ok(shoal_table_open(path, "f8:1x9", &table, &test_error));
    assert_ok(shoal_table_summarise(table, &summary, NULL, NULL, &test_error));
    assert_int_equal(summary.rank, 1);
    shoal_table_summary_free(&summary);
    shoal_table_destroy(&table);
    assert_ok(shoal_table_open(path, "f8:9x1", &table, &test_error));
    assert_ok(shoal_table_summarise(table, &summary, NULL, NULL, &test_error));
    assert_int_equal(summary.rank, 0);
    assert_near(summary.minimum, 140, 1e-12);
    shoal_table_summary_free(&summary);
    shoal_table_destroy(&table);
}

/* Written in 1e5 rows, read piece by piece: the sum of the file is the sum of the generator. */
static void a_file_that_stays_on_disk(void **state)
{
    (void)state;
    static const char *const names[] = {"table.npy", "table.csv", "table.bin"};
    const double x[4] = {0.5, -1, 2, 0.25};
    struct shoal_table *source = generate(4, 20000, 1, 3);
    double wanted = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *path = test_path("%s", names[i]);
        struct shoal_table *file;
        struct objective_table *table;
        assert_ok(shoal_table_write(source, path, SHOAL_FP64, NULL, NULL, &test_error));
        for (int memory = 0; memory < 2; memory++) {
            assert_ok(shoal_table_open(path, i == 2 ? "f8:20000x5" : NULL, &file, &test_error));
            assert_ok(table_create(file, 4, memory ? SIZE_MAX : 20000 * 5 * 8 - 1, &table, &test_error));
            assert_true(memory == (table->tiles != NULL));
            const double value = rows_least_squares(table, x, false);
            assert_true(value > 0 && (wanted == 0 || value == wanted));
            wanted = value;
            if (!memory) {
                /* Gone while it is needed: no number, and no crash. */
                test_write_file(path, "", 0);
                assert_true(isnan(rows_least_squares(table, x, false)));
                assert_status(objective_take_failure(&test_error), SHOAL_IO);
                assert_ok(objective_take_failure(&test_error)); /* taken once */
                double row[5];
                assert_status(table_read(table, 0, 1, row, &test_error), SHOAL_IO);
                assert_ok(shoal_table_write(source, path, SHOAL_FP64, NULL, NULL, &test_error));
            }
            table_destroy(&table);
        }
    }
    shoal_table_destroy(&source);
}

struct reader {
    const struct objective_table *table;
    double values[20];
};

static void *read_in_a_thread(void *data)
{
    struct reader *reader = data;
    for (int i = 0; i < 20; i++) {
        const double x[3] = {i, 1, -i};
        reader->values[i] = rows_least_squares(reader->table, x, false);
    }
    return NULL;
}

static void many_threads_read_one_file(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static const char *const names[] = {"table.csv", "table.npy"};
    struct shoal_table *source = generate(3, 2000, 1, 3);
    for (size_t i = 0; i < 2; i++) {
        struct shoal_table *file;
        struct objective_table *table;
        struct reader readers[THREADS];
        pthread_t threads[THREADS];
        assert_ok(shoal_table_write(source, test_path("%s", names[i]), SHOAL_FP64, NULL, NULL, &test_error));
        assert_ok(shoal_table_open(test_path("%s", names[i]), NULL, &file, &test_error));
        assert_ok(table_create(file, 3, 0, &table, &test_error));
        for (int t = 0; t < THREADS; t++) {
            readers[t].table = table;
            assert_int_equal(pthread_create(&threads[t], NULL, read_in_a_thread, &readers[t]), 0);
        }
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(threads[t], NULL), 0);
        for (int t = 1; t < THREADS; t++)
            assert_memory_equal(readers[t].values, readers[0].values, sizeof readers[0].values);
        assert_true(readers[0].values[19] > 0);
        table_destroy(&table);
    }
    shoal_table_destroy(&source);
}

/* A text reads it whole, so it cannot stay in its file. */
static void tables_read_whole_are_in_memory(void **state)
{
    (void)state;
    struct objective_table *table;
    assert_ok(table_create(generate(3, 20, 1, 3), 0, 20 * 4 * sizeof(double), &table, &test_error));
    assert_non_null(table->tiles);
    table_destroy(&table);
    assert_status(table_create(generate(3, 20, 1, 3), 0, 20 * 4 * sizeof(double) - 1, &table, &test_error),
                  SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, "20 rows of 4 numbers, more than the 639 bytes that it may use");
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_read_whole_are_in_memory),
        UNIT_TEST(generated_numbers_are_known),
        UNIT_TEST(generated_numbers_are_spread_as_stated),
        UNIT_TEST(generators_that_are_refused),
        UNIT_TEST(tiles_from_memory_and_from_a_source),
        UNIT_TEST(numbers_that_narrower_types_cannot_hold),
        UNIT_TEST(sums_over_rows),
        UNIT_TEST(factors_hold_the_same_sum),
        UNIT_TEST(exact_tables_are_solved_exactly),
        UNIT_TEST(dependent_columns_are_found),
        UNIT_TEST(minima_in_boxes),
        UNIT_TEST(clipping_is_not_the_answer),
        UNIT_TEST(summaries),
        UNIT_TEST(a_file_that_stays_on_disk),
        UNIT_TEST(many_threads_read_one_file),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
