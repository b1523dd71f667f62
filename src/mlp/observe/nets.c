/* Data of single nets of a set, and the choice of the best net. */
#include "base/error.h"
#include "base/params.h"
#include "mlp/mlp.h"

#include <inttypes.h>
#include <math.h>

enum shoal_status shoal_mlp_net_at(struct shoal_solver *solver, uint64_t net, struct shoal_mlp_net *out,
                                   struct shoal_error *error)
{
    if (!NEED(error, solver, out))
        return SHOAL_INVALID;
    enum shoal_status status = mlp_check_call(__func__, solver, net, error);
    if (!status)
        status = RESULT_CHECK(out, lack_of_fit, error);
    if (!status)
        status = mlp_judge(solver, error);
    if (status)
        return status;
    const uint64_t nets = mlp_params(solver)->nets;
    const struct mlp_member *member = &mlp_run_of(solver)->members[net];
    const struct trainer_epoch *epoch = mlp_epoch_of(member);
    struct shoal_mlp_net found = {.fold = net / nets,
                                  .number = net % nets,
                                  .seed = member->training.seed,
                                  .updates = member->updates,
                                  .rate = member->training.rate,
                                  .decay = member->training.decay,
                                  .loss = epoch->loss,
                                  .validation_loss = epoch->validation_loss,
                                  .has_failed = member->failed,
                                  .lack_of_fit = member->lack_of_fit};
    for (int part = 0; part < SHOAL_MLP_PARTS; part++)
        found.scores[part] = member->scores[part];
    RESULT_GIVE(&found, lack_of_fit, out);
    return SHOAL_OK;
}

/* Mean over the folds of the losses by which net `number` is judged; infinity: the net failed in a fold. */
static double loss_of(const struct mlp_run *run, uint64_t nets, uint64_t number)
{
    double sum = 0;
    for (size_t i = number; i < run->count; i += nets) {
        const struct mlp_member *member = &run->members[i];
        const double loss = mlp_judged_loss(mlp_epoch_of(member));
        if (member->failed || !(loss < INFINITY))
            return INFINITY;
        sum += loss;
    }
    return sum / (double)run->problem.fold_count;
}

uint64_t mlp_best_of(const struct shoal_solver *solver)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const uint64_t nets = mlp_params(solver)->nets;
    double least = INFINITY;
    uint64_t best = 0;
    for (uint64_t k = 0; k < nets; k++) {
        const double loss = loss_of(run, nets, k);
        if (loss < least) {
            best = k;
            least = loss;
        }
    }
    return best;
}

enum shoal_status shoal_mlp_best_net(struct shoal_solver *solver, uint64_t *number, struct shoal_error *error)
{
    if (!NEED(error, solver, number))
        return SHOAL_INVALID;
    enum shoal_status status = mlp_check_call(__func__, solver, 0, error);
    if (!status)
        status = mlp_judge(solver, error);
    if (!status)
        *number = mlp_best_of(solver);
    return status;
}
