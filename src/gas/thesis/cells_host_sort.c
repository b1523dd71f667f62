/* The two sorts of the thesis that run on the host, as described in its section on the sort of each frame. */
#include "base/error.h"
#include "gas/thesis/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t along(const struct cells_host *host, size_t place, size_t axis)
{
    const struct cells_grid *grid = &host->zones->grid;
    const uint32_t count = axis ? grid->rows : grid->columns, step = axis ? grid->height : grid->width;
    if (host->precision == SHOAL_GAS_DOUBLE) {
        const double *position = host->position;
        const double cell = floor(position[2 * place + axis] / host->zones->side);
        /* also true for NaN, so that it belongs to the first cell */
        return !(cell > 0) ? 0 : cell >= count ? count - 1 : (uint32_t)cell;
    }
    const uint32_t at = ((const uint32_t *)host->position)[2 * place + axis];
    const uint32_t cell = at < BOX_BEGIN ? 0 : (at - BOX_BEGIN) / step;
    return cell < count ? cell : count - 1;
}

static uint32_t cell_of(const struct cells_host *host, size_t place)
{
    return along(host, place, 1) * host->zones->grid.columns + along(host, place, 0);
}

/* Returns the place of each particle, by its number; NULL: there is no memory. If particles are visited in
 * the order of their numbers, they are sorted by number within a cell. Numbers out of range, which a faulty
 * device may return, are skipped; another check reports them. */
static uint32_t *places_by_number(const struct cells_host *host)
{
    uint32_t *places = calloc(host->n, sizeof *places);
    for (size_t place = 0; places && place < host->n; place++)
        if (host->number[place] < host->n)
            places[host->number[place]] = (uint32_t)place;
    return places;
}

/* Version 1 ---------------------------------------------------------------------------------------------- */

/* Returns the lower bound of each cell along an axis, [count + 1] with the upper bound of the last cell. The
 * first and the last bound are infinite, so that the cells at the edges include particles outside the box. */
static double *bounds_along(const struct cells_host *host, size_t axis)
{
    const struct cells_grid *grid = &host->zones->grid;
    const uint32_t count = axis ? grid->rows : grid->columns, step = axis ? grid->height : grid->width;
    const double side = host->zones->side;
    double *bounds = malloc((count + 1) * sizeof *bounds);
    for (uint32_t k = 1; bounds && k < count; k++) {
        bounds[k] = (double)BOX_BEGIN + (double)k * step;
        if (host->precision != SHOAL_GAS_DOUBLE)
            continue;
        /* The bound is the least coordinate for which the division by `side` in the kernels gives k. */
        bounds[k] = k * side;
        while (floor(bounds[k] / side) >= k)
            bounds[k] = nextafter(bounds[k], -INFINITY);
        while (floor(bounds[k] / side) < k)
            bounds[k] = nextafter(bounds[k], INFINITY);
    }
    if (bounds) {
        bounds[0] = -INFINITY;
        bounds[count] = INFINITY;
    }
    return bounds;
}

static double coordinate(const struct cells_host *host, size_t place, size_t axis)
{
    return host->precision == SHOAL_GAS_DOUBLE ? ((const double *)host->position)[2 * place + axis]
                                               : ((const uint32_t *)host->position)[2 * place + axis];
}

/* Returns the first cell whose bounds contain the particle at `place`, which is searched among all cells. */
static uint32_t search(const struct cells_host *host, const double *left, const double *low, size_t place)
{
    const struct cells_grid *grid = &host->zones->grid;
    const double x = coordinate(host, place, 0), y = coordinate(host, place, 1);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++)
            if (x >= left[column] && x < left[column + 1] && y >= low[row] && y < low[row + 1])
                return row * grid->columns + column;
    return host->zones->cells - 1; /* only for NaN */
}

/* Copies the rows of a table, which has room for `capacity` places in the row of each cell, to `order`
 * without gaps, and sets `offsets`. */
static void pack_rows(const struct cells_host *host, const uint32_t *rows, const uint32_t *counts,
                      size_t capacity)
{
    uint32_t total = 0;
    for (uint32_t c = 0; c < host->zones->cells; c++) {
        host->offsets[c] = total;
        memcpy(host->order + total, rows + c * capacity, counts[c] * sizeof *rows);
        total += counts[c];
    }
    host->offsets[host->zones->cells] = host->offsets[host->zones->cells + 1] = total;
}

/* Fills the table `rows` with the place of each particle, in the row of its cell. False: a cell has more than
 * `capacity` particles. */
static bool fill_rows(const struct cells_host *host, const double *left, const double *low,
                      const uint32_t *places, uint32_t *rows, uint32_t *counts, size_t capacity)
{
    memset(counts, 0, host->zones->cells * sizeof *counts);
    for (size_t number = 0; number < host->n; number++) {
        const uint32_t c = search(host, left, low, places[number]);
        if (counts[c] == capacity)
            return false;
        rows[c * capacity + counts[c]++] = places[number];
    }
    return true;
}

enum shoal_status cells_sort_v1(const struct cells_host *host, struct shoal_error *error)
{
    const size_t cells = host->zones->cells;
    double *left = bounds_along(host, 0), *low = bounds_along(host, 1);
    uint32_t *places = places_by_number(host), *counts = malloc(cells * sizeof *counts), *rows = NULL;
    /* At first a row has room for four times the mean number of particles in a cell. If a cell has more
     * particles, the sort begins again with rows of twice the length. */
    size_t capacity = 4 * (host->n / cells + 1);
    bool filled = false;
    enum shoal_status status = left && low && places && counts ? SHOAL_OK : fail_host_memory(error);
    while (!status && !filled) {
        free(rows);
        rows = malloc(cells * capacity * sizeof *rows);
        filled = rows && fill_rows(host, left, low, places, rows, counts, capacity);
        if (!rows)
            status = fail_host_memory(error);
        else if (filled)
            pack_rows(host, rows, counts, capacity);
        capacity *= 2;
    }
    free(rows);
    free(counts);
    free(places);
    free(left);
    free(low);
    return status;
}

/* Version 2 ---------------------------------------------------------------------------------------------- */

/* Sorts with several threads. Each thread handles a range of particle numbers, and has its own row of counts.
 * The index at which the particles of a thread begin within a cell is computed from the counts of the threads
 * before, so that no two threads write to the same index. */
static void count_and_scatter(const struct cells_host *host, const uint32_t *places, uint32_t *cell,
                              uint32_t *counts, size_t threads)
{
    const size_t cells = host->zones->cells, n = host->n;
#pragma omp parallel for num_threads((int)threads) schedule(static)
    for (size_t t = 0; t < threads; t++)
        for (size_t number = n * t / threads; number < n * (t + 1) / threads; number++) {
            cell[number] = cell_of(host, places[number]);
            counts[t * cells + cell[number]]++;
        }
    uint32_t total = 0;
    for (size_t c = 0; c < cells; c++) {
        host->offsets[c] = total;
        for (size_t t = 0; t < threads; t++) {
            const uint32_t count = counts[t * cells + c];
            counts[t * cells + c] = total;
            total += count;
        }
    }
    host->offsets[cells] = host->offsets[cells + 1] = total;
#pragma omp parallel for num_threads((int)threads) schedule(static)
    for (size_t t = 0; t < threads; t++)
        for (size_t number = n * t / threads; number < n * (t + 1) / threads; number++)
            host->order[counts[t * cells + cell[number]]++] = places[number];
}

enum shoal_status cells_sort_v2(const struct cells_host *host, struct shoal_error *error)
{
    const size_t threads = (size_t)host->threads;
    uint32_t *places = places_by_number(host), *cell = malloc(host->n * sizeof *cell);
    uint32_t *counts = calloc(threads * host->zones->cells, sizeof *counts);
    const enum shoal_status status = places && cell && counts ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        count_and_scatter(host, places, cell, counts, threads);
    free(places);
    free(cell);
    free(counts);
    return status;
}
