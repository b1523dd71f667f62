/* Contracts of cl/gas/sort*.cl. */
#include "compute/contract.h"
#include "gas/device/sort.h"

_Static_assert(sizeof(struct gas_mesh) == 16, "four uint, as cl/gas/model/mesh.clh has it");

/* Positions and velocities have 8 or 16 bytes by dimension and precision. */
static const struct shoal_arg_desc count_args[] = {
    GAS_ARG_VECTORS("position", READ, 8),
    BUFFER("settings", READ, REAL),
    BUFFER("counts", READ_WRITE, UINT),
    GAS_ARG_VECTORS("keys", WRITE, 8),
    BUFFER("words", READ_WRITE, UINT),
    GAS_ARG_MESH("cells"),
    VALUE("n", UINT),
    VALUE("items", UINT),
};

static const struct shoal_arg_desc scatter_args[] = {
    GAS_ARG_VECTORS("keys", READ, 8),
    BUFFER("starts", READ, UINT),
    BUFFER("id", READ, UINT),
    GAS_ARG_VECTORS("entries", WRITE, 16),
    BUFFER("counts", WRITE, UINT),
    VALUE("cells", UINT),
    VALUE("n", UINT),
    VALUE("items", UINT),
};

static const struct shoal_arg_desc order_args[] = {
    GAS_ARG_VECTORS("entries", READ_WRITE, 16),
    BUFFER("starts", READ, UINT),
    GAS_ARG_VECTORS("keys", READ_WRITE, 8),
    GAS_ARG_VECTORS("position", READ, 8),
    GAS_ARG_VECTORS("velocity", READ, 8),
    GAS_ARG_VECTORS("position_out", WRITE, 8),
    GAS_ARG_VECTORS("velocity_out", WRITE, 8),
    BUFFER("id_out", WRITE, UINT),
    GAS_ARG_VECTORS("reference", WRITE, 8),
    VALUE("cells", UINT),
    VALUE("n", UINT),
    VALUE("items", UINT),
};

static const struct shoal_arg_desc group_args[] = {
    BUFFER("settings", READ, REAL),
    BUFFER("starts", WRITE, UINT),
    GAS_ARG_VECTORS("keys", READ_WRITE, 8),
    GAS_ARG_VECTORS("entries", READ_WRITE, 16),
    BUFFER("words", READ_WRITE, UINT),
    GAS_ARG_VECTORS("position", READ, 8),
    GAS_ARG_VECTORS("velocity", READ, 8),
    BUFFER("id", READ, UINT),
    GAS_ARG_VECTORS("position_out", WRITE, 8),
    GAS_ARG_VECTORS("velocity_out", WRITE, 8),
    BUFFER("id_out", WRITE, UINT),
    GAS_ARG_VECTORS("reference", WRITE, 8),
    GAS_ARG_MESH("cells"),
    VALUE("n", UINT),
};

static const struct shoal_define_desc blocks_defines[] = {
    GAS_STATE_DEFINE_DESCS,
    {.name = "WG", .value = 256, .min = 1, .max = 1024, .help = "work-items of a group, a power of two"},
};
static const struct shoal_define_desc serial_defines[] = {
    GAS_STATE_DEFINE_DESCS,
    {.name = "WG", .value = 1, .min = 1, .max = 1024, .help = "work-items of a group"},
};
static const struct shoal_define_desc group_defines[] = {
    GAS_STATE_DEFINE_DESCS,
    {.name = "WG", .value = 1024, .min = 1, .max = 1024, .help = "work-items of the group, a power of two"},
};

#define COUNT_ENTRY                                                                                          \
    {                                                                                                        \
        .name = "gas_sort_count", .args = count_args, .arg_count = COUNT(count_args), .work_group = "WG",    \
        .roof = SHOAL_ROOF_COPY_BYTES, .help = "cells of the particles, counted, and ranks in them"          \
    }
#define SCATTER_ENTRY                                                                                        \
    {                                                                                                        \
        .name = "gas_sort_scatter", .args = scatter_args, .arg_count = COUNT(scatter_args),                  \
        .work_group = "WG", .roof = SHOAL_ROOF_COPY_BYTES, .help = "numbers of the particles to their cells" \
    }

static const struct shoal_entry_desc blocks_entries[] = {
    COUNT_ENTRY,
    SCATTER_ENTRY,
    {.name = "gas_sort_order",
     .args = order_args,
     .arg_count = COUNT(order_args),
     .work_group = "WG",
     .local_bytes = 8,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "particles to their places: by number inside a cell"},
};

static const struct shoal_entry_desc serial_entries[] = {
    COUNT_ENTRY,
    SCATTER_ENTRY,
    {.name = "gas_sort_order",
     .args = order_args,
     .arg_count = COUNT(order_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "particles to their places: by number inside a cell; many cells a work-item"},
};

static const struct shoal_entry_desc group_entries[] = {
    {.name = "gas_sort_group",
     .args = group_args,
     .arg_count = COUNT(group_args),
     .work_group = "WG",
     .local_bytes = (GAS_SORT_GROUP_CELLS + 1) * 4,
     .local_bytes_per_item = 8,
     .help = "the whole sort of few particles, in one group"},
};

const struct shoal_program_desc gas_sort_program = {
    .name = "gas.sort",
    .file = "gas/device/sort.cl",
    .defines = blocks_defines,
    .define_count = COUNT(blocks_defines),
    .entries = blocks_entries,
    .entry_count = COUNT(blocks_entries),
};

const struct shoal_program_desc gas_sort_serial_program = {
    .name = "gas.sort-serial",
    .file = "gas/device/sort_serial.cl",
    .defines = serial_defines,
    .define_count = COUNT(serial_defines),
    .entries = serial_entries,
    .entry_count = COUNT(serial_entries),
};

const struct shoal_program_desc gas_sort_group_program = {
    .name = "gas.sort-group",
    .file = "gas/device/sort_group.cl",
    .defines = group_defines,
    .define_count = COUNT(group_defines),
    .entries = group_entries,
    .entry_count = COUNT(group_entries),
};
