/* Indices of objective texts that are out of bounds: found at points that are tried, with text, line, macro.
 */
#include "unit.h"

#include "objective/code.h"
#include "objective/objective.h"

#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define GENES                                                                                                \
    "#define SHAPE OPAQUE\n#define VARIABLES \"x1-x2 real -5 5, n integer 0 9, b1-b40 bit, p1-p3 order\"\n"
#define VALUE "static inline real objective_value(GENOME, uint dim)\n{\n    return "
#define POINT                                                                                                \
    "#define SHAPE OPAQUE\n#define LOWER -1\n#define UPPER 1\n#define MIN_DIM 2\n#define MAX_DIM 2\n"
#define OF_POINT "static inline real objective_value(const real *x, uint dim)\n{\n    "
#define TABLE_TEXT                                                                                           \
    POINT "#define TABLE\nstatic inline real objective_value(const real *x, __global const real *table, "    \
          "uint dim)\n{\n    "

static struct shoal *shoal;

static int setup(void **state)
{
    const int failed = unit_setup(state);
    unsetenv("CC"); /* no compiler of the developer's */
    setenv("TMPDIR", test_folder(), 1);
    shoal = failed ? NULL : unit_open();
    return failed;
}

static int teardown(void **state)
{
    shoal_close(&shoal);
    unsetenv("TMPDIR");
    return unit_teardown(state);
}

static const double numbers[] = {1, 2, 3, 4, 5, 6};

/* `message` NULL: the text is taken. Texts that read a table get one of 3 rows of 2 numbers. */
static void check(const char *text, const char *message)
{
    struct shoal_objective *objective = NULL;
    const enum shoal_status status =
        strstr(text, "#define TABLE")
            ? shoal_objective_from_text_table(shoal, text, "my.clh", numbers, 3, 2, &objective, &test_error)
            : shoal_objective_from_text(shoal, text, "my.clh", &objective, &test_error);
    if (message) {
        assert_int_equal(status, SHOAL_INVALID);
        assert_string_equal(test_error.message, message);
        assert_null(objective);
    } else {
        assert_ok(status);
    }
    shoal_objective_destroy(&objective);
}

static void genes_out_of_bounds_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {GENES VALUE "GENE(0)\n        + GENE(2);\n}\n",
         "my.clh:6: there is no GENE(2): the variables have GENE(0) to GENE(1)"},
        {GENES VALUE "(real)WHOLE(1);\n}\n",
         "my.clh:5: there is no WHOLE(1): the variables have WHOLE(0) to WHOLE(0)"},
        {GENES VALUE "(real)BIT(40);\n}\n",
         "my.clh:5: there is no BIT(40): the variables have BIT(0) to BIT(39)"},
        {GENES VALUE "(real)WORD(2);\n}\n",
         "my.clh:5: there is no WORD(2): the variables have WORD(0) to WORD(1)"},
        {GENES VALUE "(real)PLACE(-1);\n}\n",
         "my.clh:5: there is no PLACE(-1): the variables have PLACE(0) to PLACE(2)"},
        {"#define SHAPE OPAQUE\n#define VARIABLES \"b1-b4 bit\"\n" VALUE "GENE(0);\n}\n",
         "my.clh:5: there is no GENE(0): no variable is a real"},
        /* By the point: the integer goes up to 9. */
        {GENES VALUE "GENE(WHOLE(0) / 5) + GENE(WHOLE(0) > 8 ? 2 : 0);\n}\n",
         "my.clh:5: there is no GENE(2): the variables have GENE(0) to GENE(1)"},
        {GENES "#define REPAIR\nstatic inline void objective_repair(GENOME_MUTABLE, uint dim)\n{\n    "
               "SET_BIT(40, 1u);\n}\n" VALUE "GENE(0);\n}\n",
         "my.clh:6: there is no SET_BIT(40): the variables have SET_BIT(0) to SET_BIT(39)"},
        {GENES "#define CHANGE FLIP\nstatic inline real objective_change(GENOME, uint i, uint j, uint "
               "dim)\n{\n    return (real)BIT(i + 8u) * R(0.0);\n}\n" VALUE "GENE(0);\n}\n",
         NULL},
        {GENES VALUE "GENE(1) + (real)(WHOLE(0) + (int)BIT(39) + (int)WORD(1) + (int)PLACE(2));\n}\n", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i].message || !strstr(cases[i].text, "CHANGE"))
            check(cases[i].text, cases[i].message);
    /* Which bit is met first depends on the moves that are drawn. */
    struct shoal_objective *objective = NULL;
    assert_int_equal(shoal_objective_from_text(shoal, cases[8].text, "my.clh", &objective, &test_error),
                     SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "my.clh:6: there is no BIT("));
}

static void arrays_out_of_bounds_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {POINT OF_POINT "return x[0]\n        + x [2];\n}\n",
         "my.clh:9: there is no x[2]: the last one is x[1]"},
        {POINT OF_POINT "real sum = R(0.0);\n    uint d;\n    for (d = 0u; d <= dim; d++)\n        sum += "
                        "x[d] * x[d];\n    return sum;\n}\n",
         "my.clh:11: there is no x[2]: the last one is x[1]"},
        {POINT OF_POINT "return x[(int)x[0] - 1 < 0 ? -1 : 0];\n}\n",
         "my.clh:8: there is no x[-1]: the last one is x[1]"},
        /* An array of the text's own with that name is none of these, and indices may be nested. */
        {POINT "static inline real my_part(const real *y)\n{\n    real x[5];\n    x[4] = y[0];\n    return "
               "x[4];\n}\n" OF_POINT
               "const uint order[2] = {1u, 0u};\n    return x[order[dim - 1u]] + my_part(x);\n}\n",
         NULL},
        {TABLE_TEXT "return x[0] * ELEMENT(table, 3, 0);\n}\n",
         "my.clh:9: ELEMENT has the row 3, and the table only 3 rows, counted from 0"},
        {TABLE_TEXT "return x[0] * ELEMENT(table, 0, COLUMNS);\n}\n",
         "my.clh:9: ELEMENT has the column 2, and the table only 2 columns, counted from 0"},
        {TABLE_TEXT "return x[0] * table[TABLE_ROWS * COLUMNS];\n}\n",
         "my.clh:9: there is no table[6]: the last one is table[5]"},
        {TABLE_TEXT "return x[0] * table[5] + ELEMENT(table, TABLE_ROWS - 1, COLUMNS - 1);\n}\n", NULL},
        {"#define SHAPE PER_DIMENSION\n#define TERMS 1\n#define LOWER -1\n#define UPPER 1\n#define MIN_DIM "
         "2\n#define MAX_DIM 2\n"
         "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n{\n    "
         "term[1] = x;\n}\n"
         "static inline real objective_finish(const real *sum, uint dim)\n{\n    return sum[0];\n}\n",
         "my.clh:9: there is no term[1]: the last one is term[0]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check(cases[i].text, cases[i].message);
}

static void rows_out_of_bounds_are_named(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE DATA_ROWS\n#define LOWER -1\n#define UPPER 1\n"
                               "static inline real objective_residual(const real *x, const real *row)\n{\n"
                               "    return row[COLUMNS] - x[0];\n}\n";
    struct shoal_rows rows;
    struct shoal_objective *objective = NULL;
    rows = (struct shoal_rows){.size = sizeof rows};
    rows.values = numbers;
    rows.rows = 3;
    rows.columns = 2;
    rows.text = text;
    rows.name = "my.clh";
    rows.dim = 2;
    assert_int_equal(shoal_objective_from_rows(shoal, &rows, &objective, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "my.clh:6: there is no row[2]: the last one is row[1]");
    assert_null(objective);
}

/* What only a dimension tells is found where the dimension is known. */
static void the_box_of_a_search_is_tried(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE OPAQUE\n" OF_POINT "return x[0] + x[3];\n}\n";
    static const double lower[] = {-1, -1, -1, -1}, upper[] = {1, 1, 1, 1};
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_text(shoal, text, "my.clh", &objective, &test_error));
    assert_ok(objective_try(objective, NULL, NULL, 3, &test_error)); /* there is no usual box */
    assert_ok(objective_try(objective, lower, upper, 4, &test_error));
    assert_int_equal(objective_try(objective, lower, upper, 3, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "my.clh:4: there is no x[3]: the last one is x[2]");
    shoal_objective_destroy(&objective);
}

/* They are left to the search, which has its limits and its messages. */
static void texts_that_crash_or_never_end_are_left_alone(void **state)
{
    (void)state;
    static const char endless[] =
        "volatile uint turn = 1u;\n    while (turn)\n        turn |= 1u;\n    return x[0];\n}\n";
    static const char crashing[] = "volatile uint none = 0u;\n    return x[0] + (real)(1u / none);\n}\n";
    static char text[2][600];
    snprintf(text[0], sizeof text[0], POINT OF_POINT "%s", endless);
    snprintf(text[1], sizeof text[1], POINT OF_POINT "%s", crashing);
    for (size_t i = 0; i < COUNT(text); i++)
        check(text[i], NULL);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(genes_out_of_bounds_are_named),
        TEST(arrays_out_of_bounds_are_named),
        TEST(rows_out_of_bounds_are_named),
        TEST(the_box_of_a_search_is_tried),
        TEST(texts_that_crash_or_never_end_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
