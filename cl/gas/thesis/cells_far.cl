/* Far zone: the effect on a cell of all cells at a distance of R2 or more. `far` has CELLS_FAR_NUMBERS values for
 * each cell: two components of the force on a particle at the centre of the cell; the gradient of this force, as real
 * and imaginary part of the derivative w' of w = f_x - i f_y; half the energy of this particle; and half its virial.
 * Forces are not divided by the mass.
 *
 * The kernels of the thesis take two cells as two points, without softening. gas_cells_far_linear places a source
 * cell at its centre of mass, softens, and computes the gradient.
 */
#include "gas/thesis/cells.clh"

#ifndef WG
#define WG 64
#endif
/* Number of source cells for which the loops of the thesis' kernels are unrolled; 1 is the plain form of the thesis.
 */
#ifndef UNROLL
#define UNROLL 1
#endif

struct far {
    real x, y, energy, mass;
};

static inline struct far no_far(void)
{
    struct far f;
    f.x = f.y = f.energy = f.mass = R(0.0);
    return f;
}

/* Adds the effect of a source cell with `count` particles at distance (x, y), in sides of a cell; d = x^2 + y^2. A
 * cell closer than middle2 (a square) gets weight 0. There is no branch, since the work-items of a group have
 * different cells. */
static inline void add_far(struct far *sum, real x, real y, real d, real count, float middle2)
{
    const real weight = d >= (real)middle2 ? count : R(0.0);
    /* different cells are at least a side apart; 1 replaces the 0 of the cell itself */
    const real far_d = fmax(d, R(1.0));
    const real w = rsqrt(far_d * far_d);
    sum->x += w * x * weight;
    sum->y += w * y * weight;
#if ENERGIES
    sum->energy += weight * log(far_d);
    sum->mass += weight;
#endif
}

/* Stores the sums of the thesis' kernels, which are in units of the side of a cell: a side of length L divides the
 * force by L and adds mass ln(L^2) to the energy. */
static inline void store_far(__global real *far, uint c, struct far sum, real side, struct pair p)
{
    far[CELLS_FAR_NUMBERS * c] = -p.attraction * sum.x / side;
    far[CELLS_FAR_NUMBERS * c + 1u] = -p.attraction * sum.y / side;
    far[CELLS_FAR_NUMBERS * c + 2u] = far[CELLS_FAR_NUMBERS * c + 3u] = R(0.0);
    far[CELLS_FAR_NUMBERS * c + 4u] = R(0.25) * p.attraction * (sum.energy + R(2.0) * log(side) * sum.mass);
    far[CELLS_FAR_NUMBERS * c + 5u] = R(-0.5) * p.attraction * sum.mass;
}

/* Number of particles in a cell. */
static inline real weight_of(__global const uint *offsets, uint q)
{
    return (real)(offsets[q + 1u] - offsets[q]);
}

/* Far kernel of GPUTiled2k: computes the distance of every pair of cells. */
static inline void far_pair(struct far *sum, __global const uint *offsets, __global const float2 *centre, float2 mine,
                            uint q, float middle2)
{
    const real x = (real)(mine.x - centre[q].x), y = (real)(mine.y - centre[q].y);
    const real d = mad(x, x, y * y);
    add_far(sum, x, y, d, weight_of(offsets, q), middle2);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_far(__global const uint *offsets, __global const float2 *centre, __global real *far,
              __global const real *settings, struct cells_grid grid, uint cells, float middle2)
{
    const uint c = (uint)get_global_id(0);
    uint q, u;
    if (c < cells) {
        struct far sum = no_far();
        const float2 mine = centre[c];
        for (q = 0u; q + UNROLL <= cells; q += UNROLL)
#pragma unroll
            for (u = 0u; u < UNROLL; u++)
                far_pair(&sum, offsets, centre, mine, q + u, middle2);
        for (; q < cells; q++)
            far_pair(&sum, offsets, centre, mine, q, middle2);
        store_far(far, c, sum, grid_side(grid, settings), load_pair(settings));
    }
}

/* Far kernel Ha1: reads squared distances from a table over all pairs of cells. */
static inline void far_pair_ha1(struct far *sum, __global const uint *offsets, __global const float2 *centre,
                                __global const float *distance2, float2 mine, uint q, float middle2)
{
    add_far(sum, (real)(mine.x - centre[q].x), (real)(mine.y - centre[q].y), (real)distance2[q],
            weight_of(offsets, q), middle2);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_far_ha1(__global const uint *offsets, __global const float2 *centre, __global const float *distance2,
                  __global real *far, __global const real *settings, struct cells_grid grid, uint cells, float middle2)
{
    const uint c = (uint)get_global_id(0);
    uint q, u;
    if (c < cells) {
        struct far sum = no_far();
        const float2 mine = centre[c];
        __global const float *row = distance2 + (ulong)c * cells;
        for (q = 0u; q + UNROLL <= cells; q += UNROLL)
#pragma unroll
            for (u = 0u; u < UNROLL; u++)
                far_pair_ha1(&sum, offsets, centre, row, mine, q + u, middle2);
        for (; q < cells; q++)
            far_pair_ha1(&sum, offsets, centre, row, mine, q, middle2);
        store_far(far, c, sum, grid_side(grid, settings), load_pair(settings));
    }
}

/* Far kernel Ha3: reads squared distances and the factors x / d and y / d from three tables over all pairs of cells.
 */
static inline void far_pair_ha3(struct far *sum, __global const uint *offsets, __global const float *distance2,
                                __global const float *factor_x, __global const float *factor_y, ulong at, uint q,
                                float middle2)
{
    const real weight = distance2[at] >= middle2 ? weight_of(offsets, q) : R(0.0);
    sum->x += (real)factor_x[at] * weight;
    sum->y += (real)factor_y[at] * weight;
#if ENERGIES
    sum->energy += weight * log(fmax((real)distance2[at], R(1.0)));
    sum->mass += weight;
#endif
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_far_ha3(__global const uint *offsets, __global const float *distance2, __global const float *factor_x,
                  __global const float *factor_y, __global real *far, __global const real *settings,
                  struct cells_grid grid, uint cells, float middle2)
{
    const uint c = (uint)get_global_id(0);
    uint q, u;
    if (c < cells) {
        struct far sum = no_far();
        const ulong row = (ulong)c * cells;
        for (q = 0u; q + UNROLL <= cells; q += UNROLL)
#pragma unroll
            for (u = 0u; u < UNROLL; u++)
                far_pair_ha3(&sum, offsets, distance2, factor_x, factor_y, row + q + u, q + u, middle2);
        for (; q < cells; q++)
            far_pair_ha3(&sum, offsets, distance2, factor_x, factor_y, row + q, q, middle2);
        store_far(far, c, sum, grid_side(grid, settings), load_pair(settings));
    }
}

/* Computes for each cell the centre of mass of its particles, relative to the centre of the cell, and their number. A
 * work-group handles a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_mass(__global const uint *offsets, __global const REAL2 *relative, __global real *mass)
{
    __local real xs[WG];
    __local real ys[WG];
    const uint c = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint first = offsets[c], last = offsets[c + 1u];
    real x = R(0.0), y = R(0.0);
    uint i, span;
    for (i = first + lid; i < last; i += WG) {
        const REAL2 at = relative[i];
        x += at.x;
        y += at.y;
    }
    xs[lid] = x;
    ys[lid] = y;
    for (span = WG / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < span) {
            xs[lid] += xs[lid + span];
            ys[lid] += ys[lid + span];
        }
    }
    if (lid == 0u) {
        const real count = (real)(last - first);
        const real scale = last > first ? R(1.0) / count : R(0.0);
        mass[CELLS_MASS_NUMBERS * c] = xs[0] * scale;
        mass[CELLS_MASS_NUMBERS * c + 1u] = ys[0] * scale;
        mass[CELLS_MASS_NUMBERS * c + 2u] = count;
    }
}

/* The corrected far zone. With complex positions, for a source of N particles with centre of mass z_q, and zeta = z -
 * z_q: w = N / zeta at the centre of the cell, and w' = -N / zeta^2. A work-group handles a cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_far_linear(__global const float2 *centre, __global const real *mass, __global real *far,
                     __global const real *settings, struct cells_grid grid, uint cells, float middle2)
{
    __local real sums[6 * WG];
    const uint c = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const struct pair p = load_pair(settings);
    const real side = grid_side(grid, settings);
    const float2 mine = centre[c];
    real fx = R(0.0), fy = R(0.0), gx = R(0.0), gy = R(0.0), energy = R(0.0), virial = R(0.0);
    uint q, span, k;
    for (q = lid; q < cells; q += WG) {
        const real across = (real)(mine.x - centre[q].x), along = (real)(mine.y - centre[q].y);
        const real count = mass[CELLS_MASS_NUMBERS * q + 2u];
        const int is_far = mad(across, across, along * along) >= (real)middle2;
        const real weight = is_far ? count : R(0.0);
        /* cells that are not far have weight 0; their distance must only be finite and not 0 */
        const real x = is_far ? mad(across, side, -mass[CELLS_MASS_NUMBERS * q]) : side;
        const real y = is_far ? mad(along, side, -mass[CELLS_MASS_NUMBERS * q + 1u]) : side;
        const real d = mad(x, x, y * y);
        const real w = weight * RECIPROCAL(d + p.softening2);
        const real w2 = w * RECIPROCAL(d);
        fx += w * x;
        fy += w * y;
        gx -= w2 * (x * x - y * y);
        gy += w2 * R(2.0) * x * y;
#if ENERGIES
        energy += weight * log(d + p.softening2);
        virial += w * d;
#endif
    }
    sums[lid] = fx;
    sums[WG + lid] = fy;
    sums[2 * WG + lid] = gx;
    sums[3 * WG + lid] = gy;
    sums[4 * WG + lid] = energy;
    sums[5 * WG + lid] = virial;
    for (span = WG / 2; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < span)
            for (k = 0u; k < 6u; k++)
                sums[k * WG + lid] += sums[k * WG + lid + span];
    }
    if (lid == 0u) {
        for (k = 0u; k < 4u; k++)
            far[CELLS_FAR_NUMBERS * c + k] = -p.attraction * sums[k * WG];
        far[CELLS_FAR_NUMBERS * c + 4u] = R(0.25) * p.attraction * sums[4 * WG];
        far[CELLS_FAR_NUMBERS * c + 5u] = R(-0.5) * p.attraction * sums[5 * WG];
    }
}
