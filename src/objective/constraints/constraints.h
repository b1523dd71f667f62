/* Private: objectives with constraints. The value of such an objective is the rank of a point
 * (cl/objective/constrained.clh): a single number from which value and violation follow. So other code of a
 * search needs no knowledge of constraints. */
#ifndef SHOAL_OBJECTIVE_CONSTRAINTS_H
#define SHOAL_OBJECTIVE_CONSTRAINTS_H

#include "objective/objective.h"

/* CONSTRAINTS_FORMULAS: largest number of constraints from formulas. CONSTRAINTS_MOST: largest number of
 * constraints of an objective itself. */
enum { CONSTRAINTS_FORMULAS = 64, CONSTRAINTS_MOST = 1024 };

/* The constraints of a constrained objective: first the constraints of the objective itself, then the
 * constraints from formulas. */
struct constrained {
    size_t count;
    /* [count]: the formula of the constraint, or g1, g2, ..., h1, h2, ... for constraints of the objective */
    char **names;
    const bool *is_equality; /* [count] */
    double tolerance;        /* an equality is met if its sides differ by at most this number */
    double sign;             /* 1, or -1 to maximise */
    bool is_told;            /* the caller of the search gives values and violations */
};

struct constraint_params {
    const char *formulas; /* relations separated by semicolons; NULL: only the constraints of the objective */
    const char *variables; /* list of variables whose names the formulas may use; NULL: none */
    bool is_genes;         /* the objective is a formula over these variables as genes */
    double tolerance, sign;
};

/* Creates the constrained objective. If *owned is `inner`, the new objective owns `inner`, and *owned becomes
 * NULL; otherwise `inner` must be valid as long as the new objective. SHOAL_INVALID: a formula is wrong, or
 * the objective cannot have constraints. */
SHOAL_MUST_CHECK enum shoal_status objective_constrain(const struct shoal_objective *inner,
                                                       struct shoal_objective **owned,
                                                       const struct constraint_params *params, size_t dim,
                                                       struct shoal_objective **out,
                                                       struct shoal_error *error);

/* Returns the value of the objective without constraints at x, and computes the constraints. sides:
 * [constrained->count], left side minus right side of each constraint. An inequality is met if this number is
 * <= 0, an equality if its absolute value is at most the tolerance. */
static inline double constrained_sides(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *sides)
{
    return objective->parts(objective, x, dim, sides);
}

/* Replaces the sides of the constraints by excesses: how far each constraint is from being met. A constraint
 * is met if its excess is <= 0. */
void constrained_find_excess(const struct constrained *constrained, double *sides);

/* Returns the value of the objective without constraints at x, and computes the excess of each constraint. */
static inline double constrained_parts(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *excess)
{
    const double value = constrained_sides(objective, x, dim, excess);
    constrained_find_excess(objective->constrained, excess);
    return value;
}

/* Returns the sum of the positive excesses; NaN if an excess is NaN. */
double constrained_violation(const struct constrained *constrained, const double *excess);

/* constrained_rank_of: returns the rank for a value (of sign f) and a violation. constrained_violation_of:
 * returns the violation that a rank stands for; 0 if the rank is a value. */
double constrained_rank_of(double value, double violation);
double constrained_violation_of(double rank);

/* Whether at least one constraint is an equality. */
bool constrained_has_equality(const struct constrained *constrained);

/* Fills *relaxed with the objective without its constraints; kernels can use it, the host cannot. `objective`
 * must be valid as long as *relaxed. The caller frees relaxed->text. */
SHOAL_MUST_CHECK enum shoal_status constrained_relax(const struct shoal_objective *objective,
                                                     struct shoal_objective *relaxed,
                                                     struct shoal_error *error);

#endif
