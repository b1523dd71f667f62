/* Contract of cl/gas/device/observe.cl. */
#include "compute/contract.h"
#include "gas/device/observe.h"
#include "gas/device/sort.h"

/* Numbers, vectors and sums: their sizes follow from dimensions and precision. */
#define NUMBERS(n, a, size)                                                                                  \
    {                                                                                                        \
        .name = n, .access = SHOAL_##a, .type = SHOAL_TYPE_STRUCT, .bytes = size                             \
    }

static const struct shoal_arg_desc sums_args[] = {
    NUMBERS("position", READ, 8),     NUMBERS("velocity", READ, 8),
    NUMBERS("acceleration", READ, 8), BUFFER("ids", READ, UINT),
    BUFFER("image", READ, INT),       NUMBERS("energy", READ, 4),
    NUMBERS("virial", READ, 4),       NUMBERS("sums", WRITE, 8),
    BUFFER("settings", READ, REAL),   VALUE("n", UINT),
};

static const struct shoal_arg_desc speeds_args[] = {
    NUMBERS("position", READ, 8),
    NUMBERS("velocity", READ, 8),
    NUMBERS("acceleration", READ, 8),
    BUFFER("counts", READ_WRITE, UINT),
    BUFFER("settings", READ, REAL),
    VALUE("inverse_width", REAL),
    VALUE("bins", UINT),
    VALUE("n", UINT),
};

static const struct shoal_arg_desc pairs_args[] = {
    NUMBERS("position", READ, 8),
    BUFFER("starts", READ, UINT),
    BUFFER("counts", READ_WRITE, UINT),
    BUFFER("settings", READ, REAL),
    {.name = "cells", .access = SHOAL_VALUE, .type = SHOAL_TYPE_STRUCT, .bytes = sizeof(struct gas_mesh)},
    VALUE("inverse_width", REAL),
    VALUE("bins", UINT),
    VALUE("n", UINT),
};

static const struct shoal_entry_desc entries[] = {
    {.name = "gas_observe_sums",
     .args = sums_args,
     .arg_count = COUNT(sums_args),
     .work_group = "WG",
     .local_bytes_per_item = 16,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "kinetic and potential energy, virial, momentum, largest speed"},
    {.name = "gas_observe_speeds",
     .args = speeds_args,
     .arg_count = COUNT(speeds_args),
     .work_group = "WG",
     .local_define = "BINS",
     .local_bytes_per_unit = 4,
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "histogram of the speeds"},
    {.name = "gas_observe_pairs",
     .args = pairs_args,
     .arg_count = COUNT(pairs_args),
     .work_group = "WG",
     .local_define = "BINS",
     .local_bytes_per_unit = 4,
     .help = "histogram of the distances of pairs"},
};

static const struct shoal_define_desc defines[] = {
    {.name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-items of a group, a power of two"},
    {.name = "BINS", .value = 256, .min = 0, .max = 4096, .help = "bins in local memory; 0: none"},
    GAS_STATE_DEFINE_DESCS,
    GAS_MOTION_DEFINE_DESCS,
};

const struct shoal_program_desc gas_observe_program = {
    .name = "gas.observe",
    .file = "gas/device/observe.cl",
    .defines = defines,
    .define_count = COUNT(defines),
    .entries = entries,
    .entry_count = COUNT(entries),
};
