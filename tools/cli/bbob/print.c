/* The results of shoal bench bbob as tables, a chart and a JSON document. */
#include "cli/bbob/bbob.h"
#include "cli/charts/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shown[BBOB_SHOWN] = {1e1, 1, 1e-1, 1e-3, 1e-5, 1e-8};
static const double targets[BBOB_TARGETS] = {1e1, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

/* Number of trials of one function in one dimension, one for each instance, with a difference to the optimum
 * of at most suite->success. */
static size_t count_solved(const struct suite *suite, const struct suite_trial *trials)
{
    size_t solved = 0;
    for (size_t i = 0; i < suite->instance_count; i++)
        solved += trials[i].difference <= suite->success;
    return solved;
}

/* Number of functions of which more than half of the instances were solved in dimension `dim`. */
static size_t count_functions(const struct suite *suite, size_t dim)
{
    size_t count = 0;
    for (size_t f = 0; f < suite->function_count; f++)
        count += 2 * count_solved(suite, suite_trials(suite, f, dim)) > suite->instance_count;
    return count;
}

static double count_evaluations(const struct suite *suite)
{
    double sum = 0;
    for (size_t i = 0; i < suite->trial_count; i++)
        sum += (double)suite->trials[i].evaluations;
    return sum;
}

/* The table -------------------------------------------------------------------------------------------- */

static void print_row(struct cli_table *table, const struct suite *suite, size_t function, size_t dim)
{
    const struct suite_trial *trials = suite_trials(suite, function, dim);
    cli_table_row(table);
    cli_table_cell(table, "f%d", trials->function);
    cli_table_cell(table, "%zu", trials->dim);
    for (size_t t = 0; t < BBOB_SHOWN; t++) {
        size_t hits;
        const double art = suite_art(trials, suite->instance_count, shown[t], &hits);
        if (hits)
            cli_table_cell(table, "%s", cli_number(floor(art + 0.5)).s);
        else
            cli_table_cell(table, "-");
    }
    cli_table_cell(table, "%zu of %zu", count_solved(suite, trials), suite->instance_count);
}

void bbob_print(const struct bbob_run *run)
{
    static const struct cli_column columns[] = {{.title = "function"},
                                                {.title = "D", .right = true, .stays = true},
                                                {.title = "10", .right = true, .stays = true},
                                                {.title = "1", .right = true, .stays = true},
                                                {.title = "0.1", .right = true, .stays = true, .rank = 3},
                                                {.title = "1e-3", .right = true, .stays = true, .rank = 1},
                                                {.title = "1e-5", .right = true, .stays = true, .rank = 2},
                                                {.title = "1e-8", .right = true, .stays = true},
                                                {.title = "solved", .right = true, .stays = true}};
    const struct suite *suite = &run->suite;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t d = 0; d < suite->dim_count; d++)
        for (size_t f = 0; f < suite->function_count; f++)
            print_row(table, suite, f, d);
    cli_print("Average run time to a difference from the minimum, in evaluations\n\n");
    cli_table_print(table, stdout);
    cli_table_free(&table);
    putchar('\n');
    for (size_t d = 0; d < suite->dim_count; d++)
        cli_print("D %llu: %zu of %zu functions solved on more than half of the instances\n",
                  (unsigned long long)suite->dims[d], count_functions(suite, d), suite->function_count);
    const double evaluations = count_evaluations(suite);
    cli_print("%s%s%s on %s: %s evaluations in %s, %s\n", run->algorithm, *run->with ? " with " : "",
              run->with, shoal_device_get_info(suite->device)->id, cli_number(evaluations).s,
              cli_seconds(run->seconds).s, cli_si(evaluations / run->seconds, "evaluations/s").s);
}

/* The document ----------------------------------------------------------------------------------------- */

static void add_trial(cJSON *array, const struct suite_trial *trial)
{
    cJSON *object = cli_json_object(array, NULL);
    cli_json_uint(object, "instance", trial->instance);
    cli_json_real(object, "difference", trial->difference);
    cli_json_uint(object, "evaluations", trial->evaluations);
    cli_json_uint(object, "restarts", trial->restarts);
    cli_json_error(object, "error", &trial->error);
}

static void add_row(cJSON *array, const struct suite *suite, const struct suite_trial *trials)
{
    cJSON *object = cli_json_object(array, NULL);
    double art[BBOB_TARGETS];
    size_t hits;
    cli_json_uint(object, "function", (uint64_t)trials->function);
    cli_json_uint(object, "dim", trials->dim);
    cli_json_uint(object, "solved", count_solved(suite, trials));
    for (size_t t = 0; t < BBOB_TARGETS; t++)
        art[t] = suite_art(trials, suite->instance_count, targets[t], &hits);
    cli_json_reals(object, "art", art, BBOB_TARGETS);
    cJSON *list = cli_json_array(object, "trials");
    for (size_t i = 0; i < suite->instance_count; i++)
        add_trial(list, &trials[i]);
}

int bbob_print_json(const struct bbob_run *run)
{
    const struct suite *suite = &run->suite;
    cJSON *json = cli_json_new("bench bbob");
    cli_json_text(json, "algorithm", run->algorithm);
    cli_json_text(json, "with", run->with);
    cli_json_device(json, "device", suite->device);
    cli_json_real(json, "budget", suite->budget);
    cli_json_real(json, "success", suite->success);
    cli_json_real(json, "seconds", run->seconds);
    cli_json_real(json, "evaluations", count_evaluations(suite));
    cli_json_reals(json, "targets", targets, BBOB_TARGETS);
    cJSON *dims = cli_json_array(json, "dims"), *rows = cli_json_array(json, "rows");
    for (size_t d = 0; d < suite->dim_count; d++) {
        cJSON *object = cli_json_object(dims, NULL);
        cli_json_uint(object, "dim", suite->dims[d]);
        cli_json_uint(object, "solved", count_functions(suite, d));
    }
    for (size_t f = 0; f < suite->function_count; f++)
        for (size_t d = 0; d < suite->dim_count; d++)
            add_row(rows, suite, suite_trials(suite, f, d));
    return cli_json_print(json);
}

/* The picture ------------------------------------------------------------------------------------------ */

/* The groups of functions of the benchmark; end: the first function after the group. */
static const struct {
    const char *name;
    int end;
} groups[] = {{"f1 to f5: separable", 6},
              {"f6 to f9: moderate condition", 10},
              {"f10 to f14: high condition", 15},
              {"f15 to f19: many optima, a structure", 20},
              {"f20 to f24: many optima, hardly a structure", 25}};
enum { GROUPS = sizeof groups / sizeof *groups };

/* A curve. x: log10 of evaluations / dimension; y: share of the pairs (trial, level) for which the trial has
 * reached the level by then. */
struct shares {
    double *x, *y;
    size_t count;
};

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* Makes the curve of the functions first .. end - 1 in dimension number `dim`; the caller frees x and y. */
static struct shares shares_of(const struct suite *suite, size_t dim, int first, int end)
{
    size_t pairs = 0, count = 0;
    const size_t most = suite->function_count * suite->instance_count * SUITE_LEVELS + 2;
    struct shares shares = {.x = cli_alloc(most * sizeof(double)), .y = cli_alloc(most * sizeof(double))};
    for (size_t f = 0; f < suite->function_count; f++) {
        const struct suite_trial *trials = suite_trials(suite, f, dim);
        if (trials->function < first || trials->function >= end)
            continue;
        for (size_t i = 0; i < suite->instance_count; i++)
            for (size_t level = 0; level < SUITE_LEVELS; level++, pairs++) {
                const uint64_t hit = suite_hit(&trials[i], suite_level(level));
                if (hit)
                    shares.x[count++] = log10((double)hit / (double)trials->dim);
            }
    }
    qsort(shares.x, count, sizeof *shares.x, by_value);
    for (size_t i = 0; i < count; i++)
        shares.y[i] = (double)(i + 1) / (double)pairs;
    if (count) { /* extends the curve to the budget */
        shares.x[count] = fmax(log10(suite->budget), shares.x[count - 1]);
        shares.y[count] = shares.y[count - 1];
        count++;
    }
    shares.count = count;
    return shares;
}

/* With one dimension: draws a curve for each group of functions and a curve for all functions. With several
 * dimensions: draws a curve for each. */
int bbob_plot(const struct bbob_run *run, const char *option, const char *path)
{
    const struct suite *suite = &run->suite;
    const bool is_one = suite->dim_count == 1;
    const size_t most = is_one ? GROUPS + 1 : suite->dim_count;
    struct shares *shares = cli_alloc(most * sizeof *shares);
    struct chart_curve *curves = cli_alloc(most * sizeof *curves);
    char **labels = cli_alloc(most * sizeof *labels);
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const int first = is_one && i < GROUPS ? (i ? groups[i - 1].end : 1) : 1;
        const int end = is_one && i < GROUPS ? groups[i].end : SUITE_FUNCTIONS + 1;
        shares[i] = shares_of(suite, is_one ? 0 : i, first, end);
        labels[i] = is_one && i < GROUPS ? cli_strdup(groups[i].name)
                    : is_one             ? cli_strdup("all")
                                         : cli_sprintf("D %llu", (unsigned long long)suite->dims[i]);
        if (shares[i].count)
            curves[count++] = (struct chart_curve){
                .label = labels[i], .x = shares[i].x, .y = shares[i].y, .count = shares[i].count};
    }
    char *title = cli_sprintf("BBOB, %s%s%s", run->algorithm, *run->with ? " with " : "", run->with);
    char *subtitle = is_one ? cli_sprintf("D %llu", (unsigned long long)suite->dims[0]) : NULL;
    const struct chart chart = {.title = title,
                                .subtitle = subtitle,
                                .across = "logarithm (base 10) of evaluations / D",
                                .up = "share of functions, instances and levels",
                                .is_tight = true,
                                .curves = curves,
                                .count = count};
    const int code = chart_write(option, path, &chart);
    for (size_t i = 0; i < most; i++) {
        free(shares[i].x);
        free(shares[i].y);
        free(labels[i]);
    }
    free(subtitle);
    free(title);
    free(labels);
    free(curves);
    free(shares);
    return code;
}
