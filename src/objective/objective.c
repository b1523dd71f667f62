/* Textbook formulas, on purpose not the rearranged ones of the kernels: a result is checked against these. */
#include "objective/objective.h"
#include "base/error.h"
#include "compute/source.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double sphere(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d];
    return sum;
}

static double rosenbrock(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d + 1 < dim; d++) {
        double valley = x[d + 1] - x[d] * x[d], slope = 1 - x[d];
        sum += 100 * valley * valley + slope * slope;
    }
    return sum;
}

static double rastrigin(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d] - 10 * cos(2 * pi * x[d]) + 10;
    return sum;
}

static double ackley(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double squares = 0, waves = 0, n = (double)dim;
    for (size_t d = 0; d < dim; d++) {
        squares += x[d] * x[d];
        waves += cos(2 * pi * x[d]);
    }
    return -20 * exp(-0.2 * sqrt(squares / n)) - exp(waves / n) + 20 + exp(1);
}

static double griewank(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0, product = 1;
    for (size_t d = 0; d < dim; d++) {
        sum += x[d] * x[d] / 4000;
        product *= cos(x[d] / sqrt((double)d + 1));
    }
    return 1 + sum - product;
}

#define BUILT_IN(n, f, low, high, least_dim, at)                                                             \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = #n,                                                                                 \
                 .formula = f,                                                                               \
                 .shape = SHOAL_PER_DIMENSION,                                                               \
                 .lower = low,                                                                               \
                 .upper = high,                                                                              \
                 .min_dim = least_dim,                                                                       \
                 .max_dim = 1 << 20,                                                                         \
                 .minimiser = at},                                                                           \
        .file = "objective/" #n ".clh", .value = n                                                           \
    }

static const struct shoal_objective objectives[] = {
    BUILT_IN(sphere, "sum x[d]^2", -5.12, 5.12, 1, 0),
    BUILT_IN(rosenbrock, "sum 100 (x[d+1] - x[d]^2)^2 + (1 - x[d])^2", -30, 30, 2, 1),
    BUILT_IN(rastrigin, "sum x[d]^2 - 10 cos(2 pi x[d]) + 10", -5.12, 5.12, 1, 0),
    BUILT_IN(ackley, "20 + e - 20 exp(-0.2 sqrt(mean x[d]^2)) - exp(mean cos(2 pi x[d]))", -32, 32, 1, 0),
    BUILT_IN(griewank, "1 + sum x[d]^2 / 4000 - product cos(x[d] / sqrt(d + 1))", -600, 600, 1, 0),
};

const char *const objective_names[] = {"sphere", "rosenbrock", "rastrigin", "ackley", "griewank", NULL};

size_t shoal_objective_count(void)
{
    return sizeof objectives / sizeof *objectives;
}

const struct shoal_objective *shoal_objective_at(size_t index)
{
    return index < shoal_objective_count() ? &objectives[index] : NULL;
}

const struct shoal_objective *shoal_objective_find(const char *name)
{
    for (size_t i = 0; i < shoal_objective_count(); i++)
        if (strcmp(objectives[i].info.name, name) == 0)
            return &objectives[i];
    return NULL;
}

const struct shoal_objective_info *shoal_objective_get_info(const struct shoal_objective *objective)
{
    return &objective->info;
}

double shoal_objective_minimum(const struct shoal_objective *objective, size_t dim)
{
    return objective->minimum ? objective->minimum(dim) : objective->info.minimum;
}

double shoal_objective_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    return objective->value(objective, x, dim);
}

void shoal_objective_destroy(struct shoal_objective **objective)
{
    if (objective && *objective && (*objective)->destroy) {
        (*objective)->destroy(*objective);
        *objective = NULL;
    }
}

enum shoal_status objective_kernel_text(const struct shoal_objective *objective,
                                        struct shoal_kernel_text *text, struct shoal_error *error)
{
    if (!objective->file && !objective->text)
        return fail(error, SHOAL_UNSUPPORTED, "%s is a C function: it runs on the host device only",
                    objective->info.name);
    *text = (struct shoal_kernel_text){
        .file = "objective/snippet.clh",
        .text = objective->text ? objective->text : source_embedded(objective->file),
        .shown = objective->text ? objective->text_name : objective->file};
    return SHOAL_OK;
}
