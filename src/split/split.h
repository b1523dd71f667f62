/*  Private: one run divided over several devices.
 *
 * A part is a device with its queue, a thread of the host and an ordinary solver of the workload, which makes
 * a share of the run. The solver of the whole run is the workload's own: it reads and writes the state of the
 * parts, so that results, samples and checkpoints are those of one device. What is computed follows from
 * problem and seed, not from the parts.
 */
#ifndef SHOAL_SPLIT_H_PRIVATE
#define SHOAL_SPLIT_H_PRIVATE

#include "workload/workload.h"

#include <pthread.h>
#include <shoal/split.h>

struct split;

struct part {
    struct split *split;
    struct shoal_device *device;
    struct shoal_queue *queue; /* of the first part: the run's, which outlives the part */
    struct shoal_solver *solver;
    struct solver_share share;
    /* The result of the last task. */
    enum shoal_status status;
    struct shoal_error error;
    uint64_t done;         /* steps that it made */
    bool is_cut;           /* it was told to end */
    double ended;          /* time of its end on the clock */
    double busy_s, idle_s; /* seconds of work, and of waiting for other parts */
    pthread_t thread;      /* of all parts but the first, whose work the caller does */
    bool has_thread;
    uint64_t tasks; /* tasks that the thread has done */
};

typedef void (*part_task)(struct part *part);

struct split {
    struct solver_shares shares; /* the solvers of the parts */
    struct shoal_solver *whole;
    const struct workload_split *rules;
    struct part *parts;
    size_t count;
    enum shoal_variant variant;
    uint64_t steps; /* that the task is to make */
    bool is_begun;
    bool has_failed;         /* the parts are at different steps */
    atomic_bool must_stop;   /* a part has failed: the others end their step */
    pthread_mutex_t loading; /* held while a driver loads a kernel */
    pthread_mutex_t asking;  /* guards the caller's functions, which expect one thread at a time */
    pthread_mutex_t lock;    /* guards the members below */
    pthread_cond_t has_task, is_done;
    part_task task;
    uint64_t tasks; /* tasks given out */
    size_t waiting; /* threads that have not ended the task */
    bool ends;
};

/* team.c: runs `task` for each part at once, each on its thread, and waits for all. */
void team_do(struct split *split, part_task task);
void team_init(struct split *split);
/* Starts the threads. SHOAL_OUT_OF_HOST_MEMORY: there are no more. */
SHOAL_MUST_CHECK enum shoal_status team_start(struct split *split, struct shoal_error *error);
void team_end(struct split *split); /* accepts what team_start left after a failure */

/* share.c: divides `units` among `count` parts in proportion to `weights` (NULL: equally), each share a
 * whole number, the largest remainders rounded up. */
void split_divide(uint64_t units, const double *weights, size_t count, uint64_t *shares);

#endif
