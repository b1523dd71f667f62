/* Private: builds programs by several threads before solvers ask for them.
 *
 * A solver asks for its programs one after the other, and only its own code knows which. A task therefore
 * creates the solver for a scout: a device that computes nothing and notes the programs that are asked for.
 * Other threads build these for the real device meanwhile, and leave them where the device finds them later:
 * in the cache folder, or among the programs that the device keeps. Nothing depends on these builds: a
 * program that was not built ahead, or whose build failed, is built when the solver on the real device asks
 * for it, and fails there.
 */
#ifndef SHOAL_COMPUTE_AHEAD_AHEAD_H
#define SHOAL_COMPUTE_AHEAD_AHEAD_H

#include "compute/device.h"

struct ahead_task {
    struct shoal_device *device;
    /* Asks for programs on `scout`. It is called by one of several threads. */
    void (*ask)(void *data, struct shoal_device *scout);
    void *data;
};

struct ahead_totals {
    size_t programs; /* programs built, without those that the cache had and those whose build failed */
    double compile_s;
};

/* Whether several builds for the device at once take less time than one after the other, and a later build of
 * the same program finds the result. */
bool ahead_is_useful(const struct shoal_device *device);
/* Runs the tasks, whose devices belong to `shoal`, and the builds for which they ask. A device that cannot be
 * opened is left out. */
SHOAL_MUST_CHECK enum shoal_status ahead_run(struct shoal *shoal, const struct ahead_task *tasks,
                                             size_t count, struct ahead_totals *totals,
                                             struct shoal_error *error);

#endif
