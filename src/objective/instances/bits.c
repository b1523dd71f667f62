/* Values of the built-in objectives over bits, by their definitions. Results of kernels are checked against
 * these functions. */
#include "objective/instances/instance.h"

#include <math.h>

double onemax_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double sum = 0;
    (void)objective;
    for (size_t i = 0; i < dim; i++)
        sum += x[i];
    return sum;
}

double onemax_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i, size_t j)
{
    (void)objective;
    (void)dim;
    (void)j;
    return 1 - 2 * x[i];
}

double leading_ones_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double sum = 0, product = 1;
    (void)objective;
    for (size_t i = 0; i < dim; i++) {
        product *= x[i];
        sum += product;
    }
    return sum;
}

double ones_best(size_t dim)
{
    return (double)dim;
}

static double trap_value(const double *x, size_t dim, size_t size)
{
    double sum = 0;
    for (size_t first = 0; first < dim; first += size) {
        const size_t count = first + size <= dim ? size : dim - first;
        const double ones = onemax_value(NULL, x + first, count);
        sum += ones == (double)count ? ones : (double)count - 1 - ones;
    }
    return sum;
}

double trap_4_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    return trap_value(x, dim, 4);
}

double trap_5_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    return trap_value(x, dim, 5);
}

double royal_road_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double sum = 0;
    (void)objective;
    for (size_t block = 0; block < dim / 8; block++)
        sum += onemax_value(NULL, x + 8 * block, 8) == 8 ? 8 : 0;
    return sum;
}

double royal_road_best(size_t dim)
{
    return (double)(dim / 8 * 8);
}

/* Returns the HIFF value of a block of 2^k bits: 2^k if all bits are equal, plus the values of both
 * halves. */
static double hiff_block(const double *x, size_t size)
{
    const double ones = onemax_value(NULL, x, size);
    const double own = ones == 0 || ones == (double)size ? (double)size : 0;
    return size == 1 ? own : own + hiff_block(x, size / 2) + hiff_block(x + size / 2, size / 2);
}

/* If the dimension is not a power of two, it is a sum of different powers of two; each of them has a tree of
 * its own, the largest first. */
double hiff_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double sum = 0;
    size_t size = 1;
    (void)objective;
    while (size <= dim / 2)
        size *= 2;
    for (size_t first = 0; first < dim; size /= 2)
        if (first + size <= dim) {
            sum += hiff_block(x + first, size);
            first += size;
        }
    return sum;
}

double hiff_best(size_t dim)
{
    double sum = 0;
    for (size_t size = 1; size <= dim; size *= 2)
        sum += (double)(dim / size * size);
    return sum;
}

double labs_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    double energy = 0;
    (void)objective;
    for (size_t k = 1; k < dim; k++) {
        double c = 0;
        for (size_t i = 0; i + k < dim; i++)
            c += (2 * x[i] - 1) * (2 * x[i + k] - 1);
        energy += c * c;
    }
    return energy;
}

/* Returns the optimal value by Packebusch and Mertens 2016; 0: the table has none for this dimension. */
double labs_best(size_t dim)
{
    static const unsigned char energies[] = {
        0,   0,   0,   1,   2,   2,   7,   3,   8,   12,  13,  5,   10,  6,  19,  15, 24, 32, 25, 29,  26,
        26,  39,  47,  36,  36,  45,  37,  50,  62,  59,  67,  64,  64,  65, 73,  82, 86, 87, 99, 108, 108,
        101, 109, 122, 118, 131, 135, 140, 136, 153, 153, 166, 170, 175, 0,  192, 0,  0,  0,  218};
    const size_t known = sizeof energies;
    return dim == 1 || dim == 2 ? (double)(dim - 1) : dim < known && energies[dim] ? energies[dim] : NAN;
}

double nk_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    for (size_t i = 0; instance && i < dim; i++) {
        size_t state = 0, j = i;
        for (size_t span = 1; span < instance->columns; span *= 2, j++)
            state = 2 * state + (size_t)x[j % dim];
        sum += instance->numbers[i * instance->columns + state];
    }
    return instance ? sum : NAN;
}

double max_sat_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    (void)dim;
    if (!instance)
        return NAN;
    const double *numbers = instance->numbers, *weights = numbers + (size_t)numbers[0] + 2;
    for (size_t clause = 0; clause < (size_t)numbers[0]; clause++) {
        bool is_true = false;
        for (double at = numbers[clause + 1]; at < numbers[clause + 2]; at++) {
            const double literal = numbers[(size_t)at];
            is_true |= x[(size_t)fabs(literal) - 1] == (literal > 0);
        }
        sum += is_true ? 0 : weights[clause];
    }
    return sum;
}

double knapsack_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double excess = 0, profit = 0;
    if (!instance)
        return NAN;
    for (size_t row = 0; row + 1 < instance->rows; row++) {
        const double *numbers = instance->numbers + row * instance->columns;
        double sum = 0;
        for (size_t i = 0; i < dim; i++)
            sum += x[i] * numbers[i];
        if (row == 0)
            profit = sum;
        else
            excess += fmax(sum - numbers[dim], 0);
    }
    return excess > 0 ? -excess : profit;
}

double max_cut_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    (void)dim;
    for (size_t e = 0; instance && e < instance->rows; e++) {
        const double *edge = instance->numbers + 3 * e;
        sum += fabs(x[(size_t)edge[0]] - x[(size_t)edge[1]]) * edge[2];
    }
    return instance ? sum : NAN;
}

double qubo_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    double sum = 0;
    (void)dim;
    for (size_t e = 0; instance && e < instance->rows; e++) {
        const double *entry = instance->numbers + 3 * e;
        sum += x[(size_t)entry[0]] * x[(size_t)entry[1]] * entry[2];
    }
    return instance ? sum : NAN;
}
