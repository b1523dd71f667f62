/* Computes the figures of <shoal/mlp_report.h> for predictions, on the host in double precision. The
 * functions keep no state, so any number of threads may call them; a report belongs to the caller. */
#ifndef SHOAL_MLP_OBSERVE_METRICS_H
#define SHOAL_MLP_OBSERVE_METRICS_H

#include <shoal/mlp_report.h>

/* Predicted classes. Arrays belong to the caller. */
struct metrics_guesses {
    size_t rows;
    uint32_t classes; /* number of classes, at least 2 */
    /* number of classes; or 1: the output is the probability of class 1 of two classes */
    uint32_t outputs;
    const double *probabilities; /* [rows][outputs]: each from 0 to 1 */
    const uint32_t *truth;       /* [rows]: class of each row, less than `classes` */
    const double *weights;       /* [rows]: weight of each row, at least 0; NULL: all weights are 1 */
};

/* Computes the figures of classes. SHOAL_INVALID: the message names the first invalid row. The caller frees
 * the report by metrics_classes_destroy, also after a failure. */
enum shoal_status metrics_of_classes(const struct metrics_guesses *guesses, struct shoal_mlp_classes *report,
                                     struct shoal_error *error);
void metrics_classes_destroy(struct shoal_mlp_classes *report);

/* Predicted numbers. Arrays belong to the caller. */
struct metrics_numbers {
    size_t rows;
    uint32_t outputs;
    const double *predictions, *targets; /* [rows][outputs], in the units of the targets */
    const double *weights;               /* [rows]: as in struct metrics_guesses */
};

/* Computes the figures of each output into `of`, [outputs], and their means into `mean`. SHOAL_INVALID: the
 * message names the first invalid row. */
enum shoal_status metrics_of_numbers(const struct metrics_numbers *numbers,
                                     struct shoal_mlp_number_figures *of,
                                     struct shoal_mlp_number_figures *mean, struct shoal_error *error);

#endif
