/* Contract of cl/gas/methods/allpairs.cl. */
#include "compute/contract.h"
#include "gas/methods/allpairs.h"

/* Bytes of one source in a tile, in three dimensions and double precision. */
enum { SOURCE_BYTES = 32 };

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_allpairs, gas_allpairs_forces, .local_define = "TILE", .local_bytes_per_unit = SOURCE_BYTES,
          .help = "forces of all pairs, for ranges of the sources"),
    ENTRY(gas_allpairs, gas_allpairs_energies, .local_define = "TILE", .local_bytes_per_unit = SOURCE_BYTES,
          .help = "forces, energies and virials of all pairs, for ranges of the sources"),
    ENTRY(gas_allpairs, gas_allpairs_sum, .help = "accelerations: sums of the forces of all ranges"),
    ENTRY(gas_allpairs, gas_allpairs_sum_energies, .help = "energies or virials: sums over all ranges"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_allpairs, EXACT, 0, 1,
           "1: all pairs from exact positions; 0: only near pairs, others from offsets"),
    DEFINE(gas_allpairs, FAR, 0, 1, "EXACT=0: 1: a law over all space"),
    DEFINE(gas_allpairs, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),
    DEFINE(gas_allpairs, NEAR, 0, 1, "EXACT=0: 1: near pairs are computed separately"),
    DEFINE(gas_allpairs, RANGED, 0, 1, "1: a launch computes some of the targets, not all"),
    TUNED_DEFINE(gas_allpairs, SHARED, 0, 32, 3,
                 "EXACT=0: targets that take one reciprocal for two sources, at most TARGETS"),
    TUNED_DEFINE(gas_allpairs, TARGETS, 1, 32, 2, "particles of a work-item"),
    DEFINE(gas_allpairs, TILE, 2, 1024, "sources in local memory, an even number"),
    TUNED_DEFINE(gas_allpairs, UNROLL, 1, 16, 4, "EXACT=0: pairs of sources per iteration of the inner loop"),
    TUNED_DEFINE(gas_allpairs, WG, 1, 1024, 1, "work-group size"),
    GAS_STATE_DEFINE_DESCS(gas_allpairs),
    GAS_PAIR_DEFINE_DESCS(gas_allpairs),
};

const struct shoal_program_desc gas_allpairs_program =
    PROGRAM("gas.allpairs", gas_allpairs, SHOAL_FLUSHES_SUBNORMALS, defines, entries);
