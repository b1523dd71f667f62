/* How good the predictions of a net are, for classes and for numbers.
 *
 * Every mean is weighted: sum w x / sum w. A figure that the rows do not determine, such as the recall of a
 * class that does not occur, is NaN; means over classes or outputs leave out NaN.
 *
 * Threads: a report is constant; any number of threads may read a report.
 */
#ifndef SHOAL_MLP_REPORT_H
#define SHOAL_MLP_REPORT_H

#include <shoal/mlp.h>

SHOAL_BEGIN_DECLS

/* Limits of a report. */
enum {
    SHOAL_MLP_BINS = 10, /* Number of bins of the reliability diagram, of equal width. */
    SHOAL_MLP_TOP = 5    /* Most of the top-k accuracies: top-1 to top-5. */
};

/* Figures of one class. */
struct shoal_mlp_class_figures {
    double weight;    /* Weight of the rows of this class. */
    double guessed;   /* Weight of the rows that are predicted as this class. */
    double precision; /* Share of the correct rows among the rows predicted as this class. */
    double recall;    /* Share of the correctly predicted rows among the rows of this class. */
    /* 2 tp / (2 tp + fp + fn), with true positives tp, false positives fp, false negatives fn. */
    double f1;
    double auc; /* Area under the ROC curve against all other classes: Mann and Whitney's U / (n m). */
};

/* A bin of the reliability diagram. */
struct shoal_mlp_bin {
    double weight;     /* Weight of the rows whose highest class probability is in [i, i + 1) /
                        * SHOAL_MLP_BINS, for bin i; the last bin includes 1. */
    double confidence; /* Mean of the highest probability of the rows in the bin. NaN: the bin is empty. */
    double accuracy;   /* Share of the rows in the bin that are correct. NaN: the bin is empty. */
};

/* Figures of predictions of classes. */
struct shoal_mlp_classes {
    size_t rows;                        /* Number of rows. */
    uint32_t classes;                   /* Number of classes. */
    double weight;                      /* Weight of all rows. */
    double *confusion;                  /* Confusion matrix of weights, [true class][predicted class]. */
    struct shoal_mlp_class_figures *of; /* Figures of each class, [classes]. */
    double accuracy;                    /* Share of the rows that are correct. */
    /* Lower end of Wilson's 95 % interval of the accuracy (J. Am. Stat. Assoc. 22, 1927). Weighted rows count
     * as (sum w)^2 / sum w^2 rows (Kish, Survey Sampling, 1965). */
    double accuracy_low;
    double accuracy_high; /* Upper end of Wilson's 95 % interval of the accuracy. */
    double precision;     /* Mean of the precision over the classes. */
    double recall;        /* Mean of the recall over the classes: the balanced accuracy. */
    double f1;            /* Mean of F1 over the classes. */
    double auc;           /* Mean of the area under the ROC curve over the classes. */
    double log_loss;      /* Mean of -ln p(truth), p at least 2^-52. */
    /* Mean over rows of the sum over classes of (p - t)^2, t 1 for the true class, else 0: from 0 to 2. */
    double brier;
    /* Sum over the bins of |accuracy - confidence| times the share of the rows in the bin: the expected
     * calibration error of Guo et al., 2017. */
    double calibration_error;
    /* Number of `top` values: SHOAL_MLP_TOP, or the number of classes if there are fewer. */
    uint32_t top_count;
    /* top[k]: share of the rows whose true class is among the k + 1 most probable classes. Of equal
     * probabilities the lower class comes first, as in the prediction, so that top[0] is the accuracy. */
    double top[SHOAL_MLP_TOP];
    /* Bins of the reliability diagram. */
    struct shoal_mlp_bin bins[SHOAL_MLP_BINS];
};

/* Figures of predictions of numbers. */
struct shoal_mlp_number_figures {
    double rmse; /* Root mean square error, in the target's units. */
    double mae;  /* Mean absolute error, in the target's units. */
    double r2;   /* R^2: 1 - sum w (y - p)^2 / sum w (y - mean y)^2. NaN: the target is constant. */
};

/* How good predictions are. */
struct shoal_mlp_report {
    size_t size;                         /* Bytes of the struct as the library knows it. */
    size_t rows;                         /* Number of rows. */
    uint32_t outputs;                    /* Number of outputs of the net. */
    uint32_t classes;                    /* Number of classes. 0: numbers. */
    const char *const *names;            /* Names of the classes, or of the outputs. */
    struct shoal_mlp_classes of_classes; /* Figures of classes. */
    /* All outputs lie in 0 to 1. False, as for a linear layer: figures follow from the order of the outputs,
     * and figures of probabilities (log loss, Brier, calibration, bins) are NaN. */
    bool are_probabilities;
    const struct shoal_mlp_number_figures *of_outputs; /* Figures of numbers, for each output, [outputs]. */
    struct shoal_mlp_number_figures mean;              /* Means of the figures of numbers over the outputs. */
};

/* Computes the report of predictions, such as shoal_mlp_predict_part gives. The report keeps nothing of
 * `outcome`. Destroy the report with shoal_mlp_report_destroy.
 * Errors: SHOAL_INVALID: there are no rows, or a prediction is not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_mlp_evaluate(const struct shoal_mlp_outcome *outcome,
                                                                struct shoal_mlp_report **report,
                                                                struct shoal_error *error);

/* Destroys the report and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_mlp_report_destroy(struct shoal_mlp_report **report);

SHOAL_END_DECLS

#endif
