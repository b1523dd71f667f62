/* A stand-in for SDL2 with the functions that tools/cli/live/window.c uses, for tests without a display.
 * Environment:
 * FAKE_SDL_KEYS: keys, one before each picture: U, D, L and R are the arrows, X closes the
 * window, a dot is no key, other characters are keys. FAKE_SDL_OUT: file that receives a line "WIDTH HEIGHT
 * FNV TITLE" for each picture, FNV being a hash of its pixels. FAKE_SDL_FAIL: "init", "window" or "show": the
 * call that fails; "show" fails at the third picture.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int SDL_SetHint(const char *name, const char *value);
int SDL_Init(uint32_t parts);
void SDL_Quit(void);
const char *SDL_GetError(void);
void *SDL_CreateWindow(const char *title, int x, int y, int width, int height, uint32_t flags);
void SDL_DestroyWindow(void *window);
void SDL_SetWindowTitle(void *window, const char *title);
void *SDL_GetWindowSurface(void *window);
void SDL_GetWindowSize(void *window, int *width, int *height);
int SDL_UpdateWindowSurface(void *window);
void *SDL_CreateRGBSurfaceWithFormatFrom(void *pixels, int width, int height, int depth, int pitch,
                                         uint32_t format);
void SDL_FreeSurface(void *surface);
int SDL_UpperBlit(void *from, const void *from_part, void *to, void *to_part);
int SDL_PollEvent(uint32_t *event);

enum { WIDTH = 320, HEIGHT = 240 };

static struct surface {
    const unsigned char *pixels;
    int width, height;
} surface, shown;
static char title[1000];
static size_t pictures, keys;

static int fails(const char *call)
{
    const char *fail = getenv("FAKE_SDL_FAIL");
    return fail && strcmp(fail, call) == 0;
}

int SDL_SetHint(const char *name, const char *value)
{
    return name && value;
}

int SDL_Init(uint32_t parts)
{
    return parts != 0x20 || fails("init") ? -1 : 0;
}

void SDL_Quit(void) {}

const char *SDL_GetError(void)
{
    return "No available video device";
}

void *SDL_CreateWindow(const char *text, int x, int y, int width, int height, uint32_t flags)
{
    (void)x, (void)y, (void)width, (void)height, (void)flags;
    SDL_SetWindowTitle(NULL, text);
    return fails("window") ? NULL : title;
}

void SDL_DestroyWindow(void *window)
{
    (void)window;
}

void SDL_SetWindowTitle(void *window, const char *text)
{
    (void)window;
    snprintf(title, sizeof title, "%s", text);
}

void *SDL_GetWindowSurface(void *window)
{
    (void)window;
    return &shown;
}

void SDL_GetWindowSize(void *window, int *width, int *height)
{
    (void)window;
    *width = WIDTH;
    *height = HEIGHT;
}

int SDL_UpdateWindowSurface(void *window)
{
    const char *path = getenv("FAKE_SDL_OUT");
    uint64_t hash = 0xcbf29ce484222325;
    (void)window;
    pictures++;
    if (fails("show") && pictures == 3)
        return -1;
    for (size_t i = 0; i < (size_t)shown.width * (size_t)shown.height * 4; i++)
        if (i % 4 < 3)
            hash = (hash ^ shown.pixels[i]) * 0x100000001b3;
    FILE *out = path ? fopen(path, "a") : NULL;
    if (out) {
        fprintf(out, "%d %d %016llx %s\n", shown.width, shown.height, (unsigned long long)hash, title);
        fclose(out);
    }
    return 0;
}

void *SDL_CreateRGBSurfaceWithFormatFrom(void *pixels, int width, int height, int depth, int pitch,
                                         uint32_t format)
{
    surface = (struct surface){pixels, width, height};
    return depth == 32 && pitch == 4 * width && format == 0x16561804 ? &surface : NULL;
}

void SDL_FreeSurface(void *freed)
{
    (void)freed;
}

int SDL_UpperBlit(void *from, const void *from_part, void *to, void *to_part)
{
    shown = surface;
    return from == &surface && !from_part && to == &shown && !to_part ? 0 : -1;
}

int SDL_PollEvent(uint32_t *event)
{
    static const struct {
        char name;
        int32_t symbol;
    } arrows[] = {{'U', 0x40000052}, {'D', 0x40000051}, {'L', 0x40000050}, {'R', 0x4000004f}};
    const char *script = getenv("FAKE_SDL_KEYS");
    if (!script || keys >= strlen(script) || keys > pictures)
        return 0;
    const char key = script[keys++];
    int32_t symbol = key;
    memset(event, 0, 56); /* as large as the union of SDL */
    if (key == '.')
        return 0;
    if (key == 'X') {
        event[0] = 0x200; /* of a window */
        ((unsigned char *)event)[12] = 14;
        return 1;
    }
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (arrows[i].name == key)
            symbol = arrows[i].symbol;
    event[0] = 0x300; /* of a key */
    memcpy((char *)event + 20, &symbol, sizeof symbol);
    return 1;
}
