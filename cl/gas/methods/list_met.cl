/* A step by neighbour lists, as gas_list_step makes it, in a launch in which the devices that share a gas meet
 * (lib/link/meet.clh). Most work-groups compute forces while the devices wait for each other:
 * - The first work-groups meet. Each device says whether it skips the launch; that it says so means that its launch
 *   before is done. They copy the positions of the halo, and move no particles.
 * - Work-groups whose particles may have neighbours in the halo wait for MARK_ROWS before they compute forces.
 * - All wait for MARK_HEARD before they move particles or report anything. So no device changes positions that another
 *   device still copies, and all devices skip the same launches.
 *
 * The first work-groups wait for other devices only. The others wait for the first ones, which a device starts before
 * them, so they may fill the device while they wait. What devices report, but do not say here, is merged in later
 * meetings.
 *
 * The launch reads WORD_OVERFLOW and WORD_FROZEN, and writes them if the launch is skipped. Only work-group 0 says what
 * they hold, before it writes them. Others may read either value: they then leave out forces that nothing uses.
 */
#ifndef WG
#define WG 128
#endif
/* CUDA: minimum number of work-groups on a multiprocessor, which limits the registers of a work-item. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
#define RANGED 1
#define LOADS_FIRST 1

#include "gas/methods/list_move.clh"
#include "lib/link/meet.clh"

/* What a device says: why it skips the launch. SAYS_FROZEN: a particle has moved too far; SAYS_OVERFLOW: a list has
 * overflowed. */
enum { SAYS_FROZEN = 1, SAYS_OVERFLOW = 2 };

static inline uint what_to_say(__global const uint *words)
{
    return (words[WORD_FROZEN] != 0 ? SAYS_FROZEN : 0u) | (words[WORD_OVERFLOW] != 0 ? SAYS_OVERFLOW : 0u);
}

/* Notes what other devices say, for the next rebuild. A particle that moved too far did so in the step before. */
static inline void note_said(__global uint *words, uint said, uint age)
{
    if ((said & SAYS_FROZEN) != 0 && words[WORD_FROZEN] == 0)
        words[WORD_FROZEN] = age - 1;
    if ((said & SAYS_OVERFLOW) != 0 && words[WORD_OVERFLOW] == 0)
        words[WORD_OVERFLOW] = LIST_HELD;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_met_step(__global const PLACE *position, __global PLACE *position_out, __global VECTOR *velocity,
                  __global const uint *ids, __global int *image, __global EXCHANGE *exchange, __global uint *words,
                  __global const real *settings, __global const ENTRY *list, __global const uint *counts,
                  __global const PLACE *reference, real allowed2, struct gas_list_launch launch,
                  __global const uint *source0 /* or NULL */, __global const uint *source1 /* or NULL */,
                  __global const uint *source2 /* or NULL */, __global const uint *source3 /* or NULL */,
                  __global const uint *source4 /* or NULL */, __global const uint *source5 /* or NULL */,
                  __global const uint *source6 /* or NULL */, __global uint *target /* or NULL */, __global uint *mark,
                  __global const uint *peer0 /* or NULL */, __global const uint *peer1 /* or NULL */,
                  __global const uint *peer2 /* or NULL */, __global const uint *peer3 /* or NULL */,
                  __global const uint *peer4 /* or NULL */, __global const uint *peer5 /* or NULL */,
                  __global const uint *peer6 /* or NULL */, struct gather_list meeting)
{
    __local uint said;
    __local wide scratch[WG];
    __local float farthest[WG];
    const struct meet_buffers buffers = MEET_BUFFERS;
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint meeting_groups = 1 + meeting.copies * meeting.groups, number = meeting.number * MARK_SAYS;
    const uint item = (group - meeting_groups) * WG + lid, end = launch.end, capacity = launch.capacity;
    const uint first = launch.begin + (group - meeting_groups) * (WG / LANES);
    const uint i = group < meeting_groups ? end : first + lid / LANES, place = min(i, end - 1), count = counts[place];
    const uint age = launch.age + 1, is_last = age == launch.interval;
    __global const uint *heard = mark + MARK_HEARD + group % MARK_COPIES * MARK_LINE;
    uint last = 0;
#if SPECIES > 1
    struct pairs pair;
#else
    const struct pair pair = load_pair(settings);
#endif
    struct one_step one;
    struct sums sums;
    real square = R(0.0);
    if (group < meeting_groups) {
        const uint all = meet(buffers, meeting, what_to_say(words), &said);
        meet_end(mark, meeting, all);
        if (group == 0 && lid == 0)
            note_said(words, all, age);
    } else if (first < launch.inner_begin || first + WG / LANES > launch.inner_end) {
        /* The work-item that has seen the count has a fence, which orders its load before the barrier. On CUDA devices,
         * which alone meet so, the barrier extends this to the other work-items of the work-group. */
        if (lid == 0) {
            gather_wait(mark + MARK_ROWS, meeting.rows, mark + MARK_STOP);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    begin_step(&one.step, velocity, ids, image, exchange, words, settings, reference, allowed2, age, is_last);
    one.position = position;
    one.position_out = position_out;
    one.is_stopped = IS_STOPPED(words, age);
#if SPECIES > 1
    pair.settings = settings;
    pair.own = LIST_KIND(count);
#endif
    sum_neighbours(&sums, position, place, load_place(position, place),
                   list_row(list, place, capacity, launch.particles), lid % LANES,
                   i < end && !one.is_stopped ? LIST_VALUE(count) : 0, &one.step.metric, &pair);
    join_vector(&sums.force, scratch);
    /* Not before forces are computed: a load of this word at the start makes the launch slower by a fifth on H200. */
    if (i < end)
        last = gather_wait(heard, number, mark + MARK_STOP);
    one.is_stopped = last % MARK_SAYS != 0;
    if (i < end && lid % LANES == 0)
        square = move_by_force(&one, i, sums.force);
    if (i < end && item == 0)
        count_step(&one);
    if (is_last)
        report_rate(&one.step, square, farthest);
}
