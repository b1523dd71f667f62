/* Contract of cl/gas/device/observe.cl. */
#include "compute/contract.h"
#include "gas/device/observe.h"
#include "gas/device/sort.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_observe, gas_observe_sums, .local_bytes = 32, .local_bytes_per_item = 32,
          .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "kinetic and potential energy, virial, momentum, largest speed"),
    ENTRY(gas_observe, gas_observe_speeds, .local_define = "BINS", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "histogram of the speeds"),
    ENTRY(gas_observe, gas_observe_profile, .local_define = "BINS", .local_bytes_per_unit = 4,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "histogram of the positions along an axis"),
    ENTRY(gas_observe, gas_observe_mark, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "keeps the positions from which displacements count"),
    ENTRY(gas_observe, gas_observe_displacements, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "squares of the displacements of the particles"),
    ENTRY(gas_observe, gas_observe_origin, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "keeps a time origin: positions and velocities"),
    ENTRY(gas_observe, gas_observe_correlate, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "products of velocities, and squared displacements, since a time origin"),
    ENTRY(gas_observe, gas_observe_square_sums, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums of the squares of the displacements"),
    ENTRY(gas_observe, gas_observe_pairs, .local_define = "BINS", .local_bytes_per_unit = 4,
          .help = "histogram of the distances of pairs"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_observe, WG, 1, 1024, "work-items of a group, a power of two"),
    DEFINE(gas_observe, BINS, 0, 4096, "bins in local memory; 0: none"),
    GAS_STATE_DEFINE_DESCS(gas_observe),
    GAS_MOTION_DEFINE_DESCS(gas_observe),
};

const struct shoal_program_desc gas_observe_program =
    PROGRAM("gas.observe", gas_observe, 0, defines, entries);
