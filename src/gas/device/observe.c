/* Observables of the gas on a device. */
#include "gas/device/observe.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"
#include "gas/device/motion.h"
#include "gas/device/sort.h"
#include "gas/species/species_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUM_GROUPS = 512,
    SUM_BYTES = 8,
    /* most numbers that are read back in one transfer */
    MOST_SUMS = SUM_GROUPS * OBSERVED_SUMS + EXCHANGE_GROUPS * MOST_EXCHANGED,
    /* number of work-groups that add up the displacements of one of the GAS_MSD_GROUPS groups of particles */
    SQUARE_GROUPS = 16,
    LOCAL_BINS = 4096, /* most bins of a histogram that a work-group keeps in local memory */
    /* up to this number of particles, computing all distances takes less time than a sort into cells */
    FEW = 256
};

/* Host times of an action that is repeated. `first`: the first time, which includes work of drivers at the
 * first launch, such as compiling; `others`: sum of the other times. The total of the times counts the mean
 * of the others in place of `first`, if there are others. */
struct host_times {
    double first, others;
    uint64_t count;
};

static void note(struct host_times *times, double seconds)
{
    if (times->count++ == 0)
        times->first = seconds;
    else
        times->others += seconds;
}

static double total_of(const struct host_times *times)
{
    const double count = (double)times->count;
    return times->count < 2 ? times->first : times->others * count / (count - 1);
}

struct gas_observer {
    struct shoal_kernel *sum, *speeds, *pairs, *profile, *mark, *displacements, *square_sums;
    struct shoal_kernel *set_origin, *correlate;
    struct shoal_buffer *sums;
    /* positions and border crossings from which displacements are measured, and squared displacements, by
     * number of the particle */
    struct shoal_buffer *origin, *origin_image, *squares;
    /* [GAS_ORIGIN_LEVELS][n]: time origins, by number of the particle */
    struct shoal_buffer *origins, *origins_image, *origins_velocity;
    /* [bins]: counts of each histogram; NULL: this histogram is not wanted */
    struct shoal_buffer *counts[GAS_HISTOGRAMS];
    /* If there are many particles, distances are computed from copies sorted by the cells of this mesh, so
     * that the order of the particles in the gas does not change. */
    struct gas_mesh mesh, created; /* created: the mesh when `sort` was created */
    struct gas_sort *sort;         /* NULL: the grid has one cell */
    /* the words that `sort` changes, so that the words of the gas do not change */
    struct shoal_buffer *words;
    /* first places of the cells; used if the grid has one cell, so that `sort` is NULL */
    struct shoal_buffer *starts;
    struct arrays arrays; /* table of the buffers above; the sort has its own buffers */
    struct host_times samples, histograms, moves;
    bool has_sums; /* `sums` has those of the current state, or will have them when the queue is done */
    struct gas_exchange_sums exchanged; /* layout of the sums by gas_exchange_sum behind them */
};

static struct gas_observer *observer_of(const struct shoal_solver *solver)
{
    return gas_device_of(solver)->observer;
}

/* Making ----------------------------------------------------------------------------------------------- */

static uint32_t local_bins(const struct shoal_solver *solver)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    size_t most = 0;
    for (int kind = 0; kind < GAS_HISTOGRAMS; kind++) {
        const size_t bins = gas_count_bins(problem, (enum shoal_gas_histogram_kind)kind);
        most = bins > most ? bins : most;
    }
    const uint64_t room = shoal_device_get_info(solver->device)->local_mem / 2 / sizeof(uint32_t);
    return most > 0 && most <= LOCAL_BINS && most <= room ? (uint32_t)most : 0;
}

static enum shoal_status build(struct shoal_solver *solver, struct gas_observer *observer,
                               struct shoal_error *error)
{
    struct defines defines = {.count = 0};
    const struct entry_kernel kernels[] = {{"gas_observe_sums", &observer->sum},
                                           {"gas_observe_speeds", &observer->speeds},
                                           {"gas_observe_pairs", &observer->pairs},
                                           {"gas_observe_profile", &observer->profile},
                                           {"gas_observe_mark", &observer->mark},
                                           {"gas_observe_displacements", &observer->displacements},
                                           {"gas_observe_origin", &observer->set_origin},
                                           {"gas_observe_correlate", &observer->correlate},
                                           {"gas_observe_square_sums", &observer->square_sums}};
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    gas_sum_defines(solver, &defines);
    define_add(&defines, "BINS", local_bins(solver));
    return programs_build(&solver->programs, &gas_observe_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* About as many cells as particles at most. The cells of an open axis cover twice the length of the box. The
 * grid has one cell if there are few particles, or if more cells would leave out less than half of the pairs,
 * since the sort would then cost more than it saves. */
struct gas_mesh gas_mesh_for(const struct gas_problem *problem, double range)
{
    const struct gas_mesh one = {{1, 1, 1}};
    const double most = ceil(pow((double)problem->n, 1.0 / (double)problem->dim));
    struct gas_mesh mesh = one;
    double near = 1; /* fraction of the cells that may hold neighbours of a particle */
    for (size_t k = 0; k < problem->dim; k++) {
        const double covered = (problem->boundary[k] == SHOAL_GAS_OPEN ? 2 : 1) * problem->length[k];
        const double cells = fmax(1, fmin(floor(covered / (range * (1 + 1e-6))), most));
        mesh.cells[k] = (uint32_t)cells;
        near *= fmin(cells, 3) / cells;
    }
    return problem->n <= FEW || 2 * near > 1 ? one : mesh;
}

/* The largest distance of the histogram of distances. */
static double rdf_range(const struct gas_problem *problem)
{
    return gas_bin_width(problem, SHOAL_GAS_RDF) * (double)gas_bins(problem, SHOAL_GAS_RDF);
}

static void list_arrays(struct shoal_solver *solver, struct gas_observer *observer)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const size_t pairs = gas_count_bins(problem, SHOAL_GAS_RDF), speeds = gas_bins(problem, SHOAL_GAS_SPEEDS);
    const size_t profile = gas_bins(problem, SHOAL_GAS_PROFILE), n = problem->params->msd ? problem->n : 0;
    const bool sorts = gas_mesh_total(&observer->mesh) > 1;
    const size_t kept = problem->params->vacf ? GAS_ORIGIN_LEVELS * problem->n : 0;
    enum { COUNTS = ARRAY_ZERO | ARRAY_SAVE };
    const struct array list[] = {
        {&observer->sums, MOST_SUMS, SUM_BYTES},
        {&observer->counts[SHOAL_GAS_RDF], (double)pairs, sizeof(uint64_t), COUNTS, "pairs", pairs},
        {&observer->counts[SHOAL_GAS_SPEEDS], (double)speeds, sizeof(uint64_t), COUNTS, "speeds", speeds},
        {&observer->counts[SHOAL_GAS_PROFILE], (double)profile, sizeof(uint64_t), COUNTS, "profile", profile},
        {&observer->origin, (double)n, device->position_bytes, COUNTS, "origin", n},
        {&observer->origin_image, (double)(n * problem->dim), sizeof(int32_t), COUNTS, "origin image",
         n * problem->dim},
        {&observer->squares, n || kept ? (double)problem->n : 0, device->velocity_bytes, ARRAY_ZERO},
        {&observer->origins, (double)kept, device->position_bytes, COUNTS, "origins", kept},
        {&observer->origins_image, (double)(kept * problem->dim), sizeof(int32_t), COUNTS, "origins image",
         kept * problem->dim},
        {&observer->origins_velocity, (double)kept, device->velocity_bytes, COUNTS, "origins velocity", kept},
        {&observer->words, pairs && sorts ? GAS_WORDS : 0, sizeof(uint32_t), ARRAY_ZERO},
        {&observer->starts, pairs && !sorts ? 2 : 0, sizeof(uint32_t)},
    };
    observer->arrays.queue = solver->queue;
    ARRAYS_SET(&observer->arrays, list);
}

enum shoal_status gas_observer_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct gas_observer *observer = device->observer = calloc(1, sizeof *observer);
    if (!observer)
        return fail_host_memory(error);
    const struct gas_problem *problem = &device->problem;
    observer->mesh = observer->created = gas_mesh_for(problem, rdf_range(problem));
    list_arrays(solver, observer);
    const uint32_t starts[2] = {0, (uint32_t)problem->n};
    enum shoal_status status = build(solver, observer, error);
    if (!status)
        status = arrays_create(&observer->arrays, error);
    if (!status && observer->words)
        status = gas_sort_create(solver, &observer->mesh, GAS_SORT_AUTO, &observer->sort, error);
    if (!status && observer->starts)
        status = shoal_buffer_write(solver->queue, observer->starts, 0, starts, sizeof starts, error);
    return status;
}

struct gas_mesh gas_mesh_fitting(const struct gas_problem *problem, double range,
                                 const struct gas_mesh *created)
{
    struct gas_mesh mesh = gas_mesh_for(problem, range);
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        mesh.cells[k] = mesh.cells[k] < created->cells[k] ? mesh.cells[k] : created->cells[k];
    return mesh;
}

/* Chooses the mesh anew, with at most the cells that the sort has room for. */
void gas_observer_resized(struct shoal_solver *solver)
{
    struct gas_observer *observer = observer_of(solver);
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    if (observer->sort)
        observer->sort->mesh = observer->mesh =
            gas_mesh_fitting(problem, rdf_range(problem), &observer->created);
}

void gas_observer_destroy(struct shoal_solver *solver)
{
    struct gas_observer *observer = observer_of(solver);
    if (!observer)
        return;
    gas_sort_destroy(&observer->sort);
    arrays_destroy(&observer->arrays);
    free(observer);
    gas_device_of(solver)->observer = NULL;
}

double gas_observer_seconds(const struct shoal_solver *solver)
{
    const struct gas_observer *observer = observer_of(gas_const_holder(solver));
    return total_of(&observer->samples) + total_of(&observer->histograms) + total_of(&observer->moves);
}

/* Sums ------------------------------------------------------------------------------------------------- */

/* The sums over all particles from which a sample is computed. */
struct observed {
    double sums[OBSERVED_SUMS];
    double heat, impulse[GAS_MAX_DIM][2];
};

/* Number of work-groups of a launch of `kernel`: one work-item for each particle, but at most `most` groups,
 * whose work-items then handle several particles. */
static size_t groups_for(const struct gas_device *device, const struct shoal_kernel *kernel, size_t most)
{
    const size_t wanted = shoal_kernel_groups(kernel, device->problem.n);
    return wanted < most ? wanted : most;
}

static size_t sum_groups(const struct gas_device *device)
{
    return groups_for(device, device->observer->sum, SUM_GROUPS);
}

enum shoal_status gas_observe_ahead(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_observer *observer = device->observer;
    const size_t groups = sum_groups(device);
    enum shoal_status status =
        LAUNCH(gas_observe_sums, solver->queue, observer->sum, groups, error, .position = device->position,
               .velocity = device->velocity, .acceleration = device->acceleration, .ids = device->id,
               .image = device->image, .energy = device->energy, .virial = device->virial,
               .sums = observer->sums, .settings = device->settings, .n = (uint32_t)device->problem.n);
    if (!status)
        status =
            gas_exchange_sum(solver, observer->sums, groups * OBSERVED_SUMS, &observer->exchanged, error);
    observer->has_sums = !status;
    return status;
}

void gas_observe_forget(struct shoal_solver *solver)
{
    if (observer_of(solver))
        observer_of(solver)->has_sums = false;
}

/* Computes the partial sums on the device, unless it has them, reads them at once and adds them up. */
static enum shoal_status find_sums(struct shoal_solver *solver, struct observed *observed,
                                   struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_observer *observer = device->observer;
    const size_t groups = sum_groups(device), own = groups * OBSERVED_SUMS;
    const struct gas_exchange_sums *exchanged = &observer->exchanged;
    double parts[MOST_SUMS];
    *observed = (struct observed){.heat = 0};
    enum shoal_status status = observer->has_sums ? SHOAL_OK : gas_observe_ahead(solver, error);
    observer->has_sums = false; /* other observations write to `sums`, too */
    if (!status)
        status = shoal_buffer_read(solver->queue, observer->sums, 0, parts,
                                   (own + exchanged->entries * exchanged->groups) * SUM_BYTES, error);
    if (status)
        return status;
    for (size_t group = 0; group < groups; group++)
        for (size_t s = 0; s < OBSERVED_SUMS; s++) {
            const double part = gas_sum_at(device, parts, group * OBSERVED_SUMS + s);
            double *sum = &observed->sums[s];
            *sum = s == OBSERVED_FASTEST ? fmax(*sum, part) : *sum + part;
        }
    gas_exchange_total(device, exchanged, parts, &observed->heat, observed->impulse);
    return SHOAL_OK;
}

enum shoal_status gas_observe(struct shoal_solver *solver, struct shoal_gas_thermo *thermo, double *impulse,
                              struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    const struct gas_problem *problem = &device->problem;
    const double mass = problem->params->mass; /* the sums are weighted by masses over this one */
    struct observed observed;
    const double *sums = observed.sums;
    enum shoal_status status = shoal_queue_finish(holder->queue, error);
    const double start = clock_seconds();
    if (!status)
        status = gas_find_forces(solver, true, error);
    if (!status)
        status = find_sums(holder, &observed, error);
    if (status)
        return status;
    thermo->kinetic = 0.5 * mass * sums[OBSERVED_SQUARES];
    thermo->potential = sums[OBSERVED_PAIRS] + sums[OBSERVED_EXTERNAL];
    thermo->max_speed = sqrt(sums[OBSERVED_FASTEST]);
    for (size_t k = 0; k < problem->dim; k++)
        thermo->momentum[k] = mass * sums[OBSERVED_VELOCITY + k];
    gas_finish_thermo(problem, sums[OBSERVED_VIRIAL], observed.heat, thermo);
    *impulse = gas_mean_wall_impulse(problem, observed.impulse);
    if (gas_device_method(holder)->rebuilds)
        thermo->rebuilds = gas_device_method(holder)->rebuilds(holder);
    note(&device->observer->samples, clock_seconds() - start);
    return SHOAL_OK;
}

/* The functions below use the rows that the holder received when gas_observe took a sample. That sample must
 * be of the current step. */

/* Histograms ------------------------------------------------------------------------------------------- */

static enum shoal_status count_speeds(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_observer *observer = device->observer;
    return LAUNCH(gas_observe_speeds, solver->queue, observer->speeds,
                  groups_for(device, observer->speeds, 8 * SUM_GROUPS), error, .position = device->position,
                  .velocity = device->velocity, .acceleration = device->acceleration,
                  .counts = observer->counts[SHOAL_GAS_SPEEDS], .settings = device->settings,
                  .inverse_width = 1 / gas_bin_width(&device->problem, SHOAL_GAS_SPEEDS),
                  .bins = (uint32_t)gas_bins(&device->problem, SHOAL_GAS_SPEEDS),
                  .n = (uint32_t)device->problem.n);
}

static enum shoal_status count_pairs(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_observer *observer = device->observer;
    struct gas_sort *sort = observer->sort;
    struct gas_arrays from = gas_arrays_of(device);
    from.words = observer->words; /* the sort must not change the words of the gas */
    enum shoal_status status = sort ? gas_sort_run(solver, sort, &from, error) : SHOAL_OK;
    if (!status)
        status = gas_species_place(solver, sort ? sort->id : device->id, true, error);
    if (status)
        return status;
    return LAUNCH(gas_observe_pairs, solver->queue, observer->pairs,
                  groups_for(device, observer->pairs, 8 * SUM_GROUPS), error,
                  .position = sort ? sort->position : device->position,
                  .starts = sort ? sort->starts : observer->starts, .counts = observer->counts[SHOAL_GAS_RDF],
                  .settings = device->settings, .cells = &observer->mesh,
                  .inverse_width = 1 / gas_bin_width(&device->problem, SHOAL_GAS_RDF),
                  .bins = (uint32_t)gas_count_bins(&device->problem, SHOAL_GAS_RDF),
                  .n = (uint32_t)device->problem.n);
}

static enum shoal_status count_places(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_observer *observer = device->observer;
    return LAUNCH(gas_observe_profile, solver->queue, observer->profile,
                  groups_for(device, observer->profile, 8 * SUM_GROUPS), error, .position = device->position,
                  .counts = observer->counts[SHOAL_GAS_PROFILE], .settings = device->settings,
                  .axis = (uint32_t)gas_profile_axis(&device->problem),
                  .bins = (uint32_t)gas_bins(&device->problem, SHOAL_GAS_PROFILE),
                  .n = (uint32_t)device->problem.n);
}

enum shoal_status gas_observe_histograms(struct shoal_solver *solver, struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    struct gas_observer *observer = observer_of(holder);
    const double start = clock_seconds();
    enum shoal_status status = SHOAL_OK;
    if (observer->counts[SHOAL_GAS_RDF])
        status = count_pairs(holder, error);
    if (!status && observer->counts[SHOAL_GAS_SPEEDS])
        status = count_speeds(holder, error);
    if (!status && observer->counts[SHOAL_GAS_PROFILE])
        status = count_places(holder, error);
    if (!status)
        status = shoal_queue_finish(holder->queue, error);
    if (!status)
        note(&observer->histograms, clock_seconds() - start);
    return status;
}

/* Displacements ---------------------------------------------------------------------------------------- */

enum shoal_status gas_observe_mark(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    const struct gas_observer *observer = device->observer;
    return LAUNCH(gas_observe_mark, holder->queue, observer->mark,
                  shoal_kernel_groups(observer->mark, device->problem.n), error, .position = device->position,
                  .ids = device->id, .image = device->image, .origin = observer->origin,
                  .origin_image = observer->origin_image, .n = (uint32_t)device->problem.n);
}

static enum shoal_status launch_displacements(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_observer *observer = device->observer;
    const uint32_t n = (uint32_t)device->problem.n;
    return LAUNCH(gas_observe_displacements, solver->queue, observer->displacements,
                  shoal_kernel_groups(observer->displacements, n), error, .position = device->position,
                  .ids = device->id, .image = device->image, .origin = observer->origin,
                  .origin_image = observer->origin_image, .squares = observer->squares,
                  .settings = device->settings, .n = n);
}

/* Adds up the numbers in observer->squares along each axis, over each of the GAS_MSD_GROUPS groups of
 * particles. */
static enum shoal_status sum_squares(struct shoal_solver *solver, double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                     struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_observer *observer = device->observer;
    const size_t dim = device->problem.dim,
                 items = shoal_kernel_groups(observer->square_sums, device->problem.n);
    const size_t each = items / GAS_MSD_GROUPS < 1               ? 1
                        : items / GAS_MSD_GROUPS < SQUARE_GROUPS ? items / GAS_MSD_GROUPS
                                                                 : SQUARE_GROUPS;
    double parts[SQUARE_GROUPS * GAS_MSD_GROUPS * GAS_MAX_DIM];
    const size_t groups = each * GAS_MSD_GROUPS;
    enum shoal_status status = LAUNCH(gas_observe_square_sums, solver->queue, observer->square_sums, groups,
                                      error, .squares = observer->squares, .sums = observer->sums,
                                      .groups = (uint32_t)groups, .n = (uint32_t)device->problem.n);
    if (!status)
        status = shoal_buffer_read(solver->queue, observer->sums, 0, parts, groups * dim * SUM_BYTES, error);
    if (status)
        return status;
    memset(sums, 0, GAS_MSD_GROUPS * sizeof *sums);
    for (size_t part = 0; part < groups; part++)
        for (size_t k = 0; k < dim; k++)
            sums[part / each][k] += gas_sum_at(device, parts, part * dim + k);
    return SHOAL_OK;
}

enum shoal_status gas_observe_displacements(struct shoal_solver *solver,
                                            double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                            struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const double start = clock_seconds();
    enum shoal_status status = launch_displacements(holder, error);
    if (!status)
        status = sum_squares(holder, sums, error);
    if (!status)
        note(&observer_of(holder)->moves, clock_seconds() - start);
    return status;
}

/* Time origins ----------------------------------------------------------------------------------------- */

enum shoal_status gas_observe_set_origin(struct shoal_solver *solver, size_t level, struct shoal_error *error)
{
    const struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    const struct gas_observer *observer = device->observer;
    const uint32_t n = (uint32_t)device->problem.n;
    return LAUNCH(gas_observe_origin, holder->queue, observer->set_origin,
                  shoal_kernel_groups(observer->set_origin, n), error, .position = device->position,
                  .velocity = device->velocity, .acceleration = device->acceleration, .ids = device->id,
                  .image = device->image, .origin = observer->origins,
                  .origin_image = observer->origins_image, .origin_velocity = observer->origins_velocity,
                  .settings = device->settings, .first = (uint64_t)level * n, .n = n);
}

enum shoal_status gas_observe_correlate(struct shoal_solver *solver, size_t level,
                                        double products[GAS_MSD_GROUPS], double squares[GAS_MSD_GROUPS],
                                        struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    const struct gas_device *device = gas_device_of(holder);
    struct gas_observer *observer = device->observer;
    const uint32_t n = (uint32_t)device->problem.n;
    double sums[GAS_MSD_GROUPS][GAS_MAX_DIM];
    const double start = clock_seconds();
    enum shoal_status status =
        LAUNCH(gas_observe_correlate, holder->queue, observer->correlate,
               shoal_kernel_groups(observer->correlate, n), error, .position = device->position,
               .velocity = device->velocity, .acceleration = device->acceleration, .ids = device->id,
               .image = device->image, .origin = observer->origins, .origin_image = observer->origins_image,
               .origin_velocity = observer->origins_velocity, .products = observer->squares,
               .settings = device->settings, .first = (uint64_t)level * n, .n = n);
    if (!status)
        status = sum_squares(holder, sums, error);
    for (size_t g = 0; g < GAS_MSD_GROUPS && !status; g++) {
        products[g] = sums[g][0];
        squares[g] = sums[g][1];
    }
    if (!status)
        note(&observer->moves, clock_seconds() - start);
    return status;
}

/* Warm-up and counts ------------------------------------------------------------------------------------ */

enum shoal_status gas_observer_reset(struct shoal_solver *solver, struct shoal_error *error)
{
    return arrays_zero(&observer_of(solver)->arrays, error);
}

enum shoal_status gas_observer_launch_first(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_observer *observer = observer_of(solver);
    struct shoal_gas_thermo thermo;
    double impulse, sums[GAS_MSD_GROUPS];
    enum shoal_status status = gas_observe(solver, &thermo, &impulse, error);
    if (!status)
        status = gas_observe_histograms(solver, error);
    if (!status && observer->origin)
        status = launch_displacements(solver, error);
    if (!status && observer->origins)
        status = gas_observe_set_origin(solver, 0, error);
    if (!status && observer->origins)
        status = gas_observe_correlate(solver, 0, sums, sums, error);
    if (!status)
        status = gas_observer_reset(solver, error);
    observer->samples = observer->histograms = observer->moves =
        (struct host_times){0}; /* the launches of this function do not count as observations */
    return status;
}

enum shoal_status gas_observed_counts(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                      uint64_t *counts, struct shoal_error *error)
{
    struct shoal_solver *holder = gas_holder(solver);
    return shoal_buffer_read(holder->queue, observer_of(holder)->counts[kind], 0, counts,
                             gas_count_bins(&gas_device_of(solver)->problem, kind) * sizeof *counts, error);
}

/* Checkpoint ------------------------------------------------------------------------------------------- */

enum shoal_status gas_observer_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    return arrays_save(&observer_of(solver)->arrays, checkpoint, error);
}

enum shoal_status gas_observer_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    return arrays_load(&observer_of(solver)->arrays, checkpoint, error);
}
