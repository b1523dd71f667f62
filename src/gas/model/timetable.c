/* Reads the changes of quantities during a run, and computes their values. */
#include "gas/model/timetable.h"
#include "base/error.h"
#include "base/input.h"
#include "gas/model/problem.h"
#include "io/cursor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names of the quantities, which are those of the options that set their first values and ranges. */
static const char *const quantity_names[GAS_QUANTITIES] = {[GAS_TEMPERATURE] = "temperature",
                                                           [GAS_FRICTION] = "friction",
                                                           [GAS_FIELD] = "field-x",
                                                           [GAS_FIELD + 1] = "field-y",
                                                           [GAS_FIELD + 2] = "field-z",
                                                           [GAS_TRAP] = "trap",
                                                           [GAS_PRESSURE] = "pressure",
                                                           [GAS_PISTON_PRESSURE] = "piston-pressure",
                                                           [GAS_PISTON_SPEED] = "piston-speed"};

const char *gas_quantity_name(enum gas_quantity quantity)
{
    return quantity_names[quantity];
}

enum gas_quantity gas_quantity_find(const char *name)
{
    size_t q = 0;
    while (q < GAS_QUANTITIES && strcmp(quantity_names[q], name) != 0)
        q++;
    return (enum gas_quantity)q;
}

static const struct shoal_option *option_of(enum gas_quantity quantity)
{
    const struct shoal_option *option = gas_options;
    while (strcmp(option->name, quantity_names[quantity]) != 0)
        option++;
    return option;
}

void gas_quantity_range(enum gas_quantity quantity, double *least, double *most)
{
    const struct shoal_option *option = option_of(quantity);
    *least = option->min;
    *most = option->max;
}

/* Values ----------------------------------------------------------------------------------------------- */

static double first_value(const struct shoal_gas_params *params, enum gas_quantity quantity)
{
    const double values[GAS_QUANTITIES] = {
        params->temperature, gas_friction_of(params), params->field_x,
        params->field_y,     params->field_z,         params->trap,
        params->pressure,    params->piston_pressure, params->piston_speed};
    return values[quantity];
}

double gas_value_at(const struct gas_timetable *timetable, const struct shoal_gas_params *params,
                    enum gas_quantity quantity, uint64_t step)
{
    const struct gas_change *changes = timetable->changes[quantity];
    size_t low = 0, high = timetable->count[quantity]; /* changes before `low` have begun */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (changes[middle].step <= step)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return first_value(params, quantity);
    const struct gas_change *change = &changes[low - 1];
    if (step - change->step >= change->over)
        return change->to;
    const double share = (double)(step - change->step) / (double)change->over;
    return (1 - share) * change->from + share * change->to;
}

double gas_largest(const struct gas_timetable *timetable, const struct shoal_gas_params *params,
                   enum gas_quantity quantity)
{
    double largest = first_value(params, quantity);
    for (size_t i = 0; i < timetable->count[quantity]; i++)
        largest = fmax(largest, timetable->changes[quantity][i].to);
    return largest;
}

enum shoal_status gas_timetable_add(const struct shoal_gas_params *params, struct gas_timetable *timetable,
                                    enum gas_quantity quantity, struct gas_change change,
                                    struct shoal_error *error)
{
    const size_t count = timetable->count[quantity];
    struct gas_change *changes = timetable->changes[quantity];
    if ((count & (count - 1)) == 0) { /* the room is a power of two */
        changes = realloc(changes, (count ? 2 * count : 1) * sizeof *changes);
        if (!changes)
            return fail_host_memory(error);
        timetable->changes[quantity] = changes;
    }
    change.from = count ? changes[count - 1].to : first_value(params, quantity);
    changes[count] = change;
    timetable->count[quantity]++;
    return SHOAL_OK;
}

/* Parser ----------------------------------------------------------------------------------------------- */

static enum shoal_status find_quantity(const struct cursor *cursor, struct word word,
                                       enum gas_quantity *quantity)
{
    for (size_t q = 0; q < GAS_QUANTITIES; q++) {
        *quantity = (enum gas_quantity)q;
        if (word_is(word, quantity_names[q]))
            return SHOAL_OK;
    }
    const char *near = text_nearest(word_show(word).text, quantity_names, GAS_QUANTITIES);
    return cursor_fail(cursor,
                       "'%s' cannot change during a run; temperature, friction, field-x, field-y, "
                       "field-z, trap, pressure, piston-pressure and piston-speed can%s%s%s",
                       word_show(word).text, near ? ": did you mean " : "", near ? near : "",
                       near ? "?" : "");
}

/* Checks that the quantity has an effect in the run, and that it can have the value. */
static enum shoal_status check_effect(const struct cursor *cursor, const struct shoal_gas_params *params,
                                      enum gas_quantity quantity, double value)
{
    const int32_t thermostat = params->thermostat;
    const struct shoal_option *option = option_of(quantity);
    if (!(value >= option->min && value <= option->max))
        return cursor_fail(cursor, "%s is %g, allowed are %g to %g", option->name, value, option->min,
                           option->max);
    if (quantity == GAS_TEMPERATURE && thermostat == SHOAL_GAS_NVE)
        return cursor_fail(cursor, "temperature needs --thermostat langevin, rescale or chain");
    if (quantity == GAS_TEMPERATURE && !isnan(params->temperature_end))
        return cursor_fail(cursor,
                           "temperature and --temperature-end both set the temperature: leave one out");
    if (quantity == GAS_FRICTION && thermostat != SHOAL_GAS_LANGEVIN)
        return cursor_fail(cursor, "friction needs --thermostat langevin");
    if (quantity == GAS_PRESSURE && isnan(params->pressure))
        return cursor_fail(cursor, "pressure needs --pressure, which keeps it before the change");
    if ((quantity == GAS_PISTON_PRESSURE && isnan(params->piston_pressure)) ||
        (quantity == GAS_PISTON_SPEED && isnan(params->piston_speed)))
        return cursor_fail(cursor, "%s needs --%s, which holds before the change", option->name,
                           option->name);
    if (quantity == GAS_FIELD + 2 && params->dim < 3)
        return cursor_fail(cursor, "field-z needs --dim 3");
    return SHOAL_OK;
}

/* Whether velocities are rescaled to the temperature to which the change leads. An equilibration has the
 * temperature of step 0. */
static bool rescales(const struct shoal_gas_params *params, const struct gas_change *change)
{
    return gas_scales_velocities(params) || (params->equilibration && change->step == 0 && change->over == 0);
}

/* Reads the words "over STEPS" at the end of a line, if it has any. */
static enum shoal_status read_over(const struct cursor *cursor, struct line *line, uint64_t *over)
{
    struct word word;
    *over = 0;
    if (!line_word(line, &word))
        return SHOAL_OK;
    if (!word_is(word, "over") || !line_word(line, &word))
        return cursor_fail(cursor, "a line is STEP NAME VALUE, or STEP NAME VALUE over STEPS");
    enum shoal_status status = word_count(cursor, word, "the number of steps of a change", over);
    if (!status && (*over == 0 || (double)*over > GAS_MOST_STEPS))
        status = cursor_fail(cursor, "a change takes 1 to %.0f steps, not %s", GAS_MOST_STEPS,
                             word_show(word).text);
    if (!status && line_word(line, &word))
        status = cursor_fail(cursor, "'%s' follows the end of the change", word_show(word).text);
    return status;
}

/* Reads a line with the step `*latest` or a later one. */
static enum shoal_status read_change(const struct cursor *cursor, struct line line, uint64_t *latest,
                                     const struct shoal_gas_params *params, struct gas_timetable *timetable)
{
    struct gas_change change = {.step = 0};
    enum gas_quantity quantity = GAS_TEMPERATURE;
    struct word step, name, value;
    if (!line_word(&line, &step) || !line_word(&line, &name) || !line_word(&line, &value))
        return cursor_fail(cursor, "a line is STEP NAME VALUE, or STEP NAME VALUE over STEPS");
    enum shoal_status status = word_count(cursor, step, "a step", &change.step);
    if (!status && (double)change.step > GAS_MOST_STEPS)
        status = cursor_fail(cursor, "step %s is beyond the last possible step %.0f", word_show(step).text,
                             GAS_MOST_STEPS);
    if (!status && change.step < *latest)
        status = cursor_fail(cursor, "step %llu follows step %llu: order the lines by their steps",
                             (unsigned long long)change.step, (unsigned long long)*latest);
    if (!status)
        status = find_quantity(cursor, name, &quantity);
    if (!status)
        status = word_real(cursor, value, "a value", &change.to);
    if (!status)
        status = check_effect(cursor, params, quantity, change.to);
    if (!status)
        status = read_over(cursor, &line, &change.over);
    if (!status && quantity == GAS_TEMPERATURE && change.to == 0 && rescales(params, &change))
        status = cursor_fail(cursor, "velocities cannot be rescaled to temperature 0: raise it");
    const size_t count = timetable->count[quantity];
    const struct gas_change *last = count ? &timetable->changes[quantity][count - 1] : NULL;
    if (!status && last && last->step + last->over > change.step)
        status = cursor_fail(cursor, "%s still changes until step %llu: begin its next change then",
                             quantity_names[quantity], (unsigned long long)(last->step + last->over));
    *latest = change.step;
    return status ? status : gas_timetable_add(params, timetable, quantity, change, cursor->error);
}

/* Whether a value of --schedule holds the lines themselves, each ended by a semicolon or a line break. */
static bool is_text(const char *schedule)
{
    return strpbrk(schedule, ";\n");
}

/* Makes a semicolon the end of a line. A comment in a text with line breaks keeps its semicolons; in one
 * without line breaks the semicolon ends it. */
static void break_lines(char *text)
{
    const bool has_breaks = strchr(text, '\n');
    bool is_comment = false;
    for (char *at = text; *at; at++) {
        is_comment = has_breaks && *at != '\n' && (is_comment || *at == '#');
        if (*at == ';' && !is_comment)
            *at = '\n';
    }
}

static enum shoal_status read_text(const char *schedule, char **text, struct shoal_error *error)
{
    if (!is_text(schedule))
        return read_input_text(schedule, "schedule", text, error);
    *text = strdup(schedule);
    if (!*text)
        return fail_host_memory(error);
    break_lines(*text);
    return SHOAL_OK;
}

enum shoal_status gas_timetable_parse(const struct shoal_gas_params *params, const char *text, size_t bytes,
                                      struct gas_timetable *timetable, struct shoal_error *error)
{
    struct cursor cursor = {.name = is_text(params->schedule) ? "--schedule" : params->schedule,
                            .at = text,
                            .end = text + bytes,
                            .error = error};
    struct line line;
    uint64_t latest = 0;
    size_t lines = 0;
    enum shoal_status status = SHOAL_OK;
    *timetable = (struct gas_timetable){.count = {0}};
    cursor_skip_mark(&cursor);
    while (!status && cursor_next(&cursor, &line)) {
        const char *comment = memchr(line.begin, '#', (size_t)(line.end - line.begin));
        struct line rest = {line.begin, comment ? comment : line.end}, begin = rest;
        struct word word;
        if (!line_word(&begin, &word))
            continue;
        status = read_change(&cursor, rest, &latest, params, timetable);
        lines++;
    }
    if (!status && lines == 0) {
        cursor.line = 0;
        status =
            cursor_fail(&cursor, "the schedule has no line STEP NAME VALUE: add one or leave out --schedule");
    }
    if (status)
        gas_timetable_destroy(timetable);
    return status;
}

enum shoal_status gas_timetable_create(const struct shoal_gas_params *params, struct gas_timetable *timetable,
                                       struct shoal_error *error)
{
    char *text = NULL;
    enum shoal_status status = SHOAL_OK;
    *timetable = (struct gas_timetable){.count = {0}};
    if (params->schedule && *params->schedule) {
        status = read_text(params->schedule, &text, error);
        if (!status)
            status = gas_timetable_parse(params, text, strlen(text), timetable, error);
        free(text);
    }
    if (!status && !isnan(params->temperature_end) && params->steps > 0)
        status = gas_timetable_add(params, timetable, GAS_TEMPERATURE,
                                   (struct gas_change){.over = params->steps, .to = params->temperature_end},
                                   error);
    if (!status && params->changeable)
        status = gas_changes_allow(params, timetable, error);
    if (status)
        gas_timetable_destroy(timetable);
    return status;
}

void gas_timetable_destroy(struct gas_timetable *timetable)
{
    for (size_t q = 0; q < GAS_QUANTITIES; q++)
        free(timetable->changes[q]);
    *timetable = (struct gas_timetable){.count = {0}};
}
