/* Cities in the order of a Hilbert curve or a Moore curve. */
#include "tsp/improve/curve.h"
#include "base/error.h"
#include "tsp/improve/improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/host.h"
#include "tsp/model/hilbert.clh"

const struct tsp_curve tsp_plain_curve = {.turned = {1, 0}, .threads = 1};
const struct tsp_curve tsp_closed_curve = {.turned = {1, 0}, .threads = 1, .is_closed = true};

enum { BITS = 8, PARTS = 1 << BITS, MOST_PIECES = 32, LEAST_PIECE = 1 << 14 };

/* The part of an item in the pass of the sort that looks at the bits from `shift` on. */
static uint32_t part_of(const struct tsp_curve_item *item, unsigned shift)
{
    return item->key >> shift & (PARTS - 1);
}

/* Each piece of the items has a thread, which counts the items of each part and moves them behind those of
 * the pieces before it: the order is that of one thread. */
void tsp_sort_items(struct tsp_curve_item *items, struct tsp_curve_item *scratch, size_t count, int threads)
{
    const size_t most = count / LEAST_PIECE + 1;
    const int pieces = (int)fmin(fmin(threads, MOST_PIECES), (double)most);
    size_t begins[MOST_PIECES][PARTS];
    for (unsigned shift = 0; shift < 32; shift += BITS) {
#pragma omp parallel for num_threads(pieces) schedule(static, 1) if (pieces > 1)
        for (int piece = 0; piece < pieces; piece++) {
            size_t *counts = begins[piece];
            memset(counts, 0, sizeof begins[piece]);
            for (size_t i = count * piece / pieces; i < count * (piece + 1) / pieces; i++)
                counts[part_of(items + i, shift)]++;
        }
        size_t begin = 0;
        for (unsigned part = 0; part < PARTS; part++)
            for (int piece = 0; piece < pieces; piece++) {
                const size_t own = begins[piece][part];
                begins[piece][part] = begin;
                begin += own;
            }
#pragma omp parallel for num_threads(pieces) schedule(static, 1) if (pieces > 1)
        for (int piece = 0; piece < pieces; piece++)
            for (size_t i = count * piece / pieces; i < count * (piece + 1) / pieces; i++)
                scratch[begins[piece][part_of(items + i, shift)]++] = items[i];
        struct tsp_curve_item *other = items;
        items = scratch;
        scratch = other;
    }
}

/* Returns the index of a grid cell on the Moore curve: four Hilbert curves of half the size, up through the
 * left half of the square and down through the right one. The grid has 2^bits cells along both axes. */
static uint32_t moore_index(const uint32_t x[2], unsigned bits)
{
    const uint32_t half = UINT32_C(1) << (bits - 1), last = half - 1;
    const bool is_right = x[0] >= half, is_upper = x[1] >= half;
    const uint32_t across = x[0] & last, up = x[1] & last;
    uint32_t turned[] = {is_right ? last - up : up, is_right ? across : last - across};
    const uint32_t quadrant = is_right ? 3 - is_upper : is_upper;
    return quadrant << (2 * (bits - 1)) | hilbert_index(turned, 2, bits - 1);
}

struct tsp_curve_grid tsp_curve_grid(const struct tsp_problem *problem, const struct tsp_curve *curve)
{
    const struct tsp_form *form = &problem->form;
    const unsigned dim = form->dim;
    struct tsp_curve_grid grid = {.scale = 0};
    double size = 0;
    for (unsigned d = 0; d < dim; d++) {
        double least = INFINITY, most = -INFINITY;
#pragma omp parallel for num_threads(curve->threads) reduction(min : least) reduction(max : most)
        for (uint32_t i = 0; i < problem->n; i++) {
            const double at = tsp_turned(form, curve->turned, i, d);
            least = fmin(least, at);
            most = fmax(most, at);
        }
        grid.first[d] = least;
        size = fmax(size, most - least);
    }
    for (unsigned d = 0; d < dim; d++)
        grid.first[d] -= curve->margin * curve->shift[d] * size;
    size += curve->margin * size;
    grid.scale = size > 0 ? (double)(UINT32_C(1) << hilbert_bits(dim)) / size : 0;
    return grid;
}

void tsp_curve_keys(const struct tsp_problem *problem, const struct tsp_curve *curve,
                    struct tsp_curve_item *items, uint32_t count)
{
    const struct tsp_form *form = &problem->form;
    const struct tsp_curve_grid grid = tsp_curve_grid(problem, curve);
    const unsigned dim = form->dim, bits = hilbert_bits(dim);
    const double last = (double)((UINT32_C(1) << bits) - 1);
#pragma omp parallel for num_threads(curve->threads) schedule(static)
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x[3] = {0};
        for (unsigned d = 0; d < dim && items[i].value < problem->n; d++)
            x[d] = (uint32_t)fmin(
                grid.scale * (tsp_turned(form, curve->turned, items[i].value, d) - grid.first[d]), last);
        items[i].key = curve->is_closed && dim == 2 ? moore_index(x, bits) : hilbert_index(x, dim, bits);
    }
}

enum shoal_status tsp_curve_order(const struct tsp_problem *problem, const struct tsp_curve *curve,
                                  uint32_t *order, struct shoal_error *error)
{
    const uint32_t n = problem->form.n;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    if (!problem->form.dim)
        return SHOAL_OK;
    struct tsp_curve_item *items = malloc(2 * (size_t)n * sizeof *items);
    if (!items)
        return fail_host_memory(error);
    for (uint32_t i = 0; i < n; i++)
        items[i].value = i;
    tsp_curve_keys(problem, curve, items, n);
    tsp_sort_items(items, items + n, n, curve->threads);
    for (uint32_t i = 0; i < n; i++)
        order[i] = items[i].value;
    free(items);
    return SHOAL_OK;
}
