/* Division of cities with coordinates into cells, another one for each number of a division. */
#include "tsp/lk/lk.h"

#include <math.h>
#include <shoal/rng.h>

/* Straight cuts ----------------------------------------------------------------------------------------- */

/* Cities that are to be divided into `cells` cells, the first of which has number `cell`. */
struct region {
    uint32_t first, count; /* in whole->items */
    uint32_t cells, cell;
};

/* Sorts the cities of a region along its longest axis; the first two axes are turned. */
static void sort_along(const struct lk *lk, struct lk_whole *whole, const struct region *region,
                       const double turned[2])
{
    const struct tsp_form *form = &lk->problem->form;
    struct tsp_curve_item *items = whole->items + region->first;
    double begin = 0, length = -1;
    unsigned longest = 0;
    for (unsigned axis = 0; axis < form->dim; axis++) {
        double least = INFINITY, most = -INFINITY;
        for (uint32_t i = 0; i < region->count; i++) {
            const double at = tsp_turned(form, turned, items[i].value, axis);
            least = fmin(least, at);
            most = fmax(most, at);
        }
        if (most - least > length) {
            length = most - least;
            begin = least;
            longest = axis;
        }
    }
    const double scale = length > 0 ? UINT32_MAX / length : 0;
    for (uint32_t i = 0; i < region->count; i++) {
        const double at = tsp_turned(form, turned, items[i].value, longest) - begin;
        items[i].key = (uint32_t)fmin(scale * at, UINT32_MAX);
    }
    tsp_sort_items(items, items + lk->n, region->count, whole->threads);
}

/* Cuts a region until each part is a cell. The first cut, of all cities, gives its first part `share` times
 * as many cities as its cells have on average. */
static void cut(const struct lk *lk, struct lk_whole *whole, struct region region, const double turned[2],
                double share)
{
    while (region.cells > 1) {
        const uint32_t cells = region.cells / 2;
        const uint32_t count = (uint32_t)(share * region.count * cells / region.cells);
        sort_along(lk, whole, &region, turned);
        cut(lk, whole, (struct region){region.first, count, cells, region.cell}, turned, 1);
        region = (struct region){region.first + count, region.count - count, region.cells - cells,
                                 region.cell + cells};
        share = 1;
    }
    for (uint32_t i = region.first; i < region.first + region.count; i++)
        whole->cell_of[whole->items[i].value] = region.cell;
}

/* Curve ------------------------------------------------------------------------------------------------- */

/* Cells are consecutive cities along a curve, which the division turns and moves. */
static void divide_along_curve(const struct lk *lk, struct lk_whole *whole, const double turned[2],
                               struct shoal_words words)
{
    const uint32_t n = lk->problem->n;
    const struct tsp_curve curve = {
        .turned = {turned[0], turned[1]},
        .margin = 0.5,
        .shift = {shoal_uniform_float(words.y), shoal_uniform_float(words.z), shoal_uniform_float(words.w)},
        .threads = whole->threads};
    tsp_curve_keys(lk->problem, &curve, whole->items, n);
    tsp_sort_items(whole->items, whole->items + lk->n, n, whole->threads);
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t i = 0; i < n; i++)
        whole->cell_of[whole->items[i].value] = (uint32_t)((uint64_t)i * lk->cells / n);
}

void lk_divide(const struct lk *lk, struct lk_whole *whole, uint64_t division)
{
    const uint32_t n = lk->problem->n;
    if (!lk_has_places(lk) || whole->division == division)
        return;
    const struct shoal_words words = shoal_random_words(lk->seed, SHOAL_STREAM_TSP_IMPROVE,
                                                        (uint32_t)division, UINT32_MAX, whole->replica);
    const double angle = 2 * 3.14159265358979 * shoal_uniform_float(words.x);
    const double turned[] = {cos(angle), sin(angle)};
    for (uint32_t i = 0; i < n; i++)
        whole->items[i].value = i;
    if (lk->is_cut)
        cut(lk, whole, (struct region){0, n, lk->cells, 0}, turned,
            1 - LK_CUT_SHIFT + 2 * LK_CUT_SHIFT * shoal_uniform_float(words.y));
    else
        divide_along_curve(lk, whole, turned, words);
    whole->division = division;
}
