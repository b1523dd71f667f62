/* The result of a search, checked in double precision. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "objective/constraints/constraints.h"
#include "objective/rows/table.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "search/refine/refine.h"
#include "search/space.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *allocate(size_t count)
{
    return calloc(count ? count : 1, sizeof(double));
}

static enum shoal_status summary_allocate(const struct search_problem *problem,
                                          struct search_summary *summary, struct shoal_error *error)
{
    if (summary->finals)
        return SHOAL_OK;
    summary->sorted = allocate(problem->runs);
    summary->evaluations = allocate(problem->runs);
    summary->signed_finals = allocate(problem->runs);
    summary->position = allocate(problem->point_dim);
    summary->finals = allocate(problem->runs);
    return summary->sorted && summary->evaluations && summary->signed_finals && summary->position &&
                   summary->finals
               ? SHOAL_OK
               : fail_host_memory(error);
}

void search_summary_free(struct search_summary *summary)
{
    free(summary->finals);
    free(summary->sorted);
    free(summary->evaluations);
    free(summary->signed_finals);
    free(summary->position);
    free(summary->refined);
    free(summary->settled);
    *summary = (struct search_summary){0};
}

/* Evaluates f at the position of run r, in double precision. Fails if memory or the file of the objective's
 * table is not available. */
static enum shoal_status final_value(const struct search_problem *problem,
                                     const struct search_outcome *outcome, size_t r, double *scratch,
                                     double *value, struct shoal_error *error)
{
    objective_forget_failure();
    *value = problem->sign * search_value_of_run(problem, r, outcome->position + r * problem->dim,
                                                 outcome->ended[r], scratch);
    return isfinite(*value) ? SHOAL_OK : objective_take_failure(error);
}

static enum shoal_status evaluate_finals(const struct search_problem *problem,
                                         const struct search_outcome *outcome, double *finals,
                                         struct shoal_error *error)
{
    /* The padding prevents two threads from writing to the same cache line. */
    const size_t stride = problem->dim + 8;
    double *scratch = allocate(stride * (size_t)omp_get_max_threads());
    if (!scratch)
        return fail_host_memory(error);
    const double start = clock_seconds();
    enum shoal_status status = final_value(problem, outcome, 0, scratch, finals, error);
    const int threads = threads_once((clock_seconds() - start) * (double)(problem->runs - 1));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t r = 1; r < problem->runs; r++) {
        struct shoal_error reason;
        const enum shoal_status failed = final_value(
            problem, outcome, r, scratch + stride * (size_t)omp_get_thread_num(), &finals[r], &reason);
        if (failed) {
#pragma omp critical(search_final_value)
            {
                status = failed;
                if (error)
                    *error = reason;
            }
        }
    }
    free(scratch);
    return status;
}

/* Tolerance, relative to the scale of the values. Rounding errors of an evaluation with `dim` terms grow at
 * most with the number of terms, those of a sum over the rows of a table with the square root of the number
 * of rows. Formulas lose a few units in the last place of the largest intermediate value (Rastrigin, Ackley,
 * Griewank), and the cosines of Griewank's function have arguments of up to 600. The factor 16 includes these
 * errors and a margin. */
static double tolerance(const struct search_problem *problem, enum shoal_precision precision)
{
    double epsilon = precision == SHOAL_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    double rows = problem->objective->table ? (double)problem->objective->table->rows : 0;
    return 16 * epsilon * ((double)problem->dim + 16 + sqrt(rows));
}

/* Returns |f| at the point search_centre(problem, fraction) of the box, or 0 if the value is not finite. */
static double magnitude_at(const struct search_problem *problem, double fraction, double *x, double *scratch,
                           double *excess)
{
    search_centre(problem, fraction, x);
    double value = fabs(problem->constrained ? search_parts(problem, x, scratch, excess)
                                             : search_value(problem, x, scratch));
    return isfinite(value) ? value : 0;
}

/* Scale of rounding errors in addition to the value itself. Near a minimum, large terms may cancel
 * (Schwefel's constant, the right-hand sides of a least-squares problem); values at points elsewhere show how
 * large these terms are. A built-in function is evaluated at the centre of the box, any other function also
 * halfway to the lowest and to the highest corner. */
static enum shoal_status cancelling_scale(const struct search_problem *problem, double *scale,
                                          struct shoal_error *error)
{
    const struct constrained *constrained = problem->constrained;
    double *x = allocate(2 * problem->dim + (constrained ? constrained->count : 0));
    if (!x)
        return fail_host_memory(error);
    double *scratch = x + problem->dim, *excess = scratch + problem->dim;
    objective_forget_failure();
    *scale = fmax(1, magnitude_at(problem, 0, x, scratch, excess));
    if (shoal_objective_find(problem->info->name) != problem->objective) {
        *scale = fmax(*scale, magnitude_at(problem, -0.5, x, scratch, excess));
        *scale = fmax(*scale, magnitude_at(problem, 0.5, x, scratch, excess));
    }
    free(x);
    return objective_take_failure(error);
}

static void describe_failure(const struct search_problem *problem, size_t run, bool inside, double off,
                             double most, enum shoal_precision precision, struct shoal_result *result)
{
    char which[64] = "";
    if (problem->runs > 1)
        snprintf(which, sizeof which, "run %zu of %zu: ", run + 1, problem->runs);
    if (inside)
        snprintf(result->check_failure, sizeof result->check_failure,
                 "%sthe best value is off by %.2g, at most %.2g is allowed%s", which, off, most,
                 precision == SHOAL_FP32 ? "; give --precision fp64" : "");
    else
        snprintf(result->check_failure, sizeof result->check_failure,
                 "%sthe best position lies outside the bounds", which);
}

/* Compares the values of all runs with values in double precision. A run without a finite value has no
 * position to evaluate. */
static enum shoal_status check_runs(const struct search_problem *problem,
                                    const struct search_outcome *outcome, const double *finals,
                                    struct shoal_result *result, struct shoal_error *error)
{
    double scale = 1, allowed = tolerance(problem, outcome->precision);
    enum shoal_status status = cancelling_scale(problem, &scale, error);
    if (status)
        return status;
    result->check_passed = true;
    for (size_t r = 0; r < problem->runs; r++) {
        if (isinf(outcome->best[r]))
            continue;
        /* If the value in double precision is not finite, any other value has an infinite error. */
        const double size = isfinite(finals[r]) ? fmax(1, fabs(finals[r])) : 1;
        const double *member = outcome->position + r * problem->dim;
        struct search_comparison found = {.off = fabs(problem->sign * outcome->best[r] - finals[r]),
                                          .most = allowed * fmax(scale, size),
                                          .size = size};
        if (problem->constrained)
            status =
                search_check_constrained(problem, allowed, member, outcome->best[r], scale, &found, error);
        if (status)
            return status;
        bool inside = search_is_inside(problem, member, outcome->precision);
        bool good = found.off <= found.most && inside;
        if (!good && result->check_passed)
            describe_failure(problem, r, inside, found.off, found.most, outcome->precision, result);
        result->check_passed = result->check_passed && good;
        if (!(found.off / found.size <= result->error))
            result->error = found.off / found.size;
    }
    return SHOAL_OK;
}

static size_t best_run(const struct search_problem *problem, const double *values)
{
    size_t best = 0;
    for (size_t r = 1; r < problem->runs; r++)
        if (values[r] < values[best])
            best = r;
    return best;
}

/* Replaces the checked positions and values by refined ones. */
static enum shoal_status refine(const struct search_problem *problem, const struct search_outcome *outcome,
                                struct search_summary *summary, size_t *best, struct shoal_result *result,
                                struct shoal_error *error)
{
    const size_t dim = problem->dim, runs = problem->runs;
    summary->passes = 0;
    if (!summary->refined)
        summary->refined = malloc(runs * dim * sizeof *summary->refined);
    if (!summary->settled)
        summary->settled = calloc(runs, sizeof *summary->settled);
    if (!summary->refined || !summary->settled)
        return fail_host_memory(error);
    memcpy(summary->refined, outcome->position, runs * dim * sizeof *summary->refined);
    enum shoal_status status = search_refine(problem, summary->refined, summary->finals, &outcome->stop,
                                             &summary->passes, summary->settled, error);
    if (status)
        return status;
    for (size_t r = 0; r < runs; r++)
        summary->signed_finals[r] = problem->sign * summary->finals[r];
    *best = best_run(problem, summary->signed_finals);
    result->value = summary->finals[*best];
    result->value_digits = DBL_DECIMAL_DIG;
    return SHOAL_OK;
}

enum shoal_optimise_result search_end_of(const struct search_problem *problem,
                                         const struct search_outcome *outcome, size_t run)
{
    if (outcome->reached[run])
        return SHOAL_OPTIMISE_TARGET;
    if (outcome->stagnated[run])
        return SHOAL_OPTIMISE_STAGNATED;
    if (outcome->converged[run])
        return SHOAL_OPTIMISE_CONVERGED;
    if (outcome->ended[run] >= problem->max_steps)
        return search_limit(problem->algorithm, problem->params);
    return outcome->timed_out    ? SHOAL_OPTIMISE_TIME
           : outcome->is_stopped ? SHOAL_OPTIMISE_STOPPED
                                 : SHOAL_OPTIMISE_RUNNING;
}

/* Adds the field that says how the runs ended: "stagnated" or, for several runs, for example "target 7,
 * stagnated 3". */
static void add_end(const struct search_problem *problem, const struct search_outcome *outcome,
                    struct search_summary *summary, struct shoal_result *result)
{
    size_t counts[SHOAL_OPTIMISE_CONVERGED + 1] = {0}, length = 0;
    for (size_t r = 0; r < problem->runs; r++)
        counts[search_end_of(problem, outcome, r)]++;
    for (int end = SHOAL_OPTIMISE_RUNNING; end <= SHOAL_OPTIMISE_CONVERGED; end++) {
        const char *name = shoal_optimise_result_name((enum shoal_optimise_result)end);
        if (counts[end] && problem->runs == 1)
            snprintf(summary->ends, sizeof summary->ends, "%s", name);
        else if (counts[end])
            length += (size_t)snprintf(summary->ends + length, sizeof summary->ends - length, "%s%s %zu",
                                       length ? ", " : "", name, counts[end]);
    }
    result_add_text(result, "end", summary->ends);
}

static uint64_t count_restarts(const struct search_problem *problem, const struct search_outcome *outcome)
{
    uint64_t restarts = 0;
    for (size_t r = 0; r < problem->runs; r++)
        restarts += outcome->restarts[r];
    return restarts;
}

/* Adds the result fields of a search. position: the best member. */
static void add_search(const struct search_problem *problem, const struct search_outcome *outcome,
                       const double *position, struct search_summary *summary, struct shoal_result *result)
{
    const struct shoal_search_params *params = problem->params;
    const uint64_t restarts = count_restarts(problem, outcome);
    snprintf(summary->title, sizeof summary->title, "%.80s, dim %zu", problem->info->name,
             problem->point_dim);
    result->title = summary->title;
    result_add_text(result, "function", problem->info->name);
    result_add_uint(result, "dim", "", problem->point_dim);
    if (problem->objective->table && problem->objective->table->dropped)
        result_add_uint(result, "dropped", "rows", problem->objective->table->dropped);
    result_add_text(result, "precision", search_precision_names[outcome->precision]);
    if (outcome->method)
        result_add_text(result, "method", outcome->method);
    if (params->compressed)
        result_add_text(result, "mode", "compressed");
    search_to_point(problem, position, summary->position);
    result_add_reals(result, "position", summary->position, problem->point_dim);
    result_set_digits(result, result->value_digits);
    if (problem->constrained)
        search_add_constraints(problem, summary, result);
    add_end(problem, outcome, summary, result);
    /* After a restart by a rule of the algorithm, the island's members are no longer those among which the
     * best point was found. */
    if (outcome->members && !(problem->has_restarts && restarts))
        search_add_apart(problem, outcome, summary, result);
    if (problem->runs == 1 && outcome->reached[0])
        result_add_uint(result, "reached", "steps", outcome->ended[0]);
    if (params->restart || problem->has_restarts)
        result_add_uint(result, "restarts", "", restarts);
    if (params->polish)
        result_add_uint(result, "polish", "evaluations", outcome->polish);
    if (summary->refined)
        result_add_uint(result, "refined", "evaluations", summary->passes);
    if (outcome->not_finite) {
        result_add_uint(result, "not_finite", "evaluations", outcome->not_finite);
        snprintf(summary->warning, sizeof summary->warning,
                 "%" PRIu64 " of %.0f evaluations gave NaN or an infinity, which count as worst",
                 outcome->not_finite, result->work);
        result->warning = summary->warning;
    }
}

/* Sets the roof of the result. Sums over rows have no roof, since memory accesses do not limit them. */
static void set_roof(const struct search_problem *problem, const struct search_outcome *outcome,
                     struct shoal_result *result)
{
    if (outcome->evaluation_bytes == 0 || problem->info->shape == SHOAL_DATA_ROWS)
        return;
    result->roof = SHOAL_ROOF_COPY_BYTES;
    result->roof_work = outcome->evaluation_bytes;
}

enum shoal_status search_fill_result(const struct search_problem *problem,
                                     const struct search_outcome *outcome, struct search_summary *summary,
                                     struct shoal_result *result, struct shoal_error *error)
{
    *result = (struct shoal_result){
        .value_name = "best",
        .check_name = problem->is_unbounded
                          ? "best value re-evaluated in double at its position, not that it is the least"
                          : "best value re-evaluated in double at its position inside the box, not that "
                            "it is the least",
        .steps = outcome->steps,
        .step_work = (double)(problem->points * problem->islands),
        .work_unit = "evaluations",
        .value_digits = outcome->precision == SHOAL_FP64 ? DBL_DECIMAL_DIG : FLT_DECIMAL_DIG,
    };
    set_roof(problem, outcome, result);
    enum shoal_status status = summary_allocate(problem, summary, error);
    if (status)
        return status;
    for (size_t r = 0; r < problem->runs; r++) {
        summary->evaluations[r] =
            search_evaluations(problem, outcome->ended[r], outcome->restarts[r]) + (double)outcome->moves[r];
        if (outcome->skipped)
            summary->evaluations[r] -= (double)outcome->skipped[r];
        result->work += summary->evaluations[r];
    }
    size_t best = best_run(problem, outcome->best);
    const double *positions = outcome->position;
    if (isinf(outcome->best[best]) && outcome->skipped)
        return fail(
            error, SHOAL_CHECK_FAILED,
            "%s has no finite value yet: the run ended after %.0f evaluations, before all of the first "
            "points had values",
            problem->info->name, result->work);
    if (isinf(outcome->best[best]))
        return fail(error, SHOAL_CHECK_FAILED,
                    "%s has no finite value: each of %.0f evaluations gave NaN or an infinity; check the "
                    "objective%s and its box",
                    problem->info->name, result->work, problem->constrained ? ", its constraints" : "");
    result->value = problem->sign * outcome->best[best];
    status = evaluate_finals(problem, outcome, summary->finals, error);
    if (!status)
        status = check_runs(problem, outcome, summary->finals, result, error);
    /* If the check has failed, the value from the device is not refined, since a refinement would hide the
     * error. */
    const bool may_refine = result->check_passed || !search_keeps_evaluations(problem);
    if (!status && outcome->is_over && may_refine && search_refinement(problem) != SEARCH_AS_FOUND) {
        status = refine(problem, outcome, summary, &best, result, error);
        positions = summary->refined;
    }
    if (!status && problem->constrained)
        status = search_part_finals(problem, outcome, positions, tolerance(problem, outcome->precision), best,
                                    summary, result, error);
    if (status)
        return status;
    summary->members = positions;
    add_search(problem, outcome, positions + best * problem->dim, summary, result);
    if (problem->runs > 1)
        search_add_runs(problem, outcome, summary, result);
    if (outcome->spread)
        search_add_spread(problem, outcome, result);
    return SHOAL_OK;
}
