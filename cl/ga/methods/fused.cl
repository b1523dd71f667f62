/* A generation of populations in global memory, from the selection to the values, in one launch: a pair a work-item. The
 * genes of a member lie together. Children stay in local memory until the group writes them, gene by gene of neighbouring
 * children: operators and values are those of islands on the chip. */
#define IN_MEMORY 1
/* CUDA: groups that fit a multiprocessor at a time, which limits registers. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 8
#endif
#include "ga/methods/onchip_vary.clh"
#include "search/members.clh"

/* Groups of an island one behind the other, each with WG pairs; tables: see RATE_TABLES. goal_index: best member of each
 * island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_fused(__global const real *restrict x, __global const real *restrict best, __global real *restrict next_x,
              __global real *restrict next_best, __global const uint *restrict goal_index,
              __global uint *restrict words, __global const real *restrict settings, __global const uint *restrict rates,
              struct search_shape shape, struct ga_pipeline own, uint step)
{
    __local real pool[POOL * 64 / REAL];
    local uint *tables = (local uint *)(pool + POOL_REALS);
    const uint lid = (uint)get_local_id(0), groups = ((own.children + 1u) / 2u + WG - 1u) / WG;
    const uint group = (uint)get_group_id(0), island = group / groups, first = group % groups * WG;
    const uint count = min(2u * (uint)WG, own.children - 2u * first);
    const ulong start = (ulong)island * shape.members;
    __global const uint *const own_rates =
        rates + (own.has_rate_list ? island % shape.run_islands * RATE_WORDS(DIM) : 0u);
    const ulong begin = (start + ELITES + 2u * first) * DIM;
    children pair;
    context here;
    uint n, c;
    if (is_drawing(shape, words, island, step))
        return;
    if (words[(ulong)island * ISLAND_WORDS + ISLAND_ENDED]) {
        /* As it was, the elite with the first children. */
        const ulong from = first == 0u ? start : start + ELITES + 2u * first;
        const ulong end = start + ELITES + 2u * first + count;
        ulong i;
        for (i = from * DIM + lid; i < end * DIM; i += WG)
            next_x[i] = x[i];
        for (i = from + lid; i < end; i += WG)
            next_best[i] = best[i];
        return;
    }
    here = context_of(settings, own_rates, shape.seed, island, shape.run_islands, own.indices);
    here.step = step;
    here.index += 2u * first;
    here.x = x + start * DIM;
    here.values = best + start;
    here.members = shape.members;
    here.first = first;
    here.children = own.children - 2u * first;
    for (n = lid; n < 2u * DIM; n += WG)
        tables[AT_FIRST + n] = own_rates[RATE_TABLES + n];
    SYNC();
    if (2u * lid < count) {
        const uint each = 2u * lid + 1u < count ? 2u : 1u;
        breed(&pair, here, 0u, settings, pool);
#if WG > 1
#pragma unroll
#endif
        for (c = 0u; c < DIM; c++) {
            pool[AT_GENES + c * POSITIONS + lid] = pair.a[c][0];
            pool[AT_GENES + c * POSITIONS + lid + PAIRS] = pair.b[c][0];
        }
        mutate(here, lid, settings, pool, tables);
        for (c = 0u; c < each; c++) {
            const uint position = lid + c * PAIRS;
            const real value = value_of(here, parts_of(here, position, settings, pool), position, settings, pool);
            next_best[start + ELITES + 2u * (first + lid) + c] = value;
            island_count_not_finite(words, island, isfinite(value) ? 0u : 1u);
        }
    }
    SYNC();
    for (n = lid; n < count * DIM; n += WG) {
        const uint child = n / DIM;
        next_x[begin + n] = pool[AT_GENES + n % DIM * POSITIONS + (child >> 1) + (child & 1u) * PAIRS];
    }
#if ELITES
    if (first == 0u) {
        const ulong elite = start + goal_index[island];
        for (n = lid; n < DIM; n += WG)
            next_x[start * DIM + n] = x[elite * DIM + n];
        if (lid == 0u)
            next_best[start] = best[elite];
    }
#endif
    (void)goal_index;
}
