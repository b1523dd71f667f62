/* Clusters of a gas on a device: joins near particles, and counts the sizes of the clusters. */
#include "base/error.h"
#include "compute/launch.h"
#include "gas/device/tables/tables.h"
#include "gas/model/problem.h"

enum { CLUSTER_GROUPS = 256, CLUSTER_COUNTS = 2 * CLUSTER_BINS + 1, SUM_BYTES = 8 };

enum shoal_status gas_clusters_create(struct shoal_solver *solver, struct gas_clusters *clusters,
                                      struct shoal_error *error)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct entry_kernel kernels[] = {{"gas_clusters_begin", &clusters->begin},
                                           {"gas_clusters_join", &clusters->join},
                                           {"gas_clusters_count", &clusters->count},
                                           {"gas_clusters_sizes", &clusters->bin}};
    const struct array list[] = {
        {&clusters->parents, (double)problem->n, sizeof(uint32_t)},
        {&clusters->sizes, (double)problem->n, sizeof(uint32_t)},
        {&clusters->counts, CLUSTER_COUNTS, sizeof(uint32_t)},
        {&clusters->squares, CLUSTER_GROUPS, SUM_BYTES},
    };
    struct defines defines = {.count = 0};
    clusters->near.range = problem->params->cluster_distance;
    clusters->arrays.queue = solver->queue;
    ARRAYS_SET(&clusters->arrays, list);
    gas_state_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    enum shoal_status status = programs_build(&solver->programs, &gas_clusters_program, &defines, kernels,
                                              COUNT(kernels), NULL, error);
    if (!status)
        status = arrays_create(&clusters->arrays, error);
    return status ? status : gas_near_create(solver, &clusters->near, error);
}

void gas_clusters_destroy(struct gas_clusters *clusters)
{
    gas_sort_destroy(&clusters->near.sort);
    arrays_destroy(&clusters->arrays);
}

/* Reads what gas_clusters_sizes has counted. */
static enum shoal_status read_sizes(struct shoal_solver *solver, const struct gas_clusters *clusters,
                                    size_t groups, double *sums, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    uint32_t counts[CLUSTER_COUNTS];
    double squares[CLUSTER_GROUPS];
    enum shoal_status status =
        shoal_buffer_read(solver->queue, clusters->counts, 0, counts, sizeof counts, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, clusters->squares, 0, squares, groups * SUM_BYTES, error);
    if (status)
        return status;
    sums[CLUSTER_LARGEST] = counts[CLUSTER_COUNTS - 1];
    sums[CLUSTER_SQUARES] = sums[CLUSTER_COUNT] = 0;
    for (size_t group = 0; group < groups; group++)
        sums[CLUSTER_SQUARES] += gas_sum_at(device, squares, group);
    for (size_t bin = 0; bin < gas_cluster_bins(device->problem.n); bin++) {
        sums[CLUSTER_COUNT] += counts[2 * bin];
        sums[CLUSTER_SIZES + 2 * bin] = counts[2 * bin];
        sums[CLUSTER_SIZES + 2 * bin + 1] = counts[2 * bin + 1];
    }
    return SHOAL_OK;
}

enum shoal_status gas_clusters_sum(struct shoal_solver *solver, struct gas_clusters *clusters, double *sums,
                                   struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const uint32_t n = (uint32_t)device->problem.n;
    const size_t wanted = shoal_kernel_groups(clusters->bin, n);
    const size_t groups = wanted < CLUSTER_GROUPS ? wanted : CLUSTER_GROUPS;
    struct gas_near_particles near;
    enum shoal_status status = gas_near_sort(solver, &clusters->near, &near, error);
    if (!status)
        status =
            LAUNCH(gas_clusters_begin, solver->queue, clusters->begin,
                   shoal_kernel_groups(clusters->begin, n), error, .parents = clusters->parents,
                   .sizes = clusters->sizes, .counts = clusters->counts, .count = CLUSTER_COUNTS, .n = n);
    if (!status)
        status =
            LAUNCH(gas_clusters_join, solver->queue, clusters->join, shoal_kernel_groups(clusters->join, n),
                   error, .position = near.position, .starts = near.starts, .ids = near.id,
                   .parents = clusters->parents, .settings = device->settings, .cells = &clusters->near.mesh,
                   .range = clusters->near.range, .n = n);
    if (!status)
        status = LAUNCH(gas_clusters_count, solver->queue, clusters->count,
                        shoal_kernel_groups(clusters->count, n), error, .parents = clusters->parents,
                        .sizes = clusters->sizes, .n = n);
    if (!status)
        status =
            LAUNCH(gas_clusters_sizes, solver->queue, clusters->bin, groups, error, .sizes = clusters->sizes,
                   .counts = clusters->counts, .squares = clusters->squares, .n = n);
    return status ? status : read_sizes(solver, clusters, groups, sums, error);
}
