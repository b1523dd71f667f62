/* Objectives with constraints that are functions of the caller. */
#include "base/error.h"
#include "base/params.h"
#include "objective/constraints/constraints.h"

#include <math.h>
#include <stdlib.h>

struct callback {
    struct shoal_objective objective;
    const struct shoal_objective *inner;
    shoal_constraints_fn function;
    void *data;
};

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct callback *callback = objective->state;
    return shoal_objective_value(callback->inner, x, dim);
}

static void constraints(const struct shoal_objective *objective, const double *x, size_t dim, double *g)
{
    const struct callback *callback = objective->state;
    callback->function(x, dim, g, callback->data);
}

static void destroy(struct shoal_objective *objective)
{
    free(objective->state);
}

enum shoal_status shoal_objective_with_constraints(const struct shoal_objective *objective,
                                                   shoal_constraints_fn function, void *data, size_t count,
                                                   size_t equalities, struct shoal_objective **out,
                                                   struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, objective, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!function)
        return fail(error, SHOAL_INVALID, "constraints need a function");
    if (count < 1 || count > CONSTRAINTS_MOST || equalities > count)
        return fail(error, SHOAL_INVALID,
                    "%zu constraints, %zu of them equalities: 1 to %d are allowed, and no more equalities",
                    count, equalities, CONSTRAINTS_MOST);
    if (objective->info.constraints || objective->info.variables || objective->info.shape == SHOAL_DATA_ROWS)
        return fail(error, SHOAL_INVALID, "%s is no function of reals without constraints",
                    objective->info.name);
    struct callback *callback = calloc(1, sizeof *callback);
    if (!callback)
        return fail_host_memory(error);
    *callback = (struct callback){.inner = objective, .function = function, .data = data};
    callback->objective = (struct shoal_objective){.info = objective->info,
                                                   .value = value,
                                                   .constraints = constraints,
                                                   .lower = objective->lower,
                                                   .upper = objective->upper,
                                                   .state = callback,
                                                   .destroy = destroy};
    struct shoal_objective_info *info = &callback->objective.info;
    info->shape = SHOAL_CALLBACK;
    info->constraints = count;
    info->equalities = equalities;
    info->minimum = info->minimiser = NAN;
    *out = &callback->objective;
    return SHOAL_OK;
}

void shoal_objective_constraints(const struct shoal_objective *objective, const double *x, size_t dim,
                                 double *g)
{
    if (objective && x && g && objective->constraints)
        objective->constraints(objective, x, dim, g);
}
