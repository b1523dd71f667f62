/* A workload that counts: stands for any in tests of what all have in common. */
#ifndef SHOAL_TESTS_COUNTER_H
#define SHOAL_TESTS_COUNTER_H

#include "workload/workload.h"

struct counter_params {
    size_t size;
    bool flag;
    int32_t mode;
    uint64_t steps;
    uint64_t wide;
    double rate;
    double limit; /* NaN: none */
    const char *label;
    double time;      /* limit in seconds; NaN: none */
    const char *file; /* that it reads, as checkpoints are told */
};

void counter_init(void *params);
extern const struct workload counter_workload;
/* Back to what works. */
void counter_reset(void);

/* Function of the solver that fails. */
enum counter_part {
    FAIL_NOWHERE,
    FAIL_CREATE,
    FAIL_STEP,
    FAIL_RESULT,
    FAIL_SAVE,
    FAIL_LOAD,
    FAIL_STATE,
    FAIL_VALUE
};
extern enum counter_part counter_fails_at;
extern bool counter_is_wrong;        /* results do not pass their check */
extern double counter_device_offset; /* what the device counts too much */
extern size_t counter_state_size;    /* numbers of the state */
extern size_t counter_outliers;      /* how many of them the device has quite wrong */
extern size_t counter_fields;        /* of the result */
extern unsigned counters_alive;      /* solvers that exist */
/* On the host: steps do not end; they come forward, as far as who asks can see; how often he has. */
extern double counter_start_s; /* that the initial state takes */
extern _Atomic bool counter_holds, counter_progress;
extern _Atomic bool counter_calls; /* steps are in a function of the caller */
extern _Atomic unsigned counter_progress_seen;

#endif
