/* The fast multipole method on the host against the direct sum. */
#include "points.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { TARGETS = 100 };

/* A case: points, law and accuracy. */
struct fmm_case {
    enum places places;
    size_t n;
    enum shoal_fmm_law law;
    double softening;
    bool both_signs;
    double accuracy;
};

static void check_case(const struct fmm_case *it)
{
    const size_t n = it->n, some = n < TARGETS ? n : TARGETS;
    double *places = fmm_places(it->places, n, 0), *charges = fmm_charges(it->both_signs, n),
           *field = calloc(2 * n, 8), *potential = calloc(n, 8), *wanted = calloc(2 * some, 8),
           *wanted_potential = calloc(some, 8);
    const struct shoal_fmm_params params = SHOAL_FMM_PARAMS(.law = it->law, .softening = it->softening,
                                                            .repulsion = 2, .accuracy = it->accuracy);
    struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = places, .charges = charges, .source_count = n, .target_count = some,
                         .potential = wanted_potential, .field = wanted);
    assert_ok(shoal_fmm_direct(&params, &points, &test_error));
    points.target_count = 0;
    points.potential = potential;
    points.field = field;
    assert_ok(shoal_fmm_on_host(&params, &points, &test_error));
    const double error = fmm_error(field, wanted, 2 * some),
                 potential_error = fmm_error(potential, wanted_potential, some);
    if (!(error <= it->accuracy) || !(potential_error <= it->accuracy))
        fail_msg("places %d, n %zu, law %d, softening %g: errors %g and %g, accuracy %g", (int)it->places, n,
                 (int)it->law, it->softening, error, potential_error, it->accuracy);
    /* Opposite forces of each pair of cells: rounding alone is left, of up to 10^4 terms. */
    if (!(fmm_sum_of_forces(charges, field, n) <= 1e-12))
        fail_msg("the sum of forces is %g of their lengths", fmm_sum_of_forces(charges, field, n));
    free(places);
    free(charges);
    free(field);
    free(potential);
    free(wanted);
    free(wanted_potential);
}

static void errors_are_as_asked(void **state)
{
    (void)state;
    for (unsigned digits = 1; digits <= 10; digits++) {
        const double accuracy = pow(10, -(double)digits);
        if (digits != 4 && !test_is_of_quick(digits))
            continue;
        const size_t n = accuracy < 1e-6 ? 1500 : 4000;
        check_case(&(struct fmm_case){EVEN, n, SHOAL_FMM_LOG, 1, false, accuracy});
        check_case(&(struct fmm_case){DROPLETS, n, SHOAL_FMM_LOG, 1e-6, true, accuracy});
    }
}

static void laws_are_kept(void **state)
{
    (void)state;
    check_case(&(struct fmm_case){EVEN, 3000, SHOAL_FMM_LOG_REPULSION, 1, true, 1e-4});
    check_case(&(struct fmm_case){EVEN, 3000, SHOAL_FMM_INVERSE, 1, true, 1e-4});
    check_case(&(struct fmm_case){DROPLETS, 3000, SHOAL_FMM_INVERSE, 0.01, false, 1e-4});
    check_case(&(struct fmm_case){EVEN, 3000, SHOAL_FMM_LOG, 0, true, 1e-4});
    /* a softening as long as several cells */
    check_case(&(struct fmm_case){EVEN, 3000, SHOAL_FMM_LOG, 100, false, 1e-4});
}

static void odd_places(void **state)
{
    (void)state;
    static const size_t few[] = {1, 2, 3, 65};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        for (int places = 0; places < PLACES; places++)
            check_case(&(struct fmm_case){(enum places)places, few[i], SHOAL_FMM_LOG, 1, true, 1e-4});
    check_case(&(struct fmm_case){CLUSTERS, 3000, SHOAL_FMM_LOG, 1e-3, false, 1e-4});
    check_case(&(struct fmm_case){CLUSTERS, 3000, SHOAL_FMM_LOG, 0, true, 1e-4});
    check_case(&(struct fmm_case){ON_A_LINE, 3000, SHOAL_FMM_LOG, 1, true, 1e-4});
    check_case(&(struct fmm_case){IN_ONE_PLACE, 300, SHOAL_FMM_LOG, 1, true, 1e-4});
    check_case(&(struct fmm_case){IN_ONE_PLACE, 300, SHOAL_FMM_LOG, 0, false, 1e-4});
}

/* Targets that are no sources, in and around the sources. */
static void other_targets(void **state)
{
    (void)state;
    enum { SOURCES = 3000, OTHERS = 300 };
    double *sources = fmm_places(DROPLETS, SOURCES, 0), *targets = fmm_places(EVEN, OTHERS, 1),
           field[2 * OTHERS], potential[OTHERS], wanted[2 * OTHERS], wanted_potential[OTHERS];
    for (size_t i = 0; i < OTHERS; i++)
        targets[2 * i] = 3 * targets[2 * i] - 1000;
    /* at the place of a source: with softening it adds its potential */
    targets[0] = sources[0];
    targets[1] = sources[1];
    const struct shoal_fmm_params params = SHOAL_FMM_PARAMS(.softening = 1, .accuracy = 1e-6);
    struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = sources, .source_count = SOURCES, .targets = targets,
                         .target_count = OTHERS, .potential = wanted_potential, .field = wanted);
    assert_ok(shoal_fmm_direct(&params, &points, &test_error));
    points.potential = potential;
    points.field = field;
    assert_ok(shoal_fmm_on_host(&params, &points, &test_error));
    assert_true(fmm_error(field, wanted, sizeof field / sizeof *field) <= 1e-6);
    assert_true(fmm_error(potential, wanted_potential, OTHERS) <= 1e-6);
    points.source_count = 0;
    assert_ok(shoal_fmm_on_host(&params, &points, &test_error));
    assert_true(field[0] == 0 && potential[OTHERS - 1] == 0);
    free(sources);
    free(targets);
}

static void wrong_arguments(void **state)
{
    (void)state;
    double place[] = {1, 2, 3, NAN}, field[4];
    struct shoal_fmm_params params = SHOAL_FMM_PARAMS(.softening = 1);
    struct shoal_fmm_points points = SHOAL_FMM_POINTS(.sources = place, .source_count = 1, .field = field);
    assert_ok(shoal_fmm_on_host(&params, &points, &test_error));
    assert_true(field[0] == 0 && field[1] == 0);
    points.source_count = 2;
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the position of point 1 is not a finite number");
    points.source_count = 1;
    points.target_count = 2;
    assert_status(shoal_fmm_direct(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "2 targets among 1 sources");
    points.target_count = 0;
    params.accuracy = 1e-11;
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "it must be 1e-10 to 0.1");
    params = SHOAL_FMM_PARAMS(.softening = -1);
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the softening is -1");
    params = SHOAL_FMM_PARAMS(.strength = NAN);
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "finite");
    params = SHOAL_FMM_PARAMS(.nodes = 17);
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "17 nodes");
    params = SHOAL_FMM_PARAMS(.points = 1);
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "1 points of a cell");
    params = SHOAL_FMM_PARAMS(.law = (enum shoal_fmm_law)7);
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "there is no law 7");
    params = SHOAL_FMM_PARAMS(.softening = 1);
    points.sources = NULL;
    assert_status(shoal_fmm_on_host(&params, &points, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "points.sources is NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_as_asked), cmocka_unit_test(laws_are_kept),
        cmocka_unit_test(odd_places),          cmocka_unit_test(other_targets),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests_name("fmm-host", tests, NULL, NULL);
}
