/* Makes every call of a workload once, for tests in which a call fails. */
#ifndef SHOAL_TESTS_SCENARIO_H
#define SHOAL_TESTS_SCENARIO_H

#include "unit.h"

struct scenario {
    bool real;    /* the scenario runs on the first OpenCL device, not on the fake device */
    bool on_part; /* the scenario runs on a part of the device */
    struct shoal *shoal;
    struct shoal_queue *queue, *second;
    struct shoal_buffer *in, *out;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_event *event;
};

/* Puts the kernel files into the test's folder, for the fake. */
void scenario_prepare(void);
/* Makes the calls, and stops at the first failure. The record may be NULL. */
enum shoal_status scenario_run(struct scenario *o, bool use_cache, struct shoal_error *error);
/* Destroys all objects that exist. */
void scenario_destroy(struct scenario *o);

#endif
