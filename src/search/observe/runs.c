/* Statistics over several runs: success rate, evaluations, values. */
#include "objective/objective.h"
#include "search/observe/observe.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void search_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
}

double search_quantile(const double *sorted, size_t count, double q)
{
    double place = q * (double)(count - 1);
    size_t below = (size_t)place;
    double part = place - (double)below;
    if (below + 1 >= count || part == 0)
        return sorted[below];
    if (isinf(sorted[below]) || isinf(sorted[below + 1]))
        return isinf(sorted[below]) ? sorted[below] : sorted[below + 1];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* Returns the minimum of the function in the box of the search; NaN: it is unknown. In a box other than the
 * default one, it is the function's global minimum if the minimiser is inside the box. */
static double minimum_of(const struct search_problem *problem)
{
    const struct shoal_objective_info *info = problem->info;
    const double minimum = shoal_objective_minimum(problem->objective, problem->point_dim);
    bool is_usual = true, is_there = isfinite(info->minimiser);
    /* with codes, the position of the minimum may be impossible to represent */
    if (!search_is_plain(problem))
        return info->variables ? minimum : NAN;
    for (size_t d = 0; d < problem->dim; d++) {
        const double lower = problem->lower[d], upper = problem->upper[d], shift = problem->shift[d],
                     at = info->minimiser + shift;
        const double usual_lower = objective_lower(problem->objective, d),
                     usual_upper = objective_upper(problem->objective, d);
        is_usual = is_usual && shift == 0 && (isnan(usual_lower) || lower == usual_lower) &&
                   (isnan(usual_upper) || upper == usual_upper);
        is_there =
            is_there && ((problem->is_unbounded && problem->penalty == 0) || (at >= lower && at <= upper));
    }
    return is_usual || is_there ? minimum : NAN;
}

double search_goal(const struct search_problem *problem)
{
    const struct shoal_search_params *params = problem->params;
    if (!isnan(params->target))
        return problem->sign * params->target + params->success;
    if (problem->sign < 0 && !problem->info->maximise)
        return NAN;
    return problem->sign * minimum_of(problem) + params->success;
}

/* Adds the success rate, and the evaluations of all runs divided by the number of successes (Price 1997;
 * Auger and Hansen 2005). */
static void add_successes(const struct search_problem *problem, const struct search_outcome *outcome,
                          const struct search_summary *summary, struct shoal_result *result)
{
    double level = search_goal(problem), runs = (double)problem->runs, evaluations = (double)outcome->polish;
    uint64_t successes = 0;
    if (isnan(level))
        return;
    if (search_keeps_evaluations(problem))
        evaluations += (double)summary->passes;
    for (size_t r = 0; r < problem->runs; r++) {
        successes += problem->sign * summary->finals[r] <= level;
        evaluations += summary->evaluations[r];
    }
    double rate = (double)successes / runs;
    result_join_uint(result, "successes", "", successes);
    result_join_real(result, "success_rate", "", rate);
    result_add_error(result, "success_rate_error", sqrt(rate * (1 - rate) / runs), problem->runs, "runs");
    result_join_real(result, "expected_evaluations", "evaluations",
                     successes ? evaluations / (double)successes : INFINITY);
}

/* Adds the number of runs that have found the best value of all runs, within the tolerance of a success. */
static void add_agreement(const struct search_problem *problem, const struct search_summary *summary,
                          struct shoal_result *result)
{
    const double best = problem->sign * summary->sorted[problem->sign > 0 ? 0 : problem->runs - 1];
    const double most = best + problem->params->success * fmax(1, fabs(best));
    uint64_t agree = 0;
    for (size_t r = 0; r < problem->runs; r++)
        agree += isfinite(summary->finals[r]) && problem->sign * summary->finals[r] <= most;
    result_join_uint(result, "agree", "", agree);
}

static void add_mean(const struct search_problem *problem, const struct search_summary *summary,
                     struct shoal_result *result)
{
    double runs = (double)problem->runs, sum = 0, squares = 0;
    for (size_t r = 0; r < problem->runs; r++)
        sum += summary->finals[r];
    double mean = sum / runs;
    for (size_t r = 0; r < problem->runs; r++)
        squares += (summary->finals[r] - mean) * (summary->finals[r] - mean);
    result_add_real(result, "mean", "", mean);
    result_add_error(result, "mean_error", sqrt(squares / (runs - 1) / runs), problem->runs, "runs");
}

static void add_seeds(const struct search_problem *problem, struct search_summary *summary,
                      struct shoal_result *result)
{
    size_t best = 0, worst = 0;
    for (size_t r = 1; r < problem->runs; r++) {
        if (problem->sign * summary->finals[r] < problem->sign * summary->finals[best])
            best = r;
        if (problem->sign * summary->finals[r] > problem->sign * summary->finals[worst])
            worst = r;
    }
    /* Seeds are strings, as in JSON, since they may exceed 2^53. */
    snprintf(summary->best_seed, sizeof summary->best_seed, "%" PRIu64, problem->params->seed + best);
    snprintf(summary->worst_seed, sizeof summary->worst_seed, "%" PRIu64, problem->params->seed + worst);
    result_add_text(result, "best_seed", summary->best_seed);
    result_join_text(result, "worst_seed", summary->worst_seed);
    result_add_unshown(result, "best_run", (double)best);
}

void search_add_runs(const struct search_problem *problem, const struct search_outcome *outcome,
                     struct search_summary *summary, struct shoal_result *result)
{
    static const struct {
        const char *name;
        double q;
    } quantiles[] = {{"min", 0},    {"q05", 0.05}, {"q25", 0.25}, {"median", 0.5},
                     {"q75", 0.75}, {"q95", 0.95}, {"max", 1}};
    memcpy(summary->sorted, summary->finals, problem->runs * sizeof *summary->sorted);
    search_sort(summary->sorted, problem->runs);
    result_add_uint(result, "runs", "", problem->runs);
    add_agreement(problem, summary, result);
    add_successes(problem, outcome, summary, result);
    if (!isnan(problem->params->target)) {
        uint64_t reached = 0;
        for (size_t r = 0; r < problem->runs; r++)
            reached += outcome->reached[r];
        result_join_uint(result, "reached_target", "", reached);
    }
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        const double value = search_quantile(summary->sorted, problem->runs, quantiles[i].q);
        (i ? result_join_real : result_add_real)(result, quantiles[i].name, "", value);
        /* The least and the greatest value belong to single runs, so they are shown with all digits. */
        if (quantiles[i].q == 0 || quantiles[i].q == 1)
            result_set_digits(result, DBL_DECIMAL_DIG);
    }
    add_mean(problem, summary, result);
    add_seeds(problem, summary, result);
    result_add_reals(result, "run_values", summary->finals, problem->runs);
    result_set_digits(result, DBL_DECIMAL_DIG);
    result_add_reals(result, "run_evaluations", summary->evaluations, problem->runs);
}

struct search_spread search_spread_of(const struct search_problem *problem, const double *values,
                                      size_t count)
{
    struct search_spread spread = {.least = INFINITY, .most = -INFINITY};
    double squares = 0; /* Welford's method (1962) */
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(search_shown_value(problem, values[i])))
            continue;
        const double before = values[i] - spread.mean;
        spread.mean += before / (double)++spread.count;
        squares += before * (values[i] - spread.mean);
        spread.least = fmin(spread.least, values[i]);
        spread.most = fmax(spread.most, values[i]);
    }
    spread.deviation = spread.count ? sqrt(squares / (double)spread.count) : 0;
    return spread;
}

/* Adds the spread of the members' values; for several runs, the means of the spreads over the runs, and the
 * standard error of the mean. */
void search_add_spread(const struct search_problem *problem, const struct search_outcome *outcome,
                       struct shoal_result *result)
{
    double runs = 0, sums[4] = {0}, squares = 0;
    const char *warning = NULL;
    for (size_t r = 0; r < problem->runs; r++) {
        const struct search_spread *spread = &outcome->spread[r];
        const bool is_negative = problem->sign < 0;
        if (!warning && problem->algorithm->warning)
            warning = problem->algorithm->warning(problem, spread);
        if (!spread->count)
            continue;
        const double before = problem->sign * spread->mean - sums[1];
        sums[0] += problem->sign * (is_negative ? spread->most : spread->least);
        sums[1] += before / ++runs;
        sums[2] += problem->sign * (is_negative ? spread->least : spread->most);
        sums[3] += spread->deviation;
        squares += before * (problem->sign * spread->mean - sums[1]);
    }
    /* This warning replaces the one about values that are not finite, which is less useful. */
    if (warning)
        result->warning = warning;
    if (runs == 0)
        return;
    result_add_real(result, "population_mean", "", sums[1]);
    if (runs > 1)
        result_add_error(result, "population_mean_error", sqrt(squares / (runs - 1) / runs), (uint64_t)runs,
                         "runs");
    result_join_real(result, "population_min", "", sums[0] / runs);
    result_join_real(result, "population_max", "", sums[2] / runs);
    result_join_real(result, "population_deviation", "", sums[3] / runs);
}

static bool has_runs(const void *params)
{
    return ((const struct shoal_search_params *)params)->runs > 1;
}

#define REAL(field) #field, "", SHOAL_COLUMN_REAL, offsetof(struct shoal_search_sample, field)

#define COLUMNS                                                                                              \
    {"step", "", SHOAL_COLUMN_UINT, offsetof(struct shoal_search_sample, step), NULL, 0},                    \
        {REAL(value), NULL, 0}, {REAL(q05), has_runs, 0}, {REAL(q25), has_runs, 0},                          \
        {REAL(q75), has_runs, 0},                                                                            \
    {                                                                                                        \
        REAL(q95), has_runs, 0                                                                               \
    }

static const struct shoal_column columns[] = {COLUMNS};
static const struct shoal_column population_columns[] = {
    COLUMNS, {REAL(mean), NULL, 0}, {REAL(deviation), NULL, 0}};

#define SAMPLING(columns_)                                                                                   \
    {                                                                                                        \
        .option = "trace", .what = "trace", .columns = columns_,                                             \
        .column_count = sizeof columns_ / sizeof *columns_, .size = sizeof(struct shoal_search_sample)       \
    }

const struct shoal_sampling search_sampling = SAMPLING(columns);
const struct shoal_sampling search_population_sampling = SAMPLING(population_columns);
