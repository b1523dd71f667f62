/* The gas in plain C and double precision: the solver of the host device and the reference for the kernels.
 */
#include "gas/host/host.h"
#include "base/error.h"
#include "compute/backend.h"
#include "gas/model/problem.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Memory ----------------------------------------------------------------------------------------------- */

enum { ARRAYS = 11 };

struct array {
    void **pointer;
    size_t count, element;
};

static bool has_list(const struct gas_reference *reference)
{
    return gas_reference_lists(&reference->problem) && !reference->is_ideal;
}

static void list_arrays(struct gas_reference *reference, struct array arrays[ARRAYS])
{
    const struct gas_problem *problem = &reference->problem;
    const size_t numbers = problem->n * problem->dim, blocks = gas_blocks(reference);
    const struct array list[ARRAYS] = {
        {(void **)&reference->x, numbers, sizeof(double)},
        {(void **)&reference->v, numbers, sizeof(double)},
        {(void **)&reference->a, numbers, sizeof(double)},
        {(void **)&reference->energy, problem->n, sizeof(double)},
        {(void **)&reference->virial, problem->n, sizeof(double)},
        {(void **)&reference->image, numbers, sizeof(int32_t)},
        {(void **)&reference->block_books, blocks, sizeof *reference->block_books},
        {(void **)&reference->troubles, blocks, sizeof *reference->troubles},
        {(void **)&reference->block_sums, blocks, sizeof(double)},
        {(void **)&reference->pair_counts, gas_bins(problem, 0), sizeof(uint64_t)},
        {(void **)&reference->speed_counts, gas_bins(problem, 1), sizeof(uint64_t)},
    };
    memcpy(arrays, list, sizeof list);
}

static enum shoal_status allocate(struct gas_reference *reference, struct shoal_error *error)
{
    struct array arrays[ARRAYS];
    list_arrays(reference, arrays);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (arrays[i].count == 0)
            continue;
        *arrays[i].pointer = calloc(arrays[i].count, arrays[i].element);
        if (!*arrays[i].pointer)
            return fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                        "the host has no memory for %zu particles: lower particles", reference->problem.n);
    }
    return SHOAL_OK;
}

/* Before anything is drawn. */
static enum shoal_status check_memory(struct gas_reference *reference, struct shoal_error *error)
{
    const struct gas_problem *problem = &reference->problem;
    struct array arrays[ARRAYS];
    double bytes = has_list(reference) ? gas_reference_list_bytes(problem) : 0;
    list_arrays(reference, arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += (double)arrays[i].count * (double)arrays[i].element;
    return gas_check_host(problem, bytes, error);
}

static void set_constants(struct gas_reference *reference)
{
    const struct gas_problem *problem = &reference->problem;
    const struct shoal_gas_params *params = problem->params;
    const bool euler =
        params->integrator == SHOAL_GAS_EULER || params->integrator == SHOAL_GAS_EULER_IN_PLACE;
    double reach = problem->pair.cutoff;
    for (size_t k = 0; k < problem->dim; k++)
        reach = fmin(reach, problem->length[k]);
    reference->half_step = euler ? 0 : 0.5 * params->dt;
    /* Half of the shorter of cutoff and box: a step that long has left the physics. */
    reference->farthest_step2 = 0.25 * reach * reach;
    const double forgotten = gas_friction_of(params) * params->dt;
    reference->keep = exp(-forgotten);
    reference->noise = sqrt(params->temperature / params->mass * -expm1(-2 * forgotten));
    reference->limit_kinetic = INFINITY;
}

/* Threads that are worth their start: each has about a tenth of a millisecond to do in a step. */
static int useful_threads(const struct gas_problem *problem, int most)
{
    const double n = (double)problem->n;
    const double pairs = gas_reference_lists(problem) ? 30 * n : n * n;
    const double useful = 1 + floor(pairs / 20000);
    return useful < most ? (int)useful : most;
}

/* About what one thread takes for a step: 10 ns a pair, and 20 pairs' time for what a particle needs besides.
 */
static double expected_alone(const struct gas_problem *problem)
{
    const double n = (double)problem->n;
    const double near = gas_reference_lists(problem) ? gas_mean_neighbours(problem, problem->pair.cutoff) : n;
    return 1e-8 * n * (fmin(near, n) + 20);
}

/* Solver ----------------------------------------------------------------------------------------------- */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    const struct gas_problem *problem = &reference->problem;
    const size_t numbers = problem->n * problem->dim;
    memcpy(reference->x, problem->position, numbers * sizeof(double));
    memcpy(reference->v, problem->velocity, numbers * sizeof(double));
    memset(reference->image, 0, numbers * sizeof(int32_t));
    reference->is_fresh = false;
    reference->list.rebuilds = 0;
    enum shoal_status status = gas_reference_forces(reference, false, error);
    for (size_t at = 0; at < numbers && !status; at++)
        reference->v[at] -= reference->half_step * gas_reference_acceleration(reference, at);
    return status;
}

static enum shoal_status get_counts(struct shoal_solver *solver, int kind, uint64_t *counts,
                                    struct shoal_error *error)
{
    const struct gas_reference *reference = gas_reference_of(solver);
    (void)error;
    memcpy(counts, kind == 0 ? reference->pair_counts : reference->speed_counts,
           gas_bins(&reference->problem, kind) * sizeof *counts);
    return SHOAL_OK;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *position, double *velocity,
                                   int32_t *image, struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    const size_t numbers = reference->problem.n * reference->problem.dim;
    enum shoal_status status = gas_reference_forces(reference, false, error);
    if (status)
        return status;
    memcpy(position, reference->x, numbers * sizeof *position);
    memcpy(image, reference->image, numbers * sizeof *image);
    for (size_t at = 0; at < numbers; at++)
        velocity[at] = gas_reference_full_velocity(reference, at);
    return SHOAL_OK;
}

static enum shoal_status get_accelerations(struct shoal_solver *solver, double *acceleration,
                                           struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    enum shoal_status status = gas_reference_forces(reference, false, error);
    if (!status)
        memcpy(acceleration, reference->a,
               reference->problem.n * reference->problem.dim * sizeof *acceleration);
    return status;
}

/* Sums in another order; forces of neighbours that cancel. */
static double force_tolerance(const struct shoal_solver *solver)
{
    (void)solver;
    return 1e-10;
}

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    const struct gas_reference *reference = gas_reference_of(solver);
    const struct gas_reference_list *list = &reference->list;
    const bool lists = list->problem;
    const double made = (double)reference->common.clock.made;
    *timing =
        (struct shoal_gas_timing){.force_s = reference->force_s,
                                  .list_s = lists ? list->make_s : NAN,
                                  .sort_s = NAN,
                                  .observe_s = reference->observe_s,
                                  .rebuilds = list->rebuilds,
                                  .mean_neighbours = lists ? gas_reference_list_mean(list) : NAN,
                                  .skin = lists ? list->skin : NAN,
                                  .rebuild_interval = list->rebuilds ? made / (double)list->rebuilds : NAN,
                                  .method = lists                 ? "list"
                                            : reference->is_ideal ? "no pairs"
                                                                  : "all-pairs"};
}

static const struct gas_stepper stepper = {
    .begin = begin,
    .advance = gas_reference_advance,
    .measure = gas_reference_measure,
    .count = gas_reference_count,
    .get_counts = get_counts,
    .get_state = get_state,
    .get_accelerations = get_accelerations,
    .force_tolerance = force_tolerance,
    .timing = timing,
};

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_reference *reference = calloc(1, sizeof *reference);
    solver->state = reference;
    if (!reference)
        return fail_host_memory(error);
    enum shoal_status status =
        gas_problem_create(solver->device->shoal, gas_params(solver), &reference->problem, error);
    if (status)
        return status;
    reference->threads = reference->problem.threads =
        useful_threads(&reference->problem, solver->threads ? solver->threads : omp_get_max_threads());
    reference->pace =
        (struct gas_pace){.most = reference->threads, .alone_s = expected_alone(&reference->problem)};
    reference->is_ideal = !gas_has_pair_force(gas_params(solver));
    status = gas_common_create(&reference->common, &reference->problem, &stepper, error);
    if (!status)
        status = check_memory(reference, error);
    if (!status)
        status = gas_problem_start(solver->device->shoal, &reference->problem, error);
    if (!status)
        status = allocate(reference, error);
    if (!status && has_list(reference))
        status = gas_reference_list_create(&reference->problem, &reference->list, error);
    if (!status)
        set_constants(reference);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct gas_reference *reference = solver->state;
    struct array arrays[ARRAYS];
    if (reference && reference->problem.params) {
        list_arrays(reference, arrays);
        for (size_t i = 0; i < ARRAYS; i++)
            free(*arrays[i].pointer);
        gas_reference_list_destroy(&reference->list);
        gas_common_destroy(&reference->common);
        gas_problem_destroy(&reference->problem);
    }
    free(reference);
}

/* Checkpoint ------------------------------------------------------------------------------------------- */

enum { SECTIONS = 8 };

struct section {
    const char *name;
    void *data;
    size_t bytes;
};

/* Accelerations follow from the positions, and their order in the sums from where the list was made. */
static void list_sections(struct gas_reference *reference, struct section sections[SECTIONS])
{
    const struct gas_problem *problem = &reference->problem;
    const size_t numbers = problem->n * problem->dim;
    const struct section list[SECTIONS] = {
        {"position", reference->x, numbers * sizeof(double)},
        {"velocity", reference->v, numbers * sizeof(double)},
        {"image", reference->image, numbers * sizeof(int32_t)},
        {"books", &reference->books, sizeof reference->books},
        {"pairs", reference->pair_counts, gas_bins(problem, 0) * sizeof(uint64_t)},
        {"speeds", reference->speed_counts, gas_bins(problem, 1) * sizeof(uint64_t)},
        {"list-made-at", reference->list.made_at, reference->list.problem ? numbers * sizeof(double) : 0},
        {"rebuilds", &reference->list.rebuilds, sizeof reference->list.rebuilds},
    };
    memcpy(sections, list, sizeof list);
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    struct section sections[SECTIONS];
    (void)error;
    gas_common_save(&reference->common, checkpoint);
    list_sections(reference, sections);
    for (size_t i = 0; i < SECTIONS; i++)
        checkpoint_add(checkpoint, sections[i].name, sections[i].data, sections[i].bytes);
    return SHOAL_OK;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    struct section sections[SECTIONS];
    enum shoal_status status = gas_common_load(&reference->common, checkpoint, error);
    list_sections(reference, sections);
    for (size_t i = 0; i < SECTIONS && !status; i++)
        status = checkpoint_get(checkpoint, sections[i].name, sections[i].data, sections[i].bytes, error);
    reference->is_fresh = reference->list.is_made = false;
    if (status) {
        gas_common_reset(&reference->common);
        reference->books = (struct gas_books){0};
    }
    return status;
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
    .state_count = gas_state_count,
    .get_state = gas_get_state,
};
