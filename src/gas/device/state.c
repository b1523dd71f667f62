/* Transfers the state of a gas between host and device: for callers as doubles in the order of the particles'
 * numbers, for checkpoints in the format of the device. */
#include "base/error.h"
#include "base/threads.h"
#include "gas/device/device.h"
#include "gas/device/numbers.h"
#include "gas/device/observe.h"
#include "gas/observe/saved.h"
#include "gas/piston/piston_device.h"
#include "gas/species/species_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Upload and download ---------------------------------------------------------------------------------- */

enum shoal_status gas_upload(struct shoal_solver *solver, const double *position, const double *velocity,
                             struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const size_t n = problem->n, dim = problem->dim;
    char *places = calloc(device->padded, device->position_bytes);
    char *vectors = calloc(device->padded, device->velocity_bytes);
    uint32_t *ids = calloc(device->padded, sizeof *ids);
    enum shoal_status status = places && vectors && ids ? SHOAL_OK : fail_host_memory(error);
    for (size_t i = 0; i < device->padded && !status; i++) {
        ids[i] = (uint32_t)i;
        for (size_t k = 0; k < dim && i < n; k++) {
            gas_put_position(problem, places, i, k, position[i * dim + k]);
            gas_put_vector(problem, vectors, i, k, velocity[i * dim + k]);
        }
    }
    if (!status)
        status = shoal_buffer_write(solver->queue, device->position, 0, places,
                                    device->padded * device->position_bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->velocity, 0, vectors,
                                    device->padded * device->velocity_bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->id, 0, ids, device->padded * sizeof *ids, error);
    if (!status)
        status =
            shoal_buffer_fill(solver->queue, device->image, 0, shoal_buffer_size(device->image), 0, error);
    if (!status && problem->image)
        status = shoal_buffer_write(solver->queue, device->image, 0, problem->image,
                                    n * dim * sizeof *problem->image, error);
    if (!status)
        status = shoal_buffer_fill(solver->queue, device->exchange, 0, shoal_buffer_size(device->exchange), 0,
                                   error);
    free(places);
    free(vectors);
    free(ids);
    return status;
}

/* Seconds on one thread, for each particle: to check its number, and to put its state in its place. */
#define CHECK_S 4e-9
#define PLACE_S 2e-8

/* Returns the number of the particle at `place` of an array of ids, which need not be aligned: an array in a
 * file may not be. */
static uint32_t number_at(const void *ids, size_t place)
{
    uint32_t id;
    memcpy(&id, (const char *)ids + place * sizeof id, sizeof id);
    return id;
}

/* Checks that every number from 0 to n - 1 occurs once among the ids `data`, since kernels and the host use
 * these numbers as indices. */
static enum shoal_status look_at_ids(size_t n, const void *data, bool *good, struct shoal_error *error)
{
    const int threads = threads_once(CHECK_S * (double)n);
    unsigned char *seen = calloc(n, sizeof *seen);
    bool any_bad = false;
    if (!seen)
        return fail_host_memory(error);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(|| : any_bad)
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = number_at(data, i);
        unsigned char before = 1;
        if (id < n) {
#pragma omp atomic capture
            {
                before = seen[id];
                seen[id] = 1;
            }
        }
        any_bad = any_bad || before;
    }
    *good = !any_bad;
    free(seen);
    return SHOAL_OK;
}

static enum shoal_status check_own_ids(size_t n, const void *data, struct shoal_error *error)
{
    bool good = true;
    enum shoal_status status = look_at_ids(n, data, &good, error);
    return status || good ? status
                          : fail(error, SHOAL_FAILED,
                                 "gas: the particle numbers on the device are damaged: its compiler or "
                                 "driver is at fault; "
                                 "try --method allpairs, another --variant or another device");
}

/* Copies of the state as read_data makes them. */
struct particle_data {
    void *id, *position, *velocity, *acceleration;
};

static void free_data(struct particle_data *data)
{
    free(data->id);
    free(data->position);
    free(data->velocity);
    free(data->acceleration);
}

/* Computes the accelerations and reads the state of all particles. */
static enum shoal_status read_data(struct shoal_solver *solver, struct particle_data *data,
                                   struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(gas_holder(solver));
    *data = (struct particle_data){0};
    enum shoal_status status = gas_find_forces(solver, false, error);
    if (!status)
        status = arrays_read(&device->arrays, "id", &data->id, error);
    if (!status)
        status = arrays_read(&device->arrays, "position", &data->position, error);
    if (!status)
        status = arrays_read(&device->arrays, "velocity", &data->velocity, error);
    if (!status)
        status = arrays_read(&device->arrays, "acceleration", &data->acceleration, error);
    return status;
}

enum shoal_status gas_place_particles(const struct gas_problem *problem, const struct gas_particle_data *data,
                                      double *position, double *velocity, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const double half_step = params->integrator == SHOAL_GAS_EULER ? 0 : 0.5 * params->dt;
    const size_t n = problem->n, dim = problem->dim;
    const int threads = threads_once(PLACE_S * (double)n);
    const enum shoal_status status = check_own_ids(n, data->id, error);
    if (status)
        return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t place = 0; place < n; place++) {
        /* numbers are different, so threads write to different places */
        const size_t number = ((const uint32_t *)data->id)[place];
        for (size_t k = 0; k < dim; k++) {
            const double x = gas_get_position(problem, data->position, place, k);
            const double a = gas_get_vector(problem, data->acceleration, place, k) +
                             gas_external_acceleration(problem, number, k, x);
            position[number * dim + k] = x;
            velocity[number * dim + k] = gas_get_vector(problem, data->velocity, place, k) + half_step * a;
        }
    }
    return SHOAL_OK;
}

enum shoal_status gas_download(struct shoal_solver *solver, double *position, double *velocity,
                               int32_t *image, struct shoal_error *error)
{
    const struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    const struct gas_problem *problem = &device->problem;
    struct particle_data read;
    enum shoal_status status = read_data(solver, &read, error);
    const struct gas_particle_data data = {read.id, read.position, read.velocity, read.acceleration};
    if (!status)
        status = gas_place_particles(problem, &data, position, velocity, error);
    free_data(&read);
    if (!status)
        status = shoal_buffer_read(holder->queue, device->image, 0, image,
                                   problem->n * problem->dim * sizeof *image, error);
    return status;
}

enum shoal_status gas_download_accelerations(struct shoal_solver *solver, double *acceleration,
                                             struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const size_t dim = problem->dim;
    struct particle_data data;
    enum shoal_status status = read_data(solver, &data, error);
    if (!status)
        status = check_own_ids(problem->n, data.id, error);
    for (size_t place = 0; place < problem->n && !status; place++)
        for (size_t k = 0; k < dim; k++)
            acceleration[((const uint32_t *)data.id)[place] * dim + k] =
                gas_get_vector(problem, data.acceleration, place, k);
    free_data(&data);
    return status;
}

/* Checkpoints ------------------------------------------------------------------------------------------- */

enum shoal_status gas_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    enum shoal_status status = gas_collect(solver, GAS_MOTION | GAS_BORDERS | GAS_REFERENCE, error);
    if (!status)
        status = gas_common_save(gas_common_of(solver), checkpoint, error);
    method_save(holder, checkpoint);
    if (!status)
        status = arrays_save(&gas_device_of(holder)->arrays, checkpoint, error);
    if (!status)
        status = gas_observer_save(holder, checkpoint, error);
    if (!status)
        status = gas_piston_save(solver, checkpoint, error);
    if (!status && holder->method.method->save)
        status = holder->method.method->save(holder, checkpoint, error);
    return status;
}

static enum shoal_status check_ids(const struct gas_device *device, const void *data, const char *path,
                                   struct shoal_error *error)
{
    bool good = true;
    enum shoal_status status = look_at_ids(device->problem.n, data, &good, error);
    return status || good ? status
                          : fail(error, SHOAL_IO, "checkpoint %s is damaged: a particle is missing", path);
}

/* Checks the words of a checkpoint: no particle has exploded or escaped, and the seed agrees with the run. */
static enum shoal_status check_words(const struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const uint64_t seed = gas_seed(&gas_device_of(solver)->problem);
    uint32_t words[GAS_WORDS];
    enum shoal_status status = checkpoint_get(checkpoint, "words", words, sizeof words, error);
    if (status || (words[WORD_EXPLODED] == UINT32_MAX && words[WORD_ESCAPED] == UINT32_MAX &&
                   words[WORD_SEED] == (uint32_t)seed && words[WORD_SEED + 1] == (uint32_t)(seed >> 32)))
        return status;
    return checkpoint_damaged(checkpoint, error);
}

static enum shoal_status check_chain(const struct gas_device *device, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const bool is_single = device->precision == SHOAL_GAS_SINGLE;
    const size_t bytes = is_single ? sizeof(float) : sizeof(double);
    const void *chain;
    if (device->problem.params->thermostat != SHOAL_GAS_CHAIN)
        return SHOAL_OK;
    enum shoal_status status = checkpoint_expect(checkpoint, "chain", CHAIN_LINKS * bytes, &chain, error);
    for (size_t link = 0; link < CHAIN_LINKS && !status; link++)
        if (!isfinite(is_single ? (double)((const float *)chain)[link] : ((const double *)chain)[link]))
            status = checkpoint_damaged(checkpoint, error);
    return status;
}

/* For methods that sort particles: permutes the positions of a checkpoint to the order in which the method
 * has sorted velocities and numbers by the reference positions. On the kind of device that wrote the
 * checkpoint this is the order of the checkpoint; another kind of device may sort by other cells. ids,
 * position: arrays of the checkpoint. */
static enum shoal_status match_order(struct shoal_solver *solver, const void *ids, const void *position,
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const size_t n = device->problem.n, bytes = device->position_bytes;
    /* [n]: place of each particle in the checkpoint, by its number */
    uint32_t *places = malloc(n * sizeof *places);
    char *moved = malloc(n * bytes);
    void *own = NULL;
    enum shoal_status status =
        places && moved ? arrays_read(&device->arrays, "id", &own, error) : fail_host_memory(error);
    if (!status && memcmp(own, ids, n * sizeof *places) != 0) {
        status = check_own_ids(n, own, error);
        for (uint32_t place = 0; place < n && !status; place++)
            places[number_at(ids, place)] = place;
        for (size_t place = 0; place < n && !status; place++)
            memcpy(moved + place * bytes, (const char *)position + places[number_at(own, place)] * bytes,
                   bytes);
        if (!status)
            status = shoal_buffer_write(solver->queue, device->position, 0, moved, n * bytes, error);
    }
    free(places);
    free(moved);
    free(own);
    return status;
}

enum shoal_status gas_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    if (solver->shares)
        return gas_shares_load(solver, checkpoint, error);
    const size_t n = device->problem.n;
    const struct gas_problem before = device->problem;
    const void *ids = NULL, *position = NULL;
    enum shoal_status status = gas_past_load(&device->problem, checkpoint, error);
    if (!status)
        status = gas_common_load(&device->common, checkpoint, error);
    if (!status)
        status = gas_check_particles(&device->problem, checkpoint, GAS_OF_DEVICE, error);
    if (!status)
        status = gas_check_origins(&device->problem, checkpoint, GAS_OF_DEVICE, error);
    if (!status)
        status = check_words(solver, checkpoint, error);
    if (!status)
        status = check_chain(device, checkpoint, error);
    if (!status && gas_has_moving_box(&device->problem))
        status = gas_fit_box(solver, error);
    if (!status && gas_takes_chosen(solver))
        status = method_load(solver, checkpoint, NULL, error);
    if (!status)
        status = checkpoint_expect(checkpoint, "id", n * sizeof(uint32_t), &ids, error);
    if (!status)
        status = checkpoint_expect(checkpoint, "position", n * device->position_bytes, &position, error);
    if (!status)
        status = check_ids(device, ids, checkpoint->path, error);
    if (!status)
        status = arrays_load(&device->arrays, checkpoint, error);
    if (!status)
        status = gas_observer_load(solver, checkpoint, error);
    if (!status)
        status = gas_species_place(solver, device->id, false, error);
    if (!status && solver->method.method->load)
        status = solver->method.method->load(solver, checkpoint, error);
    if (!status && solver->method.method->load)
        status = match_order(solver, ids, position, error);
    if (!status)
        status = gas_piston_load(solver, checkpoint, error);
    device->scheduled = 0;
    if (!status)
        status = gas_schedule_settle(solver, device->common.clock.steps_done, error);
    if (status) {
        gas_common_reset(&device->common);
        device->problem.past = before.past;
        device->problem.start_temperature = before.start_temperature;
        device->problem.piston = before.piston;
        gas_set_box(&device->problem, before.length);
    }
    return status;
}

enum shoal_status gas_device_follow(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const double volume = device->problem.volume;
    enum shoal_status status = gas_take_past(&device->common, &device->problem, checkpoint, error);
    if (!status && solver->shares && device->problem.volume != volume)
        status =
            fail(error, SHOAL_INVALID,
                 "a pressure has changed the box in an earlier stage, and the gas is divided among devices "
                 "by the box at the start: take one device");
    return status;
}
