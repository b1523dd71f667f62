/* Divides a set of nets among several solvers: the nets of each solver, and their epochs. */
#include "mlp/mlp.h"
#include "workload/steps/schedule.h"

#include <string.h>

static uint64_t count_nets(const void *params)
{
    const struct shoal_mlp_params *mlp = params;
    return mlp->nets * (mlp->folds ? mlp->folds : 1);
}

/* Samples are those of all nets. */
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

const struct workload_split *const mlp_splits[] = {&nets, NULL};

void mlp_take_share(struct shoal_solver *solver)
{
    const struct mlp_run *whole = mlp_run_of(solver->share.whole);
    struct mlp_run *run = mlp_run_of(solver);
    run->problem = whole->problem;
    run->members = whole->members + solver->share.first;
    run->count = (size_t)solver->share.count;
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

enum shoal_status mlp_advance_shares(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    uint64_t done;
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
