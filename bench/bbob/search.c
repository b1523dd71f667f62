/* One search of a trial: on the host every evaluation is seen, on a device the best of some steps. */
#include "bench/bbob/suite.h"
#include "bench/runner/fail.h"

#include <stdlib.h>
#include <string.h>

/* A target of a device lies so much below the success of a trial, as a share of it, that the position reaches
 * the success in the arithmetic of the host, too. */
static const double safe = 0.99;

/* The host --------------------------------------------------------------------------------------------- */

struct seen {
    struct suite_run *run;
    struct shoal_optimiser *optimiser;
    bool is_over;
    struct shoal_error *error;
    enum shoal_status status;
};

static double see(const double *x, size_t dim, void *data)
{
    struct seen *seen = data;
    const double value = shoal_objective_value(seen->run->objective, x, dim);
    if (seen->is_over)
        return value;
    seen->run->trial->evaluations++;
    seen->status = suite_note(seen->run, value, x, seen->error);
    seen->is_over = seen->status || suite_is_over(seen->run);
    if (seen->is_over)
        shoal_optimiser_stop(seen->optimiser);
    return value;
}

/* Copies the parameters of the algorithm, which have the defaults of the optimiser or those of the caller. */
static enum shoal_status set_algorithm(const struct suite_run *run, struct shoal_optimiser *optimiser,
                                       struct shoal_error *error)
{
    const struct shoal_workload *workload = run->suite->workload;
    const enum shoal_status status =
        shoal_optimiser_set_algorithm(optimiser, workload ? workload->name : "auto", error);
    if (!status && workload)
        memcpy(shoal_optimiser_params(optimiser), run->suite->params, workload->params_size);
    if (!status)
        suite_fill(run, shoal_optimiser_params(optimiser));
    return status;
}

enum shoal_status suite_search_host(struct suite_run *run, bool *ended, struct shoal_error *error)
{
    const struct shoal_objective_info *info = shoal_objective_get_info(run->objective);
    struct seen seen = {.run = run, .error = error};
    double *x = malloc(run->trial->dim * sizeof *x), value;
    const uint64_t before = run->trial->evaluations;
    enum shoal_status status = shoal_optimiser_create(run->trial->dim, &seen.optimiser, error);
    if (!status && !x)
        status = bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a trial");
    if (!status)
        status = set_algorithm(run, seen.optimiser, error);
    if (!status)
        status = shoal_optimiser_set_callback(seen.optimiser, see, &seen, error);
    if (!status)
        status = shoal_optimiser_set_box(seen.optimiser, info->lower, info->upper, error);
    if (!status)
        status = shoal_optimiser_set_threads(seen.optimiser, 1, error);
    if (!status && shoal_optimise(seen.optimiser, x, &value, error) == SHOAL_OPTIMISE_FAILED)
        status = error->status;
    /* What is left of the budget may be less than an algorithm takes. */
    *ended = run->trial->evaluations == before;
    if (status == SHOAL_INVALID && run->trial->restarts)
        status = SHOAL_OK;
    shoal_optimiser_destroy(&seen.optimiser);
    free(x);
    return status ? status : seen.status;
}

/* Devices ---------------------------------------------------------------------------------------------- */

/* Largest difference between the device's value and the host's, relative to the value or to 1. Trials count
 * by the values of the host, so the difference may be larger than in the check of a search: f16 to f19 change
 * so fast that they show the rounding of a rotated point. */
static const double largest_difference = 1e-6;

/* Takes the bests of the runs so far, whose evaluations follow those `before`; runs[0] alone where `count`
 * is 1. */
static enum shoal_status look(struct suite_run *runs, size_t count, struct shoal_solver *solver,
                              uint64_t before, struct shoal_error *error)
{
    struct shoal_result result = {0};
    enum shoal_status status = shoal_solver_result(solver, &result, error);
    if (status)
        return status;
    const size_t dim = runs->trial->dim;
    const struct shoal_field *position = shoal_result_find(&result, "position"),
                             *values = shoal_result_find(&result, "run_values"),
                             *evaluations = shoal_result_find(&result, "run_evaluations");
    if (!position || !(result.error <= largest_difference))
        return bench_fail(error, SHOAL_CHECK_FAILED, "the value of the device is not that of the host");
    if (count == 1) {
        runs->trial->evaluations = before + (uint64_t)result.work;
        return suite_note(runs, shoal_objective_value(runs->objective, position->reals, dim), position->reals,
                          error);
    }
    double *x = malloc(dim * sizeof *x);
    if (!x)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a trial");
    for (size_t r = 0; r < count && !status; r++) {
        const double value = values->reals[r] + runs[r].trial->minimum;
        runs[r].trial->evaluations = (uint64_t)evaluations->reals[r];
        /* A position is a read from the device. */
        if (suite_is_gain(&runs[r], value))
            status = shoal_search_run_position(solver, r, x, dim, error);
        if (!status)
            status = suite_note(&runs[r], value, x, error);
    }
    free(x);
    return status;
}

static bool are_over(const struct suite_run *runs, size_t count)
{
    size_t over = 0;
    while (over < count && suite_is_over(&runs[over]))
        over++;
    return over == count;
}

/* Makes steps, at most a fiftieth of those made before at a time, so that the evaluations of a gain are known
 * to 2 %. */
static enum shoal_status advance(struct suite_run *runs, size_t count, struct shoal_solver *solver,
                                 struct shoal_error *error)
{
    const uint64_t before = runs->trial->evaluations;
    uint64_t steps = 0, done = 1;
    enum shoal_status status = SHOAL_OK;
    while (!status && done && !are_over(runs, count)) {
        const uint64_t next = steps < 50 ? 1 : steps / 50;
        status = shoal_solver_step(solver, next, &done, error);
        steps += done;
        if (!status)
            status = look(runs, count, solver, before, error);
    }
    return status;
}

/* The parameters of a solver, in a block of the algorithm that suits the problem. */
static enum shoal_status make_params(const struct suite_run *run, const struct shoal_workload **workload,
                                     void **params, struct shoal_error *error)
{
    const struct suite *suite = run->suite;
    *workload = suite->workload;
    if (!suite->workload) {
        struct shoal_optimise_params problem;
        struct shoal_optimise_choice choice = {.size = sizeof choice};
        shoal_optimise_params_init(&problem);
        suite_fill(run, &problem.search);
        problem.search.objective = run->objective;
        problem.search.dim = run->trial->dim;
        const enum shoal_status status = shoal_optimise_choose(NULL, &problem, &choice, error);
        if (status)
            return status;
        *workload = choice.workload;
    }
    *params = malloc((*workload)->params_size);
    if (!*params)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a trial");
    if (suite->workload)
        memcpy(*params, suite->params, suite->workload->params_size);
    else
        (*workload)->params_init(*params);
    struct shoal_search_params *search = *params;
    suite_fill(run, search);
    search->objective = run->objective;
    search->dim = run->trial->dim;
    /* A result is read while the search goes on; a refinement would follow each one that ends it. */
    search->polish = 0;
    search->refine = SHOAL_REFINE_NONE;
    search->target = run->trial->minimum + safe * run->suite->success;
    return SHOAL_OK;
}

static enum shoal_status create(const struct suite_run *run, const struct shoal_workload *workload,
                                const void *params, struct shoal_queue *queue, struct shoal_solver **solver,
                                struct shoal_error *error)
{
    const struct suite *suite = run->suite;
    omp_lock_t *building = &suite->building[(size_t)(run->trial - suite->trials) / suite->instance_count];
    omp_set_lock(building);
    const enum shoal_status status =
        shoal_solver_create(workload, suite->device, queue, params, suite->variant, solver, error);
    omp_unset_lock(building);
    return status;
}

/* A search with these parameters, which are freed. */
static enum shoal_status search(struct suite_run *run, size_t count, const struct shoal_workload *workload,
                                void *params, struct shoal_error *error)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    enum shoal_status status = shoal_queue_create(run->suite->device, 0, &queue, error);
    if (!status)
        status = create(run, workload, params, queue, &solver, error);
    if (!status)
        status = advance(run, count, solver, error);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    free(params);
    return status;
}

enum shoal_status suite_search_device(struct suite_run *run, bool *ended, struct shoal_error *error)
{
    const struct shoal_workload *workload;
    void *params = NULL;
    const uint64_t before = run->trial->evaluations;
    enum shoal_status status = make_params(run, &workload, &params, error);
    if (!status)
        status = search(run, 1, workload, params, error);
    *ended = run->trial->evaluations == before;
    return status == SHOAL_INVALID && run->trial->restarts ? SHOAL_OK : status;
}

/* The minimum of an instance, which values of the search are differences from. */
static enum shoal_status find_minimum(struct suite_trial *trial, struct shoal_error *error)
{
    struct shoal_objective *one;
    const enum shoal_status status =
        shoal_objective_from_bbob(suite_name_of(trial->function).s, trial->instance, trial->dim, &one, error);
    if (status)
        return status;
    trial->minimum = shoal_objective_minimum(one, trial->dim);
    shoal_objective_destroy(&one);
    return SHOAL_OK;
}

/* Creates the objective of all trials. */
static enum shoal_status join_objectives(struct suite_run *runs, size_t count,
                                         struct shoal_objective **objective, struct shoal_error *error)
{
    struct suite_name *names = calloc(count, sizeof *names);
    const char **functions = calloc(count, sizeof *functions);
    uint64_t *instances = calloc(count, sizeof *instances);
    enum shoal_status status =
        names && functions && instances
            ? SHOAL_OK
            : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for %zu trials", count);
    for (size_t r = 0; r < count && !status; r++) {
        names[r] = suite_name_of(runs[r].trial->function);
        functions[r] = names[r].s;
        instances[r] = runs[r].trial->instance;
        status = find_minimum(runs[r].trial, error);
    }
    if (!status)
        status = shoal_objective_from_bbob_instances(functions, instances, count, runs->trial->dim, objective,
                                                     error);
    free(names);
    free(functions);
    free(instances);
    return status;
}

enum shoal_status suite_search_group(struct suite_run *runs, size_t count, struct shoal_error *error)
{
    const struct shoal_workload *workload;
    struct shoal_objective *objective = NULL;
    void *params = NULL;
    enum shoal_status status = join_objectives(runs, count, &objective, error);
    if (!status)
        status = make_params(runs, &workload, &params, error);
    if (!status) {
        struct shoal_search_params *search_params = params;
        search_params->objective = objective;
        search_params->runs = count;
        search_params->target = safe * runs->suite->success;
        status = search(runs, count, workload, params, error);
    }
    shoal_objective_destroy(&objective);
    return status;
}
