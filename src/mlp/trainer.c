/* A trainer makes one update at a time, on rows of the caller. */
#include "mlp/host/trainer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "mlp/device/device.h"
#include "mlp/mlp.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

struct shoal_mlp_trainer {
    struct net *net;
    struct training training;
    double *parameters; /* parameters at the start */
    const struct mlp_method *method;
    struct net_training *updates; /* the net in training, which the method owns */
    struct pass_data rows;        /* rows of the caller, on the host */
    struct prepared prepared;     /* on a device: describes the form of the rows */
    struct programs programs;
    bool has_classes;
};

void shoal_mlp_trainer_params_init(struct shoal_mlp_trainer_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_mlp_trainer_params){.size = sizeof *params};
}

static enum shoal_status check(const struct shoal_mlp_trainer_params *params, struct shoal_error *error)
{
    if (!params->inputs || !params->outputs || !params->rows || params->inputs > UINT32_MAX ||
        params->outputs > UINT32_MAX || params->rows > UINT32_MAX)
        return fail(error, SHOAL_INVALID,
                    "shoal_mlp_trainer_create: %zu inputs, %zu outputs and %zu rows: each is 1 to 2^32 - 1",
                    params->inputs, params->outputs, params->rows);
    return SHOAL_OK;
}

/* Copies the parameters to `params`; params->mlp then points to the block `*mlp`, which the caller frees. */
static enum shoal_status take_params(const struct shoal_mlp_trainer_params *given,
                                     struct shoal_mlp_trainer_params *params, void **mlp,
                                     struct shoal_error *error)
{
    static const char call[] = "shoal_mlp_trainer_create";
    shoal_mlp_trainer_params_init(params);
    *mlp = NULL;
    enum shoal_status status =
        params_take(call, given, "shoal_mlp_trainer_params_init", params, sizeof *params, error);
    if (!status && !NEED_MEMBER_OF(error, call, params, *params, mlp))
        status = SHOAL_INVALID;
    if (!status)
        status = workload_params_take(call, &mlp_workload.face, params->mlp, mlp, error);
    if (!status)
        status = workload_params_check(&mlp_workload.face, *mlp, error);
    params->mlp = *mlp;
    return status ? status : check(params, error);
}

static enum shoal_status create_net(const struct shoal_mlp_trainer_params *params,
                                    struct shoal_mlp_trainer *trainer, struct shoal_error *error)
{
    const struct preparation form = {.task = !params->has_classes   ? PREPARE_NUMBERS
                                             : params->outputs == 1 ? PREPARE_BINARY
                                                                    : PREPARE_CLASSES,
                                     .input_width = params->inputs,
                                     .target_width = params->outputs};
    enum shoal_status status = mlp_net_of(params->mlp, &form, NULL, &trainer->net, error);
    if (!status)
        status = check_host_memory(TRAINER_ARRAYS * sizeof(double) * (double)trainer->net->parameters,
                                   "the parameters of the net", "lower the widths", error);
    if (status)
        return status;
    struct shoal_mlp_params whole = *params->mlp;
    whole.full_batch = true; /* an epoch is one update */
    trainer->training = mlp_training_of(&whole, trainer->net, 0, params->rows, NAN);
    trainer->parameters = calloc(trainer->net->parameters, sizeof *trainer->parameters);
    const struct mlp_fold fold = {.net = trainer->net};
    return trainer->parameters
               ? mlp_start(params->mlp, NULL, &fold, trainer->training.seed, trainer->parameters, error)
               : fail_host_memory(error);
}

/* Creates the net with rows of zeros in the form of the caller's rows, which replace the zeros in each
 * update. */
static enum shoal_status create_on_device(struct shoal_queue *queue,
                                          const struct shoal_mlp_trainer_params *params,
                                          struct shoal_mlp_trainer *trainer, struct shoal_error *error)
{
    const bool is_double = params->mlp->precision == SHOAL_FP64;
    struct prepared *form = &trainer->prepared;
    *form = (struct prepared){.rows = params->rows,
                              .inputs = params->inputs,
                              .outputs = params->outputs,
                              .storage = is_double ? STORAGE_FP64 : STORAGE_FP32,
                              .row_bytes = params->inputs * (is_double ? sizeof(double) : sizeof(float))};
    form->data = calloc(form->rows, form->row_bytes);
    if (params->has_classes)
        form->classes = calloc(form->rows, sizeof *form->classes);
    else
        form->targets = calloc(form->rows, form->outputs * sizeof *form->targets);
    if (!form->data || (!form->classes && !form->targets))
        return fail_host_memory(error);
    const struct mlp_device_setup setup = {.queue = queue,
                                           .programs = &trainer->programs,
                                           .is_double = is_double,
                                           .net = trainer->net,
                                           .training = &trainer->training,
                                           .prepared = form,
                                           .training_rows = form->rows};
    enum shoal_status status = mlp_device_create(&setup, &trainer->updates, error);
    return status ? status : mlp_device_begin(trainer->updates, trainer->parameters, error);
}

static enum shoal_status create_on_host(struct shoal_mlp_trainer *trainer, struct shoal_error *error)
{
    struct trainer *host;
    const enum shoal_status status = trainer_create(trainer->net, &trainer->training, &trainer->rows, NULL,
                                                    trainer->parameters, omp_get_max_threads(), &host, error);
    if (!status)
        trainer->updates = &host->base;
    return status;
}

enum shoal_status shoal_mlp_trainer_create(struct shoal_queue *queue, enum shoal_variant variant,
                                           const struct shoal_mlp_trainer_params *params,
                                           struct shoal_mlp_trainer **out, struct shoal_error *error)
{
    struct shoal_mlp_trainer_params own;
    void *mlp;
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = take_params(params, &own, &mlp, error);
    struct shoal_mlp_trainer *trainer = status ? NULL : calloc(1, sizeof *trainer);
    if (!trainer) {
        free(mlp);
        return status ? status : fail_host_memory(error);
    }
    trainer->has_classes = own.has_classes;
    trainer->rows.rows = own.rows;
    if (queue)
        trainer->programs = (struct programs){.device = shoal_queue_device(queue), .variant = variant};
    trainer->method = queue ? &mlp_device_method : &mlp_host_method;
    status = create_net(&own, trainer, error);
    if (!status)
        status = queue ? create_on_device(queue, &own, trainer, error) : create_on_host(trainer, error);
    free(mlp);
    if (status)
        shoal_mlp_trainer_destroy(&trainer);
    *out = trainer;
    return status;
}

void shoal_mlp_trainer_destroy(struct shoal_mlp_trainer **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_mlp_trainer *trainer = *pointer;
    if (trainer->updates)
        trainer->method->destroy_net(trainer->updates);
    programs_destroy(&trainer->programs);
    free(trainer->prepared.data);
    free(trainer->prepared.classes);
    free(trainer->prepared.targets);
    net_destroy(&trainer->net);
    free(trainer->parameters);
    free(trainer);
    *pointer = NULL;
}

/* Checks that each class is one of the classes of the net: a net with one output has two classes. */
static enum shoal_status check_classes(const struct shoal_mlp_trainer *trainer, const uint32_t *classes,
                                       struct shoal_error *error)
{
    const uint32_t outputs = trainer->net->outputs;
    const uint32_t count = outputs == 1 ? 2 : outputs;
    for (size_t row = 0; row < trainer->rows.rows; row++)
        if (classes[row] >= count)
            return fail(
                error, SHOAL_INVALID,
                "shoal_mlp_trainer_update: row %zu has class %lu: the classes of the net are 0 to %lu",
                row + 1, (unsigned long)classes[row], (unsigned long)count - 1);
    return SHOAL_OK;
}

enum shoal_status shoal_mlp_trainer_update(struct shoal_mlp_trainer *trainer, const double *inputs,
                                           const uint32_t *classes, const double *targets,
                                           struct shoal_error *error)
{
    if (!NEED(error, trainer, inputs) ||
        !(trainer->has_classes ? NEED(error, classes) : NEED(error, targets)))
        return SHOAL_INVALID;
    if (trainer->method != &mlp_host_method)
        return fail(error, SHOAL_INVALID,
                    "shoal_mlp_trainer_update: the trainer is of a device, which takes buffers");
    if (trainer->has_classes) {
        const enum shoal_status status = check_classes(trainer, classes, error);
        if (status)
            return status;
    }
    trainer->rows.inputs = inputs;
    trainer->rows.classes = trainer->has_classes ? classes : NULL;
    trainer->rows.targets = trainer->has_classes ? NULL : targets;
    return trainer_update(trainer->updates, 1, error);
}

enum shoal_status shoal_mlp_trainer_update_buffers(struct shoal_mlp_trainer *trainer,
                                                   struct shoal_buffer *inputs, struct shoal_buffer *answers,
                                                   struct shoal_error *error)
{
    if (!NEED(error, trainer, inputs, answers))
        return SHOAL_INVALID;
    if (trainer->method != &mlp_device_method)
        return fail(error, SHOAL_INVALID,
                    "shoal_mlp_trainer_update_buffers: the trainer is of the host, which takes arrays");
    const struct prepared *form = &trainer->prepared;
    const size_t number = form->row_bytes / form->inputs;
    const size_t wanted = form->rows * (trainer->has_classes ? sizeof(uint32_t) : form->outputs * number);
    if (shoal_buffer_size(inputs) < form->rows * form->row_bytes || shoal_buffer_size(answers) < wanted)
        return fail(
            error, SHOAL_INVALID,
            "shoal_mlp_trainer_update_buffers: inputs need %zu bytes and answers %zu, there are %zu and %zu",
            form->rows * form->row_bytes, wanted, shoal_buffer_size(inputs), shoal_buffer_size(answers));
    mlp_device_borrow(trainer->updates, inputs, answers);
    return mlp_device_update(trainer->updates, 1, error);
}

enum shoal_status shoal_mlp_trainer_loss(struct shoal_mlp_trainer *trainer, double *loss,
                                         struct shoal_error *error)
{
    if (!NEED(error, trainer, loss))
        return SHOAL_INVALID;
    /* On the host, end_epoch of mlp_host_method is not called: it would score rows, but the rows of the
     * caller are not kept. */
    struct trainer_epoch epoch = trainer_epoch_of(&trainer->updates->state);
    const enum shoal_status status = trainer->method == &mlp_host_method
                                         ? SHOAL_OK
                                         : mlp_device_end_epoch(trainer->updates, &epoch, error);
    if (!status)
        *loss = epoch.loss;
    return status;
}

size_t shoal_mlp_trainer_count(const struct shoal_mlp_trainer *trainer)
{
    return trainer ? trainer->net->parameters : 0;
}

enum shoal_status shoal_mlp_trainer_get(struct shoal_mlp_trainer *trainer, double *parameters,
                                        struct shoal_error *error)
{
    if (!NEED(error, trainer, parameters))
        return SHOAL_INVALID;
    return trainer->method->parameters(trainer->updates, false, parameters, error);
}

enum shoal_status shoal_mlp_trainer_set(struct shoal_mlp_trainer *trainer, const double *parameters,
                                        struct shoal_error *error)
{
    if (!NEED(error, trainer, parameters))
        return SHOAL_INVALID;
    return trainer->method->begin_net(trainer->updates, parameters, error);
}
