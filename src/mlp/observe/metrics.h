/* Computes how good predictions are, on the host in double precision: the figures of <shoal/mlp_report.h>.
 * The functions keep nothing, so threads may call them at once; a report belongs to the caller. */
#ifndef SHOAL_MLP_OBSERVE_METRICS_H
#define SHOAL_MLP_OBSERVE_METRICS_H

#include <shoal/mlp_report.h>

/* Predicted classes. Arrays belong to the caller. */
struct metrics_guesses {
    size_t rows;
    uint32_t classes;            /* number of classes, at least 2 */
    uint32_t outputs;            /* the number of classes; or 1: the output is the probability of class 1 of
                                  * two classes */
    const double *probabilities; /* rows x outputs, each from 0 to 1 */
    const uint32_t *truth;       /* [rows]: class of each row, less than `classes` */
    const double *weights;       /* [rows]: weight of each row, at least 0; NULL: all are 1 */
};

/* SHOAL_INVALID names the row at fault. The report is freed by metrics_classes_destroy, after a failure
 * too. */
enum shoal_status metrics_of_classes(const struct metrics_guesses *guesses, struct shoal_mlp_classes *report,
                                     struct shoal_error *error);
void metrics_classes_destroy(struct shoal_mlp_classes *report);

/* Predicted numbers. Arrays belong to the caller. */
struct metrics_numbers {
    size_t rows;
    uint32_t outputs;
    const double *predictions, *targets; /* rows x outputs, in the targets' units */
    const double *weights;               /* [rows]: see struct metrics_guesses */
};

/* `of` has a place for each output. `mean` gets their means. SHOAL_INVALID names the row at fault. */
enum shoal_status metrics_of_numbers(const struct metrics_numbers *numbers,
                                     struct shoal_mlp_number_figures *of,
                                     struct shoal_mlp_number_figures *mean, struct shoal_error *error);

#endif
