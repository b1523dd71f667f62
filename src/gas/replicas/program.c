/* Contract of cl/gas/replicas/replicas.cl. */
#include "compute/contract.h"
#include "gas/device/device.h"
#include "gas/methods/list.h"
#include "gas/replicas/replicas.h"

static const struct shoal_entry_desc entries[] = {
    /* bytes of a work-item: two words of a scan and a sum */
    ENTRY(gas_replicas, gas_replicas, .local_bytes = 24, .local_bytes_per_item = 16, .local_define = "LOCAL",
          .local_bytes_per_unit = 8, .help = "many steps of independent gases, a work-group for each"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_replicas, BLOCK, 1, 64, "particles that a work-item moves together: 1, or LIST_TILE"),
    DEFINE(gas_replicas, CELLS, 1, 65536, "room for cells"),
    GAS_PAIR_DEFINE_DESCS(gas_replicas),
    GAS_STATE_DEFINE_DESCS(gas_replicas),
    GAS_MOTION_DEFINE_DESCS(gas_replicas),
    GAS_LIST_TILE_DESC(gas_replicas),
    DEFINE(gas_replicas, CLUSTERS, 0, 1, "1: samples find the largest cluster"),
    DEFINE(gas_replicas, DISTANCES, 0, 1, "1: samples count distances of pairs"),
    DEFINE(gas_replicas, LOCAL, 0, 1 << 20, "local memory for positions and cells, in units of 8 bytes"),
    DEFINE(gas_replicas, MIN_GROUPS, 1, 32, "CUDA: groups that are to fit a multiprocessor at a time"),
    DEFINE(gas_replicas, PARTICLES, 1, 65536, "room for positions"),
    DEFINE(gas_replicas, WG, 1, 1024, "work-group size: a power of two"),
};

const struct shoal_program_desc gas_replicas_program =
    PROGRAM("gas.replicas", gas_replicas, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
