/* The epsilon level: its value at the start of an island, and the values that members and trials have at the level of a
 * step. The population does not shrink, so that trial i belongs to member i. */
#include "de/methods/pipeline.clh"
#include "de/model/level.clh"

/* key: the bits of a violation as a whole number. Keys have the order of the violations. */
#if REAL == 64
typedef ulong key;
#define TOP_BIT 0x4000000000000000ul
static inline key key_of(real violation)
{
    return as_ulong(violation);
}
static inline real violation_of(key found)
{
    return as_double((long)found);
}
#else
typedef uint key;
#define TOP_BIT 0x40000000u
static inline key key_of(real violation)
{
    return as_uint(violation);
}
static inline real violation_of(key found)
{
    return as_float(found);
}
#endif

/* Sets the start levels of the islands that this step draws; a group for each island. The violation of member number
 * members / LEVEL_PART in the order of violations is found bit by bit. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_level_begin(__global const real *restrict best, __global real *restrict levels,
                    __global const uint *restrict words, __global const real *restrict settings,
                    struct search_shape shape, struct de_step step)
{
    __local uint scratch[2 * WG];
    const uint lid = (uint)get_local_id(0), k = (uint)get_group_id(0), at = shape.members / LEVEL_PART;
    const int active = !has_run_ended(words, k) && is_drawing(shape, words, k, step.step);
    const uint count = active ? shape.members : 0u;
    key found = 0u, bit;
    for (bit = TOP_BIT; bit > 0u; bit >>= 1) {
        uint below = 0u, i;
        for (i = lid; i < count; i += WG)
            below += key_of(de_violation(best[(ulong)k * shape.members + i])) < (found | bit) ? 1u : 0u;
        if (group_scan(below, scratch).total <= at)
            found |= bit;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0u && active) {
        levels[(ulong)k * LEVEL_REALS + LEVEL_START] = min(violation_of(found), settings[SET_LEVEL]);
        levels[(ulong)k * LEVEL_REALS + LEVEL_DRAWN] = (real)step.step;
    }
}

/* Writes the values of members or trials at the epsilon level of the step. is_trial: 0: ranks and out are values of
 * members, 1: ranks are values of the constrained objective for the trials, and out has the sign of the objective, too.
 * values: values of the objective without its constraints. steps: see de_level_at. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_level(__global const real *restrict ranks, __global const real *restrict values,
              __global const real *restrict levels, __global real *restrict out, __global const real *restrict settings,
              struct search_shape shape, struct de_step step, uint steps, uint is_trial)
{
    const uint i = (uint)get_global_id(0);
    if (i < shape.members * shape.islands) {
        __global const real *const own = levels + (ulong)(i / shape.members) * LEVEL_REALS;
        const real sign = is_trial ? settings[SET_SIGN] : R(1.0);
        const real rank = is_trial ? counted(ranks[i], sign) : ranks[i];
        const real level = de_level_at(own[LEVEL_START], own[LEVEL_DRAWN], step.step, steps);
        out[i] = sign * de_levelled(rank, settings[SET_SIGN] * values[i], level);
    }
}
