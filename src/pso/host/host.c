/* The swarms in plain C and double precision: the solver of the host device and the reference for the
 * kernels. */
#include "pso/host/host.h"
#include "base/error.h"
#include "compute/backend.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory ----------------------------------------------------------------------------------------------- */

void pso_host_list_arrays(struct pso_host *host, uint64_t steps)
{
    const struct pso_problem *problem = &host->problem;
    const size_t total = problem->search.total, dim = problem->search.dim, runs = problem->search.runs,
                 islands = problem->search.islands;
    const size_t recorded = (size_t)search_trace_count(&problem->params->search, steps) * runs;
    const size_t states = problem->params->random == SHOAL_PSO_GLOB ? total * REFERENCE_GENERATOR : 0;
    const double trace =
        (double)search_trace_count(&problem->params->search, problem->search.max_steps) * (double)runs;
    const double coordinates = (double)total * (double)dim, places = (double)runs * (double)dim;
    const double links = (double)islands * (double)pso_host_links_size(problem);
    const double scratch = (double)host->threads * (double)pso_host_scratch(problem);
    const struct array list[] = {
        {&host->x, coordinates, sizeof(double), ARRAY_SAVE, "x", total * dim},
        {&host->v, coordinates, sizeof(double), ARRAY_SAVE, "v", total * dim},
        {&host->p, coordinates, sizeof(double), ARRAY_SAVE, "p", total * dim},
        {&host->best, (double)total, sizeof(double), ARRAY_SAVE, "best", total},
        {&host->y, (double)total, sizeof(double)},
        {&host->outside, (double)total, 1},
        {&host->islands, (double)islands, sizeof *host->islands, ARRAY_SAVE, "islands", islands},
        {&host->runs, (double)runs, sizeof *host->runs, ARRAY_SAVE, "runs", runs},
        {&host->champion, (double)islands * (double)dim, sizeof(double), ARRAY_SAVE, "champion",
         islands * dim},
        {&host->links, links, sizeof(uint32_t)},
        {&host->generators, (double)states, sizeof(uint32_t), ARRAY_SAVE, "generators", states},
        {&host->trace, trace, sizeof(double), ARRAY_SAVE, "trace", recorded},
        {&host->scratch, scratch, sizeof(double)},
        {&host->position_out, places, sizeof(double)},
        {&host->best_out, (double)runs, sizeof(double)},
        {&host->ended_out, (double)runs, sizeof(uint64_t)},
        {&host->reached_out, (double)runs, sizeof(bool)},
    };
    ARRAYS_SET(&host->arrays, list);
}

static enum shoal_status allocate(struct pso_host *host, struct shoal_error *error)
{
    const struct pso_problem *problem = &host->problem;
    char what[64];
    pso_host_list_arrays(host, 0);
    snprintf(what, sizeof what, "%zu particles of dim %zu", problem->search.total, problem->search.dim);
    enum shoal_status status =
        arrays_check(&host->arrays, 0, what, "lower --particles, --swarms, --runs or --dim", error);
    if (!status)
        status = arrays_create(&host->arrays, error);
    if (status)
        return status;
    const size_t progress = (size_t)host->threads * sizeof *host->progress;
    host->progress = aligned_alloc(_Alignof(struct progress_counter), progress);
    if (!host->progress)
        return fail_host_memory(error);
    memset(host->progress, 0, progress);
    return SHOAL_OK;
}

enum shoal_status pso_host_create(struct shoal *shoal, const struct shoal_pso_params *params, int threads,
                                  struct pso_host *host, struct shoal_error *error)
{
    *host = (struct pso_host){.threads = threads ? threads : omp_get_max_threads()};
    host->choice = (struct thread_choice){.most = host->threads, .slow_factor = 1.2};
    enum shoal_status status = pso_problem_create(shoal, params, &host->problem, error);
    const struct pso_problem *problem = &host->problem;
    if (!status && pso_host_links_size(problem) > UINT32_MAX)
        status = fail(error, SHOAL_INVALID,
                      "%zu particles with %zu links each are more than can be numbered: lower --particles or "
                      "--neighbours",
                      problem->search.members, problem->neighbours);
    if (!status)
        status = allocate(host, error);
    if (status)
        pso_host_destroy(host);
    else
        pso_host_reset(host);
    return status;
}

void pso_host_destroy(struct pso_host *host)
{
    if (!host->problem.params)
        return; /* nothing was created */
    arrays_destroy(&host->arrays);
    free(host->progress);
    search_polish_destroy(&host->polish);
    search_summary_free(&host->summary);
    search_problem_destroy(&host->problem.search);
    *host = (struct pso_host){0};
}

void pso_host_reset(struct pso_host *host)
{
    const struct pso_problem *problem = &host->problem;
    host->drawn = false;
    memset(host->islands, 0, problem->search.islands * sizeof *host->islands);
    memset(host->runs, 0, problem->search.runs * sizeof *host->runs);
    for (size_t i = 0; i < problem->search.total; i++)
        host->best[i] = INFINITY;
    search_polish_destroy(&host->polish);
}

/* Result ----------------------------------------------------------------------------------------------- */

static void fill_runs(struct pso_host *host)
{
    const struct pso_problem *problem = &host->problem;
    const size_t entries = (size_t)search_trace_count(&problem->params->search, pso_host_steps(host));
    for (size_t run = 0; run < problem->search.runs; run++) {
        const struct pso_host_run *record = &host->runs[run];
        const size_t island = pso_host_champion(host, run);
        host->best_out[run] = host->islands[island].champion;
        host->ended_out[run] = record->steps;
        host->reached_out[run] = record->reached;
        memcpy(host->position_out + run * problem->search.dim, host->champion + island * problem->search.dim,
               problem->search.dim * sizeof *host->position_out);
        for (size_t entry = (size_t)search_trace_count(&problem->params->search, record->steps);
             entry < entries; entry++)
            host->trace[entry * problem->search.runs + run] = host->best_out[run];
    }
}

static enum shoal_status evaluate_points(void *data, const double *points, size_t count, double *values,
                                         struct shoal_error *error)
{
    (void)error;
    const struct pso_host *host = data;
    const struct pso_problem *problem = &host->problem;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice)) if (count > 1)
    for (size_t i = 0; i < count; i++)
        values[i] = search_value(&problem->search, points + i * problem->search.dim,
                                 pso_host_scratch_of(host, omp_get_thread_num()));
    return SHOAL_OK;
}

static enum shoal_status polish_runs(struct pso_host *host, struct shoal_error *error)
{
    enum shoal_status status = search_polish_create(&host->problem.search, SHOAL_FP64, host->position_out,
                                                    host->best_out, &host->polish, error);
    return status ? status : search_polish_run(host->polish, evaluate_points, host, error);
}

enum shoal_status pso_host_result(struct pso_host *host, bool polish, struct shoal_result *out,
                                  struct shoal_error *error)
{
    const struct pso_problem *problem = &host->problem;
    struct search_outcome outcome = {.best = host->best_out,
                                     .position = host->position_out,
                                     .ended = host->ended_out,
                                     .reached = host->reached_out,
                                     .trace = host->trace,
                                     .steps = pso_host_steps(host),
                                     .precision = SHOAL_FP64,
                                     .evaluation_bytes = pso_evaluation_bytes(problem, SHOAL_FP64)};
    enum shoal_status status = SHOAL_OK;
    fill_runs(host);
    if (polish && !host->polish)
        status = polish_runs(host, error);
    if (status)
        return status;
    if (polish) {
        outcome.best = search_polish_best(host->polish);
        outcome.position = search_polish_position(host->polish);
        outcome.polish = search_polish_evaluations(host->polish);
    }
    for (size_t k = 0; k < problem->search.islands; k++)
        outcome.restarts += host->islands[k].restarts;
    for (size_t run = 0; run < problem->search.runs; run++)
        outcome.not_finite += host->runs[run].not_finite;
    return search_fill_result(&problem->search, &outcome, &host->summary, out, error);
}

/* Solver ----------------------------------------------------------------------------------------------- */

static struct pso_host *pso_host_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    solver->state = calloc(1, sizeof(struct pso_host));
    if (!solver->state)
        return fail_host_memory(error);
    /* The solver of an optimiser has no device: its objective exists already. */
    struct shoal *shoal = solver->device ? solver->device->shoal : NULL;
    return pso_host_create(shoal, pso_params(solver), solver->threads, solver->state, error);
}

static void destroy(struct shoal_solver *solver)
{
    if (solver->state)
        pso_host_destroy(solver->state);
    free(solver->state);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    (void)error;
    *done = pso_host_advance(solver->state, steps);
    /* A longer run has another end. */
    if (*done)
        search_polish_destroy(&pso_host_of(solver)->polish);
    return SHOAL_OK;
}

static enum shoal_status result(struct shoal_solver *solver, struct shoal_result *out,
                                struct shoal_error *error)
{
    struct pso_host *host = solver->state;
    const bool over = solver->time_is_up || pso_host_ended(host);
    return pso_host_result(host, over && pso_params(solver)->search.polish, out, error);
}

static enum shoal_status value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    (void)error;
    const struct pso_host *host = solver->state;
    double best = INFINITY;
    for (size_t k = 0; k < host->problem.search.islands; k++)
        best = fmin(best, host->islands[k].champion);
    *out = host->problem.search.sign * best;
    return SHOAL_OK;
}

static bool recorded(const struct shoal_solver *solver, uint64_t index, void *sample)
{
    const struct pso_host *host = pso_host_of(solver);
    return search_trace_sample(&host->problem.search, &host->summary, index, sample);
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return pso_host_save(solver->state, checkpoint, error);
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return pso_host_load(solver->state, checkpoint, error);
}

static uint64_t progress(const struct shoal_solver *solver)
{
    return pso_host_progress(pso_host_of(solver));
}

static size_t state_count(const struct shoal_solver *solver)
{
    const struct pso_problem *problem = &pso_host_of(solver)->problem;
    return 2 * problem->search.total * problem->search.dim;
}

/* The kernels' order: dimension by dimension, positions before velocities. */
static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    const struct pso_host *host = solver->state;
    const size_t total = host->problem.search.total, dim = host->problem.search.dim;
    for (size_t i = 0; i < total; i++)
        for (size_t d = 0; d < dim; d++) {
            values[d * total + i] = host->x[i * dim + d];
            values[(dim + d) * total + i] = host->v[i * dim + d];
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
    .recorded = recorded,
    .save = save,
    .load = load,
    .state_count = state_count,
    .get_state = get_state,
    .progress = progress,
};
