/* shoal_run_split: checks devices and shares, divides the units of a run among the devices, and makes the
 * run. */
#include "split/split.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "compute/link/link.h"
#include "compute/log.h"
#include "split/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shoal_split_params_init(struct shoal_split_params *params)
{
    if (params)
        *params = (struct shoal_split_params){.size = sizeof *params};
}

/* Checks ----------------------------------------------------------------------------------------------- */

/* Texts for messages: the units of rules, "runs or swarms", and their options, "--runs or --swarms". */
struct units_text {
    char units[120], options[120];
};

static void add_word(char text[static 120], const char *word)
{
    const size_t length = strlen(text);
    snprintf(text + length, 120 - length, "%s%s", length ? " or " : "", word);
}

/* Returns the error that the run has too few units for the devices. The message has the largest number of
 * units that the run has of any kind. */
static enum shoal_status fail_too_few(const struct shoal_workload *workload, const void *params,
                                      size_t devices, struct shoal_error *error)
{
    const struct workload_split *const *rules = workload_of(workload)->splits;
    struct units_text text = {"", ""};
    uint64_t most = 0, step = 1;
    for (; *rules; rules++) {
        const uint64_t units = (*rules)->count(params);
        if (!units)
            continue;
        most = units > most ? units : most;
        step = (*rules)->option_step > step ? (*rules)->option_step : step;
        add_word(text.units, (*rules)->units);
        if ((*rules)->option)
            add_word(text.options, (*rules)->option);
    }
    if (!most)
        return fail(error, SHOAL_INVALID,
                    "a run of %s with these options cannot be divided: make it on one device",
                    workload->name);
    return fail(error, SHOAL_INVALID,
                "%s are divided among devices, and there %s %llu for %zu devices: give %s %llu or more, or "
                "take fewer devices",
                text.units, most == 1 ? "is" : "are", (unsigned long long)most, devices, text.options,
                (unsigned long long)((devices - 1) * step + 1));
}

/* Chooses the kind of units by which the run is divided: the largest units of which the run has at least one
 * for each device with a share above 0. `params` must be complete. */
static enum shoal_status choose_units(const struct shoal_workload *workload, const void *params,
                                      struct split_order *order, struct shoal_error *error)
{
    const struct shoal_split_params *split = order->params;
    const struct workload_split *const *rules = workload_of(workload)->splits;
    size_t count = 0;
    if (!rules)
        return fail(error, SHOAL_INVALID, "a run of %s cannot be divided: make it on one device",
                    workload->name);
    for (size_t k = 0; k < split->count; k++)
        count += !split->shares || split->shares[k] > 0;
    for (; *rules; rules++) {
        order->rules = *rules;
        order->units = (*rules)->count(params);
        if (order->units >= count)
            return order->rules->check ? order->rules->check(params, error) : SHOAL_OK;
    }
    return fail_too_few(workload, params, count, error);
}

/* Returns the id of the device, or the id of the device of which it is an alias. */
static const char *true_id(const struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return info->alias_of ? info->alias_of : info->id;
}

/* Whether two ids are those of parts of the same division, such as opencl:0/2:0 and opencl:0/2:1. */
static bool are_of_one_division(const char *one, const char *two)
{
    const size_t length = (size_t)(strrchr(one, ':') - one);
    return (size_t)(strrchr(two, ':') - two) == length && strncmp(one, two, length) == 0;
}

static enum shoal_status check_pair(const struct shoal_device *one, const struct shoal_device *two,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *first = shoal_device_get_info(one), *second = shoal_device_get_info(two);
    if (strcmp(true_id(device_whole(one)), true_id(device_whole(two))) != 0)
        return SHOAL_OK;
    if (strcmp(first->id, second->id) == 0 || (!first->part_of && !second->part_of))
        return fail(error, SHOAL_INVALID, "%s and %s are one device: name each device once", first->id,
                    second->id);
    if (!first->part_of || !second->part_of)
        return fail(error, SHOAL_INVALID, "%s and %s overlap: name the whole device or its parts", first->id,
                    second->id);
    if (are_of_one_division(first->id, second->id))
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "%s and %s may overlap: name parts of one division", first->id,
                second->id);
}

static enum shoal_status check_devices(const struct shoal_split_params *split, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!split->count)
        return fail(error, SHOAL_INVALID, "there are no devices to divide the run among");
    for (size_t k = 0; k < split->count && !status; k++) {
        if (!split->devices[k])
            return fail(error, SHOAL_INVALID, "split.devices[%zu] is NULL", k);
        if (device_shoal(split->devices[k]) != device_shoal(split->devices[0]))
            return fail(error, SHOAL_INVALID, "split.devices[0] and split.devices[%zu] are of two instances",
                        k);
        if (shoal_device_get_info(split->devices[k])->is_host)
            return fail(
                error, SHOAL_INVALID,
                "the host takes no part in a divided run: name other devices, such as gpu, cpu or their ids");
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

/* Makes all checks, and sets the units of the division. `params` and order->params must be complete. */
static enum shoal_status check(const char *function, const struct shoal_workload *workload,
                               const void *params, struct split_order *order, struct shoal_error *error)
{
    void *block = NULL;
    enum shoal_status status = check_devices(order->params, error);
    if (!status)
        status = check_shares(order->params, error);
    if (!status)
        status = workload_params_take(function, workload, params, &block, error);
    if (!status)
        status = choose_units(workload, block, order, error);
    if (!status)
        status = own_params_check(function, workload, block, order->params, error);
    free(block);
    return status;
}

enum shoal_status shoal_split_check(const struct shoal_workload *workload,
                                    const struct shoal_split_params *split, const void *params,
                                    struct shoal_error *error)
{
    struct shoal_split_params own;
    struct split_order order = {.params = &own};
    if (!NEED(error, workload, split, params))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(split, shoal_split_params_init, &own, error);
    if (!status && !NEED_MEMBER(error, split, own, devices))
        return SHOAL_INVALID;
    return status ? status : check(__func__, workload, params, &order, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

/* Creates a part for each device whose share of the run's units is not 0. The first of these parts uses
 * `queue`, the queue of the whole run. */
static enum shoal_status set_parts(struct split *split, const struct split_order *order,
                                   struct shoal_queue *queue, struct shoal_error *error)
{
    const void *const *own = order->params->device_params;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < order->params->count && !status; k++) {
        struct part *part = &split->parts[split->count];
        if (!order->shares[k])
            continue;
        *part = (struct part){.split = split,
                              .device = order->params->devices[k],
                              .share = {.of = order->units, .rules = order->rules},
                              .began_with = order->shares[k]};
        split->measured[split->count].units = order->shares[k];
        if (split->count++)
            status = shoal_queue_create(part->device, SHOAL_QUEUE_PROFILING, &part->queue, error);
        else
            part->queue = queue;
        if (!status && own)
            status = own_params_take(part, split->whole->workload, own[k], error);
        if (!status)
            queue_time_first_launches(part->queue, true);
    }
    return status;
}

/* Sets is_direct of each part whose device may copy directly from or to that of another part, and is_direct
 * of the run if there is such a part. */
static void find_direct(struct split *split)
{
    for (size_t k = 0; k < split->count; k++)
        for (size_t other = 0; other < k; other++)
            if (link_may_be_direct(split->parts[other].device, split->parts[k].device))
                split->is_direct = split->parts[other].is_direct = split->parts[k].is_direct = true;
}

/* Seconds of the longest build of a part, which a later move of units need not repeat. */
static double longest_build(const struct split *split)
{
    double most = 0;
    for (size_t k = 0; k < split->count; k++)
        if (split->parts[k].solver)
            most = fmax(most, shoal_solver_build_seconds(split->parts[k].solver));
    return most;
}

static enum shoal_status create_parts(struct split *split, const struct split_order *order,
                                      struct shoal_queue *queue, struct shoal_error *error)
{
    enum shoal_status status = set_parts(split, order, queue, error);
    if (!status)
        status = team_start(split, error);
    if (!status)
        status = parts_open_links(split, error);
    if (status)
        return status;
    const double start = clock_seconds();
    split->is_fixed = split->is_fixed || parts_are_one_processor(split);
    find_direct(split);
    parts_divide(split);
    status = parts_create(split, error);
    split->move_s = clock_seconds() - start - longest_build(split);
    return status;
}

enum shoal_status split_whole_create(const void *data, const struct solver_request *request,
                                     const struct solver_setup *setup, struct shoal_solver **out,
                                     struct shoal_error *error)
{
    const struct split_order *order = data;
    const size_t count = order->params->count;
    struct split *split = calloc(1, sizeof *split);
    if (split) {
        split->parts = calloc(count, sizeof *split->parts);
        split->shares = parts_shares;
        split->measured = calloc(count, sizeof *split->measured);
        split->shares.solvers = calloc(count, sizeof *split->shares.solvers);
    }
    if (!split || !split->parts || !split->measured || !split->shares.solvers) {
        parts_free(split);
        return fail_host_memory(error);
    }
    team_init(split);
    struct solver_setup own = *setup;
    own.shares = &split->shares;
    split->variant = request->variant;
    split->is_fixed = order->params->shares != NULL;
    split->shares.rules = order->rules;
    enum shoal_status status = solver_create(request->workload, request->device, request->queue,
                                             request->params, request->variant, &own, out, error);
    if (status)
        return status;
    split->whole = *out;
    status = create_parts(split, order, request->queue, error);
    if (status)
        shoal_solver_destroy(out);
    return status;
}

/* Makes a run on two or more devices. The queue of the run is a queue of the first device whose share is not
 * 0. */
static enum shoal_status run_divided(struct split_order *order, const struct shoal_workload *workload,
                                     const void *params, const struct shoal_run_params *run,
                                     struct shoal_report *report, struct shoal_error *error)
{
    const size_t count = order->params->count;
    uint64_t *shares = calloc(count, sizeof *shares);
    size_t leader = 0;
    if (!shares)
        return fail_host_memory(error);
    split_divide(order->units, order->params->shares, count, shares);
    order->shares = shares;
    while (!shares[leader])
        leader++;
    const struct solver_maker maker = {"shoal_run_split", split_whole_create, order};
    struct shoal_device *first = order->params->devices[leader];
    const enum shoal_status status = run_with(&maker, workload, first, params, run, report, error);
    free(shares);
    /* A launcher that has lost another process of the run stops it. A run that is complete needs the process
     * no more. */
    const enum shoal_status lost =
        status == SHOAL_STOPPED ? instance_check_alive_at_end(device_shoal(first), error) : SHOAL_OK;
    return lost ? lost : status;
}

enum shoal_status shoal_run_split(const struct shoal_workload *workload,
                                  const struct shoal_split_params *split, const void *params,
                                  const struct shoal_run_params *run, struct shoal_report *report,
                                  struct shoal_error *error)
{
    struct shoal_split_params own;
    struct split_order order = {.params = &own};
    if (!NEED(error, workload, split, params, report))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(split, shoal_split_params_init, &own, error);
    if (!status && !NEED_MEMBER(error, split, own, devices))
        return SHOAL_INVALID;
    if (!status)
        status = check(__func__, workload, params, &order, error);
    if (status)
        return status;
    if (own.count > 1)
        return run_divided(&order, workload, params, run, report, error);
    shoal_log(device_shoal(own.devices[0]), SHOAL_LOG_WARNING,
              "the run is not divided: its one device, %s, makes the whole run",
              shoal_device_get_info(own.devices[0])->id);
    const void *of_device = own.device_params ? own.device_params[0] : NULL;
    return shoal_run(workload, own.devices[0], of_device ? of_device : params, run, report, error);
}

/* Parts ------------------------------------------------------------------------------------------------ */

size_t shoal_part_count(const struct shoal_solver *solver)
{
    return solver && solver->shares ? ((const struct split *)solver->shares)->count : 0;
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
                                     .unit = split->shares.rules->unit,
                                     .first = own->count ? own->first : own->share.first,
                                     .count = own->count ? own->count : own->share.count,
                                     .busy_s = fmax(0, parts_work_s(own)),
                                     .waited_s = own->idle_s,
                                     .units = split->shares.rules->units,
                                     .numbered_from = split->shares.rules->numbered_from,
                                     .began_with = own->began_with,
                                     .moves = own->moves,
                                     .path = part_path(own)};
    RESULT_GIVE(&found, waited_s, part);
    return SHOAL_OK;
}
