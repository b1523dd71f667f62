/* Private: integration and rescaling by the kernels of cl/gas/device/motion.cl, and minimisation by the
 * kernels of minimise.cl. */
#ifndef SHOAL_GAS_MOTION_H
#define SHOAL_GAS_MOTION_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_motion_program, gas_minimise_program;

SHOAL_MUST_CHECK enum shoal_status gas_motion_create(struct shoal_solver *solver, struct shoal_error *error);
/* accepts the state that a failed gas_motion_create has left */
void gas_motion_destroy(struct shoal_solver *solver);

/* Sets the work-group size of a program whose kernels add up numbers of all particles. Its other kernels get
 * this size, too, and the size is not tuned. */
void gas_sum_defines(const struct shoal_solver *solver, struct defines *defines);

/* Number of sums that the exchange holds for each particle. 0: it holds one sum for the whole gas, the heat
 * of rescalings. */
size_t gas_exchange_entries(const struct gas_problem *problem);

/* EXCHANGE_GROUPS: number of work-groups that add up the exchange; each group writes a partial sum of each of
 * the entries. MOST_EXCHANGED: most entries of a particle. */
enum { EXCHANGE_GROUPS = 128, MOST_EXCHANGED = EXCHANGE_ENTRIES(true, true, GAS_MAX_DIM) };

/* Describes the partial sums of the exchange in a buffer: [groups][entries] from element `first` on. */
struct gas_exchange_sums {
    size_t first;
    size_t entries; /* number of sums; 0: nothing exchanges heat or impulse, so there are no partial sums */
    size_t groups;  /* number of partial sums of each entry */
};
/* Enqueues the computation of partial sums of the exchange, which are written from element `first` of the
 * buffer on, and describes them in *sums. */
SHOAL_MUST_CHECK enum shoal_status gas_exchange_sum(struct shoal_solver *solver, struct shoal_buffer *buffer,
                                                    size_t first, struct gas_exchange_sums *sums,
                                                    struct shoal_error *error);
/* Adds up the partial sums `parts`, which the caller has read from the buffer. heat: energy that thermostat,
 * walls and limiter have added since the start; impulse: on the low and the high wall of each axis. */
void gas_exchange_total(const struct gas_device *device, const struct gas_exchange_sums *sums,
                        const void *parts, double *heat, double impulse[GAS_MAX_DIM][2]);

/* Each of the functions below enqueues its work. Those whose comment begins with * read device->acceleration,
 * which must be up to date. */
/* * Changes the velocities of the start from those at step 0 to those at half a step before. */
SHOAL_MUST_CHECK enum shoal_status gas_kick_back(struct shoal_solver *solver, struct shoal_error *error);
/* * Makes one step. */
SHOAL_MUST_CHECK enum shoal_status gas_advance(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* * Computes the factor of the stochastic rescaling or of the chain. words: those of the gas, by which the
 * factor is 1 if steps wait for a new list when it is computed; NULL: they do not wait. */
SHOAL_MUST_CHECK enum shoal_status gas_find_rescaling(struct shoal_solver *solver, uint64_t steps_done,
                                                      struct shoal_buffer *words, struct shoal_error *error);
/* the buffer whose first element is the factor */
struct shoal_buffer *gas_rescaling_factor(const struct gas_device *device);
/* * Multiplies the velocities of the full step by the factor. */
SHOAL_MUST_CHECK enum shoal_status gas_scale(struct shoal_solver *solver, struct shoal_error *error);
/* * Does both, for steps that do not wait. */
SHOAL_MUST_CHECK enum shoal_status gas_rescale(struct shoal_solver *solver, uint64_t steps_done,
                                               struct shoal_error *error);
/* * Member `resize` of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_resize(struct shoal_solver *solver, const double length[GAS_MAX_DIM],
                                              struct shoal_error *error);
/* Computes the largest kinetic energy that the limiter allows, from the mean over all particles. Only if
 * rules.mean is set. */
SHOAL_MUST_CHECK enum shoal_status gas_find_limit(struct shoal_solver *solver, struct shoal_error *error);

/* gas_minimiser_create and gas_minimiser_destroy are defined in minimise.c. Only for a start that is
 * minimised. */
SHOAL_MUST_CHECK enum shoal_status gas_minimiser_create(struct shoal_solver *solver,
                                                        struct shoal_error *error);
/* accepts the state that a failed gas_minimiser_create has left */
void gas_minimiser_destroy(struct shoal_solver *solver);
/* The members fire_sums and fire_move of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_fire_sums(struct shoal_solver *solver, double limit, uint32_t step,
                                                 struct gas_fire_sums *sums, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_fire_move(struct shoal_solver *solver,
                                                 const struct gas_fire_move *move, struct shoal_error *error);

#endif
