/* Private: the cell schemes of the thesis, and the corrected scheme: cl/gas/thesis/cells.clh. */
#ifndef SHOAL_GAS_CELLS_H
#define SHOAL_GAS_CELLS_H

#include "gas/device/device.h"
#include "gas/thesis/thesis.h"

/* A grid of cells, and the lists of the cells in the zones around each cell. A list ends with the number of
 * cells, the index of a cell that has no particles. */
struct cells_zones {
    struct cells_grid grid;
    uint32_t cells;
    double side;
    /* squares of the radii R1 of the near zone and R2 of the middle zone, in units of the side of a cell;
     * middle2 infinite: there is no far zone */
    float near2, middle2;
    /* number of entries in the list of a cell, including the entry that ends it */
    uint32_t near_length, middle_length;
    /* lists of the near and the middle zone, [cells][near_length] and [cells][middle_length]; NULL: not
     * needed */
    uint32_t *near, *middle;
    /* [cells + 1][2]: centre of each cell, relative to the corner of the box, in sides */
    float *centre;
};

/* Defined in cells_zones.c: creates grid, centres and lists of the cells for a gas. */
SHOAL_MUST_CHECK enum shoal_status cells_zones_create(const struct gas_problem *problem,
                                                      struct cells_zones *zones, struct shoal_error *error);
void cells_zones_destroy(struct cells_zones *zones); /* accepts a struct of zeros */
/* Number of columns of the grid for the parameters. */
uint32_t cells_columns(const struct gas_problem *problem);
/* Two particles closer than this distance, in sides of a cell, are always in cells that are near each other.
 */
double cells_near_range(double near_radius);
/* Number of cells whose centres are closer than `radius` sides to the centre of a given cell, including that
 * cell, in a grid without edges. */
uint32_t cells_within(double radius);
/* Number of entries, including the one that ends it, in a list of the cells whose distance is at least `from`
 * and less than `to` sides, in a grid of `cells` cells. */
uint32_t cells_in_list(uint32_t cells, double from, double to);

/* Input and output of cells_sort_v1 and cells_sort_v2, defined in cells_host_sort.c, which sort particles by
 * cell, and within a cell by number. Input: number[place] and position[place] of each particle, the position
 * in the format of the device. Output: `order`, the places 0 .. n - 1 in sorted order, and `offsets`, [cells
 * + 2], the index in `order` at which each cell begins. cells_sort_v1 searches all cells for the cell of a
 * particle, and fills a table with a row of equal length for each cell. cells_sort_v2 computes the cell,
 * counts the particles of each cell, and fills rows of the necessary length, on several threads. */
struct cells_host {
    const struct cells_zones *zones;
    enum shoal_gas_precision precision;
    size_t n;
    const void *position; /* [n]: uint32_t[2] or double[2] */
    const uint32_t *number;
    uint32_t *order, *offsets;
    int threads;
};
SHOAL_MUST_CHECK enum shoal_status cells_sort_v1(const struct cells_host *host, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status cells_sort_v2(const struct cells_host *host, struct shoal_error *error);

/* Defined in cells_sort.c: sorts the arrays of the solver by cell, on the device or on the host. */
struct cells_sort;
SHOAL_MUST_CHECK enum shoal_status cells_sort_create(struct shoal_solver *solver,
                                                     const struct cells_zones *zones, struct cells_sort **out,
                                                     struct shoal_error *error);
void cells_sort_destroy(struct cells_sort **sort);
/* Bytes of device memory of the sort's arrays of particles. */
double cells_sort_bytes(const struct gas_device *device);
/* Sorts the buffers position, velocity, acceleration and id of gas_device, which are replaced by other
 * buffers. A sort on the host waits for the device. */
SHOAL_MUST_CHECK enum shoal_status cells_sort_run(struct shoal_solver *solver, struct cells_sort *sort,
                                                  struct shoal_error *error);
/* Results of the last sort. cells_sort_offsets: [cells + 2] of uint, the place at which each cell begins;
 * cells_sort_cell: the cell of the particle at each place; cells_sort_relative: the position of this particle
 * relative to its cell. */
struct shoal_buffer *cells_sort_offsets(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_cell(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_relative(const struct cells_sort *sort);
/* Sets the seconds on the host so far for sorts and for copies between host and device; 0 if the device
 * sorts. */
void cells_sort_seconds(const struct cells_sort *sort, double *sort_s, double *transfer_s);

extern const struct shoal_program_desc gas_cells_sort_program, gas_cells_far_program, gas_cells_near_program;

#endif
