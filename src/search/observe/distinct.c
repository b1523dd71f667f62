/* Counts the distinct points among the results of several runs. */
#include "base/error.h"
#include "base/params.h"
#include "search/observe/observe.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/search.h>
#include <stdlib.h>

/* Two results count as the same point if each real differs by at most this distance, in widths of the box,
 * and all other genes are equal. Results of two runs at the same minimum differ only in their last digits,
 * and two minima of a function are seldom so near. */
static const double least_distance = 1e-3;

static bool are_one(const struct search_problem *problem, const double *a, const double *b)
{
    const size_t genes = problem->dim - problem->genome.extra;
    for (size_t d = 0; d < genes; d++) {
        const double width = search_real_width(problem, d);
        if (!(fabs(search_coordinate(problem, d, a[d]) - search_coordinate(problem, d, b[d])) <=
              least_distance * width))
            return false;
    }
    return true;
}

struct ranked {
    double value; /* value of sign f */
    size_t run;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static size_t find_points(const struct search_problem *problem, const struct search_summary *summary,
                          const struct ranked *ranked, size_t most, uint64_t *run, uint64_t *found_by)
{
    size_t count = 0;
    for (size_t r = 0; r < problem->runs && isfinite(ranked[r].value); r++) {
        const double *x = summary->members + ranked[r].run * problem->dim;
        size_t i = 0;
        while (i < count && !are_one(problem, x, summary->members + run[i] * problem->dim))
            i++;
        if (i == most)
            continue;
        if (i == count) {
            run[count] = ranked[r].run;
            found_by[count++] = 0;
        }
        found_by[i]++;
    }
    return count;
}

enum shoal_status shoal_search_distinct(const struct shoal_solver *solver, size_t most, uint64_t *run,
                                        uint64_t *found_by, size_t *count, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, solver, run, found_by, count))
        return SHOAL_INVALID;
    *count = 0;
    const struct search_problem *problem = NULL;
    const struct search_summary *summary = NULL;
    enum shoal_status status = search_result_of(solver, __func__, &problem, &summary, error);
    if (status)
        return status;
    struct ranked *ranked = malloc(problem->runs * sizeof *ranked);
    if (!ranked)
        return fail_host_memory(error);
    for (size_t r = 0; r < problem->runs; r++)
        ranked[r] = (struct ranked){problem->sign * summary->finals[r], r};
    qsort(ranked, problem->runs, sizeof *ranked, by_value);
    *count = find_points(problem, summary, ranked, most, run, found_by);
    free(ranked);
    return SHOAL_OK;
}
