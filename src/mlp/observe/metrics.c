#include "mlp/observe/metrics.h"
#include "base/counted.h"
#include "base/error.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A mean that leaves out NaN. */
struct mean {
    double sum;
    uint32_t count;
};

static void mean_add(struct mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->sum += value;
    mean->count++;
}

static double mean_get(const struct mean *mean)
{
    return mean->count ? mean->sum / mean->count : NAN;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double weight_of(const double *weights, size_t row)
{
    return weights ? weights[row] : 1;
}

static enum shoal_status check_weights(const double *weights, size_t rows, struct shoal_error *error)
{
    double sum = 0;
    if (!rows)
        return fail(error, SHOAL_INVALID, "there are no rows to compare predictions with");
    for (size_t row = 0; row < rows; row++) {
        const double weight = weight_of(weights, row);
        if (!(weight >= 0 && weight < INFINITY))
            return fail(error, SHOAL_INVALID, "row %zu: the weight %g is no number of 0 or more", row + 1,
                        weight);
        sum += weight;
    }
    if (!(sum > 0 && sum < INFINITY))
        return fail(error, SHOAL_INVALID, "the weights of the %zu rows add up to %g", rows, sum);
    return SHOAL_OK;
}

/* Classes ---------------------------------------------------------------------------------------------- */

static double probability(const struct metrics_guesses *guesses, size_t row, uint32_t class)
{
    const double *at = guesses->probabilities + row * guesses->outputs;
    if (guesses->outputs == 1)
        return class ? at[0] : 1 - at[0];
    return at[class];
}

static enum shoal_status check_guesses(const struct metrics_guesses *guesses, struct shoal_error *error)
{
    const uint32_t classes = guesses->classes, outputs = guesses->outputs;
    if (classes < 2 || (outputs != classes && !(outputs == 1 && classes == 2)))
        return fail(error, SHOAL_INVALID,
                    "%s cannot tell %s apart: give an output for each class, or one output for two classes",
                    counted(outputs, "output").s, counted(classes, "class").s);
    for (size_t row = 0; row < guesses->rows; row++) {
        if (guesses->truth[row] >= classes)
            return fail(error, SHOAL_INVALID, "row %zu: class %" PRIu32 " of %" PRIu32 ", counted from 0",
                        row + 1, guesses->truth[row], classes);
        for (uint32_t output = 0; output < outputs; output++) {
            const double p = guesses->probabilities[row * outputs + output];
            if (!(p >= 0 && p <= 1))
                return fail(error, SHOAL_INVALID, "row %zu: output %" PRIu32 " is %g and no probability",
                            row + 1, output + 1, p);
        }
    }
    return check_weights(guesses->weights, guesses->rows, error);
}

/* Adds a row to all sums. */
static void add_row(const struct metrics_guesses *guesses, size_t row, struct shoal_mlp_classes *report)
{
    const double weight = weight_of(guesses->weights, row);
    const uint32_t truth = guesses->truth[row];
    const double right = probability(guesses, row, truth);
    uint32_t guess = 0, before = 0; /* number of classes that come before the true class */
    double most = -1, brier = 0;
    for (uint32_t class = 0; class < guesses->classes; class ++) {
        const double p = probability(guesses, row, class), gap = p - (class == truth);
        if (p > most) {
            most = p;
            guess = class;
        }
        before += p > right || (p == right && class < truth);
        brier += gap * gap;
    }
    report->weight += weight;
    report->confusion[(size_t)truth * guesses->classes + guess] += weight;
    report->brier += weight * brier;
    report->log_loss -= weight * log(fmax(right, DBL_EPSILON));
    for (uint32_t k = before; k < report->top_count; k++)
        report->top[k] += weight;
    const int at = (int)(most * SHOAL_MLP_BINS);
    struct shoal_mlp_bin *bin = report->bins + (at < SHOAL_MLP_BINS ? at : SHOAL_MLP_BINS - 1);
    bin->weight += weight;
    bin->confidence += weight * most;
    bin->accuracy += guess == truth ? weight : 0;
}

struct scored {
    double score, weight;
    bool is_of; /* the row is of the class */
};

static int by_score(const void *a, const void *b)
{
    const double x = ((const struct scored *)a)->score, y = ((const struct scored *)b)->score;
    return (x > y) - (x < y);
}

/* The area under the ROC curve: the share of pairs of a row of the class and a row of another class whose
 * scores are in the right order; pairs of equal scores count half. Weights are divided by a power of two near
 * `total`, so that products of weights do not underflow and products of whole numbers are exact: the share is
 * 1 if all pairs are in order. */
static double area(const struct metrics_guesses *guesses, uint32_t class, double total, struct scored *rows)
{
    double below = 0, ordered = 0, of = 0;
    int exponent;
    frexp(total, &exponent);
    for (size_t row = 0; row < guesses->rows; row++)
        rows[row] = (struct scored){.score = probability(guesses, row, class),
                                    .weight = ldexp(weight_of(guesses->weights, row), -exponent),
                                    .is_of = guesses->truth[row] == class};
    qsort(rows, guesses->rows, sizeof *rows, by_score);
    for (size_t begin = 0, end; begin < guesses->rows; begin = end) {
        double equal[2] = {0, 0};
        for (end = begin; end < guesses->rows && rows[end].score == rows[begin].score; end++)
            equal[rows[end].is_of] += rows[end].weight;
        ordered += equal[1] * (below + equal[0] / 2);
        below += equal[0];
        of += equal[1];
    }
    return share(ordered, of * below);
}

static void finish_classes(struct shoal_mlp_classes *report)
{
    const uint32_t classes = report->classes;
    struct mean precision = {0}, recall = {0}, f1 = {0}, auc = {0};
    for (uint32_t class = 0; class < classes; class ++) {
        struct shoal_mlp_class_figures *of = report->of + class;
        const double right = report->confusion[(size_t) class * classes + class];
        for (uint32_t other = 0; other < classes; other++) {
            of->weight += report->confusion[(size_t) class * classes + other];
            of->guessed += report->confusion[(size_t)other * classes + class];
        }
        of->precision = share(right, of->guessed);
        of->recall = share(right, of->weight);
        of->f1 = share(2 * right, of->guessed + of->weight);
        mean_add(&precision, of->precision);
        mean_add(&recall, of->recall);
        mean_add(&f1, of->f1);
        mean_add(&auc, of->auc);
    }
    report->precision = mean_get(&precision);
    report->recall = mean_get(&recall);
    report->f1 = mean_get(&f1);
    report->auc = mean_get(&auc);
}

static void finish_bins(struct shoal_mlp_classes *report)
{
    for (size_t i = 0; i < SHOAL_MLP_BINS; i++) {
        struct shoal_mlp_bin *bin = report->bins + i;
        report->calibration_error += fabs(bin->accuracy - bin->confidence) / report->weight;
        bin->accuracy = share(bin->accuracy, bin->weight);
        bin->confidence = share(bin->confidence, bin->weight);
    }
}

static void finish_accuracy(const struct metrics_guesses *guesses, struct shoal_mlp_classes *report)
{
    const double z = 1.959963984540054; /* 97.5 % point of the normal distribution */
    double largest = 0, squares = 0;
    /* Weights are divided by the largest weight, since squares of weights could underflow or overflow. */
    for (size_t row = 0; row < guesses->rows; row++)
        largest = fmax(largest, weight_of(guesses->weights, row));
    for (size_t row = 0; row < guesses->rows; row++) {
        const double relative = weight_of(guesses->weights, row) / largest;
        squares += relative * relative;
    }
    const double total = report->weight / largest, n = total * total / squares;
    const double p = report->accuracy = report->top[0];
    const double centre = p + z * z / (2 * n), scale = 1 + z * z / n;
    const double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    report->accuracy_low = p > 0 ? fmax((centre - half) / scale, 0) : 0;
    report->accuracy_high = p < 1 ? fmin((centre + half) / scale, 1) : 1;
}

enum shoal_status metrics_of_classes(const struct metrics_guesses *guesses, struct shoal_mlp_classes *report,
                                     struct shoal_error *error)
{
    struct scored *rows = NULL;
    memset(report, 0, sizeof *report);
    enum shoal_status status = check_guesses(guesses, error);
    if (status)
        return status;
    report->rows = guesses->rows;
    report->classes = guesses->classes;
    report->top_count = guesses->classes < SHOAL_MLP_TOP ? guesses->classes : SHOAL_MLP_TOP;
    report->of = calloc(guesses->classes, sizeof *report->of);
    rows = calloc(guesses->rows, sizeof *rows);
    if (guesses->classes <= SIZE_MAX / sizeof *report->confusion / guesses->classes)
        report->confusion = calloc((size_t)guesses->classes * guesses->classes, sizeof *report->confusion);
    if (!report->of || !report->confusion || !rows) {
        free(rows);
        metrics_classes_destroy(report);
        return fail_host_memory(error);
    }
    for (size_t row = 0; row < guesses->rows; row++)
        add_row(guesses, row, report);
    for (uint32_t class = 0; class < guesses->classes; class ++)
        report->of[class].auc = area(guesses, class, report->weight, rows);
    for (uint32_t k = 0; k < report->top_count; k++)
        report->top[k] /= report->weight;
    report->log_loss /= report->weight;
    report->brier /= report->weight;
    finish_accuracy(guesses, report);
    finish_classes(report);
    finish_bins(report);
    free(rows);
    return SHOAL_OK;
}

void metrics_classes_destroy(struct shoal_mlp_classes *report)
{
    free(report->confusion);
    free(report->of);
    memset(report, 0, sizeof *report);
}

/* Numbers ---------------------------------------------------------------------------------------------- */

static enum shoal_status check_numbers(const struct metrics_numbers *numbers, struct shoal_error *error)
{
    if (!numbers->outputs)
        return fail(error, SHOAL_INVALID, "predictions without outputs");
    for (size_t row = 0; row < numbers->rows; row++)
        for (uint32_t output = 0; output < numbers->outputs; output++) {
            const size_t at = row * numbers->outputs + output;
            if (!isfinite(numbers->predictions[at]) || !isfinite(numbers->targets[at]))
                return fail(error, SHOAL_INVALID,
                            "row %zu: output %" PRIu32 " is %g for the target %g; both must be finite",
                            row + 1, output + 1, numbers->predictions[at], numbers->targets[at]);
        }
    return check_weights(numbers->weights, numbers->rows, error);
}

static struct shoal_mlp_number_figures one_output(const struct metrics_numbers *numbers, uint32_t output)
{
    double weights = 0, mean = 0, squares = 0, absolute = 0, spread = 0, low = INFINITY, high = -INFINITY;
    for (size_t row = 0; row < numbers->rows; row++) {
        const size_t at = row * numbers->outputs + output;
        const double weight = weight_of(numbers->weights, row), target = numbers->targets[at];
        const double gap = target - numbers->predictions[at];
        weights += weight;
        mean += weight * target;
        squares += weight * gap * gap;
        absolute += weight * fabs(gap);
        low = weight > 0 ? fmin(low, target) : low;
        high = weight > 0 ? fmax(high, target) : high;
    }
    mean /= weights;
    for (size_t row = 0; row < numbers->rows; row++) {
        const double gap = numbers->targets[row * numbers->outputs + output] - mean;
        spread += weight_of(numbers->weights, row) * gap * gap;
    }
    /* A constant target is recognised by least and greatest value, since its spread need not be 0: the mean
     * is rounded. */
    return (struct shoal_mlp_number_figures){.rmse = sqrt(squares / weights),
                                             .mae = absolute / weights,
                                             .r2 = high > low && spread > 0 ? 1 - squares / spread : NAN};
}

enum shoal_status metrics_of_numbers(const struct metrics_numbers *numbers,
                                     struct shoal_mlp_number_figures *of,
                                     struct shoal_mlp_number_figures *mean, struct shoal_error *error)
{
    struct mean rmse = {0}, mae = {0}, r2 = {0};
    enum shoal_status status = check_numbers(numbers, error);
    if (status)
        return status;
    for (uint32_t output = 0; output < numbers->outputs; output++) {
        of[output] = one_output(numbers, output);
        mean_add(&rmse, of[output].rmse);
        mean_add(&mae, of[output].mae);
        mean_add(&r2, of[output].r2);
    }
    *mean = (struct shoal_mlp_number_figures){
        .rmse = mean_get(&rmse), .mae = mean_get(&mae), .r2 = mean_get(&r2)};
    return SHOAL_OK;
}
