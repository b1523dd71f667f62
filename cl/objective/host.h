/* An objective as one C function of a shared object, for the C compiler of the machine: see
 * src/objective/code.h. */
#include "lib/host.h"

/* DIM is defined where the dimension is fixed; otherwise it is that of the call. */
#ifndef DIM
static _Thread_local uint host_dim;
#define DIM               host_dim
#define HOST_SET_DIM(dim) (host_dim = (dim))
#else
#define HOST_SET_DIM(dim) ((void)(dim))
#endif

/* An individual in an array for each kind. */
struct genome {
    const real *reals;
    const int *wholes;
    const uint *words;
    const ushort *places;
};
#define GENOME   const struct genome *genome
#define GENE(i)  genome->reals[i]
#define WHOLE(i) genome->wholes[i]
#define WORD(w)  genome->words[w]
#define PLACE(i) ((uint)genome->places[i])

#include "objective/objective.clh"

#ifdef VARIABLES
/* Value of an individual with these genes; `table`: what the text reads, of double or int. */
__attribute__((visibility("default"))) double shoal_host_genes(const double *reals, const int *wholes,
                                                               const uint *words, const ushort *places,
                                                               uint dim, const void *table)
{
    const struct genome genome = {reals, wholes, words, places};
    HOST_SET_DIM(dim);
    (void)table;
    return (double)objective_value(&genome, TABLE_ARGUMENT((const table_number *)table) dim);
}

#if CHANGE
/* By how much a move changes it. */
__attribute__((visibility("default"))) double shoal_host_change(const double *reals, const int *wholes,
                                                                const uint *words, const ushort *places,
                                                                uint dim, const void *table, uint i, uint j)
{
    const struct genome genome = {reals, wholes, words, places};
    HOST_SET_DIM(dim);
    (void)table;
    return (double)objective_change(&genome, TABLE_ARGUMENT((const table_number *)table) i, j, dim);
}
#endif
#else
/* Value at x[0 .. dim - 1]; for DATA_ROWS the sum over `row_count` rows of `columns` numbers each. OPAQUE
 * with TABLE: `rows` is the table. */
__attribute__((visibility("default"))) double shoal_host_value(const double *x, uint dim, const double *rows,
                                                               ulong row_count, uint columns)
{
    HOST_SET_DIM(dim);
#if SHAPE == PER_DIMENSION
    terms sum = terms_none();
    for (int j = 0; j < SINGLES; j++)
        sum.a[TERMS + j] = x[single_dimension(j, dim)];
    for (uint d = 0; d + COUPLED < dim; d++)
        sum = terms_add(sum, x[d], x[d + COUPLED], d, dim);
    (void)rows;
    (void)row_count;
    (void)columns;
    return terms_value(sum, dim);
#elif SHAPE == DATA_ROWS
    double sum = 0;
    for (ulong row = 0; row < row_count; row++) {
        const double residual = objective_residual(x, rows + row * columns);
        sum += RULE(residual);
    }
    return sum;
#else
    (void)rows;
    (void)row_count;
    (void)columns;
    return objective_value(x, TABLE_ARGUMENT(rows) dim);
#endif
}
#endif
