/* Private: the parts of a run as the solver of the whole run uses them. */
#ifndef SHOAL_SPLIT_PARTS_H
#define SHOAL_SPLIT_PARTS_H

#include "split/split.h"

/* Functions by which the solver of the whole run creates, steps and reads its parts. */
extern const struct solver_shares parts_shares;

/* Frees the memory that a split has allocated itself. Accepts NULL. */
void parts_free(struct split *split);

/* Opens the links of all parts, if parts meet in their steps, before solvers are created. */
SHOAL_MUST_CHECK enum shoal_status parts_open_links(struct split *split, struct shoal_error *error);
/* Creates the solvers of all parts with units at the same time. The solver of the whole run must exist. */
SHOAL_MUST_CHECK enum shoal_status parts_create(struct split *split, struct shoal_error *error);
/* Does what parts_create does during a run, whose times continue. */
SHOAL_MUST_CHECK enum shoal_status parts_renew(struct split *split, struct shoal_error *error);
/* Seconds in which a part worked, without first launches. */
double parts_work_s(const struct part *part);

/* parts_divide: gives each part the number of units in split->measured, before solvers are created.
 * parts_move: does this during a run: takes the state of the whole run, creates the parts anew, and gives the
 * state to them. If the state cannot be read now, or a device has no room for its units, the parts keep their
 * units. An error ends the run. parts_balance: calls parts_move if the times of the steps so far show that
 * units should move. */
void parts_divide(struct split *split);
/* Are all parts whole CPU devices of one host? Each then takes time from the others, so that no move makes
 * any of them faster. */
bool parts_are_one_processor(const struct split *split);
SHOAL_MUST_CHECK enum shoal_status parts_move(struct split *split, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status parts_balance(struct split *split, struct shoal_error *error);

#endif
