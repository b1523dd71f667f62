/* Contract of cl/gas/methods/list_run.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"
#include "gas/methods/list_run.h"

/* Positions and velocities have 8 or 16 bytes by dimension and precision; the ledger 8. */
static const struct shoal_arg_desc args[] = {
    VECTORS("position", READ_WRITE), GAS_LIST_ARGS, VALUE("age", UINT), VALUE("steps", UINT),
    VALUE("interval", UINT),
};

static const struct shoal_entry_desc entries[] = {
    {.name = "gas_list_run",
     .args = args,
     .arg_count = COUNT(args),
     .work_group = "WG",
     .local_bytes = 8,
     .local_bytes_per_item = 12,
     .local_define = "LOCAL",
     .local_bytes_per_unit = 8,
     .help = "many steps by one neighbour list, of few particles"},
};

static const struct shoal_define_desc defines[] = {
    {.name = "ENTRIES",
     .value = 1,
     .min = 1,
     .max = 65536,
     .help = "native: entries of each list that local memory holds"},
    GAS_PAIR_DEFINE_DESCS,
    GAS_STATE_DEFINE_DESCS,
    GAS_MOTION_DEFINE_DESCS,
    {.name = "GROUPS", .value = 1, .min = 1, .max = 16, .help = "native: work-groups that share the steps"},
    GAS_LIST_LANES_DESC,
    GAS_LIST_TILE_DESC,
    {.name = "LOCAL",
     .value = 512,
     .min = 0,
     .max = 1 << 20,
     .help = "local memory for positions, in units of 8 bytes; native: 0"},
    {.name = "PARTICLES",
     .value = 256,
     .min = 1,
     .max = 65536,
     .help = "room for positions, a multiple of GROUPS"},
    {.name = "UNROLL", .value = 2, .min = 1, .max = 16, .help = "neighbours that are loaded at a time"},
    {.name = "WG", .value = 256, .min = 1, .max = 1024, .help = "work-group size: a power of two"},
};

const struct shoal_program_desc gas_list_run_program = {
    .name = "gas.list_run",
    .file = "gas/methods/list_run.cl",
    .native = "gas/methods/list_run.cu",
    .defines = defines,
    .define_count = COUNT(defines),
    .entries = entries,
    .entry_count = COUNT(entries),
};
