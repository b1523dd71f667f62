/* Contract of cl/gas/device/species.cl. */
#include "compute/contract.h"
#include "gas/species/species_device.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_species, gas_species_place, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "species of the particle at each place, after a sort"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_species, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_species),
};

const struct shoal_program_desc gas_species_program =
    PROGRAM("gas.species", gas_species, 0, defines, entries);
