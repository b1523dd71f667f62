/* Divides a run among several solvers: the nets of a set, or the shards of each batch of a net. */
#include "base/error.h"
#include "mlp/device/device.h"
#include "mlp/device/shards.h"
#include "mlp/mlp.h"
#include "workload/steps/schedule.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count_nets(const void *params)
{
    const struct shoal_mlp_params *mlp = params;
    return mlp->nets * (mlp->folds ? mlp->folds : 1);
}

/* Turns off the samples of a share, since samples are means over the nets of all shares. */
static void take(const struct solver_share *share, void *params)
{
    (void)share;
    ((struct shoal_mlp_params *)params)->trace = 0;
}

static const struct workload_split nets = {.scheme = SPLIT_RUNS,
                                           .unit = "net",
                                           .units = "nets",
                                           .numbered_from = 1,
                                           .option = "--nets or --folds",
                                           .count = count_nets,
                                           .take = take};

static uint64_t count_shards(const void *params)
{
    const struct shoal_mlp_params *mlp = params;
    return mlp->method <= SHOAL_MLP_GEMM ? mlp->shards : 0;
}

/* Refuses devices that keep the parameters of a net in different orders, because gradients are added element
 * by element. */
static enum shoal_status agree(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct solver_shares *shares = whole->shares;
    struct net_training *const first = mlp_run_of(shares->solvers[0])->members[0].net;
    for (size_t k = 1; k < shares->count; k++)
        if (!mlp_device_fits(first, mlp_run_of(shares->solvers[k])->members[0].net))
            return fail(
                error, SHOAL_INVALID,
                "%s and %s keep the weights of a net in different orders, so their gradients cannot be "
                "added: name devices of one kind",
                shoal_device_get_info(shares->solvers[0]->device)->id,
                shoal_device_get_info(shares->solvers[k]->device)->id);
    return SHOAL_OK;
}

static const struct workload_split shards = {.scheme = SPLIT_SHARDS,
                                             .unit = "shard",
                                             .units = "shards",
                                             .numbered_from = 1,
                                             .option = "--shards",
                                             .count = count_shards,
                                             .meets = true,
                                             .is_cut_in_steps = true,
                                             .take = take,
                                             .agree = agree};

const struct workload_split *const mlp_splits[] = {&nets, &shards, NULL};

/* Copies members without their nets, which the shares create, all shares at the same time. */
static struct mlp_member *copy_members(const struct mlp_run *whole)
{
    struct mlp_member *members = calloc(whole->count, sizeof *members);
    for (size_t i = 0; members && i < whole->count; i++) {
        const struct mlp_member *from = &whole->members[i];
        members[i] = (struct mlp_member){.fold = from->fold,
                                         .training = from->training,
                                         .lack_of_fit = from->lack_of_fit,
                                         .epoch_updates = from->epoch_updates,
                                         .batch = from->batch,
                                         .epoch = mlp_no_epoch,
                                         .best = mlp_no_epoch,
                                         .start = from->start,
                                         .learned = from->learned};
    }
    return members;
}

enum shoal_status mlp_take_share(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct mlp_run *whole = mlp_run_of(solver->share.whole);
    struct mlp_run *run = mlp_run_of(solver);
    run->problem = whole->problem;
    if (!mlp_is_shard(solver)) {
        run->members = whole->members + solver->share.first;
        run->count = (size_t)solver->share.count;
        return SHOAL_OK;
    }
    run->members = solver->share.first ? copy_members(whole) : whole->members;
    run->count = run->members ? whole->count : 0;
    return run->members ? SHOAL_OK : fail_host_memory(error);
}

void mlp_drop_share(struct shoal_solver *solver)
{
    if (mlp_is_shard(solver) && solver->share.first)
        free(mlp_run_of(solver)->members);
}

/* If shares divide batches, copies the members of the whole run to all shares except the first, because the
 * members may have been judged since the last step. The first share uses the members of the whole run. */
static void tell_members(const struct mlp_run *whole, const struct solver_shares *shares)
{
    for (size_t k = 1; k < shares->count && shares->rules->scheme == SPLIT_SHARDS; k++)
        for (size_t i = 0; i < whole->count; i++) {
            struct mlp_member *own = &mlp_run_of(shares->solvers[k])->members[i];
            struct net_training *net = own->net;
            *own = whole->members[i];
            own->net = net;
        }
}

/* Takes the first fault of all shares: the fault of the earliest epoch, and among faults of one epoch the
 * fault of the first net. */
static void take_fault(struct mlp_run *run, const struct solver_shares *shares)
{
    for (size_t k = 0; k < shares->count; k++) {
        const struct mlp_run *own = mlp_run_of(shares->solvers[k]);
        if (own->fault[0] && (!run->fault[0] || own->fault_step < run->fault_step)) {
            memcpy(run->fault, own->fault, sizeof run->fault);
            run->fault_step = own->fault_step;
        }
    }
}

/* For a share that computes shards of batches: takes from the other shares the parts of the optimiser's state
 * that this share lacks, for each net. */
static enum shoal_status gather_state(struct shoal_solver *share, void *data, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(share);
    enum shoal_status status = SHOAL_OK;
    (void)data;
    for (size_t i = 0; i < run->count && !status; i++)
        status = mlp_device_gather(run->members[i].net, error);
    return status;
}

enum shoal_status mlp_gather_shares(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct solver_shares *shares = solver->shares;
    return shares && shares->rules->scheme == SPLIT_SHARDS ? shares->each(solver, gather_state, NULL, error)
                                                           : SHOAL_OK;
}

enum shoal_status mlp_advance_shares(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    uint64_t done;
    tell_members(run, solver->shares);
    const enum shoal_status status = solver->shares->step(solver, steps, &done, error);
    if (status)
        return status;
    run->steps += done;
    take_fault(run, solver->shares);
    run->ended = mlp_have_all_ended(run);
    if (solver->on_sample && schedule_is_due(mlp_params(solver)->trace, run->steps))
        return mlp_judge(solver, error);
    mlp_take_means(solver);
    return SHOAL_OK;
}
