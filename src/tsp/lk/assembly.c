/* Edge assembly crossover.
 *
 * Edges that only one of two tours has form cycles in which edges of both tours alternate. To apply a cycle
 * to the tour, the tour's edges of the cycle are replaced by those of the other tour. Every city keeps two
 * edges, but the tour may fall apart into several closed tours. The smallest of these is then joined to
 * another one by the cheapest exchange of two edges, one of which leads to a candidate, until one is left.
 * The cycle is undone if the tour is not shorter in the end. */
#include "tsp/lk/assembly.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { TOUR, OTHER }; /* index of `only` and `step` */

double lk_assembly_bytes(const struct lk *lk)
{
    return (double)lk->n * (13 * sizeof(uint32_t) + 2 * sizeof(struct lk_only) + sizeof(struct lk_segment));
}

enum shoal_status lk_assembly_create(struct lk_assembly *assembly, const struct lk *lk,
                                     struct shoal_error *error)
{
    const size_t n = lk->n, word = sizeof(uint32_t);
    assembly->lk = lk;
    assembly->place = malloc(n * word);
    assembly->other = malloc(n * word);
    assembly->only[TOUR] = malloc(n * sizeof(struct lk_only));
    assembly->only[OTHER] = malloc(n * sizeof(struct lk_only));
    assembly->begins = malloc(n * word);
    assembly->path = malloc((2 * n + 1) * word);
    assembly->step = malloc(n * sizeof *assembly->step);
    assembly->cycles = malloc(2 * n * word);
    assembly->cycle_begins = malloc((n + 1) * word);
    assembly->segments = malloc(n * sizeof *assembly->segments);
    assembly->sorted = malloc(n * word);
    assembly->sizes = malloc(n * word);
    const bool has_all = assembly->place && assembly->other && assembly->only[TOUR] &&
                         assembly->only[OTHER] && assembly->begins && assembly->path && assembly->step &&
                         assembly->cycles && assembly->cycle_begins && assembly->segments &&
                         assembly->sorted && assembly->sizes;
    return has_all ? SHOAL_OK : fail_host_memory(error);
}

void lk_assembly_destroy(struct lk_assembly *assembly)
{
    free(assembly->place);
    free(assembly->other);
    free(assembly->only[TOUR]);
    free(assembly->only[OTHER]);
    free(assembly->begins);
    free(assembly->path);
    free(assembly->step);
    free(assembly->cycles);
    free(assembly->cycle_begins);
    free(assembly->segments);
    free(assembly->sorted);
    free(assembly->sizes);
}

/* A random number below n. */
static uint32_t draw_below(struct lk_assembly *assembly, uint32_t n)
{
    if (assembly->used == 4) {
        assembly->words = shoal_random_words(assembly->lk->seed, SHOAL_STREAM_TSP_IMPROVE,
                                             assembly->step_number, assembly->index, assembly->draw++);
        assembly->used = 0;
    }
    const uint32_t words[] = {assembly->words.x, assembly->words.y, assembly->words.z, assembly->words.w};
    return (uint32_t)((uint64_t)words[assembly->used++] * n >> 32);
}

/* Cycles ------------------------------------------------------------------------------------------------- */

static bool are_next(uint32_t n, uint32_t a, uint32_t b)
{
    const uint32_t apart = a < b ? b - a : a - b;
    return apart == 1 || apart == n - 1;
}

static void add_only(struct lk_only *only, uint32_t a, uint32_t b)
{
    only[a].city[only[a].count++] = b;
    only[b].city[only[b].count++] = a;
}

/* Removes the edge from a city to another one. */
static void remove_only(struct lk_only *only, uint32_t city, uint32_t to)
{
    if (only[city].city[0] == to)
        only[city].city[0] = only[city].city[1];
    only[city].count--;
}

/* Finds the edges that only one of the tours has; returns the number of cities that have such edges. */
static uint32_t find_only(struct lk_assembly *assembly, const uint32_t *other)
{
    const uint32_t n = assembly->lk->n, *order = assembly->order;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        assembly->place[order[i]] = i;
        assembly->other[other[i]] = i;
        assembly->only[TOUR][i].count = assembly->only[OTHER][i].count = 0;
        assembly->step[i][TOUR] = assembly->step[i][OTHER] = SHOAL_TSP_NONE;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = i + 1 < n ? i + 1 : 0;
        if (!are_next(n, assembly->other[order[i]], assembly->other[order[next]]))
            add_only(assembly->only[TOUR], order[i], order[next]);
        if (!are_next(n, assembly->place[other[i]], assembly->place[other[next]]))
            add_only(assembly->only[OTHER], other[i], other[next]);
    }
    for (uint32_t i = 0; i < n; i++)
        if (assembly->only[TOUR][i].count)
            assembly->begins[count++] = i;
    return count;
}

/* Stores the cities of the walk from index `begin` to `end` - 1 as a cycle that begins with an edge of the
 * tour. */
static void store_cycle(struct lk_assembly *assembly, uint32_t begin, uint32_t end)
{
    const uint32_t count = end - begin, skipped = begin % 2;
    uint32_t *cities = assembly->cycles + assembly->cycle_begins[assembly->cycle_count];
    for (uint32_t i = 0; i < count; i++)
        cities[i] = assembly->path[begin + (i + skipped < count ? i + skipped : 0)];
    assembly->cycle_begins[assembly->cycle_count + 1] = assembly->cycle_begins[assembly->cycle_count] + count;
    assembly->cycle_count++;
}

/* Walks from a city over edges that are drawn, of the tour and of the other tour in turn, and stores each
 * cycle, whose edges leave the walk, until the walk is back at its begin. */
static void walk(struct lk_assembly *assembly, uint32_t city)
{
    uint32_t i = 0;
    assembly->path[0] = city;
    assembly->step[city][TOUR] = 0;
    do {
        struct lk_only *only = assembly->only[i % 2];
        const uint32_t edge = only[city].count > 1 ? draw_below(assembly, 2) : 0,
                       next = only[city].city[edge];
        remove_only(only, city, next);
        remove_only(only, next, city);
        city = assembly->path[++i] = next;
        const uint32_t before = assembly->step[city][i % 2];
        if (before == SHOAL_TSP_NONE) {
            assembly->step[city][i % 2] = i;
            continue;
        }
        store_cycle(assembly, before, i);
        while (--i > before)
            assembly->step[assembly->path[i]][i % 2] = SHOAL_TSP_NONE;
    } while (i > 0);
    assembly->step[city][TOUR] = SHOAL_TSP_NONE;
}

static void find_cycles(struct lk_assembly *assembly, const uint32_t *other)
{
    const uint32_t count = find_only(assembly, other);
    assembly->cycle_count = assembly->cycle_begins[0] = 0;
    for (uint32_t i = count; i > 0; i--) {
        const uint32_t drawn = draw_below(assembly, i), city = assembly->begins[drawn];
        assembly->begins[drawn] = assembly->begins[i - 1];
        while (assembly->only[TOUR][city].count)
            walk(assembly, city);
    }
}

/* Segments -----------------------------------------------------------------------------------------------
 */

static uint32_t offset_of(const struct lk_assembly *assembly, uint32_t city)
{
    const uint32_t place = assembly->place[city];
    return place >= assembly->origin ? place - assembly->origin : place + assembly->lk->n - assembly->origin;
}

static uint32_t city_at(const struct lk_assembly *assembly, uint32_t offset)
{
    const uint32_t place = assembly->origin + offset;
    return assembly->order[place < assembly->lk->n ? place : place - assembly->lk->n];
}

/* The city at an end of a segment: 2 * segment + end. */
static uint32_t city_of_end(const struct lk_assembly *assembly, uint32_t end)
{
    const struct lk_segment *segment = &assembly->segments[end / 2];
    return city_at(assembly, end % 2 ? segment->high : segment->low);
}

/* Returns the index in `sorted` of the segment that has an offset. */
static uint32_t find_segment(const struct lk_assembly *assembly, uint32_t offset)
{
    uint32_t low = 0, high = assembly->segment_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (assembly->segments[assembly->sorted[middle]].low <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct lk_segment *segment_of(const struct lk_assembly *assembly, uint32_t offset)
{
    return &assembly->segments[assembly->sorted[find_segment(assembly, offset)]];
}

static void join_ends(struct lk_assembly *assembly, uint32_t a, uint32_t b)
{
    assembly->segments[a / 2].link[a % 2] = b;
    assembly->segments[b / 2].link[b % 2] = a;
}

/* The neighbour of the city at an offset, towards the low or the high end of its segment. */
static uint32_t neighbour_of(const struct lk_assembly *assembly, const struct lk_segment *segment,
                             uint32_t offset, uint32_t end)
{
    if (offset != (end ? segment->high : segment->low))
        return city_at(assembly, end ? offset + 1 : offset - 1);
    return city_of_end(assembly, segment->link[end]);
}

/* Removes the edge of the city at an offset towards an end of its segment. ends: the two ends that it joined,
 * that of this city first. */
static void remove_edge(struct lk_assembly *assembly, uint32_t offset, uint32_t end, uint32_t ends[2])
{
    const uint32_t index = find_segment(assembly, offset), number = assembly->sorted[index],
                   added = assembly->segment_count;
    struct lk_segment *segment = &assembly->segments[number];
    if (offset == (end ? segment->high : segment->low)) {
        ends[0] = 2 * number + end;
        ends[1] = segment->link[end];
        return;
    }
    /* The segment keeps the lower part. */
    struct lk_segment *upper = &assembly->segments[added];
    *upper = *segment;
    segment->high = end ? offset : offset - 1;
    upper->low = segment->high + 1;
    assembly->segment_count++;
    memmove(assembly->sorted + index + 2, assembly->sorted + index + 1,
            (added - index - 1) * sizeof *assembly->sorted);
    assembly->sorted[index + 1] = added;
    join_ends(assembly, 2 * added + 1, upper->link[1]);
    ends[0] = end ? 2 * number + 1 : 2 * added;
    ends[1] = end ? 2 * added : 2 * number + 1;
}

/* Application of a cycle ----------------------------------------------------------------------------------
 */

static int compare_places(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The decrease of the length by the edges of a cycle; 0: the tour has lost edges of the cycle, or has got
 * some, by another cycle. */
static int64_t gain_of(const struct lk_assembly *assembly, const uint32_t *cities, uint32_t count)
{
    const struct tsp_problem *problem = assembly->lk->problem;
    const uint32_t n = assembly->lk->n, *place = assembly->place;
    int64_t gain = 0;
    for (uint32_t i = 0; i < count; i += 2) {
        const uint32_t a = cities[i], b = cities[i + 1], c = cities[i + 2 < count ? i + 2 : 0];
        if (!are_next(n, place[a], place[b]) || are_next(n, place[b], place[c]))
            return 0;
        gain += tsp_distance(problem, a, b) - tsp_distance(problem, b, c);
    }
    return gain;
}

/* Removes the tour's edges of a cycle from the tour, which leaves segments. */
static void set_segments(struct lk_assembly *assembly, const uint32_t *cities, uint32_t count)
{
    const uint32_t n = assembly->lk->n, segments = count / 2;
    uint32_t *ends = assembly->sorted; /* places before the removed edges */
    for (uint32_t i = 0; i < segments; i++) {
        const uint32_t a = assembly->place[cities[2 * i]], b = assembly->place[cities[2 * i + 1]];
        ends[i] = (a + 1 < n ? a + 1 : 0) == b ? a : b;
    }
    qsort(ends, segments, sizeof *ends, compare_places);
    const uint32_t origin = ends[0] + 1 < n ? ends[0] + 1 : 0;
    for (uint32_t i = 0; i < segments; i++)
        assembly->segments[i] = (struct lk_segment){
            .low = i ? ends[i] - ends[0] : 0,
            .high = i + 1 < segments ? ends[i + 1] - ends[0] - 1 : n - 1,
            .link = {SHOAL_TSP_NONE, SHOAL_TSP_NONE},
            .tour = SHOAL_TSP_NONE,
        };
    for (uint32_t i = 0; i < segments; i++)
        assembly->sorted[i] = i;
    assembly->segment_count = segments;
    assembly->origin = origin;
}

/* The end of a segment at which a city has lost an edge and got no other one yet. */
static uint32_t free_end(const struct lk_assembly *assembly, uint32_t city)
{
    const uint32_t offset = offset_of(assembly, city),
                   number = assembly->sorted[find_segment(assembly, offset)];
    const struct lk_segment *segment = &assembly->segments[number];
    const bool is_low = offset == segment->low && segment->link[0] == SHOAL_TSP_NONE;
    return 2 * number + !is_low;
}

/* Adds the other tour's edges of a cycle. */
static void link_segments(struct lk_assembly *assembly, const uint32_t *cities, uint32_t count)
{
    for (uint32_t i = 1; i < count; i += 2) {
        const uint32_t a = free_end(assembly, cities[i]),
                       b = free_end(assembly, cities[i + 1 < count ? i + 1 : 0]);
        join_ends(assembly, a, b);
    }
}

/* Numbers the closed tours; returns their number. */
static uint32_t number_tours(struct lk_assembly *assembly)
{
    uint32_t tours = 0;
    for (uint32_t first = 0; first < assembly->segment_count; first++) {
        if (assembly->segments[first].tour != SHOAL_TSP_NONE)
            continue;
        uint32_t cities = 0, end = 2 * first; /* the walk enters here */
        do {
            struct lk_segment *segment = &assembly->segments[end / 2];
            segment->tour = tours;
            cities += segment->high - segment->low + 1;
            end = segment->link[1 - end % 2];
        } while (end / 2 != first);
        assembly->sizes[tours++] = cities;
    }
    return tours;
}

/* An exchange of two edges that joins two closed tours: of the edge from offset `a` towards an end of its
 * segment, and that from offset `b`. */
struct seam {
    uint32_t a, b, end_a, end_b;
    int64_t gain;
};

/* Tries all exchanges that join the city at an offset to its candidates in other closed tours. */
static void try_city(const struct lk_assembly *assembly, const struct lk_segment *segment, uint32_t offset,
                     struct seam *best)
{
    const struct lk *lk = assembly->lk;
    const struct tsp_problem *problem = lk->problem;
    const uint32_t a = city_at(assembly, offset), *list = lk->lists + (size_t)a * lk->k;
    uint32_t next[2];
    int64_t legs[2];
    for (uint32_t end = 0; end < 2; end++) {
        next[end] = neighbour_of(assembly, segment, offset, end);
        legs[end] = tsp_distance(problem, a, next[end]);
    }
    for (uint32_t j = 0; j < lk->k && list[j] != SHOAL_TSP_NONE; j++) {
        const uint32_t b = list[j], to = offset_of(assembly, b);
        const struct lk_segment *other = segment_of(assembly, to);
        if (other->tour == segment->tour)
            continue;
        const int64_t distance = tsp_distance(problem, a, b);
        for (uint32_t ends = 0; ends < 4; ends++) {
            const uint32_t c = next[ends & 1], d = neighbour_of(assembly, other, to, ends >> 1);
            const int64_t gain =
                legs[ends & 1] + tsp_distance(problem, b, d) - distance - tsp_distance(problem, c, d);
            if (gain > best->gain && !tsp_form_fixes(&problem->form, a, c) &&
                !tsp_form_fixes(&problem->form, b, d))
                *best = (struct seam){offset, to, ends & 1, ends >> 1, gain};
        }
    }
}

/* Joins the smallest closed tour to another one, unless the length would decrease by no more than `least`.
 * Returns whether it was joined; *gain receives the decrease. */
static bool join_smallest(struct lk_assembly *assembly, uint32_t tours, int64_t least, int64_t *gain)
{
    uint32_t smallest = SHOAL_TSP_NONE, ends[2], others[2];
    for (uint32_t t = 0; t < tours; t++)
        if (assembly->sizes[t] &&
            (smallest == SHOAL_TSP_NONE || assembly->sizes[t] < assembly->sizes[smallest]))
            smallest = t;
    struct seam best = {.gain = least};
    for (uint32_t s = 0; s < assembly->segment_count; s++) {
        const struct lk_segment *segment = &assembly->segments[s];
        for (uint32_t i = segment->low; segment->tour == smallest && i <= segment->high; i++)
            try_city(assembly, segment, i, &best);
    }
    *gain = best.gain;
    if (best.gain <= least)
        return false;
    const uint32_t tour = segment_of(assembly, best.b)->tour;
    remove_edge(assembly, best.a, best.end_a, ends);
    remove_edge(assembly, best.b, best.end_b, others);
    join_ends(assembly, ends[0], others[0]);
    join_ends(assembly, ends[1], others[1]);
    for (uint32_t s = 0; s < assembly->segment_count; s++)
        if (assembly->segments[s].tour == smallest)
            assembly->segments[s].tour = tour;
    assembly->sizes[tour] += assembly->sizes[smallest];
    assembly->sizes[smallest] = 0;
    return true;
}

/* Writes the tour that the segments form. The longest segment stays where it is. */
static void write_tour(struct lk_assembly *assembly)
{
    const uint32_t n = assembly->lk->n;
    uint32_t *written = assembly->other, count = 0, longest = 0;
    for (uint32_t s = 1; s < assembly->segment_count; s++) {
        const struct lk_segment *a = &assembly->segments[s], *b = &assembly->segments[longest];
        if (a->high - a->low > b->high - b->low)
            longest = s;
    }
    const struct lk_segment *kept = &assembly->segments[longest];
    for (uint32_t end = kept->link[1]; end / 2 != longest;) {
        const struct lk_segment *segment = &assembly->segments[end / 2];
        for (uint32_t i = segment->low; end % 2 == 0 && i <= segment->high; i++)
            written[count++] = city_at(assembly, i);
        for (uint32_t i = segment->high + 1; end % 2 == 1 && i > segment->low; i--)
            written[count++] = city_at(assembly, i - 1);
        end = segment->link[1 - end % 2];
    }
    uint32_t place = (uint32_t)(((uint64_t)assembly->origin + kept->high + 1) % n);
    for (uint32_t i = 0; i < count; i++) {
        assembly->order[place] = written[i];
        assembly->place[written[i]] = place;
        place = place + 1 < n ? place + 1 : 0;
    }
}

/* Applies a cycle if that shortens the tour; returns the decrease of the length. */
static int64_t apply(struct lk_assembly *assembly, const uint32_t *cities, uint32_t count)
{
    int64_t gain = gain_of(assembly, cities, count), more;
    if (gain <= 0)
        return 0;
    set_segments(assembly, cities, count);
    link_segments(assembly, cities, count);
    const uint32_t tours = number_tours(assembly);
    for (uint32_t left = tours; left > 1; left--) {
        if (!join_smallest(assembly, tours, -gain, &more))
            return 0;
        gain += more;
    }
    write_tour(assembly);
    return gain;
}

int64_t lk_assemble(struct lk_assembly *assembly, uint32_t *order, const uint32_t *other, uint32_t step,
                    uint32_t index)
{
    int64_t gain = 0;
    assembly->order = order;
    assembly->step_number = step;
    assembly->index = index;
    assembly->draw = 0;
    assembly->used = 4;
    find_cycles(assembly, other);
    for (uint32_t i = 0; i < assembly->cycle_count && !long_step_worked(assembly->cut, &assembly->looks); i++)
        gain += apply(assembly, assembly->cycles + assembly->cycle_begins[i],
                      assembly->cycle_begins[i + 1] - assembly->cycle_begins[i]);
    return gain;
}
