/* Measures the distances between the members of a run at its end, and adds a line about them to the result:
 * docs/search.md, "What ends a run". */
#include "search/observe/observe.h"

#include <math.h>
#include <stdio.h>

/* Limits for the distance of the members from the best member, above which a result says that the members are
 * far apart. Reals: the mean distance exceeds least_apart or, if the pattern search ended at a minimum,
 * `near`. Other genes: more than `few` genes differ, and more than the fraction least_share of them. On seven
 * functions of ten dimensions, these limits give few failures without this message, and few successes with
 * it. */
static const double least_apart = 1e-10, near = 0.05, least_share = 0.05, few = 4;

bool search_wants_members(const struct search_problem *problem, bool is_over)
{
    /* A larger population is not read, since it would take too much memory and time. */
    static const size_t most_numbers = (size_t)1 << 24;
    return is_over && problem->total * problem->dim <= most_numbers;
}

static size_t count_reals(const struct search_problem *problem)
{
    size_t count = 0;
    for (size_t d = 0; d < problem->dim; d++)
        count += search_is_real(problem, d);
    return count;
}

/* Mean distance of the members from the best member in gene d: for a real, |x[d] - best x[d]| in widths of
 * the box; for another gene, the fraction of members that differ. */
static double apart_in(const struct search_problem *problem, const struct search_outcome *outcome, size_t run,
                       size_t best, size_t d)
{
    const size_t count = problem->members * problem->run_islands, step = outcome->member_step;
    const bool is_real = search_is_real(problem, d);
    const double *x = outcome->members + d * outcome->number_step + run * count * step,
                 *value = outcome->values + run * count;
    const double width = search_real_width(problem, d), there = search_coordinate(problem, d, x[best * step]);
    double sum = 0, counted = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(value[i]))
            continue;
        const double away = fabs(search_coordinate(problem, d, x[i * step]) - there);
        sum += !is_real ? away != 0 : width > 0 ? away / width : 0;
        counted++;
    }
    return counted > 0 ? sum / counted : 0;
}

/* Whether at least half of the members have a value that is as good as the best value, within the tolerance
 * of a success. */
static bool are_values_equal(const struct search_problem *problem, const double *value, size_t best)
{
    const size_t members = problem->members * problem->run_islands;
    const double most = value[best] + problem->params->success * fmax(1, fabs(value[best]));
    size_t finite = 0, equal = 0;
    for (size_t i = 0; i < members; i++) {
        finite += isfinite(value[i]);
        equal += value[i] <= most;
    }
    return 2 * equal >= finite;
}

/* Measures the distances of the members from the best member of a run. settled: [runs], the pattern search
 * ended at a minimum; NULL: there was no pattern search. */
static struct search_apart apart_of(const struct search_problem *problem,
                                    const struct search_outcome *outcome, const bool *settled, size_t run)
{
    const size_t count = problem->members * problem->run_islands, reals = count_reals(problem),
                 genes = problem->dim - problem->genome.extra;
    const double *value = outcome->values + run * count;
    struct search_apart apart = {0};
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (value[i] < value[best])
            best = i;
    for (size_t d = 0; d < genes; d++) {
        const double own = apart_in(problem, outcome, run, best, d);
        if (search_is_real(problem, d))
            apart.reals = fmax(apart.reals, own);
        else
            apart.genes += own / (double)(genes - reals);
    }
    const enum shoal_optimise_result end = search_end_of(problem, outcome, run);
    const bool by_limit = end == SHOAL_OPTIMISE_EVALUATIONS || end == SHOAL_OPTIMISE_ITERATIONS ||
                          end == SHOAL_OPTIMISE_TIME || end == SHOAL_OPTIMISE_STOPPED;
    const bool is_settled = settled && settled[run];
    const bool are_far = apart.reals > (is_settled ? near : least_apart) ||
                         (apart.genes > least_share && apart.genes * (double)(genes - reals) > few);
    apart.is_far = by_limit && are_far && !are_values_equal(problem, value, best);
    return apart;
}

/* Writes, for example, "still 3.2 % of the box apart" or "still differ in 12 % of their genes". */
static void describe(const struct search_problem *problem, const struct search_apart *apart, char *text,
                     size_t size)
{
    const size_t reals = count_reals(problem);
    const bool has_genes = reals < problem->dim - problem->genome.extra;
    if (!has_genes)
        snprintf(text, size, "still %.2g %% of the box apart", 100 * apart->reals);
    else if (!reals)
        snprintf(text, size, "still differ in %.2g %% of their genes", 100 * apart->genes);
    else
        snprintf(text, size, "still %.2g %% of the box apart and differ in %.2g %% of the other genes",
                 100 * apart->reals, 100 * apart->genes);
}

/* Returns the part of a message that says how to make a run longer that has ended by `end`. */
static const char *longer(enum shoal_optimise_result end)
{
    return end == SHOAL_OPTIMISE_EVALUATIONS  ? "more --evaluations"
           : end == SHOAL_OPTIMISE_ITERATIONS ? "more --iterations"
           : end == SHOAL_OPTIMISE_TIME       ? "a longer --time"
                                              : "a longer run";
}

void search_add_apart(const struct search_problem *problem, const struct search_outcome *outcome,
                      struct search_summary *summary, struct shoal_result *result)
{
    const bool *settled = summary->refined ? summary->settled : outcome->settled;
    struct search_apart sum = {0}, far = {0};
    const double goal = search_goal(problem);
    size_t count = 0, first = 0;
    char how[120], which[80];
    for (size_t run = 0; run < problem->runs; run++) {
        const struct search_apart apart = apart_of(problem, outcome, settled, run);
        sum.reals += apart.reals / (double)problem->runs;
        sum.genes += apart.genes / (double)problem->runs;
        /* the condition is false if goal is NaN */
        if (!apart.is_far || problem->sign * summary->finals[run] <= goal)
            continue;
        first = count ? first : run;
        far.reals += apart.reals;
        far.genes += apart.genes;
        count++;
    }
    result_add_unshown(result, "apart", count_reals(problem) ? sum.reals : sum.genes);
    if (!count)
        return;
    far.reals /= (double)count;
    far.genes /= (double)count;
    describe(problem, &far, how, sizeof how);
    const enum shoal_optimise_result end = search_end_of(problem, outcome, first);
    if (problem->runs == 1)
        snprintf(which, sizeof which, "ended by %s, ", shoal_optimise_result_name(end));
    else
        snprintf(which, sizeof which, "%zu of %zu runs: ", count, problem->runs);
    snprintf(summary->unconverged, sizeof summary->unconverged, "%smembers %s; %s%s may find better", which,
             how, longer(end),
             !search_is_plain(problem) || problem->params->polish || summary->refined ? ""
                                                                                      : ", or --polish,");
    result_add_text(result, "unconverged", summary->unconverged);
}
