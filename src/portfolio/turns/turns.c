/* The solver of a portfolio with turns of steps or of lives, and the choice between it and the host solver
 * with turns of points. */
#include "portfolio/turns/turns.h"
#include "base/error.h"
#include "compute/device.h"
#include "portfolio/host/host.h"
#include "search/device/device.h"
#include "workload/steps/schedule.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Create ----------------------------------------------------------------------------------------------- */

static void list_arrays(struct portfolio_turns *turns)
{
    const struct search_problem *search = &turns->problem.search;
    const size_t arms = turns->problem.arm_count, islands = search->islands, runs = search->runs,
                 numbers = islands * search->dim, populations = islands * turns->problem.populations;
    const struct array own[] = {
        {&turns->states, (double)arms, sizeof *turns->states, ARRAY_SAVE, "arms", arms},
        {&turns->epoch, 1, sizeof *turns->epoch, ARRAY_SAVE, "epoch", 1},
        {&turns->runs, (double)runs, sizeof *turns->runs, ARRAY_SAVE, "runs", runs},
        {&turns->values, (double)islands, sizeof(double), ARRAY_SAVE, "values", islands},
        {&turns->champion, (double)numbers, sizeof(double), ARRAY_SAVE, "champion", numbers},
        {&turns->lives, 1, sizeof *turns->lives, turns->problem.is_by_lives ? ARRAY_SAVE : 0, "lives", 1},
    };
    const struct array outcome[] = {
        {&turns->found, (double)populations, sizeof(double)},
        {&turns->places, (double)(populations * search->dim), sizeof(double)},
        {&turns->shares, (double)arms, sizeof(double)},
        {&turns->gains, (double)arms, sizeof(double)},
        {&turns->best_out, (double)runs, sizeof *turns->best_out},
        {&turns->position_out, (double)(runs * search->dim), sizeof *turns->position_out},
        {&turns->ended_out, (double)runs, sizeof *turns->ended_out},
        {&turns->restarts_out, (double)runs, sizeof *turns->restarts_out},
        {&turns->skipped_out, (double)runs, sizeof *turns->skipped_out},
        {&turns->evaluated, (double)runs, sizeof *turns->evaluated},
        {&turns->moves_out, (double)runs, sizeof *turns->moves_out},
        {&turns->reached_out, (double)runs, sizeof *turns->reached_out},
        {&turns->stagnated_out, (double)runs, sizeof *turns->stagnated_out},
        {&turns->converged_out, (double)runs, sizeof *turns->converged_out},
    };
    ARRAYS_SET(&turns->own, own);
    ARRAYS_SET(&turns->outcome, outcome);
}

static enum shoal_status check(const struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_portfolio_params *params = solver->params;
    if (params->turns == SHOAL_PORTFOLIO_POINTS)
        return fail(error, SHOAL_INVALID,
                    "--turns points is for the host: use --device host, or leave it out");
    if (params->search.restart || params->search.exchange)
        return fail(error, SHOAL_INVALID,
                    "--%s is for turns of points: here all islands receive the best point of their run "
                    "(--champions), and algorithms restart by their own rules",
                    params->search.restart ? "restart" : "exchange");
    if (params->search.polish)
        return fail(error, SHOAL_INVALID,
                    "--polish: a portfolio whose algorithms make whole steps has none: use --refine all");
    return SHOAL_OK;
}

static enum shoal_status create_arms(struct shoal_solver *solver, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t arm = 0; arm < portfolio_turns_of(solver)->problem.arm_count && !status; arm++)
        status = portfolio_arm_create(solver, arm, error);
    portfolio_turns_of(solver)->arms_are_new = !status;
    return status;
}

/* Checks that the evaluations of an island are enough for the first population of the first algorithm, which
 * makes the first epoch: otherwise there would be no result. */
static enum shoal_status check_budget(const struct portfolio_turns *turns, struct shoal_error *error)
{
    const struct portfolio_problem *problem = &turns->problem;
    const struct search_algorithm *first = problem->arms[0].algorithm;
    const size_t members = portfolio_arm_points(turns->arms[0], 0) * problem->populations;
    if (!problem->has_budget || problem->evaluations >= (double)members)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "%.0f evaluations of an island are below the %zu %s of %s, which is the first of "
                "--algorithms: raise --evaluations or --iterations, or put another one first",
                problem->evaluations, members, first->member_name, first->name);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct portfolio_turns *turns = calloc(1, sizeof *turns);
    struct shoal_portfolio_params params = *(const struct shoal_portfolio_params *)solver->params;
    solver->state = turns;
    portfolio_lives_settle(solver, &params);
    if (turns) {
        atomic_flag_clear(&turns->is_held);
        long_step_create(&turns->cut, solver);
    }
    enum shoal_status status = turns ? check(solver, error) : fail_host_memory(error);
    if (!status)
        status = portfolio_lives_check(solver->params, params.turns, error);
    if (!status)
        status = portfolio_problem_create(device_shoal(solver->device), &params, &turns->problem, error);
    if (!status)
        status = solver_keep_notes(solver, turns->problem.search.notes, error);
    if (status)
        return status;
    list_arrays(turns);
    status = arrays_create(&turns->own, error);
    if (!status)
        status = arrays_create(&turns->outcome, error);
    if (!status)
        status = create_arms(solver, error);
    return status ? status : check_budget(turns, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    if (!turns)
        return;
    for (size_t arm = 0; arm < PORTFOLIO_MOST; arm++)
        shoal_solver_destroy(&turns->arms[arm]);
    arrays_destroy(&turns->own);
    arrays_destroy(&turns->outcome);
    search_summary_free(&turns->summary);
    search_trace_clear(&turns->trace);
    search_problem_destroy(&turns->problem.search);
    free(turns);
}

/* Steps ------------------------------------------------------------------------------------------------ */

void portfolio_turns_reset(struct shoal_solver *solver)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    turns->drawn = turns->ended = turns->first_is_open = false;
    turns->steps = 0;
    turns->rest = (struct portfolio_rest){0};
    memset(turns->states, 0, turns->problem.arm_count * sizeof *turns->states);
    memset(turns->runs, 0, problem->runs * sizeof *turns->runs);
    memset(turns->evaluated, 0, problem->runs * sizeof *turns->evaluated);
    *turns->epoch = (struct portfolio_state){.best = INFINITY};
    for (size_t k = 0; k < problem->islands; k++)
        turns->values[k] = INFINITY;
    for (size_t run = 0; run < problem->runs; run++)
        turns->runs[run].mark = INFINITY;
    memset(turns->champion, 0, problem->islands * problem->dim * sizeof *turns->champion);
    *turns->lives = (struct portfolio_lives){.populations = turns->problem.populations};
    search_trace_clear(&turns->trace);
}

/* Whether no arm has got enough evaluations for its first population yet. */
static bool is_early(const struct portfolio_turns *turns)
{
    bool early = true;
    for (size_t arm = 0; arm < turns->problem.arm_count; arm++)
        early = early && !turns->states[arm].is_drawn && !turns->states[arm].life;
    return early;
}

/* Updates the states of the runs after a step. */
static void update_runs(struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    const struct shoal_search_params *params = problem->params;
    const bool early = is_early(turns);
    turns->ended = true;
    for (size_t run = 0; run < problem->runs; run++) {
        struct portfolio_run *own = &turns->runs[run];
        const double best = turns->values[portfolio_leader_of(turns, run)];
        if (own->ended)
            continue;
        own->steps = turns->steps;
        if (search_has_fallen(best, own->mark, params->stagnation_tolerance)) {
            own->mark = best;
            own->stagnant = 0;
        } else {
            own->stagnant += !early;
        }
        own->reached = best <= problem->target;
        own->ended = own->reached || (params->stagnation && own->stagnant >= params->stagnation);
        turns->ended = turns->ended && own->ended;
    }
}

static void end_epoch(struct portfolio_turns *turns)
{
    const struct portfolio_island island = portfolio_turns_island(turns);
    const size_t runs = turns->problem.search.runs;
    double won = 0, active = 0;
    for (size_t run = 0; run < runs; run++) {
        active += !turns->runs[run].ended || turns->runs[run].has_won;
        won += (double)turns->runs[run].has_won;
        turns->runs[run].has_won = 0;
    }
    portfolio_end_epoch(&island, won / fmax(active, 1));
}

static enum shoal_status make_step(struct shoal_solver *solver, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    bool is_over;
    enum shoal_status status = portfolio_move_arm(solver, (size_t)turns->epoch->arm, &is_over, error);
    if (status || turns->rest.is_cut)
        return status;
    turns->first_is_open = false;
    update_runs(turns);
    turns->epoch->steps++;
    if (turns->problem.is_by_lives ? is_over : turns->epoch->steps >= turns->problem.params->epoch)
        end_epoch(turns);
    return SHOAL_OK;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    portfolio_turns_reset(solver);
    enum shoal_status status = turns->arms_are_new ? SHOAL_OK : create_arms(solver, error);
    turns->arms_are_new = false;
    turns->first_is_open = true;
    return status ? status : make_step(solver, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    enum shoal_status status = turns->first_is_open ? make_step(solver, error) : SHOAL_OK;
    for (uint64_t i = 0; i < steps && !turns->ended && !status && !solver_must_end(solver); i++) {
        turns->steps++;
        status = make_step(solver, error);
        /* the next call makes a step that was cut, or that has failed */
        if (status || turns->rest.is_cut) {
            turns->steps--;
            break;
        }
    }
    return status;
}

static enum shoal_status take_sample(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    for (size_t run = 0; run < problem->runs; run++)
        turns->best_out[run] = turns->values[portfolio_leader_of(turns, run)];
    return search_trace_take(solver, problem, &turns->trace, step, turns->best_out, NULL, error);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct schedule schedule = {
        .steps = turns->problem.search.max_steps,
        .begun = &turns->drawn,
        .done = &turns->steps,
        .begin = begin,
        .advance = advance,
        .events = {{.every = turns->problem.search.params->trace, .take = take_sample}}};
    return schedule_step(solver, &schedule, turns->ended ? 0 : steps, done, error);
}

/* Result ----------------------------------------------------------------------------------------------- */

static void fill_runs(struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    for (size_t run = 0; run < problem->runs; run++) {
        const struct portfolio_run *own = &turns->runs[run];
        const size_t leader = portfolio_leader_of(turns, run);
        turns->best_out[run] = turns->values[leader];
        memcpy(turns->position_out + run * problem->dim, turns->champion + leader * problem->dim,
               problem->dim * sizeof *turns->position_out);
        turns->ended_out[run] = own->steps;
        turns->reached_out[run] = own->reached;
        turns->stagnated_out[run] = own->ended && !own->reached;
        turns->restarts_out[run] = own->restarts;
        turns->moves_out[run] =
            turns->lives->refined / problem->runs + (run < turns->lives->refined % problem->runs);
    }
    for (size_t arm = 0; arm < turns->problem.arm_count; arm++) {
        turns->shares[arm] = (double)turns->states[arm].evaluations;
        turns->gains[arm] = (double)turns->states[arm].gains;
    }
}

/* Returns, for each run, how many of the evaluations given so far have no value, because the first population
 * of each arm is still incomplete. NULL: some arm has had a whole population. */
static const uint64_t *count_skipped(struct portfolio_turns *turns)
{
    const struct search_problem *problem = &turns->problem.search;
    const uint64_t given = (turns->steps + 1) * problem->points * problem->run_islands;
    if (!is_early(turns))
        return NULL;
    for (size_t run = 0; run < problem->runs; run++)
        turns->skipped_out[run] = given - (turns->evaluated[run] < given ? turns->evaluated[run] : given);
    return turns->skipped_out;
}

/* Counts the evaluations of all lives that gave no finite value. */
static enum shoal_status count_not_finite(struct portfolio_turns *turns, uint64_t *count,
                                          struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *count = turns->rest.not_finite;
    for (size_t arm = 0; arm < turns->problem.arm_count && !status; arm++)
        if (turns->states[arm].is_drawn)
            status = portfolio_arm_not_finite(turns->arms[arm], count, error);
    return status;
}

static enum shoal_status result(struct shoal_solver *solver, struct shoal_result *out,
                                struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct search_problem *problem = &turns->problem.search;
    struct search_outcome outcome = {.best = turns->best_out,
                                     .position = turns->position_out,
                                     .ended = turns->ended_out,
                                     .reached = turns->reached_out,
                                     .stagnated = turns->stagnated_out,
                                     .converged = turns->converged_out,
                                     .restarts = turns->restarts_out,
                                     .moves = turns->moves_out,
                                     .skipped = count_skipped(turns),
                                     .steps = turns->steps,
                                     .is_over = turns->ended || solver->timed_out ||
                                                turns->steps >= problem->max_steps,
                                     .timed_out = solver->timed_out,
                                     .is_stopped = solver_is_stopped(solver),
                                     .stop = {solver->is_stopped, solver->stop_data, solver->threads},
                                     .method = solver->queue ? "steps" : NULL,
                                     .precision = solver->queue ? search_precision(problem) : SHOAL_FP64};
    outcome.stop.kept = portfolio_lives_refined(turns);
    fill_runs(turns);
    enum shoal_status status = count_not_finite(turns, &outcome.not_finite, error);
    if (!status)
        status = search_fill_result(problem, &outcome, &turns->summary, out, error);
    if (!status)
        portfolio_add_fields(&turns->problem, turns->shares, turns->gains, out);
    return status ? status : search_trace_result(problem, &turns->trace, out, error);
}

const struct search_problem *portfolio_look_into(const struct shoal_solver *solver,
                                                 const struct search_summary **summary)
{
    if (!portfolio_makes_steps(solver))
        return NULL;
    *summary = &portfolio_turns_of(solver)->summary;
    return &portfolio_turns_of(solver)->problem.search;
}

static enum shoal_status value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    (void)error;
    const struct portfolio_turns *turns = portfolio_turns_of(solver);
    double best = INFINITY;
    for (size_t k = 0; k < turns->problem.search.islands; k++)
        best = fmin(best, turns->values[k]);
    *out = search_shown_value(&turns->problem.search, best);
    return SHOAL_OK;
}

/* Solvers ---------------------------------------------------------------------------------------------- */

static uint64_t total_steps(const struct shoal_solver *solver)
{
    return portfolio_turns_of(solver)->problem.search.max_steps;
}

static size_t state_count(const struct shoal_solver *solver)
{
    const struct search_problem *problem = &portfolio_turns_of(solver)->problem.search;
    return problem->islands * problem->dim;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    memcpy(values, portfolio_turns_of(solver)->champion, state_count(solver) * sizeof *values);
    return SHOAL_OK;
}

/* Returns the largest tolerance of an arm. Since an arm that has begun a new life has made few steps, a
 * tolerance is for at least `steps` steps. */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    const struct portfolio_turns *turns = portfolio_turns_of(solver);
    double most = search_precision(&turns->problem.search) == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    for (size_t arm = 0; arm < turns->problem.arm_count; arm++) {
        const struct shoal_solver *search = turns->arms[arm];
        const uint64_t own = portfolio_arm_steps(search);
        most = fmax(most, search->ops->tolerance(search, own > steps ? own : steps));
    }
    return most;
}

const struct shoal_solver_ops portfolio_device_solver = {
    .kind = "device",
    .what = "best points",
    .create = create,
    .destroy = destroy,
    .step = step,
    .result = result,
    .value = value,
    .save = portfolio_turns_save,
    .load = portfolio_turns_load,
    .tolerance = tolerance,
    .total_steps = total_steps,
    .state_count = state_count,
    .get_state = get_state,
};

/* On the host, the parameter `turns` chooses one of two solvers. */

static enum shoal_status host_create(struct shoal_solver *solver, struct shoal_error *error)
{
    /* an optimiser needs a search of the host with turns of points */
    if (portfolio_makes_steps(solver) && !solver->device)
        return fail(error, SHOAL_INVALID,
                    "portfolio: with turns of whole steps no points are asked for: set turns to points");
    if (portfolio_makes_steps(solver))
        return create(solver, error);
    const enum shoal_status status = portfolio_lives_check(solver->params, SHOAL_PORTFOLIO_POINTS, error);
    return status ? status : search_host_solver_create(solver, error);
}

static void host_destroy(struct shoal_solver *solver)
{
    if (portfolio_makes_steps(solver))
        destroy(solver);
    else
        search_host_solver_destroy(solver);
}

static enum shoal_status host_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                   struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? step(solver, steps, done, error)
                                         : search_host_solver_step(solver, steps, done, error);
}

static enum shoal_status host_result(struct shoal_solver *solver, struct shoal_result *out,
                                     struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? result(solver, out, error)
                                         : search_host_solver_result(solver, out, error);
}

static enum shoal_status host_value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? value(solver, out, error)
                                         : search_host_solver_value(solver, out, error);
}

static enum shoal_status host_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? portfolio_turns_save(solver, checkpoint, error)
                                         : search_host_solver_save(solver, checkpoint, error);
}

static enum shoal_status host_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? portfolio_turns_load(solver, checkpoint, error)
                                         : search_host_solver_load(solver, checkpoint, error);
}

/* Returns the progress of all arms, for the watchdog, which may call this while an arm's solver is replaced.
 * A new solver begins to count from 0, but counts as a life. */
static uint64_t host_progress(const struct shoal_solver *solver)
{
    if (!portfolio_makes_steps(solver))
        return search_host_solver_progress(solver);
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    portfolio_turns_hold(turns);
    uint64_t sum = turns->created;
    for (size_t arm = 0; arm < turns->problem.arm_count; arm++)
        sum += turns->arms[arm] ? search_host_solver_progress(turns->arms[arm]) : 0;
    portfolio_turns_release(turns);
    return sum;
}

static uint64_t host_total(const struct shoal_solver *solver)
{
    return portfolio_makes_steps(solver) ? total_steps(solver) : search_host_solver_total(solver);
}

static size_t host_count(const struct shoal_solver *solver)
{
    return portfolio_makes_steps(solver) ? state_count(solver) : search_host_count_positions(solver);
}

static enum shoal_status host_get_state(struct shoal_solver *solver, double *values,
                                        struct shoal_error *error)
{
    return portfolio_makes_steps(solver) ? get_state(solver, values, error)
                                         : search_host_get_positions(solver, values, error);
}

const struct shoal_solver_ops portfolio_host_solver = {
    .kind = "host",
    .what = "points",
    .create = host_create,
    .destroy = host_destroy,
    .step = host_step,
    .result = host_result,
    .value = host_value,
    .save = host_save,
    .load = host_load,
    .progress = host_progress,
    .total_steps = host_total,
    .state_count = host_count,
    .get_state = host_get_state,
};
