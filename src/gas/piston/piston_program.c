/* Contract of cl/gas/device/piston.cl. */
#include "compute/contract.h"
#include "gas/piston/piston_device.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_piston, gas_piston_sums, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums of the depths of particles in the piston"),
    ENTRY(gas_piston, gas_piston_move, .local_bytes_per_item = 8, .help = "step of the piston"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_piston, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_piston),
    GAS_MOTION_DEFINE_DESCS(gas_piston),
};

const struct shoal_program_desc gas_piston_program = PROGRAM("gas.piston", gas_piston, 0, defines, entries);
