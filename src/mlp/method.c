/* What the methods of the workload "mlp" have in common: they create and train the nets of a solver, epoch by
 * epoch, and decide when each training ends. */
#include "base/error.h"
#include "mlp/mlp.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* LAUNCHED: most updates in one call of a method, after which the watchdog is told of progress; about a tenth
 * of a second on a slow device. JUDGED: without other reasons, a device judges one epoch in JUDGED epochs;
 * see must_judge. */
enum { LAUNCHED = 1024, JUDGED = 256 };
/* Most products of weights and inputs that the host computes between two checks whether the run must end:
 * about 10 ms. */
static const double most_products = 1e7;

/* Create ------------------------------------------------------------------------------------------------- */

enum shoal_status mlp_create_net(struct shoal_solver *solver, size_t index, struct shoal_error *error)
{
    struct mlp_member *members = mlp_run_of(solver)->members;
    const bool shares = index && members[index - 1].fold == members[index].fold;
    return mlp_method_of(solver)->create_net(solver, &members[index], shares ? members[index - 1].net : NULL,
                                             error);
}

enum shoal_status mlp_create_nets(struct shoal_solver *solver, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < mlp_run_of(solver)->count && !status; i++)
        status = mlp_create_net(solver, i, error);
    return status;
}

void mlp_destroy_nets(struct shoal_solver *solver)
{
    const struct mlp_run *run = mlp_run_of(solver);
    for (size_t i = 0; i < run->count; i++) {
        if (run->members[i].net)
            mlp_method_of(solver)->destroy_net(run->members[i].net);
        run->members[i].net = NULL;
    }
}

/* Epochs ------------------------------------------------------------------------------------------------- */

enum shoal_status mlp_begin_nets(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < run->count && !status; i++)
        status = mlp_method_of(solver)->begin_net(run->members[i].net, run->members[i].start, error);
    return status;
}

/* Waits for the updates of a net. `*updates` receives the number of updates before the first whose loss is
 * not finite. SHOAL_CHECK_FAILED: see struct mlp_method. */
static enum shoal_status settle(struct shoal_solver *solver, const struct mlp_member *member,
                                uint64_t *updates, struct shoal_error *error)
{
    if (mlp_method_of(solver)->settle)
        return mlp_method_of(solver)->settle(member->net, updates, error);
    *updates = member->net->state.update;
    return SHOAL_OK;
}

/* Handles a loss that is not finite: the training of this net ends, and the other nets continue. The message
 * about the first such loss is kept, and the check of the result reports it. */
static enum shoal_status note_fault(struct shoal_solver *solver, struct mlp_member *member,
                                    enum shoal_status status, const struct shoal_error *fault,
                                    struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const size_t before = mlp_is_shard(solver) ? 0 : (size_t)solver->share.first,
                 index = before + (size_t)(member - run->members), nets = mlp_params(solver)->nets,
                 folds = run->problem.fold_count;
    char which[60] = "";
    if (status != SHOAL_CHECK_FAILED) {
        if (status && error)
            *error = *fault;
        return status;
    }
    member->has_ended = member->failed = true;
    member->is_read = false;
    /* This call fails with SHOAL_CHECK_FAILED again, because of the same loss. */
    const enum shoal_status again = settle(solver, member, &member->updates, error);
    if (again && again != SHOAL_CHECK_FAILED)
        return again;
    if (run->fault[0])
        return SHOAL_OK;
    if (nets > 1 && folds > 1)
        snprintf(which, sizeof which, "net %zu, fold %zu: ", index % nets + 1, index / nets + 1);
    else if (nets > 1 || folds > 1)
        snprintf(which, sizeof which, "%s %zu: ", nets > 1 ? "net" : "fold", index + 1);
    snprintf(run->fault, sizeof run->fault, "%s%.*s", which, (int)(sizeof run->fault - sizeof which - 1),
             fault->message);
    run->fault_step = run->steps;
    return SHOAL_OK;
}

/* Whether to judge the epoch that has just ended. Judging waits for a device, so an epoch on a device is
 * judged only if something depends on its loss, and otherwise once in JUDGED epochs. If a later loss is not
 * finite, the result then has the parameters of a judged epoch instead of the initial parameters. */
static bool must_judge(const struct shoal_solver *solver, const struct mlp_member *member)
{
    const struct shoal_mlp_params *params = mlp_params(solver);
    const bool ends_in_next = params->updates && params->updates < member->updates + member->epoch_updates;
    const bool is_cheap = !solver->queue || member->updates / member->epoch_updates % JUDGED == 0;
    return is_cheap || ends_in_next || member->fold->count[SHOAL_MLP_VALIDATION] > 0 ||
           training_judges(&member->training) || !isnan(params->target_loss) ||
           !isnan(params->target_accuracy) ||
           (solver->on_sample && schedule_is_due(params->trace, mlp_run_of(solver)->steps + 1));
}

/* Judges the epoch that ended last, unless it was judged before. */
static enum shoal_status judge(const struct shoal_solver *solver, struct mlp_member *member,
                               struct shoal_error *error)
{
    if (member->is_judged || member->failed || member->updates < member->epoch_updates ||
        member->updates % member->epoch_updates)
        return SHOAL_OK;
    const enum shoal_status status = mlp_method_of(solver)->end_epoch(member->net, &member->epoch, error);
    member->is_judged = !status;
    if (!status && member->epoch.is_best) {
        member->best = member->epoch;
        member->has_best = true;
    }
    return status;
}

/* Number of updates between two checks whether the run must end. */
static uint64_t updates_at_once(const struct shoal_solver *solver, const struct mlp_member *member)
{
    const double each = (double)member->batch * (double)member->fold->net->parameters;
    if (solver->queue || each * LAUNCHED <= most_products)
        return LAUNCHED;
    return each < most_products ? (uint64_t)(most_products / each) : 1;
}

/* Makes the updates of the current epoch that are left. If the run must end, the call returns earlier,
 * between two calls of the method; then *is_whole is false, and the next call continues. */
static enum shoal_status make_epoch(struct shoal_solver *solver, struct mlp_member *member, bool *is_whole,
                                    struct shoal_error *error)
{
    const struct shoal_mlp_params *params = mlp_params(solver);
    enum shoal_status status = SHOAL_OK;
    const uint64_t most = updates_at_once(solver, member);
    uint64_t left = member->epoch_updates - member->updates % member->epoch_updates;
    if (params->updates && params->updates - member->updates < left)
        left = params->updates - member->updates;
    member->is_read = false;
    while (left && !status && !solver_must_end(solver)) {
        const uint64_t now = left < most ? left : most;
        status = mlp_method_of(solver)->update(member->net, now, error);
        if (status)
            return status;
        member->updates += now;
        left -= now;
        solver_got_further(solver);
    }
    *is_whole = !left;
    if (left || member->updates % member->epoch_updates) { /* the run ends within the epoch */
        uint64_t counted;
        status = settle(solver, member, &counted, error);
    } else {
        member->is_judged = false;
        if (must_judge(solver, member))
            status = judge(solver, member, error);
    }
    if (!left)
        member->has_ended = mlp_has_ended(params, member);
    return status;
}

enum shoal_status mlp_judge(struct shoal_solver *solver, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    struct shoal_error fault = {0};
    for (size_t i = 0; i < run->count && !status; i++)
        status = note_fault(solver, &run->members[i], judge(solver, &run->members[i], &fault), &fault, error);
    if (!status && run->begun)
        mlp_take_means(solver);
    return status;
}

/* Nets take turns, an epoch at a time, because they share one queue. */
enum shoal_status mlp_advance_nets(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    struct shoal_error fault = {0};
    bool is_whole = true;
    for (uint64_t i = 0; i < steps && !run->ended && is_whole && !status; i++) {
        bool ends_epoch = false;
        for (size_t k = 0; k < run->count && is_whole && !status; k++) {
            struct mlp_member *member = &run->members[k];
            const bool is_done =
                member->has_ended || member->updates >= (run->steps + 1) * member->epoch_updates;
            if (!is_done)
                status =
                    note_fault(solver, member, make_epoch(solver, member, &is_whole, &fault), &fault, error);
            ends_epoch = ends_epoch || member->updates == (run->steps + 1) * member->epoch_updates;
        }
        if (status || !is_whole)
            return status;
        run->steps += ends_epoch;
        run->ended = mlp_have_all_ended(run);
        mlp_take_means(solver);
    }
    return status;
}

enum shoal_status mlp_learn(struct shoal_solver *solver, struct mlp_member *member, struct shoal_error *error)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const size_t count = member->fold->net->parameters;
    struct shoal_error fault = {0};
    enum shoal_status status = note_fault(solver, member, judge(solver, member, &fault), &fault, error);
    if (status || member->is_read)
        return status;
    /* The result has the initial parameters if a loss was not finite before any epoch was judged, or if
     * training has not begun: a device then has no parameters. */
    bool takes_start = !run->begun || (member->failed && !member->has_best);
    if (!takes_start)
        status =
            mlp_method_of(solver)->parameters(member->net, mlp_takes_best(member), member->learned, error);
    /* The loss of an epoch's last update may be finite while the parameters after it are not. */
    for (size_t i = 0; i < count && !takes_start && !status && member->failed; i++)
        takes_start = !isfinite(member->learned[i]);
    if (takes_start)
        memcpy(member->learned, member->start, count * sizeof *member->learned);
    member->is_read = !status;
    return status;
}
