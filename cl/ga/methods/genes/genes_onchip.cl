/* Whole islands of genomes on the chip, like the islands of reals of ga/methods/onchip.cl: one work-group makes many
 * generations of its island in a launch. Parents and children are in two halves of local memory, which are exchanged
 * after each generation. No barrier is in a branch; ga/methods/onchip.cl gives the reason. */
#include "ga/methods/genes/genes.clh"

#define CHILDREN (MEMBERS - ELITES)
#define CHILD_PAIRS ((CHILDREN + 1) / 2)

/* 1: a run is one island, so this kernel ends the run by its target or by stagnation. A test at run time would cost
 * some instructions in each generation. */
#ifndef ENDS
#define ENDS 1
#endif

#if POOL * 2 < AT_SCRATCH
#error "POOL is too small for this island"
#endif

/* SYNC_PAIRS: barrier between the choices of pairs and their genes. SYNC_CHILDREN: barrier between the genes of children
 * and their values; a CUDA kernel may have a barrier in a branch that all work-items take. */
#if ONE_BARRIER
#define SYNC_PAIRS() SHOAL_WARP_SYNC()
#else
#define SYNC_PAIRS() SYNC()
#endif
#if BY_WARPS
#define SYNC_CHILDREN(is_drawn)                                                                                        \
    do {                                                                                                               \
        if (is_drawn)                                                                                                  \
            SYNC();                                                                                                    \
        else                                                                                                           \
            SHOAL_WARP_SYNC();                                                                                         \
    } while (0)
#else
#define SYNC_CHILDREN(is_drawn) SYNC()
#endif

/* Index of the offers of a slot. */
#define OFFERS_OF(slot) (AT_OFFERED + (OFFER_LISTS > 1 ? (slot)*MEMBERS : 0u))

/* The words for the first mutations of the pair of child n. first: those of the own children, with WARP_CHOICES. */
#if WARP_CHOICES || !LINE
#define FIRST_WORDS(first, k, n, pairs) (first)[k]
#else
#define FIRST_WORDS(first, k, n, pairs) first_words((n) / 2u, pairs)
#endif

/* 1: the evaluation of children and the computation of the words of the next step overlap. */
#define OVERLAPS (WARP_CHOICES && REPAIRS == 0)

/* Draws -------------------------------------------------------------------------------------------------------------- */

/* Number of random words for the genes outside the order of a member. */
#define LINE_DRAWS (GENOME_REALS + GENOME_WHOLES + BIT_WORDS)
#define LINE_BLOCKS ((LINE_DRAWS + 3) / 4)

#if LINE
/* Draws the genes that come from random word n of a member: a real, a whole number or 32 bits. */
static INLINE void draw_gene(context here, uint n, uint word, local uint *rows, uint row)
{
    const uint whole = n - GENOME_REALS, w = whole - GENOME_WHOLES;
#if GENOME_REALS
    if (n < GENOME_REALS) {
        genome_set_real(rows + row, n,
                        mutated(MUTATE_UNIFORM, R(0.0), uniform(word), box_lower(here.settings, n, GENOME_REALS),
                                box_upper(here.settings, n, GENOME_REALS), here.mutate, 0));
        return;
    }
#endif
    if ((int)whole < GENOME_WHOLES) {
        __global const uint *const range = here.wholes + whole * WHOLE_WORDS;
        rows[AT_WORD(row, FIRST_WHOLE + whole)] = (uint)drawn_whole(word, (int)range[WHOLE_LOWER], range[WHOLE_WIDTH]);
    } else {
        rows[AT_WORD(row, FIRST_BITS + w)] = w == BIT_WORDS - 1u ? word & 0xffffffffu >> (32u * BIT_WORDS - GENOME_BITS) : word;
    }
}
#endif

/* Draws the genes outside orders of all members. A work-item draws four random words at a time. number: which restart
 * this is; 0: the first draw. */
static INLINE void draw_line(context here, uint number, local uint *rows)
{
#if LINE
    uint n, k;
    for (n = (uint)get_local_id(0); n < MEMBERS * LINE_BLOCKS; n += WG) {
        const uint member = n / LINE_BLOCKS, block = n % LINE_BLOCKS;
        const struct shoal_words drawn =
            shoal_random_words(here.seed, SHOAL_STREAM_GA_START, number, here.index + member, block);
        for (k = 0u; k < 4u && 4u * block + k < LINE_DRAWS; k++)
            draw_gene(here, 4u * block + k, word_at(drawn, k), rows, ROW(member));
    }
#else
    (void)here;
    (void)number;
    (void)rows;
#endif
}

static INLINE void draw_member_order(context here, uint number, uint member, local uint *children)
{
#if GENOME_PLACES
    order_rows rows;
    rows.child = children + member * NEXT + LINE_WORDS * STEP;
    rows.a = rows.b = rows.child;
    rows.scratch = rows.child;
    if (GENOME_PLACES % 2)
        CHILD(GENOME_PLACES) = 0;
    order_draw(rows, GENOME_PLACES,
               shoal_random_words(here.seed, SHOAL_STREAM_GA_START, number, here.index + member, ORDER_KEYS_DRAW));
#else
    (void)here;
    (void)number;
    (void)member;
    (void)children;
#endif
}

/* Steps -------------------------------------------------------------------------------------------------------------- */

/* Memory that the work-items of a group share. */
typedef struct {
    local real *pool, *next; /* next: the pool of the children's values; with one set of values, the same */
    local uint *words, *parents, *children;
} island_memory;

/* Number of children that a work-item completes. */
#define TURNS ((MEMBERS + WG - 1) / WG)

/* The choices of a work-item: the words for the choices of its pairs in the next step, and the words for the first
 * mutations of its children in this step. */
typedef struct {
#if WARP_CHOICES
    pair_words drawn[TURNS];
#endif
    struct shoal_words first[TURNS];
} own_choices;

/* Draws words of the next step. */
static INLINE void draw_ahead(context here, uint k, own_choices *own)
{
#if WARP_CHOICES
    own->drawn[k] = words_of_pair(here, k * WG + own_item(), here.step + 1u);
#else
    (void)here;
    (void)k;
    (void)own;
#endif
}

/* Draws the words of step `step`, the first one of a launch. */
static INLINE void draw_first(context here, uint step, own_choices *own)
{
    uint k;
    here.step = step - 1u;
    for (k = 0u; k < TURNS; k++)
        draw_ahead(here, k, own);
}

/* Makes the random choices of the pairs. */
static INLINE void choose_pairs(context here, own_choices *own, island_memory at)
{
#if WARP_CHOICES
    uint k;
    for (k = 0u; k < TURNS; k++)
        own->first[k] = choose_pair(here, k * WG + own_item(), CHILD_PAIRS, own->drawn[k], at.pool, at.words + AT_PAIRS);
#else
    draw_pairs(here, CHILD_PAIRS, at.pool, at.words + AT_PAIRS);
    (void)own;
#endif
}

/* Completes and evaluates the children or, if is_drawn, the drawn members. An individual that is better than `bound`
 * writes an offer to slot `slot`. Returns the number of evaluations without a finite value. */
static INLINE uint settle(context here, int is_drawn, uint number, best_of_island bound, uint slot, own_choices *own,
                          island_memory at)
{
    local uint *const pairs = at.words + AT_PAIRS;
    uint not_finite = 0u, k;
    for (k = 0u; k < TURNS; k++) {
        const uint n = k * WG + own_item(), member = is_drawn ? n : ELITES + n;
        real value;
#if OVERLAPS
        /* Work-items without a child evaluate another one, so that no branch separates the evaluation from the words of
         * the next step, whose computations then overlap. */
        if (!is_drawn && member < MEMBERS)
            finish_child(here, n, FIRST_WORDS(own->first, k, n, pairs), pairs, at.parents, at.children,
                         at.words + AT_SCRATCH);
        draw_ahead(here, k, own);
        value = value_of(here, at.children, min(member, MEMBERS - 1u));
        if (member >= MEMBERS)
            continue;
#else
        draw_ahead(here, k, own);
        if (member >= MEMBERS)
            continue;
        if (is_drawn) {
            draw_member_order(here, number, member, at.children);
            value = value_of(here, at.children, member);
        } else {
            finish_child(here, n, FIRST_WORDS(own->first, k, n, pairs), pairs, at.parents, at.children,
                         at.words + AT_SCRATCH);
            value = value_of(here, at.children, FIRST_CHILD + n);
        }
#endif
        at.next[AT_VALUES + member] = value;
        not_finite += VALUES_ARE_WHOLE || isfinite(value) ? 0u : 1u;
        if (is_better(value, member, bound))
            at.words[OFFERS_OF(slot) + atomic_inc(&at.words[AT_COUNTS + slot])] = member;
    }
    return not_finite;
}

/* Returns the best of `goal` and the first `offers` offers of slot `slot`. */
static INLINE best_of_island accept(best_of_island goal, uint offers, uint slot, island_memory at)
{
    uint n;
    for (n = 0u; n < offers; n++) {
        const uint member = at.words[OFFERS_OF(slot) + n];
        if (is_better(at.pool[AT_VALUES + member], member, goal)) {
            goal.value = at.pool[AT_VALUES + member];
            goal.index = member;
        }
    }
    return goal;
}

/* Returns the best member, at the beginning of a launch. */
static INLINE best_of_island best_member(local const real *pool)
{
    best_of_island goal;
    uint m;
    goal.value = pool[AT_VALUES];
    goal.index = 0u;
    for (m = 1u; m < MEMBERS; m++)
        if (pool[AT_VALUES + m] < goal.value) {
            goal.value = pool[AT_VALUES + m];
            goal.index = m;
        }
    return goal;
}

/* Copies the elites to the children 0 .. ELITES - 1. best: index of the best member. The values of the elites stay in
 * `values` until the next barrier, since other work-items read the values of the parents until then. */
static INLINE void copy_elites(uint best, real *values, island_memory at)
{
    uint n, c;
    /* The last work-items copy the elites, since they have less to draw. */
    for (n = WG - 1u - own_item(); (int)n < ELITES * LOCAL_WORDS; n += WG) {
        const uint e = ELITES == 1 ? 0u : n / LOCAL_WORDS, w = ELITES == 1 ? n : n % LOCAL_WORDS;
        const uint from = elite_at(e, best, at.pool);
        at.children[AT_WORD(ROW(e), w)] = at.parents[AT_WORD(ROW(from), w)];
    }
    for (c = 0u; c < ELITE_VALUES; c++) {
        const uint e = c * WG + (uint)get_local_id(0);
        values[c] = (int)e < ELITES ? at.pool[AT_VALUES + elite_at(e, best, at.pool)] : R(0.0);
    }
}

static INLINE void write_elite_values(const real *values, island_memory at)
{
    uint c;
    for (c = 0u; c < ELITE_VALUES; c++) {
        const uint e = c * WG + (uint)get_local_id(0);
        if ((int)e < ELITES)
            at.next[AT_VALUES + e] = values[c];
    }
}

static INLINE void keep_champion(context here, uint member, __global uint *champion, local const uint *rows)
{
    uint w;
    for (w = (uint)get_local_id(0); w < ROW_WORDS; w += WG)
        champion[(ulong)here.island * ROW_WORDS + w] = member_word(rows, member, w);
}

/* load_island, store_island: copy the members of an island, which is a tile of the buffers, to and from local
 * memory. */
static INLINE void load_island(context here, uint step, __global const uint *x, __global const real *best,
                               island_memory at)
{
    const uint lid = (uint)get_local_id(0);
    const ulong base = (ulong)here.island * (ROW_WORDS * MEMBERS);
    uint n;
    for (n = lid; n < 4u; n += WG)
        at.words[AT_COUNTS + n] = 0u;
    for (n = lid; step > 0u && n < ROW_WORDS * MEMBERS; n += WG)
        set_member_word(at.parents, n % MEMBERS, n / MEMBERS, x[base + n]);
    for (n = lid; step > 0u && n < MEMBERS; n += WG)
        at.pool[AT_VALUES + n] = best[here.island * MEMBERS + n];
#if LISTS
    for (n = lid; n < MEMBERS; n += WG)
        at.words[AT_OFFERED + n] = n;
#endif
}

static INLINE void store_island(context here, __global uint *x, __global real *best, island_memory at)
{
    const uint lid = (uint)get_local_id(0);
    const ulong base = (ulong)here.island * (ROW_WORDS * MEMBERS);
    uint n;
    for (n = lid; n < ROW_WORDS * MEMBERS; n += WG)
        x[base + n] = member_word(at.parents, n % MEMBERS, n / MEMBERS);
    for (n = lid; n < MEMBERS; n += WG)
        best[here.island * MEMBERS + n] = at.pool[AT_VALUES + n];
}

/* Makes the children the parents of the next generation. */
static INLINE void exchange_halves(island_memory *at)
{
    local uint *const parents = at->parents;
    local real *const pool = at->pool;
    at->parents = at->children;
    at->children = parents;
    at->pool = at->next;
    at->next = pool;
}

/* ga_onchip() of ga/methods/onchip.cl describes the arguments. Further arguments: wholes: WHOLE_WORDS words for each
 * whole number; table: table of the objective. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_genes_onchip(__global uint *restrict x, __global real *restrict best, __global uint *restrict words,
                     __global real *restrict reals, __global uint *restrict champion, __global const real *restrict settings,
                     __global const uint *restrict rates, ulong seed, uint run_islands, uint indices, uint first, uint steps,
                     uint restart, uint stagnation, uint has_list, __global const uint *restrict ranks /* or NULL */,
                     uint truncated, uint lead, __global const uint *restrict wholes /* or NULL */,
                     __global const uint *restrict table /* or NULL */)
{
    __local uint4 pool[(POOL + 1) / 2];
    const uint lid = (uint)get_local_id(0), end = first + steps, group = (uint)get_group_id(0);
    __global const uint *const own_rates = rates + (has_list ? (lead + group) % run_islands * RATE_WORDS(LINE) : 0u);
    context here = context_of(settings, own_rates, wholes, table, seed, group, run_islands, lead, indices);
    island record = first > 0u ? island_read(words, reals, group) : island_new();
    uint slot = 0u, not_finite = 0u, standing = 0u, offers = first > 0u ? MEMBERS : 0u, step;
    int owes_champion = 0;
    best_of_island goal, bound;
    island_memory at;
    real elite_values[ELITE_VALUES];
    own_choices own;
    here.ranks = ranks;
    here.truncated = truncated;
    at.pool = (local real *)pool;
    at.next = at.pool + (VALUE_SETS - 1) * MEMBERS;
    at.words = (local uint *)pool;
    at.parents = at.words;
    at.children = at.words + ALL_WORDS;
    load_island(here, first, x, best, at);
    draw_first(here, first, &own);
    SYNC();
    goal = first > 0u ? best_member(at.pool) : no_member();
    for (step = first; step < end && !record.ended; step++) {
        const int is_drawn = step == 0u || is_restart_due(record, restart);
        const uint number = step > 0u ? record.restarts + 1u : 0u;
        here.step = step;
        order_members(here, is_drawn, standing, offers, at.pool);
        bound = LISTS ? last_elite(here, is_drawn, at.pool) : no_member();
        if (!is_drawn) {
            copy_elites(goal.index, elite_values, at);
            choose_pairs(here, &own, at);
        } else if (owes_champion) {
            keep_champion(here, goal.index, champion, at.parents);
            owes_champion = 0;
        }
        SYNC_PAIRS();
        if (is_drawn) {
            draw_line(here, number, at.children);
            goal = no_member();
        } else {
            cross_line(here, CHILD_PAIRS, at.pool, at.words + AT_PAIRS, at.parents, at.children);
            goal.index = ELITES ? 0u : goal.index;
        }
        SYNC_CHILDREN(is_drawn);
        if (!is_drawn)
            write_elite_values(elite_values, at);
        not_finite += settle(here, is_drawn, number, LISTS ? bound : goal, slot, &own, at);
        SYNC();
        exchange_halves(&at);
        standing = is_drawn ? 0u : ELITES;
        offers = at.words[AT_COUNTS + slot];
        goal = accept(goal, offers, slot, at);
        slot = next_slot(slot, at.words);
        if (step + 1u < end) {
            const int is_champion = record_step(&record, step, goal, is_drawn, offers, settings[SET_TOLERANCE]);
            if (ELITES)
                owes_champion |= is_champion;
            else if (is_champion)
                keep_champion(here, goal.index, champion, at.parents);
            if (ENDS)
                island_end(&record, settings[SET_TARGET], stagnation);
        }
    }
    store_island(here, x, best, at);
    /* The champion is a member of a recorded step. The last step of the launch is not recorded; among its members, the
     * champion is the first elite. */
    if (owes_champion)
        keep_champion(here, record.ended ? goal.index : 0u, champion, at.parents);
    island_count_not_finite(words, group, not_finite);
    if (lid == 0u && (steps > 1u || record.ended))
        island_write(record, words, reals, group);
}
