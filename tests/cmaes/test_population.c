/* The rules of a population themselves: points outside the box, points from outside of the search, each end
 * by one change to a population that goes on, and checkpoints of another rule for constraints. */
#include "open.h"

#include "cmaes/model/problem.h"
#include "objective/constraints/constraints.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <shoal/rng.h>
#include <string.h>

#include "lib/host.h"

#define WG         1
#define INLINE     inline
#define CMA_RANKED 4 /* the tests of devices have ranks of single points, too */
#define CMA_SPACE
#include "cmaes/model/update.clh"

enum { DIM = 6, LAMBDA = 9, MOST = 1, RING = 10 + (30 * DIM + LAMBDA - 1) / LAMBDA, MANY = 640 };

/* A population of which every array has room, at a generation at which the history is looked at. Its values
 * are from 1 to 2, and those of earlier generations are higher. */
struct population {
    struct cma_view view;
    struct cma_record record;
    double constants[(MOST + 1) * CMA_CONSTANTS], numbers[CMA_VECTORS * DIM + DIM * (DIM + 1)],
        z[LAMBDA * DIM], y[LAMBDA * DIM], best[RING], history[2 * CMA_HISTORY], values[LAMBDA << MOST],
        weights[LAMBDA << MOST];
    double least, most;
};

static void begin(struct population *p, int32_t form)
{
    struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS(.form = form);
    memset(p, 0, sizeof *p);
    for (size_t k = 0; k <= MOST; k++)
        cmaes_set_constants(&params, DIM, (size_t)LAMBDA << k, p->constants + k * CMA_CONSTANTS);
    p->view = (struct cma_view){.dim = DIM,
                                .lambda = LAMBDA,
                                .form = (uint)form,
                                .restarts = CMA_IPOP,
                                .most = MOST,
                                .ring = RING,
                                .seed = 1,
                                .sigma = 0.3,
                                .constants = p->constants,
                                .numbers = p->numbers,
                                .z = p->z,
                                .y = p->y,
                                .best = p->best,
                                .history = p->history,
                                .values = p->values,
                                .weights = p->weights};
    cma_begin_run(&p->view, &p->record);
    p->record.word[CMA_GENERATION] = MANY;
    p->record.word[CMA_STRIDE] = 4;
    p->record.word[CMA_RECORDS] = MANY / 4;
    for (size_t i = 0; i < MANY / 4; i++)
        p->history[i] = p->history[CMA_HISTORY + i] = MANY - (double)i;
    for (size_t i = 0; i < RING; i++)
        p->best[i] = 3;
    p->least = 1;
    p->most = 2;
}

static double *factor(struct population *p, uint c)
{
    return cma_factor(&p->view) + (p->view.form == CMA_FULL ? cma_column(&p->view, c) + c : c);
}

static double *variance(struct population *p, uint c)
{
    return cma_covariance(&p->view) + (p->view.form == CMA_FULL ? cma_column(&p->view, c) + c : c);
}

static void nothing(struct population *p)
{
    (void)p;
}

static void equal_values(struct population *p)
{
    for (size_t i = 0; i < RING; i++)
        p->best[i] = p->least;
    p->most = p->least + 9e-13;
}

/* The ring is not full. */
static void equal_values_early(struct population *p)
{
    equal_values(p);
    p->record.word[CMA_GENERATION] = RING - 2;
}

static void one_value_differs(struct population *p)
{
    equal_values(p);
    p->best[RING / 2] += 1e-11;
}

static void tiny_steps(struct population *p)
{
    p->record.sigma = 1e-13;
    for (size_t d = 0; d < DIM; d++)
        cma_vector(&p->view, CMA_MEAN)[d] = 0;
}

/* A long path says that the population still moves. */
static void tiny_steps_with_a_path(struct population *p)
{
    tiny_steps(p);
    cma_vector(&p->view, CMA_C_PATH)[2] = 20;
}

static void huge_steps(struct population *p)
{
    p->record.sigma = 1.1e4 * p->record.sigma_start;
}

static void thin(struct population *p)
{
    *factor(p, 3) = 0.9e-7;
}

static void almost_thin(struct population *p)
{
    *factor(p, 3) = 1.1e-7;
}

/* The mean is 0.5 or so, whose last bit is 1e-16: a fifth of a step is less. The path keeps the population
 * from ending by tolx. */
static void coordinate_without_effect(struct population *p)
{
    cma_vector(&p->view, CMA_MEAN)[4] = 0.5;
    *variance(p, 4) = 1e-32;
}

/* A tenth of the step along the axis whose turn it is, that of the generation, is less than the last bit. */
static void axis_without_effect(struct population *p)
{
    const uint axis = MANY % DIM;
    cma_vector(&p->view, CMA_MEAN)[axis] = 0.5;
    p->record.sigma = 1e-9;
    *factor(p, axis) = 2e-7;
}

static void another_axis(struct population *p)
{
    axis_without_effect(p);
    p->record.word[CMA_GENERATION]++;
}

static void no_progress(struct population *p)
{
    for (size_t i = 0; i < MANY / 4; i++)
        p->history[i] = p->history[CMA_HISTORY + i] = 5;
}

static void medians_progress(struct population *p)
{
    for (size_t i = 0; i < MANY / 4; i++)
        p->history[i] = 5;
}

/* The history is looked at every 128 generations. */
static void no_progress_between_looks(struct population *p)
{
    no_progress(p);
    p->record.word[CMA_GENERATION] += 64;
}

static const struct {
    const char *name;
    void (*change)(struct population *);
    uint end;
} cases[] = {
    {"nothing", nothing, CMA_RUNS},
    {"equal values", equal_values, CMA_END_TOL_FUN},
    {"equal values in a young population", equal_values_early, CMA_RUNS},
    {"one value differs", one_value_differs, CMA_RUNS},
    {"tiny steps", tiny_steps, CMA_END_TOL_X},
    {"tiny steps and a path", tiny_steps_with_a_path, CMA_RUNS},
    {"huge steps", huge_steps, CMA_END_TOL_X_UP},
    {"a condition above 1e14", thin, CMA_END_CONDITION},
    {"a condition below 1e14", almost_thin, CMA_RUNS},
    {"no effect on a coordinate", coordinate_without_effect, CMA_END_NO_EFFECT_COORDINATE},
    {"no effect on an axis", axis_without_effect, CMA_END_NO_EFFECT_AXIS},
    {"no effect on another axis", another_axis, CMA_RUNS},
    {"no progress", no_progress, CMA_END_STAGNATION},
    {"the medians progress", medians_progress, CMA_RUNS},
    {"no progress between looks", no_progress_between_looks, CMA_RUNS},
};

static void test_ends(void **state)
{
    static const int32_t forms[] = {SHOAL_CMAES_FULL, SHOAL_CMAES_SEPARABLE};
    struct population p;
    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            begin(&p, forms[f]);
            cases[i].change(&p);
            cma_find_widths(&p.view);
            const uint end = cma_end_of(&p.view, &p.record, p.least, p.most);
            if (end != cases[i].end)
                fail_msg("%s, form %d: end %u, not %u", cases[i].name, (int)forms[f], end, cases[i].end);
        }
}

/* A matrix without a factor ends the population, and a population of twice the size begins. */
static void test_not_definite(void **state)
{
    struct population p;
    (void)state;
    begin(&p, SHOAL_CMAES_FULL);
    p.record.word[CMA_GENERATION] = 2 * (uint)p.constants[CMA_GAP] - 1;
    for (size_t i = 0; i < LAMBDA; i++)
        p.values[i] = (double)i;
    *variance(&p, 2) = -1;
    cma_end_generation(&p.view, &p.record, 100);
    assert_int_equal(p.record.word[CMA_LAST_END], CMA_END_CONDITION);
    assert_int_equal(p.record.word[CMA_RESTARTS], 1);
    assert_int_equal(p.record.word[CMA_DOUBLINGS], 1);
    assert_int_equal(p.record.word[CMA_RESTART_STEP], 101);
}

/* Blocks of points, the last of them not full, are ranked as single points are; equal values, some within a
 * block and some in two, and infinite ones by their numbers. */
static void test_ranks(void **state)
{
    static const double values[LAMBDA << MOST] = {3, 1, 3,        2, 3, 1, INFINITY, 2, 5,
                                                  5, 0, INFINITY, 3, 2, 1, INFINITY, 0, 3};
    (void)state;
    for (uint doublings = 0; doublings <= MOST; doublings++) {
        struct population p;
        begin(&p, SHOAL_CMAES_FULL);
        memcpy(p.values, values, sizeof values);
        p.record.word[CMA_DOUBLINGS] = doublings;
        const uint count = cma_points(&p.view, &p.record);
        cma_rank(&p.view, &p.record);
        for (uint i = 0; i < count; i++) {
            uint rank = 0;
            for (uint j = 0; j < count; j++)
                rank += values[j] < values[i] || (values[j] == values[i] && j < i);
            assert_true(p.weights[i] == cma_weight(&p.view, &p.record, rank));
        }
    }
}

static void turn_back(struct population *p, uint n)
{
    for (uint d = 0; d < DIM; d++)
        cma_turn_back(&p->view, &p->record, n, d);
    cma_turn_normal(&p->view, n);
}

/* A point that a wide distribution draws outside the box has the step of the mirrored point, no longer than
 * normal vectors. */
static void test_outside(void **state)
{
    static const int32_t forms[] = {SHOAL_CMAES_FULL, SHOAL_CMAES_SEPARABLE};
    const double most = sqrt(DIM) + 2.0 * DIM / (DIM + 2);
    struct population p;
    (void)state;
    for (size_t k = 0; k < 2 * sizeof forms / sizeof *forms; k++) {
        const bool is_far = k % 2 > 0;
        double square = 0, moved[DIM];
        begin(&p, forms[k / 2]);
        p.record.sigma = is_far ? 0.105 : 0.5;
        for (uint d = 0; d < DIM; d++) {
            *factor(&p, d) = 1;
            if (forms[k / 2] == SHOAL_CMAES_FULL && d + 1 < DIM)
                factor(&p, d)[1] = 0.25;
            cma_vector(&p.view, CMA_MEAN)[d] = 0.5;
        }
        double *y = p.y + DIM, *z = p.z + DIM;
        for (size_t d = 0; d < DIM; d++)
            y[d] = (0.55 + 0.01 * (double)d) / p.record.sigma;
        for (size_t d = 0; d < DIM; d++)
            moved[d] = (cma_mirror(0.5 + p.record.sigma * y[d]) - 0.5) / p.record.sigma;
        turn_back(&p, 1);
        for (size_t d = 0; d < DIM; d++)
            square += z[d] * z[d];
        const double factor_of_y = y[1] / moved[1];
        assert_true(is_far ? factor_of_y < 0.9 : factor_of_y == 1);
        assert_true(sqrt(square) <= most * (1 + 1e-12));
        if (is_far)
            assert_near(sqrt(square), most, 1e-12);
        cma_transform(&p.view, p.y, z);
        for (size_t d = 0; d < DIM; d++) {
            assert_near(p.y[d], y[d], 1e-12);
            assert_near(y[d], factor_of_y * moved[d], 1e-12);
        }
    }
}

/* A point inside, and any point of a narrow distribution, keeps its step to the last bit. */
static void test_inside(void **state)
{
    struct population p;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        begin(&p, SHOAL_CMAES_FULL);
        p.record.sigma = k ? 0.3 : 0.099;
        for (size_t d = 0; d < DIM; d++) {
            cma_vector(&p.view, CMA_MEAN)[d] = k ? 0.5 : 0.01;
            p.y[d] = p.z[d] = 0.3 * (double)d - 1;
        }
        turn_back(&p, 0);
        for (size_t d = 0; d < DIM; d++)
            assert_true(p.y[d] == 0.3 * (double)d - 1 && p.z[d] == p.y[d]);
    }
}

/* Moves the mean of a population towards a point. */
static void inject(struct population *p, const double *point)
{
    static const double lower[DIM] = {0, -1, -2, -3, -4, -5}, upper[DIM] = {1, 1, 1, 1, 1, 1};
    const struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS(.form = (int32_t)p->view.form);
    const struct cmaes_problem problem = {
        .search = {.dim = DIM, .lower = (double *)lower, .upper = (double *)upper},
        .params = &params,
        .constants = p->constants};
    cmaes_inject(&problem, p->record.word, p->record.sigma, point, p->numbers);
}

/* The steps of the mean and of the paths are one step y = A z. A near point becomes the mean; a far one is
 * approached by a step of bounded length, which is added to paths that are not 0. */
static void test_inject(void **state)
{
    static const int32_t forms[] = {SHOAL_CMAES_FULL, SHOAL_CMAES_SEPARABLE};
    static const double point[DIM] = {0.9, 0.4, -0.2, -0.1, 0.5, -4.4};
    struct population p;
    (void)state;
    for (size_t k = 0; k < 2 * sizeof forms / sizeof *forms; k++) {
        const bool is_far = k % 2 > 0;
        double before_sigma[DIM], before_c[DIM];
        begin(&p, forms[k / 2]);
        p.record.sigma = is_far ? 1e-3 : 0.5;
        for (uint d = 0; d < DIM; d++) {
            *factor(&p, d) = 1 + 0.25 * d;
            if (forms[k / 2] == SHOAL_CMAES_FULL && d + 1 < DIM)
                factor(&p, d)[1] = 0.25;
            cma_vector(&p.view, CMA_MEAN)[d] = 0.5;
            cma_vector(&p.view, CMA_SIGMA_PATH)[d] = before_sigma[d] = is_far ? 0.75 - 0.5 * d : 0;
            cma_vector(&p.view, CMA_C_PATH)[d] = before_c[d] = is_far ? 0.25 * d - 1.5 : 0;
        }
        inject(&p, point);
        const double mueff = cma_constant(&p.view, &p.record, CMA_MUEFF),
                     c_sigma = cma_constant(&p.view, &p.record, CMA_C_SIGMA),
                     c_c = cma_constant(&p.view, &p.record, CMA_C_C),
                     scale = sqrt(c_sigma * (2 - c_sigma) * mueff);
        double z[DIM], y[DIM], square = 0, part = 0;
        for (size_t d = 0; d < DIM; d++) {
            z[d] = (cma_vector(&p.view, CMA_SIGMA_PATH)[d] - before_sigma[d]) / scale;
            square += z[d] * z[d];
        }
        cma_transform(&p.view, y, z);
        for (size_t d = 0; d < DIM; d++) {
            const double whole = (point[d] + (double)d) / (1 + (double)d) - 0.5,
                         step = cma_vector(&p.view, CMA_MEAN)[d] - 0.5;
            part = d ? part : step / whole;
            assert_near(step, p.record.sigma * y[d], 1e-14);
            assert_near(step, part * whole, 1e-14);
            assert_near(cma_vector(&p.view, CMA_C_PATH)[d] - before_c[d],
                        sqrt(c_c * (2 - c_c) * mueff) * y[d], 1e-12);
        }
        if (is_far)
            assert_near(sqrt(square * mueff), sqrt(2.0 * DIM) + 2.0 * DIM / (DIM + 2), 1e-12);
        else
            assert_near(part, 1, 1e-14);
    }
}

/* Between two parts of a generation, in the limited form, and in a population that is too narrow for the
 * point, the mean stays. */
static void test_inject_nothing(void **state)
{
    static const double point[DIM] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    struct population p;
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        begin(&p, k == 1 ? SHOAL_CMAES_LIMITED : SHOAL_CMAES_FULL);
        p.record.word[CMA_PART] = k == 0;
        p.record.sigma = k == 2 ? 1e-320 : 0.1;
        const struct population before = p;
        inject(&p, point);
        for (size_t vector = CMA_MEAN; vector <= CMA_C_PATH; vector++)
            assert_memory_equal(p.numbers + vector * DIM, before.numbers + vector * DIM,
                                DIM * sizeof(double));
    }
}

/* A checkpoint of Deb's rules has no coefficients of an augmented Lagrangian. */
static void test_rule_of_a_checkpoint(void **state)
{
    (void)state;
    const struct constrained constrained = {.count = 1};
    struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS(.constraint_rule = SHOAL_CMAES_LAGRANGIAN);
    const struct cmaes_problem problem = {.search.constrained = &constrained, .params = &params};
    struct checkpoint checkpoint = {.path = "some.ckpt"};
    assert_status(cmaes_check_state(&problem.search, &checkpoint, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "some.ckpt was made with --constraint-rule deb");
    params.constraint_rule = SHOAL_CMAES_DEB;
    assert_ok(cmaes_check_state(&problem.search, &checkpoint, &test_error));
    params.constraint_rule = SHOAL_CMAES_LAGRANGIAN;
    checkpoint_add(&checkpoint, "lagrangian", "", 0);
    assert_ok(cmaes_check_state(&problem.search, &checkpoint, &test_error));
    checkpoint_clear(&checkpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outside), cmocka_unit_test(test_inside),
        cmocka_unit_test(test_inject),  cmocka_unit_test(test_inject_nothing),
        cmocka_unit_test(test_ends),    cmocka_unit_test(test_not_definite),
        cmocka_unit_test(test_ranks),   cmocka_unit_test(test_rule_of_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
