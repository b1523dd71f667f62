#include "optimiser.h"

#include <math.h>
#include <stdatomic.h>

double bowl(const double *x, size_t dim, void *data)
{
    atomic_size_t *calls = data;
    double sum = -7;
    for (size_t d = 0; d < dim; d++)
        sum += (x[d] - (double)d) * (x[d] - (double)d);
    if (calls)
        atomic_fetch_add(calls, 1);
    return sum;
}

void use_spso2011(struct shoal_optimiser *optimiser)
{
    struct shoal_pso_params *params = shoal_optimiser_pso(optimiser);
    params->particles = 40;
    params->update = SHOAL_PSO_SPSO2011;
    params->topology = SHOAL_PSO_RANDOM;
    params->bounds = SHOAL_PSO_BOUNCE;
    params->search.refine = SHOAL_REFINE_AUTO;
}

struct shoal_optimiser *make(void)
{
    struct shoal_optimiser *optimiser;
    assert_ok(shoal_optimiser_create(DIM, &optimiser, &test_error));
    assert_ok(shoal_optimiser_set_box(optimiser, -10, 10, &test_error));
    shoal_optimiser_params(optimiser)->evaluations = 4000;
    use_spso2011(optimiser);
    return optimiser;
}

struct shoal_optimiser *make_for(shoal_objective_fn function, void *data)
{
    struct shoal_optimiser *optimiser = make();
    assert_ok(shoal_optimiser_set_callback(optimiser, function, data, &test_error));
    return optimiser;
}

void assert_result(enum shoal_optimise_result got, enum shoal_optimise_result wanted)
{
    if (got != wanted)
        fail_msg("%s, should be %s (%s)", shoal_optimise_result_name(got), shoal_optimise_result_name(wanted),
                 test_error.message);
}

void assert_found(const double *x, double value)
{
    assert_near(value, -7, 1e-6);
    for (size_t d = 0; d < DIM; d++)
        assert_near(x[d], (double)d, 1e-3);
}
