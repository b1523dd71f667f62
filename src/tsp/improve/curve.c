/* Cities in the order of a Hilbert curve or a Moore curve. */
#include "tsp/improve/curve.h"
#include "base/error.h"
#include "tsp/improve/improve.h"

#include <math.h>
#include <stdlib.h>

const struct tsp_curve tsp_plain_curve = {.turned = {1, 0}, .threads = 1};
const struct tsp_curve tsp_closed_curve = {.turned = {1, 0}, .threads = 1, .is_closed = true};

void tsp_sort_items(struct tsp_curve_item *items, struct tsp_curve_item *scratch, size_t count)
{
    enum { BITS = 8, PARTS = 1 << BITS };
    for (unsigned shift = 0; shift < 32; shift += BITS) {
        size_t begins[PARTS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            begins[(items[i].key >> shift & (PARTS - 1)) + 1]++;
        for (unsigned part = 0; part < PARTS; part++)
            begins[part + 1] += begins[part];
        for (size_t i = 0; i < count; i++)
            scratch[begins[items[i].key >> shift & (PARTS - 1)]++] = items[i];
        struct tsp_curve_item *other = items;
        items = scratch;
        scratch = other;
    }
}

/* Returns the index of a grid cell on the Hilbert curve. The grid has 2^bits cells along each of `dim` axes,
 * and `x` has the coordinates of the cell (J. Skilling, Programming the Hilbert curve, 2004). The call
 * overwrites `x`. */
static uint32_t hilbert_index(uint32_t *x, unsigned dim, unsigned bits)
{
    const uint32_t top = UINT32_C(1) << (bits - 1);
    for (uint32_t q = top; q > 1; q >>= 1) {
        for (unsigned i = 0; i < dim; i++) {
            if (x[i] & q) {
                x[0] ^= q - 1;
            } else {
                const uint32_t t = (x[0] ^ x[i]) & (q - 1);
                x[0] ^= t;
                x[i] ^= t;
            }
        }
    }
    for (unsigned i = 1; i < dim; i++)
        x[i] ^= x[i - 1];
    uint32_t t = 0;
    for (uint32_t q = top; q > 1; q >>= 1)
        if (x[dim - 1] & q)
            t ^= q - 1;
    uint32_t index = 0;
    for (unsigned i = 0; i < dim; i++)
        x[i] ^= t;
    for (unsigned bit = bits; bit-- > 0;)
        for (unsigned i = 0; i < dim; i++)
            index = index << 1 | (x[i] >> bit & 1);
    return index;
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

void tsp_curve_keys(const struct tsp_problem *problem, const struct tsp_curve *curve,
                    struct tsp_curve_item *items, uint32_t count)
{
    const struct tsp_form *form = &problem->form;
    const unsigned dim = form->dim, bits = dim == 2 ? 16 : 10;
    double first[3], size = 0;
    for (unsigned d = 0; d < dim; d++) {
        double least = INFINITY, most = -INFINITY;
#pragma omp parallel for num_threads(curve->threads) reduction(min : least) reduction(max : most)
        for (uint32_t i = 0; i < problem->n; i++) {
            const double at = tsp_turned(form, curve->turned, i, d);
            least = fmin(least, at);
            most = fmax(most, at);
        }
        first[d] = least;
        size = fmax(size, most - least);
    }
    for (unsigned d = 0; d < dim; d++)
        first[d] -= curve->margin * curve->shift[d] * size;
    size += curve->margin * size;
    const double cells = (double)(UINT32_C(1) << bits), scale = size > 0 ? cells / size : 0;
#pragma omp parallel for num_threads(curve->threads) schedule(static)
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x[3] = {0};
        for (unsigned d = 0; d < dim && items[i].value < problem->n; d++)
            x[d] = (uint32_t)fmin(scale * (tsp_turned(form, curve->turned, items[i].value, d) - first[d]),
                                  cells - 1);
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
    tsp_sort_items(items, items + n, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = items[i].value;
    free(items);
    return SHOAL_OK;
}
