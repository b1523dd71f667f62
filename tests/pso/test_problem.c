/* From parameters to a search: defaults, folded constants, boxes, and every combination that is refused. */
#include "fixture.h"
#include "searches.h"

#include "pso/model/problem.h"

#include <math.h>

static struct shoal_pso_params params;
static struct pso_problem problem;

static int set_defaults(void **state)
{
    test_pso_params_init(&params);
    return set_up(state);
}

static void make(void)
{
    search_problem_destroy(&problem.search);
    assert_ok(pso_problem_create(shoal, &params, &problem, &test_error));
}

/* Refused with one line that holds `part`; the parameters are the defaults again afterwards. */
static void refuse(const char *part)
{
    search_problem_destroy(&problem.search);
    enum shoal_status status =
        shoal_workload_validate(NULL, shoal_workload_find("pso"), &params, &test_error);
    if (!status)
        status = pso_problem_create(shoal, &params, &problem, &test_error);
    assert_status(status, SHOAL_INVALID);
    assert_contains(test_error.message, part);
    assert_lacks(test_error.message, "\n");
    assert_null(problem.search.lower);
    test_pso_params_init(&params);
}

static void test_defaults(void **state)
{
    (void)state;
    make();
    assert_string_equal(problem.search.info->name, "rastrigin");
    assert_null(problem.search.own);
    assert_int_equal(problem.search.dim, 30);
    assert_int_equal(problem.search.members, 1024);
    assert_int_equal(problem.batch, 1024);
    assert_int_equal(problem.search.max_steps, 2000);
    assert_true(problem.search.same_box && problem.search.sign == 1 && problem.search.target == -INFINITY);
    assert_true(problem.search.lower[29] == -5.12 && problem.search.upper[29] == 5.12 &&
                problem.search.shift[29] == 0);
    assert_int_equal(problem.initial_velocity, SHOAL_PSO_HALF_DIFFERENCE);
    assert_int_equal(problem.neighbours, 2);
    assert_true(pso_evaluation_bytes(&problem.search, SHOAL_FP32) == 5 * 30 * 4);
    assert_true(pso_evaluation_bytes(&problem.search, SHOAL_FP64) == 5 * 30 * 8);
    params.search.islands = 3;
    params.search.runs = 5;
    params.batch = 2000;
    params.search.maximise = true;
    params.search.target = 7;
    params.topology = SHOAL_PSO_RANDOM;
    params.update = SHOAL_PSO_SPSO2011;
    make();
    assert_int_equal(problem.search.islands, 15);
    assert_int_equal(problem.search.total, 15 * 1024);
    assert_int_equal(problem.batch, 1024);
    assert_true(problem.search.sign == -1 && problem.search.target == -7);
    assert_int_equal(problem.neighbours, 3 * LINK_DRAWS);
    assert_int_equal(problem.initial_velocity, SHOAL_PSO_DIFFERENCE);
    search_problem_destroy(&problem.search);
    search_problem_destroy(&problem.search);
}

static void test_constants(void **state)
{
    (void)state;
    const double chi = 0.72984378812835757; /* of phi = 4.1, with 17 digits */
    static const struct {
        double inertia, cognitive, social;
    } wanted[] = {[SHOAL_PSO_INERTIA] = {0.7298, 1.49618, 1.49618},
                  [SHOAL_PSO_LINEAR] = {0.9, 2, 2},
                  [SHOAL_PSO_CONSTRICTION] = {0.72984378812835757, 1.4961797656631331, 1.4961797656631331},
                  [SHOAL_PSO_SPSO2011] = {0.72134752044448170, 1.1931471805599453, 1.1931471805599453},
                  [SHOAL_PSO_FIPS] = {0.72984378812835757, 0, 2.9923595313262662}};
    for (int32_t update = SHOAL_PSO_INERTIA; update <= SHOAL_PSO_FIPS; update++) {
        test_pso_params_init(&params);
        params.update = update;
        params.topology = SHOAL_PSO_RING;
        make();
        assert_close(problem.inertia, wanted[update].inertia, 1e-12);
        assert_close(problem.cognitive, wanted[update].cognitive, 1e-12);
        assert_close(problem.social, wanted[update].social, 1e-12);
        assert_true((problem.inertia_step != 0) == (update == SHOAL_PSO_LINEAR));
    }
    test_pso_params_init(&params);
    params.update = SHOAL_PSO_LINEAR;
    params.search.iterations = 11;
    make();
    assert_close(pso_inertia(&problem, 1), 0.9, 1e-12);
    assert_close(pso_inertia(&problem, 6), 0.65, 1e-12);
    assert_close(pso_inertia(&problem, 11), 0.4, 1e-12);
    params.search.iterations = 1;
    make();
    assert_close(pso_inertia(&problem, 1), 0.9, 1e-12);
    params = (struct shoal_pso_params){0};
    test_pso_params_init(&params);
    params.update = SHOAL_PSO_CONSTRICTION;
    params.cognitive = 1.3;
    params.social = 2.8;
    make();
    assert_close(problem.inertia, chi, 1e-12);
    assert_close(problem.social, 2.8 * chi, 1e-12);
    search_problem_destroy(&problem.search);
}

static void test_torus(void **state)
{
    (void)state;
    static const size_t columns[][2] = {
        {1, 1}, {2, 2}, {4, 2}, {7, 7}, {12, 4}, {40, 8}, {49, 7}, {1000, 40}, {1 << 20, 1 << 10}};
    params.topology = SHOAL_PSO_VON_NEUMANN;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        params.particles = columns[i][0];
        make();
        assert_int_equal(problem.columns, columns[i][1]);
    }
    search_problem_destroy(&problem.search);
}

static void test_box(void **state)
{
    (void)state;
    const double lower[3] = {-1, -2, -3}, upper[3] = {1, 5, 4};
    params.search.dim = 3;
    params.search.lower_bounds = lower;
    params.search.upper_bounds = upper;
    make();
    assert_false(problem.search.same_box);
    assert_memory_equal(problem.search.lower, lower, sizeof lower);
    assert_memory_equal(problem.search.upper, upper, sizeof upper);
    test_pso_params_init(&params);
    params.search.lower = 1;
    make();
    assert_true(problem.search.same_box && problem.search.lower[7] == 1 && problem.search.upper[7] == 5.12);
    /* Moved, whatever the seed; f at the shift is the least value. */
    params.search.shift = 2;
    params.search.lower = NAN;
    make();
    double first[30], scratch[30];
    assert_false(problem.search.same_box);
    memcpy(first, problem.search.shift, sizeof first);
    assert_near(search_value(&problem.search, first, scratch), 0, 1e-12);
    params.search.seed = 99;
    make();
    assert_memory_equal(problem.search.shift, first, sizeof first);
    for (size_t d = 0; d < 30; d++)
        assert_true(fabs(first[d]) <= 2 && first[d] != first[(d + 1) % 30]);
    params.search.maximise = true;
    make();
    assert_true(search_value(&problem.search, problem.search.upper, scratch) < -100);
    search_problem_destroy(&problem.search);
}

/* Each range of the list, the usual box where it has none. */
static void test_variables(void **state)
{
    (void)state;
    params.search.variables = "x1-x2 real -1 4, y real, z real 2 3";
    make();
    assert_int_equal(problem.search.dim, 4);
    assert_false(problem.search.same_box);
    const double lower[4] = {-1, -1, -5.12, 2}, upper[4] = {4, 4, 5.12, 3};
    assert_memory_equal(problem.search.lower, lower, sizeof lower);
    assert_memory_equal(problem.search.upper, upper, sizeof upper);
    params.search.variables = "x1-xD real";
    params.search.dim = 7;
    params.search.lower = 2;
    make();
    assert_int_equal(problem.search.dim, 7);
    assert_true(problem.search.same_box && problem.search.lower[6] == 2);
    search_problem_destroy(&problem.search);
}

static void test_refused_variables(void **state)
{
    (void)state;
    const double lower[1] = {0}, upper[1] = {1};
    params.search.variables = "x1-x2 real -1 4, y bool";
    refuse("variables, column 20: a kind is expected");
    params.search.variables = "x1-x2 real -1 4, y bit";
    refuse("y is a bit: pso takes reals alone");
    params.search.variables = "x1-x2 real -1 4 gray 16";
    refuse("x1 is a real coded in bits: pso takes reals alone");
    params.search.variables = "x1-x2 real -1 4";
    params.search.dim = 3;
    refuse("the list has 2 variables, not --dim 3");
    params.search.variables = "x1-x2 real -1 4, y real";
    params.search.expression = "sum(x[i])";
    refuse("y has no range: give it one in the list, as real -5 5, or --lower");
    params.search.variables = "x real 3 3";
    refuse("the bounds of each variable are equal, which fixes all of them: there is nothing to search");
    params.search.variables = "x real -1 1e16";
    refuse("the range of x, -1 to 1e+16, leaves that of searches");
    params.search.variables = "x real -1 1";
    params.search.lower_bounds = lower;
    params.search.upper_bounds = upper;
    refuse("put the ranges into the list");
    struct shoal_objective *bits;
    assert_ok(shoal_objective_from_text(shoal,
                                        "#define SHAPE OPAQUE\n"
                                        "#define VARIABLES \"x1-xD bit\"\n"
                                        "static inline real objective_value(GENOME, uint dim)\n"
                                        "{ return (real)BIT(dim - 1u); }\n",
                                        "bits.cl", &bits, &test_error));
    params.search.objective = bits;
    refuse("bits.cl is over genes (x1-xD bit): pso takes objectives over reals alone");
    shoal_objective_destroy(&bits);
    params.search.objective = shoal_objective_find("onemax");
    refuse("onemax is over genes (x1-xD bit): pso takes objectives over reals alone");
}

static void test_sources(void **state)
{
    (void)state;
    params.search.expression = "sum(x[i]^2)";
    params.search.lower = -1;
    params.search.upper = 1;
    make();
    assert_non_null(problem.search.own);
    assert_int_equal(problem.search.dim, 30);
    params.search.expression = NULL;
    test_write_text(test_path("table.csv"), "1,2,3\n4,5,6\n7,8,10\n");
    params.search.data_file = test_path("table.csv");
    make();
    assert_int_equal(problem.search.dim, 2);
    params.search.compressed = true;
    make();
    assert_contains(problem.search.info->name, "compressed");
    search_problem_destroy(&problem.search);
    test_pso_params_init(&params);
    params.search.objective_file = test_path("absent.cl");
    assert_status(pso_problem_create(shoal, &params, &problem, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "absent.cl");
    test_write_file(test_path("binary.cl"), "a\0b", 3);
    params.search.objective_file = test_path("binary.cl");
    assert_status(pso_problem_create(shoal, &params, &problem, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "NUL");
}

static void test_refused_sources(void **state)
{
    (void)state;
    params.search.objective = shoal_objective_find("sphere");
    params.search.expression = "sum(x[i])";
    refuse("use one");
    params.search.expression = "sum(x[i])";
    params.search.data_file = "table.csv";
    refuse("--expr does not go with --data");
    params.search.data_layout = "f8:2x2";
    refuse("data-layout");
    params.search.squared = true;
    refuse("squared");
    params.search.compressed = true;
    params.search.data_file = "table.csv";
    params.search.objective_file = "residual.cl";
    refuse("compressed");
    params.search.expression = "sum(x[i])";
    refuse("--lower and --upper");
    params.search.expression = "sum(x[i])";
    params.search.lower = 0;
    refuse("give --upper");
    params.search.objective = shoal_objective_find("rosenbrock");
    params.search.dim = 1;
    refuse("rosenbrock needs --dim 2");
}

static void test_refused_boxes(void **state)
{
    (void)state;
    const double lower[2] = {0, 6}, upper[2] = {1, 5}, far[2] = {1, 1e16};
    params.search.lower = 3;
    params.search.upper = 3;
    refuse("there is nothing to search");
    params.search.lower = 6; /* above the function's own upper end */
    refuse("box is empty");
    params.search.dim = 2;
    params.search.lower_bounds = lower;
    params.search.upper_bounds = upper;
    refuse("box is empty");
    params.search.dim = 2;
    params.search.lower_bounds = lower;
    params.search.upper_bounds = far;
    refuse("dimension 2");
    params.search.lower = 1;
    params.search.upper = 1.00000001;
    params.search.precision = SHOAL_FP64;
    make();
    search_problem_destroy(&problem.search);
}

static void test_refused_swarms(void **state)
{
    (void)state;
    params.topology = SHOAL_PSO_CLUSTERS;
    params.particles = 11;
    refuse("--particles 12 or more, there are 11");
    params.topology = SHOAL_PSO_RING;
    params.neighbours = 3;
    refuse("3 is odd");
    params.topology = SHOAL_PSO_RING;
    params.particles = 2;
    refuse("needs 3 particles");
    params.neighbours = 4;
    refuse("--neighbours needs --topology ring or random");
    params.update = SHOAL_PSO_CONSTRICTION;
    params.social = 1;
    refuse("above 4");
    params.update = SHOAL_PSO_FIPS;
    params.inertia = 0.5;
    refuse("--inertia needs --update inertia, linear or spso2011");
    params.inertia_end = 0.5;
    refuse("--inertia-end needs --update linear");
    params.update = SHOAL_PSO_SPSO2011;
    params.random = SHOAL_PSO_PHILOX16;
    refuse("--random needs --update inertia, linear or constriction");
    params.update = SHOAL_PSO_FIPS;
    params.scalar_random = true;
    refuse("--scalar-random needs --update inertia, linear or constriction");
    params.update = SHOAL_PSO_FIPS;
    params.particles = 1026;
    refuse("fips with --topology global");
    params.update = SHOAL_PSO_FIPS;
    params.topology = SHOAL_PSO_RING;
    params.particles = 1 << 20;
    make(); /* few neighbours are no trouble */
    test_pso_params_init(&params);
    params.search.exchange = 10;
    refuse("--exchange needs --swarms above 1");
    params.search.restart = params.search.stagnation = 10;
    refuse("--restart does not go with --stagnation; use one");
    params.particles = 1 << 20;
    params.search.runs = 1 << 10;
    refuse("lower --runs, --swarms or --particles");
    params.search.islands = 1 << 12;
    params.search.runs = 1 << 12;
    refuse("lower --runs or --swarms");
    /* Few steps after all. */
    params.search.iterations = 4000000000;
    params.search.evaluations = 1024000;
    make();
    assert_int_equal(problem.search.max_steps, 999);
    search_problem_destroy(&problem.search);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_defaults, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_defaults),      TEST(test_constants),
        TEST(test_torus),         TEST(test_box),
        TEST(test_variables),     TEST(test_refused_variables),
        TEST(test_sources),       TEST(test_refused_sources),
        TEST(test_refused_boxes), TEST(test_refused_swarms),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
