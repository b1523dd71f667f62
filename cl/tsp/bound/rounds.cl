/* The rounds of an ascent to penalties whose shortest 1-tree is long, with the whole numbers of the host
 * (src/tsp/bound/rounds.c). Sets of cities are joined by the shortest edge that leaves each of them, until no edge leads
 * from one set to another. The number of these joins is not known ahead: kernels of joins that are not needed find that
 * counts[level - 1] is 0. src/tsp/bound/device.c has the launches. */
#ifndef WG
#define WG 128
#endif

#include "lib/group.clh"
#include "tsp/bound/rounds.clh"

static inline long weight_of(__global const round_edge *edges, __global const long *penalties, uint number)
{
    return edges[number].length + penalties[edges[number].a] + penalties[edges[number].b];
}

/* Each city alone. counts: [levels], at most n. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_begin(uint n, uint levels, __global uint *sets, __global uint *shortest, __global uint *joined,
                      __global uint *second, __global int *degrees, __global uint *counts)
{
    const uint city = (uint)get_global_id(0);
    if (city < n) {
        sets[city] = city;
        shortest[city] = joined[city] = second[city] = NO_NUMBER;
        degrees[city] = 0;
    }
    if (city < levels)
        counts[city] = 0u;
}

/* The weights by which edges are compared. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_keys(__global const round_edge *edges, uint count, uint fixed_count, __global const long *penalties,
                     __global long *keys)
{
    const uint i = (uint)get_global_id(0);
    if (i < count)
        keys[i] = weight_of(edges, penalties, i) + (i < fixed_count ? FIXED_LENGTH - edges[i].length : (long)0);
}

static inline int is_shorter(__global const long *keys, uint a, uint b)
{
    return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
}

/* Makes an edge the shortest one if it is; *shortest is an edge or NO_NUMBER. */
static inline void offer(__global uint *shortest, __global const long *keys, uint number)
{
    uint old = atomic_cmpxchg(shortest, NO_NUMBER, number);
    while (old != NO_NUMBER && is_shorter(keys, number, old)) {
        const uint seen = atomic_cmpxchg(shortest, old, number);
        old = seen == old ? NO_NUMBER : seen;
    }
}

/* The shortest edge of each city. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_nearest(__global const round_edge *edges, uint count, __global const long *keys, __global uint *shortest)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        offer(&shortest[edges[i].a], keys, i);
        offer(&shortest[edges[i].b], keys, i);
    }
}

/* Joins each set to another one by its shortest edge. If that is the shortest of the other set, too, the lower number leads
 * both. counts[level] is the number of edges between sets; level 0: sets are cities, whose edges are kept in `nearest`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_join(uint n, uint level, __global const round_edge *edges, __global const uint *sets,
                     __global const uint *shortest, __global const uint *counts, __global uint *leaders,
                     __global uint *nearest, __global uint *joined, __global int *degrees)
{
    const uint set = (uint)get_global_id(0);
    if (set < n && sets[set] == set && (level == 0u || counts[level] > 0u)) {
        const uint number = shortest[set];
        const round_edge edge = edges[number];
        const uint other = sets[edge.a] ^ sets[edge.b] ^ set;
        const int leads = shortest[other] == number && set < other;
        leaders[set] = leads ? set : other;
        if (level == 0u)
            nearest[set] = number;
        if (!leads) {
            joined[set] = number;
            atomic_inc(&degrees[edge.a]);
            atomic_inc(&degrees[edge.b]);
        }
    }
}

/* Several work-items may shorten the same path: each of them stores a number on it. */
static inline uint leader_of(__global uint *leaders, uint number)
{
    uint next = atomic_or(&leaders[number], 0u);
    while (next != number) {
        const uint after = atomic_or(&leaders[next], 0u);
        if (after != next)
            atomic_xchg(&leaders[number], after);
        number = next;
        next = after;
    }
    return number;
}

/* Finds the set of each city after the joins of a level. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_settle(uint n, uint level, __global const uint *counts, __global uint *leaders, __global uint *sets,
                       __global uint *shortest)
{
    const uint city = (uint)get_global_id(0);
    if (city < n && (level == 0u || counts[level] > 0u)) {
        const uint set = leader_of(leaders, sets[city]);
        sets[city] = set;
        if (set == city)
            shortest[city] = NO_NUMBER;
    }
}

/* Lists the edges between sets among those of `from` (NULL: all, and level is 1), and finds the shortest of each set.
 * counts[level] is 0 before. The order of the list may differ from run to run; the joins do not depend on it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_list(__global const round_edge *edges, uint count, uint level, __global const uint *from /* or NULL */,
                     __global const uint *sets, __global const long *keys, __global uint *shortest, __global uint *to,
                     __global uint *counts)
{
    __local uint scratch[2 * WG];
    const uint all = (uint)get_num_groups(0) * WG, total = level > 1u ? counts[level - 1u] : count;
    uint first;
    for (first = (uint)get_group_id(0) * WG; first < total; first += all) {
        const uint i = first + (uint)get_local_id(0);
        uint number = 0u, crosses = 0u;
        if (i < total) {
            number = from ? from[i] : i;
            if (sets[edges[number].a] != sets[edges[number].b]) {
                offer(&shortest[sets[edges[number].a]], keys, number);
                offer(&shortest[sets[edges[number].b]], keys, number);
                crosses = 1u;
            }
        }
        group_append(crosses, number, to, counts + level, scratch);
    }
}

/* The second shortest edge of each leaf, whose edge in the tree is its shortest one. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_second(__global const round_edge *edges, uint count, __global const long *keys,
                       __global const uint *nearest, __global const int *degrees, __global uint *second)
{
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const uint a = edges[i].a, b = edges[i].b;
        if (degrees[a] == 1 && nearest[a] != i)
            offer(&second[a], keys, i);
        if (degrees[b] == 1 && nearest[b] != i)
            offer(&second[b], keys, i);
    }
}

/* Totals -------------------------------------------------------------------------------------------------------------- */

static inline round_total no_total(void)
{
    round_total none;
    none.weight = 0;
    none.longest = none.special_edge = none.best = LONG_MIN;
    none.special = NO_NUMBER;
    none.even = none.is_longest = none.is_tour = 0u;
    return none;
}

/* Adds another part of the tree. Of equal edges the city of the lower number is the special one. */
static inline void add_total(round_total *sum, const round_total *more)
{
    sum->weight += more->weight;
    sum->longest = more->longest > sum->longest ? more->longest : sum->longest;
    sum->even += more->even;
    if (more->special_edge > sum->special_edge || (more->special_edge == sum->special_edge && more->special < sum->special)) {
        sum->special = more->special;
        sum->special_edge = more->special_edge;
    }
}

/* The sum over the group, in all[0]. all: [WG] */
static INLINE void add_group(round_total own, local round_total *all)
{
    const uint lid = (uint)get_local_id(0);
    uint span;
    all[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (span = WG / 2; span > 0u; span /= 2u) {
        if (lid < span) {
            const round_total more = all[lid + span];
            add_total(&own, &more);
            all[lid] = own;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* totals: one of each work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_sum(uint n, __global const round_edge *edges, __global const long *penalties, __global const uint *joined,
                    __global const uint *second, __global const int *degrees, __global round_total *totals)
{
    __local round_total all[WG];
    const uint city = (uint)get_global_id(0);
    round_total own = no_total();
    if (city < n) {
        own.weight = -2 * penalties[city];
        own.even = degrees[city] == 2;
        if (joined[city] != NO_NUMBER) {
            own.longest = weight_of(edges, penalties, joined[city]);
            own.weight += own.longest;
        }
        if (degrees[city] == 1 && second[city] != NO_NUMBER) {
            own.special = city;
            own.special_edge = weight_of(edges, penalties, second[city]);
        }
    }
    add_group(own, all);
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = all[0];
}

static inline uint add_end(__global int *degrees, uint city, uint even)
{
    const int degree = ++degrees[city];
    return even - (uint)(degree == 3) + (uint)(degree == 2);
}

/* Adds the totals of `count` work-groups, and the second edge of the special city. Launched with one work-group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_total(uint n, __global const round_total *totals, uint count, __global const round_edge *edges,
                      __global const uint *second, __global int *degrees, __global round_total *result)
{
    __local round_total all[WG];
    round_total own = no_total();
    uint i;
    for (i = (uint)get_local_id(0); i < count; i += WG) {
        const round_total more = totals[i];
        add_total(&own, &more);
    }
    add_group(own, all);
    if (get_local_id(0) == 0) {
        round_total sum = all[0];
        if (sum.special != NO_NUMBER) {
            const round_edge edge = edges[second[sum.special]];
            sum.weight += sum.special_edge;
            sum.even = add_end(degrees, edge.a, sum.even);
            sum.even = add_end(degrees, edge.b, sum.even);
        }
        sum.is_longest = sum.weight > result->best;
        sum.best = sum.is_longest ? sum.weight : result->best;
        sum.is_tour = result->is_tour || sum.even == n;
        *result = sum;
    }
}

/* Keeps the penalties if their tree is the longest so far, and makes new ones. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void tsp_rounds_move(uint n, long step, long most, __global const round_total *result, __global const int *degrees,
                     __global int *averages, __global long *penalties, __global long *best)
{
    const uint city = (uint)get_global_id(0);
    if (city < n) {
        if (result->is_longest)
            best[city] = penalties[city];
        if (!result->is_tour) {
            const int excess = FRACTION * (int)within(degrees[city] - 2, MOST_EXCESS),
                      average = next_average(averages[city], excess);
            averages[city] = average;
            penalties[city] = next_penalty(penalties[city], step, excess, average, most);
        }
    }
}
