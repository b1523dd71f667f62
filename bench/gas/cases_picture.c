/* Pictures of a gas: the host's clock times whole pictures, from the particles on the device to the pixels on
 * the host, with the search for the brightest speed.
 *
 * A row's error is the fraction of the particles whose pixel has no colour, by their positions in double
 * precision: some lie so near to the edge of a pixel that rounding puts them into the next one.
 */
#include "bench/gas/liquid.h"

#include <shoal/gas_picture.h>
#include <stdlib.h>
#include <string.h>

enum { PARTICLES = 2097152, PIXELS = 1024, PICTURES = 16, CHANNELS = 4 };

struct run {
    struct shoal_solver *solver;
    struct shoal_gas_params params;
    struct shoal_gas_picture picture;
};

static enum shoal_status draw(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    const struct shoal_gas_view view = SHOAL_GAS_VIEW(.width = PIXELS, .height = PIXELS);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < (size_t)bench->parts && !status; i++)
        status = shoal_gas_draw(run->solver, &view, &run->picture, error);
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gas");
    run->picture.size = sizeof run->picture;
    enum shoal_status status = bench_liquid(bench, PARTICLES, &run->params, &run->solver, error);
    bench->parts = bench->queue ? PICTURES : 1;
    bench->work = bench->parts;
    if (!bench->queue)
        bench->precision = "fp64";
    return status ? status : draw(bench, error);
}

static bool has_colour(const uint8_t *pixel)
{
    return pixel[0] != pixel[1] || pixel[1] != pixel[2];
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    const size_t bytes = (size_t)PIXELS * PIXELS * CHANNELS;
    struct shoal_gas_frame frame;
    size_t missing = 0, coloured = 0;
    uint8_t *pixels = malloc(bytes);
    if (!pixels)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for a picture");
    memcpy(pixels, run->picture.pixels, bytes);
    enum shoal_status status = draw(bench, error);
    const bool is_same = !status && memcmp(pixels, run->picture.pixels, bytes) == 0;
    if (!status)
        status = shoal_gas_get_frame(run->solver, &frame, error);
    for (size_t i = 0; i < PARTICLES && !status; i++) {
        const size_t x = (size_t)(frame.position[2 * i] / frame.length[0] * PIXELS),
                     y = (size_t)((1 - frame.position[2 * i + 1] / frame.length[1]) * PIXELS);
        missing += x < PIXELS && y < PIXELS && !has_colour(pixels + (y * PIXELS + x) * CHANNELS);
    }
    for (size_t at = 0; at < bytes; at += CHANNELS)
        coloured += has_colour(pixels + at);
    free(pixels);
    check->error = (double)missing / PARTICLES;
    check->passed = is_same && check->error < 1e-3 && coloured > PIXELS * PIXELS / 2;
    snprintf(check->detail, sizeof check->detail, "%zu of %d pixels have a colour, two pictures are %s",
             coloured, PIXELS * PIXELS, is_same ? "equal" : "unequal");
    return status;
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, NULL, draw, check, destroy, NULL};

static const struct bench_case cases[] = {
    {.name = "gas.picture.2m-1024",
     .help = "a picture of 1024 x 1024 pixels of 2097152 particles, coloured by speed, with the transfer to "
             "the host",
     .unit = "s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .large = true,
     .program = "gas.picture",
     .device = &ops,
     .host = &ops},
};

const struct bench_case_list bench_gas_picture_cases = {cases, sizeof cases / sizeof *cases};
