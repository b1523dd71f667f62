/* The built-in functions of the literature on global optimisation that have a few dimensions or special
 * terms, on the host. */
#include "unit.h"

#include <math.h>
#include <shoal/objective.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Values by a program with 25 digits, and published minimisers. */
static void classical_functions_have_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t dim;
        double x[6], value;
    } cases[] = {
        {"weierstrass", 3, {0.125, -0.25, 0.375}, 5.99999713897705078},
        {"levy", 3, {0.5, -1.5, 2.25}, 3.41878916995454534},
        {"levy", 1, {0.5}, 0.169884109406726238},
        {"zakharov", 3, {0.5, -1.5, 2.25}, 32.468994140625},
        {"schwefel", 3, {700, -1300, 100}, 1833.753568418751001},
        {"schwefel-1.2", 3, {0.5, -1.5, 2.25}, 2.8125},
        {"branin", 2, {-3.14159265358979324, 12.275}, 0.397887357729738339},
        {"branin", 2, {9.42477796076937972, 2.475}, 0.397887357729738339},
        {"six-hump-camel", 2, {0.0898420131003180624, -0.712656403020739633}, -1.03162845348987735},
        {"shubert", 2, {4.85805687885982551, 5.48286420670761335}, -186.730908831023826},
        {"goldstein-price", 2, {0, -1}, 3},
        {"goldstein-price", 2, {-0.6, -0.4}, 30},
        {"hartman-3",
         3,
         {0.114588876655068968, 0.555648894616930045, 0.852546984686677438},
         -3.86277978733266252},
        {"hartman-6",
         6,
         {0.201689511006705424, 0.150010691823457969, 0.476873974221896990, 0.275332430494056068,
          0.311651616600113242, 0.657300534065620306},
         -3.32236801141551480},
        {"shekel",
         4,
         {4.00074686827063439, 3.99950948008577356, 4.00074686827063439, 3.99950948008577356},
         -10.5364431534835279},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shoal_objective *objective = shoal_objective_find(cases[i].name);
        assert_non_null(objective);
        test_label("%s", cases[i].name);
        assert_near(shoal_objective_value(objective, cases[i].x, cases[i].dim), cases[i].value,
                    1e-11 * (1 + fabs(cases[i].value)));
    }
}

/* No point of a fine grid of the box, or of random points, lies below the minimum. */
static void minima_of_functions_of_few_dimensions(void **state)
{
    (void)state;
    for (size_t f = 0; f < shoal_objective_count(); f++) {
        const struct shoal_objective *objective = shoal_objective_at(f);
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        double lower[6], upper[6], x[6], least = INFINITY;
        /* Points that violate constraints may have lower values. */
        if (info->shape != SHOAL_OPAQUE || info->variables || info->constraints || info->max_dim > 6)
            continue;
        const size_t dim = info->min_dim;
        assert_int_equal(dim, info->max_dim);
        shoal_objective_box(objective, dim, lower, upper);
        test_label("%s", info->name);
        for (size_t i = 0; i < 40000; i++) {
            for (size_t d = 0; d < dim; d++) /* fractional parts of multiples of roots */
                x[d] =
                    lower[d] + (upper[d] - lower[d]) * fmod((double)(i + 1) * sqrt((double)(4 * d + 3)), 1);
            least = fmin(least, shoal_objective_value(objective, x, dim));
        }
        assert_true(least >= info->minimum);
        assert_true(least < info->minimum + 0.6 * fabs(info->minimum) + 1);
    }
}

static void boxes_may_differ_by_dimension(void **state)
{
    (void)state;
    double lower[3], upper[3];
    shoal_objective_box(shoal_objective_find("branin"), 3, lower, upper);
    assert_true(lower[0] == -5 && upper[0] == 10 && lower[1] == 0 && upper[1] == 15);
    assert_true(isnan(lower[2]) && isnan(upper[2]));
    shoal_objective_box(shoal_objective_find("levy"), 3, lower, NULL);
    assert_true(lower[0] == -10 && lower[2] == -10);
    shoal_objective_box(NULL, 1, lower, upper);
    assert_true(isnan(lower[0]) && isnan(upper[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(classical_functions_have_known_values),
        UNIT_TEST(minima_of_functions_of_few_dimensions),
        UNIT_TEST(boxes_may_differ_by_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
