/* Textbook formulas, on purpose not the rearranged ones of the kernels: a result is checked against these. */
#include <math.h>
#include <shoal/objective.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double sphere(const double *x, size_t dim)
{
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d];
    return sum;
}

static double rosenbrock(const double *x, size_t dim)
{
    double sum = 0;
    for (size_t d = 0; d + 1 < dim; d++) {
        double valley = x[d + 1] - x[d] * x[d], slope = 1 - x[d];
        sum += 100 * valley * valley + slope * slope;
    }
    return sum;
}

static double rastrigin(const double *x, size_t dim)
{
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d] - 10 * cos(2 * pi * x[d]) + 10;
    return sum;
}

static double ackley(const double *x, size_t dim)
{
    double squares = 0, waves = 0, n = (double)dim;
    for (size_t d = 0; d < dim; d++) {
        squares += x[d] * x[d];
        waves += cos(2 * pi * x[d]);
    }
    return -20 * exp(-0.2 * sqrt(squares / n)) - exp(waves / n) + 20 + exp(1);
}

static double griewank(const double *x, size_t dim)
{
    double sum = 0, product = 1;
    for (size_t d = 0; d < dim; d++) {
        sum += x[d] * x[d] / 4000;
        product *= cos(x[d] / sqrt((double)d + 1));
    }
    return 1 + sum - product;
}

static const struct shoal_objective objectives[] = {
    [SHOAL_SPHERE] = {.size = sizeof(struct shoal_objective),
                      .name = "sphere",
                      .formula = "sum x[d]^2",
                      .lower = -5.12,
                      .upper = 5.12,
                      .min_dim = 1,
                      .value = sphere},
    [SHOAL_ROSENBROCK] = {.size = sizeof(struct shoal_objective),
                          .name = "rosenbrock",
                          .formula = "sum 100 (x[d+1] - x[d]^2)^2 + (1 - x[d])^2",
                          .lower = -30,
                          .upper = 30,
                          .min_dim = 2,
                          .minimiser = 1,
                          .value = rosenbrock},
    [SHOAL_RASTRIGIN] = {.size = sizeof(struct shoal_objective),
                         .name = "rastrigin",
                         .formula = "sum x[d]^2 - 10 cos(2 pi x[d]) + 10",
                         .lower = -5.12,
                         .upper = 5.12,
                         .min_dim = 1,
                         .value = rastrigin},
    [SHOAL_ACKLEY] = {.size = sizeof(struct shoal_objective),
                      .name = "ackley",
                      .formula = "20 + e - 20 exp(-0.2 sqrt(mean x[d]^2)) - exp(mean cos(2 pi x[d]))",
                      .lower = -32,
                      .upper = 32,
                      .min_dim = 1,
                      .value = ackley},
    [SHOAL_GRIEWANK] = {.size = sizeof(struct shoal_objective),
                        .name = "griewank",
                        .formula = "1 + sum x[d]^2 / 4000 - product cos(x[d] / sqrt(d + 1))",
                        .lower = -600,
                        .upper = 600,
                        .min_dim = 1,
                        .value = griewank},
};

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
        if (strcmp(objectives[i].name, name) == 0)
            return &objectives[i];
    return NULL;
}
