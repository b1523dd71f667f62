/* Public functions of the gas: default parameters and observables between steps. */
#include "base/error.h"
#include "base/params.h"
#include "gas/model/changes.h"
#include "gas/observe/sampling.h"
#include "gas/piston/piston.h"
#include "gas/start/start.h"

#include <math.h>
#include <shoal/gas_changes.h>
#include <string.h>

void shoal_gas_params_init(struct shoal_gas_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_gas_params){.size = sizeof *params,
                                        .dim = 2,
                                        .density = NAN,
                                        .width = NAN,
                                        .height = NAN,
                                        .depth = NAN,
                                        .epsilon = 1,
                                        .sigma = 1,
                                        .attraction = NAN,
                                        .repulsion = NAN,
                                        .short_attraction = NAN,
                                        .softening = NAN,
                                        .cutoff = NAN,
                                        .switch_radius = NAN,
                                        .mass = 1,
                                        .wall_method = SHOAL_GAS_W3,
                                        .wall_temperature = NAN,
                                        .wall_damping = NAN,
                                        .wall_stiffness = NAN,
                                        .start_distance = NAN,
                                        .droplet_density = NAN,
                                        .droplet_share = NAN,
                                        .minimise_force = NAN,
                                        .temperature = 1,
                                        .seed = 1,
                                        .dt = 0.005,
                                        .steps = 10000,
                                        .friction = NAN,
                                        .relaxation = NAN,
                                        .temperature_end = NAN,
                                        .time = NAN,
                                        .skin = NAN,
                                        .rdf_range = NAN,
                                        .droplet_place = NAN,
                                        .pressure = NAN,
                                        .pressure_relaxation = NAN,
                                        .compressibility = NAN,
                                        .structure_range = NAN,
                                        .piston_mass = NAN,
                                        .piston_pressure = NAN,
                                        .piston_speed = NAN,
                                        .accuracy = 1e-4,
                                        .g6_range = NAN,
                                        .start_part = 1};
}

/* Checks that the solver is that of a gas. call: name of the function, for messages. */
static enum shoal_status check_gas(const struct shoal_solver *solver, const char *call,
                                   struct shoal_error *error)
{
    if (!NEED_OF(error, call, solver))
        return SHOAL_INVALID;
    if (strcmp(solver->workload->name, "gas") != 0)
        return fail(error, SHOAL_INVALID, "%s: the solver is one of workload \"%s\", not of \"gas\"", call,
                    solver->workload->name);
    return SHOAL_OK;
}

enum shoal_status gas_prepare(struct shoal_solver *solver, const void *out, const char *what,
                              const char *call, struct shoal_error *error)
{
    uint64_t done;
    const enum shoal_status status = check_gas(solver, call, error);
    if (status)
        return status;
    if (!pointers_are_given(error, call, what, &out, 1))
        return SHOAL_INVALID;
    return gas_common_of(solver)->is_calling ? SHOAL_OK : gas_step(solver, 0, &done, error);
}

enum shoal_status shoal_gas_get_thermo(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                       struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, thermo, "thermo", "shoal_gas_get_thermo", error);
    return status ? status : gas_measure(solver, thermo, error);
}

enum shoal_status shoal_gas_get_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame,
                                      struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, frame, "frame", "shoal_gas_get_frame", error);
    return status ? status : gas_frame(solver, frame, error);
}

enum shoal_status shoal_gas_write_particles(struct shoal_solver *solver, struct shoal_buffer *position,
                                            struct shoal_buffer *velocity, struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, position ? position : velocity, "position or velocity",
                                           "shoal_gas_write_particles", error);
    if (status)
        return status;
    const struct gas_stepper *stepper = gas_common_of(solver)->stepper;
    if (!stepper->write_rows)
        return fail(error, SHOAL_UNSUPPORTED,
                    "shoal_gas_write_particles: the gas is on the host, which has no buffers: call "
                    "shoal_gas_get_frame");
    return stepper->write_rows(solver, position, velocity, error);
}

enum shoal_status shoal_gas_set_particles(struct shoal_solver *solver, const double *position,
                                          const double *velocity, struct shoal_error *error)
{
    const enum shoal_status status = check_gas(solver, "shoal_gas_set_particles", error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    if (common->begun)
        return fail(error, SHOAL_INVALID, "shoal_gas_set_particles: the solver has begun its run");
    return gas_place_given(common->problem, position, velocity, error);
}

enum shoal_status shoal_gas_get_timing(struct shoal_solver *solver, struct shoal_gas_timing *timing,
                                       struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, timing, "timing", "shoal_gas_get_timing", error);
    if (!status)
        gas_common_of(solver)->stepper->timing(solver, timing);
    return status;
}

enum shoal_status shoal_gas_get_histogram(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                          struct shoal_gas_histogram *histogram, struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, histogram, "histogram", "shoal_gas_get_histogram", error);
    if (status)
        return status;
    if ((unsigned)kind >= GAS_HISTOGRAMS)
        return fail(error, SHOAL_INVALID,
                    "shoal_gas_get_histogram: kind is %d; there are SHOAL_GAS_RDF, SHOAL_GAS_SPEEDS and "
                    "SHOAL_GAS_PROFILE",
                    (int)kind);
    return gas_histogram(solver, kind, NULL, histogram, error);
}

enum shoal_status shoal_gas_get_pair_rdf(struct shoal_solver *solver, size_t a, size_t b,
                                         struct shoal_gas_histogram *histogram, struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, histogram, "histogram", "shoal_gas_get_pair_rdf", error);
    if (status)
        return status;
    const struct gas_species *species = gas_common_of(solver)->problem->species;
    const size_t count = species ? species->count : 1, pair[2] = {a, b};
    if (a >= count || b >= count)
        return fail(error, SHOAL_INVALID, "shoal_gas_get_pair_rdf: there are %zu species, not number %zu",
                    count, a < count ? b : a);
    return gas_histogram(solver, SHOAL_GAS_RDF, pair, histogram, error);
}

enum shoal_status shoal_gas_get_species(struct shoal_solver *solver, struct shoal_gas_species *species,
                                        struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, species, "species", "shoal_gas_get_species", error);
    if (!status)
        status = RESULT_CHECK(species, of, error);
    if (status)
        return status;
    struct shoal_gas_species all;
    gas_species_describe(gas_common_of(solver)->problem, &all);
    RESULT_GIVE(&all, of, species);
    return SHOAL_OK;
}

enum shoal_status shoal_gas_get_box(struct shoal_solver *solver, double length[3], struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, length, "length", "shoal_gas_get_box", error);
    if (status)
        return status;
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    for (size_t k = 0; k < 3; k++)
        length[k] = k < problem->dim ? gas_shown_length(problem, k) : 0;
    return SHOAL_OK;
}

/* Changes ----------------------------------------------------------------------------------------------- */

static enum shoal_status find_quantity(const char *name, enum gas_quantity *quantity,
                                       struct shoal_error *error)
{
    *quantity = gas_quantity_find(name);
    if (*quantity < GAS_QUANTITIES)
        return SHOAL_OK;
    return fail(
        error, SHOAL_INVALID,
        "'%s' is no quantity of a gas that changes; temperature, friction, field-x, field-y, field-z, "
        "trap, pressure, piston-pressure and piston-speed are",
        name);
}

/* Whether the run has the quantity. The parameters of pressure and piston are NaN in runs without them. */
static bool has_quantity(const struct shoal_gas_params *params, enum gas_quantity quantity)
{
    if (quantity == GAS_TEMPERATURE)
        return params->thermostat != SHOAL_GAS_NVE;
    if (quantity == GAS_FRICTION)
        return params->thermostat == SHOAL_GAS_LANGEVIN;
    return (size_t)quantity != GAS_FIELD + 2 || params->dim == 3;
}

/* The step from which a change holds: the next one, in an equilibration step 1, as step 0 sets the values of
 * the equilibration. */
static uint64_t next_step(const struct gas_common *common)
{
    const int64_t step = gas_run_step(common);
    return (step > 0 ? (uint64_t)step : 0) + 1;
}

enum shoal_status shoal_gas_get_quantity(struct shoal_solver *solver, const char *name,
                                         struct shoal_gas_quantity *quantity, struct shoal_error *error)
{
    enum gas_quantity q = GAS_QUANTITIES;
    enum shoal_status status = gas_prepare(solver, quantity, "quantity", "shoal_gas_get_quantity", error);
    if (!status && !NEED(error, name))
        return SHOAL_INVALID;
    if (!status)
        status = find_quantity(name, &q, error);
    if (!status)
        status = RESULT_CHECK(quantity, changeable, error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const struct shoal_gas_params *params = problem->params;
    struct shoal_gas_quantity found = {
        .value =
            has_quantity(params, q) ? gas_value_at(&problem->timetable, params, q, next_step(common)) : NAN,
        .most = gas_changes_most(problem, q),
        .changeable = problem->timetable.is_free[q] && !solver->shares && !solver->share.of};
    double most;
    gas_quantity_range(q, &found.least, &most);
    RESULT_GIVE(&found, changeable, quantity);
    return SHOAL_OK;
}

enum shoal_status shoal_gas_change(struct shoal_solver *solver, const char *name, double value,
                                   struct shoal_error *error)
{
    struct shoal_gas_quantity quantity = {.size = sizeof quantity};
    enum shoal_status status = shoal_gas_get_quantity(solver, name, &quantity, error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    struct gas_problem *problem = common->problem;
    if (!quantity.changeable)
        return fail(error, SHOAL_INVALID, "%s cannot change between steps: %s", name,
                    problem->params->changeable ? "the run has none, or a schedule changes it"
                                                : "the run was not made changeable");
    if (!(value >= quantity.least && value <= quantity.most))
        return fail(error, SHOAL_INVALID, "%s is %g, allowed are %g to %g", name, value, quantity.least,
                    quantity.most);
    if (!gas_changes_takes(problem, gas_quantity_find(name), value))
        return fail(error, SHOAL_INVALID, "velocities cannot be rescaled to temperature 0: raise it");
    const struct gas_change change = {.step = next_step(common), .to = value};
    status = gas_timetable_add(problem->params, &problem->timetable, gas_quantity_find(name), change, error);
    if (!status)
        common->stepper->changed(solver);
    return status;
}

enum shoal_status shoal_gas_get_schedule(struct shoal_solver *solver, const char **schedule,
                                         struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, schedule, "schedule", "shoal_gas_get_schedule", error);
    if (status)
        return status;
    struct gas_common *common = gas_common_of(solver);
    text_free(&common->schedule);
    status = gas_changes_tell(common->problem, &common->schedule, error);
    *schedule = status ? NULL : common->schedule.data;
    return status;
}

/* Tables ------------------------------------------------------------------------------------------------ */

enum shoal_status shoal_gas_get_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind,
                                      struct shoal_gas_table *table, struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, table, "table", "shoal_gas_get_table", error);
    if (!status)
        status = RESULT_CHECK(table, column, error);
    if (status)
        return status;
    if ((unsigned)kind >= GAS_TABLES)
        return fail(
            error, SHOAL_INVALID,
            "shoal_gas_get_table: kind is %d; there are SHOAL_GAS_TENSOR, SHOAL_GAS_PROFILES, "
            "SHOAL_GAS_STRUCTURE, SHOAL_GAS_HEXATIC, SHOAL_GAS_MOTION, SHOAL_GAS_CLUSTERS and SHOAL_GAS_G6",
            (int)kind);
    struct shoal_gas_table all = {0};
    status = gas_table(solver, kind, &all, error);
    if (!status)
        RESULT_GIVE(&all, column, table);
    return status;
}

enum shoal_status shoal_gas_get_msd(struct shoal_solver *solver, struct shoal_gas_msd *msd,
                                    struct shoal_error *error)
{
    enum shoal_status status = gas_prepare(solver, msd, "msd", "shoal_gas_get_msd", error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    *msd = (struct shoal_gas_msd){.samples = common->msd.count, .sample = common->msd.samples};
    msd->diffusion = gas_msd_diffusion(&common->msd, common->problem, &msd->diffusion_error);
    return SHOAL_OK;
}
