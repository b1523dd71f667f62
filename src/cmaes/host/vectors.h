/* Private: the vectors of points on the host, computed for several points or coordinates together, in loops
 * that become vector code. Each sum has the order of cl/cmaes/model. */
#ifndef SHOAL_CMAES_VECTORS_H
#define SHOAL_CMAES_VECTORS_H

#include "base/vectors/log.h"
#include "base/vectors/random.h"
#include "cmaes/host/host.h"
#include "cmaes/model/population.clh"

/* Draws `count` coordinates of the vectors of `points` points from point n on, from coordinate `first` on, at
 * most 4 RANDOM_TOGETHER. The numbers of all points are computed in the same loops. */
static inline void draw_normals(const struct cma_view *view, uint step, uint n, uint points, uint first,
                                uint count)
{
    enum { MOST = CMAES_BLOCK * 2 * RANDOM_TOGETHER };
    const uint pairs = (count + 1) / 2;
    double radius[MOST], turn[MOST], normal[2 * MOST];
    for (uint q = 0; q < points; q++) {
        struct shoal_words words[RANDOM_TOGETHER];
        random_together(view->seed, SHOAL_STREAM_CMAES_NORMAL, step, n + q, first / 4, words);
        for (uint i = 0; i < RANDOM_TOGETHER; i++) { /* numbers behind the last pair are overwritten */
            radius[q * pairs + 2 * i] = words[i].x;
            turn[q * pairs + 2 * i] = words[i].y;
            radius[q * pairs + 2 * i + 1] = words[i].z;
            turn[q * pairs + 2 * i + 1] = words[i].w;
        }
    }
    for (uint i = 0; i < points * pairs; i++)
        radius[i] = -2 * vector_log((radius[i] + 0.5) * 0x1p-32);
    for (uint i = 0; i < points * pairs; i++)
        radius[i] = sqrt(radius[i]);
    for (uint i = 0; i < points * pairs; i++) {
        /* cos2pi and sin2pi of an angle in [0, 1) */
        const double u = turn[i] * 0x1p-32, part = u > 0.5 ? u - 1 : u, angle = fabs(part);
        const double sine = sin_quarter_turns(4 * (angle > 0.25 ? 0.5 - angle : angle));
        normal[2 * i] = radius[i] * sin_quarter_turns(1 - 4 * angle);
        normal[2 * i + 1] = radius[i] * (part < 0 ? -sine : sine);
    }
    for (uint q = 0; q < points; q++)
        memcpy(view->z + (n + q) * view->dim + first, normal + 2 * q * pairs, count * sizeof *normal);
}

/* Draws the vectors z of up to CMAES_BLOCK points from point n on in step `step`: the numbers of
 * cma_draw_quad, but for the last digits of their logarithms. */
static inline void draw_points(const struct cma_view *view, uint step, uint n, uint points)
{
    const uint most = 4 * RANDOM_TOGETHER;
    for (uint d = 0; d < view->dim; d += most)
        draw_normals(view, step, n, points, d, min(view->dim - d, most));
}

/* Sets y = A z for up to CMAES_BLOCK points from point n on. room: [2 dim][CMAES_BLOCK]. */
static inline void transform_block(const struct cma_view *view, uint n, uint count, double *restrict room)
{
    const uint dim = view->dim;
    const double *restrict a = cma_factor(view), *z = view->z + n * dim;
    double *y = view->y + n * dim, *restrict out = room + dim * CMAES_BLOCK;
    const double *row[CMAES_BLOCK];
    for (uint q = 0; q < CMAES_BLOCK; q++)
        row[q] = z + min(q, count - 1u) * dim;
    for (uint d = 0; d < dim; d++)
        for (uint q = 0; q < CMAES_BLOCK; q++)
            room[d * CMAES_BLOCK + q] = row[q][d];
    for (uint r = 0; r < dim; r++) {
        double sum[CMAES_BLOCK] = {0};
        for (uint c = 0, place = r; c <= r; c++) {
            for (uint q = 0; q < CMAES_BLOCK; q++)
                sum[q] += a[place] * room[c * CMAES_BLOCK + q];
            place += dim - 1 - c;
        }
        for (uint q = 0; q < CMAES_BLOCK; q++)
            out[r * CMAES_BLOCK + q] = sum[q];
    }
    for (uint q = 0; q < count; q++)
        for (uint d = 0; d < dim; d++)
            y[q * dim + d] = out[d * CMAES_BLOCK + q];
}

/* Sets y of up to CMAES_BLOCK points from point n on to the transformed z. */
static inline void transform_points(const struct cma_view *view, const struct cma_record *record, uint n,
                                    uint count, double *room)
{
    const uint dim = view->dim;
    if (view->form == CMA_FULL) {
        transform_block(view, n, count, room);
        return;
    }
    for (uint i = n; i < n + count; i++)
        if (view->form == CMA_LIMITED)
            cma_transform_limited(view, record, view->y + i * dim, view->z + i * dim);
        else
            cma_transform(view, view->y + i * dim, view->z + i * dim);
}

/* Adds z_n y_n^T of all points to C, for blocks of two columns and some rows, whose sums stay in registers.
 * The last block of a column ends with its last row, and has rows of earlier blocks or above the diagonal,
 * which are not stored. */
static void cma_add_full(const struct cma_view *view)
{
    enum { ROWS = 4 };
    const uint dim = view->dim;
    double *c = cma_covariance(view);
    for (uint column = 0; column < dim && dim < ROWS; column++)
        for (uint n = 0; n < view->lambda; n++)
            cma_add_multiple(c + cma_column(view, column) + column, view->y + n * dim + column,
                             view->z[n * dim + column], dim - column);
    for (uint column = 0; column < dim && dim >= ROWS; column += 2)
        for (uint r = column; r < dim; r += ROWS) {
            const uint first = min(r, dim - ROWS), begin = r - first, right = column + 1 < dim ? 1 : 0,
                       right_begin = right ? begin + (r == column) : (uint)ROWS;
            const double *y = view->y + first, *z = view->z + column;
            double *own = c + cma_column(view, column) + first,
                   *next = c + cma_column(view, column + 1) + first;
            double sum[ROWS] = {0}, other[ROWS] = {0};
            for (uint q = begin; q < ROWS; q++)
                sum[q] = own[q];
            for (uint q = right_begin; q < ROWS; q++)
                other[q] = next[q];
            for (uint n = 0; n < view->lambda; n++, y += dim, z += dim)
                for (uint q = 0; q < ROWS; q++) {
                    sum[q] += z[0] * y[q];
                    other[q] += z[right] * y[q];
                }
            for (uint q = begin; q < ROWS; q++)
                own[q] = sum[q];
            for (uint q = right_begin; q < ROWS; q++)
                next[q] = other[q];
        }
}

#endif
