/* Contracts of cl/gas/list_build*.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"

static const struct shoal_arg_desc args[] = {
    GAS_ARG_VECTORS("position", READ, 8),
    BUFFER("starts", READ, UINT),
    BUFFER("settings", READ, REAL),
    BUFFER("list", WRITE, UINT),
    BUFFER("counts", WRITE, UINT),
    BUFFER("words", READ_WRITE, UINT),
    GAS_ARG_MESH("cells"),
    GAS_ARG_MESH("reach"),
    VALUE("n", UINT),
    VALUE("items", UINT),
    VALUE("capacity", UINT),
    VALUE("range2", FLOAT),
};

static const struct shoal_define_desc defines[] = {
    GAS_STATE_DEFINE_DESCS,
    {.name = "FINE_X", .value = 2, .min = 1, .max = 8, .help = "cells that the range takes along x"},
    {.name = "FINE_YZ", .value = 1, .min = 1, .max = 4, .help = "cells that the range takes along y and z"},
    {.name = "GROUPED",
     .value = 0,
     .min = 0,
     .max = 1,
     .help = "1: a group goes together through what is around its particles, best with WG 32"},
    GAS_LIST_TILE_DESC,
    {.name = "PENCIL",
     .value = 0,
     .min = 0,
     .max = GAS_PENCIL_MAX,
     .help = "rows of cells side by side in the order of particles, along y and z: 2^PENCIL"},
    {.name = "TRIM",
     .value = 0,
     .min = 0,
     .max = 1,
     .help = "1: no rows of cells, and no ends of them, that are out of a particle's range"},
    {.name = "UNROLL", .value = 4, .min = 1, .max = 16, .help = "particles that are loaded at a time"},
    {.name = "WG", .value = 128, .min = 1, .max = 1024, .help = "work-items of a group"},
};

static const struct shoal_define_desc serial_defines[] = {
    GAS_STATE_DEFINE_DESCS,
    GAS_LIST_TILE_DESC,
    {.name = "WG", .value = 1, .min = 1, .max = 1024, .help = "work-items of a group"},
};

static const struct shoal_entry_desc entries[] = {
    {.name = "gas_list_build",
     .args = args,
     .arg_count = COUNT(args),
     .work_group = "WG",
     .help = "neighbours of the particles, a particle a work-item",
     /* With groups of 128. */
     .local_define = "GROUPED",
     .local_bytes_per_unit = 32 * 128 * 4 + 32 * 32 + 32 * 4},
};

static const struct shoal_entry_desc serial_entries[] = {
    {.name = "gas_list_build",
     .args = args,
     .arg_count = COUNT(args),
     .work_group = "WG",
     .help = "neighbours of the particles, many cells a work-item"},
};

const struct shoal_program_desc gas_list_build_program = {
    .name = "gas.list-build",
    .file = "gas/methods/list_build.cl",
    .defines = defines,
    .define_count = COUNT(defines),
    .entries = entries,
    .entry_count = COUNT(entries),
};

const struct shoal_program_desc gas_list_build_serial_program = {
    .name = "gas.list-build-serial",
    .file = "gas/methods/list_build_serial.cl",
    .defines = serial_defines,
    .define_count = COUNT(serial_defines),
    .entries = serial_entries,
    .entry_count = COUNT(serial_entries),
};
