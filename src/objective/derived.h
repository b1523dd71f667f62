/* Private: objectives that are derived from another objective, the inner one. */
#ifndef SHOAL_OBJECTIVE_DERIVED_H
#define SHOAL_OBJECTIVE_DERIVED_H

#include "objective/objective.h"

struct text;

/* The first member of the state of a derived objective. */
struct derived {
    const struct shoal_objective *inner;
    struct shoal_objective *owned; /* `inner`, if the derived objective owns it; NULL: it does not */
};

/* Creates an objective with the information, the box and the table of `inner`. state_size: bytes of its
 * state, which begins with struct derived; its other bytes are 0. The caller sets the functions, of which
 * `destroy` ends with derived_destroy, fills the state, and calls derived_finish. */
SHOAL_MUST_CHECK enum shoal_status derived_create(const struct shoal_objective *inner, size_t state_size,
                                                  struct shoal_objective **out, struct shoal_error *error);

/* Frees the objective, its texts, its state and, if the objective owns it, the inner objective. */
void derived_destroy(struct shoal_objective *objective);

/* Gives the objective the kernel text `text` and the name that messages show for this text. Frees `text` on
 * failure. */
SHOAL_MUST_CHECK enum shoal_status derived_take_text(struct shoal_objective *objective, struct text *text,
                                                     const char *shown, struct shoal_error *error);

/* Ends the creation of an objective, whose status so far is `status`. On success *out becomes the objective,
 * which from now on owns *owned, and *owned becomes NULL. Otherwise destroys the objective. Returns
 * `status`. */
enum shoal_status derived_finish(struct shoal_objective *objective, enum shoal_status status,
                                 struct shoal_objective **owned, struct shoal_objective **out);

#endif
