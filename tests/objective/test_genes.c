/* Objectives over genes, of texts: devices and the host against sums written out here. */
#include "formulas.h"
#include "genes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct shoal_objective *from_text(const char *text, const double *table, size_t rows, size_t columns)
{
    struct shoal_objective *objective;
    assert_ok(table ? shoal_objective_from_text_table(harness.shoal, text, "genes.clh", table, rows, columns,
                                                      &objective, &test_error)
                    : shoal_objective_from_text(harness.shoal, text, "genes.clh", &objective, &test_error));
    return objective;
}

/* Every kind at once, odd numbers of each. */
static void genes_of_all_kinds(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VARIABLES \"b1-b37 bit, r1-r3 real -2 2, i integer -9 9, o1-o5 order, c choice 4, s real 0 "
        "1\"\n"
        "static inline real my_part(GENOME, uint i)\n"
        "{\n"
        "    return GENE(i) * (real)(i + 1u);\n"
        "}\n"
        "static inline real objective_value(GENOME, uint dim)\n"
        "{\n"
        "    real sum = (real)dim + (real)WHOLE(0) + R(16.0) * (real)WHOLE(1) + (real)popcount(WORD(1));\n"
        "    uint i;\n"
        "    for (i = 0u; i < 4u; i++)\n"
        "        sum += my_part(genome, i);\n"
        "    for (i = 0u; i < 37u; i++)\n"
        "        sum += BIT(i) ? (real)i : R(0.0);\n"
        "    for (i = 0u; i < 5u; i++)\n"
        "        sum += (real)(PLACE(i) * (i + 1u));\n"
        "    return sum;\n"
        "}\n";
    enum { DIM = 48, POINTS = 77 };
    struct shoal_objective *objective = from_text(text, NULL, 0, 0);
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    assert_true(info->min_dim == DIM && info->max_dim == DIM && !info->whole_values);
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(info->variables, 0, &variables, &test_error));
    const double *points = genes_points(variables, POINTS),
                 *values = genes_compare(objective, DIM, POINTS, 8, 1000);
    for (size_t p = 0; p < POINTS; p++) {
        const double *x = points + p * DIM;
        double sum = DIM + x[40] + 16 * x[46] + 4 * x[47];
        for (size_t i = 0; i < 37; i++)
            sum += x[i] * (double)(i + (i >= 32));
        for (size_t i = 0; i < 3; i++)
            sum += x[37 + i] * (double)(i + 1);
        for (size_t i = 0; i < 5; i++)
            sum += x[41 + i] * (double)(i + 1);
        assert_near(values[p], sum, 1e-10);
    }
    shoal_variables_destroy(&variables);
    shoal_objective_destroy(&objective);
}

/* Beyond what floats and doubles of a device count, with a table of whole numbers; any dimension. */
static void whole_values_are_exact(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VALUE LONG\n"
        "#define TABLE INT\n"
        "#define VARIABLES \"x1-xD order\"\n"
        "static inline long objective_value(GENOME, __global const int *table, uint dim)\n"
        "{\n"
        "    long sum = -(long)TABLE_ROWS;\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += (long)ELEMENT(table, i % TABLE_ROWS, i % COLUMNS) * (long)(PLACE(i) + 1u);\n"
        "    return sum;\n"
        "}\n";
    static const double table[] = {2147483647, -5, 16777217, 3, 100000007, -2147483648.0};
    struct shoal_objective *objective = from_text(text, table, 2, 3);
    assert_true(shoal_objective_get_info(objective)->whole_values);
    static const size_t dims[] = {2, 7, 64, 301};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        const size_t dim = dims[k], count = 33;
        struct shoal_variables *variables;
        assert_ok(shoal_variables_parse("x1-xD order", dim, &variables, &test_error));
        const double *points = genes_points(variables, count),
                     *values = genes_compare(objective, dim, count, 0, 0);
        for (size_t p = 0; p < count; p++) {
            double sum = -2;
            for (size_t i = 0; i < dim; i++)
                sum += table[i % 2 * 3 + i % 3] * (points[p * dim + i] + 1);
            assert_true(values[p] == sum);
        }
        shoal_variables_destroy(&variables);
    }
    shoal_objective_destroy(&objective);
}

static void real_tables_and_single_bits(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define TABLE\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "#define MAX_DIM 100\n"
        "static inline real objective_value(GENOME, __global const real *table, uint dim)\n"
        "{\n"
        "    real sum = R(0.0);\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += BIT(i) ? ELEMENT(table, 0, i % COLUMNS) : R(0.0);\n"
        "    return sum;\n"
        "}\n";
    static const double table[] = {0.5, 0.25, -3, 8};
    struct shoal_objective *objective = from_text(text, table, 1, 4);
    assert_int_equal(shoal_objective_get_info(objective)->max_dim, 100);
    for (size_t dim = 31; dim <= 65; dim += 17)
        genes_compare(objective, dim, 65, 0, 0);
    shoal_objective_destroy(&objective);
}

/* The kernel texts against the definitions in C. */
static void built_in_bits(void **state)
{
    (void)state;
    static const char *const names[] = {"onemax", "leading-ones", "trap-4", "trap-5",     "royal-road",
                                        "hiff",   "labs",         "nk",     "planted-sat"};
    static const size_t dims[] = {8, 31, 32, 33, 64, 101};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
            const struct shoal_objective *objective = shoal_objective_find(names[i]);
            struct shoal_objective *own = NULL;
            if (!harness_takes_case_of(names[i]))
                continue;
            if (isnan(shoal_objective_minimum(objective, 8)) || strcmp(names[i], "planted-sat") == 0) {
                assert_ok(shoal_objective_from_instance(names[i], NULL, dims[k], &own, &test_error));
                objective = own;
            }
            test_label("%s of %zu", names[i], dims[k]);
            genes_compare(objective, dims[k], 67, 0, 0);
            if (shoal_objective_get_info(objective)->move)
                genes_compare_changes(objective, dims[k], 67);
            shoal_objective_destroy(&own);
            harness_release();
        }
}

/* A text of numbers, "n m" or another head and then rows of small random ones. */
static void write_rows(const char *head, size_t rows, size_t columns, uint32_t span, bool signs)
{
    uint32_t *words = harness_memory((rows * columns + 4) * sizeof *words);
    FILE *file = fopen(test_path("instance"), "w");
    assert_non_null(file);
    harness_words(words, rows * columns, 9);
    fputs(head, file);
    for (size_t i = 0; i < rows * columns; i++)
        fprintf(file, "%d%c", (int)(words[i] % span) - (signs ? (int)(span / 2) : 0),
                (i + 1) % columns ? ' ' : '\n');
    fclose(file);
}

static void read_and_compare(const char *function, size_t dim, double slack, double size)
{
    struct shoal_objective *objective;
    test_label("%s of %zu", function, dim);
    assert_ok(shoal_objective_from_instance(function, test_path("instance"), 0, &objective, &test_error));
    genes_compare(objective, dim, 67, slack, size);
    if (shoal_objective_get_info(objective)->move)
        genes_compare_changes(objective, dim, 67);
    if (shoal_objective_get_info(objective)->repairs)
        genes_compare_repairs(objective, dim, 67);
    shoal_objective_destroy(&objective);
    harness_release();
}

/* Capacities of half the weights. */
static void write_knapsack(size_t dim, size_t capacities)
{
    const size_t count = (capacities + 1) * dim;
    uint32_t *words = harness_memory(count * sizeof *words + 16);
    FILE *file = fopen(test_path("instance"), "w");
    assert_non_null(file);
    harness_words(words, count, 11);
    fprintf(file, "1 %zu %zu 0\n", dim, capacities);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%d%c", (int)(words[i] % 1000), (i + 1) % dim ? ' ' : '\n');
    for (size_t row = 1; row <= capacities; row++) {
        double sum = 0;
        for (size_t i = 0; i < dim; i++)
            sum += words[row * dim + i] % 1000;
        fprintf(file, "%.0f\n", floor(sum / 2));
    }
    fclose(file);
}

static void write_edges(size_t dim, size_t count)
{
    uint32_t *words = harness_memory(3 * count * sizeof *words + 16);
    FILE *file = fopen(test_path("instance"), "w");
    assert_non_null(file);
    harness_words(words, 3 * count, 10);
    fprintf(file, "%zu %zu\n", dim, count);
    for (size_t e = 0; e < count; e++) {
        const size_t i = words[3 * e] % dim, j = (i + 1 + words[3 * e + 1] % (dim - 1)) % dim;
        fprintf(file, "%zu %zu %d\n", i + 1, j + 1, (int)(words[3 * e + 2] % 2000000001u) - 1000000000);
    }
    fclose(file);
}

static void instances_of_files(void **state)
{
    (void)state;
    char head[64];
    static const size_t dims[] = {2, 17, 70};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        const size_t dim = dims[k];
        if (!harness_takes_case())
            continue;
        snprintf(head, sizeof head, "%zu\n", dim);
        write_rows(head, 2 * dim, dim, 1000001, true);
        read_and_compare("qap", dim, 0, 0);
        write_rows(head, dim, dim, 2000000001, true);
        read_and_compare("linear-ordering", dim, 0, 0);
        snprintf(head, sizeof head, "%zu 7\n", dim);
        write_rows(head, 7, dim, 1000000, false);
        read_and_compare("flow-shop", dim, 0, 0);
        snprintf(head, sizeof head, "1 %zu 3 0\n", dim);
        write_rows(head, 4 * dim + 3, 1, 1000, false);
        read_and_compare("knapsack", dim, 0, 0);
        if (k)
            write_knapsack(dim, 5);
        read_and_compare("knapsack", dim, 0, 0);
        write_edges(dim, 3 * dim);
        read_and_compare("max-cut", dim, 0, 0);
        read_and_compare("qubo", dim, 0, 0);
    }
    test_write_text(test_path("instance"), "p wcnf 5 4\n9 1 -5 0\n1000000000 2 3 4 0\n3 -1 0\n4 0\n");
    read_and_compare("max-sat", 5, 0, 0);
    test_write_text(test_path("points.csv"), "0,0,1\n3,4,0.5\n3,0,2\n1,1,1\n5,-7,2\n-1,0,0\n");
    struct shoal_objective *objective;
    assert_ok(shoal_objective_from_instance("tour", test_path("points.csv"), 0, &objective, &test_error));
    genes_compare(objective, 6, 67, 16, 50);
    shoal_objective_destroy(&objective);
}

/* Genes of every kind are set, in parts of the same words. */
static void repairs_of_texts(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define REPAIR\n"
        "#define TABLE\n"
        "#define VARIABLES \"b1-b37 bit, r1-r3 real -2 2, i1-i2 integer -9 9, o1-o5 order\"\n"
        "static inline uint my_ones(GENOME)\n"
        "{\n"
        "    return popcount(WORD(0)) + popcount(WORD(1));\n"
        "}\n"
        "static inline void objective_repair(GENOME_MUTABLE, __global const real *table, uint dim)\n"
        "{\n"
        "    uint i;\n"
        "    if (WHOLE(1) == -WHOLE(0))\n"
        "        return;\n"
        "    for (i = 0u; my_ones(genome) > 12u; i++)\n"
        "        SET_BIT(i, 0u);\n"
        "    SET_BIT(36, i & 1u);\n"
        "    SET_BIT(3, 8u);\n"
        "    SET_WORD(0, WORD(0) ^ 0x80000000u);\n"
        "    SET_GENE(1, GENE(0) * ELEMENT(table, 0, 0));\n"
        "    SET_WHOLE(1, -WHOLE(0));\n"
        "    SWAP_PLACES(4, 1);\n"
        "    i = PLACE(2);\n"
        "    SET_PLACE(2, PLACE(3));\n"
        "    SET_PLACE(3, i);\n"
        "}\n"
        "static inline real objective_value(GENOME, __global const real *table, uint dim)\n"
        "{\n"
        "    return (GENE(1) < R(0.0) ? R(1024.0) : R(0.0)) + (real)WHOLE(1) + R(4.0) * "
        "(real)my_ones(genome) + R(32.0) * "
        "(real)PLACE(4);\n"
        "}\n";
    static const double half = 0.5;
    struct shoal_objective *objective = from_text(text, &half, 1, 1);
    assert_true(shoal_objective_get_info(objective)->repairs);
    genes_compare_repairs(objective, 47, 67);
    double x[47] = {0};
    for (size_t i = 0; i < 5; i++)
        x[42 + i] = (double)i;
    x[37] = 1;
    x[40] = 7;
    assert_ok(shoal_objective_repair(objective, x, 47, &test_error));
    assert_true(x[3] == 1 && x[31] == 1 && x[36] == 0 && x[37] == 1 && x[38] == 0.5 && x[41] == -7);
    assert_true(x[42] == 0 && x[43] == 4 && x[44] == 3 && x[45] == 2 && x[46] == 1);
    assert_near(shoal_objective_value(objective, x, 47), -7 + 4 * 2 + 32, 1e-12);
    shoal_objective_destroy(&objective);
}

/* They are tried on random points when the objective is created. */
static void repairs_that_break_individuals(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define REPAIR\n"
        "#define VARIABLES \"b1-b9 bit, r real -2 2, i integer -9 9, o1-o5 order\"\n"
        "static inline void objective_repair(GENOME_MUTABLE, uint dim) { %s; }\n"
        "static inline real objective_value(GENOME, uint dim) { %s; return GENE(0); }\n";
    static const struct {
        const char *repair, *value, *message;
        enum shoal_status status;
    } cases[] = {
        {"SET_PLACE(3, PLACE(1))", "",
         "broken.clh: objective_repair leaves no individual: places 1 and 3 of the order both have ",
         SHOAL_INVALID},
        {"SET_PLACE(0, 5u)", "", "o1 is 5: an order has a whole value from 0 to 4", SHOAL_INVALID},
        {"SET_WHOLE(0, 10)", "", "i is 10: an integer has a whole value from -9 to 9", SHOAL_INVALID},
        {"SET_GENE(0, R(-2.5))", "", "r is -2.5: its range is -2 to 2", SHOAL_INVALID},
        {"SET_GENE(0, log(R(-1.0)))", "", "r is ", SHOAL_INVALID},
        {"SET_WORD(0, 512u)", "", "broken.clh: objective_repair sets bits behind the last one",
         SHOAL_INVALID},
        {"SWAP_PLACES(0, 4)", "",
         "broken.clh: objective_repair changes an individual that it has repaired: o1", SHOAL_INVALID},
        {"SET_BIT(3, !BIT(3))", "", "changes an individual that it has repaired: b4", SHOAL_INVALID},
        {"SET_GENE(0, R(0.5) * GENE(0))", "", "changes an individual that it has repaired: r", SHOAL_INVALID},
        {"", "SET_GENE(0, R(1.0))", "read-only", SHOAL_BUILD_FAILED},
        {"", "WORD(0) = 1u", "broken.clh:5", SHOAL_BUILD_FAILED},
        {"", "WHOLE(0) = 1", "broken.clh:5", SHOAL_BUILD_FAILED},
        {"", "GENE(0) = R(1.0)", "broken.clh:5", SHOAL_BUILD_FAILED},
        {"", "PLACE(0) = 1u", "broken.clh:5", SHOAL_BUILD_FAILED},
        {"", "BIT(0) = 1u", "broken.clh:5", SHOAL_BUILD_FAILED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char full[1000];
        struct shoal_objective *objective;
        test_label("%s %s", cases[i].repair, cases[i].value);
        snprintf(full, sizeof full, text, cases[i].repair, cases[i].value);
        assert_status(shoal_objective_from_text(harness.shoal, full, "broken.clh", &objective, &test_error),
                      cases[i].status);
        assert_contains(test_error.message, cases[i].message);
        assert_null(objective);
    }
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator;
    double x[3] = {0};
    shoal_evaluator_params_init(&params);
    params.objective = shoal_objective_find("onemax");
    params.dim = 3;
    params.repair = SHOAL_REPAIR_VALUE_ONLY;
    params.precision = SHOAL_FP32;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "onemax repairs no individuals");
    params.repair = 3;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_status(shoal_objective_repair(params.objective, x, 3, &test_error), SHOAL_UNSUPPORTED);
}

static void generations_of_texts(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE OPAQUE\n"
                               "#define DYNAMIC\n"
                               "#define VALUE LONG\n"
                               "#define VARIABLES \"x1-xD bit\"\n"
                               "static inline long objective_value(GENOME, uint dim)\n"
                               "{\n"
                               "    return (long)BIT(GENERATION % dim) + 2 * (long)(GENERATION / dim);\n"
                               "}\n";
    struct shoal_objective *objective = from_text(text, NULL, 0, 0);
    const double x[] = {0, 1, 0};
    assert_true(shoal_objective_get_info(objective)->dynamic);
    assert_true(shoal_objective_value(objective, x, 3) == 0);
    assert_true(shoal_objective_value_in_generation(objective, x, 3, 7) == 5);
    for (uint32_t generation = 0; generation < 80; generation += 13)
        genes_compare_generation(objective, 37, 67, generation);
    shoal_objective_destroy(&objective);
}

/* Of a text, whose changes are compared when it is created. */
static void changes_of_texts(void **state)
{
    (void)state;
    static const char text[] = "#define SHAPE OPAQUE\n"
                               "#define VARIABLES \"x1-xD bit\"\n"
                               "#define CHANGE FLIP\n"
                               "static inline real objective_value(GENOME, uint dim)\n"
                               "{\n"
                               "    real sum = R(0.0);\n"
                               "    uint i;\n"
                               "    for (i = 0u; i < dim; i++)\n"
                               "        sum += BIT(i) ? (real)i : R(0.0);\n"
                               "    return sum;\n"
                               "}\n"
                               "static inline real objective_change(GENOME, uint i, uint j, uint dim)\n"
                               "{\n"
                               "    return BIT(i) ? -(real)i : %s;\n"
                               "}\n";
    char right[1000], wrong[1000];
    snprintf(right, sizeof right, text, "(real)i");
    snprintf(wrong, sizeof wrong, text, "(real)(i + 1u)");
    struct shoal_objective *objective = from_text(right, NULL, 0, 0);
    assert_int_equal(shoal_objective_get_info(objective)->move, SHOAL_MOVE_FLIP);
    genes_compare_changes(objective, 40, 33);
    shoal_objective_destroy(&objective);
    assert_status(shoal_objective_from_text(harness.shoal, wrong, "wrong.clh", &objective, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "wrong.clh: objective_change is ");
    assert_contains(test_error.message, " of a random point, its values differ by ");
}

static struct shoal_objective *from_formula(const char *formula, const char *list)
{
    struct shoal_objective *objective;
    test_label("%s over %s", formula, list);
    assert_ok(shoal_objective_from_expression_variables(formula, list, &objective, &test_error));
    return objective;
}

/* Each coordinate by itself: the value is that of the point. */
static void coordinates_of_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        size_t dim;
    } cases[] = {
        {"x1-xD bit", 70},
        {"x1-xD order", 9},
        {"x1-xD integer -7 8 gray 4", 21},
        {"b1-b31 bit, y1-y3 integer -9 9 binary 7, r1-r2 real -2 2, i1-i3 integer -9 9, j integer 5 7, c "
         "choice 4, z1-z2 real -1 3 gray 32, o1-o5 order, s real 0 1, a1-a2 bit",
         51},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct shoal_objective *objective = from_formula("sum(x[i]*(1+i/64))", cases[c].list);
        struct shoal_variables *variables;
        enum { POINTS = 67 };
        const size_t dim = cases[c].dim;
        assert_ok(shoal_variables_parse(cases[c].list, dim, &variables, &test_error));
        assert_string_equal(shoal_objective_get_info(objective)->variables, cases[c].list);
        const double *points = genes_points(variables, POINTS),
                     *values = genes_compare(objective, dim, POINTS, 16, 1000);
        for (size_t p = 0; p < POINTS; p++) {
            double sum = 0;
            for (size_t i = 0; i < dim; i++)
                sum += points[p * dim + i] * (1 + (double)(i + 1) / 64);
            /* Reals of 32 bits are off by half a step of their code. */
            assert_near(values[p], sum, 1e-8);
        }
        shoal_variables_destroy(&variables);
        shoal_objective_destroy(&objective);
    }
    static const char *const singles[] = {"x[1]-2*x[33]^3+x[4]*x[6]*x[9]", "x[40]", "sum(x[i]*x[i+1])",
                                          "x[5]*sum(abs(x[i]-x[34])+D)", "prod(1+x[i+1]/8)*sum(x[i]/i)"};
    for (size_t f = 0; f < sizeof singles / sizeof *singles; f++) {
        struct shoal_objective *objective = from_formula(singles[f], cases[3].list);
        genes_compare(objective, cases[3].dim, 67, 64, 10000);
        shoal_objective_destroy(&objective);
    }
}

static void random_formulas(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "x1-x40 bit", "b1-b3 bit, i integer -2 1, y1-y2 real -2 2 gray 9",
        "c1-c3 choice 3, r1-r2 real -2 2, g integer -2 2 binary 3, o1-o3 order"};
    enum { FORMULAS = 24 };
    for (uint32_t number = 0; number < FORMULAS; number++) {
        const char *formula = formula_random(1000 + number), *list = lists[number % 3];
        struct shoal_variables *variables;
        if (!harness_takes_case())
            continue;
        struct shoal_objective *objective = from_formula(formula, list);
        const enum shoal_precision precision = harness_has_fp64() && number / 3 % 2 ? SHOAL_FP64 : SHOAL_FP32;
        const size_t dim = shoal_objective_get_info(objective)->min_dim, count = 33;
        assert_ok(shoal_variables_parse(list, 0, &variables, &test_error));
        const double *points = genes_points(variables, count),
                     *values = genes_on_device(objective, precision, points, dim, count);
        for (size_t p = 0; p < count; p++) {
            const double wanted = shoal_objective_value(objective, points + p * dim, dim);
            assert_near(values[p], wanted,
                        (precision == SHOAL_FP64 ? DBL_EPSILON : FLT_EPSILON) * 1000 * (10 + fabs(wanted)));
        }
        shoal_variables_destroy(&variables);
        shoal_objective_destroy(&objective);
        harness_release();
    }
}

static void points_are_checked_before_they_are_written(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "static inline real objective_value(GENOME, uint dim) { return (real)(BIT(0) + dim); }\n";
    struct shoal_objective *objective = from_text(text, NULL, 0, 0);
    struct shoal_evaluator_params params;
    struct shoal_evaluator *evaluator;
    const double points[] = {0, 1, 1, 0.5};
    shoal_evaluator_params_init(&params);
    params.objective = objective;
    params.precision = SHOAL_FP32;
    params.dim = 2;
    params.points = 2;
    assert_ok(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error));
    struct shoal_buffer *x = harness_buffer(shoal_evaluator_point_bytes(evaluator)),
                        *small = harness_buffer(1);
    assert_status(shoal_evaluator_write_points(evaluator, points, x, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "point 1: x2 is 0.5: a bit has a whole value from 0 to 1");
    assert_status(shoal_evaluator_write_points(evaluator, points, small, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer holds 1");
    assert_status(shoal_evaluator_run(evaluator, small, x, 0, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer holds 1");
    assert_status(shoal_evaluator_run_changes(evaluator, x, small, small, 0, 2, &test_error), SHOAL_INVALID);
    struct shoal_buffer *moves = harness_buffer(16), *values = harness_buffer(16);
    assert_status(shoal_evaluator_run_changes(evaluator, x, moves, values, 0, 2, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "its text has no line #define CHANGE");
    shoal_evaluator_destroy(&evaluator);
    const double shift[] = {1, 1};
    params.shift = shift;
    assert_status(shoal_evaluator_create(harness.queue, &params, &evaluator, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "genes, which cannot be shifted");
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genes_of_all_kinds),
        cmocka_unit_test(whole_values_are_exact),
        cmocka_unit_test(real_tables_and_single_bits),
        cmocka_unit_test(built_in_bits),
        cmocka_unit_test(instances_of_files),
        by_turn(changes_of_texts),
        by_turn(repairs_of_texts),
        cmocka_unit_test(generations_of_texts),
        cmocka_unit_test(repairs_that_break_individuals),
        cmocka_unit_test(coordinates_of_formulas),
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(points_are_checked_before_they_are_written),
    };
    return harness_main("genes", tests, sizeof tests / sizeof *tests);
}
