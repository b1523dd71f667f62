/* Moves units between the parts of a run: the state of the whole run is written as a checkpoint, and parts
 * with other units load it. */
#include "base/clock.h"
#include "base/error.h"
#include "compute/device.h"
#include "compute/log.h"
#include "split/parts.h"

#include <math.h>
#include <stdlib.h>

/* Least seconds of the slowest part in a look: shorter times do not show the speed of a device. Half of
 * chunk_seconds of run.c, so that a chunk of steps is long enough for a look. */
static const double least_look_s = 0.05;

/* Whether two devices use the same memory, as parts of one device or as CPU devices of one host. */
static bool have_one_memory(const struct shoal_device *one, const struct shoal_device *two)
{
    return device_whole(one) == device_whole(two) ||
           (shoal_device_get_info(one)->is_cpu && shoal_device_get_info(two)->is_cpu &&
            device_are_of_one_host(one, two));
}

bool parts_are_one_processor(const struct split *split)
{
    for (size_t k = 0; k < split->count; k++) {
        const struct shoal_device_info *info = shoal_device_get_info(split->parts[k].device);
        if (!info->is_cpu || info->part_of ||
            !device_are_of_one_host(split->parts[0].device, split->parts[k].device))
            return false;
    }
    return true;
}

void parts_divide(struct split *split)
{
    uint64_t first = 0;
    size_t shares = 0;
    for (size_t k = 0; k < split->count; k++) {
        struct solver_share *share = &split->parts[k].share;
        split->parts[k].first = split->parts[k].count = 0;
        share->number = shares;
        shares += split->measured[k].units > 0;
        share->first = first;
        share->count = split->measured[k].units;
        first += share->count;
        share->beside = share->neighbours = 0;
        for (size_t other = 0; other < split->count; other++) {
            if (!have_one_memory(split->parts[other].device, split->parts[k].device))
                continue;
            share->beside += split->measured[other].units;
            share->neighbours += split->measured[other].units > 0;
        }
    }
    for (size_t k = 0; k < split->count; k++)
        split->parts[k].share.shares = shares;
}

/* Copies the state of the whole run to *bytes, memory that the caller frees. */
static enum shoal_status take_state(struct shoal_solver *whole, struct checkpoint *state, void **bytes,
                                    struct shoal_error *error)
{
    struct checkpoint now = {.path = NULL};
    size_t size = 0;
    *bytes = NULL;
    enum shoal_status status = solver_get_checkpoint(whole, &now, error);
    if (!status)
        status = checkpoint_to_memory(&now, bytes, &size, error);
    checkpoint_clear(&now);
    return status ? status : checkpoint_parse(state, *bytes, size, "of the moved units", error);
}

/* Creates the solvers of the parts anew, for their units, and loads the state into them. */
static enum shoal_status give_state(struct split *split, const struct checkpoint *state,
                                    struct shoal_error *error)
{
    parts_divide(split);
    const enum shoal_status status = parts_renew(split, error);
    return status ? status : split->whole->ops->load(split->whole, state, error);
}

/* Lets the parts have the units from before the move, for the rest of the run. */
static void keep_units(struct split *split)
{
    split->balance.is_settled = true;
    for (size_t k = 0; k < split->count; k++)
        split->measured[k].units = split->measured[k].before;
}

static void note_refusal(const struct split *split, const struct shoal_error *refusal)
{
    shoal_log(device_shoal(split->whole->device), SHOAL_LOG_WARNING,
              "devices keep their %s, since others could not be given to them: %s",
              split->shares.rules->units, refusal->message);
}

enum shoal_status parts_move(struct split *split, struct shoal_error *error)
{
    struct checkpoint state;
    struct shoal_error refusal = {0};
    void *bytes;
    const double start = clock_seconds();
    for (size_t k = 0; k < split->count; k++) {
        split->measured[k].before = split->parts[k].share.count;
        split->parts[k].launched_s = part_launched_s(&split->parts[k]);
    }
    if (take_state(split->whole, &state, &bytes, &refusal)) {
        keep_units(split);
        free(bytes);
        return SHOAL_OK;
    }
    enum shoal_status status = give_state(split, &state, &refusal);
    if (status) {
        keep_units(split);
        note_refusal(split, &refusal);
        status = give_state(split, &state, error);
    }
    for (size_t k = 0; k < split->count; k++) {
        struct part *part = &split->parts[k];
        part->moves += split->measured[k].units != split->measured[k].before;
        part->created_s += part_launched_s(part) - part->launched_s;
    }
    split->move_s = clock_seconds() - start;
    free(bytes);
    return status;
}

static uint64_t steps_left(const struct split *split)
{
    const struct shoal_solver *whole = split->whole;
    const uint64_t total = whole->ops->total_steps
                               ? whole->ops->total_steps(whole)
                               : shoal_workload_total_steps(whole->workload, whole->params);
    return total > split->at ? total - split->at : 0;
}

enum shoal_status parts_balance(struct split *split, struct shoal_error *error)
{
    double longest = 0;
    for (size_t k = 0; k < split->count; k++) {
        split->measured[k].busy_s = parts_work_s(&split->parts[k]) - split->parts[k].looked_s;
        longest = fmax(longest, split->measured[k].busy_s);
    }
    if (split->is_fixed || split->count < 2 || longest < least_look_s)
        return SHOAL_OK;
    /* The number of steps left is taken as no more than the number of steps made, since a run may end long
     * before its last step. */
    const double left = fmin((double)steps_left(split), (double)split->steps_done);
    const bool moves =
        balance_look(&split->balance, split->measured, split->count, split->unlooked, left, split->move_s);
    for (size_t k = 0; k < split->count; k++)
        split->parts[k].looked_s += split->measured[k].busy_s;
    split->unlooked = 0;
    return moves ? parts_move(split, error) : SHOAL_OK;
}
