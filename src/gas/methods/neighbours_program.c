/* Contracts of cl/gas/methods/list_build*.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"

static const struct shoal_define_desc defines[] = {
    GAS_STATE_DEFINE_DESCS(gas_list_build),
    DEFINE(gas_list_build, FINE_X, 1, 8, "cells in the range along x"),
    DEFINE(gas_list_build, FINE_YZ, 1, 4, "cells in the range along y and z"),
    DEFINE(gas_list_build, GROUPED, 0, 1,
           "1: a group visits the surroundings of its particles together, best with WG 32"),
    GAS_LIST_TILE_DESC(gas_list_build),
    DEFINE(gas_list_build, PENCIL, 0, GAS_PENCIL_MAX,
           "rows of cells side by side in the order of particles, along y and z: 2^PENCIL"),
    DEFINE(gas_list_build, TRIM, 0, 1, "1: skip rows of cells, and ends of rows, out of range of a particle"),
    DEFINE(gas_list_build, UNROLL, 1, 16, "particles that are loaded at a time"),
    DEFINE(gas_list_build, WARPED, 0, 1, "1: CUDA: a warp builds the list of each particle"),
    TUNED_DEFINE(gas_list_build, WG, 1, 1024, 1, "work-items of a group"),
    GAS_LIST_WINDOW_DESC(gas_list_build),
};

static const struct shoal_define_desc serial_defines[] = {
    GAS_STATE_DEFINE_DESCS(gas_list_build_serial),
    GAS_LIST_TILE_DESC(gas_list_build_serial),
    DEFINE(gas_list_build_serial, WG, 1, 1024, "work-items of a group"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_list_build, gas_list_build,
          .help = "neighbours of the particles, a work-item for each particle",
          /* with GROUPED: words of bits, their first particles, and particles; without, in three dimensions:
           * 20 words of bits and their first particles */
          .local_bytes = 32 * 4 + 32 * 32, .local_bytes_per_item = 40 * 4),
};

static const struct shoal_entry_desc serial_entries[] = {
    ENTRY(gas_list_build_serial, gas_list_build,
          .help = "neighbours of the particles, a work-item for many tiles"),
};

const struct shoal_program_desc gas_list_build_program =
    PROGRAM("gas.list-build", gas_list_build, 0, defines, entries);

const struct shoal_program_desc gas_list_build_serial_program =
    PROGRAM("gas.list-build-serial", gas_list_build_serial, 0, serial_defines, serial_entries);
