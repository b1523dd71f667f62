/* Contract of cl/gas/device/rows.cl. */
#include "compute/contract.h"
#include "gas/device/device.h"
#include "gas/frames/frames.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_rows, gas_rows, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "positions and velocities in the order of the particles' numbers"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_rows, WG, 1, 1024, "work-items of a group, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_rows),
    GAS_MOTION_DEFINE_DESCS(gas_rows),
};

const struct shoal_program_desc gas_rows_program = PROGRAM("gas.rows", gas_rows, 0, defines, entries);
