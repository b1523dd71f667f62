/* Reductions of an array to one number, in a fixed order.
 *
 * Each kernel reduces n elements, data[offset] on, to one result a group. The host runs it twice: with many
 * groups into a table of partial results, then with one group over that table. The number of groups depends on n
 * and the device only, so repeats give the same bits. No elements give the neutral result: 0, or NaN with index
 * 0xffffffff.
 */
#ifndef WG
#define WG 256
#endif
/* Loads that a work-item has in flight. */
#ifndef ITEMS
#define ITEMS 16
#endif

/* Elements of a work-item: 0 far apart, those of the group adjacent, for memory that serves a group at once; 1
 * adjacent, for caches that serve one thread. */
#ifndef CHUNKED
#define CHUNKED 0
#endif

#include "lib/reduce.clh"

GROUP_REDUCE(group_sum_ulong, ulong, ADD)

/* A work-item reduces elements first + k step of each turn, k < ITEMS, below `end`; turns are `next` apart. */
struct share {
    uint first, end, step, next;
};

static INLINE struct share share_of(uint n)
{
    struct share share;
#if CHUNKED
    const uint chunk = (n / ITEMS / (uint)get_global_size(0) + 1) * ITEMS;
    share.first = min(n, (uint)get_global_id(0) * chunk);
    share.end = min(n, share.first + chunk);
    share.step = 1;
    share.next = ITEMS;
#else
    share.first = (uint)get_global_id(0);
    share.end = n;
    share.step = (uint)get_global_size(0);
    share.next = ITEMS * share.step;
#endif
    return share;
}

/* The elements of one turn; `rest`: value of those past the end. */
static void load_reals(real *item, __global const real *data, struct share share, real rest)
{
    uint k;
    if (share.first + (ITEMS - 1) * share.step < share.end)
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            item[k] = data[share.first + k * share.step];
    else
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            item[k] = share.first + k * share.step < share.end ? data[share.first + k * share.step] : rest;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_sum(__global const real *data, __global real *out, ulong offset, ulong out_offset, uint n)
{
    __local real scratch[WG];
    struct share share = share_of(n);
    real item[ITEMS], part[ITEMS], sum = R(0.0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        part[k] = R(0.0);
    for (; share.first < share.end; share.first += share.next) {
        load_reals(item, data + offset, share, R(0.0));
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            part[k] += item[k];
    }
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        sum += part[k];
    sum = group_sum(sum, scratch);
    if (get_local_id(0) == 0)
        out[out_offset + get_group_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_min(__global const real *data, __global real *out, ulong offset, ulong out_offset, uint n)
{
    __local real scratch[WG];
    struct share share = share_of(n);
    real item[ITEMS], part[ITEMS], best = (real)NAN;
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        part[k] = (real)NAN;
    for (; share.first < share.end; share.first += share.next) {
        load_reals(item, data + offset, share, (real)NAN);
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            part[k] = lesser(part[k], item[k]);
    }
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        best = lesser(best, part[k]);
    best = group_lesser(best, scratch);
    if (get_local_id(0) == 0)
        out[out_offset + get_group_id(0)] = best;
}

/* An element's index is its place behind `offset`, or where `indices` is not null, as for partial results, the
 * number found there. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_argmin(__global const real *data, __global const uint *indices /* or NULL */, __global real *out,
                   __global uint *out_indices, ulong offset, ulong out_offset, uint n)
{
    __local real local_values[WG];
    __local uint local_indices[WG];
    struct share share = share_of(n);
    real item[ITEMS];
    struct minimum best = minimum_none(), candidate;
    uint k;
    for (; share.first < share.end; share.first += share.next) {
        load_reals(item, data + offset, share, (real)NAN);
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            candidate.value = item[k];
            candidate.index = share.first + k * share.step;
            if (indices && candidate.index < share.end)
                candidate.index = indices[candidate.index];
            best = minimum_of(best, candidate);
        }
    }
    best = group_minimum(best, local_values, local_indices);
    if (get_local_id(0) == 0) {
        out[out_offset + get_group_id(0)] = best.value;
        out_indices[out_offset + get_group_id(0)] = best.index;
    }
}

/* Sum of words in 64 bits. `partials`, where not null, is read in place of `data`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_sum_uint(__global const uint *data /* or NULL */, __global const ulong *partials /* or NULL */,
                     __global ulong *out, ulong offset, ulong out_offset, uint n)
{
    __local ulong scratch[WG];
    struct share share = share_of(n);
    ulong item[ITEMS], sum = 0;
    uint k;
    for (; share.first < share.end; share.first += share.next) {
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            const uint index = share.first + k * share.step;
            item[k] = index >= share.end ? 0 : partials ? partials[index] : (ulong)data[offset + index];
        }
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            sum += item[k];
    }
    sum = group_sum_ulong(sum, scratch);
    if (get_local_id(0) == 0)
        out[out_offset + get_group_id(0)] = sum;
}
