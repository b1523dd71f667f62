/* Private: the four kernels of the thesis: move, evaluate, personal best, best neighbour. */
#ifndef SHOAL_PSO_PIPELINE_H
#define SHOAL_PSO_PIPELINE_H

#include "pso/device/device.h"

extern const struct shoal_program_desc pso_move_program, pso_best_program, pso_island_program;

/* As pipeline_shape in cl/pso/methods/pipeline.clh. */
struct pipeline_shape {
    uint64_t seed;
    uint32_t particles, swarms, islands, dim, tile, restart, neighbours, columns;
};
_Static_assert(sizeof(struct pipeline_shape) == 40, "no padding: the kernels' layout");

/* As pipeline_batch there. */
struct pipeline_batch {
    uint32_t first, count;
};
_Static_assert(sizeof(struct pipeline_batch) == 8, "no padding: the kernels' layout");

#endif
