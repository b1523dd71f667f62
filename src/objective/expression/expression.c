/* Objectives from a formula. */
#include "objective/expression/expression.h"
#include "base/error.h"
#include "base/params.h"
#include "objective/objective.h"
#include "objective/variables/variables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 16384, FEW_VARIABLES = 128 };

/* The state of an objective from a formula. */
struct formula {
    struct expression_program *program;
    struct shoal_variables *variables; /* NULL: the variables are dim reals */
    char *list;
};

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct formula *formula = objective->state;
    return expression_value(formula->program, x, dim);
}

/* Data to decode genes to a point and to evaluate the formula there. */
struct decoding {
    const struct formula *formula;
    const struct shoal_variables *variables;
    double *point;
};

static double value_of_genes(double *genes, const void *data)
{
    const struct decoding *of = data;
    genes_to_point(of->variables, genes, of->point);
    return expression_value(of->formula->program, of->point, shoal_variables_count(of->variables));
}

/* Returns the value at a point. A coded real is first replaced by the nearest value of its code, as on a
 * device. */
static double value_coded(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct formula *formula = objective->state;
    struct shoal_variable_group group;
    struct shoal_variables sized;
    double few[FEW_VARIABLES]; /* a point of few variables needs no memory for each value */
    struct decoding of = {.formula = formula,
                          .variables = variables_sized(formula->variables, dim, &group, &sized),
                          .point = dim <= FEW_VARIABLES ? few : malloc(dim * sizeof *of.point)};
    const double result =
        of.point ? genes_apply(of.variables, x, value_of_genes, &of) : objective_fail_memory();
    if (of.point != few)
        free(of.point);
    return result;
}

static void destroy(struct shoal_objective *objective)
{
    struct formula *formula = objective->state;
    if (formula) {
        expression_program_free(formula->program);
        shoal_variables_destroy(&formula->variables);
        free(formula->list);
    }
    free(formula);
    free((char *)objective->info.formula);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

/* Reads the list of variables, whose names the formula may use. */
static enum shoal_status read_list(struct formula *formula, const char *list, bool *is_sized,
                                   struct shoal_error *error)
{
    enum shoal_status status = shoal_variables_parse(list, 0, &formula->variables, NULL);
    *is_sized = status == SHOAL_OK;
    /* A list of variables may end at D, the dimension. It is then read with dimension 2, which every kind of
     * variable allows. */
    if (status == SHOAL_INVALID)
        status = shoal_variables_parse(list, 2, &formula->variables, error);
    if (status)
        return status;
    formula->list = strdup(list);
    return formula->list ? SHOAL_OK : fail_host_memory(error);
}

/* Sets the least and greatest dimension of an objective over variables. */
static enum shoal_status set_dims(struct shoal_objective_info *info, const struct formula *formula,
                                  bool is_sized, struct shoal_error *error)
{
    const struct shoal_variables *variables = formula->variables;
    const size_t count = shoal_variables_count(variables);
    if (is_sized && count < info->min_dim)
        return fail(error, SHOAL_INVALID, "the expression needs %zu variables, the list has %zu",
                    info->min_dim, count);
    info->variables = formula->list;
    info->shape = SHOAL_OPAQUE;
    if (is_sized) {
        info->min_dim = info->max_dim = count;
    } else if (variables->groups->kind == SHOAL_ORDER) {
        info->min_dim = info->min_dim > 2 ? info->min_dim : 2;
        info->max_dim = VARIABLES_PLACES;
    } else {
        info->max_dim = VARIABLES_MOST;
    }
    return SHOAL_OK;
}

/* Drops a list of plain reals: with it, the formula is the same objective as without a list. */
static void drop_list(struct formula *formula)
{
    shoal_variables_destroy(&formula->variables);
    free(formula->list);
    formula->list = NULL;
}

/* Creates the objective. is_named: the list of variables only gives names to coordinates. */
static enum shoal_status fill(struct shoal_objective *objective, const char *source, const char *list,
                              bool is_named, struct expression *expression, struct shoal_error *error)
{
    struct formula *formula = objective->state;
    bool is_sized = false;
    enum shoal_status status = list ? read_list(formula, list, &is_sized, error) : SHOAL_OK;
    if (!status)
        status = expression_parse(source, formula->variables, is_sized, expression, error);
    if (status)
        return status;
    if (formula->variables && (is_named || variables_are_plain(formula->variables)))
        drop_list(formula);
    /* Coordinates beyond those that the formula names appear only in its sums. */
    const size_t least = expression_least_dim(expression);
    objective->info =
        (struct shoal_objective_info){.size = sizeof objective->info,
                                      .name = "expression",
                                      .formula = strdup(source),
                                      .shape = SHOAL_PER_DIMENSION,
                                      .lower = NAN,
                                      .upper = NAN,
                                      .min_dim = least,
                                      .max_dim = expression->reduction_count ? EXPRESSION_MAX_DIM : least,
                                      .minimum = NAN,
                                      .minimiser = NAN};
    if (formula->variables && (status = set_dims(&objective->info, formula, is_sized, error)))
        return status;
    struct text text = {0};
    if (formula->variables)
        expression_write_genes(expression, source, formula->variables, formula->list, &text);
    else
        expression_write_kernel(expression, source, &text);
    if (text.failed)
        text_free(&text);
    objective->text = text.data;
    objective->text_name = strdup("expression");
    objective->singles = formula->variables ? 0 : (size_t)expression->single_count;
    objective->value = formula->variables && variables_are_coded(formula->variables) ? value_coded : value;
    formula->program = expression_compile(expression);
    if (!objective->text || !objective->text_name || !objective->info.formula || !formula->program)
        return fail_host_memory(error);
    return SHOAL_OK;
}

static enum shoal_status create(const char *formula, const char *list, bool is_named,
                                struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    *out = NULL;
    if (strlen(formula) > MAX_LENGTH)
        return fail(error, SHOAL_INVALID, "the expression has %zu characters: %d are the most",
                    strlen(formula), MAX_LENGTH);
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct expression *expression = malloc(sizeof *expression);
    if (objective) {
        objective->destroy = destroy;
        objective->state = calloc(1, sizeof(struct formula));
    }
    enum shoal_status status = objective && objective->state && expression
                                   ? fill(objective, formula, list, is_named, expression, error)
                                   : fail_host_memory(error);
    free(expression);
    if (status)
        shoal_objective_destroy(&objective);
    *out = objective;
    return status;
}

enum shoal_status shoal_objective_from_expression(const char *expression, struct shoal_objective **out,
                                                  struct shoal_error *error)
{
    if (out)
        *out = NULL;
    if (!NEED(error, expression, out))
        return SHOAL_INVALID;
    return create(expression, NULL, false, out, error);
}

enum shoal_status shoal_objective_from_expression_variables(const char *expression, const char *variables,
                                                            struct shoal_objective **out,
                                                            struct shoal_error *error)
{
    error_reset(error);
    if (out)
        *out = NULL;
    if (!NEED(error, expression, out))
        return SHOAL_INVALID;
    if (!variables)
        return fail(error, SHOAL_INVALID, "a list of variables is expected, such as \"x1-xD bit\"");
    return create(expression, variables, false, out, error);
}

enum shoal_status objective_from_named_expression(const char *formula, const char *variables,
                                                  struct shoal_objective **out, struct shoal_error *error)
{
    return create(formula, variables, true, out, error);
}
