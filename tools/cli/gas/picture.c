/* A frame of the gas as a picture: libpng writes it, the disks are ours. */
#include "cli/gas/frames.h"

#include "cli/cli.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3 };

struct canvas {
    unsigned char *pixels; /* width * height * CHANNELS */
    size_t width, height;
    double scale; /* pixels of a length */
};

/* From rest to the fastest: anchors of a map whose brightness rises evenly, also for the colour-blind. */
static void colour_of(double share, unsigned char colour[CHANNELS])
{
    static const unsigned char anchors[][CHANNELS] = {{72, 40, 120},  {62, 73, 137},  {49, 104, 142},
                                                      {38, 130, 142}, {31, 158, 137}, {53, 183, 121},
                                                      {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
    enum { LAST = sizeof anchors / sizeof *anchors - 1 };
    double place = fmin(fmax(share, 0), 1) * LAST;
    size_t below = place < LAST ? (size_t)place : LAST - 1;
    double part = place - (double)below;
    for (size_t c = 0; c < CHANNELS; c++)
        colour[c] = (unsigned char)lrint((1 - part) * anchors[below][c] + part * anchors[below + 1][c]);
}

/* Blends a disk over the canvas, its rim over one pixel. */
static void disk(struct canvas *canvas, double x, double y, double radius,
                 const unsigned char colour[CHANNELS])
{
    const double reach = radius + 1;
    const double left = fmax(floor(x - reach), 0), right = fmin(ceil(x + reach), (double)canvas->width - 1);
    const double top = fmax(floor(y - reach), 0), bottom = fmin(ceil(y + reach), (double)canvas->height - 1);
    for (double row = top; row <= bottom; row++)
        for (double column = left; column <= right; column++) {
            double distance = hypot(column + 0.5 - x, row + 0.5 - y);
            double cover = fmin(fmax(radius + 0.5 - distance, 0), 1);
            unsigned char *pixel = canvas->pixels + ((size_t)row * canvas->width + (size_t)column) * CHANNELS;
            for (size_t c = 0; c < CHANNELS; c++)
                pixel[c] = (unsigned char)lrint((1 - cover) * pixel[c] + cover * colour[c]);
        }
}

static void draw(struct canvas *canvas, const struct shoal_gas_frame *frame, double radius, double fastest)
{
    const double in_pixels = fmax(radius * canvas->scale, 0.5);
    for (size_t i = 0; i < frame->particles; i++) {
        const double *position = frame->position + i * frame->dim,
                     *velocity = frame->velocity + i * frame->dim;
        double speed2 = 0;
        unsigned char colour[CHANNELS];
        for (size_t k = 0; k < frame->dim; k++)
            speed2 += velocity[k] * velocity[k];
        colour_of(fastest > 0 ? sqrt(speed2) / fastest : 0, colour);
        disk(canvas, (position[0] - frame->origin[0]) * canvas->scale,
             (double)canvas->height - (position[1] - frame->origin[1]) * canvas->scale, in_pixels, colour);
    }
}

enum shoal_status gas_frame_png(const struct shoal_gas_frame *frame, double radius, double fastest,
                                size_t pixels, void **png, size_t *bytes, struct shoal_error *error)
{
    struct canvas canvas;
    const double longer = fmax(frame->length[0], frame->length[1]);
    canvas.scale = (double)pixels / longer;
    canvas.width = (size_t)fmax(rint(frame->length[0] * canvas.scale), 1);
    canvas.height = (size_t)fmax(rint(frame->length[1] * canvas.scale), 1);
    canvas.pixels = malloc(canvas.width * canvas.height * CHANNELS);
    *png = NULL;
    if (!canvas.pixels)
        return cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "picture: out of memory");
    memset(canvas.pixels, 13, canvas.width * canvas.height * CHANNELS);
    draw(&canvas, frame, radius, fastest);

    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas.width,
                       .height = (png_uint_32)canvas.height,
                       .format = PNG_FORMAT_RGB};
    /* At most so many bytes: a first pass that counts them would compress everything twice. */
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    *png = malloc(size);
    enum shoal_status status = SHOAL_OK;
    if (!*png)
        status = cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "picture: out of memory");
    else if (!png_image_write_to_memory(&image, *png, &size, 0, canvas.pixels, 0, NULL))
        status = cli_set_error(error, SHOAL_FAILED, "picture: %s", image.message);
    free(canvas.pixels);
    if (status) {
        free(*png);
        *png = NULL;
    }
    *bytes = size;
    return status;
}
