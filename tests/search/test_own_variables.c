/* Objective texts with variables of their own, searched by algorithms that round: each search has the bits of
 * a search for the same function as a text over reals with the same list as a parameter.
 */
#include "harness.h"

#include <math.h>
#include <shoal/cmaes.h>
#include <shoal/de.h>
#include <shoal/optimise.h>
#include <shoal/portfolio.h>
#include <string.h>

#define LIST "x1 real -5 5, b1-b30 bit, n1-n2 integer -10 10, x2 real -5 5, c choice 5, b31-b35 bit"
enum { DIM = 40 };

static const char over_genes[] =
    "#define SHAPE OPAQUE\n"
    "#define VARIABLES \"" LIST "\"\n"
    "static inline real objective_value(GENOME, uint dim)\n"
    "{\n"
    "    real sum = R(0.0);\n"
    "    uint i;\n"
    "    for (i = 0u; i < 2u; i++)\n"
    "        sum += (GENE(i) - R(1.5)) * (GENE(i) - R(1.5));\n"
    "    sum += fabs((real)(WHOLE(0) - 3)) + fabs((real)(WHOLE(1) + 7)) + (real)(WHOLE(2) != 2);\n"
    "    return sum + (real)popcount(WORD(0)) + R(2.0) * (real)popcount(WORD(1)) - R(4.0) * (real)BIT(34);\n"
    "}\n";

static const char over_reals[] =
    "#define SHAPE OPAQUE\n"
    "#define MIN_DIM 40\n"
    "#define MAX_DIM 40\n"
    "static inline real objective_value(const real *x, uint dim)\n"
    "{\n"
    "    real sum = R(0.0), low = R(0.0), high = R(0.0);\n"
    "    uint i;\n"
    "    sum += (x[0] - R(1.5)) * (x[0] - R(1.5));\n"
    "    sum += (x[33] - R(1.5)) * (x[33] - R(1.5));\n"
    "    sum += fabs(x[31] - R(3.0)) + fabs(x[32] + R(7.0)) + (real)(x[34] != R(2.0));\n"
    "    for (i = 1u; i <= 30u; i++)\n"
    "        low += x[i];\n"
    "    low += x[35] + x[36];\n"
    "    for (i = 37u; i < 40u; i++)\n"
    "        high += x[i];\n"
    "    return sum + low + R(2.0) * high - R(4.0) * x[39];\n"
    "}\n";

static const char whole[] =
    "#define SHAPE OPAQUE\n"
    "#define VARIABLES \"n1-nD integer -20 20\"\n"
    "#define MIN_DIM 2\n"
    "#define VALUE LONG\n"
    "#define TABLE INT\n"
    "static inline long objective_value(GENOME, __global const int *table, uint dim)\n"
    "{\n"
    "    long sum = 0;\n"
    "    uint i;\n"
    "    for (i = 0u; i < dim; i++)\n"
    "    {\n"
    "        const long away = WHOLE(i) - ELEMENT(table, 0u, i % COLUMNS);\n"
    "        sum += away * away + 100000000000l;\n"
    "    }\n"
    "    return sum;\n"
    "}\n";

static struct shoal_objective *from_text(const char *text)
{
    static const double numbers[] = {3, -4, 5};
    struct shoal_objective *objective;
    assert_ok(strstr(text, "define TABLE")
                  ? shoal_objective_from_text_table(harness.shoal, text, "own.clh", numbers, 1,
                                                    sizeof numbers / sizeof *numbers, &objective, &test_error)
                  : shoal_objective_from_text(harness.shoal, text, "own.clh", &objective, &test_error));
    return objective;
}

/* Parameters of the algorithms that round. */
union params {
    struct shoal_search_params search;
    struct shoal_de_params de;
    struct shoal_cmaes_params cmaes;
    struct shoal_portfolio_params portfolio;
};

static void set(const char *name, const struct shoal_objective *objective, union params *params)
{
    shoal_workload_find(name)->params_init(params);
    params->search.objective = objective;
    params->search.precision = harness_has_fp64() ? SHOAL_FP64 : SHOAL_FP32;
    params->search.evaluations = 2000;
    params->search.seed = 5;
    params->search.refine = SHOAL_REFINE_NONE;
    if (strcmp(name, "de") == 0)
        params->de.population = params->de.population_end = 20;
}

/* Makes a search; returns its best value. */
static double search(const char *name, struct shoal_device *device, union params *params, double *x)
{
    struct shoal_result result = {0};
    struct shoal_solver *solver = harness_solver(name, device, params);
    while (harness_step(solver, 1000))
        continue;
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    const struct shoal_field *position = shoal_result_find(&result, "position");
    memcpy(x, position->reals, position->count * sizeof *x);
    const double value = result.value;
    shoal_solver_destroy(&solver);
    return value;
}

static void have_the_bits_of_reals(void **state)
{
    static const char *const names[] = {"de", "cmaes", "portfolio"};
    struct shoal_device *const devices[] = {test_host_device(harness.shoal), harness.device};
    struct shoal_objective *own = from_text(over_genes), *reals = from_text(over_reals);
    (void)state;
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        const char *name = names[i / 2];
        union params params;
        double x[DIM], wanted[DIM];
        if (i % 2 && !harness_takes_case())
            continue;
        set(name, own, &params);
        const double value = search(name, devices[i % 2], &params, x);
        set(name, reals, &params);
        params.search.variables = LIST;
        assert_true(value == search(name, devices[i % 2], &params, wanted));
        assert_memory_equal(x, wanted, sizeof x);
        for (size_t d = 1; d < DIM; d++)
            assert_true(d == 33 || x[d] == floor(x[d]));
    }
    shoal_objective_destroy(&own);
    shoal_objective_destroy(&reals);
}

/* Values beyond the integers of floats, a table of integers, constraints. */
static void whole_values(void **state)
{
    struct shoal_device *const devices[] = {test_host_device(harness.shoal), harness.device};
    struct shoal_objective *objective = from_text(whole);
    (void)state;
    for (size_t i = 0; i < 4 && harness_has_fp64(); i++) {
        union params params;
        double x[3];
        if (i % 2 && !harness_takes_case())
            continue;
        set("de", objective, &params);
        params.search.dim = 3;
        params.search.precision = SHOAL_FP32;
        params.search.subject_to = i >= 2 ? "n1 <= n2 + 4" : NULL;
        const double value = search("de", devices[i % 2], &params, x);
        assert_true(value == 300000000000 + (i >= 2 ? 5 : 0));
        assert_true(x[2] == 5 && (i >= 2 ? x[0] == x[1] + 4 : x[0] == 3 && x[1] == -4));
    }
    shoal_objective_destroy(&objective);
}

static void refuse(const char *name, const char *text, const char *words)
{
    struct shoal_objective *objective = from_text(text);
    struct shoal_solver *solver = NULL;
    union params params;
    set(name, objective, &params);
    params.search.dim = 3;
    assert_status(shoal_solver_create(shoal_workload_find(name), test_host_device(harness.shoal), NULL,
                                      &params, SHOAL_VARIANT_AUTO, &solver, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, words);
    shoal_objective_destroy(&objective);
}

static void others_are_refused(void **state)
{
    static const char order[] = "#define SHAPE OPAQUE\n"
                                "#define VARIABLES \"o1-oD order\"\n"
                                "static inline real objective_value(GENOME, uint dim)\n"
                                "{\n"
                                "    return (real)PLACE(0);\n"
                                "}\n",
                      dynamic[] = "#define SHAPE OPAQUE\n"
                                  "#define DYNAMIC\n"
                                  "#define VARIABLES \"n1-nD integer 0 9\"\n"
                                  "static inline real objective_value(GENOME, uint dim)\n"
                                  "{\n"
                                  "    return (real)WHOLE(0) + (real)GENERATION;\n"
                                  "}\n",
                      repairs[] = "#define SHAPE OPAQUE\n"
                                  "#define REPAIR\n"
                                  "#define VARIABLES \"n1-nD integer 0 9\"\n"
                                  "static inline real objective_value(GENOME, uint dim)\n"
                                  "{\n"
                                  "    return (real)WHOLE(0);\n"
                                  "}\n"
                                  "static inline void objective_repair(GENOME_MUTABLE, uint dim)\n"
                                  "{\n"
                                  "    SET_WHOLE(0, min(WHOLE(0), 5));\n"
                                  "}\n";
    (void)state;
    refuse("de", order, "o1 is an order");
    refuse("cmaes", dynamic, "depends on the generation, which cmaes does not take: take ga");
    refuse("de", repairs, "repairs individuals, which de does not take: take ga");
}

/* Integers are rounded; bits go to a genetic algorithm unless there are constraints. */
static void auto_takes_them(void **state)
{
    struct shoal_objective *genes = from_text(over_genes), *integers = from_text(whole);
    struct shoal_optimise_params params = SHOAL_OPTIMISE_PARAMS(.search.objective = genes);
    struct shoal_optimise_choice choice = {.size = sizeof choice};
    (void)state;
    assert_ok(shoal_optimise_choose(harness.shoal, &params, &choice, &test_error));
    assert_string_equal(choice.workload->name, "ga");
    params.search.subject_to = "n1 <= n2";
    assert_ok(shoal_optimise_choose(harness.shoal, &params, &choice, &test_error));
    assert_string_equal(choice.workload->name, "de");
    params.search.objective = integers;
    assert_ok(shoal_optimise_choose(harness.shoal, &params, &choice, &test_error));
    assert_string_equal(choice.workload->name, "de");
    /* Devices take a text of at most 4096 reals. */
    params.search.subject_to = NULL;
    params.search.dim = 4097;
    assert_ok(shoal_optimise_choose(harness.shoal, &params, &choice, &test_error));
    assert_string_equal(choice.workload->name, "de");
    params.on_devices = true;
    assert_ok(shoal_optimise_choose(harness.shoal, &params, &choice, &test_error));
    assert_string_equal(choice.workload->name, "ga");
    shoal_objective_destroy(&genes);
    shoal_objective_destroy(&integers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(have_the_bits_of_reals),
        cmocka_unit_test(whole_values),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(auto_takes_them),
    };
    return harness_main("search.own_variables", tests, sizeof tests / sizeof *tests);
}
