/* Loss and gradient of a net over its training rows on the host, for parameters of the caller. */
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "mlp/mlp.h"

#include <stdlib.h>

static enum shoal_status run(const struct mlp_member *member, const double *parameters, double *loss,
                             double *gradient, struct shoal_error *error)
{
    const struct mlp_fold *fold = member->fold;
    const struct prepared *prepared = fold->prepared;
    const struct net *net = fold->net;
    const size_t rows = fold->count[SHOAL_MLP_TRAINING];
    struct pass *pass = NULL;
    enum shoal_status status = check_host_memory((double)rows * net->inputs * sizeof(double),
                                                 "the training rows", "lower their number", error);
    if (status)
        return status;
    double *inputs = malloc((rows * net->inputs + 1) * sizeof *inputs);
    status = inputs ? pass_create(net, rows, &pass, error) : fail_host_memory(error);
    if (!status)
        status = prepared_rows(prepared, 0, rows, inputs, error); /* training rows are the first */
    if (!status) {
        const struct pass_data data = {rows, inputs, prepared->classes, prepared->targets, prepared->weights};
        const struct pass_batch batch = {.data = &data, .count = rows};
        const struct pass_sums sums = pass_run(pass, &batch, parameters, gradient, NULL);
        const double penalty = training_penalty(&member->training, net, parameters, gradient);
        *loss = sums.loss / sums.weight + penalty;
    }
    pass_destroy(&pass);
    free(inputs);
    return status;
}

enum shoal_status shoal_mlp_gradient(struct shoal_solver *solver, uint64_t net, const double *parameters,
                                     double *loss, double *gradient, struct shoal_error *error)
{
    const enum shoal_status status = mlp_check_call("shoal_mlp_gradient", solver, net, error);
    if (status)
        return status;
    if (!NEED(error, parameters, loss))
        return SHOAL_INVALID;
    return run(&mlp_run_of(solver)->members[net], parameters, loss, gradient, error);
}
