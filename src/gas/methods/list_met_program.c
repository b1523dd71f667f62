/* Contract of cl/gas/methods/list_met.cl. */
#include "compute/contract.h"
#include "compute/link/gather.h"
#include "gas/methods/list.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_list_met, gas_list_met_step, .local_bytes_per_item = 12, .local_bytes = sizeof(uint32_t),
          .help = "a step by neighbour lists, in a launch in which devices meet"),
};

static const struct shoal_define_desc defines[] = {
    GAS_PAIR_DEFINE_DESCS(gas_list_met),
    GAS_STATE_DEFINE_DESCS(gas_list_met),
    GAS_MOTION_DEFINE_DESCS(gas_list_met),
    GAS_LIST_LANES_DESC(gas_list_met),
    GAS_LIST_TILE_DESC(gas_list_met),
    DEFINE(gas_list_met, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),
    DEFINE(gas_list_met, UNROLL, 1, 16, "neighbours that are loaded at a time"),
    TUNED_DEFINE(gas_list_met, WG, 1, 1024, 1, "work-group size: a power of two"),
    GAS_LIST_WINDOW_DESC(gas_list_met),
};

const struct shoal_program_desc gas_list_met_program =
    PROGRAM("gas.list_met", gas_list_met, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
