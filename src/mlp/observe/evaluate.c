/* The report of predictions: figures of classes or of numbers, with their names. */
#include "base/error.h"
#include "base/params.h"
#include "mlp/observe/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status check_outcome(const struct shoal_mlp_outcome *outcome, struct shoal_error *error)
{
    if (!outcome || !outcome->predicted || !outcome->names || !outcome->outputs ||
        !(outcome->classes ? (const void *)outcome->class_of : (const void *)outcome->truth))
        return fail(error, SHOAL_INVALID, "shoal_mlp_evaluate: predictions, names or the truth are missing");
    for (size_t row = 0; row < outcome->rows; row++)
        for (uint32_t k = 0; k < outcome->outputs; k++) {
            const double y = outcome->predicted[row * outcome->outputs + k];
            if (!isfinite(y))
                return fail(error, SHOAL_INVALID, "row %zu: output %" PRIu32 " is %g and no finite number",
                            row + 1, k + 1, y);
        }
    return SHOAL_OK;
}

/* Copies names to one block of memory: the pointers, then the texts. */
static char **copy_names(const char *const *names, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(names[i]) + 1;
    char **copy = malloc(count * sizeof *copy + bytes), *at = (char *)(copy + count);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = at;
        at = stpcpy(at, names[i]) + 1;
    }
    return copy;
}

/* Scales outputs to the range 0 .. 1, if some are outside of this range. Outputs of a linear layer are no
 * probabilities: all rows have the same scale, which keeps the order of outputs and keeps 0.5, the border
 * between the classes if there is a single output. Probabilities in single precision, which may be 1 plus
 * some units in the last place, are only clamped. */
static enum shoal_status to_probabilities(const struct shoal_mlp_outcome *outcome, double **out,
                                          bool *are_probabilities, struct shoal_error *error)
{
    const double rounding = 1e-5;
    const size_t count = outcome->rows * outcome->outputs;
    double low = 0, high = 1;
    double *p = *out = malloc((count + 1) * sizeof *p);
    if (!p)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, outcome->predicted[i]);
        high = fmax(high, outcome->predicted[i]);
    }
    *are_probabilities = low >= -rounding && high <= 1 + rounding;
    const double half = fmax(0.5 - low, high - 0.5);
    for (size_t i = 0; i < count; i++) {
        const double y = outcome->predicted[i];
        p[i] = *are_probabilities ? fmin(fmax(y, 0), 1) : fmin(fmax(0.5 + (y - 0.5) / (2 * half), 0), 1);
    }
    return SHOAL_OK;
}

static void forget_probabilities(struct shoal_mlp_classes *report)
{
    report->log_loss = report->brier = report->calibration_error = NAN;
    for (int i = 0; i < SHOAL_MLP_BINS; i++)
        report->bins[i] = (struct shoal_mlp_bin){NAN, NAN, NAN};
}

static enum shoal_status of_classes(const struct shoal_mlp_outcome *outcome, struct shoal_mlp_report *report,
                                    struct shoal_error *error)
{
    double *p = NULL;
    enum shoal_status status = to_probabilities(outcome, &p, &report->are_probabilities, error);
    const struct metrics_guesses guesses = {outcome->rows,     outcome->classes, outcome->outputs, p,
                                            outcome->class_of, outcome->weights};
    if (!status)
        status = metrics_of_classes(&guesses, &report->of_classes, error);
    if (!status && !report->are_probabilities)
        forget_probabilities(&report->of_classes);
    free(p);
    return status;
}

static enum shoal_status of_numbers(const struct shoal_mlp_outcome *outcome, struct shoal_mlp_report *report,
                                    struct shoal_error *error)
{
    const struct metrics_numbers numbers = {outcome->rows, outcome->outputs, outcome->predicted,
                                            outcome->truth, outcome->weights};
    struct shoal_mlp_number_figures *of = calloc(outcome->outputs, sizeof *of);
    report->of_outputs = of;
    return of ? metrics_of_numbers(&numbers, of, &report->mean, error) : fail_host_memory(error);
}

enum shoal_status shoal_mlp_evaluate(const struct shoal_mlp_outcome *outcome,
                                     struct shoal_mlp_report **report, struct shoal_error *error)
{
    struct shoal_mlp_report *own = NULL;
    if (!NEED(error, outcome, report))
        return SHOAL_INVALID;
    enum shoal_status status = RESULT_CHECK(outcome, number, error);
    if (!status)
        status = check_outcome(outcome, error);
    if (status)
        return status;
    *report = own = calloc(1, sizeof *own);
    if (!own)
        return fail_host_memory(error);
    *own = (struct shoal_mlp_report){
        .size = sizeof *own, .rows = outcome->rows, .outputs = outcome->outputs, .classes = outcome->classes};
    own->names = (const char *const *)copy_names(outcome->names,
                                                 outcome->classes ? outcome->classes : outcome->outputs);
    if (!own->names)
        status = fail_host_memory(error);
    if (!status)
        status = outcome->classes ? of_classes(outcome, own, error) : of_numbers(outcome, own, error);
    if (status)
        shoal_mlp_report_destroy(report);
    return status;
}

void shoal_mlp_report_destroy(struct shoal_mlp_report **report)
{
    if (!report || !*report)
        return;
    metrics_classes_destroy(&(*report)->of_classes);
    free((void *)(*report)->of_outputs);
    free((void *)(*report)->names);
    free(*report);
    *report = NULL;
}
