/* The keys that nets add to their JSON documents; <shoal/mlp_report.h> has the definition of each figure. */
#include "cli/mlp/fields.h"

#define PART_FIELDS(part)                                                                                    \
    {"result.fields." part "_accuracy", "", "accuracy on the " part " rows; for several nets the mean"},     \
        {"result.fields." part "_accuracy_error", "", "standard error of the accuracy over the nets"},       \
        {"result.fields." part "_r2", "", "R^2 on the " part " rows, for predictions of numbers"},           \
        {"result.fields." part "_r2_error", "", "standard error of R^2"},                                    \
        {"result.fields." part "_rmse", "unit of the target",                                                \
         "root of the mean squared error on the " part " rows"},                                             \
    {                                                                                                        \
        "result.fields." part "_rmse_error", "unit of the target", "standard error of the root"              \
    }

/* Fields of struct shoal_mlp_report, below the key `report`. */
#define REPORT_FIELDS_OF(report)                                                                             \
    {report "part", "", "rows that the report is about: training, validation or test"},                      \
        {report "rows", "", "number of rows that the report is about"},                                      \
        {report "folds", "", "folds of the cross-validation, with --folds"},                                 \
        {report "net", "", "number of the net that the report is about, with several nets"},                 \
        {report "nets[].net", "", "number of a net"},                                                        \
        {report "nets[].fold", "", "fold that the net was not trained on"},                                  \
        {report "nets[].seed", "", "seed of the net"},                                                       \
        {report "nets[].rate", "", "learning rate of the net"},                                              \
        {report "nets[].decay", "", "weight decay of the net"},                                              \
        {report "nets[].lack_of_fit", "",                                                                    \
         "lack of fit that chose the decay, 0 to 1, null: the decay was not chosen by a lack of fit"},       \
        {report "nets[].updates", "", "updates of the net's weights"},                                       \
        {report "nets[].failed", "", "whether the loss of the net became infinite or NaN"},                  \
        {report "nets[].loss", "", "loss of the net on the training rows"},                                  \
        {report "nets[].validation_loss", "", "loss of the net on the validation rows"},                     \
        {report "nets[].training_accuracy", "", "accuracy of the net on the training rows"},                 \
        {report "nets[].validation_accuracy", "", "accuracy of the net on the validation rows"},             \
        {report "nets[].test_accuracy", "", "accuracy of the net on the test rows"},                         \
        {report "nets[].training_r2", "",                                                                    \
         "R^2 of the net on the training rows, for predictions of numbers"},                                 \
        {report "nets[].validation_r2", "", "R^2 of the net on the validation rows"},                        \
        {report "nets[].test_r2", "", "R^2 of the net on the test rows"},                                    \
        {report "accuracy", "", "fraction of the rows whose class is right"},                                \
        {report "accuracy_low", "", "lower end of the 95 % interval of the accuracy"},                       \
        {report "accuracy_high", "", "upper end of the 95 % interval of the accuracy"},                      \
        {report "balanced_accuracy", "", "mean recall of the classes"},                                      \
        {report "precision", "", "mean precision of the classes"},                                           \
        {report "f1", "", "mean F1 of the classes"},                                                         \
        {report "auc", "", "mean area under the ROC curve of the classes"},                                  \
        {report "log_loss", "", "mean of -ln p of the true class"},                                          \
        {report "brier", "", "mean over the rows of sum (p - truth)^2 over the classes, 0 to 2"},            \
        {report "calibration_error", "", "mean of abs(accuracy - confidence) over the bins"},                \
        {report "top[]", "",                                                                                 \
         "fraction of the rows whose class is the most probable, is among the two most probable, and so "    \
         "on"},                                                                                              \
        {report "classes[].name", "", "name of a class"},                                                    \
        {report "classes[].rows", "", "rows of the class, by weight"},                                       \
        {report "classes[].predicted", "", "rows that are predicted as the class"},                          \
        {report "classes[].precision", "",                                                                   \
         "fraction of the rows predicted as the class that belong to the class"},                            \
        {report "classes[].recall", "",                                                                      \
         "fraction of the rows of the class that are predicted as the class"},                               \
        {report "classes[].f1", "", "harmonic mean of precision and recall"},                                \
        {report "classes[].auc", "", "area under the ROC curve against all other classes"},                  \
        {report "confusion[][]", "",                                                                         \
         "rows of each class (first index) that are predicted as each class (second index)"},                \
        {report "calibration[].rows", "", "rows whose confidence is in a bin"},                              \
        {report "calibration[].confidence", "", "mean confidence of the rows of the bin"},                   \
        {report "calibration[].accuracy", "", "accuracy of the rows of the bin"},                            \
        {report "rmse", "", "for numbers: mean over the outputs of the root of the mean squared error"},     \
        {report "mae", "", "mean over the outputs of the mean absolute error"},                              \
        {report "r2", "", "mean over the outputs of R^2"},                                                   \
        {report "outputs[].name", "", "name of an output"},                                                  \
        {report "outputs[].rmse", "unit of the target", "root of the mean squared error of the output"},     \
        {report "outputs[].mae", "unit of the target", "mean absolute error of the output"},                 \
    {                                                                                                        \
        report "outputs[].r2", "", "R^2 of the output"                                                       \
    }

const struct json_field mlp_fields[] = {
    {"result.fields.rows", "", "training rows"},
    {"result.fields.validation_rows", "", "validation rows"},
    {"result.fields.test_rows", "", "test rows"},
    {"result.fields.chunk_rows", "", "rows in a chunk on the device, if the device did not hold all rows"},
    {"result.fields.parameters", "", "weights and biases of a net"},
    {"result.fields.nets", "", "number of nets, if there are several"},
    {"result.fields.best_net", "", "number of the best of several nets, from 1, without folds"},
    {"result.fields.loss_function", "", "loss that the training minimises"},
    {"result.fields.decay", "", "weight decay of AdamW; for several nets the mean"},
    {"result.fields.lack_of_fit", "",
     "lack of fit of a line that chose the decay, 0 to 1; for several nets the mean"},
    {"result.fields.updates", "", "updates of the weights"},
    {"result.fields.loss", "", "loss of the training rows in the epoch of the result"},
    {"result.fields.validation_loss", "", "loss of the validation rows in the epoch of the result"},
    PART_FIELDS("training"),
    PART_FIELDS("validation"),
    PART_FIELDS("test"),
    {"result.fields.value_of", "", "rows on which the value was computed: training, validation or test"},
    {"series.step[]", "epochs", "epochs done"},
    {"series.seconds[]", "s", "time since the start"},
    {"series.updates[]", "", "updates of each net"},
    {"series.loss[]", "", "loss of the batches of the epoch"},
    {"series.score[]", "", "accuracy or R^2 of the batches of the epoch"},
    {"series.validation_loss[]", "", "loss of the validation rows"},
    {"series.validation_score[]", "", "accuracy or R^2 of the validation rows"},
    {"series.rate[]", "", "learning rate of the last update"},
    {"series.samples_per_second[]", "1/s", "rows of all nets per second"},
    REPORT_FIELDS_OF("report."),
    JSON_FIELDS_END};

const struct json_field mlp_predict_fields[] = {
    {"file", "", "with --predict: the file of the rows"},
    {"rows", "", "number of rows"},
    {"out", "", "the file written, null: none"},
    {"predictions[].row", "", "number of a row"},
    {"predictions[].prediction", "", "predicted class of the row"},
    {"predictions[].probabilities[]", "", "probability of each class"},
    {"predictions[].prediction[]", "", "for numbers: each output of the row"},
    REPORT_FIELDS_OF("report."),
    JSON_FIELDS_END};

/* Fields of struct shoal_mlp_preparation_info and its columns: <shoal/mlp_preparation.h>. */
const struct json_field mlp_data_fields[] = {
    {"file", "", "the data set"},
    {"training_rows", "", "training rows, from which the preparation is learned"},
    {"validation_rows", "", "validation rows"},
    {"test_rows", "", "test rows"},
    {"dropped", "", "rows that were left out because they lack a value"},
    {"folds", "", "folds of a cross-validation; the document describes the first fold"},
    {"inputs", "", "numbers that the net reads"},
    {"outputs", "", "numbers that the net predicts"},
    {"form", "", "form of the inputs on a device: bits, u8, fp32 or fp64"},
    {"scale", "", "scale of the inputs"},
    {"target_scale", "", "scale of the targets, null: targets are classes"},
    {"missing", "", "treatment of missing values"},
    {"notes", "", "messages about the data, a sentence on each line, null: none"},
    {"column_list[].name", "", "name of a column"},
    {"column_list[].use", "", "input, target, weight or group, null: not used"},
    {"column_list[].kind", "", "number, binary or category"},
    {"column_list[].encoding", "",
     "encoding of the column's values as numbers, null: the column is the class"},
    {"column_list[].first", "", "number of the column's first encoded number, from 1"},
    {"column_list[].width", "", "count of the column's encoded numbers"},
    {"column_list[].indicator", "",
     "whether the column's last encoded number says that the value was missing"},
    {"column_list[].missing", "", "training rows without a value"},
    {"column_list[].fill[]", "", "encoded numbers that replace a missing value"},
    {"column_list[].shift[]", "", "shift that is subtracted from each encoded number"},
    {"column_list[].factor[]", "", "factor of each encoded number after the shift"},
    {"column_list[].categories[]", "", "categories of the column"},
    {"classes[].name", "", "name of a class"},
    {"classes[].training_rows", "", "training rows of the class"},
    {"classes[].weight", "", "weight of the class's rows"},
    JSON_FIELDS_END};
