/* Particles on the device under test, for the kernels of the gas that need no whole solver: its settings,
 * words, positions, velocities and numbers, and the same positions on the host.
 */
#ifndef SHOAL_TESTS_GAS_BOX_H
#define SHOAL_TESTS_GAS_BOX_H

#include "harness.h"

#include "gas/device/device.h"

struct gas_box_shape {
    size_t n, dim;
    enum shoal_gas_precision precision;
    int32_t boundary[GAS_MAX_DIM]; /* enum shoal_gas_boundary */
    double length[GAS_MAX_DIM];
    double cutoff;
};

struct gas_box {
    struct shoal_solver solver;
    struct gas_device device;
    struct shoal_gas_params params;
    /* As the device got them; by number of the particle. */
    double *place; /* n * dim, lengths from the corner of the box: what the device's format holds */
    unsigned char *raw, *velocity; /* position_bytes and velocity_bytes a particle */
};

/* Whether the precision is to be tested on this device. */
bool gas_box_can(enum shoal_gas_precision precision);
/* `position`: n * dim, rounded to the format of the device. The particles stand in a random order that
 * depends on `order`; 0: by number. Velocities are numbers of their own for each particle. */
void gas_box_create(struct gas_box *box, const struct gas_box_shape *shape, const double *position,
                    uint32_t order);
void gas_box_destroy(struct gas_box *box);
/* The particles once more, in another order; words as they are. */
void gas_box_place(struct gas_box *box, uint32_t order);
/* Numbers of the particles by place. */
void gas_box_ids(struct gas_box *box, uint32_t *ids);
uint32_t gas_box_word(struct gas_box *box, enum gas_word word);

/* Uniform in [0, 1): n * dim numbers from random words of `step`. */
void gas_box_fractions(double *fraction, size_t count, uint32_t step);

#endif
