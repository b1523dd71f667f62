/* A search in plain C and double precision: the solver of the host device and the reference for the
 * kernels. */
#include "search/host/host.h"
#include "base/error.h"
#include "compute/device.h"
#include "objective/objective.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory ----------------------------------------------------------------------------------------------- */

void search_host_list_arrays(struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    const struct shoal_search_params *params = problem->params;
    const size_t total = problem->total, dim = problem->dim, runs = problem->runs, islands = problem->islands;
    const size_t points = islands * problem->width;
    const double members = (double)total * (double)dim, places = (double)runs * (double)dim;
    const double scratch = (double)host->threads * (double)host->numbers;
    const double sent =
        host->ops->emigrate && params->exchange ? (double)islands * (double)problem->migrants : 0;
    const struct array list[] = {
        {&host->x, (double)points * (double)dim, sizeof(double), ARRAY_SAVE, "x", points * dim},
        {&host->p, members, sizeof(double), ARRAY_SAVE, "p", total * dim},
        {&host->best, (double)total, sizeof(double), ARRAY_SAVE, "best", total},
        {&host->y, (double)points, sizeof(double)},
        {&host->outside, (double)points, 1},
        {&host->sent, sent * (double)dim, sizeof(double)},
        {&host->sent_values, sent, sizeof(double)},
        {&host->islands, (double)islands, sizeof *host->islands, ARRAY_SAVE, "islands", islands},
        {&host->runs, (double)runs, sizeof *host->runs, ARRAY_SAVE, "runs", runs},
        {&host->moves, (double)runs, sizeof *host->moves, ARRAY_SAVE, "moves", problem->has_moves ? runs : 0},
        {&host->champion, (double)islands * (double)dim, sizeof(double), ARRAY_SAVE, "champion",
         islands * dim},
        {&host->scratch, scratch, sizeof(double)},
        {&host->position_out, places, sizeof(double)},
        {&host->best_out, (double)runs, sizeof(double)},
        {&host->ended_out, (double)runs, sizeof(uint64_t)},
        {&host->reached_out, (double)runs, sizeof(bool)},
        {&host->stagnated_out, (double)runs, sizeof(bool)},
        {&host->converged_out, (double)runs, sizeof(bool)},
        {&host->restarts_out, (double)runs, sizeof(uint64_t)},
        {&host->spread_out, problem->algorithm->has_population ? (double)runs : 0, sizeof *host->spread_out},
    };
    ARRAYS_SET(&host->arrays, list);
}

static enum shoal_status allocate(struct search_host *host, struct shoal_error *error)
{
    search_host_list_arrays(host);
    enum shoal_status status =
        search_check_memory(host->problem, &host->arrays, arrays_bytes(&host->own), error);
    if (!status)
        status = arrays_create(&host->arrays, error);
    if (!status)
        status = arrays_create(&host->own, error);
    if (status)
        return status;
    const size_t progress = (size_t)host->threads * sizeof *host->progress;
    host->progress = aligned_alloc(_Alignof(struct progress_counter), progress);
    if (!host->progress)
        return fail_host_memory(error);
    memset(host->progress, 0, progress);
    return SHOAL_OK;
}

enum shoal_status search_host_create(struct shoal *shoal, const struct search_algorithm *algorithm,
                                     const struct shoal_search_params *params, int threads,
                                     struct search_host *host, struct shoal_error *error)
{
    memset(host, 0, algorithm->host->size);
    host->ops = algorithm->host;
    host->threads = threads ? threads : omp_get_max_threads();
    host->choice = (struct thread_choice){.most = host->threads};
    long_step_create(&host->cut, NULL);
    struct search_problem *problem = (void *)((char *)host + host->ops->problem);
    enum shoal_status status = algorithm->problem_create(shoal, params, problem, error);
    if (!status) {
        host->problem = problem;
        status = problem->objective->value_of_run
                     ? fail(error, SHOAL_UNSUPPORTED, "%s: several instances in one search are for devices",
                            problem->info->name)
                     : host->ops->open(host, error);
    }
    if (!status)
        status = allocate(host, error);
    if (status)
        search_host_destroy(host);
    else
        search_host_reset(host);
    return status;
}

void search_host_destroy(struct search_host *host)
{
    if (!host->problem)
        return; /* no array was allocated */
    if (host->ops->close)
        host->ops->close(host);
    arrays_destroy(&host->arrays);
    arrays_destroy(&host->own);
    free(host->progress);
    free(host->kept);
    free(host->skipped_out);
    search_polish_destroy(&host->polish);
    search_summary_free(&host->summary);
    search_trace_clear(&host->trace);
    search_problem_destroy(host->problem);
    memset(host, 0, host->ops->size);
}

void search_host_reset(struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    host->drawn = host->is_partial = false;
    for (size_t k = 0; k < problem->islands; k++)
        host->islands[k] = (struct search_island){.champion = INFINITY};
    memset(host->runs, 0, problem->runs * sizeof *host->runs);
    memset(host->moves, 0, problem->runs * sizeof *host->moves);
    for (size_t i = 0; i < problem->total; i++)
        host->best[i] = INFINITY;
    memset(host->outside, 1, problem->islands * problem->width); /* no point was made yet */
    search_polish_destroy(&host->polish);
    search_trace_clear(&host->trace);
}

/* Result ----------------------------------------------------------------------------------------------- */

/* Computes the spread of the members' values, if the algorithm has a population. */
static void fill_spread(struct search_host *host, size_t run)
{
    const size_t members = host->problem->members * host->problem->run_islands;
    if (host->spread_out)
        host->spread_out[run] = search_spread_of(host->problem, host->best + run * members, members);
}

static void fill_runs(struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    for (size_t run = 0; run < problem->runs; run++) {
        const struct search_run *record = &host->runs[run];
        const size_t island = search_host_champion(host, run);
        host->best_out[run] = host->islands[island].champion;
        host->ended_out[run] = record->steps;
        host->reached_out[run] = record->reached;
        host->stagnated_out[run] = record->ended == SEARCH_ENDED && !record->reached;
        host->converged_out[run] = record->ended == SEARCH_CONVERGED;
        host->restarts_out[run] = 0;
        for (size_t k = 0; k < problem->run_islands; k++)
            host->restarts_out[run] += host->islands[run * problem->run_islands + k].restarts;
        fill_spread(host, run);
        memcpy(host->position_out + run * problem->dim, host->champion + island * problem->dim,
               problem->dim * sizeof *host->position_out);
    }
}

/* Counts, for each run, the points of step 0 that have no value because the step was cut. */
static enum shoal_status count_skipped(struct search_host *host, struct shoal_error *error)
{
    const struct search_problem *problem = host->problem;
    if (!host->is_partial)
        return SHOAL_OK;
    if (!host->skipped_out)
        host->skipped_out = malloc(problem->runs * sizeof *host->skipped_out);
    if (!host->skipped_out)
        return fail_host_memory(error);
    memset(host->skipped_out, 0, problem->runs * sizeof *host->skipped_out);
    for (size_t k = 0; k < problem->islands; k++)
        for (size_t member = 0; member < problem->members; member++)
            host->skipped_out[k / problem->run_islands] += host->outside[k * problem->width + member];
    return SHOAL_OK;
}

static enum shoal_status evaluate_points(struct shoal_solver *solver, const double *points, size_t count,
                                         double *values, struct shoal_error *error)
{
    (void)error;
    const struct search_host *host = solver->state;
    const struct search_problem *problem = host->problem;
    atomic_bool is_stopped = false;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice)) if (count > 1)
    for (size_t i = 0; i < count; i++) {
        const int thread = omp_get_thread_num();
        if (thread == 0 && solver_is_stopped(solver))
            is_stopped = true;
        if (!is_stopped)
            values[i] =
                search_value(problem, points + i * problem->dim, search_host_scratch_of(host, thread));
    }
    return SHOAL_OK;
}

static enum shoal_status polish_runs(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_host *host = solver->state;
    enum shoal_status status = SHOAL_OK;
    if (!host->polish)
        status = search_polish_create(
            host->problem, (enum shoal_polish_rule)host->problem->params->polish_rule, SHOAL_FP64,
            host->problem->params->polish, host->position_out, host->best_out, &host->polish, error);
    return status ? status : search_polish_run(host->polish, evaluate_points, solver, error);
}

enum shoal_status search_host_solver_result(struct shoal_solver *solver, struct shoal_result *out,
                                            struct shoal_error *error)
{
    struct search_host *host = solver->state;
    const struct search_problem *problem = host->problem;
    const bool over = solver->timed_out || search_host_ended(host), polish = over && problem->params->polish;
    struct search_outcome outcome = {.best = host->best_out,
                                     .position = host->position_out,
                                     .ended = host->ended_out,
                                     .reached = host->reached_out,
                                     .stagnated = host->stagnated_out,
                                     .converged = host->converged_out,
                                     .restarts = host->restarts_out,
                                     .moves = host->moves,
                                     .spread = host->spread_out,
                                     .steps = search_host_steps(host),
                                     .is_over = over,
                                     .timed_out = solver->timed_out,
                                     .is_stopped = solver_is_stopped(solver),
                                     .stop = {solver->is_stopped, solver->stop_data, solver->threads},
                                     .precision = SHOAL_FP64,
                                     .evaluation_bytes = host->ops->evaluation_bytes(problem, SHOAL_FP64)};
    enum shoal_status status = count_skipped(host, error);
    outcome.skipped = host->is_partial ? host->skipped_out : NULL;
    fill_runs(host);
    if (search_wants_members(problem, over || outcome.is_stopped) && host->drawn) {
        outcome.members = host->p;
        outcome.values = host->best;
        outcome.member_step = problem->dim;
        outcome.number_step = 1;
    }
    if (polish && !status)
        status = polish_runs(solver, error);
    if (status)
        return status;
    if (polish) {
        outcome.best = search_polish_best(host->polish);
        outcome.position = search_polish_position(host->polish);
        outcome.polish = search_polish_evaluations(host->polish);
        outcome.settled = search_polish_settled(host->polish);
    }
    for (size_t run = 0; run < problem->runs; run++)
        outcome.not_finite += host->runs[run].not_finite;
    status = search_fill_result(problem, &outcome, &host->summary, out, error);
    if (!status && host->ops->add_fields)
        host->ops->add_fields(host, out);
    return status ? status : search_trace_result(problem, &host->trace, out, error);
}

/* Solver ----------------------------------------------------------------------------------------------- */

static struct search_host *host_of(const struct shoal_solver *solver)
{
    return solver->state;
}

enum shoal_status search_host_solver_create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_algorithm *algorithm = search_algorithm_find(solver->workload->name);
    solver->state = calloc(1, algorithm->host->size);
    if (!solver->state)
        return fail_host_memory(error);
    /* The solver of an optimiser has no device. Its objective already exists, so no struct shoal is needed to
     * create one. */
    struct shoal *shoal = solver->device ? device_shoal(solver->device) : NULL;
    enum shoal_status status =
        search_host_create(shoal, algorithm, solver->params, solver->threads, solver->state, error);
    return status ? status : solver_keep_notes(solver, host_of(solver)->problem->notes, error);
}

void search_host_solver_destroy(struct shoal_solver *solver)
{
    if (solver->state)
        search_host_destroy(solver->state);
    free(solver->state);
}

/* Takes a sample at the current step, if one is due. */
static enum shoal_status take_sample(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_host *host = host_of(solver);
    const struct search_problem *problem = host->problem;
    if (!problem->params->trace)
        return SHOAL_OK;
    for (size_t run = 0; run < problem->runs; run++) {
        host->best_out[run] = host->islands[search_host_champion(host, run)].champion;
        fill_spread(host, run);
    }
    return search_trace_take(solver, problem, &host->trace, search_host_steps(host), host->best_out,
                             host->spread_out, error);
}

enum shoal_status search_host_solver_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                          struct shoal_error *error)
{
    struct search_host *host = host_of(solver);
    enum shoal_status status = SHOAL_OK;
    bool is_over = false;
    *done = 0;
    host->cut.solver = solver;
    if (!host->drawn) {
        search_host_advance(host, 0);
        status = take_sample(solver, error);
    }
    while (!status && !is_over && *done < steps) {
        const uint64_t wait = search_trace_wait(host->problem, search_host_steps(host)), left = steps - *done;
        const uint64_t next = wait < left ? wait : left, steps_done = search_host_advance(host, next);
        is_over = steps_done < next;
        *done += steps_done;
        if (steps_done == wait)
            status = take_sample(solver, error);
    }
    /* Further steps may change the champion, from which a polish starts, so a later polish begins anew. */
    if (*done)
        search_polish_destroy(&host->polish);
    return status;
}

enum shoal_status search_host_solver_value(struct shoal_solver *solver, double *out,
                                           struct shoal_error *error)
{
    (void)error;
    const struct search_host *host = solver->state;
    double best = INFINITY;
    for (size_t k = 0; k < host->problem->islands; k++)
        best = fmin(best, host->islands[k].champion);
    *out = search_shown_value(host->problem, best);
    return SHOAL_OK;
}

enum shoal_status search_host_solver_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                          struct shoal_error *error)
{
    return search_host_save(solver->state, checkpoint, error);
}

enum shoal_status search_host_solver_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                          struct shoal_error *error)
{
    return search_host_load(solver->state, checkpoint, error);
}

uint64_t search_host_solver_progress(const struct shoal_solver *solver)
{
    return search_host_count_work(host_of(solver));
}

uint64_t search_host_solver_total(const struct shoal_solver *solver)
{
    return host_of(solver)->problem->max_steps;
}

size_t search_host_count_positions(const struct shoal_solver *solver)
{
    const struct search_problem *problem = host_of(solver)->problem;
    return problem->total * problem->dim;
}

enum shoal_status search_host_get_positions(struct shoal_solver *solver, double *values,
                                            struct shoal_error *error)
{
    (void)error;
    const struct search_host *host = host_of(solver);
    const size_t total = host->problem->total, dim = host->problem->dim;
    for (size_t i = 0; i < total; i++)
        for (size_t d = 0; d < dim; d++)
            values[d * total + i] = host->p[i * dim + d];
    return SHOAL_OK;
}
