/* Private: the order of the members of each island by their values, on a device. */
#ifndef SHOAL_DE_ORDER_H
#define SHOAL_DE_ORDER_H

#include "de/device/device.h"

#include <shoal/primitives.h>

extern const struct shoal_program_desc de_order_program;

struct de_order {
    struct shoal_kernel *rank, *keys, *places;
    struct shoal_buffer *ranks; /* [total]: rank of each member in its island; NO_INDEX: a lost member */
    struct shoal_buffer *order; /* [total]: the members of each island, the best first, lost ones last */
    struct shoal_sort *sort;    /* NULL: members are compared with each other */
    struct shoal_buffer *sorted, *values; /* keys and members of a sort */
    struct arrays arrays;
};

/* Creates *order, which must hold zeros. */
SHOAL_MUST_CHECK enum shoal_status de_order_create(struct shoal_solver *solver, struct de_order *order,
                                                   struct shoal_error *error);
void de_order_destroy(struct de_order *order); /* accepts zeros */

/* Enqueues the order of the first `count` members of each island by `values`, one for each member. */
SHOAL_MUST_CHECK enum shoal_status de_order_run(struct shoal_solver *solver, const struct de_order *order,
                                                struct shoal_buffer *values, const struct search_shape *shape,
                                                uint32_t count, struct shoal_error *error);

#endif
