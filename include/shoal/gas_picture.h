/* Pictures of a gas between its steps, made on the device of the solver: only the pixels travel to the host.
 *
 *     struct shoal_gas_view view = SHOAL_GAS_VIEW(.width = 800, .height = 800);
 *     struct shoal_gas_picture picture = {.size = sizeof picture};
 *     shoal_gas_draw(solver, &view, &picture, &error);
 *
 * A picture is computed with integers alone once the particles have their colours, so its pixels do not
 * depend on the order of the particles. docs/gas-pictures.md has the rules.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GAS_PICTURE_H
#define SHOAL_GAS_PICTURE_H

#include <shoal/gas.h>

SHOAL_BEGIN_DECLS

/* What the colours of a picture show. */
enum shoal_gas_colouring {
    SHOAL_GAS_BY_SPEED,   /* The speed of each particle. */
    SHOAL_GAS_BY_SPECIES, /* The species of each particle; needs `species` of struct shoal_gas_params. */
    /* The hexatic order |psi_6| of each particle; needs `hexatic_range` of struct shoal_gas_params. */
    SHOAL_GAS_BY_HEXATIC,
    SHOAL_GAS_BY_DENSITY /* The number density of the particles, without the particles themselves. */
};

/* Largest numbers of a picture. */
enum {
    SHOAL_GAS_MOST_PIXELS = 16384 /* Most pixels along a side of a picture. */
};

/* What a picture shows. Fill the struct by SHOAL_GAS_VIEW or shoal_gas_view_init. In 3D a picture is the
 * projection along z, seen from the high end. */
struct shoal_gas_view {
    size_t size;     /* Bytes of the struct, set by shoal_gas_view_init. */
    uint32_t width;  /* Pixels along x, 1 to SHOAL_GAS_MOST_PIXELS. Default: 512. */
    uint32_t height; /* Pixels along y, 1 to SHOAL_GAS_MOST_PIXELS. Default: 512. */
    /* Place in the middle of the picture, along x, any finite number. Default: NaN, which means the middle of
     * the box. */
    double centre_x;
    /* Place in the middle of the picture, along y, any finite number. Default: NaN, which means the middle of
     * the box. */
    double centre_y;
    /* Magnification, 0.01 to 1000000: with 1 the box just fits into the picture. Default: 1. */
    double zoom;
    int32_t colouring; /* Colours, enum shoal_gas_colouring. Default: SHOAL_GAS_BY_SPEED. */
    /* Radius of the disks that are drawn for particles, which are single pixels where it is less than a
     * pixel, above 0. Default: NaN, which means sigma / 2, or 0.5 for potentials without a sigma. */
    double radius;
    /* Speed or density of the brightest colour, above 0. Default: NaN, which means a value for the gas as it
     * is now: about three times the root mean square speed, or twice the mean density, in 2D at least 1 / (2
     * radius)^2, rounded up to few digits. */
    double brightest;
};

/* Fills `view` with the defaults. */
SHOAL_API void shoal_gas_view_init(struct shoal_gas_view *view);
#define SHOAL_GAS_VIEW(...) SHOAL_INIT(shoal_gas_view, shoal_gas_view_init, __VA_ARGS__)

/* A picture. */
struct shoal_gas_picture {
    size_t size;     /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    uint32_t width;  /* Pixels along x. */
    uint32_t height; /* Pixels along y. */
    uint64_t step;   /* Number of the step. */
    double time;     /* Simulated time of the step. */
    /* Speed or density of the brightest colour; 1 for SHOAL_GAS_BY_HEXATIC, 0 for SHOAL_GAS_BY_SPECIES. */
    double brightest;
    /* Red, green, blue and 255 of each pixel, [height][width][4], the upper row first. Valid until the next
     * call on the solver. */
    const uint8_t *pixels;
};

/* Draws the gas as it is now. Speeds are taken in the middle of the last step. The run does not change.
 * Before the call set picture->size, usually to 0. Errors: SHOAL_INVALID: the solver is of another workload,
 * a member of `view` is out of its range, or the gas lacks what the colours show. SHOAL_OUT_OF_DEVICE_MEMORY
 * and SHOAL_OUT_OF_HOST_MEMORY: too many pixels. SHOAL_BUILD_FAILED: at the first picture, when kernels are
 * built. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_draw(struct shoal_solver *solver,
                                                            const struct shoal_gas_view *view,
                                                            struct shoal_gas_picture *picture,
                                                            struct shoal_error *error);

/* Sets red, green and blue to the colour that stands for a share of the brightest value, 0 to 1; with
 * SHOAL_GAS_BY_SPECIES, to the colour of the species with the number `share`. */
SHOAL_API void shoal_gas_picture_colour(enum shoal_gas_colouring colouring, double share, uint8_t rgb[3]);

SHOAL_END_DECLS

#endif
