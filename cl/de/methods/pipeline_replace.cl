/* The last kernels of a step: they decide which trials replace their members, update archive and memory, and remove
 * members. */
#include "de/methods/pipeline.clh"
#include "lib/reduce.clh"

/* Adds up the sums of all work-items of a group. */
static INLINE gains sum_of(gains sum, local real *scratch)
{
#if HAS_MEMORY
    sum.weight = group_sum(sum.weight, scratch);
    sum.scale = group_sum(sum.scale, scratch);
    sum.scale_square = group_sum(sum.scale_square, scratch);
    sum.rate = group_sum(sum.rate, scratch);
    sum.rate_square = group_sum(sum.rate_square, scratch);
#else
    (void)scratch;
#endif
    return sum;
}

/* Changes the cell counts[COUNT_CELL] of an island's memory by the sums, and moves COUNT_CELL to the next free cell. */
static inline void learn(gains sum, __global real *memory, __global uint *counts, uint free_cells)
{
    const uint cell = counts[COUNT_CELL];
    rates means;
    means.scale = memory[2u * cell];
    means.rate = memory[2u * cell + 1u];
    means = learned(means, sum);
    memory[2u * cell] = means.scale;
    memory[2u * cell + 1u] = means.rate;
    counts[COUNT_CELL] = cell + 1u < free_cells ? cell + 1u : 0u;
}

/* Number of trials of a part: the least multiple of WG for which an island has at most DE_PARTS parts. */
static inline uint part_length(uint members)
{
    return (members + WG * DE_PARTS - 1u) / (WG * DE_PARTS) * WG;
}

/* Computes, for each part of the trials, the number of trials that are better than their members, and the sums over
 * these trials; a group for each part. y: values of the objective, without the sign of the search. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_gain(__global const real *restrict y, __global const real *restrict best, __global const real *restrict scale,
             __global const real *restrict rate, __global const uint *restrict counts, __global uint *restrict gained,
             __global real *restrict sums, __global const real *restrict settings, struct search_shape shape,
             struct de_step step)
{
    __local real scratch[WG];
    __local uint scratch_counts[2 * WG];
    const uint lid = (uint)get_local_id(0), length = part_length(step.members), parts = (step.members + length - 1u) / length;
    const uint group = (uint)get_group_id(0), k = group / parts, part = group % parts;
    const uint end = min(part * length + length, step.members);
    uint count = 0u, i;
    gains sum;
    struct scan_result scan;
    sum.weight = sum.scale = sum.scale_square = sum.rate = sum.rate_square = R(0.0);
    for (i = part * length + lid; i < end; i += WG) {
        const real value = counted(y[k * step.members + i], settings[SET_SIGN]), before = best[(ulong)k * shape.members + i];
        if (value < before) {
            const ulong at = (ulong)k * shape.members + i;
            const real weight = weight_of(before - value), f = scale[at], cr = rate[at];
            sum.weight += weight;
            sum.scale += weight * f;
            sum.scale_square += weight * f * f;
            sum.rate += weight * cr;
            sum.rate_square += weight * cr * cr;
            count++;
        }
    }
    scan = group_scan(count, scratch_counts);
    sum = sum_of(sum, scratch);
    if (lid == 0u) {
        gained[group] = scan.total + (part == 0u ? counts[k * DE_COUNTS + COUNT_ARCHIVED] : 0u);
        sums[(ulong)group * DE_SUMS + SUM_WEIGHT] = sum.weight;
        sums[(ulong)group * DE_SUMS + SUM_SCALE] = sum.scale;
        sums[(ulong)group * DE_SUMS + SUM_SCALE_SQUARE] = sum.scale_square;
        sums[(ulong)group * DE_SUMS + SUM_RATE] = sum.rate;
        sums[(ulong)group * DE_SUMS + SUM_RATE_SQUARE] = sum.rate_square;
    }
}

/* The number of better trials in parts first .. end - 1. */
static INLINE uint gained_in(__global const uint *gained, uint first, uint end, local uint *scratch)
{
    uint sum = 0u, n;
    for (n = first + (uint)get_local_id(0); n < end; n += WG)
        sum += gained[n];
    return group_scan(sum, scratch).total;
}

/* The sums over parts first .. end - 1. */
static INLINE gains gains_in(__global const real *sums, uint first, uint end, local real *scratch)
{
    gains sum;
    uint n;
    sum.weight = sum.scale = sum.scale_square = sum.rate = sum.rate_square = R(0.0);
    for (n = first + (uint)get_local_id(0); n < end; n += WG) {
        __global const real *const part = sums + (ulong)n * DE_SUMS;
        sum.weight += part[SUM_WEIGHT];
        sum.scale += part[SUM_SCALE];
        sum.scale_square += part[SUM_SCALE_SQUARE];
        sum.rate += part[SUM_RATE];
        sum.rate_square += part[SUM_RATE_SQUARE];
    }
    return sum_of(sum, scratch);
}

/* Decides which trials replace their members, and which slots of the archive these members ask for; a group for each
 * part. The group of the first part changes a cell of the memory, from the sums of all parts. claims: for each slot, 1
 * + the highest number of the members that ask for it; 0 before the launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_select(__global const real *restrict y, __global const real *restrict best, __global real *restrict memory /* or NULL */,
               __global uint *restrict counts, __global const uint *restrict gained, __global const real *restrict sums,
               __global uint *restrict claims /* or NULL */, __global uint *restrict slots,
               __global const uint *restrict words, __global const real *restrict settings, struct search_shape shape,
               struct de_shape own, struct de_step step)
{
    __local real scratch[WG];
    __local uint scratch_counts[2 * WG];
    const uint lid = (uint)get_local_id(0), length = part_length(step.members), parts = (step.members + length - 1u) / length;
    const uint group = (uint)get_group_id(0), k = group / parts, part = group % parts, first = k * parts;
    const uint end = min(part * length + length, step.members);
    const ulong start = (ulong)k * shape.members;
    const int active = !has_run_ended(words, k) && !is_drawing(shape, words, k, step.step), learns = active && part == 0u;
    /* Only the first group reads the island's own count, because it changes this count. */
    uint asked = gained_in(gained, first, group, scratch_counts), all, from;
    gains sum;
    if (part == 0u)
        asked = counts[k * DE_COUNTS + COUNT_ARCHIVED];
    for (from = part * length; from < end; from += WG) {
        const uint i = from + lid;
        const int is_member = active && i < end;
        real value = R(0.0), before = R(0.0);
        struct scan_result scan;
        if (is_member) {
            value = counted(y[k * step.members + i], settings[SET_SIGN]);
            before = best[start + i];
        }
        scan = group_scan(value < before ? 1u : 0u, scratch_counts);
        if (is_member) {
            uint slot = value <= before ? NO_SLOT : NO_INDEX;
            if (value < before && step.slots > 0u) {
                slot = asked + scan.before;
                if (slot >= step.slots)
                    slot = de_index(shoal_random_words(seed_of(shape, k), SHOAL_STREAM_DE_ARCHIVE, step.step,
                                                       first_index_of(shape, k) + i, 0u)
                                        .x,
                                    step.slots);
                atomic_max(claims + (ulong)k * own.slots + slot, i + 1u);
            }
            slots[start + i] = slot;
        }
        asked += scan.total;
    }
    all = gained_in(gained, first, learns ? first + parts : first, scratch_counts);
    sum = gains_in(sums, first, learns ? first + parts : first, scratch);
    /* All work-items have read the island's own count before one of them writes it. */
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0u && learns) {
#if HAS_MEMORY
        if (sum.weight > R(0.0))
            learn(sum, memory + 2ul * k * own.cells, counts + k * DE_COUNTS, own.free_cells);
#else
        (void)memory;
        (void)sum;
#endif
        counts[k * DE_COUNTS + COUNT_ARCHIVED] = min(min(all, step.slots), step.next_slots);
    }
}

/* Replaces members by their trials; a work-item for a block of dimensions. If several members ask for a slot, the
 * member with the highest number gets it. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_keep(__global real *restrict x, __global real *restrict best, __global const real *restrict trials,
             __global const real *restrict y, __global const real *restrict scale, __global const real *restrict rate,
             __global real *restrict own_scale /* or NULL */, __global real *restrict own_rate /* or NULL */,
             __global real *restrict archive /* or NULL */, __global const uint *restrict slots,
             __global const uint *restrict claims /* or NULL */, __global uint *restrict words, __global const real *restrict settings, struct search_shape shape,
             struct de_shape own, struct de_step step)
{
    const uint blocks = (shape.dim + TRIAL_BLOCK - 1u) / TRIAL_BLOCK, number = (uint)get_global_id(0);
    const uint block = number % blocks, end = min(block * TRIAL_BLOCK + TRIAL_BLOCK, shape.dim);
    const trial_of_member t = trial_at(shape, words, step, number / blocks);
    if (t.takes_part) {
        const uint slot = t.is_drawn ? NO_SLOT : slots[t.member];
        const int is_archived = slot < NO_SLOT && claims[(ulong)t.island * own.slots + slot] == t.own + 1u;
        uint d;
        for (d = block * TRIAL_BLOCK; d < end && slot != NO_INDEX; d++) {
            const ulong at = place_of(shape, t.member, d);
            if (is_archived)
                archive[((ulong)t.island * own.slots + slot) * shape.dim + d] = x[at];
            x[at] = trials[place_of(shape, t.trial, d)];
        }
        if (block == 0u) {
            const real value = counted(y[t.trial], settings[SET_SIGN]);
            if (!isfinite(value))
                island_count_not_finite(words, t.island, 1u);
            if (slot != NO_INDEX) {
                best[t.member] = value;
#if HAS_OWN
                own_scale[t.member] = t.is_drawn ? R(0.5) : scale[t.member];
                own_rate[t.member] = t.is_drawn ? R(0.9) : rate[t.member];
#endif
            }
        }
    }
}

/* Keeps the best `next` of the first `before` members, under the numbers below `next`: the k-th staying member with a
 * number of `next` or more moves to the number of the k-th leaving member below `next`, both counted in the order of
 * numbers. A work-item for each member that leaves; these are at the end of `order`. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_shrink(__global real *restrict x, __global real *restrict best, __global real *restrict own_scale /* or NULL */,
               __global real *restrict own_rate /* or NULL */, __global const uint *restrict ranks,
               __global const uint *restrict order, __global const uint *restrict words, struct search_shape shape,
               struct de_step step)
{
    const uint number = (uint)get_global_id(0), leaving = step.before - step.next, k = number / leaving;
    if (k < shape.islands && !has_run_ended(words, k) && !is_drawing(shape, words, k, step.step)) {
        const uint start = k * shape.members, own = order[start + step.next + number % leaving];
        uint holes = 0u, n, j, d;
        if (own < step.next) {
            for (n = step.next; n < step.before; n++)
                holes += order[start + n] < own ? 1u : 0u;
            for (j = step.next; ranks[start + j] >= step.next || holes > 0u; j++)
                holes -= ranks[start + j] < step.next ? 1u : 0u;
            for (d = 0u; d < shape.dim; d++)
                x[place_of(shape, start + own, d)] = x[place_of(shape, start + j, d)];
            best[start + own] = best[start + j];
#if HAS_OWN
            own_scale[start + own] = own_scale[start + j];
            own_rate[start + own] = own_rate[start + j];
#endif
        } else {
            j = own;
        }
        best[start + j] = (real)NAN;
    }
}
