/* Private: sums of the tables of a gas on a device, by the kernels of cl/gas/device/tables.cl. */
#ifndef SHOAL_GAS_DEVICE_TABLES_H
#define SHOAL_GAS_DEVICE_TABLES_H

#include "gas/device/observe.h"

extern const struct shoal_program_desc gas_tables_program;

/* Creates device->tabler. The method of the device must exist. After a failure gas_tabler_destroy frees what
 * was created. */
SHOAL_MUST_CHECK enum shoal_status gas_tabler_create(struct shoal_solver *solver, struct shoal_error *error);
void gas_tabler_destroy(struct shoal_solver *solver);
/* Seconds on the host that the tables of all samples took, including waits for the device. */
double gas_tabler_seconds(const struct shoal_solver *solver);
/* The member tabulate of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status
gas_observe_tables(struct shoal_solver *solver, double *const sums[GAS_TABLES], struct shoal_error *error);
/* Launches the kernels of all tables of the run once, so that drivers compile them before samples are timed.
 */
SHOAL_MUST_CHECK enum shoal_status gas_tabler_launch_first(struct shoal_solver *solver,
                                                           struct shoal_error *error);

#endif
