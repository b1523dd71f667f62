/* Chebyshev interpolation along an axis of a cell. */
#include "fmm/fmm.h"

void fmm_weights(const struct fmm_nodes *nodes, double place, double *weight)
{
    double before = 1, now = place;
    for (unsigned i = 0; i < nodes->count; i++)
        weight[i] = nodes->factor[0][i];
    for (unsigned k = 1; k < nodes->count; k++) {
        for (unsigned i = 0; i < nodes->count; i++)
            weight[i] += nodes->factor[k][i] * now;
        const double next = 2 * place * now - before;
        before = now;
        now = next;
    }
}

void fmm_nodes_set(struct fmm_nodes *nodes, unsigned count)
{
    const double pi = 3.14159265358979323846;
    nodes->count = count;
    for (unsigned i = 0; i < count; i++) {
        /* sin instead of cos, so that the nodes are symmetric in all bits */
        nodes->place[i] = sin(pi * ((double)count - 1 - 2 * (double)i) / (2 * (double)count));
        for (unsigned k = 0; k < count; k++)
            nodes->factor[k][i] =
                (k ? 2 : 1) / (double)count * cos(pi * k * (2 * (double)i + 1) / (2 * (double)count));
    }
    for (unsigned half = 0; half < 2; half++)
        for (unsigned j = 0; j < count; j++)
            fmm_weights(nodes, (nodes->place[j] + (half ? 1 : -1)) / 2, nodes->shift[half][j]);
}
