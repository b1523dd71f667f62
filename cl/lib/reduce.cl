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

#include "lib/reduce.clh"

GROUP_REDUCE(group_sum_ulong, ulong, ADD)

/* Elements first, first + stride, ...; `rest` stands for those past the end. */
static void load_reals(real *item, __global const real *data, uint first, uint stride, uint n, real rest)
{
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        item[k] = first + k * stride < n ? data[first + k * stride] : rest;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_sum(__global const real *data, __global real *out, ulong offset, ulong out_offset, uint n)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
    const uint stride = (uint)get_num_groups(0) * WG;
    real item[ITEMS], sum = R(0.0);
    uint first, k;
    for (first = group * WG + lid; first < n; first += ITEMS * stride) {
        load_reals(item, data + offset, first, stride, n, R(0.0));
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            sum += item[k];
    }
    sum = group_sum(sum, scratch);
    if (lid == 0)
        out[out_offset + group] = sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_min(__global const real *data, __global real *out, ulong offset, ulong out_offset, uint n)
{
    __local real scratch[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
    const uint stride = (uint)get_num_groups(0) * WG;
    real item[ITEMS], best = (real)NAN;
    uint first, k;
    for (first = group * WG + lid; first < n; first += ITEMS * stride) {
        load_reals(item, data + offset, first, stride, n, (real)NAN);
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            best = lesser(best, item[k]);
    }
    best = group_lesser(best, scratch);
    if (lid == 0)
        out[out_offset + group] = best;
}

/* An element's index is its place behind `offset`, or where `indices` is not null, as for partial results, the
 * number found there. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_argmin(__global const real *data, __global const uint *indices, __global real *out,
                   __global uint *out_indices, ulong offset, ulong out_offset, uint n)
{
    __local real local_values[WG];
    __local uint local_indices[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
    const uint stride = (uint)get_num_groups(0) * WG;
    real item[ITEMS];
    struct minimum best = minimum_none(), candidate;
    uint first, k;
    for (first = group * WG + lid; first < n; first += ITEMS * stride) {
        load_reals(item, data + offset, first, stride, n, (real)NAN);
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            candidate.value = item[k];
            candidate.index = first + k * stride;
            if (indices && candidate.index < n)
                candidate.index = indices[candidate.index];
            best = minimum_of(best, candidate);
        }
    }
    best = group_minimum(best, local_values, local_indices);
    if (lid == 0) {
        out[out_offset + group] = best.value;
        out_indices[out_offset + group] = best.index;
    }
}

/* Sum of words in 64 bits. `partials`, where not null, is read in place of `data`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_sum_uint(__global const uint *data, __global const ulong *partials, __global ulong *out, ulong offset,
                     ulong out_offset, uint n)
{
    __local ulong scratch[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0);
    const uint stride = (uint)get_num_groups(0) * WG;
    ulong item[ITEMS], sum = 0;
    uint first, k;
    for (first = group * WG + lid; first < n; first += ITEMS * stride) {
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            const uint index = first + k * stride;
            item[k] = index >= n ? 0 : partials ? partials[index] : (ulong)data[offset + index];
        }
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            sum += item[k];
    }
    sum = group_sum_ulong(sum, scratch);
    if (lid == 0)
        out[out_offset + group] = sum;
}
