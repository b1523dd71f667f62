/* Pictures in the terminal, also over ssh: libchafa turns pixels into coloured characters. The library is
 * loaded when the view opens: neither the build nor other commands need it. The declarations below repeat the
 * part of its interface that is used, that of version 1.6 and later.
 */
#include "cli/live/screen.h"

#include "cli/cli.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* From chafa-common.h and chafa-canvas-config.h. */
enum { PIXELS_RGBA = 4, COLOURS_TRUE = 0, COLOURS_240 = 2 };

/* From glib.h. */
struct text {
    char *bytes;
    size_t length, room;
};

struct terminal {
    void *library;
    int tty;
    bool is_raw;
    bool is_shown;         /* the alternate screen was entered for a picture */
    struct termios before; /* the settings to which the terminal returns */
    /* functions of libchafa and glib, named as there without chafa_ */
    void *(*canvas_config_new)(void);
    void (*canvas_config_set_geometry)(void *config, int columns, int rows);
    void (*canvas_config_set_canvas_mode)(void *config, int mode);
    void (*canvas_config_unref)(void *config);
    void *(*canvas_new)(const void *config);
    void (*canvas_draw_all_pixels)(void *canvas, int type, const uint8_t *pixels, int width, int height,
                                   int bytes_of_row);
    struct text *(*canvas_print)(void *canvas, void *terminal);
    void (*canvas_unref)(void *canvas);
    char *(*string_free)(struct text *text, int also_bytes);
};

/* A cell of a terminal is about twice as high as it is wide. Pictures have this many pixels for a cell: */
enum { CELL_WIDTH = 4, CELL_HEIGHT = 8, LINES = 1 /* rows for the line of text */ };

/* Opening ---------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct terminal *terminal, struct shoal_error *error)
{
    const struct {
        const char *name;
        void *function; /* address of the pointer to the function */
    } functions[] = {
        {"chafa_canvas_config_new", &terminal->canvas_config_new},
        {"chafa_canvas_config_set_geometry", &terminal->canvas_config_set_geometry},
        {"chafa_canvas_config_set_canvas_mode", &terminal->canvas_config_set_canvas_mode},
        {"chafa_canvas_config_unref", &terminal->canvas_config_unref},
        {"chafa_canvas_new", &terminal->canvas_new},
        {"chafa_canvas_draw_all_pixels", &terminal->canvas_draw_all_pixels},
        {"chafa_canvas_print", &terminal->canvas_print},
        {"chafa_canvas_unref", &terminal->canvas_unref},
        {"g_string_free", &terminal->string_free},
    };
    const char *given = getenv("SHOAL_CHAFA"), *name = given ? given : "libchafa.so.0";
    terminal->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!terminal->library)
        return cli_set_error(
            error, SHOAL_UNSUPPORTED,
            "libchafa cannot be loaded (%s): install it (Debian: libchafa0), or leave --live out", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(terminal->library, functions[i].name);
        if (!function)
            return cli_set_error(error, SHOAL_UNSUPPORTED,
                                 "%s has no %s: it is no libchafa of version 1.6 or later", name,
                                 functions[i].name);
        memcpy(functions[i].function, &function, sizeof function);
    }
    return SHOAL_OK;
}

/* Writes all bytes; a terminal that is gone is noticed by the next look for keys. */
static void put(const struct terminal *terminal, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(terminal->tty, bytes, count);
        if (written < 0 && errno != EINTR)
            return;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
}

static void put_text(const struct terminal *terminal, const char *text)
{
    put(terminal, text, strlen(text));
}

/* Keys come at once and are not echoed. Ctrl-C stays the signal that it is. */
static enum shoal_status start(struct terminal *terminal, struct shoal_error *error)
{
    terminal->tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal->tty < 0 || tcgetattr(terminal->tty, &terminal->before) != 0)
        return cli_set_error(
            error, SHOAL_UNSUPPORTED,
            "there is no terminal (%s): run in one, by ssh -t on another machine, or leave --live out",
            strerror(errno));
    struct termios raw = terminal->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(terminal->tty, TCSANOW, &raw) != 0)
        return cli_set_error(error, SHOAL_UNSUPPORTED, "the terminal takes no settings: %s", strerror(errno));
    terminal->is_raw = true;
    cli_progress_end(); /* it would be written into the pictures */
    cli_progress_enable(CLI_PROGRESS_NO, true);
    return SHOAL_OK;
}

static void close_terminal(void **screen)
{
    struct terminal *terminal = *screen;
    *screen = NULL;
    if (!terminal)
        return;
    if (terminal->is_raw) {
        if (terminal->is_shown)
            put_text(terminal, "\033[0m\033[?25h\033[?1049l"); /* colours, cursor and the text before */
        tcsetattr(terminal->tty, TCSANOW, &terminal->before);
        cli_progress_hold(false);
    }
    if (terminal->tty >= 0)
        close(terminal->tty);
    /* The library stays loaded, since it may have threads. */
    free(terminal);
}

static enum shoal_status open_screen(const char *title, void **screen, struct shoal_error *error)
{
    struct terminal *terminal = *screen = cli_alloc(sizeof *terminal);
    (void)title;
    *terminal = (struct terminal){.tty = -1};
    enum shoal_status status = load(terminal, error);
    if (!status)
        status = start(terminal, error);
    if (status)
        close_terminal(screen);
    return status;
}

/* Pictures --------------------------------------------------------------------------------------------- */

/* Sets the cells that a picture has room for; 80 x 24 for a terminal that does not know its size. */
static void look(const struct terminal *terminal, int *columns, int *rows)
{
    struct winsize size = {0};
    if (ioctl(terminal->tty, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        size = (struct winsize){.ws_col = 80, .ws_row = 24};
    *columns = size.ws_col;
    *rows = size.ws_row > LINES ? size.ws_row - LINES : 1;
}

static void get_size(void *screen, size_t *width, size_t *height)
{
    int columns, rows;
    look(screen, &columns, &rows);
    *width = (size_t)columns * CELL_WIDTH;
    *height = (size_t)rows * CELL_HEIGHT;
}

static bool has_true_colours(void)
{
    const char *colours = getenv("COLORTERM");
    return colours && (strcmp(colours, "truecolor") == 0 || strcmp(colours, "24bit") == 0);
}

/* Writes the lines of `text` from the upper left corner on, without scrolling. */
static void put_rows(const struct terminal *terminal, const char *text, size_t length)
{
    for (int row = 1; length > 0; row++) {
        char place[24];
        const char *end = memchr(text, '\n', length);
        const size_t bytes = end ? (size_t)(end - text) : length;
        snprintf(place, sizeof place, "\033[%d;1H", row);
        put_text(terminal, place);
        put(terminal, text, bytes);
        put_text(terminal, "\033[0m\033[K");
        text += bytes + (end ? 1 : 0);
        length -= bytes + (end ? 1 : 0);
    }
}

static enum shoal_status show(void *screen, const struct live_picture *picture, const char *line,
                              struct shoal_error *error)
{
    struct terminal *terminal = screen;
    int columns, rows;
    look(terminal, &columns, &rows);
    /* the largest cells with the shape of the picture */
    const double shape = (double)picture->width / (double)picture->height * CELL_HEIGHT / CELL_WIDTH;
    const int across = (int)(shape * rows + 0.5), down = (int)(columns / shape + 0.5);
    void *config = terminal->canvas_config_new();
    terminal->canvas_config_set_geometry(config,
                                         across < 1         ? 1
                                         : across < columns ? across
                                                            : columns,
                                         down < 1      ? 1
                                         : down < rows ? down
                                                       : rows);
    terminal->canvas_config_set_canvas_mode(config, has_true_colours() ? COLOURS_TRUE : COLOURS_240);
    void *canvas = terminal->canvas_new(config);
    terminal->canvas_config_unref(config);
    if (!canvas)
        return cli_set_error(error, SHOAL_FAILED, "libchafa makes no canvas of %d x %d cells", columns, rows);
    terminal->canvas_draw_all_pixels(canvas, PIXELS_RGBA, picture->pixels, (int)picture->width,
                                     (int)picture->height, 4 * (int)picture->width);
    struct text *text = terminal->canvas_print(canvas, NULL);
    if (!terminal->is_shown) {
        put_text(terminal, "\033[?1049h\033[?25l\033[2J");
        cli_progress_hold(true); /* the text before, to which the terminal returns, would lack messages */
    }
    terminal->is_shown = true;
    put_rows(terminal, text->bytes, text->length);
    terminal->string_free(text, 1);
    terminal->canvas_unref(canvas);
    char *last = cli_sprintf("\033[%d;1H%.*s\033[K", rows + LINES, columns > 1 ? columns - 1 : 1, line);
    put_text(terminal, last);
    free(last);
    return SHOAL_OK;
}

/* Keys ------------------------------------------------------------------------------------------------- */

/* Reads a byte that is there already. Returns LIVE_NO_KEY: there is none; LIVE_CLOSED: the terminal is gone.
 */
static int read_byte(const struct terminal *terminal)
{
    unsigned char byte;
    struct pollfd waiting = {.fd = terminal->tty, .events = POLLIN};
    if (poll(&waiting, 1, 0) <= 0)
        return LIVE_NO_KEY;
    if (waiting.revents & (POLLHUP | POLLERR | POLLNVAL))
        return LIVE_CLOSED;
    const ssize_t got = read(terminal->tty, &byte, 1);
    return got == 1 ? byte : got == 0 || errno == EINTR || errno == EAGAIN ? LIVE_NO_KEY : LIVE_CLOSED;
}

static int next_key(void *screen)
{
    const struct terminal *terminal = screen;
    const int first = read_byte(terminal);
    if (first >= 'A' && first <= 'Z')
        return first - 'A' + 'a';
    if (first != LIVE_ESCAPE)
        return first;
    const int second = read_byte(terminal); /* arrows are ESC [ A or ESC O A */
    if (second != '[' && second != 'O')
        return LIVE_ESCAPE;
    switch (read_byte(terminal)) {
    case 'A':
        return LIVE_UP;
    case 'B':
        return LIVE_DOWN;
    case 'C':
        return LIVE_RIGHT;
    case 'D':
        return LIVE_LEFT;
    default:
        return LIVE_NO_KEY;
    }
}

const struct live_screen live_terminal = {.option = "--live terminal",
                                          .open = open_screen,
                                          .size = get_size,
                                          .show = show,
                                          .key = next_key,
                                          .close = close_terminal};
