#include "fixture.h"
#include "unit.h"

#include <math.h>

struct shoal_gas_params host_params(uint64_t particles)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = particles;
    params.steps = 100000000;
    return params;
}

struct shoal_solver *host_open(const struct shoal_gas_params *params, int threads)
{
    struct shoal_solver *solver;
    assert_ok(shoal_solver_create(shoal_workload_find("gas"), test_host_device(shoal), NULL, params,
                                  SHOAL_VARIANT_AUTO, &solver, &test_error));
    if (threads)
        gas_host_of(solver)->choice.most = threads;
    return solver;
}

void host_place(struct shoal_solver *solver, const double *position, const double *velocity)
{
    struct gas_problem *problem = &gas_host_of(solver)->problem;
    const size_t bytes = problem->n * problem->dim * sizeof(double);
    assert_false(gas_common_of(solver)->begun);
    if (position)
        memcpy(problem->position, position, bytes);
    if (velocity)
        memcpy(problem->velocity, velocity, bytes);
    else
        memset(problem->velocity, 0, bytes);
}

void host_assert_same(struct shoal_solver *a, struct shoal_solver *b)
{
    const struct shoal_gas_thermo ta = thermo_of(a), tb = thermo_of(b);
    const struct shoal_gas_frame fa = frame_of(a), fb = frame_of(b);
    assert_memory_equal(fa.position, fb.position, fa.particles * fa.dim * sizeof(double));
    assert_memory_equal(fa.velocity, fb.velocity, fa.particles * fa.dim * sizeof(double));
    assert_memory_equal(fa.image, fb.image, fa.particles * fa.dim * sizeof(int32_t));
    assert_memory_equal(&ta.conserved, &tb.conserved, sizeof ta.conserved);
    assert_memory_equal(&ta.pressure, &tb.pressure, sizeof ta.pressure);
}

double host_length(const double *v, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

struct host_means host_average(struct shoal_solver *solver, uint64_t before, uint64_t steps, uint64_t every)
{
    const struct gas_problem *problem = &gas_host_of(solver)->problem;
    struct host_means means = {0};
    double squares = 0, least = INFINITY, most = -INFINITY;
    run_steps(solver, before);
    const struct gas_exchange start = gas_host_of(solver)->exchange;
    for (uint64_t step = 0; step < steps; step += every) {
        run_steps(solver, every);
        const struct shoal_gas_thermo thermo = thermo_of(solver);
        means.samples++;
        means.kinetic += thermo.kinetic;
        squares += thermo.kinetic * thermo.kinetic;
        means.potential += thermo.potential;
        means.pressure += thermo.pressure;
        least = fmin(least, thermo.conserved);
        most = fmax(most, thermo.conserved);
    }
    const double count = (double)means.samples;
    means.kinetic /= count;
    means.potential /= count;
    means.pressure /= count;
    means.virial = means.pressure * (double)problem->dim * problem->volume - 2 * means.kinetic;
    means.kinetic_variance = squares / count - means.kinetic * means.kinetic;
    means.conserved_spread = most - least;
    struct gas_exchange gained = gas_host_of(solver)->exchange;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        for (size_t side = 0; side < 2; side++)
            gained.impulse[k][side] -= start.impulse[k][side];
    means.wall_pressure =
        gas_mean_wall_impulse(problem, gained.impulse) / ((double)steps * problem->params->dt);
    return means;
}
