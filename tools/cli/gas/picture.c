/* A frame of the gas as a picture: the box, and below it the time and the scale of colours. */
#include "cli/charts/label.h"
#include "cli/gas/frames.h"

#include <math.h>
#include <stdio.h>

/* The colour of a speed. share: the speed over the speed of the brightest colour, from 0 to 1. Interpolates a
 * colour map whose brightness rises evenly, so that the colour-blind can read it. */
static void colour_of(double share, unsigned char colour[CANVAS_CHANNELS])
{
    static const unsigned char anchors[][CANVAS_CHANNELS] = {{72, 40, 120},  {62, 73, 137},  {49, 104, 142},
                                                             {38, 130, 142}, {31, 158, 137}, {53, 183, 121},
                                                             {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
    enum { LAST = sizeof anchors / sizeof *anchors - 1 };
    double place = fmin(fmax(share, 0), 1) * LAST;
    size_t below = place < LAST ? (size_t)place : LAST - 1;
    double part = place - (double)below;
    for (size_t c = 0; c < CANVAS_CHANNELS; c++)
        colour[c] = (unsigned char)lrint((1 - part) * anchors[below][c] + part * anchors[below + 1][c]);
}

double gas_frame_fastest(const struct shoal_gas_frame *frame)
{
    static const double round[] = {1, 1.5, 2, 3, 4, 5, 7, 10};
    double sum = 0;
    for (size_t i = 0; i < frame->particles * frame->dim; i++)
        sum += frame->velocity[i] * frame->velocity[i];
    const double speed = 3 * sqrt(sum / (double)frame->particles);
    if (!(speed > 0 && speed < HUGE_VAL))
        return 0;
    const double ten = pow(10, floor(log10(speed)));
    size_t i = 0;
    while (i + 1 < sizeof round / sizeof *round && round[i] * ten < speed)
        i++;
    return round[i] * ten;
}

/* Draws the box in the first `height` rows. scale: pixels for a unit of length. */
static void draw(struct canvas *canvas, size_t height, double scale, const struct shoal_gas_frame *frame,
                 double radius, double fastest)
{
    const double in_pixels = fmax(radius * scale, 0.5);
    for (size_t i = 0; i < frame->particles; i++) {
        const double *position = frame->position + i * frame->dim,
                     *velocity = frame->velocity + i * frame->dim;
        double speed2 = 0;
        unsigned char colour[CANVAS_CHANNELS];
        for (size_t k = 0; k < frame->dim; k++)
            speed2 += velocity[k] * velocity[k];
        colour_of(fastest > 0 ? sqrt(speed2) / fastest : 0, colour);
        canvas_disk(canvas, (position[0] - frame->origin[0]) * scale,
                    (double)height - (position[1] - frame->origin[1]) * scale, in_pixels, colour);
    }
}

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

/* Draws "time 12.5" at the left and "speed 0 [colours] 3.1" at the right, in the rows below the box. */
static void draw_labels(struct canvas *canvas, size_t top, double size, double time, double fastest)
{
    static const unsigned char ground[] = {32, 32, 32}, ink[] = {220, 220, 220};
    char from[40], to[40];
    const double base = (double)top + 1.75 * size;
    snprintf(from, sizeof from, "time %.6g", time);
    snprintf(to, sizeof to, " %.3g", fastest);
    canvas_bar(canvas, 0, top, canvas->width, canvas->height, ground);
    label_draw(canvas, size, base, size, from, ink);
    const double end = (double)canvas->width - size, right = end - label_width(to, size),
                 left = right - 8 * size;
    static const char rest[] = "speed 0 ";
    label_draw(canvas, left - label_width(rest, size), base, size, rest, ink);
    for (size_t column = (size_t)left; column < (size_t)right; column++) {
        unsigned char colour[CANVAS_CHANNELS];
        colour_of(((double)column + 0.5 - left) / (right - left), colour);
        canvas_bar(canvas, column, (size_t)(base - size), column + 1, (size_t)base + 1, colour);
    }
    label_draw(canvas, right, base, size, to, ink);
}

enum shoal_status gas_frame_png(const struct shoal_gas_frame *frame, double radius, double fastest,
                                size_t pixels, void **png, size_t *bytes, struct shoal_error *error)
{
    struct canvas canvas;
    const double across = frame->length[0], up = frame->length[1];
    const double size = label_size((double)pixels * fmin(across / up, 1));
    const size_t rows = label_rows(size);
    const double scale = fmin((double)pixels / across, (double)(pixels - rows) / up);
    const size_t height = (size_t)fmax(rint(up * scale), 1);
    *png = NULL;
    enum shoal_status status =
        canvas_create(&canvas, (size_t)fmax(rint(across * scale), 1), height + rows, 13, error);
    if (status)
        return status;
    draw(&canvas, height, scale, frame, radius, fastest);
    if (rows)
        draw_labels(&canvas, height, size, frame->time, fastest);
    status = canvas_png(&canvas, png, bytes, error);
    canvas_destroy(&canvas);
    return status;
}
