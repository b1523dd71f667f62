/* One launch makes a generation of populations of genomes in global memory, from the selection to the values. The words
 * of a member are neighbours in memory. Children stay in local memory until the group writes them to global memory. */
#define IN_MEMORY 1
#define IN_WORDS 1
#include "ga/methods/genes/genes.clh"
#include "search/members.clh"

#define COPY_NUMBER  uint
#define COPY_NUMBERS ROW_WORDS
#include "ga/copy.clh"

#include "ga/offers.clh"

#if POOL * 2 < AT_SCRATCH
#error "POOL is too small for this group"
#endif

static INLINE void store_children(local const uint *children, uint count, __global uint *x)
{
    const uint lid = (uint)get_local_id(0);
    uint n;
#if GENOME_PLACES
    for (n = lid; n < count * ROW_WORDS; n += WG)
        x[n] = member_word(children, n / ROW_WORDS, n % ROW_WORDS);
#elif BY_WARPS
    /* A warp stores the children that it has made. */
    const uint first = lid / 32u * 32u, end = min(first + 32u, count) * LINE_SPANS;
#pragma unroll 4
    for (n = first * LINE_SPANS + lid % 32u; n < end; n += 32u)
        ((__global word_span *)x)[n].all = LOCAL_SPAN(children, n / LINE_SPANS, n % LINE_SPANS * SPAN);
#else
#pragma unroll 4
    for (n = lid; n < count * LINE_SPANS; n += WG)
        ((__global word_span *)x)[n].all = LOCAL_SPAN(children, n / LINE_SPANS, n % LINE_SPANS * SPAN);
#endif
}

/* Barriers between the genes of the children, their values, and their way to memory. */
#if BY_WARPS
#define SYNC_CHILDREN() SHOAL_WARP_SYNC()
#else
#define SYNC_CHILDREN() SYNC()
#endif

/* The words for the first mutations of the pair of child n. chosen: those of the own child, with WARP_CHOICES. */
#if WARP_CHOICES || !LINE
#define FIRST_WORDS(chosen, n, pairs) (chosen)
#else
#define FIRST_WORDS(chosen, n, pairs) first_words((n) / 2u, pairs)
#endif

/* Makes the random choices of the group's pairs of `count` children. Returns the words for the first mutations of the
 * pair of the own child, with WARP_CHOICES. */
static INLINE struct shoal_words choose_pairs(context here, uint count, local const real *pool, local uint *pairs)
{
    struct shoal_words chosen = {0u, 0u, 0u, 0u};
#if WARP_CHOICES
    const uint lid = (uint)get_local_id(0);
    chosen = choose_pair(here, lid, (count + 1u) / 2u, words_of_pair(here, lid, here.step), pool, pairs);
    SHOAL_WARP_SYNC();
#else
    draw_pairs(here, (count + 1u) / 2u, pool, pairs);
    SYNC();
#endif
    return chosen;
}

/* Makes a generation. An island has neighbouring work-groups, each of which makes PAIRS pairs. goal_value, goal_index:
 * value and index of the best member of each island. settles: 1: this launch first ends the previous step. offers: 1: the
 * next launch ends this step, by the lists of offers, each of which has room for `room` of them.
 * ga_genes_onchip() describes the tables. */
SHOAL_STARTS_EARLY(ga_genes_fused)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_genes_fused(__global const uint *restrict x, __global const real *restrict best, __global uint *restrict next_x,
                    __global real *restrict next_best, __global real *restrict goal_value, __global uint *restrict goal_index,
                    __global uint *restrict words, __global real *restrict reals, __global uint *restrict champion,
                    __global const real *restrict settings, __global const uint *restrict rates,
                    __global uint *restrict offer_counts /* or NULL */, __global uint *restrict offer_indices /* or NULL */,
                    __global real *restrict offer_values /* or NULL */, struct search_shape shape, struct ga_shape own,
                    uint step, uint settles, uint offers, uint room, __global const uint *restrict wholes /* or NULL */,
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
#if ELITES
    uint goal = 0u;
#endif
    SHOAL_AFTER_LAUNCH();
#if BY_OFFERS
    const all_islands all = {x, best, goal_value, goal_index, words, reals, champion};
    const offer_lists lists = {offer_counts, offer_indices, offer_values, room};
    if (settles && first == 0u)
        goal = settle_before(island, step - 1u, list_of(lists, island, step - 1u), all, settings, shape,
                             (local uint *)pool);
#endif
    /* The first group may write the record at the same time if `settles` is 1. */
    if (!settles && has_run_ended(words, island)) {
        /* The run has ended: copies the old members. The first group also copies the elites. */
        const ulong from = first == 0u ? start : begin;
        copy_members(x, best, next_x, next_best, from, from, begin + count - from);
    } else if (settles || !is_drawing(shape, words, island, step)) {
#if ELITES
        if (!settles)
            goal = goal_index[island];
#endif
        here = context_of(settings, own_rates, wholes, table, shape.seed, island, shape.run_islands, shape.lead,
                          own.indices);
        here.step = step;
        here.index += 2u * first;
        here.x = x + start * ROW_WORDS;
        here.values = best + start;
        here.members = shape.members;
        here.first = first;
        here.children = own.children - 2u * first;
        /* FIRST_WORDS needs it only where a work-item has chosen its own pair. */
        const struct shoal_words chosen = choose_pairs(here, count, (local const real *)pool, pairs);
        (void)chosen;
        cross_line(here, (count + 1u) / 2u, (local const real *)pool, pairs, children, children);
        SYNC_CHILDREN();
        for (n = lid; n < count; n += WG) {
            real value;
            finish_child(here, n, FIRST_WORDS(chosen, n, pairs), pairs, children, children, (local uint *)pool + AT_SCRATCH);
            value = value_of(here, children, FIRST_CHILD + n);
            next_best[begin + n] = value;
            island_count_not_finite(words, island, isfinite(value) ? 0u : 1u);
#if BY_OFFERS
            /* This may be the best value of the step before the previous one; then more are offered than needed. */
            if (offers && value < goal_value[island])
                offer(list_of(lists, island, step), value, (uint)(begin - start) + n);
#endif
        }
        SYNC_CHILDREN();
        store_children(children, count, next_x + begin * ROW_WORDS);
#if ELITES
        if (first == 0u)
            copy_members(x, best, next_x, next_best, start + goal, start, 1u);
#endif
    }
}
