/* Forces of all n^2 ordered pairs: of each target (the particle that is moved) with each source (the particle that
 * exerts the force). The sources are divided into `splits` ranges. For each block of WG * TARGETS targets there are
 * `splits` work-groups, each of which sums over one range, so that few particles fill a device, too. gas_allpairs_sum
 * adds the sums of the ranges in a fixed order, which always gives the same bits. The sum of a particle over range
 * `split`, multiplied by `scale`, is at index split * stride + particle.
 *
 * Several devices may share the targets of a gas. With RANGED 1 a launch computes `count` targets from index `begin`
 * on, which is a multiple of the size of a block. The sums of a target do not depend on the launch that computes it.
 */
#include "gas/methods/allpairs.clh"
#include "gas/methods/allpairs_exact.clh"

/* 1: a launch computes a range of the targets. 0: it computes all targets, and `begin` and `count` have no effect:
 * with the number of blocks as an argument, the compiler for an H200 makes the sums of 16384 particles 1.7 % slower.
 */
#ifndef RANGED
#define RANGED 0
#endif
#define BEGIN (RANGED ? begin : 0u)
#define COUNT (RANGED ? count : n)

/* 1, for few particles: forces of all pairs are computed from the positions themselves (allpairs_exact.clh). 0: most
 * forces are computed from offsets (allpairs_offset.clh). */
#ifndef EXACT
#define EXACT 1
#endif
#if EXACT
#define SOURCE PLACE
#define SOURCES PLACES
#else
#include "gas/methods/allpairs_offset.clh"
#define SOURCE OFFSET
#define SOURCES OFFSETS
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_allpairs_forces(__global const PLACE *position, __global const real *settings, __global VECTOR *force, uint n,
                         uint splits, uint stride, uint begin, uint count, real scale, real reach)
{
    __local SOURCE tile[SOURCES];
    const uint blocks = blocks_of(COUNT), group = (uint)get_group_id(0), split = group / blocks;
    const uint first = BEGIN + group % blocks * (WG * TARGETS) + (uint)get_local_id(0);
    const uint end = range_begin(n, split + 1u, splits);
    struct sums total[TARGETS];
    uint t, index;
#if EXACT
    const struct metric metric = load_metric(settings);
#if SPECIES > 1
    PAIRS pair;
#else
    const struct pair pair = load_pair(settings);
#endif
    const wide unit = (wide)R(1.0);
    struct exact_targets targets;
    (void)reach;
    exact_load_targets(&targets, position, first, n);
#if SPECIES > 1
    exact_load_kinds(&targets, settings, first, n);
    pair.settings = settings;
#endif
#else
    const struct law law = load_law(settings, reach);
    const wide unit = (wide)far_unit(&law);
    struct group_targets shared;
    struct targets targets;
    shared.position = position;
    shared.first = first;
    shared.n = n;
    load_targets(&targets, position, first, n, &law);
#endif
#pragma unroll TARGETS_UNROLLED
    for (t = 0; t < TARGETS; t++)
        sums_clear(&total[t]);
    for (index = range_begin(n, split, splits); index < end; index++) {
        const uint from = index * TILE, count = min((uint)TILE, n - from);
        barrier(CLK_LOCAL_MEM_FENCE);
#if EXACT
        exact_load_tile(tile, position, from, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        exact_clear(&targets);
#if SPECIES > 1
        pair.own = from;
#endif
        exact_meet(&targets, tile, count, metric, pair);
#else
        load_tile(tile, position, from, count, &law);
        barrier(CLK_LOCAL_MEM_FENCE);
        clear(&targets);
        meet_tile(&targets, tile, from, count, &shared, &law);
#endif
#pragma unroll TARGETS_UNROLLED
        for (t = 0; t < TARGETS; t++) {
            sum_add(&total[t].x, (wide)targets.force_x[t]);
            sum_add(&total[t].y, (wide)targets.force_y[t]);
            IN_3D(sum_add(&total[t].z, (wide)targets.force_z[t]);)
        }
    }
#pragma unroll TARGETS_UNROLLED
    for (t = 0; t < TARGETS; t++)
        if (first + t * WG < n)
            store_sums(force, split * stride + first + t * WG, &total[t], unit * (wide)scale OF_PLACE(settings, first + t * WG));
}

/* Computes forces as gas_allpairs_forces does, and half the energy and half the virial of the pairs of each particle.
 */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_allpairs_energies(__global const PLACE *position, __global const real *settings, __global VECTOR *force,
                           __global wide *energy, __global wide *virial, uint n, uint splits, uint stride, uint begin,
                           uint count, real scale)
{
    __local PLACE tile[PLACES];
    const uint blocks = blocks_of(COUNT), group = (uint)get_group_id(0), split = group / blocks;
    const uint first = BEGIN + group % blocks * (WG * TARGETS) + (uint)get_local_id(0);
    const uint end = range_begin(n, split + 1u, splits);
    const struct metric metric = load_metric(settings);
#if SPECIES > 1
    PAIRS pair;
#else
    const struct pair pair = load_pair(settings);
#endif
    struct exact_targets targets;
    struct sums total[TARGETS];
    struct sum energies[TARGETS], virials[TARGETS];
    uint t, index;
    exact_load_targets(&targets, position, first, n);
#if SPECIES > 1
    exact_load_kinds(&targets, settings, first, n);
    pair.settings = settings;
#endif
#pragma unroll TARGETS_UNROLLED
    for (t = 0; t < TARGETS; t++) {
        sums_clear(&total[t]);
        sum_clear(&energies[t]);
        sum_clear(&virials[t]);
    }
    for (index = range_begin(n, split, splits); index < end; index++) {
        const uint from = index * TILE, count = min((uint)TILE, n - from);
        real tile_energy[TARGETS], tile_virial[TARGETS];
        barrier(CLK_LOCAL_MEM_FENCE);
        exact_load_tile(tile, position, from, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        exact_clear(&targets);
#if SPECIES > 1
        pair.own = from;
#endif
#pragma unroll TARGETS_UNROLLED
        for (t = 0; t < TARGETS; t++)
            tile_energy[t] = tile_virial[t] = R(0.0);
        exact_meet_energies(&targets, tile_energy, tile_virial, tile, count, metric, pair);
#pragma unroll TARGETS_UNROLLED
        for (t = 0; t < TARGETS; t++) {
            sum_add(&total[t].x, (wide)targets.force_x[t]);
            sum_add(&total[t].y, (wide)targets.force_y[t]);
            IN_3D(sum_add(&total[t].z, (wide)targets.force_z[t]);)
            sum_add(&energies[t], (wide)tile_energy[t]);
            sum_add(&virials[t], (wide)tile_virial[t]);
        }
    }
#pragma unroll TARGETS_UNROLLED
    for (t = 0; t < TARGETS; t++) {
        const uint target = first + t * WG;
        if (target < n) {
            store_sums(force, split * stride + target, &total[t], (wide)scale OF_PLACE(settings, target));
            energy[split * stride + target] = (wide)R(0.5) * energies[t].value;
            virial[split * stride + target] = (wide)R(0.5) * virials[t].value;
        }
    }
}

/* Adds the sums of the `splits` ranges for the particles begin .. end - 1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_allpairs_sum(__global const VECTOR *parts, __global VECTOR *acceleration, uint begin, uint end, uint splits,
                      uint stride, real scale)
{
    const uint i = begin + (uint)get_global_id(0);
    if (i < end) {
        struct sums total;
        uint split;
        sums_clear(&total);
        for (split = 0; split < splits; split++) {
            const struct wide_vector part = load_vector(parts, split * stride + i);
            sum_add(&total.x, part.x);
            sum_add(&total.y, part.y);
            IN_3D(sum_add(&total.z, part.z);)
        }
        store_sums(acceleration, i, &total, (wide)scale);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_allpairs_sum_energies(__global const wide *parts, __global wide *out, uint begin, uint end, uint splits,
                               uint stride)
{
    const uint i = begin + (uint)get_global_id(0);
    if (i < end) {
        struct sum total;
        uint split;
        sum_clear(&total);
        for (split = 0; split < splits; split++)
            sum_add(&total, parts[split * stride + i]);
        out[i] = total.value;
    }
}
