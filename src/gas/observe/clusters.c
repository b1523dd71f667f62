/* Clusters of particles that are connected by distances below cluster_distance: on the host, and their table.
 */
#include "base/error.h"
#include "gas/model/grid.h"
#include "gas/observe/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct clusters {
    /* [particles]: parent of each particle in a forest; the root of a cluster is its own parent */
    uint32_t *parent;
    size_t particle; /* the particle whose neighbours are visited */
};

static uint32_t head_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins the clusters of two particles. The root with the lower number becomes the root of both. */
static void join(void *data, size_t j, double d)
{
    struct clusters *clusters = data;
    (void)d;
    const uint32_t a = head_of(clusters->parent, (uint32_t)clusters->particle);
    const uint32_t b = head_of(clusters->parent, (uint32_t)j);
    clusters->parent[a > b ? a : b] = a > b ? b : a;
}

size_t gas_cluster_bins(size_t n)
{
    return cluster_bin((unsigned)n) + 1;
}

/* Adds up the sizes of the clusters. sizes: [particles] of zeros. */
static void sum_sizes(uint32_t *parent, size_t n, uint32_t *sizes, double *sums)
{
    memset(sums, 0, (CLUSTER_SIZES + 2 * gas_cluster_bins(n)) * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        sizes[head_of(parent, (uint32_t)i)]++;
    for (size_t i = 0; i < n; i++)
        if (sizes[i]) {
            const double size = sizes[i];
            double *own = sums + CLUSTER_SIZES + 2 * cluster_bin(sizes[i]);
            sums[CLUSTER_LARGEST] = fmax(sums[CLUSTER_LARGEST], size);
            sums[CLUSTER_SQUARES] += size * size;
            sums[CLUSTER_COUNT]++;
            own[0]++;
            own[1] += size;
        }
}

enum shoal_status gas_cluster_sums(const struct gas_problem *problem, const double *position, double *sums,
                                   struct shoal_error *error)
{
    struct gas_grid grid = {0};
    struct clusters clusters = {.parent = calloc(problem->n, sizeof *clusters.parent)};
    uint32_t *sizes = calloc(problem->n, sizeof *sizes);
    enum shoal_status status = clusters.parent && sizes ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = gas_grid_create(problem, position, problem->params->cluster_distance, &grid, error);
    if (!status) {
        for (size_t i = 0; i < problem->n; i++)
            clusters.parent[i] = (uint32_t)i;
        for (size_t i = 0; i < problem->n; i++) {
            clusters.particle = i;
            gas_grid_visit(&grid, i, join, &clusters);
        }
        sum_sizes(clusters.parent, problem->n, sizes, sums);
    }
    gas_grid_destroy(&grid);
    free(clusters.parent);
    free(sizes);
    return status;
}

/* Tables ----------------------------------------------------------------------------------------------- */

const char *const gas_cluster_names[GAS_CLUSTERS] = {"largest_cluster", "mean_cluster", "clusters"};
const char *const gas_cluster_error_names[GAS_CLUSTERS] = {"largest_cluster_error", "mean_cluster_error",
                                                           "clusters_error"};

void gas_clusters_find(const struct gas_problem *problem, double *sums)
{
    const double n = (double)problem->n;
    sums[CLUSTER_LARGEST] /= n;
    sums[CLUSTER_SQUARES] /= n;
    for (size_t bin = 0; bin < gas_cluster_bins(problem->n); bin++)
        sums[CLUSTER_SIZES + 2 * bin + 1] /= n;
}

enum shoal_status gas_clusters_fill(struct gas_tables *tables, const struct gas_problem *problem,
                                    struct gas_filling *filling, struct shoal_error *error)
{
    const struct gas_blocks *blocks = &tables->blocks[SHOAL_GAS_CLUSTERS];
    size_t rows = gas_cluster_bins(problem->n);
    double ignored, end = 1;
    while (rows > 1 && gas_blocks_mean(blocks, CLUSTER_SIZES + 2 * rows - 2, GAS_ONE, &ignored) == 0)
        rows--;
    const enum shoal_status status = gas_table_begin(tables, rows, filling, error);
    if (status)
        return status;
    double *size = gas_table_add(filling, "size"), *sizes = gas_table_add(filling, "sizes"),
           *clusters = gas_table_add(filling, "clusters"), *share = gas_table_add(filling, "share"),
           *clusters_error = gas_table_add(filling, "clusters_error"),
           *share_error = gas_table_add(filling, "share_error");
    for (size_t row = 0; row < rows; row++, end += sizes[row - 1]) {
        sizes[row] = row < 8 ? 1 : exp2((double)(row / 4 - 1));
        size[row] = end + 0.5 * (sizes[row] - 1);
        clusters[row] = gas_blocks_mean(blocks, CLUSTER_SIZES + 2 * row, GAS_ONE, &clusters_error[row]);
        share[row] = gas_blocks_mean(blocks, CLUSTER_SIZES + 2 * row + 1, GAS_ONE, &share_error[row]);
    }
    return SHOAL_OK;
}
