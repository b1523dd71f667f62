/* The solver of the workload "mlp", for the host and for devices. */
#include "base/error.h"
#include "base/memory.h"
#include "compute/device.h"
#include "compute/log.h"
#include "mlp/mlp.h"
#include "workload/arrays.h"
#include "workload/steps/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct trainer_epoch mlp_no_epoch = {NAN, NAN, NAN, NAN, false, false, 0};
const struct shoal_mlp_sample mlp_no_sample = {.loss = NAN,
                                               .score = NAN,
                                               .validation_loss = NAN,
                                               .validation_score = NAN,
                                               .rate = NAN,
                                               .samples_per_second = NAN};

/* Create ------------------------------------------------------------------------------------------------- */

/* Checks, before any net is created, that there is memory for the arrays of parameters of all nets of this
 * solver; the nets need at least these arrays. The nets of all folds have the same number of parameters. */
static enum shoal_status check_memory(struct shoal_solver *solver, const struct net *net,
                                      struct shoal_error *error)
{
    /* Numbers for each parameter. OF_SOLVER: its start and its final value. OF_DEVICE: its value, its best
     * value and its gradient. */
    enum { OF_SOLVER = 2, OF_DEVICE = 3 };
    const struct shoal_mlp_params *params = mlp_params(solver);
    const double nets = (double)mlp_nets_of(solver) * solver_on_memory(solver),
                 numbers = nets * (double)net->parameters, on_host = solver->queue ? 0 : TRAINER_ARRAYS;
    const char *const what = nets > 1 ? "the parameters of the nets" : "the parameters of the net",
                      *const remedy = nets > 1 ? "lower the widths or nets" : "lower the widths";
    enum shoal_status status = SHOAL_OK;
    if (!solver->share.of)
        status = check_host_memory((OF_SOLVER + on_host) * sizeof(double) * numbers, what, remedy, error);
    if (status || solver->shares || mlp_method_of(solver) != &mlp_device_method)
        return status;
    const size_t bytes = params->precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const struct arrays arrays = {
        .queue = solver->queue, .list = {{.count = (double)net->parameters, .element = bytes}}, .count = 1};
    return arrays_check(&arrays, OF_DEVICE * (double)bytes * numbers - arrays_bytes(&arrays), what, remedy,
                        error);
}

static enum shoal_status create_member(struct mlp_run *run, const struct shoal_mlp_params *params,
                                       size_t index, struct shoal_error *error)
{
    struct mlp_member *member = &run->members[index];
    const struct mlp_fold *fold = &run->problem.folds[index / params->nets];
    const size_t rows = fold->count[SHOAL_MLP_TRAINING], parameters = fold->net->parameters;
    member->fold = fold;
    member->training = mlp_training_of(params, fold->net, index, rows, fold->lack_of_fit);
    member->lack_of_fit = fold->lack_of_fit;
    mlp_set_batch(params, member, member->training.batch);
    const enum shoal_status fits = mlp_check_shards(member, error);
    if (fits)
        return fits;
    member->epoch = member->best = mlp_no_epoch;
    for (int part = 0; part < SHOAL_MLP_PARTS; part++)
        member->scores[part] = NAN;
    member->start = calloc(2 * parameters, sizeof *member->start);
    if (!member->start)
        return fail_host_memory(error);
    member->learned = member->start + parameters;
    const enum shoal_status status = training_check(&member->training, error);
    return status ? status
                  : mlp_start(params, run->problem.start, fold, member->training.seed, member->start, error);
}

/* Logs and keeps the notes on the data sets and on their preparation. */
static enum shoal_status note_files(struct shoal_solver *solver, const struct mlp_run *run,
                                    struct shoal_error *error)
{
    const struct mlp_problem *problem = &run->problem;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < MLP_FILES + problem->fold_count && !status; i++) {
        const char *lines = i >= MLP_FILES       ? problem->folds[i - MLP_FILES].prepared->notes
                            : problem->opened[i] ? shoal_dataset_get_info(problem->opened[i])->notes
                                                 : NULL;
        shoal_log_lines(device_shoal(solver->device), SHOAL_LOG_WARNING, lines);
        status = solver_keep_notes(solver, lines, error);
    }
    return status;
}

/* Reads the data and creates the members without their nets. */
static enum shoal_status create_members(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_mlp_params *params = mlp_params(solver);
    struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = mlp_problem_create(params, &run->problem, error);
    if (status)
        return status;
    status = note_files(solver, run, error);
    if (status)
        return status;
    const size_t count = mlp_nets_of(solver);
    run->members = calloc(count, sizeof *run->members);
    if (!run->members)
        return fail_host_memory(error);
    status = check_memory(solver, run->problem.folds[0].net, error);
    for (size_t fold = 0; fold < run->problem.fold_count && !status; fold++)
        status = mlp_measure_fold(params, &run->problem.folds[fold], error);
    for (run->count = 0; run->count < count && !status;)
        status = create_member(run, params, run->count++, error);
    for (size_t fold = 0; fold < run->problem.fold_count && !status && mlp_method_of(solver)->prepare; fold++)
        status = mlp_method_of(solver)->prepare(solver, &run->problem.folds[fold], error);
    return status;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_mlp_params *params = solver->params;
    struct mlp_run *run = calloc(1, sizeof *run);
    solver->state = run;
    if (!run)
        return fail_host_memory(error);
    run->sample = mlp_no_sample;
    run->most_figures_s = 0.5;
    /* Methods, indexed by enum shoal_mlp_method. */
    static const struct mlp_method *const methods[] = {&mlp_device_method, &mlp_device_method,
                                                       MLP_THESIS_METHODS};
    const struct mlp_method *method = solver->queue ? methods[params->method] : &mlp_host_method;
    solver->method.method = &method->base;
    enum shoal_status status = SHOAL_OK;
    if (solver->share.of) {
        status = mlp_take_share(solver, error);
        if (!status)
            status = check_memory(solver, run->members[0].fold->net, error);
    } else {
        status = create_members(solver, error);
    }
    return status || solver->shares ? status : method_create(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct mlp_run *run = solver->state;
    if (!run)
        return;
    method_destroy(solver);
    for (size_t i = 0; i < run->count && !solver->share.of; i++)
        free(run->members[i].start);
    if (solver->share.of) {
        mlp_drop_share(solver);
    } else {
        free(run->members);
        mlp_problem_destroy(&run->problem);
    }
    free(run->predicted);
    free(run->truth);
    free(run->weights);
    free(run);
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* Number of rows in the first `updates` updates of a net; the last update of an epoch may have fewer rows. */
static uint64_t rows_of(const struct mlp_member *member, uint64_t updates)
{
    return updates / member->epoch_updates * member->fold->count[SHOAL_MLP_TRAINING] +
           updates % member->epoch_updates * member->batch;
}

uint64_t mlp_work(const struct mlp_run *run)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < run->count; i++)
        rows += rows_of(&run->members[i], run->members[i].updates);
    return rows;
}

bool mlp_counts(const struct mlp_run *run, const struct mlp_member *member)
{
    bool have_all_failed = true;
    for (size_t i = 0; i < run->count && have_all_failed; i++)
        have_all_failed = run->members[i].failed;
    return !member->failed || have_all_failed;
}

static double judged_score(const struct trainer_epoch *epoch)
{
    return isnan(epoch->validation_loss) ? epoch->score : epoch->validation_score;
}

bool mlp_has_ended(const struct shoal_mlp_params *params, const struct mlp_member *member)
{
    const struct trainer_epoch *epoch = &member->epoch;
    return epoch->must_stop || mlp_judged_loss(epoch) <= params->target_loss ||
           judged_score(epoch) >= params->target_accuracy ||
           (params->updates && member->updates >= params->updates);
}

bool mlp_have_all_ended(const struct mlp_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (!run->members[i].has_ended)
            return false;
    return true;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    mlp_reset(mlp_run_of(solver));
    return solver->shares ? solver->shares->begin(solver, error)
                          : solver->method.method->begin(solver, error);
}

void mlp_take_means(struct shoal_solver *solver)
{
    struct mlp_run *run = mlp_run_of(solver);
    struct shoal_mlp_sample mean = {.step = run->steps, .seconds = schedule_seconds(solver)};
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += mlp_counts(run, &run->members[i]);
    const double share = 1.0 / (double)count;
    for (size_t i = 0; i < run->count; i++) {
        const struct mlp_member *member = &run->members[i];
        if (!mlp_counts(run, member))
            continue;
        const struct trainer_epoch *epoch = &member->epoch;
        const uint64_t last = member->updates ? member->updates - 1 : 0;
        mean.loss += epoch->loss * share;
        mean.score += epoch->score * share;
        mean.validation_loss += epoch->validation_loss * share;
        mean.validation_score += epoch->validation_score * share;
        mean.rate +=
            training_rate(&member->training, last, last / member->epoch_updates, epoch->plateaus) * share;
        mean.updates = member->updates > mean.updates ? member->updates : mean.updates;
    }
    run->sample = mean;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return solver->shares ? mlp_advance_shares(solver, steps, error)
                          : solver->method.method->advance(solver, steps, error);
}

static enum shoal_status take_sample(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    /* No epoch has ended since the last sample: nothing was trained yet, or the run ended within an epoch. */
    if (step == run->sampled_step)
        return SHOAL_OK;
    const uint64_t work = mlp_work(run);
    const double seconds = run->sample.seconds - run->sampled_at;
    run->sample.samples_per_second = seconds > 0 ? (double)(work - run->sampled_work) / seconds : NAN;
    run->sampled_at = run->sample.seconds;
    run->sampled_work = work;
    run->sampled_step = step;
    return schedule_give(solver, &run->sample, error);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct mlp_run *run = mlp_run_of(solver);
    const struct shoal_mlp_params *params = mlp_params(solver);
    const struct schedule schedule = {.steps = mlp_workload.total_steps(params),
                                      .begun = &run->begun,
                                      .done = &run->steps,
                                      .begin = begin,
                                      .advance = advance,
                                      .events = {{.every = params->trace, .take = take_sample}}};
    if (run->begun && run->ended) {
        *done = 0;
        return SHOAL_OK;
    }
    return schedule_step(solver, &schedule, steps, done, error);
}

static enum shoal_status value(struct shoal_solver *solver, double *out, struct shoal_error *error)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const struct shoal_mlp_sample *sample = &run->sample;
    const enum shoal_status status = mlp_judge(solver, error);
    *out = !run->steps ? NAN : isnan(sample->validation_loss) ? sample->loss : sample->validation_loss;
    return status;
}

static uint64_t progress(const struct shoal_solver *solver)
{
    const struct mlp_run *run = mlp_run_of(solver);
    uint64_t updates = 0;
    for (size_t i = 0; i < run->count; i++)
        updates += run->members[i].updates;
    return updates;
}

/* State for verification ------------------------------------------------------------------------------------
 */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct mlp_run *run = mlp_run_of(solver);
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += run->members[i].fold->net->parameters;
    return count;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const struct mlp_run *run = mlp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < run->count && !status; i++) {
        status = mlp_method_of(solver)->parameters(run->members[i].net, false, values, error);
        values += run->members[i].fold->net->parameters;
    }
    return status;
}

/* Most updates for which tolerance() is valid. After more updates, differences grow without a bound: Adam
 * divides by small second moments, and ReLU has a kink. */
enum { MOST_COMPARED_UPDATES = 50 };

static enum shoal_status bound_steps(const struct shoal_solver *solver, uint64_t *steps,
                                     struct shoal_error *error)
{
    const uint64_t each = mlp_run_of(solver)->members[0].epoch_updates;
    if (each > MOST_COMPARED_UPDATES)
        return fail(error, SHOAL_UNSUPPORTED,
                    "an epoch has %" PRIu64
                    " updates, and rounding makes two runs part after some %d: take fewer "
                    "rows or a larger batch",
                    each, MOST_COMPARED_UPDATES);
    *steps = *steps < MOST_COMPARED_UPDATES / each ? *steps : MOST_COMPARED_UPDATES / each;
    return SHOAL_OK;
}

/* Tolerance of a comparison of parameters after `steps` epochs. An update changes weights of order 1 by a
 * gradient, which is a sum over rows and inputs with about 100 roundings: an error of 1e-5 in single
 * precision, and less than 1e-12 in double precision. Errors of different updates are independent, so their
 * sum grows as the square root of the number of updates. (Measured in single precision: 1e-6 after 14
 * updates.) */
static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    const struct mlp_run *run = mlp_run_of(solver);
    const double updates = (double)steps * (double)run->members[0].epoch_updates;
    return (mlp_params(solver)->precision == SHOAL_FP64 ? 1e-12 : 1e-5) * sqrt(1 + updates);
}

#define SHARED_OPS                                                                                           \
    .what = "parameters of the nets", .create = create, .destroy = destroy, .step = step,                    \
    .result = mlp_result, .value = value, .save = mlp_save, .load = mlp_load, .state_count = state_count,    \
    .get_state = get_state

const struct shoal_solver_ops mlp_host_ops = {.kind = "host", SHARED_OPS, .progress = progress};
const struct shoal_solver_ops mlp_device_ops = {
    .kind = "device", SHARED_OPS, .tolerance = tolerance, .bound_steps = bound_steps};
