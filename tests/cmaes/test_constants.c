/* Constants of populations against those of another program: pycma 4.5.0 (CMAEvolutionStrategy, sp and
 * adapt_sigma). */
#include "open.h"

#include "cmaes/device/device.h"
#include "objective/objective.h"

#include <math.h>

struct known {
    size_t dim, population;
    double mueff, c_one, c_mu, c_c, c_sigma, d_sigma, negative; /* negative: sum of the weights below 0 */
};

static const struct known known[] = {
    {30, 14, 4.287135066190704, 0.002032567555409164, 0.005388360851908172, 0.1208343808271565,
     0.1686140556261569, 1.1686140556261569, -1.3772144463356373},
    {5, 8, 2.60017882611318, 0.047292304159400896, 0.04785904960298248, 0.45019955799280803,
     0.43397181326609285, 1.4339718132660928, -1.988158029708424},
};

static double sum_of_negative(const double *c, size_t population)
{
    double sum = 0;
    for (size_t i = 0; i < population; i++)
        sum += fmin(c[CMA_HALF] - log((double)(i + 1)), 0) * c[CMA_NEGATIVE];
    return sum;
}

static void test_constants(void **state)
{
    (void)state;
    struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS();
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct known *expected = &known[k];
        double c[CMA_CONSTANTS];
        cmaes_set_constants(&params, expected->dim, expected->population, c);
        assert_near(c[CMA_MUEFF], expected->mueff, 1e-12);
        assert_near(c[CMA_C_ONE], expected->c_one, 1e-15);
        assert_near(c[CMA_C_MU], expected->c_mu, 1e-15);
        assert_near(c[CMA_C_C], expected->c_c, 1e-14);
        /* pycma has 3 where the tutorial has 5. */
        assert_near((c[CMA_MUEFF] + 2) / ((c[CMA_MUEFF] + 2) / c[CMA_C_SIGMA] - 2), expected->c_sigma, 1e-14);
        assert_near(c[CMA_D_SIGMA] - c[CMA_C_SIGMA], expected->d_sigma - expected->c_sigma, 1e-14);
        assert_near(sum_of_negative(c, expected->population), expected->negative, 1e-12);
        assert_near(c[CMA_DECAY], 1 - expected->c_one - expected->c_mu * (1 + expected->negative), 1e-14);
    }
}

/* Without negative weights C forgets as much as it learns, and a diagonal is learnt faster. */
static void test_forms(void **state)
{
    (void)state;
    struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS(.positive = true);
    double full[CMA_CONSTANTS], diagonal[CMA_CONSTANTS];
    cmaes_set_constants(&params, 40, 15, full);
    assert_near(full[CMA_DECAY], 1 - full[CMA_C_ONE] - full[CMA_C_MU], 1e-15);
    params.form = SHOAL_CMAES_SEPARABLE;
    cmaes_set_constants(&params, 40, 15, diagonal);
    assert_near(diagonal[CMA_C_ONE], 14 * full[CMA_C_ONE], 1e-14);
    assert_true(diagonal[CMA_DECAY] > 0);
}

/* The rates stay below 1 for the largest populations in few dimensions. */
static void test_large_populations(void **state)
{
    (void)state;
    struct shoal_cmaes_params params = SHOAL_CMAES_PARAMS();
    for (size_t dim = 1; dim < 8; dim++)
        for (size_t population = 2; population <= 1 << 20; population *= 2) {
            double c[CMA_CONSTANTS];
            cmaes_set_constants(&params, dim, population, c);
            assert_true(c[CMA_C_ONE] + c[CMA_C_MU] <= 1 + 1e-15);
            assert_true(c[CMA_DECAY] >= -1e-12 && c[CMA_GAP] >= 1 && c[CMA_C_SIGMA] < 1);
        }
}

/* A GPU's groups have more work-items where there are few populations, and where a step has many numbers. */
static void test_groups(void **state)
{
    static const struct {
        size_t dim, population, runs;
        uint32_t items, most;
        bool by_team;
    } plans[] = {{30, 300, 132, 128, 128},
                 {40, 15, 360, 64, 64},
                 {4, 600, 1, 32},
                 {30, 14, 4224, 64},
                 {30, 14, 1, 64},
                 {40, 15, 360, 64},
                 {40, 15, 132, 128},
                 {30, 300, 132, 256},
                 {30, 300, 133, 128},
                 {30, 600, 1, 256},
                 {30, 600, 4224, 64},
                 {30, 272, 1, 128},
                 {40, 15, 360, 160, 1024, true},
                 {20, 12, 360, 64, 1024, true},
                 {40, 15, 360, 128, 128, true},
                 {40, 15, 4224, 64, 1024, true},
                 {5, 8, 360, 32, 1024, true}};
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const struct shoal_device_info info = {
            .units = 132, .local_mem = 48 << 10, .max_work_group = plans[i].most ? plans[i].most : 1024};
        struct shoal_cmaes_params params;
        struct shoal_objective objective = {.by_team = plans[i].by_team};
        const struct shoal_objective_info of_reals = {0};
        shoal_cmaes_params_init(&params);
        const struct cmaes_problem problem = {.search = {.dim = plans[i].dim,
                                                         .members = plans[i].population,
                                                         .islands = plans[i].runs,
                                                         .runs = plans[i].runs,
                                                         .params = &params.search,
                                                         .info = &of_reals,
                                                         .objective = &objective},
                                              .params = &params};
        assert_int_equal(cmaes_plan_make(&problem, &info).work_group, plans[i].items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_large_populations),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
