/* Objectives in rotated coordinates, on the host. */
#include "unit.h"

#include "objective/objective.h"

#include <math.h>

enum { DIM = 5 };

static struct shoal_objective *rotated(const char *name, uint64_t seed, size_t dim)
{
    struct shoal_objective *objective = NULL, *owned = NULL;
    assert_ok(objective_rotate(shoal_objective_find(name), &owned, seed, dim, &objective, &test_error));
    return objective;
}

static double value_of(const char *name, uint64_t seed, const double *x, size_t dim)
{
    struct shoal_objective *objective = rotated(name, seed, dim);
    const double value = shoal_objective_value(objective, x, dim);
    shoal_objective_destroy(&objective);
    return value;
}

static void lengths_stay_and_axes_turn(void **state)
{
    (void)state;
    const double x[DIM] = {0.5, -1.25, 2, 3.5, -0.75};
    const double sphere = shoal_objective_value(shoal_objective_find("sphere"), x, DIM);
    const double ellipsoid = shoal_objective_value(shoal_objective_find("ellipsoid"), x, DIM);
    for (uint64_t seed = 1; seed < 20; seed++) {
        test_label("seed %d", (int)seed);
        assert_near(value_of("sphere", seed, x, DIM), sphere, 1e-13 * sphere);
        assert_true(fabs(value_of("ellipsoid", seed, x, DIM) - ellipsoid) > 1e-3 * ellipsoid);
        assert_true(value_of("ellipsoid", seed, x, DIM) == value_of("ellipsoid", seed, x, DIM));
        assert_true(value_of("ellipsoid", seed, x, DIM) != value_of("ellipsoid", seed + 1, x, DIM));
    }
    /* One dimension has a reflection at most. */
    assert_near(value_of("sphere", 3, x, 1), 0.25, 1e-15);
}

/* Runs of earlier versions are repeated: the rotation of a seed never changes. */
static void rotation_of_a_seed_is_fixed(void **state)
{
    (void)state;
    const double x[3] = {1, 2, 3};
    assert_near(value_of("ellipsoid", 7, x, 3), 12972580.105376657, 1e-3);
}

static void minimum_stays_in_place(void **state)
{
    (void)state;
    static const char *const names[] = {"rastrigin",       "rosenbrock", "levy",
                                        "styblinski-tang", "schwefel",   "schwefel-1.2"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        struct shoal_objective *objective = rotated(names[f], 11, DIM);
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        double x[DIM];
        for (size_t d = 0; d < DIM; d++)
            x[d] = info->minimiser;
        test_label("%s", names[f]);
        const double least = shoal_objective_minimum(shoal_objective_find(names[f]), DIM);
        assert_true(shoal_objective_minimum(objective, DIM) == least);
        assert_near(shoal_objective_value(objective, x, DIM), least, 1e-11);
        assert_string_equal(info->name, names[f]);
        assert_true(info->min_dim == DIM && info->max_dim == DIM && info->shape == SHOAL_OPAQUE);
        shoal_objective_destroy(&objective);
    }
}

/* They have lower values outside of their boxes, from where a rotation brings them. */
static void minimum_of_the_box_alone_is_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {"michalewicz", "f2"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        struct shoal_objective *objective = rotated(names[f], 1, DIM);
        assert_true(isnan(shoal_objective_minimum(objective, DIM)));
        shoal_objective_destroy(&objective);
    }
}

static double first_coordinate(const double *x, size_t dim, void *data)
{
    (void)dim;
    (void)data;
    return x[0];
}

/* The objective that is given away is destroyed with the rotated one. */
static void functions_of_the_caller_are_for_the_host(void **state)
{
    (void)state;
    struct shoal_objective *own = NULL, *objective = NULL;
    struct shoal_kernel_text text;
    const double x[2] = {3, 4};
    assert_ok(shoal_objective_from_callback(first_coordinate, NULL, "first", &own, &test_error));
    assert_ok(objective_rotate(own, &own, 5, 2, &objective, &test_error));
    assert_null(own);
    const double first = shoal_objective_value(objective, x, 2);
    assert_true(fabs(first) <= 5 && first != 3);
    assert_status(objective_kernel_text(objective, &text, &test_error), SHOAL_UNSUPPORTED);
    shoal_objective_destroy(&objective);
}

static void others_are_refused(void **state)
{
    (void)state;
    struct shoal_objective *own = NULL, *objective = NULL;
    assert_status(objective_rotate(shoal_objective_find("f10"), &own, 1, 4, &objective, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "f10 is a sum over rows");
    assert_status(objective_rotate(shoal_objective_find("onemax"), &own, 1, 4, &objective, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "onemax is over genes");
    assert_status(objective_rotate(shoal_objective_find("sphere"), &own, 1, 513, &objective, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "up to 512 dimensions, not 513");
    assert_null(objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(lengths_stay_and_axes_turn),
        UNIT_TEST(rotation_of_a_seed_is_fixed),
        UNIT_TEST(minimum_stays_in_place),
        UNIT_TEST(minimum_of_the_box_alone_is_unknown),
        UNIT_TEST(functions_of_the_caller_are_for_the_host),
        UNIT_TEST(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
