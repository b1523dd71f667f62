/* The genetic algorithm of the thesis (Pospichal, Brno 2009) on the chip. One work-group makes many generations of its
 * island in a launch. A work-item handles an individual, and has a generator of its own. docs/ga.md states the rules.
 *
 * A generation has two barriers. Before the first barrier, random numbers are drawn. Between the barriers, parents are
 * selected and crossed, and children are mutated and evaluated. After every `exchange` generations, some work-items
 * exchange migrants through mailboxes, while the other work-items draw the next random numbers.
 */
#include "ga/thesis/exchange.clh"

/* The random choices that a work-item has drawn for its individuals. */
typedef struct {
    hybridtaus generator[ITEMS];
    uint gene[ITEMS]; /* the gene that mutates; DIM: none */
    real number[ITEMS];
} draws;

static INLINE int is_own(uint k)
{
#if HELPERS
    if ((uint)get_local_id(0) >= BREEDERS)
        return 0;
#endif
#if ITEMS * BREEDERS == MEMBERS
    (void)k;
    return 1;
#else
    return k * BREEDERS + (uint)get_local_id(0) < MEMBERS;
#endif
}

static INLINE uint own_member(uint k)
{
    return k * BREEDERS + (uint)get_local_id(0);
}

/* Returns the number of the work-item within the TEAM of an exchange. Work-items outside of the TEAM have higher
 * numbers. */
static INLINE uint own_lane(void)
{
    return (uint)get_local_id(0) - (HELPERS ? BREEDERS : 0u);
}

/* Loop over the individuals of the work-item. */
#define FOR_OWN(k)              \
    for (k = 0u; k < ITEMS; k++) \
        if (is_own(k))

/* Draws the opponent of each member, and the random words that a pair shares. */
static INLINE void draw_opponents(draws *own, context here)
{
    uint k;
    FOR_OWN(k)
    {
        here.words[AT_OPPONENTS + own_member(k)] = index_of(hybridtaus_next(&own->generator[k]), MEMBERS);
        here.words[AT_SHARED + own_member(k)] = hybridtaus_next(&own->generator[k]);
    }
}

static INLINE void draw_mutations(draws *own, context here)
{
#if MUTATION != MUTATE_NONE
    uint k;
    FOR_OWN(k)
    {
        own->gene[k] = first_gene(here.words + AT_FIRST, DIM, hybridtaus_next(&own->generator[k]) >> 1);
        if (own->gene[k] < DIM) {
            const uint a = hybridtaus_next(&own->generator[k]), b = hybridtaus_next(&own->generator[k]);
            own->number[k] = normal_number(a, b);
        }
    }
#else
    (void)own;
    (void)here;
#endif
}

static INLINE uint winner(context here, uint slot)
{
    const uint other = here.words[AT_OPPONENTS + slot];
    return leads(here, other, slot) ? other : slot;
}

/* Writes the child of individual k to the next genes, and returns its value. */
static INLINE real breed(const draws *own, uint k, context here)
{
    const uint member = own_member(k), pair = member / 2u;
    const crossing c = crossing_of(CROSSOVER, here.words[AT_SHARED + pair], here.words[AT_SHARED + PAIRS + pair], 0u,
                                   here.cross_threshold, DIM, R(0.0), 0);
    uint a = 2u * pair, b = 2u * pair + 1u;
    cross_shape unused;
    real x[DIM];
    uint d;
    if (!SELECT_CROSSING || c.crosses) {
        a = winner(here, a);
        b = winner(here, b);
    }
    unused.power = unused.root = unused.alpha = R(0.0);
    for (d = 0u; d < DIM; d++) {
        const real lower = lower_of(here, d), upper = upper_of(here, d);
        gene_pair genes;
        genes.a = here.genes[d * MEMBERS + a];
        genes.b = here.genes[d * MEMBERS + b];
        if (c.crosses)
            genes = crossed(CROSSOVER, genes, c, d, 0u, lower, upper, unused, 0);
        x[d] = member % 2u ? genes.b : genes.a;
        if (MUTATION != MUTATE_NONE && d == own->gene[k])
            x[d] = bounded(BOUNDS, mutated(MUTATION, x[d], own->number[k], lower, upper, here.mutate, SIGMA_BOX), lower,
                           upper);
        here.next[d * MEMBERS + member] = x[d];
    }
    return value_of(here, x);
}

/* Draws individual k as a first member, and returns its value. */
static INLINE real draw_member(draws *own, uint k, context here)
{
    const uint member = own_member(k);
    real x[DIM];
    uint d;
    for (d = 0u; d < DIM; d++) {
        x[d] = mutated(MUTATE_UNIFORM, R(0.0), uniform(hybridtaus_next(&own->generator[k])), lower_of(here, d),
                       upper_of(here, d), here.mutate, 0);
        here.next[d * MEMBERS + member] = x[d];
    }
    return value_of(here, x);
}

static INLINE context context_of(__global const real *settings, __global const uint *rates, uint run_islands,
                                 local real *pool)
{
    context here;
    const uint island = (uint)get_group_id(0);
    /* avoids a division if there is only one run */
    const uint own = run_islands >= (uint)get_num_groups(0) ? island : island % run_islands;
    here.island = island;
    here.own = own;
    here.run_islands = run_islands;
    here.neighbour = island + (own > 0u ? 0u : run_islands) - 1u;
    here.cross_threshold = rates[RATE_CROSS];
    here.sign = settings[SET_SIGN];
    here.penalty = settings[SET_PENALTY];
    here.mutate.power = here.mutate.root = R(0.0);
    here.mutate.sigma = settings[SET_SIGMA];
    here.settings = settings;
    here.pool = pool;
    here.words = (local uint *)(pool + POOL_REALS);
    place_parents(&here, 0u);
    return here;
}

/* Loads the members and the generators of an island, which is a tile of the buffers. With `restrict`, the compiler
 * knows that no load of the loop reads what a store of the loop writes, so loads do not wait for each other. */
static INLINE void load_island(draws *own, context here, uint step, __global const uint *restrict rates,
                               __global const real *restrict x, __global const real *restrict best,
                               __global const uint *restrict generators)
{
    const ulong first = (ulong)here.island * MEMBERS;
    uint k, d, n, turn;
    FOR_OWN(k)
    {
        __global const uint *const state = generators + HYBRIDTAUS_WORDS * first + own_member(k);
        own->generator[k].a = state[0];
        own->generator[k].b = state[MEMBERS];
        own->generator[k].c = state[2 * MEMBERS];
        own->generator[k].d = state[3 * MEMBERS];
    }
    if (step > 0u) {
        for (d = 0u; d < DIM; d++)
            FOR_OWN(k)
                here.genes[d * MEMBERS + own_member(k)] = x[first * DIM + d * MEMBERS + own_member(k)];
        FOR_OWN(k)
            VALUE_AT(here.genes, own_member(k)) = best[first + own_member(k)];
    }
    FOR_ITEMS(turn, n, 2u)
        here.words[AT_IMPROVED + n] = 0u;
    FOR_ITEMS(turn, n, (uint)DIM)
        here.words[AT_FIRST + n] = rates[RATE_TABLES + n];
}

static INLINE void store_island(const draws *own, context here, __global real *x, __global real *best,
                                __global uint *generators)
{
    const ulong first = (ulong)here.island * MEMBERS;
    uint k, n, turn;
    FOR_ITEMS(turn, n, (uint)(DIM * MEMBERS))
        x[first * DIM + n] = here.genes[n];
    FOR_ITEMS(turn, n, (uint)MEMBERS)
        best[first + n] = VALUE_AT(here.genes, n);
    FOR_OWN(k)
    {
        __global uint *const state = generators + HYBRIDTAUS_WORDS * first + own_member(k);
        state[0] = own->generator[k].a;
        state[MEMBERS] = own->generator[k].b;
        state[2 * MEMBERS] = own->generator[k].c;
        state[3 * MEMBERS] = own->generator[k].d;
    }
}

/* The search of an island, and the limits that end it. */
typedef struct {
    island record;
    real target, tolerance;
    uint stagnation, not_finite;
    __global real *champion;
} search_run;

static INLINE void keep_champion(const search_run *own, context here, uint member)
{
    uint d, turn;
    FOR_ITEMS(turn, d, (uint)DIM)
        own->champion[(ulong)here.island * DIM + d] = here.genes[d * MEMBERS + member];
}

/* Records step `step`, whose population is here.genes. improved: there may be a new best member. */
static INLINE void settle(search_run *own, context here, uint step, int improved)
{
    if (improved) {
        const uint found = find_best(here);
        if (island_settle(&own->record, step, VALUE_AT(here.genes, found), found, step == 0u, own->tolerance))
            keep_champion(own, here, found);
    } else {
        island_settle_unchanged(&own->record, step, own->record.goal_index);
    }
    if (here.run_islands == 1u)
        island_end(&own->record, own->target, own->stagnation);
}

/* Barrier of a step. exchanges: the barrier includes global memory. This is needed for an island that sends to itself:
 * between the two barriers of a step it reads words that its other work-items write after the second barrier. */
static INLINE void sync_step(int exchanges)
{
    (void)exchanges;
#if HAS_MAILBOX
    if (exchanges)
        SYNC_GLOBAL();
    else
#endif
        SYNC();
}

/* Makes step `step` from the population here->genes. The new population is written to here->next, and then both are
 * exchanged. is_last: the step is the last of the launch, so it is recorded elsewhere. exchanges: an exchange
 * follows. */
static INLINE void make_step(draws *own, context *here, search_run *run, __global volatile ulong *mailbox, uint step,
                             int is_last, int exchanges)
{
    uint k;
#if HAS_MAILBOX
    const uint lane = own_lane();
    message mail;
    ranking found;
#else
    (void)mailbox;
#endif
    if (step > 0u) {
        draw_opponents(own, *here);
        draw_mutations(own, *here);
    }
    sync_step(exchanges);
#if HAS_MAILBOX
    if (exchanges)
        begin_exchange(&mail, *here, mailbox, lane);
#endif
    if (get_local_id(0) == 0)
        here->words[AT_IMPROVED + (step + 1u) % 2u] = 0u;
    FOR_OWN(k)
    {
        const real value = step > 0u ? breed(own, k, *here) : draw_member(own, k, *here);
        VALUE_AT(here->next, own_member(k)) = value;
        run->not_finite += isfinite(value) ? 0u : 1u;
        if (value < run->record.champion)
            here->words[AT_IMPROVED + step % 2u] = 1u;
    }
    place_parents(here, ISLAND_NUMBERS - here->at);
    sync_step(exchanges);
#if HAS_MAILBOX && BY_WARP
    /* the longest wait of an exchange, so it begins early */
    if (exchanges)
        found = rank_members(*here, lane);
#endif
    if (!is_last)
        settle(run, *here, step, step == 0u || here->words[AT_IMPROVED + step % 2u]);
#if HAS_MAILBOX
    if (exchanges) {
#if !BY_WARP
        found = rank_members(*here, lane);
#endif
        end_exchange(mail, found, *here, mailbox, lane, step);
    }
#endif
}

#if HAS_MAILBOX
/* Returns the first multiple of `interval`, above 0, that is not below `step`; interval 0: there is none. The result
 * has 64 bits, since it may be beyond all steps. The divisor is never 0: Intel's compiler for CPUs divides before it
 * knows that the quotient is needed, and a division by 0 would end the program. */
static INLINE ulong first_multiple(uint step, uint interval)
{
    return interval > 0u ? ((ulong)((max(step, 1u) - 1u) / max(interval, 1u)) + 1u) * interval : ULONG_MAX;
}
#endif

static INLINE search_run run_of(__global const real *settings, island record, __global real *champion, uint stagnation)
{
    search_run run;
    run.record = record;
    run.target = settings[SET_TARGET];
    run.tolerance = settings[SET_TOLERANCE];
    run.stagnation = stagnation;
    run.not_finite = 0u;
    run.champion = champion;
    return run;
}

/* Makes steps first .. first + steps - 1 of island get_group_id(0); step 0 draws the island. search_settle or the next
 * launch records the last step, unless the island is a run that has ended. rates: one entry; with has_list, an entry
 * for each island of a run. exchange: number of steps between exchanges. epochs: with EPOCHS; EPOCH_BEGINS: migrants of
 * the previous step arrive now, and then this step is recorded; EPOCH_ENDS: migrants are sent after the last step.
 * links: see search/exchange.clh. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_thesis(__global real *restrict x, __global real *restrict best, __global uint *restrict words,
               __global real *restrict reals, __global real *restrict champion, __global const real *restrict settings,
               __global const uint *restrict rates, __global uint *restrict generators,
               __global volatile ulong *mailbox /* or NULL */, __global const uint *restrict links /* or NULL */,
               uint run_islands, uint first, uint steps, uint stagnation, uint exchange, uint has_list, uint epochs)
{
    __local real pool[POOL * 64 / REAL];
    const uint end = first + steps, group = (uint)get_group_id(0);
    __global const uint *const own_rates = rates + (has_list ? group % run_islands * RATE_WORDS(DIM) : 0u);
    context here = context_of(settings, own_rates, run_islands, pool);
    search_run run = run_of(settings, first > 0u ? island_read(words, reals, group) : island_new(), champion,
                           stagnation);
    const int active = !run.record.ended;
    uint step = first;
#if HAS_MAILBOX
    ulong next_exchange = first_multiple(first, exchange);
#else
    (void)exchange;
#endif
    draws own;
#if EPOCHS
    const int before = (epochs & EPOCH_BEGINS) != 0u;
    message mail;
    if (before)
        mail = first_message(here, mailbox, links, (epochs & EPOCH_FROM_ODD) != 0u ? 1u : 0u);
#endif
    /* These loads begin before it is known whether the island has ended, so that they do not wait for its record. */
    load_island(&own, here, first, own_rates, x, best, generators);
    if (!active)
        return;
    /* All work-items must have read the record before one of them writes it at the end. */
    SYNC_GLOBAL();
#if EPOCHS
    if (before) {
        receive_migrants(mail, here, mailbox, links, (epochs & EPOCH_FROM_ODD) != 0u ? 1u : 0u);
        SYNC();
        settle(&run, here, first - 1u, 1);
    }
#else
    (void)links;
    (void)epochs;
#endif
#if HAS_MAILBOX
    while (step < end && !run.record.ended) {
        /* the generations up to the next exchange, without a test for an exchange */
        const uint stop = (uint)min((ulong)end, next_exchange);
        for (; step < stop && !run.record.ended; step++)
            make_step(&own, &here, &run, mailbox, step, step + 1u == end, 0);
        if (step < end && !run.record.ended) {
            make_step(&own, &here, &run, mailbox, step, step + 1u == end, 1);
            next_exchange += exchange;
            step++;
        }
    }
#else
    for (; step < end && !run.record.ended; step++)
        make_step(&own, &here, &run, mailbox, step, step + 1u == end, 0);
#endif
#if EPOCHS
    if (epochs & EPOCH_ENDS) {
        const uint found = find_best(here);
        if (VALUE_AT(here.genes, found) < run.record.champion) {
            run.record.champion = VALUE_AT(here.genes, found);
            keep_champion(&run, here, found);
        }
        send_migrants(here, found, mailbox, end - 1u, (epochs & EPOCH_TO_ODD) != 0u ? 1u : 0u);
    }
#endif
    SYNC();
    store_island(&own, here, x, best, generators);
    island_count_not_finite(words, group, run.not_finite);
    if (get_local_id(0) == 0)
        island_write(run.record, words, reals, group);
}
