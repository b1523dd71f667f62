#include "cli/charts/canvas.h"

#include "cli/cli.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status canvas_create(struct canvas *canvas, size_t width, size_t height, unsigned char brightness,
                                struct shoal_error *error)
{
    *canvas = (struct canvas){.width = width, .height = height};
    canvas->pixels = malloc(width * height * CANVAS_CHANNELS);
    if (!canvas->pixels)
        return cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "picture: out of memory");
    memset(canvas->pixels, brightness, width * height * CANVAS_CHANNELS);
    return SHOAL_OK;
}

void canvas_destroy(struct canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (struct canvas){0};
}

static void blend(struct canvas *canvas, double column, double row, double cover,
                  const unsigned char colour[CANVAS_CHANNELS])
{
    unsigned char *pixel = canvas->pixels + ((size_t)row * canvas->width + (size_t)column) * CANVAS_CHANNELS;
    for (size_t c = 0; c < CANVAS_CHANNELS; c++)
        pixel[c] = (unsigned char)lrint((1 - cover) * pixel[c] + cover * colour[c]);
}

/* Colours the pixels within width / 2 of the segment; the colour fades over one pixel at the edge. */
void canvas_line(struct canvas *canvas, const double from[2], const double to[2], double width,
                 const unsigned char colour[CANVAS_CHANNELS])
{
    const double radius = width / 2, reach = radius + 1, dx = to[0] - from[0], dy = to[1] - from[1];
    const double squared = dx * dx + dy * dy;
    const double top = fmax(floor(fmin(from[1], to[1]) - reach), 0);
    const double bottom = fmin(ceil(fmax(from[1], to[1]) + reach), (double)canvas->height - 1);
    for (double row = top; row <= bottom; row++) {
        /* The part of the segment that can lie within `reach` of this row: from `first` to `last`, where 0 is
         * the beginning of the segment and 1 its end. */
        double first = 0, last = 1;
        if (fabs(dy) > 1e-12) {
            const double a = (row + 0.5 - reach - from[1]) / dy, b = (row + 0.5 + reach - from[1]) / dy;
            first = fmax(fmin(a, b), 0);
            last = fmin(fmax(a, b), 1);
        }
        const double x0 = from[0] + first * dx, x1 = from[0] + last * dx;
        const double left = fmax(floor(fmin(x0, x1) - reach), 0);
        const double right = fmin(ceil(fmax(x0, x1) + reach), (double)canvas->width - 1);
        for (double column = left; column <= right; column++) {
            const double px = column + 0.5 - from[0], py = row + 0.5 - from[1];
            const double along = squared > 0 ? fmin(fmax((px * dx + py * dy) / squared, 0), 1) : 0;
            const double cover = fmin(fmax(radius + 0.5 - hypot(px - along * dx, py - along * dy), 0), 1);
            if (cover > 0)
                blend(canvas, column, row, cover, colour);
        }
    }
}

void canvas_disk(struct canvas *canvas, double x, double y, double radius,
                 const unsigned char colour[CANVAS_CHANNELS])
{
    const double place[2] = {x, y};
    canvas_line(canvas, place, place, 2 * radius, colour);
}

void canvas_bar(struct canvas *canvas, size_t left, size_t top, size_t right, size_t bottom,
                const unsigned char colour[CANVAS_CHANNELS])
{
    for (size_t row = top; row < bottom && row < canvas->height; row++)
        for (size_t column = left; column < right && column < canvas->width; column++)
            memcpy(canvas->pixels + (row * canvas->width + column) * CANVAS_CHANNELS, colour,
                   CANVAS_CHANNELS);
}

enum shoal_status canvas_png(const struct canvas *canvas, void **png, size_t *bytes,
                             struct shoal_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->width,
                       .height = (png_uint_32)canvas->height,
                       .format = PNG_FORMAT_RGB};
    /* The size is an upper limit: an exact size would need a second compression. */
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    enum shoal_status status = SHOAL_OK;
    *png = malloc(size);
    if (!*png)
        status = cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "picture: out of memory");
    else if (!png_image_write_to_memory(&image, *png, &size, 0, canvas->pixels, 0, NULL))
        status = cli_set_error(error, SHOAL_FAILED, "picture: %s", image.message);
    if (status) {
        free(*png);
        *png = NULL;
    }
    *bytes = size;
    return status;
}
