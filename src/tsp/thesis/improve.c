/* The 2-opt of the thesis. It improves a path through a piece whose first and last cities are fixed, by best
 * improvement with don't-look bits. */
#include "tsp/thesis/thesis.h"

#include <string.h>

/* Returns the index in path->cities of the city at position p of the path. */
static inline uint32_t place(const struct thesis_path *path, uint32_t p)
{
    const uint32_t n = path->count;
    const uint32_t at = path->is_backward ? path->first + n - p : path->first + p;
    return at >= n ? at - n : at;
}

static inline int64_t distance(const void *distances, bool is_wide, size_t i)
{
    return is_wide ? ((const int64_t *)distances)[i] : ((const int32_t *)distances)[i];
}

void thesis_find_ends(struct thesis_path *path)
{
    const uint32_t n = path->count;
    uint32_t at = 0;
    while (path->cities[at])
        at++;
    path->first = at;
    path->is_backward = path->cities[at + 1 < n ? at + 1 : 0] == n - 1;
}

void thesis_rewind(struct thesis_path *path)
{
    uint8_t turned[THESIS_MOST_PIECE];
    for (uint32_t p = 0; p < path->count; p++)
        turned[p] = path->cities[place(path, p)];
    memcpy(path->cities, turned, path->count);
    path->first = 0;
    path->is_backward = false;
}

int64_t thesis_path_length(const struct thesis_path *path)
{
    int64_t length = 0;
    uint32_t before = path->cities[place(path, 0)];
    for (uint32_t p = 1; p < path->count; p++) {
        const uint32_t city = path->cities[place(path, p)];
        length += distance(path->distances, path->is_wide, (size_t)before * path->count + city);
        before = city;
    }
    return length;
}

/* Data of a pass over the pairs of edges of a path; arrays are indexed by position on the path. */
struct pass {
    uint8_t cities[THESIS_MOST_PIECE];
    int64_t edges[THESIS_MOST_PIECE]; /* [p]: length of the edge from position p to p + 1 */
    /* [p]: at least one end of the edge from position p to p + 1 has no don't-look bit */
    bool looks[THESIS_MOST_PIECE];
    /* the positions p for which looks[p] is set, ascending, and their number */
    uint32_t looking[THESIS_MOST_PIECE], looking_count;
    /* [p]: the city at position p is an end of an edge in a pair that improves the path */
    bool improves[THESIS_MOST_PIECE];
    uint32_t p, q; /* positions at which the two edges of the best pair begin, p < q */
    /* change of the length that the best pair makes, below 0; 0: no pair improves the path */
    int64_t gain;
};

static inline void examine(struct pass *pass, const void *distances, bool is_wide, uint32_t n, uint32_t p,
                           uint32_t q)
{
    const size_t from = (size_t)pass->cities[p] * n, next = (size_t)pass->cities[p + 1] * n;
    const int64_t change = distance(distances, is_wide, from + pass->cities[q]) +
                           distance(distances, is_wide, next + pass->cities[q + 1]) - pass->edges[p] -
                           pass->edges[q];
    if (change >= 0)
        return;
    pass->improves[p] = pass->improves[p + 1] = pass->improves[q] = pass->improves[q + 1] = true;
    if (change < pass->gain) {
        pass->gain = change;
        pass->p = p;
        pass->q = q;
    }
}

/* Examines the pairs of edges without a common city of which at least one edge is to be looked at, in
 * ascending order of p, then of q. */
static inline void examine_all(struct pass *pass, const void *distances, bool is_wide, uint32_t n)
{
    uint32_t next = 0; /* index in `looking` of the first position above p + 1 */
    for (uint32_t p = 0; p + 3 < n; p++) {
        while (next < pass->looking_count && pass->looking[next] < p + 2)
            next++;
        if (pass->looks[p])
            for (uint32_t q = p + 2; q + 1 < n; q++)
                examine(pass, distances, is_wide, n, p, q);
        else
            for (uint32_t i = next; i < pass->looking_count; i++)
                examine(pass, distances, is_wide, n, p, pass->looking[i]);
    }
}

/* Replaces the edges that begin at positions p and q of the path by two others: reverses the cities at
 * positions p + 1 to q. */
static void apply(const struct thesis_path *path, uint32_t p, uint32_t q)
{
    for (uint32_t low = p + 1, high = q; low < high; low++, high--) {
        uint8_t *a = &path->cities[place(path, low)], *b = &path->cities[place(path, high)];
        const uint8_t city = *a;
        *a = *b;
        *b = city;
    }
}

static inline void improve(const struct thesis_path *path, uint32_t passes, bool is_wide)
{
    const uint32_t n = path->count;
    bool rests[THESIS_MOST_PIECE] = {false}; /* [city]: don't-look bits of the cities */
    for (uint32_t done = 0; done < passes; done++) {
        struct pass pass = {.gain = 0};
        for (uint32_t p = 0; p < n; p++)
            pass.cities[p] = path->cities[place(path, p)];
        for (uint32_t p = 0; p + 1 < n; p++) {
            pass.edges[p] =
                distance(path->distances, is_wide, (size_t)pass.cities[p] * n + pass.cities[p + 1]);
            pass.looks[p] = !rests[pass.cities[p]] || !rests[pass.cities[p + 1]];
            pass.looking[pass.looking_count] = p;
            pass.looking_count += pass.looks[p];
        }
        examine_all(&pass, path->distances, is_wide, n);
        if (!pass.gain)
            return;
        for (uint32_t p = 0; p < n; p++)
            rests[pass.cities[p]] |= !pass.improves[p];
        rests[pass.cities[pass.p]] = rests[pass.cities[pass.p + 1]] = false;
        rests[pass.cities[pass.q]] = rests[pass.cities[pass.q + 1]] = false;
        apply(path, pass.p, pass.q);
    }
}

void thesis_improve(const struct thesis_path *path, uint32_t passes)
{
    if (path->is_wide)
        improve(path, passes, true);
    else
        improve(path, passes, false);
}
