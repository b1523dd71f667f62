/* Private: changes of quantities that the caller makes between steps. gas_changes_allow is in timetable.h. */
#ifndef SHOAL_GAS_MODEL_CHANGES_H
#define SHOAL_GAS_MODEL_CHANGES_H

#include "base/text.h"
#include "gas/gas.h"
#include "workload/checkpoint/checkpoint.h"

/* The largest value that the caller may give a quantity. */
double gas_changes_most(const struct gas_problem *problem, enum gas_quantity quantity);
/* Whether a quantity that the caller may change can have the value. */
bool gas_changes_takes(const struct gas_problem *problem, enum gas_quantity quantity, double value);
/* Drops all changes by the caller. */
void gas_changes_forget(struct gas_problem *problem);
/* Adds all changes of quantities to the text, as lines of a schedule. */
SHOAL_MUST_CHECK enum shoal_status gas_changes_tell(const struct gas_problem *problem, struct text *text,
                                                    struct shoal_error *error);
/* gas_changes_save writes and gas_changes_load reads the section "changes" of a checkpoint: the changes by
 * the caller, if there are any. */
SHOAL_MUST_CHECK enum shoal_status gas_changes_save(const struct gas_problem *problem,
                                                    struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_changes_load(struct gas_problem *problem, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
