/* Private: values that a solver chose, tuned or by a rule. They change the order of sums, so a checkpoint
 * holds them: a resumed run has the same bits whatever was tuned in the meantime, also on another machine
 * with the same device.
 */
#ifndef SHOAL_WORKLOAD_CHOSEN_H
#define SHOAL_WORKLOAD_CHOSEN_H

#include "base/text.h"
#include "compute/tune.h"
#include "workload/programs.h"

struct chosen_value {
    char *name; /* "PROGRAM SKIN" */
    int64_t value;
};

struct chosen {
    struct chosen_value *values;
    size_t count, capacity;
    bool failed; /* a value was not recorded: out of memory */
};

/* The value chosen before or read from a checkpoint, else the answer of tuning_ask, which is recorded. NULL:
 * the answer alone. */
int64_t chosen_value(struct chosen *chosen, struct shoal_device *device,
                     const struct tuning_question *question);

/* A define of a program that may be tuned: the value of the rule, and what is worth measuring. */
struct tuned_define {
    const char *name;
    int64_t value;
    const int64_t *tries;
    size_t try_count;
};
/* The same for defines of a contract, in its range, added to `defines`. `sizes`: the class of the problem. */
void chosen_defines(struct chosen *chosen, struct shoal_device *device, const struct shoal_program_desc *desc,
                    const char *sizes, const struct tuned_define *wanted, size_t count,
                    struct defines *defines);

/* As lines "NAME=VALUE", and back; false: no memory, or lines of another form. */
void chosen_print(const struct chosen *chosen, struct text *text);
bool chosen_parse(struct chosen *chosen, const char *text);
bool chosen_keep(struct chosen *chosen, const char *name, int64_t value);
/* Does it hold all values of the other, and the same? */
bool chosen_covers(const struct chosen *chosen, const struct chosen *other);
void chosen_free(struct chosen *chosen);

#endif
