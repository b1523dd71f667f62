/* A window of SDL2. The library is loaded when the window opens: neither the build nor other commands need
 * it. The declarations below repeat the part of its interface that is used, which is the same in all
 * versions 2.
 */
#include "cli/live/screen.h"

#include "cli/cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* From SDL_video.h, SDL_pixels.h, SDL_events.h and SDL_keycode.h. */
enum {
    INIT_VIDEO = 0x20,
    WINDOW_RESIZABLE = 0x20,
    WINDOW_CENTRED = 0x2fff0000,
    PIXELS = 0x16561804, /* four bytes on little-endian machines: red, green, blue, and one not used */
    EVENT_QUIT = 0x100,
    EVENT_WINDOW = 0x200,
    EVENT_KEY = 0x300,
    WINDOW_CLOSE = 14,
    KEY_RIGHT = 0x4000004f,
    KEY_LEFT,
    KEY_DOWN,
    KEY_UP,
    KEY_PAD_MINUS = 0x40000056,
    KEY_PAD_PLUS
};

/* An event, with the members of the two kinds of events that are read. SDL's union has 56 bytes; the room
 * behind them is for versions to come. */
union event {
    uint32_t type;
    struct {
        uint32_t type, timestamp, window;
        uint8_t event;
    } window;
    struct {
        uint32_t type, timestamp, window;
        uint8_t state, repeat, unused[2];
        int32_t scancode, symbol;
        uint16_t modifiers;
    } key;
    char room[128];
};

struct window {
    void *library, *window;
    bool is_started;
    char title[400]; /* the title that is shown */
    /* functions of SDL, named as there without SDL_ */
    int (*SetHint)(const char *name, const char *value);
    int (*Init)(uint32_t parts);
    void (*Quit)(void);
    const char *(*GetError)(void);
    void *(*CreateWindow)(const char *title, int x, int y, int width, int height, uint32_t flags);
    void (*DestroyWindow)(void *window);
    void (*SetWindowTitle)(void *window, const char *title);
    void *(*GetWindowSurface)(void *window);
    void (*GetWindowSize)(void *window, int *width, int *height);
    int (*UpdateWindowSurface)(void *window);
    void *(*CreateRGBSurfaceWithFormatFrom)(void *pixels, int width, int height, int depth, int pitch,
                                            uint32_t format);
    void (*FreeSurface)(void *surface);
    int (*UpperBlit)(void *from, const void *from_part, void *to, void *to_part);
    int (*PollEvent)(union event *event);
};

/* Opening ----------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct window *window, struct shoal_error *error)
{
    const struct {
        const char *name;
        void *function; /* address of the pointer to the function */
    } functions[] = {
        {"SDL_SetHint", &window->SetHint},
        {"SDL_Init", &window->Init},
        {"SDL_Quit", &window->Quit},
        {"SDL_GetError", &window->GetError},
        {"SDL_CreateWindow", &window->CreateWindow},
        {"SDL_DestroyWindow", &window->DestroyWindow},
        {"SDL_SetWindowTitle", &window->SetWindowTitle},
        {"SDL_GetWindowSurface", &window->GetWindowSurface},
        {"SDL_GetWindowSize", &window->GetWindowSize},
        {"SDL_UpdateWindowSurface", &window->UpdateWindowSurface},
        {"SDL_CreateRGBSurfaceWithFormatFrom", &window->CreateRGBSurfaceWithFormatFrom},
        {"SDL_FreeSurface", &window->FreeSurface},
        {"SDL_UpperBlit", &window->UpperBlit},
        {"SDL_PollEvent", &window->PollEvent},
    };
    const char *given = getenv("SHOAL_SDL"), *name = given ? given : "libSDL2-2.0.so.0";
    window->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!window->library)
        return cli_set_error(
            error, SHOAL_UNSUPPORTED,
            "SDL2 cannot be loaded (%s): install it (Debian: libsdl2-2.0-0), or leave --live "
            "out",
            dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(window->library, functions[i].name);
        if (!function)
            return cli_set_error(error, SHOAL_UNSUPPORTED, "%s has no %s: it is no SDL2", name,
                                 functions[i].name);
        memcpy(functions[i].function, &function, sizeof function);
    }
    return SHOAL_OK;
}

static enum shoal_status start(struct window *window, const char *title, struct shoal_error *error)
{
    enum { SIZE = 800 };
    static const char driver[] = "SDL_VIDEODRIVER", /* a hint, and a variable of the environment */
        remedy[] = ": run where $DISPLAY or $WAYLAND_DISPLAY names one, or leave --live out";
    /* Otherwise SDL tries displays that are not there, whose libraries print messages, and takes one
     * without a picture. */
    if (!getenv(driver)) {
        const bool has_x11 = getenv("DISPLAY"), has_wayland = getenv("WAYLAND_DISPLAY");
        if (!has_x11 && !has_wayland)
            return cli_set_error(error, SHOAL_UNSUPPORTED, "there is no display%s", remedy);
        window->SetHint(driver, !has_wayland ? "x11" : has_x11 ? "x11,wayland" : "wayland");
    }
    window->SetHint("SDL_NO_SIGNAL_HANDLERS", "1"); /* this command takes signals itself */
    window->SetHint("SDL_VIDEO_ALLOW_SCREENSAVER", "1");
    window->SetHint("SDL_FRAMEBUFFER_ACCELERATION", "0"); /* pictures are copied, without OpenGL */
    window->SetHint("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0");
    if (window->Init(INIT_VIDEO))
        return cli_set_error(error, SHOAL_UNSUPPORTED, "the display cannot be opened (%s)%s",
                             window->GetError(), remedy);
    window->is_started = true;
    window->window =
        window->CreateWindow(title, WINDOW_CENTRED, WINDOW_CENTRED, SIZE, SIZE, WINDOW_RESIZABLE);
    if (!window->window)
        return cli_set_error(error, SHOAL_UNSUPPORTED, "the display opens no window: %s", window->GetError());
    return SHOAL_OK;
}

static void close_window(void **screen)
{
    struct window *window = *screen;
    if (!window)
        return;
    if (window->window)
        window->DestroyWindow(window->window);
    if (window->is_started)
        window->Quit();
    /* The library stays loaded: drivers of displays leave functions for the end of the process. */
    free(window);
    *screen = NULL;
}

static enum shoal_status open_window(const char *title, void **screen, struct shoal_error *error)
{
    struct window *window = cli_alloc(sizeof *window);
    enum shoal_status status = load(window, error);
    if (!status)
        status = start(window, title, error);
    *screen = window;
    if (status)
        close_window(screen);
    return status;
}

/* Use --------------------------------------------------------------------------------------------------- */

static void size(void *screen, size_t *width, size_t *height)
{
    const struct window *window = screen;
    int across = 1, down = 1;
    window->GetWindowSize(window->window, &across, &down);
    *width = across > 1 ? (size_t)across : 1;
    *height = down > 1 ? (size_t)down : 1;
}

static enum shoal_status show(void *screen, const struct live_picture *picture, const char *line,
                              struct shoal_error *error)
{
    enum { BITS = 32, BYTES = 4 };
    struct window *window = screen;
    if (strcmp(line, window->title) != 0)
        window->SetWindowTitle(window->window, line);
    snprintf(window->title, sizeof window->title, "%s", line);
    /* SDL only reads the pixels */
    void *pixels = window->CreateRGBSurfaceWithFormatFrom((void *)picture->pixels, (int)picture->width,
                                                          (int)picture->height, BITS,
                                                          BYTES * (int)picture->width, PIXELS);
    void *surface = window->GetWindowSurface(window->window); /* another one after a change of the size */
    const bool good = pixels && surface && window->UpperBlit(pixels, NULL, surface, NULL) == 0 &&
                      window->UpdateWindowSurface(window->window) == 0;
    window->FreeSurface(pixels);
    return good ? SHOAL_OK
                : cli_set_error(error, SHOAL_FAILED, "a picture cannot be shown: %s", window->GetError());
}

static int key_of(int32_t symbol)
{
    switch (symbol) {
    case KEY_RIGHT:
        return LIVE_RIGHT;
    case KEY_LEFT:
        return LIVE_LEFT;
    case KEY_DOWN:
        return LIVE_DOWN;
    case KEY_UP:
        return LIVE_UP;
    case KEY_PAD_MINUS:
        return '-';
    case KEY_PAD_PLUS:
        return '+';
    default:
        return symbol > 0 && symbol < 128 ? symbol : LIVE_NO_KEY;
    }
}

static int key(void *screen)
{
    const struct window *window = screen;
    union event event;
    while (window->PollEvent(&event)) {
        const bool is_close = event.type == EVENT_WINDOW && event.window.event == WINDOW_CLOSE;
        const int pressed = event.type == EVENT_KEY ? key_of(event.key.symbol) : LIVE_NO_KEY;
        if (event.type == EVENT_QUIT || is_close)
            return LIVE_CLOSED;
        if (pressed != LIVE_NO_KEY)
            return pressed;
    }
    return LIVE_NO_KEY;
}

const struct live_screen live_window = {.option = "--live window",
                                        .open = open_window,
                                        .size = size,
                                        .show = show,
                                        .key = key,
                                        .close = close_window};
