/* Start points: from coordinates to members. */
#include "search/start.h"
#include "base/error.h"
#include "search/space.h"

#include <stdlib.h>

/* Reals that are no codes are the first genes: the box is that of the search where the list has no range. */
static enum shoal_status check_reals(const struct search_problem *problem, size_t i, const double *x,
                                     struct shoal_error *error)
{
    const struct shoal_variables *variables = problem->variables;
    char name[2 * VARIABLES_NAME];
    size_t gene = 0;
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++) {
        if (group->kind != SHOAL_REAL || group->bits)
            continue;
        for (size_t d = group->first; d < group->first + group->count; d++, gene++) {
            if (x[d] >= problem->lower[gene] && x[d] <= problem->upper[gene])
                continue;
            variables_name(variables, d, name);
            return fail(error, SHOAL_INVALID, "start point %zu: %s is %g: its range is %g to %g", i, name,
                        x[d], problem->lower[gene], problem->upper[gene]);
        }
    }
    return SHOAL_OK;
}

static enum shoal_status check_point(const struct search_problem *problem, size_t i, const double *x,
                                     struct shoal_error *error)
{
    struct shoal_error reason;
    if (problem->has_genome && shoal_variables_check(problem->variables, x, &reason))
        return fail(error, reason.status, "start point %zu: %s", i, reason.message);
    if (problem->variables)
        return check_reals(problem, i, x, error);
    for (size_t d = 0; d < problem->dim; d++)
        if (!(x[d] >= problem->lower[d] && x[d] <= problem->upper[d]))
            return fail(error, SHOAL_INVALID, "start point %zu: x[%zu] is %g, outside the box, %g to %g", i,
                        d + 1, x[d], problem->lower[d], problem->upper[d]);
    return SHOAL_OK;
}

enum shoal_status search_start_create(struct search_problem *problem, const struct search_numbers *points,
                                      struct shoal_error *error)
{
    const size_t members = problem->members * problem->run_islands, count = points->rows;
    enum shoal_status status = SHOAL_OK;
    if (!points->values)
        return SHOAL_OK;
    if (points->columns != problem->point_dim)
        return fail(error, SHOAL_INVALID, "--start has points of %zu numbers for %zu dimensions",
                    points->columns, problem->point_dim);
    if (count > members)
        return fail(error, SHOAL_INVALID, "there are %zu start points for %zu %s", count, members,
                    problem->algorithm->member_name);
    problem->start = malloc(count * problem->dim * sizeof *problem->start);
    if (!problem->start)
        return fail_host_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        const double *point = points->values + i * points->columns;
        status = check_point(problem, i + 1, point, error);
        if (!status)
            search_from_point(problem, point, problem->start + i * problem->dim);
    }
    problem->start_count = count;
    return status;
}
