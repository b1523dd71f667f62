/* The outcome of a run: its result, predictions of a part, parameters. */
#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/integer.h"
#include "base/params.h"
#include "mlp/mlp.h"
#include "mlp/observe/metrics.h"
#include "workload/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKED = 1024 }; /* rows that the host computes again */

#define COLUMN(name_, title_, unit_, type_, field, flags_)                                                   \
    {                                                                                                        \
        .name = name_, .title = title_, .unit = unit_, .type = type_,                                        \
        .offset = offsetof(struct shoal_mlp_sample, field), .flags = flags_                                  \
    }
static const struct shoal_column columns[] = {
    COLUMN("step", "epoch", "", SHOAL_COLUMN_UINT, step, SHOAL_COLUMN_SHOWN),
    COLUMN("seconds", NULL, "s", SHOAL_COLUMN_REAL, seconds, 0),
    COLUMN("updates", NULL, "", SHOAL_COLUMN_UINT, updates, 0),
    COLUMN("loss", NULL, "", SHOAL_COLUMN_REAL, loss, SHOAL_COLUMN_SHOWN),
    COLUMN("score", NULL, "", SHOAL_COLUMN_REAL, score, SHOAL_COLUMN_SHOWN),
    COLUMN("validation_loss", "valid. loss", "", SHOAL_COLUMN_REAL, validation_loss, SHOAL_COLUMN_SHOWN),
    COLUMN("validation_score", "valid. score", "", SHOAL_COLUMN_REAL, validation_score, SHOAL_COLUMN_SHOWN),
    COLUMN("rate", NULL, "", SHOAL_COLUMN_REAL, rate, 0),
    COLUMN("samples_per_second", "samples/s", "1/s", SHOAL_COLUMN_REAL, samples_per_second,
           SHOAL_COLUMN_SHOWN),
};
#undef COLUMN

const struct shoal_sampling mlp_sampling = {.option = "trace",
                                            .what = "samples",
                                            .columns = columns,
                                            .column_count = COUNT(columns),
                                            .size = sizeof(struct shoal_mlp_sample),
                                            .is_shown = true};

/* Predictions ---------------------------------------------------------------------------------------------
 */

static enum shoal_status grow(double **numbers, size_t count, struct shoal_error *error)
{
    double *grown = realloc(*numbers, (count ? count : 1) * sizeof *grown);
    if (!grown)
        return fail_host_memory(error);
    *numbers = grown;
    return SHOAL_OK;
}

/* Computes run->truth, the targets of a part in the units of the data. Numbers that are not encoded come from
 * the data set, because scaling to prepared rows and back would round them. */
static enum shoal_status take_truth(struct mlp_run *run, const struct mlp_fold *fold,
                                    enum shoal_mlp_part part, struct shoal_error *error)
{
    const struct preparation *preparation = fold->preparation;
    const struct prepare_match *match = &fold->prepared->matches[part];
    const size_t outputs = fold->net->outputs, rows = fold->count[part], first = fold->first[part];
    const enum shoal_status status = grow(&run->truth, rows * outputs, error);
    for (size_t i = 0; i < rows && !status; i++) {
        double *truth = run->truth + i * outputs;
        prepared_targets(fold->prepared, first + i, truth);
        prepare_unscale_targets(preparation, truth);
        for (size_t t = 0; t < preparation->target_columns; t++) {
            const struct prepare_column *target = &preparation->targets[t];
            if (target->kind == SHOAL_COLUMN_NUMBER && target->encoding == SHOAL_ENCODING_PLAIN)
                truth[target->first] = dataset_value(
                    match->dataset, &match->dataset->columns[match->targets[t]], fold->numbers[first + i]);
        }
    }
    return status;
}

/* Takes the weights of the rows of a part, without class weights, which only affect training. *weights NULL:
 * all weights are 1. */
static enum shoal_status take_weights(struct mlp_run *run, const struct mlp_fold *fold, size_t first,
                                      size_t rows, const double **weights, struct shoal_error *error)
{
    const struct prepared *prepared = fold->prepared;
    const double *of_class = fold->preparation->class_weights;
    *weights = fold->preparation->weight && prepared->weights ? prepared->weights + first : NULL;
    if (!*weights || !of_class)
        return SHOAL_OK;
    const enum shoal_status status = grow(&run->weights, rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        const double by = of_class[prepared->classes[first + i]];
        run->weights[i] = by > 0 ? prepared->weights[first + i] / by : 0;
    }
    *weights = run->weights;
    return status;
}

static enum shoal_status predict_part(struct shoal_solver *solver, struct mlp_member *member,
                                      enum shoal_mlp_part part, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const struct mlp_fold *fold = member->fold;
    const struct prepared *prepared = fold->prepared;
    const struct preparation *preparation = fold->preparation;
    const size_t rows = fold->count[part], first = fold->first[part], outputs = fold->net->outputs;
    const double *weights = NULL;
    enum shoal_status status = mlp_learn(solver, member, error);
    if (!status)
        status = take_weights(run, fold, first, rows, &weights, error);
    if (!status)
        status = grow(&run->predicted, rows * outputs, error);
    if (!status && rows)
        status =
            mlp_method_of(solver)->predict(member->net, member->learned, first, rows, run->predicted, error);
    if (!status && !prepared->classes)
        status = take_truth(run, fold, part, error);
    for (size_t i = 0; i < rows && !status && !prepared->classes; i++)
        prepare_unscale_targets(preparation, run->predicted + i * outputs);
    if (status)
        return status;
    run->outcome = (struct shoal_mlp_outcome){
        .size = sizeof run->outcome,
        .rows = rows,
        .outputs = (uint32_t)outputs,
        .classes = prepared->classes ? (uint32_t)preparation->class_count : 0,
        .names = (const char *const *)(prepared->classes ? preparation->classes : fold->names),
        .predicted = run->predicted,
        .class_of = prepared->classes ? prepared->classes + first : NULL,
        .truth = prepared->classes ? NULL : run->truth,
        .weights = weights,
        .number = fold->numbers + first};
    return SHOAL_OK;
}

enum shoal_status mlp_check_call(const char *call, const struct shoal_solver *solver, uint64_t net,
                                 struct shoal_error *error)
{
    if (!NEED_OF(error, call, solver))
        return SHOAL_INVALID;
    if (solver->workload != &mlp_workload.face)
        return fail(error, SHOAL_INVALID, "%s: the solver is none of mlp", call);
    if (net >= mlp_run_of(solver)->count)
        return fail(error, SHOAL_INVALID, "%s: net %" PRIu64 " of %zu", call, net, mlp_run_of(solver)->count);
    return SHOAL_OK;
}

enum shoal_status shoal_mlp_predict_part(struct shoal_solver *solver, uint64_t net, enum shoal_mlp_part part,
                                         struct shoal_mlp_outcome *out, struct shoal_error *error)
{
    enum shoal_status status = mlp_check_call("shoal_mlp_predict_part", solver, net, error);
    if (!status && !NEED(error, out))
        return SHOAL_INVALID;
    if (!status && (unsigned)part >= SHOAL_MLP_PARTS)
        status = fail(error, SHOAL_INVALID, "shoal_mlp_predict_part: there is no part %u", (unsigned)part);
    if (!status)
        status = RESULT_CHECK(out, number, error);
    if (!status)
        status = predict_part(solver, &mlp_run_of(solver)->members[net], part, error);
    if (!status)
        RESULT_GIVE(&mlp_run_of(solver)->outcome, number, out);
    return status;
}

uint32_t shoal_mlp_outcome_class(const struct shoal_mlp_outcome *outcome, const double *outputs)
{
    if (!outcome || !outputs)
        return 0;
    uint32_t best = outcome->outputs == 1 && outputs[0] > 0.5;
    for (uint32_t k = 1; k < outcome->outputs; k++)
        best = outputs[k] > outputs[best] ? k : best;
    return best;
}

uint64_t shoal_mlp_nets(const struct shoal_solver *solver)
{
    return solver && solver->workload == &mlp_workload.face ? mlp_run_of(solver)->count : 0;
}

enum shoal_status shoal_mlp_parameters(struct shoal_solver *solver, uint64_t net, double *parameters,
                                       size_t capacity, size_t *count, struct shoal_error *error)
{
    enum shoal_status status = mlp_check_call("shoal_mlp_parameters", solver, net, error);
    if (status)
        return status;
    struct mlp_member *member = &mlp_run_of(solver)->members[net];
    const size_t needed = member->fold->net->parameters;
    if (count)
        *count = needed;
    if (!parameters)
        return SHOAL_OK;
    if (capacity < needed)
        return fail(error, SHOAL_INVALID, "shoal_mlp_parameters: room for %zu numbers, the net has %zu",
                    capacity, needed);
    status = mlp_learn(solver, member, error);
    if (!status)
        memcpy(parameters, member->learned, needed * sizeof *parameters);
    return status;
}

/* Result --------------------------------------------------------------------------------------------------
 */

/* Sum and sum of squares of a figure over the nets. */
struct figure {
    double sum, squares;
    size_t count;
};

static void add_figure(struct figure *figure, double value)
{
    if (isnan(value))
        return;
    figure->sum += value;
    figure->squares += value * value;
    figure->count++;
}

static double mean_of(const struct figure *figure)
{
    return figure->count ? figure->sum / (double)figure->count : NAN;
}

static double standard_error(const struct figure *figure)
{
    const double count = (double)figure->count, mean = mean_of(figure);
    const double variance = (figure->squares - count * mean * mean) / (count - 1);
    return sqrt(variance > 0 ? variance / count : 0);
}

/* Computes scores of a part: accuracy for classes; R2 and the root of the mean square error for numbers. */
static enum shoal_status score_part(struct mlp_run *run, double *score, double *rmse,
                                    struct shoal_error *error)
{
    const struct shoal_mlp_outcome *of = &run->outcome;
    enum shoal_status status = SHOAL_OK;
    *score = *rmse = NAN;
    if (of->classes) {
        double right = 0, weight = 0;
        for (size_t i = 0; i < of->rows; i++) {
            const double *y = of->predicted + i * of->outputs;
            const double w = of->weights ? of->weights[i] : 1;
            right += shoal_mlp_outcome_class(of, y) == of->class_of[i] ? w : 0;
            weight += w;
        }
        *score = weight > 0 ? right / weight : NAN;
        return SHOAL_OK;
    }
    struct shoal_mlp_number_figures *outputs = calloc(of->outputs, sizeof *outputs), mean;
    const struct metrics_numbers numbers = {of->rows, of->outputs, of->predicted, of->truth, of->weights};
    status = outputs ? metrics_of_numbers(&numbers, outputs, &mean, error) : fail_host_memory(error);
    /* If a loss was not finite, predictions may not be finite either; run->fault reports this already. */
    if (status == SHOAL_INVALID && run->fault[0])
        status = SHOAL_OK;
    else if (!status) {
        *score = mean.r2;
        *rmse = mean.rmse;
    }
    free(outputs);
    return status;
}

/* Checks the predictions of a part: the host predicts the first rows of the part in double precision, with
 * the same parameters. */
static enum shoal_status check_rows(struct shoal_solver *solver, struct mlp_member *member,
                                    enum shoal_mlp_part part, struct shoal_result *result,
                                    struct shoal_error *error)
{
    const struct mlp_fold *fold = member->fold;
    const struct net *net = fold->net;
    const size_t rows = fold->count[part] < CHECKED ? fold->count[part] : CHECKED;
    const size_t numbers = rows * net->outputs;
    struct pass *pass = NULL;
    double *inputs = malloc((rows * net->inputs + 1) * sizeof *inputs);
    double *theirs = malloc((2 * numbers + 1) * sizeof *theirs), *ours = theirs + numbers;
    const struct pass_data data = {.rows = rows, .inputs = inputs};
    const struct pass_batch batch = {.data = &data, .count = rows};
    enum shoal_status status =
        inputs && theirs ? pass_create(net, rows, &pass, error) : fail_host_memory(error);
    if (!status)
        status = prepared_rows(fold->prepared, fold->first[part], rows, inputs, error);
    if (!status)
        status = mlp_method_of(solver)->predict(member->net, member->learned, fold->first[part], rows, theirs,
                                                error);
    if (!status)
        pass_run(pass, &batch, member->learned, NULL, ours);
    for (size_t k = 0; k < numbers && !status; k++) {
        const double deviation = fabs(theirs[k] - ours[k]) / fmax(1, fabs(ours[k]));
        if (!(deviation <= result->error))
            result->error = deviation;
    }
    pass_destroy(&pass);
    free(inputs);
    free(theirs);
    return status;
}

static void check(const struct shoal_solver *solver, struct shoal_result *result)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const double tolerance = mlp_params(solver)->precision == SHOAL_FP64 ? 1e-9 : 1e-3;
    result->check_name = "outputs of up to 1024 rows, computed again on the host";
    result->check_passed = result->error <= tolerance && !run->fault[0];
    if (run->fault[0])
        snprintf(result->check_failure, sizeof result->check_failure, "%.159s", run->fault);
    else if (!result->check_passed)
        snprintf(result->check_failure, sizeof result->check_failure,
                 "outputs deviate by %.3g, more than %.3g", result->error, tolerance);
}

/* Sets the title, such as "fashion, 54000 x 784, 784-128-10 relu". */
static void set_title(struct mlp_run *run)
{
    const struct mlp_fold *fold = &run->problem.folds[0];
    const struct net *net = fold->net;
    const char *name = run->problem.sets[0]->info.name, *slash = strrchr(name, '/');
    /* Of the name of a generated data set the title has only the kind, without sizes. */
    const int most = run->problem.sets[0]->info.format[0] == 'g' ? (int)strcspn(name, " ") : 60;
    int length = snprintf(run->title, sizeof run->title, "%.*s, %" PRIu32, most, slash ? slash + 1 : name,
                          net->inputs);
    for (uint32_t l = 0; l < net->layer_count && length < (int)sizeof run->title; l++)
        length += snprintf(run->title + length, sizeof run->title - (size_t)length, "-%" PRIu32,
                           net->layers[l].outputs);
}

static const char *const part_names[] = {"training", "validation", "test"};
static const char *const loss_names[] = {"e", "squared", "absolute", "huber", "logistic", "cross-entropy"};

static void add_figures(struct shoal_result *result, const struct figure *figure, const char *name,
                        const char *error_name, bool joins)
{
    if (!figure->count)
        return;
    if (joins)
        result_join_real(result, name, "", mean_of(figure));
    else
        result_add_real(result, name, "", mean_of(figure));
    if (figure->count > 1)
        result_add_error(result, error_name, standard_error(figure), figure->count, "nets");
}

/* Names of the fields of each part. They are constants, since a result does not copy names. */
#define NAMES(part)                                                                                          \
    {                                                                                                        \
        part "_accuracy", part "_accuracy_error", part "_r2", part "_r2_error", part "_rmse",                \
            part "_rmse_error"                                                                               \
    }
static const char *const names[SHOAL_MLP_PARTS][6] = {NAMES("training"), NAMES("validation"), NAMES("test")};

static enum shoal_status add_part(struct shoal_solver *solver, enum shoal_mlp_part part,
                                  struct shoal_result *result, double *score, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    struct figure scores = {0}, errors = {0};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < run->count && !status; i++) {
        struct mlp_member *member = &run->members[i];
        double rmse;
        member->scores[part] = NAN;
        if (!mlp_counts(run, member))
            continue;
        status = predict_part(solver, member, part, error);
        if (!status)
            status = score_part(run, &member->scores[part], &rmse, error);
        if (!status) {
            add_figure(&scores, member->scores[part]);
            add_figure(&errors, rmse);
        }
    }
    if (status)
        return status;
    *score = mean_of(&scores);
    const bool is_classes = run->problem.folds[0].prepared->classes;
    add_figures(result, &scores, names[part][is_classes ? 0 : 2], names[part][is_classes ? 1 : 3], false);
    add_figures(result, &errors, names[part][4], names[part][5], true);
    return SHOAL_OK;
}

/* Adds the losses of the epoch whose parameters are the result. */
static void add_losses(const struct mlp_run *run, struct shoal_result *result)
{
    struct figure loss = {0}, validation = {0};
    for (size_t i = 0; i < run->count; i++)
        if (mlp_counts(run, &run->members[i])) {
            const struct trainer_epoch *epoch = mlp_epoch_of(&run->members[i]);
            add_figure(&loss, epoch->loss);
            add_figure(&validation, epoch->validation_loss);
        }
    result_join_real(result, "loss", "", mean_of(&loss));
    if (validation.count)
        result_join_real(result, "validation_loss", "", mean_of(&validation));
}

/* Adds the weight decay in use, given or default. */
static void add_decay(const struct shoal_mlp_params *params, const struct mlp_run *run,
                      struct shoal_result *result)
{
    struct figure decay = {0}, lack = {0};
    if (params->optimiser != SHOAL_MLP_ADAMW)
        return;
    for (size_t i = 0; i < run->count; i++) {
        add_figure(&decay, run->members[i].training.decay);
        add_figure(&lack, run->members[i].lack_of_fit);
    }
    result_add_real(result, "decay", "", mean_of(&decay));
    if (lack.count)
        result_join_real(result, "lack_of_fit", "", mean_of(&lack));
}

static void add_sizes(struct shoal_solver *solver, struct shoal_result *result)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const struct mlp_fold *fold = &run->problem.folds[0];
    result_add_uint(result, "rows", "", fold->count[SHOAL_MLP_TRAINING]);
    result_join_uint(result, "validation_rows", "", fold->count[SHOAL_MLP_VALIDATION]);
    result_join_uint(result, "test_rows", "", fold->count[SHOAL_MLP_TEST]);
    const size_t chunk_rows = mlp_run_of(solver_holders(&solver).solvers[0])->chunk_rows;
    if (chunk_rows)
        result_join_uint(result, "chunk_rows", "", chunk_rows);
    result_add_uint(result, "parameters", "", fold->net->parameters);
    if (run->count > 1)
        result_join_uint(result, "nets", "", run->count);
    result_join_text(result, "loss_function", loss_names[fold->net->loss]);
    add_decay(mlp_params(solver), run, result);
    result_add_uint(result, "updates", "", run->members[0].updates);
    add_losses(run, result);
    if (run->count > 1 && run->problem.fold_count == 1)
        result_add_unshown(result, "best_net", (double)mlp_best_of(solver) + 1);
}

static void set_texts(struct mlp_run *run, struct shoal_result *result)
{
    const struct mlp_fold *fold = &run->problem.folds[0];
    const struct preparation *preparation = fold->preparation;
    set_title(run);
    result->title = run->title;
    if (preparation->notes) {
        snprintf(run->warning, sizeof run->warning, "%.*s", (int)strcspn(preparation->notes, "\n"),
                 preparation->notes);
        result->warning = run->warning;
    }
    int length = 0;
    run->note[0] = 0;
    if (fold->split.trains_all)
        length =
            snprintf(run->note, sizeof run->note, "all %zu rows train: they are too few to set some apart",
                     fold->count[SHOAL_MLP_TRAINING]);
    if (run->problem.dropped)
        snprintf(run->note + length, sizeof run->note - (size_t)length,
                 "%s%s with missing values %s left out", length ? "; " : "",
                 counted(run->problem.dropped, "row").s, run->problem.dropped == 1 ? "was" : "were");
    if (run->note[0])
        result->note = run->note;
}

/* Floating-point operations for a row: for each weight two forward, two for its derivative, and after the
 * first layer two for the derivative of its input. */
static double operations(const struct net *net)
{
    double sum = 0;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *layer = &net->layers[l];
        const double weights = (double)layer->inputs * layer->outputs;
        sum += 4 * (weights + layer->outputs) + (l ? 2 * weights : 0);
    }
    return sum;
}

/* Measures the seconds that the prediction of a row takes, after first launches, in which drivers do
 * additional work. */
static enum shoal_status time_row(struct shoal_solver *solver, struct mlp_member *member,
                                  enum shoal_mlp_part part, double *seconds, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const struct mlp_fold *fold = member->fold;
    const size_t rows = fold->count[part] < CHECKED ? fold->count[part] : CHECKED;
    enum shoal_status status = grow(&run->predicted, rows * fold->net->outputs, error);
    const double start = clock_seconds();
    if (!status)
        status = mlp_method_of(solver)->predict(member->net, member->learned, fold->first[part], rows,
                                                run->predicted, error);
    *seconds = (clock_seconds() - start) / (double)rows;
    return status;
}

/* Whether the figures of a part are left out, because the run must end and these figures take more than
 * run->most_figures_s. The figures of the part by which the run is judged are never left out. row_s: seconds
 * for a row. */
static bool is_left_out(const struct shoal_solver *solver, int part, enum shoal_mlp_part judged, double row_s)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const double rows = (double)run->problem.folds[0].count[part] * (double)run->count;
    return (enum shoal_mlp_part)part != judged && row_s * rows > run->most_figures_s &&
           (solver->timed_out || solver_is_stopped(solver));
}

static void note_left_out(struct mlp_run *run, enum shoal_mlp_part part, double seconds,
                          struct shoal_result *result)
{
    const size_t length = strlen(run->note);
    for (size_t i = 0; i < run->count; i++)
        run->members[i].scores[part] = NAN;
    snprintf(run->note + length, sizeof run->note - length,
             "%sno figures of the %s rows, which would take %.2g s: the run had to end", length ? "; " : "",
             part_names[part], seconds);
    result->note = run->note;
}

/* Adds the figures of each part, and checks the outputs of one net. `*judged` receives the last part that has
 * rows, by which the run is judged. */
static enum shoal_status add_parts(struct shoal_solver *solver, struct shoal_result *result,
                                   enum shoal_mlp_part *judged, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const struct mlp_fold *fold = &run->problem.folds[0];
    struct mlp_member *checked = run->members;
    double row_s = 0;
    while (!mlp_counts(run, checked))
        checked++;
    for (int part = 0; part < SHOAL_MLP_PARTS; part++)
        *judged = fold->count[part] ? (enum shoal_mlp_part)part : *judged;
    enum shoal_status status = mlp_learn(solver, checked, error);
    if (!status)
        status = check_rows(solver, checked, *judged, result, error);
    if (!status)
        status = time_row(solver, checked, *judged, &row_s, error);
    for (int part = 0; part < SHOAL_MLP_PARTS && !status; part++)
        if (is_left_out(solver, part, *judged, row_s))
            note_left_out(run, (enum shoal_mlp_part)part,
                          row_s * (double)fold->count[part] * (double)run->count, result);
        else if (fold->count[part])
            status = add_part(solver, (enum shoal_mlp_part)part, result, &result->value, error);
    return status;
}

enum shoal_status mlp_result(struct shoal_solver *solver, struct shoal_result *result,
                             struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const struct mlp_fold *fold = &run->problem.folds[0];
    enum shoal_mlp_part judged = SHOAL_MLP_TRAINING;
    enum shoal_status status = mlp_judge(solver, error);
    set_texts(run, result);
    add_sizes(solver, result);
    result->value = NAN;
    if (!status)
        status = add_parts(solver, result, &judged, error);
    if (status)
        return status;
    result->value_name = fold->prepared->classes ? "accuracy" : "r2";
    result_add_text(result, "value_of", part_names[judged]);
    result->steps = run->steps;
    result->work = (double)mlp_work(run);
    result->step_work = (double)fold->count[SHOAL_MLP_TRAINING] * (double)run->count;
    result->work_unit = "rows";
    result->roof =
        mlp_params(solver)->precision == SHOAL_FP64 ? SHOAL_ROOF_FP64_FLOPS : SHOAL_ROOF_FP32_FLOPS;
    result->roof_work = operations(fold->net);
    check(solver, result);
    return SHOAL_OK;
}
