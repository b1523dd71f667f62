/* Kernels of the pipeline for replacement and migration. */
#include "ga/methods/pipeline.clh"
#include "lib/reduce.clh"
#include "search/exchange.clh"
#include "ga/model/select.clh"

#ifndef REPLACEMENT
#define REPLACEMENT GENERATIONAL
#endif
#ifndef VICTIM
#define VICTIM VICTIM_WORST
#endif

/* Discards each child that is equal to a member or to an earlier child. A group compares one child. discarded: 0 before
 * the launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_discard(__global const member_number *restrict x, __global const member_number *restrict children,
                __global uint *restrict discarded, __global const uint *restrict words, struct search_shape shape,
                struct ga_shape own, uint step)
{
    const uint i = (uint)get_group_id(0), island = i / own.children, c = i % own.children;
    if (is_breeding(shape, words, island, step)) {
        uint other, d;
        for (other = (uint)get_local_id(0); other < shape.members + c; other += WG) {
            const int is_member = other < shape.members;
            int same = 1;
            for (d = 0u; d < shape.dim && same; d++)
                same = children[place_of(shape, i, d)] ==
                       (is_member ? x[place_of(shape, island * shape.members + other, d)]
                                  : children[place_of(shape, i - c + other - shape.members, d)]);
            if (same)
                discarded[i] = 1u;
        }
    }
}

static inline int is_elite(__global const uint *order, uint elites, uint member)
{
    uint r;
    for (r = 0u; r < elites; r++)
        if (order[r] == member)
            return 1;
    return 0;
}

/* Children claim the indices of members. If several children claim the same index, the largest claim remains.
 * child_order: children of each island, best first. claims: 0 before the launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_claim(__global uint *restrict claims, __global const uint *restrict parents,
              __global const uint *restrict child_order /* or NULL */, __global const uint *restrict discarded,
              __global const uint *restrict words, struct search_shape shape, struct ga_shape own, uint step)
{
    const uint n = (uint)get_global_id(0), island = n / own.children, r = n % own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
#if VICTIM == VICTIM_PARENT
        /* c: the child that is number r in the order of the children */
        const uint c = child_order[(ulong)island * own.padded_children + r];
        if (c < own.children) {
            const uint parent = parents[2u * (island * pair_count(own) + c / 2u) + c % 2u];
            atomic_max(&claims[island * shape.members + parent], own.children - r);
        }
#else
        const uint c = r;
#if VICTIM == VICTIM_RANDOM
        const uint place = index_of(shoal_random_words(seed_of(shape, island), SHOAL_STREAM_GA_REPLACE, step,
                                                       child_index(shape, own, island, c), 0u).x,
                                    shape.members);
#else
        const uint place = (uint)(((ulong)(step - 1u) * own.children + c) % shape.members);
#endif
        if (!discarded[n])
            atomic_max(&claims[island * shape.members + place], c + 1u);
        (void)parents;
        (void)child_order;
#endif
        (void)parents;
        (void)discarded;
        (void)child_order;
    }
}

/* Returns which individual is at index `place` of an island in the next population: the index of a member, or
 * shape.members plus the index of a child. */
static inline uint source_of(uint place, uint island, __global const real *values, __global const real *child_values,
                             __global const uint *order, __global const uint *child_order,
                             __global const uint *claims, struct search_shape shape, struct ga_shape own)
{
    const uint members = shape.members;
    (void)island;
    (void)values;
    (void)child_values;
    (void)order;
    (void)child_order;
    (void)claims;
    (void)own;
#if STRUCTURE != PANMICTIC && REPLACEMENT == STEADY
    return child_values[place] <= values[place] ? members + place : place;
#elif STRUCTURE != PANMICTIC
    return child_values[place] > values[place] && is_elite(order, own.elites, place) ? place : members + place;
#elif REPLACEMENT == GENERATIONAL
    return place < own.elites ? order[place] : members + place - own.elites;
#elif REPLACEMENT == COMMA
    return members + child_order[place];
#elif REPLACEMENT == PLUS
    {
        /* Merges the orders of members and children up to rank `place`. Of equal individuals, members come first.
         * taken: number of members among the `place` best individuals. */
        uint low = place > own.children ? place - own.children : 0u, high = min(place, members), taken;
        while (low < high) {
            const uint middle = low + (high - low) / 2u;
            if (values[order[middle]] <= child_values[child_order[place - 1u - middle]])
                low = middle + 1u;
            else
                high = middle;
        }
        taken = low;
        if (taken < members && (place - taken >= own.children ||
                                values[order[taken]] <= child_values[child_order[place - taken]]))
            return order[taken];
        return members + child_order[place - taken];
    }
#elif VICTIM == VICTIM_PARENT
    {
        const uint claim = claims[place];
        if (claim > 0u) {
            const uint c = child_order[own.children - claim];
            if (child_values[c] <= values[place])
                return members + c;
        }
        return place;
    }
#else
    {
        const uint claim = claims[place];
        if (claim == 0u || (child_values[claim - 1u] > values[place] && is_elite(order, own.elites, place)))
            return place;
        return members + claim - 1u;
    }
#endif
}

/* Finds the source of each individual of the next population. A work-item has an index; with VICTIM_WORST, a rank. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_sources(__global const real *restrict values, __global const real *restrict child_values,
                __global const uint *restrict order, __global const uint *restrict child_order /* or NULL */,
                __global const uint *restrict claims /* or NULL */, __global uint *restrict sources,
                __global const uint *restrict words, struct search_shape shape, struct ga_shape own, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / shape.members, place = i % shape.members;
    if (island < shape.islands) {
        const uint start = island * shape.members, child_start = island * own.children;
        order += (ulong)island * own.padded;
        child_order += (ulong)island * own.padded_children;
        if (!is_breeding(shape, words, island, step)) {
            sources[i] = place;
            return;
        }
#if STRUCTURE == PANMICTIC && REPLACEMENT == STEADY && VICTIM == VICTIM_WORST
        {
            /* the member that has rank `place`, counted from the worst */
            const uint to = order[shape.members - 1u - place];
            const uint c = place < own.children ? child_order[place] : own.children;
            const int takes = c < own.children && child_values[child_start + c] <= values[start + to];
            sources[start + to] = takes ? shape.members + c : to;
        }
#else
        sources[i] = source_of(place, island, values + start, child_values + child_start, order, child_order,
                               claims + start, shape, own);
#endif
    }
}

/* Writes the next population. A work-item copies one number of a member. If members keep their indices (own.in_place),
 * next_x is the same buffer as x. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_replace(__global const member_number *x, __global const real *values,
                __global const member_number *restrict children, __global const real *restrict child_values,
                __global const uint *restrict sources, __global member_number *next_x, __global real *next_values,
                struct search_shape shape, struct ga_shape own)
{
    const ulong n = get_global_id(0), total = (ulong)shape.members * shape.islands;
    const uint d = (uint)(shape.tile == 1u ? n % shape.dim : n / total);
    const uint i = (uint)(shape.tile == 1u ? n / shape.dim : n % total);
    if (n < total * shape.dim) {
        const uint island = i / shape.members, source = sources[i];
        if (source >= shape.members) {
            const uint c = island * own.children + source - shape.members;
            next_x[place_of(shape, i, d)] = children[place_of(shape, c, d)];
            if (d == 0u)
                next_values[i] = child_values[c];
        } else if (!own.in_place) {
            const uint from = island * shape.members + source;
            next_x[place_of(shape, i, d)] = x[place_of(shape, from, d)];
            if (d == 0u)
                next_values[i] = values[from];
        }
    }
}

/* Migration: the members that islands send, and the members that they replace. A group for each island */

/* Returns the random member that an island sends, or that a migrant replaces. */
static inline uint random_member(struct search_shape shape, struct ga_shape own, uint island, uint step, uint draw,
                                 uint word)
{
    const struct shoal_words drawn = shoal_random_words(seed_of(shape, island), SHOAL_STREAM_GA_MIGRATE, step,
                                                        child_index(shape, own, island, 0u), draw);
    return index_of(word_at(drawn, word), shape.members);
}

/* Copies the members that each island sends to `sent`, in the order in which they are sent. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_emigrate(__global const member_number *restrict x, __global const real *restrict values,
                 __global const uint *restrict order, __global member_number *restrict sent,
                 __global real *restrict sent_values, struct search_shape shape, struct ga_shape own, uint step)
{
    const uint island = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    uint m, d;
    for (m = 0u; m < own.migrants; m++) {
        const uint from = own.sends_best ? order[(ulong)island * own.padded + m]
                                         : random_member(shape, own, island, step, m / 4u, m % 4u);
        const uint to = island * own.migrants + m, i = island * shape.members + from;
        for (d = lid; d < shape.dim; d += WG)
            sent[(ulong)to * shape.dim + d] = x[place_of(shape, i, d)];
        if (lid == 0u)
            sent_values[to] = values[i];
    }
}

/* Replaces a member of the island by the migrant at index `from` of `sent`. arrival: number of the migrant among the
 * migrants that arrive at the island. */
static INLINE void settle_migrant(__global member_number *x, __global real *values, __global const uint *order,
                                  __global const member_number *sent, __global const real *sent_values,
                                  struct search_shape shape, struct ga_shape own, uint step, uint island, uint from, uint arrival)
{
    const uint lid = (uint)get_local_id(0);
    const uint member = own.replaces_worst ? order[(ulong)island * own.padded + shape.members - 1u - arrival]
                                           : random_member(shape, own, island, step, 0x80000000u + arrival, 0u);
    const uint i = island * shape.members + member;
    uint d;
    for (d = lid; d < shape.dim; d += WG)
        x[place_of(shape, i, d)] = sent[(ulong)from * shape.dim + d];
    if (lid == 0u)
        values[i] = sent_values[from];
}

/* Replaces members by migrants. The same work-items write all migrants that arrive at an island, so that, if several
 * replace the same member, the last remains. sent: the members that islands send, in the rows of search/exchange.clh.
 * kind: enum search_exchange_kind. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_immigrate(__global member_number *restrict x, __global real *restrict values, __global const uint *restrict order,
                  __global const member_number *restrict sent, __global const real *restrict sent_values,
                  __global const uint *restrict links /* or NULL */, __global const uint *restrict words,
                  struct search_shape shape, struct ga_shape own, uint kind, uint step)
{
    __local real scratch[WG];
    __local uint scratch_indices[WG];
    const uint island = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint place = number_in_run(shape, island), first = (shape.lead + island - place) * own.migrants;
    const uint lead = shape.lead * own.migrants;
    const uint sent_count = row_count(shape.lead, shape.islands, shape.run_islands) * own.migrants;
    const int takes_part = !has_run_ended(words, island);
    uint arrival, m, e;
    if (kind == EXCHANGE_ALL) {
        const uint count = shape.run_islands * own.migrants;
        struct minimum last = minimum_none();
        for (arrival = 0u; arrival < own.migrants; arrival++) {
            struct minimum best = minimum_none(), other;
            for (e = lid; e < count; e += WG) {
                other.value = sent_values[row_of(first + e, lead, sent_count)];
                other.index = e;
                if (arrival == 0u || other.value > last.value ||
                    (other.value == last.value && other.index > last.index))
                    best = minimum_of(best, other);
            }
            last = group_minimum(best, scratch, scratch_indices);
            if (takes_part && last.index / own.migrants != place)
                settle_migrant(x, values, order, sent, sent_values, shape, own, step, island,
                               row_of(first + last.index, lead, sent_count), arrival);
        }
    } else {
        const uint sources = takes_part ? source_count(links, kind, place) : 0u;
        for (arrival = 0u, e = 0u; e < sources; e++) {
            const uint source = source_island(links, kind, place, e, shape.run_islands, seed_of(shape, island), step);
            for (m = 0u; m < own.migrants; m++, arrival++)
                settle_migrant(x, values, order, sent, sent_values, shape, own, step, island,
                               row_of(first + source * own.migrants + m, lead, sent_count), arrival);
        }
    }
}
