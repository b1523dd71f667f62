/* Objectives from a formula. */
#include "objective/expression/expression.h"
#include "base/error.h"
#include "objective/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 16384 };

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    return expression_value(objective->state, x, dim);
}

static void destroy(struct shoal_objective *objective)
{
    expression_program_free(objective->state);
    free((char *)objective->info.formula);
    free(objective->text);
    free(objective->text_name);
    free(objective);
}

static enum shoal_status fill(struct shoal_objective *objective, const char *formula,
                              struct expression *expression, struct shoal_error *error)
{
    enum shoal_status status = expression_parse(formula, expression, error);
    if (status)
        return status;
    struct text text = {0};
    /* Coordinates behind the last one that the formula names have a part in sums only. */
    const size_t least = expression_least_dim(expression);
    expression_write_kernel(expression, formula, &text);
    objective->state = expression_compile(expression);
    if (text.failed)
        text_free(&text);
    objective->text = text.data;
    objective->text_name = strdup("expression");
    objective->singles = (size_t)expression->single_count;
    objective->info =
        (struct shoal_objective_info){.size = sizeof objective->info,
                                      .name = "expression",
                                      .formula = strdup(formula),
                                      .shape = SHOAL_PER_DIMENSION,
                                      .lower = NAN,
                                      .upper = NAN,
                                      .min_dim = least,
                                      .max_dim = expression->reduction_count ? EXPRESSION_MAX_DIM : least,
                                      .minimum = NAN,
                                      .minimiser = NAN};
    if (!objective->text || !objective->text_name || !objective->info.formula || !objective->state)
        return fail_host_memory(error);
    return SHOAL_OK;
}

enum shoal_status shoal_objective_from_expression(const char *formula, struct shoal_objective **out,
                                                  struct shoal_error *error)
{
    error_reset(error);
    *out = NULL;
    if (!formula)
        return fail(error, SHOAL_INVALID, "an objective needs an expression");
    if (strlen(formula) > MAX_LENGTH)
        return fail(error, SHOAL_INVALID, "the expression has %zu characters: %d are the most",
                    strlen(formula), MAX_LENGTH);
    struct shoal_objective *objective = calloc(1, sizeof *objective);
    struct expression *expression = malloc(sizeof *expression);
    if (objective) {
        objective->value = value;
        objective->destroy = destroy;
    }
    enum shoal_status status =
        objective && expression ? fill(objective, formula, expression, error) : fail_host_memory(error);
    free(expression);
    if (status)
        shoal_objective_destroy(&objective);
    *out = objective;
    return status;
}
