/* The calls of shoal_mlp, a net that a program creates, trains, saves and uses for predictions; and the call
 * that makes a model from the result of a solver. */
#include "base/error.h"
#include "base/params.h"
#include "mlp/files/model.h"
#include "mlp/mlp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct shoal_mlp {
    struct shoal_device *device;
    void *params;                  /* parameters, in a block that workload_params_take has made */
    struct shoal_mlp_model *model; /* NULL: the net is not trained yet */
    bool (*stop)(void *data);      /* NULL: nothing stops a training */
    void *stop_data;
};

enum shoal_status shoal_mlp_model_of(struct shoal_solver *solver, uint64_t net, struct shoal_mlp_model **out,
                                     struct shoal_error *error)
{
    if (!NEED(error, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = mlp_check_call("shoal_mlp_model_of", solver, net, error);
    if (status)
        return status;
    struct mlp_member *member = &mlp_run_of(solver)->members[net];
    const struct trainer_epoch *epoch = mlp_epoch_of(member);
    char notes[160];
    status = mlp_learn(solver, member, error);
    if (status)
        return status;
    snprintf(notes, sizeof notes, "%" PRIu64 " updates, loss %.6g, validation loss %.6g, seed %" PRIu64,
             member->updates, epoch->loss, epoch->validation_loss, member->training.seed);
    const struct model_parts parts = {.net = member->fold->net,
                                      .parameters = member->learned,
                                      .preparation = member->fold->preparation,
                                      .precision = (enum shoal_precision)mlp_params(solver)->precision,
                                      .creator = "shoal mlp",
                                      .notes = notes};
    return model_create(&parts, out, error);
}

enum shoal_status shoal_mlp_create(struct shoal_device *device, const struct shoal_mlp_params *params,
                                   struct shoal_mlp **out, struct shoal_error *error)
{
    if (!NEED(error, device, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct shoal_mlp *mlp = calloc(1, sizeof *mlp);
    if (!mlp)
        return fail_host_memory(error);
    mlp->device = device;
    enum shoal_status status =
        workload_params_take(__func__, &mlp_workload.face, params, &mlp->params, error);
    if (!status)
        status = shoal_workload_validate(NULL, &mlp_workload.face, mlp->params, error);
    if (status)
        shoal_mlp_destroy(&mlp);
    *out = mlp;
    return status;
}

static enum shoal_status keep_best(struct shoal_mlp *mlp, struct shoal_solver *solver, double *score,
                                   struct shoal_error *error)
{
    uint64_t best = 0;
    enum shoal_status status = shoal_mlp_best_net(solver, &best, error);
    if (!status)
        status = shoal_mlp_model_of(solver, best, &mlp->model, error);
    if (status || !score)
        return status;
    const struct mlp_member *member = &mlp_run_of(solver)->members[best];
    int part = SHOAL_MLP_TEST;
    while (part > SHOAL_MLP_TRAINING && !member->fold->count[part])
        part--;
    *score = member->scores[part];
    return SHOAL_OK;
}

enum shoal_status shoal_mlp_train(struct shoal_mlp *mlp, double *score, struct shoal_error *error)
{
    struct shoal_run_params run;
    struct shoal_report report = {0};
    if (!mlp)
        return fail(error, SHOAL_INVALID, "shoal_mlp_train: no net");
    shoal_run_params_init(&run);
    run.stop = mlp->stop;
    run.data = mlp->stop_data;
    enum shoal_status status = shoal_run(&mlp_workload.face, mlp->device, mlp->params, &run, &report, error);
    shoal_mlp_model_destroy(&mlp->model);
    /* A run that was stopped, or whose check failed because a loss was not finite, has a result, too. */
    if (report.solver && (!status || status == SHOAL_CHECK_FAILED || status == SHOAL_STOPPED)) {
        const enum shoal_status kept = keep_best(mlp, report.solver, score, status ? NULL : error);
        status = status ? status : kept;
    }
    shoal_report_clear(&report);
    return status;
}

void shoal_mlp_set_stop(struct shoal_mlp *mlp, bool (*stop)(void *data), void *data)
{
    if (!mlp)
        return;
    mlp->stop = stop;
    mlp->stop_data = data;
}

const struct shoal_mlp_model *shoal_mlp_trained(const struct shoal_mlp *mlp)
{
    return mlp ? mlp->model : NULL;
}

static enum shoal_status check_trained(const struct shoal_mlp *mlp, const char *call,
                                       struct shoal_error *error)
{
    return mlp && mlp->model
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID, "%s: the net is not trained: call shoal_mlp_train", call);
}

enum shoal_status shoal_mlp_save(const struct shoal_mlp *mlp, const char *path, struct shoal_error *error)
{
    const enum shoal_status status = check_trained(mlp, "shoal_mlp_save", error);
    return status ? status : shoal_mlp_model_save(mlp->model, path, NULL, error);
}

enum shoal_status shoal_mlp_predict(const struct shoal_mlp *mlp, const double *rows, size_t count,
                                    double *outputs, struct shoal_error *error)
{
    const enum shoal_status status = check_trained(mlp, "shoal_mlp_predict", error);
    return status ? status : shoal_mlp_model_predict(mlp->model, rows, count, outputs, error);
}

void shoal_mlp_destroy(struct shoal_mlp **mlp)
{
    if (!mlp || !*mlp)
        return;
    shoal_mlp_model_destroy(&(*mlp)->model);
    free((*mlp)->params);
    free(*mlp);
    *mlp = NULL;
}
