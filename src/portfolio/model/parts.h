/* Private: the searches of the arms in the checkpoint of a portfolio. Each search is stored as a number of
 * bytes, followed by these bytes, which are a checkpoint of this search. */
#ifndef SHOAL_PORTFOLIO_PARTS_H
#define SHOAL_PORTFOLIO_PARTS_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

/* Appends the checkpoint `own` of a search to `all`, and clears `own`. */
enum shoal_status portfolio_append_part(struct checkpoint *own, struct text *all, struct shoal_error *error);
/* Finds the bytes of the next search at *next, where *left bytes remain, and moves *next past them. Returns
 * false if too few bytes remain. */
bool portfolio_next_part(const char **next, size_t *left, const char **part, size_t *size);

#endif
