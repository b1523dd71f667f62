/* Checks a model: its names, its formula, its ranges, and which columns it uses. */
#include "base/error.h"
#include "io/csv/choice.h"
#include "objective/model/model.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMULA_LENGTH = 16384 };

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return !*name;
}

/* Returns the column with a name; SIZE_MAX: there is none. */
static size_t find_column(const struct shoal_model *given, const char *name)
{
    for (size_t c = 0; c < given->column_count; c++)
        if (strcmp(given->columns[c], name) == 0)
            return c;
    return SIZE_MAX;
}

static enum shoal_status check_range(const struct shoal_model_parameter *parameter, struct shoal_error *error)
{
    const double lower = parameter->lower, upper = parameter->upper;
    if (!isfinite(lower) || !isfinite(upper))
        return fail(error, SHOAL_INVALID, "parameter %.40s has the range %g to %g: its ends must be finite",
                    parameter->name, lower, upper);
    if (lower > upper)
        return fail(error, SHOAL_INVALID,
                    "parameter %.40s has the range %g to %g, which is reversed: give the lower end first",
                    parameter->name, lower, upper);
    return SHOAL_OK;
}

static enum shoal_status check_parameters(const struct shoal_model *given, struct shoal_error *error)
{
    if (!given->parameter_count || !given->parameters)
        return fail(error, SHOAL_INVALID, "a model needs parameters, each with its range");
    if (given->parameter_count > SHOAL_MODEL_PARAMETERS)
        return fail(error, SHOAL_INVALID, "a model of %zu parameters: %d are the most",
                    given->parameter_count, SHOAL_MODEL_PARAMETERS);
    for (size_t p = 0; p < given->parameter_count; p++) {
        const struct shoal_model_parameter *parameter = &given->parameters[p];
        if (!parameter->name || !is_identifier(parameter->name))
            return fail(error, SHOAL_INVALID,
                        "parameter %zu has the name '%.40s': names are of letters, digits and _, and begin "
                        "with no digit",
                        p + 1, parameter->name ? parameter->name : "");
        if (expression_is_reserved(parameter->name))
            return fail(error, SHOAL_INVALID, "parameter %s has the name of a function or constant of models",
                        parameter->name);
        for (size_t q = 0; q < p; q++)
            if (strcmp(given->parameters[q].name, parameter->name) == 0)
                return fail(error, SHOAL_INVALID, "parameter %.40s is given twice", parameter->name);
        if (find_column(given, parameter->name) != SIZE_MAX)
            return fail(error, SHOAL_INVALID,
                        "%.40s is a parameter and a column: give the parameter another name",
                        parameter->name);
        enum shoal_status status = check_range(parameter, error);
        if (status)
            return status;
    }
    return SHOAL_OK;
}

/* Checks that no other column has the name of a used column. */
static enum shoal_status check_name(const struct shoal_model *given, size_t column, struct shoal_error *error)
{
    const char *name = given->columns[column];
    for (size_t c = 0; c < given->column_count; c++)
        if (c != column && strcmp(given->columns[c], name) == 0)
            return fail(error, SHOAL_INVALID, "columns %zu and %zu have the name %.40s: rename one",
                        column + 1, c + 1, name);
    return SHOAL_OK;
}

/* Returns the column with a name or, if there is none, with a number, counted from 1. SIZE_MAX: there is
 * neither. */
static size_t find_named(const struct shoal_model *given, const char *name)
{
    const char *end = name + strlen(name);
    const size_t column = find_column(given, name);
    size_t number;
    if (column != SIZE_MAX || !take_whole_number(&name, end, &number))
        return column;
    return name == end && number >= 1 && number <= given->column_count ? number - 1 : SIZE_MAX;
}

/* Finds the column of the target or of the weights. what: "target" or "weights", for messages. */
static enum shoal_status take_column(const struct shoal_model *given, const char *what, const char *name,
                                     size_t *column, struct shoal_error *error)
{
    *column = find_named(given, name);
    if (*column == SIZE_MAX) {
        const char *near = text_nearest(name, given->columns, given->column_count);
        struct text names = {0};
        for (size_t c = 0; c < given->column_count && names.length < 120; c++)
            text_printf(&names, "%s%.40s", c ? ", " : "", given->columns[c]);
        enum shoal_status status =
            near ? fail(error, SHOAL_INVALID, "the %s, %.40s, is no column; did you mean %.40s?", what, name,
                        near)
                 : fail(error, SHOAL_INVALID, "the %s, %.40s, is no column: the columns are %s", what, name,
                        names.data ? names.data : "none");
        text_free(&names);
        return status;
    }
    return check_name(given, *column, error);
}

static size_t use(struct model_plan *plan, size_t column)
{
    for (size_t i = 0; i < plan->used_count; i++)
        if (plan->used[i] == column)
            return i;
    plan->used[plan->used_count] = column;
    return plan->used_count++;
}

/* Lists the columns that the model uses, and replaces the indices of columns in the formula by indices in
 * this list. */
static enum shoal_status collect(struct model_plan *plan, size_t target, size_t weights,
                                 struct shoal_error *error)
{
    const struct shoal_model *given = plan->given;
    struct expression *expression = &plan->expression;
    bool used[SHOAL_MODEL_PARAMETERS] = {false};
    size_t used_count = 0;
    for (size_t c = 0; c < given->column_count; c++)
        for (int i = 0; i < expression->count; i++)
            if (expression->nodes[i].kind == EXPRESSION_COLUMN && expression->nodes[i].index == (int)c) {
                enum shoal_status status = check_name(given, c, error);
                if (status)
                    return status;
                use(plan, c);
                break;
            }
    for (int i = 0; i < expression->count; i++) {
        struct expression_node *node = &expression->nodes[i];
        if (node->kind == EXPRESSION_COLUMN && (size_t)node->index == target)
            return fail(error, SHOAL_INVALID, "the model contains its target, %.40s", given->columns[target]);
        if (node->kind == EXPRESSION_COLUMN)
            node->index = (int)use(plan, (size_t)node->index);
        else if (node->kind == EXPRESSION_PARAMETER && !used[node->index]) {
            used[node->index] = true;
            used_count++;
        }
    }
    for (size_t p = 0; p < given->parameter_count; p++)
        if (!used[p])
            return used_count ? fail(error, SHOAL_INVALID, "parameter %.40s is not in the model",
                                     given->parameters[p].name)
                              : fail(error, SHOAL_INVALID, "the model contains no parameter");
    plan->input_count = plan->used_count;
    plan->target = use(plan, target);
    plan->weights = given->weights ? use(plan, weights) : SIZE_MAX;
    return SHOAL_OK;
}

static enum shoal_status check_formula(const struct shoal_model *given, struct model_plan *plan,
                                       struct shoal_error *error)
{
    const char *names[SHOAL_MODEL_PARAMETERS];
    for (size_t p = 0; p < given->parameter_count; p++)
        names[p] = given->parameters[p].name;
    return expression_parse_model(given->formula,
                                  &(struct expression_names){.columns = given->columns,
                                                             .column_count = given->column_count,
                                                             .parameters = names,
                                                             .parameter_count = given->parameter_count},
                                  &plan->expression, error);
}

static enum shoal_status check_rest(const struct shoal_model *given, struct shoal_error *error)
{
    if (!given->formula)
        return fail(error, SHOAL_INVALID, "a model needs a formula");
    if (strlen(given->formula) > FORMULA_LENGTH)
        return fail(error, SHOAL_INVALID, "the model has %zu characters: %d are the most",
                    strlen(given->formula), FORMULA_LENGTH);
    if (!given->target)
        return fail(error, SHOAL_INVALID, "a model needs a target: the column that it is to follow");
    if (!given->column_count || !given->columns)
        return fail(error, SHOAL_INVALID, "a model needs columns");
    if (given->loss < SHOAL_LOSS_SQUARES || given->loss > SHOAL_LOSS_HUBER)
        return fail(error, SHOAL_INVALID, "there is no loss %d", given->loss);
    if (given->loss == SHOAL_LOSS_HUBER && !(given->delta > 0 && isfinite(given->delta)))
        return fail(error, SHOAL_INVALID, "the delta of Huber's loss is %g: give a positive number",
                    given->delta);
    return SHOAL_OK;
}

enum shoal_status model_plan_make(const struct shoal_model *given, struct model_plan *plan,
                                  struct shoal_error *error)
{
    size_t target = 0, weights = 0;
    *plan = (struct model_plan){.given = given};
    enum shoal_status status = check_rest(given, error);
    if (!status)
        status = take_column(given, "target", given->target, &target, error);
    if (!status && given->weights)
        status = take_column(given, "column of weights", given->weights, &weights, error);
    if (!status && given->weights && weights == target)
        status = fail(error, SHOAL_INVALID, "%.40s is the target and the column of weights",
                      given->columns[target]);
    if (!status)
        status = check_parameters(given, error);
    if (!status)
        status = check_formula(given, plan, error);
    if (!status) {
        plan->used = malloc((given->column_count + 2) * sizeof *plan->used);
        status = plan->used ? collect(plan, target, weights, error) : fail_host_memory(error);
    }
    if (status) {
        free(plan->used);
        plan->used = NULL;
    }
    return status;
}
