/* Sorts the best members of an island. */
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

/* Restores the heap order[0 .. count - 1] below `at`. The top of the heap is the member that ranks last. */
static void sift(const double *values, uint32_t *order, size_t at, size_t count)
{
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && leads(values, order[child], order[child + 1]))
            child++;
        if (!leads(values, order[at], order[child]))
            return;
        swap(order, at, child);
    }
}

/* The first `best` members form a heap, whose top is replaced by each better member. Then the heap is
 * sorted. */
void de_host_order(const double *values, size_t members, size_t best, uint32_t *order)
{
    for (size_t i = 0; i < members; i++)
        order[i] = (uint32_t)i;
    for (size_t at = best / 2; at-- > 0;)
        sift(values, order, at, best);
    for (size_t i = best; i < members; i++)
        if (leads(values, order[i], order[0])) {
            swap(order, i, 0);
            sift(values, order, 0, best);
        }
    for (size_t left = best; left-- > 1;) {
        swap(order, 0, left);
        sift(values, order, 0, left);
    }
}
