/* Tables of a gas: the pressure tensor, profiles along an axis and the structure factor.
 *
 * Results for the particles are stored in the order of their numbers, and the order of the terms of each sum is
 * fixed, so the same state always gives the same bits.
 */
#include "gas/model/exchange.clh"
#include "gas/model/pair.clh"
#include "gas/device/near.clh"
#include "gas/device/tables.clh"

#ifndef WG
#define WG 64
#endif
#include "lib/group.clh"

GROUP_REDUCE(group_joined, EXCHANGE, exchange_joined)

/* KIND_OF: species of the particle with a number. RATIO_OF declares the mass of this particle over SET_MASS, for
 * TIMES_RATIO, unless all masses are equal. */
#if SPECIES > 1
#define KIND_OF(number) ((uint)settings[SPECIES_PLACES + 2u * SPECIES_ROOM(n) + (number)])
#endif
#if MASSES
#define RATIO_OF(number) const wide ratio = (wide)settings[SPECIES_RATIOS + KIND_OF(number)];
#else
#define RATIO_OF(number)
#endif

/* Adds the product of force and distance of a pair to the tensor of a particle. diagonal: xx, yy and zz; shear: in 3D
 * yz, xz and xy along x, y and z, in 2D xy along x. */
static inline void add_pair(struct wide_vector *diagonal, struct wide_vector *shear, struct vector d, real force)
{
    diagonal->x += force * d.x * d.x;
    diagonal->y += force * d.y * d.y;
#if DIM == 3
    diagonal->z += force * d.z * d.z;
    shear->x += force * d.y * d.z;
    shear->y += force * d.x * d.z;
    shear->z += force * d.x * d.y;
#else
    shear->x += force * d.x * d.y;
#endif
}

/* Computes half the virial tensor of the pairs of each particle. The particles are sorted by the cells of a mesh, with
 * the numbers `ids`. starts: index of the first particle of each cell, then n; with a single cell {0, n}. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_stress(__global const PLACE *position, __global const uint *starts, __global const uint *ids,
                  __global VECTOR *diagonal, __global VECTOR *shear, __global const real *settings,
                  struct gas_mesh cells, uint n)
{
    const struct metric metric = load_metric(settings);
    const uint i = (uint)get_global_id(0);
#if SPECIES == 1
    const struct pair pair = load_pair(settings);
#endif
    if (i < n) {
#if SPECIES > 1
        const uint kind = KIND_OF(ids[i]);
#endif
        const struct place target = load_place(position, i);
        const struct gas_mesh at = mesh_find(target, settings, cells);
        struct wide_vector own = vector_zero(), across = vector_zero();
        uint kx, ky, kz, j;
        for (kz = 0; kz < around(cells.z); kz++)
            for (ky = 0; ky < around(cells.y); ky++)
                for (kx = 0; kx < around(cells.x); kx++) {
                    const uint cell = near_cell(at, kx, ky, kz, cells);
                    if (cell == NO_CELL)
                        continue;
                    for (j = starts[cell]; j < starts[cell + 1u]; j++) {
                        const struct vector d = difference(target, load_place(position, j), metric);
#if SPECIES > 1
                        const struct pair pair = pair_between(settings, kind, KIND_OF(ids[j]));
#endif
                        if (j != i)
                            add_pair(&own, &across, d, pair_force(squared(d), pair));
                    }
                }
        store_vector(diagonal, ids[i], vector_scale(own, (wide)R(0.5)));
        store_vector(shear, ids[i], vector_scale(across, (wide)R(0.5)));
    }
}

/* Stores the velocities of the full step in the order of the particles' numbers. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_velocities(__global const PLACE *position, __global const VECTOR *velocity,
                      __global const VECTOR *acceleration, __global const uint *ids, __global VECTOR *full,
                      __global const real *settings, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n)
        store_vector(full, ids[i], full_velocity(position, velocity, acceleration, settings, i));
}

/* Adds up m v_a v_b and the virials of all particles: STRESS_PARTS sums for each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_tensor(__global const VECTOR *full, __global const VECTOR *diagonal, __global const VECTOR *shear,
                  __global EXCHANGE *sums, __global const real *settings, uint n)
{
    __local EXCHANGE scratch[WG];
    const wide mass = (wide)settings[SET_MASS];
    EXCHANGE sum[STRESS_PARTS];
    uint i, s;
    for (s = 0; s < STRESS_PARTS; s++)
        sum[s] = exchange_of(0);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct wide_vector v = load_vector(full, i), own = load_vector(diagonal, i), across = load_vector(shear, i);
        RATIO_OF(i)
        sum[STRESS_XX] = exchange_added(sum[STRESS_XX], mass * v.x * v.x TIMES_RATIO + own.x);
        sum[STRESS_YY] = exchange_added(sum[STRESS_YY], mass * v.y * v.y TIMES_RATIO + own.y);
#if DIM == 3
        sum[STRESS_ZZ] = exchange_added(sum[STRESS_ZZ], mass * v.z * v.z TIMES_RATIO + own.z);
        sum[STRESS_XY] = exchange_added(sum[STRESS_XY], mass * v.x * v.y TIMES_RATIO + across.z);
        sum[STRESS_XZ] = exchange_added(sum[STRESS_XZ], mass * v.x * v.z TIMES_RATIO + across.y);
        sum[STRESS_YZ] = exchange_added(sum[STRESS_YZ], mass * v.y * v.z TIMES_RATIO + across.x);
#else
        sum[STRESS_XY] = exchange_added(sum[STRESS_XY], mass * v.x * v.y TIMES_RATIO + across.x);
#endif
    }
    for (s = 0; s < STRESS_PARTS; s++) {
        const EXCHANGE all = group_joined(sum[s], scratch);
        if (get_local_id(0) == 0)
            sums[get_group_id(0) * STRESS_PARTS + s] = all;
    }
}

/* Adds up the particles of each slice of the box: PROFILE_SUMS sums for each work-group. The particles are sorted by
 * slices; the slice of work-group g has those from starts[first + g width] to starts[first + (g + 1) width] - 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_profile(__global const uint *starts, __global const uint *ids, __global const VECTOR *full,
                   __global const VECTOR *diagonal, __global EXCHANGE *sums, __global const real *settings, uint first,
                   uint width, uint n)
{
    __local EXCHANGE scratch[WG];
    const wide mass = (wide)settings[SET_MASS];
    const uint slice = (uint)get_group_id(0), end = starts[first + (slice + 1u) * width];
    EXCHANGE sum[PROFILE_SUMS];
    uint i, s;
    for (s = 0; s < PROFILE_SUMS; s++)
        sum[s] = exchange_of(0);
    for (i = starts[first + slice * width] + (uint)get_local_id(0); i < end; i += WG) {
        const uint number = ids[i];
        const struct wide_vector v = load_vector(full, number), own = load_vector(diagonal, number);
        RATIO_OF(number)
        sum[PROFILE_COUNT] = exchange_added(sum[PROFILE_COUNT], 1);
        sum[PROFILE_MASS] = exchange_added(sum[PROFILE_MASS], 1 TIMES_RATIO);
        sum[PROFILE_VELOCITY] = exchange_added(sum[PROFILE_VELOCITY], v.x TIMES_RATIO);
        sum[PROFILE_VELOCITY + 1] = exchange_added(sum[PROFILE_VELOCITY + 1], v.y TIMES_RATIO);
        IN_3D(sum[PROFILE_VELOCITY + 2] = exchange_added(sum[PROFILE_VELOCITY + 2], v.z TIMES_RATIO);)
        sum[PROFILE_SQUARES] = exchange_added(sum[PROFILE_SQUARES], wide_squared(v) TIMES_RATIO);
        sum[PROFILE_STRESS] = exchange_added(sum[PROFILE_STRESS], mass * v.x * v.x TIMES_RATIO + own.x);
        sum[PROFILE_STRESS + 1] = exchange_added(sum[PROFILE_STRESS + 1], mass * v.y * v.y TIMES_RATIO + own.y);
        IN_3D(sum[PROFILE_STRESS + 2] = exchange_added(sum[PROFILE_STRESS + 2], mass * v.z * v.z TIMES_RATIO + own.z);)
    }
    for (s = 0; s < PROFILE_SUMS; s++) {
        const EXCHANGE all = group_joined(sum[s], scratch);
        if (get_local_id(0) == 0)
            sums[slice * PROFILE_SUMS + s] = all;
    }
}

/* Half a turn of a wave with `waves` waves along an axis of the box, at a coordinate, as a number from -1 to 1. With
 * fixed-point coordinates it is exact: whole turns are those of 32-bit integers. */
#if PRECISION == DOUBLE
#define PHASE(axis, waves, coordinate) ((coordinate) * (double)(waves) / settings[SET_LENGTH + (axis)])
#else
#define PHASE(axis, waves, coordinate) ((coordinate) * (uint)(waves))
#endif
static inline wide half_turns(struct place p, int x, int y, int z, __global const real *settings)
{
    coordinate phase = PHASE(0, x, p.x) + PHASE(1, y, p.y);
    IN_3D(phase += PHASE(2, z, p.z);)
#if PRECISION == DOUBLE
    return 2 * (phase - rint(phase));
#else
    return (wide)(int)phase * (wide)R(4.656612873077393e-10); /* 2^-31 */
#endif
}

/* Computes |sum of exp(i k r)|^2 for a wave vector k for each work-group. waves: DIM whole numbers of waves in the box for
 * each vector; the box is periodic. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_structure(__global const PLACE *position, __global const int *waves, __global EXCHANGE *sums,
                     __global const real *settings, uint n)
{
    __local EXCHANGE scratch[WG];
    const uint vector = (uint)get_group_id(0);
    const int x = waves[vector * DIM], y = waves[vector * DIM + 1], z = waves[vector * DIM + DIM - 1];
    EXCHANGE real_part = exchange_of(0), imaginary = exchange_of(0);
    uint i;
    for (i = (uint)get_local_id(0); i < n; i += WG) {
        const wide turns = half_turns(load_place(position, i), x, y, z, settings);
        real_part = exchange_added(real_part, cospi(turns));
        imaginary = exchange_added(imaginary, sinpi(turns));
    }
    const wide a = exchange_value(group_joined(real_part, scratch)), b = exchange_value(group_joined(imaginary, scratch));
    if (get_local_id(0) == 0)
        sums[vector] = exchange_of(a * a + b * b);
}

#if DIM == 2
/* Number of neighbours whose directions make the hexatic order. */
#define SIX 6

/* The nearest neighbours found so far, by ascending squared distance; places that are not taken have the distance
 * INFINITY. */
struct nearest {
    real d[SIX], x[SIX], y[SIX];
};

static inline void take_nearer(struct nearest *nearest, real d, real x, real y)
{
    uint k;
#pragma unroll
    for (k = 0; k < SIX; k++) {
        const bool nearer = d < nearest->d[k];
        const real old_d = nearest->d[k], old_x = nearest->x[k], old_y = nearest->y[k];
        nearest->d[k] = nearer ? d : old_d;
        nearest->x[k] = nearer ? x : old_x;
        nearest->y[k] = nearer ? y : old_y;
        d = nearer ? old_d : d;
        x = nearer ? old_x : x;
        y = nearer ? old_y : y;
    }
}

/* Computes psi of each particle: the mean of exp(6 i angle) over the directions of its neighbours found; 0: it has none.
 * angle: of the direction with the axis x. */
static inline struct wide_vector hexatic_order(const struct nearest *nearest)
{
    struct wide_vector psi = vector_zero();
    uint k, found = 0;
#pragma unroll
    for (k = 0; k < SIX; k++)
        if (nearest->d[k] < INFINITY && nearest->d[k] > 0) {
            const wide scale = (wide)rsqrt(nearest->d[k]), x = nearest->x[k] * scale, y = nearest->y[k] * scale;
            const wide x2 = x * x - y * y, y2 = 2 * x * y, x3 = x * x2 - y * y2, y3 = x * y2 + y * x2;
            psi.x += x3 * x3 - y3 * y3;
            psi.y += 2 * x3 * y3;
            found++;
        }
    return found ? vector_scale(psi, 1 / (wide)found) : psi;
}
#endif

/* Stores psi of each particle, from its six nearest neighbours within the distance `range`, in the order of the particles'
 * numbers. The particles are sorted as for gas_tables_stress. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_hexatic(__global const PLACE *position, __global const uint *starts, __global const uint *ids,
                   __global VECTOR *psi, __global const real *settings, struct gas_mesh cells, real range, uint n)
{
#if DIM == 2
    const struct metric metric = load_metric(settings);
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct place target = load_place(position, i);
        const struct gas_mesh at = mesh_find(target, settings, cells);
        struct nearest nearest;
        uint kx, ky, j;
#pragma unroll
        for (j = 0; j < SIX; j++) {
            nearest.d[j] = INFINITY;
            nearest.x[j] = nearest.y[j] = 0;
        }
        for (ky = 0; ky < around(cells.y); ky++)
            for (kx = 0; kx < around(cells.x); kx++) {
                struct gas_mesh there = cells;
                there.x = neighbour(at.x, kx, BOUNDARY(0), cells.x);
                there.y = neighbour(at.y, ky, BOUNDARY(1), cells.y);
                there.z = 0;
                if (there.x >= cells.x || there.y >= cells.y)
                    continue;
                const uint cell = mesh_number(there, cells);
                for (j = starts[cell]; j < starts[cell + 1u]; j++) {
                    const struct vector d = difference(load_place(position, j), target, metric);
                    const real d2 = squared(d);
                    if (j != i && d2 < range * range)
                        take_nearer(&nearest, d2, d.x, d.y);
                }
            }
        store_vector(psi, ids[i], hexatic_order(&nearest));
    }
#endif
}

/* Adds up |psi| and psi of all particles: HEXATIC_SUMS sums for each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_hexatic_sums(__global const VECTOR *psi, __global EXCHANGE *sums, uint n)
{
    __local EXCHANGE scratch[WG];
    EXCHANGE sum[HEXATIC_SUMS];
    uint i, s;
    for (s = 0; s < HEXATIC_SUMS; s++)
        sum[s] = exchange_of(0);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct wide_vector own = load_vector(psi, i);
        sum[HEXATIC_LOCAL] = exchange_added(sum[HEXATIC_LOCAL], sqrt(wide_squared(own)));
        sum[HEXATIC_X] = exchange_added(sum[HEXATIC_X], own.x);
        sum[HEXATIC_Y] = exchange_added(sum[HEXATIC_Y], own.y);
    }
    for (s = 0; s < HEXATIC_SUMS; s++) {
        const EXCHANGE all = group_joined(sum[s], scratch);
        if (get_local_id(0) == 0)
            sums[get_group_id(0) * HEXATIC_SUMS + s] = all;
    }
}

#if DIM == 2
/* Adds to a 64-bit count, stored as two words, the low one first, without 64-bit atomics. */
#define COUNT_UP(words, amount)                                                                                        \
    {                                                                                                                  \
        const uint before = atomic_add(words, amount);                                                                 \
        if (before + (amount) < before)                                                                                \
            atomic_inc((words) + 1);                                                                                   \
    }
#endif

/* Adds the pairs of particles that are closer than `bins` bins, and the products of their psi, to the counts of their
 * distances: for each bin G6_SUMS counts of two words each. The particles are sorted as for gas_tables_stress. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_tables_g6(__global const PLACE *position, __global const uint *starts, __global const uint *ids,
              __global const VECTOR *psi, __global uint *counts, __global const real *settings, struct gas_mesh cells,
              real inverse_width, uint bins, uint n)
{
#if DIM == 2
    __local uint own[2 * G6_SUMS * GAS_MOST_G6_BINS];
    const struct metric metric = load_metric(settings);
    const uint words = 2u * G6_SUMS * bins;
    uint i;
    for (i = (uint)get_local_id(0); i < words; i += WG)
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct place target = load_place(position, i);
        const struct gas_mesh at = mesh_find(target, settings, cells);
        const uint number = ids[i];
        const struct wide_vector mine = load_vector(psi, number);
        uint kx, ky, j;
        for (ky = 0; ky < around(cells.y); ky++)
            for (kx = 0; kx < around(cells.x); kx++) {
                const uint cell = near_cell(at, kx, ky, 0, cells);
                if (cell == NO_CELL)
                    continue;
                for (j = starts[cell]; j < starts[cell + 1u]; j++) {
                    const real bin = sqrt(squared(difference(target, load_place(position, j), metric))) * inverse_width;
                    if (ids[j] < number && bin < (real)bins) {
                        const struct wide_vector other = load_vector(psi, ids[j]);
                        const wide product = mine.x * other.x + mine.y * other.y;
                        /* Rounding may leave a product below -1. */
                        const wide share = (wide)R(0.5) * fmax(1 + product, (wide)0);
                        const uint part = convert_uint(share * G6_UNIT + (wide)R(0.5));
                        local uint *sums = own + 2u * G6_SUMS * convert_uint(bin);
                        atomic_inc(sums + 2 * G6_PAIRS);
                        COUNT_UP(sums + 2 * G6_PRODUCTS, part)
                    }
                }
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = 2u * (uint)get_local_id(0); i < words; i += 2u * WG) {
        if (own[i] > 0u)
            COUNT_UP(counts + i, own[i])
        if (own[i + 1u] > 0u)
            atomic_add(counts + i + 1u, own[i + 1u]);
    }
#endif
}
