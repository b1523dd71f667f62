/* Public calls of replicas: checks, creation, steps, means. */
#include "gas/replicas/replicas.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/device.h"
#include "gas/host/host.h"
#include "gas/model/problem.h"
#include "gas/species/species.h"
#include "gas/start/minimise.h"
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shoal_gas_replicas_params_init(struct shoal_gas_replicas_params *params)
{
    if (params)
        *params = (struct shoal_gas_replicas_params){.size = sizeof *params};
}

/* Cuts off an advice that replicas refuse. */
static void cut_advice(char *message)
{
    char *advice = strstr(message, GAS_MINIMISE_ADVICE);
    if (advice)
        *advice = 0;
}

void replica_fail(struct replica *replica, const struct shoal_error *error)
{
    snprintf(replica->failure, sizeof replica->failure, "%s", error->message);
    cut_advice(replica->failure);
}

enum shoal_status replica_error(const struct shoal_gas_replicas *replicas, size_t index,
                                enum shoal_status status, struct shoal_error *error)
{
    const struct shoal_gas_params *params = &replicas->each[index].params;
    if (error)
        cut_advice(error->message);
    if (isnan(params->density))
        error_prefix(error, "replica %zu, temperature %g: ", index, params->temperature);
    else
        error_prefix(error, "replica %zu, temperature %g, density %g: ", index, params->temperature,
                     params->density);
    return status;
}

/* Checks ----------------------------------------------------------------------------------------------- */

/* The first option whose value replicas do not allow; NULL: there is none. */
static const char *other_option(const struct shoal_gas_params *p)
{
    const bool is_periodic = p->boundary_x == SHOAL_GAS_PERIODIC && p->boundary_y == SHOAL_GAS_PERIODIC &&
                             (p->dim == 2 || p->boundary_z == SHOAL_GAS_PERIODIC);
    const struct {
        bool is_other;
        const char *option;
    } others[] = {
        {!is_periodic, "--boundary-x, --boundary-y or --boundary-z"},
        {p->field_x != 0 || p->field_y != 0 || p->field_z != 0, "--field-x, --field-y or --field-z"},
        {p->start_file, "--start-file"},
        {p->minimise, "--minimise"},
        {p->thermostat == SHOAL_GAS_CHAIN, "--thermostat chain"},
        {!isnan(p->temperature_end), "--temperature-end"},
        {!isnan(p->pressure), "--pressure"},
        {p->schedule && *p->schedule, "--schedule"},
        {p->changeable, "--changeable"},
        {!isnan(p->time), "--time"},
        {p->method != SHOAL_GAS_AUTO && p->method != SHOAL_GAS_LIST, "--method"},
        {p->frames || p->on_frame || p->on_moment, "--frames"},
        {p->speed_bins || p->profile_axis, "--speed-bins or --profile-axis"},
        {p->msd || p->vacf, "--msd or --vacf"},
        {p->structure_bins || p->hexatic_range > 0 || p->g6_bins,
         "--structure-bins, --hexatic-range or --g6-bins"},
        {p->piston, "--piston"},
        {p->start_part != 1, "--start-part"},
        {p->pressure_tensor || p->profile_all, "--pressure-tensor or --profile-all"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].is_other)
            return others[i].option;
    return NULL;
}

static enum shoal_status check_shared(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const char *other = other_option(params);
    const size_t n = gas_particles_of(params);
    if (other)
        return fail(error, SHOAL_INVALID, "replicas have no %s: leave it out", other);
    if (gas_rules_of(params).limit || gas_rules_of(params).move || gas_method_of(params) > SHOAL_GAS_LIST)
        return fail(error, SHOAL_INVALID, "replicas have no options of the thesis: leave them out");
    if (n > SHOAL_GAS_REPLICAS_PARTICLES)
        return fail(error, SHOAL_INVALID,
                    "%zu particles are too many for a replica, which has at most %d: lower --particles", n,
                    SHOAL_GAS_REPLICAS_PARTICLES);
    if (!isnan(gas_cutoff_of(params)) && isinf(gas_cutoff_of(params)))
        return fail(error, SHOAL_INVALID,
                    "replicas need a pair force that ends at a cutoff: give --cutoff above 0");
    return SHOAL_OK;
}

static enum shoal_status check(const char *call, const struct shoal_device *device,
                               const struct shoal_queue *queue,
                               const struct shoal_gas_replicas_params *params, struct shoal_error *error)
{
    const bool is_host = shoal_device_get_info(device)->is_host;
    if (params->count < 1 || params->count > SHOAL_GAS_REPLICAS_MOST)
        return fail(error, SHOAL_INVALID, "%s: count is %zu; it must be 1 to %d", call, params->count,
                    SHOAL_GAS_REPLICAS_MOST);
    if (is_host != !queue)
        return fail(error, SHOAL_INVALID, "%s: %s", call,
                    is_host ? "the host has no queues: pass NULL" : "queue is NULL");
    if (queue && shoal_queue_device(queue) != device)
        return fail(error, SHOAL_INVALID, "%s: the queue belongs to another device", call);
    return SHOAL_OK;
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status set_params(struct shoal_gas_replicas *replicas,
                                    const struct shoal_gas_replicas_params *params, struct shoal_error *error)
{
    for (size_t i = 0; i < replicas->count; i++) {
        struct shoal_gas_params *own = &replicas->each[i].params;
        *own = *(const struct shoal_gas_params *)replicas->shared;
        own->size = sizeof *own; /* not that of the whole block */
        if (params->temperature)
            own->temperature = params->temperature[i];
        if (params->density)
            own->density = params->density[i];
        own->seed = params->seed ? params->seed[i] : own->seed + i;
        if (!own->thermo && !own->average_every)
            own->average_every = own->steps >= 100 ? own->steps / 100 : 1;
        if (!params->fraction)
            continue;
        const enum shoal_status status =
            gas_kinds_share(own, params->fraction[i], &replicas->each[i].species, error);
        if (status)
            return replica_error(replicas, i, status, error);
        own->species = replicas->each[i].species;
    }
    return SHOAL_OK;
}

/* Checks, places and fills the gases of replicas on a device. */
static enum shoal_status start_on_device(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    struct shoal *const shoal = device_shoal(replicas->device);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < replicas->count && !status; i++) {
        struct replica *replica = &replicas->each[i];
        status = gas_problem_create(shoal, &replica->params, &replica->problem, error);
        if (!status)
            status = gas_problem_start(shoal, &replica->problem, error);
        if (!status)
            status = gas_averages_create(&replica->averages, error);
        if (status)
            return replica_error(replicas, i, status, error);
    }
    return status;
}

static enum shoal_status create_on_device(struct shoal_gas_replicas *replicas, enum shoal_variant variant,
                                          struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(replicas->device);
    enum shoal_status status = gas_check_device(&replicas->each->params, info, error);
    if (!status)
        status = start_on_device(replicas, error);
    return status ? status : replicas_device_create(replicas, variant, error);
}

static enum shoal_status validate(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    for (size_t i = 0; i < replicas->count; i++) {
        const enum shoal_status status = shoal_workload_validate(
            device_shoal(replicas->device), &gas_workload.face, &replicas->each[i].params, error);
        if (status)
            return replica_error(replicas, i, status, error);
    }
    return SHOAL_OK;
}

static enum shoal_status fill(struct shoal_gas_replicas *replicas,
                              const struct shoal_gas_replicas_params *params, struct shoal_error *error)
{
    replicas->each = calloc(params->count, sizeof *replicas->each);
    if (!replicas->each)
        return fail_host_memory(error);
    replicas->count = params->count;
    enum shoal_status status = set_params(replicas, params, error);
    if (status)
        return status;
    const struct shoal_gas_params *first = &replicas->each->params;
    replicas->total = first->equilibration + first->steps;
    status = validate(replicas, error);
    if (!status)
        status = check_shared(first, error);
    if (!status)
        status = replicas->queue ? create_on_device(replicas, params->variant, error)
                                 : replicas_host_create(replicas, error);
    return status ? status : replicas_check_tallies(replica_problem(replicas->each), replicas->count, error);
}

enum shoal_status shoal_gas_replicas_create(struct shoal_device *device, struct shoal_queue *queue,
                                            const struct shoal_gas_replicas_params *params,
                                            struct shoal_gas_replicas **out, struct shoal_error *error)
{
    struct shoal_gas_replicas_params own;
    if (!NEED(error, device, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_gas_replicas_params_init, &own, error);
    if (!status && !NEED_MEMBER(error, params, own, gas))
        return SHOAL_INVALID;
    if (!status)
        status = check(__func__, device, queue, &own, error);
    if (status)
        return status;
    struct shoal_gas_replicas *replicas = calloc(1, sizeof *replicas);
    if (!replicas)
        return fail_host_memory(error);
    replicas->device = device;
    replicas->queue = queue;
    status = workload_params_take(__func__, &gas_workload.face, own.gas, &replicas->shared, error);
    if (!status)
        status = fill(replicas, &own, error);
    if (status)
        shoal_gas_replicas_destroy(&replicas);
    *out = replicas;
    return status;
}

void shoal_gas_replicas_destroy(struct shoal_gas_replicas **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_gas_replicas *replicas = *pointer;
    *pointer = NULL;
    replicas_device_destroy(&replicas->on_device);
    for (size_t i = 0; i < replicas->count; i++) {
        struct replica *replica = &replicas->each[i];
        shoal_solver_destroy(&replica->solver);
        if (replica->problem.params)
            gas_problem_destroy(&replica->problem);
        gas_averages_destroy(&replica->averages);
        gas_blocks_clear(&replica->tallies);
        free(replica->counted);
        free(replica->species);
    }
    replicas_table_destroy(&replicas->table);
    free(replicas->each);
    free(replicas->shared);
    free(replicas);
}

/* Steps ------------------------------------------------------------------------------------------------ */

enum shoal_status shoal_gas_replicas_step(struct shoal_gas_replicas *replicas, uint64_t steps, uint64_t *done,
                                          struct shoal_error *error)
{
    if (!NEED(error, replicas, done))
        return SHOAL_INVALID;
    const uint64_t left = replicas->total - replicas->steps_done, now = steps < left ? steps : left;
    *done = 0;
    const enum shoal_status status = replicas->queue ? replicas_device_step(replicas, now, error)
                                                     : replicas_host_step(replicas, now, error);
    if (status)
        return status;
    replicas->steps_done += now;
    *done = now;
    return SHOAL_OK;
}

/* Means ------------------------------------------------------------------------------------------------ */

const struct gas_problem *replica_problem(const struct replica *replica)
{
    return replica->solver ? &gas_host_of(replica->solver)->problem : &replica->problem;
}

enum shoal_status replicas_check_index(const char *call, const struct shoal_gas_replicas *replicas,
                                       size_t index, struct shoal_error *error)
{
    if (index < replicas->count)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "%s: index is %zu, and there are %zu replicas", call, index,
                replicas->count);
}

static enum shoal_status copy_state(const struct shoal_gas_replicas *replicas, size_t index, double *position,
                                    double *velocity, struct shoal_error *error)
{
    if (replicas->queue)
        return replicas_device_state(replicas, index, position, velocity, error);
    replicas_host_state(&replicas->each[index], position, velocity);
    return SHOAL_OK;
}

enum shoal_status shoal_gas_replicas_state(struct shoal_gas_replicas *replicas, size_t index,
                                           double *position, double *velocity, struct shoal_error *error)
{
    if (!NEED(error, replicas))
        return SHOAL_INVALID;
    const enum shoal_status status = replicas_check_index(__func__, replicas, index, error);
    return status ? status : copy_state(replicas, index, position, velocity, error);
}

/* Computes the potential energy at the last positions again. *error_of: NaN, unless the last sample is of
 * these positions. */
static enum shoal_status check_energy(const struct shoal_gas_replicas *replicas, size_t index,
                                      const struct gas_problem *problem, double *error_of,
                                      struct shoal_error *error)
{
    const struct replica *replica = &replicas->each[index];
    const size_t numbers = problem->n * problem->dim;
    *error_of = NAN;
    if (!replica->samples || *replica->failure ||
        replica->last.step + replica->params.equilibration != replica->steps)
        return SHOAL_OK;
    double *position = malloc(numbers * sizeof *position),
           *acceleration = malloc(numbers * sizeof *acceleration),
           *energy = malloc(problem->n * sizeof *energy), sum = 0;
    enum shoal_status status = position && acceleration && energy ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = copy_state(replicas, index, position, NULL, error);
    if (!status)
        status = gas_forces(problem, position, acceleration, energy, NULL, error);
    for (size_t i = 0; i < problem->n && !status; i++)
        sum += energy[i];
    if (!status)
        *error_of = fabs(replica->last.potential - sum) / fmax((double)problem->n, fabs(sum));
    free(position);
    free(acceleration);
    free(energy);
    return status;
}

static void set_mean(const struct gas_averages *averages, enum gas_averaged which, double *mean,
                     double *error)
{
    const struct gas_average average = gas_averages_get(averages, which);
    *mean = average.mean;
    *error = average.error;
}

enum shoal_status shoal_gas_replicas_get(struct shoal_gas_replicas *replicas, size_t index,
                                         struct shoal_gas_replica *out, struct shoal_error *error)
{
    enum shoal_status status = REPLICA_CHECK(replicas, index, out, energy_error, error);
    if (status)
        return status;
    const struct replica *replica = &replicas->each[index];
    const struct gas_problem *problem = replica_problem(replica);
    const struct gas_species *species = problem->species;
    struct shoal_gas_replica row = {.index = index,
                                    .temperature = replica->params.temperature,
                                    .density = (double)problem->n / problem->volume,
                                    .seed = replica->params.seed,
                                    .fraction =
                                        species ? (double)species->particles[0] / (double)problem->n : NAN,
                                    .particles = problem->n,
                                    .steps = replica->steps,
                                    .samples = replica->samples,
                                    .rebuilds = replica->rebuilds,
                                    .failure = *replica->failure ? replica->failure : NULL,
                                    .mean_temperature = NAN,
                                    .mean_temperature_error = NAN,
                                    .pressure = NAN,
                                    .pressure_error = NAN,
                                    .potential = NAN,
                                    .potential_error = NAN,
                                    .energy_error = NAN,
                                    .largest_cluster = NAN,
                                    .largest_cluster_error = NAN};
    if (!row.failure) {
        const struct gas_averages *averages =
            replica->solver ? gas_common_of(replica->solver)->averages : replica->averages;
        set_mean(averages, GAS_MEAN_TEMPERATURE, &row.mean_temperature, &row.mean_temperature_error);
        set_mean(averages, GAS_MEAN_PRESSURE, &row.pressure, &row.pressure_error);
        set_mean(averages, GAS_MEAN_POTENTIAL, &row.potential, &row.potential_error);
        row.largest_cluster = replica_largest(replica, &row.largest_cluster_error);
        status = check_energy(replicas, index, problem, &row.energy_error, error);
    }
    if (!status)
        RESULT_GIVE(&row, energy_error, out);
    return status;
}

const struct shoal_program *shoal_gas_replicas_program(const struct shoal_gas_replicas *replicas)
{
    return replicas && replicas->on_device ? replicas_device_program(replicas->on_device) : NULL;
}
