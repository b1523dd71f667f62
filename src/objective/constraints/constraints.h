/* Private: objectives with constraints. The value of such an objective is the rank of a point
 * (cl/objective/constrained.clh), one number that contains the violation of the constraints. So other code of
 * a search, on the host or in kernels, need not know of constraints. */
#ifndef SHOAL_OBJECTIVE_CONSTRAINTS_H
#define SHOAL_OBJECTIVE_CONSTRAINTS_H

#include "objective/objective.h"

/* CONSTRAINTS_FORMULAS: most constraints from formulas; CONSTRAINTS_MOST: most constraints of an objective
 * itself. */
enum { CONSTRAINTS_FORMULAS = 64, CONSTRAINTS_MOST = 1024 };

/* The constraints of a constrained objective: first those of the objective itself, then those of formulas. */
struct constrained {
    size_t count;
    char **names;            /* [count]: the formula, or g1, g2, ... h1, h2, ... */
    const bool *is_equality; /* [count] */
    double tolerance;        /* an equality is met if its sides differ by at most this number */
    double sign;             /* 1, or -1 to maximise */
    bool is_told;            /* a caller of the search tells the values */
};

struct constraint_params {
    const char *formulas; /* relations separated by semicolons; NULL: only the constraints of the objective */
    const char *variables; /* list of variables whose names the formulas may use; NULL: none */
    bool is_genes;         /* the objective is a formula over these variables as genes */
    double tolerance, sign;
};

/* Creates the constrained objective. `inner` must live longer than the new objective, unless *owned is
 * `inner`: the new objective then owns it, and *owned becomes NULL. SHOAL_INVALID: a formula is wrong, or the
 * objective cannot have constraints.
 */
SHOAL_MUST_CHECK enum shoal_status objective_constrain(const struct shoal_objective *inner,
                                                       struct shoal_objective **owned,
                                                       const struct constraint_params *params, size_t dim,
                                                       struct shoal_objective **out,
                                                       struct shoal_error *error);

/* Value and constraints of a constrained objective at x. sides: [constrained->count], the left side of each
 * constraint minus its right side. An inequality is met if this number is <= 0, an equality if it is within
 * the tolerance of 0. */
static inline double constrained_sides(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *sides)
{
    return objective->parts(objective, x, dim, sides);
}

/* Turns the sides into excesses: by how much each constraint exceeds what it allows. An excess <= 0 means
 * that the constraint is met. */
void constrained_find_excess(const struct constrained *constrained, double *sides);

/* Value and excesses of a constrained objective at x. */
static inline double constrained_parts(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *excess)
{
    const double value = constrained_sides(objective, x, dim, excess);
    constrained_find_excess(objective->constrained, excess);
    return value;
}

/* The sum of the excesses above 0; NaN if an excess is NaN. */
double constrained_violation(const struct constrained *constrained, const double *excess);

/* constrained_rank_of: the rank for a value (negated if it is maximised) and a violation.
 * constrained_violation_of: the violation of a rank; 0 if the rank is a value. */
double constrained_rank_of(double value, double violation);
double constrained_violation_of(double rank);

/* Is some constraint an equality? */
bool constrained_has_equality(const struct constrained *constrained);

/* Fills *relaxed with the objective without its constraints, for use in kernels only. `objective` must live
 * longer than *relaxed; the caller frees relaxed->text. */
SHOAL_MUST_CHECK enum shoal_status constrained_relax(const struct shoal_objective *objective,
                                                     struct shoal_objective *relaxed,
                                                     struct shoal_error *error);

#endif
