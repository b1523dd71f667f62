/* The order of the members of each island by their values; equal values are ordered by the numbers of the members. Each
 * member is compared with all others, or, for many members, keys are sorted. Lost members come last. */
#ifndef WG
#define WG 64
#endif

#include "lib/group.clh"
#include "lib/real.clh"
#include "search/layout.clh"
#include "de/layout.clh"

/* key: a whole number for each value. Keys have the order of the values. */
#if REAL == 64
typedef ulong key;
#define SIGN_BIT 0x8000000000000000ul
static inline key bits_of(real value)
{
    return as_ulong(value);
}
#else
typedef uint key;
#define SIGN_BIT 0x80000000u
static inline key bits_of(real value)
{
    return as_uint(value);
}
#endif

/* The key of lost members, which have NaN. */
#define LAST_KEY (~(key)0)

static inline key key_of(real value)
{
    const key bits = bits_of(value == R(0.0) ? R(0.0) : value);
    return value != value ? LAST_KEY : bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

/* Number of comparisons whose loads do not wait for each other. */
#if WG < 8
#define APART WG
#else
#define APART 8
#endif

/* Writes the rank of each of the first `count` members of an island to `ranks`, and the member of each rank to `order`;
 * lost members have the rank NO_INDEX. Each island has ceil(count / WG) groups. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_rank(__global const real *restrict best, __global uint *restrict ranks, __global uint *restrict order,
             struct search_shape shape, uint count)
{
    __local key tile[WG];
    const uint lid = (uint)get_local_id(0), groups = (count + WG - 1u) / WG, group = (uint)get_group_id(0);
    const uint start = group / groups * shape.members, first = group % groups * WG, own = first + lid;
    const key mine = own < count ? key_of(best[start + own]) : LAST_KEY;
    uint rank = 0u, base, j, n;
    for (base = 0u; base < count; base += WG) {
        /* in_front: number of members of the block at `base` with lower numbers than this work-item's member. Among
         * equal values these come first. */
        const uint in_front = base < first ? WG : base > first ? 0u : lid;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[lid] = base + lid < count ? key_of(best[start + base + lid]) : LAST_KEY;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (base != first) {
            const key least = mine + (in_front && mine < LAST_KEY ? 1u : 0u);
            for (j = 0u; j < WG; j += APART)
#pragma unroll
                for (n = 0u; n < APART; n++)
                    rank += tile[j + n] < least ? 1u : 0u;
            /* A lost member comes after the lost members of lower numbers. */
            if (in_front && mine == LAST_KEY)
                for (j = 0u; j < WG; j++)
                    rank += tile[j] == LAST_KEY ? 1u : 0u;
        } else {
            for (j = 0u; j < WG; j++)
                rank += tile[j] < mine || (tile[j] == mine && j < in_front) ? 1u : 0u;
        }
    }
    if (own < count) {
        order[start + rank] = own;
        ranks[start + own] = mine == LAST_KEY ? NO_INDEX : rank;
    }
}

/* Makes the keys of one sort. The sorts by KEY_LOW (double precision only), KEY_VALUE and KEY_ISLAND, in this order,
 * put all members in order. is_first: sets `numbers` to all members, island by island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_keys(__global const real *restrict best, __global uint *restrict numbers, __global uint *restrict keys,
             struct search_shape shape, uint count, uint kind, uint is_first)
{
    const uint n = (uint)get_global_id(0);
    if (n < count * shape.islands) {
        const uint number = is_first ? n : numbers[n], island = number / count;
        const key whole = key_of(best[island * shape.members + number % count]);
#if REAL == 64
        const uint value = kind == KEY_LOW ? (uint)whole : (uint)(whole >> 32);
#else
        const uint value = whole;
#endif
        if (is_first)
            numbers[n] = n;
        keys[n] = kind == KEY_ISLAND ? island : value;
    }
}

/* Writes the results that de_rank would write, from the sorted numbers of the members. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_places(__global const real *restrict best, __global const uint *restrict numbers, __global uint *restrict ranks,
               __global uint *restrict order, struct search_shape shape, uint count)
{
    const uint n = (uint)get_global_id(0);
    if (n < count * shape.islands) {
        const uint start = n / count * shape.members, rank = n % count, own = numbers[n] % count;
        const real value = best[start + own];
        order[start + rank] = own;
        ranks[start + own] = value == value ? rank : NO_INDEX;
    }
}
