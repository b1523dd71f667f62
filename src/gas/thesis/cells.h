/* Private: the cell schemes of the thesis, and the corrected scheme: cl/gas/thesis/cells.clh. */
#ifndef SHOAL_GAS_CELLS_H
#define SHOAL_GAS_CELLS_H

#include "gas/device/device.h"
#include "gas/thesis/thesis.h"

/* A grid and the zones of its cells. A list of cells ends with an entry that is the number of cells; the cell
 * of this number is empty. */
struct cells_zones {
    struct cells_grid grid;
    uint32_t cells;
    double side;
    /* squares of the radii R1 and R2 in units of the side of a cell; middle2 infinite: there is no far
     * zone */
    float near2, middle2;
    uint32_t near_length, middle_length; /* number of entries in the list of each cell, including the end */
    /* [cells][near_length], [cells][middle_length]; NULL: not needed */
    uint32_t *near, *middle;
    /* [cells + 1][2]: centre of each cell, relative to the corner of the box, in sides */
    float *centre;
};

/* Defined in cells_zones.c: creates grid, centres and lists for a gas. */
SHOAL_MUST_CHECK enum shoal_status cells_zones_create(const struct gas_problem *problem,
                                                      struct cells_zones *zones, struct shoal_error *error);
void cells_zones_destroy(struct cells_zones *zones); /* accepts a struct of zeros */
/* Number of columns of the grid that the parameters ask for. */
uint32_t cells_columns(const struct gas_problem *problem);
/* The distance, in sides, below which all pairs of particles are in cells that are near each other. */
double cells_near_range(double near_radius);
/* Number of cells whose centres are closer than `radius` sides to the centre of a cell far from the edges,
 * including this cell. */
uint32_t cells_within(double radius);
/* Number of entries, including the end, in a list of the cells at distances from `from` to `to` in a grid of
 * `cells` cells. */
uint32_t cells_in_list(uint32_t cells, double from, double to);

/* Defined in cells_host_sort.c: sorts particles. Input: `number` has the number of the particle at each
 * place, `position` its position in the format of the device. Output: `order` has the places 0 .. n - 1,
 * sorted by cell and within a cell by number; `offsets`, [cells + 2], has the index in `order` at which each
 * cell begins. Version 1 searches all cells for the cell of a particle, and has a table with rows of equal
 * length, one for each cell. Version 2 computes the cell, counts, and fills rows of the necessary length, on
 * several threads. */
struct cells_host {
    const struct cells_zones *zones;
    enum shoal_gas_precision precision;
    size_t n;
    const void *position; /* [places]: uint32_t[2] or double[2] */
    const uint32_t *number;
    uint32_t *order, *offsets;
    int threads;
};
SHOAL_MUST_CHECK enum shoal_status cells_sort_v1(const struct cells_host *host, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status cells_sort_v2(const struct cells_host *host, struct shoal_error *error);

/* Defined in cells_sort.c: sorts the arrays of the solver by cell. */
struct cells_sort;
SHOAL_MUST_CHECK enum shoal_status cells_sort_create(struct shoal_solver *solver,
                                                     const struct cells_zones *zones, struct cells_sort **out,
                                                     struct shoal_error *error);
void cells_sort_destroy(struct cells_sort **sort);
/* Bytes of device memory for the sort's arrays of particles. */
double cells_sort_bytes(const struct gas_device *device);
/* Sorts position, velocity, acceleration and id of gas_device; the pointers to these buffers change. A sort
 * on the host waits for the device. */
SHOAL_MUST_CHECK enum shoal_status cells_sort_run(struct shoal_solver *solver, struct cells_sort *sort,
                                                  struct shoal_error *error);
/* Results of the sort. cells_sort_offsets: [cells + 2] offsets; cells_sort_cell: the cell of the particle at
 * each place; cells_sort_relative: the position of this particle relative to its cell. */
struct shoal_buffer *cells_sort_offsets(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_cell(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_relative(const struct cells_sort *sort);
/* Total time on the host so far, in seconds, for sorting and for copies in both directions; 0 if the device
 * sorts. */
void cells_sort_seconds(const struct cells_sort *sort, double *sort_s, double *transfer_s);

extern const struct shoal_program_desc gas_cells_sort_program, gas_cells_far_program, gas_cells_near_program;

#endif
