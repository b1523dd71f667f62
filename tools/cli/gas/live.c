#include "cli/gas/live.h"

#include "cli/live/live.h"
#include "cli/stages.h"

#include <math.h>
#include <shoal/gas_changes.h>
#include <shoal/gas_picture.h>
#include <stdlib.h>
#include <string.h>

const char *const gas_live_names[] = {"none", "window", "terminal", NULL};
static const struct live_screen *const screens[] = {NULL, &live_window, &live_terminal};

static const char *const colour_names[] = {[SHOAL_GAS_BY_SPEED] = "speed",
                                           [SHOAL_GAS_BY_SPECIES] = "species",
                                           [SHOAL_GAS_BY_HEXATIC] = "hexatic order",
                                           [SHOAL_GAS_BY_DENSITY] = "density"};
enum { COLOURINGS = sizeof colour_names / sizeof *colour_names, QUANTITIES_TEXT = 100 };

struct gas_live {
    const struct shoal_gas_params *params;
    struct live_subject subject;
    struct live *view;
    /* the colourings that the run has, and their names, ended by NULL; none before the first picture */
    enum shoal_gas_colouring colourings[COLOURINGS];
    const char *names[COLOURINGS + 1];
    size_t colouring_count;
    /* of the picture that was drawn last */
    uint64_t step;
    double time;
    char quantities[QUANTITIES_TEXT]; /* the quantities that keys change: ", temperature 1.2" */
    char *record;                     /* path of the file of changes; NULL: none */
    char *schedule;                   /* its text; NULL: no picture was drawn */
};

/* Keeps the schedule of the run so far for --record, so that it is not lost if the run fails. */
static enum shoal_status keep_schedule(struct gas_live *live, struct shoal_solver *solver,
                                       struct shoal_error *error)
{
    const char *text;
    if (!live->record)
        return SHOAL_OK;
    const enum shoal_status status = shoal_gas_get_schedule(solver, &text, error);
    if (status)
        return status;
    free(live->schedule);
    live->schedule = cli_strdup(text);
    return SHOAL_OK;
}

/* Quantities -------------------------------------------------------------------------------------------- */

/* The quantities that left and right change: the first of them that the run has. */
static const char *const piston_names[] = {"piston-pressure", "piston-speed", "pressure"};

/* The quantity that a key changes; NULL: the key has no meaning, or the run has no such quantity. */
static enum shoal_status find(struct shoal_solver *solver, bool is_piston, const char **name,
                              struct shoal_gas_quantity *quantity, struct shoal_error *error)
{
    static const char *const temperature[] = {"temperature"};
    const char *const *names = is_piston ? piston_names : temperature;
    const size_t count = is_piston ? sizeof piston_names / sizeof *piston_names : 1;
    enum shoal_status status = SHOAL_OK;
    *name = NULL;
    for (size_t i = 0; i < count && !status && !*name; i++) {
        *quantity = (struct shoal_gas_quantity){.size = sizeof *quantity};
        status = shoal_gas_get_quantity(solver, names[i], quantity, error);
        if (!status && quantity->changeable)
            *name = names[i];
    }
    return status;
}

/* Pictures ---------------------------------------------------------------------------------------------- */

/* Adds ", NAME VALUE" for the quantity that keys change, if the run has it. */
static enum shoal_status add_quantity(struct shoal_solver *solver, bool is_piston, char text[QUANTITIES_TEXT],
                                      struct shoal_error *error)
{
    struct shoal_gas_quantity quantity;
    const char *name;
    const enum shoal_status status = find(solver, is_piston, &name, &quantity, error);
    const size_t length = strlen(text);
    if (!status && name)
        snprintf(text + length, QUANTITIES_TEXT - length, ", %s %.4g", name, quantity.value);
    return status;
}

/* Pixels along a side of a picture, as many as a picture can have. */
static uint32_t side_of(size_t pixels)
{
    return pixels < SHOAL_GAS_MOST_PIXELS ? (uint32_t)pixels : SHOAL_GAS_MOST_PIXELS;
}

/* Finds the colourings that the run has, before its first picture. */
static enum shoal_status list_colourings(struct gas_live *live, struct shoal_solver *solver,
                                         struct shoal_error *error)
{
    struct shoal_gas_species species = {.size = sizeof species};
    const enum shoal_status status = shoal_gas_get_species(solver, &species, error);
    if (status)
        return status;
    for (int colouring = 0; colouring < COLOURINGS; colouring++) {
        if ((colouring == SHOAL_GAS_BY_SPECIES && species.count < 2) ||
            (colouring == SHOAL_GAS_BY_HEXATIC && !(live->params->hexatic_range > 0)))
            continue;
        live->names[live->colouring_count] = colour_names[colouring];
        live->colourings[live->colouring_count++] = (enum shoal_gas_colouring)colouring;
    }
    return SHOAL_OK;
}

static enum shoal_status draw(void *data, struct shoal_solver *solver, const struct live_view *view,
                              struct live_picture *picture, struct shoal_error *error)
{
    struct gas_live *live = data;
    struct shoal_gas_picture drawn = {.size = sizeof drawn};
    double length[3];
    enum shoal_status status = SHOAL_OK;
    if (!live->colouring_count)
        status = list_colourings(live, solver, error);
    if (!status && !live->schedule)
        status = keep_schedule(live, solver, error);
    *live->quantities = '\0';
    if (!status)
        status = add_quantity(solver, false, live->quantities, error);
    if (!status)
        status = add_quantity(solver, true, live->quantities, error);
    if (!status)
        status = shoal_gas_get_box(solver, length, error);
    if (status)
        return status;
    const struct shoal_gas_view shown =
        SHOAL_GAS_VIEW(.width = side_of(view->width), .height = side_of(view->height),
                       .centre_x = view->centre[0] * length[0], .centre_y = view->centre[1] * length[1],
                       .zoom = view->zoom, .colouring = live->colourings[view->colouring]);
    status = shoal_gas_draw(solver, &shown, &drawn, error);
    live->step = drawn.step;
    live->time = drawn.time;
    *picture = (struct live_picture){drawn.width, drawn.height, drawn.pixels, drawn.step};
    return status;
}

static void describe(void *data, char text[LIVE_TEXT])
{
    const struct gas_live *live = data;
    snprintf(text, LIVE_TEXT, "shoal gas: step %llu of %llu, time %.6g%s", (unsigned long long)live->step,
             (unsigned long long)live->params->steps, live->time, live->quantities);
}

/* Keys -------------------------------------------------------------------------------------------------- */

/* The next value of a quantity, with few digits: a tenth more or less; a speed, which may be 0, changes by a
 * fixed number. */
static double next_value(const char *name, const struct shoal_gas_quantity *quantity, bool is_up)
{
    const double factor = 1.1, speed = 0.05;
    const double value = strcmp(name, "piston-speed") == 0 ? quantity->value + (is_up ? speed : -speed)
                         : is_up                           ? quantity->value * factor
                                                           : quantity->value / factor;
    char digits[32];
    snprintf(digits, sizeof digits, "%.4g", value);
    return fmin(fmax(strtod(digits, NULL), quantity->least), quantity->most);
}

static enum shoal_status press(void *data, struct shoal_solver *solver, int key, char note[LIVE_TEXT],
                               struct shoal_error *error)
{
    struct gas_live *live = data;
    struct shoal_gas_quantity quantity;
    const char *name;
    const bool is_piston = key == LIVE_LEFT || key == LIVE_RIGHT;
    if (!is_piston && key != LIVE_UP && key != LIVE_DOWN)
        return SHOAL_OK;
    enum shoal_status status = find(solver, is_piston, &name, &quantity, error);
    if (status)
        return status;
    if (!name) {
        snprintf(note, LIVE_TEXT, "the run has no %s that keys change",
                 is_piston ? "pressure" : "temperature");
        return SHOAL_OK;
    }
    const double value = next_value(name, &quantity, key == LIVE_UP || key == LIVE_RIGHT);
    if (value == quantity.value) {
        snprintf(note, LIVE_TEXT, "%s is at its limit", name);
        return SHOAL_OK;
    }
    status = shoal_gas_change(solver, name, value, error);
    return status ? status : keep_schedule(live, solver, error);
}

/* A run ------------------------------------------------------------------------------------------------- */

/* Whether the run has a quantity whose changes a file of --record can hold. */
static bool has_changes(const struct shoal_gas_params *params)
{
    return (params->thermostat != SHOAL_GAS_NVE && isnan(params->temperature_end)) ||
           !isnan(params->pressure) || !isnan(params->piston_pressure) || !isnan(params->piston_speed) ||
           (params->schedule && *params->schedule);
}

void gas_live_imply(struct cli *cli, const struct gas_live_values *values)
{
    struct shoal_gas_params *params = cli->params;
    if (values->screen && !cli->resumed)
        params->changeable = true;
}

int gas_live_check(struct cli *cli, const struct gas_live_values *values)
{
    const struct workload_values *common = cli->values;
    if (!values->screen)
        return CLI_OK;
    if (common->split)
        return cli_error(CLI_USAGE, "--live shows the run of one device: leave out --split");
    if (values->record && !has_changes(cli->params))
        return cli_error(CLI_USAGE,
                         "--record: keys change nothing in this run: give --thermostat, --pressure, "
                         "--piston-pressure or --piston-speed");
    if (values->record && !cli_check_output("--record", values->record, false))
        return CLI_FAILURE;
    return live_open(screens[values->screen], "shoal gas");
}

int gas_live_begin(struct cli *cli, struct cli_row *row, const struct gas_live_values *values,
                   struct gas_live **out)
{
    struct gas_live *live = NULL;
    *out = NULL;
    if (!values->screen)
        return CLI_OK;
    const int code = live_open(screens[values->screen], "shoal gas");
    if (code != CLI_OK)
        return code;
    live = *out = cli_alloc(sizeof *live);
    live->params = cli->params;
    live->record = values->record ? cli_row_path(cli, row, values->record) : NULL;
    live->subject = (struct live_subject){.name = "shoal-gas",
                                          .colourings = live->names,
                                          .keys = "arrows temperature and pressure",
                                          .draw = draw,
                                          .describe = describe,
                                          .press = press,
                                          .data = live};
    live->view = live_begin(&live->subject);
    row->between = live_between;
    row->between_data = live->view;
    row->between_every = live_every;
    return CLI_OK;
}

/* Writes the file of --record. */
static int write_record(const struct gas_live *live)
{
    static const char head[] =
        "# Changes of a live run. A run of the same options without --live, with this file as --schedule,\n"
        "# repeats it. The first temperature of step 0 is the highest that keys can set.\n";
    struct shoal_error error = {0};
    char *text = cli_sprintf("%s%s", head, live->schedule);
    const enum shoal_status status = cli_write_file(live->record, text, strlen(text), &error);
    free(text);
    return status ? cli_fail("--record", &error) : CLI_OK;
}

int gas_live_end(const struct cli *cli, const struct cli_row *row, struct gas_live **out)
{
    struct gas_live *live = *out;
    if (!live)
        return CLI_OK;
    const bool goes_on = cli->stage && cli->stage->after && row->error.status == SHOAL_OK;
    const int code = live->record && live->schedule ? write_record(live) : CLI_OK;
    if (!goes_on)
        live_close();
    live_end(&live->view);
    free(live->schedule);
    free(live->record);
    free(live);
    *out = NULL;
    return code;
}
