/* One launch makes a generation of populations of genomes in global memory, from the selection to the values. The words
 * of a member are neighbours in memory. Children stay in local memory until the group writes them to global memory. */
#define IN_MEMORY 1
#include "ga/methods/genes/genes.clh"
#include "search/members.clh"

#define COPY_NUMBER  uint
#define COPY_NUMBERS ROW_WORDS
#include "ga/copy.clh"

#if POOL * 2 < AT_SCRATCH
#error "POOL is too small for this group"
#endif

static INLINE void store_children(local const uint *children, uint count, __global uint *x)
{
    uint n;
#if GENOME_PLACES
    for (n = (uint)get_local_id(0); n < count * ROW_WORDS; n += WG)
        x[n] = member_word(children, n / ROW_WORDS, n % ROW_WORDS);
#else
#pragma unroll 4
    for (n = (uint)get_local_id(0); n < count * LINE_SPANS; n += WG)
        ((__global word_span *)x)[n].all = LOCAL_SPAN(children, n / LINE_SPANS, n % LINE_SPANS * SPAN);
#endif
}

/* Makes a generation. An island has neighbouring work-groups, each of which makes PAIRS pairs. goal_index: index of the
 * best member of each island. ga_genes_onchip() describes the tables. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_genes_fused(__global const uint *restrict x, __global const real *restrict best, __global uint *restrict next_x,
                    __global real *restrict next_best, __global const uint *restrict goal_index, __global uint *restrict words,
                    __global const real *restrict settings, __global const uint *restrict rates, struct search_shape shape,
                    struct ga_shape own, uint step, __global const uint *restrict wholes /* or NULL */,
                    __global const uint *restrict table /* or NULL */)
{
    __local uint4 pool[(POOL + 1) / 2];
    local uint *const children = (local uint *)pool, *const pairs = (local uint *)pool + AT_PAIRS;
    const uint lid = (uint)get_local_id(0), groups = ((own.children + 1u) / 2u + PAIRS - 1u) / PAIRS;
    const uint group = (uint)get_group_id(0), island = group / groups, first = group % groups * PAIRS;
    const uint count = min(2u * (uint)PAIRS, own.children - 2u * first);
    const ulong start = (ulong)island * shape.members, begin = start + ELITES + 2u * first;
    __global const uint *const own_rates =
        rates + (own.has_rate_list ? number_in_run(shape, island) * RATE_WORDS(LINE) : 0u);
    context here;
    uint n;
    if (has_run_ended(words, island)) {
        /* The run has ended: copies the old members. The first group also copies the elites. */
        const ulong from = first == 0u ? start : begin;
        copy_members(x, best, next_x, next_best, from, from, begin + count - from);
        return;
    }
    if (is_drawing(shape, words, island, step))
        return;
    here = context_of(settings, own_rates, wholes, table, shape.seed, island, shape.run_islands, shape.lead,
                      own.indices);
    here.step = step;
    here.index += 2u * first;
    here.x = x + start * ROW_WORDS;
    here.values = best + start;
    here.members = shape.members;
    here.first = first;
    here.children = own.children - 2u * first;
    draw_pairs(here, (count + 1u) / 2u, (local const real *)pool, pairs);
    SYNC();
    cross_line(here, (count + 1u) / 2u, (local const real *)pool, pairs, children, children);
    SYNC();
    for (n = lid; n < count; n += WG) {
        const real value = finish_child(here, n, pairs, children, children, (local uint *)pool + AT_SCRATCH);
        next_best[begin + n] = value;
        island_count_not_finite(words, island, isfinite(value) ? 0u : 1u);
    }
    SYNC();
    store_children(children, count, next_x + begin * ROW_WORDS);
#if ELITES
    if (first == 0u)
        copy_members(x, best, next_x, next_best, start + goal_index[island], start, 1u);
#endif
    (void)goal_index;
}
