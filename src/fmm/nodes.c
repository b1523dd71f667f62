/* Chebyshev interpolation along an axis of a cell. */
#include "fmm/fmm.h"

void fmm_polynomials(unsigned count, double place, double *value)
{
    value[0] = 1;
    value[1] = place;
    for (unsigned k = 2; k < count; k++)
        value[k] = 2 * place * value[k - 1] - value[k - 2];
}

/* The terms of T_k((x + 1) / 2) or T_k((x - 1) / 2), from those of lower k:
 * T_(k+1)((x + s) / 2) = (x + s) T_k - T_(k-1), and x T_m = (T_(m+1) + T_|m-1|) / 2. */
static void set_shift(struct fmm_nodes *nodes, unsigned half)
{
    const double sign = half ? 1 : -1;
    double(*const shift)[FMM_MOST_NODES] = nodes->shift[half];
    memset(shift, 0, sizeof nodes->shift[half]);
    shift[0][0] = 1;
    shift[1][0] = sign / 2;
    shift[1][1] = 0.5;
    for (unsigned k = 2; k < nodes->count; k++)
        for (unsigned m = 0; m < k; m++) {
            const double term = shift[k - 1][m];
            shift[k][m + 1] += m ? term / 2 : term;
            if (m)
                shift[k][m - 1] += term / 2;
            shift[k][m] += sign * term - shift[k - 2][m];
        }
}

void fmm_nodes_set(struct fmm_nodes *nodes, unsigned count, unsigned degree)
{
    const double pi = 3.14159265358979323846;
    nodes->count = count;
    nodes->first[0] = 0;
    for (unsigned l = 0; l < count; l++)
        nodes->first[l + 1] = nodes->first[l] + (degree - l < count ? degree - l + 1 : count);
    for (unsigned i = 0; i < count; i++) {
        /* sin instead of cos, so that the nodes are symmetric in all bits */
        nodes->place[i] = sin(pi * ((double)count - 1 - 2 * (double)i) / (2 * (double)count));
        for (unsigned k = 0; k < count; k++)
            nodes->factor[k][i] =
                (k ? 2 : 1) / (double)count * cos(pi * k * (2 * (double)i + 1) / (2 * (double)count));
    }
    set_shift(nodes, 0);
    set_shift(nodes, 1);
}
