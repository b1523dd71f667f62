/* Division of a tour into cells, and the tour that the cells make together. */
#include "tsp/lk/lk.h"
#include "tsp/model/leaders.h"

#include <float.h>
#include <math.h>
#include <shoal/rng.h>
#include <string.h>

/* Division ----------------------------------------------------------------------------------------------- */

/* Cities that are to be divided into `cells` cells, the first of which has number `cell`. */
struct region {
    uint32_t *cities;
    uint32_t count, cells, cell;
};

/* What the divisions of a region share. */
struct divider {
    const struct lk *lk;
    struct lk_whole *whole;
    double turned[2]; /* cosine and sine of the angle by which the first two axes are turned */
    struct shoal_words words;
};

static double along(const struct divider *divider, uint32_t city, unsigned axis)
{
    const struct tsp_form *form = &divider->lk->problem->form;
    const double *place = form->places + (size_t)city * form->dim;
    if (axis == 0)
        return divider->turned[0] * place[0] + divider->turned[1] * place[1];
    return axis == 1 ? divider->turned[0] * place[1] - divider->turned[1] * place[0] : place[2];
}

/* Order of two cities along an axis; of equal places, the city with the lower number is first. */
static bool is_less(const struct divider *divider, unsigned axis, uint32_t a, uint32_t b)
{
    const double x = along(divider, a, axis), y = along(divider, b, axis);
    return x < y || (x == y && a < b);
}

static unsigned longest_axis(const struct divider *divider, const struct region *region)
{
    const unsigned dim = divider->lk->problem->form.dim;
    double longest = -1;
    unsigned best = 0;
    for (unsigned axis = 0; axis < dim; axis++) {
        double least = DBL_MAX, most = -DBL_MAX;
        for (uint32_t i = 0; i < region->count; i++) {
            const double at = along(divider, region->cities[i], axis);
            least = fmin(least, at);
            most = fmax(most, at);
        }
        if (most - least > longest) {
            longest = most - least;
            best = axis;
        }
    }
    return best;
}

/* Moves the `first` cities that are first along an axis to the front (C. A. R. Hoare's FIND). */
static void part(const struct divider *divider, const struct region *region, unsigned axis, uint32_t first)
{
    uint32_t *cities = region->cities;
    int64_t low = 0, high = (int64_t)region->count - 1;
    while (low < high) {
        const uint32_t pivot = cities[first];
        int64_t i = low, j = high;
        while (i <= j) {
            while (is_less(divider, axis, cities[i], pivot))
                i++;
            while (is_less(divider, axis, pivot, cities[j]))
                j--;
            if (i <= j) {
                const uint32_t city = cities[i];
                cities[i++] = cities[j];
                cities[j--] = city;
            }
        }
        if (j < (int64_t)first)
            low = i;
        if ((int64_t)first < i)
            high = j;
    }
}

static void set_cell(const struct lk_whole *whole, const struct region *region)
{
    for (uint32_t i = 0; i < region->count; i++)
        whole->cell_of[region->cities[i]] = region->cell;
}

/* Divides a region along its longest axis until each part is a cell. The share of the first cut is drawn. */
static void divide_region(const struct divider *divider, struct region region, bool is_whole)
{
    while (region.cells > 1) {
        const uint32_t cells = region.cells / 2;
        const double share = is_whole ? 0.75 + 0.5 * shoal_uniform_float(divider->words.y) : 1;
        const uint32_t first = (uint32_t)(share * region.count * cells / region.cells);
        part(divider, &region, longest_axis(divider, &region), first);
        divide_region(divider, (struct region){region.cities, first, cells, region.cell}, false);
        region = (struct region){region.cities + first, region.count - first, region.cells - cells,
                                 region.cell + cells};
        is_whole = false;
    }
    set_cell(divider->whole, &region);
}

/* Divides cities with coordinates. */
static void divide_places(const struct lk *lk, struct lk_whole *whole, struct shoal_words words)
{
    const double angle = 2 * 3.14159265358979 * shoal_uniform_float(words.x);
    const struct divider divider = {
        .lk = lk, .whole = whole, .turned = {cos(angle), sin(angle)}, .words = words};
    const uint32_t count = lk->problem->n;
    for (uint32_t i = 0; i < count; i++)
        whole->members[i] = i;
    divide_region(&divider, (struct region){whole->members, count, lk->cells, 0}, true);
}

/* Puts the additional city of a path, which has no coordinates, into the cell of the city before it. */
static void place_additional(const struct lk *lk, struct lk_whole *whole)
{
    for (uint32_t city = lk->problem->n; city < lk->n; city++) {
        const uint32_t place = whole->place[city], before = whole->order[place ? place - 1 : lk->n - 1];
        whole->cell_of[city] = whole->cell_of[before];
    }
}

/* Divides the tour into pieces of consecutive cities, from a random place on. */
static void divide_tour(const struct lk *lk, struct lk_whole *whole, struct shoal_words words)
{
    const uint32_t begin = (uint32_t)((uint64_t)words.x * lk->n >> 32);
    for (uint32_t i = 0; i < lk->n; i++) {
        const uint32_t place = begin + i < lk->n ? begin + i : begin + i - lk->n;
        whole->cell_of[whole->order[place]] = (uint32_t)((uint64_t)i * lk->cells / lk->n);
    }
}

void lk_divide(const struct lk *lk, struct lk_whole *whole, uint64_t division)
{
    for (uint32_t i = 0; i < lk->n; i++)
        whole->place[whole->order[i]] = i;
    const struct shoal_words words =
        shoal_random_words(lk->seed, SHOAL_STREAM_TSP_IMPROVE, (uint32_t)division, UINT32_MAX, 0);
    const bool has_places = lk->problem->form.dim && lk->cells > 1;
    if (has_places && whole->division != division)
        divide_places(lk, whole, words);
    whole->division = division;
    if (has_places)
        place_additional(lk, whole);
    else
        divide_tour(lk, whole, words);
    memset(whole->begins, 0, (lk->cells + 1) * sizeof *whole->begins);
    for (uint32_t i = 0; i < lk->n; i++)
        whole->begins[whole->cell_of[i] + 1]++;
    for (uint32_t c = 0; c < lk->cells; c++)
        whole->begins[c + 1] += whole->begins[c];
    /* Each begin moves to the end of its cell, which is the begin of the next one. */
    for (uint32_t i = 0; i < lk->n; i++) {
        const uint32_t city = whole->order[i];
        whole->members[whole->begins[whole->cell_of[city]]++] = city;
    }
    memmove(whole->begins + 1, whole->begins, lk->cells * sizeof *whole->begins);
    whole->begins[0] = 0;
}

/* Cells -------------------------------------------------------------------------------------------------- */

static uint32_t place_after(const struct lk_whole *whole, uint32_t n, uint32_t city)
{
    return whole->place[city] + 1 < n ? whole->place[city] + 1 : 0;
}

/* Sets the links and the fixed edges of a cell: edges that the search keeps. */
static void set_kept(const struct lk_whole *whole, struct lk_cell *cell)
{
    const struct lk *lk = cell->lk;
    for (uint32_t a = 0; a < cell->n; a++) {
        cell->kept[a][0] = cell->kept[a][1] = SHOAL_TSP_NONE;
        cell->is_link[a] = 0;
    }
    for (uint32_t a = 0; a < cell->n; a++) {
        const uint32_t b = a + 1 < cell->n ? a + 1 : 0;
        const bool is_link = place_after(whole, lk->n, cell->ids[a]) != whole->place[cell->ids[b]];
        if (!is_link && !tsp_form_fixes(&lk->problem->form, cell->ids[a], cell->ids[b]))
            continue;
        cell->kept[a][1] = b;
        cell->kept[b][0] = a;
        if (is_link) {
            cell->is_link[a] |= 2;
            cell->is_link[b] |= 1;
        }
    }
}

/* Sets the candidates of city `a` in the cell: those of its candidates that are in the cell. */
static void set_candidates(const struct lk_whole *whole, struct lk_cell *cell, uint32_t number, uint32_t a)
{
    const struct lk *lk = cell->lk;
    const uint32_t k = lk->k, city = cell->ids[a];
    const uint32_t *list = lk->lists + (size_t)city * k;
    uint32_t count = 0;
    for (uint32_t j = 0; j < k && list[j] != SHOAL_TSP_NONE; j++) {
        if (whole->cell_of[list[j]] != number || tsp_form_fixes(&lk->problem->form, city, list[j]))
            continue;
        cell->lists[(size_t)a * k + count] = whole->local[list[j]];
        cell->near[(size_t)a * k + count] = (int32_t)tsp_distance(lk->problem, city, list[j]);
        count++;
    }
    if (count < k)
        cell->lists[(size_t)a * k + count] = SHOAL_TSP_NONE;
}

void lk_cell_load(const struct lk_whole *whole, uint32_t number, struct lk_cell *cell)
{
    const struct lk *lk = cell->lk;
    const uint32_t begin = whole->begins[number];
    cell->n = whole->begins[number + 1] - begin;
    cell->k = lk->k;
    cell->head = cell->count = 0;
    cell->flip_count = 0;
    cell->gain = cell->delta = 0;
    cell->kicks = 0;
    for (uint32_t a = 0; a < cell->n; a++) {
        cell->ids[a] = whole->members[begin + a];
        whole->local[cell->ids[a]] = a;
        cell->order[a] = cell->place[a] = a;
        cell->waits[a] = false;
        if (lk->is_plain)
            memcpy(cell->places + 2 * (size_t)a, lk->problem->form.places + 2 * (size_t)cell->ids[a],
                   2 * sizeof *cell->places);
    }
    set_kept(whole, cell);
    for (uint32_t a = 0; a < cell->n; a++)
        set_candidates(whole, cell, number, a);
}

/* The neighbour of city `a` in the whole tour, where `b` is its neighbour in the cell. */
static uint32_t neighbour_in_tour(const struct lk_whole *whole, const struct lk_cell *cell, uint32_t a,
                                  uint32_t b)
{
    const uint32_t n = cell->lk->n, place = whole->place[cell->ids[a]];
    if ((cell->is_link[a] & 1) && cell->kept[a][0] == b)
        return whole->order[place ? place - 1 : n - 1];
    if ((cell->is_link[a] & 2) && cell->kept[a][1] == b)
        return whole->order[place + 1 < n ? place + 1 : 0];
    return cell->ids[b];
}

void lk_cell_store(const struct lk_whole *whole, const struct lk_cell *cell)
{
    for (uint32_t i = 0; i < cell->n; i++) {
        const uint32_t a = cell->order[i], before = cell->order[i ? i - 1 : cell->n - 1],
                       after = cell->order[i + 1 < cell->n ? i + 1 : 0];
        uint32_t *next = whole->next[cell->ids[a]];
        next[0] = neighbour_in_tour(whole, cell, a, before);
        next[1] = neighbour_in_tour(whole, cell, a, after);
    }
}

/* Parts of a tour ---------------------------------------------------------------------------------------- */

/* The neighbour of a city on the way that came from `before`; SHOAL_TSP_NONE: the way begins here. */
static uint32_t onward(const struct lk_whole *whole, uint32_t before, uint32_t city)
{
    return whole->next[city][before == SHOAL_TSP_NONE || whole->next[city][0] == before];
}

/* Marks the cities of the part of `city`; returns how many they are. */
static uint32_t mark(struct lk_whole *whole, uint32_t city, uint32_t number)
{
    uint32_t before = SHOAL_TSP_NONE, count = 0;
    while (whole->local[city] != number) {
        const uint32_t next = onward(whole, before, city);
        whole->local[city] = number;
        before = city;
        city = next;
        count++;
    }
    return count;
}

static void replace(struct lk_whole *whole, uint32_t city, uint32_t old, uint32_t other)
{
    whole->next[city][whole->next[city][0] != old] = other;
}

/* The exchange of an edge (a, b) of one part and an edge (c, d) of another one for (a, c) and (b, d). */
struct seam {
    uint32_t a, b, c, d;
    int64_t change;
};

static void try_seam(const struct lk *lk, const struct lk_whole *whole, uint32_t a, uint32_t c,
                     struct seam *best)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t b = whole->next[a][i & 1], d = whole->next[c][i >> 1];
        if (tsp_form_fixes(&lk->problem->form, a, b) || tsp_form_fixes(&lk->problem->form, c, d))
            continue;
        const int64_t change = tsp_distance(lk->problem, a, c) + tsp_distance(lk->problem, b, d) -
                               tsp_distance(lk->problem, a, b) - tsp_distance(lk->problem, c, d);
        if (change < best->change)
            *best = (struct seam){a, b, c, d, change};
    }
}

/* Parts of a tour while they are joined. A city of part p has whole->local p. Arrays that the next division
 * sets anew hold the leaders and the first cities of the parts. */
struct parts {
    uint32_t *leaders, *firsts;
    uint32_t count;
    uint32_t largest;
};

/* Finds the parts into which the neighbours divide the cities. */
static struct parts find_parts(const struct lk *lk, struct lk_whole *whole)
{
    struct parts parts = {.leaders = whole->members, .firsts = whole->place};
    uint32_t most = 0;
    memset(whole->local, 0xff, lk->n * sizeof *whole->local);
    for (uint32_t city = 0; city < lk->n; city++) {
        if (whole->local[city] != SHOAL_TSP_NONE)
            continue;
        const uint32_t count = mark(whole, city, parts.count);
        if (count > most) {
            most = count;
            parts.largest = parts.count;
        }
        parts.leaders[parts.count] = parts.count;
        parts.firsts[parts.count++] = city;
    }
    return parts;
}

static uint32_t leader_of(const struct lk_whole *whole, const struct parts *parts, uint32_t city)
{
    return tsp_leader(parts->leaders, whole->local[city]);
}

/* Joins the part of a city to another part, by the candidates of its cities or, if these are all in the part,
 * by any city. Returns the change of the length. */
static int64_t join_part(const struct lk *lk, struct lk_whole *whole, struct parts *parts, uint32_t city)
{
    const uint32_t number = leader_of(whole, parts, city);
    struct seam best = {.change = INT64_MAX};
    for (int turn = 0; turn < 2 && best.change == INT64_MAX; turn++) {
        uint32_t before = SHOAL_TSP_NONE, a = city;
        do {
            const uint32_t *list = lk->lists + (size_t)a * lk->k;
            for (uint32_t j = 0; turn == 0 && j < lk->k && list[j] != SHOAL_TSP_NONE; j++)
                if (leader_of(whole, parts, list[j]) != number)
                    try_seam(lk, whole, a, list[j], &best);
            for (uint32_t c = 0; turn == 1 && c < lk->n; c++)
                if (leader_of(whole, parts, c) != number)
                    try_seam(lk, whole, a, c, &best);
            const uint32_t next = onward(whole, before, a);
            before = a;
            a = next;
        } while (a != city);
    }
    replace(whole, best.a, best.b, best.c);
    replace(whole, best.b, best.a, best.d);
    replace(whole, best.c, best.d, best.a);
    replace(whole, best.d, best.c, best.b);
    parts->leaders[number] = leader_of(whole, parts, best.c);
    return best.change;
}

int64_t lk_join(const struct lk *lk, struct lk_whole *whole)
{
    struct parts parts = find_parts(lk, whole);
    int64_t change = 0;
    for (uint32_t p = 0; p < parts.count; p++)
        while (tsp_leader(parts.leaders, p) != tsp_leader(parts.leaders, parts.largest))
            change += join_part(lk, whole, &parts, parts.firsts[p]);
    uint32_t before = SHOAL_TSP_NONE, city = whole->order[0];
    for (uint32_t i = 0; i < lk->n; i++) {
        const uint32_t next = onward(whole, before, city);
        whole->order[i] = city;
        before = city;
        city = next;
    }
    return change;
}
