/* Contract of cl/gas/device/tables.cl. */
#include "compute/contract.h"
#include "gas/device/tables/tables.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_tables, gas_tables_stress, .help = "virial tensors of the particles"),
    ENTRY(gas_tables, gas_tables_velocities, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "velocities of the full step, by number of the particle"),
    ENTRY(gas_tables, gas_tables_tensor, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums for the pressure tensor"),
    ENTRY(gas_tables, gas_tables_profile, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums over the particles of each slice of the box"),
    ENTRY(gas_tables, gas_tables_hexatic, .help = "hexatic order of each particle"),
    ENTRY(gas_tables, gas_tables_hexatic_sums, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "sums of the hexatic order"),
    ENTRY(gas_tables, gas_tables_g6, .local_bytes = 8 * G6_SUMS * GAS_MOST_G6_BINS,
          .help = "correlation of the hexatic order"),
    ENTRY(gas_tables, gas_tables_structure, .local_bytes_per_item = 8, .roof = SHOAL_ROOF_SFU_OPS,
          .help = "sums of waves for the structure factor"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_tables, WG, 1, 1024, "work-items of a group, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_tables),
    GAS_PAIR_DEFINE_DESCS(gas_tables),
    GAS_MOTION_DEFINE_DESCS(gas_tables),
};

const struct shoal_program_desc gas_tables_program = PROGRAM("gas.tables", gas_tables, 0, defines, entries);
