/* Sorts the best members of an island, and finds the worst. */
#include "de/host/host.h"

#include <math.h>

static bool leads(const double *values, uint32_t a, uint32_t b)
{
    return values[a] < values[b] || (values[a] == values[b] && a < b) ||
           (isnan(values[b]) && !isnan(values[a]));
}

static void swap(uint32_t *order, size_t a, size_t b)
{
    const uint32_t other = order[a];
    order[a] = order[b];
    order[b] = other;
}

/* Whether member a is nearer to the top of a heap than member b. is_last: the top is the member that ranks
 * last of the heap, else the one that ranks first. */
static bool is_above(const double *values, uint32_t a, uint32_t b, bool is_last)
{
    return is_last ? leads(values, b, a) : leads(values, a, b);
}

/* Restores the heap order[0 .. count - 1] below `at`. */
static inline void sift(const double *values, uint32_t *order, size_t at, size_t count, bool is_last)
{
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && is_above(values, order[child + 1], order[child], is_last))
            child++;
        if (!is_above(values, order[child], order[at], is_last))
            return;
        swap(order, at, child);
    }
}

/* Writes the numbers of `members` members to `order`, as a heap of `chosen` members, the best if is_last,
 * else the worst, before the others: the top of the heap is replaced by each member that is further from it
 * than the others of the heap. */
static inline void choose(const double *values, size_t members, size_t chosen, uint32_t *order, bool is_last)
{
    for (size_t i = 0; i < members; i++)
        order[i] = (uint32_t)i;
    for (size_t at = chosen / 2; at-- > 0;)
        sift(values, order, at, chosen, is_last);
    for (size_t i = chosen; i < members; i++)
        if (is_above(values, order[0], order[i], is_last)) {
            swap(order, i, 0);
            sift(values, order, 0, chosen, is_last);
        }
}

void de_host_order(const double *values, size_t members, size_t best, uint32_t *order)
{
    choose(values, members, best, order, true);
    for (size_t left = best; left-- > 1;) {
        swap(order, 0, left);
        sift(values, order, 0, left, true);
    }
}

void de_host_choose_worst(const double *values, size_t members, size_t worst, uint32_t *order)
{
    choose(values, members, worst, order, false);
}
