/* Reductions of an array to one number, in a fixed order.
 *
 * A kernel reduces the n elements from data[offset] on to one result for each work-group. The host launches it twice:
 * first with many work-groups, which write partial results, then with one work-group, which reduces these. The number
 * of work-groups depends only on n and the device, so a repeated run gives the same bits. Without elements the result
 * is 0, or NaN with index 0xffffffff.
 */
#ifndef WG
#define WG 256
#endif
/* Number of elements that a work-item loads before it uses them. */
#ifndef ITEMS
#define ITEMS 16
#endif

/* How elements are divided among work-items. 0: successive work-items read successive elements, for memory that
 * serves a work-group together. 1: a work-item reads successive elements, for caches that serve one thread. */
#ifndef CHUNKED
#define CHUNKED 0
#endif

/* reduce_argmin with REAL 32: vectors of four elements that a work-item loads before it uses them; 0: it loads single
 * elements. */
#ifndef VECTORS
#define VECTORS 0
#endif

#include "lib/reduce.clh"

#define HAS_VECTORS (VECTORS > 0 && REAL == 32)

GROUP_REDUCE(group_sum_ulong, ulong, ADD)

/* The elements of a work-item. An iteration has the elements first + k step, for k < ITEMS, that are below `end`; the
 * next iteration begins `next` elements later. */
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

/* Loads the elements of an iteration. rest: value of elements beyond the end. */
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

/* Takes a value that is below the least one so far. */
static INLINE void keep_lesser(struct minimum *best, real value, uint index)
{
    best->index = value < best->value ? index : best->index;
    best->value = value < best->value ? value : best->value;
}

#if HAS_VECTORS
/* Goes through all elements in vectors of four, and finds those below *best. data is aligned to 16 bytes. */
static INLINE void least_of_vectors(struct minimum *best, __global const real *data, uint n)
{
    __global const float4 *vectors = (__global const float4 *)data;
    const uint count = n / 4, size = (uint)get_global_size(0);
    uint first = (uint)get_global_id(0), k;
    float4 item[VECTORS];
    for (; first < count; first += VECTORS * size) {
#pragma unroll
        for (k = 0; k < VECTORS; k++)
            if (first + k * size < count)
                item[k] = vectors[first + k * size];
#pragma unroll
        for (k = 0; k < VECTORS; k++)
            if (first + k * size < count) {
                const uint index = 4 * (first + k * size);
                keep_lesser(best, item[k].x, index);
                keep_lesser(best, item[k].y, index + 1);
                keep_lesser(best, item[k].z, index + 2);
                keep_lesser(best, item[k].w, index + 3);
            }
    }
    for (k = 4 * count + (uint)get_global_id(0); k < n; k += size)
        keep_lesser(best, data[k], k);
}
#endif

/* Finds the least element and its index, counted from `offset`. indices: the indices of the elements, if these are
 * partial results; otherwise NULL. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduce_argmin(__global const real *data, __global const uint *indices /* or NULL */, __global real *out,
                   __global uint *out_indices, ulong offset, ulong out_offset, uint n)
{
    __local real local_values[WG];
    __local uint local_indices[WG];
    struct share share = share_of(n);
    struct minimum best = minimum_none(), candidate;
    real item[ITEMS];
    uint k;
    data += offset;
    if (!indices) {
        /* The elements of a work-item come in the order of their indices, so the first of equal ones stays. */
        struct share rest = share;
        best.value = (real)INFINITY;
#if HAS_VECTORS
        if (((ulong)data & 15) == 0) {
            least_of_vectors(&best, data, n);
            rest.first = n;
        }
#endif
        for (; rest.first < rest.end; rest.first += rest.next) {
            load_reals(item, data, rest, (real)NAN);
#pragma unroll
            for (k = 0; k < ITEMS; k++)
                keep_lesser(&best, item[k], rest.first + k * rest.step);
        }
        /* If no element is below infinity, they are read again. */
        if (best.index != UINT_MAX)
            share.first = share.end;
        else
            best.value = (real)NAN;
    }
    for (; share.first < share.end; share.first += share.next) {
        load_reals(item, data, share, (real)NAN);
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

/* Sums words in 64 bits. partials: partial results, which are read instead of `data`; NULL: there are none. */
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
