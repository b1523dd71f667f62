/* Screens: where pictures of a run appear while it runs, and from where keys come. */
#ifndef SHOAL_TOOLS_CLI_LIVE_SCREEN_H
#define SHOAL_TOOLS_CLI_LIVE_SCREEN_H

#include <shoal/error.h>
#include <stddef.h>
#include <stdint.h>

/* A picture of width * height pixels, each red, green, blue and 255, from the upper left corner. */
struct live_picture {
    size_t width, height;
    const unsigned char *pixels;
    uint64_t step; /* the step of the run that it shows */
};

/* Keys are numbers: their character in ASCII, letters as small letters, or one of these. */
enum {
    LIVE_CLOSED = -1, /* the user has closed the screen */
    LIVE_NO_KEY = 0,
    LIVE_ESCAPE = 27,
    LIVE_UP = 256,
    LIVE_DOWN,
    LIVE_LEFT,
    LIVE_RIGHT
};

struct live_screen {
    const char *option; /* "--live window", for messages */
    /* Opens the screen. Errors: SHOAL_UNSUPPORTED: a library or a display is missing. */
    enum shoal_status (*open)(const char *title, void **screen, struct shoal_error *error);
    void (*size)(void *screen, size_t *width, size_t *height); /* pixels that a picture has room for, now */
    /* Shows a picture of any size and a line of text. */
    enum shoal_status (*show)(void *screen, const struct live_picture *picture, const char *line,
                              struct shoal_error *error);
    int (*key)(void *screen);     /* the next key pressed, LIVE_NO_KEY or LIVE_CLOSED; never waits */
    void (*close)(void **screen); /* accepts NULL */
};

/* Defined in window.c: a window of SDL2, which is loaded when the window opens. $SHOAL_SDL names the file of
 * the library; default: libSDL2-2.0.so.0. */
extern const struct live_screen live_window;

/* Defined in terminal.c: the terminal of the process, by libchafa, which is loaded when the view opens.
 * $SHOAL_CHAFA names the file of the library; default: libchafa.so.0. */
extern const struct live_screen live_terminal;

#endif
