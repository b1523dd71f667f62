/* Private: tuned values that a gas took. They change the order of its sums, so that a checkpoint holds them:
 * a run goes on with the same bits whatever was tuned meanwhile, or on another machine with the same device.
 */
#ifndef SHOAL_GAS_TUNED_H
#define SHOAL_GAS_TUNED_H

#include "compute/tune.h"
#include "workload/workload.h"

enum { GAS_TUNED_NAME = 40, GAS_TUNED_MOST = 24 };

/* Saved as it is. */
struct gas_tuned_value {
    char name[GAS_TUNED_NAME]; /* "gas.list_step SKIN" */
    int64_t value;
};

struct gas_tuned {
    bool is_short_of_room; /* for a value, or for a name */
    size_t count;
    struct gas_tuned_value values[GAS_TUNED_MOST];
};

/* What the gas took before or its checkpoint says, else tuning_ask(). */
int64_t gas_tuned(const struct shoal_solver *solver, const struct tuning_question *question);
/* Defines of a program that are tuned: the value of the rule, and what is worth measuring. */
struct gas_layout {
    const char *name;
    int64_t value;
    const int64_t *tries;
    size_t try_count;
};
/* The same for defines of a contract, in its range; others get the value of the rule. `sizes`: the class of
 * the gas. */
void gas_tuned_layout(const struct shoal_solver *solver, const struct shoal_program_desc *desc,
                      const char *sizes, const struct gas_layout *layout, size_t count,
                      struct defines *defines);

/* Called once the method is made. Fails where it has taken more than a checkpoint has room for: a run that
 * was resumed might take others. */
SHOAL_MUST_CHECK enum shoal_status gas_tuned_complete(const struct shoal_solver *solver,
                                                      struct shoal_error *error);

void gas_tuned_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
/* Makes the method again where the checkpoint's took other values, or is another. Nothing has changed after a
 * failure. */
SHOAL_MUST_CHECK enum shoal_status
gas_tuned_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
