/* Contracts of cl/gas/cells_*.cl. */
#include "compute/contract.h"
#include "gas/thesis/cells.h"

/* A pointer to pairs of numbers: float2, double2, uint2. */
#define PAIRS(n, a, size)                                                                                    \
    {                                                                                                        \
        .name = n, .access = SHOAL_##a, .type = SHOAL_TYPE_STRUCT, .bytes = size                             \
    }
#define GRID                                                                                                 \
    {                                                                                                        \
        .name = "grid", .access = SHOAL_VALUE, .type = SHOAL_TYPE_STRUCT, .bytes = sizeof(struct cells_grid) \
    }
#define WORK_GROUP                                                                                           \
    {                                                                                                        \
        .name = "WG", .value = 64, .min = 1, .max = 1024, .help = "work-group size, a power of two"          \
    }
#define ENERGIES                                                                                             \
    {                                                                                                        \
        .name = "ENERGIES", .value = 0, .min = 0, .max = 1, .help = "1: half pair energies and virials too"  \
    }

/* cells_sort.cl */
static const struct shoal_arg_desc key_args[] = {
    PAIRS("position", READ, 8),
    BUFFER("id", READ, UINT),
    BUFFER("key", WRITE, UINT),
    BUFFER("place", WRITE, UINT),
    BUFFER("settings", READ, REAL),
    GRID,
    VALUE("n", UINT),
};
static const struct shoal_arg_desc gather_args[] = {
    BUFFER("place", READ, UINT),     PAIRS("position", READ, 8),
    PAIRS("velocity", READ, 8),      PAIRS("acceleration", READ, 8),
    BUFFER("id", READ, UINT),        PAIRS("position_out", WRITE, 8),
    PAIRS("velocity_out", WRITE, 8), PAIRS("acceleration_out", WRITE, 8),
    BUFFER("id_out", WRITE, UINT),   VALUE("n", UINT),
};
static const struct shoal_arg_desc offsets_args[] = {
    BUFFER("key", READ, UINT),
    BUFFER("offsets", WRITE, UINT),
    VALUE("cells", UINT),
    VALUE("n", UINT),
};
static const struct shoal_arg_desc place_args[] = {
    PAIRS("position", READ, 8),
    BUFFER("cell", WRITE, UINT),
    PAIRS("relative", WRITE, 8),
    BUFFER("settings", READ, REAL),
    GRID,
    VALUE("n", UINT),
};

static const struct shoal_entry_desc sort_entries[] = {
    {.name = "gas_cells_key",
     .args = key_args,
     .arg_count = COUNT(key_args),
     .work_group = "WG",
     .help = "cell of each particle, by number"},
    {.name = "gas_cells_gather",
     .args = gather_args,
     .arg_count = COUNT(gather_args),
     .work_group = "WG",
     .help = "particles into the order of the cells"},
    {.name = "gas_cells_offsets",
     .args = offsets_args,
     .arg_count = COUNT(offsets_args),
     .work_group = "WG",
     .help = "where each cell begins, from the sorted cells of the particles"},
    {.name = "gas_cells_place",
     .args = place_args,
     .arg_count = COUNT(place_args),
     .work_group = "WG",
     .help = "cell of each sorted particle, and its position about the centre of it"},
};
static const struct shoal_define_desc sort_defines[] = {
    WORK_GROUP,
    GAS_STATE_DEFINE_DESCS,
};
const struct shoal_program_desc gas_cells_sort_program = {
    .name = "gas.cells_sort",
    .file = "gas/thesis/cells_sort.cl",
    .defines = sort_defines,
    .define_count = COUNT(sort_defines),
    .entries = sort_entries,
    .entry_count = COUNT(sort_entries),
};

/* cells_far.cl */
#define FAR_END                                                                                              \
    BUFFER("far", WRITE, REAL), BUFFER("settings", READ, REAL), GRID, VALUE("cells", UINT),                  \
        VALUE("middle2", FLOAT)

static const struct shoal_arg_desc far_args[] = {
    BUFFER("offsets", READ, UINT),
    PAIRS("centre", READ, 8),
    FAR_END,
};
static const struct shoal_arg_desc ha1_args[] = {
    BUFFER("offsets", READ, UINT),
    PAIRS("centre", READ, 8),
    BUFFER("distance2", READ, FLOAT),
    FAR_END,
};
static const struct shoal_arg_desc ha3_args[] = {
    BUFFER("offsets", READ, UINT),
    BUFFER("distance2", READ, FLOAT),
    BUFFER("factor_x", READ, FLOAT),
    BUFFER("factor_y", READ, FLOAT),
    FAR_END,
};
static const struct shoal_arg_desc mass_args[] = {
    BUFFER("offsets", READ, UINT),
    PAIRS("relative", READ, 8),
    BUFFER("mass", WRITE, REAL),
};
static const struct shoal_arg_desc linear_args[] = {
    PAIRS("centre", READ, 8),
    BUFFER("mass", READ, REAL),
    FAR_END,
};

static const struct shoal_entry_desc far_entries[] = {
    {.name = "gas_cells_far",
     .args = far_args,
     .arg_count = COUNT(far_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .help = "Tiled2k: cell on cell, a work-item a cell, all computed again"},
    {.name = "gas_cells_far_ha1",
     .args = ha1_args,
     .arg_count = COUNT(ha1_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "Ha1: the same with a table of squared distances"},
    {.name = "gas_cells_far_ha3",
     .args = ha3_args,
     .arg_count = COUNT(ha3_args),
     .work_group = "WG",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .help = "Ha3: the same with tables of squared distances and of both factors"},
    {.name = "gas_cells_mass",
     .args = mass_args,
     .arg_count = COUNT(mass_args),
     .work_group = "WG",
     .local_bytes_per_item = 2 * sizeof(double),
     .help = "centre of mass of each cell, a work-group a cell"},
    {.name = "gas_cells_far_linear",
     .args = linear_args,
     .arg_count = COUNT(linear_args),
     .work_group = "WG",
     .local_bytes_per_item = 6 * sizeof(double),
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .help = "centres of mass on cells, with the gradient, a work-group a cell"},
};
static const struct shoal_define_desc far_defines[] = {
    WORK_GROUP,
    {.name = "UNROLL", .value = 1, .min = 1, .max = 64, .help = "source cells a turn"},
    ENERGIES,
    GAS_STATE_DEFINE_DESCS,
    GAS_PAIR_DEFINE_DESCS,
};
const struct shoal_program_desc gas_cells_far_program = {
    .name = "gas.cells_far",
    .file = "gas/thesis/cells_far.cl",
    .defines = far_defines,
    .define_count = COUNT(far_defines),
    .entries = far_entries,
    .entry_count = COUNT(far_entries),
};

/* cells_near.cl; energies and virials: float, or double in mixed and double precision. */
#define NEAR_BEGIN                                                                                           \
    PAIRS("relative", READ, 8), BUFFER("cell", READ, UINT), BUFFER("offsets", READ, UINT),                   \
        PAIRS("centre", READ, 8)
#define NEAR_OUT                                                                                             \
    PAIRS("acceleration", READ_WRITE, 8), BUFFER("energy", READ_WRITE, FLOAT),                               \
        BUFFER("virial", READ_WRITE, FLOAT), BUFFER("settings", READ, REAL)

static const struct shoal_arg_desc tiled1_args[] = {
    NEAR_BEGIN, NEAR_OUT, GRID, VALUE("cells", UINT), VALUE("n", UINT), VALUE("near2", FLOAT),
};
static const struct shoal_arg_desc tiled2_args[] = {
    NEAR_BEGIN,
    BUFFER("far", READ, REAL),
    NEAR_OUT,
    GRID,
    VALUE("cells", UINT),
    VALUE("n", UINT),
    VALUE("near2", FLOAT),
    VALUE("middle2", FLOAT),
    VALUE("add", INT),
};
static const struct shoal_arg_desc tiled3_args[] = {
    NEAR_BEGIN,
    BUFFER("near", READ, UINT),
    BUFFER("middle", READ, UINT),
    BUFFER("mass", READ, REAL),
    BUFFER("far", READ, REAL),
    NEAR_OUT,
    GRID,
    VALUE("near_length", UINT),
    VALUE("middle_length", UINT),
    VALUE("cells", UINT),
    VALUE("n", UINT),
    VALUE("add", INT),
};
static const struct shoal_arg_desc kadder_args[] = {
    PAIRS("relative", READ, 8), BUFFER("offsets", READ, UINT), BUFFER("far", READ, REAL), NEAR_OUT,
    VALUE("cells", UINT),
};

static const struct shoal_entry_desc near_entries[] = {
    {.name = "gas_cells_tiled1",
     .args = tiled1_args,
     .arg_count = COUNT(tiled1_args),
     .work_group = "WG",
     .help = "Tiled1: each cell near or a point, sums in global memory"},
    {.name = "gas_cells_tiled2",
     .args = tiled2_args,
     .arg_count = COUNT(tiled2_args),
     .work_group = "WG",
     .help = "Tiled11 and Tiled2: zones by tests at run time, sums in registers"},
    {.name = "gas_cells_tiled3",
     .args = tiled3_args,
     .arg_count = COUNT(tiled3_args),
     .work_group = "WG",
     .help = "Tiled3 and the corrected scheme: zones by lists of cells"},
    {.name = "gas_cells_kadder",
     .args = kadder_args,
     .arg_count = COUNT(kadder_args),
     .work_group = "WG",
     .help = "Kadder: a work-item a cell gives its particles the far force"},
};
static const struct shoal_define_desc near_defines[] = {
    WORK_GROUP,
    {.name = "UNROLL", .value = 1, .min = 1, .max = 16, .help = "particles of a near cell a turn"},
    {.name = "CELLS_UNROLL", .value = 1, .min = 1, .max = 16, .help = "cells a turn of Tiled1, 11 and 2"},
    {.name = "CORRECTED", .value = 0, .min = 0, .max = 1, .help = "1: centres of mass, linear far force"},
    {.name = "SOFTENED", .value = 0, .min = 0, .max = 1, .help = "1: a particle's force on itself is 0"},
    ENERGIES,
    GAS_STATE_DEFINE_DESCS,
    GAS_PAIR_DEFINE_DESCS,
};
const struct shoal_program_desc gas_cells_near_program = {
    .name = "gas.cells_near",
    .file = "gas/thesis/cells_near.cl",
    .defines = near_defines,
    .define_count = COUNT(near_defines),
    .entries = near_entries,
    .entry_count = COUNT(near_entries),
};
