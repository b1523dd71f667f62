/* The 24 functions as data, and their instances as tables. */
#include "objective/instances/instance.h"
#include "base/error.h"
#include "objective/bbob/bbob.h"

#include <math.h>
#include <string.h>

static const struct bbob_function functions[BBOB_FUNCTIONS] = {
    {1, BBOB_UNIFORM, BBOB_NONE, BBOB_NONE, .value = bbob_sphere},
    {2, BBOB_UNIFORM, BBOB_NONE, BBOB_NONE, .value = bbob_ellipsoid},
    {3, BBOB_UNIFORM, BBOB_NONE, BBOB_NONE, .value = bbob_rastrigin},
    {3, BBOB_ABSOLUTE, BBOB_NONE, BBOB_NONE, .value = bbob_bueche_rastrigin},
    {5, BBOB_CORNER, BBOB_NONE, BBOB_NONE, .value = bbob_slope},
    {6, BBOB_UNIFORM, BBOB_R_S_Q, BBOB_NONE, 10, .value = bbob_attractive_sector},
    {7, BBOB_UNIFORM, BBOB_S_Q, BBOB_R, 10, .value = bbob_step_ellipsoid},
    {8, BBOB_THREE_QUARTERS, BBOB_NONE, BBOB_NONE, .value = bbob_rosenbrock},
    {9, BBOB_VALLEY, BBOB_VALLEY_Q, BBOB_NONE, .value = bbob_rotated_rosenbrock},
    {10, BBOB_UNIFORM, BBOB_R, BBOB_NONE, .value = bbob_rotated_ellipsoid},
    {11, BBOB_UNIFORM, BBOB_R, BBOB_NONE, .value = bbob_discus},
    {12, BBOB_UNIFORM_LATER, BBOB_R, BBOB_NONE, .value = bbob_bent_cigar},
    {13, BBOB_UNIFORM, BBOB_R_S_Q, BBOB_NONE, 10, .value = bbob_sharp_ridge},
    {14, BBOB_UNIFORM, BBOB_R, BBOB_NONE, .value = bbob_different_powers},
    {15, BBOB_UNIFORM, BBOB_R, BBOB_R_S_Q, 10, .value = bbob_rotated_rastrigin},
    {16, BBOB_UNIFORM, BBOB_R, BBOB_R_S_Q, 0.01, .value = bbob_weierstrass},
    {17, BBOB_UNIFORM, BBOB_R, BBOB_S_Q, 10, .value = bbob_schaffer},
    {17, BBOB_UNIFORM, BBOB_R, BBOB_S_Q, 1000, .value = bbob_schaffer},
    {19, BBOB_VALLEY, BBOB_VALLEY_Q, BBOB_NONE, .value = bbob_griewank_rosenbrock},
    {20, BBOB_SCHWEFEL, BBOB_NONE, BBOB_NONE, .value = bbob_schwefel},
    {21, BBOB_PEAK, BBOB_Q, BBOB_NONE, .peaks = 101, .peak_span = 10, .highest_condition = 31.622776601683793,
     .value = bbob_gallagher_101},
    {22, BBOB_PEAK, BBOB_Q, BBOB_NONE, .peaks = 21, .peak_span = 9.8, .highest_condition = 1000,
     .value = bbob_gallagher_21},
    {23, BBOB_UNIFORM, BBOB_R_S_Q, BBOB_NONE, 100, .value = bbob_katsuura},
    {24, BBOB_LUNACEK, BBOB_S_Q, BBOB_R, 100, .value = bbob_lunacek},
};

/* Terms that are added to the seed of an instance: for rotation R, for each number of an instance, and for
 * the condition of each peak. */
static const uint32_t seed_of_r = 1000000, seed_of_instance = 10000, seed_of_peak = 1000;

/* Returns the least value of an instance: 100 times the ratio of two normal numbers, rounded to hundredths
 * and limited to +-1000. */
static double least_value(uint32_t seed)
{
    double above, below;
    bbob_normal(&above, 1, seed);
    bbob_normal(&below, 1, seed + 1);
    return fmin(1000, fmax(-1000, floor(100 * 100 * above / below + 0.5) / 100));
}

static void write_matrix(const struct bbob_function *function, enum bbob_matrix kind, size_t dim,
                         uint32_t seed, double *out)
{
    double q[BBOB_MAX_DIM * BBOB_MAX_DIM], r[BBOB_MAX_DIM * BBOB_MAX_DIM];
    bbob_rotation(q, dim, seed);
    bbob_rotation(r, dim, seed + seed_of_r);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            const size_t at = i * dim + j;
            double product = 0;
            for (size_t k = 0; k < dim; k++)
                product += r[i * dim + k] * bbob_power(sqrt(function->stretch), k, dim) * q[k * dim + j];
            out[at] = kind == BBOB_Q          ? q[at]
                      : kind == BBOB_R        ? r[at]
                      : kind == BBOB_S_Q      ? bbob_power(sqrt(function->stretch), i, dim) * q[at]
                      : kind == BBOB_VALLEY_Q ? bbob_valley(dim) * q[at]
                                              : product;
        }
}

/* Writes two rows for each peak: the position multiplied by Q, and the scales. The first peak is the highest
 * one. */
static void write_peaks(const struct bbob_function *function, size_t dim, uint32_t seed, const double *q,
                        double *out)
{
    enum { MOST_PEAKS = 101 };
    const double span = function->peak_span;
    double uniform[MOST_PEAKS * BBOB_MAX_DIM], place[BBOB_MAX_DIM];
    size_t order[MOST_PEAKS - 1], exponents[BBOB_MAX_DIM];
    bbob_uniform(uniform, dim * function->peaks, seed);
    bbob_order(order, function->peaks - 1, seed);
    for (size_t p = 0; p < function->peaks; p++) {
        double *const places = out + 2 * p * dim, *const scales = places + dim;
        const double condition =
            p ? pow(1000, (double)order[p - 1] / (double)(function->peaks - 2)) : function->highest_condition;
        for (size_t i = 0; i < dim; i++)
            place[i] = (p ? 1 : 0.8) * (span * uniform[p * dim + i] - span / 2);
        bbob_multiply(q, dim, place, places);
        bbob_order(exponents, dim, seed + seed_of_peak * (uint32_t)p);
        for (size_t i = 0; i < dim; i++)
            scales[i] = pow(condition, (double)exponents[i] / (double)(dim - 1) - 0.5);
    }
}

/* Writes the point with the least value. first: the first matrix of the instance. */
static void write_point(const struct bbob_function *function, size_t dim, uint32_t seed, const double *first,
                        double *out)
{
    double random[BBOB_MAX_DIM];
    if (function->point == BBOB_LUNACEK)
        bbob_normal(random, dim, seed);
    else
        bbob_uniform(random, dim, function->point == BBOB_UNIFORM_LATER ? seed + seed_of_r : seed);
    for (size_t i = 0; i < dim; i++) {
        double place = 8 * floor(1e4 * random[i]) / 1e4 - 4, column = 0;
        if (place == 0)
            place = -1e-5;
        for (size_t k = 0; k < dim && function->point == BBOB_VALLEY; k++)
            column += first[k * dim + i];
        switch (function->point) {
        case BBOB_UNIFORM:
        case BBOB_UNIFORM_LATER:
            out[i] = place;
            break;
        case BBOB_ABSOLUTE:
            out[i] = i % 2 ? place : fabs(place);
            break;
        case BBOB_THREE_QUARTERS:
            out[i] = 0.75 * place;
            break;
        case BBOB_CORNER:
            out[i] = copysign(5, place);
            break;
        case BBOB_SCHWEFEL:
            out[i] = copysign(4.2096874637 / 2, random[i] - 0.5);
            break;
        case BBOB_LUNACEK:
            out[i] = copysign(1.25, random[i]);
            break;
        /* solution of M x = (1/2, ..., 1/2), where the first matrix M is bbob_valley(dim) times a rotation */
        case BBOB_VALLEY:
            out[i] = 0.5 * column / pow(bbob_valley(dim), 2);
            break;
        case BBOB_PEAK:
            out[i] = 0.8 * (function->peak_span * random[i] - function->peak_span / 2);
            break;
        }
    }
}

static size_t rows_of(const struct bbob_function *function, size_t dim)
{
    return 2 + (function->first ? dim : 0) + (function->second ? dim : 0) + 2 * function->peaks;
}

/* Writes the table of an instance, except its least value. */
static void write_table(const struct bbob_function *function, uint32_t seed, size_t dim, double *table)
{
    table[1] = (double)(function - functions + 1);
    double *const point = table + dim, *const first = point + dim;
    double *const second = first + (function->first ? dim * dim : 0);
    if (function->first)
        write_matrix(function, function->first, dim, seed, first);
    if (function->second)
        write_matrix(function, function->second, dim, seed, second);
    if (function->peaks)
        write_peaks(function, dim, seed, first, second);
    write_point(function, dim, seed, first, point);
}

static uint32_t seed_of(const struct bbob_function *function, uint64_t instance)
{
    return function->seed + seed_of_instance * (uint32_t)instance;
}

enum shoal_status bbob_make(int number, uint32_t instance, size_t dim, struct instance_data *data,
                            struct shoal_error *error)
{
    const struct bbob_function *function = &functions[number - 1];
    const uint32_t seed = seed_of(function, instance);
    enum shoal_status status = instance_allocate(data, rows_of(function, dim), dim, error);
    if (status)
        return status;
    write_table(function, seed, dim, data->numbers);
    data->number = instance;
    data->best = data->numbers[0] = least_value(seed);
    return SHOAL_OK;
}

enum shoal_status bbob_make_several(const int *numbers, const uint64_t *instances, size_t count, size_t dim,
                                    struct instance_data *data, struct shoal_error *error)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t own = rows_of(&functions[numbers[i] - 1], dim);
        rows = own > rows ? own : rows;
    }
    enum shoal_status status = instance_allocate(data, count * rows, dim, error);
    for (size_t i = 0; i < count && !status; i++) {
        const struct bbob_function *function = &functions[numbers[i] - 1];
        write_table(function, seed_of(function, instances[i]), dim, data->numbers + i * rows * dim);
    }
    data->best = 0;
    return status;
}

static double value_of_table(const double *table, const double *x, size_t dim)
{
    const struct bbob_function *function = &functions[(int)table[1] - 1];
    const double *const point = table + dim, *const first = point + dim;
    const struct bbob of = {
        .dim = dim, .optimum = point, .first = first, .second = first + (function->first ? dim * dim : 0)};
    return function->value(&of, x) + table[0];
}

double bbob_value_of_run(const struct shoal_objective *objective, size_t run, const double *x, size_t dim)
{
    const struct instance *all = instance_of(objective);
    const size_t numbers = all->rows / objective->instances * dim;
    return value_of_table(all->numbers + run % objective->instances * numbers, x, dim);
}

double bbob_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct instance *instance = instance_of(objective);
    return instance ? value_of_table(instance->numbers, x, dim) : NAN;
}
