/* Objective functions of the optimisers, as plain C in double precision.
 *
 * Thread-safe: constant data and pure functions.
 */
#ifndef SHOAL_OBJECTIVE_H
#define SHOAL_OBJECTIVE_H

#include <shoal/api.h>
#include <stddef.h>

SHOAL_BEGIN_DECLS

/* The order is the one of shoal_objective_at() and of -D FUNCTION in the kernels. */
enum shoal_objective_id { SHOAL_SPHERE, SHOAL_ROSENBROCK, SHOAL_RASTRIGIN, SHOAL_ACKLEY, SHOAL_GRIEWANK };

struct shoal_objective {
    size_t size;      /* of this struct as the library knows it */
    const char *name; /* "rastrigin" */
    const char *formula;
    double lower, upper; /* customary box, the same in each dimension */
    size_t min_dim;      /* fewest dimensions for which the function is defined */
    double minimum;      /* least value */
    double minimiser;    /* coordinate of the global minimiser, the same in each dimension */
    /* Value at x[0 .. dim - 1], by the formula in double precision. */
    double (*value)(const double *x, size_t dim);
};

SHOAL_API size_t shoal_objective_count(void);
/* NULL beyond the end. */
SHOAL_API const struct shoal_objective *shoal_objective_at(size_t index);
/* By name; NULL: none. */
SHOAL_API const struct shoal_objective *shoal_objective_find(const char *name);

SHOAL_END_DECLS

#endif
