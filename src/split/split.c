/* shoal_run_split: checks devices and shares, gives each device its share, and makes the run. */
#include "split/split.h"

#include "base/error.h"
#include "base/params.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "compute/log.h"
#include "split/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void shoal_split_params_init(struct shoal_split_params *params)
{
    if (params)
        *params = (struct shoal_split_params){.size = sizeof *params};
}

/* Checks ----------------------------------------------------------------------------------------------- */

/* Checks that the run has enough units to divide. `params` are complete. */
static enum shoal_status check_units(const struct shoal_workload *workload, const void *params, size_t count,
                                     struct shoal_error *error)
{
    const struct workload_split *rules = workload_of(workload)->split;
    if (!rules)
        return fail(error, SHOAL_INVALID, "a run of %s cannot be divided: leave out --split", workload->name);
    const uint64_t units = rules->count(params);
    if (units >= count)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "--split shares %s over devices, and there %s %llu for %zu devices: give %s %zu or more, or "
                "name fewer devices",
                rules->units, units == 1 ? "is" : "are", (unsigned long long)units, count, rules->option,
                count);
}

enum shoal_status shoal_split_check(const struct shoal_workload *workload, const void *params, size_t count,
                                    struct shoal_error *error)
{
    void *block = NULL;
    if (!NEED(error, workload, params))
        return SHOAL_INVALID;
    enum shoal_status status = workload_params_take(__func__, workload, params, &block, error);
    if (!status)
        status = check_units(workload, block, count, error);
    free(block);
    return status;
}

/* Id of the device itself where `device` is an alias of it. */
static const char *true_id(const struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return info->alias_of ? info->alias_of : info->id;
}

static enum shoal_status check_pair(const struct shoal_device *one, const struct shoal_device *two,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *first = shoal_device_get_info(one), *second = shoal_device_get_info(two);
    const char *whole = second->part_of ? second->part_of : first->part_of,
               *rest = second->part_of ? first->id : second->id;
    if (whole && strcmp(whole, rest) == 0)
        return fail(error, SHOAL_INVALID, "%s and %s overlap: name the whole device or its parts", first->id,
                    second->id);
    if (strcmp(true_id(one), true_id(two)) == 0)
        return fail(error, SHOAL_INVALID, "%s and %s are one device: name each device once", first->id,
                    second->id);
    return SHOAL_OK;
}

static enum shoal_status check_devices(const struct shoal_split_params *split, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < split->count && !status; k++) {
        const struct shoal_device_info *info = shoal_device_get_info(split->devices[k]);
        if (info->is_host)
            return fail(error, SHOAL_INVALID,
                        "the host takes no part in a divided run: name devices without %s", info->id);
        for (size_t before = 0; before < k && !status; before++)
            status = check_pair(split->devices[before], split->devices[k], error);
    }
    return status;
}

static enum shoal_status check_shares(const struct shoal_split_params *split, struct shoal_error *error)
{
    double sum = 0;
    bool are_numbers = true;
    for (size_t k = 0; split->shares && k < split->count; k++) {
        are_numbers = are_numbers && split->shares[k] >= 0 && split->shares[k] <= 1e9;
        sum += split->shares[k];
    }
    if (!split->shares || (are_numbers && sum > 0))
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "shares are numbers from 0 to 1e9, one of them above 0");
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Creates a part for each device with a share. `queue` is the queue of the first of these devices, on which
 * the whole run is created. */
static enum shoal_status set_parts(struct split *split, const struct shoal_split_params *params,
                                   struct shoal_queue *queue, struct shoal_error *error)
{
    uint64_t *shares = calloc(params->count, sizeof *shares), first = 0;
    const uint64_t units = split->rules->count(split->whole->params);
    enum shoal_status status = shares ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        split_divide(units, params->shares, params->count, shares);
    for (size_t k = 0; k < params->count && !status; k++) {
        struct part *part = &split->parts[split->count];
        if (!shares[k])
            continue;
        *part = (struct part){.split = split,
                              .device = params->devices[k],
                              .share = {.first = first, .count = shares[k], .of = units}};
        if (split->count++)
            status = shoal_queue_create(part->device, SHOAL_QUEUE_PROFILING, &part->queue, error);
        else
            part->queue = queue;
        if (!status) {
            queue_time_first_launches(part->queue, true);
            queue_order_first_launches(part->queue, &split->loading);
        }
        first += shares[k];
    }
    split->shares.count = split->count;
    free(shares);
    return status;
}

static enum shoal_status create_parts(struct split *split, const struct shoal_split_params *params,
                                      struct shoal_queue *queue, struct shoal_error *error)
{
    enum shoal_status status = set_parts(split, params, queue, error);
    if (!status)
        status = team_start(split, error);
    return status ? status : parts_create(split, error);
}

/* The first device with a share. The queue of the whole run is on this device. */
static struct shoal_device *leader_of(const struct shoal_split_params *params)
{
    size_t k = 0;
    while (params->shares && !(params->shares[k] > 0))
        k++;
    return params->devices[k];
}

/* Creates the solver of the whole run, and with it the solvers of its parts. */
static enum shoal_status create(const void *data, const struct solver_request *request,
                                const struct solver_setup *setup, struct shoal_solver **out,
                                struct shoal_error *error)
{
    const struct shoal_split_params *params = data;
    struct split *split = calloc(1, sizeof *split);
    if (split) {
        split->parts = calloc(params->count, sizeof *split->parts);
        split->shares = parts_shares;
        split->shares.solvers = calloc(params->count, sizeof *split->shares.solvers);
    }
    if (!split || !split->parts || !split->shares.solvers) {
        parts_free(split);
        return fail_host_memory(error);
    }
    team_init(split);
    struct solver_setup own = *setup;
    own.shares = &split->shares;
    split->variant = request->variant;
    split->rules = workload_of(request->workload)->split;
    enum shoal_status status = solver_create(request->workload, request->device, request->queue,
                                             request->params, request->variant, &own, out, error);
    if (status)
        return status;
    split->whole = *out;
    status = create_parts(split, params, request->queue, error);
    if (status)
        shoal_solver_destroy(out);
    return status;
}

enum shoal_status shoal_run_split(const struct shoal_workload *workload,
                                  const struct shoal_split_params *split, const void *params,
                                  const struct shoal_run_params *run, struct shoal_report *report,
                                  struct shoal_error *error)
{
    struct shoal_split_params own;
    if (!NEED(error, workload, split, params, report))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(split, shoal_split_params_init, &own, error);
    if (!status && !NEED_MEMBER(error, split, own, devices))
        return SHOAL_INVALID;
    if (!status && !own.count)
        status = fail(error, SHOAL_INVALID, "shoal_run_split: there are no devices");
    if (!status)
        status = check_devices(&own, error);
    if (!status)
        status = check_shares(&own, error);
    if (!status)
        status = shoal_split_check(workload, params, own.count, error);
    if (status)
        return status;
    struct shoal_device *leader = leader_of(&own);
    if (own.count > 1)
        return run_with(&(struct solver_maker){__func__, create, &own}, workload, leader, params, run, report,
                        error);
    shoal_log(device_shoal(leader), SHOAL_LOG_WARNING,
              "--split has one device, %s, which makes the whole run", shoal_device_get_info(leader)->id);
    return shoal_run(workload, leader, params, run, report, error);
}

/* Parts ------------------------------------------------------------------------------------------------ */

size_t shoal_part_count(const struct shoal_solver *solver)
{
    return solver && solver->shares ? solver->shares->count : 0;
}

enum shoal_status shoal_part_get(const struct shoal_solver *solver, size_t index, struct shoal_part *part,
                                 struct shoal_error *error)
{
    if (!NEED(error, solver, part))
        return SHOAL_INVALID;
    enum shoal_status status = RESULT_CHECK(part, waited_s, error);
    if (status)
        return status;
    if (index >= shoal_part_count(solver))
        return fail(error, SHOAL_INVALID, "shoal_part_get: there is no part %zu of %zu", index,
                    shoal_part_count(solver));
    const struct split *split = (const struct split *)solver->shares;
    const struct part *own = &split->parts[index];
    const struct shoal_part found = {.size = sizeof found,
                                     .device = shoal_device_get_info(own->device)->id,
                                     .unit = split->rules->unit,
                                     .first = own->share.first,
                                     .count = own->share.count,
                                     .busy_s = own->busy_s,
                                     .waited_s = own->idle_s};
    RESULT_GIVE(&found, waited_s, part);
    return SHOAL_OK;
}
