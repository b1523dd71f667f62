/* Lists of variables: what they say, what is refused, points and genomes. */
#include "unit.h"

#include "objective/objective.h"
#include "objective/variables/variables.h"

#include <math.h>

static struct shoal_variables *parse(const char *list, size_t dim)
{
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(list, dim, &variables, &test_error));
    return variables;
}

static void kinds_and_ranges_are_read(void **state)
{
    (void)state;
    static const struct shoal_variable_group wanted[] = {
        {SHOAL_REAL, 0, 4, -5, 5.5, 0, false},     {SHOAL_INTEGER, 4, 1, -3, 9, 0, false},
        {SHOAL_CHOICE, 5, 1, 0, 2, 0, false},      {SHOAL_BIT, 6, 32, 0, 1, 0, false},
        {SHOAL_REAL, 38, 3, -1e-3, 2e3, 16, true}, {SHOAL_INTEGER, 41, 1, 0, 5, 3, false},
        {SHOAL_ORDER, 42, 5, 0, 4, 0, false},
    };
    struct shoal_variables *variables =
        parse("x1-x4 real -5 5.5, x5 integer -3 +9,x6 choice 3 , x7-x38 bit, y1-y3 real -1e-3 2000 gray 16,\n"
              " small integer 0 5 binary 3, p0-p4 order",
              0);
    assert_int_equal(shoal_variables_count(variables), 47);
    assert_int_equal(shoal_variables_group_count(variables), sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct shoal_variable_group *group = shoal_variables_group(variables, i);
        assert_true(group->kind == wanted[i].kind && group->first == wanted[i].first &&
                    group->count == wanted[i].count && group->lower == wanted[i].lower &&
                    group->upper == wanted[i].upper && group->bits == wanted[i].bits &&
                    group->gray == wanted[i].gray);
    }
    assert_null(shoal_variables_group(variables, sizeof wanted / sizeof *wanted));
    assert_string_equal(shoal_variables_list(variables),
                        "x1-x4 real -5 5.5, x5 integer -3 9, x6 choice 3, x7-x38 bit, "
                        "y1-y3 real -0.001 2000 gray 16, small integer 0 5 binary 3, p0-p4 order");
    shoal_variables_destroy(&variables);
    assert_null(variables);
    shoal_variables_destroy(&variables);
}

static void the_dimension_sizes_a_list(void **state)
{
    (void)state;
    struct shoal_variables *variables = parse("x1-xD order", 70);
    assert_int_equal(shoal_variables_count(variables), 70);
    assert_string_equal(shoal_variables_list(variables), "x1-x70 order");
    shoal_variables_destroy(&variables);
    variables = parse("a real", 1);
    assert_true(isnan(shoal_variables_group(variables, 0)->lower));
    assert_true(variables_are_plain(variables));
    shoal_variables_destroy(&variables);
    variables = parse("a real, b real 0 1 binary 4", 2);
    assert_false(variables_are_plain(variables));
    shoal_variables_destroy(&variables);
}

static void faults_are_named_with_their_column(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        size_t dim;
        const char *message;
    } bad[] = {
        {"", 0, "variables, column 1: a name such as x1 or x1-x4 is expected, not \"\""},
        {"x1 real,", 0, "column 9: a name"},
        {"x1", 0, "column 3: a kind is expected, real, integer, choice, bit or order, not \"\""},
        {"x1 bool", 0, "column 4: a kind is expected, real, integer, choice, bit or order, not \"bool\""},
        {"x1 bit 1", 0, "column 8: \"1\" where a comma or the end is expected"},
        {"1x bit", 0, "column 1: a name"},
        {"x1-y3 bit", 0, "column 4: a range is x1-x4"},
        {"x-x3 bit", 0, "column 3: a range is x1-x4"},
        {"x1-x bit", 0, "column 4: a range is x1-x4"},
        {"x3-x1 bit", 0, "column 4: the range ends with 1, before its first number 3"},
        {"x1-x4 bit, x3 real", 0, "column 12: the name of a variable before is used again"},
        {"x1-xD bit", 0, "column 4: xD goes up to the dimension: give --dim"},
        {"x2-xD bit", 9, "column 4: xD goes up to the dimension: x1-xD is for a list of one kind"},
        {"y bit, x1-xD bit", 9, "is for a list of one kind"},
        {"x1-x3 bit", 4, "the list has 3 variables, not --dim 4"},
        {"x1-xD bit, y bit", 4, "column 4: xD is for a list of one kind: write a number, as x1-x4"},
        {"x1-x2000000 bit", 0, "column 4: a range"},
        {"x1-x1000000 bit, y1-y1000000 bit", 0, "column 18: there are more than 1048576 variables"},
        {"abcdefghijklmnopqrstuvwxyzabcdefgh bit", 0, "a name has at most 31 characters"},
        {"x real 5", 0, "the upper bound is a number, not \"\""},
        {"x real 5 4", 0, "column 8: the lower bound 5 is not less than the upper bound 4"},
        {"x real 5 5 gray 8", 0, "column 8: the lower bound 5 is not less than the upper bound 5"},
        {"x real 0 nan", 0, "the upper bound is a number, not \"nan\""},
        {"x real 0 1e999", 0, "the upper bound is a number"},
        {"x real -1e308 1e308", 0, "column 8: from -1e+308 to 1e+308 is wider than a double holds"},
        {"x real gray 16", 0, "column 8: a coded real needs its range: real -5 5 gray 16"},
        {"x real 0 1 gray", 0, "the number of bits is a whole number from 1 to 32, not \"\""},
        {"x real 0 1 gray 33", 0, "column 17: the number of bits is a whole number from 1 to 32, not \"33\""},
        {"x real 0 1 grey 3", 0, "\"grey\" where binary, gray, a comma or the end is expected"},
        {"x integer 0.5 3", 0,
         "the least integer is a whole number from -2147483648 to 2147483647, not \"0.5\""},
        {"x integer 0 2147483648", 0, "the greatest integer is a whole number"},
        {"x integer 3 3", 0, "the least integer 3 is not below the greatest 3"},
        {"x integer 0 8 binary 3", 0, "3 bits have 8 values, fewer than the 9 from 0 to 8"},
        {"x choice 1", 0,
         "column 10: the number of choices is a whole number from 2 to 2147483647, not \"1\""},
        {"x1-x70000 order", 0, "column 11: an order has 2 to 65536 places, not 70000"},
        {"x order", 0, "an order has 2 to 65536 places, not 1"},
        {"x1-x3 order, y1-y3 order", 0, "column 20: there is an order already"},
    };
    struct shoal_variables *variables;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_status(shoal_variables_parse(bad[i].list, bad[i].dim, &variables, &test_error), SHOAL_INVALID);
        assert_null(variables);
        assert_contains(test_error.message, bad[i].message);
    }
    assert_status(shoal_variables_parse(NULL, 0, &variables, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "a list of variables is expected");
}

static void points_are_checked(void **state)
{
    (void)state;
    static const char list[] = "r real -1 1, free real, n1-n2 integer -2 3, c choice 3, b bit, p1-p3 order";
    static const double good[] = {0.5, 1e9, -2, 3, 2, 1, 2, 0, 1};
    static const struct {
        size_t at;
        double value;
        const char *message;
    } bad[] = {
        {0, 1.5, "r is 1.5: its range is -1 to 1"},
        {1, NAN, "free is nan"},
        {1, -INFINITY, "free is -inf"},
        {3, 4, "n2 is 4: an integer has a whole value from -2 to 3"},
        {2, 0.5, "n1 is 0.5: an integer has a whole value from -2 to 3"},
        {4, -1, "c is -1: a choice has a whole value from 0 to 2"},
        {5, 2, "b is 2: a bit has a whole value from 0 to 1"},
        {6, 3, "p1 is 3: an order has a whole value from 0 to 2"},
        {8, 2, "places 0 and 2 of the order both have 2"},
    };
    struct shoal_variables *variables = parse(list, 0);
    assert_ok(shoal_variables_check(variables, good, &test_error));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x[sizeof good / sizeof *good];
        memcpy(x, good, sizeof x);
        x[bad[i].at] = bad[i].value;
        assert_status(shoal_variables_check(variables, x, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, bad[i].message);
    }
    shoal_variables_destroy(&variables);
}

/* A genome's arrays, large enough for the tests. */
struct arrays {
    double reals[8];
    int32_t wholes[8];
    uint32_t words[8];
    uint16_t places[8];
};
static struct genome genome_of(struct arrays *arrays)
{
    return (struct genome){arrays->reals, arrays->wholes, arrays->words, arrays->places};
}

struct packing {
    const struct genome_layout *layout;
    const struct genome *out;
};

static double copy_genome(const struct genome *genome, const void *data)
{
    const struct packing *packing = data;
    double genes[64];
    genes_from_genome(packing->layout, genome, genes);
    memcpy(packing->out->reals, genome->reals, packing->layout->reals * sizeof *genome->reals);
    memcpy(packing->out->wholes, genome->wholes, packing->layout->wholes * sizeof *genome->wholes);
    memcpy(packing->out->words, genome->words, packing->layout->words * sizeof *genome->words);
    memcpy(packing->out->places, genome->places, packing->layout->places * sizeof *genome->places);
    return genes[0];
}

static void genome_from_point(const struct shoal_variables *variables, const double *x,
                              const struct genome *genome)
{
    const struct genome_layout layout = genome_layout(variables);
    const struct packing packing = {&layout, genome};
    double genes[64];
    genes_from_point(variables, x, genes);
    assert_true(genome_apply(&layout, genes, copy_genome, &packing) == genes[0]);
}

static void genome_to_point(const struct shoal_variables *variables, const struct genome *genome, double *x)
{
    const struct genome_layout layout = genome_layout(variables);
    double genes[64];
    genes_from_genome(&layout, genome, genes);
    genes_to_point(variables, genes, x);
}

static void points_become_genomes_and_return(void **state)
{
    (void)state;
    struct shoal_variables *variables = parse("b1-b31 bit, i integer -7 -1, y1-y2 real 0 3 gray 2, c choice "
                                              "4, r real 0 1, z integer 10 14 binary 4,"
                                              "o1-o3 order",
                                              0);
    const struct genome_layout layout = genome_layout(variables);
    assert_true(layout.reals == 1 && layout.wholes == 2 && layout.bits == 39 && layout.words == 2 &&
                layout.places == 3);
    double x[40] = {0}, again[40];
    x[0] = x[30] = 1;
    x[31] = -7;
    x[32] = 2; /* code 10, Gray 11 */
    x[33] = 3; /* code 11, Gray 10 */
    x[34] = 3;
    x[35] = 0.25;
    x[36] = 12;
    x[37] = 2;
    x[39] = 1;
    struct arrays arrays = {.words = {~0u, ~0u}};
    const struct genome genome = genome_of(&arrays);
    genome_from_point(variables, x, &genome);
    assert_true(arrays.reals[0] == 0.25 && arrays.wholes[0] == -7 && arrays.wholes[1] == 3);
    assert_true(arrays.places[0] == 2 && arrays.places[1] == 0 && arrays.places[2] == 1);
    /* Bits 31 to 34 are 1 1, 1 0; 12 is the third of 5 integers, whose least code of 16 is 7, 0111. */
    assert_int_equal(arrays.words[0], 1u | 1u << 30 | 1u << 31);
    assert_int_equal(arrays.words[1], 1u | 1u << 1 | 1u << 4 | 1u << 5 | 1u << 6);
    genome_to_point(variables, &genome, again);
    assert_memory_equal(x, again, shoal_variables_count(variables) * sizeof *x);
    shoal_variables_destroy(&variables);
}

/* Every code gives a value of the range, each integer has a code, neighbours in Gray code differ in one bit.
 */
static void codes_cover_their_ranges(void **state)
{
    (void)state;
    static const char *const lists[] = {"i integer -3 7 binary 5", "i integer -3 7 gray 5",
                                        "i integer -2147483648 2147483647 gray 32", "r real -1 2 gray 5",
                                        "r real -1 2 binary 32"};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        struct shoal_variables *variables = parse(lists[l], 0);
        const struct shoal_variable_group *group = shoal_variables_group(variables, 0);
        struct arrays arrays = {.words = {0}};
        const struct genome genome = genome_of(&arrays);
        double low = INFINITY, high = -INFINITY, x, again;
        for (uint32_t word = 0; word < 32; word++) {
            /* Among 32 bits: both ends of the codes. */
            arrays.words[0] = group->bits == 32 ? word << 27 >> 27 | (word % 2 ? 0xffffffe0u : 0) : word;
            const uint32_t before = arrays.words[0];
            genome_to_point(variables, &genome, &x);
            assert_ok(shoal_variables_check(variables, &x, &test_error));
            low = fmin(low, x);
            high = fmax(high, x);
            genome_from_point(variables, &x, &genome);
            if (group->kind == SHOAL_REAL)
                assert_int_equal(arrays.words[0], before);
            genome_to_point(variables, &genome, &again);
            assert_true(x == again);
        }
        if (group->bits == 5)
            assert_true(low == group->lower && high == group->upper);
        for (x = -3; group->kind == SHOAL_INTEGER && x <= 7; x++) {
            genome_from_point(variables, &x, &genome);
            genome_to_point(variables, &genome, &again);
            assert_true(x == again);
        }
        shoal_variables_destroy(&variables);
    }
    struct shoal_variables *variables = parse("r real 0 31 gray 5", 0);
    struct arrays arrays;
    const struct genome genome = genome_of(&arrays);
    uint32_t before = 0;
    for (double x = 0; x < 32; x++) {
        genome_from_point(variables, &x, &genome);
        assert_int_equal(__builtin_popcount(before ^ arrays.words[0]), x > 0);
        before = arrays.words[0];
    }
    shoal_variables_destroy(&variables);
}

/* Texts ------------------------------------------------------------------------------------------------- */

#define BITS "#define SHAPE OPAQUE\n#define VARIABLES \"x1-xD bit\"\nobjective_value();\n"
static void texts_over_genes_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"#define SHAPE OPAQUE\n#define VARIABLES \"x1-xD bit\"\n",
         "no function static inline objective_value(GENOME, uint dim)"},
        {"#define SHAPE DATA_ROWS\nobjective_residual();\n\n\n#define VARIABLES \"x bit\"\n",
         "my.cl:5: VARIABLES is for OPAQUE"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define VARIABLES \"x1 bit, x2 bool\"\n",
         "my.cl:3: variables, column 12: a kind is expected"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define VARIABLES x bit\n",
         "my.cl:3: VARIABLES is one string in quotation marks"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define VARIABLES \"x bit\" + 1\n",
         "my.cl:3: VARIABLES is one string in quotation marks"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define VALUE LONG\n",
         "my.cl:3: VALUE and TABLE INT need a line #define VARIABLES"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define TABLE INT\n",
         "my.cl:3: VALUE and TABLE INT need a line #define VARIABLES"},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define VALUE SHORT\n",
         "my.cl:3: VALUE is LONG, or the line is left out, not \"SHORT\""},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define TABLE SHORT\n",
         "my.cl:3: TABLE has no value or INT, not \"SHORT\""},
        {"#define SHAPE OPAQUE\nobjective_value();\n#define CHANGE FLIP\n",
         "my.cl:3: CHANGE needs a line #define VARIABLES"},
        {"#define SHAPE OPAQUE\nobjective_value(); objective_repair();\n#define REPAIR\n",
         "my.cl:3: REPAIR needs a line #define VARIABLES"},
        {BITS "#define REPAIR 1\n", "my.cl:4: REPAIR has no value, not \"1\""},
        {BITS "#define REPAIR\n",
         "my.cl:4: REPAIR needs a function static inline void objective_repair(GENOME_MUTABLE, uint dim)"},
        {BITS "#define DYNAMIC 1\n", "my.cl:4: DYNAMIC has no value, not \"1\""},
        {BITS "objective_change();\n#define CHANGE FLIP\n#define DYNAMIC\n",
         "my.cl:6: DYNAMIC goes with neither CHANGE nor REPAIR"},
        {BITS "\nGENERATION;\n", "my.cl:5: GENERATION needs a line #define DYNAMIC"},
        {BITS "objective_repair();\n", "my.cl: objective_repair needs a line #define REPAIR"},
        {BITS "#define CHANGE TURN\n", "my.cl:4: CHANGE is FLIP, SWAP or INSERTION, not \"TURN\""},
        {BITS "#define CHANGE FLIP\n", "my.cl:4: CHANGE needs a function objective_change("},
        {BITS "#define CHANGE SWAP\nobjective_change();\n",
         "my.cl:4: CHANGE FLIP needs bits in VARIABLES, SWAP and INSERTION an order"},
    };
    struct shoal *shoal = unit_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_objective *objective = (void *)&cases;
        assert_status(shoal_objective_from_text(shoal, cases[i].text, "my.cl", &objective, &test_error),
                      SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].message);
        assert_null(objective);
    }
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(kinds_and_ranges_are_read),
        UNIT_TEST(the_dimension_sizes_a_list),
        UNIT_TEST(faults_are_named_with_their_column),
        UNIT_TEST(points_are_checked),
        UNIT_TEST(points_become_genomes_and_return),
        UNIT_TEST(codes_cover_their_ranges),
        UNIT_TEST(texts_over_genes_are_refused_with_their_line),
    };
    return cmocka_run_group_tests_name("variables", tests, NULL, NULL);
}
