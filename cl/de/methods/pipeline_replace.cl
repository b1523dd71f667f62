/* The last kernels of a step: which trials replace their members, what archive and memory learn, who leaves. */
#include "de/methods/pipeline.clh"
#include "lib/reduce.clh"

/* A slot goes to the last member that asks for it; the claims are cleared. */
static INLINE void give_slots(__global uint *claims, __global uint *slots, uint members)
{
    const uint lid = (uint)get_local_id(0);
    uint i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = lid; i < members; i += WG)
        if (slots[i] < NO_SLOT && claims[slots[i]] != i + 1u)
            slots[i] = NO_SLOT;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = lid; i < members; i += WG)
        if (slots[i] < NO_SLOT)
            claims[slots[i]] = 0u;
}

/* The sums over the group. */
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

/* Changes the cell of an island's memory whose turn it is. */
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

/* Decides which trials replace their members, gives the members that a better trial replaces slots of the archive, and
 * changes a cell of the memory; a group for each island. y: values of the objective, without the sign of the search.
 * claims: for each slot the last member that asks for it, plus one; 0 before and after the launch. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_select(__global const real *restrict y, __global const real *restrict best, __global const real *restrict scale,
               __global const real *restrict rate, __global real *restrict memory /* or NULL */,
               __global uint *restrict counts, __global uint *restrict claims /* or NULL */,
               __global uint *restrict slots, __global const uint *restrict words, __global const real *restrict settings,
               struct search_shape shape, struct de_shape own, struct de_step step)
{
    __local real scratch[WG];
    __local uint sums[2 * WG];
    const uint lid = (uint)get_local_id(0), k = (uint)get_group_id(0);
    const ulong start = (ulong)k * shape.members, first_slot = (ulong)k * own.slots;
    const int active = !has_run_ended(words, k) && !is_drawing(shape, words, k, step.step);
    uint asked = counts[k * DE_COUNTS + COUNT_ARCHIVED], from, i;
    gains sum;
    sum.weight = sum.scale = sum.scale_square = sum.rate = sum.rate_square = R(0.0);
    for (from = 0u; from < step.members; from += WG) {
        const int is_member = active && from + lid < step.members;
        real value = R(0.0), before = R(0.0);
        uint gained = 0u;
        struct scan_result scan;
        i = from + lid;
        if (is_member) {
            value = counted(y[k * step.members + i], settings[SET_SIGN]);
            before = best[start + i];
            gained = value < before ? 1u : 0u;
        }
        if (gained) {
            const real weight = weight_of(before - value), f = scale[start + i], cr = rate[start + i];
            sum.weight += weight;
            sum.scale += weight * f;
            sum.scale_square += weight * f * f;
            sum.rate += weight * cr;
            sum.rate_square += weight * cr * cr;
        }
        scan = group_scan(gained, sums);
        if (is_member) {
            uint slot = value <= before ? NO_SLOT : NO_INDEX;
            if (gained && step.slots > 0u) {
                slot = asked + scan.before;
                if (slot >= step.slots)
                    slot = de_index(shoal_random_words(seed_of(shape, k), SHOAL_STREAM_DE_ARCHIVE, step.step,
                                                       first_index_of(shape, k) + i, 0u)
                                        .x,
                                    step.slots);
                atomic_max(claims + first_slot + slot, i + 1u);
            }
            slots[start + i] = slot;
        }
        asked += scan.total;
    }
    give_slots(claims + first_slot, slots + start, active ? step.members : 0u);
    sum = sum_of(sum, scratch);
#if HAS_MEMORY
    if (lid == 0u && active && sum.weight > R(0.0))
        learn(sum, memory + 2ul * k * own.cells, counts + k * DE_COUNTS, own.free_cells);
#else
    (void)memory;
#endif
    if (lid == 0u && active)
        counts[k * DE_COUNTS + COUNT_ARCHIVED] = min(min(asked, step.slots), step.next_slots);
}

/* Replaces members by their trials; a work-item for a block of dimensions. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_keep(__global real *restrict x, __global real *restrict best, __global const real *restrict trials,
             __global const real *restrict y, __global const real *restrict scale, __global const real *restrict rate,
             __global real *restrict own_scale /* or NULL */, __global real *restrict own_rate /* or NULL */,
             __global real *restrict archive /* or NULL */, __global const uint *restrict slots,
             __global uint *restrict words, __global const real *restrict settings, struct search_shape shape,
             struct de_shape own, struct de_step step)
{
    const uint blocks = (shape.dim + TRIAL_BLOCK - 1u) / TRIAL_BLOCK, number = (uint)get_global_id(0);
    const uint block = number % blocks, end = min(block * TRIAL_BLOCK + TRIAL_BLOCK, shape.dim);
    const trial_of_member t = trial_at(shape, words, step, number / blocks);
    if (t.takes_part) {
        const uint slot = t.is_drawn ? NO_SLOT : slots[t.member];
        uint d;
        for (d = block * TRIAL_BLOCK; d < end && slot != NO_INDEX; d++) {
            const ulong at = place_of(shape, t.member, d);
            if (slot < NO_SLOT)
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

/* Keeps the best `next` of the first `before` members in the first places: those behind move to the places of those that
 * leave; a group for each island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_shrink(__global real *restrict x, __global real *restrict best, __global real *restrict own_scale /* or NULL */,
               __global real *restrict own_rate /* or NULL */, __global const uint *restrict ranks,
               __global const uint *restrict words, struct search_shape shape, struct de_step step)
{
    const uint lid = (uint)get_local_id(0), k = (uint)get_group_id(0), start = k * shape.members;
    const int active = !has_run_ended(words, k) && !is_drawing(shape, words, k, step.step);
    uint i, j, d;
    for (i = lid; i < step.next && active; i += WG)
        if (ranks[start + i] >= step.next) {
            uint holes = 0u;
            for (j = 0u; j < i; j++)
                holes += ranks[start + j] >= step.next ? 1u : 0u;
            for (j = step.next; ranks[start + j] >= step.next || holes > 0u; j++)
                holes -= ranks[start + j] < step.next ? 1u : 0u;
            for (d = 0u; d < shape.dim; d++)
                x[place_of(shape, start + i, d)] = x[place_of(shape, start + j, d)];
            best[start + i] = best[start + j];
#if HAS_OWN
            own_scale[start + i] = own_scale[start + j];
            own_rate[start + i] = own_rate[start + j];
#endif
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = step.next + lid; i < step.before && active; i += WG)
        best[start + i] = (real)NAN;
}
