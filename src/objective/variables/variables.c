/* A list of variables: its properties, and whether a point fits it. */
#include "objective/variables/variables.h"
#include "base/error.h"
#include "base/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

size_t shoal_variables_count(const struct shoal_variables *variables)
{
    return variables ? variables->count : 0;
}

size_t shoal_variables_group_count(const struct shoal_variables *variables)
{
    return variables ? variables->group_count : 0;
}

const struct shoal_variable_group *shoal_variables_group(const struct shoal_variables *variables,
                                                         size_t index)
{
    return variables && index < variables->group_count ? &variables->groups[index] : NULL;
}

const char *shoal_variables_list(const struct shoal_variables *variables)
{
    return variables ? variables->list : NULL;
}

void shoal_variables_destroy(struct shoal_variables **pointer)
{
    if (!pointer || !*pointer)
        return;
    free((*pointer)->groups);
    free((*pointer)->names);
    free((*pointer)->list);
    free(*pointer);
    *pointer = NULL;
}

bool variables_are_plain(const struct shoal_variables *variables)
{
    for (size_t i = 0; i < variables->group_count; i++)
        if (variables->groups[i].kind != SHOAL_REAL || variables->groups[i].bits)
            return false;
    return true;
}

bool variables_can_be_rounded(const struct shoal_variables *variables)
{
    for (size_t i = 0; i < variables->group_count; i++)
        if (!variable_can_be_rounded(&variables->groups[i]))
            return false;
    return true;
}

bool variables_are_coded(const struct shoal_variables *variables)
{
    for (size_t i = 0; i < variables->group_count; i++)
        if (variables->groups[i].bits)
            return true;
    return false;
}

const char *variable_kind_name(enum shoal_variable_kind kind)
{
    static const char *const names[] = {"a real", "an integer", "a choice", "a bit", "an order"};
    return names[kind];
}

void variables_name(const struct shoal_variables *variables, size_t index, char name[2 * VARIABLES_NAME])
{
    size_t group = 0;
    while (index >= variables->groups[group].first + variables->groups[group].count)
        group++;
    const struct variable_names *names = &variables->names[group];
    if (names->numbered)
        snprintf(name, 2 * VARIABLES_NAME, "%s%zu", names->prefix,
                 names->from + index - variables->groups[group].first);
    else
        snprintf(name, 2 * VARIABLES_NAME, "%s", names->prefix);
}

static enum shoal_status check_value(const struct shoal_variables *variables,
                                     const struct shoal_variable_group *of, size_t index, double value,
                                     struct shoal_error *error)
{
    char name[2 * VARIABLES_NAME];
    const bool whole = of->kind != SHOAL_REAL;
    /* a real without bounds may have any finite value */
    if (isfinite(value) && !(value < of->lower) && !(value > of->upper) && (!whole || value == floor(value)))
        return SHOAL_OK;
    variables_name(variables, index, name);
    if (whole)
        return fail(error, SHOAL_INVALID, "%s is %.9g: %s has a whole value from %.0f to %.0f", name, value,
                    variable_kind_name(of->kind), of->lower, of->upper);
    return fail(error, SHOAL_INVALID, "%s is %.9g: its range is %g to %g", name, value, of->lower, of->upper);
}

static enum shoal_status check_order(size_t count, const double *x, struct shoal_error *error)
{
    /* place of each element in the order, counted from 1; 0: not found yet */
    size_t *place = calloc(count, sizeof *place);
    enum shoal_status status = place ? SHOAL_OK : fail_host_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        const size_t number = (size_t)x[i];
        if (place[number])
            status = fail(error, SHOAL_INVALID, "places %zu and %zu of the order both have %zu: each once",
                          place[number] - 1, i, number);
        place[number] = i + 1;
    }
    free(place);
    return status;
}

enum shoal_status shoal_variables_check(const struct shoal_variables *variables, const double *x,
                                        struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, variables, x))
        return SHOAL_INVALID;
    enum shoal_status status = SHOAL_OK;
    for (size_t g = 0; g < variables->group_count && !status; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        for (size_t i = 0; i < group->count && !status; i++)
            status = check_value(variables, group, group->first + i, x[group->first + i], error);
        if (!status && group->kind == SHOAL_ORDER)
            status = check_order(group->count, x + group->first, error);
    }
    return status;
}
