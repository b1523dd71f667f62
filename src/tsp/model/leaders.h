/* Private: sets of numbers that are joined. Each number leads to another one of its set, the leader of a set
 * to itself. */
#ifndef SHOAL_TSP_LEADERS_H
#define SHOAL_TSP_LEADERS_H

#include <stdint.h>

/* The leader of the set of `number`; shortens what leads there. */
static inline uint32_t tsp_leader(uint32_t *leaders, uint32_t number)
{
    while (leaders[number] != number)
        number = leaders[number] = leaders[leaders[number]];
    return number;
}

/* The same for several threads at a time: changes nothing. */
static inline uint32_t tsp_leader_seen(const uint32_t *leaders, uint32_t number)
{
    while (leaders[number] != number)
        number = leaders[number];
    return number;
}

#endif
