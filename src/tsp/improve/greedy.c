/* Construction of first tours: by greedy edge matching, and by the order of a space-filling curve. */
#include "base/error.h"
#include "base/integer.h"
#include "tsp/improve/curve.h"
#include "tsp/improve/fragments.h"
#include "tsp/improve/improve.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

#include "lib/host.h"
#include "tsp/improve/fragments.clh"

static uint32_t partner_of(const struct tsp_form *form, uint32_t city, unsigned place)
{
    return form->has_fixed ? form->fixed[2 * (size_t)city + place] : SHOAL_TSP_NONE;
}

enum shoal_status tsp_curve_tour(const struct tsp_problem *problem, const struct tsp_curve *curve,
                                 uint32_t *tour, struct shoal_error *error)
{
    const struct tsp_form *form = &problem->form;
    const uint32_t n = form->n;
    uint32_t *order = malloc(n * sizeof *order), count = 0;
    bool *has = calloc(n, sizeof *has);
    enum shoal_status status =
        order && has ? tsp_curve_order(problem, curve, order, error) : fail_host_memory(error);
    for (uint32_t i = 0; count < n && !status; i++) {
        uint32_t before = SHOAL_TSP_NONE, city = order[i % n];
        /* A chain of fixed edges is followed from one of its ends; in an asymmetric problem, from the end at
         * which a tour enters the chain. If a cycle of fixed edges contains all cities, it is followed from
         * any city. */
        if (i < n && (partner_of(form, city, 1) != SHOAL_TSP_NONE || (form->is_asymmetric && city >= n / 2)))
            continue;
        while (city != SHOAL_TSP_NONE && !has[city]) {
            const uint32_t next = partner_of(form, city, partner_of(form, city, 0) == before);
            has[city] = true;
            tour[count++] = city;
            before = city;
            city = next;
        }
    }
    free(order);
    free(has);
    return status;
}

uint32_t tsp_begin_fragments(const uint32_t *fixed, uint32_t n, fragment_city *cities)
{
    uint32_t edges = 0;
    for (uint32_t city = 0; city < n; city++)
        cities[city] = fragment_of_one(city);
    for (size_t i = 0; fixed && i < 2 * (size_t)n; i++)
        if (fixed[i] != SHOAL_TSP_NONE && fixed[i] > i / 2 && may_join(cities, (uint32_t)(i / 2), fixed[i])) {
            join_ends(cities, (uint32_t)(i / 2), fixed[i]);
            edges++;
        }
    return edges;
}

/* A greedy tour in progress. */
struct greedy {
    const struct tsp_problem *problem;
    uint32_t n;
    fragment_city *cities; /* [n] */
    uint32_t edges;
    /* [2 * capacity]: candidate edges, or ends of fragments; the second half is scratch memory for sorting */
    struct tsp_curve_item *items;
    size_t capacity;
    const struct tsp_greedy_noise *noise;
    struct long_step *cut; /* NULL: nothing cuts the work */
};

/* number of cities or edges between two calls of long_step_look; the work for one takes up to about 1 us */
enum { LOOK = 1024 };

static void join(struct greedy *greedy, uint32_t a, uint32_t b)
{
    if (!may_join(greedy->cities, a, b))
        return;
    join_ends(greedy->cities, a, b);
    greedy->edges++;
}

/* Returns the sort key of an edge: its length, at most 2^31 - 1, or UINT32_MAX for a forbidden edge, which is
 * tried last. */
static uint32_t length_key(const struct greedy *greedy, uint32_t a, uint32_t b)
{
    const int64_t length = tsp_distance(greedy->problem, a, b);
    const struct tsp_greedy_noise *noise = greedy->noise;
    if (length > INT32_MAX || length <= 0 || !noise)
        return length > INT32_MAX ? UINT32_MAX : length < 0 ? 0 : (uint32_t)length;
    const struct shoal_words words = shoal_random_words(noise->seed, SHOAL_STREAM_TSP_IMPROVE, noise->tour,
                                                        UINT32_MAX - 2 - (a < b ? a : b), a < b ? b : a);
    return (uint32_t)fmin((double)length * (1 + noise->part * shoal_uniform_float(words.x)), UINT32_MAX - 1);
}

/* Tries the edges of the candidate lists in ascending order of length, and joins fragments by them where
 * possible. Of edges with the same length, the edge in the list of the city with the lower number is tried
 * first; of edges in the same list, the edge that is earlier in the list. */
static void join_candidates(struct greedy *greedy, const uint32_t *lists, uint32_t neighbours, uint32_t used)
{
    size_t count = 0;
    for (uint32_t city = 0; city < greedy->n; city++) {
        if (long_step_look_each(greedy->cut, city, LOOK))
            return;
        for (uint32_t j = 0; j < used; j++) {
            const uint32_t other = lists[(size_t)city * neighbours + j];
            if (other == SHOAL_TSP_NONE)
                break;
            /* the list of `other`, a city with a lower number, also has the edge */
            bool is_listed = false;
            for (uint32_t k = 0; k < used && other < city && !is_listed; k++)
                is_listed = lists[(size_t)other * neighbours + k] == city;
            if (!is_listed)
                greedy->items[count++] =
                    (struct tsp_curve_item){length_key(greedy, city, other), city * used + j};
        }
    }
    tsp_sort_items(greedy->items, greedy->items + greedy->capacity, count, 1);
    for (size_t i = 0; i < count; i++) {
        if (long_step_look_each(greedy->cut, i, LOOK))
            return;
        const uint32_t city = greedy->items[i].value / used;
        join(greedy, city, lists[(size_t)city * neighbours + greedy->items[i].value % used]);
    }
}

/* Writes those of the `count` cities `listed` (NULL: 0, 1 ...) that are ends of fragments to `ends`, in the
 * same order, and returns their number. `ends` may be `listed`. A fragment of one city has one end. */
static size_t list_ends(const struct greedy *greedy, const uint32_t *listed, size_t count, uint32_t *ends)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t city = listed ? listed[i] : (uint32_t)i;
        if (greedy->cities[city].far != NO_END)
            ends[found++] = city;
    }
    return found;
}

/* Sorts ends along the curve. */
static void sort_ends(const struct greedy *greedy, uint32_t *ends, size_t count)
{
    struct tsp_curve_item *items = greedy->items;
    for (size_t i = 0; i < count; i++)
        items[i].value = ends[i];
    tsp_curve_keys(greedy->problem, &tsp_plain_curve, items, (uint32_t)count);
    tsp_sort_items(items, items + greedy->capacity, count, 1);
    for (size_t i = 0; i < count; i++)
        ends[i] = items[i].value;
}

/* Returns an end of another fragment that is near the end `at`. With coordinates, `ends` are in the order of
 * the curve, and only the next 8 ends are tried, or more until one belongs to another fragment; with a matrix
 * all ends are tried. Returns SHOAL_TSP_NONE if no end of another fragment was found. */
static uint32_t near_end(const struct greedy *greedy, const uint32_t *ends, size_t count, size_t at)
{
    const bool is_matrix = !greedy->problem->form.dim;
    uint32_t best = SHOAL_TSP_NONE, best_key = 0;
    for (size_t i = is_matrix ? 0 : at + 1;
         i < count && (is_matrix || i <= at + TRIED_ENDS || best == SHOAL_TSP_NONE); i++) {
        if (i == at || greedy->cities[ends[at]].far == ends[i])
            continue;
        const uint32_t key = length_key(greedy, ends[at], ends[i]);
        if (best == SHOAL_TSP_NONE || key < best_key) {
            best = ends[i];
            best_key = key;
        }
    }
    return best;
}

/* Joins the fragments in rounds, until one is left. In each round every end proposes an edge to a near end,
 * and the proposed edges are tried in ascending order of length. A round joins at least two fragments. */
static void join_fragments(struct greedy *greedy, uint32_t *ends, uint32_t *partner)
{
    struct tsp_curve_item *items = greedy->items, *scratch = greedy->items + greedy->capacity;
    size_t count = list_ends(greedy, NULL, greedy->n, ends);
    if (greedy->problem->form.dim)
        sort_ends(greedy, ends, count);
    while (greedy->edges + 1 < greedy->n && !long_step_look(greedy->cut)) {
        size_t edges = 0;
        for (size_t i = 0; i < count && !long_step_is_cut(greedy->cut); i++) {
            if (i % (greedy->problem->form.dim ? LOOK : 1) == 0)
                long_step_look(greedy->cut);
            partner[i] = near_end(greedy, ends, count, i);
            if (partner[i] != SHOAL_TSP_NONE)
                items[edges++] =
                    (struct tsp_curve_item){length_key(greedy, ends[i], partner[i]), (uint32_t)i};
        }
        tsp_sort_items(items, scratch, edges, 1);
        for (size_t i = 0; i < edges; i++)
            join(greedy, ends[items[i].value], partner[items[i].value]);
        count = list_ends(greedy, ends, count, ends);
    }
}

static void follow(const struct greedy *greedy, uint32_t *tour)
{
    uint32_t before = SHOAL_TSP_NONE, city = 0;
    while (greedy->cities[city].far == NO_END)
        city++;
    for (uint32_t i = 0; i < greedy->n; i++) {
        const uint32_t next = city_after(greedy->cities[city], before);
        tour[i] = city;
        before = city;
        city = next;
    }
}

enum shoal_status tsp_greedy_tour(const struct tsp_problem *problem, const uint32_t *lists,
                                  uint32_t neighbours, const struct tsp_greedy_noise *noise,
                                  struct long_step *cut, uint32_t *tour, struct shoal_error *error)
{
    const uint32_t n = problem->form.n, used = tsp_greedy_used(neighbours);
    struct greedy greedy = {
        .problem = problem, .n = n, .capacity = (size_t)n * (used ? used : 1), .noise = noise, .cut = cut};
    enum shoal_status status = SHOAL_OK;
    greedy.cities = malloc(n * sizeof *greedy.cities);
    greedy.items = malloc(2 * greedy.capacity * sizeof *greedy.items);
    uint32_t *ends = malloc(2 * (size_t)n * sizeof *ends);
    if (!greedy.cities || !greedy.items || !ends) {
        status = fail_host_memory(error);
        goto end;
    }
    greedy.edges = tsp_begin_fragments(problem->form.fixed, n, greedy.cities);
    join_candidates(&greedy, lists, neighbours, used);
    if (!long_step_is_cut(cut))
        join_fragments(&greedy, ends, ends + n);
    status = long_step_status(cut, error);
    if (!status)
        follow(&greedy, tour);
end:
    free(greedy.cities);
    free(greedy.items);
    free(ends);
    return status;
}
