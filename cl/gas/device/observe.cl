/* Observables of a gas: sums over the particles, histograms of speeds, positions and distances, and displacements.
 *
 * The order of the terms of each sum is fixed and counts are integers, so the same state always gives the same bits.
 */
#include "gas/model/exchange.clh"
#include "gas/device/near.clh"

#ifndef WG
#define WG 64
#endif
#include "lib/group.clh"

/* Number of bins that a work-group counts in local memory; 0: it counts in global memory. */
#ifndef BINS
#define BINS 256
#endif

GROUP_REDUCE(group_joined, EXCHANGE, exchange_joined)

/* 1: the last 32 values of a sum are joined by exchanges within a warp. */
#define JOINS_IN_WARP (SHOAL_WARPS && WG >= 64)

static inline EXCHANGE of_partner(EXCHANGE value, uint distance)
{
#if PRECISION == SINGLE
    value.x = SHOAL_WARP_SHUFFLE(value.x, distance);
    value.y = SHOAL_WARP_SHUFFLE(value.y, distance);
    return value;
#else
    return SHOAL_WARP_SHUFFLE(value, distance);
#endif
}

static inline EXCHANGE sums_joined(uint s, EXCHANGE a, EXCHANGE b)
{
    return s == OBSERVED_FASTEST ? exchange_of(fmax(exchange_value(a), exchange_value(b))) : exchange_joined(a, b);
}

/* Joins the sums of all work-items, each in the order of group_joined, but with two barriers for all of them at once
 * where group_joined has one for each: work-item 0 gets the results. scratch: [OBSERVED_SUMS HALF_GROUP]. */
#define HALF_GROUP ((WG + 1) / 2)
static INLINE void join_sums(EXCHANGE sums[OBSERVED_SUMS], local EXCHANGE *scratch)
{
    const uint lid = (uint)get_local_id(0);
    uint span, s;
#pragma unroll
    for (span = WG / 2; span >= (JOINS_IN_WARP ? 32 : 1); span /= 2) {
        if (lid >= span && lid < 2 * span)
            for (s = 0; s < OBSERVED_SUMS; s++)
                scratch[s * HALF_GROUP + lid - span] = sums[s];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < span)
            for (s = 0; s < OBSERVED_SUMS; s++)
                sums[s] = sums_joined(s, sums[s], scratch[s * HALF_GROUP + lid]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if JOINS_IN_WARP
    if (lid < 32)
        for (span = 16; span > 0; span /= 2)
            for (s = 0; s < OBSERVED_SUMS; s++)
                sums[s] = sums_joined(s, sums[s], of_partner(sums[s], span));
#endif
}

static inline wide external_energy(__global const PLACE *position, __global const int *image, uint i, uint number,
                                __global const real *settings)
{
    const struct place p = load_place(position, i);
    __global const int *crossed = image + (ulong)number * DIM;
    wide energy = external_energy_along(0, p.x, crossed[0], settings RATIO_ARGUMENT(settings, i)) + external_energy_along(1, p.y, crossed[1], settings RATIO_ARGUMENT(settings, i));
    IN_3D(energy += external_energy_along(2, p.z, crossed[2], settings RATIO_ARGUMENT(settings, i));)
    return energy;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_sums(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
                 __global const uint *ids, __global const int *image, __global const wide *energy,
                 __global const wide *virial, __global EXCHANGE *sums, __global const real *settings, uint n)
{
    __local EXCHANGE scratch[OBSERVED_SUMS * HALF_GROUP];
    EXCHANGE observed[OBSERVED_SUMS];
    wide fastest = 0;
    uint i, s;
    for (s = 0; s < OBSERVED_SUMS; s++)
        observed[s] = exchange_of(0);
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct wide_vector v = full_velocity(position, velocity, acceleration, settings, i);
        const wide square = wide_squared(v);
#if MASSES
        const wide ratio = mass_ratio(settings, i);
#endif
        observed[OBSERVED_SQUARES] = exchange_added(observed[OBSERVED_SQUARES], square TIMES_RATIO);
        observed[OBSERVED_PAIRS] = exchange_added(observed[OBSERVED_PAIRS], energy[i]);
        observed[OBSERVED_VIRIAL] = exchange_added(observed[OBSERVED_VIRIAL], virial[i]);
        observed[OBSERVED_VELOCITY] = exchange_added(observed[OBSERVED_VELOCITY], v.x TIMES_RATIO);
        observed[OBSERVED_VELOCITY + 1] = exchange_added(observed[OBSERVED_VELOCITY + 1], v.y TIMES_RATIO);
        IN_3D(observed[OBSERVED_VELOCITY + 2] = exchange_added(observed[OBSERVED_VELOCITY + 2], v.z TIMES_RATIO);)
#if FIELD || TRAP || HAS_WALLS
        observed[OBSERVED_EXTERNAL] = exchange_added(observed[OBSERVED_EXTERNAL], external_energy(position, image, i, ids[i], settings));
#endif
        fastest = fmax(fastest, square);
    }
    observed[OBSERVED_FASTEST] = exchange_of(fastest);
    join_sums(observed, scratch);
    if (get_local_id(0) == 0)
        for (s = 0; s < OBSERVED_SUMS; s++)
            sums[get_group_id(0) * OBSERVED_SUMS + s] = observed[s];
}

/* Adds to a 64-bit count, stored as two words, the low one first, without 64-bit atomics. */
static inline void count_up(__global uint *counts, uint bin, uint amount)
{
    const uint before = atomic_add(counts + 2u * bin, amount);
    if (before + amount < before)
        atomic_inc(counts + 2u * bin + 1u);
}

#if BINS > 0
#define COUNT_ARRAY __local uint own[BINS];
#define COUNT_BEGIN                                                                                          \
    {                                                                                                        \
        uint b;                                                                                              \
        for (b = (uint)get_local_id(0); b < bins; b += WG)                                                   \
            own[b] = 0;                                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    }
#define COUNT_ONE(bin) atomic_inc(own + (bin));
#define COUNT_END                                                                                            \
    {                                                                                                        \
        uint b;                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (b = (uint)get_local_id(0); b < bins; b += WG)                                                   \
            if (own[b] != 0)                                                                                 \
                count_up(counts, b, own[b]);                                                                 \
    }
#else
#define COUNT_ARRAY
#define COUNT_BEGIN
#define COUNT_ONE(bin) count_up(counts, bin, 1u);
#define COUNT_END
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_speeds(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
                   __global uint *counts, __global const real *settings, real inverse_width, uint bins, uint n)
{
    COUNT_ARRAY
    uint i;
    COUNT_BEGIN
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct wide_vector v = full_velocity(position, velocity, acceleration, settings, i);
        const uint bin = bin_of(sqrt(wide_squared(v)), (wide)inverse_width, bins);
        if (bin < bins)
            COUNT_ONE(bin)
    }
    COUNT_END
}

/* Adds the particles inside the box to the histogram of positions along an axis. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_profile(__global const PLACE *position, __global uint *counts, __global const real *settings, uint axis,
                    uint bins, uint n)
{
    COUNT_ARRAY
    uint i;
    COUNT_BEGIN
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct place p = load_place(position, i);
        coordinate at = axis == 0u ? p.x : p.y;
        IN_3D(at = axis == 2u ? p.z : at;)
        const uint steps = MESH_STEPS(axis, at), into = steps - BOX_BEGIN;
        const bool is_inside = BOUNDARY(axis) == PERIODIC || into < BOX_STEPS;
        const uint bin = mul_hi(BOUNDARY(axis) == PERIODIC ? steps : into * 4u, bins);
        if (is_inside)
            COUNT_ONE(bin)
    }
    COUNT_END
}

/* Adds the distances of ordered pairs to the histogram. With several species each two of them have bins of their own,
 * in the order of gas_species_pair (src/gas/species/species.h). starts: index of the first particle of each cell, then n.
 * With a single cell `starts` is {0, n}, and the particles may be in any order. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_pairs(__global const PLACE *position, __global const uint *starts, __global uint *counts,
                  __global const real *settings, struct gas_mesh cells, real inverse_width, uint bins, uint n)
{
    COUNT_ARRAY
    const struct metric metric = load_metric(settings);
    uint i;
#if SPECIES > 1
    /* species of the particles at the places of `position` */
    __global const real *kinds = settings + SPECIES_PLACES + SPECIES_ROOM(n);
    const uint each = bins / (SPECIES * (SPECIES + 1) / 2);
#endif
    COUNT_BEGIN
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
        const struct place target = load_place(position, i);
        const struct gas_mesh at = mesh_find(target, settings, cells);
        uint kx, ky, kz, j;
        for (kz = 0; kz < around(cells.z); kz++)
            for (ky = 0; ky < around(cells.y); ky++)
                for (kx = 0; kx < around(cells.x); kx++) {
                    const uint cell = near_cell(at, kx, ky, kz, cells);
                    if (cell == NO_CELL)
                        continue;
                    for (j = starts[cell]; j < starts[cell + 1u]; j++) {
                        const real d = squared(difference(target, load_place(position, j), metric));
#if SPECIES > 1
                        const uint bin = bin_of((wide)sqrt(d), (wide)inverse_width, each);
                        const uint first = (uint)kinds[i], second = (uint)kinds[j], low = min(first, second);
                        const uint pair = low * SPECIES - low * (low + 1) / 2 + max(first, second);
                        if (bin < each && j != i)
                            COUNT_ONE(each * pair + bin)
#else
                        const uint bin = bin_of((wide)sqrt(d), (wide)inverse_width, bins);
                        if (bin < bins && j != i)
                            COUNT_ONE(bin)
#endif
                    }
                }
    }
    COUNT_END
}

/* Stores the positions, in the order of the particles' numbers, from which displacements are measured later. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_mark(__global const PLACE *position, __global const uint *ids, __global const int *image,
                 __global PLACE *origin, __global int *origin_image, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint number = ids[i];
        uint k;
        store_place(origin, number, load_place(position, i));
        for (k = 0; k < DIM; k++)
            origin_image[number * DIM + k] = image[number * DIM + k];
    }
}

/* The square of a displacement along an axis. crossed: how often the particle has crossed the periodic border since
 * gas_observe_mark. */
static inline wide moved_squared(uint axis, coordinate to, coordinate from, long crossed, __global const real *settings)
{
#if PRECISION == DOUBLE
    const wide moved = to - from + (wide)crossed * settings[SET_LENGTH + axis];
#else
    const wide moved = BOUNDARY(axis) == PERIODIC
                           ? (wide)(crossed * 4294967296 + (long)to - (long)from) * (wide)settings[SET_UNIT + axis]
                           : (wide)(int)(to - from) * (wide)settings[SET_UNIT + axis];
#endif
    return moved * moved;
}

/* Computes the squared displacements since gas_observe_mark along each axis, in the order of the particles' numbers,
 * so that the order of later sums does not depend on the order of the particles. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_displacements(__global const PLACE *position, __global const uint *ids, __global const int *image,
                          __global const PLACE *origin, __global const int *origin_image, __global VECTOR *squares,
                          __global const real *settings, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint number = ids[i];
        const struct place to = load_place(position, i), from = load_place(origin, number);
        __global const int *now = image + (ulong)number * DIM, *then = origin_image + (ulong)number * DIM;
        struct wide_vector moved;
        moved.x = moved_squared(0, to.x, from.x, (long)now[0] - (long)then[0], settings);
        moved.y = moved_squared(1, to.y, from.y, (long)now[1] - (long)then[1], settings);
        IN_3D(moved.z = moved_squared(2, to.z, from.z, (long)now[2] - (long)then[2], settings);)
        store_vector(squares, number, moved);
    }
}

/* Stores a time origin: positions, crossings and velocities of the full step, from the entry `first` on, in the order of
 * the particles' numbers. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_origin(__global const PLACE *position, __global const VECTOR *velocity, __global const VECTOR *acceleration,
                   __global const uint *ids, __global const int *image, __global PLACE *origin, __global int *origin_image,
                   __global VECTOR *origin_velocity, __global const real *settings, ulong first, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint number = ids[i];
        uint k;
        store_place(origin + first * PLACE_PARTS, number, load_place(position, i));
        store_vector(origin_velocity + first * VECTOR_PARTS, number, full_velocity(position, velocity, acceleration, settings, i));
        for (k = 0; k < DIM; k++)
            origin_image[(first + number) * DIM + k] = image[(ulong)number * DIM + k];
    }
}

/* Computes, for each particle, v(t) . v(0) and |r(t) - r(0)|^2 since the time origin from the entry `first` on, as x and y
 * of `products`, in the order of the particles' numbers. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_correlate(__global const PLACE *position, __global const VECTOR *velocity,
                      __global const VECTOR *acceleration, __global const uint *ids, __global const int *image,
                      __global const PLACE *origin, __global const int *origin_image,
                      __global const VECTOR *origin_velocity, __global VECTOR *products, __global const real *settings,
                      ulong first, uint n)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const uint number = ids[i];
        const struct place to = load_place(position, i), from = load_place(origin + first * PLACE_PARTS, number);
        const struct wide_vector v = full_velocity(position, velocity, acceleration, settings, i),
                                 v0 = load_vector(origin_velocity + first * VECTOR_PARTS, number);
        __global const int *now = image + (ulong)number * DIM, *then = origin_image + (first + number) * DIM;
        struct wide_vector product = vector_zero();
        product.x = v.x * v0.x + v.y * v0.y;
        product.y = moved_squared(0, to.x, from.x, (long)now[0] - (long)then[0], settings) +
                    moved_squared(1, to.y, from.y, (long)now[1] - (long)then[1], settings);
        IN_3D(product.x += v.z * v0.z;)
        IN_3D(product.y += moved_squared(2, to.z, from.z, (long)now[2] - (long)then[2], settings);)
        store_vector(products, number, product);
    }
}

/* Adds up squared displacements along each axis, over `groups` groups of particles. Group g has the particles with
 * the numbers g n / groups to (g + 1) n / groups - 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_observe_square_sums(__global const VECTOR *squares, __global EXCHANGE *sums, uint groups, uint n)
{
    __local EXCHANGE scratch[WG];
    const ulong group = get_group_id(0);
    const uint end = (uint)((group + 1u) * n / groups);
    EXCHANGE sum[DIM];
    uint i, k;
    for (k = 0; k < DIM; k++)
        sum[k] = exchange_of(0);
    for (i = (uint)(group * n / groups) + (uint)get_local_id(0); i < end; i += WG) {
        const struct wide_vector square = load_vector(squares, i);
        sum[0] = exchange_added(sum[0], square.x);
        sum[1] = exchange_added(sum[1], square.y);
        IN_3D(sum[2] = exchange_added(sum[2], square.z);)
    }
    for (k = 0; k < DIM; k++) {
        const EXCHANGE all = group_joined(sum[k], scratch);
        if (get_local_id(0) == 0)
            sums[(uint)group * DIM + k] = all;
    }
}
