/* A picture of pixels, drawn with smooth edges and written by libpng. */
#ifndef SHOAL_TOOLS_CLI_CHARTS_CANVAS_H
#define SHOAL_TOOLS_CLI_CHARTS_CANVAS_H

#include <shoal/error.h>
#include <stddef.h>

enum { CANVAS_CHANNELS = 3 }; /* red, green, blue */

struct canvas {
    unsigned char *pixels; /* width * height * CANVAS_CHANNELS, from the upper left corner */
    size_t width, height;
};

/* Creates a canvas whose channels all have the value `brightness`, from 0 (black) to 255 (white). */
SHOAL_MUST_CHECK enum shoal_status canvas_create(struct canvas *canvas, size_t width, size_t height,
                                                 unsigned char brightness, struct shoal_error *error);
void canvas_destroy(struct canvas *canvas); /* accepts zeros */

/* canvas_disk draws a filled circle, canvas_line a segment. Coordinates, radius and width are in pixels;
 * coordinates begin at the upper left corner of the picture. */
void canvas_disk(struct canvas *canvas, double x, double y, double radius,
                 const unsigned char colour[CANVAS_CHANNELS]);
void canvas_line(struct canvas *canvas, const double from[2], const double to[2], double width,
                 const unsigned char colour[CANVAS_CHANNELS]);
/* Fills the pixels of columns left .. right - 1 in rows top .. bottom - 1. */
void canvas_bar(struct canvas *canvas, size_t left, size_t top, size_t right, size_t bottom,
                const unsigned char colour[CANVAS_CHANNELS]);

/* Makes the content of a PNG file; the caller frees *png. */
SHOAL_MUST_CHECK enum shoal_status canvas_png(const struct canvas *canvas, void **png, size_t *bytes,
                                              struct shoal_error *error);

#endif
