/* How good the predictions of a net are, for classes and for numbers.
 *
 * Every mean is weighted: sum w x / sum w. A figure that the rows do not determine, e.g. the recall of a
 * class that does not occur, is NaN, and means over classes or outputs leave it out.
 *
 * Threads: a report is constant. Errors: those of <shoal/workload.h>.
 */
#ifndef SHOAL_MLP_REPORT_H
#define SHOAL_MLP_REPORT_H

#include <shoal/mlp.h>

SHOAL_BEGIN_DECLS

enum {
    SHOAL_MLP_BINS = 10, /* of the reliability diagram, of equal width */
    SHOAL_MLP_TOP = 5    /* top-1 to top-5 */
};

struct shoal_mlp_class_figures {
    double weight;    /* of the rows that are of this class */
    double guessed;   /* weight of the rows that are taken for it */
    double precision; /* right ones among those taken for it */
    double recall;    /* right ones among those of it */
    double f1;        /* 2 tp / (2 tp + fp + fn) */
    double auc;       /* area under the ROC curve against all other classes: Mann and Whitney's U / (n m) */
};

struct shoal_mlp_bin {
    double weight;     /* of the rows whose highest probability lies in [i, i + 1) / SHOAL_MLP_BINS */
    double confidence; /* mean of that probability; NaN in an empty bin */
    double accuracy;   /* share of these rows that are right */
};

struct shoal_mlp_classes {
    size_t rows;
    uint32_t classes;
    double weight;                      /* of all rows */
    double *confusion;                  /* classes x classes weights: row the truth, column the guess */
    struct shoal_mlp_class_figures *of; /* of each class */
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
    uint32_t top_count; /* SHOAL_MLP_TOP, or the number of classes where that is less */
    /* Share of the rows whose truth is among the k + 1 most probable. Of equal probabilities the lower class
     * comes first, as for the guess, so that top[0] is the accuracy. */
    double top[SHOAL_MLP_TOP];
    struct shoal_mlp_bin bins[SHOAL_MLP_BINS];
};

struct shoal_mlp_number_figures {
    double rmse, mae; /* in the target's units */
    double r2;        /* 1 - sum w (y - p)^2 / sum w (y - mean y)^2; NaN where the target is constant */
};

struct shoal_mlp_report {
    size_t size; /* of this struct in the library */
    size_t rows;
    uint32_t outputs, classes;           /* classes 0: numbers */
    const char *const *names;            /* of the classes, or of the outputs */
    struct shoal_mlp_classes of_classes; /* classes */
    /* The outputs are from 0 to 1. Where they are not, as those of a linear layer, the figures follow from
     * their order, and those of probabilities (log loss, Brier, calibration, bins) are NaN. */
    bool are_probabilities;
    const struct shoal_mlp_number_figures *of_outputs; /* numbers: of each output */
    struct shoal_mlp_number_figures mean;              /* over the outputs */
};

/* Of these predictions, e.g. of shoal_mlp_predict_part. The report is the caller's, and keeps nothing of
 * `outcome`. SHOAL_INVALID: no rows, or a prediction that is no finite number. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_evaluate(const struct shoal_mlp_outcome *outcome,
                                                                struct shoal_mlp_report **report,
                                                                struct shoal_error *error);
SHOAL_API void shoal_mlp_report_destroy(struct shoal_mlp_report **report); /* accepts NULL, sets it to NULL */

SHOAL_END_DECLS

#endif
