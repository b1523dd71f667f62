/* An objective as C functions of a shared object, which the C compiler of the machine builds: see
 * src/objective/code.h. */
#include "lib/host.h"

/* DIM is a constant if the dimension is fixed; otherwise it is the dimension in the call. */
#ifndef DIM
static _Thread_local uint host_dim;
#define DIM               host_dim
#define HOST_SET_DIM(dim) (host_dim = (dim))
#else
#define HOST_SET_DIM(dim) ((void)(dim))
#endif

#include "objective/individual.h"

#define GENOME         const struct host_individual *genome
#define GENOME_MUTABLE struct host_individual *genome
#define GENERATION     (genome->generation)
#ifdef CHECKED
#include "objective/host_checked.h"
#else
#define GENE(i)         ((real)genome->reals[i])
#define WHOLE(i)        ((int)genome->wholes[i])
#define WORD(w)         ((uint)genome->words[w])
#define PLACE(i)        ((uint)genome->places[i])
#define SET_GENE(i, v)  SET(genome->reals[i] = (v))
#define SET_WHOLE(i, v) SET(genome->wholes[i] = (v))
#define SET_WORD(w, v)  SET(genome->words[w] = (v))
#define SET_PLACE(i, v) SET(genome->places[i] = (ushort)(v))
#endif

#include "objective/objective.clh"

#ifdef VARIABLES
#define HOST_TABLE(genome) TABLE_ARGUMENT((const table_number *)(genome)->table)

__attribute__((visibility("default"))) double shoal_host_genes(const struct host_individual *genome)
{
    HOST_SET_DIM(genome->dim);
    return (double)objective_value(genome, HOST_TABLE(genome) genome->dim);
}

#ifdef REPAIR
__attribute__((visibility("default"))) void shoal_host_repair(struct host_individual *genome)
{
    HOST_SET_DIM(genome->dim);
    objective_repair(genome, HOST_TABLE(genome) genome->dim);
}
#endif

#if CHANGE
/* Returns the change of the value by move (i, j). */
__attribute__((visibility("default"))) double shoal_host_change(const struct host_individual *genome, uint i,
                                                                uint j)
{
    HOST_SET_DIM(genome->dim);
    return (double)objective_change(genome, HOST_TABLE(genome) i, j, genome->dim);
}
#endif
#else
/* Returns the value at x[0 .. dim - 1]. DATA_ROWS: the sum over `row_count` rows of `columns` numbers each.
 * OPAQUE with TABLE: `rows` is the table. */
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

#ifdef CONSTRAINTS
/* Computes the constraints at x. */
__attribute__((visibility("default"))) void shoal_host_constraints(const double *x, uint dim, double *g)
{
    HOST_SET_DIM(dim);
    objective_constraints(g, x, dim);
}
#endif

#if SHAPE == DATA_ROWS
/* Computes the residual of each row. */
__attribute__((visibility("default"))) void shoal_host_residuals(const double *x, uint dim,
                                                                 const double *rows, ulong row_count,
                                                                 uint columns, double *out)
{
    HOST_SET_DIM(dim);
    for (ulong row = 0; row < row_count; row++)
        out[row] = objective_residual(x, rows + row * columns);
}
#endif
#endif
