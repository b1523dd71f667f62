/* Passes, sums and updates of the thesis's methods. */
#include "base/error.h"
#include "compute/launch.h"
#include "mlp/mlp.h"
#include "mlp/thesis/thesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets the layout of a slab and the flags. SHOAL_UNSUPPORTED: there are too many parameters for indices of 32
 * bits. */
static enum shoal_status set_step(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const struct mlp_thesis_setup *setup = &thesis->setup;
    const struct net *net = setup->net;
    const struct shoal_mlp_thesis *params = setup->params;
    if (net->parameters > INT32_MAX / 2)
        return fail(error, SHOAL_UNSUPPORTED, "the methods of the thesis: %zu parameters are more than 2^30",
                    net->parameters);
    thesis->step = thesis_step_of(net->inputs, net->layers[0].outputs, net->outputs);
    const bool by_block = params->deltas ? params->deltas == SHOAL_MLP_BY_BLOCK : setup->is_v2;
    thesis->step.flags = (params->values != SHOAL_MLP_BY_THREAD ? THESIS_VALUES_A : 0) |
                         (by_block ? THESIS_DELTAS_A : 0) | (params->stores ? THESIS_STORES : 0);
    return SHOAL_OK;
}

enum shoal_status mlp_thesis_create(const struct mlp_thesis_setup *setup, struct mlp_thesis **out,
                                    struct shoal_error *error)
{
    *out = NULL;
    enum shoal_status status = mlp_thesis_check(setup, error);
    if (status)
        return status;
    struct mlp_thesis *thesis = *out = calloc(1, sizeof *thesis);
    if (!thesis)
        return fail_host_memory(error);
    thesis->base = (struct net_training){.net = setup->net, .training = setup->training};
    thesis->setup = *setup;
    thesis->bytes = setup->is_double ? sizeof(double) : sizeof(float);
    status = set_step(thesis, error);
    if (!status) {
        mlp_thesis_plan(setup, &thesis->plan);
        status = mlp_thesis_build(thesis, error);
    }
    thesis->step.items = thesis->plan.items;
    if (!status)
        status = mlp_thesis_create_arrays(thesis, error);
    thesis->setup.rows = NULL;
    if (status)
        mlp_thesis_destroy(out);
    return status;
}

void mlp_thesis_destroy(struct mlp_thesis **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct mlp_thesis *thesis = *pointer;
    *pointer = NULL;
    arrays_destroy(&thesis->arrays);
    free(thesis->own);
    free(thesis->slab);
    free(thesis->moved);
    free(thesis);
}

static struct mlp_thesis *thesis_of(struct net_training *training)
{
    return (struct mlp_thesis *)training;
}

/* Launches ---------------------------------------------------------------------------------------------- */

static enum shoal_status launch_pass(struct mlp_thesis *thesis, struct shoal_buffer *parameters,
                                     const struct thesis_step *step, struct shoal_error *error)
{
    const struct net *net = thesis->base.net;
    return LAUNCH(thesis_v2, thesis->setup.queue, thesis->pass, thesis->plan.blocks, error,
                  .inputs = thesis->inputs, .targets = thesis->targets, .classes = thesis->classes,
                  .row_weights = thesis->weights, .parameters = parameters, .values = thesis->values,
                  .deltas = thesis->deltas, .predictions = thesis->predictions,
                  .hidden_slope = net->layers[0].slope, .last_slope = net->layers[1].slope,
                  .huber = net->huber, .step = step);
}

static enum shoal_status launch_clear(struct mlp_thesis *thesis, struct shoal_error *error)
{
    return LAUNCH(thesis_clear, thesis->setup.queue, thesis->clear, thesis->plan.blocks, error,
                  .deltas = thesis->deltas, .step = &thesis->step);
}

static enum shoal_status pass_training_rows(struct mlp_thesis *thesis, struct shoal_error *error)
{
    struct thesis_step step = thesis->step;
    step.rows = (uint32_t)thesis->setup.training_rows;
    step.flags |= THESIS_TRAINS;
    return launch_pass(thesis, thesis->parameters, &step, error);
}

/* Adds the sums of threads (v1) or blocks (v2) on the device. v1 has many threads, so a work-group adds the
 * sums of one parameter; v2 has few blocks, so a work-item adds the sums of one parameter. */
static enum shoal_status sum(struct mlp_thesis *thesis, uint32_t first, uint32_t end,
                             struct shoal_error *error)
{
    const struct mlp_thesis_plan *plan = &thesis->plan;
    const bool is_v2 = thesis->setup.is_v2;
    const struct thesis_parts parts = {.first = first,
                                       .count = end - first,
                                       .parts = plan->parts,
                                       .side = is_v2 ? 1 : plan->threads,
                                       .slab = thesis->step.slab,
                                       .flags = thesis->step.flags};
    struct shoal_kernel *kernel = is_v2 ? thesis->sum_all : thesis->sum_each;
    return LAUNCH(thesis_sum_each, thesis->setup.queue, kernel,
                  is_v2 ? shoal_kernel_groups(kernel, parts.count) : parts.count, error,
                  .deltas = thesis->deltas, .sums = thesis->sums, .parts = &parts);
}

static enum shoal_status sum_layer(struct mlp_thesis *thesis, bool is_second, struct shoal_error *error)
{
    const struct thesis_step *step = &thesis->step;
    return is_second ? sum(thesis, step->second, step->tail + 2, error) : sum(thesis, 0, step->second, error);
}

static size_t delta_place(const struct mlp_thesis *thesis, size_t part, size_t k)
{
    const size_t side = thesis->setup.is_v2 ? 1 : thesis->plan.threads;
    if (thesis->step.flags & THESIS_DELTAS_A)
        return (part / side * thesis->step.slab + k) * side + part % side;
    return k * thesis->plan.parts + part;
}

/* Reads the sums that each thread or block has left on the device in a pass, and adds them into thesis->slab
 * on the host. */
static enum shoal_status sum_on_host(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const size_t parts = thesis->plan.parts, slab = thesis->step.slab;
    void *deltas = parts <= SIZE_MAX / slab / thesis->bytes ? malloc(parts * slab * thesis->bytes) : NULL;
    if (!deltas)
        return fail_host_memory(error);
    const enum shoal_status status = shoal_buffer_read(thesis->setup.queue, thesis->deltas, 0, deltas,
                                                       parts * slab * thesis->bytes, error);
    memset(thesis->slab, 0, slab * sizeof *thesis->slab);
    for (size_t part = 0; part < parts && !status; part++)
        for (size_t k = 0; k < thesis->step.tail + (size_t)2; k++) {
            const size_t at = delta_place(thesis, part, k);
            thesis->slab[k] +=
                thesis->setup.is_double ? ((const double *)deltas)[at] : (double)((const float *)deltas)[at];
        }
    free(deltas);
    return status;
}

/* Sums ----------------------------------------------------------------------------------------------------
 */

/* Computes the sums of derivatives over all training rows: in thesis->sums on the device, or in thesis->slab
 * on the host. */
static enum shoal_status take_sums(struct mlp_thesis *thesis, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!thesis->setup.is_v2 && !(thesis->step.flags & THESIS_STORES))
        status = launch_clear(thesis, error);
    if (!status)
        status = pass_training_rows(thesis, error);
    if (!status && !thesis->plan.sums_on_device)
        return sum_on_host(thesis, error);
    for (int second = 0; second < 2 && !status; second++)
        status = sum_layer(thesis, second, error);
    return status;
}

static struct pass_sums sums_of(const struct mlp_thesis *thesis, const double *tail)
{
    return (struct pass_sums){.loss = tail[0], .weight = thesis->weight, .score = tail[1]};
}

/* Computes the mean gradient from the sums in thesis->slab, on the host. */
static void take_gradient(const struct mlp_thesis *thesis, struct pass_sums *sum, double *gradient)
{
    *sum = sums_of(thesis, thesis->slab + thesis->step.tail);
    mlp_thesis_flat(thesis, thesis->slab, gradient);
    for (size_t k = 0; k < thesis->base.net->parameters; k++)
        gradient[k] = thesis->weight > 0 ? gradient[k] / thesis->weight : 0;
}

static enum shoal_status fetch_sums(struct mlp_thesis *thesis, struct shoal_error *error)
{
    return thesis->plan.sums_on_device
               ? mlp_thesis_read(thesis, thesis->sums, 0, thesis->step.slab, thesis->slab, error)
               : SHOAL_OK;
}

enum shoal_status mlp_thesis_gradient(struct mlp_thesis *thesis, struct pass_sums *sum, double *gradient,
                                      struct shoal_error *error)
{
    enum shoal_status status = take_sums(thesis, error);
    if (!status)
        status = fetch_sums(thesis, error);
    if (!status)
        take_gradient(thesis, sum, gradient);
    return status;
}

/* Updates -------------------------------------------------------------------------------------------------
 */

static enum shoal_status update_there(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const struct training *t = thesis->base.training;
    const struct trainer_state *state = &thesis->base.state;
    const struct training_step of = training_step_of(t, state->update, state->update, state->plateaus);
    const double settings[THESIS_SETTINGS] = {
        [THESIS_RATE] = of.rate,
        [THESIS_MOMENTUM] = t->momentum,
        [THESIS_BETA2] = t->beta2,
        [THESIS_EPSILON] = t->epsilon,
        [THESIS_CORRECTION1] = of.correction1,
        [THESIS_CORRECTION2] = of.correction2,
        [THESIS_KEEP] = of.keep,
        [THESIS_UP] = t->up,
        [THESIS_DOWN] = t->down,
        [THESIS_LEAST] = t->least,
        [THESIS_GREATEST] = t->greatest,
        [THESIS_SHARE] = thesis->weight > 0 ? 1 / thesis->weight : 0,
        [THESIS_L1] = t->l1,
        [THESIS_L2] = t->l2,
        [THESIS_ELIMINATION] = t->elimination,
        [THESIS_SCALE] = t->elimination > 0 ? 1 / t->elimination_scale : 0,
    };
    enum shoal_status status =
        thesis->plan.sums_on_device
            ? SHOAL_OK
            : mlp_thesis_write(thesis, thesis->sums, thesis->slab, thesis->step.slab, error);
    if (!status)
        status = mlp_thesis_write(thesis, thesis->settings, settings, THESIS_SETTINGS, error);
    if (!status)
        status = LAUNCH(thesis_update, thesis->setup.queue, thesis->update,
                        shoal_kernel_groups(thesis->update, thesis->step.tail), error, .sums = thesis->sums,
                        .settings = thesis->settings, .parameters = thesis->parameters, .s0 = thesis->s0,
                        .s1 = thesis->s1, .s2 = thesis->s2, .optimiser = t->optimiser, .step = &thesis->step);
    return status;
}

static enum shoal_status update(struct mlp_thesis *thesis, struct shoal_error *error)
{
    double tail[2];
    struct pass_sums sum;
    enum shoal_status status = take_sums(thesis, error);
    if (!status && thesis->plan.updates_on_device) {
        status = update_there(thesis, error);
        if (!status)
            status = mlp_thesis_read(thesis, thesis->sums, thesis->step.tail, 2, tail, error);
        if (!status && !isfinite(tail[0]))
            return trainer_not_finite(thesis->base.state.update + 1, error);
        sum = sums_of(thesis, tail);
        if (!status)
            trainer_count(&thesis->base.state, 1, &sum);
        return status;
    }
    if (!status)
        status = fetch_sums(thesis, error);
    if (status)
        return status;
    take_gradient(thesis, &sum, thesis->gradient);
    status = trainer_apply(thesis->base.net, thesis->base.training, 1, &sum, thesis->gradient,
                           &thesis->base.state, thesis->own, error);
    return status ? status : mlp_thesis_write_flat(thesis, thesis->parameters, thesis->own, error);
}

enum shoal_status mlp_thesis_update(struct net_training *training, uint64_t count, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < count && !status; i++)
        status = update(thesis_of(training), error);
    return status;
}

/* Judging -------------------------------------------------------------------------------------------------
 */

static enum shoal_status score(struct mlp_thesis *thesis, size_t first, size_t rows, double weight,
                               double tail[2], struct shoal_error *error)
{
    struct thesis_step step = thesis->step;
    step.first = (uint32_t)first;
    step.rows = (uint32_t)rows;
    if (first)
        step.factors += step.outputs;
    enum shoal_status status = launch_pass(thesis, thesis->parameters, &step, error);
    if (!status)
        status = sum(thesis, step.tail, step.tail + 2, error);
    if (!status)
        status = mlp_thesis_read(thesis, thesis->sums, step.tail, 2, tail, error);
    tail[0] /= weight;
    tail[1] /= weight;
    return status;
}

enum shoal_status mlp_thesis_end_epoch(struct net_training *training, struct trainer_epoch *epoch,
                                       struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    const size_t rows = thesis->setup.training_rows, validation = thesis->setup.validation_rows;
    double found[2] = {NAN, NAN};
    *epoch = trainer_epoch_of(&thesis->base.state);
    const bool judges = validation > 0 || training_judges(training->training);
    enum shoal_status status = SHOAL_OK;
    if (validation)
        status = score(thesis, rows, validation, thesis->validation_weight, found, error);
    else if (judges)
        status = score(thesis, 0, rows, thesis->weight, found, error);
    if (status)
        return status;
    if (validation) {
        epoch->validation_loss = found[0];
        epoch->validation_score = found[1];
    }
    if (judges)
        trainer_judge(training->training, found[0], &thesis->base.state, epoch);
    else
        trainer_keep(&thesis->base.state, epoch);
    if (!epoch->is_best)
        return SHOAL_OK;
    if (thesis->plan.updates_on_device)
        return shoal_buffer_copy(thesis->setup.queue, thesis->parameters, 0, thesis->best, 0,
                                 thesis->step.slab * thesis->bytes, error);
    memcpy(thesis->own + thesis->base.net->parameters, thesis->own,
           thesis->base.net->parameters * sizeof *thesis->own);
    return SHOAL_OK;
}

/* State ---------------------------------------------------------------------------------------------------
 */

static void list_state(const struct mlp_thesis *thesis, struct shoal_buffer *list[TRAINER_ARRAYS])
{
    list[0] = thesis->parameters;
    list[1] = thesis->best;
    list[2] = thesis->s0;
    list[3] = thesis->s1;
    list[4] = thesis->s2;
}

static size_t on_device(const struct mlp_thesis *thesis)
{
    return thesis->plan.updates_on_device ? TRAINER_ARRAYS : 1;
}

static enum shoal_status send(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const size_t count = thesis->base.net->parameters;
    struct shoal_buffer *list[TRAINER_ARRAYS];
    enum shoal_status status = SHOAL_OK;
    list_state(thesis, list);
    for (size_t k = 0; k < on_device(thesis) && !status; k++)
        status = mlp_thesis_write_flat(thesis, list[k], thesis->own + k * count, error);
    return status;
}

enum shoal_status mlp_thesis_fetch(struct mlp_thesis *thesis, struct shoal_error *error)
{
    const size_t count = thesis->base.net->parameters;
    struct shoal_buffer *list[TRAINER_ARRAYS];
    enum shoal_status status = SHOAL_OK;
    list_state(thesis, list);
    for (size_t k = 0; thesis->plan.updates_on_device && k < TRAINER_ARRAYS && !status; k++)
        status = mlp_thesis_read_flat(thesis, list[k], thesis->own + k * count, error);
    return status;
}

enum shoal_status mlp_thesis_begin(struct net_training *training, const double *parameters,
                                   struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    trainer_start(thesis->base.net, thesis->base.training, parameters, &thesis->base.state, thesis->own);
    return send(thesis, error);
}

enum shoal_status mlp_thesis_load(struct net_training *training, const struct trainer_state *state,
                                  const double *arrays, struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    thesis->base.state = *state;
    memcpy(thesis->own, arrays, TRAINER_ARRAYS * thesis->base.net->parameters * sizeof *arrays);
    return send(thesis, error);
}

enum shoal_status mlp_thesis_predict(struct net_training *training, const double *parameters, size_t first,
                                     size_t count, double *outputs, struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    const uint32_t width = thesis->base.net->outputs;
    struct thesis_step step = thesis->step;
    step.flags |= THESIS_PREDICTS;
    enum shoal_status status = mlp_thesis_write_flat(thesis, thesis->tried, parameters, error);
    for (size_t done = 0; done < count && !status; done += step.rows) {
        const size_t left = count - done;
        step.first = (uint32_t)(first + done);
        step.rows = (uint32_t)(left < MLP_THESIS_PREDICTED ? left : MLP_THESIS_PREDICTED);
        status = launch_pass(thesis, thesis->tried, &step, error);
        if (!status)
            status = mlp_thesis_read(thesis, thesis->predictions, 0, (size_t)step.rows * width,
                                     outputs + done * width, error);
    }
    return status;
}

/* Methods -------------------------------------------------------------------------------------------------
 */

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member, bool is_v2,
                                struct shoal_error *error)
{
    const struct shoal_mlp_params *params = mlp_params(solver);
    const struct mlp_fold *fold = member->fold;
    struct mlp_rows rows;
    struct mlp_thesis *thesis = NULL;
    enum shoal_status status = mlp_rows_create(fold, &rows, error);
    const struct mlp_thesis_setup setup = {.queue = solver->queue,
                                           .programs = &solver->programs,
                                           .is_double = params->precision == SHOAL_FP64,
                                           .is_v2 = is_v2,
                                           .params = params->thesis,
                                           .net = fold->net,
                                           .training = &member->training,
                                           .rows = &rows.all,
                                           .training_rows = fold->count[SHOAL_MLP_TRAINING],
                                           .validation_rows = fold->count[SHOAL_MLP_VALIDATION]};
    if (!status)
        status = mlp_thesis_create(&setup, &thesis, error);
    if (!status)
        status = mlp_thesis_begin(&thesis->base, member->start, error);
    mlp_rows_destroy(&rows);
    if (status)
        mlp_thesis_destroy(&thesis);
    member->net = thesis ? &thesis->base : NULL;
    return status;
}

static enum shoal_status create_v1(struct shoal_solver *solver, struct mlp_member *member,
                                   struct net_training *shares, struct shoal_error *error)
{
    (void)shares;
    return create(solver, member, false, error);
}

static enum shoal_status create_v2(struct shoal_solver *solver, struct mlp_member *member,
                                   struct net_training *shares, struct shoal_error *error)
{
    (void)shares;
    return create(solver, member, true, error);
}

static void destroy(struct net_training *training)
{
    struct mlp_thesis *thesis = thesis_of(training);
    mlp_thesis_destroy(&thesis);
}

static enum shoal_status parameters(struct net_training *training, bool best, double *out,
                                    struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    const size_t count = training->net->parameters;
    if (thesis->plan.updates_on_device)
        return mlp_thesis_read_flat(thesis, best ? thesis->best : thesis->parameters, out, error);
    memcpy(out, thesis->own + (best ? count : 0), count * sizeof *out);
    return SHOAL_OK;
}

static enum shoal_status save(struct net_training *training, double *arrays, struct shoal_error *error)
{
    struct mlp_thesis *thesis = thesis_of(training);
    const enum shoal_status status = mlp_thesis_fetch(thesis, error);
    memcpy(arrays, thesis->own, TRAINER_ARRAYS * training->net->parameters * sizeof *arrays);
    return status;
}

#define METHOD(name_)                                                                                        \
    {                                                                                                        \
        .base = MLP_METHOD_BASE(#name_), .create_net = create_##name_, .destroy_net = destroy,               \
        .begin_net = mlp_thesis_begin, .update = mlp_thesis_update, .end_epoch = mlp_thesis_end_epoch,       \
        .parameters = parameters, .predict = mlp_thesis_predict, .save_net = save,                           \
        .load_net = mlp_thesis_load                                                                          \
    }

const struct mlp_method mlp_v1_method = METHOD(v1);
const struct mlp_method mlp_v2_method = METHOD(v2);
