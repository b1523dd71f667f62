/* Curve fitting: a model with named parameters over named columns of numbers.
 *
 * A model is a formula such as "a*exp(-b*t)*cos(w*t+p)+c" of columns (t) and parameters (a, b, w, p, c). As
 * an objective a model is the sum over the rows of weight * loss(target - model), which any search minimises,
 * on any device. Figures of the fit are computed in double precision, on the host:
 *
 *     struct shoal_model model = SHOAL_MODEL(.formula = "a*exp(-b*t)", .target = "y");
 *     model.parameters = ...; model.columns = ...; model.values = ...;
 *     shoal_objective_from_model(&model, &objective, &error);
 *     shoal_optimiser_set_objective(optimiser, objective, &error);
 *     result = shoal_optimise(optimiser, x, &value, &error);
 *     shoal_fit_compute(objective, x, &fit, &error);
 *     ... fit.errors[0] is the standard error of a ...
 *     shoal_fit_free(&fit);
 *
 * The box of the search is the ranges of the parameters.
 *
 * Rows count from 0 in calls and from 1 in messages.
 *
 * Threads: as for any objective, <shoal/objective.h>.
 */
#ifndef SHOAL_FIT_H
#define SHOAL_FIT_H

#include <shoal/objective.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Loss of a residual r. */
enum shoal_loss {
    SHOAL_LOSS_SQUARES,  /* r^2. */
    SHOAL_LOSS_ABSOLUTE, /* |r|. */
    SHOAL_LOSS_HUBER     /* r^2 / 2 up to |r| = delta, delta (|r| - delta / 2) beyond: Huber 1964. */
};

/* A parameter of a model and its range. */
struct shoal_model_parameter {
    /* Name, of letters, digits and _; not the name of a column or function, and neither pi nor e. */
    const char *name;
    double lower; /* Least value, finite. */
    double upper; /* Greatest value, finite, at least `lower`. Equal bounds fix the parameter. */
};

/* Limits of struct shoal_model. */
enum {
    SHOAL_MODEL_PARAMETERS = 64 /* Most parameters of a model. */
};

/* A formula, its parameters and the rows that it is fitted to. Everything is copied. */
struct shoal_model {
    size_t size;         /* Bytes of the struct, set by shoal_model_init. */
    const char *formula; /* The model as a formula: docs/fitting.md has its grammar. Must be set. */
    /* Parameters of the formula, [parameter_count]. Must be set. */
    const struct shoal_model_parameter *parameters;
    /* Number of parameters, 1 to SHOAL_MODEL_PARAMETERS. Must be set. */
    size_t parameter_count;
    /* Names of the columns, [column_count], each once, of any characters. Must be set. */
    const char *const *columns;
    /* Numbers of the columns, [column_count][rows]. Numbers of columns in use are finite. Must be set. */
    const double *const *values;
    size_t column_count; /* Number of columns, at least 1. Must be set. */
    size_t rows;         /* Number of rows, at least as many as parameters. Must be set. */
    const char *target;  /* Name, or number from 1, of the column that the model is to follow. Must be set. */
    /* Name, or number from 1, of a column of weights >= 0, such as 1 / variance. Default: NULL, all weights
     * are 1. */
    const char *weights;
    /* Loss of a residual r, enum shoal_loss. Default: SHOAL_LOSS_SQUARES. */
    int32_t loss;
    double delta; /* Limit of Huber's loss, in units of the target, > 0. Default: 1. */
};

/* Fills `model` with the defaults. */
SHOAL_API void shoal_model_init(struct shoal_model *model);
#define SHOAL_MODEL(...) SHOAL_INIT(shoal_model, shoal_model_init, __VA_ARGS__)

/* Creates the objective of a model. Destroy the objective with shoal_objective_destroy.
 * Errors: SHOAL_INVALID: an unknown name in the formula, a parameter that the formula lacks, an empty range,
 * a number that is not finite, a constant target; the message is one line. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_objective_from_model(const struct shoal_model *model,
                                                                        struct shoal_objective **out,
                                                                        struct shoal_error *error);

/* The model of an objective. Owned by the objective. */
struct shoal_model_info {
    size_t size;                                    /* Bytes of the struct as the library knows it. */
    const char *formula;                            /* The formula. */
    const struct shoal_model_parameter *parameters; /* Parameters, [parameter_count]. */
    size_t parameter_count;                         /* Number of parameters. */
    /* Names of the columns in use, [column_count]: inputs of the formula, then the target, then the
     * weights. */
    const char *const *columns;
    size_t column_count; /* Number of columns in use. */
    size_t input_count;  /* Number of columns that are inputs of the formula. */
    size_t target;       /* Index of the target in `columns`. */
    /* Index of the column of weights in `columns`; that column may also be an input. SIZE_MAX: there are no
     * weights. */
    size_t weights;
    size_t rows;  /* Number of rows of the data. */
    int32_t loss; /* Loss of a residual r, enum shoal_loss. */
    double delta; /* Limit of Huber's loss. */
};

/* The model of the objective. Valid as long as the objective. NULL: the objective is no model. */
SHOAL_API const struct shoal_model_info *shoal_objective_model(const struct shoal_objective *objective);

/* The objective of a solver whose workload is a search algorithm. Valid as long as the solver. NULL: the
 * solver is of another workload. */
SHOAL_API const struct shoal_objective *shoal_solver_objective(const struct shoal_solver *solver);

/* For rows first .. first + count - 1: `columns` receives the numbers of the columns in use,
 * [count][info.column_count], and `model` the values of the model at parameters `x`, [count]. Either pointer
 * may be NULL.
 * Errors: SHOAL_UNSUPPORTED: the objective is no model. SHOAL_INVALID: the range passes the last row.
 * SHOAL_IO: the file of the rows can no longer be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_model_rows(const struct shoal_objective *objective,
                                                              const double *x, size_t first, size_t count,
                                                              double *columns, double *model,
                                                              struct shoal_error *error);

/* The quality of a fit, with weights w, residuals r, n rows of positive weight and p parameters. Standard
 * errors are the roots of the diagonal of the covariance s^2 (J' W J)^-1 with the Jacobian J of the model, by
 * forward differentiation and QR: for least squares whose residuals are independent and have variances in
 * proportion to 1 / w (Bates and Watts, Nonlinear Regression Analysis, 1988, section 2.2). Bounds are not
 * taken into account. Release the arrays with shoal_fit_free. */
struct shoal_fit {
    size_t size;            /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t parameter_count; /* Number of parameters of the model. */
    size_t rows;            /* n: number of rows of positive weight. */
    double value;           /* Value of the objective: sum w loss(r). */
    double rms;             /* Root mean square of the residuals: sqrt(sum w r^2 / sum w). */
    double r2;              /* R^2: 1 - sum w r^2 / sum w (target - weighted mean of the target)^2. */
    /* s = sqrt(sum w r^2 / (n - p)): standard deviation of a residual of weight 1. NaN: n = p. */
    double deviation;
    /* Rank of J over the parameters that are not fixed. If the rank is lower than the number of these
     * parameters, errors are NaN: see `no_errors`. */
    size_t rank;
    const char *no_errors; /* Why errors and correlations are NaN, in a few words. NULL: they are numbers. */
    double *errors;        /* Standard error of each parameter, [parameter_count]. */
    double *correlations;  /* Correlations of the parameters, [parameter_count][parameter_count]. */
    /* Where each parameter lies, [parameter_count]: -1 at its lower bound, 1 at its upper bound, 0 at no
     * bound. A parameter with equal bounds has 0, error 0 and correlations 0 with others, and does not count
     * in p. */
    int32_t *at_bound;
};

/* Fills `fit` with the quality of the fit at the parameters `x`. Before the call set fit->size, usually to 0.
 * Errors: SHOAL_UNSUPPORTED: the objective is no model. SHOAL_IO: the file of the rows can no longer be read.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fit_compute(const struct shoal_objective *objective,
                                                               const double *x, struct shoal_fit *fit,
                                                               struct shoal_error *error);

/* Releases the arrays of the fit and sets its members to 0. */
SHOAL_API void shoal_fit_free(struct shoal_fit *fit);

SHOAL_END_DECLS

#endif
