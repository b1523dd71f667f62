/* A step of populations whose objective is evaluated by another launch: cmaes_make makes the points before that launch,
 * and cmaes_end updates the populations after it. A work-group for each population; vectors and matrices are in global
 * memory. */
#ifndef WG
#define WG 32
#endif
#define IN_LOCAL 0

#include "cmaes/methods/device.clh"

/* Makes the points of step `step`; step 0 begins the populations. has_lost: as in make_points. tile: points in a tile
 * of x. starts: number of start points. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void cmaes_make(__global real *restrict x, __global const uint *restrict words, __global const real *restrict settings,
                __global uint *restrict counts, __global real *restrict scalars, __global real *restrict numbers,
                __global real *restrict points, __global real *restrict kept, __global real *restrict values,
                __global real *restrict weights, __global real *restrict parts /* or NULL */,
                __global const real *restrict constants, __global const real *restrict start /* or NULL */, ulong seed,
                uint step, uint has_lost, uint starts, uint tile)
{
    const uint k = (uint)get_group_id(0);
    const struct cma_view view = view_of(k, seed, numbers + (ulong)k * NUMBERS, points + (ulong)k * POINTS, kept, values,
                                         weights, parts, constants, start, settings);
    struct cma_record record = read_record(counts, scalars, k);
    const uint ended = step > 0u ? words[(ulong)k * ISLAND_WORDS + ISLAND_ENDED] : 0u;
    CMA_IF(step == 0u)
        cma_begin_run(&view, &record);
    CMA_IF(!ended)
        make_points(&view, &record, step, has_lost, starts, k, tile, x, settings);
    if (CMA_LANE == 0u)
        write_record(&record, counts, scalars, k);
}

/* Ends step `step`, whose points have the values y. stagnation: as in the parameters; 0: none. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void cmaes_end(__global const real *restrict x, __global const real *restrict y, __global real *restrict best,
               __global uint *restrict words, __global real *restrict reals, __global real *restrict champion,
               __global const real *restrict settings, __global uint *restrict counts, __global real *restrict scalars,
               __global real *restrict numbers, __global real *restrict points, __global real *restrict kept,
               __global real *restrict values, __global real *restrict weights,
               __global real *restrict parts /* or NULL */, __global const real *restrict constants,
               __global const real *restrict start /* or NULL */, ulong seed, uint step, uint stagnation, uint tile)
{
    const uint k = (uint)get_group_id(0);
    const struct cma_view view = view_of(k, seed, numbers + (ulong)k * NUMBERS, points + (ulong)k * POINTS, kept, values,
                                         weights, parts, constants, start, settings);
    struct cma_record record = read_record(counts, scalars, k);
    island run = step > 0u ? island_read(words, reals, k) : island_new();
    const uint active = run.ended ? 0u : 1u;
    uint not_finite = 0u;
    CMA_IF(active) {
        CMA_FOR(n, LAMBDA) {
            const real value = counted(y[(ulong)k * LAMBDA + n], settings[SET_SIGN]);
            cma_values(&view, &record)[n] = value;
            not_finite += isfinite(value) ? 0u : 1u;
        }
        CMA_SYNC();
        end_step(&view, &record, &run, step, stagnation, k, tile, x, best, champion, settings);
    }
    island_count_not_finite(words, k, not_finite);
    CMA_SYNC();
    if (CMA_LANE == 0u && active) {
        island_write(run, words, reals, k);
        write_record(&record, counts, scalars, k);
    }
}
