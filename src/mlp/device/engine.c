/* Devices as an engine. */
#include "mlp/device/device.h"
#include "mlp/mlp.h"

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member,
                                struct shoal_error *error)
{
    const struct mlp_fold *fold = member->fold;
    const struct mlp_run *run = mlp_run_of(solver);
    const bool is_first = member == run->members || member[-1].fold != fold;
    const bool is_double = mlp_params(solver)->precision == SHOAL_FP64;
    const struct mlp_device_setup setup = {.queue = solver->queue,
                                           .programs = &solver->programs,
                                           .is_double = is_double,
                                           .net = fold->net,
                                           .training = &member->training,
                                           .prepared = fold->prepared,
                                           .training_rows = fold->count[SHOAL_MLP_TRAINING],
                                           .validation_rows = fold->count[SHOAL_MLP_VALIDATION],
                                           .chunk_rows = mlp_params(solver)->chunk_rows,
                                           .nets = run->problem.fold_count * mlp_params(solver)->nets,
                                           .data_sets = run->problem.fold_count,
                                           .shares = is_first ? NULL : member[-1].engine};
    struct mlp_device *device = NULL;
    enum shoal_status status = is_double ? SHOAL_OK : prepared_narrow(fold->prepared, error);
    if (!status)
        status = mlp_device_create(&setup, &device, error);
    member->engine = device;
    if (!status)
        mlp_run_of(solver)->chunk_rows = mlp_device_chunk_rows(device);
    return status;
}

static void destroy(struct mlp_member *member)
{
    struct mlp_device *device = member->engine;
    mlp_device_destroy(&device);
    member->engine = NULL;
}

static enum shoal_status begin(struct mlp_member *member, const double *parameters, struct shoal_error *error)
{
    return mlp_device_begin(member->engine, parameters, error);
}

static enum shoal_status update(struct mlp_member *member, uint64_t count, struct shoal_error *error)
{
    return mlp_device_update(member->engine, count, error);
}

static enum shoal_status settle(struct mlp_member *member, uint64_t *updates, struct shoal_error *error)
{
    return mlp_device_settle(member->engine, updates, error);
}

static enum shoal_status end_epoch(struct mlp_member *member, struct trainer_epoch *epoch,
                                   struct shoal_error *error)
{
    return mlp_device_end_epoch(member->engine, epoch, error);
}

static enum shoal_status parameters(struct mlp_member *member, bool best, double *out,
                                    struct shoal_error *error)
{
    return mlp_device_parameters(member->engine, best, out, error);
}

static enum shoal_status predict(struct mlp_member *member, const double *own, size_t first, size_t count,
                                 double *outputs, struct shoal_error *error)
{
    return mlp_device_predict(member->engine, own, first, count, outputs, error);
}

static enum shoal_status save(struct mlp_member *member, struct trainer_state *state, double *arrays,
                              struct shoal_error *error)
{
    return mlp_device_save(member->engine, state, arrays, error);
}

static enum shoal_status load(struct mlp_member *member, const struct trainer_state *state,
                              const double *arrays, struct shoal_error *error)
{
    return mlp_device_load(member->engine, state, arrays, error);
}

const struct mlp_engine mlp_device_engine = {.create = create,
                                             .destroy = destroy,
                                             .begin = begin,
                                             .update = update,
                                             .settle = settle,
                                             .end_epoch = end_epoch,
                                             .parameters = parameters,
                                             .predict = predict,
                                             .save = save,
                                             .load = load};
