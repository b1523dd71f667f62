/* Private: the vectors of points on the host, computed for several points or coordinates together, in loops
 * that become vector code. Each sum has the order of cl/cmaes/model. */
#ifndef SHOAL_CMAES_VECTORS_H
#define SHOAL_CMAES_VECTORS_H

#include "base/vectors/log.h"
#include "base/vectors/random.h"
#include "cmaes/host/host.h"
#include "cmaes/model/population.clh"

/* Number of coordinates of each point that are drawn together: four for each block of random words. */
enum { NORMALS = 4 * RANDOM_ROWS };

/* Two normal numbers that come from one pair of random words. */
struct normals {
    double first, second;
};

/* Makes pairs of normal numbers of pairs of words, those of CMAES_BLOCK points together. */
static inline void make_normals(const double radii[CMAES_BLOCK], const double turns[CMAES_BLOCK],
                                struct normals normals[CMAES_BLOCK])
{
    double first[CMAES_BLOCK], second[CMAES_BLOCK];
    for (uint q = 0; q < CMAES_BLOCK; q++) {
        const double radius = sqrt(-2 * vector_log((radii[q] + 0.5) * 0x1p-32));
        /* cos2pi and sin2pi of an angle in [0, 1) */
        const double u = turns[q] * 0x1p-32, part = u > 0.5 ? u - 1 : u, angle = fabs(part);
        const double sine = sin_quarter_turns(4 * (angle > 0.25 ? 0.5 - angle : angle));
        first[q] = radius * sin_quarter_turns(1 - 4 * angle);
        second[q] = radius * (part < 0 ? -sine : sine);
    }
    for (uint q = 0; q < CMAES_BLOCK; q++)
        normals[q] = (struct normals){first[q], second[q]};
}

/* Draws `count` coordinates of the vectors of `points` points from point n on, from coordinate `first` on, at
 * most NORMALS. */
static inline void draw_normals(const struct cma_view *view, uint step, uint n, uint points, uint first,
                                uint count)
{
    _Static_assert((int)CMAES_BLOCK == (int)RANDOM_TOGETHER, "the words of the points are drawn together");
    double words[NORMALS][CMAES_BLOCK];
    random_rows(view->seed, step, (struct random_draw){SHOAL_STREAM_CMAES_NORMAL, n, first / 4}, words);
    for (uint d = 0; d < count; d += 2) {
        struct normals normals[CMAES_BLOCK];
        make_normals(words[d], words[d + 1], normals);
        for (uint q = 0; q < points; q++) {
            double *z = view->z + (n + q) * view->dim + first + d;
            if (count - d >= 2)
                memcpy(z, &normals[q], sizeof normals[q]);
            else
                *z = normals[q].first;
        }
    }
}

/* Draws the vectors z of up to CMAES_BLOCK points from point n on in step `step`: the numbers of
 * cma_draw_quad, but for the last digits of their logarithms. */
static inline void draw_points(const struct cma_view *view, uint step, uint n, uint points)
{
    for (uint d = 0; d < view->dim; d += NORMALS)
        draw_normals(view, step, n, points, d, min(view->dim - d, (uint)NORMALS));
}

/* A tile of a matrix has TILE columns, whose TILE rows are a vector. */
enum { TILE = 4 };
typedef double tile_column __attribute__((vector_size(TILE * sizeof(double))));
typedef int64_t tile_rows __attribute__((vector_size(TILE * sizeof(int64_t))));

/* Sets the rows of *out from row `begin` of the tile on, if there are any. */
static inline void set_rows(tile_column *out, const tile_column *rows, int begin)
{
    const tile_rows is_set = (tile_rows){0, 1, 2, 3} >= begin;
    *out = (tile_column)((is_set & (tile_rows)*rows) | (~is_set & (tile_rows)*out));
}

/* Loads column `column` of a packed matrix, in the rows of a tile from row `first` on; 0 above the diagonal.
 * In memory, the end of the column before is above the diagonal. */
static inline void load_column(const struct cma_view *view, const double *matrix, uint column, uint first,
                               tile_column *out)
{
    tile_column rows;
    memcpy(&rows, matrix + cma_column(view, column) + first, sizeof rows);
    *out = (tile_column){0};
    set_rows(out, &rows, (int)(column - first));
}

/* Sets y = A z for up to CMAES_BLOCK points from point n on, in tiles of rows. The last tile ends with the
 * last row, and has rows of the tile before it, which become the same again. */
static inline void transform_block(const struct cma_view *view, uint n, uint count)
{
    const uint dim = view->dim;
    const double *a = cma_factor(view), *z[CMAES_BLOCK];
    for (uint p = 0; p < CMAES_BLOCK; p++)
        z[p] = view->z + (n + min(p, count - 1u)) * dim;
    for (uint r = 0; r < dim; r += TILE) {
        const uint first = min(r, dim - TILE);
        tile_column sum[CMAES_BLOCK] = {{0}}, column;
        for (uint c = 0, place = first; c <= first; c++) {
            memcpy(&column, a + place, sizeof column);
            for (uint p = 0; p < CMAES_BLOCK; p++)
                sum[p] += column * z[p][c];
            place += dim - 1 - c;
        }
        for (uint c = first + 1; c < first + TILE; c++) {
            load_column(view, a, c, first, &column);
            for (uint p = 0; p < CMAES_BLOCK; p++)
                sum[p] += column * z[p][c];
        }
        for (uint p = 0; p < count; p++)
            memcpy(view->y + (n + p) * dim + first, &sum[p], sizeof sum[p]);
    }
}

/* Sets y of up to CMAES_BLOCK points from point n on to the transformed z. */
static inline void transform_points(const struct cma_view *view, const struct cma_record *record, uint n,
                                    uint count)
{
    const uint dim = view->dim;
    if (view->form == CMA_FULL && dim >= TILE) {
        transform_block(view, n, count);
        return;
    }
    for (uint i = n; i < n + count; i++)
        if (view->form == CMA_LIMITED)
            cma_transform_limited(view, record, view->y + i * dim, view->z + i * dim);
        else
            cma_transform(view, view->y + i * dim, view->z + i * dim);
}

/* target = factor source, in tiles of rows. */
static inline void cma_set_multiple(double *target, const double *source, double factor, uint count)
{
    tile_column rows;
    for (uint i = 0; i < count && count < TILE; i++)
        target[i] = factor * source[i];
    for (uint i = 0; i < count && count >= TILE; i += TILE) {
        const uint first = min(i, count - TILE);
        memcpy(&rows, source + first, sizeof rows);
        rows *= factor;
        memcpy(target + first, &rows, sizeof rows);
    }
}

/* Adds z of the points of a list, each times its weight, to `sum`, in tiles of rows. The last tile is the
 * last TILE numbers, of which the first ones have their sums already. */
static inline void add_listed(const struct cma_view *view, const double *weights, const uint *list,
                              uint count, double *sum)
{
    const uint dim = view->dim;
    for (uint i = 0; i < count && dim < TILE; i++)
        cma_add_multiple(sum, view->z + list[i] * dim, weights[list[i]], dim);
    for (uint d = 0; d < dim && dim >= TILE; d += TILE) {
        const uint first = min(d, dim - TILE);
        tile_column total, own, rows;
        memcpy(&own, sum + first, sizeof own);
        total = own;
        for (uint i = 0; i < count; i++) {
            memcpy(&rows, view->z + list[i] * dim + first, sizeof rows);
            total += weights[list[i]] * rows;
        }
        set_rows(&own, &total, (int)(d - first));
        memcpy(sum + first, &own, sizeof own);
    }
}

/* The points are listed by the signs of their weights, which are in no order, before they are used: a branch
 * would often be predicted wrong. */
static void cma_weigh_points(const struct cma_view *view, double *weights, double *mean_z)
{
    enum { LISTED = 64 };
    uint above[LISTED], below[LISTED];
    for (uint first = 0; first < view->lambda; first += LISTED) {
        const uint end = min(first + LISTED, view->lambda);
        uint positive = 0, negative = 0;
        for (uint n = first; n < end; n++) {
            above[positive] = below[negative] = n;
            positive += weights[n] > 0;
            negative += weights[n] < 0;
        }
        add_listed(view, weights, above, positive, mean_z);
        for (uint i = 0; i < negative; i++) {
            const double *z = view->z + below[i] * view->dim;
            double square = 0;
            for (uint d = 0; d < view->dim; d++)
                square += z[d] * z[d];
            weights[below[i]] *= square > 0 ? view->dim / square : 0;
        }
    }
}

/* Adds z_n y_n^T of all points to C in a tile of columns and rows, but only from column `column` and row
 * `row` on, which may be behind the first ones of the tile, and not above the diagonal. */
static inline void add_tile(const struct cma_view *view, uint column, uint row)
{
    const uint dim = view->dim, left = min(column, dim - TILE), first = min(row, dim - TILE);
    const double *y = view->y + first, *z = view->z + left;
    double *c = cma_covariance(view);
    tile_column sum[TILE], rows;
    for (uint p = 0; p < TILE; p++)
        memcpy(&sum[p], c + cma_column(view, left + p) + first, sizeof sum[p]);
    for (uint n = 0; n < view->lambda; n++, y += dim, z += dim) {
        memcpy(&rows, y, sizeof rows);
        for (uint p = 0; p < TILE; p++)
            sum[p] += z[p] * rows;
    }
    for (uint p = column - left; p < TILE; p++) {
        double *own = c + cma_column(view, left + p) + first;
        memcpy(&rows, own, sizeof rows);
        set_rows(&rows, &sum[p], (int)(max(row, left + p) - first));
        memcpy(own, &rows, sizeof rows);
    }
}

/* Adds z_n y_n^T of all points to C. */
static void cma_add_full(const struct cma_view *view)
{
    const uint dim = view->dim;
    for (uint column = 0; column < dim && dim < TILE; column++)
        for (uint n = 0; n < view->lambda; n++)
            cma_add_multiple(cma_covariance(view) + cma_column(view, column) + column,
                             view->y + n * dim + column, view->z[n * dim + column], dim - column);
    for (uint column = 0; column < dim && dim >= TILE; column += TILE)
        for (uint row = column; row < dim; row += TILE)
            add_tile(view, column, row);
}

/* Computes the rows of column `column` of the Cholesky factor from row `row` on, for a tile. inverse: 1 over
 * the diagonal element; set with it, in the first tile of the column. Returns whether C can be positive
 * definite. */
static inline bool factor_tile(const struct cma_view *view, uint column, uint row, double *inverse)
{
    const uint first = min(row, view->dim - TILE);
    double *a = cma_factor(view), *own = a + cma_column(view, column) + first;
    tile_column sum, rows;
    memcpy(&sum, cma_covariance(view) + cma_column(view, column) + first, sizeof sum);
    for (uint k = 0; k < column; k++) {
        const double *earlier = a + cma_column(view, k);
        memcpy(&rows, earlier + first, sizeof rows);
        sum -= earlier[column] * rows;
    }
    const double pivot = row == column ? sum[row - first] : 1;
    if (!(pivot > 0 && pivot < INFINITY))
        return false;
    if (row == column)
        *inverse = 1 / sqrt(pivot);
    sum *= *inverse;
    if (row == column)
        sum[row - first] = sqrt(pivot);
    memcpy(&rows, own, sizeof rows);
    set_rows(&rows, &sum, (int)(row - first));
    memcpy(own, &rows, sizeof rows);
    return true;
}

/* Computes the Cholesky factor of C, column by column, each with the columns before it: the sums of
 * cma_factor_columns. Returns 0 where C is not positive definite. */
static int cma_factor_full(const struct cma_view *view)
{
    const uint dim = view->dim;
    if (dim < TILE)
        return cma_factor_columns(view);
    for (uint column = 0; column < dim; column++) {
        double inverse = 0;
        for (uint row = column; row < dim; row += TILE)
            if (!factor_tile(view, column, row, &inverse))
                return 0;
    }
    return 1;
}

#endif
