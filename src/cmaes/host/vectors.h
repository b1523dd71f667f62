/* Private: the vectors of points on the host, computed for several points or coordinates together, in loops
 * that become vector code. Each sum has the order of cl/cmaes/model. */
#ifndef SHOAL_CMAES_VECTORS_H
#define SHOAL_CMAES_VECTORS_H

#include "cmaes/host/lanes.h"

/* Draws the vectors z of up to CMAES_BLOCK points from point n on in step `step`. */
static inline void draw_points(const struct cma_view *view, uint step, uint n, uint points)
{
    for (uint first = 0; first < view->dim; first += NORMALS) {
        const uint count = min(view->dim - first, (uint)NORMALS);
        point_lanes lanes[NORMALS];
        draw_lanes(view, step, n, first, count, lanes);
        for (uint q = 0; q < points; q++)
            for (uint d = 0; d < count; d++)
                view->z[(n + q) * view->dim + first + d] = lanes[d][q];
    }
}

/* A tile of a matrix has TILE columns, whose TILE rows are a vector. */
enum { TILE = 4 };
typedef double tile_column __attribute__((vector_size(TILE * sizeof(double))));
typedef int64_t tile_rows __attribute__((vector_size(TILE * sizeof(int64_t))));
/* TILE numbers of an array. */
typedef double stored_column
    __attribute__((vector_size(TILE * sizeof(double)), aligned(sizeof(double)), may_alias));

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
    const tile_column rows = *(const stored_column *)(matrix + cma_column(view, column) + first);
    *out = (tile_column){0};
    set_rows(out, &rows, (int)(column - first));
}

/* Sets y = A z for `count` vectors, a constant of the caller, in tiles of rows. The last tile ends with the
 * last row, and has rows of the tile before it, which become the same again. */
static inline void transform_tiles(const struct cma_view *view, const double *const z[], double *const y[],
                                   uint count)
{
    const uint dim = view->dim;
    const double *a = cma_factor(view);
    for (uint r = 0; r < dim; r += TILE) {
        const uint first = min(r, dim - TILE);
        tile_column sum[CMAES_BLOCK] = {{0}}, column;
        for (uint c = 0, place = first; c <= first; c++) {
            for (uint p = 0; p < count; p++)
                sum[p] += *(const stored_column *)(a + place) * z[p][c];
            place += dim - 1 - c;
        }
        for (uint c = first + 1; c < first + TILE; c++) {
            load_column(view, a, c, first, &column);
            for (uint p = 0; p < count; p++)
                sum[p] += column * z[p][c];
        }
        for (uint p = 0; p < count; p++)
            *(stored_column *)(y[p] + first) = sum[p];
    }
}

static inline void cma_transform_full(const struct cma_view *view, double *y, const double *z)
{
    if (view->dim >= TILE)
        transform_tiles(view, &z, &y, 1);
    else
        cma_transform_columns(view, y, z);
}

/* Sets y of up to CMAES_BLOCK points from point n on to the transformed z. */
static inline void transform_points(const struct cma_view *view, const struct cma_record *record, uint n,
                                    uint count)
{
    const uint dim = view->dim;
    if (view->form == CMA_FULL && dim >= TILE) {
        const double *z[CMAES_BLOCK];
        double *y[CMAES_BLOCK];
        for (uint p = 0; p < CMAES_BLOCK; p++) {
            z[p] = view->z + (n + min(p, count - 1u)) * dim;
            y[p] = view->y + (n + min(p, count - 1u)) * dim;
        }
        transform_tiles(view, z, y, CMAES_BLOCK);
        return;
    }
    for (uint i = n; i < n + count; i++)
        if (view->form == CMA_LIMITED)
            cma_transform_limited(view, record, view->y + i * dim, view->z + i * dim);
        else
            cma_transform(view, view->y + i * dim, view->z + i * dim);
}

/* Makes z and y of part `part` of a generation again, if the generation has more than one part. */
static void make_part_again(const struct cma_view *view, const struct cma_record *record, uint part)
{
    if (record->word[CMA_DOUBLINGS] == 0)
        return;
    for (uint n = 0; n < view->lambda; n += CMAES_BLOCK) {
        const uint points = min(view->lambda - n, (uint)CMAES_BLOCK);
        draw_points(view, record->word[CMA_PART_STEP] + part, n, points);
        if (view->form != CMA_LIMITED)
            transform_points(view, record, n, points);
    }
    if (view->form != CMA_LIMITED)
        cma_turn_all_back(view, record, 0);
}

/* The means of a generation, and C --------------------------------------------------------------------- */

/* target = factor source, in tiles of rows, the last of which may have rows of the one before. */
static inline void set_multiple(double *target, const double *source, double factor, size_t count)
{
    size_t i = 0;
    for (; i + TILE < count; i += TILE)
        *(stored_column *)(target + i) = factor * *(const stored_column *)(source + i);
    if (count >= TILE) {
        i = count - TILE;
        *(stored_column *)(target + i) = factor * *(const stored_column *)(source + i);
        return;
    }
    for (; i < count; i++)
        target[i] = factor * source[i];
}

/* Adds z of the points, each times its weight where that is positive, to `sum`, in tiles of rows. The last
 * tile is the last TILE numbers, of which the first ones have their sums already. */
static inline void add_weighted(const struct cma_view *view, const double *z, const double *weights,
                                double *sum)
{
    const uint dim = view->dim;
    for (uint n = 0; n < view->lambda && dim < TILE; n++)
        cma_add_multiple(sum, z + n * dim, max(weights[n], 0.0), dim);
    for (uint d = 0; d < dim && dim >= TILE; d += TILE) {
        const uint first = min(d, dim - TILE);
        const double *rows = z + first;
        tile_column own = *(stored_column *)(sum + first), total = own;
        for (uint n = 0; n < view->lambda; n++, rows += dim)
            total += max(weights[n], 0.0) * *(const stored_column *)rows;
        set_rows(&own, &total, (int)(d - first));
        *(stored_column *)(sum + first) = own;
    }
}

/* cma_weigh_points of the kernels. The points with negative weights are listed before they are used: their
 * order is random, so a branch would often be predicted wrong. */
static void weigh_points(const struct cma_view *view, const double *z, double *weights, double *mean_z)
{
    enum { LISTED = 64 };
    uint below[LISTED];
    add_weighted(view, z, weights, mean_z);
    for (uint first = 0; first < view->lambda; first += LISTED) {
        const uint end = min(first + LISTED, view->lambda);
        uint negative = 0;
        for (uint n = first; n < end; n++) {
            below[negative] = n;
            negative += weights[n] < 0;
        }
        for (uint i = 0; i < negative; i++) {
            const double *own = z + below[i] * view->dim;
            double square = 0;
            for (uint d = 0; d < view->dim; d++)
                square += own[d] * own[d];
            weights[below[i]] *= square > 0 ? view->dim / square : 0;
        }
    }
}

static void cma_weigh_parts(const struct cma_view *view, const struct cma_record *record, double *mean_z)
{
    for (uint part = 0; part < 1u << record->word[CMA_DOUBLINGS]; part++) {
        if (!view->parts)
            make_part_again(view, record, part);
        weigh_points(view, view->parts ? cma_part(view, part) : view->z, view->weights + part * view->lambda,
                     mean_z);
    }
}

/* What changes C. The vectors of the points are those of some parts of a generation, of which each begins
 * `apart` numbers after the one before. z: scratch, which gets c_mu w_n y_n. decays: C decays, and the
 * path is added, too */
struct change {
    bool decays;
    double decay, c_one, c_mu;
    double *z, *y;
    const double *weights;
    size_t apart;
    uint parts;
};

/* Changes C in a tile of columns and rows, but only from column `column` and row `row` on, which may be
 * behind the first ones of the tile, and not above the diagonal. */
static inline void change_tile(const struct cma_view *view, const struct change *change, uint column,
                               uint row)
{
    const uint dim = view->dim, left = min(column, dim - TILE), first = min(row, dim - TILE);
    const double *path = cma_vector(view, CMA_C_PATH);
    double *c = cma_covariance(view) + first, *own[TILE];
    tile_column sum[TILE];
    for (uint p = 0; p < TILE; p++) {
        own[p] = c + cma_column(view, left + p);
        sum[p] = *(stored_column *)own[p];
        if (change->decays)
            sum[p] = change->decay * sum[p] +
                     change->c_one * path[left + p] * *(const stored_column *)(path + first);
    }
    for (uint part = 0; part < change->parts; part++) {
        const double *y = change->y + part * change->apart + first,
                     *z = change->z + part * change->apart + left;
        for (uint n = 0; n < view->lambda; n++, y += dim, z += dim)
            for (uint p = 0; p < TILE; p++)
                sum[p] += z[p] * *(const stored_column *)y;
    }
    for (uint p = 0; p < TILE; p++) {
        tile_column rows = *(stored_column *)own[p];
        /* no row of a column before the first one */
        set_rows(&rows, &sum[p], left + p < column ? TILE : (int)(max(row, left + p) - first));
        *(stored_column *)own[p] = rows;
    }
}

static void scale_steps(const struct cma_view *view, const struct change *change)
{
    for (uint part = 0; part < change->parts; part++) {
        double *z = change->z + part * change->apart;
        const double *y = change->y + part * change->apart;
        for (uint n = 0; n < view->lambda; n++, z += view->dim, y += view->dim)
            set_multiple(z, y, change->c_mu * change->weights[part * view->lambda + n], view->dim);
    }
}

/* C += sum z_n y_n^T in few coordinates, or in the separable form. */
static void add_points(const struct cma_view *view, const struct change *change)
{
    const uint dim = view->dim;
    double *c = cma_covariance(view);
    for (uint part = 0; part < change->parts; part++) {
        const double *z = change->z + part * change->apart, *y = change->y + part * change->apart;
        for (uint n = 0; n < view->lambda; n++, z += dim, y += dim)
            for (uint d = 0; d < dim; d++)
                if (view->form == CMA_SEPARABLE)
                    c[d] += z[d] * y[d];
                else
                    cma_add_multiple(c + cma_column(view, d) + d, y + d, z[d], dim - d);
    }
}

static void cma_renew_covariance(const struct cma_view *view, const struct cma_record *record, double decay)
{
    const uint dim = view->dim, count = view->lambda * dim, parts = 1u << record->word[CMA_DOUBLINGS];
    const bool is_tiled = view->form == CMA_FULL && dim >= TILE, is_kept = view->parts;
    struct change change = {is_tiled && (is_kept || parts == 1),
                            decay,
                            cma_constant(view, record, CMA_C_ONE),
                            cma_constant(view, record, CMA_C_MU),
                            is_kept ? view->parts : view->z,
                            is_kept ? view->parts + count : view->y,
                            view->weights,
                            2 * (size_t)count,
                            is_kept ? parts : 1};
    if (!change.decays)
        cma_decay(view, decay, change.c_one);
    for (uint part = 0; part < parts; part += change.parts, change.weights += view->lambda) {
        if (!is_kept)
            make_part_again(view, record, part);
        scale_steps(view, &change);
        if (!is_tiled)
            add_points(view, &change);
        for (uint column = 0; column < dim && is_tiled; column += TILE)
            for (uint row = column; row < dim; row += TILE)
                change_tile(view, &change, column, row);
    }
}

/* Computes the rows of column `column` of the Cholesky factor from row `row` on, for a tile. inverse: 1 over
 * the diagonal element; set with it, in the first tile of the column. Returns whether C can be positive
 * definite. */
static inline bool factor_tile(const struct cma_view *view, uint column, uint row, double *inverse)
{
    const uint first = min(row, view->dim - TILE);
    double *a = cma_factor(view), *own = a + cma_column(view, column) + first;
    tile_column sum = *(const stored_column *)(cma_covariance(view) + cma_column(view, column) + first), rows;
    for (uint k = 0; k < column; k++) {
        const double *earlier = a + cma_column(view, k);
        sum -= earlier[column] * *(const stored_column *)(earlier + first);
    }
    const double pivot = row == column ? sum[row - first] : 1;
    if (!(pivot > 0 && pivot < INFINITY))
        return false;
    if (row == column)
        *inverse = 1 / sqrt(pivot);
    sum *= *inverse;
    if (row == column)
        sum[row - first] = sqrt(pivot);
    rows = *(stored_column *)own;
    set_rows(&rows, &sum, (int)(row - first));
    *(stored_column *)own = rows;
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
