/*  Private: one run divided over several devices.
 *
 * A part is a device with its queue, a thread of the host and an ordinary solver of the workload, which makes
 * a share of the run. The solver of the whole run is the workload's own: it reads and writes the state of the
 * parts, so that results, samples and checkpoints are those of one device. What is computed follows from
 * problem and seed, not from the parts.
 */
#ifndef SHOAL_SPLIT_H_PRIVATE
#define SHOAL_SPLIT_H_PRIVATE

#include "split/balance.h"
#include "workload/workload.h"

#include <pthread.h>
#include <shoal/split.h>

struct split;
struct gather;
struct link_piece;

/* What a part asks for in a meeting. Other parts may read this until the part comes to its next meeting. */
struct part_visit {
    struct solver_visit visit;    /* its arrays are the members below */
    atomic_uint_fast64_t meeting; /* number of the meeting; 0: none. Other parts look for their meeting also
                                   * while the part begins its next one */
    struct solver_table *tables;
    struct solver_guest *guests;
    uint64_t *cuts;
    size_t table_room, guest_room, cut_room; /* elements of the arrays */
};

/* A point in the work of a part for which the queues of other parts wait. */
struct part_mark {
    atomic_uint_fast64_t meeting; /* number of the wait that the part came to with the mark; 0: none */
    struct shoal_event *before;   /* ends when the part has done all that it enqueued before the wait */
    struct shoal_event *after;    /* ends when the other parts have done so, too, and the launch that waits
                                   * for them has made its copies; NULL: not enqueued */
    unsigned others;              /* number of waits of kernels without a mark since the last mark with
                                   * `after`; each is taken to be as long as the wait at this mark */
    bool is_timed;                /* the time between `before` and `after` counts as time in which the part
                                   * waited */
    bool is_settled;              /* this time was counted */
};

/* Number of marks that a part has at a time: a thread enqueues at most so many waits with a mark ahead of its
 * device, and with them the waits of kernels between these marks. */
enum { PART_MARKS = 4 };

struct part {
    struct split *split;
    struct shoal_device *device;
    /* queue of the device; the first part uses the queue of the run, which outlives the part */
    struct shoal_queue *queue;
    struct shoal_solver *solver; /* NULL: the part has no units */
    struct solver_share share;
    void *own_params;    /* parameters of this device, a block; NULL: those of the run */
    uint64_t began_with; /* units before any move */
    uint64_t moves;      /* number of moves that changed `share.count` */
    /* units that the part has now, if the solver cuts the run itself; count 0: the units of `share` */
    uint64_t first, count;
    /* Result of the last task of this part. */
    enum shoal_status status;
    struct shoal_error error;
    uint64_t done;          /* steps that the task has made */
    bool is_cut;            /* the part was told to end before the steps were made */
    atomic_bool is_at_work; /* the task has not ended */
    double ended;           /* time at which the task ended, by the host's clock */
    double busy_s, idle_s;  /* seconds in which the part worked, and waited for other parts */
    double created_s;       /* seconds of first launches before the first step, which busy_s leaves out */
    double aside_s;         /* seconds of first launches outside of steps, which busy_s does not have */
    double launched_s;      /* seconds of first launches before the move in progress */
    double looked_s;        /* seconds of work up to the last look of the balance */
    pthread_t thread;       /* thread of this part; the first part has none, since the caller does its work */
    bool has_thread;
    uint64_t tasks; /* number of tasks that the thread has done */
    /* Members of a part that meets the other parts within its steps: */
    struct part_visit visits[2]; /* the last two meetings of the part, by turns */
    unsigned turn;               /* index of the last meeting in `visits` */
    struct part_link *links;     /* [parts], copies from each part to this one; NULL: none so far */
    struct link_piece *pieces;   /* [piece_room]: the copies of a meeting */
    size_t piece_count, piece_room;
    struct gather *gather; /* waits for other parts on the device, if split->has_gathers; NULL: none */
    bool must_end;         /* split->must_end in the last meeting */
    /* Queue of copies that run at the same time as the work of `queue`; NULL: there were none. has_beside:
     * `queue` does not wait for these copies yet. */
    struct shoal_queue *_Atomic beside; /* other parts ask for its seconds of first launches */
    bool has_beside;
    struct shoal_queue *copies; /* the queue of the copies of the last meeting: one of the two */
    /* Rows may be copied from and to some other part without memory of the host: in meetings the queue marks
     * its work and waits for the marks of these parts, which also shows how long the part waits. */
    bool is_direct;
    bool holds_links; /* copies may still read memory of links */
    struct part_mark marks[PART_MARKS];
    size_t mark;       /* index of the last mark in `marks` */
    unsigned unmarked; /* waits of kernels since the last mark with `after` */
    bool is_marked;    /* the wait in progress has a mark */
    double last_wait;  /* seconds of the wait at the last mark that was settled */
    double settled;    /* time at which the last mark was settled, by the host's clock */
};

/* A run and how it is divided. */
struct split_order {
    const struct shoal_split_params *params;
    const struct workload_split *rules;
    uint64_t units;
    const uint64_t *shares; /* units of each device */
};

/* Creates the solver of the whole run, and with it the solvers of its parts: `create` of a struct
 * solver_maker. order: a struct split_order. */
SHOAL_MUST_CHECK enum shoal_status split_whole_create(const void *order, const struct solver_request *request,
                                                      const struct solver_setup *setup,
                                                      struct shoal_solver **out, struct shoal_error *error);

typedef void (*part_task)(struct part *part);

struct split {
    struct solver_shares shares; /* solvers of the parts */
    struct shoal_solver *whole;
    struct part *parts;
    size_t count;
    enum shoal_variant variant;
    uint64_t steps; /* number of steps that the task is to make */
    /* The call of solver_shares.each that the task makes for each share. */
    enum shoal_status (*work)(struct shoal_solver *share, void *data, struct shoal_error *error);
    void *work_data;
    bool is_timed; /* the task counts as time of the parts */
    bool is_begun;
    bool is_fixed;                 /* the caller has set the shares: no unit moves */
    bool is_direct;                /* is_direct of some part */
    bool has_gathers;              /* kernels of all parts read the memory of all others */
    struct balance balance;        /* decides which units move */
    struct balance_part *measured; /* [count] */
    uint64_t at, steps_done;       /* at: step of the run; steps_done: steps since the run began or was
                                    * resumed */
    uint64_t unlooked;             /* steps since the last look of the balance */
    double move_s;                 /* seconds of the last move; before the first move, seconds of the
                                    * creation of the parts */
    bool has_failed;               /* a failure left the parts at different steps */
    atomic_size_t failed;   /* number, from 1, of the part that failed first, so that the others must end
                             * within their step; 0: none */
    atomic_bool is_reached; /* a part has made all steps of the task, so that no other part may be cut */
    /* The caller wants the run to end. Parts that meet set it before the first wait of a meeting and read it
     * after this wait, so all parts learn of it in the same meeting. */
    atomic_bool must_end;
    pthread_mutex_t loading; /* held while a driver loads a kernel */
    pthread_mutex_t asking;  /* guards the callbacks of the caller, which expect one thread at a time */
    pthread_mutex_t lock;    /* guards the members below, by which tasks are handed to threads */
    pthread_cond_t has_task, is_done;
    part_task task;
    uint64_t tasks; /* number of tasks handed out */
    size_t waiting; /* number of threads that have not ended the task */
    bool ends;
    pthread_cond_t has_met;
    /* How many parts are in a meeting, and how many are at work (struct presence of team.c), in one word that
     * needs no lock. `lock` does not guard the members below either. */
    atomic_uint_fast64_t presence;
    atomic_uint sleepers; /* threads that sleep in a meeting */
    /* Number of waits of the parts for each other so far. */
    atomic_uint_fast64_t meetings;
    /* The first meeting in which bytes of a copy are given: link_is_given; 0: none so far. */
    atomic_uint_fast64_t given_from;
};

/* team.c: runs `task` for all parts at the same time, each part on its thread, and waits for all threads. */
void team_do(struct split *split, part_task task);
void team_init(struct split *split);
/* Starts the threads. SHOAL_OUT_OF_HOST_MEMORY: the system gives no more threads. */
SHOAL_MUST_CHECK enum shoal_status team_start(struct split *split, struct shoal_error *error);
/* Called by a part within a task: waits until all parts that have not ended the task have called team_meet.
 * false: a part has failed. */
bool team_meet(struct part *part);
/* Number, from 1, of the next meeting of a part: the same for all parts that come to it. */
uint64_t team_next_meeting(struct split *split);
void team_end(struct split *split); /* ends the threads; may follow a team_start that failed */

/* own.c: parameters of single devices. own_params_check: may the parameters of each device differ as they do
 * from `params`, a block of the run? own_params_take: keeps what the caller gives for a part, NULL: nothing.
 * own_params_set: gives a block of a part's parameters the options in which its device differs. */
SHOAL_MUST_CHECK enum shoal_status own_params_check(const char *function,
                                                    const struct shoal_workload *workload, const void *params,
                                                    const struct shoal_split_params *split,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status own_params_take(struct part *part, const struct shoal_workload *workload,
                                                   const void *given, struct shoal_error *error);
void own_params_set(const struct part *part, const struct shoal_workload *workload, void *params);

/* meeting.c: shoal_solver.meet of the parts, with the part as `data`. */
enum shoal_status part_meet(void *data, const struct solver_visit *visit, struct shoal_error *error);
void part_close_links(struct part *part);
/* Opens the links to parts whose memory this part may read, and the gather of this part if kernels read the
 * memory of all other parts. No step then waits until a link is opened. */
SHOAL_MUST_CHECK enum shoal_status part_open_links(struct part *part, struct shoal_error *error);
/* Called by the part that has failed first when it leaves the task: no device waits for others any more. */
void part_release(struct part *part);
/* Between tasks. part_rest: waits for all that the part has enqueued, which may copy from the buffers of
 * other parts. part_wait_again: rests after a failure, and lets the device wait for others again. */
void part_rest(struct part *part);
SHOAL_MUST_CHECK enum shoal_status part_wait_again(struct part *part, struct shoal_error *error);
/* order.c: marks. part_mark: before a wait of the threads, marks what the part has enqueued on a queue so
 * far. part_follow: after this wait, lets a queue of the part wait for the marks of the other parts.
 * part_mark_met: marks the end of a wait that the queue has made by a kernel. part_join: lets the part's
 * queue wait for the copies beside it. part_settle: waits until the device has done all waits.
 * part_clear_marks: destroys the marks, before the queue is destroyed. */
SHOAL_MUST_CHECK enum shoal_status part_mark(struct part *part, struct shoal_queue *queue,
                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_follow(struct part *part, struct shoal_queue *queue,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_mark_met(struct part *part, struct shoal_queue *queue,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_settle(struct part *part, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_join(struct part *part, struct shoal_error *error);
void part_clear_marks(struct part *part);
/* parts.c. part_ask: called by a part before it waits in a meeting: asks whether the run must end.
 * part_time_launches: lets a queue of the part time its first launches and, where drivers need it, make them
 * one after the other with those of all parts. part_launched_s: seconds of first launches on its queues. */
void part_ask(struct part *part);
void part_time_launches(struct part *part, struct shoal_queue *queue);
double part_launched_s(const struct part *part);

/* share.c: divides `units` among `count` parts in proportion to `weights` (NULL: equally). Each share is a
 * whole number; the parts with the largest remainders get a unit more. */
void split_divide(uint64_t units, const double *weights, size_t count, uint64_t *shares);

#endif
