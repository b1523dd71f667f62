#include "cli/gas/picture.h"

#include "cli/charts/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Height of a digit below a box of this width in pixels; 0: the box is too narrow for legible labels. */
static double label_size(double width)
{
    enum { LEAST_WIDTH = 250, CHARACTERS = 45, LEAST = 6, MOST = 24 };
    return width < LEAST_WIDTH ? 0 : fmin(fmax(width / CHARACTERS, LEAST), MOST);
}

/* Number of rows of pixels for labels of height `size`. */
static size_t label_rows(double size)
{
    return (size_t)ceil(2.5 * size);
}

/* The rows of labels on the canvas. */
struct labels {
    struct canvas *canvas;
    size_t top;
    double size, base; /* height of a digit, and the base line of texts */
};

static const unsigned char ink[] = {220, 220, 220};

/* Draws a text that ends at `end`, and returns where it begins. */
static double draw_before(const struct labels *labels, double end, const char *text)
{
    const double begin = end - label_width(text, labels->size);
    label_draw(labels->canvas, begin, labels->base, labels->size, text, ink);
    return begin;
}

/* Draws "speed 0 [colours] 3.1" at the right. */
static void draw_scale(const struct labels *labels, enum shoal_gas_colouring colouring, double brightest)
{
    static const char *const rests[] = {[SHOAL_GAS_BY_SPEED] = "speed 0 ",
                                        [SHOAL_GAS_BY_HEXATIC] = "psi6 0 ",
                                        [SHOAL_GAS_BY_DENSITY] = "density 0 "};
    char text[40];
    snprintf(text, sizeof text, " %.3g", brightest);
    const double right = draw_before(labels, (double)labels->canvas->width - labels->size, text);
    const double left = right - 8 * labels->size;
    draw_before(labels, left, rests[colouring]);
    for (size_t column = (size_t)left; column < (size_t)right; column++) {
        unsigned char colour[CANVAS_CHANNELS];
        shoal_gas_picture_colour(colouring, ((double)column + 0.5 - left) / (right - left), colour);
        canvas_bar(labels->canvas, column, (size_t)(labels->base - labels->size), column + 1,
                   (size_t)labels->base + 1, colour);
    }
}

/* Draws a square in the colour of each species at the right, in their order. */
static void draw_species(const struct labels *labels, size_t count)
{
    double end = (double)labels->canvas->width - labels->size;
    for (size_t kind = count; kind-- > 0; end -= 1.5 * labels->size) {
        unsigned char colour[CANVAS_CHANNELS];
        shoal_gas_picture_colour(SHOAL_GAS_BY_SPECIES, (double)kind, colour);
        canvas_bar(labels->canvas, (size_t)(end - labels->size), (size_t)(labels->base - labels->size),
                   (size_t)end, (size_t)labels->base + 1, colour);
    }
    draw_before(labels, end, "species ");
}

/* Draws the time at the left and the colours at the right, in the rows below the box. */
static enum shoal_status draw_labels(struct shoal_solver *solver, struct labels *labels,
                                     enum shoal_gas_colouring colouring,
                                     const struct shoal_gas_picture *picture, struct shoal_error *error)
{
    static const unsigned char ground[] = {32, 32, 32};
    struct shoal_gas_species species = {.size = sizeof species};
    char text[40];
    enum shoal_status status =
        colouring == SHOAL_GAS_BY_SPECIES ? shoal_gas_get_species(solver, &species, error) : SHOAL_OK;
    labels->base = (double)labels->top + 1.75 * labels->size;
    snprintf(text, sizeof text, "time %.6g", picture->time);
    canvas_bar(labels->canvas, 0, labels->top, labels->canvas->width, labels->canvas->height, ground);
    label_draw(labels->canvas, labels->size, labels->base, labels->size, text, ink);
    if (colouring == SHOAL_GAS_BY_SPECIES)
        draw_species(labels, species.count);
    else
        draw_scale(labels, colouring, picture->brightest);
    return status;
}

/* Sets the pixels of the box, and returns the height of labels. */
static double choose_size(struct gas_picture_style *style, const double length[3],
                          struct shoal_gas_view *view)
{
    if (style->width) {
        const double size = style->label_size;
        view->width = (uint32_t)style->width;
        view->height = (uint32_t)(style->height - label_rows(size));
        return size;
    }
    const double across = length[0], up = length[1], pixels = (double)style->pixels;
    const double size = label_size(pixels * fmin(across / up, 1));
    const double scale = fmin(pixels / across, (pixels - (double)label_rows(size)) / up);
    view->width = (uint32_t)fmax(rint(across * scale), 1);
    view->height = (uint32_t)fmax(rint(up * scale), 1);
    style->label_size = size;
    return size;
}

enum shoal_status gas_picture_draw(struct shoal_solver *solver, struct gas_picture_style *style,
                                   struct canvas *canvas, struct shoal_error *error)
{
    struct shoal_gas_view view = SHOAL_GAS_VIEW(.colouring = style->colouring);
    struct shoal_gas_picture picture = {.size = sizeof picture};
    struct labels labels = {.canvas = canvas};
    double length[3];
    *canvas = (struct canvas){0};
    enum shoal_status status = shoal_gas_get_box(solver, length, error);
    if (status)
        return status;
    labels.size = choose_size(style, length, &view);
    labels.top = view.height;
    status = shoal_gas_draw(solver, &view, &picture, error);
    if (!status)
        status = canvas_create(canvas, view.width, view.height + label_rows(labels.size), 0, error);
    for (size_t at = 0; at < (size_t)view.width * view.height && !status; at++)
        memcpy(canvas->pixels + at * CANVAS_CHANNELS, picture.pixels + at * 4, CANVAS_CHANNELS);
    if (!status && labels.size > 0)
        status = draw_labels(solver, &labels, style->colouring, &picture, error);
    if (status)
        canvas_destroy(canvas);
    return status;
}
