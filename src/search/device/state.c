/* Transfers of a search between host and device: results, states and checkpoints. */
#include "base/error.h"
#include "search/device/device.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sections of a checkpoint need not be aligned. */
double search_real_at(const struct search_device *device, const void *reals, size_t index)
{
    double wide;
    float narrow;
    if (device->precision == SHOAL_FP64) {
        memcpy(&wide, (const char *)reals + index * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, (const char *)reals + index * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

/* Results ---------------------------------------------------------------------------------------------- */

static const struct arrays *table_with(const struct search_device *holder, const char *name)
{
    return arrays_find(&holder->arrays, name) ? &holder->arrays : &holder->own;
}

/* Returns the solvers that together hold the array `name`. */
static struct solver_list holders_of(struct shoal_solver *const *solver, const char *name)
{
    const struct search_device *first = search_device_of(solver_holders(solver).solvers[0]);
    return arrays_find(&first->arrays, name) ? search_record_holders(solver) : search_member_holders(solver);
}

static size_t bytes_in(const struct search_device *holder, const char *name)
{
    const struct array *array = arrays_find(table_with(holder, name), name);
    return array->used * array->element;
}

enum shoal_status search_device_read_all(struct shoal_solver *solver, const char *name, void **out,
                                         struct shoal_error *error)
{
    const struct solver_list holders = holders_of(&solver, name);
    size_t bytes = 0;
    for (size_t k = 0; k < holders.count; k++) {
        search_device_list_arrays(holders.solvers[k]);
        bytes += bytes_in(search_device_of(holders.solvers[k]), name);
    }
    /* With one holder, no copy is needed. */
    if (holders.count == 1)
        return arrays_read(table_with(search_device_of(holders.solvers[0]), name), name, out, error);
    char *all = *out = malloc(bytes);
    enum shoal_status status = all ? SHOAL_OK : fail_host_memory(error);
    for (size_t k = 0; k < holders.count && !status; k++) {
        const struct search_device *holder = search_device_of(holders.solvers[k]);
        void *own = NULL;
        status = arrays_read(table_with(holder, name), name, &own, error);
        if (!status) {
            memcpy(all, own, bytes_in(holder, name));
            all += bytes_in(holder, name);
        }
        free(own);
    }
    return status;
}

enum shoal_status search_device_collect_all(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct solver_list holders = search_member_holders(&solver);
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < holders.count && !status; k++)
        status = search_device_collect(holders.solvers[k], error);
    return status || !search_shares_members(holders.solvers[0]) ? status
                                                                : search_members_join_counts(&holders, error);
}

/* Records of the islands of all runs, each array allocated by malloc. */
struct island_records {
    void *words, *reals, *champion;
};

static void free_records(struct island_records *records)
{
    free(records->words);
    free(records->reals);
    free(records->champion);
}

static enum shoal_status read_records(struct shoal_solver *solver, struct island_records *records,
                                      struct shoal_error *error)
{
    enum shoal_status status = search_device_collect_all(solver, error);
    if (!status)
        status = search_device_read_all(solver, "words", &records->words, error);
    if (!status)
        status = search_device_read_all(solver, "reals", &records->reals, error);
    if (!status)
        status = search_device_read_all(solver, "champion", &records->champion, error);
    return status;
}

static const uint32_t *words_of(const struct island_records *records, size_t island)
{
    return (const uint32_t *)records->words + island * ISLAND_WORDS;
}

static double champion_of(const struct search_device *device, const void *reals, size_t island)
{
    return search_real_at(device, reals, island * ISLAND_REALS + ISLAND_CHAMPION);
}

void search_device_champion(const struct search_device *device, const void *champions, size_t island,
                            double *member)
{
    const struct search_problem *problem = device->problem;
    const uint32_t *words = (const uint32_t *)champions + island * device->numbers;
    if (problem->has_genome)
        genes_from_words(&problem->genome, device->precision, words, 1, member);
    for (size_t d = 0; d < problem->dim && !problem->has_genome; d++)
        member[d] = search_real_at(device, champions, island * problem->dim + d);
}

/* Sets the result of a run: value and position of the best champion of its islands; of several equal
 * champions, that of the first island. */
static void fill_run(struct search_device *device, size_t run, const struct island_records *records)
{
    const struct search_problem *problem = device->problem;
    const size_t first = run * problem->run_islands, end = first + problem->run_islands;
    size_t leader = first;
    device->ended_out[run] = 0;
    device->reached_out[run] = device->stagnated_out[run] = false;
    device->restarts_out[run] = device->moves_out[run] = 0;
    for (size_t k = first; k < end; k++) {
        const uint32_t *words = words_of(records, k);
        device->restarts_out[run] += words[ISLAND_RESTARTS];
        device->moves_out[run] += (uint64_t)words[ISLAND_MOVES_HIGH] << 32 | words[ISLAND_MOVES];
        if (champion_of(device, records->reals, k) < champion_of(device, records->reals, leader))
            leader = k;
        if (words[ISLAND_STEPS] > device->ended_out[run])
            device->ended_out[run] = words[ISLAND_STEPS];
        device->reached_out[run] = device->reached_out[run] || words[ISLAND_REACHED];
        device->stagnated_out[run] = device->stagnated_out[run] || words[ISLAND_ENDED];
    }
    device->stagnated_out[run] = device->stagnated_out[run] && !device->converged[run];
    device->best_out[run] = champion_of(device, records->reals, leader);
    search_device_champion(device, records->champion, leader, device->position_out + run * problem->dim);
}

enum shoal_status search_device_value(struct shoal_solver *solver, double *value, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    void *reals = NULL;
    double best = INFINITY;
    enum shoal_status status = search_device_collect_all(solver, error);
    if (!status)
        status = search_device_read_all(solver, "reals", &reals, error);
    for (size_t k = 0; k < device->problem->islands && !status; k++)
        best = fmin(best, champion_of(device, reals, k));
    free(reals);
    *value = search_shown_value(device->problem, best);
    return status;
}

/* Computes the spread of the members' values in each run. */
static enum shoal_status fill_spread(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t count = problem->members * problem->run_islands;
    void *raw = NULL;
    if (!device->spread_out)
        return SHOAL_OK;
    double *values = malloc(count * sizeof *values);
    enum shoal_status status =
        values ? search_device_read_all(solver, "best", &raw, error) : fail_host_memory(error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        for (size_t i = 0; i < count; i++)
            values[i] = search_real_at(device, raw, run * count + i);
        device->spread_out[run] = search_spread_of(problem, values, count);
    }
    free(raw);
    free(values);
    return status;
}

enum shoal_status search_device_take_sample(struct shoal_solver *solver, uint64_t step,
                                            struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    void *reals = NULL;
    enum shoal_status status = search_device_collect_all(solver, error);
    if (!status)
        status = search_device_read_all(solver, "reals", &reals, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        device->best_out[run] = INFINITY;
        for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++)
            device->best_out[run] = fmin(device->best_out[run], champion_of(device, reals, k));
    }
    free(reals);
    if (!status)
        status = fill_spread(solver, error);
    return status ? status
                  : search_trace_take(solver, problem, &device->trace, step, device->best_out,
                                      device->spread_out, error);
}

/* Reads the members of all runs into an array, in which their values follow the members. The caller frees
 * *members. */
static enum shoal_status read_members(struct shoal_solver *solver, double **members,
                                      struct search_outcome *outcome, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t numbers = problem->total * problem->dim;
    void *raw = NULL;
    *members = malloc((numbers + problem->total) * sizeof **members);
    enum shoal_status status = *members ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = search_device_read_own(solver, device->ops->members, *members, error);
    if (!status)
        status = search_device_read_all(solver, "best", &raw, error);
    for (size_t i = 0; i < problem->total && !status; i++)
        (*members)[numbers + i] = search_real_at(device, raw, i);
    free(raw);
    if (status)
        return status;
    outcome->members = *members;
    outcome->values = *members + numbers;
    outcome->member_step = 1;
    outcome->number_step = problem->total;
    return SHOAL_OK;
}

/* Reads the outcome of all runs. */
static enum shoal_status read_runs(struct shoal_solver *solver, struct search_outcome *outcome,
                                   struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    struct island_records records = {0};
    enum shoal_status status = read_records(solver, &records, error);
    for (size_t run = 0; run < device->problem->runs && !status; run++)
        fill_run(device, run, &records);
    for (size_t k = 0; k < device->problem->islands && !status; k++)
        outcome->not_finite += words_of(&records, k)[ISLAND_NOT_FINITE];
    free_records(&records);
    return status ? status : fill_spread(solver, error);
}

enum shoal_status search_device_result(struct shoal_solver *solver, struct shoal_result *out,
                                       struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const struct solver_list holders = search_record_holders(&solver);
    double *members = NULL;
    const struct search_method *method = search_device_method(holders.solvers[0]);
    struct search_outcome outcome = {
        .best = device->best_out,
        .position = device->position_out,
        .ended = device->ended_out,
        .reached = device->reached_out,
        .stagnated = device->stagnated_out,
        .converged = device->converged,
        .timed_out = solver->timed_out,
        .is_stopped = solver_is_stopped(solver),
        .stop = {solver->is_stopped, solver->stop_data},
        .restarts = device->restarts_out,
        .moves = device->moves_out,
        .spread = device->spread_out,
        .steps = device->steps,
        .precision = device->precision,
        .method = method->base.name,
        .evaluation_bytes =
            method->evaluation_bytes ? method->evaluation_bytes(problem, device->precision) : 0};
    enum shoal_status status = read_runs(solver, &outcome, error);
    outcome.is_over = device->ended || solver->timed_out || device->steps >= problem->max_steps;
    if (!status && search_wants_members(problem, outcome.is_over || outcome.is_stopped))
        status = read_members(solver, &members, &outcome, error);
    if (!status && outcome.is_over && problem->params->polish) {
        status = search_device_polish(solver, error);
        if (!status) {
            outcome.best = search_polish_best(device->polish);
            outcome.position = search_polish_position(device->polish);
            outcome.polish = search_polish_evaluations(device->polish);
            outcome.settled = search_polish_settled(device->polish);
        }
    }
    if (!status)
        status = search_fill_result(problem, &outcome, &device->summary, out, error);
    free(members);
    return status ? status : search_trace_result(problem, &device->trace, out, error);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

enum shoal_status search_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    struct shoal_solver *first = search_record_holders(&solver).solvers[0];
    checkpoint_add(checkpoint, "step", &device->steps, sizeof device->steps);
    search_trace_save(&device->trace, checkpoint);
    search_box_save(device->problem, checkpoint);
    method_save(first, checkpoint);
    search_polisher_save(solver, checkpoint);
    enum shoal_status status = search_save_arrays(solver, checkpoint, error);
    /* A method with sections of its own is never divided, so the first holder has all of its sections. */
    if (!status && first->method.method->save)
        status = first->method.method->save(first, checkpoint, error);
    return status;
}

static bool has_stagnated(const struct shoal_search_params *params, const uint32_t *words)
{
    return params->stagnation && words[ISLAND_STAGNANT] >= params->stagnation;
}

void search_settle_ends(struct search_device *device, uint64_t steps, uint32_t *words, const void *reals)
{
    const struct search_problem *problem = device->problem;
    for (size_t run = 0; run < problem->runs; run++) {
        const size_t first = run * problem->run_islands, end = first + problem->run_islands;
        const uint32_t *own = words + first * ISLAND_WORDS;
        bool reached = false, stagnated = true;
        device->converged[run] = own[ISLAND_STEPS] < steps && own[ISLAND_ENDED] == SEARCH_CONVERGED;
        if (own[ISLAND_STEPS] < steps)
            continue;
        for (size_t k = first; k < end; k++) {
            reached = reached ||
                      search_real_at(device, reals, k * ISLAND_REALS + ISLAND_CHAMPION) <= problem->target;
            stagnated = stagnated && has_stagnated(problem->params, words + k * ISLAND_WORDS);
        }
        for (size_t k = first; k < end; k++) {
            words[k * ISLAND_WORDS + ISLAND_REACHED] = reached;
            words[k * ISLAND_WORDS + ISLAND_ENDED] = reached || stagnated;
        }
    }
}

static enum shoal_status write_words(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct checkpoint_section *in = checkpoint_find(checkpoint, "words"),
                                    *reals = checkpoint_find(checkpoint, "reals");
    uint32_t *words = malloc(in->bytes);
    if (!words)
        return fail_host_memory(error);
    memcpy(words, in->data, in->bytes);
    search_settle_ends(device, device->steps, words, reals->data);
    enum shoal_status status = shoal_buffer_write(solver->queue, device->words, 0, words, in->bytes, error);
    free(words);
    return status;
}

/* Checks the words that kernels use as indices. */
static enum shoal_status check_words(const struct shoal_solver *solver, uint64_t steps,
                                     const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    uint32_t words[ISLAND_WORDS];
    uint64_t most = 0;
    const void *data;
    enum shoal_status status =
        checkpoint_expect(checkpoint, "words", problem->islands * sizeof words, &data, error);
    bool sound = true;
    for (size_t k = 0; k < problem->islands && !status && sound; k++) {
        memcpy(words, (const char *)data + k * sizeof words, sizeof words);
        const struct search_counts counts = {.steps = words[ISLAND_STEPS],
                                             .ended = words[ISLAND_ENDED],
                                             .reached = words[ISLAND_REACHED],
                                             .stagnant = words[ISLAND_STAGNANT],
                                             .restarts = words[ISLAND_RESTARTS],
                                             .renew_at = words[ISLAND_RENEW_AT],
                                             .leader = words[ISLAND_GOAL_INDEX]};
        sound = search_is_sound(problem, steps, &counts) && words[ISLAND_PENDING] == PENDING_NONE;
        most = counts.steps > most ? counts.steps : most;
    }
    /* in a share, all runs may have ended before `steps`, in which another share still made steps */
    const bool is_last = most == steps || solver->share.of;
    return status || (sound && is_last) ? status : checkpoint_damaged(checkpoint, error);
}

static bool are_zero(const uint32_t *words, size_t count)
{
    size_t i = 0;
    while (i < count && !words[i])
        i++;
    return i == count;
}

/* Whether each of `count` genomes is valid; if stride is 1, a genome of zeros is valid, too. Word w of genome
 * i is words[i * step + w * stride]. */
static bool are_genomes(const struct search_device *device, const uint32_t *words, size_t count, size_t step,
                        size_t stride, uint32_t *scratch, double *member)
{
    const struct search_problem *problem = device->problem;
    const size_t bytes = device->numbers * sizeof *scratch;
    uint32_t *own = scratch, *again = scratch + device->numbers;
    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < device->numbers; w++)
            own[w] = words[i * step + w * stride];
        if (stride == 1 && are_zero(own, device->numbers))
            continue;
        genes_from_words(&problem->genome, device->precision, own, 1, member);
        /* Encoding the genome again shows whether its unused bits and half words are 0. */
        genes_to_words(&problem->genome, device->precision, member, 1, again);
        if (!search_is_inside(problem, member, device->precision) || memcmp(own, again, bytes) != 0)
            return false;
    }
    return true;
}

/* Checks the genomes in a section of a checkpoint, since kernels use the elements of an order as indices. */
static enum shoal_status check_genomes(const struct search_device *device, const char *name, size_t count,
                                       bool by_number, const struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    const size_t numbers = device->numbers, bytes = count * numbers * sizeof(uint32_t);
    const void *data;
    enum shoal_status status = checkpoint_expect(checkpoint, name, bytes, &data, error);
    if (status)
        return status;
    uint32_t *words = malloc(bytes + 2 * numbers * sizeof *words);
    double *member = malloc(device->problem->dim * sizeof *member);
    if (!words || !member) {
        status = fail_host_memory(error);
    } else {
        memcpy(words, data, bytes);
        if (!are_genomes(device, words, count, by_number ? 1 : numbers, by_number ? count : 1,
                         words + count * numbers, member))
            status = checkpoint_damaged(checkpoint, error);
    }
    free(words);
    free(member);
    return status;
}

struct old_records {
    const struct search_device *device;
    const struct checkpoint *checkpoint; /* a checkpoint whose sections "words" and "reals" were checked */
};

/* Reads a sample of a checkpoint of an earlier version. An island that had ended before the sample's step has
 * its last champion's value, which the sample does not contain. */
static bool old_trace(const void *data, const void *entry, size_t bytes, uint64_t step, size_t run,
                      double *least)
{
    const struct old_records *old = data;
    const struct search_device *device = old->device;
    const struct search_problem *problem = device->problem;
    const char *words = checkpoint_find(old->checkpoint, "words")->data;
    const void *reals = checkpoint_find(old->checkpoint, "reals")->data;
    if (bytes != problem->islands * device->real)
        return false;
    *least = INFINITY;
    for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++) {
        uint32_t own;
        memcpy(&own, words + (k * ISLAND_WORDS + ISLAND_STEPS) * sizeof own, sizeof own);
        *least = fmin(*least, step > own ? search_real_at(device, reals, k * ISLAND_REALS + ISLAND_CHAMPION)
                                         : search_real_at(device, entry, k));
    }
    return true;
}

/* Loads the arrays of the device; the step of the solver must be set. */
static enum shoal_status load_arrays(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    search_device_list_arrays(solver);
    enum shoal_status status = arrays_load(&device->own, checkpoint, error);
    if (!status)
        status = arrays_load(&device->arrays, checkpoint, error);
    /* In a share of islands, the ends of runs were already determined from all islands together. */
    if (!status && !search_shares_islands(solver))
        status = write_words(solver, checkpoint, error);
    if (!status && solver->method.method->load)
        status = solver->method.method->load(solver, checkpoint, error);
    return status;
}

enum shoal_status search_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct old_records old = {device, checkpoint};
    uint64_t steps;
    device->drawn = device->ended = false;
    device->steps = 0;
    search_polish_destroy(&device->polish);
    enum shoal_status status = checkpoint_get(checkpoint, "step", &steps, sizeof steps, error);
    if (!status)
        status = search_box_match(device->problem, checkpoint, error);
    if (!status)
        status = check_words(solver, steps, checkpoint, error);
    if (!status && device->problem->has_genome)
        status = check_genomes(device, "x", device->problem->total, true, checkpoint, error);
    if (!status && device->problem->has_genome)
        status = check_genomes(device, "champion", device->problem->islands, false, checkpoint, error);
    if (!status && solver->shares)
        status = search_shares_load(solver, steps, checkpoint, error);
    else if (!status)
        status = method_load(solver, checkpoint, search_device_resize, error);
    if (!status)
        status = search_polisher_load(solver, checkpoint, error);
    if (status && solver->shares)
        return status;
    if (status) {
        search_device_list_arrays(solver); /* the method in the checkpoint may have other tiles */
        return status;
    }
    device->steps = steps;
    if (!solver->shares)
        status = load_arrays(solver, checkpoint, error);
    if (!status)
        status =
            search_trace_load(device->problem, &device->trace, steps, old_trace, &old, checkpoint, error);
    if (!status && !solver->share.of)
        status = search_device_look_for_spread(solver, steps, error);
    device->drawn = !status;
    if (status)
        device->steps = 0;
    return status;
}
