/* A problem as the swarm kernels get it: their -D values and the buffer of settings. */
#include "base/error.h"
#include "cl/pso/choices.clh"
#include "objective/rows/table.h"
#include "pso/device/device.h"

#include <math.h>
#include <stdlib.h>

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(LINEAR_UPDATE, PSO_LINEAR_UPDATE);
SAME(SPSO2011, PSO_SPSO2011_UPDATE);
SAME(FIPS, PSO_FIPS_UPDATE);
SAME(GLOBAL_BEST, SHOAL_PSO_GLOBAL);
SAME(RING, SHOAL_PSO_RING);
SAME(VON_NEUMANN, SHOAL_PSO_VON_NEUMANN);
SAME(RANDOM_LINKS, SHOAL_PSO_RANDOM);
SAME(REFLECT, SHOAL_PSO_REFLECT);
SAME(CLAMP, SHOAL_PSO_CLAMP);
SAME(ABSORB, SHOAL_PSO_ABSORB);
SAME(BOUNCE, SHOAL_PSO_BOUNCE);
SAME(PERIODIC, SHOAL_PSO_PERIODIC);
SAME(REENTRY, SHOAL_PSO_REENTRY);
SAME(INVISIBLE, SHOAL_PSO_INVISIBLE);
SAME(UNBOUNDED, SHOAL_PSO_UNBOUNDED);
SAME(PHILOX, SHOAL_PSO_PHILOX);
SAME(PHILOX16, SHOAL_PSO_PHILOX16);
SAME(GLOB, SHOAL_PSO_GLOB);
SAME(REG, SHOAL_PSO_REG);
SAME(SHARED, SHOAL_PSO_ARGMIN_SHARED - SHOAL_PSO_ARGMIN_SHARED);
SAME(SHFL, SHOAL_PSO_ARGMIN_SHFL - SHOAL_PSO_ARGMIN_SHARED);
SAME(VOL, SHOAL_PSO_ARGMIN_VOL - SHOAL_PSO_ARGMIN_SHARED);
SAME(WARP_FIRST, SHOAL_PSO_ARGMIN_WARP_FIRST - SHOAL_PSO_ARGMIN_SHARED);

void pso_rule_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    const struct shoal_pso_params *params = problem->params;
    define_add(defines, "BOUNDS", params->bounds);
    define_add(defines, "BOX", !problem->search.same_box);
    define_add(defines, "INITIAL_VELOCITY", problem->initial_velocity);
    define_add(defines, "LIMITED", !isnan(params->velocity_limit));
    define_add(defines, "RANDOM", params->random);
    define_add(defines, "REAL", device->precision == SHOAL_FP64 ? 64 : 32);
    define_add(defines, "SCALAR_RANDOM", params->scalar_random);
    define_add(defines, "TOPOLOGY", params->topology);
    define_add(defines, "UPDATE", problem->update);
}

const struct objective_table *pso_settings_table(const struct shoal_objective *objective)
{
    const struct objective_table *table = objective->table;
    const bool read = table && objective->info.shape == SHOAL_OPAQUE;
    return read && table->rows * table->columns <= PSO_SETTINGS_NUMBERS ? table : NULL;
}

/* Without the table. */
static size_t settings_count(const struct pso_device *device)
{
    return SET_BOX + (device->problem.search.same_box ? 0 : 3 * device->problem.search.dim);
}

size_t pso_settings_bytes(const struct pso_device *device)
{
    const struct objective_table *table = pso_settings_table(device->problem.search.objective);
    return (settings_count(device) + (table ? table->rows * table->columns : 0)) * device->real;
}

enum shoal_status pso_settings_write(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct pso_problem *problem = &device->problem;
    const struct objective_table *table = pso_settings_table(problem->search.objective);
    const size_t count = settings_count(device), dim = problem->search.dim;
    double *wide = calloc(count, sizeof *wide);
    float *narrow = calloc(count, sizeof *narrow);
    enum shoal_status status = wide && narrow ? SHOAL_OK : fail_host_memory(error);
    if (status)
        goto end;
    wide[SET_INERTIA] = problem->inertia;
    wide[SET_INERTIA_STEP] = problem->inertia_step;
    wide[SET_COGNITIVE] = problem->cognitive;
    wide[SET_SOCIAL] = problem->social;
    wide[SET_LOWER] = problem->search.lower[0];
    wide[SET_UPPER] = problem->search.upper[0];
    wide[SET_LIMIT] = isnan(problem->params->velocity_limit) ? 0 : problem->params->velocity_limit;
    wide[SET_SIGN] = problem->search.sign;
    wide[SET_TARGET] = problem->search.target;
    wide[SET_TOLERANCE] = problem->params->search.stagnation_tolerance;
    for (size_t d = 0; d < dim && !problem->search.same_box; d++) {
        wide[SET_BOX + d] = problem->search.lower[d];
        wide[SET_BOX + dim + d] = problem->search.upper[d];
        wide[SET_BOX + 2 * dim + d] = problem->search.shift[d];
    }
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)wide[i];
    status = shoal_buffer_write(solver->queue, device->settings, 0,
                                device->precision == SHOAL_FP64 ? (const void *)wide : narrow,
                                count * device->real, error);
    if (!status && table)
        status = evaluator_write_table(solver->queue, table, device->precision, device->settings,
                                       count * device->real, error);
end:
    free(wide);
    free(narrow);
    return status;
}
