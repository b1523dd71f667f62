/* Private: objectives with constraints. A search of such an objective ranks points by one number, which the
 * constrained objective has as its value: cl/objective/constrained.clh. So no other code of a search, on the
 * host or in kernels, knows of constraints. */
#ifndef SHOAL_OBJECTIVE_CONSTRAINTS_H
#define SHOAL_OBJECTIVE_CONSTRAINTS_H

#include "objective/objective.h"

/* Most constraints that formulas give, and most that an objective has. */
enum { CONSTRAINTS_FORMULAS = 64, CONSTRAINTS_MOST = 1024 };

/* Constraints of a constrained objective: those of the objective itself first, then the formulas. */
struct constrained {
    size_t count;
    char **names;            /* [count]: the formula, or g1, g2, ... h1, h2, ... */
    const bool *is_equality; /* [count] */
    double tolerance;        /* an equality is met where its sides differ by at most so much */
    double sign;             /* 1, or -1 to maximise */
    bool is_told;            /* a caller of the search tells the values */
};

struct constraint_params {
    const char *formulas; /* relations separated by semicolons; NULL: only the constraints of the objective */
    const char *variables; /* list of variables whose names the formulas may use; NULL: none */
    bool is_genes;         /* the objective is a formula over these variables as genes */
    double tolerance, sign;
};

/* Creates the constrained objective. `inner` must live longer than the new objective, or is given to it:
 * *owned, which becomes NULL. SHOAL_INVALID: a formula is wrong, or constraints are not for this objective.
 */
SHOAL_MUST_CHECK enum shoal_status objective_constrain(const struct shoal_objective *inner,
                                                       struct shoal_objective **owned,
                                                       const struct constraint_params *params, size_t dim,
                                                       struct shoal_objective **out,
                                                       struct shoal_error *error);

/* Value and constraints of a constrained objective at x. sides: [constrained->count], the left side of each
 * constraint minus the right one: an inequality is met where it is <= 0, an equality where it is near 0. */
static inline double constrained_sides(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *sides)
{
    return objective->parts(objective, x, dim, sides);
}

/* Makes of the sides how far each constraint is above what it allows; <= 0: it is met. */
void constrained_find_excess(const struct constrained *constrained, double *sides);

/* Value and excesses of a constrained objective at x. */
static inline double constrained_parts(const struct shoal_objective *objective, const double *x, size_t dim,
                                       double *excess)
{
    const double value = constrained_sides(objective, x, dim, excess);
    constrained_find_excess(objective->constrained, excess);
    return value;
}

/* The sum of what is above 0; NaN where an excess is NaN. */
double constrained_violation(const struct constrained *constrained, const double *excess);

/* The rank of a value of sign f and a violation, and the violation of a rank, 0 for that of a value. */
double constrained_rank_of(double value, double violation);
double constrained_violation_of(double rank);

/* Is some constraint an equality? */
bool constrained_has_equality(const struct constrained *constrained);

/* Fills *relaxed with the objective without its constraints, for kernels alone. `objective` must live longer;
 * the caller frees relaxed->text. */
SHOAL_MUST_CHECK enum shoal_status constrained_relax(const struct shoal_objective *objective,
                                                     struct shoal_objective *relaxed,
                                                     struct shoal_error *error);

#endif
