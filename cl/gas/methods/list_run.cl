/* Many steps by one neighbour list in one launch, for gases so small that a launch takes longer than a step.
 *
 * All positions are in local memory, twice: a step reads the positions after the previous step from one copy and
 * writes to the other copy. One work-group makes the steps.
 *
 * The launch makes no more steps once a particle has moved by more than half the skin since the build, and no step if
 * this has happened in an earlier launch or if the list has overflowed.
 */
#ifndef WG
#define WG 256
#endif
/* For the native version: number of work-groups. */
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
/* Number of positions in each of the two copies in local memory. */
#ifndef PARTICLES
#define PARTICLES 256
#endif
/* Local memory for the positions, in units of 8 bytes; 0 in a native version, which declares its own. */
#ifndef LOCAL
#define LOCAL 512
#endif
/* For the native version: number of entries of the short list of a work-item. */
#ifndef ENTRIES
#define ENTRIES 8
#endif
/* For the native version: 1: these entries have 32 bits; 0: they have 16. */
#ifndef WIDE_ENTRIES
#define WIDE_ENTRIES 0
#endif

#define PLACES                  local const PLACE *
#define LOAD_PLACE(position, i) load_held(position, i)

#include "gas/model/state.clh"

/* load_held and store_held: load_place and store_place for local memory. */
static inline struct place load_held(local const PLACE *held, uint i)
{
    return place_of(held[PLACE_PARTS * i], held[PLACE_PARTS * i + PLACE_PARTS - 1]);
}

static inline void store_held(local PLACE *held, uint i, struct place p)
{
    uint part;
    for (part = 0; part < PLACE_PARTS; part++)
        held[PLACE_PARTS * i + part] = place_part(p, part);
}

#include "gas/methods/list_step.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_run(__global PLACE *position, __global VECTOR *velocity, __global const uint *ids,
             __global int *image, __global EXCHANGE *exchange, __global uint *words,
             __global const real *settings, __global const ENTRY *list, __global const uint *counts,
             __global const PLACE *reference, real allowed2, struct gas_list_launch launch)
{
    /* held: the two copies of the positions; ends: whether a step was the last one, for even and odd steps */
    __local PLACE held[2 * PARTICLES * PLACE_PARTS];
    __local uint ends[2];
    __local wide scratch[WG];
    __local float farthest[WG];
    const uint n = launch.end, capacity = launch.capacity, age = launch.age;
    const uint lid = (uint)get_local_id(0), lane = lid % LANES;
    const uint built = words[WORD_BUILT];
#if SPECIES > 1
    struct pairs pair;
#else
    const struct pair pair = load_pair(settings);
#endif
    struct step s;
    int is_stopped = words[WORD_OVERFLOW] != 0 || words[WORD_FROZEN] != 0;
    uint done = 0, step, base, i;
    real farthest_square = R(0.0);
#if SPECIES > 1
    pair.settings = settings;
#endif
    begin_step(&s, velocity, ids, image, exchange, words, settings, reference, allowed2, age, 0);
    for (i = lid; i < n * PLACE_PARTS; i += WG)
        held[i] = position[i];
    for (i = lid; i < 2; i += WG)
        ends[i] = 0;
    /* Waits, since after the last step another work-item may write to a position in global memory than has read it
     * here. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (step = 0; step < launch.steps; step++) {
        PLACES now = held + step % 2 * (PARTICLES * PLACE_PARTS);
        local PLACE *next = held + (step + 1) % 2 * (PARTICLES * PLACE_PARTS);
        s.age = age + step + 1;
        s.is_last = s.age == launch.interval;
        s.stage.step = built + s.age;
        for (base = 0; base < PARTICLES; base += WG / LANES) {
            const uint mine = base + lid / LANES, place = min(mine, n - 1);
            const int is_mine = mine < n && !is_stopped;
            const struct place here = load_held(now, place);
            const struct list_row row = list_row(list, place, capacity, n);
            struct sums sums;
#if SPECIES > 1
            pair.own = LIST_KIND(counts[place]);
#endif
            sum_neighbours(&sums, now, place, here, row, lane, is_mine ? LIST_VALUE(counts[place]) : 0, &s.metric, &pair);
            join_vector(&sums.force, scratch);
            if (is_mine && lane == 0) {
                real square;
                const struct place there = move_from(&s, mine, here, load_vector(velocity, mine),
                                                     acceleration_by(&s, mine, sums.force), &square);
                store_held(next, mine, there);
                if (s.is_last)
                    farthest_square = fmax(farthest_square, square);
                if (is_too_far(&s, square)) {
                    report_displacement(&s, square);
                    ends[step % 2] = 1;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        done += !is_stopped;
        is_stopped |= ends[step % 2] != 0;
    }
    report_rate(&s, farthest_square, farthest); /* without effect if the rate is 0 */
    for (i = lid; i < n; i += WG)
        store_place(position, i, load_held(held + done % 2 * (PARTICLES * PLACE_PARTS), i));
    if (done > 0 && lid == 0) {
        words[WORD_STEP] = built + age + done;
        words[WORD_AGE] = age + done;
    }
}
