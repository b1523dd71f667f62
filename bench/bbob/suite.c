#include "bench/bbob/suite.h"
#include "bench/runner/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double suite_level(size_t level)
{
    return pow(10, 2 - (double)level / 5);
}

/* Trials ----------------------------------------------------------------------------------------------- */

static struct suite_trial *trials_of(const struct suite *suite, size_t function, size_t dim)
{
    return suite->trials + (function * suite->dim_count + dim) * suite->instance_count;
}

bool suite_is_over(const struct suite_run *run)
{
    return run->trial->difference <= run->suite->success || run->trial->evaluations >= run->budget ||
           run->suite->stop(NULL);
}

static enum shoal_status keep(struct suite_trial *trial, const double *x, struct shoal_error *error)
{
    const size_t count = trial->gain_count + 1;
    struct suite_gain *gains = realloc(trial->gains, count * sizeof *gains);
    if (gains)
        trial->gains = gains;
    double *points = realloc(trial->points, count * trial->dim * sizeof *points);
    if (points)
        trial->points = points;
    if (!gains || !points)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a trial");
    gains[count - 1] = (struct suite_gain){trial->evaluations, trial->difference};
    memcpy(points + (count - 1) * trial->dim, x, trial->dim * sizeof *x);
    trial->gain_count = count;
    return SHOAL_OK;
}

bool suite_is_gain(const struct suite_run *run, double value)
{
    const struct suite_trial *trial = run->trial;
    const double difference = value - trial->minimum, success = run->suite->success;
    return difference < trial->difference &&
           (trial->gain_count == 0 || (difference <= success && trial->difference > success) ||
            (run->level < SUITE_LEVELS && difference <= suite_level(run->level)));
}

enum shoal_status suite_note(struct suite_run *run, double value, const double *x, struct shoal_error *error)
{
    struct suite_trial *trial = run->trial;
    const double difference = value - trial->minimum;
    const bool is_gain = suite_is_gain(run, value);
    trial->difference = fmin(difference, trial->difference);
    while (run->level < SUITE_LEVELS && difference <= suite_level(run->level))
        run->level++;
    return is_gain ? keep(trial, x, error) : SHOAL_OK;
}

uint64_t suite_budget(const struct suite *suite, size_t dim)
{
    return (uint64_t)(suite->budget * (double)dim);
}

void suite_fill(const struct suite_run *run, struct shoal_search_params *params)
{
    const struct suite_trial *trial = run->trial;
    /* The seeds of consecutive instances follow each other, as those of the runs of a search do. */
    const uint64_t number = (uint64_t)trial->function * (SUITE_MOST_DIM + 1) + trial->dim;
    params->seed = run->suite->seed + (number * 100000 + trial->restarts) * 1000000 + trial->instance;
    params->evaluations = run->budget - trial->evaluations;
    params->iterations = 0;
    params->precision = SHOAL_FP64;
    params->runs = 1;
    params->trace = 0;
}

static bool is_on_host(const struct suite *suite)
{
    return shoal_device_get_info(suite->device)->is_host;
}

struct suite_name suite_name_of(int function)
{
    struct suite_name name;
    snprintf(name.s, sizeof name.s, "bbob-f%d", function);
    return name;
}

/* Searches until the trial is over; trial->restarts searches were made before. */
static enum shoal_status search(struct suite_run *run, struct shoal_error *error)
{
    const bool on_host = is_on_host(run->suite);
    struct suite_trial *trial = run->trial;
    enum shoal_status status = shoal_objective_from_bbob(suite_name_of(trial->function).s, trial->instance,
                                                         trial->dim, &run->objective, error);
    if (status)
        return status;
    trial->minimum = shoal_objective_minimum(run->objective, trial->dim);
    bool ended = false;
    for (; !status && !ended && !suite_is_over(run); trial->restarts++)
        status = on_host ? suite_search_host(run, &ended, error) : suite_search_device(run, &ended, error);
    trial->restarts -= trial->restarts > 0;
    return status;
}

static void make_trial(const struct suite *suite, size_t index)
{
    struct suite_trial *trial = &suite->trials[index];
    struct suite_run run = {.suite = suite, .trial = trial};
    if (suite->stop(NULL))
        return;
    run.budget = suite_budget(suite, trial->dim);
    if (search(&run, &trial->error) == SHOAL_OK)
        trial->error.status = SHOAL_OK;
    shoal_objective_destroy(&run.objective);
}

/* The suite -------------------------------------------------------------------------------------------- */

/* The order of the trials. The programs of a device differ by function and dimension: the first trials build
 * them, and several at once are built at the same time. Within these and within the others long trials come
 * first. */
struct place {
    size_t trial, dim;
    bool is_first;
};

static int compare(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    if (left->is_first != right->is_first)
        return left->is_first ? -1 : 1;
    if (left->dim != right->dim)
        return left->dim > right->dim ? -1 : 1;
    return left->trial < right->trial ? -1 : left->trial > right->trial;
}

static void lay_out(struct suite *suite, struct place *order)
{
    size_t t = 0;
    for (size_t f = 0; f < suite->function_count; f++)
        for (size_t d = 0; d < suite->dim_count; d++)
            for (size_t i = 0; i < suite->instance_count; i++, t++) {
                suite->trials[t] = (struct suite_trial){.function = (int)suite->functions[f],
                                                        .dim = (size_t)suite->dims[d],
                                                        .instance = suite->instances[i],
                                                        .difference = INFINITY};
                order[t] = (struct place){t, suite->trials[t].dim, i == 0};
            }
    qsort(order, t, sizeof *order, compare);
}

/* Groups ----------------------------------------------------------------------------------------------- */

/* Trials that are runs of one search: those of `functions` functions in a dimension, from one function on. */
struct group {
    size_t function, functions, dim;
};

/* Makes the trials of a group; those that are not over when the search is go on alone. */
static void make_group(const struct suite *suite, const struct group *group)
{
    const size_t instances = suite->instance_count, count = group->functions * instances;
    struct shoal_error error = {0};
    struct suite_run *runs = calloc(count, sizeof *runs);
    enum shoal_status status =
        runs ? SHOAL_OK : bench_fail(&error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for trials");
    for (size_t i = 0; i < count && runs; i++) {
        struct suite_trial *trial =
            trials_of(suite, group->function + i / instances, group->dim) + i % instances;
        runs[i] =
            (struct suite_run){.suite = suite, .trial = trial, .budget = suite_budget(suite, trial->dim)};
    }
    if (!status && !suite->stop(NULL))
        status = suite_search_group(runs, count, &error);
    for (size_t i = 0; i < count; i++) {
        struct suite_trial *trial =
            trials_of(suite, group->function + i / instances, group->dim) + i % instances;
        trial->error = error;
        trial->restarts = 1;
        if (!status && search(&runs[i], &trial->error) == SHOAL_OK)
            trial->error.status = SHOAL_OK;
        if (status)
            trial->restarts = 0;
        if (runs)
            shoal_objective_destroy(&runs[i].objective);
    }
    free(runs);
}

/* Most functions whose trials in a dimension may be runs of one search: an objective has 1024 instances at
 * most, and kernels on the chip read tables of 4194304 numbers at most, of which Gallagher's 101 peaks take
 * most. */
static size_t functions_of_group(const struct suite *suite, size_t dim)
{
    enum { MOST_RUNS = 1024, MOST_NUMBERS = 1 << 22, PEAKS = 101 };
    const size_t numbers = (2 + dim + 2 * PEAKS) * dim, by_numbers = MOST_NUMBERS / numbers,
                 runs = by_numbers < MOST_RUNS ? by_numbers : MOST_RUNS,
                 functions = runs / suite->instance_count;
    return functions < 1 ? 1 : functions < suite->function_count ? functions : suite->function_count;
}

/* Fills the groups of the suite, [functions][dims] at most; groups of many dimensions come first. */
static size_t list_groups(const struct suite *suite, const struct place *order, size_t count,
                          struct group *groups)
{
    size_t group_count = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t index = order[i].trial / suite->instance_count, dim = index % suite->dim_count,
                     function = index / suite->dim_count, most = functions_of_group(suite, order[i].dim);
        if (!order[i].is_first || function % most)
            continue;
        const size_t left = suite->function_count - function;
        groups[group_count++] = (struct group){function, left < most ? left : most, dim};
    }
    return group_count;
}

/* Trials are runs of one search where runs may have different objectives. */
static bool has_groups(const struct suite *suite)
{
    return !is_on_host(suite) && suite->instance_count > 1 && suite->workload &&
           strcmp(suite->workload->name, "cmaes") == 0;
}

enum shoal_status suite_run(struct suite *suite, struct shoal_error *error)
{
    const size_t pairs = suite->function_count * suite->dim_count, count = pairs * suite->instance_count;
    struct place *order = malloc(count * sizeof *order);
    struct group *groups = malloc(pairs * sizeof *groups);
    suite->trials = malloc(count * sizeof *suite->trials);
    suite->building = malloc(pairs * sizeof *suite->building);
    if (!order || !groups || !suite->trials || !suite->building) {
        free(order);
        free(groups);
        free(suite->building);
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for %zu trials", count);
    }
    suite->trial_count = count;
    lay_out(suite, order);
    for (size_t i = 0; i < pairs; i++)
        omp_init_lock(&suite->building[i]);
    size_t done = 0;
    const size_t jobs = has_groups(suite) ? list_groups(suite, order, count, groups) : count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(suite->parallel)
    for (size_t i = 0; i < jobs; i++) {
        const size_t trials = has_groups(suite) ? groups[i].functions * suite->instance_count : 1;
        if (has_groups(suite))
            make_group(suite, &groups[i]);
        else
            make_trial(suite, order[i].trial);
#pragma omp critical(suite_progress)
        suite->progress(suite->data, done += trials, count);
    }
    for (size_t i = 0; i < pairs; i++)
        omp_destroy_lock(&suite->building[i]);
    free(suite->building);
    free(groups);
    free(order);
    return SHOAL_OK;
}

void suite_clear(struct suite *suite)
{
    for (size_t i = 0; i < suite->trial_count; i++) {
        free(suite->trials[i].gains);
        free(suite->trials[i].points);
    }
    free(suite->trials);
    suite->trials = NULL;
    suite->trial_count = 0;
}

/* Figures ---------------------------------------------------------------------------------------------- */

const struct suite_trial *suite_trials(const struct suite *suite, size_t function, size_t dim)
{
    return trials_of(suite, function, dim);
}

uint64_t suite_hit(const struct suite_trial *trial, double difference)
{
    for (size_t i = 0; i < trial->gain_count; i++)
        if (trial->gains[i].difference <= difference)
            return trial->gains[i].evaluations;
    return 0;
}

double suite_art(const struct suite_trial *trials, size_t count, double difference, size_t *hits)
{
    double sum = 0;
    *hits = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t hit = suite_hit(&trials[i], difference);
        sum += (double)(hit ? hit : trials[i].evaluations);
        *hits += hit > 0;
    }
    return *hits ? sum / (double)*hits : INFINITY;
}
