/* shoal verify: rows, and the checks of the kernel library. */
#ifndef SHOAL_TOOLS_VERIFY_H
#define SHOAL_TOOLS_VERIFY_H

#include <shoal/workload.h>

struct verify_row {
    const char *name; /* "NAME function=ackley", "lib.scan"; lives to the end of the command */
    struct shoal_device *device;
    const char *what;            /* what the row compares: "positions and velocities" */
    uint64_t compared;           /* steps or elements */
    double deviation, tolerance; /* relative; 0: equal bits are required */
    struct shoal_error error;    /* OK, CHECK_FAILED, or why there is no result */
    bool left_out;               /* not supported by the device or the method; `error` gives the reason */
};

struct verify {
    struct shoal_device *host; /* the reference */
    uint64_t steps;
    enum shoal_variant variant;
    struct verify_row *rows;
    size_t row_count;
    int code; /* exit code of the first failure */
};

void verify_add(struct verify *verify, struct shoal_device *device, const struct verify_row *row);
/* Adds a row with figures, which fails where its deviation exceeds its tolerance. */
void verify_judge(struct verify *verify, struct shoal_device *device, struct verify_row *row);

/* A check of a workload's own, which takes minutes. */
struct verify_check {
    const char *name;                                                /* "WORKLOAD.states" */
    void (*run)(struct verify *verify, struct shoal_device *device); /* adds rows */
    const char *steps;                                               /* millions of steps; "-": few steps */
    const char *help;                                                /* what is compared */
    bool is_short; /* the check takes a moment, and belongs to plain verify, too */
};

/* verify_lib.c: random numbers, reductions, scan and sort against plain C. */
void verify_primitives(struct verify *verify, struct shoal_device *device);

#endif
