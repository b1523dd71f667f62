/* Private: the cell schemes of the thesis, and the corrected scheme: cl/gas/thesis/cells.clh. */
#ifndef SHOAL_GAS_CELLS_H
#define SHOAL_GAS_CELLS_H

#include "gas/device/device.h"
#include "gas/thesis/thesis.h"

/* A grid and its zones. A list ends with the number of cells, which stands for an empty cell. */
struct cells_zones {
    struct cells_grid grid;
    uint32_t cells;
    double side;
    /* squares of R1 and R2, in sides of a cell; middle2 infinite: there is no far zone */
    float near2, middle2;
    uint32_t near_length, middle_length; /* number of entries of a cell's list, with the end */
    uint32_t *near, *middle;             /* [cells][length]; NULL: not wanted */
    /* [cells + 1][2]: centre of each cell in sides, from the corner of the box */
    float *centre;
};

/* Defined in cells_zones.c: makes grid, centres and lists for a gas. */
SHOAL_MUST_CHECK enum shoal_status cells_zones_create(const struct gas_problem *problem,
                                                      struct cells_zones *zones, struct shoal_error *error);
void cells_zones_destroy(struct cells_zones *zones); /* accepts zeros */
/* Columns of the grid that the parameters ask for. */
uint32_t cells_columns(const struct gas_problem *problem);
/* The distance, in sides, up to which all pairs of particles are in near cells. */
double cells_near_range(double near_radius);
/* Number of cells whose centres are closer than `radius` sides to the centre of a cell far from any edge,
 * that cell included. */
uint32_t cells_within(double radius);
/* Number of entries, with the end, of a list of the cells from one radius to another in a grid of `cells`
 * cells. */
uint32_t cells_in_list(uint32_t cells, double from, double to);

/* Defined in cells_host_sort.c. `order` receives the places 0 .. n - 1, sorted by cell and within a cell by
 * number; `offsets`, [cells + 2], where each cell begins. `number` holds the number of the particle at each
 * place, `position` its position in `bytes` bytes, as on the device. Version 1 searches all cells for the
 * cell of a particle, and has a table with an equal row for each cell. Version 2 computes the cell, counts,
 * and fills rows as long as needed, on several threads. */
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

/* Defined in cells_sort.c: brings the arrays of the solver into the order of the cells. */
struct cells_sort;
SHOAL_MUST_CHECK enum shoal_status cells_sort_create(struct shoal_solver *solver,
                                                     const struct cells_zones *zones, struct cells_sort **out,
                                                     struct shoal_error *error);
void cells_sort_destroy(struct cells_sort **sort);
/* Bytes of device memory of the sort's arrays of particles. */
double cells_sort_bytes(const struct gas_device *device);
/* Sorts position, velocity, acceleration and id of gas_device, which are other buffers afterwards. A sort on
 * the host waits for the device. */
SHOAL_MUST_CHECK enum shoal_status cells_sort_run(struct shoal_solver *solver, struct cells_sort *sort,
                                                  struct shoal_error *error);
/* Results of the sort: [cells + 2] offsets, the cell of the particle at each place, and the position of the
 * particle in the cell. */
struct shoal_buffer *cells_sort_offsets(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_cell(const struct cells_sort *sort);
struct shoal_buffer *cells_sort_relative(const struct cells_sort *sort);
/* Seconds of the host so far, for sorting and for copies in both directions; 0 for sorts on the device. */
void cells_sort_seconds(const struct cells_sort *sort, double *sort_s, double *transfer_s);

extern const struct shoal_program_desc gas_cells_sort_program, gas_cells_far_program, gas_cells_near_program;

#endif
