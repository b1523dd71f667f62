/* Contract of cl/gas/methods/fmm.cl. */
#include "compute/contract.h"
#include "gas/device/device.h"
#include "gas/fmm/fmm.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_fmm, gas_fmm_points, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "places and charges of the particles for fast multipoles"),
    ENTRY(gas_fmm, gas_fmm_forces, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "accelerations, energies and virials by fields and potentials"),
};

static const struct shoal_define_desc defines[] = {
    GAS_STATE_DEFINE_DESCS(gas_fmm),
    DEFINE(gas_fmm, WG, 1, 1024, "work-group size"),
};

const struct shoal_program_desc gas_fmm_program =
    PROGRAM("gas.fmm", gas_fmm, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
