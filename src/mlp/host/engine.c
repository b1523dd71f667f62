/* The host as an engine: a trainer in double precision for each net. */
#include "base/error.h"
#include "mlp/mlp.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct host {
    struct trainer *trainer;
    struct mlp_rows rows;
};

enum { PREDICTED = 1024 }; /* rows of a pass, as many as a trainer's takes */

static void destroy(struct mlp_member *member)
{
    struct host *host = member->engine;
    if (!host)
        return;
    trainer_destroy(&host->trainer);
    mlp_rows_destroy(&host->rows);
    free(host);
    member->engine = NULL;
}

static enum shoal_status create(struct shoal_solver *solver, struct mlp_member *member,
                                struct shoal_error *error)
{
    const struct mlp_fold *fold = member->fold;
    const int threads = solver->threads ? solver->threads : omp_get_max_threads();
    struct host *host = member->engine = calloc(1, sizeof *host);
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status = mlp_rows_create(fold, &host->rows, error);
    return status ? status
                  : trainer_create(fold->net, &member->training, &host->rows.part[SHOAL_MLP_TRAINING],
                                   fold->count[SHOAL_MLP_VALIDATION] ? &host->rows.part[SHOAL_MLP_VALIDATION]
                                                                     : NULL,
                                   member->start, threads, &host->trainer, error);
}

static enum shoal_status begin(struct mlp_member *member, const double *parameters, struct shoal_error *error)
{
    (void)error;
    struct host *host = member->engine;
    trainer_begin(host->trainer, parameters);
    return SHOAL_OK;
}

static enum shoal_status update(struct mlp_member *member, uint64_t count, struct shoal_error *error)
{
    struct host *host = member->engine;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < count && !status; i++)
        status = trainer_update(host->trainer, error);
    return status;
}

static enum shoal_status settle(struct mlp_member *member, uint64_t *updates, struct shoal_error *error)
{
    (void)error;
    *updates = ((struct host *)member->engine)->trainer->state.update;
    return SHOAL_OK;
}

static enum shoal_status end_epoch(struct mlp_member *member, struct trainer_epoch *epoch,
                                   struct shoal_error *error)
{
    (void)error;
    struct host *host = member->engine;
    *epoch = trainer_end_epoch(host->trainer);
    return SHOAL_OK;
}

static enum shoal_status parameters(struct mlp_member *member, bool best, double *out,
                                    struct shoal_error *error)
{
    (void)error;
    const struct trainer *trainer = ((struct host *)member->engine)->trainer;
    memcpy(out, best ? trainer->best : trainer->parameters, member->fold->net->parameters * sizeof *out);
    return SHOAL_OK;
}

static enum shoal_status predict(struct mlp_member *member, const double *parameters, size_t first,
                                 size_t count, double *outputs, struct shoal_error *error)
{
    (void)error;
    struct host *host = member->engine;
    for (size_t done = 0; done < count; done += PREDICTED) {
        const struct pass_batch batch = {.data = &host->rows.all,
                                         .first = first + done,
                                         .count = count - done < PREDICTED ? count - done : PREDICTED};
        pass_run(host->trainer->pass, &batch, parameters, NULL, outputs + done * member->fold->net->outputs);
    }
    return SHOAL_OK;
}

static enum shoal_status save(struct mlp_member *member, struct trainer_state *state, double *arrays,
                              struct shoal_error *error)
{
    (void)error;
    const struct trainer *trainer = ((struct host *)member->engine)->trainer;
    *state = trainer->state;
    memcpy(arrays, trainer->parameters, MLP_STATE_ARRAYS * member->fold->net->parameters * sizeof *arrays);
    return SHOAL_OK;
}

static enum shoal_status load(struct mlp_member *member, const struct trainer_state *state,
                              const double *arrays, struct shoal_error *error)
{
    (void)error;
    struct trainer *trainer = ((struct host *)member->engine)->trainer;
    trainer->state = *state;
    memcpy(trainer->parameters, arrays, MLP_STATE_ARRAYS * member->fold->net->parameters * sizeof *arrays);
    return SHOAL_OK;
}

const struct mlp_engine mlp_host_engine = {.create = create,
                                           .destroy = destroy,
                                           .begin = begin,
                                           .update = update,
                                           .settle = settle,
                                           .end_epoch = end_epoch,
                                           .parameters = parameters,
                                           .predict = predict,
                                           .save = save,
                                           .load = load};
