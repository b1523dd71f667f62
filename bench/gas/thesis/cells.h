/* CPUTiled1 to 3, CPUFull and CPUTiled of the thesis: its cell schemes and its real gas on a CPU, in single
 * precision, with a division and without unrolling, as it had them. The particles are sorted by cell in every
 * frame, by its second version.
 *
 * The real gas: inside `cutoff2`, a bound on s = Delta^2 + softening2, also repulsion and a short attraction,
 * among near cells alone; elsewhere only the long-range attraction.
 */
#ifndef SHOAL_BENCH_THESIS_GAS_CELLS_H
#define SHOAL_BENCH_THESIS_GAS_CELLS_H

#include "bench/gas/thesis/cpu.h"

#include <stdint.h>

enum thesis_gas_zones { THESIS_GAS_FULL, THESIS_GAS_TILED1, THESIS_GAS_TILED2, THESIS_GAS_TILED3 };

struct thesis_gas_cells {
    struct thesis_gas gas; /* in the order of the cells after a frame */
    enum thesis_gas_zones zones;
    uint32_t columns, cells; /* columns squared */
    float side;
    int near2, middle2; /* R1 and R2 squared, in sides: 4 and 100, R1 1 for one near cell */
    float repulsion, short_attraction, cutoff2; /* cutoff2 0: the log attraction alone */
    uint32_t *cell, *counts, *offsets;          /* of the particles; threads * cells; cells + 1 */
    uint32_t *near, *middle; /* Tiled3: lists of cells, each ended by `cells`, which is empty */
    uint32_t near_length, middle_length;
    float *sorted;        /* 4 * padded */
    float *far_x, *far_y; /* cells */
};

/* False: out of memory; `c` is destroyed then. */
bool thesis_gas_cells_create(struct thesis_gas_cells *c, enum thesis_gas_zones zones, size_t n,
                             size_t threads, uint32_t columns, bool one_near, bool real);
void thesis_gas_cells_destroy(struct thesis_gas_cells *c);
/* v += a dt; sorts first, except FULL. */
void thesis_gas_cells_accelerate(struct thesis_gas_cells *c);
/* Acceleration of particle i from all others in double. */
void thesis_gas_cells_direct(const struct thesis_gas_cells *c, size_t i, double *ax, double *ay);

#endif
