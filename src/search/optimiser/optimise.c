/* The optimiser of <shoal/optimise.h>: settings, and shoal_optimise on the host. */
#include "search/optimiser/optimise.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "base/text.h"
#include "search/refine/refine.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

const char *shoal_optimise_result_name(enum shoal_optimise_result result)
{
    switch (result) {
    case SHOAL_OPTIMISE_FAILED:
        return "failed";
    case SHOAL_OPTIMISE_RUNNING:
        return "running";
    case SHOAL_OPTIMISE_ITERATIONS:
        return "iterations";
    case SHOAL_OPTIMISE_TARGET:
        return "target";
    case SHOAL_OPTIMISE_EVALUATIONS:
        return "evaluations";
    case SHOAL_OPTIMISE_STAGNATED:
        return "stagnated";
    case SHOAL_OPTIMISE_TIME:
        return "time";
    case SHOAL_OPTIMISE_STOPPED:
        return "stopped";
    case SHOAL_OPTIMISE_CONVERGED:
        return "converged";
    }
    return "unknown";
}

static const char automatic[] = "auto"; /* name by which the problem chooses the algorithm */

/* Object ----------------------------------------------------------------------------------------------- */

/* Returns the default parameters of an algorithm, allocated. NULL: returns a struct shoal_optimise_params. */
static struct shoal_search_params *default_params(const struct search_algorithm *algorithm)
{
    const struct shoal_workload *workload = algorithm ? shoal_workload_find(algorithm->name) : NULL;
    void *params = malloc(workload ? workload->params_size : sizeof(struct shoal_optimise_params));
    if (params && workload) {
        workload->params_init(params);
        workload_params_shorten(workload_of(workload), params);
    } else {
        shoal_optimise_params_init(params);
    }
    return params;
}

/* Sets the algorithm and its default parameters. NULL: the problem chooses the algorithm ("auto"). */
static enum shoal_status use_algorithm(struct shoal_optimiser *optimiser,
                                       const struct search_algorithm *algorithm, struct shoal_error *error)
{
    struct shoal_search_params *params = default_params(algorithm);
    if (!params)
        return fail_host_memory(error);
    params->dim = optimiser->dim;
    params->precision = SHOAL_FP64;
    shoal_optimiser_reset(optimiser);
    free(optimiser->params);
    free(optimiser->used);
    optimiser->algorithm = algorithm;
    optimiser->is_auto = !algorithm;
    optimiser->params = params;
    optimiser->used = NULL;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_create(size_t dim, struct shoal_optimiser **out, struct shoal_error *error)
{
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (dim < 1 || dim > (size_t)1 << 20)
        return fail(error, SHOAL_INVALID, "dim is %zu, allowed are 1 to %d", dim, 1 << 20);
    struct shoal_optimiser *optimiser = calloc(1, sizeof *optimiser);
    if (!optimiser)
        return fail_host_memory(error);
    optimiser->dim = dim;
    atomic_init(&optimiser->stop, false);
    enum shoal_status status = use_algorithm(optimiser, search_algorithms[0], error);
    if (status) {
        shoal_optimiser_destroy(&optimiser);
        return status;
    }
    *out = optimiser;
    return SHOAL_OK;
}

void shoal_optimiser_reset(struct shoal_optimiser *optimiser)
{
    if (optimiser && optimiser->is_auto)
        optimiser->algorithm = NULL;
    if (!optimiser || !optimiser->started)
        return;
    optimiser_close_device(optimiser);
    if (optimiser->host.state)
        optimiser->host.ops->destroy(&optimiser->host);
    free(optimiser->points);
    free(optimiser->values);
    free(optimiser->ahead.x);
    free(optimiser->told.values);
    free(optimiser->told.is_told);
    optimiser->host = (struct shoal_solver){0};
    free(optimiser->refined);
    optimiser->points = optimiser->values = optimiser->refined = NULL;
    optimiser->told = (struct optimiser_told){0};
    optimiser->ahead = (struct optimiser_ahead){0};
    optimiser->polish_asked = false;
    optimiser->place = (struct optimiser_place){0};
    optimiser->evaluation_seconds = 0;
    optimiser->started = false;
    optimiser->state = SHOAL_OPTIMISE_RUNNING;
}

void shoal_optimiser_destroy(struct shoal_optimiser **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_optimiser *optimiser = *pointer;
    shoal_optimiser_reset(optimiser);
    shoal_objective_destroy(&optimiser->own);
    free(optimiser->lower);
    free(optimiser->upper);
    free(optimiser->start);
    free(optimiser->params);
    free(optimiser->used);
    free(optimiser);
    *pointer = NULL;
}

/* Settings --------------------------------------------------------------------------------------------- */

struct shoal_search_params *shoal_optimiser_params(struct shoal_optimiser *optimiser)
{
    return optimiser ? optimiser->params : NULL;
}

void *optimiser_params_of(struct shoal_optimiser *optimiser, const struct search_algorithm *algorithm)
{
    return optimiser && !optimiser->is_auto && optimiser->algorithm == algorithm ? optimiser->params : NULL;
}

const char *shoal_optimiser_algorithm(const struct shoal_optimiser *optimiser)
{
    if (!optimiser)
        return NULL;
    return optimiser->algorithm ? optimiser->algorithm->name : automatic;
}

enum shoal_status shoal_optimiser_set_algorithm(struct shoal_optimiser *optimiser, const char *name,
                                                struct shoal_error *error)
{
    if (!NEED(error, optimiser, name))
        return SHOAL_INVALID;
    const struct search_algorithm *algorithm = search_algorithm_find(name);
    if (algorithm || strcmp(name, automatic) == 0)
        return use_algorithm(optimiser, algorithm, error);
    struct text known = {0};
    for (size_t i = 0; search_algorithms[i]; i++)
        text_printf(&known, "%s, ", search_algorithms[i]->name);
    text_add(&known, automatic);
    const enum shoal_status status =
        known.failed
            ? fail_host_memory(error)
            : fail(error, SHOAL_INVALID, "there is no algorithm %s: use one of %s", name, known.data);
    text_free(&known);
    return status;
}

/* Sets the objective, which the optimiser then owns, and resets the search, since a search uses its objective
 * until it is reset. If `status` is a failure, does nothing. */
static enum shoal_status take(struct shoal_optimiser *optimiser, enum shoal_status status,
                              struct shoal_objective *objective)
{
    if (status)
        return status;
    shoal_optimiser_reset(optimiser);
    shoal_objective_destroy(&optimiser->own);
    optimiser->objective = optimiser->own = objective;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_set_callback(struct shoal_optimiser *optimiser, shoal_objective_fn function,
                                               void *data, struct shoal_error *error)
{
    struct shoal_objective *objective = NULL;
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    enum shoal_status status = shoal_objective_from_callback(function, data, "callback", &objective, error);
    return status ? status : take(optimiser, status, objective);
}

enum shoal_status shoal_optimiser_set_objective(struct shoal_optimiser *optimiser,
                                                const struct shoal_objective *objective,
                                                struct shoal_error *error)
{
    if (!NEED(error, optimiser, objective))
        return SHOAL_INVALID;
    const enum shoal_status status = take(optimiser, SHOAL_OK, NULL);
    optimiser->objective = objective;
    return status;
}

enum shoal_status shoal_optimiser_set_function(struct shoal_optimiser *optimiser, const char *name,
                                               struct shoal_error *error)
{
    if (!NEED(error, optimiser, name))
        return SHOAL_INVALID;
    const struct shoal_objective *found = shoal_objective_find(name);
    if (!found)
        return fail(error, SHOAL_INVALID, "there is no built-in function %s: see shoal_objective_at", name);
    return shoal_optimiser_set_objective(optimiser, found, error);
}

enum shoal_status shoal_optimiser_set_expression(struct shoal_optimiser *optimiser, const char *expression,
                                                 struct shoal_error *error)
{
    struct shoal_objective *objective = NULL;
    if (!NEED(error, optimiser, expression))
        return SHOAL_INVALID;
    enum shoal_status status = shoal_objective_from_expression(expression, &objective, error);
    return status ? status : take(optimiser, status, objective);
}

enum shoal_status shoal_optimiser_set_text(struct shoal_optimiser *optimiser, struct shoal *shoal,
                                           const char *text, const char *name, struct shoal_error *error)
{
    struct shoal_objective *objective = NULL;
    if (!NEED(error, optimiser, shoal, text))
        return SHOAL_INVALID;
    enum shoal_status status = shoal_objective_from_text(shoal, text, name, &objective, error);
    return status ? status : take(optimiser, status, objective);
}

enum shoal_status shoal_optimiser_set_rows(struct shoal_optimiser *optimiser, struct shoal *shoal,
                                           const struct shoal_rows *rows, struct shoal_error *error)
{
    struct shoal_objective *objective = NULL;
    if (!NEED(error, optimiser, rows))
        return SHOAL_INVALID;
    enum shoal_status status = shoal_objective_from_rows(shoal, rows, &objective, error);
    return status ? status : take(optimiser, status, objective);
}

enum shoal_status shoal_optimiser_set_model(struct shoal_optimiser *optimiser,
                                            const struct shoal_model *model, struct shoal_error *error)
{
    struct shoal_objective *objective = NULL;
    if (!NEED(error, optimiser, model))
        return SHOAL_INVALID;
    enum shoal_status status = shoal_objective_from_model(model, &objective, error);
    return status ? status : take(optimiser, status, objective);
}

enum shoal_status shoal_optimiser_fit(const struct shoal_optimiser *optimiser, struct shoal_fit *fit,
                                      struct shoal_error *error)
{
    if (!NEED(error, optimiser, fit))
        return SHOAL_INVALID;
    if (!optimiser->objective)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_fit: there is no objective");
    double *x = malloc(optimiser->dim * sizeof *x);
    if (!x)
        return fail_host_memory(error);
    enum shoal_status status =
        shoal_optimiser_best(optimiser, x, NULL)
            ? shoal_fit_compute(optimiser->objective, x, fit, error)
            : fail(error, SHOAL_INVALID, "shoal_optimiser_fit: the search has found no position yet");
    free(x);
    return status;
}

/* Copies `count` numbers to *to. Allocates *to first if it is NULL. */
static enum shoal_status copy_numbers(size_t count, const double *from, double **to,
                                      struct shoal_error *error)
{
    double *copy = *to ? *to : malloc(count * sizeof *copy);
    if (!copy)
        return fail_host_memory(error);
    memcpy(copy, from, count * sizeof *copy);
    *to = copy;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_set_bounds(struct shoal_optimiser *optimiser, const double *lower,
                                             const double *upper, struct shoal_error *error)
{
    if (!NEED(error, optimiser, lower, upper))
        return SHOAL_INVALID;
    for (size_t d = 0; d < optimiser->dim; d++)
        if (!(isfinite(lower[d]) && isfinite(upper[d]) && lower[d] <= upper[d]))
            return fail(error, SHOAL_INVALID, "the box of dimension %zu, %g to %g, is empty or not finite",
                        d + 1, lower[d], upper[d]);
    enum shoal_status status = copy_numbers(optimiser->dim, lower, &optimiser->lower, error);
    return status ? status : copy_numbers(optimiser->dim, upper, &optimiser->upper, error);
}

enum shoal_status shoal_optimiser_set_box(struct shoal_optimiser *optimiser, double lower, double upper,
                                          struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    double *both = malloc(2 * optimiser->dim * sizeof *both);
    if (!both)
        return fail_host_memory(error);
    for (size_t d = 0; d < optimiser->dim; d++) {
        both[d] = lower;
        both[optimiser->dim + d] = upper;
    }
    const enum shoal_status status =
        shoal_optimiser_set_bounds(optimiser, both, both + optimiser->dim, error);
    free(both);
    return status;
}

enum shoal_status shoal_optimiser_set_start(struct shoal_optimiser *optimiser, const double *points,
                                            size_t count, struct shoal_error *error)
{
    double *copy = NULL;
    enum shoal_status status = SHOAL_OK;
    if (!NEED(error, optimiser) || (count && !NEED(error, points)))
        return SHOAL_INVALID;
    if (count > SIZE_MAX / sizeof *copy / optimiser->dim)
        status = fail(error, SHOAL_INVALID, "%zu start points are more than memory holds", count);
    if (!status && count)
        status = copy_numbers(count * optimiser->dim, points, &copy, error);
    if (status)
        return status;
    free(optimiser->start);
    optimiser->start = copy;
    optimiser->start_count = count;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_set_constrained(struct shoal_optimiser *optimiser, bool is_constrained,
                                                  struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    shoal_optimiser_reset(optimiser);
    optimiser->is_constrained = is_constrained;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_set_device(struct shoal_optimiser *optimiser, struct shoal_device *device,
                                             struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    shoal_optimiser_reset(optimiser);
    optimiser->device = device && !shoal_device_get_info(device)->is_host ? device : NULL;
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_set_threads(struct shoal_optimiser *optimiser, unsigned threads,
                                              struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    if (threads > 65536)
        return fail(error, SHOAL_INVALID, "threads is %u, allowed are 0 to 65536", threads);
    optimiser->threads = threads;
    return SHOAL_OK;
}

void shoal_optimiser_stop(struct shoal_optimiser *optimiser)
{
    if (!optimiser)
        return;
    atomic_store(&optimiser->stop, true);
}

/* One call on the host --------------------------------------------------------------------------------- */

/* When and why a call of shoal_optimise must end. The next call evaluates the points of the batch that still
 * have no value. */
struct watch {
    double end; /* time on the clock at which the call must end; infinity: there is no limit */
    bool stopped, timed_out, failed;
    struct shoal_error failure; /* why a point has no value, such as a lack of memory */
};

static bool must_end(struct shoal_optimiser *optimiser, struct watch *watch)
{
    bool stopped = atomic_load(&optimiser->stop), timed_out = !stopped && clock_seconds() >= watch->end,
         failed;
#pragma omp atomic read
    failed = watch->failed;
    if (stopped) {
#pragma omp atomic write
        watch->stopped = true;
    }
    if (timed_out) {
#pragma omp atomic write
        watch->timed_out = true;
    }
    return stopped || timed_out || failed;
}

static double evaluate(const struct shoal_optimiser *optimiser, size_t i, struct watch *watch)
{
    if (optimiser->told.is_told[i])
        return optimiser->told.values[i];
    struct shoal_error failure;
    objective_forget_failure();
    const double value = shoal_objective_value(optimiser_host(optimiser)->problem->objective,
                                               optimiser->points + i * optimiser->dim, optimiser->dim);
    if (isnan(value) && objective_take_failure(&failure)) {
#pragma omp critical(watch_failure)
        watch->failure = failure;
#pragma omp atomic write
        watch->failed = true;
    }
    return value;
}

/* Evaluates the points of a batch that have no value yet. Returns false if the call had to end before all
 * points had a value. */
static bool evaluate_points(struct shoal_optimiser *optimiser, size_t count, struct watch *watch)
{
    size_t first = 0;
    if (must_end(optimiser, watch))
        return false;
    if (optimiser->evaluation_seconds == 0 && !optimiser->told.count) {
        const double start = clock_seconds();
        optimiser->values[first++] = evaluate(optimiser, 0, watch);
        optimiser->evaluation_seconds = clock_seconds() - start;
        optimiser_host(optimiser)->point_seconds = optimiser->evaluation_seconds;
    }
    struct thread_choice *choice = &optimiser_host(optimiser)->choice;
    const double alone_s = (double)(count - first) * optimiser->evaluation_seconds;
    if (choice->most == 1 || !threads_are_worth_waking(alone_s)) {
        for (size_t i = first; i < count && !must_end(optimiser, watch); i++)
            optimiser->values[i] = evaluate(optimiser, i, watch);
    } else {
        thread_choice_begin(choice);
#pragma omp parallel num_threads(thread_choice_threads(choice))
        {
            const double start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
            for (size_t i = first; i < count; i++)
                if (!must_end(optimiser, watch))
                    optimiser->values[i] = evaluate(optimiser, i, watch);
            thread_choice_work(choice, start);
        }
        thread_choice_end(choice);
    }
    return !watch->stopped && !watch->timed_out && !watch->failed;
}

struct refined {
    struct shoal_optimiser *optimiser;
    struct watch *watch;
};

static bool refinement_must_end(void *data)
{
    const struct refined *refined = data;
    return must_end(refined->optimiser, refined->watch);
}

/* Refines the best position of a search that has ended. */
static enum shoal_status refine(struct shoal_optimiser *optimiser, struct watch *watch,
                                struct shoal_error *error)
{
    struct refined refined = {optimiser, watch};
    const struct search_stop stop = {refinement_must_end, &refined, (int)optimiser->threads};
    const struct search_problem *problem = optimiser_host(optimiser)->problem;
    double *x = malloc(optimiser->dim * sizeof *x), value = INFINITY;
    uint64_t passes = 0;
    enum shoal_status status = x ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        value = optimiser_best_rank(optimiser, x);
    if (!status && !isfinite(value)) {
        free(x);
        return SHOAL_OK;
    }
    if (!status)
        status = search_refine(problem, x, &value, &stop, &passes, NULL, error);
    if (status) {
        free(x);
        return status;
    }
    if (search_keeps_evaluations(problem))
        optimiser->place.evaluations += passes;
    optimiser->refined = x;
    optimiser->refined_value = value;
    return SHOAL_OK;
}

static enum shoal_optimise_result run_host(struct shoal_optimiser *optimiser, double *x, double *value,
                                           struct shoal_error *error)
{
    const double limit = optimiser->used->time;
    struct watch watch = {.end = isnan(limit) ? INFINITY : clock_seconds() + limit};
    enum shoal_status status;
    for (;;) {
        size_t count;
        status = optimiser_ask(optimiser, 1, optimiser->points, optimiser->capacity, &count, error);
        if (status || !count || !evaluate_points(optimiser, count, &watch))
            break;
        optimiser_take_values(optimiser, optimiser->values);
    }
    if (!status && watch.failed) {
        status = watch.failure.status;
        if (error)
            *error = watch.failure;
    }
    const bool over = !watch.stopped && !watch.timed_out;
    if (!status && over && !optimiser->refined &&
        search_refinement(optimiser_host(optimiser)->problem) != SEARCH_AS_FOUND)
        status = refine(optimiser, &watch, error);
    if (status)
        return SHOAL_OPTIMISE_FAILED;
    const enum shoal_optimise_result result = watch.stopped     ? SHOAL_OPTIMISE_STOPPED
                                              : watch.timed_out ? SHOAL_OPTIMISE_TIME
                                                                : optimiser->state;
    const bool has_best = shoal_optimiser_best(optimiser, x, value);
    if (has_best && over && shoal_optimiser_violation(optimiser) > 0) {
        fail(error, SHOAL_CHECK_FAILED, "no point met all constraints: the least violation is %.6g",
             shoal_optimiser_violation(optimiser));
        return SHOAL_OPTIMISE_FAILED;
    }
    if (has_best)
        return result;
    *value = NAN;
    if (watch.stopped || watch.timed_out)
        return result;
    fail(error, SHOAL_CHECK_FAILED, "%s has no finite value at any of %llu points",
         shoal_objective_get_info(optimiser->used->objective)->name,
         (unsigned long long)optimiser->place.evaluations);
    return SHOAL_OPTIMISE_FAILED;
}

enum shoal_optimise_result shoal_optimise(struct shoal_optimiser *optimiser, double *x, double *value,
                                          struct shoal_error *error)
{
    if (!NEED(error, optimiser, x, value))
        return SHOAL_OPTIMISE_FAILED;
    if (!optimiser->objective) {
        fail(error, SHOAL_INVALID, "the optimiser has no objective: set one, or use ask and tell");
        return SHOAL_OPTIMISE_FAILED;
    }
    if (optimiser_start(optimiser, error))
        return SHOAL_OPTIMISE_FAILED;
    const enum shoal_optimise_result result = optimiser->device
                                                  ? optimiser_run_device(optimiser, x, value, error)
                                                  : run_host(optimiser, x, value, error);
    /* A request to stop ends only one call. */
    atomic_store(&optimiser->stop, false);
    return result;
}
