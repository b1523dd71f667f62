/* Private: copies of several short pieces in one launch, by a kernel that reads the memory of other devices.
 */
#ifndef SHOAL_COMPUTE_GATHER_H
#define SHOAL_COMPUTE_GATHER_H

#include "compute/link/link.h"

struct gather;

/* Builds the kernel for the device at which the pieces end. */
SHOAL_MUST_CHECK enum shoal_status gather_create(struct shoal_device *to, struct gather **out,
                                                 struct shoal_error *error);
void gather_destroy(struct gather **gather); /* accepts NULL */
/* Are the pieces few and short enough, and whole words? gather NULL: no. */
bool gather_can(const struct gather *gather, const struct link_piece *pieces, size_t count);
/* Enqueues the copies. The device of the queue must reach the memory of the sources. */
SHOAL_MUST_CHECK enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                                               const struct link_piece *pieces, size_t count,
                                               struct shoal_error *error);

#endif
