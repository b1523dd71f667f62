/* Private: values that a solver has chosen, from the tuning file or by a rule. Such values change the order
 * of sums, so checkpoints hold them: a resumed run then has the same bits, even if other values were tuned
 * meanwhile, and on another machine with the same device. */
#ifndef SHOAL_WORKLOAD_CHOSEN_H
#define SHOAL_WORKLOAD_CHOSEN_H

#include "base/text.h"
#include "compute/tune.h"
#include "workload/programs.h"

struct chosen_value {
    char *name; /* "PROGRAM SKIN" in the tuning file */
    int64_t value;
};

struct chosen {
    struct chosen_value *values;
    size_t count, capacity;
    bool failed; /* there was not enough memory, and a value was not recorded */
};

/* Returns the value that `chosen` already holds, from an earlier call or from a checkpoint; otherwise asks
 * tuning_ask and records the answer in `chosen`. chosen NULL: only asks tuning_ask. */
int64_t chosen_value(struct chosen *chosen, struct shoal_device *device,
                     const struct tuning_question *question);

/* A define of a program that may be tuned: its value by rule, and the values worth measuring. */
struct tuned_define {
    const char *name;
    int64_t value;
    const int64_t *tries;
    size_t try_count;
};
/* Chooses values for defines of a contract, within their ranges, and adds the defines to `defines`. sizes:
 * the class of the problem's sizes. */
void chosen_defines(struct chosen *chosen, struct shoal_device *device, const struct shoal_program_desc *desc,
                    const char *sizes, const struct tuned_define *wanted, size_t count,
                    struct defines *defines);

/* chosen_print: adds lines "NAME=VALUE" to a text. chosen_parse: reads such lines, and returns false where
 * memory is not sufficient or a line has another form. */
void chosen_print(const struct chosen *chosen, struct text *text);
bool chosen_parse(struct chosen *chosen, const char *text);
bool chosen_keep(struct chosen *chosen, const char *name, int64_t value);
/* Does `chosen` hold every name of `other` with the same value? */
bool chosen_covers(const struct chosen *chosen, const struct chosen *other);
void chosen_free(struct chosen *chosen);

#endif
