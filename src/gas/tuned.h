/* Private: tuned values that a gas took. They change the order of its sums, so that a checkpoint holds them:
 * a run goes on with the same bits whatever was tuned meanwhile, or on another machine with the same device.
 */
#ifndef SHOAL_GAS_TUNED_H
#define SHOAL_GAS_TUNED_H

#include "compute/tune.h"
#include "workload.h"

enum { GAS_TUNED_NAME = 40, GAS_TUNED_MOST = 24 };

/* Saved as it is. */
struct gas_tuned_value {
    char name[GAS_TUNED_NAME]; /* "gas.list_step SKIN" */
    int64_t value;
};

struct gas_tuned {
    size_t count;
    struct gas_tuned_value values[GAS_TUNED_MOST];
};

/* What the gas took before or its checkpoint says, else tuning_ask(). */
int64_t gas_tuned(const struct shoal_solver *solver, const struct tuning_question *question);
/* The same for a define, in the range of its contract; others get the value of the rule. */
struct shoal_define gas_tuned_define(const struct shoal_solver *solver, const struct shoal_program_desc *desc,
                                     const char *name, const char *sizes, int64_t value, const int64_t *tries,
                                     size_t try_count);

void gas_tuned_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
/* Makes the method again where the checkpoint's took other values, or is another. Nothing has changed after a
 * failure. */
SHOAL_MUST_CHECK enum shoal_status
gas_tuned_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
