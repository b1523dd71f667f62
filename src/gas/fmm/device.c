/* The method "fmm": forces between all pairs by fast multipoles, in a time that grows as the number of
 * particles. The particles keep their order: src/fmm sorts its own copies of their places. */
#include "gas/device/device.h"
#include "base/error.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "fmm/fmm.h"
#include "gas/fmm/fmm.h"
#include "gas/species/species.h"

#include <stdlib.h>

struct by_fmm {
    struct shoal_fmm *fmm;
    struct shoal_kernel *points, *forces;
    /* [n][2]: places from the middle of the box, fields; [n]: charges, potentials. charges: NULL, with one
     * species each is 1. fine, [n][2]: fine parts of places; NULL: places are in double precision */
    struct shoal_buffer *places, *fine, *charges, *field, *potential;
    struct shoal_buffer *species; /* [SHOAL_GAS_MOST_SPECIES]: charge of each species */
    struct arrays arrays;
};

static struct by_fmm *by_fmm_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ----------------------------------------------------------------------------------------------- */

static struct shoal_fmm_params params_of(const struct shoal_solver *solver)
{
    struct gas_device *device = gas_device_of(solver);
    struct shoal_fmm_params params = gas_fmm_params(&device->problem);
    params.real = device->precision == SHOAL_GAS_DOUBLE ? SHOAL_TYPE_DOUBLE : SHOAL_TYPE_FLOAT;
    params.fine = params.real == SHOAL_TYPE_FLOAT;
    params.variant = solver->programs.variant;
    return params;
}

static void list_arrays(const struct shoal_solver *solver, struct by_fmm *it)
{
    const struct gas_device *device = gas_device_of(solver);
    const double n = (double)device->problem.n, charges = device->problem.species ? n : 0;
    const size_t real = device->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
    const struct array list[] = {
        {&it->places, 2 * n, real},    {&it->fine, real == sizeof(float) ? 2 * n : 0, real},
        {&it->charges, charges, real}, {&it->field, 2 * n, real},
        {&it->potential, n, real},     {&it->species, SHOAL_GAS_MOST_SPECIES, real}};
    it->arrays.queue = solver->queue;
    ARRAYS_SET(&it->arrays, list);
}

static double bytes(struct shoal_solver *solver)
{
    struct by_fmm sizes;
    const struct shoal_fmm_params params = params_of(solver);
    list_arrays(solver, &sizes);
    return arrays_bytes(&sizes.arrays) + fmm_device_bytes(&params);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct by_fmm *it = by_fmm_of(solver);
    const struct shoal_fmm_params params = params_of(solver);
    const struct entry_kernel kernels[] = {{"gas_fmm_points", &it->points}, {"gas_fmm_forces", &it->forces}};
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    enum shoal_status status =
        programs_build(&solver->programs, &gas_fmm_program, &defines, kernels, COUNT(kernels), NULL, error);
    if (!status)
        status = shoal_fmm_create(solver->device, &params, &it->fmm, error);
    for (size_t i = 0; !status && shoal_fmm_program(it->fmm, i); i++)
        solver->programs.build_seconds += shoal_program_build_seconds(shoal_fmm_program(it->fmm, i));
    return status;
}

static enum shoal_status write_charges(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_species *species = device->problem.species;
    float narrow[SHOAL_GAS_MOST_SPECIES];
    if (!species)
        return SHOAL_OK;
    for (size_t s = 0; s < SHOAL_GAS_MOST_SPECIES; s++)
        narrow[s] = (float)species->charge[s];
    const bool is_double = device->precision == SHOAL_GAS_DOUBLE;
    return shoal_buffer_write(solver->queue, by_fmm_of(solver)->species, 0,
                              is_double ? (const void *)species->charge : narrow,
                              is_double ? sizeof species->charge : sizeof narrow, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct by_fmm *it = solver->method.state = calloc(1, sizeof *it);
    if (!it)
        return fail_host_memory(error);
    enum shoal_status status = build(solver, error);
    list_arrays(solver, it);
    if (!status)
        status = arrays_create(&it->arrays, error);
    return status ? status : write_charges(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct by_fmm *it = by_fmm_of(solver);
    if (!it)
        return;
    shoal_fmm_destroy(&it->fmm);
    arrays_destroy(&it->arrays);
    free(it);
    solver->method.state = NULL;
}

/* Forces ----------------------------------------------------------------------------------------------- */

static enum shoal_status forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct by_fmm *it = by_fmm_of(solver);
    const uint32_t n = (uint32_t)device->problem.n;
    const struct shoal_fmm_args args =
        SHOAL_FMM_ARGS(.sources = it->places, .fine = it->fine, .charges = it->charges, .source_count = n,
                       .field = it->field, .potential = energies ? it->potential : NULL);
    enum shoal_status status = LAUNCH_EVENT(
        gas_fmm_points, solver->queue, it->points, shoal_kernel_groups(it->points, n),
        gas_sample_first(&device->samples), error, .position = device->position, .settings = device->settings,
        .species = it->species, .places = it->places, .fine = it->fine, .charges = it->charges, .n = n);
    if (!status)
        status = shoal_fmm_run(it->fmm, solver->queue, &args, error);
    return status ? status
                  : LAUNCH(gas_fmm_forces, solver->queue, it->forces, shoal_kernel_groups(it->forces, n),
                           error, .places = it->places, .charges = it->charges, .field = it->field,
                           .potential = args.potential, .settings = device->settings,
                           .acceleration = device->acceleration, .energy = device->energy,
                           .virial = device->virial, .n = n);
}

/* Facts ------------------------------------------------------------------------------------------------ */

static enum shoal_status fits(const struct method *method, const void *gas,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct gas_problem *problem = gas;
    const struct shoal_gas_params *params = problem->params;
    (void)method;
    (void)info;
    if (params->precision != SHOAL_GAS_DOUBLE && params->accuracy < SHOAL_FMM_FLOAT_ACCURACY)
        return fail(error, SHOAL_INVALID,
                    "pair forces in single precision cannot have --accuracy %g, but %g at best: raise it, or "
                    "take --precision double",
                    params->accuracy, SHOAL_FMM_FLOAT_ACCURACY);
    return gas_fmm_check(problem, error);
}

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    (void)solver;
    timing->method = "fmm";
}

static double force_tolerance(const struct shoal_solver *solver)
{
    return gas_params(solver)->accuracy;
}

const struct gas_method gas_fmm_method = {
    .base = {.name = "fmm", .fits = fits, .create = create, .destroy = destroy},
    .bytes = bytes,
    .forces = forces,
    .timing = timing,
    .force_tolerance = force_tolerance,
};
