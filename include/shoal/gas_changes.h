/* Changes of a gas while it runs: temperature, pressure and piston, and the schedule that repeats them. */
#ifndef SHOAL_GAS_CHANGES_H
#define SHOAL_GAS_CHANGES_H

#include <shoal/gas.h>

SHOAL_BEGIN_DECLS

/* A quantity that lines of a schedule can change. */
struct shoal_gas_quantity {
    size_t size; /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    /* Value in the next step, in an equilibration in step 1. NaN: the run has no such quantity. */
    double value;
    double least;    /* Least value that shoal_gas_change takes. */
    double most;     /* Largest value that shoal_gas_change takes; a temperature may rise fourfold. */
    bool changeable; /* shoal_gas_change can change the quantity. */
};

/* Fills `quantity`. name: "temperature", "friction", "field-x", "field-y", "field-z", "trap", "pressure",
 * "piston-pressure" or "piston-speed". Before the call set quantity->size, usually to 0.
 * Errors: SHOAL_INVALID: the solver is of another workload, or there is no quantity of this name. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_quantity(struct shoal_solver *solver,
                                                                    const char *name,
                                                                    struct shoal_gas_quantity *quantity,
                                                                    struct shoal_error *error);

/* Changes a quantity from the next step on, in an equilibration from step 1 on, as a line STEP NAME VALUE of
 * a schedule does. The parameter `changeable` is set. These quantities can change, unless a schedule or
 * temperature_end changes them: temperature, with a thermostat, pressure, piston-pressure and piston-speed,
 * if they are set. Call it between steps. Checkpoints hold the changes. Errors: SHOAL_INVALID: the solver is
 * of another workload or the share of a run over several devices, the quantity cannot change, or the value is
 * out of range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_change(struct shoal_solver *solver, const char *name,
                                                              double value, struct shoal_error *error);

/* Gives the schedule that repeats the run so far: a run of the same parameters without `changeable`, whose
 * `schedule` is this text or a file of it, has the same bits. `*schedule` has a line for each change of a
 * quantity, with the lines of the parameter `schedule`, and belongs to the solver until the next call of this
 * function; "": nothing changes. Errors: SHOAL_INVALID: the solver is of another workload.
 * SHOAL_OUT_OF_HOST_MEMORY. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_schedule(struct shoal_solver *solver, const char **schedule, struct shoal_error *error);

SHOAL_END_DECLS

#endif
