/* Short labels in pictures of pixels. */
#ifndef SHOAL_TOOLS_CLI_CHARTS_LABEL_H
#define SHOAL_TOOLS_CLI_CHARTS_LABEL_H

#include "cli/charts/canvas.h"

/* Width of a text in pixels, with the gap after the text. size: height of a digit in pixels. */
double label_width(const char *text, double size);
/* Draws a text that begins at x on the base line y. Digits, points, signs and the letters of "speed",
 * "species", "density", "psi" and "time" are drawn; other characters are left blank. */
void label_draw(struct canvas *canvas, double x, double y, double size, const char *text,
                const unsigned char colour[CANVAS_CHANNELS]);

#endif
