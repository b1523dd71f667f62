/* Changes of quantities that the caller makes between steps, beside those of a schedule. */
#include "gas/model/changes.h"
#include "base/error.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factor by which a temperature may rise. Ranges that depend on the highest temperature of a run, as that of
 * a first neighbour list, are set at its start. */
static const double temperature_rise = 4;

/* Whether the caller may change the quantity, as far as the parameters are concerned. */
static bool may_change(const struct shoal_gas_params *params, enum gas_quantity quantity)
{
    switch (quantity) {
    case GAS_TEMPERATURE:
        return params->thermostat != SHOAL_GAS_NVE && isnan(params->temperature_end);
    case GAS_PRESSURE:
        return !isnan(params->pressure);
    case GAS_PISTON_PRESSURE:
        return !isnan(params->piston_pressure);
    case GAS_PISTON_SPEED:
        return !isnan(params->piston_speed);
    default:
        return false;
    }
}

enum shoal_status gas_changes_allow(const struct shoal_gas_params *params, struct gas_timetable *timetable,
                                    struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t q = 0; q < GAS_QUANTITIES && !status; q++) {
        const enum gas_quantity quantity = (enum gas_quantity)q;
        if (timetable->count[q] || !may_change(params, quantity))
            continue;
        const double first = gas_value_at(timetable, params, quantity, 0);
        const double most = first > 0 ? temperature_rise * first : temperature_rise;
        timetable->is_free[q] = true;
        /* The last change at step 0 holds; the change before it sets the highest temperature of the run. */
        if (quantity == GAS_TEMPERATURE)
            status = gas_timetable_add(params, timetable, quantity, (struct gas_change){.to = most}, error);
        if (!status)
            status = gas_timetable_add(params, timetable, quantity, (struct gas_change){.to = first}, error);
    }
    return status;
}

/* Number of changes of a free quantity that gas_changes_allow has added. */
static size_t added(enum gas_quantity quantity)
{
    return quantity == GAS_TEMPERATURE ? 2 : 1;
}

void gas_changes_forget(struct gas_problem *problem)
{
    struct gas_timetable *timetable = &problem->timetable;
    for (size_t q = 0; q < GAS_QUANTITIES; q++)
        if (timetable->is_free[q])
            timetable->count[q] = added((enum gas_quantity)q);
}

double gas_changes_most(const struct gas_problem *problem, enum gas_quantity quantity)
{
    double least, most;
    gas_quantity_range(quantity, &least, &most);
    return quantity == GAS_TEMPERATURE && problem->timetable.is_free[quantity] ? gas_hottest(problem) : most;
}

bool gas_changes_takes(const struct gas_problem *problem, enum gas_quantity quantity, double value)
{
    double least, most;
    gas_quantity_range(quantity, &least, &most);
    return value >= least && value <= gas_changes_most(problem, quantity) &&
           !(quantity == GAS_TEMPERATURE && value == 0 && gas_scales_velocities(problem->params));
}

/* The quantity of the earliest change that `told`, a number of changes for each quantity, leaves;
 * GAS_QUANTITIES: all changes are told. */
static enum gas_quantity earliest(const struct gas_timetable *timetable, const size_t told[GAS_QUANTITIES])
{
    enum gas_quantity next = GAS_QUANTITIES;
    for (size_t q = 0; q < GAS_QUANTITIES; q++)
        if (told[q] < timetable->count[q] &&
            (next == GAS_QUANTITIES ||
             timetable->changes[q][told[q]].step < timetable->changes[next][told[next]].step))
            next = (enum gas_quantity)q;
    return next;
}

enum shoal_status gas_changes_tell(const struct gas_problem *problem, struct text *text,
                                   struct shoal_error *error)
{
    const struct gas_timetable *timetable = &problem->timetable;
    size_t told[GAS_QUANTITIES] = {0};
    enum gas_quantity q;
    text_add(text, "");
    if (!isnan(problem->params->temperature_end)) /* the option sets the temperature */
        told[GAS_TEMPERATURE] = timetable->count[GAS_TEMPERATURE];
    while ((q = earliest(timetable, told)) < GAS_QUANTITIES) {
        const struct gas_change *change = &timetable->changes[q][told[q]++];
        text_printf(text, "%llu %s %s", (unsigned long long)change->step, gas_quantity_name(q),
                    decimal_text(change->to, false).s);
        if (change->over)
            text_printf(text, " over %llu", (unsigned long long)change->over);
        text_add(text, "\n");
    }
    return text->failed ? fail_host_memory(error) : SHOAL_OK;
}

/* Checkpoints ------------------------------------------------------------------------------------------- */

static const char section[] = "changes";

/* A change as checkpoints hold it. */
struct saved_change {
    uint64_t step;
    double to;
    uint64_t quantity;
};

enum shoal_status gas_changes_save(const struct gas_problem *problem, struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    const struct gas_timetable *timetable = &problem->timetable;
    size_t count = 0, at = 0;
    for (size_t q = 0; q < GAS_QUANTITIES; q++)
        count += timetable->is_free[q] ? timetable->count[q] - added((enum gas_quantity)q) : 0;
    if (!count)
        return SHOAL_OK;
    struct saved_change *saved = malloc(count * sizeof *saved);
    if (!saved)
        return fail_host_memory(error);
    for (size_t q = 0; q < GAS_QUANTITIES; q++)
        for (size_t i = added((enum gas_quantity)q); timetable->is_free[q] && i < timetable->count[q]; i++)
            saved[at++] =
                (struct saved_change){timetable->changes[q][i].step, timetable->changes[q][i].to, q};
    checkpoint_add_copy(checkpoint, section, saved, count * sizeof *saved);
    return SHOAL_OK;
}

/* Whether the caller could make a saved change after the changes that were loaded before it. */
static bool is_sound(const struct gas_problem *problem, const struct saved_change *saved)
{
    const struct gas_timetable *timetable = &problem->timetable;
    if (saved->quantity >= GAS_QUANTITIES || !timetable->is_free[saved->quantity])
        return false;
    const size_t count = timetable->count[saved->quantity];
    return gas_changes_takes(problem, (enum gas_quantity)saved->quantity, saved->to) &&
           timetable->changes[saved->quantity][count - 1].step <= saved->step;
}

enum shoal_status gas_changes_load(struct gas_problem *problem, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    struct gas_timetable *timetable = &problem->timetable;
    const struct checkpoint_section *found = checkpoint_find(checkpoint, section);
    struct saved_change saved;
    gas_changes_forget(problem);
    if (!found)
        return SHOAL_OK;
    enum shoal_status status = found->bytes % sizeof saved ? checkpoint_damaged(checkpoint, error) : SHOAL_OK;
    for (size_t at = 0; at < found->bytes && !status; at += sizeof saved) {
        memcpy(&saved, (const char *)found->data + at, sizeof saved);
        status = is_sound(problem, &saved)
                     ? gas_timetable_add(problem->params, timetable, (enum gas_quantity)saved.quantity,
                                         (struct gas_change){.step = saved.step, .to = saved.to}, error)
                     : checkpoint_damaged(checkpoint, error);
    }
    return status;
}
