/* Values of the built-in objectives over orders by their definitions. */
#include "objective/instances/instance.h"

#include <math.h>
#include <stdlib.h>

double qap_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    if (!instance)
        return NAN;
    const double *a = instance->numbers, *b = a + dim * dim;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            sum += a[i * dim + j] * b[(size_t)x[i] * dim + (size_t)x[j]];
    return sum;
}

double qap_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i, size_t j)
{
    const struct instance *instance = instance_of(objective);
    if (!instance)
        return NAN;
    const double *a = instance->numbers, *b = a + dim * dim;
    const size_t p = (size_t)x[i], q = (size_t)x[j];
    double sum = 0;
    /* The terms in the rows and columns i and j of matrix a: their value after the exchange minus their value
     * before. */
    for (size_t k = 0; k < dim && i != j; k++) {
        const size_t now = (size_t)x[k], next = k == i ? q : k == j ? p : now;
        sum += a[i * dim + k] * (b[q * dim + next] - b[p * dim + now]);
        sum += a[j * dim + k] * (b[p * dim + next] - b[q * dim + now]);
        if (k == i || k == j)
            continue;
        sum += a[k * dim + i] * (b[next * dim + q] - b[now * dim + p]);
        sum += a[k * dim + j] * (b[next * dim + p] - b[now * dim + q]);
    }
    return sum;
}

/* An insertion reverses the order of the moved element and each element between its old and its new place. */
double linear_ordering_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                              size_t j)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    const size_t first = i < j ? i + 1 : j, last = i < j ? j + 1 : i;
    for (size_t k = first; instance && k < last; k++) {
        const double *numbers = instance->numbers;
        const size_t moved = (size_t)x[i], passed = (size_t)x[k];
        const double turned = numbers[passed * dim + moved] - numbers[moved * dim + passed];
        sum += i < j ? turned : -turned;
    }
    return instance ? sum : NAN;
}

double linear_ordering_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    for (size_t i = 0; instance && i < dim; i++)
        for (size_t j = i + 1; j < dim; j++)
            sum += instance->numbers[(size_t)x[i] * dim + (size_t)x[j]];
    return instance ? sum : NAN;
}

/* Computes the makespan, machine by machine. On each machine, the jobs follow each other in the given
 * order. */
double flow_shop_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    enum { FEW = 512 };
    const struct instance *instance = instance_of(objective);
    double few[FEW] = {0}, last = NAN;
    if (!instance)
        return NAN;
    double *end = dim <= FEW ? few : calloc(dim, sizeof *end); /* end of each job on the previous machine */
    for (size_t machine = 0; end && machine < instance->rows; machine++) {
        last = 0;
        for (size_t i = 0; i < dim; i++) {
            last = fmax(last, end[i]) + instance->numbers[machine * dim + (size_t)x[i]];
            end[i] = last;
        }
    }
    if (end != few)
        free(end);
    return last;
}

const double *tour_points(const struct shoal_objective *objective, size_t *count, size_t *dim)
{
    const struct instance *instance = objective->value == tour_value ? instance_of(objective) : NULL;
    *count = instance ? instance->rows : 0;
    *dim = instance ? instance->columns : 0;
    return instance ? instance->numbers : NULL;
}

double tour_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    for (size_t i = 0; instance && i < dim; i++) {
        /* The edge from the last to the first element is added first, as in the kernel, so that sums have the
         * same order. */
        const double *from = instance->numbers + (size_t)x[i ? i - 1 : dim - 1] * instance->columns;
        const double *to = instance->numbers + (size_t)x[i] * instance->columns;
        double square = 0;
        for (size_t c = 0; c < instance->columns; c++)
            square += (to[c] - from[c]) * (to[c] - from[c]);
        sum += sqrt(square);
    }
    return instance ? sum : NAN;
}
