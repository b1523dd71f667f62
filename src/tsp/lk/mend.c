/* Mending: the long edges of the whole tour.
 *
 * The ends of a long edge are mostly in different cells, which then keep the edge. Candidate lists do not
 * join the ends of long edges either: in the list of such a city are its neighbours, and a few cities of the
 * clusters around. So both ends of a long edge have ends of other long edges as further candidates, in one
 * cell of all cities, in which nothing but long edges is searched and kicked. */
#include "tsp/lk/lk.h"

/* LONG: mean legs, up to which an edge is not long. MOST: most long edges; with more, the length doubles.
 * EACH: kicks for each long edge, MOST_KICKS in all at most. COOLER: the threshold of a step is this many
 * times that of these kicks, which are few. */
enum { LONG = 10, MOST = 512, EACH = 5, MOST_KICKS = 1024, COOLER = 4 };

/* Length of the edge that leads to the city at a place of the tour; 0: it is fixed. */
static int64_t length_to(const struct lk_run *run, uint32_t place)
{
    const struct tsp_problem *problem = run->lk.problem;
    const uint32_t a = run->wholes->order[place ? place - 1 : run->lk.n - 1], b = run->wholes->order[place];
    return tsp_form_fixes(&problem->form, a, b) ? 0 : tsp_distance(problem, a, b);
}

/* Returns the number of edges that are longer than `longest`. *total receives the sum of the lengths of all
 * edges. */
static uint32_t count_long(const struct lk_run *run, int64_t longest, int64_t *total)
{
    uint32_t count = 0;
    int64_t sum = 0;
#pragma omp parallel for num_threads(run->threads) schedule(static) reduction(+ : count, sum)
    for (uint32_t i = 0; i < run->lk.n; i++) {
        const int64_t length = length_to(run, i);
        count += length > longest;
        sum += length;
    }
    *total = sum;
    return count;
}

/* Finds the places to which long edges lead, in rising order; returns their number. *longest receives the
 * length up to which an edge is not long. */
static uint32_t find_long(const struct lk_run *run, int64_t *longest, uint32_t places[MOST])
{
    const uint32_t n = run->lk.n;
    int64_t legs = LONG, length;
    uint32_t count, found = 0;
    count_long(run, 0, &length);
    do {
        *longest = legs * length / n;
        legs *= 2;
        count = count_long(run, *longest, &length);
    } while (count > MOST);
    for (uint32_t i = 0; i < n && found < count; i++)
        if (length_to(run, i) > *longest)
            places[found++] = i;
    return count;
}

/* Puts a city into a list that is sorted by distance, unless the list has the city or is full of nearer ones.
 */
static void put(struct lk_near *list, uint32_t k, struct lk_near near)
{
    uint32_t count = 0;
    while (count < k && list[count].city != SHOAL_TSP_NONE && list[count].city != near.city)
        count++;
    if (count < k && list[count].city == near.city)
        return;
    if (count == k && list[--count].distance <= near.distance)
        return;
    if (count + 1 < k)
        list[count + 1].city = SHOAL_TSP_NONE;
    for (; count > 0 && list[count - 1].distance > near.distance; count--)
        list[count] = list[count - 1];
    list[count] = near;
}

/* End i of the long edges: of edge i / 2 the city before it or, if i is odd, the city after it. */
static uint32_t end_at(const struct lk_cell *cell, const uint32_t *places, uint32_t i)
{
    const uint32_t after = places[i / 2];
    return i % 2 ? after : (after ? after : cell->n) - 1;
}

/* Makes ends of long edges candidates of each other. Cities of the cell are numbered by their places. */
static void add_candidates(const struct lk_cell *cell, const uint32_t *places, uint32_t count)
{
    const struct tsp_problem *problem = cell->lk->problem;
    for (uint32_t i = 0; i < 2 * count; i++)
        for (uint32_t j = 0; j < 2 * count; j++) {
            const uint32_t a = end_at(cell, places, i), b = end_at(cell, places, j),
                           from = cell->cities[a].id, to = cell->cities[b].id;
            const int64_t distance = tsp_distance(problem, from, to);
            /* A forbidden edge is longer than any candidate. */
            if (a == b || distance > INT32_MAX || tsp_form_fixes(&problem->form, from, to))
                continue;
            put(cell->lists + (size_t)a * cell->k, cell->k,
                (struct lk_near){.city = b, .distance = (int32_t)distance});
        }
}

static void search(struct lk_run *run, uint64_t step, struct lk_cell *cell, const uint32_t *places,
                   uint32_t count)
{
    struct lk_whole *whole = run->wholes;
    const uint32_t kicks = EACH * count < MOST_KICKS ? EACH * count : MOST_KICKS;
    const struct lk_visit visit = {.step = (uint32_t)step,
                                   .cell = UINT32_MAX - 1,
                                   .is_first = true,
                                   .threshold = step ? lk_threshold(run, step) / COOLER : 0,
                                   .kicks = step ? kicks : 0,
                                   .ends = places,
                                   .end_count = count,
                                   .cut = run->cut};
    add_candidates(cell, places, count);
    (cell->lk->is_plane ? lk_search_plane : lk_search_any)(cell, &visit);
    atomic_fetch_add_explicit(&run->done, cell->kicks, memory_order_relaxed);
    if (long_step_is_cut(run->cut))
        return;
    for (uint32_t i = 0; i < cell->n; i++)
        whole->order[i] = cell->cities[cell->order[i]].id;
    whole->length += cell->delta;
    run->state.kicks += cell->kicks;
}

enum shoal_status lk_mend(struct lk_run *run, uint64_t step, struct shoal_error *error)
{
    uint32_t places[MOST];
    int64_t longest;
    const uint32_t count = find_long(run, &longest, places);
    if (!count)
        return SHOAL_OK;
    struct lk lk = run->lk;
    struct lk_cell cell = {0};
    lk.cells = 1;
    lk.most_cities = lk.n;
    lk.levels = LK_LEVELS;
    lk.flips = LK_FLIPS;
    const enum shoal_status status = lk_cell_create(&cell, &lk, LK_MORE, error);
    if (!status) {
        run->wholes->threads = 1;
        lk_gather(&lk, run->wholes, 0);
        lk_cell_load(run->wholes, 0, &cell);
        cell.longest = longest;
        search(run, step, &cell, places, count);
        run->wholes->division = UINT64_MAX; /* its cells are gone */
    }
    lk_cell_destroy(&cell);
    return status;
}
