/* Divides a search among several solvers: by runs, islands, rows of the objective's table, points or members.
 * Loads the shares from a checkpoint, which does not depend on the number of solvers. */
#include "base/error.h"
#include "search/device/device.h"

#include <stdlib.h>
#include <string.h>

/* Division --------------------------------------------------------------------------------------------- */

static uint64_t count_runs(const void *params)
{
    return ((const struct shoal_search_params *)params)->runs;
}

/* Gives a share the objective of the whole search, which is already read and rotated, and the variables of
 * this objective. Shares take no samples. */
static struct shoal_search_params *give_objective(const struct solver_share *share, void *params)
{
    struct shoal_search_params *own = params;
    own->objective = search_device_of(share->whole)->problem->objective;
    own->variables = search_device_of(share->whole)->problem->params->variables;
    own->rotate = 0;
    own->trace = 0;
    return own;
}

/* Sets the runs of a share. Run r of a search has the seed `seed` + r. */
static void take(const struct solver_share *share, void *params)
{
    struct shoal_search_params *own = give_objective(share, params);
    own->seed += share->first;
    own->runs = share->count;
}

uint64_t search_count_islands(const void *params)
{
    const struct shoal_search_params *own = params;
    return own->runs * own->islands;
}

/* Sets the islands of a share: a range of the islands of all runs, numbered run by run. Other shares may have
 * the other islands of the share's first and last run. */
void search_take_islands(const struct solver_share *share, void *params)
{
    const uint64_t islands = search_device_of(share->whole)->problem->run_islands;
    const uint64_t first = share->first / islands, last = (share->first + share->count - 1) / islands;
    take(&(struct solver_share){.first = first, .count = last - first + 1, .whole = share->whole}, params);
}

/* Fails if the method has sections of its own, such as states of generators and mailboxes, since each share
 * would add them to the checkpoint. */
static enum shoal_status check_states(struct shoal_solver *solver, struct shoal_error *error)
{
    struct checkpoint sections = {0};
    const struct method *method = solver->method.method;
    enum shoal_status status = method->save ? method->save(solver, &sections, error) : SHOAL_OK;
    if (!status && sections.count)
        status = fail(error, SHOAL_INVALID,
                      "runs whose random generators keep a state cannot be divided: make them on one device, "
                      "or choose generators without a state");
    checkpoint_clear(&sections);
    return status;
}

/* Sets the method and the tuned values of each share to those that the first share has chosen. */
static enum shoal_status give_choices(const struct solver_shares *shares, struct shoal_error *error)
{
    struct checkpoint chosen = {.path = "of the first share"};
    enum shoal_status status = SHOAL_OK;
    method_save(shares->solvers[0], &chosen);
    for (size_t k = 1; k < shares->count && !status; k++) {
        status = method_load(shares->solvers[k], &chosen, search_device_resize, error);
        search_device_list_arrays(shares->solvers[k]);
    }
    checkpoint_clear(&chosen);
    return status;
}

enum shoal_status search_shares_agree(struct shoal_solver *whole, struct shoal_error *error)
{
    const enum shoal_status status = check_states(whole->shares->solvers[0], error);
    return status ? status : give_choices(whole->shares, error);
}

/* Rows ------------------------------------------------------------------------------------------------- */

/* Number of shards into which the rows are divided: large, so that the number of rows of each share can be
 * nearly proportional to the speed of its device. */
enum { SHARDS = 1024 };

uint64_t search_count_shards(const void *params)
{
    return search_shape(params) == SHOAL_DATA_ROWS ? SHARDS : 0;
}

void search_take_shards(const struct solver_share *share, void *params)
{
    give_objective(share, params);
}

/* Sets the order of sums of each share to the order that the first share has planned. */
enum shoal_status search_shards_agree(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct solver_shares *shares = whole->shares;
    enum shoal_status status = give_choices(shares, error);
    const struct evaluator_order order = evaluator_order_of(search_device_of(shares->solvers[0])->evaluator);
    for (size_t k = 0; k < shares->count && !status; k++) {
        struct search_device *device = search_device_of(shares->solvers[k]);
        device->order = order;
        status = evaluator_follow(device->evaluator, device->problem->objective->table, &order, error);
    }
    return status;
}

const struct workload_split search_split = {.scheme = SPLIT_RUNS,
                                            .unit = "run",
                                            .units = "runs",
                                            .option = "--runs",
                                            .count = count_runs,
                                            .take = take,
                                            .agree = search_shares_agree};

/* Points ----------------------------------------------------------------------------------------------- */

/* Fails because the method moves and evaluates members in one kernel, so that points cannot be divided. */
static enum shoal_status fail_method(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct search_algorithm *algorithm = search_device_of(whole)->problem->algorithm;
    return fail(
        error, SHOAL_INVALID,
        "method %s cannot divide %s among devices: give --method %s, --runs or --%s, or take one device",
        search_device_method(whole->shares->solvers[0])->base.name, algorithm->member_name,
        algorithm->dividing_method, algorithm->islands);
}

enum shoal_status search_points_agree(struct shoal_solver *whole, struct shoal_error *error)
{
    const enum shoal_status status = give_choices(whole->shares, error);
    return status || search_device_of(whole->shares->solvers[0])->evaluator ? status
                                                                            : fail_method(whole, error);
}

/* Members ---------------------------------------------------------------------------------------------- */

enum shoal_status search_members_agree(struct shoal_solver *whole, struct shoal_error *error)
{
    if (!search_device_method(whole->shares->solvers[0])->shares_members)
        return fail_method(whole, error);
    return give_choices(whole->shares, error);
}

enum { COUNT_AT = ISLAND_NOT_FINITE * sizeof(uint32_t) };

static enum shoal_status clear_count(struct shoal_solver *share, struct shoal_error *error)
{
    return shoal_buffer_fill(share->queue, search_device_of(share)->words, COUNT_AT, sizeof(uint32_t), 0,
                             error);
}

enum shoal_status search_members_join_counts(const struct solver_list *shares, struct shoal_error *error)
{
    uint32_t sum = 0, own = 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < shares->count && !status; k++) {
        struct shoal_buffer *words = search_device_of(shares->solvers[k])->words;
        status = shoal_buffer_read(shares->solvers[k]->queue, words, COUNT_AT, &own, sizeof own, error);
        sum += own;
        if (!status && k && own)
            status = clear_count(shares->solvers[k], error);
    }
    return status ? status
                  : shoal_buffer_write(shares->solvers[0]->queue, search_device_of(shares->solvers[0])->words,
                                       COUNT_AT, &sum, sizeof sum, error);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

/* Returns an array of tables: first the table `own` of each solver that holds a part, then the tables of
 * their island records. The caller frees the array. NULL: there is no memory. */
static const struct arrays **tables_of(const struct solver_list *holders, struct shoal_error *error)
{
    const struct arrays **tables = calloc(2 * holders->count, sizeof *tables);
    if (!tables && fail_host_memory(error))
        return NULL;
    for (size_t k = 0; k < holders->count; k++) {
        search_device_list_arrays(holders->solvers[k]);
        tables[k] = &search_device_of(holders->solvers[k])->own;
        tables[holders->count + k] = &search_device_of(holders->solvers[k])->arrays;
    }
    return tables;
}

enum shoal_status search_save_arrays(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    const struct solver_list holders = search_member_holders(&solver);
    enum shoal_status status = search_device_collect_all(solver, error);
    const struct arrays **tables = status ? NULL : tables_of(&holders, error);
    if (!tables)
        return status ? status : SHOAL_OUT_OF_HOST_MEMORY;
    status = arrays_join(tables, holders.count, checkpoint, error);
    if (!status)
        status = arrays_join(tables + holders.count, search_record_holders(&solver).count, checkpoint, error);
    free((void *)tables);
    return status;
}

/* Copies sections of the whole search to the checkpoint of share `index`. has_all: the share has all
 * elements; else it has its part of them. */
static enum shoal_status cut(const struct arrays *const *tables, size_t count, size_t index, bool has_all,
                             const struct checkpoint *whole, struct checkpoint *share,
                             struct shoal_error *error)
{
    return has_all ? arrays_cut(tables + index, 1, 0, whole, share, error)
                   : arrays_cut(tables, count, index, whole, share, error);
}

static enum shoal_status load_share(const struct solver_list *holders, const struct arrays *const *tables,
                                    size_t index, const struct checkpoint *whole, struct shoal_error *error)
{
    struct shoal_solver *solver = holders->solvers[index];
    struct checkpoint share = {.path = whole->path};
    const size_t count = holders->count;
    for (size_t i = 0; i < whole->count; i++) {
        const struct checkpoint_section *section = &whole->sections[i];
        if (!arrays_find(tables[index], section->name) &&
            !arrays_find(tables[count + index], section->name) && !search_trace_has(section->name))
            checkpoint_add(&share, section->name, section->data, section->bytes);
    }
    enum shoal_status status = cut(tables, count, index, search_shares_values(solver), whole, &share, error);
    if (!status)
        status = cut(tables + count, count, index, search_has_all_records(solver), whole, &share, error);
    if (!status)
        status = solver->ops->load(solver, &share, error);
    /* The checkpoint has the counts of all members together, so only the first share of members keeps its
     * counts. */
    if (!status && index && search_shares_members(solver))
        status = clear_count(solver, error);
    checkpoint_clear(&share);
    return status;
}

/* Copies a checkpoint of step `steps`, in which the runs that have ended by the current limits are marked. */
static enum shoal_status settle(struct shoal_solver *whole, uint64_t steps, const struct checkpoint *given,
                                struct checkpoint *settled, struct shoal_error *error)
{
    struct search_device *device = search_device_of(whole);
    const struct checkpoint_section *records = checkpoint_find(given, "words");
    const void *reals;
    enum shoal_status status = checkpoint_expect(
        given, "reals", device->problem->islands * ISLAND_REALS * device->real, &reals, error);
    uint32_t *words = status ? NULL : malloc(records->bytes);
    if (!words)
        return status ? status : fail_host_memory(error);
    memcpy(words, records->data, records->bytes);
    search_settle_ends(device, steps, words, reals);
    for (size_t i = 0; i < given->count; i++)
        if (&given->sections[i] != records)
            checkpoint_add(settled, given->sections[i].name, given->sections[i].data,
                           given->sections[i].bytes);
    checkpoint_add_copy(settled, "words", words, records->bytes);
    return SHOAL_OK;
}

enum shoal_status search_shares_load(struct shoal_solver *whole, uint64_t steps,
                                     const struct checkpoint *given, struct shoal_error *error)
{
    const struct solver_list holders = solver_holders(&whole);
    const struct arrays **tables = tables_of(&holders, error);
    struct checkpoint settled = {.path = given->path};
    enum shoal_status status =
        tables ? settle(whole, steps, given, &settled, error) : SHOAL_OUT_OF_HOST_MEMORY;
    /* Called even if loading a share fails below: other shares may then already have a new state, so that a
     * run that begins again must reset all of them. */
    whole->shares->loads(whole, given);
    for (size_t k = 0; k < holders.count && !status; k++)
        status = load_share(&holders, tables, k, &settled, error);
    checkpoint_clear(&settled);
    free((void *)tables);
    return status;
}
