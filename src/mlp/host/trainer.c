#include "mlp/host/trainer.h"

#include "base/error.h"
#include "mlp/mlp.h"
#include "mlp/training/shards.h"

#include <stdlib.h>

#include "mlp/host/texts.h"

/* least number of rows for which a pass has memory: batches may be small, but scores are computed over many
 * rows */
enum { LEAST_ROWS = 1024 };

enum shoal_status trainer_create(const struct net *net, const struct training *training,
                                 const struct pass_data *rows, const struct pass_data *validation,
                                 const double *parameters, int threads, struct trainer **out,
                                 struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = training_check(training, error);
    if (status)
        return status;
    if (rows->rows == 0)
        return fail(error, SHOAL_INVALID, "there is no training row; give at least one");
    if (rows->rows > UINT32_MAX)
        return fail(error, SHOAL_INVALID, "%zu training rows are more than 2^32 - 1", rows->rows);
    struct trainer *trainer = calloc(1, sizeof *trainer);
    if (!trainer)
        return fail_host_memory(error);
    const size_t count = net->parameters;
    const size_t batch = training->batch == 0 || training->batch > rows->rows ? rows->rows : training->batch;
    const size_t shards = training->shards ? training->shards : 1, own_rows = shard_rows(batch, shards);
    *trainer = (struct trainer){.base = {.net = net, .training = training},
                                .rows = rows,
                                .validation = validation,
                                .batch = batch,
                                .shards = shards,
                                .pass_rows = own_rows > LEAST_ROWS ? own_rows : LEAST_ROWS,
                                .updates = (rows->rows + batch - 1) / batch};
    status = pass_create(net, trainer->pass_rows, &trainer->pass, error);
    if (status)
        goto fail;
    trainer->parameters =
        calloc(count * (TRAINER_ARRAYS + shard_levels(shards)), sizeof *trainer->parameters);
    trainer->order = calloc(batch, sizeof *trainer->order);
    if (!trainer->parameters || !trainer->order) {
        status = fail_host_memory(error);
        goto fail;
    }
    trainer->best = trainer->parameters + count;
    trainer->s0 = trainer->best + count;
    trainer->s1 = trainer->s0 + count;
    trainer->s2 = trainer->s1 + count;
    trainer->gradient = trainer->s2 + count;
    trainer_start(net, training, parameters, &trainer->base.state, trainer->parameters);
    pass_set_threads(trainer->pass, threads);
    *out = trainer;
    return SHOAL_OK;
fail:
    trainer_destroy(&trainer);
    return status;
}

void trainer_start(const struct net *net, const struct training *training, const double *parameters,
                   struct trainer_state *state, double *arrays)
{
    const size_t count = net->parameters;
    const bool has_steps = training->optimiser == MLP_IRPROP_MINUS || training->optimiser == MLP_IRPROP_PLUS;
    *state = (struct trainer_state){.best_loss = INFINITY, .previous_loss = INFINITY};
    memcpy(arrays, parameters, count * sizeof *parameters);
    memcpy(arrays + count, parameters, count * sizeof *parameters);
    memset(arrays + 2 * count, 0, 3 * count * sizeof *arrays);
    for (size_t k = 0; has_steps && k < count; k++)
        arrays[3 * count + k] = training->rate;
}

static struct trainer *trainer_of(struct net_training *training)
{
    return (struct trainer *)training;
}

/* Sets the state before the first update, and copies `parameters`. */
static enum shoal_status trainer_begin(struct net_training *training, const double *parameters,
                                       struct shoal_error *error)
{
    (void)error;
    trainer_start(training->net, training->training, parameters, &training->state,
                  trainer_of(training)->parameters);
    return SHOAL_OK;
}

void trainer_destroy(struct trainer **pointer)
{
    if (!pointer || !*pointer)
        return;
    if ((*pointer)->own_rows)
        mlp_rows_destroy((*pointer)->own_rows);
    free((*pointer)->own_rows);
    pass_destroy(&(*pointer)->pass);
    free((*pointer)->parameters);
    free((*pointer)->order);
    free(*pointer);
    *pointer = NULL;
}

/* Takes the rows of the next update and returns their number. */
static size_t take_rows(struct trainer *trainer)
{
    const struct trainer_state *const state = &trainer->base.state;
    const uint32_t rows = (uint32_t)trainer->rows->rows;
    const size_t begin = (size_t)(state->update % trainer->updates) * trainer->batch;
    const size_t count = rows - begin < trainer->batch ? rows - begin : trainer->batch;
    const mlp_order order =
        mlp_order_of(trainer->base.training->seed, (uint32_t)(state->update / trainer->updates), rows);
    /* A batch of all rows has the same gradient in any order. In the order of the file, memory is read
     * sequentially. */
    const bool in_order = trainer->base.training->in_order || trainer->updates == 1;
    for (size_t k = 0; k < count; k++)
        trainer->order[k] = in_order ? (uint32_t)(begin + k) : mlp_order_row(order, (uint32_t)(begin + k));
    return count;
}

static mlp_update settings(const struct training *t, uint64_t updates, const struct trainer_state *state,
                           double loss)
{
    const struct training_step step =
        training_step_of(t, state->update, state->update / updates, state->plateaus);
    return (mlp_update){.kind = t->optimiser,
                        .rate = step.rate,
                        .momentum = t->momentum,
                        .beta2 = t->beta2,
                        .epsilon = t->epsilon,
                        .correction1 = step.correction1,
                        .correction2 = step.correction2,
                        .keep = step.keep,
                        .up = t->up,
                        .down = t->down,
                        .least = t->least,
                        .greatest = t->greatest,
                        .rose = loss > state->previous_loss};
}

enum shoal_status trainer_not_finite(uint64_t update, struct shoal_error *error)
{
    return fail(error, SHOAL_CHECK_FAILED,
                "the loss of update %llu is no finite number; lower the rate, or limit the gradient. The "
                "best parameters so far are kept",
                (unsigned long long)update);
}

void trainer_count(struct trainer_state *state, uint64_t updates, const struct pass_sums *sum)
{
    if (state->update % updates == 0)
        state->loss = state->weight = state->score = 0;
    state->loss += sum->loss;
    state->weight += sum->weight;
    state->score += sum->score;
    state->update++;
}

enum shoal_status trainer_apply(const struct net *net, const struct training *training, uint64_t updates,
                                const struct pass_sums *sum, double *gradient, struct trainer_state *state,
                                double *arrays, struct shoal_error *error)
{
    const size_t count = net->parameters;
    double *const s0 = arrays + 2 * count, *const s1 = s0 + count, *const s2 = s1 + count;
    const double loss =
        (sum->weight > 0 ? sum->loss / sum->weight : 0) + training_penalty(training, net, arrays, gradient);
    const double norm = training_clip(training, count, gradient);
    if (!isfinite(loss) || !isfinite(norm))
        return trainer_not_finite(state->update + 1, error);
    mlp_update set = settings(training, updates, state, loss);
    const double keep = set.keep;
    for (uint32_t l = 0; l < net->layer_count; l++) {
        const struct net_layer *const layer = &net->layers[l];
        for (size_t k = layer->weights; k < layer->biases + layer->outputs; k++) {
            set.keep = k < layer->biases ? keep : 1; /* biases do not decay */
            arrays[k] = mlp_apply(set, arrays[k], gradient[k], &s0[k], &s1[k], &s2[k]);
        }
    }
    state->previous_loss = loss;
    trainer_count(state, updates, sum);
    return SHOAL_OK;
}

/* Adds up losses and gradients of the shards shard .. shard + span - 1; numbers beyond the last shard are
 * left out. span is a power of two. count: number of rows of the batch. gradient: receives the gradient; the
 * arrays after it in trainer->gradient, one for each lower level of the tree, are overwritten. */
static struct pass_sums sum_shards(struct trainer *trainer, size_t count, size_t shard, size_t span,
                                   double *gradient)
{
    const size_t parameters = trainer->base.net->parameters, shards = trainer->shards, half = span / 2;
    if (span == 1) {
        const size_t begin = shard_begin(count, shards, shard), end = shard_begin(count, shards, shard + 1);
        const struct pass_dropout dropout = {trainer->base.training->seed,
                                             shard_draw(trainer->base.state.update, shards, shard)};
        const struct pass_batch batch = {.data = trainer->rows,
                                         .row = trainer->order + begin,
                                         .count = end - begin,
                                         .dropout = &dropout,
                                         .is_part = true};
        return pass_run(trainer->pass, &batch, trainer->parameters, gradient, NULL);
    }
    struct pass_sums sum = sum_shards(trainer, count, shard, half, gradient);
    if (shard + half >= shards)
        return sum;
    double *const right = gradient + parameters;
    const struct pass_sums of_right = sum_shards(trainer, count, shard + half, half, right);
    sum.loss += of_right.loss;
    sum.weight += of_right.weight;
    sum.score += of_right.score;
    for (size_t k = 0; k < parameters; k++)
        gradient[k] += right[k];
    return sum;
}

static enum shoal_status update_once(struct trainer *trainer, struct shoal_error *error)
{
    struct trainer_state *const state = &trainer->base.state;
    const size_t count = take_rows(trainer), span = (size_t)1 << (shard_levels(trainer->shards) - 1);
    const struct pass_sums sum = sum_shards(trainer, count, 0, span, trainer->gradient);
    pass_take_mean(trainer->base.net, sum.weight, trainer->gradient);
    return trainer_apply(trainer->base.net, trainer->base.training, trainer->updates, &sum, trainer->gradient,
                         state, trainer->parameters, error);
}

enum shoal_status trainer_update(struct net_training *training, uint64_t count, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < count && !status; i++)
        status = update_once(trainer_of(training), error);
    return status;
}

void trainer_score(struct trainer *trainer, const struct pass_data *rows, const double *parameters,
                   double *loss, double *score)
{
    const size_t part = trainer->pass_rows;
    struct pass_sums total = {0};
    for (size_t first = 0; first < rows->rows; first += part) {
        const struct pass_batch batch = {
            .data = rows, .first = first, .count = rows->rows - first < part ? rows->rows - first : part};
        const struct pass_sums sum = pass_run(trainer->pass, &batch, parameters, NULL, NULL);
        total.loss += sum.loss;
        total.weight += sum.weight;
        total.score += sum.score;
    }
    *loss = total.loss / total.weight;
    *score = total.score / total.weight;
}

struct trainer_epoch trainer_epoch_of(const struct trainer_state *state)
{
    return (struct trainer_epoch){.loss = state->loss / state->weight,
                                  .score = state->score / state->weight,
                                  .validation_loss = NAN,
                                  .validation_score = NAN,
                                  .plateaus = state->plateaus};
}

void trainer_keep(struct trainer_state *state, struct trainer_epoch *epoch)
{
    epoch->is_best = true;
    state->best_update = state->update;
}

void trainer_judge(const struct training *training, double loss, struct trainer_state *state,
                   struct trainer_epoch *epoch)
{
    epoch->is_best = loss < state->best_loss;
    state->waited = epoch->is_best ? 0 : state->waited + 1;
    state->plateau_waited = epoch->is_best ? 0 : state->plateau_waited + 1;
    if (epoch->is_best) {
        state->best_loss = loss;
        state->best_update = state->update;
    }
    if (training->schedule == TRAINING_PLATEAU && state->plateau_waited >= training->period) {
        state->plateaus++;
        state->plateau_waited = 0;
    }
    epoch->must_stop = training_is_over(training, state->waited);
}

enum shoal_status trainer_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                    struct shoal_error *error)
{
    struct trainer *trainer = trainer_of(training);
    struct trainer_state *const state = &training->state;
    (void)error;
    *epoch = trainer_epoch_of(state);
    if (trainer->validation)
        trainer_score(trainer, trainer->validation, trainer->parameters, &epoch->validation_loss,
                      &epoch->validation_score);
    /* Loss and score of the current parameters; epoch->loss is a mean of losses before the updates of the
     * epoch. Training rows are scored only if the loss decides something. */
    double loss = epoch->validation_loss, score;
    const bool judges = trainer->validation || training_judges(trainer->base.training);
    if (judges && !trainer->validation)
        trainer_score(trainer, trainer->rows, trainer->parameters, &loss, &score);
    if (judges)
        trainer_judge(trainer->base.training, loss, state, epoch);
    else
        trainer_keep(state, epoch);
    if (epoch->is_best)
        memcpy(trainer->best, trainer->parameters, trainer->base.net->parameters * sizeof *trainer->best);
    return SHOAL_OK;
}

/* Method --------------------------------------------------------------------------------------------------
 */

static void destroy(struct net_training *training)
{
    struct trainer *trainer = trainer_of(training);
    trainer_destroy(&trainer);
}

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member,
                                struct net_training *shares, struct shoal_error *error)
{
    (void)shares;
    const struct mlp_fold *fold = member->fold;
    struct mlp_rows *rows = calloc(1, sizeof *rows);
    struct trainer *trainer = NULL;
    if (!rows)
        return fail_host_memory(error);
    enum shoal_status status = mlp_rows_create(fold, rows, error);
    if (!status)
        status = trainer_create(fold->net, &member->training, &rows->part[SHOAL_MLP_TRAINING],
                                fold->count[SHOAL_MLP_VALIDATION] ? &rows->part[SHOAL_MLP_VALIDATION] : NULL,
                                member->start, solver_threads(solver), &trainer, error);
    if (status) {
        mlp_rows_destroy(rows);
        free(rows);
        return status;
    }
    trainer->own_rows = rows;
    member->net = &trainer->base;
    return SHOAL_OK;
}

static enum shoal_status parameters(struct net_training *training, bool best, double *out,
                                    struct shoal_error *error)
{
    (void)error;
    const struct trainer *trainer = trainer_of(training);
    memcpy(out, best ? trainer->best : trainer->parameters, training->net->parameters * sizeof *out);
    return SHOAL_OK;
}

static enum shoal_status predict(struct net_training *training, const double *parameters_, size_t first,
                                 size_t count, double *outputs, struct shoal_error *error)
{
    (void)error;
    const struct trainer *trainer = trainer_of(training);
    for (size_t done = 0; done < count; done += LEAST_ROWS) {
        const struct pass_batch batch = {.data = &trainer->own_rows->all,
                                         .first = first + done,
                                         .count = count - done < LEAST_ROWS ? count - done : LEAST_ROWS};
        pass_run(trainer->pass, &batch, parameters_, NULL, outputs + done * training->net->outputs);
    }
    return SHOAL_OK;
}

static enum shoal_status save(struct net_training *training, double *arrays, struct shoal_error *error)
{
    (void)error;
    memcpy(arrays, trainer_of(training)->parameters,
           TRAINER_ARRAYS * training->net->parameters * sizeof *arrays);
    return SHOAL_OK;
}

static enum shoal_status load(struct net_training *training, const struct trainer_state *state,
                              const double *arrays, struct shoal_error *error)
{
    (void)error;
    training->state = *state;
    memcpy(trainer_of(training)->parameters, arrays,
           TRAINER_ARRAYS * training->net->parameters * sizeof *arrays);
    return SHOAL_OK;
}

const struct mlp_method mlp_host_method = {.base = MLP_METHOD_BASE("host"),
                                           .create_net = create,
                                           .destroy_net = destroy,
                                           .begin_net = trainer_begin,
                                           .update = trainer_update,
                                           .end_epoch = trainer_end_epoch,
                                           .parameters = parameters,
                                           .predict = predict,
                                           .save_net = save,
                                           .load_net = load};
