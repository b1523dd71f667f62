/* The swarms in plain C and double precision: the solver of the host device and the reference for the
 * kernels. */
#include "pso/host/host.h"
#include "base/error.h"
#include "base/memory.h"
#include "compute/backend.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory ----------------------------------------------------------------------------------------------- */

enum { ARRAYS = 16 };

struct array {
    void **pointer;
    double count; /* may be more than any integer holds */
    size_t element;
};

static void list_arrays(struct reference *reference, struct array arrays[ARRAYS])
{
    const struct pso_problem *problem = &reference->problem;
    const double total = (double)problem->total, coordinates = total * (double)problem->dim;
    const double runs = (double)problem->runs, islands = (double)problem->islands, dim = (double)problem->dim;
    const double trace = (double)pso_trace_count(problem->params, problem->max_steps);
    const struct array list[ARRAYS] = {
        {(void **)&reference->x, coordinates, sizeof(double)},
        {(void **)&reference->v, coordinates, sizeof(double)},
        {(void **)&reference->p, coordinates, sizeof(double)},
        {(void **)&reference->best, total, sizeof(double)},
        {(void **)&reference->y, total, sizeof(double)},
        {(void **)&reference->outside, total, 1},
        {(void **)&reference->islands, islands, sizeof *reference->islands},
        {(void **)&reference->runs, runs, sizeof *reference->runs},
        {(void **)&reference->champion, islands * dim, sizeof(double)},
        {(void **)&reference->links, islands * (double)reference_links_size(problem), sizeof(uint32_t)},
        {(void **)&reference->generators,
         problem->params->random == SHOAL_PSO_GLOB ? total * REFERENCE_GENERATOR : 0, sizeof(uint32_t)},
        {(void **)&reference->trace, trace * runs, sizeof(double)},
        {(void **)&reference->scratch, (double)reference->threads * (double)reference_scratch(problem),
         sizeof(double)},
        {(void **)&reference->position_out, runs * dim, sizeof(double)},
        {(void **)&reference->best_out, runs, sizeof(double)},
        {(void **)&reference->ended_out, runs, sizeof(uint64_t)},
    };
    memcpy(arrays, list, sizeof list);
}

static enum shoal_status check_memory(const struct pso_problem *problem, double bytes,
                                      struct shoal_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "%zu particles of dim %zu", problem->total, problem->dim);
    return check_host_memory(bytes, what, "lower particles, swarms, runs or dim", error);
}

static enum shoal_status allocate(struct reference *reference, struct shoal_error *error)
{
    const struct pso_problem *problem = &reference->problem;
    struct array arrays[ARRAYS];
    double bytes = 0;
    list_arrays(reference, arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        bytes += arrays[i].count * (double)arrays[i].element;
    enum shoal_status status = check_memory(problem, bytes, error);
    for (size_t i = 0; i < ARRAYS && !status; i++) {
        if (arrays[i].count == 0)
            continue;
        *arrays[i].pointer = calloc((size_t)arrays[i].count, arrays[i].element);
        if (!*arrays[i].pointer)
            status = fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                          "the host has no %.0f bytes for %zu particles of dim %zu: lower particles, swarms, "
                          "runs or dim",
                          bytes, problem->total, problem->dim);
    }
    if (!status) {
        const size_t beats = (size_t)reference->threads * sizeof *reference->beats;
        reference->reached_out = calloc(problem->runs, sizeof *reference->reached_out);
        reference->beats = aligned_alloc(_Alignof(struct reference_beat), beats);
        status = reference->reached_out && reference->beats ? SHOAL_OK : fail_host_memory(error);
        if (!status)
            memset(reference->beats, 0, beats);
    }
    return status;
}

enum shoal_status reference_create(struct shoal *shoal, const struct shoal_pso_params *params, int threads,
                                   struct reference *reference, struct shoal_error *error)
{
    *reference = (struct reference){.threads = threads ? threads : omp_get_max_threads()};
    enum shoal_status status = pso_problem_create(shoal, params, &reference->problem, error);
    const struct pso_problem *problem = &reference->problem;
    if (!status && reference_links_size(problem) > UINT32_MAX)
        status = fail(error, SHOAL_INVALID,
                      "%zu particles with %zu links each are more than can be numbered: lower one of them",
                      problem->particles, problem->neighbours);
    if (!status)
        status = allocate(reference, error);
    if (status)
        reference_destroy(reference);
    else
        reference_reset(reference);
    return status;
}

void reference_destroy(struct reference *reference)
{
    struct array arrays[ARRAYS];
    if (!reference->problem.params)
        return; /* nothing was made */
    list_arrays(reference, arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        free(*arrays[i].pointer);
    free(reference->reached_out);
    free(reference->beats);
    pso_polish_destroy(&reference->polish);
    pso_summary_free(&reference->summary);
    pso_problem_destroy(&reference->problem);
    *reference = (struct reference){0};
}

void reference_reset(struct reference *reference)
{
    const struct pso_problem *problem = &reference->problem;
    reference->drawn = false;
    memset(reference->islands, 0, problem->islands * sizeof *reference->islands);
    memset(reference->runs, 0, problem->runs * sizeof *reference->runs);
    for (size_t i = 0; i < problem->total; i++)
        reference->best[i] = INFINITY;
    pso_polish_destroy(&reference->polish);
}

/* Result ----------------------------------------------------------------------------------------------- */

static void fill_runs(struct reference *reference)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t entries = (size_t)pso_trace_count(problem->params, reference_steps(reference));
    for (size_t run = 0; run < problem->runs; run++) {
        const struct reference_run *books = &reference->runs[run];
        const size_t island = reference_champion(reference, run);
        reference->best_out[run] = reference->islands[island].champion;
        reference->ended_out[run] = books->steps;
        reference->reached_out[run] = books->reached;
        memcpy(reference->position_out + run * problem->dim, reference->champion + island * problem->dim,
               problem->dim * sizeof *reference->position_out);
        for (size_t entry = (size_t)pso_trace_count(problem->params, books->steps); entry < entries; entry++)
            reference->trace[entry * problem->runs + run] = reference->best_out[run];
    }
}

static enum shoal_status evaluate_points(void *data, const double *points, size_t count, double *values,
                                         struct shoal_error *error)
{
    (void)error;
    const struct reference *reference = data;
    const struct pso_problem *problem = &reference->problem;
#pragma omp parallel for schedule(static) num_threads(reference->threads) if (count > 1)
    for (size_t i = 0; i < count; i++)
        values[i] = pso_value(problem, points + i * problem->dim,
                              reference_scratch_of(reference, omp_get_thread_num()));
    return SHOAL_OK;
}

static enum shoal_status polish_runs(struct reference *reference, struct shoal_error *error)
{
    enum shoal_status status = pso_polish_create(&reference->problem, SHOAL_FP64, reference->position_out,
                                                 reference->best_out, &reference->polish, error);
    return status ? status : pso_polish_run(reference->polish, evaluate_points, reference, error);
}

enum shoal_status reference_result(struct reference *reference, bool polish, struct shoal_result *out,
                                   struct shoal_error *error)
{
    const struct pso_problem *problem = &reference->problem;
    struct pso_outcome outcome = {.best = reference->best_out,
                                  .position = reference->position_out,
                                  .ended = reference->ended_out,
                                  .reached = reference->reached_out,
                                  .trace = reference->trace,
                                  .steps = reference_steps(reference),
                                  .precision = SHOAL_FP64};
    enum shoal_status status = SHOAL_OK;
    fill_runs(reference);
    if (polish && !reference->polish)
        status = polish_runs(reference, error);
    if (status)
        return status;
    if (polish) {
        outcome.best = pso_polish_best(reference->polish);
        outcome.position = pso_polish_position(reference->polish);
        outcome.polish = pso_polish_evaluations(reference->polish);
    }
    for (size_t k = 0; k < problem->islands; k++)
        outcome.restarts += reference->islands[k].restarts;
    for (size_t run = 0; run < problem->runs; run++)
        outcome.not_finite += reference->runs[run].not_finite;
    return pso_fill_result(problem, &outcome, &reference->summary, out, error);
}

/* Solver ----------------------------------------------------------------------------------------------- */

static struct reference *reference_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    solver->state = calloc(1, sizeof(struct reference));
    if (!solver->state)
        return fail_host_memory(error);
    /* An optimiser's solver has no device: its objective is made already. */
    struct shoal *shoal = solver->device ? solver->device->shoal : NULL;
    return reference_create(shoal, pso_params(solver), solver->threads, solver->state, error);
}

static void destroy(struct shoal_solver *solver)
{
    if (solver->state)
        reference_destroy(solver->state);
    free(solver->state);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    (void)error;
    *done = reference_advance(solver->state, steps);
    /* The end of a longer run is another one. */
    if (*done)
        pso_polish_destroy(&reference_of(solver)->polish);
    return SHOAL_OK;
}

static enum shoal_status result(struct shoal_solver *solver, struct shoal_result *out,
                                struct shoal_error *error)
{
    struct reference *reference = solver->state;
    const bool over = solver->time_is_up || reference_ended(reference);
    return reference_result(reference, over && pso_params(solver)->polish, out, error);
}

static enum shoal_status value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    (void)error;
    const struct reference *reference = solver->state;
    double best = INFINITY;
    for (size_t k = 0; k < reference->problem.islands; k++)
        best = fmin(best, reference->islands[k].champion);
    *out = reference->problem.sign * best;
    return SHOAL_OK;
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)error;
    reference_save(solver->state, checkpoint);
    return SHOAL_OK;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return reference_load(solver->state, checkpoint, error);
}

static uint64_t beats(const struct shoal_solver *solver)
{
    return reference_beats(reference_of(solver));
}

static size_t state_count(const struct shoal_solver *solver)
{
    const struct pso_problem *problem = &reference_of(solver)->problem;
    return 2 * problem->total * problem->dim;
}

/* The kernels' order: dimension by dimension, positions before velocities. */
static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    const struct reference *reference = solver->state;
    const size_t total = reference->problem.total, dim = reference->problem.dim;
    for (size_t i = 0; i < total; i++)
        for (size_t d = 0; d < dim; d++) {
            values[d * total + i] = reference->x[i * dim + d];
            values[(dim + d) * total + i] = reference->v[i * dim + d];
        }
    return SHOAL_OK;
}

const struct shoal_solver_ops pso_host_ops = {
    .kind = "host",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = step,
    .result = result,
    .value = value,
    .save = save,
    .load = load,
    .state_count = state_count,
    .get_state = get_state,
    .beats = beats,
};
