/* A step of islands whose objective is evaluated by another launch: direct_make makes the points before that launch,
 * and direct_end applies the rules after it. A work-group for each island; members and points are in global memory. */
#define IN_LOCAL 0

#include "direct_search/methods/device.clh"

/* Sets the pointers to the island's members and points. count: number of points of each island that this step
 * evaluates. */
static INLINE void place(struct direct_view *view, uint k, uint count, uint tile, __global real *p, __global real *best,
                         __global real *extra, __global real *x, __global real *y)
{
    view->tile = tile;
    view->first_member = k * MEMBERS;
    view->first_point = k * count;
    view->p = p;
    view->values = best + (ulong)k * MEMBERS;
    view->extra = extra + (ulong)k * DIM;
    view->x = x;
    view->y = y + (ulong)k * count;
}

/* Makes the points of step `step`. count: number of points of each island that are evaluated; where an island makes
 * fewer points, the remaining points are the lower corner of the box. starts: number of start points. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void direct_make(__global real *restrict p, __global real *restrict best, __global const uint *restrict words,
                 __global const real *restrict settings, __global const uint *restrict counts,
                 __global const real *restrict numbers, __global real *restrict extra, __global real *restrict x,
                 __global real *restrict y, __global const real *restrict start /* or NULL */, struct search_shape shape,
                 uint step, uint count, uint starts)
{
    __local real scratch[SCRATCH_REALS];
    __local uint scratch_words[SCRATCH_WORDS];
    const uint k = (uint)get_group_id(0);
    const int is_drawn = is_drawing(shape, words, k, step), active = step == 0u || !has_run_ended(words, k);
    struct direct_view view = view_of(shape, k, starts, settings, start, scratch, scratch_words);
    struct direct_record record;
    struct direct_order order;
    const uint points = is_drawn ? MEMBERS : POINTS;
    place(&view, k, count, shape.tile, p, best, extra, x, y);
    record = read_record(&view, counts, numbers, k);
    order = direct_order(&view, view.values, is_drawn ? 0u : MEMBERS);
    if (active)
        TEAM_FOR(i, count * DIM) {
            const uint n = i / DIM, d = i % DIM;
            POINT(&view, n, d) = n >= points   ? direct_lower(&view, d)
                                 : is_drawn ? RULE_FIRST(&view, step, n, d)
                                            : RULE_COORDINATE(&view, &record, order, step, n, d);
        }
}

/* Ends step `step`, whose points have the values y. search_settle finds the best. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void direct_end(__global real *restrict p, __global real *restrict best, __global uint *restrict words,
                __global real *restrict reals, __global real *restrict champion, __global const real *restrict settings,
                __global uint *restrict counts, __global real *restrict numbers, __global real *restrict extra,
                __global real *restrict x, __global real *restrict y, __global const real *restrict start /* or NULL */,
                struct search_shape shape, uint step, uint count)
{
    __local real scratch[SCRATCH_REALS];
    __local uint scratch_words[SCRATCH_WORDS];
    const uint k = (uint)get_group_id(0);
    const int is_drawn = is_drawing(shape, words, k, step), active = step == 0u || !has_run_ended(words, k);
    const uint points = !active ? 0u : is_drawn ? MEMBERS : POINTS;
    const real best_ever = step > 0u ? reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION] : (real)INFINITY;
    struct direct_view view = view_of(shape, k, 0u, settings, start, scratch, scratch_words);
    struct direct_record record;
    struct direct_order order;
    uint not_finite = 0u;
    int is_open = 0;
    place(&view, k, count, shape.tile, p, best, extra, x, y);
    record = read_record(&view, counts, numbers, k);
    TEAM_FOR(n, points) {
        view.y[n] = counted(view.y[n], settings[SET_SIGN]);
        not_finite += isfinite(view.y[n]) || (!is_drawn && IS_STOPPED(&view, &record, n)) ? 0u : 1u;
    }
    TEAM_SYNC();
    order = direct_order(&view, view.values, is_drawn ? 0u : MEMBERS);
    TEAM_IF(active && !is_drawn)
        is_open = RULE_END(&view, &record, &order);
    if (active && is_drawn) {
        RULE_BEGIN(&view, &record);
        TEAM_FOR(i, MEMBERS * DIM) MEMBER(&view, i / DIM, i % DIM) = POINT(&view, i / DIM, i % DIM);
        TEAM_FOR(i, MEMBERS) view.values[i] = view.y[i];
    }
    if (is_open && view.y[0] < best_ever) {
        TEAM_FOR(d, DIM) champion[(ulong)k * DIM + d] = view.extra[d];
        if (TEAM_LANE == 0u)
            reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION] = view.y[0];
    }
    island_count_not_finite(words, k, not_finite);
    if (TEAM_LANE == 0u && active)
        write_record(&record, counts, numbers, k);
}
