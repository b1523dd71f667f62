/* Private: copies of the state of a gas that are made while the run continues, shoal_gas_snapshot_begin, and
 * its rows in buffers of the caller, shoal_gas_write_particles. */
#ifndef SHOAL_GAS_FRAMES_H
#define SHOAL_GAS_FRAMES_H

#include "gas/observe/sampling.h"

/* Bytes of host memory of a snapshot without its copy: positions, velocities and crossings. */
static inline double gas_snapshot_bytes(const struct gas_problem *problem)
{
    return (double)(problem->n * problem->dim) * (2 * sizeof(double) + sizeof(int32_t));
}

/* A copy on a device and its way to the host. */
struct gas_copy;

/* Defined in device.c: the members begin_copy, end_copy and destroy_copy of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_copy_begin(struct shoal_solver *solver, struct gas_copy **copy,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_copy_end(struct gas_copy *copy, const struct gas_problem *problem,
                                                double *position, double *velocity, int32_t *image,
                                                struct shoal_error *error);
void gas_copy_destroy(struct gas_copy **copy);

/* Defined in rows.c: the member write_rows of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_write_rows(struct shoal_solver *solver, struct shoal_buffer *position,
                                                  struct shoal_buffer *velocity, struct shoal_error *error);

#endif
