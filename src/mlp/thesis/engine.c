/* The thesis's methods as engines. */
#include "base/error.h"
#include "mlp/mlp.h"
#include "mlp/thesis/thesis.h"

#include <string.h>

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
                                           .params = &params->thesis,
                                           .net = fold->net,
                                           .training = &member->training,
                                           .rows = &rows.all,
                                           .training_rows = fold->count[SHOAL_MLP_TRAINING],
                                           .validation_rows = fold->count[SHOAL_MLP_VALIDATION]};
    if (!status)
        status = mlp_thesis_create(&setup, &thesis, error);
    if (!status)
        status = mlp_thesis_begin(thesis, member->start, error);
    mlp_rows_destroy(&rows);
    member->engine = thesis;
    return status;
}

static enum shoal_status create_v1(struct shoal_solver *solver, struct mlp_member *member,
                                   struct shoal_error *error)
{
    return create(solver, member, false, error);
}

static enum shoal_status create_v2(struct shoal_solver *solver, struct mlp_member *member,
                                   struct shoal_error *error)
{
    return create(solver, member, true, error);
}

static void destroy(struct mlp_member *member)
{
    struct mlp_thesis *thesis = member->engine;
    mlp_thesis_destroy(&thesis);
    member->engine = NULL;
}

static enum shoal_status begin(struct mlp_member *member, const double *parameters, struct shoal_error *error)
{
    return mlp_thesis_begin(member->engine, parameters, error);
}

static enum shoal_status update(struct mlp_member *member, uint64_t count, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < count && !status; i++)
        status = mlp_thesis_update(member->engine, error);
    return status;
}

static enum shoal_status settle(struct mlp_member *member, uint64_t *updates, struct shoal_error *error)
{
    (void)error;
    *updates = ((struct mlp_thesis *)member->engine)->state.update;
    return SHOAL_OK;
}

static enum shoal_status end_epoch(struct mlp_member *member, struct trainer_epoch *epoch,
                                   struct shoal_error *error)
{
    return mlp_thesis_end_epoch(member->engine, epoch, error);
}

static enum shoal_status parameters(struct mlp_member *member, bool best, double *out,
                                    struct shoal_error *error)
{
    struct mlp_thesis *thesis = member->engine;
    const size_t count = member->fold->net->parameters;
    if (thesis->plan.updates_here)
        return mlp_thesis_read_flat(thesis, best ? thesis->best : thesis->parameters, out, error);
    memcpy(out, thesis->own + (best ? count : 0), count * sizeof *out);
    return SHOAL_OK;
}

static enum shoal_status predict(struct mlp_member *member, const double *parameters, size_t first,
                                 size_t count, double *outputs, struct shoal_error *error)
{
    return mlp_thesis_predict(member->engine, parameters, first, count, outputs, error);
}

static enum shoal_status save(struct mlp_member *member, struct trainer_state *state, double *arrays,
                              struct shoal_error *error)
{
    struct mlp_thesis *thesis = member->engine;
    const enum shoal_status status = mlp_thesis_fetch(thesis, error);
    *state = thesis->state;
    memcpy(arrays, thesis->own, TRAINER_ARRAYS * member->fold->net->parameters * sizeof *arrays);
    return status;
}

static enum shoal_status load(struct mlp_member *member, const struct trainer_state *state,
                              const double *arrays, struct shoal_error *error)
{
    return mlp_thesis_load(member->engine, state, arrays, error);
}

#define OPS                                                                                                  \
    .destroy = destroy, .begin = begin, .update = update, .settle = settle, .end_epoch = end_epoch,          \
    .parameters = parameters, .predict = predict, .save = save, .load = load

const struct mlp_engine mlp_v1_engine = {.create = create_v1, OPS};
const struct mlp_engine mlp_v2_engine = {.create = create_v2, OPS};
