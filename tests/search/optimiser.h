/* An optimiser of <shoal/optimise.h> and what it is to find. */
#ifndef SHOAL_TESTS_SEARCH_OPTIMISER_H
#define SHOAL_TESTS_SEARCH_OPTIMISER_H

#include "unit.h"

#include <shoal/optimise.h>

enum { DIM = 4 };

/* Least at (0, 1, 2, 3), where it is -7. `data` counts its calls: an atomic_size_t, or NULL. */
double bowl(const double *x, size_t dim, void *data);

/* The standard swarm, so that tests stay as they are when defaults change. */
void use_spso2011(struct shoal_optimiser *optimiser);

/* A swarm of 40 by SPSO-2011 in a box from -10 to 10, with 4000 evaluations. */
struct shoal_optimiser *make(void);
struct shoal_optimiser *make_for(shoal_objective_fn function, void *data);

void assert_result(enum shoal_optimise_result got, enum shoal_optimise_result wanted);
/* The least of the bowl. */
void assert_found(const double *x, double value);

#endif
