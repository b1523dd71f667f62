/* The ants on a device: memory, launches of a step, checkpoints. */
#include "tsp/ants/device.h"
#include "compute/launch.h"

#include "base/error.h"

#include <stdlib.h>

#include "tsp/ants/rules.h"

static struct ants_device *device_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ------------------------------------------------------------------------------------------------ */

static void list_arrays(const struct shoal_solver *solver)
{
    struct ants_device *device = device_of(solver);
    const struct ants_settings *settings = device->ants.settings;
    const double colonies = settings->colonies, n = settings->cities, ants = colonies * settings->ants;
    const double entries = n * settings->entries, values = colonies * entries,
                 deposits = colonies * settings->deposits;
    const size_t saved = 2 * (size_t)settings->colonies * settings->cities;
    const struct array list[] = {
        {&device->lists, n * settings->lists, sizeof(uint32_t)},
        {&device->heuristic, entries, sizeof(float)},
        {&device->near, settings->improves ? n * device->ants.neighbours : 0, sizeof(uint32_t)},
        {&device->tours, ants * n, sizeof(uint32_t)},
        /* The array begins with zeros, since `shoal verify` also reads the lengths before the first step. */
        {&device->lengths, ants, sizeof(int64_t), ARRAY_ZERO},
        {&device->bests, (double)saved, sizeof(uint32_t), ARRAY_SAVE, "best tours", saved},
        {&device->colonies, colonies, sizeof(struct ants_colony), ARRAY_SAVE, "colonies", settings->colonies},
        {&device->trails, values, sizeof(float), ARRAY_SAVE, "pheromone",
         (size_t)settings->colonies * settings->cities * settings->entries},
        {&device->weights, values, sizeof(float)},
        {&device->sources, deposits, sizeof(uint32_t)},
        {&device->deposits, deposits, sizeof(float)},
        {&device->links, deposits * n, 2 * sizeof(uint32_t)},
        {&device->common.sent_tours, 2 * tsp_sent_rows(solver) * n, sizeof(uint32_t)},
        {&device->common.sent_states, tsp_sent_rows(solver), sizeof(struct ants_colony)},
    };
    ARRAYS_SET(&device->common.arrays, list);
}

static enum shoal_status create_improve(struct shoal_solver *solver, struct ants_device *device,
                                        struct shoal_error *error)
{
    const struct ants_settings *settings = device->ants.settings;
    const struct tsp_improve_rules rules = {.moves = (enum tsp_moves)device->ants.moves,
                                            .no_bits = device->ants.no_bits,
                                            .neighbours = device->ants.neighbours};
    const struct tsp_improve_setup setup = {.problem = device->ants.problem,
                                            .rules = &rules,
                                            .lists = device->near,
                                            .places = &tsp_run_of(solver)->places,
                                            .tours = (size_t)settings->colonies * settings->ants,
                                            .programs = &solver->programs,
                                            .queue = solver->queue};
    return settings->improves ? tsp_improve_device_create(&setup, &device->improve, error) : SHOAL_OK;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ants_device *device = calloc(1, sizeof *device);
    solver->method.state = device;
    if (!device)
        return fail_host_memory(error);
    enum shoal_status status = ants_create(solver, &device->ants, error);
    if (status)
        return status;
    device->seen = calloc(device->ants.settings->colonies, sizeof *device->seen);
    if (!device->seen)
        return fail_host_memory(error);
    ants_set_colonies(&device->ants, device->seen, &device->common);
    if (solver->shares)
        return SHOAL_OK;
    device->common.arrays.queue = solver->queue;
    list_arrays(solver);
    status = tsp_check_memory(solver, &device->common.arrays, error);
    if (!status)
        status = ants_device_build(solver, device, error);
    if (!status)
        status = arrays_create(&device->common.arrays, error);
    device->common.state_buffer = device->colonies;
    device->common.tour_buffer = device->bests;
    device->common.number_buffer = device->lengths;
    return status ? status : create_improve(solver, device, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct ants_device *device = device_of(solver);
    if (!device)
        return;
    tsp_improve_device_destroy(&device->improve);
    arrays_destroy(&device->common.arrays);
    ants_destroy(&device->ants);
    free(device->seen);
    free(device);
}

/* Launches ---------------------------------------------------------------------------------------------- */

/* Launches kernel `entry` with at least `count` work-items. */
#define LAUNCH_ITEMS(entry, kernel, count, ...)                                                              \
    LAUNCH(entry, device->common.arrays.queue, kernel, shoal_kernel_groups(kernel, count), error, __VA_ARGS__)

static uint64_t values_of(const struct ants_settings *settings)
{
    return (uint64_t)settings->colonies * settings->cities * settings->entries;
}

static enum shoal_status fill(struct ants_device *device, bool only_reset, struct shoal_error *error)
{
    return LAUNCH_ITEMS(tsp_ants_fill, device->fill, values_of(device->ants.settings),
                        .heuristic = device->heuristic, .colonies = device->colonies,
                        .trails = device->trails, .weights = device->weights,
                        .settings = device->ants.settings, .only_reset = only_reset);
}

static enum shoal_status walk(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    const struct ants_settings *settings = device->ants.settings;
    const bool together = device->ants.algorithm == ANTS_ACS;
    const struct tsp_places *places = &tsp_run_of(solver)->places;
    const size_t group = shoal_kernel_work_group(device->walk),
                 teams = group < ANTS_LANES ? 1 : group / ANTS_LANES;
    const size_t ants = (size_t)settings->colonies * settings->ants;
    const size_t groups = together ? settings->colonies : (ants + teams - 1) / teams;
    enum shoal_status status =
        together ? LAUNCH(tsp_ants_together, solver->queue, device->walk, groups, error,
                          TSP_PLACES_ARGS(places), .lists = device->lists, .heuristic = device->heuristic,
                          .trails = device->trails, .weights = device->weights, .tours = device->tours,
                          .lengths = device->lengths, .settings = settings, .step = step)
                 : LAUNCH(tsp_ants_walk, solver->queue, device->walk, groups, error, TSP_PLACES_ARGS(places),
                          .lists = device->lists, .weights = device->weights, .tours = device->tours,
                          .lengths = device->lengths, .settings = settings, .step = step);
    if (status || !settings->improves)
        return status;
    device->improve.draw =
        (struct tsp_improve_draw){.seed = ants_seed(*settings, 0),
                                  .stride = ants_seed(*settings, 1) - ants_seed(*settings, 0),
                                  .step = step,
                                  .ants = settings->ants};
    return tsp_improve_device_run(&device->improve, device->tours, device->lengths,
                                  (size_t)settings->colonies * settings->ants, false, error);
}

static enum shoal_status settle(struct ants_device *device, uint32_t step, struct shoal_error *error)
{
    return LAUNCH(tsp_ants_settle, device->common.arrays.queue, device->settle,
                  device->ants.settings->colonies, error, .tours = device->tours, .lengths = device->lengths,
                  .bests = device->bests, .colonies = device->colonies, .sources = device->sources,
                  .deposits = device->deposits, .settings = device->ants.settings, .step = step);
}

static enum shoal_status link_tours(struct ants_device *device, struct shoal_error *error)
{
    const struct ants_settings *settings = device->ants.settings;
    return LAUNCH_ITEMS(tsp_ants_link, device->link,
                        (size_t)settings->colonies * settings->deposits * settings->cities,
                        .tours = device->tours, .bests = device->bests, .sources = device->sources,
                        .links = device->links, .settings = settings);
}

static enum shoal_status renew(struct ants_device *device, struct shoal_error *error)
{
    return LAUNCH_ITEMS(tsp_ants_renew, device->renew, values_of(device->ants.settings),
                        .lists = device->lists, .heuristic = device->heuristic, .links = device->links,
                        .deposits = device->deposits, .colonies = device->colonies, .trails = device->trails,
                        .weights = device->weights, .settings = device->ants.settings);
}

static enum shoal_status branch(struct ants_device *device, struct shoal_error *error)
{
    const struct ants_settings *settings = device->ants.settings;
    return LAUNCH_ITEMS(tsp_ants_branch, device->branch, (size_t)settings->colonies * settings->cities,
                        .lists = device->lists, .trails = device->trails, .colonies = device->colonies,
                        .settings = settings);
}

/* Calls the kernel that makes restarts and mutations at the end of a step. With mmas a colony may restart
 * every 100 steps; with bwas it mutates the pheromone, and may restart, after each step. */
static enum shoal_status finish(struct ants_device *device, uint32_t step, struct shoal_error *error)
{
    const int algorithm = device->ants.algorithm;
    if (algorithm != ANTS_BWAS && (algorithm != ANTS_MMAS || step % 100))
        return SHOAL_OK;
    enum shoal_status status = algorithm == ANTS_MMAS ? branch(device, error) : SHOAL_OK;
    if (!status)
        status = LAUNCH(tsp_ants_finish, device->common.arrays.queue, device->finish,
                        device->ants.settings->colonies, error, .lists = device->lists,
                        .heuristic = device->heuristic, .bests = device->bests, .colonies = device->colonies,
                        .trails = device->trails, .weights = device->weights,
                        .settings = device->ants.settings, .step = step);
    return status ? status : fill(device, true, error);
}

static enum shoal_status exchange(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    const struct ants_settings *settings = device->ants.settings;
    uint32_t before;
    const enum shoal_status status = tsp_colonies_send(solver, &before, error);
    return status ? status
                  : LAUNCH_ITEMS(tsp_ants_exchange, device->exchange,
                                 (size_t)settings->colonies * settings->cities,
                                 .sent = device->common.sent_tours, .senders = device->common.sent_states,
                                 .bests = device->bests, .colonies = device->colonies, .settings = settings,
                                 .before = before, .step = step);
}

/* Steps ------------------------------------------------------------------------------------------------- */

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    (void)is_first; /* the first tour is always needed, since its length is the unit of pheromone */
    struct ants *ants = &device_of(solver)->ants;
    if (!solver->share.of)
        return ants_prepare(solver, ants, error);
    ants_share_tables(ants, &device_of(solver->share.whole)->ants);
    return SHOAL_OK;
}

/* Uploads the candidate lists and the heuristic values. */
static enum shoal_status upload(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    const struct ants_settings *settings = device->ants.settings;
    enum shoal_status status = SHOAL_OK;
    const size_t n = settings->cities;
    uint32_t *lists = malloc(n * settings->lists * sizeof *lists);
    if (!lists)
        return fail_host_memory(error);
    /* An unused entry of a list gets the number of the city that has the list, which the ant has always
     * visited. */
    for (size_t i = 0; i < n * settings->lists && !status; i++)
        lists[i] =
            device->ants.lists[i] == SHOAL_TSP_NONE ? (uint32_t)(i / settings->lists) : device->ants.lists[i];
    const struct {
        struct shoal_buffer *buffer;
        const void *data;
        size_t bytes;
    } tables[] = {{device->lists, lists, n * settings->lists * sizeof(uint32_t)},
                  {device->heuristic, device->ants.heuristic, n * settings->entries * sizeof(float)},
                  {device->near, device->ants.near, n * device->ants.neighbours * sizeof(uint32_t)}};
    for (size_t i = 0; i < COUNT(tables) && !status; i++)
        if (tables[i].buffer)
            status = shoal_buffer_write(solver->queue, tables[i].buffer, 0, tables[i].data, tables[i].bytes,
                                        error);
    free(lists);
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    enum shoal_status status = upload(solver, error);
    if (status)
        return status;
    const struct ants_settings *settings = device->ants.settings;
    const bool has_tour = tsp_run_of(solver)->start_tour;
    const size_t bytes = settings->cities * sizeof(uint32_t);
    for (uint32_t c = 0; c < settings->colonies; c++)
        ants_begin(*settings, &device->seen[c], has_tour ? settings->first - settings->base : ANTS_NO_LENGTH);
    for (size_t i = 0; i < 2 * (size_t)settings->colonies && !status; i++)
        status =
            shoal_buffer_write(solver->queue, device->bests, i * bytes, device->ants.first, bytes, error);
    if (!status)
        status = shoal_buffer_write(solver->queue, device->colonies, 0, device->seen,
                                    settings->colonies * sizeof *device->seen, error);
    return status ? status : fill(device, false, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    const uint64_t done = tsp_run_of(solver)->steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 1; i <= steps && !status; i++) {
        const uint32_t step = (uint32_t)(done + i);
        status = walk(solver, step, error);
        if (!status)
            status = settle(device, step, error);
        if (!status)
            status = link_tours(device, error);
        if (!status)
            status = renew(device, error);
        if (!status)
            status = finish(device, step, error);
        if (!status && tsp_exchange_is_due(solver, step))
            status = exchange(solver, step, error);
    }
    return status;
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct ants_device *device = device_of(solver);
    struct tsp_look ignored;
    enum shoal_status status = upload(solver, error);
    if (!status)
        status = ants_check_saved(&device->ants, checkpoint, tsp_run_of(solver)->steps, error);
    if (!status)
        status = arrays_load(&device->common.arrays, checkpoint, error);
    if (!status)
        status = fill(device, false, error);
    return status ? status : tsp_colonies_look(solver, &ignored, error);
}

static void add_fields(const struct shoal_solver *solver, struct shoal_result *result)
{
    const struct ants_device *device = device_of(solver);
    ants_add_fields(tsp_run_of(solver), device->seen, device->ants.settings->colonies, result);
}

const struct tsp_method ants_device_method = {.base = {.name = "device",
                                                       .create = create,
                                                       .destroy = destroy,
                                                       .begin = begin,
                                                       .advance = advance,
                                                       .save = tsp_colonies_save,
                                                       .load = load},
                                              TSP_COLONIES_METHOD,
                                              .prepare = prepare,
                                              .add_fields = add_fields};
