/* Curve fitting: a model with named parameters over named columns of numbers.
 *
 * A model is a formula such as "a*exp(-b*t)*cos(w*t+p)+c" of columns (t) and parameters (a, b, w, p, c). As
 * an objective it is the sum over the rows of weight * loss(target - model), which any search minimises, on
 * any device. What is computed of the result is in double precision, on the host:
 *
 *     struct shoal_model model;
 *     shoal_model_init(&model);
 *     model.formula = "a*exp(-b*t)"; model.parameters = ...; model.columns = ...; model.target = "y";
 *     shoal_objective_from_model(&model, &objective, &error);
 *     shoal_optimiser_set_objective(optimiser, objective, &error);    (its box: the ranges of the parameters)
 *     result = shoal_optimise(optimiser, x, &value, &error);
 *     shoal_fit_compute(objective, x, &fit, &error);
 *     ... fit.errors[0] is the standard error of a ...
 *     shoal_fit_free(&fit);
 *
 * Rows count from 0 in calls and from 1 in messages. Threads: as for any objective.
 */
#ifndef SHOAL_FIT_H
#define SHOAL_FIT_H

#include <shoal/objective.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Of a residual r. HUBER (1964): r^2 / 2 up to |r| = delta, beyond delta (|r| - delta / 2). */
enum shoal_loss { SHOAL_LOSS_SQUARES, SHOAL_LOSS_ABSOLUTE, SHOAL_LOSS_HUBER };

/* A name of letters, digits and _, which is neither a column's, a function's nor pi or e, and a range;
 * finite, lower < upper. */
struct shoal_model_parameter {
    const char *name;
    double lower, upper;
};

enum { SHOAL_MODEL_PARAMETERS = 64 }; /* at most */

/* All is copied. */
struct shoal_model {
    size_t size;         /* set by shoal_model_init */
    const char *formula; /* docs/fitting.md has its grammar */
    const struct shoal_model_parameter *parameters;
    size_t parameter_count;
    const char *const *columns;  /* column_count names, each once; any characters */
    const double *const *values; /* of each column `rows` numbers; those of columns in use are finite */
    size_t column_count, rows;   /* at least as many rows as parameters */
    const char *target;          /* name, or number from 1, of the column that the model is to follow */
    const char *weights;         /* the same of a column of weights >= 0, 1 / variance; NULL: all 1 */
    int32_t loss;                /* enum shoal_loss */
    double delta;                /* of HUBER, in units of the target; > 0 */
};

SHOAL_API void shoal_model_init(struct shoal_model *model);
#define SHOAL_MODEL(...) SHOAL_INIT(shoal_model, shoal_model_init, __VA_ARGS__)

/* SHOAL_INVALID says in one line what is wrong: a name of the formula that is none, a parameter that it
 * lacks, an empty range, a number that is not finite with its row, a target that is constant. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_model(const struct shoal_model *model,
                                                                        struct shoal_objective **out,
                                                                        struct shoal_error *error);

/* What the objective is a model of; NULL: it is none. Valid as long as the objective. */
struct shoal_model_info {
    size_t size;
    const char *formula;
    const struct shoal_model_parameter *parameters;
    size_t parameter_count;
    const char *const *columns; /* those in use: inputs of the formula, then the target, then the weights */
    size_t column_count, input_count;
    size_t target;  /* index of the column */
    size_t weights; /* the same; SIZE_MAX: none. It may be an input too */
    size_t rows;
    int32_t loss;
    double delta;
};
SHOAL_API const struct shoal_model_info *shoal_objective_model(const struct shoal_objective *objective);
/* The objective of a search (pso, ga); NULL: the solver is of another workload. Valid as long as the solver.
 */
SHOAL_API const struct shoal_objective *shoal_solver_objective(const struct shoal_solver *solver);

/* Rows first .. first + count - 1: the numbers of the columns in use, columns[j * column_count + c], and the
 * model at parameters x, model[j]; either may be NULL. SHOAL_UNSUPPORTED: the objective is no model.
 * SHOAL_IO: its file cannot be read any more. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_model_rows(const struct shoal_objective *objective,
                                                              const double *x, size_t first, size_t count,
                                                              double *columns, double *model,
                                                              struct shoal_error *error);

/* The quality of a fit. With weights w, residuals r, n rows of positive weight and p parameters:
 *     rms          sqrt(sum w r^2 / sum w)
 *     r2           1 - sum w r^2 / sum w (target - its weighted mean)^2
 *     deviation    s = sqrt(sum w r^2 / (n - p)), of a residual of weight 1
 *     covariance   s^2 (J' W J)^-1 with the Jacobian J of the model, by forward differentiation and QR
 * Errors are the roots of its diagonal: of least squares whose residuals are independent and have variances
 * in proportion to 1 / w (Bates and Watts, Nonlinear Regression Analysis, 1988, section 2.2). Bounds are not
 * taken into account. */
struct shoal_fit {
    size_t size; /* set by the caller: of the struct; 0: that of its first release */
    size_t parameter_count;
    size_t rows;  /* n */
    double value; /* of the objective: sum w loss(r) */
    double rms, r2;
    double deviation;      /* NaN: n = p */
    size_t rank;           /* of J, of the parameters for which errors exist if all do; see no_errors */
    const char *no_errors; /* why errors and correlations are NaN, in a few words; NULL: they are numbers */
    /* One block of parameter_count numbers each, owned by the struct: errors, and correlations[i * p + k]. */
    double *errors, *correlations;
    /* -1: the parameter is at its lower bound, 1: at the upper one, 0: at none. Equal bounds fix a parameter:
     * 0, its error is 0, its correlations with others are 0, and it is none of p. */
    int32_t *at_bound;
};
/* At the parameters x. Set fit->size before the call, to 0 as a rule, and call shoal_fit_free after.
 * SHOAL_UNSUPPORTED: the objective is no model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fit_compute(const struct shoal_objective *objective,
                                                               const double *x, struct shoal_fit *fit,
                                                               struct shoal_error *error);
SHOAL_API void shoal_fit_free(struct shoal_fit *fit);

SHOAL_END_DECLS

#endif
