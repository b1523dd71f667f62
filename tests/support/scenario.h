/* One use of every call that a workload makes, for tests in which something fails on the way. */
#ifndef SHOAL_TESTS_SCENARIO_H
#define SHOAL_TESTS_SCENARIO_H

#include "unit.h"

struct scenario {
    bool real;    /* on the first OpenCL device, in place of the fake one */
    bool on_part; /* on a part of that device */
    struct shoal *shoal;
    struct shoal_queue *queue, *second;
    struct shoal_buffer *in, *out;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_event *event;
};

/* Puts the kernel files into the test's folder, for the fake. */
void scenario_prepare(void);
/* Stops at the first failure. The record may be NULL. */
enum shoal_status scenario_run(struct scenario *o, bool use_cache, struct shoal_error *error);
/* Whatever there is. */
void scenario_destroy(struct scenario *o);

#endif
