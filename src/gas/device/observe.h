/* Private: observables of the gas on a device, by the kernels of cl/gas/device/observe.cl. The order of the
 * terms of each sum is fixed, without atomics on floating-point numbers, so the same state gives the same
 * bits. Observing does not change the state. */
#ifndef SHOAL_GAS_OBSERVE_H
#define SHOAL_GAS_OBSERVE_H

#include "gas/device/sort.h"

extern const struct shoal_program_desc gas_observe_program;

/* Creates device->observer. The motion and the method of the device must exist. After a failure
 * gas_observer_destroy frees what was created. */
SHOAL_MUST_CHECK enum shoal_status gas_observer_create(struct shoal_solver *solver,
                                                       struct shoal_error *error);
void gas_observer_destroy(struct shoal_solver *solver);

/* gas_observe, gas_observe_histograms and gas_observed_counts are the members measure, count and get_counts
 * of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_observe(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                               double *impulse, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observe_histograms(struct shoal_solver *solver,
                                                          struct shoal_error *error);
/* gas_observe_ahead enqueues the sums of a sample behind the steps that are enqueued, so that the device need
 * not wait for the host between them; energies and accelerations are enqueued before. The next call of
 * gas_observe takes these sums, if gas_observe_forget is not called before: whoever changes the state must
 * call it, and may do so where there is no observer. */
SHOAL_MUST_CHECK enum shoal_status gas_observe_ahead(struct shoal_solver *solver, struct shoal_error *error);
void gas_observe_forget(struct shoal_solver *solver);
/* Fits the observer to the lengths of the box. */
void gas_observer_resized(struct shoal_solver *solver);
/* Sets all counts and sums of the observer to 0. */
SHOAL_MUST_CHECK enum shoal_status gas_observer_reset(struct shoal_solver *solver, struct shoal_error *error);
/* Observes once and drops the result, so that drivers compile and load the kernels before a sample is timed.
 */
SHOAL_MUST_CHECK enum shoal_status gas_observer_launch_first(struct shoal_solver *solver,
                                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observed_counts(struct shoal_solver *solver,
                                                       enum shoal_gas_histogram_kind kind, uint64_t *counts,
                                                       struct shoal_error *error);

/* gas_observe_mark stores the current positions; gas_observe_displacements adds up the squared displacements
 * from the stored positions, along each axis and over each group of particles (gas_msd_begin). They are the
 * members mark and displacements of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_observe_mark(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observe_displacements(struct shoal_solver *solver,
                                                             double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                                             struct shoal_error *error);

/* gas_observe_set_origin and gas_observe_correlate are the members set_origin and correlate of struct
 * gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_observe_set_origin(struct shoal_solver *solver, size_t level,
                                                          struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observe_correlate(struct shoal_solver *solver, size_t level,
                                                         double products[GAS_MSD_GROUPS],
                                                         double squares[GAS_MSD_GROUPS],
                                                         struct shoal_error *error);

/* gas_observer_save, gas_observer_load: save and load the counts of histograms and the positions from which
 * displacements are measured, if there are any, as sections of a checkpoint.
 *
 * gas_observer_seconds: seconds on the host that all observations so far took, including waits for the
 * device, but without what gas_observe_ahead let it compute behind steps. The first observation of each kind,
 * in which drivers compile, counts like the mean of the others.
 */
SHOAL_MUST_CHECK enum shoal_status
gas_observer_save(struct shoal_solver *solver, struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observer_load(struct shoal_solver *solver,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
double gas_observer_seconds(const struct shoal_solver *solver);

/* A grid of cells that are at least `range` wide, to find the pairs closer than `range` in a sample. */
struct gas_mesh gas_mesh_for(const struct gas_problem *problem, double range);
/* As gas_mesh_for, with at most the cells of `created`, for which a sort has room: at constant pressure the
 * box changes.
 */
struct gas_mesh gas_mesh_fitting(const struct gas_problem *problem, double range,
                                 const struct gas_mesh *created);

#endif
