/* Private: the 24 functions of the special session on constrained optimisation at CEC 2006, by the text of
 * their kernels. */
#ifndef SHOAL_OBJECTIVE_CEC2006_H
#define SHOAL_OBJECTIVE_CEC2006_H

#include "objective/objective.h"

double cec2006_value(const struct shoal_objective *objective, const double *x, size_t dim);
void cec2006_constraints(const struct shoal_objective *objective, const double *x, size_t dim, double *g);

/* Entry of a function: see rows.inc. */
#define OF_CEC2006(number_, name_, low, high, dim, constraints_, equalities_, least, ...)                    \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = name_,                                                                              \
                 .formula = "a function with constraints (docs/constraints.md)",                             \
                 .shape = SHOAL_OPAQUE,                                                                      \
                 .lower = low,                                                                               \
                 .upper = high,                                                                              \
                 .min_dim = dim,                                                                             \
                 .max_dim = dim,                                                                             \
                 .minimum = least,                                                                           \
                 .minimiser = NAN,                                                                           \
                 .constraints = constraints_,                                                                \
                 .equalities = equalities_},                                                                 \
        .file = "#define CEC2006 " #number_ "\n" OBJECTIVE_FILE("objective/cec2006/cec2006.clh"),            \
        .number = number_, .value = cec2006_value, .constraints = cec2006_constraints, __VA_ARGS__           \
    }

#endif
