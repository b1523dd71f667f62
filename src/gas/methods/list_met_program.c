/* Contract of cl/gas/methods/list_met.cl. */
#include "compute/contract.h"
#include "compute/link/gather.h"
#include "gas/methods/list.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_list_met, gas_list_met_step, .local_bytes_per_item = 12, .local_bytes = sizeof(uint32_t),
          .help = "a step by neighbour lists, in a launch in which devices meet"),
};

static const struct shoal_define_desc defines[] = {
    GAS_LIST_STEP_DESCS(gas_list_met),
};

const struct shoal_program_desc gas_list_met_program =
    PROGRAM("gas.list_met", gas_list_met, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
