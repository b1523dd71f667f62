/* Whole islands on the chip: one work-group makes many generations of its island in a launch. As many islands run at a
 * time as fit the device. A group writes its members to global memory only after its last generation. The layout is in
 * ga/methods/onchip.clh.
 *
 * A generation has two barriers, and more if lanes share a pair: one after the last read of the parents, and one before
 * values are read. No barrier is in a branch, since PoCL 3.1 miscomputes work-items after such a barrier. A child that
 * is better than the best member of the island writes an offer to local memory; after the first generations there are
 * few offers.
 */
#include "ga/methods/onchip_vary.clh"

/* load_pool, store_pool: copy the members of an island, which is a tile of the buffers, to and from local memory. */
static INLINE void load_pool(context here, uint step, __global const uint *rates, __global const real *x,
                             __global const real *best, local real *pool, local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    uint n;
    for (n = lid; n < 4u; n += WG)
        words[AT_COUNTS + n] = 0u;
    clear_rows(pool);
#if !HELD
    load_places(rates, words);
#endif
    for (n = lid; step > 0u && n < DIM * MEMBERS; n += WG)
        GENE_AT(pool, n / MEMBERS, position_of(n % MEMBERS)) = x[here.base + n];
    for (n = lid; step > 0u && n < MEMBERS; n += WG)
        pool[AT_VALUES + position_of(n)] = best[here.island * MEMBERS + n];
#if LISTS
    for (n = lid; n < MEMBERS; n += WG)
        words[AT_OFFERED + n] = n;
#endif
}

static INLINE void store_pool(context here, __global real *x, __global real *best, local const real *pool)
{
    const uint lid = (uint)get_local_id(0);
    uint n;
    for (n = lid; n < DIM * MEMBERS; n += WG)
        x[here.base + n] = GENE_AT(pool, n / MEMBERS, position_of(n % MEMBERS));
    for (n = lid; n < MEMBERS; n += WG)
        best[here.island * MEMBERS + n] = pool[AT_VALUES + position_of(n)];
}

/* Draws new members of each pair; each lane draws its own genes. number: which restart this is; 0: the first draw. */
static INLINE void draw_members(children *own, context here, uint number, __global const real *settings, local real *pool)
{
    uint k, n, block;
    for (k = 0u; k < 2u * ITEMS; k++) {
        const uint member = 2u * own_pair(k / 2u) + k % 2u;
        for (block = 0u; block < BLOCKS && member < MEMBERS; block++) {
            const uint first = own_dimension(4u * block);
            const struct shoal_words drawn =
                random_words(here, SHOAL_STREAM_GA_START, number, here.index + member, first / 4u);
            for (n = 0u; n < 4u; n++)
                if (4u * block + n < COORDS && has_dimension(first + n)) {
                    enter_dimension(&here, settings, first + n);
                    GENE_AT(pool, first + n, position_of(member)) =
                        mutated(MUTATE_UNIFORM, R(0.0), uniform(word_at(drawn, n)), here.lower, here.upper, here.mutate, 0);
                }
        }
    }
#if HELD
#pragma unroll
    for (n = 0u; n < DIM * ITEMS; n++) {
        const uint d = n / ITEMS, member = 2u * own_pair(n % ITEMS);
        own->a[d][n % ITEMS] = GENE_AT(pool, d, position_of(member < MEMBERS ? member : 0u));
        own->b[d][n % ITEMS] = GENE_AT(pool, d, position_of(member + 1u < MEMBERS ? member + 1u : 0u));
    }
#endif
    (void)own;
}

/* Returns the member that child `child` of a pair becomes. Drawn members are numbered from 0 on, children after the
 * elites. MEMBERS: there is no such member. */
static INLINE uint member_of(uint pair, uint child, int is_drawn)
{
    const uint c = 2u * pair + child;
    if (EVERY_CHILD)
        return c;
    return pair < PAIRS && c < (is_drawn ? MEMBERS : CHILDREN) ? (is_drawn ? c : ELITES + c) : MEMBERS;
}

/* Whether the value of member_of() is a member. */
static INLINE int is_member(uint member)
{
    return EVERY_CHILD || member < MEMBERS;
}

/* not_finite: number of evaluations without a finite value; may_offer: 0: no member is better than the bound. */
typedef struct {
    uint not_finite;
    int may_offer;
} outcome;

/* Evaluates both members of each pair. A member that is better than `bound` writes an offer to slot `slot`. */
static INLINE outcome settle(const children *own, context here, int is_drawn, best_of_island bound, uint slot,
                             __global const real *settings, local real *pool, local uint *words)
{
    real values[2][ITEMS], sum = R(0.0);
    outcome own_outcome = {0u, 0};
    uint k, child;
#if USED_LANES > 1 && !GATHERED
    for (k = 0u; k < ITEMS; k++)
        for (child = 0u; child < 2u; child++)
            if (is_member(member_of(own_pair(k), child, is_drawn))) {
                const uint position = position_of(member_of(own_pair(k), child, is_drawn));
                write_parts(parts_of(own, here, k, child, position, settings, pool), child, own_pair(k), pool);
            }
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
            const uint member = member_of(own_pair(k), child, is_drawn);
            const uint position = position_of(is_member(member) ? member : 0u);
#if GATHERED
            const parts part = joined(parts_of(own, here, k, child, position, settings, pool));
#elif USED_LANES > 1
            const parts part = read_parts(child, own_pair(k), singles_of(position, settings, pool), pool);
#else
            const parts part = parts_of(own, here, k, child, position, settings, pool);
#endif
            values[child][k] = value_of(own, here, part, k, child, position, settings, pool);
        }
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
#if WG > 1
#pragma unroll
#endif
        for (child = 0u; child < 2u; child++) {
            const uint member = member_of(own_pair(k), child, is_drawn);
            if (is_member(member) && own_lane() == 0u) {
                pool[AT_VALUES + position_of(member)] = values[child][k];
                sum += values[child][k];
                own_outcome.may_offer = own_outcome.may_offer || values[child][k] <= bound.value;
            }
        }
    /* values that are not finite are rare, and then the sum is not finite either */
    if (!isfinite(sum))
        for (k = 0u; k < ITEMS; k++)
            for (child = 0u; child < 2u; child++)
                if (is_member(member_of(own_pair(k), child, is_drawn)) && own_lane() == 0u)
                    own_outcome.not_finite += isfinite(values[child][k]) ? 0u : 1u;
    /* After the first generations, few work-items have an offer. */
    if (own_outcome.may_offer)
        for (k = 0u; k < ITEMS; k++)
            for (child = 0u; child < 2u; child++) {
                const uint member = member_of(own_pair(k), child, is_drawn);
                if (is_member(member) && is_better(values[child][k], member, bound)) {
                    const uint n = atomic_inc(&words[AT_COUNTS + slot]);
                    pool[AT_OFFERS + n] = values[child][k];
                    words[AT_OFFERED + n] = member;
                }
            }
    return own_outcome;
}

/* Returns the number of offers in slot `slot`, after a barrier. With BY_VOTE, there is one slot, which is cleared. */
static INLINE uint offers_of(int may_offer, uint slot, local uint *words)
{
#if BY_VOTE
    uint offers = 0u;
    (void)slot;
    if (SHOAL_WARP_BALLOT(may_offer)) {
        offers = words[AT_COUNTS];
        SYNC();
        if (get_local_id(0) == 0)
            words[AT_COUNTS] = 0u;
    }
    return offers;
#else
    (void)may_offer;
    return words[AT_COUNTS + slot];
#endif
}

/* Returns the best of `goal` and the first `offers` offers. */
static INLINE best_of_island accept(best_of_island goal, uint offers, local const real *pool, local const uint *words)
{
    uint n;
    for (n = 0u; n < offers; n++)
        if (is_better(pool[AT_OFFERS + n], words[AT_OFFERED + n], goal)) {
            goal.value = pool[AT_OFFERS + n];
            goal.index = words[AT_OFFERED + n];
        }
    return goal;
}

/* Returns the best member, at the beginning of a launch. */
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
        champion[(ulong)here.island * DIM + d] = GENE_AT(pool, d, position_of(member));
}

/* Number of genes of elites that a work-item copies. */
#define ELITE_GENES (ELITES ? (ELITES * DIM + WG - 1) / WG : 1)
typedef struct {
    real genes[ELITE_GENES], values[ELITE_VALUES];
} elites;

/* The genes of all elites are numbered. elite_of: the elite to which gene n belongs. gene_of_elite: the index of gene n
 * in this elite. */
static INLINE uint elite_of(uint n)
{
    return ELITES == 1 ? 0u : n / DIM;
}

static INLINE uint gene_of_elite(uint n)
{
    return ELITES == 1 ? n : n % DIM;
}

/* Reads the elites of the parents. best: index of the best member of the island. */
static INLINE void read_elites(uint best, elites *own, local real *pool)
{
    uint c;
    for (c = 0u; c < ELITE_GENES; c++) {
        const uint n = c * WG + (uint)get_local_id(0);
        own->genes[c] =
            ELITES && (int)n < ELITES * DIM
                ? GENE_AT(pool, gene_of_elite(n), position_of(elite_at(elite_of(n), best, pool)))
                : R(0.0);
    }
    for (c = 0u; c < ELITE_VALUES; c++) {
        const uint e = c * WG + (uint)get_local_id(0);
        own->values[c] = ELITES && (int)e < ELITES ? pool[AT_VALUES + position_of(elite_at(e, best, pool))] : R(0.0);
    }
}

/* Writes the elites as members 0 .. ELITES - 1. best: value of the first elite, which is passed because this saves a
 * register. */
static INLINE void write_elites(const elites *own, real best, local real *pool)
{
    uint c;
    for (c = 0u; c < ELITE_GENES; c++) {
        const uint n = c * WG + (uint)get_local_id(0);
        if (ELITES && (int)n < ELITES * DIM)
            GENE_AT(pool, gene_of_elite(n), position_of(elite_of(n))) = own->genes[c];
    }
    for (c = 0u; c < ELITE_VALUES; c++) {
        const uint e = c * WG + (uint)get_local_id(0);
        if (ELITES && (int)e < ELITES)
            pool[AT_VALUES + position_of(e)] = ELITES == 1 ? best : own->values[c];
    }
}

static INLINE void breed_pairs(children *own, context here, __global const real *settings, local real *pool,
                               local const uint *words)
{
    uint k;
    (void)words;
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
        if (has_pair(k)) {
            cross(own, here, k, mating_of(here, own_pair(k), pool), settings, pool);
#if MUTATES && HELD
            mutate(own, here, k, settings, pool, words);
#endif
        }
}

/* Copies the children to their positions in local memory, after all children have been made. */
static INLINE void place_children(const children *own, local real *pool)
{
    uint k, c;
#if WG > 1
#pragma unroll
#endif
    for (k = 0u; k < ITEMS; k++)
        if (has_pair(k)) {
#if WG > 1
#pragma unroll
#endif
            for (c = 0u; c < COORDS; c++)
                if ((BY_ROWS || has_dimension(own_dimension(c)))) {
                    GENE_AT(pool, own_dimension(c), position_of_child(own_pair(k), 0u)) = CHILD_GENE(own->a, c, k);
                    GENE_AT(pool, own_dimension(c), position_of_child(own_pair(k), 1u)) = CHILD_GENE(own->b, c, k);
                }
        }
}

static INLINE void mutate_pairs(children *own, context here, int is_drawn, __global const real *settings,
                                local real *pool, local const uint *words)
{
#if MUTATES && !HELD
    uint k;
#if BY_ROWS
    own->waiting = 0u;
#endif
    for (k = 0u; k < ITEMS; k++)
        if (!is_drawn && has_pair(k))
            mutate(own, here, k, settings, pool, words);
#if BY_ROWS
    mutate_waiting(own, here, settings, pool);
#endif
#endif
    (void)own;
    (void)here;
    (void)is_drawn;
    (void)settings;
    (void)pool;
    (void)words;
}

/* Makes steps first .. first + steps - 1 of island get_group_id(0); step 0 draws the island. search_settle finds the
 * best member of the last step, unless the island is a run that has ended. lead: see struct search_shape. rates: one
 * entry; with has_list, an entry for each island of a run. keys: of the run, with ONE_RUN. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_onchip(__global real *restrict x, __global real *restrict best, __global uint *restrict words,
               __global real *restrict reals, __global real *restrict champion, __global const real *restrict settings,
               __global const uint *restrict rates, ulong seed, uint run_islands, uint indices, uint first, uint steps,
               uint restart, uint stagnation, uint has_list, __global const uint *restrict ranks /* or NULL */, uint truncated,
               uint lead, struct ga_keys keys)
{
    __local ulong all[POOL];
    local real *const pool = (local real *)all;
    local uint *marks = (local uint *)(pool + POOL_REALS);
    const uint lid = (uint)get_local_id(0), end = first + steps, group = (uint)get_group_id(0);
    __global const uint *const own_rates = rates + (has_list ? (lead + group) % run_islands * RATE_WORDS(DIM) : 0u);
    context here = context_of(settings, own_rates, seed, group, run_islands, lead, indices);
    island record = first > 0u ? island_read(words, reals, group) : island_new();
    uint slot = 0u, not_finite = 0u, standing = 0u, offers = first > 0u ? MEMBERS : 0u, step;
    int owes_champion = 0;
    elites kept;
    best_of_island goal, bound;
    children own;
    outcome result;
    enter_keys(&here, keys.words);
    hold_counters(&here);
    here.ranks = ranks;
    here.truncated = truncated;
    load_pool(here, first, own_rates, x, best, pool, marks);
    SYNC();
    goal = first > 0u ? best_member(pool) : no_member();
    for (step = first; step < end && !record.ended; step++) {
        const int is_drawn = step == 0u || is_restart_due(record, restart);
        here.step = step;
        order_members(here, is_drawn, standing, offers, pool);
        bound = LISTS ? last_elite(here, is_drawn, pool) : no_member();
        if (!is_drawn) {
            read_elites(goal.index, &kept, pool);
            breed_pairs(&own, here, settings, pool, marks);
        } else if (owes_champion) {
            keep_champion(here, goal.index, champion, pool);
            owes_champion = 0;
        }
        SYNC();
        if (is_drawn) {
            draw_members(&own, here, step > 0u ? record.restarts + 1u : 0u, settings, pool);
            goal = no_member();
        } else {
            place_children(&own, pool);
            write_elites(&kept, goal.value, pool);
            goal.index = ELITES ? 0u : goal.index;
        }
        SYNC_LANES();
        mutate_pairs(&own, here, is_drawn, settings, pool, marks);
        SYNC_LANES();
        result = settle(&own, here, is_drawn, LISTS ? bound : goal, slot, settings, pool, marks);
        not_finite += result.not_finite;
        SYNC();
        standing = is_drawn ? 0u : ELITES;
        offers = offers_of(result.may_offer, slot, marks);
        goal = accept(goal, offers, pool, marks);
        slot = BY_VOTE ? 0u : next_slot(slot, marks);
        if (step + 1u < end) {
            const int is_champion = record_step(&record, step, goal, is_drawn, offers, settings[SET_TOLERANCE]);
            if (ELITES)
                owes_champion |= is_champion;
            else if (is_champion)
                keep_champion(here, goal.index, champion, pool);
            if (run_islands == 1u)
                island_end(&record, settings[SET_TARGET], stagnation);
        }
    }
    store_pool(here, x, best, pool);
    /* The champion is a member of a recorded step. The last step of the launch is not recorded; among its members, the
     * champion is the first elite. */
    if (owes_champion)
        keep_champion(here, record.ended ? goal.index : 0u, champion, pool);
    island_count_not_finite(words, group, not_finite);
    if (lid == 0u && (steps > 1u || record.ended))
        island_write(record, words, reals, group);
}
