/* The grid of the cell schemes, and the zones of its cells. */
#include "base/error.h"
#include "gas/thesis/cells.h"

#include <math.h>
#include <stdlib.h>

enum { THESIS_COLUMNS = 50 };

double cells_near_range(double near_radius)
{
    /* The least distance of particles in two cells whose columns differ by a and whose rows differ by b is
     * the length of (max(a - 1, 0), max(b - 1, 0)) sides. */
    double least = INFINITY;
    const int reach = (int)ceil(near_radius) + 1;
    for (int a = 0; a <= reach; a++)
        for (int b = 0; b <= a; b++)
            if (a * a + b * b >= near_radius * near_radius)
                least = fmin(least, hypot(a > 1 ? a - 1 : 0, b > 1 ? b - 1 : 0));
    return least;
}

uint32_t cells_within(double radius)
{
    uint32_t count = 0;
    const int reach = (int)ceil(radius);
    for (int a = -reach; a <= reach; a++)
        for (int b = -reach; b <= reach; b++)
            count += a * a + b * b < radius * radius;
    return count;
}

uint32_t cells_in_list(uint32_t cells, double from, double to)
{
    /* A radius larger than the grid includes all cells. */
    const double most = cells;
    const uint32_t count = cells_within(fmin(to, most)) - cells_within(fmin(from, most));
    return (count < cells ? count : cells) + 1;
}

uint32_t cells_columns(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    if (gas_thesis_of(params)->cells)
        return (uint32_t)gas_thesis_of(params)->cells;
    const double reach = problem->kind == GAS_PAIR_REAL ? problem->pair.cutoff : 0;
    const double most = cells_near_range(gas_near_radius_of(params)) * problem->length[0] / reach;
    return most < THESIS_COLUMNS ? (uint32_t)fmax(most, 1) : THESIS_COLUMNS;
}

/* Fills the list of cell c with the cells whose squared distance from c, in sides, is at least `from` and
 * less than `to`. */
static void fill_list(const struct cells_grid *grid, uint32_t c, double from, double to, uint32_t *list,
                      uint32_t length)
{
    const int columns = (int)grid->columns, rows = (int)grid->rows, reach = (int)ceil(sqrt(to));
    const int x = (int)(c % grid->columns), y = (int)(c / grid->columns);
    uint32_t count = 0;
    for (int row = y > reach ? y - reach : 0; row < rows && row <= y + reach; row++)
        for (int column = x > reach ? x - reach : 0; column < columns && column <= x + reach; column++) {
            const int d = (column - x) * (column - x) + (row - y) * (row - y);
            if (d >= from && d < to)
                list[count++] = (uint32_t)(row * columns + column);
        }
    while (count < length)
        list[count++] = (uint32_t)(columns * rows);
}

static enum shoal_status make_lists(struct cells_zones *zones, double near_radius, double middle_radius,
                                    struct shoal_error *error)
{
    const size_t cells = zones->cells;
    zones->near_length = cells_in_list(zones->cells, 0, near_radius);
    zones->middle_length = cells_in_list(zones->cells, near_radius, middle_radius);
    zones->near = malloc(cells * zones->near_length * sizeof *zones->near);
    zones->middle = malloc(cells * zones->middle_length * sizeof *zones->middle);
    if (!zones->near || !zones->middle)
        return fail_host_memory(error);
    for (uint32_t c = 0; c < zones->cells; c++) {
        fill_list(&zones->grid, c, 0, near_radius * near_radius, zones->near + (size_t)c * zones->near_length,
                  zones->near_length);
        fill_list(&zones->grid, c, near_radius * near_radius, middle_radius * middle_radius,
                  zones->middle + (size_t)c * zones->middle_length, zones->middle_length);
    }
    return SHOAL_OK;
}

enum shoal_status cells_zones_create(const struct gas_problem *problem, struct cells_zones *zones,
                                     struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const int32_t scheme = gas_thesis_of(params)->scheme;
    const double near = gas_near_radius_of(params), middle = gas_middle_radius_of(params);
    const bool two_zones = scheme == SHOAL_GAS_SCHEME_TILED1 || scheme == SHOAL_GAS_SCHEME_TILED11;
    *zones = (struct cells_zones){.near2 = (float)(near * near),
                                  .middle2 = two_zones ? INFINITY : (float)(middle * middle)};
    struct cells_grid *grid = &zones->grid;
    grid->columns = cells_columns(problem);
    zones->side = problem->length[0] / grid->columns;
    /* 1 - 1e-12, so that rounding does not add a row to a box with a whole number of rows. */
    grid->rows = (uint32_t)fmax(1, ceil(problem->length[1] / zones->side * (1 - 1e-12)));
    grid->width = (uint32_t)ceil((double)BOX_STEPS / grid->columns);
    grid->height = (uint32_t)fmin(ceil(BOX_STEPS * zones->side / problem->length[1]), BOX_STEPS);
    zones->cells = grid->columns * grid->rows;
    enum shoal_status status = SHOAL_OK;
    if (scheme == SHOAL_GAS_SCHEME_TILED3 || scheme == SHOAL_GAS_SCHEME_CORRECTED)
        status = make_lists(zones, near, middle, error);
    zones->centre = calloc(zones->cells + 1, 2 * sizeof *zones->centre);
    if (!status && !zones->centre)
        status = fail_host_memory(error);
    for (uint32_t c = 0; !status && c < zones->cells; c++) {
        zones->centre[2 * c] = (float)(c % grid->columns) + 0.5f;
        zones->centre[2 * c + 1] = (float)(c / grid->columns) + 0.5f;
    }
    if (status)
        cells_zones_destroy(zones);
    return status;
}

void cells_zones_destroy(struct cells_zones *zones)
{
    free(zones->near);
    free(zones->middle);
    free(zones->centre);
    *zones = (struct cells_zones){0};
}
