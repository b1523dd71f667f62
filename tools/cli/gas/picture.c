/* A frame of the gas as a picture. */
#include "cli/charts/canvas.h"
#include "cli/gas/frames.h"

#include <math.h>

/* From rest to the fastest: anchors of a map whose brightness rises evenly, also for the colour-blind. */
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

/* `scale`: pixels of a length. */
static void draw(struct canvas *canvas, double scale, const struct shoal_gas_frame *frame, double radius,
                 double fastest)
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
                    (double)canvas->height - (position[1] - frame->origin[1]) * scale, in_pixels, colour);
    }
}

enum shoal_status gas_frame_png(const struct shoal_gas_frame *frame, double radius, double fastest,
                                size_t pixels, void **png, size_t *bytes, struct shoal_error *error)
{
    struct canvas canvas;
    const double scale = (double)pixels / fmax(frame->length[0], frame->length[1]);
    *png = NULL;
    enum shoal_status status = canvas_create(&canvas, (size_t)fmax(rint(frame->length[0] * scale), 1),
                                             (size_t)fmax(rint(frame->length[1] * scale), 1), 13, error);
    if (status)
        return status;
    draw(&canvas, scale, frame, radius, fastest);
    status = canvas_png(&canvas, png, bytes, error);
    canvas_destroy(&canvas);
    return status;
}
