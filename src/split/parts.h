/* Private: the parts of a run as the solver of the whole run uses them. */
#ifndef SHOAL_SPLIT_PARTS_H
#define SHOAL_SPLIT_PARTS_H

#include "split/split.h"

/* Functions by which the solver of the whole run creates, steps and reads its parts. */
extern const struct solver_shares parts_shares;

/* Frees the memory that a split has allocated itself. Accepts NULL. */
void parts_free(struct split *split);

/* Creates the solvers of all parts at the same time. The solver of the whole run must exist. */
SHOAL_MUST_CHECK enum shoal_status parts_create(struct split *split, struct shoal_error *error);

#endif
