/* Replicas on a device: a work-group makes many steps of a gas in a launch. After a launch the host reads how
 * far each gas has come. If a list was too short, the launch is repeated with longer lists: gases that have
 * made their steps do nothing then. */
#include "compute/device.h"
#include "base/error.h"
#include "base/integer.h"
#include "base/threads.h"
#include "compute/launch.h"
#include "gas/device/device.h"
#include "gas/device/numbers.h"
#include "gas/model/grid.h"
#include "gas/model/problem.h"
#include "gas/model/thermostat.h"
#include "gas/replicas/replicas.h"
#include "workload/programs.h"

#include <stdlib.h>
#include <string.h>

enum {
    CPU_TILE = 8, /* as in gas/methods/list.c */
    GPU_TILE = 32,
    MOST_ITEMS = 512,      /* of a work-group on a GPU: a multiprocessor holds two groups */
    RESIDENT_ITEMS = 1024, /* that a multiprocessor holds at a time, with 64 registers each */
    MOST_GROUPS = 32,      /* that a multiprocessor holds */
    ITEM_PARTICLES = 2,
    MOST_CELLS = 512,
    CELL_PARTICLES = 2, /* least mean number of particles of a cell, so that cells need little memory */
    MOST_REBUILDS = 64, /* of a list that is too short: each gives it more room */
    LEAST_STEPS = 16,   /* of a launch */
    MOST_STEPS = 4096,
    DRAW_BYTES = 1 << 26 /* most bytes of random numbers of a launch */
};

/* Particle-steps of a launch, some tenths of a second of a processor. */
static const double launch_work = 2e7;

struct replicas_device {
    struct programs programs;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *position, *velocity, *reference, *image, *exchange, *ids, *words, *settings, *meshes,
        *list, *counts, *draws, *samples;
    size_t room;           /* particles for which the arrays of a gas have room */
    uint32_t capacity;     /* most neighbours of a particle */
    uint32_t launch_steps; /* most steps of a launch */
    uint32_t sample_room, draw_room;
    uint64_t sample_every, rescale_every, rescale_end; /* rescale_every 0: velocities are not rescaled */
    double skin;
    /* Of all gases: words, samples and random numbers of a launch. */
    uint32_t *all_words;
    void *all_samples, *all_draws;
    uint64_t sampled; /* the next sample to be read */
};

static const struct gas_problem *first_problem(const struct shoal_gas_replicas *replicas)
{
    return &replicas->each->problem;
}

static bool is_single(const struct gas_problem *problem)
{
    return problem->params->precision == SHOAL_GAS_SINGLE;
}

/* Bytes of a number in the format of pair forces. */
static size_t real_bytes(const struct gas_problem *problem)
{
    return problem->params->precision == SHOAL_GAS_DOUBLE ? sizeof(double) : sizeof(float);
}

static void put_reals(const struct gas_problem *problem, void *array, size_t first, const double *values,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (real_bytes(problem) == sizeof(double))
            ((double *)array)[first + i] = values[i];
        else
            ((float *)array)[first + i] = (float)values[i];
}

/* Plan ------------------------------------------------------------------------------------------------- */

static double range_of(const struct gas_problem *problem, const struct replicas_device *device)
{
    return problem->pair.cutoff + device->skin;
}

/* The skin that was fastest at density 0.4, unless one is asked for. */
static double skin_of(const struct gas_problem *problem)
{
    const double asked = problem->params->skin;
    return isnan(asked) ? (problem->dim == 2 ? 0.3 : 0.18) * problem->pair.cutoff : asked;
}

static uint32_t capacity_for(const struct gas_problem *problem, double neighbours)
{
    /* behind the longest list there is room for a block, ROOM of the kernel */
    return (uint32_t)(8 * ceil(fmin(neighbours, (double)problem->n) / 8)) + CPU_TILE;
}

/* Room for the lists of the densest gas at first. */
static uint32_t first_capacity(const struct shoal_gas_replicas *replicas,
                               const struct replicas_device *device)
{
    double most = 0;
    for (size_t i = 0; i < replicas->count; i++) {
        const struct gas_problem *problem = &replicas->each[i].problem;
        most = fmax(most, gas_mean_neighbours(problem, range_of(problem, device)));
    }
    return capacity_for(first_problem(replicas), 1.5 * most + 8);
}

/* The cells of a gas: each at least as wide as the range of the list. */
static void fit_cells(const struct gas_problem *problem, double range, uint32_t mesh[4])
{
    const double most = fmin(MOST_CELLS, fmax(1, (double)(problem->n / CELL_PARTICLES)));
    double fitting[GAS_MAX_DIM] = {1, 1, 1};
    size_t cells[GAS_MAX_DIM];
    for (size_t k = 0; k < problem->dim; k++)
        fitting[k] = fmax(1, floor(problem->length[k] / (range * (1 + 1e-6))));
    gas_fit_cells(fitting, most, cells);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        mesh[k] = (uint32_t)cells[k];
    mesh[3] = 0;
}

/* CUDA: groups that are to fit a multiprocessor. Without a limit a work-item has 86 registers, and 1024 of
 * them do not fit; 64 hold what it needs in single precision. */
static int64_t min_groups(const struct gas_problem *problem, size_t items)
{
    const size_t groups = RESIDENT_ITEMS / items;
    return is_single(problem) ? (int64_t)clamped(groups, 1, MOST_GROUPS) : 1;
}

static enum shoal_status build(struct shoal_gas_replicas *replicas, struct replicas_device *device,
                               enum shoal_variant variant, struct shoal_error *error)
{
    const struct gas_problem *problem = first_problem(replicas);
    const struct shoal_device_info *info = shoal_device_get_info(replicas->device);
    const size_t n = problem->n, asked = problem->params->work_group;
    const bool in_blocks = is_plain_cpu(replicas->device) && !asked;
    /* gases of like sizes have the same program */
    const size_t room = n > 256 ? (n + 255) / 256 * 256 : power_of_two_at_least(n > 64 ? n : 64);
    const size_t cells = room / CELL_PARTICLES < MOST_CELLS ? room / CELL_PARTICLES : MOST_CELLS;
    const uint64_t most = info->max_work_group < MOST_ITEMS ? info->max_work_group : MOST_ITEMS;
    const size_t items = in_blocks ? 1
                         : asked   ? asked
                                   : power_of_two_at_least(clamped(room / ITEM_PARTICLES, 1, most));
    const size_t block = in_blocks ? CPU_TILE : 1;
    const size_t bytes = (2 * room + block) * gas_position_bytes(problem) +
                         (room + block) * sizeof(uint16_t) + cells * sizeof(uint32_t);
    const struct entry_kernel kernel = {"gas_replicas", &device->kernel};
    struct defines defines = {.list = {{"BLOCK", (int64_t)block},
                                       {"CELLS", (int64_t)cells},
                                       {"LIST_TILE", in_blocks ? CPU_TILE : GPU_TILE},
                                       {"LOCAL", div_up(bytes, 8)},
                                       {"MIN_GROUPS", min_groups(problem, items)},
                                       {"PARTICLES", (int64_t)room},
                                       {"WG", (int64_t)items}},
                              .count = 7};
    if (bytes + 16 * items + 24 > info->local_mem)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%zu particles need %zu bytes of local memory, and %s has %llu: lower --particles", n,
                    bytes + 16 * items + 24, info->id, (unsigned long long)info->local_mem);
    gas_problem_defines(problem, &defines);
    device->programs.device = replicas->device;
    device->programs.variant = variant;
    gas_kernel_texts(problem, device->programs.texts);
    return programs_build(&device->programs, &gas_replicas_program, &defines, &kernel, 1, &device->program,
                          error);
}

/* When samples and rescalings are due, and how many a launch has. */
static void plan_launches(const struct shoal_gas_replicas *replicas, struct replicas_device *device)
{
    const struct gas_problem *problem = first_problem(replicas);
    const struct shoal_gas_params *params = problem->params;
    const uint64_t rescaling = gas_rescale_next(params, 0);
    const double work = (double)problem->n * (double)replicas->count;
    device->launch_steps = (uint32_t)fmin(MOST_STEPS, fmax(LEAST_STEPS, launch_work / work));
    device->sample_every = params->thermo ? params->thermo : params->average_every;
    device->sample_room = (uint32_t)(device->launch_steps / device->sample_every + 2);
    device->rescale_every = rescaling == UINT64_MAX ? 0 : rescaling;
    device->rescale_end = gas_scales_velocities(params) ? replicas->total : params->equilibration;
    if (!device->rescale_every)
        return;
    const double draw = (double)replicas->count * REPLICAS_DRAWS * sizeof(double),
                 most = fmax(1, DRAW_BYTES / draw) * (double)device->rescale_every;
    device->launch_steps = (uint32_t)fmin(device->launch_steps, fmax(LEAST_STEPS, most));
    device->draw_room = (uint32_t)(device->launch_steps / device->rescale_every + 2);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status create_list(struct shoal_gas_replicas *replicas, struct replicas_device *device,
                                     struct shoal_error *error)
{
    const size_t bytes = replicas->count * device->room * device->capacity * sizeof(uint16_t);
    shoal_buffer_destroy(&device->list);
    return shoal_buffer_create(replicas->device, bytes, &device->list, error);
}

static size_t sums_bytes(const struct shoal_gas_replicas *replicas, const struct replicas_device *device)
{
    return replicas->count * device->sample_room * REPLICAS_SUMS * GAS_EXCHANGE_BYTES;
}

static size_t draws_bytes(const struct shoal_gas_replicas *replicas, const struct replicas_device *device)
{
    return replicas->count * (device->draw_room ? device->draw_room : 1) * REPLICAS_DRAWS *
           real_bytes(first_problem(replicas));
}

static enum shoal_status allocate(struct shoal_gas_replicas *replicas, struct replicas_device *device,
                                  struct shoal_error *error)
{
    const struct gas_problem *problem = first_problem(replicas);
    const size_t count = replicas->count, all = count * device->room;
    const bool has_heat = problem->params->thermostat == SHOAL_GAS_LANGEVIN;
    const struct {
        struct shoal_buffer **buffer;
        size_t bytes;
    } needs[] = {
        {&device->position, all * gas_position_bytes(problem)},
        {&device->velocity, all * gas_vector_bytes(problem)},
        {&device->reference, all * gas_position_bytes(problem)},
        {&device->image, all * problem->dim * sizeof(int32_t)},
        {&device->exchange, (has_heat ? all : 1) * GAS_EXCHANGE_BYTES},
        {&device->ids, device->room * sizeof(uint32_t)},
        {&device->words, count * GAS_WORDS * sizeof(uint32_t)},
        {&device->settings, count * GAS_SETTINGS * real_bytes(problem)},
        {&device->meshes, count * 4 * sizeof(uint32_t)},
        {&device->counts, all * sizeof(uint32_t)},
        {&device->draws, draws_bytes(replicas, device)},
        {&device->samples, sums_bytes(replicas, device)},
    };
    enum shoal_status status = create_list(replicas, device, error);
    for (size_t i = 0; i < sizeof needs / sizeof *needs && !status; i++)
        status = shoal_buffer_create(replicas->device, needs[i].bytes, needs[i].buffer, error);
    if (!status)
        status =
            shoal_buffer_fill(replicas->queue, device->image, 0, shoal_buffer_size(device->image), 0, error);
    if (!status)
        status = shoal_buffer_fill(replicas->queue, device->exchange, 0, shoal_buffer_size(device->exchange),
                                   0, error);
    device->all_words = calloc(count * GAS_WORDS, sizeof *device->all_words);
    device->all_samples = malloc(sums_bytes(replicas, device));
    device->all_draws = malloc(draws_bytes(replicas, device));
    const bool is_there = device->all_words && device->all_samples && device->all_draws;
    return status || is_there ? status : fail_host_memory(error);
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

static enum shoal_status put_replica(const struct shoal_gas_replicas *replicas, size_t index,
                                     const struct upload *to, struct shoal_error *error)
{
    struct replica *replica = &replicas->each[index];
    struct replicas_device *device = replicas->on_device;
    struct gas_problem *problem = &replica->problem;
    const size_t n = problem->n, dim = problem->dim, first = index * device->room;
    const uint64_t seed = gas_seed(problem);
    double wide[GAS_SETTINGS] = {0};
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
    gas_settings_of(problem, wide);
    put_reals(problem, to->settings, index * GAS_SETTINGS, wide, GAS_SETTINGS);
    fit_cells(problem, range_of(problem, device), to->meshes + 4 * index);
    words[WORD_EXPLODED] = words[WORD_EXPLODED_ID] = UINT32_MAX;
    words[WORD_ESCAPED] = words[WORD_ESCAPED_ID] = UINT32_MAX;
    words[WORD_FROZEN] = REPLICAS_UNLISTED;
    words[WORD_SEED] = (uint32_t)seed;
    words[WORD_SEED + 1] = (uint32_t)(seed >> 32);
    return SHOAL_OK;
}

static enum shoal_status write(struct shoal_queue *queue, struct shoal_buffer *buffer, const void *data,
                               struct shoal_error *error)
{
    return shoal_buffer_write(queue, buffer, 0, data, shoal_buffer_size(buffer), error);
}

static enum shoal_status upload(struct shoal_gas_replicas *replicas, struct shoal_error *error)
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
        status = write(replicas->queue, writes[i].buffer, writes[i].data, error);
    free(all.position);
    free(all.velocity);
    free(all.settings);
    free(all.ids);
    free(all.meshes);
    return status;
}

enum shoal_status replicas_device_create(struct shoal_gas_replicas *replicas, enum shoal_variant variant,
                                         struct shoal_error *error)
{
    const struct gas_problem *problem = first_problem(replicas);
    struct replicas_device *device = replicas->on_device = calloc(1, sizeof *device);
    if (!device)
        return fail_host_memory(error);
    device->skin = skin_of(problem);
    device->room = (problem->n + GPU_TILE - 1) / GPU_TILE * GPU_TILE;
    device->capacity = first_capacity(replicas, device);
    plan_launches(replicas, device);
    enum shoal_status status = build(replicas, device, variant, error);
    if (!status)
        status = allocate(replicas, device, error);
    return status ? status : upload(replicas, error);
}

void replicas_device_destroy(struct replicas_device **pointer)
{
    struct replicas_device *device = *pointer;
    if (!device)
        return;
    *pointer = NULL;
    struct shoal_buffer **const buffers[] = {
        &device->position, &device->velocity, &device->reference, &device->image,  &device->exchange,
        &device->ids,      &device->words,    &device->settings,  &device->meshes, &device->list,
        &device->counts,   &device->draws,    &device->samples};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    programs_destroy(&device->programs);
    free(device->all_words);
    free(device->all_samples);
    free(device->all_draws);
    free(device);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Draws the random numbers of the rescalings after the steps from .. to - 1. */
static enum shoal_status draw(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                              struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const uint64_t every = device->rescale_every, end = to < device->rescale_end ? to : device->rescale_end;
    if (!every || from / every * every >= end)
        return SHOAL_OK;
    const uint64_t first = from / every, last = (end - 1) / every;
    const double alone_s = 2e-7 * (double)replicas->count * (double)(last - first + 1);
#pragma omp parallel for schedule(static) num_threads(threads_once(alone_s))
    for (size_t i = 0; i < replicas->count; i++)
        for (uint64_t k = first; k <= last; k++) {
            const struct gas_problem *problem = &replicas->each[i].problem;
            const struct gas_rescaling rescaling = gas_rescale_draw(problem, k * every);
            const double values[REPLICAS_DRAWS] = {rescaling.keep, rescaling.change, rescaling.normal,
                                                   rescaling.squares, rescaling.temperature};
            put_reals(problem, device->all_draws,
                      (i * device->draw_room + (size_t)(k - first)) * REPLICAS_DRAWS, values, REPLICAS_DRAWS);
        }
    return write(replicas->queue, device->draws, device->all_draws, error);
}

static enum shoal_status launch(const struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    const struct gas_problem *problem = first_problem(replicas);
    const double range = range_of(problem, device), skin = device->skin;
    const struct gas_replicas_launch launch = {
        .n = (uint32_t)problem->n,
        .room = (uint32_t)device->room,
        .capacity = device->capacity,
        .turns = (uint32_t)(to - from),
        .end = (uint32_t)to,
        .sample_first = (uint32_t)problem->params->equilibration,
        .sample_every = (uint32_t)device->sample_every,
        .sample_base = (uint32_t)device->sampled,
        .sample_room = device->sample_room,
        .rescale_every = (uint32_t)device->rescale_every,
        .rescale_end = device->rescale_every ? (uint32_t)device->rescale_end : 0,
        .rescale_base = device->rescale_every ? (uint32_t)(from / device->rescale_every) : 0,
        .rescale_room = device->draw_room,
        /* the margin of gas/methods/neighbours.c */
        .range2 = (float)(range * range * (1 + 0x1p-20))};
    return LAUNCH(gas_replicas, replicas->queue, device->kernel, replicas->count, error,
                  .position = device->position, .velocity = device->velocity, .reference = device->reference,
                  .image = device->image, .exchange = device->exchange, .ids = device->ids,
                  .words = device->words, .settings = device->settings, .meshes = device->meshes,
                  .list = device->list, .counts = device->counts, .draws = device->draws,
                  .samples = device->samples, .allowed2 = 0.25 * skin * skin, .launch = &launch);
}

/* Launches until no list overflows. */
static enum shoal_status advance(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                 struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    for (int tries = 0; tries < MOST_REBUILDS; tries++) {
        uint32_t most = 0;
        enum shoal_status status = launch(replicas, from, to, error);
        if (!status)
            status = shoal_buffer_read(replicas->queue, device->words, 0, device->all_words,
                                       shoal_buffer_size(device->words), error);
        for (size_t i = 0; i < replicas->count && !status; i++) {
            const uint32_t wanted = device->all_words[i * GAS_WORDS + WORD_OVERFLOW];
            most = wanted > most ? wanted : most;
        }
        if (status || !most)
            return status;
        device->capacity = capacity_for(first_problem(replicas), 1.125 * most + 8);
        for (size_t i = 0; i < replicas->count; i++) {
            uint32_t *words = device->all_words + i * GAS_WORDS;
            words[WORD_OVERFLOW] = 0;
            if (words[WORD_FROZEN] == REPLICAS_LISTED)
                words[WORD_FROZEN] = REPLICAS_LOST;
        }
        status = create_list(replicas, device, error);
        if (!status)
            status = write(replicas->queue, device->words, device->all_words, error);
        if (status)
            return status;
    }
    return fail(error, SHOAL_FAILED, "gas.replicas: the neighbour lists overflow whatever their length");
}

/* A sum of a sample. */
static double sum_of(const struct gas_problem *problem, const void *sums, size_t at)
{
    return is_single(problem)
               ? (double)((const float *)sums)[2 * at] + (double)((const float *)sums)[2 * at + 1]
               : ((const double *)sums)[at];
}

/* Adds sample number `sample`, which is the one number `at` of the launch, to the means of a replica. */
static void add_sample(struct replica *replica, const void *sums, size_t at, uint64_t sample, uint64_t every)
{
    const struct gas_problem *problem = &replica->problem;
    const double mass = problem->params->mass;
    struct shoal_gas_thermo thermo = {.step = sample * every,
                                      .time = (double)(sample * every) * problem->params->dt,
                                      .kinetic = 0.5 * mass * sum_of(problem, sums, at + REPLICAS_SQUARES),
                                      .potential = sum_of(problem, sums, at + REPLICAS_PAIRS),
                                      .wall_pressure = NAN};
    gas_finish_thermo(problem, sum_of(problem, sums, at + REPLICAS_VIRIAL), 0, &thermo);
    gas_averages_add(replica->averages, &thermo, (double)problem->n);
    replica->last = thermo;
    replica->samples++;
}

/* Reads how far the replicas have come, and their samples up to step `to`. */
static enum shoal_status collect(struct shoal_gas_replicas *replicas, uint64_t to, struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const uint64_t every = device->sample_every, first = replicas->each->params.equilibration;
    const uint64_t samples = to >= first ? (to - first) / every + 1 : 0; /* taken by now */
    enum shoal_status status = SHOAL_OK;
    if (samples > device->sampled)
        status = shoal_buffer_read(replicas->queue, device->samples, 0, device->all_samples,
                                   sums_bytes(replicas, device), error);
    if (status)
        return status;
    for (size_t i = 0; i < replicas->count; i++) {
        struct replica *replica = &replicas->each[i];
        const uint32_t *words = device->all_words + i * GAS_WORDS;
        replica->steps = words[WORD_STEP];
        replica->rebuilds = words[WORD_REBUILDS];
        if (words[WORD_EXPLODED] != UINT32_MAX && !*replica->failure) {
            struct shoal_error own = {0};
            if (gas_fail_exploded(&replica->problem, words[WORD_EXPLODED], words[WORD_EXPLODED_ID], &own))
                replica_fail(replica, &own);
        }
        for (uint64_t s = device->sampled; s < samples && !*replica->failure; s++)
            add_sample(replica, device->all_samples,
                       (i * device->sample_room + (size_t)(s - device->sampled)) * REPLICAS_SUMS, s, every);
    }
    device->sampled = samples;
    return SHOAL_OK;
}

enum shoal_status replicas_device_step(struct shoal_gas_replicas *replicas, uint64_t steps,
                                       struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    const uint64_t end = replicas->steps_done + steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t from = replicas->steps_done; from < end && !status;) {
        const uint64_t to = end - from < device->launch_steps ? end : from + device->launch_steps;
        status = draw(replicas, from, to, error);
        if (!status)
            status = advance(replicas, from, to, error);
        if (!status)
            status = collect(replicas, to, error);
        from = to;
    }
    return status;
}

enum shoal_status replicas_device_state(const struct shoal_gas_replicas *replicas, size_t index,
                                        double *position, double *velocity, struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    const struct gas_problem *problem = &replicas->each[index].problem;
    const size_t places = gas_position_bytes(problem), vectors = gas_vector_bytes(problem),
                 dim = problem->dim, first = index * device->room;
    char *place = malloc(problem->n * places), *vector = malloc(problem->n * vectors);
    enum shoal_status status = place && vector ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = shoal_buffer_read(replicas->queue, device->position, first * places, place,
                                   problem->n * places, error);
    if (!status)
        status = shoal_buffer_read(replicas->queue, device->velocity, first * vectors, vector,
                                   problem->n * vectors, error);
    for (size_t at = 0; at < problem->n * dim && !status; at++) {
        if (position)
            position[at] = gas_get_position(problem, place, at / dim, at % dim);
        if (velocity)
            velocity[at] = gas_get_vector(problem, vector, at / dim, at % dim);
    }
    free(place);
    free(vector);
    return status;
}

const struct shoal_program *replicas_device_program(const struct replicas_device *device)
{
    return device->program;
}
