/* Functions common to all objectives, and the simplest objective: a C function of the caller. */
#include "objective/objective.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/program/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct shoal_objective_info *shoal_objective_get_info(const struct shoal_objective *objective)
{
    return objective ? &objective->info : NULL;
}

void shoal_objective_box(const struct shoal_objective *objective, size_t dim, double *lower, double *upper)
{
    for (size_t d = 0; d < dim; d++) {
        const bool has_bounds = objective && d < objective->info.max_dim;
        if (lower)
            lower[d] = has_bounds ? objective_lower(objective, d) : NAN;
        if (upper)
            upper[d] = has_bounds ? objective_upper(objective, d) : NAN;
    }
}

static _Thread_local struct shoal_error failure;

double objective_fail_value(const struct shoal_error *reason)
{
    failure = *reason;
    return NAN;
}

double objective_fail_memory(void)
{
    struct shoal_error error = {0};
    fail_host_memory(&error);
    return objective_fail_value(&error);
}

void objective_forget_failure(void)
{
    error_reset(&failure);
}

enum shoal_status objective_take_failure(struct shoal_error *error)
{
    const enum shoal_status status = failure.status;
    if (status && error)
        *error = failure;
    objective_forget_failure();
    return status;
}

double shoal_objective_minimum(const struct shoal_objective *objective, size_t dim)
{
    if (!objective)
        return NAN;
    return objective->minimum ? objective->minimum(dim) : objective->info.minimum;
}

double shoal_objective_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    return objective && x ? objective->value(objective, x, dim) : NAN;
}

double shoal_objective_value_in_generation(const struct shoal_objective *objective, const double *x,
                                           size_t dim, uint32_t generation)
{
    if (!objective || !x)
        return NAN;
    return objective->value_in_generation ? objective->value_in_generation(objective, x, dim, generation)
                                          : objective->value(objective, x, dim);
}

void shoal_objective_destroy(struct shoal_objective **objective)
{
    if (!objective || !*objective)
        return;
    if ((*objective)->destroy)
        (*objective)->destroy(*objective);
    *objective = NULL;
}

enum shoal_status objective_kernel_text(const struct shoal_objective *objective,
                                        struct shoal_kernel_text *text, struct shoal_error *error)
{
    if (!objective->file && !objective->text)
        return fail(error, SHOAL_UNSUPPORTED, "%s is a C function: it runs on the host device only",
                    objective->info.name);
    static const char name[] = "objective/snippet.clh";
    *text = (struct shoal_kernel_text){.file = name,
                                       .text = objective->text ? objective->text : objective->file,
                                       .shown = objective->text ? objective->text_name : name};
    return SHOAL_OK;
}

enum shoal_status shoal_objective_kernel_source(const struct shoal *shoal,
                                                const struct shoal_objective *objective, const char *file,
                                                char **text, struct shoal_error *error)
{
    struct shoal_kernel_text own;
    struct shoal_program_params params;
    error_reset(error);
    if (!NEED(error, objective, file, text))
        return SHOAL_INVALID;
    enum shoal_status status = objective_kernel_text(objective, &own, error);
    if (status)
        return status;
    shoal_program_params_init(&params);
    params.texts = &own;
    params.text_count = 1;
    return source_flatten(shoal, file, &params, text, error);
}

/* Functions of the caller ------------------------------------------------------------------------------ */

struct callback {
    struct shoal_objective objective;
    shoal_objective_fn function;
    shoal_objective_points_fn points_function; /* NULL: `function` is the function of the caller */
    void *data;
    char name[];
};

static double callback_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct callback *callback = objective->state;
    return callback->function(x, dim, callback->data);
}

static void callback_values(const struct shoal_objective *objective, const double *points, size_t count,
                            size_t dim, double *values)
{
    const struct callback *callback = objective->state;
    for (size_t n = 0; n < count; n++)
        values[n] = NAN;
    callback->points_function(points, count, dim, values, callback->data);
}

static double callback_value_of_points(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double value;
    callback_values(objective, x, 1, dim, &value);
    return value;
}

static void callback_destroy(struct shoal_objective *objective)
{
    free(objective->state);
}

/* Creates an objective from one of the two functions; the other one is NULL. */
static enum shoal_status from_callback(shoal_objective_fn function, shoal_objective_points_fn points_function,
                                       void *data, const char *name, struct shoal_objective **out,
                                       struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!function && !points_function)
        return fail(error, SHOAL_INVALID, "an objective needs a function");
    if (!name)
        name = "callback";
    const size_t bytes = strlen(name) + 1;
    struct callback *callback = calloc(1, sizeof *callback + bytes);
    if (!callback)
        return fail_host_memory(error);
    callback->function = function;
    callback->points_function = points_function;
    callback->data = data;
    memcpy(callback->name, name, bytes);
    callback->objective =
        (struct shoal_objective){.info = {.size = sizeof(struct shoal_objective_info),
                                          .name = callback->name,
                                          .formula = "a function of the caller",
                                          .shape = SHOAL_CALLBACK,
                                          .lower = NAN,
                                          .upper = NAN,
                                          .min_dim = 1,
                                          .max_dim = SIZE_MAX,
                                          .minimum = NAN,
                                          .minimiser = NAN},
                                 .value = function ? callback_value : callback_value_of_points,
                                 .values = function ? NULL : callback_values,
                                 .state = callback,
                                 .destroy = callback_destroy};
    *out = &callback->objective;
    return SHOAL_OK;
}

enum shoal_status shoal_objective_from_callback(shoal_objective_fn function, void *data, const char *name,
                                                struct shoal_objective **out, struct shoal_error *error)
{
    return from_callback(function, NULL, data, name, out, error);
}

enum shoal_status shoal_objective_from_points_callback(shoal_objective_points_fn function, void *data,
                                                       const char *name, struct shoal_objective **out,
                                                       struct shoal_error *error)
{
    return from_callback(NULL, function, data, name, out, error);
}
