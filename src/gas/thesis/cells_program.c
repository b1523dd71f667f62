/* Contracts of cl/gas/thesis/cells_*.cl. */
#include "compute/contract.h"
#include "gas/thesis/cells.h"

#define WORK_GROUP(file) DEFINE(file, WG, 1, 1024, "work-group size, a power of two")
#define ENERGIES(file)   DEFINE(file, ENERGIES, 0, 1, "1: half pair energies and virials too")

static const struct shoal_entry_desc sort_entries[] = {
    ENTRY(gas_cells_sort, gas_cells_key, .help = "cell of each particle, by number"),
    ENTRY(gas_cells_sort, gas_cells_gather, .help = "moves particles into the order of the cells"),
    ENTRY(gas_cells_sort, gas_cells_offsets,
          .help = "the first particle of each cell, from the sorted cells of the particles"),
    ENTRY(gas_cells_sort, gas_cells_place,
          .help = "cell of each sorted particle, and its position relative to the centre of the cell"),
};
static const struct shoal_define_desc sort_defines[] = {
    WORK_GROUP(gas_cells_sort),
    GAS_STATE_DEFINE_DESCS(gas_cells_sort),
};
const struct shoal_program_desc gas_cells_sort_program =
    PROGRAM("gas.cells_sort", gas_cells_sort, 0, sort_defines, sort_entries);

static const struct shoal_entry_desc far_entries[] = {
    ENTRY(gas_cells_far, gas_cells_far, .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "Tiled2k: forces between cells, a work-item for each cell, without tables"),
    ENTRY(gas_cells_far, gas_cells_far_ha1, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "Ha1: forces between cells with a table of squared distances"),
    ENTRY(gas_cells_far, gas_cells_far_ha3, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "Ha3: forces between cells with tables of squared distances and of both factors"),
    ENTRY(gas_cells_far, gas_cells_mass, .local_bytes_per_item = 2 * sizeof(double),
          .help = "centre of mass of each cell, a work-group for each cell"),
    ENTRY(gas_cells_far, gas_cells_far_linear, .local_bytes_per_item = 6 * sizeof(double),
          .roof = SHOAL_ROOF_FP32_FLOPS,
          .help = "forces of centres of mass on cells, with the gradient, a work-group for each cell"),
};
static const struct shoal_define_desc far_defines[] = {
    WORK_GROUP(gas_cells_far),
    DEFINE(gas_cells_far, UNROLL, 1, 64, "source cells a turn"),
    ENERGIES(gas_cells_far),
    GAS_STATE_DEFINE_DESCS(gas_cells_far),
    GAS_PAIR_DEFINE_DESCS(gas_cells_far),
};
const struct shoal_program_desc gas_cells_far_program =
    PROGRAM("gas.cells_far", gas_cells_far, 0, far_defines, far_entries);

static const struct shoal_entry_desc near_entries[] = {
    ENTRY(gas_cells_near, gas_cells_tiled1,
          .help = "Tiled1: each cell is near or a point, sums in global memory"),
    ENTRY(gas_cells_near, gas_cells_tiled2,
          .help = "Tiled11 and Tiled2: zones by tests at run time, sums in registers"),
    ENTRY(gas_cells_near, gas_cells_tiled3,
          .help = "Tiled3 and the corrected scheme: zones by lists of cells"),
    ENTRY(gas_cells_near, gas_cells_kadder,
          .help = "Kadder: adds the far force of a cell to its particles, a work-item for each cell"),
};
static const struct shoal_define_desc near_defines[] = {
    WORK_GROUP(gas_cells_near),
    DEFINE(gas_cells_near, UNROLL, 1, 16, "particles of a near cell a turn"),
    DEFINE(gas_cells_near, CELLS_UNROLL, 1, 16, "cells a turn of Tiled1, 11 and 2"),
    DEFINE(gas_cells_near, CORRECTED, 0, 1, "1: centres of mass, linear far force"),
    DEFINE(gas_cells_near, SOFTENED, 0, 1, "1: a particle's force on itself is 0"),
    ENERGIES(gas_cells_near),
    GAS_STATE_DEFINE_DESCS(gas_cells_near),
    GAS_PAIR_DEFINE_DESCS(gas_cells_near),
};
const struct shoal_program_desc gas_cells_near_program =
    PROGRAM("gas.cells_near", gas_cells_near, 0, near_defines, near_entries);
