/* Private: pictures of a gas, <shoal/gas_picture.h>. */
#ifndef SHOAL_GAS_PICTURE_PRIVATE_H
#define SHOAL_GAS_PICTURE_PRIVATE_H

#include "gas/observe/sampling.h"

#include <math.h>
#include <shoal/gas_picture.h>

/* On the host the planes have one writer. */
#define __global
#define INLINE                     inline
#define PICTURE_ADD(word, amount)  (*(word) += (amount))
#define PICTURE_LEAST(word, value) (*(word) = *(word) < (value) ? *(word) : (value))
#include "cl/gas/device/picture.clh"
#undef __global
#undef INLINE

/* Kernels have the same members at the same places. */
_Static_assert(sizeof(long) == 8 && sizeof(struct gas_picture_view) == 112,
               "the host's view is the kernels'");

/* What is drawn, in the units of kernels. */
struct gas_drawing {
    struct gas_picture_view view;
    enum shoal_gas_colouring colouring;
    double brightest; /* NaN: to be found by the gas as it is, for SHOAL_GAS_BY_SPEED only */
    uint32_t palette[PICTURE_LEVELS];
};

/* Number of pixels, and of words of the planes. */
static inline size_t gas_drawing_pixels(const struct gas_drawing *drawing)
{
    return (size_t)drawing->view.width * drawing->view.height;
}

static inline size_t gas_drawing_words(const struct gas_drawing *drawing)
{
    const struct gas_picture_view *view = &drawing->view;
    return gas_drawing_pixels(drawing) * (view->kind == PICTURE_MEANS   ? 2
                                          : view->kind == PICTURE_KINDS ? view->species
                                                                        : 1);
}

/* The value of each word of the planes before particles are drawn. */
static inline uint32_t gas_drawing_empty(const struct gas_drawing *drawing)
{
    return drawing->view.kind == PICTURE_DISKS ? PICTURE_NONE : 0;
}

/* The factor by which the squares of speeds or of hexatic orders become squares of levels. */
static inline double gas_drawing_inverse(const struct gas_drawing *drawing)
{
    const double square = drawing->brightest * drawing->brightest;
    return square > 0 ? PICTURE_SQUARES / square : 0;
}

/* A coordinate of the host in grid steps, by the operations of kernels in double precision. */
int64_t gas_grid_steps(const struct gas_problem *problem, size_t axis, double x);
/* Sets the drawing of a view that has been checked. */
void gas_drawing_set(const struct gas_problem *problem, const struct shoal_gas_view *view,
                     struct gas_drawing *drawing);
/* Sets the brightest speed of a drawing by the mean squared speed: about three times its root, which hardly
 * any particle of a gas in equilibrium exceeds, rounded up to few digits, so that pictures of about the same
 * temperature have the same colours. */
void gas_drawing_expose(struct gas_drawing *drawing, double mean_square);

/* Defined in host.c and device.c: the member draw of struct gas_stepper. gas_painter_destroy frees what
 * pictures on a device need. */
SHOAL_MUST_CHECK enum shoal_status gas_host_draw(struct shoal_solver *solver, struct gas_drawing *drawing,
                                                 const uint32_t **pixels, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_device_draw(struct shoal_solver *solver, struct gas_drawing *drawing,
                                                   const uint32_t **pixels, struct shoal_error *error);
void gas_painter_destroy(struct shoal_solver *solver);

/* A particle to draw: its coordinates on the grid, and the square of its level before the level is rounded.
 */
struct gas_point {
    int64_t at[GAS_MAX_DIM];
    double square; /* square of a speed or a hexatic order, times gas_drawing_inverse */
    unsigned kind; /* index of the species of the particle */
};
/* Defined in host.c: gas_picture_add adds a particle to the planes of a picture, of which gas_picture_finish
 * makes the pixels. */
void gas_picture_add(const struct gas_drawing *drawing, const struct gas_point *point, uint32_t *planes);
void gas_picture_finish(const struct gas_drawing *drawing, const uint32_t *planes, uint32_t *pixels);

#endif
