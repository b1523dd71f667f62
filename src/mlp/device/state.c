/* Saves and loads the state of a training on a device, and makes training on a device a method of the solver.
 */
#include "base/error.h"
#include "mlp/device/device.h"
#include "mlp/device/form.h"
#include "mlp/host/trainer.h"
#include "mlp/mlp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lists the arrays of the state, in the order of mlp_device_save. NULL: the optimiser does not use the
 * array. */
enum { STATE_ARRAYS = 5 };
static void list_arrays(const struct mlp_device *device, struct shoal_buffer *arrays[STATE_ARRAYS])
{
    const int optimiser = device->base.training->optimiser;
    arrays[0] = device->parameters;
    arrays[1] = device->best;
    arrays[2] = optimiser != MLP_SGD ? device->s0 : NULL;
    arrays[3] = optimiser >= MLP_ADAM ? device->s1 : NULL;
    arrays[4] = optimiser == MLP_IRPROP_PLUS ? device->s2 : NULL;
}

enum shoal_status mlp_device_save(struct net_training *training, double *arrays, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const size_t count = device->base.net->parameters;
    struct shoal_buffer *buffers[STATE_ARRAYS];
    double losses[2];
    list_arrays(device, buffers);
    uint64_t ignored;
    enum shoal_status status = mlp_device_settle(training, &ignored, error);
    for (size_t k = 0; k < STATE_ARRAYS && !status; k++) {
        memset(arrays + k * count, 0, count * sizeof *arrays);
        if (buffers[k])
            status = device_read_parameters(device, buffers[k], arrays + k * count, error);
    }
    if (!status)
        status = device_read(device, device->losses, 0, losses, 2, error);
    if (status)
        return status;
    training->state.previous_loss = losses[1 - device_loss_turn(training->state.update)];
    return SHOAL_OK;
}

enum shoal_status mlp_device_load(struct net_training *training, const struct trainer_state *state,
                                  const double *arrays, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const size_t count = device->base.net->parameters;
    const double losses[2] = {state->previous_loss, state->previous_loss};
    struct shoal_buffer *buffers[STATE_ARRAYS];
    list_arrays(device, buffers);
    enum shoal_status status = device_write(device, device->losses, losses, 2, error);
    for (size_t k = 0; k < STATE_ARRAYS && !status; k++)
        if (buffers[k])
            status = device_write_parameters(device, buffers[k], arrays + k * count, error);
    device->base.state = *state;
    device->harvested = device->window = device->window_end = state->update;
    return status ? status : device->form->refresh(device, error);
}

enum shoal_status mlp_device_begin(struct net_training *training, const double *parameters,
                                   struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const size_t count = device->base.net->parameters;
    struct trainer_state state;
    double *const arrays = calloc(TRAINER_ARRAYS * count, sizeof *arrays);
    if (!arrays)
        return fail_host_memory(error);
    trainer_start(device->base.net, device->base.training, parameters, &state, arrays);
    const enum shoal_status status = mlp_device_load(training, &state, arrays, error);
    free(arrays);
    return status;
}

enum shoal_status mlp_device_parameters(struct net_training *training, bool best, double *parameters,
                                        struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    return device_read_parameters(device, best ? device->best : device->parameters, parameters, error);
}

/* Method ------------------------------------------------------------------------------------------------ */

static bool is_double(const struct shoal_solver *solver)
{
    return mlp_params(solver)->precision == SHOAL_FP64;
}

static enum shoal_status prepare(const struct shoal_solver *solver, const struct mlp_fold *fold,
                                 struct shoal_error *error)
{
    return is_double(solver) ? SHOAL_OK : prepared_narrow(fold->prepared, error);
}

/* Number of folds of which the solver has nets. */
static size_t folds_of(const struct mlp_run *run, size_t nets)
{
    size_t folds = 1;
    for (size_t i = 1; i < nets; i++)
        folds += run->members[i].fold != run->members[i - 1].fold;
    return folds;
}

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member,
                                struct net_training *shares, struct shoal_error *error)
{
    const struct mlp_fold *fold = member->fold;
    struct mlp_run *run = mlp_run_of(solver);
    const size_t nets = mlp_nets_of(solver);
    const struct mlp_device_setup setup = {
        .queue = solver->queue,
        .programs = &solver->programs,
        .is_double = is_double(solver),
        .net = fold->net,
        .training = &member->training,
        .prepared = fold->prepared,
        .training_rows = fold->count[SHOAL_MLP_TRAINING],
        .validation_rows = fold->count[SHOAL_MLP_VALIDATION],
        .chunk_rows = mlp_params(solver)->chunk_rows,
        .nets = (size_t)((double)nets * solver_on_memory(solver)),
        .data_sets = (size_t)ceil((double)folds_of(run, nets) * solver_on_memory(solver)),
        .shares = shares,
        .solver = mlp_is_shard(solver) ? solver : NULL};
    const enum shoal_status status = mlp_device_create(&setup, &member->net, error);
    if (!status)
        run->chunk_rows = mlp_device_chunk_rows(member->net);
    return status;
}

static void destroy(struct net_training *training)
{
    mlp_device_destroy(&training);
}

const struct mlp_method mlp_device_method = {.base = MLP_METHOD_BASE("device"),
                                             .prepare = prepare,
                                             .create_net = create,
                                             .destroy_net = destroy,
                                             .begin_net = mlp_device_begin,
                                             .update = mlp_device_update,
                                             .settle = mlp_device_settle,
                                             .end_epoch = mlp_device_end_epoch,
                                             .parameters = mlp_device_parameters,
                                             .predict = mlp_device_predict,
                                             .save_net = mlp_device_save,
                                             .load_net = mlp_device_load};
