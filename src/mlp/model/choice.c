/* Chooses the net and its training from the parameters of the workload. */
#include "base/error.h"
#include "mlp/files/model.h"
#include "mlp/mlp.h"
#include "mlp/model/lack_of_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAYERS = 64, MOST_UNITS = 1 << 24, TEACHER_HIDDEN = 63, NO_ACTIVATION = -1 };

const char *const mlp_activation_names[] = {"logistic",         "tanh", "relu",   "leaky-relu", "gelu",
                                            "gelu-tanh",        "silu", "linear", "softmax",    "threshold",
                                            "piecewise-linear", NULL};
_Static_assert(sizeof mlp_activation_names / sizeof *mlp_activation_names == MLP_ACTIVATIONS + 1,
               "a word for each");

/* Takes the next word of a list separated by commas, without blanks around it; false: there is no further
 * word. */
static bool next_word(const char **at, char word[24])
{
    if (!*at)
        return false;
    const char *begin = *at + strspn(*at, " ");
    const size_t length = strcspn(begin, ",");
    size_t used = length;
    while (used && begin[used - 1] == ' ')
        used--;
    snprintf(word, 24, "%.*s", (int)(used < 23 ? used : 23), begin);
    *at = begin[length] ? begin + length + 1 : NULL;
    return true;
}

static enum shoal_status read_units(const char *list, struct net_layer_choice *layers, uint32_t *count,
                                    struct shoal_error *error)
{
    char word[24];
    const char *at = list;
    *count = 0;
    if (strcmp(list, "none") == 0 || strcmp(list, "0") == 0)
        return SHOAL_OK;
    while (next_word(&at, word)) {
        char *end;
        const unsigned long units = strtoul(word, &end, 10);
        if (!(word[0] >= '0' && word[0] <= '9') || *end || units < 1 || units > MOST_UNITS)
            return fail(
                error, SHOAL_INVALID,
                "hidden: '%s' is no number of units of a layer from 1 to %d; give a list such as 64,32, or "
                "none",
                word, MOST_UNITS);
        if (*count == MOST_LAYERS)
            return fail(error, SHOAL_INVALID, "hidden: more than %d layers", MOST_LAYERS);
        layers[(*count)++].outputs = (uint32_t)units;
    }
    return SHOAL_OK;
}

static enum shoal_status read_activation(const char *option, const char *word, int32_t *activation,
                                         struct shoal_error *error)
{
    /* Names of activations in other programs. */
    static const struct {
        const char *name;
        int32_t activation;
    } also[] = {{"sigmoid", MLP_LOGISTIC}, {"swish", MLP_SILU}};
    for (*activation = 0; mlp_activation_names[*activation]; ++*activation)
        if (strcmp(word, mlp_activation_names[*activation]) == 0)
            return SHOAL_OK;
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (strcmp(word, also[i].name) == 0) {
            *activation = also[i].activation;
            return SHOAL_OK;
        }
    return fail(error, SHOAL_INVALID,
                "%s: there is no activation '%s'; there are " MLP_HIDDEN_ACTIVATIONS
                " and, of the last layer, softmax",
                option, word);
}

/* Reads one activation for all hidden layers, or one for each hidden layer. */
static enum shoal_status read_activations(const char *list, struct net_layer_choice *layers, uint32_t count,
                                          struct shoal_error *error)
{
    char word[24];
    const char *at = list;
    uint32_t given = 0;
    enum shoal_status status = SHOAL_OK;
    while (!status && next_word(&at, word)) {
        int32_t activation;
        status = read_activation("activation", word, &activation, error);
        if (!status && given < count)
            layers[given].activation = activation;
        given++;
    }
    if (status)
        return status;
    for (uint32_t i = 1; i < count && given == 1; i++)
        layers[i].activation = layers[0].activation;
    return given == 1 || given == count
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID, "activation: %u are given, there %s %u hidden layer%s", given,
                      count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
}

static bool is_teacher(const struct shoal_mlp_params *params)
{
    return !params->data && !params->dataset &&
           (!params->generate || strncmp(params->generate, "teacher", 7) == 0);
}

/* Returns the loss as enum mlp_loss, which has no "auto": the loss that the parameters name or, for "auto",
 * the default loss for the kind of targets. */
static int32_t loss_of(const struct shoal_mlp_params *params, const struct preparation *preparation)
{
    if (params->loss != SHOAL_MLP_LOSS_AUTO)
        return params->loss - 1;
    return preparation->task == PREPARE_NUMBERS  ? MLP_LOSS_SQUARED
           : preparation->task == PREPARE_BINARY ? MLP_LOSS_LOGISTIC
                                                 : MLP_LOSS_CROSS_ENTROPY;
}

static double slope_of(const struct shoal_mlp_params *params, int32_t activation)
{
    if (activation != MLP_LOGISTIC && activation != MLP_LEAKY_RELU)
        return 1;
    return !isnan(params->slope) ? params->slope : activation == MLP_LOGISTIC ? 1 : 0.01;
}

static int32_t last_activation(int32_t loss, const struct preparation *preparation)
{
    if (loss == MLP_LOSS_CROSS_ENTROPY)
        return MLP_SOFTMAX;
    return loss == MLP_LOSS_LOGISTIC || preparation->task != PREPARE_NUMBERS ? MLP_LOGISTIC : MLP_LINEAR;
}

/* Chooses the hidden layers: the layers that the parameters name, otherwise the layers of the model to start
 * from. */
static enum shoal_status choose_hidden(const struct shoal_mlp_params *params,
                                       const struct shoal_mlp_model *start, struct net_layer_choice *layers,
                                       uint32_t *count, struct shoal_error *error)
{
    char teacher[8];
    snprintf(teacher, sizeof teacher, "%d", TEACHER_HIDDEN);
    const char *hidden = params->hidden ? params->hidden : is_teacher(params) ? teacher : "64";
    if (start && !params->hidden && start->net->layer_count <= MOST_LAYERS) {
        *count = start->net->layer_count - 1;
        for (uint32_t i = 0; i < *count; i++) {
            const struct net_layer *of = &start->net->layers[i];
            layers[i] = (struct net_layer_choice){.outputs = of->outputs,
                                                  .activation = of->activation,
                                                  .slope = params->activation ? NAN : of->slope};
        }
        return *count && params->activation ? read_activations(params->activation, layers, *count, error)
                                            : SHOAL_OK;
    }
    const enum shoal_status status = read_units(hidden, layers, count, error);
    return status || !*count
               ? status
               : read_activations(params->activation ? params->activation : "relu", layers, *count, error);
}

/* Refuses options of hidden layers for a net without hidden layers. */
static enum shoal_status check_hidden(const struct shoal_mlp_params *params, uint32_t count,
                                      struct shoal_error *error)
{
    const char *option = params->activation ? "activation" : params->dropout > 0 ? "dropout" : NULL;
    return count || !option
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID, "%s: it is for hidden layers, but the net has none", option);
}

/* Chooses the last layer and the loss. Without a loss among the options, the model to start from gives the
 * loss, if its file names one. */
static enum shoal_status choose_outputs(const struct shoal_mlp_params *params,
                                        const struct preparation *preparation,
                                        const struct shoal_mlp_model *start, struct net_choice *choice,
                                        struct net_layer_choice *last, struct shoal_error *error)
{
    const bool keeps = start && start->info.creator[0] && params->loss == SHOAL_MLP_LOSS_AUTO;
    choice->loss = keeps ? start->net->loss : loss_of(params, preparation);
    choice->huber = keeps && choice->loss == MLP_LOSS_HUBER ? start->net->huber : params->huber;
    choice->smoothing = params->smoothing;
    last->outputs = (uint32_t)preparation->target_width;
    last->activation = last_activation(choice->loss, preparation);
    last->slope = NAN;
    if (params->output)
        return read_activation("output", params->output, &last->activation, error);
    if (keeps) {
        const struct net_layer *of = &start->net->layers[start->net->layer_count - 1];
        last->activation = of->activation;
        last->slope = of->slope;
    }
    return SHOAL_OK;
}

/* Refuses options for outputs that would have no effect, or a misleading effect. */
static enum shoal_status check_outputs(const struct shoal_mlp_params *params,
                                       const struct preparation *preparation, const struct net_choice *choice,
                                       const struct net_layer_choice *last, struct shoal_error *error)
{
    const bool are_numbers = preparation->task == PREPARE_NUMBERS,
               is_from_logits = choice->loss == MLP_LOSS_LOGISTIC || choice->loss == MLP_LOSS_CROSS_ENTROPY;
    if (preparation->input_width == 0)
        return fail(error, SHOAL_INVALID, "no column is left as an input of the net");
    if (are_numbers && params->smoothing > 0)
        return fail(error, SHOAL_INVALID,
                    "smoothing: it spreads classes, and the targets are numbers; leave smoothing out");
    if (!are_numbers && params->target_scale != SHOAL_MLP_STANDARD)
        return fail(error, SHOAL_INVALID,
                    "target scale: it is for numbers, but the targets are classes; leave target-scale out");
    if (!are_numbers && is_from_logits && last->activation == MLP_LINEAR)
        return fail(error, SHOAL_INVALID,
                    "output: linear outputs of this loss are logits, no probabilities; leave output out");
    return SHOAL_OK;
}

static bool has_slope(const struct net_layer_choice *layers, uint32_t hidden, int32_t loss)
{
    const uint32_t count = hidden + (loss != MLP_LOSS_LOGISTIC);
    bool has = false;
    for (uint32_t l = 0; l < count; l++)
        has = has || layers[l].activation == MLP_LOGISTIC || layers[l].activation == MLP_LEAKY_RELU;
    return has;
}

enum shoal_status mlp_net_of(const struct shoal_mlp_params *params, const struct preparation *preparation,
                             const struct shoal_mlp_model *start, struct net **net, struct shoal_error *error)
{
    struct net_layer_choice layers[MOST_LAYERS + 1] = {0};
    struct net_choice choice = {.inputs = (uint32_t)preparation->input_width, .layers = layers};
    uint32_t count;
    for (size_t i = 0; i <= MOST_LAYERS; i++)
        layers[i].slope = NAN; /* no slope is given */
    enum shoal_status status = choose_hidden(params, start, layers, &count, error);
    if (!status)
        status = check_hidden(params, count, error);
    if (status)
        return status;
    struct net_layer_choice *const last = &layers[count];
    status = choose_outputs(params, preparation, start, &choice, last, error);
    if (!status)
        status = check_outputs(params, preparation, &choice, last, error);
    if (!status && !isnan(params->slope) && !has_slope(layers, count, choice.loss))
        status = fail(error, SHOAL_INVALID,
                      "slope: it is for logistic and leaky-relu, but no layer has one of them%s",
                      choice.loss == MLP_LOSS_LOGISTIC ? "; that of the logistic loss is 1" : "");
    if (status)
        return status;
    for (uint32_t i = 0; i <= count; i++) {
        if (isnan(layers[i].slope) || !isnan(params->slope)) /* otherwise the slope of the model stays */
            layers[i].slope = slope_of(params, layers[i].activation);
        layers[i].dropout = i < count ? params->dropout : 0;
    }
    if (choice.loss == MLP_LOSS_LOGISTIC)
        last->slope = 1;
    choice.layer_count = count + 1;
    return net_create(&choice, net, error);
}

static double rate_of(const struct shoal_mlp_params *params)
{
    if (!isnan(params->rate))
        return params->rate;
    switch (params->optimiser) {
    case SHOAL_MLP_ADAM:
    case SHOAL_MLP_ADAMW:
        return 0.005;
    case SHOAL_MLP_RMSPROP:
        return 0.002;
    case SHOAL_MLP_IRPROP_MINUS:
    case SHOAL_MLP_IRPROP_PLUS:
        return 0.01;
    default:
        return 0.1;
    }
}

static uint64_t last_update(const struct shoal_mlp_params *params, uint64_t epoch_updates)
{
    const uint64_t epochs = params->epochs ? params->epochs : params->updates ? 0 : MLP_DEFAULT_EPOCHS;
    const uint64_t by_epochs = epochs * epoch_updates;
    return params->updates && (!epochs || params->updates < by_epochs) ? params->updates : by_epochs;
}

bool mlp_chooses_decay(const struct shoal_mlp_params *params)
{
    return params->optimiser == SHOAL_MLP_ADAMW && !params->decays && isnan(params->decay);
}

enum shoal_status mlp_measure_fold(const struct shoal_mlp_params *params, struct mlp_fold *fold,
                                   struct shoal_error *error)
{
    fold->lack_of_fit = NAN;
    return mlp_chooses_decay(params) && !net_is_from_logits(fold->net)
               ? lack_of_fit(fold->prepared, fold->first[SHOAL_MLP_TRAINING], fold->count[SHOAL_MLP_TRAINING],
                             &fold->lack_of_fit, error)
               : SHOAL_OK;
}

/* Returns the weight decay: the given decay or a default. The default acts as a prior of the weights that
 * counts as much as min(800, number of parameters) rows, so that its influence falls with the number of rows.
 * Losses from logits allow a strong prior, since the prior scales all logits alike. For targets that are
 * numbers, a strong prior is allowed if the rows show only a linear function: the prior keeps a net near a
 * linear function, and would pull a curve to its mean. */
static double decay_of(const struct shoal_mlp_params *params, const struct net *net, size_t rows, double lack)
{
    const double by_rows = rows ? fmin(800, (double)net->parameters) / (double)rows : 0;
    const double most = net_is_from_logits(net) ? 1 : isnan(lack) ? 0.4 : pow(20, -lack);
    return !isnan(params->decay) ? params->decay : fmin(by_rows, most);
}

/* Number of rows of an update; 0: all rows. By default, small data sets have small batches, so that an epoch
 * has enough updates. */
static size_t batch_of(const struct shoal_mlp_params *params, size_t rows)
{
    const size_t by_rule = rows / 32 < 8 ? 8 : rows / 32 > 128 ? 128 : rows / 32;
    return params->full_batch ? 0 : params->batch ? params->batch : by_rule;
}

void mlp_set_batch(const struct shoal_mlp_params *params, struct mlp_member *member, size_t batch)
{
    const size_t rows = member->fold->count[SHOAL_MLP_TRAINING];
    member->batch = batch && batch < rows ? batch : rows;
    member->epoch_updates = (rows + member->batch - 1) / member->batch;
    member->training.batch = batch;
    member->training.total_updates = last_update(params, member->epoch_updates);
}

enum shoal_status mlp_check_shards(const struct mlp_member *member, struct shoal_error *error)
{
    if (member->training.shards <= member->batch)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "a batch of %zu rows has no %zu shards: lower shards, or raise the batch", member->batch,
                member->training.shards);
}

struct training mlp_training_of(const struct shoal_mlp_params *params, const struct net *net, size_t index,
                                size_t rows, double lack)
{
    const size_t asked = batch_of(params, rows), batch = asked && asked < rows ? asked : rows;
    const uint64_t last = rows ? last_update(params, (rows + batch - 1) / batch) : 0;
    return (struct training){.optimiser = params->optimiser,
                             .rate = params->rates ? params->rates[index] : rate_of(params),
                             .momentum = !isnan(params->momentum)                 ? params->momentum
                                         : params->optimiser == SHOAL_MLP_RMSPROP ? 0.99
                                                                                  : 0.9,
                             .beta2 = params->beta2,
                             .epsilon = params->epsilon,
                             .decay =
                                 params->decays ? params->decays[index] : decay_of(params, net, rows, lack),
                             .up = params->step_up,
                             .down = params->step_down,
                             .least = params->step_least,
                             .greatest = params->step_greatest,
                             .l1 = params->l1,
                             .l2 = params->l2,
                             .elimination = params->elimination,
                             .elimination_scale = params->elimination_scale,
                             .clip = params->clip,
                             .schedule = (enum training_schedule)params->schedule,
                             .factor = params->rate_factor,
                             .period = params->rate_period,
                             .warm_up = params->warm_up,
                             .total_updates = last,
                             .seed = params->seed + index % params->nets,
                             .batch = asked,
                             .shards = (size_t)params->shards,
                             .in_order = params->no_shuffle,
                             .patience = params->patience};
}

enum shoal_status mlp_start(const struct shoal_mlp_params *params, const struct shoal_mlp_model *model,
                            const struct mlp_fold *fold, uint64_t seed, double *parameters,
                            struct shoal_error *error)
{
    if (model)
        return model_copy_parameters(model, params->start_file, fold->net, parameters, error);
    if (params->start_file)
        return model_read_parameters(params->start_file, fold->net, parameters, error);
    const int32_t first = fold->net->layers[0].activation;
    const bool is_relu = first == MLP_RELU || first == MLP_LEAKY_RELU || first == MLP_GELU ||
                         first == MLP_GELU_TANH || first == MLP_SILU;
    const struct net_start start = {.rule = params->start != SHOAL_MLP_START_AUTO
                                                ? (enum net_start_rule)(params->start - 1)
                                            : is_relu ? NET_HE
                                                      : NET_XAVIER,
                                    .range = params->range,
                                    .output_bias = params->output_bias,
                                    .seed = seed};
    return net_begin(fold->net, &start, parameters, error);
}
