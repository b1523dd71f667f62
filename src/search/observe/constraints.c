/* Constraints in a result. A search ranks points by a single number; value and violation are computed from
 * this number: src/objective/constraints/constraints.h. */
#include "objective/constraints/constraints.h"
#include "base/error.h"
#include "search/observe/observe.h"
#include "search/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An inequality binds if its excess, in units of the scale of the constraint, is above -near. */
static const double near = 1e-6;

/* Memory to evaluate constraints. x: a point; scratch: the decoded point; excess: the excess of each
 * constraint at the point; scales: the scale of each constraint. */
struct room {
    const struct constrained *of;
    double *x, *scratch, *excess, *scales;
};

static enum shoal_status room_create(const struct search_problem *problem, struct room *room,
                                     struct shoal_error *error)
{
    const size_t dim = problem->dim, count = problem->constrained->count;
    room->of = problem->constrained;
    room->x = calloc(2 * dim + 2 * count, sizeof *room->x);
    room->scratch = room->x + dim;
    room->excess = room->scratch + dim;
    room->scales = room->excess + count;
    return room->x ? SHOAL_OK : fail_host_memory(error);
}

/* Sets the scale of rounding errors of each constraint: the largest absolute size of the constraint at the
 * centre of the box and halfway from there to the lowest and the highest corner, at least 1. */
static void find_scales(const struct search_problem *problem, struct room *room)
{
    static const double places[] = {0, -0.5, 0.5};
    for (size_t i = 0; i < room->of->count; i++)
        room->scales[i] = 1;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        search_centre(problem, places[k], room->x);
        search_parts(problem, room->x, room->scratch, room->excess);
        for (size_t i = 0; i < room->of->count; i++)
            if (isfinite(room->excess[i]))
                room->scales[i] = fmax(room->scales[i], fabs(room->excess[i]));
    }
}

/* Returns the sum of the scales. */
static double whole_scale(const struct room *room)
{
    double sum = 0;
    for (size_t i = 0; i < room->of->count; i++)
        sum += room->scales[i];
    return sum;
}

double search_shown_value(const struct search_problem *problem, double rank)
{
    const bool is_allowed = !problem->constrained || constrained_violation_of(rank) <= 0;
    return problem->sign * (is_allowed ? rank : INFINITY);
}

enum shoal_status search_check_constrained(const struct search_problem *problem, double tolerance,
                                           const double *member, double rank, double scale,
                                           struct search_comparison *out, struct shoal_error *error)
{
    struct room room;
    enum shoal_status status = room_create(problem, &room, error);
    if (status)
        return status;
    find_scales(problem, &room);
    const double value = search_parts(problem, member, room.scratch, room.excess);
    const double violation = constrained_violation(room.of, room.excess),
                 claimed = constrained_violation_of(rank), size = fmax(1, violation);
    *out = (struct search_comparison){
        .off = fabs(violation - claimed), .most = tolerance * whole_scale(&room) * size, .size = size};
    /* A point at the bound of a constraint may meet the constraint in the device's precision but not on the
     * host. */
    if (claimed <= 0 && out->off <= out->most) {
        out->size = fmax(1, fabs(value));
        out->off = fabs(rank - value);
        out->most = tolerance * fmax(scale, out->size);
    }
    free(room.x);
    return SHOAL_OK;
}

/* Appends a name to a list. If there is no room for it, appends "..." once. */
static void add_name(char *list, size_t size, const char *name)
{
    const size_t length = strlen(list), more = strlen(name) + (length ? 2 : 0);
    if (length + more + sizeof ", ..." <= size)
        snprintf(list + length, size - length, "%s%s", length ? "; " : "", name);
    else if (length + sizeof ", ..." <= size && strcmp(list + length - 3, "...") != 0)
        snprintf(list + length, size - length, ", ...");
}

/* Lists the constraints that bind at a point. room: the excess of each constraint at the point. */
static void list_binding(const struct room *room, struct search_summary *summary)
{
    *summary->binding = '\0';
    for (size_t i = 0; i < room->of->count; i++)
        if (room->of->is_equality[i] || room->excess[i] >= -near * room->scales[i])
            add_name(summary->binding, sizeof summary->binding, room->of->names[i]);
}

/* Writes the violation of the point whose excess is in `room`, and the name of the constraint with the
 * largest excess. */
static void describe_violation(const struct room *room, double violation, struct shoal_result *result)
{
    size_t most = 0;
    for (size_t i = 1; i < room->of->count; i++)
        if (room->excess[i] > room->excess[most])
            most = i;
    snprintf(result->check_failure, sizeof result->check_failure,
             "no point met all constraints: the least violation is %.6g, most of it of %.60s", violation,
             room->of->names[most]);
}

enum shoal_status search_part_finals(const struct search_problem *problem,
                                     const struct search_outcome *outcome, const double *positions,
                                     double tolerance, size_t best, struct search_summary *summary,
                                     struct shoal_result *result, struct shoal_error *error)
{
    struct room room;
    enum shoal_status status = room_create(problem, &room, error);
    if (status)
        return status;
    uint64_t allowed = 0;
    find_scales(problem, &room);
    const double about = tolerance * whole_scale(&room);
    for (size_t r = 0; r < problem->runs; r++) {
        const double *member = positions + r * problem->dim;
        const double value = search_parts(problem, member, room.scratch, room.excess);
        const double violation = constrained_violation(room.of, room.excess);
        /* A point that meets the constraints in the precision of the device is accepted even if it violates
         * them slightly here. */
        const bool is_found = constrained_violation_of(outcome->best[r]) <= 0 && violation <= about;
        const bool is_allowed = violation <= 0 || is_found;
        if (!isfinite(summary->finals[r]) || isnan(violation))
            continue;
        allowed += is_allowed;
        summary->finals[r] = problem->sign * (is_allowed ? value : INFINITY);
        summary->signed_finals[r] = problem->sign * summary->finals[r];
        if (r != best)
            continue;
        summary->violation = violation;
        list_binding(&room, summary);
        if (!is_allowed || summary->refined)
            result->value = problem->sign * value;
        if (!is_allowed && result->check_passed) {
            result->check_passed = false;
            describe_violation(&room, violation, result);
        }
    }
    summary->allowed = allowed;
    free(room.x);
    return SHOAL_OK;
}

void search_add_constraints(const struct search_problem *problem, struct search_summary *summary,
                            struct shoal_result *result)
{
    result_add_real(result, "violation", "", summary->violation);
    result_add_text(result, "binding", *summary->binding ? summary->binding : "none");
    if (problem->runs > 1)
        result_add_uint(result, "allowed", "runs", summary->allowed);
    if (summary->violation > 0 && result->check_passed) {
        snprintf(summary->warning, sizeof summary->warning,
                 "in double precision the point violates the constraints by %.2g%s", summary->violation,
                 search_precision(problem) == SHOAL_FP32 ? "; give --precision fp64" : "");
        result->warning = summary->warning;
    }
}
