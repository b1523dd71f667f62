/* The cells of a division, and the cells as the host searches them. */
#include "tsp/lk/lk.h"

#include <shoal/rng.h>
#include <string.h>

/* Puts the additional city of a path, which has no coordinates, into the cell of the city before it. */
static void place_additional(const struct lk *lk, struct lk_whole *whole)
{
    for (uint32_t city = lk->problem->n; city < lk->n; city++) {
        const uint32_t place = whole->place[city], before = whole->order[place ? place - 1 : lk->n - 1];
        whole->cell_of[city] = whole->cell_of[before];
    }
}

/* Divides the tour into pieces of consecutive cities, from a random place on. */
static void divide_tour(const struct lk *lk, struct lk_whole *whole, uint64_t division)
{
    const struct shoal_words words = shoal_random_words(lk->seed, SHOAL_STREAM_TSP_IMPROVE,
                                                        (uint32_t)division, UINT32_MAX, whole->replica);
    const uint32_t begin = (uint32_t)((uint64_t)words.x * lk->n >> 32);
    for (uint32_t i = 0; i < lk->n; i++) {
        const uint32_t place = begin + i < lk->n ? begin + i : begin + i - lk->n;
        whole->cell_of[whole->order[place]] = (uint32_t)((uint64_t)i * lk->cells / lk->n);
    }
}

/* Sorts the cities by their cells, those of a cell in the order of the tour. Each piece of the tour has a
 * thread, which counts the cities of each cell and moves them behind those of the pieces before it.
 * whole->index holds the counts. */
static void sort_by_cell(const struct lk *lk, struct lk_whole *whole)
{
    const uint64_t n = lk->n;
    const uint32_t cells = lk->cells, most = lk->n / cells;
    const uint32_t pieces = (uint32_t)whole->threads < most ? (uint32_t)whole->threads : most;
#pragma omp parallel for num_threads(pieces) schedule(static, 1)
    for (uint32_t piece = 0; piece < pieces; piece++) {
        uint32_t *counts = whole->index + (size_t)piece * cells;
        memset(counts, 0, cells * sizeof *counts);
        for (uint64_t i = n * piece / pieces; i < n * (piece + 1) / pieces; i++)
            counts[whole->cell_of[whole->order[i]]]++;
    }
    uint32_t begin = 0;
    for (uint32_t c = 0; c < cells; c++) {
        whole->begins[c] = begin;
        for (uint32_t piece = 0; piece < pieces; piece++) {
            uint32_t *count = whole->index + (size_t)piece * cells + c;
            const uint32_t own = *count;
            *count = begin;
            begin += own;
        }
    }
    whole->begins[cells] = begin;
#pragma omp parallel for num_threads(pieces) schedule(static, 1)
    for (uint32_t piece = 0; piece < pieces; piece++) {
        uint32_t *begins = whole->index + (size_t)piece * cells;
        for (uint64_t i = n * piece / pieces; i < n * (piece + 1) / pieces; i++) {
            const uint32_t city = whole->order[i];
            whole->members[begins[whole->cell_of[city]]++] = city;
        }
    }
}

void lk_gather(const struct lk *lk, struct lk_whole *whole, uint64_t division)
{
    const uint32_t n = lk->n;
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t i = 0; i < n; i++)
        whole->place[whole->order[i]] = i;
    if (lk_has_places(lk))
        place_additional(lk, whole);
    else
        divide_tour(lk, whole, division);
    sort_by_cell(lk, whole);
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t c = 0; c < lk->cells; c++)
        for (uint32_t j = whole->begins[c]; j < whole->begins[c + 1]; j++) {
            const uint32_t city = whole->members[j], next = lk_next_in_cell(whole, c, j);
            const bool is_link = lk_place_after(whole, n, city) != whole->place[whole->members[next]];
            whole->index[city] = j;
            whole->tours[j] = city | (is_link ? LK_LINK : 0);
        }
}

/* Cells -------------------------------------------------------------------------------------------------- */

/* Sets the links and the fixed edges of a cell: edges that the search keeps. */
static void set_kept(const struct lk_whole *whole, struct lk_cell *cell, uint32_t begin)
{
    const struct lk *lk = cell->lk;
    for (uint32_t a = 0; a < cell->n; a++)
        cell->cities[a].kept[0] = cell->cities[a].kept[1] = SHOAL_TSP_NONE;
    for (uint32_t a = 0; a < cell->n; a++) {
        const uint32_t b = a + 1 < cell->n ? a + 1 : 0;
        cell->is_link[a] = (whole->tours[begin + a] & LK_LINK) != 0;
        if (!cell->is_link[a] && !tsp_form_fixes(&lk->problem->form, cell->cities[a].id, cell->cities[b].id))
            continue;
        cell->cities[a].kept[1] = b;
        cell->cities[b].kept[0] = a;
    }
}

/* Sets the candidates of city `a` in the cell: those of its candidates that are in the cell. */
static void set_candidates(const struct lk_whole *whole, struct lk_cell *cell, uint32_t begin, uint32_t a)
{
    const struct lk *lk = cell->lk;
    const uint32_t city = cell->cities[a].id;
    const uint32_t *list = lk->lists + (size_t)city * lk->k;
    struct lk_near *near = cell->lists + (size_t)a * cell->k;
    uint32_t count = 0;
    for (uint32_t j = 0; j < lk->k && list[j] != SHOAL_TSP_NONE; j++) {
        const uint32_t local = whole->index[list[j]] - begin;
        if (local >= cell->n || tsp_form_fixes(&lk->problem->form, city, list[j]))
            continue;
        near[count++] =
            (struct lk_near){.city = local, .distance = (int32_t)tsp_distance(lk->problem, city, list[j])};
    }
    if (count < cell->k)
        near[count].city = SHOAL_TSP_NONE;
}

void lk_cell_load(const struct lk_whole *whole, uint32_t number, struct lk_cell *cell)
{
    const struct lk *lk = cell->lk;
    const uint32_t begin = whole->begins[number];
    cell->n = whole->begins[number + 1] - begin;
    cell->longest = INT64_MAX;
    cell->head = cell->count = 0;
    cell->flip_count = 0;
    cell->gain = cell->delta = 0;
    cell->kicks = 0;
    for (uint32_t a = 0; a < cell->n; a++) {
        const uint32_t id = whole->members[begin + a];
        cell->cities[a] = (struct lk_city){.place = a, .id = id};
        if (lk->is_plane) {
            cell->cities[a].x = lk->problem->form.places[2 * (size_t)id];
            cell->cities[a].y = lk->problem->form.places[2 * (size_t)id + 1];
        }
        cell->order[a] = a;
        cell->waits[a] = false;
    }
    set_kept(whole, cell, begin);
    for (uint32_t a = 0; a < cell->n; a++)
        set_candidates(whole, cell, begin, a);
}

void lk_cell_store(const struct lk_whole *whole, uint32_t number, const struct lk_cell *cell)
{
    uint32_t *tours = whole->tours + whole->begins[number];
    for (uint32_t i = 0; i < cell->n; i++) {
        const uint32_t a = cell->order[i], b = cell->order[i + 1 < cell->n ? i + 1 : 0];
        const bool is_link = (cell->cities[a].kept[1] == b && cell->is_link[a]) ||
                             (cell->cities[b].kept[1] == a && cell->is_link[b]);
        tours[i] = cell->cities[a].id | (is_link ? LK_LINK : 0);
    }
}
