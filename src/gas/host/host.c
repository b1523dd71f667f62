/* The gas in plain C and double precision: the solver of the host device, and the reference for the
 * kernels. */
#include "gas/host/host.h"
#include "base/error.h"
#include "compute/device.h"
#include "gas/fmm/fmm.h"
#include "gas/model/problem.h"
#include "gas/observe/saved.h"
#include "gas/picture/picture.h"
#include "gas/piston/piston.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory ----------------------------------------------------------------------------------------------- */

static bool has_list(const struct gas_host *host)
{
    return gas_host_lists(&host->problem) && !host->is_ideal;
}

static void list_arrays(struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    const size_t numbers = problem->n * problem->dim, pairs = gas_count_bins(problem, SHOAL_GAS_RDF);
    const size_t speeds = gas_bins(problem, SHOAL_GAS_SPEEDS), profile = gas_bins(problem, SHOAL_GAS_PROFILE);
    const size_t origins = problem->params->msd ? numbers : 0;
    const size_t kept = problem->params->vacf ? GAS_ORIGIN_LEVELS * numbers : 0;
    const double n = (double)problem->n, all = (double)numbers, blocks = (double)gas_blocks(host);
    enum { FROM_ZERO = ARRAY_ZERO | ARRAY_SAVE };
    /* Checkpoints do not hold accelerations, which are computed from the positions. For the same bits a
     * resumed run also needs the neighbour list of the run before it: host->list.arrays has the positions
     * from which that list is built again.
     */
    const struct array list[] = {
        {&host->x, all, sizeof(double), ARRAY_SAVE, "position", numbers},
        {&host->v, all, sizeof(double), ARRAY_SAVE, "velocity", numbers},
        {&host->a, all, sizeof(double)},
        {&host->energy, n, sizeof(double)},
        {&host->virial, n, sizeof(double)},
        {&host->image, all, sizeof(int32_t), FROM_ZERO, "image", numbers},
        {&host->block_exchange, blocks, sizeof *host->block_exchange},
        {&host->troubles, blocks, sizeof *host->troubles},
        {&host->block_sums, blocks, sizeof(double)},
        {&host->block_fire, problem->params->minimise ? blocks : 0, sizeof *host->block_fire},
        {&host->counts[SHOAL_GAS_RDF], (double)pairs, sizeof(uint64_t), FROM_ZERO, "pairs", pairs},
        {&host->counts[SHOAL_GAS_SPEEDS], (double)speeds, sizeof(uint64_t), FROM_ZERO, "speeds", speeds},
        {&host->counts[SHOAL_GAS_PROFILE], (double)profile, sizeof(uint64_t), FROM_ZERO, "profile", profile},
        {&host->origin, (double)origins, sizeof(double), FROM_ZERO, "origin", origins},
        {&host->origin_image, (double)origins, sizeof(int32_t), FROM_ZERO, "origin image", origins},
        {&host->origins_x, (double)kept, sizeof(double), FROM_ZERO, "origins", kept},
        {&host->origins_v, (double)kept, sizeof(double), FROM_ZERO, "origins velocity", kept},
        {&host->origins_image, (double)kept, sizeof(int32_t), FROM_ZERO, "origins image", kept},
    };
    ARRAYS_SET(&host->arrays, list);
}

static double host_bytes(struct shoal_solver *solver)
{
    const struct gas_host *host = gas_host_of(solver);
    const double list = has_list(host) ? gas_host_list_bytes(&host->problem) : 0;
    return arrays_bytes(&host->arrays) + list;
}

/* Number of threads for a step, at most `most`, so that each thread has at least about 0.1 ms of work. */
static int useful_threads(const struct gas_problem *problem, int most)
{
    const double n = (double)problem->n;
    const double pairs = gas_host_lists(problem) ? 30 * n : n * n;
    const double useful = 1 + floor(pairs / 20000);
    return useful < most ? (int)useful : most;
}

/* Solver ----------------------------------------------------------------------------------------------- */

/* Copies the positions and velocities of the start, and changes the velocities to those at half a step before
 * the start. */
static enum shoal_status place(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem *problem = &host->problem;
    const size_t numbers = problem->n * problem->dim;
    memcpy(host->x, problem->position, numbers * sizeof(double));
    memcpy(host->v, problem->velocity, numbers * sizeof(double));
    host->is_fresh = host->list.is_void = false;
    host->list.rebuilds = 0;
    gas_set_step(&host->problem, 0);
    gas_host_press(host);
    memset(host->chain, 0, sizeof host->chain);
    enum shoal_status status = arrays_zero(&host->arrays, error);
    if (!status && problem->image)
        memcpy(host->image, problem->image, numbers * sizeof *host->image);
    if (!status)
        status = gas_host_forces(host, false, error);
    for (size_t at = 0; at < numbers && !status; at++)
        host->v[at] -= host->problem.half_step * gas_host_acceleration(host, at);
    if (status == SHOAL_STOPPED)
        return gas_fail_ended(solver, "before the first forces were there", error);
    return status;
}

static enum shoal_status place_and_minimise(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    enum shoal_status status = place(solver, error);
    if (status || !gas_minimises(&host->problem))
        return status;
    status = gas_minimise(solver, &host->problem, error);
    return status ? status : place(solver, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    long_step_begin(&host->cut);
    host->problem.long_step = &host->cut;
    const enum shoal_status status = place_and_minimise(solver, error);
    host->problem.long_step = NULL;
    return status;
}

static enum shoal_status get_counts(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                    uint64_t *counts, struct shoal_error *error)
{
    const struct gas_host *host = gas_host_of(solver);
    (void)error;
    memcpy(counts, host->counts[kind], gas_count_bins(&host->problem, kind) * sizeof *counts);
    return SHOAL_OK;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *position, double *velocity,
                                   int32_t *image, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const size_t numbers = host->problem.n * host->problem.dim;
    enum shoal_status status = gas_host_forces(host, false, error);
    if (status)
        return status;
    memcpy(position, host->x, numbers * sizeof *position);
    memcpy(image, host->image, numbers * sizeof *image);
    for (size_t at = 0; at < numbers; at++)
        velocity[at] = gas_host_full_velocity(host, at);
    return SHOAL_OK;
}

static enum shoal_status get_accelerations(struct shoal_solver *solver, double *acceleration,
                                           struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    enum shoal_status status = gas_host_forces(host, false, error);
    if (!status)
        memcpy(acceleration, host->a, host->problem.n * host->problem.dim * sizeof *acceleration);
    return status;
}

/* 1e-10: the reference adds the pairs in another order, and the forces of neighbours nearly cancel. */
static double force_tolerance(const struct shoal_solver *solver)
{
    return gas_fmm_on_host(&gas_host_of(solver)->problem) ? gas_params(solver)->accuracy : 1e-10;
}

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    const struct gas_host *host = gas_host_of(solver);
    const struct gas_host_list *list = &host->list;
    const bool lists = list->problem;
    const double steps_done = (double)host->common.clock.steps_done;
    *timing = (struct shoal_gas_timing){.force_s = host->force_s,
                                        .list_s = lists ? list->make_s : NAN,
                                        .sort_s = NAN,
                                        .observe_s = host->observe_s,
                                        .rebuilds = list->rebuilds,
                                        .mean_neighbours = lists ? gas_host_list_mean(list) : NAN,
                                        .skin = lists ? list->skin : NAN,
                                        .rebuild_interval =
                                            list->rebuilds ? steps_done / (double)list->rebuilds : NAN,
                                        .method = lists                             ? "list"
                                                  : host->is_ideal                  ? "no pairs"
                                                  : gas_fmm_on_host(&host->problem) ? "fmm"
                                                                                    : "all-pairs"};
}

static void changed(struct shoal_solver *solver)
{
    gas_set_step(&gas_host_of(solver)->problem, gas_host_of(solver)->common.clock.steps_done);
}

static const struct gas_stepper stepper = {
    .begin = begin,
    .advance = gas_host_advance,
    .resize = gas_host_resize,
    .measure = gas_host_measure,
    .count = gas_host_count,
    .get_counts = get_counts,
    .mark = gas_host_mark,
    .displacements = gas_host_displacements,
    .set_origin = gas_host_set_origin,
    .correlate = gas_host_correlate,
    .tabulate = gas_host_tabulate,
    .get_state = get_state,
    .host_bytes = host_bytes,
    .fire_sums = gas_host_fire_sums,
    .fire_move = gas_host_fire_move,
    .get_accelerations = get_accelerations,
    .force_tolerance = force_tolerance,
    .timing = timing,
    .draw = gas_host_draw,
    .changed = changed,
};

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = calloc(1, sizeof *host);
    solver->state = host;
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status =
        gas_problem_create(device_shoal(solver->device), gas_params(solver), &host->problem, error);
    if (status)
        return status;
    host->choice.most = useful_threads(&host->problem, solver_threads(solver));
    host->problem.choice = &host->choice;
    long_step_create(&host->cut, solver);
    host->is_ideal = !gas_has_pair_force(gas_params(solver));
    list_arrays(host);
    status = gas_common_create(&host->common, &host->problem, &stepper, error);
    if (!status)
        status = gas_check_host(&host->problem, host_bytes(solver), error); /* before the start is drawn */
    if (!status)
        status = gas_problem_start(device_shoal(solver->device), &host->problem, error);
    if (!status)
        status = solver_keep_notes(solver, host->problem.notes, error);
    if (!status)
        status = arrays_create(&host->arrays, error);
    if (!status && has_list(host))
        status = gas_host_list_create(&host->problem, &host->list, error);
    if (!status)
        host->limit_kinetic = INFINITY;
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct gas_host *host = solver->state;
    if (host && host->problem.params) {
        arrays_destroy(&host->arrays);
        free(host->kept);
        free(host->picture);
        gas_host_list_destroy(&host->list);
        gas_common_destroy(&host->common);
        gas_problem_destroy(&host->problem);
    }
    free(host);
}

/* Checkpoint ------------------------------------------------------------------------------------------- */

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    enum shoal_status status = gas_common_save(&host->common, checkpoint, error);
    checkpoint_add(checkpoint, "books", &host->exchange, sizeof host->exchange);
    checkpoint_add(checkpoint, "rebuilds", &host->list.rebuilds, sizeof host->list.rebuilds);
    if (gas_params(solver)->thermostat == SHOAL_GAS_CHAIN)
        checkpoint_add(checkpoint, "chain", host->chain, sizeof host->chain);
    if (host->problem.piston.acts)
        checkpoint_add(checkpoint, "piston", &host->problem.piston.now, sizeof host->problem.piston.now);
    if (!status)
        status = arrays_save(&host->arrays, checkpoint, error);
    return status ? status : arrays_save(&host->list.arrays, checkpoint, error);
}

/* Loads the piston, if there is one. The positions must be loaded before. */
static enum shoal_status load_piston(struct gas_host *host, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    struct gas_piston *piston = &host->problem.piston;
    struct gas_piston_state state;
    if (!piston->acts)
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, "piston", &state, sizeof state, error);
    if (!status && !gas_piston_is_sound(piston, &state))
        status = checkpoint_damaged(checkpoint, error);
    if (status)
        return status;
    piston->now = state;
    gas_host_press(host);
    return SHOAL_OK;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem before = host->problem;
    enum shoal_status status = gas_past_load(&host->problem, checkpoint, error);
    if (!status)
        status = gas_common_load(&host->common, checkpoint, error);
    if (!status)
        status = gas_check_particles(&host->problem, checkpoint, GAS_OF_HOST, error);
    if (!status && has_list(host))
        status = gas_host_list_check(&host->list, checkpoint, error);
    if (!status)
        status = gas_check_origins(&host->problem, checkpoint, GAS_OF_HOST, error);
    if (!status)
        status = checkpoint_get(checkpoint, "books", &host->exchange, sizeof host->exchange, error);
    if (!status && gas_params(solver)->thermostat == SHOAL_GAS_CHAIN)
        status = checkpoint_get(checkpoint, "chain", host->chain, sizeof host->chain, error);
    for (size_t link = 0; link < GAS_CHAIN && !status; link++)
        if (!isfinite(host->chain[link]))
            status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status = arrays_load(&host->arrays, checkpoint, error);
    if (!status)
        status = arrays_load(&host->list.arrays, checkpoint, error);
    if (!status)
        status =
            checkpoint_get(checkpoint, "rebuilds", &host->list.rebuilds, sizeof host->list.rebuilds, error);
    if (!status)
        status = load_piston(host, checkpoint, error);
    host->is_fresh = host->list.is_built = host->list.is_void = false;
    gas_set_step(&host->problem, host->common.clock.steps_done);
    if (status) {
        gas_common_reset(&host->common);
        host->problem.past = before.past;
        host->problem.start_temperature = before.start_temperature;
        host->problem.piston = before.piston;
        gas_set_box(&host->problem, before.length);
        host->exchange = (struct gas_exchange){0};
    }
    return status;
}

static enum shoal_status follow(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    return gas_take_past(&host->common, &host->problem, checkpoint, error);
}

const struct shoal_solver_ops gas_host_ops = {
    .kind = "host",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = gas_step,
    .result = gas_result,
    .value = gas_value,
    .save = save,
    .load = load,
    .leave = gas_leave,
    .follow = follow,
    .state_count = gas_state_count,
    .get_state = gas_get_state,
};
