/* How good predictions are, for classes and for numbers, on the host in double precision.
 *
 * Every mean is weighted: sum w x / sum w. A figure that the rows do not determine, e.g. the recall of a
 * class that does not occur, is NaN, and means over classes or outputs leave it out. The functions keep
 * nothing, so threads may call them at once; a report belongs to the caller.
 */
#ifndef SHOAL_MLP_OBSERVE_METRICS_H
#define SHOAL_MLP_OBSERVE_METRICS_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

enum {
    METRICS_BINS = 10, /* of the reliability diagram, of equal width */
    METRICS_TOP = 5,   /* top-1 to top-5 */
};

/* Predicted classes. Arrays belong to the caller. */
struct metrics_guesses {
    size_t rows;
    uint32_t classes;            /* at least 2 */
    uint32_t outputs;            /* as many as classes, or 1: the probability of class 1 of two */
    const double *probabilities; /* rows x outputs, each from 0 to 1 */
    const uint32_t *truth;       /* of each row, less than classes */
    const double *weights;       /* of each row, 0 or more; NULL: all 1 */
};

struct metrics_class {
    double weight;    /* of the rows that are of this class */
    double guessed;   /* weight of the rows that are taken for it */
    double precision; /* right ones among those taken for it */
    double recall;    /* right ones among those of it */
    double f1;        /* 2 tp / (2 tp + fp + fn) */
    double auc;       /* area under the ROC curve against all other classes: Mann and Whitney's U / (n m) */
};

struct metrics_bin {
    double weight;     /* of the rows whose highest probability lies in [i, i + 1) / METRICS_BINS */
    double confidence; /* mean of that probability; NaN in an empty bin */
    double accuracy;   /* share of these rows that are right */
};

struct metrics_classes {
    size_t rows;
    uint32_t classes;
    double weight;            /* of all rows */
    double *confusion;        /* classes x classes weights: row the truth, column the guess */
    struct metrics_class *of; /* of each class */
    double accuracy;
    /* Wilson's interval of 95 % (J. Am. Stat. Assoc. 22, 1927). Weighted rows count as (sum w)^2 / sum w^2
     * rows (Kish, Survey Sampling, 1965). */
    double accuracy_low, accuracy_high;
    double precision, recall, f1, auc; /* means over the classes; the recall is the balanced accuracy */
    double log_loss;                   /* mean of -ln p(truth), p at least 2^-52 */
    double brier;                      /* mean over rows of the sum over classes of (p - [truth])^2, 0 to 2 */
    /* Sum over the bins of share |accuracy - confidence|: the expected calibration error of Guo et al., 2017.
     */
    double calibration_error;
    uint32_t top_count; /* METRICS_TOP, or the number of classes where that is less */
    /* Share of the rows whose truth is among the k + 1 most probable. Of equal probabilities the lower class
     * comes first, as for the guess, so that top[0] is the accuracy. */
    double top[METRICS_TOP];
    struct metrics_bin bins[METRICS_BINS];
};

/* SHOAL_INVALID names the row at fault. The report is freed by metrics_classes_destroy, after a failure too.
 */
enum shoal_status metrics_of_classes(const struct metrics_guesses *guesses, struct metrics_classes *report,
                                     struct shoal_error *error);
void metrics_classes_destroy(struct metrics_classes *report);

/* Predicted numbers. Arrays belong to the caller. */
struct metrics_numbers {
    size_t rows;
    uint32_t outputs;
    const double *predictions, *targets; /* rows x outputs, in the targets' units */
    const double *weights;               /* as of guesses */
};

struct metrics_output {
    double rmse, mae; /* in the target's units */
    double r2;        /* 1 - sum w (y - p)^2 / sum w (y - mean y)^2; NaN where the target is constant */
};

/* `of` has a place for each output. `mean` gets their means. SHOAL_INVALID names the row at fault. */
enum shoal_status metrics_of_numbers(const struct metrics_numbers *numbers, struct metrics_output *of,
                                     struct metrics_output *mean, struct shoal_error *error);

#endif
