/* Private: integration and rescaling by the kernels of cl/gas/device/motion.cl, and minimisation by the
 * kernels of minimise.cl. */
#ifndef SHOAL_GAS_MOTION_H
#define SHOAL_GAS_MOTION_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_motion_program, gas_minimise_program;

SHOAL_MUST_CHECK enum shoal_status gas_motion_create(struct shoal_solver *solver, struct shoal_error *error);
void gas_motion_destroy(struct shoal_solver *solver); /* must accept the state that a failed `create` has
                                                       * left */

/* Number of sums that the exchange holds for each place. 0: the exchange has one entry for the whole gas. */
size_t gas_exchange_entries(const struct gas_problem *problem);

/* Number of groups that sum over the exchange; each group writes one partial sum of each entry. */
enum { EXCHANGE_GROUPS = 128, MOST_EXCHANGED = EXCHANGE_ENTRIES(true, true, GAS_MAX_DIM) };

/* Partial sums of the exchange, in a buffer, from element `first` on. */
struct gas_exchange_sums {
    size_t first;
    size_t entries; /* number of sums; 0: nothing exchanges heat or impulse, so nothing was launched */
    size_t groups;  /* number of partial sums of each entry */
};
/* Enqueues the partial sums, which are written from element `first` of the buffer on. */
SHOAL_MUST_CHECK enum shoal_status gas_exchange_sum(struct shoal_solver *solver, struct shoal_buffer *buffer,
                                                    size_t first, struct gas_exchange_sums *sums,
                                                    struct shoal_error *error);
/* Adds up the partial sums `parts`, read from the buffer. heat: energy added by thermostat, walls and limiter
 * since the start; impulse: on the low and the high wall of each axis. */
void gas_exchange_total(const struct gas_device *device, const struct gas_exchange_sums *sums,
                        const void *parts, double *heat, double impulse[GAS_MAX_DIM][2]);

/* Each of the functions below enqueues its work. Functions marked * read device->acceleration, which must be
 * up to date. */
/* * Changes the velocities of the start from those at step 0 to those at half a step before. */
SHOAL_MUST_CHECK enum shoal_status gas_kick_back(struct shoal_solver *solver, struct shoal_error *error);
/* * Makes one step. */
SHOAL_MUST_CHECK enum shoal_status gas_advance(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* * Multiplies the velocities of the full step by a stochastic factor. */
SHOAL_MUST_CHECK enum shoal_status gas_rescale(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* Computes the mean energy for a limiter, where rules.mean is set. */
SHOAL_MUST_CHECK enum shoal_status gas_find_limit(struct shoal_solver *solver, struct shoal_error *error);

/* Defined in minimise.c. Called only where the start is minimised. */
SHOAL_MUST_CHECK enum shoal_status gas_minimiser_create(struct shoal_solver *solver,
                                                        struct shoal_error *error);
void gas_minimiser_destroy(struct shoal_solver *solver); /* must accept the state that a failed `create` has
                                                          * left */
/* gas_fire_sums, gas_fire_move: members of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_fire_sums(struct shoal_solver *solver, double limit, uint32_t step,
                                                 struct gas_fire_sums *sums, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_fire_move(struct shoal_solver *solver,
                                                 const struct gas_fire_move *move, struct shoal_error *error);

#endif
