/* Whole populations on the chip: one work-group makes many steps of its population in a launch, and as many populations
 * as fit the device run concurrently. Vectors and matrices are in local memory; points and values of a step go through
 * global memory. All work-items compute the terms of an objective with BY_TEAM, and rotate the points of a rotated one;
 * the rest of a value is left to one work-item. */

#ifndef WG
#define WG 32
#endif
/* Number of points whose values the work-items of a group may compute together; 0: none. */
#ifndef TEAM_POINTS
#define TEAM_POINTS 0
#endif
#include "search/team.clh"
#include "objective/objective.clh"

#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
#include "cmaes/methods/values.clh"

/* Makes steps first .. first + steps - 1 of population get_group_id(0); step 0 begins the population. has_lost: as in
 * make_points, for step `first`. stagnation: as in the parameters; 0: none. starts: number of start points. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void cmaes_run(__global real *restrict x, __global real *restrict best, __global uint *restrict words,
               __global real *restrict reals, __global real *restrict champion, __global const real *restrict settings,
               __global uint *restrict counts, __global real *restrict scalars, __global real *restrict numbers,
               __global real *restrict points /* or NULL */, __global real *restrict kept, __global real *restrict values,
               __global real *restrict weights, __global real *restrict parts /* or NULL */,
               __global const real *restrict constants, __global const real *restrict start /* or NULL */, ulong seed,
               uint first, uint steps, uint has_lost, uint stagnation, uint starts)
{
#if IN_LOCAL
    __local real pool[POOL * 64 / REAL];
    CMA_SPACE real *own = pool, *own_points = pool + NUMBERS;
    local real *shared = pool + NUMBERS + POINTS;
#else
    local real *shared = 0;
    CMA_SPACE real *own = numbers + (ulong)get_group_id(0) * NUMBERS, *own_points = points + (ulong)get_group_id(0) * POINTS;
#endif
    const uint k = (uint)get_group_id(0), end = first + steps;
    const struct cma_view view =
        view_of(k, seed, own, own_points, kept, values, weights, parts, constants, start, settings);
    island run = first > 0u ? island_read(words, reals, k) : island_new();
    struct cma_record record = read_record(counts, scalars, k);
    const local real *prepared;
    uint not_finite = 0u, step;
    CMA_IF(first == 0u)
        cma_begin_run(&view, &record);
#if IN_LOCAL
    if (first > 0u)
        CMA_FOR(i, NUMBERS) own[i] = numbers[(ulong)k * NUMBERS + i];
#endif
    if (first > 0u && record.word[CMA_IS_SPENT])
        run.ended = 1u;
    CMA_SYNC();
    for (step = first; step < end && !run.ended; step++) {
        make_points(&view, &record, step, step == first && has_lost, starts, k, LAMBDA, x, settings);
        prepared = prepare_points(shared, k, x, settings);
        CMA_FOR(n, LAMBDA) {
            const real own_value = value_at(shared, prepared, k, n, x, settings);
            const real value = counted(own_value, settings[SET_SIGN]);
            cma_values(&view, &record)[n] = value;
            not_finite += isfinite(value) ? 0u : 1u;
        }
        CMA_SYNC();
        end_step(&view, &record, &run, step, stagnation, k, LAMBDA, x, best, champion, settings);
    }
#if IN_LOCAL
    CMA_SYNC();
    CMA_FOR(i, NUMBERS) numbers[(ulong)k * NUMBERS + i] = own[i];
#endif
    island_count_not_finite(words, k, not_finite);
    if (CMA_LANE == 0u) {
        island_write(run, words, reals, k);
        write_record(&record, counts, scalars, k);
    }
}
