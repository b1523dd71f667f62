/* Whole populations on the chip: one work-group makes many steps of its population in a launch, and as many populations
 * as fit the device run concurrently. Vectors and matrices are in local memory; points and values of a step go through
 * global memory. A work-item evaluates whole points; where the objective is rotated, all work-items rotate the points
 * first. */
#include "objective/objective.clh"

#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif

#include "cmaes/methods/device.clh"
#include "search/value.clh"

/* Number of tables, one after another; population k reads table number k mod INSTANCES. */
#ifndef INSTANCES
#define INSTANCES 1
#endif
#define AT_INSTANCE(k) ((k) % (uint)INSTANCES * (uint)(TABLE_ROWS / INSTANCES * COLUMNS))

#if TURNED
/* Sets turned[DIM][LAMBDA] to the rotated points; each work-item computes some coordinates of a point. Each sum has the
 * order of turn_by_rows. */
static INLINE void turn_points(local real *turned, uint k, __global const real *x, __global const real *settings)
{
    __global const real *table = settings + AT_TABLE;
    const real centre = ROTATION_CENTRE(table);
    CMA_FOR(i, LAMBDA * ((DIM + TURN_ROWS - 1u) / TURN_ROWS)) {
        const uint n = i % LAMBDA, first = i / LAMBDA * TURN_ROWS;
        real sum[TURN_ROWS];
        uint j, r;
        for (r = 0u; r < TURN_ROWS; r++)
            sum[r] = R(0.0);
        for (j = 0u; j < DIM; j++) {
            const real moved = shifted(x[place_of_point(LAMBDA, k, n, j)], settings, j, DIM) - centre;
            for (r = 0u; r < TURN_ROWS; r++)
                sum[r] += ELEMENT(table, TURN_ROW(first, r), j) * moved;
        }
        for (r = 0u; r < TURN_ROWS; r++)
            if (first + r < DIM)
                turned[(first + r) * LAMBDA + n] = centre + sum[r];
    }
    CMA_SYNC();
}

static INLINE real value_of_turned(const local real *turned, uint n)
{
    real point[DIM];
    uint d;
    for (d = 0u; d < DIM; d++)
        point[d] = turned[d * LAMBDA + n];
    return unrotated_value(point, DIM);
}
#else
static INLINE real value_at(uint k, uint n, __global const real *x, __global const real *settings)
{
    real point[DIM];
    uint d;
    for (d = 0u; d < DIM; d++)
        point[d] = shifted(x[place_of_point(LAMBDA, k, n, d)], settings, d, DIM);
    return value_of_point(point, settings + AT_INSTANCE(k));
}
#endif

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
#else
    CMA_SPACE real *own = numbers + (ulong)get_group_id(0) * NUMBERS, *own_points = points + (ulong)get_group_id(0) * POINTS;
#endif
    const uint k = (uint)get_group_id(0), end = first + steps;
    const struct cma_view view =
        view_of(k, seed, own, own_points, kept, values, weights, parts, constants, start, settings);
    island run = first > 0u ? island_read(words, reals, k) : island_new();
    struct cma_record record = read_record(counts, scalars, k);
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
#if TURNED
        turn_points(pool + NUMBERS + POINTS, k, x, settings);
#endif
        CMA_FOR(n, LAMBDA) {
#if TURNED
            const real own_value = value_of_turned(pool + NUMBERS + POINTS, n);
#else
            const real own_value = value_at(k, n, x, settings);
#endif
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
