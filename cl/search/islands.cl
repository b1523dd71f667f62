/* Islands whose members are in global memory, at the end of a step: best member, record, exchange, ends. */
#ifndef WG
#define WG 64
#endif

#include "search/argmin.clh"
#include "search/exchange.clh"
#include "search/settle.clh"

/* Values that a work-item loads before it compares them: a load waits for no other. */
#define LOADS 4

/* Values `first` .. `end` - 1 of an island that begins at `start`. indices: of those values, used if `is_known`; else
 * the numbers of the values. */
static INLINE struct minimum least_of(__global const real *values, __global const uint *indices, uint is_known,
                                      ulong start, uint first, uint end, local real *scratch,
                                      local uint *scratch_indices)
{
    struct minimum mine = minimum_none();
    uint e, n;
    for (e = first + (uint)get_local_id(0); e < end; e += LOADS * WG) {
        struct minimum loaded[LOADS];
#pragma unroll
        for (n = 0u; n < LOADS; n++) {
            const uint place = min(e + n * WG, end - 1u);
            loaded[n].value = values[start + place];
            loaded[n].index = is_known ? indices[start + place] : place;
        }
#pragma unroll
        for (n = 0u; n < LOADS; n++)
            mine = minimum_of(mine, loaded[n]);
    }
    return group_argmin(mine, scratch, scratch_indices);
}

/* One pass: each group reduces `length` neighbouring values of an island, `groups` groups for each island. count:
 * values of an island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_argmin(__global const real *restrict values, __global const uint *restrict indices /* or NULL */,
                   __global real *restrict out_values, __global uint *restrict out_indices, uint is_known, uint count,
                   uint length, uint groups)
{
    __local real scratch[WG];
    __local uint scratch_indices[WG];
    const uint group = (uint)get_group_id(0), part = group % groups;
    const struct minimum least =
        least_of(values, indices, is_known, (ulong)(group / groups) * count, part * length,
                 min(part * length + length, count), scratch, scratch_indices);
    if (get_local_id(0) == 0) {
        out_values[group] = least.value;
        out_indices[group] = least.index;
    }
}

/* A group for each island. goal_*: the island's best. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_settle(__global const real *restrict values /* or NULL */,
                   __global const uint *restrict indices /* or NULL */, __global real *restrict goal_value,
                   __global uint *restrict goal_index, __global const member_number *restrict p,
                   __global uint *restrict words, __global real *restrict reals,
                   __global member_number *restrict champion, __global const real *restrict settings,
                   struct search_shape shape, struct search_settle launch)
{
    __local real scratch[WG];
    __local uint scratch_indices[WG];
    const uint k = (uint)get_group_id(0), tasks = launch.tasks;
    const int takes_part = !has_run_ended(words, k);
    const int is_drawn = is_drawing(shape, words, k, launch.step);
    const real champion_before =
        tasks & RENEW_CHAMPION ? (real)INFINITY : reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION];
    struct minimum goal;
    /* Of none where it is known: PoCL 5 and 6 crash on a barrier that has a condition here. */
    goal = least_of(values, indices, launch.is_known, (ulong)k * launch.count, 0u,
                    tasks & FIND_BEST ? launch.count : 0u, scratch, scratch_indices);
    if (!(tasks & FIND_BEST)) {
        goal.value = goal_value[k];
        goal.index = goal_index[k];
    }
    /* All work-items read the record before one writes it. */
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (takes_part)
        settle_island(goal, k, champion_before, is_drawn, goal_value, goal_index, p, words, reals, champion, settings,
                      shape, launch);
}

/* The worst member of an island: the largest value, of equal ones the highest index. */
static INLINE uint worst_of(__global const real *best, ulong start, uint members, local real *scratch,
                            local uint *scratch_indices)
{
    struct minimum worst = minimum_none(), other;
    uint e;
    for (e = (uint)get_local_id(0); e < members; e += WG) {
        other.value = -best[start + e];
        other.index = members - 1u - e;
        worst = minimum_of(worst, other);
    }
    worst = group_argmin(worst, scratch, scratch_indices);
    return members - 1u - worst.index;
}

/* Each island may take champions of its run: those of its sources, or the best. A group for each island; champions are
 * read only. kind: enum search_exchange_kind. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_exchange(__global real *restrict best, __global member_number *restrict p,
                     __global real *restrict goal_value, __global uint *restrict goal_index,
                     __global const uint *restrict words, __global const real *restrict reals,
                     __global const member_number *restrict champion, __global const uint *restrict links /* or NULL */,
                     struct search_shape shape, uint kind, uint step)
{
    __local real scratch[WG];
    __local uint scratch_indices[WG];
    const uint lid = (uint)get_local_id(0), k = (uint)get_group_id(0);
    const uint first = k / shape.run_islands * shape.run_islands, own = k - first;
    const uint sources = kind == EXCHANGE_ALL ? 1u : source_count(links, kind, own);
    const uint compared = kind == EXCHANGE_ALL ? shape.run_islands : 0u;
    const ulong start = (ulong)k * shape.members;
    uint n, e;
    for (n = 0; n < sources; n++) {
        struct minimum from = minimum_none(), other;
        const uint worst = worst_of(best, start, shape.members, scratch, scratch_indices);
        real goal;
        int takes;
        /* Of none where the source is known: see search_settle. */
        for (e = lid; e < compared; e += WG) {
            other.value = reals[(ulong)(first + e) * ISLAND_REALS + ISLAND_CHAMPION];
            other.index = first + e;
            from = minimum_of(from, other);
        }
        from = group_argmin(from, scratch, scratch_indices);
        if (kind != EXCHANGE_ALL) {
            from.index = first + source_island(links, kind, own, n, shape.run_islands, seed_of(shape, k), step);
            from.value = reals[(ulong)from.index * ISLAND_REALS + ISLAND_CHAMPION];
        }
        goal = goal_value[k];
        takes = from.value < goal && !has_run_ended(words, k);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (takes) {
            for (e = lid; e < shape.dim; e += WG)
                p[place_of(shape, k * shape.members + worst, e)] = champion[(ulong)from.index * shape.dim + e];
            if (lid == 0u) {
                best[start + worst] = from.value;
                goal_value[k] = from.value;
                goal_index[k] = worst;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Has a run ended by its target or by stagnation? A group for each run. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_ends(__global uint *restrict words, __global const real *restrict reals,
                 __global const real *restrict settings, uint run_islands, uint stagnation)
{
    __local uint reached, moving;
    const uint lid = (uint)get_local_id(0), first = (uint)get_group_id(0) * run_islands;
    uint k;
    if (lid == 0u)
        reached = moving = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = first + lid; k < first + run_islands; k += WG) {
        if (reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION] <= settings[SET_TARGET])
            atomic_or(&reached, 1u);
        if (stagnation == 0u || words[(ulong)k * ISLAND_WORDS + ISLAND_STAGNANT] < stagnation)
            atomic_or(&moving, 1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (reached || !moving)
        for (k = first + lid; k < first + run_islands; k += WG) {
            words[(ulong)k * ISLAND_WORDS + ISLAND_REACHED] = reached;
            words[(ulong)k * ISLAND_WORDS + ISLAND_ENDED] = 1u;
        }
}
