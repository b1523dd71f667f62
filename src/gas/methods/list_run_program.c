/* Contract of cl/gas/methods/list_run.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"
#include "gas/methods/list_run.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_list_run, gas_list_run, .local_bytes = 8, .local_bytes_per_item = 12, .local_define = "LOCAL",
          .local_bytes_per_unit = 8, .help = "many steps by one neighbour list, of few particles"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_list_run, ENTRIES, 8, 65536, "native: entries of each work-item's short list"),
    GAS_PAIR_DEFINE_DESCS(gas_list_run),
    GAS_STATE_DEFINE_DESCS(gas_list_run),
    GAS_MOTION_DEFINE_DESCS(gas_list_run),
    DEFINE(gas_list_run, GROUPS, 1, 16, "native: work-groups that share the steps"),
    GAS_LIST_LANES_DESC(gas_list_run),
    GAS_LIST_TILE_DESC(gas_list_run),
    DEFINE(gas_list_run, LOCAL, 0, 1 << 20, "local memory for positions, in units of 8 bytes; native: 0"),
    DEFINE(gas_list_run, PARTICLES, 1, 65536, "room for positions, a multiple of GROUPS"),
    DEFINE(gas_list_run, UNROLL, 1, 16, "neighbours that are loaded at a time"),
    DEFINE(gas_list_run, WG, 1, 1024, "work-group size: a power of two"),
    DEFINE(gas_list_run, WIDE_ENTRIES, 0, 1, "native: 1: entries of short lists have 32 bits, not 16"),
    GAS_LIST_WINDOW_DESC(gas_list_run),
};

const struct shoal_program_desc gas_list_run_program =
    PROGRAM("gas.list_run", gas_list_run, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
