/* Checkpoints of the workload "mlp": the state of each net, with the figures that a run shows. */
#include "base/error.h"
#include "base/memory.h"
#include "mlp/mlp.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Settings of training that have default rules. Rules may change between versions, but a resumed net keeps
 * its settings. */
struct settings {
    double rate, momentum, decay;
    /* lack of fit of the fold, by which the decay was chosen; NaN: the decay was chosen otherwise */
    double lack_of_fit;
    uint64_t batch; /* rows of an update; 0: all rows */
};

struct counts {
    uint64_t updates;
    struct trainer_state state;
    double epoch[4], best[4]; /* losses and scores of the last epoch, and of the best epoch */
};

static void pack_epoch(const struct trainer_epoch *epoch, double out[4])
{
    out[0] = epoch->loss;
    out[1] = epoch->score;
    out[2] = epoch->validation_loss;
    out[3] = epoch->validation_score;
}

static struct trainer_epoch unpack_epoch(const double in[4])
{
    return (struct trainer_epoch){
        .loss = in[0], .score = in[1], .validation_loss = in[2], .validation_score = in[3]};
}

/* Number of doubles in the states of `count` nets. */
static size_t state_numbers(const struct mlp_member *members, size_t count)
{
    size_t numbers = 0;
    for (size_t i = 0; i < count; i++)
        numbers += MLP_STATE_ARRAYS * members[i].fold->net->parameters;
    return numbers;
}

/* Returns the settings of a net for a checkpoint without the section "settings", by the rules of the earlier
 * version that wrote such files. */
static struct settings settings_without_section(const struct mlp_member *member)
{
    const size_t rows = member->fold->count[SHOAL_MLP_TRAINING], batch = rows / 32;
    return (struct settings){.rate = member->training.rate,
                             .momentum = member->training.momentum,
                             .decay = fmin(0.4, 800 / (double)rows),
                             .lack_of_fit = NAN,
                             .batch = batch < 16    ? 16
                                      : batch > 128 ? 128
                                                    : batch};
}

static struct settings *settings_of(const struct mlp_run *run)
{
    struct settings *all = calloc(run->count, sizeof *all);
    for (size_t i = 0; all && i < run->count; i++) {
        const struct training *training = &run->members[i].training;
        all[i] = (struct settings){.rate = training->rate,
                                   .momentum = training->momentum,
                                   .decay = training->decay,
                                   .lack_of_fit = run->members[i].lack_of_fit,
                                   .batch = training->batch};
    }
    return all;
}

static enum shoal_status read_settings(const struct mlp_run *run, const struct checkpoint *checkpoint,
                                       struct settings *all, struct shoal_error *error)
{
    if (!checkpoint_find(checkpoint, "settings")) {
        for (size_t i = 0; i < run->count; i++)
            all[i] = settings_without_section(&run->members[i]);
        return SHOAL_OK;
    }
    enum shoal_status status = checkpoint_get(checkpoint, "settings", all, run->count * sizeof *all, error);
    for (size_t i = 0; i < run->count && !status; i++) {
        struct training training = run->members[i].training;
        training.rate = all[i].rate;
        training.momentum = all[i].momentum;
        training.decay = all[i].decay;
        if (training_check(&training, NULL) || all[i].lack_of_fit < 0 || all[i].lack_of_fit > 1 ||
            all[i].batch > UINT32_MAX)
            status = checkpoint_damaged(checkpoint, error);
    }
    return status;
}

/* Replaces the settings that no parameter gives by `all`, the settings in the checkpoint. If the batch size
 * of a net changes, the nets of the run are created anew, with memory for their batch sizes. */
static enum shoal_status take_settings(struct shoal_solver *solver, const struct settings *all,
                                       struct shoal_error *error)
{
    const struct shoal_mlp_params *params = mlp_params(solver);
    struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    bool fits = true;
    for (size_t i = 0; i < run->count; i++) {
        struct mlp_member *member = &run->members[i];
        struct training *training = &member->training;
        if (!params->rates && isnan(params->rate))
            training->rate = all[i].rate;
        if (isnan(params->momentum))
            training->momentum = all[i].momentum;
        if (mlp_chooses_decay(params)) {
            training->decay = all[i].decay;
            member->lack_of_fit = all[i].lack_of_fit;
        }
        if (params->batch || params->full_batch || all[i].batch == training->batch)
            continue;
        mlp_set_batch(params, member, (size_t)all[i].batch);
        fits = false;
        status = status ? status : mlp_check_shards(member, error);
    }
    for (size_t i = 0; i < run->count && !fits; i++)
        run->members[i].net = NULL;
    for (size_t i = 0; i < run->count && !fits && !status; i++)
        status = mlp_create_net(solver, i, error);
    return status;
}

static void drop_nets(const struct shoal_solver *solver, const struct mlp_member *dropped,
                      const struct mlp_member *kept)
{
    for (size_t i = 0; i < mlp_run_of(solver)->count; i++)
        if (dropped[i].net && dropped[i].net != kept[i].net)
            mlp_method_of(solver)->destroy_net(dropped[i].net);
}

static struct mlp_member *copy_members(const struct mlp_run *run)
{
    struct mlp_member *copy = malloc(run->count * sizeof *copy);
    if (copy)
        memcpy(copy, run->members, run->count * sizeof *copy);
    return copy;
}

static enum shoal_status save_members(struct shoal_solver *solver, struct counts *counts, double *arrays,
                                      struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    for (size_t i = 0; i < run->count; i++) {
        struct mlp_member *member = &run->members[i];
        struct shoal_error fault = {0};
        const enum shoal_status status = mlp_method_of(solver)->save_net(member->net, arrays, &fault);
        if (status == SHOAL_CHECK_FAILED)
            return fail(error, SHOAL_IO, "no checkpoint is written: %.190s", fault.message);
        if (status) {
            if (error)
                *error = fault;
            return status;
        }
        counts[i].state = member->net->state;
        counts[i].updates = member->updates;
        pack_epoch(&member->epoch, counts[i].epoch);
        pack_epoch(&member->best, counts[i].best);
        arrays += MLP_STATE_ARRAYS * member->fold->net->parameters;
    }
    return SHOAL_OK;
}

enum shoal_status mlp_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                           struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = mlp_judge(solver, error);
    if (status)
        return status;
    if (run->fault[0]) /* no run can continue from a state after a fault, so an older checkpoint is kept */
        return fail(error, SHOAL_IO, "no checkpoint is written: %s", run->fault);
    status = mlp_gather_shares(solver, error);
    if (status)
        return status;
    checkpoint_add(checkpoint, "step", &run->steps, sizeof run->steps);
    schedule_save_seconds(solver, checkpoint);
    return solver->method.method->save(solver, checkpoint, error);
}

enum shoal_status mlp_save_nets(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const size_t numbers = state_numbers(run->members, run->count);
    struct counts *counts = calloc(run->count, sizeof *counts);
    double *arrays = malloc(numbers * sizeof *arrays);
    struct settings *settings = settings_of(run);
    const enum shoal_status status =
        counts && arrays && settings ? save_members(solver, counts, arrays, error) : fail_host_memory(error);
    if (status) {
        free(counts);
        free(arrays);
        free(settings);
        return status;
    }
    checkpoint_add_copy(checkpoint, "counts", counts, run->count * sizeof *counts);
    checkpoint_add_copy(checkpoint, "numbers", arrays, numbers * sizeof *arrays);
    checkpoint_add_copy(checkpoint, "settings", settings, run->count * sizeof *settings);
    return SHOAL_OK;
}

static enum shoal_status load_member(struct shoal_solver *solver, struct mlp_member *member,
                                     const struct counts *counts, const double *arrays,
                                     struct shoal_error *error)
{
    const enum shoal_status status =
        mlp_method_of(solver)->load_net(member->net, &counts->state, arrays, error);
    if (status)
        return status;
    member->updates = counts->updates;
    member->epoch = unpack_epoch(counts->epoch);
    member->epoch.must_stop = training_is_over(&member->training, counts->state.waited);
    member->epoch.plateaus = counts->state.plateaus;
    member->best = unpack_epoch(counts->best);
    member->has_best = counts->state.best_update > 0;
    /* the parameters that end a training may differ between this run and the saved run */
    member->has_ended = mlp_has_ended(mlp_params(solver), member);
    member->is_judged = true;
    member->is_read = false;
    return SHOAL_OK;
}

enum shoal_status mlp_load_nets(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const size_t numbers = state_numbers(run->members, run->count);
    struct counts *counts = calloc(run->count, sizeof *counts);
    double *arrays = malloc(numbers * sizeof *arrays), *at = arrays;
    struct settings *settings = settings_of(run);
    enum shoal_status status = counts && arrays && settings ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = read_settings(run, checkpoint, settings, error);
    if (!status)
        status = take_settings(solver, settings, error);
    if (!status)
        status = checkpoint_get(checkpoint, "counts", counts, run->count * sizeof *counts, error);
    if (!status)
        status = checkpoint_get(checkpoint, "numbers", arrays, numbers * sizeof *arrays, error);
    for (size_t i = 0; i < run->count && !status; i++) {
        const struct counts *of = &counts[i];
        if (of->updates / run->members[i].epoch_updates > run->steps + 1 || of->state.update != of->updates ||
            of->state.best_update > of->updates)
            status = checkpoint_damaged(checkpoint, error);
        else
            status = load_member(solver, &run->members[i], of, at, error);
        at += MLP_STATE_ARRAYS * run->members[i].fold->net->parameters;
    }
    free(counts);
    free(arrays);
    free(settings);
    return status;
}

/* Loads a share of a divided run from its part of each section of the checkpoint. A share that computes
 * shards of batches loads the state of all nets. */
static enum shoal_status load_share(const struct mlp_run *run, struct shoal_solver *share,
                                    const struct checkpoint *whole, struct shoal_error *error)
{
    const struct mlp_member *members = run->members;
    if (mlp_is_shard(share))
        return share->ops->load(share, whole, error);
    const size_t first = (size_t)share->share.first, count = (size_t)share->share.count;
    const size_t of_counts = sizeof(struct counts), of_settings = sizeof(struct settings),
                 of_number = sizeof(double);
    const struct {
        const char *name;
        /* all: bytes of the whole section; before: bytes before the share's part; own: bytes of the share's
         * part */
        size_t all, before, own;
    } list[] = {{"step", sizeof run->steps, 0, sizeof run->steps},
                {"seconds", sizeof(double), 0, sizeof(double)},
                {"settings", run->count * of_settings, first * of_settings, count * of_settings},
                {"counts", run->count * of_counts, first * of_counts, count * of_counts},
                {"numbers", of_number * state_numbers(members, run->count),
                 of_number * state_numbers(members, first),
                 of_number * state_numbers(members + first, count)}};
    struct checkpoint own = {.path = whole->path};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++) {
        const void *data;
        if (!checkpoint_find(whole, list[i].name))
            continue;
        status = checkpoint_expect(whole, list[i].name, list[i].all, &data, error);
        if (!status)
            checkpoint_add(&own, list[i].name, (const char *)data + list[i].before, list[i].own);
    }
    if (!status)
        status = share->ops->load(share, &own, error);
    checkpoint_clear(&own);
    return status;
}

static enum shoal_status load_shares(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const struct solver_shares *shares = solver->shares;
    enum shoal_status status = SHOAL_OK;
    shares->loads(solver, checkpoint);
    for (size_t k = 0; k < shares->count && !status; k++)
        status = load_share(mlp_run_of(solver), shares->solvers[k], checkpoint, error);
    return status;
}

/* Destroys the nets that are not kept: after a success the nets of `before`, after a failure the loaded nets.
 * The nets of a divided run belong to its shares, which destroy them. */
static void end_load(struct shoal_solver *solver, struct mlp_member *before, bool is_loaded)
{
    struct mlp_run *run = mlp_run_of(solver);
    for (size_t i = 0; i < run->count && solver->shares; i++)
        before[i].net = run->members[i].net;
    if (is_loaded) {
        drop_nets(solver, before, run->members);
    } else {
        drop_nets(solver, run->members, before);
        memcpy(run->members, before, run->count * sizeof *before);
    }
}

void mlp_reset(struct mlp_run *run)
{
    run->begun = run->ended = false;
    run->fault[0] = '\0';
    run->steps = run->sampled_work = run->sampled_step = 0;
    run->sample = mlp_no_sample;
    run->sampled_at = 0;
    for (size_t i = 0; i < run->count; i++) {
        struct mlp_member *member = &run->members[i];
        member->updates = 0;
        member->has_ended = member->is_read = member->is_judged = false;
        member->has_best = member->failed = false;
        member->epoch = member->best = mlp_no_epoch;
    }
}

enum shoal_status mlp_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                           struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    struct mlp_member *before = copy_members(run);
    mlp_reset(run);
    enum shoal_status status = before
                                   ? checkpoint_get(checkpoint, "step", &run->steps, sizeof run->steps, error)
                                   : fail_host_memory(error);
    if (!status)
        status = schedule_load_seconds(solver, checkpoint, error);
    if (!status)
        status = (solver->shares ? load_shares : solver->method.method->load)(solver, checkpoint, error);
    if (before)
        end_load(solver, before, !status);
    free(before);
    if (status) {
        mlp_reset(run);
        return status;
    }
    run->begun = true;
    run->sampled_at = solver->earlier_s;
    run->sampled_work = mlp_work(run);
    run->sampled_step = run->steps;
    run->ended = mlp_have_all_ended(run);
    mlp_take_means(solver);
    return SHOAL_OK;
}
