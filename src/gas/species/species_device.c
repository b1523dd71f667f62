/* Species of the particles of a device: cl/gas/layout.clh. */
#include "gas/species/species_device.h"
#include "base/error.h"
#include "compute/launch.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(SPECIES_MOST == SHOAL_GAS_MOST_SPECIES, "values differ between host and kernels");

static size_t room(const struct gas_device *device)
{
    return SPECIES_ROOM(device->problem.n);
}

double gas_species_numbers(const struct gas_device *device)
{
    return device->problem.species ? SPECIES_PLACES - GAS_SETTINGS + 3 * (double)room(device) : 0;
}

void gas_species_defines(const struct gas_problem *problem, struct defines *defines)
{
    const struct gas_species *species = problem->species;
    define_add(defines, "MASSES", species && species->has_masses);
    define_add(defines, "SPECIES", species ? (int64_t)species->count : 1);
}

/* Fills the row of a pair, in the order of pair_between in cl/gas/model/pair.clh. */
static void fill_row(const struct gas_pair *pair, double row[PAIR_ROW])
{
    const double numbers[PAIR_ROW] = {
        pair->cutoff2,      pair->lj12,       pair->lj6,       pair->shift_force,
        pair->softening2,   pair->attraction, pair->repulsion, pair->short_attraction,
        pair->shift_energy, pair->cutoff,     pair->switch2,   pair->switch_inverse};
    memcpy(row, numbers, sizeof numbers);
}

void gas_species_constants(const struct gas_problem *problem, double numbers[GAS_SPECIES_CONSTANTS])
{
    const struct gas_species *species = problem->species;
    memset(numbers, 0, GAS_SPECIES_CONSTANTS * sizeof *numbers);
    for (size_t s = 0; s < species->count; s++)
        numbers[s] = species->mass[s] / problem->params->mass;
    for (size_t a = 0; a < species->count; a++)
        for (size_t b = 0; b < species->count; b++)
            fill_row(&species->pair[a][b],
                     numbers + (SPECIES_PAIRS - SPECIES_RATIOS) + (a * species->count + b) * PAIR_ROW);
}

static enum shoal_status write_numbers(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const struct gas_species *species = problem->species;
    double numbers[GAS_SPECIES_CONSTANTS];
    gas_species_constants(problem, numbers);
    enum shoal_status status =
        gas_settings_put(solver, SPECIES_RATIOS, GAS_SPECIES_CONSTANTS, numbers, error);
    double *kinds = calloc(problem->n, sizeof *kinds);
    if (!status && !kinds)
        status = fail_host_memory(error);
    for (size_t i = 0; i < problem->n && kinds; i++)
        kinds[i] = species->of[i];
    if (!status)
        status = gas_settings_put(solver, SPECIES_PLACES + 2 * room(device), problem->n, kinds, error);
    free(kinds);
    return status;
}

enum shoal_status gas_species_start(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct entry_kernel kernel = {"gas_species_place", &device->species_place};
    struct defines defines = {.count = 0};
    if (!device->problem.species)
        return SHOAL_OK;
    gas_state_defines(solver, &defines);
    enum shoal_status status =
        programs_build(&solver->programs, &gas_species_program, &defines, &kernel, 1, NULL, error);
    return status ? status : write_numbers(solver, error);
}

enum shoal_status gas_species_place(struct shoal_solver *solver, struct shoal_buffer *ids, bool is_observed,
                                    struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t n = device->problem.n;
    if (!device->problem.species)
        return SHOAL_OK;
    return LAUNCH(gas_species_place, solver->queue, device->species_place,
                  shoal_kernel_groups(device->species_place, n), error, .ids = ids,
                  .settings = device->settings,
                  .first = (uint32_t)(SPECIES_PLACES + (is_observed ? room(device) : 0)),
                  .numbers = (uint32_t)(SPECIES_PLACES + 2 * room(device)), .n = (uint32_t)n);
}
