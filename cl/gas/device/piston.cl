/* The piston: the sum of the depths of the particles in the piston, and the motion of the piston by the force of this
 * sum, by outside pressure and by a spring. docs/gas.md describes the rules.
 *
 * Depths are summed as integers, so that the sum has the same bits in any order of the particles: the list method
 * sorts the particles during a run.
 */
#ifndef WG
#define WG 64
#endif

#include "gas/model/exchange.clh"
#include "gas/model/external.clh"
#include "lib/group.clh"

#define AXIS (PISTON > 0 ? PISTON - 1 : 0)

GROUP_REDUCE(group_added, long, ADD)

/* Depth of a particle in the piston, in DEPTH_UNIT; 0: the particle is not in the piston. */
static inline long depth(struct place place, __global const real *settings)
{
    coordinate at = AXIS == 1 ? place.y : place.x;
    IN_3D(at = AXIS == 2 ? place.z : at;)
#if PRECISION == DOUBLE
    {
        const double deep = at - PISTON_AT(settings);
        return deep > 0 ? (long)rint(deep / settings[SET_LENGTH + AXIS] * (double)PISTON_STEPS) : 0;
    }
#else
    {
        const int deep = (int)(at - PISTON_AT(settings));
        return deep > 0 ? (long)deep : 0;
    }
#endif
}

#if PRECISION == DOUBLE
#define DEPTH_UNIT(settings) ((settings)[SET_LENGTH + AXIS] / (double)PISTON_STEPS)
#else
#define DEPTH_UNIT(settings) (settings)[SET_UNIT + AXIS]
#endif

/* Computes the sum of the depths of the particles of each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_piston_sums(__global const PLACE *position, __global long *sums, __global const real *settings, uint n)
{
    __local long scratch[WG];
    long sum = 0;
    uint i;
    for (i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0))
        sum += depth(load_place(position, i), settings);
    sum = group_added(sum, scratch);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* Loads and stores two numbers of the piston that are a sum and its rest. */
static inline EXCHANGE load_sum(__global const real *number)
{
#if PRECISION == SINGLE
    EXCHANGE sum;
    sum.x = number[0];
    sum.y = number[1];
    return sum;
#else
    return (double)number[0] + (double)number[1];
#endif
}

static inline void store_sum(__global real *number, EXCHANGE sum)
{
#if PRECISION == SINGLE
    number[0] = sum.x;
    number[1] = sum.y;
#else
    number[0] = (real)sum;
    number[1] = (real)(sum - (double)number[0]);
#endif
}

/* Distance of the piston from the low wall. */
static inline wide from_low_wall(__global const real *settings)
{
    return (wide)FROM_LOW(AXIS, PISTON_AT(settings), settings);
}

/* Moves the piston by `shift`, with the rest of its displacements that coordinates leave out. */
static inline void move_piston(__global real *settings, wide shift)
{
    __global real *piston = settings + SET_PISTON;
#if PRECISION == DOUBLE
    piston[PISTON_PLACE] += shift;
#else
    const wide to = shift * (wide)settings[SET_INVERSE + AXIS] + (wide)piston[PISTON_REST];
    const int steps = convert_int_rte(to);
    const uint place = PISTON_AT(settings) + (uint)steps;
    piston[PISTON_REST] = (real)(to - (wide)steps);
    piston[PISTON_PLACE] = (real)(place >> 16);
    piston[PISTON_PLACE + 1] = (real)(place & 65535u);
#endif
}

/* Makes the step of the piston that follows from the force before the step of the particles. Launched with one
 * work-group, after the step of the particles; does nothing if particles have not moved since the last launch.
 * sums: [groups], from before that step. step: its number; 0: in WORD_STEP. moves: 0: the piston is held. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_piston_move(__global const long *sums, __global real *settings, __global uint *words, uint groups, uint step,
                uint moves)
{
    __local long scratch[WG];
    const uint now = step != 0u ? step : words[WORD_STEP];
    long sum = 0;
    uint i;
    for (i = (uint)get_local_id(0); i < groups; i += WG)
        sum += sums[i];
    sum = group_added(sum, scratch);
    if (get_local_id(0) == 0 && now != words[WORD_PISTON]) {
        words[WORD_PISTON] = now;
        if (moves != 0u && words[WORD_PISTON_END] == UINT_MAX) {
            __global real *piston = settings + SET_PISTON;
#if SCHEDULE
            __global const real *external =
                settings + GAS_SETTINGS + now % SCHEDULE_ROWS * SCHEDULE_ROW + ROW_EXTERNAL;
#else
            __global const real *external = settings + SET_EXTERNAL;
#endif
            const wide dt = (wide)settings[SET_DT], mass = (wide)settings[SET_PISTON_MASS];
            const wide force = (wide)sum * (wide)DEPTH_UNIT(settings) * (wide)settings[SET_WALL_STIFFNESS];
            const wide away = from_low_wall(settings) - (wide)settings[SET_PISTON_START];
            EXCHANGE speed = exchange_of((wide)external[EXTERNAL_PISTON_SPEED]);
            wide shift, to;
            if (mass > 0)
                speed = exchange_added(load_sum(piston + PISTON_SPEED),
                                       (force - (wide)external[EXTERNAL_PISTON_PRESSURE] * (wide)settings[SET_PISTON_AREA] -
                                        (wide)settings[SET_PISTON_SPRING] * away) / mass * dt);
            shift = exchange_value(speed) * dt;
            to = from_low_wall(settings) + shift;
            store_sum(piston + PISTON_SPEED, speed);
            store_sum(piston + PISTON_WORK, exchange_added(load_sum(piston + PISTON_WORK), -force * shift));
            /* A NaN fails this comparison, too. */
            if (to > (wide)settings[SET_PISTON_LEAST] && to < (wide)settings[SET_PISTON_LEAST + 1])
                move_piston(settings, shift);
            else
                words[WORD_PISTON_END] = now;
        }
    }
}
