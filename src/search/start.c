/* Start points: converts coordinates to members. */
#include "search/start.h"
#include "base/error.h"
#include "base/text.h"
#include "search/space.h"

#include <stdlib.h>

/* Checks the plain reals of a start point, which are the first genes of a genome. A real without a range in
 * the list of variables must be inside the box. */
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
            const size_t own = problem->has_genome ? gene : d;
            if (x[d] >= problem->lower[own] && x[d] <= problem->upper[own])
                continue;
            variables_name(variables, d, name);
            return fail(error, SHOAL_INVALID, "start point %zu: %s is %g: its range is %g to %g", i, name,
                        x[d], problem->lower[own], problem->upper[own]);
        }
    }
    return SHOAL_OK;
}

static enum shoal_status check_point(const struct search_problem *problem, size_t i, const double *x,
                                     struct shoal_error *error)
{
    struct shoal_error reason;
    if (!search_is_plain(problem) && shoal_variables_check(problem->variables, x, &reason))
        return fail(error, reason.status, "start point %zu: %s", i, reason.message);
    if (problem->variables)
        return check_reals(problem, i, x, error);
    for (size_t d = 0; d < problem->dim; d++) {
        char name[2 * VARIABLES_NAME];
        if (x[d] >= problem->lower[d] && x[d] <= problem->upper[d])
            continue;
        search_coordinate_name(problem, d, name);
        return fail(error, SHOAL_INVALID, "start point %zu: %s is %.9g, outside the box, %.9g to %.9g", i,
                    name, x[d], problem->lower[d], problem->upper[d]);
    }
    return SHOAL_OK;
}

/* The message lists the names of the coordinates, as many as fit into one line. */
enum shoal_status search_start_fail_count(const struct search_problem *problem, size_t count, size_t due,
                                          struct shoal_error *error)
{
    struct text names = {0};
    for (size_t d = 0; d < due && names.length < 120; d++) {
        char name[2 * VARIABLES_NAME];
        search_coordinate_name(problem, d, name);
        text_printf(&names, "%s%s", d ? ", " : "", name);
    }
    const bool is_cut = names.length >= 120;
    enum shoal_status status =
        names.failed ? fail_host_memory(error)
                     : fail(error, SHOAL_INVALID, "a point of --start has %zu number%s, %zu %s needed: %s%s",
                            count, count == 1 ? "" : "s", due, due == 1 ? "is" : "are",
                            names.data ? names.data : "", is_cut ? " ..." : "");
    text_free(&names);
    return status;
}

enum shoal_status search_start_create(struct search_problem *problem, const struct search_numbers *points,
                                      struct shoal_error *error)
{
    const size_t members = problem->members * problem->run_islands, count = points->rows;
    enum shoal_status status = SHOAL_OK;
    if (!points->values)
        return SHOAL_OK;
    if (points->columns != problem->point_dim)
        return search_start_fail_count(problem, points->columns, problem->point_dim, error);
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
