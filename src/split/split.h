/* Private: one run divided over several devices.
 *
 * A part is a device with a queue, a thread of the host and a solver of the workload, which makes a share of
 * the run. The solver of the whole run, also one of the workload, reads and writes the state of the parts, so
 * that results, samples and checkpoints are as those of a run on one device. What is computed depends on
 * problem and seed, not on the division into parts.
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

/* What a part asks for in a meeting. Other parts may read it until this part begins its next meeting. */
struct part_visit {
    struct solver_visit visit; /* its arrays are the other members */
    /* number of the meeting; 0: none. Atomic, since other parts may look for an older meeting while this part
     * begins the next one. */
    atomic_uint_fast64_t meeting;
    struct solver_table *tables;
    struct solver_guest *guests;
    uint64_t *cuts;
    size_t table_room, guest_room, cut_room; /* number of elements for which the arrays have room */
};

/* A point in the work of a part: the queues of other parts can wait until the part has come there. */
struct part_mark {
    atomic_uint_fast64_t meeting; /* number of the wait for which the part has made this mark; 0: none */
    /* ends when all commands are done that the part has enqueued before the wait */
    struct shoal_event *before;
    /* ends when the other parts have come to the wait, too, and the launch that waits for them has made its
     * copies; NULL: not enqueued yet */
    struct shoal_event *after;
    /* number of waits by kernels without a mark since the last mark with `after`; each is taken to be as long
     * as the wait at this mark */
    unsigned others;
    bool is_timed;   /* the time between `before` and `after` counts as time in which the part waited */
    bool is_settled; /* the time between `before` and `after` has been counted */
};

/* Number of marks of a part: its thread enqueues at most this number of marked waits ahead of its device,
 * with the unmarked waits between them. */
enum { PART_MARKS = 4 };

struct part {
    struct split *split;
    struct shoal_device *device;
    /* queue of the device; the first part uses the queue of the whole run, which exists longer than the
     * part */
    struct shoal_queue *queue;
    struct shoal_solver *solver; /* NULL: the part has no units */
    struct solver_share share;
    void *own_params;    /* parameters of this device; NULL: those of the run */
    uint64_t began_with; /* units before any move */
    uint64_t moves;      /* number of moves that changed `share.count` */
    /* the units that the part has now, if the solver itself changes the cuts of the run; count 0: the units
     * of `share` */
    uint64_t first, count;
    /* Result of the last task of this part. */
    enum shoal_status status;
    struct shoal_error error;
    uint64_t done;          /* number of steps that the task has made */
    bool is_cut;            /* the part was told to end before it had made all steps */
    atomic_bool is_at_work; /* the task has not ended */
    double ended;           /* time at which the task ended, by the host's clock */
    double busy_s, idle_s;  /* seconds in which the part worked, and in which it waited for other parts */
    double created_s;  /* seconds of first launches before the first step, which are not part of busy_s */
    double aside_s;    /* seconds of first launches outside of steps, which are not part of busy_s */
    double launched_s; /* seconds of first launches before the move of units that is in progress */
    double looked_s;   /* seconds of work until the last look of the balance */
    /* thread of the part; the first part has none, since its work is done by the thread of the caller */
    pthread_t thread;
    bool has_thread;
    uint64_t tasks; /* number of tasks that the thread has done */
    /* Members of a part that meets the other parts within its steps: */
    struct part_visit visits[2]; /* the last two meetings of the part, in turn */
    unsigned turn;               /* index of the last meeting in `visits` */
    /* [number of parts]: links from the other parts to this one; NULL: not allocated yet */
    struct part_link *links;
    struct link_piece *pieces; /* [piece_room]: the copies of a meeting */
    size_t piece_count, piece_room;
    /* kernel that waits for other parts on the device, if split->has_gathers; NULL: none */
    struct gather *gather;
    bool must_end; /* value of split->must_end in the last meeting */
    /* Queue of copies that run at the same time as the work of `queue`; NULL: not created yet. has_beside:
     * `queue` has not waited for these copies yet. */
    struct shoal_queue *_Atomic beside; /* other parts read its seconds of first launches */
    bool has_beside;
    /* the queue on which the copies of the last meeting were enqueued: `queue` or `beside` */
    struct shoal_queue *copies;
    /* Rows may be copied from or to another part without host memory. In a meeting the queue then marks its
     * work and waits for the marks of these other parts, by which the time that this part waits is measured,
     * too. */
    bool is_direct;
    /* Ends when the last copies that read host memory of links are made; NULL: no copy may still read it. */
    struct shoal_event *linked;
    struct part_mark marks[PART_MARKS];
    size_t mark; /* index of the last mark in `marks` */
    /* numbers of waits by kernels since the last mark with `after`: of meetings that cannot be put off, and
     * of those that can */
    unsigned unmarked, unmarked_later;
    bool is_marked;   /* the wait in progress has a mark */
    double last_wait; /* seconds of the wait at the last mark that was counted */
    double settled;   /* host time at which the last mark was counted */
};

/* A run, and how its units are divided. */
struct split_order {
    const struct shoal_split_params *params;
    const struct workload_split *rules;
    uint64_t units;
    const uint64_t *shares; /* units of each device */
};

/* Creates the solver of the whole run and those of its parts: the member `create` of struct solver_maker.
 * order: a struct split_order. */
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
    uint64_t steps; /* number of steps that the parts are to make in the current task */
    /* the function of solver_shares.each that the task calls for each share, and its data */
    enum shoal_status (*work)(struct shoal_solver *share, void *data, struct shoal_error *error);
    void *work_data;
    bool is_timed; /* the task counts as time in which the parts work */
    bool is_begun;
    bool is_fixed;                 /* the caller has set the shares, so no unit moves */
    bool is_direct;                /* is_direct is set for some part */
    bool has_gathers;              /* kernels of each part can read the memory of all other parts */
    struct balance balance;        /* decides which units move */
    struct balance_part *measured; /* [count] */
    /* at: number of the current step of the run; steps_done: number of steps since the run began or was
     * resumed */
    uint64_t at, steps_done;
    uint64_t unlooked; /* steps since the last look of the balance */
    /* seconds of the last move of units or, before the first move, of the creation of the parts */
    double move_s;
    bool has_failed; /* a failure left the parts at different steps */
    /* number, from 1, of the part that failed first, after which the other parts must end within their step;
     * 0: none has failed */
    atomic_size_t failed;
    atomic_bool is_reached; /* a part has made all steps of the task, so no other part may be cut */
    /* The run must end. Parts that meet set this before the first wait of a meeting and read it after that
     * wait, so all parts see it in the same meeting. */
    atomic_bool must_end;
    /* held during calls of the caller's functions, which expect one thread at a time */
    pthread_mutex_t asking;
    pthread_mutex_t lock; /* guards the members below, by which threads get tasks, up to has_met */
    pthread_cond_t has_task, is_done;
    part_task task;
    uint64_t tasks; /* number of tasks that the threads have got */
    size_t waiting; /* number of threads that have not ended the current task */
    bool ends;
    pthread_cond_t has_met;
    /* Number of parts that wait in a meeting, and number of parts that have not ended the task (struct
     * presence of team.c), in one word. `lock` does not guard this member and those below. */
    atomic_uint_fast64_t presence;
    atomic_uint sleepers; /* threads that sleep in a meeting */
    /* number of waits of all parts for each other so far */
    atomic_uint_fast64_t meetings;
    /* number of the first meeting in which the bytes of a copy are given (link_is_given); 0: there was
     * none */
    atomic_uint_fast64_t given_from;
};

/* Defined in team.c. team_do runs `task` for all parts at the same time, each on its thread, and returns when
 * all have ended. */
void team_do(struct split *split, part_task task);
void team_init(struct split *split);
/* Starts the threads. SHOAL_OUT_OF_HOST_MEMORY: the system gives no more threads. */
SHOAL_MUST_CHECK enum shoal_status team_start(struct split *split, struct shoal_error *error);
/* Called by a part within a task: waits until all parts that have not ended the task have called team_meet.
 * False: a part has failed. */
bool team_meet(struct part *part);
/* Number, from 1, of the next meeting of a part. All parts that take part in a meeting get the same
 * number. */
uint64_t team_next_meeting(struct split *split);
void team_end(struct split *split); /* ends the threads; may follow a team_start that failed */

/* Defined in own.c: parameters of single devices. own_params_check: whether the parameters of each device may
 * differ as they do from `params`, those of the run. own_params_take: copies the parameters that the caller
 * gives for a part, if any. own_params_set: copies the options in which a device differs to the parameters of
 * its part. */
SHOAL_MUST_CHECK enum shoal_status own_params_check(const char *function,
                                                    const struct shoal_workload *workload, const void *params,
                                                    const struct shoal_split_params *split,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status own_params_take(struct part *part, const struct shoal_workload *workload,
                                                   const void *given, struct shoal_error *error);
void own_params_set(const struct part *part, const struct shoal_workload *workload, void *params);

/* Defined in visit.c. A range of rows that a part copies: `count` rows, from row `source` of the other part's
 * tables to row `target` of its own tables. */
struct visit_rows {
    size_t source, target, count;
};
/* visit_rows_of: the rows that `guest` asks for and that `owner` has, since they belong to units of `owner`.
 * visit_bytes: number of bytes that a visit asks for from `owner`. visit_grown: the array, moved if
 * necessary, with room for `count` elements; NULL: there is no memory, and the array is as before.
 * visit_keep: copies the visit of a part to part->visits, where other parts can read it. visit_of: what a
 * part asks for in a meeting; NULL: the part has made all its steps and does not take part. */
struct visit_rows visit_rows_of(const struct part *owner, const struct solver_visit *visit,
                                const struct solver_guest *guest);
size_t visit_bytes(const struct part *owner, const struct solver_visit *visit);
void *visit_grown(void *array, size_t *room, size_t count, size_t element);
SHOAL_MUST_CHECK enum shoal_status visit_keep(struct part *part, const struct solver_visit *visit,
                                              uint64_t meeting, struct shoal_error *error);
const struct solver_visit *visit_of(const struct part *part, uint64_t meeting);

/* Defined in meeting.c. part_meet is shoal_solver.meet of the parts; data: the part. */
enum shoal_status part_meet(void *data, const struct solver_visit *visit, struct shoal_error *error);
void part_close_links(struct part *part);
/* Name of the path by which rows of other parts have come to this part, the slowest of several; NULL: no rows
 * have come. */
const char *part_path(const struct part *part);
/* Creates the links from parts whose memory this part may read, and part->gather if kernels can read the
 * memory of all other parts, so that no step has to wait for their creation. */
SHOAL_MUST_CHECK enum shoal_status part_open_links(struct part *part, struct shoal_error *error);
/* Called by the part that failed first: ends all waits of devices for each other. */
void part_release(struct part *part);
/* Called between tasks. part_rest waits for all commands of the part, which may copy from buffers of other
 * parts. part_wait_again does the same after a failure, and lets the device wait for other devices again. */
void part_rest(struct part *part);
SHOAL_MUST_CHECK enum shoal_status part_wait_again(struct part *part, struct shoal_error *error);
/* Defined in order.c: marks. part_mark, called before threads wait for each other, marks the commands on a
 * queue so far. part_follow, called after this wait, lets a queue of the part wait for the marks of the other
 * parts. part_mark_met marks the end of a wait that a kernel of the queue makes. part_join lets part->queue
 * wait for the commands on part->beside. part_join_early, which is shoal_solver.join of the parts (data: the
 * part), does this before the next meeting without `beside`, and counts it as a wait without a mark.
 * part_settle waits until the device has passed all marks. part_clear_marks destroys the marks, before the
 * queue is destroyed. */
SHOAL_MUST_CHECK enum shoal_status part_mark(struct part *part, struct shoal_queue *queue,
                                             struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_follow(struct part *part, struct shoal_queue *queue,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_mark_met(struct part *part, struct shoal_queue *queue,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_settle(struct part *part, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_join(struct part *part, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status part_join_early(void *data, struct shoal_error *error);
void part_clear_marks(struct part *part);
/* Defined in parts.c. part_ask, called by a part before it waits in a meeting, asks the caller whether the
 * run must end. part_launched_s: seconds of first launches on the part's queues. */
void part_ask(struct part *part);
double part_launched_s(const struct part *part);

/* Defined in share.c: divides `units` among `count` parts in proportion to `weights` (NULL: equally). Each
 * share is rounded down; the units that are left go to the parts with the largest remainders. */
void split_divide(uint64_t units, const double *weights, size_t count, uint64_t *shares);

#endif
