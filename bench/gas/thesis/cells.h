/* CPUTiled1 to 3, CPUFull and CPUTiled of the thesis: its cell schemes and its real gas on a CPU, in single
 * precision, with a division and without unrolling, as in the thesis. The particles are sorted by cell in
 * every frame, by the second version of the thesis's sort.
 *
 * The real gas: where s = Delta^2 + softening2 is below `cutoff2`, repulsion and a short-range attraction act
 * too, between particles of near cells only; elsewhere only the long-range attraction acts.
 */
#ifndef SHOAL_BENCH_THESIS_GAS_CELLS_H
#define SHOAL_BENCH_THESIS_GAS_CELLS_H

#include "bench/gas/thesis/cpu.h"

#include <stdint.h>

enum thesis_gas_zones { THESIS_GAS_FULL, THESIS_GAS_TILED1, THESIS_GAS_TILED2, THESIS_GAS_TILED3 };

struct thesis_gas_cells {
    struct thesis_gas gas; /* in the order of the cells after a frame */
    enum thesis_gas_zones zones;
    uint32_t columns, cells; /* cells: columns squared */
    float side;
    /* squares of R1 and R2, with sides of a cell as the unit: 4 and 100; R1 is 1 for one near cell */
    int near2, middle2;
    float repulsion, short_attraction, cutoff2; /* cutoff2 0: only the logarithmic attraction acts */
    /* cell: of each particle; counts: threads * cells; offsets: cells + 1 */
    uint32_t *cell, *counts, *offsets;
    /* only for Tiled3: lists of cells, each ended by the number `cells`, which stands for an empty cell */
    uint32_t *near, *middle;
    uint32_t near_length, middle_length;
    float *sorted;        /* 4 * padded numbers */
    float *far_x, *far_y; /* one number for each cell */
};

/* Returns false if memory runs out; `c` is then destroyed. */
bool thesis_gas_cells_create(struct thesis_gas_cells *c, enum thesis_gas_zones zones, size_t n,
                             size_t threads, uint32_t columns, bool one_near, bool real);
void thesis_gas_cells_destroy(struct thesis_gas_cells *c);
/* Adds a dt to the velocities; all schemes except FULL sort the particles first. */
void thesis_gas_cells_accelerate(struct thesis_gas_cells *c);
/* Calculates the acceleration of particle i by all others, in double precision. */
void thesis_gas_cells_direct(const struct thesis_gas_cells *c, size_t i, double *ax, double *ay);

#endif
