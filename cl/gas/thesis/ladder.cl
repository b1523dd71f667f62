/* All pairs as in the thesis on the gas (section 3.3): a work-item reads the coordinates of every source from
 * global memory, without local memory.
 *   ROOT     0: a division, with the constant in it (MTI); 1: rsqrt(s s), the constant outside the loop (GPUMTI)
 *   UNROLL   number of sources for which the loop is unrolled (GPUMTI_Um)
 *   TARGETS  number of particles of a work-item; 4 with UNROLL 8 is semi-blocking (GPUMTI_SBi4_U8)
 * Number of operations for a pair, each counted as one: log 12 (11 with a division), log with repulsion 22, real gas
 * 28, gravity in three dimensions 19. In contrast to the thesis, any number of particles is allowed, and no particle
 * moves before all forces are computed. Sums have no compensation. A particle has no force on itself since the laws are
 * softened.
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

/* Stores the coordinates axis by axis, with `stride` elements for each axis, relative to the centre of the axis. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_ladder_places(__global const PLACE *position, __global const real *settings, __global real *along, uint n,
                       uint stride)
{
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const struct metric metric = load_metric(settings);
        const struct place p = load_place(position, i);
#if PRECISION == DOUBLE
        along[i] = p.x - R(0.5) * metric.x;
        along[stride + i] = p.y - R(0.5) * metric.y;
        IN_3D(along[2u * stride + i] = p.z - R(0.5) * metric.z;)
#else
        along[i] = (real)as_int(p.x - 0x60000000u) * metric.x;
        along[stride + i] = (real)as_int(p.y - 0x60000000u) * metric.y;
        IN_3D(along[2u * stride + i] = (real)as_int(p.z - 0x60000000u) * metric.z;)
#endif
    }
}

/* The constants of the law: PAIR_FACTOR multiplies the force of each pair, SUM_FACTOR the sum over all pairs. */
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

/* Computes the forces of n sources on the particles begin .. end - 1, by `items` work-items; work-item k has the
 * particles begin + k, begin + k + items, ... */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_ladder_forces(__global const real *along, __global const real *settings, __global VECTOR *acceleration,
                       uint n, uint stride, uint items, uint begin, uint end, real scale)
{
    const uint item = (uint)get_global_id(0);
    const struct pair p = load_pair(settings);
    const wide unit = (wide)(SUM_FACTOR(p) * scale);
    real x[TARGETS], y[TARGETS];
    wide sum_x[TARGETS], sum_y[TARGETS];
    IN_3D(real z[TARGETS];)
    IN_3D(wide sum_z[TARGETS];)
    uint j, t;
#pragma unroll
    for (t = 0; t < TARGETS; t++) {
        const uint i = min(begin + item + t * items, n - 1u);
        x[t] = along[i];
        y[t] = along[stride + i];
        sum_x[t] = sum_y[t] = (wide)R(0.0);
        IN_3D(z[t] = along[2u * stride + i];)
        IN_3D(sum_z[t] = (wide)R(0.0);)
    }
#pragma unroll UNROLL
    for (j = 0; j < n; j++) {
        const real source_x = along[j], source_y = along[stride + j];
        IN_3D(const real source_z = along[2u * stride + j];)
#pragma unroll
        for (t = 0; t < TARGETS; t++) {
            const real dx = x[t] - source_x, dy = y[t] - source_y;
#if DIM == 3
            const real dz = z[t] - source_z;
            const real force = pair_factor(mad(dx, dx, mad(dy, dy, mad(dz, dz, p.softening2))), p);
            sum_z[t] += (wide)(force * dz);
#else
            const real force = pair_factor(mad(dx, dx, mad(dy, dy, p.softening2)), p);
#endif
            sum_x[t] += (wide)(force * dx);
            sum_y[t] += (wide)(force * dy);
        }
    }
#pragma unroll
    for (t = 0; t < TARGETS; t++) {
        const uint i = begin + item + t * items;
        if (item < items && i < end) {
            struct wide_vector a;
            a.x = sum_x[t] * unit;
            a.y = sum_y[t] * unit;
            IN_3D(a.z = sum_z[t] * unit;)
            store_vector(acceleration, i, a);
        }
    }
}
