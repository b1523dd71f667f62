/* Data that the shares of a gas with neighbour lists exchange: src/gas/domains/domains.h. */
#ifndef WG
#define WG 256
#endif

#define RANGED 1

#include "gas/device/sort.clh"
#include "lib/group.clh"
#include "lib/link/merge.clh"

/* Sets firsts[k] to the index of the first particle of layer k, which consists of `width` successive cells, and
 * firsts[count] to the number of particles. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_domains_layers(__global const uint *starts, __global uint *firsts, uint count, uint width, uint cells)
{
    const uint k = (uint)get_global_id(0);
    if (k <= count)
        firsts[k] = starts[min(k * width, cells)];
}

static inline uint domains_plus(uint a, uint b)
{
    return a + b;
}
GROUP_REDUCE(group_total, uint, domains_plus)

/* Copies the crossings of borders of particle number n of those in `places` from `image`, where they are stored by number
 * of the particle, to `packed`, where they are stored by index. packs 0: from `packed` to `image`. */
static inline void copy_crossings(__global const uint *ids, __global int *image, __global int *packed, uint n, uint packs,
                                  struct gas_places places)
{
    const uint i = place_in_ranges(n, places);
    uint k;
    for (k = 0; k < DIM; k++) {
        __global int *by_number = image + (ulong)ids[i] * DIM + k, *by_index = packed + (ulong)i * DIM + k;
        if (packs)
            *by_index = *by_number;
        else
            *by_number = *by_index;
    }
}

/* Counts the particles of a share, begin .. end - 1. Work-group k handles layer k: totals[first + k] is the number of
 * the share's particles in layer k of the next sort, from the counts of its cells; totals[first + layers + k] is the
 * number of neighbours of the share's particles in layer k of the last sort. firsts: index of the first particle of
 * each layer in the last sort. all: 0 if no particle has moved beyond the next layer since the last sort; the counts
 * of layers that cannot have particles of the share are then not read. Further work-groups pack the crossings of the
 * `carried` particles in `places`, which other shares need. */
#define DOMAINS_HOLDS(layer) (max(firsts[layer], begin) < min(firsts[(layer) + 1], end))
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_domains_count(__global const uint *counts, __global const uint *firsts, __global const uint *neighbours,
                       __global uint *totals, __global const uint *ids, __global int *image,
                       __global int *packed /* or NULL */, uint first, uint layers, uint width, uint cells, uint begin,
                       uint end, uint all, uint carried, struct gas_places places)
{
    __local uint scratch[WG];
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0), k = min(group, layers - 1);
    const uint last_cell = min((k + 1) * width, cells), last = min(firsts[k + 1], end);
    const uint n = (group - layers) * WG + lid; /* for the further work-groups */
    const uint before = k > 0 ? k - 1 : layers - 1, behind = k + 1 < layers ? k + 1 : 0;
    const int counts_layer = group < layers;
    const int may_hold = counts_layer && (all || DOMAINS_HOLDS(before) || DOMAINS_HOLDS(k) || DOMAINS_HOLDS(behind));
    uint particles = 0, near = 0, i;
    for (i = k * width + lid; may_hold && i < last_cell; i += WG)
        particles += counts[i];
    for (i = max(firsts[k], begin) + lid; counts_layer && i < last; i += WG)
        near += neighbours[i];
    if (!counts_layer && n < carried)
        copy_crossings(ids, image, packed, n, 1, places);
    particles = group_total(particles, scratch);
    near = group_total(near, scratch);
    if (lid == 0 && counts_layer) {
        totals[first + k] = particles;
        totals[first + layers + k] = near;
    }
}

/* Adds the totals of all shares, [shares][2 * count]. firsts[k]: index of the first particle of layer k in the next
 * sort; firsts[count + 1 + k]: number of neighbours in layer k of the last sort. Before a range of sorted cells that
 * does not begin with the first cell, the count of the last cell is replaced by the index of the range's first
 * particle, with which the scan of the counts begins. All this is the work of the first work-group. Further ones count
 * the particles of the launch, which come from other shares, in the sorted cells, and unpack their crossings, if there
 * are any; a cell whose count the first work-group replaces is not among the sorted ones. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_domains_join(__global const uint *totals, __global uint *firsts, __global uint *counts,
                      __global uint2 *keys, __global const PLACE *position, __global const real *settings,
                      __global const uint *ids, __global int *image, __global int *packed /* or NULL */, uint shares,
                      uint count, uint width, struct gas_mesh cells, struct gas_sort_launch launch)
{
    __local uint scratch[2 * WG];
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0), n = (group - 1) * WG + lid;
    const uint joined = group == 0 ? count : 0, each = (count - 1) / WG + 1; /* further work-groups join no layer */
    const uint begin = min(joined, lid * each), end = min(joined, begin + each);
    uint sum = 0, share, k;
    if (group > 0 && n < launch.count) {
        sort_count(position, settings, counts, keys, place_in_ranges(n, launch.places), cells, launch);
        if (packed)
            copy_crossings(ids, image, packed, n, 0, launch.places);
    }
    for (share = 0; share < shares; share++)
        for (k = begin; k < end; k++)
            sum += totals[share * 2 * count + k];
    sum = group_scan(sum, scratch).before;
    for (k = begin; k < end; k++) {
        uint near = 0;
        firsts[k] = sum;
        for (share = 0; share < shares; share++) {
            sum += totals[share * 2 * count + k];
            near += totals[(share * 2 + 1) * count + k];
        }
        firsts[count + 1 + k] = near;
    }
    if (end == count && begin < count)
        firsts[count] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (group == 0 && lid == 0 && launch.first_cell > 0)
        counts[launch.first_cell - 1] = firsts[launch.first_cell / width];
    if (group == 0 && lid == 0 && launch.further_cell > 0)
        counts[launch.further_cell - 1] = firsts[launch.further_cell / width];
}

/* Copies the crossings of borders of the `count` particles in `places` from `image` to `packed` or, if packs is 0, back:
 * copy_crossings. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_domains_crossings(__global const uint *ids, __global int *image, __global int *packed, uint count, uint packs,
                           struct gas_places places)
{
    const uint n = (uint)get_global_id(0);
    if (n < count)
        copy_crossings(ids, image, packed, n, packs, places);
}

/* Merges the words of all shares into `words`, as if this share had moved all particles. notes: [shares][GAS_WORDS].
 * Work-item k merges word k if bit k of `largest` or `least` is set. Not launched if lib/link/gather.cl has already
 * merged the words. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_domains_merge(__global uint *words, __global const uint *notes, uint shares, uint largest, uint least)
{
    const uint k = (uint)get_global_id(0);
    if (k < GAS_WORDS && ((largest | least) >> k & 1u)) {
        const uint is_largest = largest >> k & 1u, is_least = least >> k & 1u;
        struct merge_pair pair;
        uint share;
        pair.word = words[k];
        pair.next = is_least ? words[k + 1] : 0u;
        for (share = 0; share < shares; share++) {
            struct merge_pair other;
            other.word = notes[share * GAS_WORDS + k];
            other.next = is_least ? notes[share * GAS_WORDS + k + 1] : 0u;
            pair = merge_pairs(pair, other, is_largest, is_least);
        }
        words[k] = pair.word;
        if (is_least)
            words[k + 1] = pair.next;
    }
}
