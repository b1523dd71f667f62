#include "cli/live/live.h"

#include "base/clock.h"
#include "cli/charts/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const double live_every = 1.0 / 30;

/* Seconds between two lines of text: a line that changes with every picture cannot be read. */
static const double line_every = 0.2;

/* The screen -------------------------------------------------------------------------------------------- */

static const struct live_screen *screen; /* NULL: no screen is open */
static void *opened;
static bool given_up; /* the screen has failed: later stages do not open it again */

int live_open(const struct live_screen *wanted, const char *title)
{
    static bool is_registered;
    struct shoal_error error = {0};
    if (screen || given_up)
        return CLI_OK;
    if (wanted->open(title, &opened, &error))
        return cli_fail(wanted->option, &error);
    screen = wanted;
    if (!is_registered)
        atexit(live_close);
    is_registered = true;
    return CLI_OK;
}

void live_close(void)
{
    if (screen)
        screen->close(&opened);
    screen = NULL;
}

/* A view ------------------------------------------------------------------------------------------------ */

struct live {
    const struct live_subject *subject;
    struct live_view view;
    struct live_picture picture; /* the picture that is shown */
    char line[3 * LIVE_TEXT], note[LIVE_TEXT];
    double lined;   /* time of the line */
    bool is_paused; /* steps are made only by the key for them */
    bool makes_step;
    bool saves; /* the picture that is drawn next will be saved */
};

struct live *live_begin(const struct live_subject *subject)
{
    struct live *live = cli_alloc(sizeof *live);
    *live = (struct live){.subject = subject, .view = {.zoom = 1, .centre = {0.5, 0.5}}, .lined = -INFINITY};
    return live;
}

void live_end(struct live **live)
{
    free(*live);
    *live = NULL;
}

/* The screen does not work any more: the run goes on without it. */
static void give_up(const struct shoal_error *error)
{
    cli_error(CLI_OK, "%s: %s; the run goes on without it", screen->option, error->message);
    given_up = true;
    live_close();
}

/* Pictures ---------------------------------------------------------------------------------------------- */

/* Writes the picture that is shown as NAME-STEP.png into the current folder. */
static void save(struct live *live)
{
    const struct live_picture *picture = &live->picture;
    const size_t pixels = picture->width * picture->height;
    struct canvas canvas;
    struct shoal_error error = {0};
    void *png = NULL;
    size_t bytes;
    char *path = cli_sprintf("%s-%09llu.png", live->subject->name, (unsigned long long)picture->step);
    enum shoal_status status = canvas_create(&canvas, picture->width, picture->height, 0, &error);
    if (!status) {
        for (size_t i = 0; i < pixels; i++)
            memcpy(canvas.pixels + CANVAS_CHANNELS * i, picture->pixels + 4 * i, CANVAS_CHANNELS);
        status = canvas_png(&canvas, &png, &bytes, &error);
        canvas_destroy(&canvas);
    }
    if (!status)
        status = cli_write_file(path, png, bytes, &error);
    snprintf(live->note, sizeof live->note, "%.*s", LIVE_TEXT - 1, status ? error.message : path);
    free(png);
    free(path);
}

static void make_line(struct live *live)
{
    const struct live_subject *subject = live->subject;
    char state[LIVE_TEXT] = "";
    subject->describe(subject->data, state);
    snprintf(live->line, sizeof live->line,
             "%s%s%s%s | space %s, n step, %s%sc colour, + - zoom, h j k l move, s save, q end", state,
             live->is_paused ? ", paused" : "", *live->note ? " | " : "", live->note,
             live->is_paused ? "run" : "pause", subject->keys, *subject->keys ? ", " : "");
    live->lined = clock_seconds();
}

/* Draws and shows the state of the solver. A screen that fails is closed. */
static enum shoal_status show(struct live *live, struct shoal_solver *solver, struct shoal_error *error)
{
    const struct live_subject *subject = live->subject;
    struct shoal_error own = {0};
    screen->size(opened, &live->view.width, &live->view.height);
    const enum shoal_status status = subject->draw(subject->data, solver, &live->view, &live->picture, error);
    if (status)
        return status;
    if (live->saves)
        save(live);
    if (live->is_paused || live->saves || clock_seconds() - live->lined >= line_every)
        make_line(live);
    live->saves = false;
    if (screen->show(opened, &live->picture, live->line, &own))
        give_up(&own);
    return SHOAL_OK;
}

/* Keys -------------------------------------------------------------------------------------------------- */

static void zoom(struct live_view *view, double factor)
{
    view->zoom = fmin(fmax(view->zoom * factor, 1), 1000);
    if (view->zoom == 1)
        view->centre[0] = view->centre[1] = 0.5;
}

/* Moves the middle of the picture by a fifth of its width or height. */
static void move(struct live_view *view, double right, double up)
{
    view->centre[0] = fmin(fmax(view->centre[0] + 0.2 * right / view->zoom, 0), 1);
    view->centre[1] = fmin(fmax(view->centre[1] + 0.2 * up / view->zoom, 0), 1);
}

static void next_colouring(struct live *live)
{
    const char *const *names = live->subject->colourings;
    if (!names[0]) /* no picture was drawn */
        return;
    live->view.colouring = names[live->view.colouring + 1] ? live->view.colouring + 1 : 0;
    snprintf(live->note, sizeof live->note, "colour by %s", names[live->view.colouring]);
}

/* Takes a key that changes only the picture; false: it is another key. */
static bool take_view_key(struct live *live, int key)
{
    struct live_view *view = &live->view;
    switch (key) {
    case 'c':
        next_colouring(live);
        return true;
    case '+':
    case '=': /* the key of + on many keyboards */
        zoom(view, 1.25);
        return true;
    case '-':
        zoom(view, 0.8);
        return true;
    case 'h':
        move(view, -1, 0);
        return true;
    case 'j':
        move(view, 0, -1);
        return true;
    case 'k':
        move(view, 0, 1);
        return true;
    case 'l':
        move(view, 1, 0);
        return true;
    case 's':
        live->saves = true;
        return true;
    default:
        return false;
    }
}

static enum shoal_status take_key(struct live *live, struct shoal_solver *solver, int key,
                                  struct shoal_error *error)
{
    const struct live_subject *subject = live->subject;
    *live->note = '\0';
    live->lined = -INFINITY;
    switch (key) {
    case LIVE_CLOSED:
    case LIVE_ESCAPE:
    case 'q':
        cli_stop("its live view");
        return SHOAL_OK;
    case ' ':
        live->is_paused = !live->is_paused;
        return SHOAL_OK;
    case 'n':
        live->makes_step = live->is_paused;
        live->is_paused = true;
        return SHOAL_OK;
    default:
        return take_view_key(live, key) ? SHOAL_OK
                                        : subject->press(subject->data, solver, key, live->note, error);
    }
}

/* Takes the keys that were pressed, up to one that makes a step or ends the run. *any: there were some. */
static enum shoal_status take_keys(struct live *live, struct shoal_solver *solver, bool *any,
                                   struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    int key;
    *any = false;
    while (!status && !live->makes_step && !cli_stopped(NULL) && (key = screen->key(opened)) != LIVE_NO_KEY) {
        status = take_key(live, solver, key, error);
        *any = true;
    }
    return status;
}

enum shoal_status live_between(void *data, struct shoal_solver *solver, uint64_t *steps,
                               struct shoal_error *error)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    struct live *live = data;
    bool any;
    if (!screen)
        return SHOAL_OK;
    live->makes_step = false;
    enum shoal_status status = take_keys(live, solver, &any, error);
    if (!status)
        status = show(live, solver, error);
    while (!status && screen && live->is_paused && !live->makes_step && !cli_stopped(NULL)) {
        nanosleep(&pause, NULL);
        status = take_keys(live, solver, &any, error);
        if (!status && any && screen)
            status = show(live, solver, error);
    }
    *steps = live->is_paused && screen ? 1 : 0;
    return status;
}
