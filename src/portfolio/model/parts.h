/* Private: the searches of arms in the checkpoint of a portfolio, each as the bytes of a checkpoint of its
 * own behind their number. */
#ifndef SHOAL_PORTFOLIO_PARTS_H
#define SHOAL_PORTFOLIO_PARTS_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

/* Appends a search, and clears its checkpoint. */
enum shoal_status portfolio_append_part(struct checkpoint *own, struct text *all, struct shoal_error *error);
/* Moves *next, of which *left bytes are there, behind the next search, and finds its bytes. False: they are
 * not there. */
bool portfolio_next_part(const char **next, size_t *left, const char **part, size_t *size);

#endif
