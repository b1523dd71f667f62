/* One launch makes a generation of populations in global memory, from the selection to the values. Operators and objective
 * are the same as for islands on the chip. What a group does is in ga/fused/groups.clh. */
#include "ga/fused/groups.clh"

#if SETTLES
/* Returns the least of `count` values, and the first index with this value. Values are finite or +infinity. */
static INLINE struct minimum best_of(__global const real *values, uint count)
{
    struct minimum best;
    real least[VECTOR];
    uint first, j;
    for (j = 0u; j < VECTOR; j++)
        least[j] = (real)INFINITY;
    for (first = 0u; first + VECTOR <= count; first += VECTOR)
        for (j = 0u; j < VECTOR; j++)
            least[j] = values[first + j] < least[j] ? values[first + j] : least[j];
    best.value = (real)INFINITY;
    for (j = 0u; j < VECTOR; j++)
        best.value = min(best.value, least[j]);
    for (; first < count; first++)
        best.value = min(best.value, values[first]);
    best.index = 0u;
    while (best.index + 1u < count && values[best.index] != best.value)
        best.index++;
    return best;
}

/* Ends step `step` of an island. The island does not restart, and its run does not end, in this step. best: values of
 * the island's members. */
static INLINE void settle_before(uint island, uint step, __global const real *best, __global real *goal_value,
                                 __global uint *goal_index, __global const real *x, __global uint *words,
                                 __global real *reals, __global real *champion, __global const real *settings,
                                 struct search_shape shape)
{
    struct search_settle launch;
    launch.step = step;
    launch.tasks = FIND_BEST | UPDATE_BEST_EVER | FINISH_STEP;
    launch.count = shape.members;
    launch.is_known = 0u;
    settle_island(best_of(best, shape.members), island, reals[(ulong)island * ISLAND_REALS + ISLAND_CHAMPION], 0, goal_value,
                  goal_index, x, words, reals, champion, settings, shape, launch);
}
#endif

/* Sets what the group whose first pair is `first` needs of its island. values: of the island's members. */
static INLINE void enter_group(context *here, uint step, uint first, __global const real *values, uint members,
                               uint children)
{
    here->step = step;
    here->index += 2u * first;
    here->values = values;
    here->members = members;
    here->first = first;
    here->children = children - 2u * first;
}

/* Makes a generation. An island has neighbouring work-groups, each of which makes PAIRS pairs. rates: see RATE_TABLES.
 * goal_value, goal_index: value and index of the best member of each island. settles: 1: this launch first ends the
 * previous step, in which no island restarts and no run ends. offers: 1: the next launch ends this step, by lists that
 * have room for `room` offers. */
SHOAL_STARTS_EARLY(ga_fused)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_fused(__global const real *restrict x, __global const real *restrict best, __global real *restrict next_x,
              __global real *restrict next_best, __global real *restrict goal_value, __global uint *restrict goal_index,
              __global uint *restrict words, __global real *restrict reals, __global real *restrict champion,
              __global const real *restrict settings, __global const uint *restrict rates,
              __global uint *restrict offer_counts /* or NULL */, __global uint *restrict offer_indices /* or NULL */,
              __global real *restrict offer_values /* or NULL */, struct search_shape shape, struct ga_shape own, uint step,
              uint settles, uint offers, uint room)
{
    __local group_memory memory;
    const uint groups = ((own.children + 1u) / 2u + PAIRS - 1u) / PAIRS;
    const uint group = (uint)get_group_id(0), island = quotient(group, groups);
    const uint first = (group - island * groups) * PAIRS;
    const ulong start = (ulong)island * shape.members, begin = start + ELITES + 2u * first;
    group_task task;
#if ELITES
    uint goal = 0u;
#endif
    SHOAL_AFTER_LAUNCH();
    task.count = min(2u * (uint)PAIRS, own.children - 2u * first);
#if BY_OFFERS
    const all_islands all = {x, best, goal_value, goal_index, words, reals, champion};
    const offer_lists lists = {offer_counts, offer_indices, offer_values, room};
    if (settles && first == 0u)
        goal = settle_before(island, step - 1u, list_of(lists, island, step - 1u), all, settings, shape,
                             (local uint *)&memory);
    task.offers.list = list_of(lists, island, step);
    task.offers.first = ELITES + 2u * first;
#elif SETTLES
    if (settles && first == 0u)
        settle_before(island, step - 1u, best + start, goal_value, goal_index, x, words, reals, champion, settings, shape);
#endif
    /* Other groups may write the record at the same time if `settles` is 1. */
    if (!settles && has_run_ended(words, island)) {
        /* The run has ended: copies the old members; the first group also copies the elites. */
        const ulong from = first == 0u ? start : begin;
        copy_members(x, best, next_x, next_best, from, from, begin + task.count - from);
    } else if (settles || !is_drawing(shape, words, island, step)) {
        context here;
#if ELITES
        if (!settles || SETTLES)
            goal = goal_index[island];
#endif
        /* This may be the best value of the step before the previous one; then there are more offers than needed. */
        task.offers.bound = BY_OFFERS && offers ? goal_value[island] : -(real)INFINITY;
        task.x = x + start * LINE;
        task.settings = settings;
        task.rates = rates + (own.has_rate_list ? number_in_run(shape, island) * RATE_WORDS(DIM) : 0u);
        task.next_x = next_x + begin * LINE;
        task.next_values = next_best + begin;
        here = context_of(settings, task.rates, shape.seed, island, shape.run_islands, shape.lead, own.indices);
        enter_group(&here, step, first, best + start, shape.members, own.children);
        island_count_not_finite(words, island, make_group(here, task, &memory));
#if ELITES
        if (first == 0u)
            copy_members(x, best, next_x, next_best, start + goal, start, 1u);
#endif
    }
    (void)goal_index;
    (void)reals;
    (void)champion;
    (void)offer_counts;
    (void)offer_indices;
    (void)offer_values;
    (void)room;
}
