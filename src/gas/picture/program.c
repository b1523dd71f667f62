/* Contract of cl/gas/device/picture.cl. */
#include "compute/contract.h"
#include "gas/device/device.h"
#include "gas/picture/picture.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_picture, gas_picture_squares, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums of squared velocities"),
    ENTRY(gas_picture, gas_picture_particles, .help = "particles drawn into the planes of a picture"),
    ENTRY(gas_picture, gas_picture_pixels, .roof = SHOAL_ROOF_COPY_BYTES, .help = "colours of the pixels"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_picture, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_picture),
};

const struct shoal_program_desc gas_picture_program =
    PROGRAM("gas.picture", gas_picture, 0, defines, entries);
