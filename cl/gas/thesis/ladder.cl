/* All pairs as in the thesis on the gas (section 3.3): a work-item reads the coordinates of every source from
 * global memory, without local memory.
 *   ROOT     0: a division, with the constant in it (MTI); 1: rsqrt(s s), the constant outside the loop (GPUMTI)
 *   UNROLL   sources a turn of the loop (GPUMTI_Um)
 *   TARGETS  particles of a work-item; 4 with UNROLL 8 is semi-blocking (GPUMTI_SBi4_U8)
 * Its operations a pair, every one counted as one: log 12 (11 with a division), log with repulsion 22, real gas 28,
 * gravity in three dimensions 19. Differently from there, any number of particles is right, and nothing moves before
 * all forces are known. Sums are plain ones. A particle has no force on itself since the laws are softened.
 */
#ifndef WG
#define WG 64
#endif
#ifndef ROOT
#define ROOT 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef TARGETS
#define TARGETS 1
#endif
#ifndef POTENTIAL
#define POTENTIAL 2
#endif
#ifndef CUT
#define CUT 0
#endif

#include "gas/model/pair.clh"

#if POTENTIAL == LENNARD_JONES || POTENTIAL == USER
#error "the kernels of the thesis are for softened laws"
#endif

/* Coordinates along one axis after the other, `stride` places each, from the middle of the numbers of an axis. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_ladder_places(__global const PLACE *position, __global const real *settings, __global real *along, uint n,
                       uint stride)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct vector v = from_centre(load_place(position, i), load_metric(settings));
        along[i] = v.x;
        along[stride + i] = v.y;
#if DIM == 3
        along[2u * stride + i] = v.z;
#endif
    }
}

/* SUM_FACTOR is applied to the sums, PAIR_FACTOR to each pair. */
#if POTENTIAL == LOG && ROOT || POTENTIAL == GRAVITY && ROOT
#define PAIR_FACTOR(p) R(1.0)
#define SUM_FACTOR(p) (-(p).attraction)
#else
#define PAIR_FACTOR(p) (-(p).attraction)
#define SUM_FACTOR(p) R(1.0)
#endif

static inline real pair_factor(real s, struct pair p)
{
#if POTENTIAL == GRAVITY && ROOT
    return rsqrt(s * s * s);
#elif POTENTIAL == GRAVITY
    return PAIR_FACTOR(p) / (s * sqrt(s));
#elif POTENTIAL == LOG && ROOT
    return rsqrt(s * s);
#elif POTENTIAL == LOG
    return PAIR_FACTOR(p) / s;
#else
#if ROOT
    const real w = rsqrt(s * s);
#else
    const real w = R(1.0) / s;
#endif
#if POTENTIAL == LOG_REPULSION
    return mad(p.repulsion * w, w, PAIR_FACTOR(p) * w);
#else
    real force = PAIR_FACTOR(p) * w;
    if (s < p.cutoff2)
        force += cut_force(s, mad(p.repulsion * w, w, -p.short_attraction * w), short_energy(s, p), p);
    return force;
#endif
#endif
}

static inline struct vector load_along(__global const real *along, uint stride, uint i)
{
    struct vector v;
    v.x = along[i];
    v.y = along[stride + i];
#if DIM == 3
    v.z = along[2u * stride + i];
#endif
    return v;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_ladder_forces(__global const real *along, __global const real *settings, __global VECTOR *acceleration,
                       uint n, uint stride, uint items, real scale)
{
    const uint item = (uint)get_global_id(0);
    const struct pair p = load_pair(settings);
    const wide unit = (wide)(SUM_FACTOR(p) * scale);
    struct vector at[TARGETS];
    struct wide_vector sum[TARGETS];
    uint j, t;
#pragma unroll
    for (t = 0; t < TARGETS; t++) {
        at[t] = load_along(along, stride, min(item + t * items, n - 1u));
        sum[t] = vector_zero();
    }
#pragma unroll UNROLL
    for (j = 0; j < n; j++) {
        const struct vector source = load_along(along, stride, j);
#pragma unroll
        for (t = 0; t < TARGETS; t++) {
            const struct vector d = vector_between(at[t], source);
            vector_add_force(&sum[t], d, pair_factor(squared_and(d, p.softening2), p));
        }
    }
#pragma unroll
    for (t = 0; t < TARGETS; t++) {
        const uint i = item + t * items;
        if (item < items && i < n)
            store_vector(acceleration, i, vector_scale(sum[t], unit));
    }
}
