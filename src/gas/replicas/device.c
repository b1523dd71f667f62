/* Replicas on a device: a work-group makes many steps of a gas in a launch. After a launch the host reads how
 * far each gas has come. If a list was too short, the launch is repeated with longer lists: gases that have
 * made their steps do nothing then. During a launch the host draws the random numbers of the next one, and
 * adds the samples of the launch before to the means. */
#include "compute/device.h"
#include "base/error.h"
#include "base/integer.h"
#include "base/threads.h"
#include "compute/launch.h"
#include "gas/device/numbers.h"
#include "gas/model/thermostat.h"
#include "gas/replicas/device.h"

#include <stdlib.h>
#include <string.h>

enum {
    CPU_TILE = 16,         /* as in gas/methods/neighbours.c */
    MOST_ITEMS = 512,      /* of a work-group on a GPU: a multiprocessor holds two groups */
    RESIDENT_ITEMS = 1024, /* that a multiprocessor holds at a time, with 64 registers each */
    MOST_GROUPS = 32,      /* that a multiprocessor holds */
    ITEM_PARTICLES = 2,
    MOST_REBUILDS = 64, /* of a list that is too short: each gives it more room */
    LEAST_STEPS = 16,   /* of a launch */
    MOST_STEPS = 4096,
    MOST_BYTES = 1 << 26 /* of random numbers of a launch, and of what its samples count */
};

/* Particle-steps of a launch for each compute unit: a hundredth of a second of a GPU, in which the host draws
 * the random numbers of the next launch and adds the samples of the one before, and some hundredths of a
 * processor. */
static const double unit_work = 2e6;

static bool is_single(const struct gas_problem *problem)
{
    return problem->params->precision == SHOAL_GAS_SINGLE;
}

/* Plan ------------------------------------------------------------------------------------------------- */

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
    return capacity_for(replicas_problem(replicas), 1.5 * most + 8);
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
    const struct gas_problem *problem = replicas_problem(replicas);
    const struct shoal_device_info *info = shoal_device_get_info(replicas->device);
    const size_t n = problem->n, asked = problem->params->work_group;
    const bool in_blocks = is_plain_cpu(replicas->device) && !asked;
    /* gases of like sizes have the same program */
    const size_t room = n > 256 ? (n + 255) / 256 * 256 : power_of_two_at_least(n > 64 ? n : 64);
    const size_t cells = room / CELL_PARTICLES < REPLICAS_CELLS ? room / CELL_PARTICLES : REPLICAS_CELLS;
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
                                       {"CLUSTERS", problem->params->cluster_distance > 0},
                                       {"DISTANCES", problem->params->rdf_bins > 0},
                                       {"LIST_TILE", in_blocks ? CPU_TILE : REPLICAS_TILE},
                                       {"LOCAL", div_up(bytes, 8)},
                                       {"MIN_GROUPS", min_groups(problem, items)},
                                       {"PARTICLES", (int64_t)room},
                                       {"WG", (int64_t)items}},
                              .count = 9};
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
    const struct gas_problem *problem = replicas_problem(replicas);
    const struct shoal_gas_params *params = problem->params;
    const uint64_t rescaling = gas_rescale_next(params, 0);
    const double units = (double)shoal_device_get_info(replicas->device)->units,
                 count = (double)replicas->count, work = (double)problem->n * count;
    device->launch_steps =
        (uint32_t)fmin(MOST_STEPS, fmax(LEAST_STEPS, unit_work * fmin(units, count) / work));
    device->sample_every = params->thermo ? params->thermo : params->average_every;
    const double tally = count * (double)replicas_tally_counts(problem) * sizeof(uint32_t);
    if (tally > 0)
        device->launch_steps = (uint32_t)fmin(
            device->launch_steps, fmax(1, floor(MOST_BYTES / tally) * (double)device->sample_every));
    device->sample_room = (uint32_t)(device->launch_steps / device->sample_every + 2);
    device->rescale_every = rescaling == UINT64_MAX ? 0 : rescaling;
    device->rescale_end = gas_scales_velocities(params) ? replicas->total : params->equilibration;
    if (!device->rescale_every)
        return;
    const double draw = count * REPLICAS_DRAWS * sizeof(double),
                 most = fmax(1, MOST_BYTES / draw) * (double)device->rescale_every;
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

/* Bytes of what the samples of a launch count; not 0, since no buffer is empty. */
static size_t tallies_bytes(const struct shoal_gas_replicas *replicas, const struct replicas_device *device)
{
    const size_t counts = replicas_tally_counts(replicas_problem(replicas));
    return (counts ? replicas->count * device->sample_room * counts : 1) * sizeof(uint32_t);
}

/* Bytes of the random numbers of a rescaling. */
static size_t draw_bytes(const struct shoal_gas_replicas *replicas)
{
    return REPLICAS_DRAWS * real_bytes(replicas_problem(replicas));
}

static size_t draws_bytes(const struct shoal_gas_replicas *replicas, const struct replicas_device *device)
{
    return replicas->count * (device->draw_room ? device->draw_room : 1) * draw_bytes(replicas);
}

static enum shoal_status allocate(struct shoal_gas_replicas *replicas, struct replicas_device *device,
                                  struct shoal_error *error)
{
    const struct gas_problem *problem = replicas_problem(replicas);
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
        {&device->settings, count * numbers_of(problem) * real_bytes(problem)},
        {&device->meshes, count * 4 * sizeof(uint32_t)},
        {&device->counts, all * sizeof(uint32_t)},
        {&device->draws, draws_bytes(replicas, device)},
        {&device->samples, sums_bytes(replicas, device)},
        {&device->tallies, tallies_bytes(replicas, device)},
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
    device->all_tallies = malloc(tallies_bytes(replicas, device));
    const bool is_there =
        device->all_words && device->all_samples && device->all_draws && device->all_tallies;
    return status || is_there ? status : fail_host_memory(error);
}

enum shoal_status replicas_device_create(struct shoal_gas_replicas *replicas, enum shoal_variant variant,
                                         struct shoal_error *error)
{
    const struct gas_problem *problem = replicas_problem(replicas);
    struct replicas_device *device = replicas->on_device = calloc(1, sizeof *device);
    if (!device)
        return fail_host_memory(error);
    device->skin = skin_of(problem);
    device->room = (problem->n + REPLICAS_TILE - 1) / REPLICAS_TILE * REPLICAS_TILE;
    device->capacity = first_capacity(replicas, device);
    plan_launches(replicas, device);
    enum shoal_status status = build(replicas, device, variant, error);
    if (!status)
        status = allocate(replicas, device, error);
    return status ? status : replicas_upload(replicas, error);
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
        &device->counts,   &device->draws,    &device->samples,   &device->tallies};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    programs_destroy(&device->programs);
    free(device->all_words);
    free(device->all_samples);
    free(device->all_draws);
    free(device->all_tallies);
    free(device);
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Whether velocities are rescaled after one of the steps from .. to - 1. */
static bool has_rescalings(const struct replicas_device *device, uint64_t from, uint64_t to)
{
    const uint64_t every = device->rescale_every, end = to < device->rescale_end ? to : device->rescale_end;
    return every && from / every * every < end;
}

/* Draws the random numbers of the rescalings after the steps from .. to - 1, unless they are there. */
static void draw(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to)
{
    struct replicas_device *device = replicas->on_device;
    const uint64_t every = device->rescale_every, end = to < device->rescale_end ? to : device->rescale_end;
    if (!has_rescalings(device, from, to))
        return;
    const uint64_t first = from / every, last = (end - 1) / every;
    if (first == device->drawn_first && last - first < device->drawn)
        return;
    const size_t drawn = (size_t)(last - first + 1);
    const double alone_s = 2e-7 * (double)replicas->count * (double)drawn;
    device->drawn_first = first;
    device->drawn = (uint32_t)drawn;
#pragma omp parallel for schedule(static) num_threads(threads_once(alone_s))
    for (size_t i = 0; i < replicas->count; i++)
        for (size_t k = 0; k < drawn; k++) {
            const struct gas_problem *problem = &replicas->each[i].problem;
            const struct gas_rescaling rescaling = gas_rescale_draw(problem, (first + k) * every);
            const double values[REPLICAS_DRAWS] = {rescaling.keep, rescaling.change, rescaling.normal,
                                                   rescaling.squares, rescaling.temperature};
            put_reals(problem, device->all_draws, (i * drawn + k) * REPLICAS_DRAWS, values, REPLICAS_DRAWS);
        }
}

/* Writes the random numbers of a launch that makes the steps from .. to - 1. */
static enum shoal_status send_draws(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                    struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    if (!has_rescalings(device, from, to))
        return SHOAL_OK;
    draw(replicas, from, to);
    device->sent = device->drawn;
    return shoal_buffer_write(replicas->queue, device->draws, 0, device->all_draws,
                              replicas->count * device->sent * draw_bytes(replicas), error);
}

/* What the host does while a launch makes the steps from .. to - 1: it draws the random numbers of a launch
 * of as many steps behind it, and adds the samples of the launch before it. */
static enum shoal_status work_meanwhile(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                        struct shoal_error *error)
{
    draw(replicas, to, to + (to - from));
    return replicas_keep_samples(replicas, error);
}

static enum shoal_status launch(const struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                struct shoal_error *error)
{
    const struct replicas_device *device = replicas->on_device;
    const struct gas_problem *problem = replicas_problem(replicas);
    const double range = range_of(problem, device), skin = device->skin,
                 clusters = problem->params->cluster_distance,
                 width = problem->params->rdf_bins ? gas_bin_width(problem, SHOAL_GAS_RDF) : 1;
    const size_t bins = gas_bins(problem, SHOAL_GAS_RDF);
    const struct gas_replicas_launch launch = {
        .n = (uint32_t)problem->n,
        .room = (uint32_t)device->room,
        .numbers = (uint32_t)numbers_of(problem),
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
        .rescale_room = device->sent,
        .tallies = (uint32_t)replicas_tally_counts(problem),
        .bins = (uint32_t)bins,
        .distances_are_listed = replicas_list_holds(problem, width * (double)bins),
        .clusters_are_listed = replicas_list_holds(problem, clusters),
        /* the margin of gas/methods/neighbours.c */
        .range2 = (float)(range * range * (1 + 0x1p-20))};
    return LAUNCH(gas_replicas, replicas->queue, device->kernel, replicas->count, error,
                  .position = device->position, .velocity = device->velocity, .reference = device->reference,
                  .image = device->image, .exchange = device->exchange, .ids = device->ids,
                  .words = device->words, .settings = device->settings, .meshes = device->meshes,
                  .list = device->list, .counts = device->counts, .draws = device->draws,
                  .samples = device->samples, .tallies = device->tallies, .allowed2 = 0.25 * skin * skin,
                  .inverse_width = 1 / width, .cluster2 = clusters * clusters, .launch = &launch);
}

/* Makes the list as long as `capacity` asks for, and writes the words that say so to the gases. A call that
 * fails leaves list_is_due set, and the next call makes the list again. */
static enum shoal_status renew_list(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    enum shoal_status status = create_list(replicas, device, error);
    if (!status)
        status = write_all(replicas->queue, device->words, device->all_words, error);
    device->list_is_due = status != SHOAL_OK;
    return status;
}

/* Launches until no list overflows. */
static enum shoal_status advance(struct shoal_gas_replicas *replicas, uint64_t from, uint64_t to,
                                 struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    for (int tries = 0; tries < MOST_REBUILDS; tries++) {
        uint32_t most = 0;
        enum shoal_status status = device->list_is_due ? renew_list(replicas, error) : SHOAL_OK;
        if (!status)
            status = launch(replicas, from, to, error);
        if (!status)
            status = shoal_queue_flush(replicas->queue, error);
        if (!status && tries == 0)
            status = work_meanwhile(replicas, from, to, error);
        if (!status)
            status = shoal_buffer_read(replicas->queue, device->words, 0, device->all_words,
                                       shoal_buffer_size(device->words), error);
        for (size_t i = 0; i < replicas->count && !status; i++) {
            const uint32_t wanted = device->all_words[i * GAS_WORDS + WORD_OVERFLOW];
            most = wanted > most ? wanted : most;
        }
        if (status || !most)
            return status;
        device->capacity = capacity_for(replicas_problem(replicas), 1.125 * most + 8);
        for (size_t i = 0; i < replicas->count; i++) {
            uint32_t *words = device->all_words + i * GAS_WORDS;
            words[WORD_OVERFLOW] = 0;
            if (words[WORD_FROZEN] == REPLICAS_LISTED)
                words[WORD_FROZEN] = REPLICAS_LOST;
        }
        device->list_is_due = true;
    }
    return fail(error, SHOAL_FAILED, "gas.replicas: the neighbour lists overflow whatever their length");
}

/* Reads the samples up to step `to`. The samples before them are in the means. */
static enum shoal_status collect(struct shoal_gas_replicas *replicas, uint64_t to, struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const uint64_t every = device->sample_every, first = replicas->each->params.equilibration;
    const uint64_t samples = to >= first ? (to - first) / every + 1 : 0; /* taken by now */
    enum shoal_status status = SHOAL_OK;
    if (samples > device->sampled)
        status = shoal_buffer_read(replicas->queue, device->samples, 0, device->all_samples,
                                   sums_bytes(replicas, device), error);
    if (!status && samples > device->sampled && replicas_tally_counts(replicas_problem(replicas)))
        status = shoal_buffer_read(replicas->queue, device->tallies, 0, device->all_tallies,
                                   tallies_bytes(replicas, device), error);
    if (!status && samples > device->sampled)
        device->sampled = samples;
    return status;
}

enum shoal_status replicas_device_step(struct shoal_gas_replicas *replicas, uint64_t steps,
                                       struct shoal_error *error)
{
    struct replicas_device *device = replicas->on_device;
    const uint64_t end = replicas->steps_done + steps, done = replicas->steps_done;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t from = device->collected > done ? device->collected : done; from < end && !status;) {
        const uint64_t launches = div_up(end - from, device->launch_steps),
                       most = from + div_up(end - from, launches),
                       to = device->begun > from ? device->begun : most;
        status = send_draws(replicas, from, to, error);
        if (!status) {
            device->begun = to;
            status = advance(replicas, from, to, error);
        }
        if (!status)
            status = collect(replicas, to, error);
        if (!status)
            device->collected = to;
        from = to;
    }
    const enum shoal_status kept = replicas_keep_samples(replicas, status ? NULL : error);
    return status ? status : kept;
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
