/* Contracts of cl/gas/device/sort*.cl. */
#include "compute/contract.h"
#include "gas/device/sort.h"

_Static_assert(sizeof(struct gas_mesh) == 16, "four uint, as cl/gas/model/mesh.clh has it");

static const struct shoal_define_desc blocks_defines[] = {
    DEFINE(gas_sort, RANGED, 0, 1, "1: only particles of some cells are sorted"),
    GAS_STATE_DEFINE_DESCS(gas_sort),
    TUNED_DEFINE(gas_sort, WG, 1, 1024, 1, "work-items of a group, a power of two"),
};
static const struct shoal_define_desc serial_defines[] = {
    DEFINE(gas_sort_serial, RANGED, 0, 1, "1: only particles of some cells are sorted"),
    GAS_STATE_DEFINE_DESCS(gas_sort_serial),
    DEFINE(gas_sort_serial, WG, 1, 1024, "work-items of a group"),
};
static const struct shoal_define_desc group_defines[] = {
    GAS_STATE_DEFINE_DESCS(gas_sort_group),
    DEFINE(gas_sort_group, PARTICLES, 1, GAS_SORT_GROUP_PARTICLES, "at least the number of particles"),
    DEFINE(gas_sort_group, WG, 1, 1024, "work-items of a group, a power of two"),
};

#define COUNT_ENTRY(file)                                                                                    \
    ENTRY(file, gas_sort_count, .roof = SHOAL_ROOF_COPY_BYTES,                                               \
          .help = "cells of the particles, their counts, and ranks in them")
#define SCATTER_ENTRY(file)                                                                                  \
    ENTRY(file, gas_sort_scatter, .roof = SHOAL_ROOF_COPY_BYTES,                                             \
          .help = "numbers of the particles, moved to their cells")

static const struct shoal_entry_desc blocks_entries[] = {
    COUNT_ENTRY(gas_sort),
    SCATTER_ENTRY(gas_sort),
    ENTRY(gas_sort, gas_sort_order, .local_bytes = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "particles, moved to their places: by number inside a cell"),
};

static const struct shoal_entry_desc serial_entries[] = {
    COUNT_ENTRY(gas_sort_serial),
    SCATTER_ENTRY(gas_sort_serial),
    ENTRY(gas_sort_serial, gas_sort_order, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "particles, moved to their places: by number inside a cell; a work-item for many cells"),
};

static const struct shoal_entry_desc group_entries[] = {
    ENTRY(gas_sort_group, gas_sort_group,
          .local_bytes = (GAS_SORT_GROUP_CELLS / 2 + 1) * 4 + GAS_SORT_GROUP_PARTICLES * 2,
          .help = "the whole sort of few particles, in one launch"),
};

const struct shoal_program_desc gas_sort_program =
    PROGRAM("gas.sort", gas_sort, 0, blocks_defines, blocks_entries);

const struct shoal_program_desc gas_sort_serial_program =
    PROGRAM("gas.sort-serial", gas_sort_serial, 0, serial_defines, serial_entries);

const struct shoal_program_desc gas_sort_group_program =
    PROGRAM("gas.sort-group", gas_sort_group, 0, group_defines, group_entries);
