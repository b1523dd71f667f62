/* Contract of cl/gas/device/clusters.cl. */
#include "compute/contract.h"
#include "gas/device/tables/tables.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_clusters, gas_clusters_begin, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "a cluster for each particle"),
    ENTRY(gas_clusters, gas_clusters_join, .help = "clusters of near particles joined"),
    ENTRY(gas_clusters, gas_clusters_count, .help = "sizes of the clusters"),
    ENTRY(gas_clusters, gas_clusters_sizes, .local_bytes = 8 * CLUSTER_BINS, .local_bytes_per_item = 12,
          .roof = SHOAL_ROOF_COPY_BYTES, .help = "histogram of the sizes of the clusters"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_clusters, WG, 1, 1024, "work-items of a group, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_clusters),
    GAS_MOTION_DEFINE_DESCS(gas_clusters),
};

const struct shoal_program_desc gas_clusters_program =
    PROGRAM("gas.clusters", gas_clusters, 0, defines, entries);
