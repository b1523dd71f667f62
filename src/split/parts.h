/* Private: the parts of a run, for the solver of the whole run. */
#ifndef SHOAL_SPLIT_PARTS_H
#define SHOAL_SPLIT_PARTS_H

#include "split/split.h"

/* The functions by which the solver of the whole run creates its parts, makes their steps and reads their
 * state. */
extern const struct solver_shares parts_shares;

/* Frees the memory of a split. Accepts NULL. */
void parts_free(struct split *split);

/* Creates the links between parts that meet within their steps. To be called before the solvers of the parts
 * are created. */
SHOAL_MUST_CHECK enum shoal_status parts_open_links(struct split *split, struct shoal_error *error);
/* Creates the solvers of all parts that have units, at the same time. The solver of the whole run must
 * exist. */
SHOAL_MUST_CHECK enum shoal_status parts_create(struct split *split, struct shoal_error *error);
/* As parts_create, but during a run: the times of the parts are not reset. */
SHOAL_MUST_CHECK enum shoal_status parts_renew(struct split *split, struct shoal_error *error);
/* Seconds in which a part worked, without first launches of kernels. */
double parts_work_s(const struct part *part);

/* parts_divide gives each part the number of units in split->measured, before solvers are created. parts_move
 * does this during a run: it writes the state of the whole run, creates the parts anew, and loads the state.
 * If the state cannot be written, or a device has no room for its units, the parts keep their former units.
 * An error of parts_move ends the run. parts_balance calls parts_move if the times of the steps so far show
 * that units should move. */
void parts_divide(struct split *split);
/* Whether all parts are whole CPU devices of the same host. They share its cores, so no move of units makes
 * steps faster. */
bool parts_are_one_processor(const struct split *split);
SHOAL_MUST_CHECK enum shoal_status parts_move(struct split *split, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status parts_balance(struct split *split, struct shoal_error *error);

#endif
