/* Whole islands on the chip: one work-group makes many steps of its island in a launch, and as many islands as fit the
 * device run concurrently. A simplex makes one point in a step, whose dimensions the work-items share where the objective
 * allows it; otherwise a work-item evaluates whole points. */
#include "objective/objective.clh"

#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif

#include "direct_search/methods/device.clh"
#include "search/value.clh"

/* Indices in the pool of the parts of an island. */
#define AT_VALUES (MEMBERS * DIM)
#define AT_EXTRA  (AT_VALUES + MEMBERS)
#define AT_POINTS (AT_EXTRA + DIM)
#define AT_Y      (AT_POINTS + POINTS * DIM)
#if IN_LOCAL && POOL * 64 < (AT_Y + POINTS) * REAL
#error "POOL is too small for this island"
#endif

/* Points whose values are computed: `count` points of x from number `first` on, and their values y. */
struct points {
    DIRECT_SPACE real *x, *y;
    uint first, count;
};

static INLINE real coordinate_of(const struct direct_view *view, struct points points, uint n, uint d)
{
    return shifted(points.x[direct_place(view->tile, points.first + n, DIM, d)], view->settings, d, DIM);
}

#if DIRECT_RULE == NELDER_MEAD && SHAPE == PER_DIMENSION
#define SHARES_POINT 1

#if WG > 1
static INLINE void keep_terms(const struct direct_view *view, uint lane, terms sum)
{
    int t;
    for (t = 0; t < TERMS; t++)
        view->reals[t * WG + lane] = sum.a[t];
}

static INLINE terms kept_terms(const struct direct_view *view, uint lane)
{
    terms sum = terms_none();
    int t;
    for (t = 0; t < TERMS; t++)
        sum.a[t] = view->reals[t * WG + lane];
    return sum;
}
#endif

/* Value at point n; the work-items share its dimensions, and all work-items get the value. */
static INLINE real shared_value(const struct direct_view *view, struct points points, uint n)
{
    terms sum = terms_none();
    int t;
    TEAM_FOR(d, DIM - COUPLED)
        sum = terms_add(sum, coordinate_of(view, points, n, d), coordinate_of(view, points, n, d + COUPLED), d, DIM);
    TEAM_JOIN(view, sum, terms_join, keep_terms, kept_terms);
    for (t = 0; t < SINGLES; t++)
        sum.a[TERMS + t] = coordinate_of(view, points, n, single_dimension(t, DIM));
    return terms_value(sum, DIM);
}
#else
#define SHARES_POINT 0

static INLINE real value_at(const struct direct_view *view, struct points points, uint n)
{
    real point[DIM];
    uint d;
    for (d = 0u; d < DIM; d++)
        point[d] = coordinate_of(view, points, n, d);
    return value_of_point(point, view->settings);
}
#endif

/* Sets the values of the points. Returns the number of values that this work-item computed and that are not finite. */
static INLINE uint evaluate(const struct direct_view *view, const struct direct_record *record, struct points points,
                            int is_drawn)
{
    uint not_finite = 0u;
    (void)record;
    (void)is_drawn;
#if SHARES_POINT
    for (uint n = 0u; n < points.count; n++) {
        const real value = counted(shared_value(view, points, n), view->settings[SET_SIGN]);
        if (TEAM_LANE == 0u) {
            points.y[n] = value;
            not_finite += isfinite(value) ? 0u : 1u;
        }
    }
#else
    TEAM_FOR(n, points.count) if (is_drawn || !IS_STOPPED(view, record, n)) {
        const real value = counted(value_at(view, points, n), view->settings[SET_SIGN]);
        points.y[n] = value;
        not_finite += isfinite(value) ? 0u : 1u;
    }
#endif
    return not_finite;
}

#if IN_LOCAL
/* load_island, store_island: copy the island's members, their values and the extra point between global memory and the
 * pool. */
static INLINE void load_island(const struct direct_view *view, uint k, __global const real *p, __global const real *best,
                               __global const real *extra)
{
    TEAM_FOR(i, MEMBERS * DIM) view->p[i] = p[(ulong)k * MEMBERS * DIM + i % DIM * MEMBERS + i / DIM];
    TEAM_FOR(i, MEMBERS) view->values[i] = best[(ulong)k * MEMBERS + i];
    TEAM_FOR(d, DIM) view->extra[d] = extra[(ulong)k * DIM + d];
}

static INLINE void store_island(const struct direct_view *view, uint k, __global real *p, __global real *best,
                                __global real *extra)
{
    TEAM_FOR(i, MEMBERS * DIM) p[(ulong)k * MEMBERS * DIM + i % DIM * MEMBERS + i / DIM] = view->p[i];
    TEAM_FOR(i, MEMBERS) best[(ulong)k * MEMBERS + i] = view->values[i];
    TEAM_FOR(d, DIM) extra[(ulong)k * DIM + d] = view->extra[d];
}
#endif

/* Makes the points of step `step` with their values: the members of an island that is drawn anew, or new points.
 * Returns the number of values that this work-item computed and that are not finite. */
static INLINE uint make_points(const struct direct_view *view, const struct direct_record *record,
                               struct direct_order order, uint step, int is_drawn)
{
    struct points points;
    points.x = is_drawn ? view->p : view->x;
    points.y = is_drawn ? view->values : view->y;
    points.first = is_drawn ? view->first_member : view->first_point;
    points.count = is_drawn ? MEMBERS : POINTS;
    if (is_drawn) {
        TEAM_FOR(i, MEMBERS * DIM) MEMBER(view, i / DIM, i % DIM) = RULE_FIRST(view, step, i / DIM, i % DIM);
    } else {
        TEAM_FOR(i, POINTS * DIM)
            POINT(view, i / DIM, i % DIM) = RULE_COORDINATE(view, record, order, step, i / DIM, i % DIM);
    }
    TEAM_SYNC();
    return evaluate(view, record, points, is_drawn);
}

/* Ends a step, whose points have their values. Returns 1 if the reflected point of a simplex has not become a
 * vertex. */
static INLINE int end_step(const struct direct_view *view, struct direct_record *record, struct direct_order *order,
                           int is_drawn)
{
    int is_open = 0;
    TEAM_SYNC();
    TEAM_IF(is_drawn) {
        RULE_BEGIN(view, record);
        *order = direct_order(view, view->values, MEMBERS);
    }
    TEAM_IF(!is_drawn)
        is_open = RULE_END(view, record, order);
    return is_open;
}

/* Makes steps first .. first + steps - 1 of island get_group_id(0); step 0 draws the island. search_settle finds the
 * best of the last step, unless a run of one island has ended before. stagnation: as in the parameters; 0: none.
 * starts: number of start points. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void direct_run(__global real *restrict p, __global real *restrict best, __global uint *restrict words,
                __global real *restrict reals, __global real *restrict champion, __global const real *restrict settings,
                __global uint *restrict counts, __global real *restrict numbers, __global real *restrict extra,
                __global real *restrict x /* or NULL */, __global real *restrict y /* or NULL */,
                __global const real *restrict start /* or NULL */, struct search_shape shape, uint first, uint steps,
                uint stagnation, uint starts)
{
    __local real scratch[SCRATCH_REALS];
    __local uint scratch_words[SCRATCH_WORDS];
#if IN_LOCAL
    __local real pool[POOL * 64 / REAL];
#endif
    const uint k = (uint)get_group_id(0), end = first + steps;
    struct direct_view view = view_of(shape, k, starts, settings, start, scratch, scratch_words);
    island run = first > 0u ? island_read(words, reals, k) : island_new();
    const int active = !run.ended;
    struct direct_record record = read_record(&view, counts, numbers, k);
    struct direct_order order;
    uint not_finite = 0u, step;
#if IN_LOCAL
    view.tile = 1u;
    view.first_member = view.first_point = 0u;
    view.p = pool;
    view.values = pool + AT_VALUES;
    view.extra = pool + AT_EXTRA;
    view.x = pool + AT_POINTS;
    view.y = pool + AT_Y;
    if (first > 0u)
        load_island(&view, k, p, best, extra);
#else
    view.tile = MEMBERS;
    view.first_member = k * MEMBERS;
    view.first_point = k * POINTS;
    view.p = p;
    view.values = best + (ulong)k * MEMBERS;
    view.extra = extra + (ulong)k * DIM;
    view.x = x;
    view.y = y + (ulong)k * POINTS;
#endif
    TEAM_SYNC();
    order = direct_order(&view, view.values, first > 0u ? MEMBERS : 0u);
    for (step = first; step < end && !run.ended; step++) {
        const int is_drawn = step == 0u || is_restart_due(run, shape.restart);
        not_finite += make_points(&view, &record, order, step, is_drawn);
        if (end_step(&view, &record, &order, is_drawn) && view.y[0] < run.champion) {
            run.champion = view.y[0];
            TEAM_FOR(d, DIM) champion[(ulong)k * DIM + d] = view.extra[d];
            if (TEAM_LANE == 0u)
                reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION] = run.champion;
        }
        if (step + 1u < end) {
            if (island_settle(&run, step, order.least, order.best, is_drawn, settings[SET_TOLERANCE]))
                TEAM_FOR(d, DIM) champion[(ulong)k * DIM + d] = MEMBER(&view, order.best, d);
            if (shape.run_islands == 1u)
                island_end(&run, settings[SET_TARGET], stagnation);
        }
        TEAM_SYNC();
    }
    if (active) {
#if IN_LOCAL
        store_island(&view, k, p, best, extra);
#endif
        island_count_not_finite(words, k, not_finite);
        if (TEAM_LANE == 0u) {
            write_record(&record, counts, numbers, k);
            if (steps > 1u || run.ended)
                island_write(run, words, reals, k);
        }
    }
}
