/* Clusters of particles that are connected by distances below cluster_distance. */
#include "base/error.h"
#include "gas/model/grid.h"
#include "gas/observe/sampling.h"

#include <math.h>
#include <stdlib.h>

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

static size_t largest(uint32_t *parent, size_t n, uint32_t *sizes)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t size = ++sizes[head_of(parent, (uint32_t)i)];
        most = size > most ? size : most;
    }
    return most;
}

enum shoal_status gas_largest_cluster(const struct gas_problem *problem, const double *position,
                                      double *share, struct shoal_error *error)
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
        *share = (double)largest(clusters.parent, problem->n, sizes) / (double)problem->n;
    }
    gas_grid_destroy(&grid);
    free(clusters.parent);
    free(sizes);
    return status;
}
