/* What the host tells the kernels about a gas: their -D values and the buffer of settings. */
#include "gas/device/device.h"

#include <math.h>

void gas_state_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    int64_t boundaries = 0;
    for (size_t k = 0; k < problem->dim; k++)
        boundaries |= (int64_t)problem->boundary[k] << 2 * k;
    define_add(defines, "BOUNDARIES", boundaries);
    define_add(defines, "DIM", (int64_t)problem->dim);
    define_add(defines, "PRECISION", device->precision);
    define_add(defines, "REAL", device->precision == SHOAL_GAS_DOUBLE ? 64 : 32);
}

void gas_pair_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const bool has_cut = isfinite(problem->pair.cutoff2);
    define_add(defines, "CUT", has_cut ? (int64_t)problem->cut : 0);
    define_add(defines, "POTENTIAL", problem->kind);
}

void gas_motion_defines(const struct shoal_solver *solver, struct defines *defines)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct shoal_gas_params *params = problem->params;
    bool field = false;
    int64_t sides = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        field = field || problem->field[k] != 0;
        for (size_t side = 0; side < 2; side++)
            sides |= (int64_t)problem->wall[k][side] << 2 * (2 * k + side);
    }
    define_add(defines, "FIELD", field);
    define_add(defines, "LIMITER", params->limiter);
    define_add(defines, "SIDES", problem->any_wall ? sides : 0);
    /* Rescaling is done between steps. */
    define_add(defines, "THERMOSTAT",
               params->thermostat == SHOAL_GAS_LANGEVIN ? SHOAL_GAS_LANGEVIN : SHOAL_GAS_NVE);
    define_add(defines, "WALL_METHOD", params->wall_method);
}

double gas_grid_unit(const struct gas_problem *problem, size_t axis)
{
    return problem->length[axis] /
           (problem->boundary[axis] == SHOAL_GAS_PERIODIC ? 4294967296.0 : 1073741824.0);
}

static void fill(const struct gas_problem *problem, double wide[GAS_SETTINGS])
{
    const struct shoal_gas_params *params = problem->params;
    double shortest = INFINITY;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        wide[GAS_SET_UNIT + k] = gas_grid_unit(problem, k);
        wide[GAS_SET_INVERSE + k] = 1 / gas_grid_unit(problem, k);
        wide[GAS_SET_LENGTH + k] = problem->length[k];
        wide[GAS_SET_FIELD + k] = problem->field[k];
        if (k < problem->dim)
            shortest = fmin(shortest, problem->length[k]);
    }
    const double keep = exp(-gas_friction_of(params) * params->dt);
    const double reach = isfinite(problem->pair.cutoff) ? fmin(problem->pair.cutoff, shortest) : shortest;
    wide[GAS_SET_DT] = params->dt;
    wide[GAS_SET_MASS] = params->mass;
    wide[GAS_SET_LANGEVIN_KEEP] = keep;
    wide[GAS_SET_LANGEVIN_NOISE] = sqrt(params->temperature / params->mass * (1 - keep * keep));
    wide[GAS_SET_TEMPERATURE] = params->temperature;
    wide[GAS_SET_WALL_TEMPERATURE] = problem->wall_temperature;
    wide[GAS_SET_WALL_DAMPING] = problem->wall_damping;
    wide[GAS_SET_WALL_STIFFNESS] = problem->wall_stiffness;
    wide[GAS_SET_LIMIT] = problem->limit;
    /* Half of the shorter of cutoff and box: a step that long has left the physics. */
    wide[GAS_SET_FARTHEST_STEP] = 0.25 * reach * reach;
    wide[GAS_SET_HALF_STEP] = params->integrator == SHOAL_GAS_EULER ? 0 : 0.5 * params->dt;
    const struct gas_pair *pair = &problem->pair;
    const double numbers[] = {pair->softening2,  pair->attraction, pair->repulsion, pair->short_attraction,
                              pair->cutoff2,     pair->lj12,       pair->lj6,       pair->shift_energy,
                              pair->shift_force, pair->cutoff,     pair->switch2,   pair->switch_inverse};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        wide[GAS_SET_PAIR + i] = numbers[i];
}

enum shoal_status gas_settings_write(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    double wide[GAS_SETTINGS] = {0};
    float narrow[GAS_SETTINGS];
    fill(&device->problem, wide);
    for (size_t i = 0; i < GAS_SETTINGS; i++)
        narrow[i] = (float)wide[i];
    if (device->precision == SHOAL_GAS_DOUBLE)
        return shoal_buffer_write(solver->queue, device->settings, 0, wide, sizeof wide, error);
    return shoal_buffer_write(solver->queue, device->settings, 0, narrow, sizeof narrow, error);
}
