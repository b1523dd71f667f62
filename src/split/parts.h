/* Private: what the solver of a whole run does with its parts. */
#ifndef SHOAL_SPLIT_PARTS_H
#define SHOAL_SPLIT_PARTS_H

#include "split/split.h"

/* The functions of struct solver_shares. */
extern const struct solver_shares parts_shares;

/* Frees what a split has allocated itself. Accepts NULL. */
void parts_free(struct split *split);

/* Creates the solvers of the parts, at once; the solver of the whole run exists. */
SHOAL_MUST_CHECK enum shoal_status parts_create(struct split *split, struct shoal_error *error);

#endif
