/* The box and the start points as texts and tables. */
#include "open.h"
#include "searches.h"

#include "search/lists.h"

#include <math.h>
#include <shoal/pso.h>
#include <stdio.h>

static struct shoal_search_params params_of(const char *lower, const char *upper, const char *start)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.lower_list = lower;
    params.search.upper_list = upper;
    params.search.start = start;
    return params.search;
}

static void assert_numbers(const struct search_numbers *numbers, size_t rows, size_t columns,
                           const double *wanted)
{
    assert_int_equal(numbers->rows, rows);
    assert_int_equal(numbers->columns, columns);
    for (size_t i = 0; i < rows * columns; i++)
        assert_near(numbers->values[i], wanted[i], 1e-15 * fabs(wanted[i]));
}

static void test_texts(void **state)
{
    (void)state;
    const double lower[] = {0, -M_PI, -1.5e-3}, upper[] = {8}, start[] = {0, 0, 0, 1, 8, 3};
    struct shoal_search_params params =
        params_of("0, -pi,-1.5e-3", " 2^3 ", "0,0,0; 1, pow(2, 3) , max(3,2)");
    struct search_lists lists;
    assert_ok(search_lists_read(&params, &lists, &test_error));
    assert_numbers(&lists.lower, 1, 3, lower);
    assert_numbers(&lists.upper, 1, 1, upper);
    assert_numbers(&lists.start, 2, 3, start);
    assert_int_equal(lists.dim, 3);
    search_lists_free(&lists);
    /* One bound is for every dimension and decides none. */
    params = params_of("-1", "1", NULL);
    assert_ok(search_lists_read(&params, &lists, &test_error));
    assert_int_equal(lists.dim, 0);
    double box[2][4];
    assert_ok(shoal_search_bounds(&params, 4, box[0], box[1], &test_error));
    for (size_t d = 0; d < 4; d++)
        assert_true(box[0][d] == -1 && box[1][d] == 1);
    search_lists_free(&lists);
    params = params_of("1,2", NULL, NULL);
    assert_ok(shoal_search_bounds(&params, 2, box[0], box[1], &test_error));
    assert_true(box[0][0] == 1 && box[0][1] == 2 && isnan(box[1][0]) && isnan(box[1][1]));
    assert_status(shoal_search_bounds(&params, 3, box[0], box[1], &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "--lower has 2 numbers for 3 dimensions");
    assert_status(shoal_search_bounds(NULL, 3, box[0], box[1], &test_error), SHOAL_INVALID);
    /* of an older program, which has fewer parameters, and of one that has not set them */
    params.size = sizeof params - sizeof(uint64_t);
    assert_ok(shoal_search_bounds(&params, 2, box[0], box[1], &test_error));
    assert_true(box[0][0] == 1 && box[0][1] == 2);
    params.size = 0;
    assert_status(shoal_search_bounds(&params, 2, box[0], box[1], &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "call the init function of the algorithm on them");
}

static const char *written(const char *name, const char *text)
{
    const char *path = test_path("%s", name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_tables(void **state)
{
    (void)state;
    const double column[] = {1, 2.5, -3}, start[] = {2, 3, 0, 4, 5, 1};
    struct search_lists lists;
    char lower[400], upper[400];
    snprintf(lower, sizeof lower, "%s", written("lower.csv", "bound\n1\n2.5\n-3\n"));
    snprintf(upper, sizeof upper, "%s", written("upper.csv", "1;2.5;-3\n"));
    struct shoal_search_params params = params_of(lower, upper, written("start.csv", "2,3,0\n4,5,1\n"));
    assert_ok(search_lists_read(&params, &lists, &test_error));
    assert_numbers(&lists.lower, 1, 3, column);
    assert_numbers(&lists.upper, 1, 3, column);
    assert_numbers(&lists.start, 2, 3, start);
    search_lists_free(&lists);
    params = params_of(written("start.csv", "2,3,0\n4,5,1\n"), NULL, NULL);
    assert_status(search_lists_read(&params, &lists, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message,
                        "--lower has 2 rows of 3 numbers: bounds are one row, or one column of a table");
    static const char *const absent[] = {"absent.npy", "absent.csv.gz"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        params = params_of(absent[i], NULL, NULL);
        assert_status(search_lists_read(&params, &lists, &test_error), SHOAL_IO);
        assert_contains(test_error.message, absent[i]);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *lower, *upper, *start, *message;
        uint64_t dim;
    } cases[] = {
        {"0,,1", NULL, NULL, "--lower: '' is no number: it is empty"},
        {"0,1,", NULL, NULL, "--lower: '' is no number: it is empty"},
        {"0,x[1]", NULL, NULL, "--lower: 'x[1]' is no number: it is not constant and finite"},
        {NULL, "1/0", NULL, "--upper: '1/0' is no number: it is not constant and finite"},
        {"0 1", NULL, NULL, "--lower: '0 1' is no number: "},
        {"0,1;2,3", NULL, NULL,
         "--lower has 2 rows of 2 numbers: bounds are one row, or one column of a table"},
        {NULL, NULL, "1,2;3", "--start: point 2 has 1 number, the first one 2"},
        {NULL, NULL, "1,2;", "--start: '' is no number: it is empty"},
        {"0,1", "1,2,3", NULL, "--upper has 3 numbers, --lower 2: give one for each dimension"},
        {"0,1", NULL, NULL, "--lower has 2 numbers, --dim is 3: give one for each dimension", 3},
        {"0", NULL, "1,2", "a point of --start has 2 numbers, --dim is 1: give one for each dimension", 1},
        {"0,1", NULL, "1", "a point of --start has 1 number, --lower 2: give one for each dimension"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_search_params params = params_of(cases[i].lower, cases[i].upper, cases[i].start);
        struct search_lists lists;
        params.dim = cases[i].dim;
        assert_status(search_lists_read(&params, &lists, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_lacks(test_error.message, "\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
