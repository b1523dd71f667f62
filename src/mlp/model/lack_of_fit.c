#include "mlp/model/lack_of_fit.h"

#include "base/error.h"
#include "base/vectors/dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 16, MOST_ROWS = 1000, MOST_INPUTS = 256, FEW = 3, NEAR = 10 };

/* Least mean square error of the linear model, as a fraction of the variance of the targets, for which the
 * lack of fit is measured. */
static const double least_error = 0.01;

struct sample {
    size_t rows, inputs, outputs;
    double *x;       /* [rows][inputs], of mean 0 and mean square 1; constant inputs are 0 */
    double *columns; /* [inputs][rows]: the transpose of x */
    double *errors;  /* [rows][outputs]: standardised targets at first, then errors of the linear model */
    double *weights; /* [rows] */
    double *inverse; /* [inputs][inputs]: inverse of X' W X + 1 */
    double *scratch; /* [inputs] or [rows] */
};

static void sample_free(struct sample *sample)
{
    free(sample->x);
    free(sample->columns);
    free(sample->errors);
    free(sample->weights);
    free(sample->inverse);
    free(sample->scratch);
}

/* Standardises columns in place. A row has `count` numbers. */
static void standardise(const struct sample *sample, double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double weight = 0, sum = 0, squares = 0;
        for (size_t i = 0; i < sample->rows; i++) {
            weight += sample->weights[i];
            sum += sample->weights[i] * numbers[i * count + k];
        }
        const double mean = sum / weight;
        for (size_t i = 0; i < sample->rows; i++) {
            double *const at = &numbers[i * count + k];
            *at -= mean;
            squares += sample->weights[i] * *at * *at;
        }
        const double factor = squares > 0 ? 1 / sqrt(squares / weight) : 0;
        for (size_t i = 0; i < sample->rows; i++)
            numbers[i * count + k] *= factor;
    }
}

/* Takes up to MOST_ROWS rows of the range, evenly spaced, and standardises them. Rows of weight 0 are left
 * out. */
static enum shoal_status sample_take(const struct prepared *prepared, size_t first, size_t count,
                                     struct sample *sample, struct shoal_error *error)
{
    const size_t most = count < MOST_ROWS ? count : MOST_ROWS, inputs = prepared->inputs,
                 outputs = prepared->outputs;
    enum shoal_status status = SHOAL_OK;
    *sample = (struct sample){.inputs = inputs,
                              .outputs = outputs,
                              .x = calloc(most * inputs, sizeof(double)),
                              .columns = calloc(most * inputs, sizeof(double)),
                              .errors = calloc(most * outputs, sizeof(double)),
                              .weights = calloc(most, sizeof(double)),
                              .inverse = calloc(inputs * inputs, sizeof(double)),
                              .scratch = calloc(most + inputs, sizeof(double))};
    if (!sample->x || !sample->columns || !sample->errors || !sample->weights || !sample->inverse ||
        !sample->scratch)
        return fail_host_memory(error);
    for (size_t i = 0; i < most && !status; i++) {
        const size_t row = first + (size_t)((unsigned long long)i * count / most), at = sample->rows;
        const double weight = prepared->weights ? prepared->weights[row] : 1;
        if (!(weight > 0))
            continue;
        status = prepared_rows(prepared, row, 1, sample->x + at * inputs, error);
        prepared_targets(prepared, row, sample->errors + at * outputs);
        sample->weights[at] = weight;
        sample->rows++;
    }
    return status;
}

/* Computes the product of sample->inverse and x into scratch, and returns x' inverse x. The inverse is
 * symmetric, so the loop reads its rows in order, as vector code needs. */
static double times_inverse(struct sample *sample, const double *x)
{
    const size_t inputs = sample->inputs;
    double *const restrict product = sample->scratch;
    memset(product, 0, inputs * sizeof *product);
    for (size_t k = 0; k < inputs; k++)
        for (size_t l = 0; l < inputs; l++)
            product[l] += sample->inverse[k * inputs + l] * x[k];
    return dot(product, x, inputs);
}

/* Computes the inverse of X' W X + 1, adding one row of X after another (J. Sherman and W. Morrison, Ann.
 * Math. Stat. 21, 1950). */
static void invert(struct sample *sample)
{
    const size_t inputs = sample->inputs;
    for (size_t k = 0; k < inputs; k++)
        sample->inverse[k * inputs + k] = 1;
    for (size_t i = 0; i < sample->rows; i++) {
        const double weight = sample->weights[i],
                     factor = weight / (1 + weight * times_inverse(sample, sample->x + i * inputs));
        for (size_t k = 0; k < inputs; k++) {
            double *const row = sample->inverse + k * inputs;
            const double scaled = factor * sample->scratch[k];
            for (size_t l = 0; l < inputs; l++)
                row[l] -= scaled * sample->scratch[l];
        }
    }
}

/* Replaces the target of each row by the error of the linear model fitted to all other rows: the error of the
 * model fitted to all rows, divided by 1 - leverage of the row (D. Allen, Technometrics 16, 1974). */
static enum shoal_status fit_line(struct sample *sample, struct shoal_error *error)
{
    const size_t inputs = sample->inputs, outputs = sample->outputs;
    double *const moments = calloc(outputs * inputs, sizeof *moments); /* X' W y */
    double weight = 0;
    if (!moments)
        return fail_host_memory(error);
    invert(sample);
    for (size_t i = 0; i < sample->rows; i++) {
        weight += sample->weights[i];
        for (size_t o = 0; o < outputs; o++)
            for (size_t k = 0; k < inputs; k++)
                moments[o * inputs + k] +=
                    sample->weights[i] * sample->errors[i * outputs + o] * sample->x[i * inputs + k];
    }
    for (size_t i = 0; i < sample->rows; i++) {
        const double square = times_inverse(sample, sample->x + i * inputs),
                     leverage = sample->weights[i] * (square + 1 / weight);
        for (size_t o = 0; o < outputs; o++) {
            double *const at = &sample->errors[i * outputs + o];
            *at = (*at - dot(sample->scratch, moments + o * inputs, inputs)) / fmax(1 - leverage, 0.01);
        }
    }
    free(moments);
    return SHOAL_OK;
}

/* Computes the squared distance of each row from row `of` into scratch. */
static void measure(const struct sample *sample, size_t of)
{
    double *const restrict distances = sample->scratch;
    memset(distances, 0, sample->rows * sizeof *distances);
    for (size_t k = 0; k < sample->inputs; k++) {
        const double *const column = sample->columns + k * sample->rows, at = column[of];
        for (size_t i = 0; i < sample->rows; i++) {
            const double d = column[i] - at;
            distances[i] += d * d;
        }
    }
}

/* Finds the rows nearest to row `of`, nearest first, and at equal distances the lower index first. */
static void find_near(const struct sample *sample, size_t of, size_t near[NEAR])
{
    const double *const distances = sample->scratch;
    size_t count = 0;
    measure(sample, of);
    for (size_t i = 0; i < sample->rows; i++) {
        if (i == of || (count == NEAR && !(distances[i] < distances[near[NEAR - 1]])))
            continue;
        size_t at = count < NEAR ? count++ : NEAR - 1;
        for (; at && distances[i] < distances[near[at - 1]]; at--)
            near[at] = near[at - 1];
        near[at] = i;
    }
}

/* Returns the weighted square of the error of row `of` minus the mean error of the `count` rows near it,
 * summed over the outputs. */
static double left_over(const struct sample *sample, size_t of, const size_t *near, size_t count)
{
    double sum = 0;
    for (size_t o = 0; o < sample->outputs; o++) {
        double weight = 0, mean = 0;
        for (size_t i = 0; i < count; i++) {
            weight += sample->weights[near[i]];
            mean += sample->weights[near[i]] * sample->errors[near[i] * sample->outputs + o];
        }
        const double left = sample->errors[of * sample->outputs + o] - mean / weight;
        sum += left * left;
    }
    return sample->weights[of] * sum;
}

static double share_explained(const struct sample *sample)
{
    double weight = 0, line = 0, few = 0, many = 0;
    for (size_t i = 0; i < sample->rows; i++) {
        size_t near[NEAR];
        const double *const errors = sample->errors + i * sample->outputs;
        find_near(sample, i, near);
        weight += sample->weights[i];
        line += sample->weights[i] * dot(errors, errors, sample->outputs);
        few += left_over(sample, i, near, FEW);
        many += left_over(sample, i, near, NEAR);
    }
    if (!(line > least_error * weight * (double)sample->outputs))
        return NAN;
    return fmin(1, fmax(0, 1 - fmin(few, many) / line));
}

enum shoal_status lack_of_fit(const struct prepared *prepared, size_t first, size_t count, double *out,
                              struct shoal_error *error)
{
    struct sample sample;
    *out = NAN;
    if (!prepared->targets || count < LEAST_ROWS || prepared->inputs > MOST_INPUTS)
        return SHOAL_OK;
    enum shoal_status status = sample_take(prepared, first, count, &sample, error);
    if (!status && sample.rows >= LEAST_ROWS) {
        standardise(&sample, sample.x, sample.inputs);
        for (size_t i = 0; i < sample.rows * sample.inputs; i++)
            sample.columns[i % sample.inputs * sample.rows + i / sample.inputs] = sample.x[i];
        standardise(&sample, sample.errors, sample.outputs);
        status = fit_line(&sample, error);
        if (!status)
            *out = share_explained(&sample);
    }
    sample_free(&sample);
    return status;
}
