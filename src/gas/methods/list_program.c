/* Contract of cl/gas/methods/list_step.cl. */
#include "compute/contract.h"
#include "gas/methods/list.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_list_step, gas_list_step, .local_bytes_per_item = 12,
          .help = "a step by neighbour lists: forces, kick, drift, displacements since the rebuild"),
    ENTRY(gas_list_step, gas_list_scaled_step, .local_bytes_per_item = 4,
          .help = "a step by accelerations of gas_list_forces, after a rescaling of velocities"),
    ENTRY(gas_list_step, gas_list_forces, .local_bytes_per_item = 8,
          .help = "accelerations, energies and virials by neighbour lists"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_list_step, BLOCK, 0, 1,
           "1: a work-item steps the particles of a tile of the list, side by side"),
    DEFINE(gas_list_step, RANGED, 0, 1, "1: steps begin at a place that the launch names, not at the first"),
    GAS_LIST_STEP_DESCS(gas_list_step),
};

const struct shoal_program_desc gas_list_step_program =
    PROGRAM("gas.list_step", gas_list_step, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
