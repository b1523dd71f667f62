/* Private: a device that computes nothing, but notes the programs that are built for it. Its buffers have no
 * memory and are read as zeros, its kernels do nothing. */
#ifndef SHOAL_COMPUTE_AHEAD_SCOUT_H
#define SHOAL_COMPUTE_AHEAD_SCOUT_H

#include "compute/backend.h"

struct scout {
    struct shoal_device device;
    struct shoal_device whole; /* properties of the device of which `device` is a part, if it is one */
    struct shoal_device *real; /* the device of which `device` has the properties */
    struct backend table;      /* the functions of `device` */
    /* Called for each program that is built for `device`. */
    enum shoal_status (*on_build)(void *data, struct shoal_device *real, const char *name,
                                  const struct build_input *input, struct shoal_error *error);
    void *data;
};

/* Fills all members but on_build and data. instance: the instance of `device`, which may be another one than
 * that of `real`. The scout must stay where it is. */
void scout_init(struct scout *scout, struct shoal *instance, struct shoal_device *real);

#endif
