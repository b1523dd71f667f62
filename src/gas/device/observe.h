/* Private: observables of the gas on a device, by kernels of cl/gas/device/observe.cl. Sums have a fixed
 * order, without atomics on floating-point numbers, so the same state gives the same bits. Observing does not
 * change the state. */
#ifndef SHOAL_GAS_OBSERVE_H
#define SHOAL_GAS_OBSERVE_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_observe_program;

/* Creates device->observer, after motion and method. After a failure gas_observer_destroy frees what was
 * created. */
SHOAL_MUST_CHECK enum shoal_status gas_observer_create(struct shoal_solver *solver,
                                                       struct shoal_error *error);
void gas_observer_destroy(struct shoal_solver *solver);

/* gas_observe, gas_observe_histograms, gas_observed_counts: the members measure, count and get_counts of
 * struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status gas_observe(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                               double *impulse, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observe_histograms(struct shoal_solver *solver,
                                                          struct shoal_error *error);
/* Resets counts and sums, as if nothing had been observed. */
SHOAL_MUST_CHECK enum shoal_status gas_observer_reset(struct shoal_solver *solver, struct shoal_error *error);
/* Warm-up: observes once and drops the counts, so that drivers compile and load kernels before a sample is
 * timed. */
SHOAL_MUST_CHECK enum shoal_status gas_observer_launch_first(struct shoal_solver *solver,
                                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observed_counts(struct shoal_solver *solver,
                                                       enum shoal_gas_histogram_kind kind, uint64_t *counts,
                                                       struct shoal_error *error);

/* Mean-square displacements on the device: gas_observe_mark stores the origin, gas_observe_displacements
 * measures the displacements from it. */
SHOAL_MUST_CHECK enum shoal_status gas_observe_mark(struct shoal_solver *solver, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observe_displacements(struct shoal_solver *solver,
                                                             double sums[GAS_MSD_GROUPS][GAS_MAX_DIM],
                                                             struct shoal_error *error);

/* gas_observer_save, gas_observer_load: save and load the sections of a checkpoint with histograms and with
 * the reference positions of displacements, if there are any.
 *
 * gas_observer_seconds: time on the host of all observations so far. Each observation ends with a wait. First
 * launches are not included. */
SHOAL_MUST_CHECK enum shoal_status
gas_observer_save(struct shoal_solver *solver, struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_observer_load(struct shoal_solver *solver,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
double gas_observer_seconds(const struct shoal_solver *solver);

#endif
