/* Private: sorts the members of each island by their values, on a device. */
#ifndef SHOAL_DE_ORDER_H
#define SHOAL_DE_ORDER_H

#include "de/device/device.h"

#include <shoal/primitives.h>

extern const struct shoal_program_desc de_order_program;

struct de_order {
    struct shoal_kernel *rank, *keys, *places;
    /* [total]: rank of each member in its island; NO_INDEX: the member is lost */
    struct shoal_buffer *ranks;
    struct shoal_buffer *order; /* [total]: members of each island, sorted by value, lost members last */
    struct shoal_sort *sort;    /* NULL: ranks are found by comparing all members */
    struct shoal_buffer *sorted, *values; /* sorted: keys of a sort; values: numbers of its members */
    struct arrays arrays;
};

/* Creates *order, which must be all zeros. */
SHOAL_MUST_CHECK enum shoal_status de_order_create(struct shoal_solver *solver, struct de_order *order,
                                                   struct shoal_error *error);
void de_order_destroy(struct de_order *order); /* accepts a struct of zeros */

/* Enqueues the sort of the first `count` members of each island by `values`, one for each member. */
SHOAL_MUST_CHECK enum shoal_status de_order_run(struct shoal_solver *solver, const struct de_order *order,
                                                struct shoal_buffer *values, const struct search_shape *shape,
                                                uint32_t count, struct shoal_error *error);

#endif
