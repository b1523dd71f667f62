/* The start of replicas on a device: positions, velocities, settings and cells of each gas. */
#include "base/error.h"
#include "gas/device/numbers.h"
#include "gas/model/grid.h"
#include "gas/replicas/device.h"

#include <math.h>
#include <stdlib.h>

/* The cells of a gas: each at least as wide as the range of the list. */
static void fit_cells(const struct gas_problem *problem, double range, uint32_t mesh[4])
{
    const double most = fmin(REPLICAS_CELLS, fmax(1, (double)(problem->n / CELL_PARTICLES)));
    double fitting[GAS_MAX_DIM] = {1, 1, 1};
    size_t cells[GAS_MAX_DIM];
    for (size_t k = 0; k < problem->dim; k++)
        fitting[k] = fmax(1, floor(problem->length[k] / (range * (1 + 1e-6))));
    gas_fit_cells(fitting, most, cells);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        mesh[k] = (uint32_t)cells[k];
    mesh[3] = 0;
}

/* Accelerations at the start, for the velocities half a step before it. */
static enum shoal_status kick_back(const struct gas_problem *problem, double *velocity,
                                   struct shoal_error *error)
{
    const size_t numbers = problem->n * problem->dim;
    double *acceleration = calloc(numbers, sizeof *acceleration);
    enum shoal_status status = acceleration ? SHOAL_OK : fail_host_memory(error);
    if (!status && gas_has_pair_force(problem->params))
        status = gas_forces(problem, problem->position, acceleration, NULL, NULL, error);
    for (size_t at = 0; at < numbers && !status; at++)
        velocity[at] = problem->velocity[at] - problem->half_step * acceleration[at];
    free(acceleration);
    return status;
}

/* The arrays of all gases on the host, before they are uploaded. */
struct upload {
    void *position, *velocity, *settings;
    uint32_t *ids, *meshes;
};

/* Puts the numbers of a gas where its kernel reads settings and species. */
static void put_settings(const struct gas_problem *problem, void *settings, size_t first)
{
    double wide[GAS_SETTINGS] = {0}, constants[GAS_SPECIES_CONSTANTS];
    gas_settings_of(problem, wide);
    put_reals(problem, settings, first, wide, GAS_SETTINGS);
    if (!problem->species)
        return;
    gas_species_constants(problem, constants);
    put_reals(problem, settings, first + GAS_SETTINGS, constants, GAS_SPECIES_CONSTANTS);
    for (size_t i = 0; i < problem->n; i++) {
        const double kind = problem->species->of[i];
        put_reals(problem, settings, first + GAS_SETTINGS + GAS_SPECIES_CONSTANTS + i, &kind, 1);
    }
}

static enum shoal_status put_replica(const struct shoal_gas_replicas *replicas, size_t index,
                                     const struct upload *to, struct shoal_error *error)
{
    struct replica *replica = &replicas->each[index];
    struct replicas_device *device = replicas->on_device;
    struct gas_problem *problem = &replica->problem;
    const size_t n = problem->n, dim = problem->dim, first = index * device->room;
    const uint64_t seed = gas_seed(problem);
    uint32_t *words = device->all_words + index * GAS_WORDS;
    enum shoal_status status =
        problem->params->precision == SHOAL_GAS_DOUBLE ? SHOAL_OK : gas_check_grid(problem, error);
    if (!status)
        status = kick_back(problem, problem->velocity, error);
    if (status)
        return replica_error(replicas, index, status, error);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dim; k++) {
            gas_put_position(problem, to->position, first + i, k, problem->position[i * dim + k]);
            gas_put_vector(problem, to->velocity, first + i, k, problem->velocity[i * dim + k]);
        }
    put_settings(problem, to->settings, index * numbers_of(problem));
    fit_cells(problem, range_of(problem, device), to->meshes + 4 * index);
    words[WORD_EXPLODED] = words[WORD_EXPLODED_ID] = UINT32_MAX;
    words[WORD_ESCAPED] = words[WORD_ESCAPED_ID] = UINT32_MAX;
    words[WORD_FROZEN] = REPLICAS_UNLISTED;
    words[WORD_SEED] = (uint32_t)seed;
    words[WORD_SEED + 1] = (uint32_t)(seed >> 32);
    return SHOAL_OK;
}

enum shoal_status replicas_upload(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const struct upload all = {.position = calloc(1, shoal_buffer_size(device->position)),
                               .velocity = calloc(1, shoal_buffer_size(device->velocity)),
                               .settings = calloc(1, shoal_buffer_size(device->settings)),
                               .ids = calloc(1, shoal_buffer_size(device->ids)),
                               .meshes = calloc(1, shoal_buffer_size(device->meshes))};
    const bool is_there = all.position && all.velocity && all.settings && all.ids && all.meshes;
    enum shoal_status status = is_there ? SHOAL_OK : fail_host_memory(error);
    for (size_t i = 0; i < replicas->count && !status; i++)
        status = put_replica(replicas, i, &all, error);
    for (uint32_t i = 0; i < device->room && !status; i++)
        all.ids[i] = i;
    const struct {
        struct shoal_buffer *buffer;
        const void *data;
    } writes[] = {{device->position, all.position}, {device->velocity, all.velocity},
                  {device->settings, all.settings}, {device->ids, all.ids},
                  {device->meshes, all.meshes},     {device->words, device->all_words}};
    for (size_t i = 0; i < sizeof writes / sizeof *writes && !status; i++)
        status = write_all(replicas->queue, writes[i].buffer, writes[i].data, error);
    free(all.position);
    free(all.velocity);
    free(all.settings);
    free(all.ids);
    free(all.meshes);
    return status;
}
