/* The end of an update by the methods of the thesis: adds derivatives over threads or blocks, and changes the
 * parameters. */
#ifndef WG
#define WG 256
#endif

#include "lib/reduce.clh"
#include "mlp/model/optimiser.clh"
#include "mlp/thesis/layout.clh"

static ulong place_of(struct thesis_parts parts, uint part, uint k)
{
    if (parts.flags & THESIS_DELTAS_A)
        return ((ulong)(part / parts.side) * parts.slab + k) * parts.side + part % parts.side;
    return (ulong)k * parts.parts + part;
}

/* Adds the derivatives of a parameter over all threads or blocks; a work-group for each parameter. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_sum_each(__global const real *deltas, __global real *sums, struct thesis_parts parts)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), k = parts.first + (uint)get_group_id(0);
    real sum = R(0.0);
    uint part;
    for (part = lid; part < parts.parts; part += WG)
        sum += deltas[place_of(parts, part, k)];
    sum = group_sum(sum, scratch);
    if (lid == 0u)
        sums[k] = sum;
}

/* Adds the derivatives of a parameter over all threads or blocks; a work-item for each parameter. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_sum_all(__global const real *deltas, __global real *sums, struct thesis_parts parts)
{
    const uint k = parts.first + (uint)get_global_id(0);
    real sum = R(0.0);
    uint part;
    if ((uint)get_global_id(0) >= parts.count)
        return;
    for (part = 0u; part < parts.parts; part++)
        sum += deltas[place_of(parts, part, k)];
    sums[k] = sum;
}

/* Updates the parameters, one for each work-item. No parameter changes if the loss is not finite. optimiser: enum
 * mlp_optimiser. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void thesis_update(__global const real *sums, __global const real *settings, __global real *parameters, __global real *s0,
                   __global real *s1, __global real *s2, int optimiser, struct thesis_step step)
{
    const uint k = (uint)get_global_id(0);
    const int is_second = k >= step.second;
    const uint place = is_second ? k - step.second : k;
    const uint weights = is_second ? step.hidden * step.outputs : step.inputs * step.hidden;
    const uint count = weights + (is_second ? step.outputs : step.hidden);
    if (k >= step.tail || place >= count || !isfinite(sums[step.tail]))
        return;
    {
        const real w = parameters[k];
        real g = sums[k] * settings[THESIS_SHARE], a = s0[k], b = s1[k], c = s2[k];
        mlp_update set;
        set.rate = settings[THESIS_RATE];
        set.momentum = settings[THESIS_MOMENTUM];
        set.beta2 = settings[THESIS_BETA2];
        set.epsilon = settings[THESIS_EPSILON];
        set.correction1 = settings[THESIS_CORRECTION1];
        set.correction2 = settings[THESIS_CORRECTION2];
        set.keep = place < weights ? settings[THESIS_KEEP] : R(1.0);
        set.up = settings[THESIS_UP];
        set.down = settings[THESIS_DOWN];
        set.least = settings[THESIS_LEAST];
        set.greatest = settings[THESIS_GREATEST];
        set.kind = optimiser;
        set.rose = 0;
        if (place < weights) {
            const real q = w * settings[THESIS_SCALE], r = R(1.0) + q * q, l1 = settings[THESIS_L1];
            g += w > R(0.0) ? l1 : w < R(0.0) ? -l1 : R(0.0);
            g += settings[THESIS_L2] * w + settings[THESIS_ELIMINATION] * R(2.0) * q * settings[THESIS_SCALE] / (r * r);
        }
        parameters[k] = mlp_apply(set, w, g, &a, &b, &c);
        s0[k] = a;
        s1[k] = b;
        s2[k] = c;
    }
}
