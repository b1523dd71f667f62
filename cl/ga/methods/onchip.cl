/* Whole islands on the chip: one work-group makes many generations of its island in a launch, and as many islands as fit
 * run concurrently. A group writes its members to global memory after its last generation; ga/methods/onchip.clh describes
 * the layout.
 *
 * A generation has two barriers, and some more where lanes share a pair: behind the last read of the parents, and before
 * the values are read. Children that are better than the best member of the island offer themselves in local memory;
 * after the first generations there are few. */
#include "ga/methods/onchip_vary.clh"

/* The best since the island was drawn, and the member that it was. */
typedef struct {
    real value;
    uint index;
} best_of_island;

static INLINE int is_better(real value, uint index, best_of_island goal)
{
    return value < goal.value || (value == goal.value && index < goal.index);
}

/* First members. */
static INLINE void draw_members(context here, __global const real *settings, local real *pool)
{
    uint n;
    for (n = (uint)get_local_id(0); n < MEMBERS * ((DIM + 3u) / 4u); n += WG) {
        const uint member = n % MEMBERS, block = n / MEMBERS;
        const struct shoal_words drawn =
            shoal_random_words(here.seed, SHOAL_STREAM_GA_START, 0u, here.index + member, block);
        uint d;
        for (d = 4u * block; d < min(4u * block + 4u, (uint)DIM); d++) {
            enter_dimension(&here, settings, d);
            pool[AT_GENES + d * POSITIONS + position_of(member)] =
                mutated(MUTATE_UNIFORM, R(0.0), uniform(word_at(drawn, d % 4u)), here.lower, here.upper, here.mutate, 0);
        }
    }
}

/* Evaluates two members of each pair from `first` on, of `count`; offers those that beat `goal` in slot `slot`. Returns the
 * number of evaluations without a finite value. */
static INLINE uint settle(context here, uint first, uint count, best_of_island goal, uint slot,
                          __global const real *settings, local real *pool, local uint *words)
{
    uint not_finite = 0u, k, child;
#if USED_LANES > 1 && !GATHERED
    for (k = 0u; k < ITEMS; k++)
        for (child = 0u; child < 2u; child++)
            if (own_pair(k) < PAIRS && 2u * own_pair(k) + child < count)
                write_parts(parts_of(here, position_of(first + 2u * own_pair(k) + child), settings, pool), child,
                            own_pair(k), pool);
    SYNC();
#endif
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
#if WG > 1
#pragma unroll
#endif
        for (child = 0u; child < 2u; child++) {
            const uint c = 2u * own_pair(k) + child, member = first + c;
            const int is_own = own_pair(k) < PAIRS && c < count;
            const uint position = position_of(is_own ? member : first);
#if GATHERED
            const parts own = joined(parts_of(here, position, settings, pool));
#elif USED_LANES > 1
            parts own;
            own.penalty = R(0.0);
            own.sum = terms_none();
            {
                int t;
                for (t = 0; t < SINGLES; t++) {
                    const uint d = single_dimension(t, DIM);
                    own.sum.a[TERMS + t] = shifted(pool[AT_GENES + d * POSITIONS + position], settings, d, DIM);
                }
            }
            if (is_own)
                own = read_parts(child, own_pair(k), own, pool);
#else
            const parts own = parts_of(here, position, settings, pool);
#endif
            if (is_own && own_lane() == 0u) {
                const real value = value_of(here, own, position, settings, pool);
                pool[AT_VALUES + position] = value;
                not_finite += isfinite(value) ? 0u : 1u;
                if (is_better(value, member, goal)) {
                    const uint n = atomic_inc(&words[AT_COUNTS + slot]);
                    pool[AT_OFFERS + n] = value;
                    words[AT_OFFERED + n] = member;
                }
            }
        }
    return not_finite;
}

/* Three slots of offers, used in turn: one is written, one may still be read, one is cleared. */
static INLINE uint next_slot(uint slot, local uint *words)
{
    slot = slot == 2u ? 0u : slot + 1u;
    if (get_local_id(0) == 0)
        words[AT_COUNTS + (slot == 2u ? 0u : slot + 1u)] = 0u;
    return slot;
}

/* The best of `goal` and the offers in `slot`. */
static INLINE best_of_island accept(best_of_island goal, uint slot, uint offers, local const real *pool,
                                    local const uint *words)
{
    uint n;
    for (n = 0u; n < offers; n++)
        if (is_better(pool[AT_OFFERS + n], words[AT_OFFERED + n], goal)) {
            goal.value = pool[AT_OFFERS + n];
            goal.index = words[AT_OFFERED + n];
        }
    return goal;
}

/* The best member, at the begin of a launch. */
static INLINE best_of_island best_member(local const real *pool)
{
    best_of_island goal;
    uint m;
    goal.value = pool[AT_VALUES + position_of(0u)];
    goal.index = 0u;
    for (m = 1u; m < MEMBERS; m++)
        if (pool[AT_VALUES + position_of(m)] < goal.value) {
            goal.value = pool[AT_VALUES + position_of(m)];
            goal.index = m;
        }
    return goal;
}

static INLINE void keep_champion(context here, uint member, __global real *champion, local const real *pool)
{
    uint d;
    for (d = (uint)get_local_id(0); d < DIM; d += WG)
        champion[(ulong)here.island * DIM + d] = pool[AT_GENES + d * POSITIONS + position_of(member)];
}

/* A generation up to its values. Returns the number of evaluations without a finite value. */
static INLINE uint generation(children *own, context here, best_of_island goal, uint slot,
                              __global const real *settings, local real *pool, local uint *words)
{
    uint k, c;
#if ELITES
    real elite[(DIM + WG - 1) / WG];
    const uint elite_position = position_of(goal.index);
    for (c = 0u; c < (DIM + WG - 1) / WG; c++) {
        const uint d = c * WG + (uint)get_local_id(0);
        elite[c] = d < DIM ? pool[AT_GENES + d * POSITIONS + elite_position] : R(0.0);
    }
#endif
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
        if (own_pair(k) < CHILD_PAIRS)
            breed(own, here, k, settings, pool);
    SYNC();
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
        if (own_pair(k) < CHILD_PAIRS) {
            const uint pair = own_pair(k);
#if WG > 1
#pragma unroll
#endif
            for (c = 0u; c < COORDS; c++)
                if (has_dimension(own_dimension(c))) {
                    pool[AT_GENES + own_dimension(c) * POSITIONS + pair] = own->a[c][k];
                    pool[AT_GENES + own_dimension(c) * POSITIONS + pair + PAIRS] = own->b[c][k];
                }
            mutate(here, pair, settings, pool, words);
        }
#if ELITES
    for (c = 0u; c < (DIM + WG - 1) / WG; c++) {
        const uint d = c * WG + (uint)get_local_id(0);
        if (d < DIM)
            pool[AT_GENES + d * POSITIONS + position_of(0u)] = elite[c];
    }
    if (get_local_id(0) == 0)
        pool[AT_VALUES + position_of(0u)] = goal.value;
#endif
#if USED_LANES > 1
    SYNC_LANES();
#endif
    return settle(here, ELITES, CHILDREN, goal, slot, settings, pool, words);
}

/* As island_settle() with the best of the step before. */
static INLINE void settle_unchanged(island *record, uint step, uint goal_index)
{
    record->improved = 0u;
    record->renew_at = step + 1u;
    record->stagnant++;
    record->goal_index = goal_index;
    record->steps = step;
}

/* The end of a run of one island, by its target or by stagnation. */
static INLINE void end_island(island *record, real target, uint stagnation)
{
    record->reached = record->champion <= target ? 1u : 0u;
    record->ended = record->reached || (stagnation > 0u && record->stagnant >= stagnation) ? 1u : 0u;
}

/* Steps first .. first + steps - 1 of island get_group_id(0); step 0 draws it. The last one is left to search_settle,
 * which finds its best, unless the run of one island has ended before. rates: an entry, or (has_list) one for each island
 * of a run. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_onchip(__global real *restrict x, __global real *restrict best, __global uint *restrict words,
               __global real *restrict reals, __global real *restrict champion, __global real *restrict trace,
               __global const real *restrict settings, __global const uint *restrict rates, ulong seed, uint run_islands,
               uint indices, uint first, uint steps, uint stagnation, uint trace_interval, uint has_list)
{
    __local real pool[POOL * 64 / REAL];
    local uint *marks = (local uint *)(pool + POOL_REALS);
    const uint lid = (uint)get_local_id(0), end = first + steps, group = (uint)get_group_id(0);
    __global const uint *const own_rates = rates + (has_list ? group % run_islands * RATE_WORDS(DIM) : 0u);
    const real target = settings[SET_TARGET], tolerance = settings[SET_TOLERANCE];
    context here = context_of(settings, own_rates, seed, group, run_islands, indices);
    island record = first > 0u ? island_read(words, reals, group) : island_new();
    const int active = !record.ended;
    uint next_trace =
        trace_interval > 0u ? record_of(first + trace_interval - 1u, trace_interval) * trace_interval : UINT_MAX;
    uint slot = 0u, not_finite = 0u, offers, step;
#if ELITES
    int owes_champion = 0;
#endif
    best_of_island goal;
    children own;
    if (!active)
        return;
    load_pool(here, first, own_rates, x, best, pool, marks);
    if (first == 0u)
        draw_members(here, settings, pool);
    SYNC();
    if (first > 0u) {
        goal = best_member(pool);
    } else {
        goal.value = (real)INFINITY;
        goal.index = 0u;
    }
    for (step = first; step < end && !record.ended; step++) {
        here.step = step;
        if (step == 0u)
            not_finite += settle(here, 0u, MEMBERS, goal, slot, settings, pool, marks);
        else
            not_finite += generation(&own, here, goal, slot, settings, pool, marks);
        SYNC();
        slot = next_slot(slot, marks);
        if (ELITES && step > 0u)
            goal.index = 0u;
        offers = marks[AT_COUNTS + (slot == 0u ? 2u : slot - 1u)];
        goal = accept(goal, slot == 0u ? 2u : slot - 1u, offers, pool, marks);
        if (step + 1u < end && step > 0u && offers == 0u) {
            settle_unchanged(&record, step, goal.index);
        } else if (step + 1u < end) {
            const int is_champion = island_settle(&record, step, goal.value, goal.index, step == 0u, tolerance);
            if (is_champion) {
#if ELITES
                owes_champion = 1;
#else
                keep_champion(here, goal.index, champion, pool);
                SYNC();
#endif
            }
        }
        if (step + 1u < end) {
            if (run_islands == 1u)
                end_island(&record, target, stagnation);
            if (step == next_trace) {
                if (lid == 0u)
                    trace[(ulong)record_of(step, trace_interval) * get_num_groups(0) + group] = record.champion;
                next_trace += trace_interval;
            }
        }
    }
    store_pool(here, x, best, pool);
#if ELITES
    /* Of a settled step: the elite of the step that is left. */
    if (owes_champion)
        keep_champion(here, record.ended ? goal.index : 0u, champion, pool);
#endif
    island_count_not_finite(words, group, not_finite);
    if (lid == 0u && (steps > 1u || record.ended))
        island_write(record, words, reals, group);
}
