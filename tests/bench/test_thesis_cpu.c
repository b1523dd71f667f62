/* The CPU twins of the thesis against the formulas, written down once more: particle by particle, in long
 * double. */
#include "searches.h"
#include "unit.h"

#include "bench/pso/cpu.h"

#include <math.h>
#include <omp.h>
#include <shoal/pso.h>
#include <shoal/rng.h>

enum { MOST_PARTICLES = 70, MOST_DIM = 33, MOST_ROWS = 1000, STEPS = 4 };

static double rows[MOST_ROWS * (MOST_DIM + 1)];

static struct {
    double x[MOST_PARTICLES][MOST_DIM], v[MOST_PARTICLES][MOST_DIM], p[MOST_PARTICLES][MOST_DIM];
    double value[MOST_PARTICLES], best[MOST_PARTICLES];
    size_t leader;
} wanted;

static double formula(const struct thesis_problem *problem, const double *x)
{
    const long double turn = 6.28318530717958647692528676655900577L;
    const size_t dim = problem->dim;
    long double sum = 0;
    for (size_t j = 0; problem->function == THESIS_F5 && j < problem->row_count; j++) {
        const double *row = problem->rows + j * (dim + 1);
        long double residual = row[dim];
        for (size_t d = 0; d < dim; d++)
            residual -= (long double)x[d] * row[d];
        sum += residual * residual;
    }
    for (size_t d = 0; d < dim; d++) {
        const long double a = x[d], next = d + 1 < dim ? x[d + 1] : 0;
        if (problem->function == THESIS_F1)
            sum += sinl(a) + sinl(2 * a / 3);
        if (problem->function == THESIS_F2 && d + 1 < dim)
            sum += sinl(a + next) + sinl(2 * a * next / 3);
        if (problem->function == THESIS_F3)
            sum += a * a - 10 * cosl(turn * a) + 10;
        if (problem->function == THESIS_F4)
            sum += a * a;
    }
    return (double)sum;
}

/* The number of docs/pso.md: word x or z of the pair of dimensions, or with `second` y or w. */
static double number(const struct thesis_problem *problem, uint32_t stream, size_t step, size_t i, size_t d,
                     bool second)
{
    const struct shoal_words w =
        shoal_random_words(problem->seed, stream, (uint32_t)step, (uint32_t)i, (uint32_t)(d / 2));
    const uint32_t first_word = d % 2 ? w.z : w.x, second_word = d % 2 ? w.w : w.y;
    return (double)(second ? second_word : first_word) / 4294967296.0;
}

static void want_step(const struct thesis_problem *problem, size_t step)
{
    double goal[MOST_DIM];
    memcpy(goal, wanted.p[wanted.leader], sizeof goal);
    for (size_t i = 0; i < problem->particles; i++) {
        for (size_t d = 0; d < problem->dim; d++) {
            double *x = &wanted.x[i][d], *v = &wanted.v[i][d];
            if (step == 0) {
                const double width = problem->upper - problem->lower;
                *x = problem->lower + number(problem, SHOAL_STREAM_PSO_POSITION, 0, i, d, false) * width;
                *v = (2 * number(problem, SHOAL_STREAM_PSO_VELOCITY, 0, i, d, false) - 1) * width;
                continue;
            }
            const double r1 = number(problem, SHOAL_STREAM_PSO_MOVE, step, i, d, false),
                         r2 = number(problem, SHOAL_STREAM_PSO_MOVE, step, i, d, true);
            *v = problem->inertia * *v + problem->pull * r1 * (wanted.p[i][d] - *x) +
                 problem->pull * r2 * (goal[d] - *x);
            *x += *v;
        }
        wanted.value[i] = formula(problem, wanted.x[i]);
        if (step == 0 || wanted.value[i] < wanted.best[i]) {
            wanted.best[i] = wanted.value[i];
            memcpy(wanted.p[i], wanted.x[i], sizeof wanted.p[i]);
        }
    }
    wanted.leader = 0;
    for (size_t i = 1; i < problem->particles; i++)
        if (wanted.best[i] < wanted.best[wanted.leader])
            wanted.leader = i;
}

/* Sums of at most some thousand terms, rounded in another order and with fused multiply-adds; sines and
 * cosines to 1e-15 of arguments below 1000, so to 1e-13; what a step makes of it grows with the steps. */
static const double tolerance = 1e-11;

static void compare(const struct thesis_problem *problem, const struct thesis_twin *twin,
                    const struct thesis_swarm *swarm)
{
    double best[MOST_DIM];
    for (size_t i = 0; i < problem->particles; i++) {
        for (size_t d = 0; d < problem->dim; d++)
            assert_near(twin->position(swarm, i, d), wanted.x[i][d], tolerance * problem->upper);
        assert_close(twin->value(swarm, i), wanted.value[i], 100 * tolerance);
    }
    assert_close(twin->best(swarm, best), wanted.best[wanted.leader], 100 * tolerance);
    for (size_t d = 0; d < problem->dim; d++)
        assert_near(best[d], wanted.p[wanted.leader][d], tolerance * problem->upper);
}

static void compare_twin(const struct thesis_problem *problem, const struct thesis_twin *twin)
{
    struct thesis_swarm *swarm = twin->create(problem);
    assert_non_null(swarm);
    for (size_t step = 0; step <= STEPS; step++) {
        want_step(problem, step);
        if (step)
            twin->step(swarm);
        compare(problem, twin, swarm);
    }
    twin->evaluate(swarm);
    compare(problem, twin, swarm);
    twin->destroy(swarm);
}

static void compare_all(struct thesis_problem problem)
{
    problem.inertia = 0.7298;
    problem.pull = 1.49618;
    problem.seed = 0x123456789abcdef0;
    compare_twin(&problem, &thesis_scalar);
    assert_non_null(thesis_blocked_at(0));
    for (size_t i = 0; thesis_blocked_at(i); i++)
        compare_twin(&problem, thesis_blocked_at(i));
}

static void sums_over_dimensions(void **state)
{
    (void)state;
    static const size_t particles[] = {1, 16, 33}, dims[] = {1, 2, 31, 32, 33};
    static const double boxes[][2] = {{3, 13}, {3, 13}, {-5.12, 5.12}, {-5.12, 5.12}};
    for (int function = THESIS_F1; function <= THESIS_F4; function++)
        for (size_t i = 0; i < sizeof particles / sizeof *particles; i++)
            for (size_t j = 0; j < sizeof dims / sizeof *dims; j++)
                compare_all((struct thesis_problem){.function = (enum thesis_function)function,
                                                    .dim = dims[j],
                                                    .particles = particles[i],
                                                    .lower = boxes[function][0],
                                                    .upper = boxes[function][1]});
}

static void sums_over_rows(void **state)
{
    (void)state;
    static const size_t particles[] = {1, 9, 64, 70}, dims[] = {1, 4, 16, 33},
                        counts[] = {1, 127, 128, 129, 1000};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        rows[k] =
            shoal_uniform_double(shoal_random_words(7, SHOAL_STREAM_TEST, 0, (uint32_t)k, 0).x, 0) - 0.5;
    for (size_t i = 0; i < sizeof particles / sizeof *particles; i++)
        for (size_t j = 0; j < sizeof dims / sizeof *dims; j++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                compare_all((struct thesis_problem){.function = THESIS_F5,
                                                    .dim = dims[j],
                                                    .particles = particles[i],
                                                    .lower = -100,
                                                    .upper = 100,
                                                    .rows = rows,
                                                    .row_count = counts[k]});
}

/* Rows are shared out by threads where particles are few; neither their number nor that of the shares may
 * matter. */
static void any_number_of_threads(void **state)
{
    const int all = omp_get_max_threads();
    static const int threads[] = {1, 3};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        omp_set_num_threads(threads[i]);
        sums_over_rows(state);
    }
    omp_set_num_threads(all);
}

/* The twins are the host solver with the thesis's options: the same search, step for step. */
static void same_search_as_the_host_solver(void **state)
{
    (void)state;
    enum { PARTICLES = 37, DIM = 5, COUNT = 2 * PARTICLES * DIM };
    struct thesis_problem problem = {.function = THESIS_F3,
                                     .dim = DIM,
                                     .particles = PARTICLES,
                                     .lower = -5.12,
                                     .upper = 5.12,
                                     .inertia = 0.7298,
                                     .pull = 1.49618,
                                     .seed = 11};
    struct shoal *shoal = unit_open();
    struct shoal_device *host;
    struct shoal_solver *solver;
    struct shoal_pso_params params;
    double values[COUNT];
    size_t count;
    assert_ok(shoal_device_select(shoal, "host", 0, &host, 1, &count, &test_error));
    test_pso_params_init(&params);
    params.search.objective = shoal_objective_find("rastrigin");
    params.search.dim = DIM;
    params.particles = PARTICLES;
    params.bounds = SHOAL_PSO_UNBOUNDED;
    params.initial_velocity = SHOAL_PSO_RANGE;
    params.search.seed = problem.seed;
    assert_ok(shoal_solver_create(shoal_workload_find("pso"), host, NULL, &params, SHOAL_VARIANT_AUTO,
                                  &solver, &test_error));
    struct thesis_swarm *scalar = thesis_scalar.create(&problem),
                        *blocked = thesis_blocked()->create(&problem);
    for (uint64_t step = 1, done; step <= STEPS; step++) {
        assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
        assert_ok(shoal_solver_state(solver, values, COUNT, &count, &test_error));
        assert_int_equal(count, COUNT);
        thesis_scalar.step(scalar);
        thesis_blocked()->step(blocked);
        for (size_t i = 0; i < PARTICLES; i++)
            for (size_t d = 0; d < DIM; d++) {
                assert_near(thesis_scalar.position(scalar, i, d), values[d * PARTICLES + i],
                            tolerance * problem.upper);
                assert_near(thesis_blocked()->position(blocked, i, d), values[d * PARTICLES + i],
                            tolerance * problem.upper);
            }
    }
    thesis_scalar.destroy(scalar);
    thesis_blocked()->destroy(blocked);
    shoal_solver_destroy(&solver);
    shoal_close(&shoal);
}

/* A move is the step without what follows it: values and bests stay. */
static void compare_move(const struct thesis_problem *problem, const struct thesis_twin *twin)
{
    struct thesis_swarm *swarm = twin->create(problem);
    double x[MOST_DIM], v[MOST_DIM], p[MOST_DIM], before[MOST_PARTICLES][MOST_DIM];
    want_step(problem, 0);
    for (size_t i = 0; i < problem->particles; i++)
        memcpy(before[i], wanted.x[i], sizeof before[i]);
    const double value = twin->value(swarm, 0), best = twin->best(swarm, NULL);
    want_step(problem, 1);
    twin->move(swarm);
    for (size_t i = 0; i < problem->particles; i++) {
        twin->particle(swarm, i, x, v, p);
        for (size_t d = 0; d < problem->dim; d++) {
            assert_near(x[d], wanted.x[i][d], tolerance * problem->upper);
            assert_near(v[d], wanted.v[i][d], tolerance * problem->upper);
            assert_near(p[d], before[i][d], tolerance * problem->upper);
            assert_true(x[d] == twin->position(swarm, i, d));
        }
    }
    assert_true(twin->value(swarm, 0) == value);
    assert_true(twin->best(swarm, NULL) == best);
    twin->destroy(swarm);
}

static void moves_alone(void **state)
{
    (void)state;
    static const size_t particles[] = {1, 16, 33}, dims[] = {1, 2, 33};
    for (size_t i = 0; i < sizeof particles / sizeof *particles; i++)
        for (size_t j = 0; j < sizeof dims / sizeof *dims; j++) {
            const struct thesis_problem problem = {.function = THESIS_F4,
                                                   .dim = dims[j],
                                                   .particles = particles[i],
                                                   .lower = -5.12,
                                                   .upper = 5.12,
                                                   .inertia = 0.7298,
                                                   .pull = 1.49618,
                                                   .seed = 5};
            compare_move(&problem, &thesis_scalar);
            for (size_t k = 0; thesis_blocked_at(k); k++)
                compare_move(&problem, thesis_blocked_at(k));
        }
}

static void assert_least(const double *values, size_t count, size_t place)
{
    assert_int_equal(thesis_least(&thesis_scalar, values, count), place);
    for (size_t i = 0; thesis_blocked_at(i); i++)
        assert_int_equal(thesis_least(thesis_blocked_at(i), values, count), place);
}

/* The least anywhere, once and again later; numbers that fall all the way; numbers all alike. */
static void least_and_its_place(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    static const size_t counts[] = {1, 2, 15, 16, 17, 1023, 1024, 1025, 1040, 2049, MOST};
    static const int threads[] = {1, 2, 5};
    static double values[MOST];
    const int all = omp_get_max_threads();
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        omp_set_num_threads(threads[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t count = counts[c];
            for (size_t i = 0; i < count; i++)
                values[i] = 1 + (double)(i * 7919 % 1000);
            for (size_t place = 0; place < count; place += place < 40 ? 1 : 97) {
                const size_t again = (place + count) / 2;
                const double kept = values[place], other = values[again];
                values[place] = -1;
                values[again] = -1;
                assert_least(values, count, place);
                values[again] = other;
                values[place] = -1;
                assert_least(values, count, place);
                values[place] = kept;
            }
            for (size_t i = 0; i < count; i++)
                values[i] = -(double)i;
            assert_least(values, count, count - 1);
            for (size_t i = 0; i < count; i++)
                values[i] = (double)INFINITY;
            assert_least(values, count, 0);
        }
    }
    omp_set_num_threads(all);
}

static void too_many_dimensions_for_rows(void **state)
{
    (void)state;
    const struct thesis_problem problem = {
        .function = THESIS_F5, .dim = THESIS_DIM_LIMIT + 1, .particles = 1, .rows = rows, .row_count = 1};
    assert_null(thesis_blocked()->create(&problem));
}

static void twins_name_their_compiler(void **state)
{
    (void)state;
    assert_contains(thesis_scalar.compiler, "-fno-tree-vectorize");
    for (size_t i = 0; thesis_blocked_at(i); i++)
        assert_contains(thesis_blocked_at(i)->compiler, "-O3");
    thesis_scalar.destroy(NULL);
    thesis_blocked()->destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_dimensions),
        cmocka_unit_test(sums_over_rows),
        cmocka_unit_test(any_number_of_threads),
        UNIT_TEST(same_search_as_the_host_solver),
        cmocka_unit_test(moves_alone),
        cmocka_unit_test(least_and_its_place),
        cmocka_unit_test(too_many_dimensions_for_rows),
        cmocka_unit_test(twins_name_their_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
