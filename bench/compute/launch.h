/* core.launch.args8: the same launches through shoal and through the API below it. */
#ifndef SHOAL_BENCH_LAUNCH_H
#define SHOAL_BENCH_LAUNCH_H

#include "bench/runner/bench.h"

enum { LAUNCH_BUFFERS = 4, LAUNCH_WORK_GROUP = 64 };

/* What both sides share: the queue and the buffers are shoal's; the raw side uses their native handles. */
struct launch_rig {
    struct shoal *shoal;
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *buffers[LAUNCH_BUFFERS];
    /* all arguments change with each launch; otherwise those of a step loop, see launch_args_at */
    bool all_change;
};

/* Arguments of one launch; `buffer` holds indices of buffers. */
struct launch_args {
    unsigned buffer[LAUNCH_BUFFERS];
    uint32_t i, n;
    float x, y;
};

static inline struct launch_args launch_args_at(bool all_change, uint32_t launch)
{
    /* Arguments of a step loop: a counter, and two buffers that are swapped. */
    struct launch_args args = {{launch & 1, ~launch & 1, 2, 3}, launch, 1000, 0.5f, 2.0f};
    if (all_change)
        args = (struct launch_args){{launch & 3, (launch + 1) & 3, (launch + 2) & 3, (launch + 3) & 3},
                                    launch,
                                    launch + 1,
                                    (float)launch,
                                    0.5f * (float)launch};
    return args;
}

/* Launches through the API, without shoal. */
struct launch_raw {
    const char *backend; /* "opencl" or "cuda", as in shoal_device_info */
    enum shoal_status (*open)(const struct launch_rig *rig, void **state, struct shoal_error *error);
    /* Makes `count` launches, with all arguments given anew for each launch, then waits once. */
    enum shoal_status (*batch)(const struct launch_rig *rig, void *state, uint32_t count,
                               struct shoal_error *error);
    void (*close)(void *state); /* accepts NULL */
};

extern const struct launch_raw launch_raw_opencl, launch_raw_cuda;

#endif
