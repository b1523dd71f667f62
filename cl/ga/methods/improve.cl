/* Local search of children: docs/ga.md, "Local search". A group improves a child. Its work-items divide the moves of a
 * step among themselves. */
#ifndef WG
#define WG 32
#endif
#ifndef LOCAL_SEARCH
#define LOCAL_SEARCH 3
#endif
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif
/* Size of local memory in units of 8 bytes. */
#ifndef POOL
#define POOL 64
#endif

#include "ga/methods/pipeline.clh"
#include "ga/methods/improve_genome.clh"

#if SHOAL_WARPS && WG >= 32
#define HAS_SHUFFLE 1
#else
#define HAS_SHUFFLE 0
#endif

#define HAS_TABU (LOCAL_SEARCH == LOCAL_TABU)
#define BY_CHANGE (CHANGE == MOVES)

/* A move, by its rank within a step, and the value of the child after the move. */
typedef struct {
    objective_number value;
    uint rank;
} step_move;

/* Arguments that the functions of a work-item share. */
typedef struct {
    __global const table_number *table;
    local uint *items, *best, *until;
    real sign;
    objective_number value, least;
    struct ga_local_search own;
    uint step, first;
    int is_going; /* whether the search can still make a step, whatever its limit of steps */
} climb;

static INLINE objective_number signed_value(objective_number value, real sign)
{
#if VALUE == LONG
    return sign < R(0.0) ? -value : value;
#else
    return counted(value, sign);
#endif
}

static INLINE objective_number value_behind(const climb *at, struct genome genome, gene_move move)
{
#if BY_CHANGE
    const objective_number change = objective_change(&genome, TABLE_ARGUMENT(at->table) move.i, move.j, DIM);
#if VALUE == LONG
    return at->value + (at->sign < R(0.0) ? -change : change);
#else
    return counted(at->value + at->sign * change, R(1.0));
#endif
#else
    genome.moved = moved(genome.moved, move);
    return signed_value(objective_value(&genome, TABLE_ARGUMENT(at->table) DIM), at->sign);
#endif
}

/* Returns the tabu entries of the elements that a move displaces. is_behind: 1: with the places of the elements after
 * the move, 0: with their places before. */
static INLINE tabu_entries entries_at(const climb *at, gene_move move, int is_behind)
{
    const uint p = MOVES == MOVES_FLIP ? 0u : at->items[move.i], q = MOVES == MOVES_SWAP ? at->items[move.j] : 0u;
    const int is_exchanged = MOVES == MOVES_SWAP && is_behind;
    return tabu_entries_of(MOVES, GENES, move, is_exchanged ? q : p, is_exchanged ? p : q);
}

/* Whether a move is allowed whose value is not a new best one. */
static INLINE int is_allowed(const climb *at, objective_number value, gene_move move)
{
#if HAS_TABU
    const tabu_entries entries = entries_at(at, move, 1);
    const int is_tabu = at->step < at->until[entries.a] && at->step < at->until[entries.b];
    return !is_tabu && isfinite((real)value);
#else
    (void)at;
    (void)value;
    (void)move;
    return 0;
#endif
}

/* Returns the better of two moves. LOCAL_FIRST: the move with the lower rank. Otherwise: the move with the smaller
 * value; for equal values, the lower rank. */
static INLINE step_move chosen_of(step_move a, step_move b)
{
#if LOCAL_SEARCH == LOCAL_FIRST
    return a.rank < b.rank ? a : b;
#else
    if (a.rank == NO_INDEX || b.rank == NO_INDEX || a.value == b.value)
        return a.rank < b.rank ? a : b;
    return a.value < b.value ? a : b;
#endif
}

static INLINE step_move group_chosen(step_move mine, local objective_number *values, local uint *ranks)
{
    const uint lid = (uint)get_local_id(0);
    uint span;
#if HAS_SHUFFLE
    for (span = 16u; span > 0u; span /= 2u) {
        step_move other;
        other.value = SHOAL_WARP_SHUFFLE(mine.value, span);
        other.rank = SHOAL_WARP_SHUFFLE(mine.rank, span);
        mine = chosen_of(mine, other);
    }
    if (WG > 32) {
        values[lid / 32u] = mine.value;
        ranks[lid / 32u] = mine.rank;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (span = 0u; span < WG / 32u; span++) {
            step_move other;
            other.value = values[span];
            other.rank = ranks[span];
            mine = chosen_of(mine, other);
        }
    }
    /* This barrier comes before lane 0 makes the move, since other work-items may still read the genes. */
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    values[lid] = mine.value;
    ranks[lid] = mine.rank;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (span = WG / 2; span > 0; span /= 2) {
        if (lid < span) {
            step_move other;
            other.value = values[lid + span];
            other.rank = ranks[lid + span];
            mine = chosen_of(mine, other);
            values[lid] = mine.value;
            ranks[lid] = mine.rank;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    mine.value = values[0];
    mine.rank = ranks[0];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return mine;
}

/* Returns the best move that this work-item finds among the moves with ranks begin .. end - 1. */
static INLINE step_move own_move(const climb *at, const struct genome *genome, uint begin, uint end)
{
    const objective_number limit = HAS_TABU ? at->least : at->value;
    step_move mine;
    uint rank;
    mine.value = 0;
    mine.rank = NO_INDEX;
    for (rank = begin + (uint)get_local_id(0); rank < end; rank += WG) {
        const gene_move move = move_at(MOVES, GENES, move_number(rank, at->first, at->own.count));
        step_move other;
        other.value = value_behind(at, *genome, move);
        other.rank = rank;
        if (other.value < limit || is_allowed(at, other.value, move))
            mine = chosen_of(mine, other);
    }
    return mine;
}

/* Makes a move; only one work-item calls this function. */
static INLINE void make_move(const climb *at, gene_move move, struct shoal_words words)
{
    const uint moved_first = at->items[MOVES == MOVES_FLIP ? move.i / 32u : move.i];
    uint i;
    if (HAS_TABU) {
        const tabu_entries entries = entries_at(at, move, 0);
        at->until[entries.b] = at->step + 1u + tenure_of(at->own.tenure, words.z);
        at->until[entries.a] = at->step + 1u + tenure_of(at->own.tenure, words.y);
    }
    if (MOVES == MOVES_FLIP) {
        at->items[move.i / 32u] = moved_first ^ 1u << move.i % 32u;
    } else if (MOVES == MOVES_SWAP) {
        at->items[move.i] = at->items[move.j];
        at->items[move.j] = moved_first;
    } else {
        for (i = move.i; i < move.j; i++)
            at->items[i] = at->items[i + 1u];
        for (; i > move.j; i--)
            at->items[i] = at->items[i - 1u];
        at->items[move.j] = moved_first;
    }
}

/* The group makes the steps of the launch, from the child in at->items on. Sets at->best to the best individual found,
 * and at->least to its value. Returns the number of evaluated moves. */
static INLINE ulong descend(climb *at, struct genome genome, ulong seed, uint generation, uint index,
                            local objective_number *values, local uint *ranks)
{
    const uint lid = (uint)get_local_id(0), count = at->own.count, part = LOCAL_SEARCH == LOCAL_FIRST ? WG : count;
    ulong evaluated = 0;
    at->is_going = count > 0u;
    for (at->step = at->own.begin; at->step < at->own.end && at->is_going; at->step++) {
        const struct shoal_words words = shoal_random_words(seed, SHOAL_STREAM_GA_LOCAL, generation, index, at->step);
        step_move found;
        uint begin, i;
        found.rank = NO_INDEX;
        found.value = 0;
        at->first = index_of(words.x, count);
        genome.moved = genes_in_place(at->items);
        for (begin = 0u; begin < count && found.rank == NO_INDEX; begin += part)
            found = group_chosen(own_move(at, &genome, begin, min(count - begin, part) + begin), values, ranks);
        evaluated += LOCAL_SEARCH == LOCAL_FIRST && found.rank != NO_INDEX ? found.rank + 1u : count;
        at->is_going = HAS_TABU || found.rank != NO_INDEX;
        if (found.rank != NO_INDEX && lid == 0u)
            make_move(at, move_at(MOVES, GENES, move_number(found.rank, at->first, count)), words);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (found.rank != NO_INDEX) {
            at->value = found.value;
            if (found.value < at->least) {
                at->least = found.value;
                for (i = lid; i < ITEMS; i += WG)
                    at->best[i] = at->items[i];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return evaluated;
}

GROUP_REDUCE(group_count, uint, ADD)

/* Whether child c is among the at->own.chosen best children of its island. y: values of all children of the island
 * before local search. */
static INLINE int is_among(__global const objective_number *y, uint c, uint children, const climb *at, local uint *ranks)
{
    const objective_number own = signed_value(y[c], at->sign);
    uint i, before = 0u;
    if (at->own.chosen >= children)
        return 1;
    /* The loop ends when enough better children are found; for most children a few comparisons suffice. */
    for (i = (uint)get_local_id(0); i < children && before < at->own.chosen; i += WG) {
        const objective_number value = signed_value(y[i], at->sign);
        before += value < own || (value == own && i < c) ? 1u : 0u;
    }
    return group_count(before, ranks) < at->own.chosen;
}

static INLINE void load(const climb *at, const struct genome *genome)
{
    uint i;
    for (i = (uint)get_local_id(0); i < ITEMS; i += WG) {
#if MOVES == MOVES_FLIP
        at->items[i] = genome->words[i * genome->tile];
#else
        at->items[i] = genome->places[i / 2u * genome->tile] >> i % 2u * 16u & 0xffffu;
#endif
        at->best[i] = at->items[i];
    }
    for (i = (uint)get_local_id(0); HAS_TABU && i < tabu_count(MOVES, GENES); i += WG)
        at->until[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
}

static INLINE void store(const climb *at, const struct genome *genome)
{
    uint i;
#if MOVES == MOVES_FLIP
    for (i = (uint)get_local_id(0); i < ITEMS; i += WG)
        genome->words[i * genome->tile] = at->best[i];
#else
    for (i = 2u * (uint)get_local_id(0); i < ITEMS; i += 2u * WG)
        genome->places[i / 2u * genome->tile] = at->best[i] | (i + 1u < ITEMS ? at->best[i + 1u] << 16 : 0u);
#endif
}

/* Number of words of the arrays items, best and until, which follow each other. */
#define CLIMB_WORDS (2u * ITEMS + (HAS_TABU ? tabu_count(MOVES, GENES) : 0u))

static INLINE void keep(const climb *at, __global ulong *kept)
{
    __global uint *const to = (__global uint *)(kept + KEPT_POOL);
    uint i;
    for (i = (uint)get_local_id(0); i < CLIMB_WORDS; i += WG)
        to[i] = at->items[i];
    if (get_local_id(0) == 0) {
        ((__global objective_number *)(kept + KEPT_VALUE))[0] = at->value;
        ((__global objective_number *)(kept + KEPT_LEAST))[0] = at->least;
    }
}

static INLINE void take_up(climb *at, __global const ulong *kept)
{
    __global const uint *const from = (__global const uint *)(kept + KEPT_POOL);
    uint i;
    for (i = (uint)get_local_id(0); i < CLIMB_WORDS; i += WG)
        at->items[i] = from[i];
    at->value = ((__global const objective_number *)(kept + KEPT_VALUE))[0];
    at->least = ((__global const objective_number *)(kept + KEPT_LEAST))[0];
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A group improves a child of the launch. searches: KEPT_POOL + POOL units of 8 bytes for each child, for searches that
 * continue in the next launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_improve(__global uint *restrict children, __global const uint *restrict y, __global real *restrict values,
                __global const uint *restrict table /* or NULL */, __global uint *restrict words,
                __global const real *restrict settings, __global ulong *restrict searches, struct search_shape shape,
                struct ga_shape own, struct ga_genes genes, struct ga_local_search search, uint step)
{
    __local objective_number group_values[WG];
    __local uint group_ranks[WG];
    __local ulong pool[POOL];
    const uint i = search.child + (uint)get_group_id(0), island = i / own.children, c = i % own.children;
    __global const objective_number *const raw = (__global const objective_number *)y + island * own.children;
    __global ulong *const kept = searches + (ulong)get_group_id(0) * (KEPT_POOL + POOL);
    const int is_kept = search.begin > 0u, has_further = search.end < search.steps;
    struct genome genome;
    climb at;
    ulong evaluated;
    int is_searched;
    at.table = (__global const table_number *)table;
    at.items = (local uint *)pool;
    at.best = at.items + ITEMS;
    at.until = at.best + ITEMS;
    at.sign = settings[SET_SIGN];
    at.own = search;
    at.value = at.least = signed_value(raw[c], at.sign);
    at.is_going = 0;
    if (is_kept)
        is_searched = kept[KEPT_IS_GOING] != 0u;
    else if (is_breeding(shape, words, island, step))
        is_searched = is_among(raw, c, own.children, &at, group_ranks);
    else
        is_searched = 0;
    if (is_searched) {
        genome.tile = shape.tile;
        genome.is_set = 0u;
        genome.generation = step;
        genome.reals = children + place_of(shape, i, 0u);
        genome.wholes = genome.reals + genes.reals * REAL_WORDS * shape.tile;
        genome.words = genome.wholes + genes.wholes * shape.tile;
        genome.places = genome.words + (genes.bits + 31u) / 32u * shape.tile;
        if (is_kept)
            take_up(&at, kept);
        else
            load(&at, &genome);
        genome.moved = genes_in_place(at.items);
        evaluated = descend(&at, genome, seed_of(shape, island), step, child_index(shape, own, island, c), group_values,
                            group_ranks);
        if (at.is_going && has_further) {
            keep(&at, kept);
        } else {
            store(&at, &genome);
            genome.moved = genes_in_place(at.best);
            if (get_local_id(0) == 0) {
#if BY_CHANGE && VALUE != LONG
                /* A sum of changes has rounding errors, so the value is computed again. */
                at.least = signed_value(objective_value(&genome, TABLE_ARGUMENT(at.table) DIM), at.sign);
#endif
                values[i] = (real)at.least;
            }
        }
        if (get_local_id(0) == 0)
            island_count_moves(words, island, evaluated);
    }
    /* A search that ended in an earlier launch is not stored again, since other work-items may still read its entry. */
    if (get_local_id(0) == 0 && has_further && (is_searched || !is_kept))
        kept[KEPT_IS_GOING] = (ulong)at.is_going;
}
