/* The keys that nets add to their JSON documents; <shoal/mlp_report.h> has the definition of each figure. */
#include "cli/mlp/fields.h"

#define PART_FIELDS(part)                                                                                    \
    {"result.fields." part "_accuracy", "", "accuracy on the " part " rows; of several nets the mean"},      \
        {"result.fields." part "_accuracy_error", "", "its standard error over the nets"},                   \
        {"result.fields." part "_r2", "", "R^2 on the " part " rows, where numbers are predicted"},          \
        {"result.fields." part "_r2_error", "", "its standard error"},                                       \
        {"result.fields." part "_rmse", "unit of the target", "root of the mean squared error on them"},     \
    {                                                                                                        \
        "result.fields." part "_rmse_error", "unit of the target", "its standard error"                      \
    }

/* Fields of struct shoal_mlp_report, below the key `report`. */
#define REPORT_FIELDS_OF(report)                                                                             \
    {report "part", "", "rows that the report is about: training, validation or test"},                      \
        {report "rows", "", "how many"},                                                                     \
        {report "folds", "", "folds of a cross-validation, where there was one"},                            \
        {report "net", "", "number of the net that the report is about, of several"},                        \
        {report "nets[].net", "", "number of a net"},                                                        \
        {report "nets[].fold", "", "fold that it was not trained on"},                                       \
        {report "nets[].seed", "", "its seed"}, {report "nets[].rate", "", "its learning rate"},             \
        {report "nets[].decay", "", "its weight decay"},                                                     \
        {report "nets[].lack_of_fit", "", "by which the decay was chosen, 0 to 1, null: it was not"},        \
        {report "nets[].updates", "", "updates of its weights"},                                             \
        {report "nets[].failed", "", "whether it left the finite numbers"},                                  \
        {report "nets[].loss", "", "its loss on the training rows"},                                         \
        {report "nets[].validation_loss", "", "its loss on the validation rows"},                            \
        {report "nets[].training_accuracy", "", "its accuracy on the training rows"},                        \
        {report "nets[].validation_accuracy", "", "on the validation rows"},                                 \
        {report "nets[].test_accuracy", "", "on the test rows"},                                             \
        {report "nets[].training_r2", "", "its R^2 on the training rows, where numbers are predicted"},      \
        {report "nets[].validation_r2", "", "on the validation rows"},                                       \
        {report "nets[].test_r2", "", "on the test rows"},                                                   \
        {report "accuracy", "", "fraction of the rows whose class is right"},                                \
        {report "accuracy_low", "", "lower end of its interval of 95 %"},                                    \
        {report "accuracy_high", "", "upper end"},                                                           \
        {report "balanced_accuracy", "", "mean over the classes of their recall"},                           \
        {report "precision", "", "mean over the classes of their precision"},                                \
        {report "f1", "", "mean over the classes of their F1"},                                              \
        {report "auc", "", "mean over the classes of their area under the ROC curve"},                       \
        {report "log_loss", "", "mean of -ln p of the true class"},                                          \
        {report "brier", "", "mean of the summed squares of p less the truth, 0 to 2"},                      \
        {report "calibration_error", "", "mean of abs(accuracy - confidence) over the bins"},                \
        {report "top[]", "",                                                                                 \
         "fraction of the rows whose class is the most probable, or of the two most ..."},                   \
        {report "classes[].name", "", "a class"}, {report "classes[].rows", "", "rows of it, by weight"},    \
        {report "classes[].predicted", "", "rows that are taken for it"},                                    \
        {report "classes[].precision", "", "right ones among those taken for it"},                           \
        {report "classes[].recall", "", "right ones among those of it"},                                     \
        {report "classes[].f1", "", "harmonic mean of precision and recall"},                                \
        {report "classes[].auc", "", "area under the ROC curve against all other classes"},                  \
        {report "confusion[][]", "", "rows of each class (first index) taken for each class"},               \
        {report "calibration[].rows", "", "rows whose confidence is in a bin"},                              \
        {report "calibration[].confidence", "", "their mean confidence"},                                    \
        {report "calibration[].accuracy", "", "their accuracy"},                                             \
        {report "rmse", "", "of numbers: mean over the outputs of the root of the mean squared error"},      \
        {report "mae", "", "mean over the outputs of the mean absolute error"},                              \
        {report "r2", "", "mean over the outputs of R^2"}, {report "outputs[].name", "", "an output"},       \
        {report "outputs[].rmse", "unit of the target", "root of its mean squared error"},                   \
        {report "outputs[].mae", "unit of the target", "its mean absolute error"},                           \
    {                                                                                                        \
        report "outputs[].r2", "", "its R^2"                                                                 \
    }

const struct json_field mlp_fields[] = {
    {"result.fields.rows", "", "training rows"},
    {"result.fields.validation_rows", "", "validation rows"},
    {"result.fields.test_rows", "", "test rows"},
    {"result.fields.chunk_rows", "", "rows that the device held at a time, where not all of them"},
    {"result.fields.parameters", "", "weights and biases of a net"},
    {"result.fields.nets", "", "number of nets, where there are several"},
    {"result.fields.best_net", "", "number of the best net, from 1, where there are several and no folds"},
    {"result.fields.loss_function", "", "what is minimised"},
    {"result.fields.decay", "", "weight decay of AdamW; of several nets the mean"},
    {"result.fields.lack_of_fit", "",
     "of a line, by which the decay was chosen, 0 to 1; of several nets the mean"},
    {"result.fields.updates", "", "updates of the weights"},
    {"result.fields.loss", "", "loss of the training rows in the epoch of the result"},
    {"result.fields.validation_loss", "", "that of the validation rows"},
    PART_FIELDS("training"),
    PART_FIELDS("validation"),
    PART_FIELDS("test"),
    {"result.fields.value_of", "", "rows that the value is of: training, validation or test"},
    {"series.step[]", "epochs", "epochs done"},
    {"series.seconds[]", "s", "time since the start"},
    {"series.updates[]", "", "updates of each net"},
    {"series.loss[]", "", "loss of the batches of the epoch"},
    {"series.score[]", "", "their accuracy or R^2"},
    {"series.validation_loss[]", "", "loss of the validation rows"},
    {"series.validation_score[]", "", "their accuracy or R^2"},
    {"series.rate[]", "", "learning rate of the last update"},
    {"series.samples_per_second[]", "1/s", "rows of all nets a second"},
    REPORT_FIELDS_OF("report."),
    JSON_FIELDS_END};

const struct json_field mlp_predict_fields[] = {
    {"file", "", "with --predict: the file of the rows"},
    {"rows", "", "number of rows"},
    {"out", "", "the file written, null: none"},
    {"predictions[].row", "", "number of a row"},
    {"predictions[].prediction", "", "its class"},
    {"predictions[].probabilities[]", "", "probability of each class"},
    {"predictions[].prediction[]", "", "of numbers: each output"},
    REPORT_FIELDS_OF("report."),
    JSON_FIELDS_END};

/* Fields of struct shoal_mlp_preparation_info and its columns: <shoal/mlp_preparation.h>. */
const struct json_field mlp_data_fields[] = {
    {"file", "", "the data set"},
    {"training_rows", "", "training rows, of which all else follows"},
    {"validation_rows", "", "validation rows"},
    {"test_rows", "", "test rows"},
    {"dropped", "", "rows that were left out, for they lack a value"},
    {"folds", "", "folds of a cross-validation, of which this is the first"},
    {"inputs", "", "numbers that the net reads"},
    {"outputs", "", "numbers that it predicts"},
    {"form", "", "how a device holds the inputs: bits, u8, fp32 or fp64"},
    {"scale", "", "how inputs are scaled"},
    {"target_scale", "", "how targets are scaled, null: they are classes"},
    {"missing", "", "what a missing value does"},
    {"notes", "", "lines to know of, null: none"},
    {"column_list[].name", "", "a column"},
    {"column_list[].use", "", "input, target, weight or group, null: not used"},
    {"column_list[].kind", "", "number, binary or category"},
    {"column_list[].encoding", "", "how its values become numbers, null: it is the class"},
    {"column_list[].first", "", "number of the first of them, from 1"},
    {"column_list[].width", "", "how many numbers"},
    {"column_list[].indicator", "", "whether the last of them says that the value was missing"},
    {"column_list[].missing", "", "training rows without a value"},
    {"column_list[].fill[]", "", "numbers in place of a missing value"},
    {"column_list[].shift[]", "", "subtracted from each number"},
    {"column_list[].factor[]", "", "what each is multiplied by then"},
    {"column_list[].categories[]", "", "its categories"},
    {"classes[].name", "", "a class"},
    {"classes[].training_rows", "", "training rows of it"},
    {"classes[].weight", "", "weight of its rows"},
    JSON_FIELDS_END};
