/* The quality of a fit at given parameters: residuals, and the errors and correlations of the parameters,
 * from the Jacobian. */
#include "base/error.h"
#include "base/params.h"
#include "objective/model/model.h"
#include "objective/rows/factor.h"
#include "objective/rows/rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums over the rows of the table. */
struct sums {
    struct rows_sum value, squares, weight, target, about_mean;
    size_t rows; /* number of rows of positive weight */
};

/* Adds a piece of rows to the sums, and its rows of the weighted Jacobian to the factor. */
static void add_piece(const struct model_pass *pass, struct sums *sums, double *factor)
{
    const struct shoal_model_info *info = &pass->model->info;
    const size_t stride = pass->rows.stride;
    for (size_t j = 0; j < pass->count; j++) {
        const double weight = model_weight(pass, j), root = sqrt(weight), residual = model_residual(pass, j);
        for (size_t p = 0; p < info->parameter_count; p++)
            pass->slopes[p * stride + j] = weight > 0 ? root * pass->slopes[p * stride + j] : 0;
        if (weight <= 0)
            continue;
        rows_sum_add(&sums->value, model_term(pass, j));
        rows_sum_add(&sums->squares, weight * residual * residual);
        rows_sum_add(&sums->weight, weight);
        rows_sum_add(&sums->target, weight * model_column(pass, info->target)[j]);
        sums->rows++;
    }
    /* A short piece is filled with rows of zeros, which do not change the factor. */
    for (size_t p = 0; p < info->parameter_count && pass->count < stride; p++)
        memset(pass->slopes + p * stride + pass->count, 0, (stride - pass->count) * sizeof *pass->slopes);
    factor_add_rows(factor, info->parameter_count, pass->slopes, stride);
}

static enum shoal_status go_through(const struct model *model, const double *x, struct sums *sums,
                                    double *factor, struct shoal_error *error)
{
    struct model_pass pass;
    enum shoal_status status = model_pass_begin(&pass, model, model->info.rows, x, true, error);
    for (size_t first = 0; first < model->info.rows && !status; first += pass.count) {
        status = model_pass_read(&pass, first, error);
        if (!status)
            add_piece(&pass, sums, factor);
    }
    const double mean = rows_sum_value(&sums->target) / rows_sum_value(&sums->weight);
    for (size_t first = 0; first < model->info.rows && !status; first += pass.count) {
        status = model_pass_read(&pass, first, error);
        for (size_t j = 0; j < pass.count && !status; j++) {
            const double off = model_column(&pass, model->info.target)[j] - mean;
            rows_sum_add(&sums->about_mean, model_weight(&pass, j) * off * off);
        }
    }
    model_pass_end(&pass);
    return status;
}

/* Errors and correlations ------------------------------------------------------------------------------ */

/* Rotates columns i and k of a and of v so that the two columns of a become orthogonal (one-sided Jacobi
 * method, Hestenes 1958). Returns false if they already were. */
static bool rotate(double *a, double *v, size_t n, size_t i, size_t k)
{
    double *p = a + i * n, *q = a + k * n, pp = 0, qq = 0, pq = 0;
    for (size_t j = 0; j < n; j++) {
        pp += p[j] * p[j];
        qq += q[j] * q[j];
        pq += p[j] * q[j];
    }
    if (fabs(pq) <= DBL_EPSILON * sqrt(pp * qq))
        return false;
    const double zeta = (qq - pp) / (2 * pq);
    const double t = copysign(1 / (fabs(zeta) + sqrt(1 + zeta * zeta)), zeta), c = 1 / sqrt(1 + t * t);
    double *columns[2][2] = {{p, q}, {v + i * n, v + k * n}};
    for (int m = 0; m < 2; m++)
        for (size_t j = 0; j < n; j++) {
            const double left = columns[m][0][j], right = columns[m][1][j];
            columns[m][0][j] = c * left - c * t * right;
            columns[m][1][j] = c * t * left + c * right;
        }
    return true;
}

/* Computes the singular values of a into `values`, and its right singular vectors into v. a, v: [n][n],
 * column by column. */
static void decompose(double *a, double *v, size_t n, double *values)
{
    enum { SWEEPS = 60 }; /* about 10 sweeps suffice */
    memset(v, 0, n * n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i * n + i] = 1;
    bool moved = true;
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n; k++)
                moved |= rotate(a, v, n, i, k);
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += a[i * n + j] * a[i * n + j];
        values[i] = sqrt(sum);
    }
}

/* Stores the errors and correlations of the parameters. varying: the `count` parameters that vary. A fixed
 * parameter has the error 0 and no correlation with other parameters; every parameter has correlation 1 with
 * itself. */
static void enter(const double *variances, const double *scale, const size_t *varying, size_t count,
                  struct shoal_fit *fit)
{
    const size_t n = fit->parameter_count;
    for (size_t i = 0; i < n; i++) {
        fit->errors[i] = 0;
        for (size_t k = 0; k < n; k++)
            fit->correlations[i * n + k] = i == k;
    }
    for (size_t i = 0; i < count; i++) {
        const double root = sqrt(variances[i * count + i]);
        fit->errors[varying[i]] = fit->deviation * root / scale[i];
        for (size_t k = 0; k < count; k++)
            if (i != k)
                fit->correlations[varying[i] * n + varying[k]] =
                    variances[i * count + k] / (root * sqrt(variances[k * count + k]));
    }
}

/* Computes (J' W J)^-1 for the `count` parameters that vary, by the singular values of R, the factor of the
 * weighted Jacobian, whose columns are scaled to length 1. factor: R, row by row. memory: scratch memory of 3
 * n n + 2 n numbers. */
static void set_errors(const double *factor, const size_t *varying, size_t count, struct shoal_fit *fit,
                       double *memory)
{
    const size_t n = fit->parameter_count;
    /* Derivatives are exact except for rounding, so a singular value that is exactly 0 is computed as about
     * 1e-16 sqrt(rows). */
    const double smallest = 1e-11;
    double *a = memory, *v = a + n * n, *variances = v + n * n, *values = variances + n * n,
           *scale = values + n;
    bool finite = true;
    double most = 0;
    /* Columns of fixed parameters are zero, and stay zero under rotations. */
    memset(a, 0, n * n * sizeof *a);
    for (size_t c = 0; c < count; c++) {
        const size_t column = varying[c];
        double sum = 0;
        for (size_t i = 0; i <= column; i++)
            sum += factor[i * n + column] * factor[i * n + column];
        scale[c] = sqrt(sum);
        finite = finite && isfinite(sum);
        for (size_t i = 0; i <= column; i++)
            a[c * n + i] = sum > 0 ? factor[i * n + column] / scale[c] : 0;
    }
    if (!finite) {
        fit->no_errors = "a derivative of the model is not finite";
        return;
    }
    decompose(a, v, n, values);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, values[i]);
    for (size_t i = 0; i < count; i++)
        fit->rank += values[i] > smallest * most;
    if (fit->rank < count)
        fit->no_errors = "the Jacobian is rank-deficient: the parameters are not independent";
    else if (isnan(fit->deviation))
        fit->no_errors = "there are as many parameters as rows";
    if (fit->no_errors)
        return;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            double sum = 0;
            for (size_t j = 0; j < count; j++)
                sum += v[j * n + i] * v[j * n + k] / (values[j] * values[j]);
            variances[i * count + k] = sum;
        }
    enter(variances, scale, varying, count, fit);
}

/* ------------------------------------------------------------------------------------------------------ */

/* In single precision, a parameter can differ from its bound by rounding, so parameters near a bound count as
 * being at the bound. */
static int32_t bound_of(const struct shoal_model_parameter *parameter, double x)
{
    const double near = 1e-6 * (parameter->upper - parameter->lower);
    if (parameter->lower == parameter->upper)
        return 0;
    return x <= parameter->lower + near ? -1 : x >= parameter->upper - near;
}

static void fit_free(struct shoal_fit *fit)
{
    free(fit->errors);
    free(fit->at_bound);
    *fit = (struct shoal_fit){.parameter_count = 0};
}

static enum shoal_status allocate(size_t n, struct shoal_fit *fit, struct shoal_error *error)
{
    fit->errors = malloc((n + n * n) * sizeof *fit->errors);
    fit->at_bound = calloc(n, sizeof *fit->at_bound);
    if (!fit->errors || !fit->at_bound) {
        fit_free(fit);
        return fail_host_memory(error);
    }
    fit->correlations = fit->errors + n;
    for (size_t i = 0; i < n + n * n; i++)
        fit->errors[i] = NAN;
    return SHOAL_OK;
}

static enum shoal_status compute(const struct model *model, const double *x, struct shoal_fit *fit,
                                 struct shoal_error *error)
{
    struct sums sums = {.rows = 0};
    const size_t n = model->info.parameter_count;
    double *memory = calloc(4 * n * n + 2 * n, sizeof *memory);
    size_t *varying = calloc(n, sizeof *varying), count = 0;
    enum shoal_status status = memory && varying ? allocate(n, fit, error) : fail_host_memory(error);
    if (!status)
        status = go_through(model, x, &sums, memory, error);
    if (status) {
        free(memory);
        free(varying);
        fit_free(fit);
        return status;
    }
    for (size_t p = 0; p < n; p++)
        if (model->info.parameters[p].lower < model->info.parameters[p].upper)
            varying[count++] = p;
    const double squares = rows_sum_value(&sums.squares), weight = rows_sum_value(&sums.weight);
    fit->parameter_count = n;
    fit->rows = sums.rows;
    fit->value = rows_sum_value(&sums.value);
    fit->rms = sqrt(squares / weight);
    fit->r2 = 1 - squares / rows_sum_value(&sums.about_mean);
    fit->deviation = sums.rows > count ? sqrt(squares / (double)(sums.rows - count)) : NAN;
    if (model->info.loss == SHOAL_LOSS_SQUARES)
        set_errors(memory, varying, count, fit, memory + n * n);
    else
        fit->no_errors = "they are those of least squares";
    for (size_t p = 0; p < n; p++)
        fit->at_bound[p] = bound_of(&model->info.parameters[p], x[p]);
    free(memory);
    free(varying);
    return SHOAL_OK;
}

enum shoal_status shoal_fit_compute(const struct shoal_objective *objective, const double *x,
                                    struct shoal_fit *fit, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, objective, x, fit))
        return SHOAL_INVALID;
    struct shoal_fit found = {.parameter_count = 0};
    enum shoal_status status = RESULT_CHECK(fit, at_bound, error);
    if (status)
        return status;
    const struct model *model = model_of(objective);
    status = model ? compute(model, x, &found, error)
                   : fail(error, SHOAL_UNSUPPORTED, "the objective is no model");
    RESULT_GIVE(&found, at_bound, fit);
    return status;
}

void shoal_fit_free(struct shoal_fit *fit)
{
    if (!fit || RESULT_CHECK(fit, at_bound, NULL))
        return;
    free(fit->errors);
    free(fit->at_bound);
    RESULT_GIVE(&(struct shoal_fit){.size = 0}, at_bound, fit);
}
