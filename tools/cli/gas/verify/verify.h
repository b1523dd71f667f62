/* shoal verify: the physics of gases. A check consists of one run or more and adds a row for each law that it
 * tests.
 */
#ifndef SHOAL_TOOLS_VERIFY_GAS_H
#define SHOAL_TOOLS_VERIFY_GAS_H

#include "cli/commands/verify.h"

#include <shoal/gas.h>

/* The checks of gases; a NULL name ends the list. */
extern const struct verify_check gas_checks[];

/* A run of a check, with its purpose. */
struct gas_trial {
    struct verify *verify;
    struct shoal_device *device;
    const char *check;              /* "gas.states" */
    const char *of;                 /* name of the run within its check; NULL: the check has one run */
    struct shoal_gas_params params; /* parameters, at first the defaults by gas_trial_init */
    struct shoal_report report;
};

void gas_trial_init(struct gas_trial *trial, struct verify *verify, struct shoal_device *device,
                    const char *check);
/* Makes the run. False: there is no result, because of Ctrl-C, or of a failure, for which a row was added. */
bool gas_trial_run(struct gas_trial *trial);
/* The value of the result with a JSON key; NaN: the result has no such value. */
double gas_trial_value(const struct gas_trial *trial, const char *name);
void gas_trial_clear(struct gas_trial *trial);

/* Adds the row of a law, which holds if deviation <= tolerance. compared: number of steps or samples; what:
 * format of a text on what was compared, and how. */
SHOAL_PRINTF(6, 7)
void gas_trial_row(const struct gas_trial *trial, const char *law, uint64_t compared, double deviation,
                   double tolerance, const char *what, ...);
/* Adds a row for a failure. */
void gas_trial_failed(const struct gas_trial *trial, const struct shoal_error *error);

/* Defined in verify_means.c: averages. */
void verify_gas_states(struct verify *verify, struct shoal_device *device);
void verify_gas_pressure(struct verify *verify, struct shoal_device *device);
void verify_gas_mixtures(struct verify *verify, struct shoal_device *device);
void verify_gas_virials(struct verify *verify, struct shoal_device *device);
void verify_gas_ideal(struct verify *verify, struct shoal_device *device);
void verify_gas_walls(struct verify *verify, struct shoal_device *device);
void verify_gas_log(struct verify *verify, struct shoal_device *device);
void verify_gas_plasma(struct verify *verify, struct shoal_device *device);
void verify_gas_thermostats(struct verify *verify, struct shoal_device *device);

/* Defined in verify_motion.c: single trajectories. */
void verify_gas_drift(struct verify *verify, struct shoal_device *device);
void verify_gas_reversal(struct verify *verify, struct shoal_device *device);
void verify_gas_methods(struct verify *verify, struct shoal_device *device);

/* Defined in verify_piston.c: a gas that a piston presses. */
void verify_gas_piston(struct verify *verify, struct shoal_device *device);

/* Defined in replicas.c: many states in one run. */
void verify_gas_replicas(struct verify *verify, struct shoal_device *device);

/* Defined in verify_observe.c: observables of the device and of the host for the same particles. */
void verify_gas_observe(struct verify *verify, struct shoal_device *device);

#endif
