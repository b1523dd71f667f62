/* Near and middle zone of the cell schemes: GPUTiled1, GPUTiled11, GPUTiled2 and GPUTiled3 of the thesis, and the
 * corrected scheme. A work-item handles a particle. The corrected scheme is GPUTiled3 with two changes: cells of the
 * middle zone act from their centres of mass, and the far force changes linearly over a cell.
 *
 * Near cells act particle by particle with the whole pair force; middle cells act as one point with the long-range
 * attraction. An unrolled loop over the particles of a cell is followed by a loop over single particles, so that no
 * particle of the next cell is read. Energies and virials are half those of the pairs of a particle.
 */
#include "gas/thesis/cells.clh"

#ifndef WG
#define WG 64
#endif
/* Number of particles of a near cell for which the loop is unrolled. */
#ifndef UNROLL
#define UNROLL 1
#endif
/* Number of cells for which the loop over all cells is unrolled (GPUTiled1, GPUTiled11, GPUTiled2). */
#ifndef CELLS_UNROLL
#define CELLS_UNROLL 1
#endif
/* 1: cells of the middle zone act from their centres of mass, and the far force has a gradient (GPUTiled3 only). */
#ifndef CORRECTED
#define CORRECTED 0
#endif
/* 1: the law is softened, so that the force of a particle on itself is 0, though not its energy. */
#ifndef SOFTENED
#define SOFTENED 0
#endif

struct sums {
    wide x, y, energy, virial;
};

static inline void clear(struct sums *s)
{
    s->x = s->y = s->energy = s->virial = (wide)0;
}

/* Sums over the particles of one cell, which are then added to the sums over all cells. */
struct part {
    real x, y, energy, virial;
};

static inline void add_pair(struct part *part, REAL2 source, real x, real y, int other, struct pair p)
{
    const real dx = x - source.x, dy = y - source.y;
    const real d = mad(dx, dx, dy * dy);
    struct cut_pair both = pair_both(d, p);
#if ENERGIES || !SOFTENED
    if (!other)
        both.force = both.energy = R(0.0);
#endif
    part->x += both.force * dx;
    part->y += both.force * dy;
#if ENERGIES
    part->energy += both.energy;
    part->virial += both.force * d;
#endif
}

static inline void add_part(struct sums *sums, const struct part *part)
{
    sums->x += (wide)part->x;
    sums->y += (wide)part->y;
    sums->energy += (wide)part->energy;
    sums->virial += (wide)part->virial;
}

/* Adds the forces of the particles first .. last - 1 of a cell on particle i (PP in the thesis). x, y: position of
 * particle i relative to the centre of that cell. */
static inline void add_particles(struct sums *sums, __global const REAL2 *relative, uint first, uint last, real x,
                                 real y, uint i, struct pair p)
{
    struct part part;
    uint j, u;
    part.x = part.y = part.energy = part.virial = R(0.0);
    for (j = first; j + UNROLL <= last; j += UNROLL)
#pragma unroll
        for (u = 0u; u < UNROLL; u++)
            add_pair(&part, relative[j + u], x, y, j + u != i, p);
    for (; j < last; j++)
        add_pair(&part, relative[j], x, y, j != i, p);
    add_part(sums, &part);
}

/* Adds the force of a cell with `weight` particles as one point at distance (x, y) (TP in the thesis). */
static inline void add_cell(struct sums *sums, real weight, real x, real y, struct pair p)
{
    struct part part;
    const real d = mad(x, x, y * y);
    const real f = weight * long_range_force(d, p);
    part.x = f * x;
    part.y = f * y;
    part.energy = part.virial = R(0.0);
#if ENERGIES
    part.energy = weight * long_range_energy(d, p);
    part.virial = f * d;
#endif
    add_part(sums, &part);
}

/* A particle, and data of its cell. */
struct target {
    REAL2 at;      /* position of the particle, relative to the centre of its cell */
    float2 centre; /* centre of the particle's cell, in sides of a cell */
    real side;
    uint i;
};

static inline void load_target(struct target *t, __global const REAL2 *relative, __global const uint *cell,
                               __global const float2 *centre, __global const real *settings, struct cells_grid grid,
                               uint i)
{
    t->at = relative[i];
    t->centre = centre[cell[i]];
    t->side = grid_side(grid, settings);
    t->i = i;
}

/* Position of the particle relative to the centre of cell q. */
static inline REAL2 from_cell(const struct target *t, float2 q)
{
    REAL2 d;
    d.x = mad((real)(t->centre.x - q.x), t->side, t->at.x);
    d.y = mad((real)(t->centre.y - q.y), t->side, t->at.y);
    return d;
}

/* Adds the effect of cell q, in the schemes that test its distance: particle by particle within R1, as one point
 * within R2. */
static inline void add_tested(struct sums *sums, __global const REAL2 *relative, __global const uint *offsets,
                              __global const float2 *centre, const struct target *t, uint q, float near2, float middle2,
                              struct pair p)
{
    const float2 other = centre[q];
    const float x = t->centre.x - other.x, y = t->centre.y - other.y;
    const float d = x * x + y * y;
    if (d < middle2) {
        const uint first = offsets[q], last = offsets[q + 1u];
        const REAL2 distance = from_cell(t, other);
        if (d < near2)
            add_particles(sums, relative, first, last, distance.x, distance.y, t->i, p);
        else
            add_cell(sums, (real)(last - first), distance.x, distance.y, p);
    }
}

/* Adds the effect of the far zone on a particle of cell c. at: position of the particle relative to the centre of the
 * cell. */
static inline void add_far_zone(struct sums *sums, __global const real *far, uint c, REAL2 at)
{
    const real x = far[CELLS_FAR_NUMBERS * c], y = far[CELLS_FAR_NUMBERS * c + 1u];
#if CORRECTED
    const real gx = far[CELLS_FAR_NUMBERS * c + 2u], gy = far[CELLS_FAR_NUMBERS * c + 3u];
    sums->x += (wide)(x + gx * at.x - gy * at.y);
    sums->y += (wide)(y - gx * at.y - gy * at.x);
#else
    sums->x += (wide)x;
    sums->y += (wide)y;
#endif
#if ENERGIES
    real energy = far[CELLS_FAR_NUMBERS * c + 4u];
#if CORRECTED
    /* The far force is an analytic function, so its integral is the potential. */
    energy -= R(0.5) * (x * at.x + y * at.y);
    energy -= R(0.25) * (gx * (at.x * at.x - at.y * at.y) - R(2.0) * gy * at.x * at.y);
#endif
    sums->energy += (wide)2 * (wide)energy;
    sums->virial += (wide)2 * (wide)far[CELLS_FAR_NUMBERS * c + 5u];
#endif
}

/* Stores the sums of particle i, as its acceleration and, with ENERGIES, half its energy and virial. add: 1: adds
 * them to the sums that are already in the arrays. */
static inline void store_sums(__global VECTOR *acceleration, __global wide *energy, __global wide *virial, uint i,
                              const struct sums *sums, __global const real *settings, uint add)
{
    const wide per_mass = (wide)1 / (wide)settings[SET_MASS];
    struct wide_vector a;
    a.x = sums->x * per_mass;
    a.y = sums->y * per_mass;
    IN_3D(a.z = (wide)0;)
    if (add) {
        const struct wide_vector before = load_vector(acceleration, i);
        a.x += before.x;
        a.y += before.y;
    }
    store_vector(acceleration, i, a);
#if ENERGIES
    energy[i] = (wide)R(0.5) * sums->energy + (add ? energy[i] : (wide)0);
    virial[i] = (wide)R(0.5) * sums->virial + (add ? virial[i] : (wide)0);
#endif
}

/* GPUTiled1: every cell is near or acts as one point. The effect of each cell is added to the arrays in global
 * memory. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_tiled1(__global const REAL2 *relative, __global const uint *cell, __global const uint *offsets,
                 __global const float2 *centre, __global VECTOR *acceleration, __global wide *energy,
                 __global wide *virial, __global const real *settings, struct cells_grid grid,
                 struct cells_launch launch)
{
    const uint i = (uint)get_global_id(0), cells = launch.cells;
    uint q, u;
    if (i < launch.n) {
        const struct pair p = load_pair(settings);
        struct target t;
        struct sums sums;
        load_target(&t, relative, cell, centre, settings, grid, i);
        clear(&sums);
        store_sums(acceleration, energy, virial, i, &sums, settings, 0);
        for (q = 0u; q + CELLS_UNROLL <= cells; q += CELLS_UNROLL)
#pragma unroll
            for (u = 0u; u < CELLS_UNROLL; u++) {
                clear(&sums);
                add_tested(&sums, relative, offsets, centre, &t, q + u, launch.near2, INFINITY, p);
                store_sums(acceleration, energy, virial, i, &sums, settings, 1);
            }
        for (; q < cells; q++) {
            clear(&sums);
            add_tested(&sums, relative, offsets, centre, &t, q, launch.near2, INFINITY, p);
            store_sums(acceleration, energy, virial, i, &sums, settings, 1);
        }
    }
}

/* GPUTiled11 (middle2 infinite, far NULL): as GPUTiled1, with the sums in registers. GPUTiled2 (kernel 2n): the loop
 * body runs only for cells within R2. far: the effect of the far zone is added here (GPUNadder); NULL:
 * gas_cells_kadder has stored it before. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_tiled2(__global const REAL2 *relative, __global const uint *cell, __global const uint *offsets,
                 __global const float2 *centre, __global const real *far /* or NULL */, __global VECTOR *acceleration,
                 __global wide *energy, __global wide *virial, __global const real *settings, struct cells_grid grid,
                 struct cells_launch launch)
{
    const uint i = (uint)get_global_id(0), cells = launch.cells;
    uint q, u;
    if (i < launch.n) {
        const struct pair p = load_pair(settings);
        struct target t;
        struct sums sums;
        load_target(&t, relative, cell, centre, settings, grid, i);
        clear(&sums);
        for (q = 0u; q + CELLS_UNROLL <= cells; q += CELLS_UNROLL)
#pragma unroll
            for (u = 0u; u < CELLS_UNROLL; u++)
                add_tested(&sums, relative, offsets, centre, &t, q + u, launch.near2, launch.middle2, p);
        for (; q < cells; q++)
            add_tested(&sums, relative, offsets, centre, &t, q, launch.near2, launch.middle2, p);
        if (far)
            add_far_zone(&sums, far, cell[i], t.at);
        store_sums(acceleration, energy, virial, i, &sums, settings, launch.add);
    }
}

/* GPUTiled3 (kernel 3n): uses lists of the near and of the middle cells of each cell, which end with launch.cells. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_tiled3(__global const REAL2 *relative, __global const uint *cell, __global const uint *offsets,
                 __global const float2 *centre, __global const uint *near, __global const uint *middle,
                 __global const real *mass, __global const real *far /* or NULL */, __global VECTOR *acceleration,
                 __global wide *energy, __global wide *virial, __global const real *settings, struct cells_grid grid,
                 struct cells_launch launch)
{
    const uint i = (uint)get_global_id(0), cells = launch.cells;
    uint at, q;
    if (i < launch.n) {
        const struct pair p = load_pair(settings);
        const uint own = cell[i];
        struct target t;
        struct sums sums;
        load_target(&t, relative, cell, centre, settings, grid, i);
        clear(&sums);
        for (at = own * launch.near_length; (q = near[at]) != cells; at++) {
            const REAL2 distance = from_cell(&t, centre[q]);
            add_particles(&sums, relative, offsets[q], offsets[q + 1u], distance.x, distance.y, i, p);
        }
        for (at = own * launch.middle_length; (q = middle[at]) != cells; at++) {
            const REAL2 distance = from_cell(&t, centre[q]);
#if CORRECTED
            add_cell(&sums, mass[CELLS_MASS_NUMBERS * q + 2u], distance.x - mass[CELLS_MASS_NUMBERS * q],
                     distance.y - mass[CELLS_MASS_NUMBERS * q + 1u], p);
#else
            add_cell(&sums, (real)(offsets[q + 1u] - offsets[q]), distance.x, distance.y, p);
#endif
        }
        if (far)
            add_far_zone(&sums, far, own, t.at);
        store_sums(acceleration, energy, virial, i, &sums, settings, launch.add);
    }
}

/* GPUKadder: stores the far force of the particles of each cell, to which other kernels add. A work-item handles a
 * cell. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_cells_kadder(__global const REAL2 *relative, __global const uint *offsets, __global const real *far,
                 __global VECTOR *acceleration, __global wide *energy, __global wide *virial,
                 __global const real *settings, uint cells)
{
    const uint c = (uint)get_global_id(0);
    uint i;
    if (c < cells)
        for (i = offsets[c]; i < offsets[c + 1u]; i++) {
            struct sums sums;
            clear(&sums);
            add_far_zone(&sums, far, c, relative[i]);
            store_sums(acceleration, energy, virial, i, &sums, settings, 0);
        }
}
