/* Values of an objective at many points. A work-item loads a whole point, and evaluates the objective there. OPAQUE
 * objectives have no other mapping. For PER_DIMENSION objectives, this is the naive form of THREAD in the thesis. */
#ifndef WG
#define WG 128
#endif
#ifndef SHIFTED
#define SHIFTED 0
#endif
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif

#include "lib/real.clh"
#include "objective/objective.clh"

#if SHAPE == PER_DIMENSION
static inline real objective_value(const real *x, uint dim)
{
    terms sum = terms_none();
    uint d;
    int j;
    for (j = 0; j < SINGLES; j++)
        sum.a[TERMS + j] = x[single_dimension(j, dim)];
    for (d = 0; d + COUPLED < dim; d++)
        sum = terms_add(sum, x[d], x[d + COUPLED], d, dim);
    return terms_value(sum, dim);
}
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_whole(__global const real *restrict x, __global const real *restrict shift /* or NULL */,
                __global real *restrict y, uint first, uint count, uint dim, uint tile,
                __global const real *restrict table /* or NULL */)
{
    const uint index = (uint)get_global_id(0), point = first + index;
    real position[DIM];
    (void)dim;
    (void)shift;
    (void)table;
    if (index < count) {
        const ulong base = (ulong)(point / tile) * DIM * tile + point % tile;
        uint d;
        for (d = 0; d < DIM; d++) {
            position[d] = x[base + (ulong)d * tile];
#if SHIFTED
            position[d] -= shift[d];
#endif
        }
        y[point] = objective_value(position, TABLE_ARGUMENT((__global const table_number *)table) DIM);
    }
}
