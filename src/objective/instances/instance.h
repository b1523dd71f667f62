/* Private: built-in objectives over genes, and the instances that some of them need. An instance is made for
 * a dimension or read from a file. */
#ifndef SHOAL_OBJECTIVE_INSTANCE_H
#define SHOAL_OBJECTIVE_INSTANCE_H

#include "objective/instances/data.h"
#include "objective/objective.h"

/* Where the instances of a function come from. One of the three members is set. */
struct instance_source {
    enum shoal_status (*make)(size_t dim, struct instance_data *data, struct shoal_error *error);
    /* Reads an instance from a file. `path` may end with ":N" for the N-th instance of the file. */
    enum shoal_status (*read)(const char *path, struct instance_data *data, struct shoal_error *error);
    int bbob; /* number of the function in objective/bbob, whose instances are numbered; 0: none */
};
extern const struct instance_source instance_nk, instance_planted_sat, instance_max_sat, instance_knapsack,
    instance_max_cut, instance_qubo, instance_qap, instance_flow_shop, instance_tour,
    instance_linear_ordering;

/* An instance as the state of its objective. */
struct instance {
    struct shoal_objective objective;
    struct objective_table *table;
    char *name;
    double *numbers;
    size_t rows, columns;
};
/* Returns the instance of an objective; NULL: the objective is a built-in objective without an instance. */
static inline const struct instance *instance_of(const struct shoal_objective *objective)
{
    return objective->state;
}

/* Return the value at x in double precision. Bits of x must be 0 or 1, and an order must be valid. NaN: the
 * function needs an instance, and the objective has none. */
double onemax_value(const struct shoal_objective *objective, const double *x, size_t dim);
double leading_ones_value(const struct shoal_objective *objective, const double *x, size_t dim);
double trap_4_value(const struct shoal_objective *objective, const double *x, size_t dim);
double trap_5_value(const struct shoal_objective *objective, const double *x, size_t dim);
double royal_road_value(const struct shoal_objective *objective, const double *x, size_t dim);
double hiff_value(const struct shoal_objective *objective, const double *x, size_t dim);
double labs_value(const struct shoal_objective *objective, const double *x, size_t dim);
double nk_value(const struct shoal_objective *objective, const double *x, size_t dim);
double max_sat_value(const struct shoal_objective *objective, const double *x, size_t dim);
double knapsack_value(const struct shoal_objective *objective, const double *x, size_t dim);
double max_cut_value(const struct shoal_objective *objective, const double *x, size_t dim);
double qubo_value(const struct shoal_objective *objective, const double *x, size_t dim);
double qap_value(const struct shoal_objective *objective, const double *x, size_t dim);
double flow_shop_value(const struct shoal_objective *objective, const double *x, size_t dim);
double tour_value(const struct shoal_objective *objective, const double *x, size_t dim);
double linear_ordering_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* Returns the points of an instance of `tour`, [count][dim]; NULL: the objective is no such instance. */
const double *tour_points(const struct shoal_objective *objective, size_t *count, size_t *dim);

/* Return the change of the value by move (i, j), as shoal_objective_change does. */
double onemax_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                     size_t j);
double qap_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i, size_t j);
double linear_ordering_change(const struct shoal_objective *objective, const double *x, size_t dim, size_t i,
                              size_t j);

/* Largest number of capacities of a knapsack whose individuals can be repaired. Kernels store what is left of
 * each capacity. */
enum { KNAPSACK_CAPACITIES = 256 };
/* Writes the last row of the table: the items in descending order of their pseudo-utility. */
SHOAL_MUST_CHECK enum shoal_status knapsack_order(struct instance_data *data, struct shoal_error *error);
enum shoal_status knapsack_repair(const struct shoal_objective *objective, double *x, size_t dim,
                                  struct shoal_error *error);

/* Return the best value for a dimension, for functions without instances. */
double ones_best(size_t dim);
double royal_road_best(size_t dim);
double hiff_best(size_t dim);
double labs_best(size_t dim);

#endif
