/* The cell schemes of the gas in double precision, by their definition and nothing else: what the kernels are
 * compared with. */
#ifndef SHOAL_TESTS_GAS_NAIVE_H
#define SHOAL_TESTS_GAS_NAIVE_H

#include "gas/gas.h"

/* On one particle: acceleration, half energies of its pairs, half virials. */
struct scheme_force {
    double x, y, energy, virial;
};

/* What the scheme of problem->params makes of particles at `position` (n * 2), `side` long cells in `columns`
 * and `rows`, `cell` that of each particle. */
void scheme_forces(const struct gas_problem *problem, const double *position, const uint32_t *cell,
                   double side, uint32_t columns, uint32_t rows, struct scheme_force *forces);
/* The same without cells: every pair. */
void direct_forces(const struct gas_problem *problem, const double *position, struct scheme_force *forces);
/* Root of the mean squared difference of the accelerations over the root of their mean square. */
double scheme_distance(const struct scheme_force *got, const struct scheme_force *wanted, size_t n);

#endif
