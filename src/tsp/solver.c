/* The solvers of the workload "tsp": create, steps, ends of a run, the best tour, checkpoints; common to all
 * algorithms. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "compute/device.h"
#include "compute/log.h"
#include "tsp/colonies.h"
#include "tsp/exact/exact.h"
#include "tsp/files/files.h"
#include "tsp/improve/curve.h"
#include "tsp/observe/observe.h"
#include "tsp/tsp.h"
#include "workload/arrays.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status tsp_check_memory(const struct shoal_solver *solver, const struct arrays *arrays,
                                   struct shoal_error *error)
{
    char what[48];
    snprintf(what, sizeof what, "%u cities", (unsigned)tsp_problem_of(solver)->n);
    tsp_run_of(solver)->method_bytes = arrays_bytes(arrays);
    return arrays_check(arrays, (solver_on_memory(solver) - 1) * arrays_bytes(arrays), what,
                        "lower --ants, --pieces, --candidates, --colonies or --replicas", error);
}

void tsp_advance_threads(struct shoal_solver *solver, struct thread_choice *choice, uint64_t steps,
                         void (*step)(void *own, uint32_t step), void *own)
{
    struct tsp_run *run = tsp_run_of(solver);
    for (uint64_t i = 0; i < steps; i++) {
        long_step_begin(&run->cut);
        thread_choice_begin(choice);
#pragma omp parallel num_threads(thread_choice_threads(choice))
        {
            const double start = clock_thread_seconds();
            step(own, (uint32_t)(run->steps + i + 1));
            thread_choice_work(choice, start);
        }
        thread_choice_end(choice);
        if (long_step_is_cut(&run->cut)) {
            run->dropped = steps - i;
            return;
        }
    }
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status create_tours(struct tsp_run *run, struct shoal_error *error)
{
    const struct tsp_problem *problem = &run->problem;
    run->tour = calloc(problem->n, sizeof *run->tour);
    run->scratch = calloc(problem->form.n, sizeof *run->scratch);
    if (!run->tour || !run->scratch)
        return fail_host_memory(error);
    if (!problem->tour)
        return SHOAL_OK;
    run->start_tour = calloc(problem->form.n, sizeof *run->start_tour);
    if (!run->start_tour)
        return fail_host_memory(error);
    tsp_form_enter(problem, problem->tour, run->start_tour);
    return SHOAL_OK;
}

void tsp_run_reset(struct tsp_run *run)
{
    run->begun = run->ended = run->has_draft = run->is_draft = false;
    run->steps = 0;
    run->look = (struct tsp_look){.best = INT64_MAX};
    run->length = INT64_MAX;
}

/* Does a run make no steps, or steps that can be made together with those of others? */
static bool can_join(const struct shoal_solver *solver)
{
    const struct tsp_run *run = tsp_run_of(solver);
    return !run->algorithm->host || run->problem.form.n <= TSP_ONE_TOUR ||
           (run->algorithm->joins && run->algorithm->joins(&run->problem, tsp_params(solver)));
}

/* Creates the problem of a run and the memory for the run's tours. */
static enum shoal_status create_problem(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    struct shoal_tsp_params *params = solver->params;
    enum shoal_status status = tsp_problem_create(params, &run->problem, error);
    const bool has_time = !isnan(params->time);
    const enum tsp_maker maker = tsp_maker_of(solver);
    run->choice = tsp_choose_algorithm(params, run->problem.n, run->problem.form.is_even, maker);
    if (run->choice == TSP_CHOSEN_FOR_DEVICE && tsp_shares_cells(solver)) {
        params->algorithm = SHOAL_TSP_LK; /* in place of focused ants, which have no cells */
        run->choice = TSP_CHOSEN_FOR_SHARES;
    }
    tsp_choose_replicas(params, run->problem.n, !run->problem.form.dim, maker);
    run->has_default_time = !has_time && !isnan(params->time);
    run->algorithm = tsp_algorithms[params->algorithm];
    if (!status && run->choice && run->algorithm->check)
        status = run->algorithm->check(params, error);
    const bool has_quadrants = run->algorithm->has_quadrants && run->problem.form.n > TSP_ONE_TOUR;
    if (!has_quadrants && run->problem.lists == SHOAL_TSP_LISTS_AUTO)
        run->problem.lists = SHOAL_TSP_LISTS_NEAREST;
    if (!status)
        status = tsp_run_check_lists(run, error);
    if (!status)
        status = create_tours(run, error);
    if (!status && solver->joint && !can_join(solver)) {
        solver->joint->is_refused = true;
        return fail(error, SHOAL_UNSUPPORTED, "%s: the run makes its steps alone", run->problem.name);
    }
    if (!status)
        shoal_log_lines(device_shoal(solver->device), SHOAL_LOG_WARNING, run->problem.info.notes);
    if (!status)
        status = solver_keep_notes(solver, run->problem.info.notes, error);
    return status || !run->algorithm->fits ? status : run->algorithm->fits(&run->problem, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = calloc(1, sizeof *run);
    solver->state = run;
    if (!run)
        return fail_host_memory(error);
    tsp_run_reset(run);
    run->bound = -1;
    long_step_create(&run->cut, solver);
    run->cut.patience_s = 0.08; /* runs end within 0.1 s after their limit */
    if (solver->joint)
        solver->threads = 1; /* each thread has another run */
    enum shoal_status status = SHOAL_OK;
    if (solver->share.of) {
        ((struct shoal_tsp_params *)solver->params)->algorithm = tsp_params(solver->share.whole)->algorithm;
        run->algorithm = tsp_run_of(solver->share.whole)->algorithm;
        run->problem = *tsp_problem_of(solver->share.whole);
        run->start_tour = tsp_run_of(solver->share.whole)->start_tour;
    } else {
        status = create_problem(solver, error);
    }
    const bool is_exact = !run->algorithm->host, has_steps = !is_exact && run->problem.form.n > TSP_ONE_TOUR;
    if (!status && solver->queue && !is_exact && !run->algorithm->device)
        return fail(error, SHOAL_UNSUPPORTED, "algorithm %s runs on the host only: give --device host",
                    run->algorithm->name);
    if (!status && solver->joint && has_steps) {
        run->places.sooner_from_s = INFINITY; /* all work between steps is of the host */
        status = tsp_places_check(&run->problem, solver->device, error);
    } else if (!status && solver->queue && has_steps) {
        status = tsp_places_create(&run->problem, solver->queue, &run->places, error);
    }
    if (!status && !solver->share.of)
        status = tsp_run_find_bound(solver, error);
    if (status || !has_steps)
        return status;
    solver->method.method = solver->joint   ? &run->algorithm->joint->base
                            : solver->queue ? &run->algorithm->device->base
                                            : &run->algorithm->host->base;
    return method_create(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct tsp_run *run = solver->state;
    if (!run)
        return;
    method_destroy(solver);
    tsp_places_destroy(&run->places);
    if (!solver->share.of) {
        tsp_problem_destroy(&run->problem);
        free(run->start_tour);
    }
    free(run->tour);
    free(run->scratch);
    free(run);
}

/* Steps ------------------------------------------------------------------------------------------------ */

double tsp_gap(const struct tsp_problem *problem, int64_t length)
{
    return problem->optimum > 0 ? (double)length / (double)problem->optimum - 1 : NAN;
}

static void tell_better(struct shoal_solver *solver)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const bool is_lk = params->algorithm == SHOAL_TSP_LK;
    if (!params->on_better)
        return;
    const struct shoal_tsp_better better = {.size = sizeof better,
                                            .seconds = schedule_seconds(solver),
                                            .steps = run->steps,
                                            .tours = run->look.tours,
                                            .length = run->length,
                                            .gap = tsp_gap(&run->problem, run->length),
                                            .tour = run->tour,
                                            .count = run->problem.n,
                                            .length_in_unit = tsp_in_unit(&run->problem, run->length),
                                            .kicks = is_lk ? run->look.tours : 0};
    schedule_call_turns(solver);
    params->on_better(params->better_data, &better);
    schedule_call_turns(solver);
}

/* Reads the results of the algorithm. If the algorithm's best tour is shorter than the run's best tour, or
 * the run's tour is only a draft, replaces the run's tour and reports the better tour. */
static enum shoal_status take_best(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const int64_t before = run->look.best;
    if (solver->share.of)
        return SHOAL_OK; /* the solver of the whole run reads the results of all shares */
    enum shoal_status status = tsp_method_of(solver)->look(solver, &run->look, error);
    if (status)
        return status;
    if (run->look.best >= (run->is_draft ? INT64_MAX : before)) {
        run->look.best = before; /* a step that was cut may report no tour; the step is repeated later */
        return SHOAL_OK;
    }
    if (run->is_draft)
        run->length = INT64_MAX;
    run->is_draft = false;
    status = tsp_method_of(solver)->tour(solver, run->scratch, error);
    if (status || !tsp_form_leave(&run->problem, run->scratch, run->tour))
        return status; /* a tour with a forbidden edge has no length; `result` reports this edge */
    /* The sum over a million edges takes tens of milliseconds, and is this value, which `result` checks. */
    run->length =
        tsp_form_is_plain(&run->problem.form) ? run->look.best : tsp_length(&run->problem, run->tour, NULL);
    tell_better(solver);
    return SHOAL_OK;
}

/* Computes a shortest tour, which ends the run. */
static enum shoal_status take_shortest(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = tsp_exact_tour(&run->problem, run->tour, error);
    if (status)
        return status;
    tsp_form_enter(&run->problem, run->tour, run->scratch);
    if (!tsp_form_leave(&run->problem, run->scratch, run->tour))
        return fail(error, SHOAL_INVALID, "%s: no tour exists: each one has a forbidden edge",
                    run->problem.name);
    run->look.best = tsp_form_length(&run->problem, run->scratch);
    run->length = tsp_length(&run->problem, run->tour, NULL);
    tell_better(solver);
    run->ended = true;
    return SHOAL_OK;
}

static bool has_ended(const struct shoal_solver *solver)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    return (params->tours && run->look.tours >= params->tours) ||
           (run->length < INT64_MAX && (double)run->length * run->problem.unit <= params->target) ||
           (params->stagnation && run->steps - run->look.best_step >= params->stagnation);
}

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    const struct tsp_method *method = tsp_method_of(solver);
    long_step_begin(&tsp_run_of(solver)->cut);
    return method && method->prepare ? method->prepare(solver, is_first, error) : SHOAL_OK;
}

/* Does the solver begin and make steps itself? The whole run of shares of cells does so by means of its
 * shares. */
static bool makes_steps(const struct shoal_solver *solver)
{
    return !solver->shares || tsp_shares_cells(solver);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    tsp_run_reset(run);
    if (!solver->method.method)
        return take_shortest(solver, error);
    enum shoal_status status = prepare(solver, true, error);
    if (!status && makes_steps(solver))
        status = solver->method.method->begin(solver, error);
    if (!status && solver->shares)
        status = solver->shares->begin(solver, error);
    if (!status)
        status = take_best(solver, error);
    if (!status)
        run->ended = run->look.best < INT64_MAX && has_ended(solver);
    return status;
}

/* Makes `steps` steps. If the run must end earlier, run->dropped is the number of these steps that were not
 * made. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    uint64_t done;
    run->dropped = 0;
    if (makes_steps(solver))
        return solver->method.method->advance(solver, steps, error);
    const enum shoal_status status = solver->shares->step(solver, steps, &done, error);
    if (!status)
        run->dropped = steps - done;
    return status;
}

/* Makes up to `steps` steps, until the run has ended. If the results of a step decide about the end, or the
 * caller wants to get each better tour, makes one step at a time, so that a run with the same seed ends after
 * the same step; also if shards of cells may move before a step, since the state is then saved. */
static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const bool one_by_one = params->tours || params->stagnation || !isnan(params->target) ||
                            params->on_better || tsp_shares_cells(solver);
    enum shoal_status status = SHOAL_OK;
    for (uint64_t left = steps; left && !run->ended && !status;) {
        const uint64_t now = one_by_one ? 1 : left;
        status = make_steps(solver, now, error);
        if (!status || run->dropped)
            run->steps += now - run->dropped;
        left = run->dropped ? 0 : left - now;
        if (!status)
            status = take_best(solver, error);
        run->ended = has_ended(solver);
    }
    return status;
}

/* Gives a tour to a run that was cut before the algorithm had a tour: the draft that `begin` has set or, if
 * there is none, the start tour of the caller, or else the curve tour, which takes very little time. */
static enum shoal_status take_draft(struct shoal_solver *solver, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    if (!run->has_draft && run->start_tour)
        tsp_set_draft(solver, run->start_tour);
    else if (!run->has_draft)
        status = tsp_curve_tour(&run->problem, &tsp_closed_curve, run->scratch, error);
    run->has_draft = false;
    run->is_draft = true;
    if (status || !tsp_form_leave(&run->problem, run->scratch, run->tour))
        return status;
    run->look.best = tsp_form_length(&run->problem, run->scratch);
    run->length = tsp_length(&run->problem, run->tour, NULL);
    tell_better(solver);
    return SHOAL_OK;
}

static enum shoal_status take_sample(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    const struct shoal_tsp_sample sample = tsp_sample(solver, step);
    return schedule_give(solver, &sample, error);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const struct schedule schedule = {
        .steps = tsp_workload.total_steps(params),
        .begun = &run->begun,
        .done = &run->steps,
        .begin = begin,
        .advance = advance,
        .events = {{.every = params->trace, .at_ends = params->trace > 0, .take = take_sample}}};
    if (run->begun && run->ended) {
        *done = 0;
        return SHOAL_OK;
    }
    const enum shoal_status status = schedule_step(solver, &schedule, steps, done, error);
    const bool has_started = run->begun || status != SHOAL_STOPPED;
    if (!long_step_is_cut(&run->cut) || (status && has_started) || (has_started && run->length < INT64_MAX))
        return status;
    solver->starts_later = !has_started;
    return take_draft(solver, error);
}

static enum shoal_status value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    (void)error;
    const struct tsp_run *run = tsp_run_of(solver);
    *out = run->length < INT64_MAX ? (double)run->length * run->problem.unit : NAN;
    return SHOAL_OK;
}

static uint64_t progress(const struct shoal_solver *solver)
{
    const struct tsp_method *method = tsp_method_of(solver);
    return method && method->progress ? method->progress(solver) : tsp_run_of(solver)->steps;
}

/* Checkpoint ------------------------------------------------------------------------------------------- */

/* Names of sections. draft: the run's tour is a draft. not_begun: the run had not begun, so it begins anew
 * when it is resumed, and the checkpoint has no sections of the method. */
static const char draft[] = "draft", not_begun[] = "not begun";
/* Name of the section that has the kind of candidate lists chosen by the run. */
static const char chosen_lists[] = "lists";

static bool chooses_lists(const struct shoal_solver *solver)
{
    const struct tsp_run *run = tsp_run_of(solver);
    return solver->method.method && run->algorithm->has_quadrants && !run->problem.given &&
           tsp_params(solver)->lists == SHOAL_TSP_LISTS_AUTO;
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    checkpoint_add(checkpoint, "step", &run->steps, sizeof run->steps);
    schedule_save_seconds(solver, checkpoint);
    checkpoint_add(checkpoint, "tours", &run->look.tours, sizeof run->look.tours);
    checkpoint_add(checkpoint, "best step", &run->look.best_step, sizeof run->look.best_step);
    checkpoint_add(checkpoint, "tour", run->tour,
                   run->length < INT64_MAX ? run->problem.n * sizeof *run->tour : 0);
    tsp_choice_save(solver, checkpoint);
    if (run->is_draft)
        checkpoint_add(checkpoint, draft, &run->is_draft, sizeof run->is_draft);
    if (!run->begun) {
        checkpoint_add(checkpoint, not_begun, &run->begun, sizeof run->begun);
        return SHOAL_OK;
    }
    if (chooses_lists(solver))
        checkpoint_add(checkpoint, chosen_lists, &run->problem.lists, sizeof run->problem.lists);
    const struct method *method = solver->method.method;
    return method ? method->save(solver, checkpoint, error) : SHOAL_OK;
}

/* Loads the best tour of the run, and computes the tour's length. */
static enum shoal_status load_tour(struct tsp_run *run, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "tour");
    if (!section || !section->bytes)
        return section ? SHOAL_OK : checkpoint_damaged(checkpoint, error);
    enum shoal_status status =
        checkpoint_get(checkpoint, "tour", run->tour, run->problem.n * sizeof *run->tour, error);
    if (status)
        return status;
    status = tsp_tour_fault(&run->problem, run->tour, run->problem.n, NULL);
    if (status)
        return status == SHOAL_OUT_OF_HOST_MEMORY ? fail_host_memory(error)
                                                  : checkpoint_damaged(checkpoint, error);
    run->length = tsp_length(&run->problem, run->tour, NULL);
    tsp_form_enter(&run->problem, run->tour, run->scratch);
    run->look.best = tsp_form_length(&run->problem, run->scratch);
    return SHOAL_OK;
}

enum shoal_status tsp_run_set_lists(struct shoal_solver *solver, enum shoal_tsp_lists lists,
                                    struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const enum shoal_tsp_lists before = run->problem.lists;
    struct method_instance other = {.method = solver->method.method};
    if (lists == before)
        return SHOAL_OK;
    run->problem.lists = lists;
    const enum shoal_status status = method_replace(solver, &other, NULL, error);
    if (status)
        run->problem.lists = before;
    return status;
}

/* Loads the kind of candidate lists that the run has chosen, and sets it for the solver, whose arrays depend
 * on it. A resumed run must not choose again, since the choice depends on the time that the run had. */
static enum shoal_status load_lists(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    enum shoal_tsp_lists lists;
    if (!chooses_lists(solver) || !checkpoint_find(checkpoint, chosen_lists))
        return SHOAL_OK;
    enum shoal_status status = checkpoint_get(checkpoint, chosen_lists, &lists, sizeof lists, error);
    if (!status && lists != SHOAL_TSP_LISTS_NEAREST &&
        (lists != SHOAL_TSP_LISTS_QUADRANT || !run->problem.dim))
        status = checkpoint_damaged(checkpoint, error);
    return status ? status : tsp_run_set_lists(solver, lists, error);
}

static enum shoal_status load_state(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    const enum shoal_status status = prepare(solver, false, error);
    if (status)
        return status;
    return solver->shares ? tsp_shares_load(solver, checkpoint, error)
                          : solver->method.method->load(solver, checkpoint, error);
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    tsp_run_reset(run);
    solver->starts_later = false;
    enum shoal_status status = checkpoint_get(checkpoint, "step", &run->steps, sizeof run->steps, error);
    if (!status)
        status = schedule_load_seconds(solver, checkpoint, error);
    if (!status)
        status = checkpoint_get(checkpoint, "tours", &run->look.tours, sizeof run->look.tours, error);
    if (!status)
        status =
            checkpoint_get(checkpoint, "best step", &run->look.best_step, sizeof run->look.best_step, error);
    if (!status && run->look.best_step > run->steps)
        status = checkpoint_damaged(checkpoint, error);
    if (!status)
        status = tsp_choice_load(solver, checkpoint, error);
    if (!status)
        status = load_tour(run, checkpoint, error);
    const bool begun = !checkpoint_find(checkpoint, not_begun);
    run->is_draft = checkpoint_find(checkpoint, draft);
    if (!status && !begun && run->steps)
        status = checkpoint_damaged(checkpoint, error);
    if (!status && begun)
        status = load_lists(solver, checkpoint, error);
    if (!status && begun && solver->method.method)
        status = load_state(solver, checkpoint, error);
    if (status) {
        tsp_run_reset(run);
        return status;
    }
    run->begun = begun;
    solver->starts_later = !begun;
    run->ended = begun && (!solver->method.method || has_ended(solver));
    return SHOAL_OK;
}

/* State for verification ------------------------------------------------------------------------------- */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct tsp_method *method = tsp_method_of(solver);
    return method ? method->state_count(solver) : 1;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const struct tsp_method *method = tsp_method_of(solver);
    if (method)
        return method->get_state(solver, values, error);
    values[0] = run->length < INT64_MAX ? (double)run->length : 0;
    return SHOAL_OK;
}

/* All values of the state are integers, so host and device must agree exactly. */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    (void)solver;
    (void)steps;
    return 0;
}

#define SHARED_OPS                                                                                           \
    .what = "tours", .create = create, .destroy = destroy, .step = step, .result = tsp_result,               \
    .value = value, .save = save, .load = load, .state_count = state_count, .get_state = get_state

const struct shoal_solver_ops tsp_host_ops = {.kind = "host", SHARED_OPS, .progress = progress};
const struct shoal_solver_ops tsp_device_ops = {.kind = "device", SHARED_OPS, .tolerance = tolerance};
