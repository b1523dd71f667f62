/* Sort of few particles by few cells, in one launch: see gas/device/sort.clh. Each work-group counts all particles and
 * finds the order of each cell, but moves only its share of the particles, so no work-group waits for another one. What
 * that needs is in registers and in local memory, since there are too few work-items to hide accesses to global memory.
 */
#ifndef WG
#define WG 1024
#endif

#include "gas/device/sort.clh"
#include "lib/group.clh"

/* Largest numbers of cells and of particles: GAS_SORT_GROUP_CELLS and GAS_SORT_GROUP_PARTICLES of the host. Indices of
 * particles and their numbers have 16 bits in local memory. */
#define MAX_CELLS 4096
#define MAX_PARTICLES 8192
/* At least the number of particles. */
#ifndef PARTICLES
#define PARTICLES MAX_PARTICLES
#endif
/* Number of particles that a work-item counts: lid, lid + WG, ... */
#define ITEMS ((PARTICLES + WG - 1) / WG)

/* Half number `cell` of words. */
static INLINE uint sort_half(local const uint *words, uint cell)
{
    return words[cell / 2] >> cell % 2 * 16 & 0xffffu;
}

/* Replaces the numbers of particles of the cells by the index of the first particle of each cell, also of cell `total`,
 * the first one that does not exist. Work-group 0 writes these to `starts`. */
static INLINE void sort_find_starts(local uint *words, uint total, __global uint *starts, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0), count = total / 2 + 1, share = (count - 1) / WG + 1;
    const uint last = min(count, (lid + 1) * share);
    uint sum = 0, w;
#pragma unroll 1
    for (w = lid * share; w < last; w++)
        sum += (words[w] & 0xffffu) + (words[w] >> 16);
    sum = group_scan(sum, scratch).before;
#pragma unroll 1
    for (w = lid * share; w < last; w++) {
        const uint word = words[w], middle = sum + (word & 0xffffu);
        words[w] = sum | middle << 16;
        if (get_group_id(0) == 0) {
            starts[2 * w] = sum;
            if (2 * w + 1 <= total)
                starts[2 * w + 1] = middle;
        }
        sum = middle + (word >> 16);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Sorts all particles. share: number of particles that a work-group moves; holds: struct gas_sort_launch.
 *
 * 4096 particles took 15.7 us of an H200 with one work-group, which moved them all, and take 7.0 us with 16. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void gas_sort_group(__global const real *settings, __global uint *starts, __global uint *words,
                    __global const PLACE *restrict position, __global const VECTOR *restrict velocity,
                    __global const uint *restrict id, __global PLACE *restrict position_out,
                    __global VECTOR *restrict velocity_out, __global uint *restrict id_out,
                    __global PLACE *restrict reference, struct gas_mesh cells, uint n, uint share, uint holds)
{
    /* number of particles of each cell, later the index of its first particle, two to a word */
    __local uint counts[MAX_CELLS / 2 + 1];
    __local union {
        uint scratch[2 * WG];
        ushort numbers[MAX_PARTICLES]; /* of the particles in the order of cells */
    } room;
    const uint lid = (uint)get_local_id(0), total = cells.x * cells.y * cells.z;
    const uint begin = (uint)get_group_id(0) * share, end = min(n, begin + share);
    uint cell[ITEMS], rank[ITEMS], number[ITEMS], i, u, k;
    if (lid == 0 && begin == 0)
        sort_begin_list(words, holds);
#pragma unroll
    for (u = 0; u < ITEMS; u++) {
        const uint place = min(lid + u * WG, n - 1);
        cell[u] = sort_cell(position, place, settings, cells);
        number[u] = id[place];
    }
#pragma unroll 1
    for (i = lid; i < total / 2 + 1; i += WG)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (u = 0; u < ITEMS; u++) {
        const uint shift = cell[u] % 2 * 16;
        rank[u] = 0;
        if (lid + u * WG < n)
            rank[u] = atomic_add(&counts[cell[u] / 2], 1u << shift) >> shift & 0xffffu;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_find_starts(counts, total, starts, room.scratch);
#pragma unroll
    for (u = 0; u < ITEMS; u++)
        if (lid + u * WG < n)
            room.numbers[sort_half(counts, cell[u]) + rank[u]] = (ushort)number[u];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (i = begin + lid; i < end; i += WG) {
        const uint own = id[i], at = sort_cell(position, i, settings, cells);
        const uint first = sort_half(counts, at), last = sort_half(counts, at + 1);
        uint to = first;
        for (k = first; k < last; k++)
            to += room.numbers[k] < own;
        sort_move(own, i, to, position, velocity, position_out, velocity_out, id_out, reference);
    }
}
