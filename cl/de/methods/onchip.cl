/* Whole islands on the chip: one work-group makes many steps of its island in a launch, and as many islands as fit the
 * device run concurrently. A group writes its members to global memory after its last step; de/methods/onchip.clh
 * describes the layout.
 *
 * The order of the members comes from ranks: each member is compared with all others. All work-items load the same
 * values, and no barrier is needed between the comparisons. No barrier is in a branch: PoCL 3.1 computes work-items
 * wrongly after such a barrier. */
#include "de/methods/onchip_trials.clh"
#if WG == 1
#include "de/methods/onchip_serial.clh"
#endif

/* Draws the first members of the island anew. number: number of the restart. */
static INLINE void draw_members(trials *own, context here, struct de_step step, uint number,
                                __global const real *settings, local real *pool, local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    uint k, d, n;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + lid;
        if (i < step.members) {
            real x[POINT_REALS];
            for (d = 0u; d < DIM; d++) {
                const struct shoal_words w =
                    shoal_random_words(here.seed, SHOAL_STREAM_DE_START, number, here.index + i, d / 4u);
                enter_dimension(&here, settings, d);
                pool[AT_POINTS + POINT_AT(i, d)] = first_coordinate(word_at(w, d % 4u), here.lower, here.upper);
            }
            /* Unrolled, so that x is in registers. */
#if WG > 1
#pragma unroll
#endif
            for (d = 0u; d < DIM; d++)
                x[d] = pool[AT_POINTS + POINT_AT(i, d)];
            for (d = DIM; d < POINT_REALS; d++)
                x[d] = R(0.0);
            judge(own, k, parts_at(x, settings), here);
            pool[AT_VALUES + i] = own->value[k];
#if HAS_OWN
            pool[AT_OWN + i] = R(0.5);
            pool[AT_OWN + MEMBERS + i] = R(0.9);
#endif
        }
    }
    for (n = lid; n < DE_COUNTS; n += WG)
        words[AT_NUMBERS + n] = 0u;
    for (n = lid; n < CELLS; n += WG) {
        const rates means = first_cell(n, FREE_CELLS);
        pool[AT_MEMORY + 2u * n] = means.scale;
        pool[AT_MEMORY + 2u * n + 1u] = means.rate;
        pool[AT_BELOW + n] = scale_below(means.scale);
    }
}

#if WG > 1
/* F and CR of the trial of member i. */
static INLINE rates choose_rates(context here, struct de_step step, uint i, __global const real *settings,
                                 local const real *pool)
{
#if HAS_OWN || HAS_MEMORY
    const struct shoal_words w = shoal_random_words(here.seed, SHOAL_STREAM_DE_RULE, step.step, here.index + i, 0u);
#endif
    rates r;
    (void)here;
    (void)step;
    (void)i;
    (void)settings;
    (void)pool;
#if HAS_OWN
    r = rates_of_own(pool[AT_OWN + i], pool[AT_OWN + MEMBERS + i], w);
#elif HAS_MEMORY
    {
        const uint cell = de_index(w.x, CELLS);
        r = rates_about(pool[AT_MEMORY + 2u * cell], pool[AT_BELOW + cell], pool[AT_MEMORY + 2u * cell + 1u], w, step);
    }
#else
    r.scale = settings[SET_SCALE];
    r.rate = settings[SET_RATE];
#endif
    return r;
}

/* Makes and evaluates the trials of the work-item's members. leader: the best member. */
static INLINE void make_trials(trials *own, context here, struct de_step step, uint leader,
                               __global const real *settings, local real *pool, local const uint *words)
{
    uint k, d, e;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        if (i < step.members) {
            const rates r = choose_rates(here, step, i, settings, pool);
            const struct shoal_words second =
                shoal_random_words(here.seed, SHOAL_STREAM_DE_RULE, step.step, here.index + i, 1u);
            struct shoal_words third = second;
            const real pull = pull_of(r.scale, step);
            local const real *const own_point = pool + AT_POINTS + POINT(i);
            local const real *from = own_point, *to, *a, *b;
            uint length = 1u;
            picks p;
            real x[DIM];
#if ADAPTATION == ADAPT_SHADE || CROSSOVER == EXPONENTIAL
            third = shoal_random_words(here.seed, SHOAL_STREAM_DE_RULE, step.step, here.index + i, 2u);
#endif
            p = picks_of(second, third, step, i, words[AT_NUMBERS + COUNT_ARCHIVED], leader, DIM);
            a = pool + AT_POINTS + POINT(p.a);
#if STRATEGY == CURRENT_TO_PBEST_1
            to = pool + AT_POINTS + POINT(words[AT_ORDER + p.to]);
            b = pool + AT_POINTS + POINT(p.b < step.members ? p.b : p.b - step.members + MEMBERS);
#else
            from = to = pool + AT_POINTS + POINT(p.to);
            b = pool + AT_POINTS + POINT(p.b);
#endif
#if CROSSOVER == EXPONENTIAL
            length = run_length(r.rate, third.y, DIM);
#endif
#pragma unroll
            for (d = 0u; d < DIM; d += TRIAL_BLOCK) {
                const struct shoal_words w =
                    shoal_random_words(here.seed, SHOAL_STREAM_DE_CROSS, step.step, here.index + i, d / TRIAL_BLOCK);
#pragma unroll
                for (e = 0u; e < TRIAL_BLOCK; e++)
                    if (d + e < DIM) {
                        const uint at = d + e, word = word_at(w, e / 2u);
                        const real parent = own_point[STEP(at)];
                        const int is_taken = takes(p, length, r.rate, e & 1u ? word >> 16 : word & 0xffffu, at, DIM);
                        real value = parent;
                        enter_dimension(&here, settings, at);
                        if (is_taken)
                            value = mutated(parent, from[STEP(at)], to[STEP(at)], a[STEP(at)], b[STEP(at)], pull,
                                            r.scale, here.lower, here.upper);
                        x[at] = value;
                    }
            }
            judge(own, k, parts_at(x, settings), here);
            own->scale[k] = r.scale;
            own->rate[k] = r.rate;
            store_trial(own, k, x, pool);
        }
    }
}
#endif

/* Sets the bit AT_GAINS of each member whose trial is better, and stores the work-item's weighted sums over these
 * trials in AT_SUMS. */
static INLINE void note_gains(const trials *own, struct de_step step, local real *pool, local uint *words)
{
    const uint lid = (uint)get_local_id(0);
    gains sum;
    uint k;
    sum.weight = sum.scale = sum.scale_square = sum.rate = sum.rate_square = R(0.0);
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + lid;
        if (i < step.members && own->value[k] < pool[AT_VALUES + i]) {
            const real weight = weight_of(pool[AT_VALUES + i] - own->value[k]);
            sum.weight += weight;
            sum.scale += weight * own->scale[k];
            sum.scale_square += weight * own->scale[k] * own->scale[k];
            sum.rate += weight * own->rate[k];
            sum.rate_square += weight * own->rate[k] * own->rate[k];
            MARK(&words[AT_GAINS + i / 32u], 1u << (i % 32u));
        }
    }
#if HAS_MEMORY
    pool[AT_SUMS + lid] = sum.weight;
    pool[AT_SUMS + WG + lid] = sum.scale;
    pool[AT_SUMS + 2u * WG + lid] = sum.scale_square;
    pool[AT_SUMS + 3u * WG + lid] = sum.rate;
    pool[AT_SUMS + 4u * WG + lid] = sum.rate_square;
#endif
}

/* Gives slots of the archive to the members that better trials replace: free slots, then random slots. If several
 * members ask for a slot, the member with the highest number gets it. slots[k]: the slot for which the work-item's
 * member number k asks, or NO_SLOT. */
static INLINE void claim_slots(context here, struct de_step step, uint *slots, local uint *words)
{
    const uint archived = words[AT_NUMBERS + COUNT_ARCHIVED];
    uint k, n;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        slots[k] = NO_SLOT;
        if (SLOTS > 0 && i < step.members && (words[AT_GAINS + i / 32u] >> i % 32u & 1u) && step.slots > 0u) {
            uint slot = archived + popcount(words[AT_GAINS + i / 32u] & ((1u << i % 32u) - 1u));
            for (n = 0u; n < i / 32u; n++)
                slot += popcount(words[AT_GAINS + n]);
            if (slot >= step.slots)
                slot = de_index(
                    shoal_random_words(here.seed, SHOAL_STREAM_DE_ARCHIVE, step.step, here.index + i, 0u).x,
                    step.slots);
            atomic_max(&words[AT_CLAIMS + slot], i + 1u);
            slots[k] = slot;
        }
    }
}

/* Adds up the gains of the group; ends with a barrier. */
static INLINE void sum_gains(local real *pool)
{
#if HAS_MEMORY && WG > 1
    const uint lid = (uint)get_local_id(0);
    uint span, n;
    for (span = WG / 2u; span > 0u; span /= 2u) {
        if (lid < span)
            for (n = 0u; n < 5u; n++)
                pool[AT_SUMS + n * WG + lid] += pool[AT_SUMS + n * WG + lid + span];
        SYNC();
    }
#else
    (void)pool;
    SYNC();
#endif
}

/* Replaces each member whose trial is not worse. A member that has got a slot is copied to the archive first. */
static INLINE void replace_members(const trials *own, struct de_step step, const uint *slots, local real *pool,
                                   local const uint *words)
{
    uint k, d;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        if (i < step.members && own->value[k] <= pool[AT_VALUES + i]) {
            local real *const point = pool + AT_POINTS + POINT(i);
            if (SLOTS > 0 && slots[k] < NO_SLOT && words[AT_CLAIMS + slots[k]] == i + 1u) {
                local real *const slot = pool + AT_POINTS + POINT(MEMBERS + slots[k]);
#if WG > 1
#pragma unroll
#endif
                for (d = 0u; d < COORDS; d++)
                    slot[STEP(d)] = point[STEP(d)];
            }
#if WG > 1
#pragma unroll
#endif
            for (d = 0u; d < COORDS; d++)
                point[STEP(d)] = trial_at(own, k, d, pool);
            pool[AT_VALUES + i] = own->value[k];
#if HAS_OWN
            pool[AT_OWN + i] = own->scale[k];
            pool[AT_OWN + MEMBERS + i] = own->rate[k];
#endif
        }
    }
}

/* Changes a cell of the memory and the count of the archive; one work-item does this. */
static INLINE void learn(struct de_step step, local real *pool, local uint *words)
{
    uint n, asked = words[AT_NUMBERS + COUNT_ARCHIVED];
    for (n = 0u; n < GAIN_WORDS; n++)
        asked += popcount(words[AT_GAINS + n]);
    words[AT_NUMBERS + COUNT_ARCHIVED] = min(min(asked, step.slots), step.next_slots);
#if HAS_MEMORY
    if (pool[AT_SUMS] > R(0.0)) {
        const uint cell = words[AT_NUMBERS + COUNT_CELL];
        gains sum;
        rates means;
        sum.weight = pool[AT_SUMS];
        sum.scale = pool[AT_SUMS + WG];
        sum.scale_square = pool[AT_SUMS + 2u * WG];
        sum.rate = pool[AT_SUMS + 3u * WG];
        sum.rate_square = pool[AT_SUMS + 4u * WG];
        means.scale = pool[AT_MEMORY + 2u * cell];
        means.rate = pool[AT_MEMORY + 2u * cell + 1u];
        means = learned(means, sum);
        pool[AT_MEMORY + 2u * cell] = means.scale;
        pool[AT_MEMORY + 2u * cell + 1u] = means.rate;
        pool[AT_BELOW + cell] = scale_below(means.scale);
        words[AT_NUMBERS + COUNT_CELL] = cell + 1u < FREE_CELLS ? cell + 1u : 0u;
    }
#endif
}

/* Clears the bits AT_GAINS and the claims of slots for the next step. */
static INLINE void clear_notes(const uint *slots, local uint *words)
{
    uint k, n;
    for (n = (uint)get_local_id(0); n < GAIN_WORDS; n += WG)
        words[AT_GAINS + n] = 0u;
    for (k = 0u; k < ITEMS; k++)
        if (SLOTS > 0 && slots[k] < NO_SLOT)
            words[AT_CLAIMS + slots[k]] = 0u;
}

/* Ranks the first `count` members, as de_rank of the pipeline does: among equal values, the member with the lower
 * number comes first. In any block other than the member's own, all members have higher numbers than the member, or all
 * have lower numbers. */
#define RANK_BLOCK 32u
static INLINE void rank_members(uint count, local const real *pool, local uint *words)
{
    uint k, j;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0), first = i / RANK_BLOCK * RANK_BLOCK;
        const uint last = min(first + RANK_BLOCK, count);
        if (i < count) {
            const real value = pool[AT_VALUES + i];
            uint rank = 0u;
            for (j = 0u; j < first; j++)
                rank += pool[AT_VALUES + j] <= value ? 1u : 0u;
            for (j = first; j < last; j++)
                rank += pool[AT_VALUES + j] < value || (pool[AT_VALUES + j] == value && j < i) ? 1u : 0u;
            for (j = last; j < count; j++)
                rank += pool[AT_VALUES + j] < value ? 1u : 0u;
            words[AT_RANKS + i] = value == value ? rank : NO_INDEX;
            if (value == value)
                words[AT_ORDER + rank] = i;
        }
    }
}

#if WG > 1
/* Orders the best members. bound: the largest value of the best members when they were last ordered. No value may have
 * risen since then, so that only a member whose value is at most `bound` can be among the best members now. Ends
 * without a barrier. */
static INLINE void order_best(real bound, local const real *pool, local uint *words)
{
    local uint *const near = words + AT_RANKS; /* the members that can be among the best, in the order of numbers */
    uint k, n, count = 0u;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        if (i < MEMBERS && pool[AT_VALUES + i] <= bound)
            atomic_or(&words[AT_NEAR + i / 32u], 1u << (i % 32u));
    }
    SYNC();
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        if (i < MEMBERS && (words[AT_NEAR + i / 32u] >> i % 32u & 1u)) {
            uint place = popcount(words[AT_NEAR + i / 32u] & ((1u << i % 32u) - 1u));
            for (n = 0u; n < i / 32u; n++)
                place += popcount(words[AT_NEAR + n]);
            near[place] = i;
        }
    }
    for (n = 0u; n < GAIN_WORDS; n++)
        count += popcount(words[AT_NEAR + n]);
    SYNC();
    for (n = (uint)get_local_id(0); n < GAIN_WORDS; n += WG)
        words[AT_NEAR + n] = 0u;
    for (k = (uint)get_local_id(0); k < count; k += WG) {
        const real value = pool[AT_VALUES + near[k]];
        uint rank = 0u;
        for (n = 0u; n < count; n++) {
            const real other = pool[AT_VALUES + near[n]];
            rank += other < value || (other == value && n < k) ? 1u : 0u;
        }
        words[AT_ORDER + rank] = near[k];
    }
}
#endif

/* Moves each remaining member whose number is step.next or more to the number of a member that leaves, in the same way
 * as de_shrink of the pipeline. */
static INLINE void fill_holes(struct de_step step, local real *pool, local const uint *words)
{
    uint k, j, d;
    for (k = 0u; k < ITEMS; k++) {
        const uint i = k * WG + (uint)get_local_id(0);
        if (i < step.next && words[AT_RANKS + i] >= step.next) {
            uint holes = 0u;
            for (j = 0u; j < i; j++)
                holes += words[AT_RANKS + j] >= step.next ? 1u : 0u;
            for (j = step.next; words[AT_RANKS + j] >= step.next || holes > 0u; j++)
                holes -= words[AT_RANKS + j] < step.next ? 1u : 0u;
            for (d = 0u; d < DIM; d++)
                pool[AT_POINTS + POINT_AT(i, d)] = pool[AT_POINTS + POINT_AT(j, d)];
            pool[AT_VALUES + i] = pool[AT_VALUES + j];
#if HAS_OWN
            pool[AT_OWN + i] = pool[AT_OWN + j];
            pool[AT_OWN + MEMBERS + i] = pool[AT_OWN + MEMBERS + j];
#endif
        }
    }
}

static INLINE void lose_members(struct de_step step, local real *pool)
{
    uint i;
    for (i = step.next + (uint)get_local_id(0); i < step.before; i += WG)
        pool[AT_VALUES + i] = (real)NAN;
}

/* Ends a step: with SHRINKS, removes the worst members and ranks the remaining members; otherwise orders the best
 * members (order_best, bound). Ends with a barrier. */
static INLINE void end_members(struct de_step step, int is_drawn, real bound, local real *pool, local uint *words)
{
#if SHRINKS
    const int shrinks = !is_drawn && step.next < step.before;
    rank_members(shrinks ? step.before : step.members, pool, words);
    SYNC();
    if (shrinks)
        fill_holes(step, pool, words);
    SYNC();
    if (shrinks) {
        lose_members(step, pool);
        rank_members(step.next, pool, words);
    }
#else
    (void)step;
    (void)is_drawn;
    order_best(bound, pool, words);
#endif
    SYNC();
}

/* Makes steps first .. first + steps - 1 of island get_group_id(0); step 0 draws the island. search_settle finds the
 * best of the last step, unless a run of one island has ended before. lead: see struct search_shape. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_onchip(__global real *restrict x, __global real *restrict best, __global real *restrict archive /* or NULL */,
               __global real *restrict memory /* or NULL */, __global uint *restrict counts,
               __global real *restrict own_scale /* or NULL */, __global real *restrict own_rate /* or NULL */,
               __global uint *restrict words, __global real *restrict reals, __global real *restrict champion,
               __global const real *restrict settings, __global const uint *restrict plan, ulong seed,
               uint run_islands, uint first, uint steps, uint restart, uint stagnation, uint lead)
{
    __local ulong all[POOL];
    local real *const pool = (local real *)all;
    local uint *const marks = (local uint *)(pool + POOL_REALS);
    const uint lid = (uint)get_local_id(0), end = first + steps, group = (uint)get_group_id(0);
    const context here = context_of(settings, seed, group, run_islands, lead);
    island record = first > 0u ? island_read(words, reals, group) : island_new();
    const int active = !record.ended;
    uint members = de_members_at(plan, first), before = first > 0u ? de_members_at(plan, first - 1u) : members;
    uint slots[ITEMS], leader = record.goal_index, step;
    trials own;
    own.not_finite = 0u;
    load_pool(here, first, x, best, archive, memory, counts, own_scale, own_rate, pool, marks);
    SYNC();
    if (first > 0u)
        rank_members(members, pool, marks);
    SYNC();
    for (step = first; step < end && !record.ended; step++) {
        const int is_drawn = step == 0u || is_restart_due(record, restart);
        const struct de_step now =
            de_step_with(plan, step, before, members, SHRINKS ? de_members_at(plan, step + 1u) : members);
        const real bound =
            is_drawn ? (real)INFINITY : pool[AT_VALUES + marks[AT_ORDER + min(now.best, now.members) - 1u]];
        if (is_drawn) {
            draw_members(&own, here, now, step > 0u ? record.restarts + 1u : 0u, settings, pool, marks);
        } else {
            make_trials(&own, here, now, leader, settings, pool, marks);
            note_gains(&own, now, pool, marks);
        }
        SYNC();
        claim_slots(here, now, slots, marks);
        sum_gains(pool);
        if (!is_drawn) {
            replace_members(&own, now, slots, pool, marks);
            if (lid == 0u)
                learn(now, pool, marks);
        }
        SYNC();
        clear_notes(slots, marks);
        end_members(now, is_drawn, bound, pool, marks);
        leader = marks[AT_ORDER];
        if (step + 1u < end) {
            if (island_settle(&record, step, pool[AT_VALUES + leader], leader, is_drawn, settings[SET_TOLERANCE]))
                keep_champion(here, leader, champion, pool);
            if (run_islands == 1u)
                island_end(&record, settings[SET_TARGET], stagnation);
        }
#if SHRINKS
        /* A step that draws may keep more members than the next step has trials. */
        SYNC();
        if (is_drawn && now.next < now.members)
            rank_members(now.next, pool, marks);
        SYNC();
        before = members;
        members = now.next;
#endif
    }
    if (active) {
        store_pool(here, x, best, archive, memory, counts, own_scale, own_rate, pool, marks);
        island_count_not_finite(words, group, own.not_finite);
        if (lid == 0u && (steps > 1u || record.ended))
            island_write(record, words, reals, group);
    }
}
