/* Private: the quantities that change during a run by the lines of --schedule or by --temperature-end. */
#ifndef SHOAL_GAS_TIMETABLE_H
#define SHOAL_GAS_TIMETABLE_H

#include <shoal/gas.h>

enum gas_quantity {
    GAS_TEMPERATURE, /* of the thermostat */
    GAS_FRICTION,
    GAS_FIELD, /* three quantities: the field along x, y and z */
    GAS_TRAP = GAS_FIELD + 3,
    GAS_PRESSURE,
    GAS_PISTON_PRESSURE,
    GAS_PISTON_SPEED,
    GAS_QUANTITIES
};

/* A change of a quantity to the value `to`: at the step `step`, or linearly in the `over` steps after it. */
struct gas_change {
    uint64_t step, over;
    double from, to; /* from: the value before the change */
};

struct gas_timetable {
    /* the changes of each quantity, by their steps; of changes at the same step the last one holds */
    struct gas_change *changes[GAS_QUANTITIES];
    size_t count[GAS_QUANTITIES];
    bool is_free[GAS_QUANTITIES]; /* the caller may change the quantity between steps */
};

/* Reads the file or the text of --schedule, or makes the ramp of --temperature-end. After a failure nothing
 * is allocated. Errors: SHOAL_IO: the file cannot be read, or a line breaks a rule (docs/gas.md). */
SHOAL_MUST_CHECK enum shoal_status gas_timetable_create(const struct shoal_gas_params *params,
                                                        struct gas_timetable *timetable,
                                                        struct shoal_error *error);
/* Does the same with the text of a file, which ends with a NUL after `bytes` bytes. */
SHOAL_MUST_CHECK enum shoal_status gas_timetable_parse(const struct shoal_gas_params *params,
                                                       const char *text, size_t bytes,
                                                       struct gas_timetable *timetable,
                                                       struct shoal_error *error);
/* Adds a change that begins no earlier than the last change of the quantity ends. Its member `from` need not
 * be set. */
SHOAL_MUST_CHECK enum shoal_status gas_timetable_add(const struct shoal_gas_params *params,
                                                     struct gas_timetable *timetable,
                                                     enum gas_quantity quantity, struct gas_change change,
                                                     struct shoal_error *error);
void gas_timetable_destroy(struct gas_timetable *timetable); /* accepts a struct of zeros */

/* Whether the quantity changes during the run. */
static inline bool gas_is_changing(const struct gas_timetable *timetable, enum gas_quantity quantity)
{
    return timetable->count[quantity] > 0;
}

/* The value of a quantity at a step of the run, which is counted from the end of the equilibration. */
double gas_value_at(const struct gas_timetable *timetable, const struct shoal_gas_params *params,
                    enum gas_quantity quantity, uint64_t step);
/* The largest value of a quantity during the run. */
double gas_largest(const struct gas_timetable *timetable, const struct shoal_gas_params *params,
                   enum gas_quantity quantity);

const char *gas_quantity_name(enum gas_quantity quantity);
/* The quantity of this name; GAS_QUANTITIES: there is none. */
enum gas_quantity gas_quantity_find(const char *name);
/* Range of the values of a quantity, that of the option with its name. */
void gas_quantity_range(enum gas_quantity quantity, double *least, double *most);

/* Defined in changes.c. Allows the caller to change temperature, pressure and piston, as far as the run has
 * them and no schedule changes them: adds changes at step 0, with which the run is prepared for changes as by
 * a schedule. */
SHOAL_MUST_CHECK enum shoal_status gas_changes_allow(const struct shoal_gas_params *params,
                                                     struct gas_timetable *timetable,
                                                     struct shoal_error *error);

#endif
