/* One launch makes a generation of populations in global memory, from the selection to the values. The genes of a
 * member are neighbours in memory. First, a work-item selects the parents of a pair. Then neighbouring work-items read
 * neighbouring genes of the parents, and write the crossed genes to local memory. There, a work-item mutates and
 * evaluates the children of a pair. Operators and objective are the same as for islands on the chip. */
#define IN_MEMORY 1
/* CUDA: number of groups that must fit a multiprocessor at the same time, which limits the registers of a work-item. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 8
#endif
/* Number of pairs of a group. */
#ifndef GROUP_PAIRS
#define GROUP_PAIRS 64
#endif
/* Count of numbers from a member to the next member in memory; 0: DIM. */
#ifndef STRIDE
#define STRIDE 0
#endif
#include "ga/methods/onchip_vary.clh"
#include "search/settle.clh"

#if STRIDE
#define LINE STRIDE
#else
#define LINE DIM
#endif
#if LINE < DIM
#error "members overlap"
#endif

#define COPY_NUMBER  real
#define COPY_NUMBERS LINE
#include "ga/copy.clh"

/* How a launch ends the previous step. BY_OFFERS: by children that were offered, for CUDA. SETTLES: by all values, on
 * CPUs, with groups of one work-item, where a launch of its own takes long compared with the search among few values. */
#define BY_OFFERS (SHOAL_WARPS && WG % 32 == 0 && ELITES == 1)
#define SETTLES   (WG == 1)
#if BY_OFFERS
#include "ga/offers.clh"
#if SETTLE_WORDS > 2 * POOL
#error "POOL is too small to end a step"
#endif

/* Where children are offered that are better than `bound`. first: index of the group's first child in its island. */
typedef struct {
    offer_list list;
    real bound;
    uint first;
} offering;
#else
typedef struct {
    real bound;
} offering;
#endif

#if BY_ROWS
static INLINE void keep_mating(mating m, uint pair, local uint *tables)
{
    tables[AT_PARENTS + pair] = m.a;
    tables[AT_PARENTS + PAIRS + pair] = m.b;
}

/* Copies the parents of each pair to the positions of its children in local memory. x: members of the island. */
static INLINE void copy_parents(__global const real *x, local real *pool, local const uint *tables)
{
    uint row, d;
    for (row = 0u; row < 2u * PAIRS; row++)
        for (d = 0u; d < DIM; d++)
            GENE_AT(pool, d, row) = x[(ulong)tables[AT_PARENTS + row] * LINE + d];
}

static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    uint row, d;
    for (row = 0u; row < count; row++)
        for (d = 0u; d < DIM; d++)
            x[row * LINE + d] = GENE_AT(pool, d, (row >> 1) + (row & 1u) * PAIRS);
}
#else
/* In local memory, a pair has the indices of its parents. The highest bit of an index holds a choice for all genes of
 * the pair. */
#define HIGH_BIT 0x80000000u

static INLINE void keep_mating(mating m, uint pair, local uint *tables)
{
    tables[AT_PARENTS + pair] = m.a | (m.crossing.crosses ? HIGH_BIT : 0u);
    tables[AT_PARENTS + PAIRS + pair] = m.b | (m.a_is_better ? HIGH_BIT : 0u);
}

static INLINE mating kept_mating(context here, uint pair, local const uint *tables)
{
    const uint a = tables[AT_PARENTS + pair], b = tables[AT_PARENTS + PAIRS + pair];
    mating m;
    m.a = a & ~HIGH_BIT;
    m.b = b & ~HIGH_BIT;
    m.a_is_better = (b & HIGH_BIT) != 0u;
    m.crossing.crosses = (a & HIGH_BIT) != 0u;
    m.crossing.from = m.crossing.to = 0u;
    m.crossing.weight = R(0.0);
    if (crosses_as_one(CROSSOVER))
        m.crossing = drawn_crossing(here, pair, decision_of(here, pair), m.a_is_better);
    return m;
}

/* UNIT: count of numbers that one load or store moves. */
#if LINE % 4 == 0 && REAL == 32
#define UNIT 4
typedef float4 unit;
#elif LINE % 2 == 0
#define UNIT 2
#if REAL == 64
typedef double2 unit;
#else
typedef float2 unit;
#endif
#else
#define UNIT 1
typedef real unit;
#endif

/* Four neighbouring genes, for which a work-item draws random words together. SPAN neighbouring work-items have
 * neighbouring blocks of genes of a pair. */
typedef struct {
    real a[4];
} four;
#define WANTED_SPAN (BLOCKS > 16 ? 32 : BLOCKS > 8 ? 16 : BLOCKS > 4 ? 8 : BLOCKS > 2 ? 4 : BLOCKS)
#define SPAN (WANTED_SPAN < WG ? WANTED_SPAN : WG)
#define PAIRS_AT_ONCE (WG / SPAN)
/* Number of turns in which the group crosses all pairs. FULL_TURNS: whether work-items have a pair in each turn. */
#define FULL_TURNS  (PAIRS % PAIRS_AT_ONCE == 0)
#define CROSS_TURNS ((PAIRS + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE)

/* Whether a load or store of a unit begins at gene n of block b. */
#define HAS_UNIT(b, n) (LINE % 4 == 0 || 4u * (b) + (n) < DIM)

/* The address of the number of a member that `x` points to in member 0. A native version may define it
 * differently. */
#ifndef MEMBER_AT
#define MEMBER_AT(x, member) ((__global const real *)((__global const char *)(x) + (ulong)(member) * (LINE * sizeof(real))))
#endif

/* FETCH begins to load the memory at an address into a cache; with EARLY_PARENTS 1, parents of the next pair are loaded
 * before a pair is crossed. A native version defines both. As OpenCL C the early loads spill registers on an H200. */
#ifndef FETCH
#define FETCH(address)
#define EARLY_PARENTS 0
#endif

/* Returns a block of a member's genes; genes beyond the last one are undefined. x: block `block` of member 0. */
static INLINE four read_four(__global const real *x, uint member, uint block)
{
    __global const real *const from = MEMBER_AT(x, member);
    four genes;
    uint n;
#pragma unroll
    for (n = 0u; n < 4u; n++)
        genes.a[n] = R(0.0);
#pragma unroll
    for (n = 0u; n < 4u; n += UNIT)
        if (HAS_UNIT(block, n)) {
            const unit numbers = ((__global const unit *)(from + n))[0];
#if UNIT == 1
            genes.a[n] = numbers;
#else
            genes.a[n] = numbers.x;
            genes.a[n + 1u] = numbers.y;
#endif
#if UNIT == 4
            genes.a[2] = numbers.z;
            genes.a[3] = numbers.w;
#endif
        }
    return genes;
}

/* Copies a block of genes from local to global memory. Numbers after the last gene become 0. */
static INLINE void write_four(__global real *to, uint block, local const real *pool)
{
    real genes[4];
    uint n;
#pragma unroll
    for (n = 0u; n < 4u; n++)
        genes[n] = has_gene(4u * block, n) ? pool[n * POSITIONS] : R(0.0);
#pragma unroll
    for (n = 0u; n < 4u; n += UNIT)
        if (HAS_UNIT(block, n)) {
            unit numbers;
#if UNIT == 1
            numbers = genes[n];
#else
            numbers.x = genes[n];
            numbers.y = genes[n + 1u];
#endif
#if UNIT == 4
            numbers.z = genes[2];
            numbers.w = genes[3];
#endif
            ((__global unit *)(to + n))[0] = numbers;
        }
}

/* The parents of a pair, and their genes of a block. */
typedef struct {
    mating m;
    four a, b;
} parents;

/* x: block `block` of member 0. Pairs beyond the last one get its parents. */
static INLINE parents load_parents(context here, __global const real *x, uint pair, uint block, local const uint *tables)
{
    parents p;
    p.m = kept_mating(here, FULL_TURNS ? pair : min(pair, PAIRS - 1u), tables);
    p.a = read_four(x, p.m.a, block);
    p.b = read_four(x, p.m.b, block);
    return p;
}

/* Crosses the parents of each pair, and writes the children to local memory. With EARLY_PARENTS the parents of the next
 * pair are loaded while a pair is crossed. x: members of the island. */
static INLINE void cross_pairs(context here, __global const real *x, __global const real *settings, local real *pool,
                               local const uint *tables)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint block, turn, n;
    for (block = (uint)get_local_id(0) % SPAN; block < BLOCKS && own < PAIRS_AT_ONCE; block += SPAN) {
        parents next = load_parents(here, x + 4u * block, own, block, tables);
        for (turn = 0u; turn < CROSS_TURNS; turn++) {
            const uint pair = turn * PAIRS_AT_ONCE + own;
            const int is_pair = FULL_TURNS || pair < PAIRS;
            const mating m = next.m;
            local real *const genes = &GENE_AT(pool, 4u * block, pair);
            gene_pair both[4];
#pragma unroll
            for (n = 0u; n < 4u; n++) {
                both[n].a = next.a.a[n];
                both[n].b = next.b.a[n];
            }
#if EARLY_PARENTS
            if (turn + 1u < CROSS_TURNS)
                next = load_parents(here, x + 4u * block, pair + PAIRS_AT_ONCE, block, tables);
#endif
            cross_four(here, both, m, 4u * block, cross_words_of(here, pair, block), settings);
#pragma unroll
            for (n = 0u; n < 4u; n++)
                if (has_gene(4u * block, n) & is_pair) {
                    genes[n * POSITIONS] = both[n].a;
                    genes[n * POSITIONS + PAIRS] = both[n].b;
                }
#if !EARLY_PARENTS
            if (turn + 1u < CROSS_TURNS)
                next = load_parents(here, x + 4u * block, pair + PAIRS_AT_ONCE, block, tables);
#endif
        }
    }
}

/* Writes a block of genes of both children of a pair to global memory. x: the group's first child. */
static INLINE void write_block(__global real *x, uint block, uint own, uint count, local const real *pool)
{
    __global real *to = x + 2u * own * LINE + 4u * block;
    local const real *genes = &GENE_AT(pool, 4u * block, own);
    uint first;
#pragma unroll 4
    for (first = 0u; first < PAIRS; first += PAIRS_AT_ONCE) {
        if (2u * (first + own) < count)
            write_four(to, block, genes);
        if (2u * (first + own) + 1u < count)
            write_four(to + LINE, block, genes + PAIRS);
        to += 2 * PAIRS_AT_ONCE * LINE;
        genes += PAIRS_AT_ONCE;
    }
}

/* Writes the children of the group to global memory. If the group is full, indices need not be compared. */
static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint block;
    for (block = (uint)get_local_id(0) % SPAN; block < BLOCKS && own < PAIRS_AT_ONCE; block += SPAN) {
        if (FULL_TURNS && count == 2u * PAIRS)
            write_block(x, block, own, UINT_MAX, pool);
        else
            write_block(x, block, own, count, pool);
    }
}
#endif

/* Makes the children of item k: crossover and mutation. With BY_ROWS, children are complete only after
 * mutate_waiting(). */
static INLINE void vary(children *genes, context here, uint k, mating m, __global const real *settings, local real *pool,
                        local const uint *tables)
{
#if BY_ROWS
    m.a = own_pair(k);
    m.b = own_pair(k) + PAIRS;
    cross(genes, here, k, m, settings, pool);
#endif
#if MUTATES
    mutate(genes, here, k, settings, pool, tables);
#endif
    (void)genes;
    (void)here;
    (void)k;
    (void)m;
    (void)settings;
    (void)pool;
    (void)tables;
}

/* Evaluates the children of item k. values: values of the group's children. Returns how many values are not finite.
 * offers: children that are better than its bound are offered. */
static INLINE uint evaluate(const children *genes, context here, uint k, __global const real *settings,
                            __global real *values, local const real *pool, offering offers)
{
    const uint pair = own_pair(k), each = 2u * pair + 1u < here.children ? 2u : 1u;
    uint child, not_finite = 0u;
    for (child = 0u; child < each; child++) {
        const uint position = pair + child * PAIRS;
        const parts part = parts_of(genes, here, k, child, position, settings, pool);
        const real value = value_of(genes, here, part, k, child, position, settings, pool);
        values[2u * pair + child] = value;
        not_finite += isfinite(value) ? 0u : 1u;
#if BY_OFFERS
        if (value < offers.bound)
            offer(offers.list, value, offers.first + 2u * pair + child);
#endif
    }
    (void)offers;
    return not_finite;
}

/* Makes and evaluates all `count` children of the group. Returns how many values are not finite. */
static INLINE uint breed(context here, const mating *m, uint count, __global const real *settings, __global real *values,
                         local real *pool, local const uint *tables, offering offers)
{
    children genes; /* after vary() the genes of the item are in local memory */
    uint not_finite = 0u, k;
#if BY_ROWS
    genes.waiting = 0u;
    for (k = 0u; k < ITEMS; k++)
        if (2u * own_pair(k) < count)
            vary(&genes, here, k, m[k], settings, pool, tables);
    mutate_waiting(&genes, here, settings, pool);
#endif
    for (k = 0u; k < ITEMS; k++)
        if (2u * own_pair(k) < count) {
            if (!BY_ROWS)
                vary(&genes, here, k, m[k], settings, pool, tables);
            not_finite += evaluate(&genes, here, k, settings, values, pool, offers);
        }
    return not_finite;
}

#if SETTLES
/* Returns the least of `count` values, and the first index with this value. Values are finite or +infinity. */
static INLINE struct minimum best_of(__global const real *values, uint count)
{
    struct minimum best;
    real least[VECTOR];
    uint first, j;
    for (j = 0u; j < VECTOR; j++)
        least[j] = (real)INFINITY;
    for (first = 0u; first + VECTOR <= count; first += VECTOR)
        for (j = 0u; j < VECTOR; j++)
            least[j] = values[first + j] < least[j] ? values[first + j] : least[j];
    best.value = (real)INFINITY;
    for (j = 0u; j < VECTOR; j++)
        best.value = min(best.value, least[j]);
    for (; first < count; first++)
        best.value = min(best.value, values[first]);
    best.index = 0u;
    while (best.index + 1u < count && values[best.index] != best.value)
        best.index++;
    return best;
}

/* Ends step `step` of an island. The island does not restart, and its run does not end, in this step. best: values of
 * the island's members. */
static INLINE void settle_before(uint island, uint step, __global const real *best, __global real *goal_value,
                                 __global uint *goal_index, __global const real *x, __global uint *words,
                                 __global real *reals, __global real *champion, __global const real *settings,
                                 struct search_shape shape)
{
    struct search_settle launch;
    launch.step = step;
    launch.tasks = FIND_BEST | UPDATE_BEST_EVER | FINISH_STEP;
    launch.count = shape.members;
    launch.is_known = 0u;
    settle_island(best_of(best, shape.members), island, reals[(ulong)island * ISLAND_REALS + ISLAND_CHAMPION], 0, goal_value,
                  goal_index, x, words, reals, champion, settings, shape, launch);
}
#endif

/* Sets what the group whose first pair is `first` needs of its island. values: of the island's members. */
static INLINE void enter_group(context *here, uint step, uint first, __global const real *values, uint members,
                               uint children)
{
    here->step = step;
    here->index += 2u * first;
    here->values = values;
    here->members = members;
    here->first = first;
    here->children = children - 2u * first;
}

/* Selects the parents of the work-item's pairs among `count` / 2 pairs of the group. x: members of the island. */
static INLINE void choose_parents(context here, uint count, __global const real *x, local const real *pool,
                                  local uint *tables, mating *m)
{
    uint k;
    for (k = 0u; k < ITEMS; k++) {
        m[k].a = m[k].b = 0u;
        m[k].a_is_better = m[k].crossing.crosses = 0;
        if (2u * own_pair(k) < count)
            m[k] = mating_of(here, own_pair(k), pool);
#if !BY_ROWS
        FETCH(MEMBER_AT(x, m[k].a));
        FETCH(MEMBER_AT(x, m[k].b));
#endif
        if (own_pair(k) < PAIRS)
            keep_mating(m[k], own_pair(k), tables);
    }
    (void)x;
}

/* What a group makes. x: members of the island; rates: of the island; next_x, next_values: genes and values of the
 * group's children; count: number of these children. */
typedef struct {
    __global const real *x, *settings;
    __global const uint *rates;
    __global real *next_x, *next_values;
    uint count;
    offering offers;
} group_task;

/* Makes, evaluates and writes the children of the group. Returns how many values are not finite. */
static INLINE uint make_group(context here, group_task task, local real *pool)
{
    local uint *const tables = (local uint *)(pool + POOL_REALS);
    mating m[ITEMS];
    uint not_finite;
    load_places(task.rates, tables);
    clear_rows(pool);
    choose_parents(here, task.count, task.x, pool, tables, m);
    SYNC();
#if BY_ROWS
    copy_parents(task.x, pool, tables);
#else
    cross_pairs(here, task.x, task.settings, pool, tables);
#endif
    SYNC();
    not_finite = breed(here, m, task.count, task.settings, task.next_values, pool, tables, task.offers);
    SYNC();
    write_children(task.next_x, task.count, pool);
    return not_finite;
}

/* Makes a generation. An island has neighbouring work-groups, each of which makes PAIRS pairs. rates: see RATE_TABLES.
 * goal_value, goal_index: value and index of the best member of each island. settles: 1: this launch first ends the
 * previous step, in which no island restarts and no run ends. offers: 1: the next launch ends this step, by lists that
 * have room for `room` offers. */
SHOAL_STARTS_EARLY(ga_fused)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_fused(__global const real *restrict x, __global const real *restrict best, __global real *restrict next_x,
              __global real *restrict next_best, __global real *restrict goal_value, __global uint *restrict goal_index,
              __global uint *restrict words, __global real *restrict reals, __global real *restrict champion,
              __global const real *restrict settings, __global const uint *restrict rates,
              __global uint *restrict offer_counts /* or NULL */, __global uint *restrict offer_indices /* or NULL */,
              __global real *restrict offer_values /* or NULL */, struct search_shape shape, struct ga_shape own, uint step,
              uint settles, uint offers, uint room)
{
    __local real pool[POOL * 64 / REAL];
    const uint groups = ((own.children + 1u) / 2u + PAIRS - 1u) / PAIRS;
    const uint group = (uint)get_group_id(0), island = quotient(group, groups);
    const uint first = (group - island * groups) * PAIRS;
    const ulong start = (ulong)island * shape.members, begin = start + ELITES + 2u * first;
    group_task task;
#if ELITES
    uint goal = 0u;
#endif
    SHOAL_AFTER_LAUNCH();
    task.count = min(2u * (uint)PAIRS, own.children - 2u * first);
#if BY_OFFERS
    const all_islands all = {x, best, goal_value, goal_index, words, reals, champion};
    const offer_lists lists = {offer_counts, offer_indices, offer_values, room};
    if (settles && first == 0u)
        goal = settle_before(island, step - 1u, list_of(lists, island, step - 1u), all, settings, shape,
                             (local uint *)pool);
    task.offers.list = list_of(lists, island, step);
    task.offers.first = ELITES + 2u * first;
#elif SETTLES
    if (settles && first == 0u)
        settle_before(island, step - 1u, best + start, goal_value, goal_index, x, words, reals, champion, settings, shape);
#endif
    /* Other groups may write the record at the same time if `settles` is 1. */
    if (!settles && has_run_ended(words, island)) {
        /* The run has ended: copies the old members; the first group also copies the elites. */
        const ulong from = first == 0u ? start : begin;
        copy_members(x, best, next_x, next_best, from, from, begin + task.count - from);
    } else if (settles || !is_drawing(shape, words, island, step)) {
        context here;
#if ELITES
        if (!settles || SETTLES)
            goal = goal_index[island];
#endif
        /* This may be the best value of the step before the previous one; then there are more offers than needed. */
        task.offers.bound = BY_OFFERS && offers ? goal_value[island] : -(real)INFINITY;
        task.x = x + start * LINE;
        task.settings = settings;
        task.rates = rates + (own.has_rate_list ? number_in_run(shape, island) * RATE_WORDS(DIM) : 0u);
        task.next_x = next_x + begin * LINE;
        task.next_values = next_best + begin;
        here = context_of(settings, task.rates, shape.seed, island, shape.run_islands, shape.lead, own.indices);
        enter_group(&here, step, first, best + start, shape.members, own.children);
        island_count_not_finite(words, island, make_group(here, task, pool));
#if ELITES
        if (first == 0u)
            copy_members(x, best, next_x, next_best, start + goal, start, 1u);
#endif
    }
    (void)goal_index;
    (void)reals;
    (void)champion;
    (void)offer_counts;
    (void)offer_indices;
    (void)offer_values;
    (void)room;
}
