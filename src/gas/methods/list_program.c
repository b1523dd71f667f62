/* Contract of cl/gas/methods/list_step.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"

/* Positions and velocities have 8 or 16 bytes by dimension and precision; the ledger 8. */
static const struct shoal_arg_desc step_args[] = {
    VECTORS("position", READ), VECTORS("position_out", WRITE), GAS_LIST_ARGS, VALUE("number", UINT),
    VALUE("age", UINT),        VALUE("is_last", UINT),
};
/* `energy` and `virial` are double unless PRECISION is 0. */
static const struct shoal_arg_desc forces_args[] = {
    VECTORS("position", READ),      BUFFER("settings", READ, REAL), BUFFER("list", READ, UINT),
    BUFFER("counts", READ, UINT),   VECTORS("acceleration", WRITE), BUFFER("energy", WRITE, FLOAT),
    BUFFER("virial", WRITE, FLOAT), VALUE("capacity", UINT),        VALUE("n", UINT),
    VALUE("energies", UINT),
};

static const struct shoal_entry_desc entries[] = {
    {.name = "gas_list_step",
     .args = step_args,
     .arg_count = COUNT(step_args),
     .work_group = "WG",
     .local_bytes_per_item = 12,
     .help = "a step by neighbour lists: forces, kick, drift, and how far the particles have come"},
    {.name = "gas_list_forces",
     .args = forces_args,
     .arg_count = COUNT(forces_args),
     .work_group = "WG",
     .local_bytes_per_item = 8,
     .help = "accelerations, energies and virials by neighbour lists"},
};

static const struct shoal_define_desc defines[] = {
    {.name = "BLOCK",
     .value = 0,
     .min = 0,
     .max = 1,
     .help = "1: a work-item steps the particles of a tile of the list, side by side"},
    GAS_PAIR_DEFINE_DESCS,
    GAS_STATE_DEFINE_DESCS,
    GAS_MOTION_DEFINE_DESCS,
    GAS_LIST_LANES_DESC,
    GAS_LIST_TILE_DESC,
    {.name = "MIN_GROUPS",
     .value = 1,
     .min = 1,
     .max = 16,
     .help = "CUDA: groups that are to fit a multiprocessor at a time"},
    {.name = "UNROLL", .value = 4, .min = 1, .max = 16, .help = "neighbours that are loaded at a time"},
    {.name = "WG", .value = 128, .min = 1, .max = 1024, .help = "work-group size: a power of two"},
};

const struct shoal_program_desc gas_list_step_program = {
    .name = "gas.list_step",
    .file = "gas/methods/list_step.cl",
    .defines = defines,
    .define_count = COUNT(defines),
    .entries = entries,
    .entry_count = COUNT(entries),
};
