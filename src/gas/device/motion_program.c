/* Contract of cl/gas/device/motion.cl. */
#include "compute/contract.h"
#include "gas/device/motion.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_motion, gas_advance, .help = "one step of each particle with given forces"),
    ENTRY(gas_motion, gas_kick_back, .help = "velocities shifted back by half a step"),
    ENTRY(gas_motion, gas_kinetic, .local_bytes_per_item = 8, .help = "sums of squared velocities"),
    ENTRY(gas_motion, gas_rescale, .local_bytes_per_item = 8, .help = "factor of a stochastic rescaling"),
    ENTRY(gas_motion, gas_chain, .local_bytes_per_item = 8, .help = "factor of a Nose-Hoover chain"),
    ENTRY(gas_motion, gas_scale,
          .help = "velocities of the full step, multiplied by the factor of the "
                  "rescaling"),
    ENTRY(gas_motion, gas_resize, .help = "particles in a box of other lengths"),
    ENTRY(gas_motion, gas_exchange_sum, .local_bytes_per_item = 8,
          .help = "sums of heat and of impulses on "
                  "the walls"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_motion, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_motion),
    GAS_MOTION_DEFINE_DESCS(gas_motion),
};

const struct shoal_program_desc gas_motion_program = PROGRAM("gas.motion", gas_motion, 0, defines, entries);
