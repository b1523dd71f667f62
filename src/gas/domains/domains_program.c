/* Contract of cl/gas/methods/domains.cl. */
#include "compute/contract.h"
#include "gas/domains/domains.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_domains, gas_domains_layers, .help = "first particles of the layers of cells"),
    ENTRY(gas_domains, gas_domains_count, .local_bytes_per_item = 4,
          .help = "numbers of a share's particles in the layers of cells"),
    ENTRY(gas_domains, gas_domains_join, .local_bytes_per_item = 8,
          .help = "first particles of the layers, from the numbers of all shares; counts particles of other "
                  "shares and unpacks their crossings"),
    ENTRY(gas_domains, gas_domains_crossings,
          .help = "crossings of borders, in the order of cells or by number of the particle"),
    ENTRY(gas_domains, gas_domains_merge, .help = "what the shares of a gas report of a step"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_domains, WG, 1, 1024, "work-items of a group, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_domains),
};

const struct shoal_program_desc gas_domains_program =
    PROGRAM("gas.domains", gas_domains, 0, defines, entries);
