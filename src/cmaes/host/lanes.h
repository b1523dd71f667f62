/* Private: points on the host whose coordinates are computed for CMAES_BLOCK points together, each in a lane
 * of vectors. Each sum has the order of cl/cmaes/model. */
#ifndef SHOAL_CMAES_LANES_H
#define SHOAL_CMAES_LANES_H

#include "base/vectors/log.h"
#include "base/vectors/random.h"
#include "cmaes/host/host.h"
#include "cmaes/model/population.clh"

/* Number of coordinates of each point that are drawn together, four for each block of random words. */
enum { NORMALS = 4 * RANDOM_ROWS };

/* A coordinate of CMAES_BLOCK points. */
typedef double point_lanes __attribute__((vector_size(CMAES_BLOCK * sizeof(double))));
/* As many numbers of an array. */
typedef double stored_lanes
    __attribute__((vector_size(CMAES_BLOCK * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Sets `radii` to the lengths of pairs of normal numbers, from their first words. */
static inline void find_radii(double words[][CMAES_BLOCK], uint pairs, double radii[][CMAES_BLOCK])
{
    for (uint p = 0; p < pairs; p++)
#pragma omp simd
        for (uint q = 0; q < CMAES_BLOCK; q++)
            radii[p][q] = sqrt(-2 * vector_log((words[2 * p][q] + 0.5) * 0x1p-32));
}

/* Sets z to pairs of normal numbers, from their lengths and their second words. */
static inline void turn_radii(double words[][CMAES_BLOCK], uint pairs, double radii[][CMAES_BLOCK],
                              point_lanes *z)
{
    for (uint p = 0; p < pairs; p++) {
        double first[CMAES_BLOCK], second[CMAES_BLOCK];
#pragma omp simd
        for (uint q = 0; q < CMAES_BLOCK; q++) {
            /* As cos2pi and sin2pi, of the angle word / 2^32 in turns. All numbers are exact up to the
             * polynomials. */
            const double word = words[2 * p + 1][q], turns = (word + 0x1.8p84) - 0x1.8p84,
                         part = word - turns;
            const double k = 1 - 0x1p-30 * fabs(part);
            first[q] = radii[p][q] * sin_quarter_turns(k);
            second[q] = radii[p][q] * sin_quarter_turns(copysign(1 - fabs(k), part));
        }
        z[2 * p] = *(const stored_lanes *)first;
        z[2 * p + 1] = *(const stored_lanes *)second;
    }
}

/* Draws `count` coordinates, at most NORMALS, of the vectors of CMAES_BLOCK points from point n on, from
 * coordinate `first` on: the numbers of cma_draw_quad, but for the last digits of their logarithms. z has
 * room for an even number of coordinates. */
static inline void draw_lanes(const struct cma_view *view, uint step, uint n, uint first, uint count,
                              point_lanes *z)
{
    _Static_assert((int)CMAES_BLOCK == (int)RANDOM_TOGETHER, "the words of the points are drawn together");
    double words[NORMALS][CMAES_BLOCK], radii[NORMALS / 2][CMAES_BLOCK];
    const uint pairs = (count + 1) / 2;
    random_rows(view->seed, step, (struct random_draw){SHOAL_STREAM_CMAES_NORMAL, n, first / 4}, words);
    find_radii(words, pairs, radii);
    turn_radii(words, pairs, radii, z);
}

/* Stores four coordinates of CMAES_BLOCK points in rows, `width` numbers apart. */
static inline void store_four(const point_lanes *v, double *rows, size_t width)
{
    const point_lanes a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6),
                      b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7),
                      c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6),
                      d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    *(stored_lanes *)rows = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    *(stored_lanes *)(rows + width) = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    *(stored_lanes *)(rows + 2 * width) = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    *(stored_lanes *)(rows + 3 * width) = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* Stores one coordinate of CMAES_BLOCK points. */
static inline void store_one(const point_lanes *v, double *rows, size_t width)
{
    for (size_t q = 0; q < CMAES_BLOCK; q++)
        rows[q * width] = (*v)[q];
}

/* Sets y to coordinates r .. r + count - 1 of A z. a: A; count: a constant of the caller, 1 or 4. */
static inline void transform_lanes(const double *a, size_t dim, const point_lanes *z, size_t r, size_t count,
                                   point_lanes *y)
{
    point_lanes sum[4] = {{0}};
    a += r; /* the rows in a column */
    for (size_t c = 0; c <= r; c++) {
        for (size_t p = 0; p < count; p++)
            sum[p] += a[p] * z[c];
        a += dim - 1 - c;
    }
    for (size_t k = 1; k < count; k++) {
        for (size_t p = k; p < count; p++)
            sum[p] += a[p] * z[r + k];
        a += dim - 1 - (r + k);
    }
    for (size_t p = 0; p < count; p++)
        y[p] = sum[p];
}

/* The least and the largest coordinate of points in units of the box. */
struct lanes_range {
    double least[CMAES_BLOCK], most[CMAES_BLOCK];
};

/* Sets x to coordinate d of the points mean + sigma y, and adds the coordinate to the range. */
static inline void place_lanes(const struct search_problem *problem, const struct cma_view *view,
                               double sigma, uint d, const point_lanes *y, point_lanes *x,
                               struct lanes_range *range)
{
    const double lower = problem->lower[d], upper = problem->upper[d], width = upper - lower,
                 mean = cma_vector(view, CMA_MEAN)[d];
#pragma omp simd
    for (uint q = 0; q < CMAES_BLOCK; q++) {
        const double u = mean + sigma * (*y)[q];
        range->least[q] = min(range->least[q], u);
        range->most[q] = max(range->most[q], u);
        (*x)[q] = min(lower + u * width, upper);
    }
}

#endif
