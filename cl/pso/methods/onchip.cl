/* Whole islands on the chip: one work-group makes many steps of its island in a launch, and as many islands as fit run
 * side by side. Nothing leaves the group before its last step; see pso/methods/onchip.clh for what lies where.
 *
 * A step has two barriers at most where every work-item has whole particles: one where bests are about to be shared,
 * one more where they changed. The particles whose new best beats the island's offer it in local memory, and all
 * work-items look through the offers, of which there are few after the first steps. */
#include "pso/methods/onchip.clh"

/* Values ------------------------------------------------------------------------------------------------------ */

#if GATHERED
/* The sum of a number over the lanes, in all of them. */
static INLINE real lanes_sum(real value)
{
    uint span;
#pragma unroll
    for (span = 1; span < SHARES; span *= 2)
        value += EXCHANGE(value, span);
    return value;
}
#elif SHARES > 1
/* Place of number `row` of particle q that lane `lane` brings. */
static INLINE uint row_place(uint row, uint q, uint lane)
{
    return AT_ROWS + (row * PARTICLES + q) * SHARES + lane;
}

/* Sum of a row over the lanes. */
static INLINE real row_sum(uint row, uint q, local const real *pool)
{
    real sum = pool[row_place(row, q, 0u)];
    uint lane;
#pragma unroll
    for (lane = 1; lane < SHARES; lane++)
        sum += pool[row_place(row, q, lane)];
    return sum;
}
#endif

#if SHAPE == PER_DIMENSION
/* Does the sum have a term of dimension d? With COUPLED the last dimension begins none. */
static INLINE int has_term(uint d)
{
    return COUPLED ? d + 1u < DIM : has_dimension(d);
}

/* Adds the terms of the own dimensions. With COUPLED the first coordinate of each lane is in ROW_EDGE. */
static INLINE void add_terms(share *own, scene here, __global const real *settings, local const real *pool)
{
    uint c, k, t;
    (void)here;
    (void)pool;
    FOR_ITEMS(k, own)
    {
        const terms none = terms_none();
        for (t = 0; t < TERMS; t++)
            own->sums[t][k] = none.a[t];
        own->outside[k] = R(0.0);
    }
#if WG > 1
#pragma unroll
#endif
    for (c = 0; c < COORDS; c++) {
        const uint d = own_dimension(c);
#if BOUNDS == INVISIBLE
        enter_dimension(&here, settings, d);
        FOR_ITEMS(k, own)
        if (has_dimension(d))
            own->outside[k] += is_inside(own->x[c][k], here.lower, here.upper) ? R(0.0) : R(1.0);
#endif
        FOR_ITEMS(k, own)
        if (PADS || has_term(d)) {
            const uint inside = PADS ? min(d, DIM - 1u) : d;
            const real x = shifted(own->x[c][k], settings, inside, DIM);
            real next = x;
            terms sum;
#if COUPLED
            if (c + 1 < COORDS)
                next = shifted(own->x[c + 1 < COORDS ? c + 1 : c][k], settings,
                               PADS ? min(d + 1u, DIM - 1u) : d + 1u, DIM);
#if GATHERED
            else
                next = own->edge[k];
#elif SHARES > 1
            else
                next = pool[row_place(ROW_EDGE, own_particle(k), own_lane() + 1u)];
#endif
#endif
            for (t = 0; t < TERMS; t++)
                sum.a[t] = own->sums[t][k];
            sum = terms_add(sum, x, next, inside, DIM);
            for (t = 0; t < TERMS; t++)
                own->sums[t][k] = !PADS || has_term(d) ? sum.a[t] : own->sums[t][k];
        }
    }
}
#endif

#if SHAPE == OPAQUE
static inline real objective_value(const real *x, uint dim);
#endif

/* Value of item k's particle from the terms of all lanes, or of the whole point. */
static INLINE real value_of(const share *own, uint k, __global const real *settings, local const real *pool)
{
#if SHAPE == PER_DIMENSION
    terms sum;
    uint t;
#if SHARES > 1 && !GATHERED
    uint lane;
    const uint q = own_particle(k);
#pragma unroll
    for (lane = 0; lane < SHARES; lane++) {
        terms part;
        for (t = 0; t < TERMS; t++)
            part.a[t] = pool[row_place(t, q, lane)];
        sum = lane == 0u ? part : terms_join(sum, part);
    }
#else
    for (t = 0; t < TERMS; t++)
        sum.a[t] = own->sums[t][k];
#endif
    (void)settings;
    (void)pool;
    (void)own;
    return terms_value(sum, DIM);
#else
    real point[DIM];
    uint d;
    (void)pool;
    for (d = 0; d < DIM; d++)
        point[d] = shifted(own->x[d][k], settings, d, DIM);
    return objective_value(point, DIM);
#endif
}

/* Steps ------------------------------------------------------------------------------------------------------- */

/* Moves the particles that take part. */
static INLINE void move(share *own, scene here, uint goal_index, __global const real *settings, local real *pool,
                        local const uint *words)
{
    uint c, k;
    if (takes_part(own)) {
        FOR_ITEMS(k, own)
        {
#if KNOWN && UPDATE != FIPS
            own->leader[k] = leader_of(own_particle(k), pool, words);
#else
            own->leader[k] = goal_index;
#endif
#if UPDATE == SPSO2011
            own->pull_square[k] = own->turn_square[k] = R(0.0);
#endif
        }
#if WG > 1
#pragma unroll
#endif
        for (c = 0; c < COORDS; c += SPAN) {
            pull_span(own, c, here, pool, words);
#if UPDATE != SPSO2011
            move_span(own, c, here, settings);
#endif
        }
    }
#if UPDATE == SPSO2011
#if GATHERED
    for (k = 0; k < ITEMS; k++) {
        own->pull_square[k] = lanes_sum(own->pull_square[k]);
        own->turn_square[k] = lanes_sum(own->turn_square[k]);
    }
#elif SHARES > 1
    if (takes_part(own))
        FOR_ITEMS(k, own)
        {
            pool[row_place(ROW_PULL, own_particle(k), own_lane())] = own->pull_square[k];
            pool[row_place(ROW_TURN, own_particle(k), own_lane())] = own->turn_square[k];
        }
    SYNC();
    if (takes_part(own))
        FOR_ITEMS(k, own)
        {
            own->pull_square[k] = row_sum(ROW_PULL, own_particle(k), pool);
            own->turn_square[k] = row_sum(ROW_TURN, own_particle(k), pool);
        }
#endif
    if (takes_part(own)) {
        add_turn(own, here);
#if WG > 1
#pragma unroll
#endif
        for (c = 0; c < COORDS; c += SPAN)
            move_span(own, c, here, settings);
    }
#endif
}

#if SHAPE == PER_DIMENSION && GATHERED
/* The terms of all lanes, in all of them. Every work-item of the group calls. Both partners of an exchange get the same
 * bits, whichever of them stands left: each kind of joining is a sum or a product, or made of one of each. */
static INLINE void join_lanes(share *own)
{
    uint k, t, span;
    for (k = 0; k < ITEMS; k++) {
#pragma unroll
        for (span = 1; span < SHARES; span *= 2) {
            terms mine, other;
            for (t = 0; t < TERMS; t++) {
                mine.a[t] = own->sums[t][k];
                other.a[t] = EXCHANGE(mine.a[t], span);
            }
            mine = terms_join(mine, other);
            for (t = 0; t < TERMS; t++)
                own->sums[t][k] = mine.a[t];
        }
#if BOUNDS == INVISIBLE
        own->outside[k] = lanes_sum(own->outside[k]);
#endif
    }
}
#elif SHAPE == PER_DIMENSION && SHARES > 1
/* The same by way of local memory. */
static INLINE void write_lanes(const share *own, local real *pool)
{
    uint k, t;
    FOR_ITEMS(k, own)
    {
        for (t = 0; t < TERMS; t++)
            pool[row_place(t, own_particle(k), own_lane())] = own->sums[t][k];
#if BOUNDS == INVISIBLE
        pool[row_place(ROW_OUTSIDE, own_particle(k), own_lane())] = own->outside[k];
#endif
    }
}
#endif

/* What the next lane needs of the first coordinate: terms of two neighbouring ones. */
static INLINE void write_edges(share *own, __global const real *settings, local real *pool)
{
#if SHAPE == PER_DIMENSION && SHARES > 1
#if COUPLED
    uint k;
#if GATHERED
    for (k = 0; k < ITEMS; k++)
        own->edge[k] = EXCHANGE_NEXT(shifted(own->x[0][k], settings, min(own_dimension(0u), DIM - 1u), DIM));
#else
    if (takes_part(own))
        FOR_ITEMS(k, own)
            pool[row_place(ROW_EDGE, own_particle(k), own_lane())] =
                shifted(own->x[0][k], settings, min(own_dimension(0u), DIM - 1u), DIM);
    SYNC();
#endif
#endif
#endif
    (void)own;
    (void)settings;
    (void)pool;
}

/* Terms of the particles that take part. Ends with a barrier where others read what this work-item wrote, or write what
 * it read: parts of the terms, and positions. */
static INLINE void gather(share *own, scene here, __global const real *settings, local real *pool)
{
#if SHAPE == PER_DIMENSION
    write_edges(own, settings, pool);
    if (takes_part(own)) {
        add_terms(own, here, settings, pool);
#if SHARES > 1 && !GATHERED
        write_lanes(own, pool);
#endif
    }
#if GATHERED
    join_lanes(own);
#endif
#elif BOUNDS == INVISIBLE
    uint c, k;
    if (takes_part(own))
        FOR_ITEMS(k, own)
        {
            own->outside[k] = R(0.0);
            for (c = 0; c < COORDS; c++) {
                enter_dimension(&here, settings, c);
                own->outside[k] += is_inside(own->x[c][k], here.lower, here.upper) ? R(0.0) : R(1.0);
            }
        }
#endif
    (void)own;
    (void)here;
    (void)settings;
    (void)pool;
#if (SHARES > 1 && !GATHERED) || KNOWN
    SYNC();
#endif
}

/* The island's best. */
typedef struct {
    real value;
    uint index;
} best_of_island;

static INLINE int beats(real value, uint index, best_of_island goal)
{
    return value < goal.value || (value == goal.value && index < goal.index);
}

/* Evaluates the particles that take part and keeps their bests; offers those that beat `goal` in slot `slot`. fresh:
 * first positions. Returns how many evaluations gave no finite number. */
static INLINE uint settle(share *own, int fresh, best_of_island goal, uint slot, scene here,
                          __global const real *settings, local real *pool, local uint *words)
{
    uint not_finite = 0u, c, k;
    FOR_ITEMS(k, own)
    {
        const uint q = own_particle(k);
        real outside = R(0.0), value = (real)INFINITY;
        int better;
#if BOUNDS == INVISIBLE
#if SHARES > 1 && !GATHERED
        outside = row_sum(ROW_OUTSIDE, q, pool);
#else
        outside = own->outside[k];
#endif
#endif
        if (outside == R(0.0)) {
            value = counted(value_of(own, k, settings, pool), here.sign);
            not_finite += isfinite(value) || own_lane() > 0u ? 0u : 1u;
        }
        better = fresh || value < own->best[k];
        if (better) {
            own->best[k] = value;
#if WG > 1
#pragma unroll
#endif
            for (c = 0; c < COORDS; c++)
#if KNOWN
                pool[AT_GOAL + own_dimension(c) * PARTICLES + q] = own->x[c][k];
            if (own_lane() == 0u)
                pool[AT_BESTS + q] = value;
#else
                own->p[c][k] = own->x[c][k];
#endif
            if (own_lane() == 0u && beats(value, q, goal)) {
                const uint n = atomic_inc(&words[AT_COUNTS + slot]);
                pool[AT_OFFERS + n] = value;
                words[AT_OFFERED + n] = q;
            }
        }
    }
    return not_finite;
}

/* The best of the goal and the offers in `slot`; its position is entered where it is the group's only one. */
static INLINE best_of_island accept(const share *own, best_of_island goal, uint slot, local real *pool,
                                    local uint *words)
{
    const uint offers = words[AT_COUNTS + slot];
    uint n, c, k;
    if (offers > 0u) {
        for (n = 0; n < offers; n++)
            if (beats(pool[AT_OFFERS + n], words[AT_OFFERED + n], goal)) {
                goal.value = pool[AT_OFFERS + n];
                goal.index = words[AT_OFFERED + n];
            }
#if !KNOWN
        if (takes_part(own))
            FOR_ITEMS(k, own)
                if (own_particle(k) == goal.index) {
#if WG > 1
#pragma unroll
#endif
                    for (c = 0; c < COORDS; c++)
                        pool[AT_GOAL + own_dimension(c)] = own->p[c][k];
                }
        SYNC();
#endif
    }
    (void)own;
    (void)c;
    (void)k;
    return goal;
}

/* island_settle() of a step that drew nothing and left `before`, the best of the step before, as it was: nothing has
 * fallen that had not. */
static INLINE int is_quiet(best_of_island before, best_of_island goal, int fresh)
{
    return QUIET && !fresh && goal.value == before.value && goal.index == before.index;
}

static INLINE void settle_quiet(island *books, uint step)
{
    books->improved = 0u;
    books->links_at = step + 1u;
    books->stagnant++;
    books->steps = step;
}

/* Position of particle `index`, the goal's, as the island's champion. */
static INLINE void keep_champion(const share *own, uint index, scene here, __global real *champion,
                                 local const real *pool)
{
    uint c, k;
    if (takes_part(own))
        FOR_ITEMS(k, own)
            if (own_particle(k) == index) {
#if WG > 1
#pragma unroll
#endif
                for (c = 0; c < COORDS; c++)
                    if (has_dimension(own_dimension(c)))
                        champion[here.island * DIM + own_dimension(c)] = own_position(own, c, k, pool);
            }
}

/* What local memory holds at the begin of a launch. */
static INLINE void load_pool(scene here, uint step, uint goal_index, __global const real *p,
                             __global const real *best, local real *pool, local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    uint n;
    for (n = lid; n < 4u; n += WG)
        words[AT_COUNTS + n] = 0u;
    if (step > 0u) {
#if KNOWN
        for (n = lid; n < PADDED * PARTICLES; n += WG)
            pool[AT_GOAL + n] = n < DIM * PARTICLES ? p[here.home + n] : R(0.0);
        for (n = lid; n < PARTICLES; n += WG)
            pool[AT_BESTS + n] = best[here.island * PARTICLES + n];
#else
        for (n = lid; n < PADDED; n += WG)
            pool[AT_GOAL + n] = n < DIM ? p[here.home + n * PARTICLES + goal_index] : R(0.0);
#endif
    }
    (void)goal_index;
    (void)best;
}

static INLINE void load_share(share *own, scene here, __global const real *x, __global const real *v,
                              __global const real *p, __global const real *best)
{
    uint k;
    load(own->x, own, here, x);
    load(own->v, own, here, v);
#if !KNOWN
    load(own->p, own, here, p);
#endif
    (void)p;
    FOR_ITEMS(k, own) own->best[k] = best[here.island * PARTICLES + own_particle(k)];
}

static INLINE void store_share(share *own, scene here, __global real *x, __global real *v, __global real *p,
                               __global real *best, local const real *pool)
{
    uint k;
    store(own->x, own, here, x);
    store(own->v, own, here, v);
#if KNOWN
    {
        uint c;
        for (c = 0; c < COORDS && own_dimension(c) < DIM; c++)
            FOR_ITEMS(k, own)
                p[here.home + own_dimension(c) * PARTICLES + own_particle(k)] = own_position(own, c, k, pool);
    }
#else
    store(own->p, own, here, p);
#endif
    (void)pool;
    FOR_ITEMS(k, own)
        if (own_lane() == 0u)
            best[here.island * PARTICLES + own_particle(k)] = own->best[k];
}

/* Steps step .. step + steps - 1 of island get_group_id(0); step 0 draws it. restart, stagnation: as in the
 * parameters, 0: none. leave_last: the last step is followed by an exchange, which settles it. Runs of one island end
 * here, others in onchip_end. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_run(__global real *restrict x, __global real *restrict v, __global real *restrict p,
                __global real *restrict best, __global uint *restrict words, __global real *restrict reals,
                __global real *restrict champion, __global real *restrict trace, __global const real *restrict settings,
                ulong seed, uint swarms, uint step, uint steps, uint restart, uint stagnation, uint trace_interval,
                uint leave_last)
{
    __local real pool[POOL * 64 / REAL];
    local uint *marks = (local uint *)(pool + POOL_REALS);
    const uint end = step + steps, lid = (uint)get_local_id(0);
    const real target = settings[SET_TARGET], tolerance = settings[SET_TOLERANCE];
    const real inertia = settings[SET_INERTIA], inertia_step = settings[SET_INERTIA_STEP];
    scene here = scene_of(settings, seed, (uint)get_group_id(0), swarms);
    island books = step > 0u ? island_read(words, reals, here.island) : island_new();
    const int active = !books.ended;
    uint next_trace = trace_interval > 0u ? (step + trace_interval - 1u) / trace_interval * trace_interval : UINT_MAX;
    uint slot = 0u, not_finite = 0u, pending = PENDING_NONE;
    int owes_champion = 0;
    best_of_island goal;
    share own;
#if TOPOLOGY == RANDOM_LINKS
    uint links = 0u;
#endif
    goal.value = books.goal;
    goal.index = books.goal_index;
    choose_items(&own, 0u, PARTICLES);
    load_pool(here, step, goal.index, p, best, pool, marks);
    if (step > 0u && takes_part(&own))
        load_share(&own, here, x, v, p, best);
    SYNC();
    for (; step < end && !books.ended; step++) {
        const int fresh = step == 0u || is_restart_due(books, restart);
        const best_of_island before = goal;
        here.step = step;
        here.inertia = inertia + inertia_step * (real)(step - 1u);
        if (fresh) {
            if (owes_champion)
                keep_champion(&own, books.goal_index, here, champion, pool);
            owes_champion = 0;
            if (takes_part(&own)) {
                draw(&own, here, step > 0u ? books.restarts + 1u : 0u, settings, x, v);
                load(own.x, &own, here, x);
                load(own.v, &own, here, v);
            }
            goal.value = (real)INFINITY;
            goal.index = UINT_MAX;
        }
#if TOPOLOGY == RANDOM_LINKS
        if (!fresh && links != books.links_at) {
            links = books.links_at;
            draw_links(here, links, marks);
        }
#endif
#if BATCH
        uint from;
        for (from = 0u; from < PARTICLES; from += BATCH) {
            choose_items(&own, from, min(from + BATCH, (uint)PARTICLES));
#endif
            if (!fresh)
                move(&own, here, goal.index, settings, pool, marks);
            gather(&own, here, settings, pool);
            if (takes_part(&own))
                not_finite += settle(&own, fresh, goal, slot, here, settings, pool, marks);
            SYNC();
            /* Three slots: one is written, one may still be read, and this one is free. */
            slot = slot == 2u ? 0u : slot + 1u;
            if (lid == 0u)
                marks[AT_COUNTS + (slot == 2u ? 0u : slot + 1u)] = 0u;
            goal = accept(&own, goal, slot == 0u ? 2u : slot - 1u, pool, marks);
#if BATCH
        }
        choose_items(&own, 0u, PARTICLES);
#endif
        if (leave_last && step + 1u == end) {
            pending = fresh ? PENDING_DRAW : PENDING_MOVE;
            owes_champion |= goal.value < books.champion;
            books.champion = min(books.champion, goal.value);
        } else {
            if (is_quiet(before, goal, fresh))
                settle_quiet(&books, step);
            else
                owes_champion |= island_settle(&books, step, goal.value, goal.index, fresh, tolerance) || step == 0u;
            if (swarms == 1u) {
                books.reached = books.champion <= target ? 1u : 0u;
                books.ended = books.reached || (stagnation > 0u && books.stagnant >= stagnation) ? 1u : 0u;
            }
            if (step == next_trace) {
                if (lid == 0u)
                    trace[(ulong)(step / trace_interval) * get_num_groups(0) + here.island] = books.champion;
                next_trace += trace_interval;
            }
        }
    }
    if (active) {
        if (takes_part(&own))
            store_share(&own, here, x, v, p, best, pool);
        if (owes_champion)
            keep_champion(&own, goal.index, here, champion, pool);
        island_count_not_finite(words, here.island, not_finite);
        if (lid == 0u) {
            island_write(books, words, reals, here.island);
            words[here.island * ISLAND_WORDS + ISLAND_PENDING] = pending;
            words[here.island * ISLAND_WORDS + ISLAND_PENDING_INDEX] = goal.index;
            reals[here.island * ISLAND_REALS + ISLAND_PENDING_GOAL] = goal.value;
        }
    }
}

/* Between the islands, one work-item for each. The champion of another island takes the place of the worst particle,
 * all: the best of the run. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_exchange(__global real *restrict p, __global real *restrict best, __global uint *restrict words,
                     __global real *restrict reals, __global const real *restrict champion, uint islands, uint swarms,
                     uint all)
{
    const uint own = (uint)get_global_id(0);
    if (own < islands && words[own * ISLAND_WORDS + ISLAND_PENDING] > 0u) {
        const uint first = own / swarms * swarms;
        uint from = first + (own - first + swarms - 1u) % swarms, worst = 0u, q, d;
        real value;
        if (all) {
            from = first;
            for (q = first + 1u; q < first + swarms; q++)
                if (reals[q * ISLAND_REALS + ISLAND_CHAMPION] < reals[from * ISLAND_REALS + ISLAND_CHAMPION])
                    from = q;
        }
        value = reals[from * ISLAND_REALS + ISLAND_CHAMPION];
        if (value < reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL]) {
            __global real *bests = best + (ulong)own * PARTICLES;
            for (q = 1; q < PARTICLES; q++)
                if (bests[q] >= bests[worst])
                    worst = q;
            bests[worst] = value;
            for (d = 0; d < DIM; d++)
                p[((ulong)own * DIM + d) * PARTICLES + worst] = champion[(ulong)from * DIM + d];
            words[own * ISLAND_WORDS + ISLAND_PENDING_INDEX] = worst;
            reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL] = value;
        }
    }
}

/* Settles the step before an exchange, one work-item for each island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_settle(__global const real *restrict p, __global uint *restrict words, __global real *restrict reals,
                   __global real *restrict champion, __global real *restrict trace,
                   __global const real *restrict settings, uint islands, uint step, uint trace_interval)
{
    const uint own = (uint)get_global_id(0);
    if (own < islands && words[own * ISLAND_WORDS + ISLAND_PENDING] > 0u) {
        const uint index = words[own * ISLAND_WORDS + ISLAND_PENDING_INDEX];
        const int drawn = words[own * ISLAND_WORDS + ISLAND_PENDING] == PENDING_DRAW;
        island books = island_read(words, reals, own);
        uint d;
        if (island_settle(&books, step, reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL], index, drawn,
                          settings[SET_TOLERANCE]))
            for (d = 0; d < DIM; d++)
                champion[(ulong)own * DIM + d] = p[((ulong)own * DIM + d) * PARTICLES + index];
        words[own * ISLAND_WORDS + ISLAND_PENDING] = PENDING_NONE;
        island_write(books, words, reals, own);
        if (trace_interval > 0u && step % trace_interval == 0u)
            trace[(ulong)(step / trace_interval) * islands + own] = books.champion;
    }
}

/* Ends runs of several islands, one work-item for each run: after each step, since one island's target ends them all. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_end(__global uint *restrict words, __global const real *restrict reals,
                __global const real *restrict settings, uint runs, uint swarms, uint stagnation)
{
    const uint run = (uint)get_global_id(0);
    if (run < runs && !words[run * swarms * ISLAND_WORDS + ISLAND_ENDED]) {
        uint reached = 0u, stagnant = stagnation > 0u ? 1u : 0u, k;
        for (k = run * swarms; k < (run + 1u) * swarms; k++) {
            reached |= reals[k * ISLAND_REALS + ISLAND_CHAMPION] <= settings[SET_TARGET] ? 1u : 0u;
            stagnant &= words[k * ISLAND_WORDS + ISLAND_STAGNANT] >= stagnation ? 1u : 0u;
        }
        for (k = run * swarms; k < (run + 1u) * swarms; k++) {
            words[k * ISLAND_WORDS + ISLAND_REACHED] = reached;
            words[k * ISLAND_WORDS + ISLAND_ENDED] = reached | stagnant;
        }
    }
}
