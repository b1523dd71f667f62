/* Private: a search on a device; the first member of each algorithm's own struct.
 *
 * All methods of an algorithm share the buffers of struct search_device and the buffers of the algorithm. A
 * method distributes the work of a step on the device, and may have further buffers. Arrays of members are in
 * tiles: number d of member i, counted over all islands, is at (i / tile * stride + d) * tile + i % tile. The
 * last tile is padded. The stride is the count of numbers in a member; a method with tiles of one member may
 * set another stride.
 */
#ifndef SHOAL_SEARCH_DEVICE_H
#define SHOAL_SEARCH_DEVICE_H

#include "objective/evaluate/evaluator.h"
#include "search/observe/trace.h"
#include "search/refine/polish.h"
#include "workload/arrays.h"
#include "workload/workload.h"

#include "cl/search/layout.clh"

struct search_device;
struct search_image;

/* Functions of an algorithm on a device. */
struct search_device_ops {
    size_t size;    /* bytes of the algorithm's struct */
    size_t problem; /* offset of the problem in the algorithm's struct */
    void (*set_choice)(const struct search_problem *problem, struct method_choice *choice);
    /* Chooses the method for `auto` if there is no tuning file: the method that was the fastest in
     * measurements. */
    const struct method *(*method_by_rule)(struct shoal_device *device, const struct search_problem *problem);
    /* Sets `own`, the table of the algorithm's arrays, for the current tiles. The array "best" must hold the
     * values of the members. */
    void (*list_arrays)(struct shoal_solver *solver);
    /* name of the array that holds the positions of the members; for a swarm, the personal bests */
    const char *members;
    /* Writes the settings of the algorithm: indices SET_OWN .. SET_BOX - 1. */
    void (*fill_settings)(const struct search_problem *problem, double *settings);
    /* Does with an image of the state what `guide` of struct search_host_ops does with the state. NULL:
     * points guide the search as members alone. */
    enum shoal_status (*guide)(const struct search_device *device, const struct search_image *image,
                               size_t island, const double *point, struct shoal_error *error);
};

struct search_device {
    const struct search_device_ops *ops;
    struct search_problem *problem; /* the algorithm's problem */
    enum shoal_precision precision;
    size_t real; /* bytes of a real: 4 or 8 */
    /* numbers: count of numbers in a member (reals, or words of a genome); number: bytes of such a number */
    size_t numbers, number;
    struct shoal_buffer *settings;      /* see cl/search/layout.clh */
    struct shoal_buffer *words, *reals; /* records of the islands: see cl/search/layout.clh */
    /* [rows][numbers]: position of each island's champion. The value at this position is element
     * ISLAND_CHAMPION of `reals`. search_rows returns the number of rows of words, reals and champion. */
    struct shoal_buffer *champion;
    /* the table of links, see cl/search/exchange.clh; NULL: the topology has no table */
    struct shoal_buffer *links;
    bool drawn;
    bool ended;     /* every run has ended, as last read from the device */
    uint64_t steps; /* number of steps enqueued so far */
    /* number of steps that the last `advance` of a method left out, since the run must end (glossary) */
    uint64_t dropped;
    struct search_summary summary;
    /* evaluator for the polish and for pattern searches during the run; NULL: neither is wanted */
    struct search_polisher *polisher;
    struct search_polish *polish; /* polish of the last result; NULL: there is none */
    struct search_trace trace;
    /* For a share of values. evaluator: the evaluator of the method. order: the order in which all shares add
     * their sums; zeros: the shares have not agreed on an order yet. */
    struct evaluator *evaluator;
    struct evaluator_order order;
    double *best_out, *position_out; /* best value and position of each run, for results */
    uint64_t *ended_out;
    bool *reached_out, *stagnated_out;
    bool *converged; /* [runs]: the run has ended because all its members were near the best */
    uint64_t *restarts_out, *moves_out;
    /* spread of the members' values, for results; NULL: the algorithm has no population */
    struct search_spread *spread_out;
    /* arrays: table of the buffers above; own: of the algorithm's buffers; outcome: of the arrays for
     * results */
    struct arrays arrays, own, outcome;
};

static inline struct search_device *search_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* A method of a search on a device. */
struct search_method {
    /* `advance` enqueues the steps after device->steps, including exchanges, restarts and ends:
     * docs/search.md */
    struct method base;
    enum evaluator_method evaluator; /* evaluator of the method; unused if the method has none */
    /* Least number of bytes that a step reads and writes for each evaluation; NULL: steps need no global
     * memory. */
    double (*evaluation_bytes)(const struct search_problem *problem, enum shoal_precision precision);
    /* Updates words, reals and champion; NULL: `advance` always updates them. */
    enum shoal_status (*collect)(struct shoal_solver *solver, struct shoal_error *error);
    /* the method can evaluate a different objective in each run: value_of_run of an objective */
    bool takes_instances;
    bool shares_members; /* several solvers can share the members of an island */
};

static inline const struct search_method *search_device_method(const struct shoal_solver *solver)
{
    return (const struct search_method *)solver->method.method;
}

/* Returns the count of numbers that a point takes in local memory. by_rows: groups have one work-item, so
 * that points are rows of cl/search/rows.clh. */
static inline size_t search_row_length(size_t dim, bool by_rows)
{
    return by_rows ? rounded_up(dim, ROW_VECTOR) : dim;
}

/* Enqueues the update of words, reals and champion. */
SHOAL_MUST_CHECK static inline enum shoal_status search_device_collect(struct shoal_solver *solver,
                                                                       struct shoal_error *error)
{
    const struct search_method *method = search_device_method(solver);
    return method->collect ? method->collect(solver, error) : SHOAL_OK;
}

/* Calls search_device_collect for each solver that holds a part of the search. */
SHOAL_MUST_CHECK enum shoal_status search_device_collect_all(struct shoal_solver *solver,
                                                             struct shoal_error *error);

/* Number of tiles in an array of members. */
static inline size_t search_tiles(const struct shoal_solver *solver)
{
    const size_t tile = solver->method.tile;
    return (search_device_of(solver)->problem->total + tile - 1) / tile;
}

static inline size_t search_stride(const struct shoal_solver *solver)
{
    return solver->method.stride ? solver->method.stride : search_device_of(solver)->numbers;
}

/* search_box_define: value of the define BOX of cl/search/space.clh for a problem. */
static inline int32_t search_box_define(const struct search_problem *problem)
{
    return problem->whole ? 2 : !problem->same_box;
}
#define SEARCH_BOX_DESC(file)                                                                                \
    DEFINE(file, BOX, 0, 2, "1: box and shift of each dimension; 2: box of each, some are rounded")

/* Largest count of numbers in a table that is part of the settings. Methods on the chip read the table from
 * there. */
enum { SEARCH_SETTINGS_NUMBERS = 1 << 22 };
#define SEARCH_SETTINGS_LACKS "objectives that read a table of more than 4194304 numbers or of TABLE INT"

/* Returns the number of steps between two exchanges for which all islands must have ended a step. 0: there
 * are no exchanges, or islands exchange by mailboxes inside a launch. */
static inline uint64_t search_exchange_interval(const struct search_problem *problem)
{
    return problem->has_mailbox ? 0 : problem->params->exchange;
}

/* Whether the solver is a share that has a part of the islands. */
static inline bool search_shares_islands(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_ISLANDS;
}

/* Whether the solver is a share that evaluates a part: some rows of the objective's table, or some points. */
static inline bool search_shares_values(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SHARDS;
}

/* Whether the solver is a share that moves a part of the members of the only island. Its arrays have room for
 * all members. */
static inline bool search_shares_members(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SLICES;
}

/* Whether each share of the search has the records of all islands. */
static inline bool search_has_all_records(const struct shoal_solver *solver)
{
    return search_shares_values(solver) || search_shares_members(solver);
}

struct search_range {
    size_t first, count;
};

/* Returns the range of members that a solver moves: in a share of members those of its blocks, else all
 * members. */
static inline struct search_range search_own_members(const struct shoal_solver *solver)
{
    const size_t total = search_device_of(solver)->problem->total;
    if (!search_shares_members(solver))
        return (struct search_range){0, total};
    const uint64_t first = solver->share.first * SEARCH_BLOCK,
                   last = first + solver->share.count * SEARCH_BLOCK;
    return (struct search_range){(size_t)first, (size_t)(last < total ? last - first : total - first)};
}

/* search_record_holders: returns solvers that together hold the records of all islands.
 * search_member_holders: returns solvers that together hold all members. In a run divided by values each
 * share holds all records and members, and in a run divided by members each share holds all records: the list
 * then has only the first share. */
static inline struct solver_list search_record_holders(struct shoal_solver *const *solver)
{
    struct solver_list holders = solver_holders(solver);
    if (holders.count && search_has_all_records(holders.solvers[0]))
        holders.count = 1;
    return holders;
}

static inline struct solver_list search_member_holders(struct shoal_solver *const *solver)
{
    struct solver_list holders = solver_holders(solver);
    if (holders.count && search_shares_values(holders.solvers[0]))
        holders.count = 1;
    return holders;
}

/* Defined in guests.c: copy rows of islands of other shares to the tables of a share of islands; without
 * shares of islands the functions do nothing. search_guests_records copies the records of all islands of the
 * share's runs. search_guests_sources copies the rows of `tables` of all islands from which the share's own
 * islands receive after step `step`. */
SHOAL_MUST_CHECK enum shoal_status search_guests_records(struct shoal_solver *solver,
                                                         struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_guests_sources(struct shoal_solver *solver, uint64_t step,
                                                         const struct solver_table *tables, size_t count,
                                                         struct shoal_error *error);
/* Calls search_guests_sources for the champions and their values. */
SHOAL_MUST_CHECK enum shoal_status search_guests_champions(struct shoal_solver *solver, uint64_t step,
                                                           struct shoal_error *error);
/* Ends the runs that have reached the target by start points. Called after start points were placed. */
SHOAL_MUST_CHECK enum shoal_status search_guests_settle(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Whether islands exchange after step `step`. */
static inline bool search_exchange_is_due(const struct search_problem *problem, uint64_t step)
{
    const uint64_t interval = search_exchange_interval(problem);
    return step && interval && step % interval == 0;
}

/* Returns the number of the topology in kernels: EXCHANGE_ALL, EXCHANGE_RANDOM or EXCHANGE_LINKS. */
static inline uint32_t search_exchange_kind(const struct search_problem *problem)
{
    return problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_ALL      ? EXCHANGE_ALL
           : problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_RANDOM ? EXCHANGE_RANDOM
                                                                                : EXCHANGE_LINKS;
}

/* search_settings_bytes: size of the buffer `settings`. search_settings_write: writes the buffer. */
size_t search_settings_bytes(const struct search_device *device);
/* Returns the objective's table if it is part of the settings. NULL: the objective has no table, or the table
 * is too large, or its numbers are integers. */
const struct objective_table *search_settings_table(const struct shoal_objective *objective);
SHOAL_MUST_CHECK enum shoal_status search_settings_write(struct shoal_solver *solver,
                                                         struct shoal_error *error);
/* Writes reals to a buffer, in the precision of the device. */
SHOAL_MUST_CHECK enum shoal_status search_device_write_reals(struct shoal_solver *solver,
                                                             struct shoal_buffer *buffer, const double *wide,
                                                             size_t count, struct shoal_error *error);
/* search_links_count: number of elements of the buffer `links`. search_links_write: writes the buffer. */
size_t search_links_count(const struct search_problem *problem);
SHOAL_MUST_CHECK enum shoal_status search_links_write(struct shoal_solver *solver, struct shoal_error *error);

/* Creates an evaluator of the solver's objective. The caller sets the members method, points, planned,
 * stride, chosen and programs of `layout`; the problem determines the other members. `layout` may name
 * another objective of the same points; shares then do not divide its evaluation. */
SHOAL_MUST_CHECK enum shoal_status search_evaluator_create(struct shoal_solver *solver,
                                                           const struct evaluator_params *layout,
                                                           struct evaluator **out, struct shoal_error *error);

/* Defined in polish.c. search_polisher_create creates device->polisher, the evaluator for the polish, when
 * the solver is created, so that a checkpoint can hold its method and tuned values. search_polisher_load
 * replaces this evaluator if a checkpoint has another method or other values. */
SHOAL_MUST_CHECK enum shoal_status search_polisher_create(struct shoal_solver *solver,
                                                          struct shoal_error *error);
void search_polisher_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_polisher_load(struct shoal_solver *solver,
                                                        const struct checkpoint *checkpoint,
                                                        struct shoal_error *error);
void search_polisher_destroy(struct search_polisher **polisher); /* accepts NULL */
/* Begins or continues device->polish at the positions of the result. The device evaluates the points. */
SHOAL_MUST_CHECK enum shoal_status search_device_polish(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Sets the tables of buffers for the current tiles. */
void search_device_list_arrays(struct shoal_solver *solver);

/* Reallocates the tiled arrays for the method in a checkpoint. After a failure the arrays are unchanged, but
 * the caller must call search_device_list_arrays again. */
SHOAL_MUST_CHECK enum shoal_status search_device_resize(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Points that islands receive between two steps, as members. */
struct search_offer {
    const double *values, *points; /* [islands], [islands][dim]; value +infinity: no point */
    /* [islands]: number of evaluations with which the search itself has found the points, so that they become
     * champions; NULL: the points come from outside of the search */
    const uint64_t *moves;
};
/* Defined in offer.c. The offered point of an island replaces the worst member of this island, if its value
 * is less than the values of all members and of the champion. */
SHOAL_MUST_CHECK enum shoal_status
search_device_offer(struct shoal_solver *solver, const struct search_offer *offer, struct shoal_error *error);

/* Defined in polish.c. Runs a pattern search from the best point of each run, and replaces a member by the
 * point found. Called as an event of a schedule. */
SHOAL_MUST_CHECK enum shoal_status search_device_polish_bests(struct shoal_solver *solver, uint64_t step,
                                                              struct shoal_error *error);

/* Defined in start.c. Replaces the first members of each run, which step 0 has drawn, by the start points. */
SHOAL_MUST_CHECK enum shoal_status search_device_place_start(struct shoal_solver *solver,
                                                             struct shoal_error *error);

/* Defined in state.c. Takes a sample, as an event of a schedule. */
SHOAL_MUST_CHECK enum shoal_status search_device_take_sample(struct shoal_solver *solver, uint64_t step,
                                                             struct shoal_error *error);

/* Defined in converged.c. Ends the runs whose members are all near the best. Called as an event of a
 * schedule, after the steps for which search_looks_for_spread is true. */
SHOAL_MUST_CHECK enum shoal_status search_device_look_for_spread(struct shoal_solver *solver, uint64_t step,
                                                                 struct shoal_error *error);

/* Functions of struct shoal_solver_ops. The state of the solver is the device struct of the algorithm whose
 * name the workload has. */
enum shoal_status search_device_create(struct shoal_solver *solver, struct shoal_error *error);
void search_device_destroy(struct shoal_solver *solver);
enum shoal_status search_device_step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                                     struct shoal_error *error);
enum shoal_status search_device_result(struct shoal_solver *solver, struct shoal_result *out,
                                       struct shoal_error *error);
enum shoal_status search_device_value(struct shoal_solver *solver, double *value, struct shoal_error *error);
enum shoal_status search_device_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                     struct shoal_error *error);
enum shoal_status search_device_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                     struct shoal_error *error);
uint64_t search_device_total(const struct shoal_solver *solver);

/* Defined in shares.c. Each share of members counts the evaluations without a finite value.
 * search_members_join_counts adds the counts of all other shares to the count of the first share. */
SHOAL_MUST_CHECK enum shoal_status search_members_join_counts(const struct solver_list *shares,
                                                              struct shoal_error *error);
/* Defined in shares.c. Loads the sections of each share from a checkpoint of step `steps`. */
SHOAL_MUST_CHECK enum shoal_status search_shares_load(struct shoal_solver *whole, uint64_t steps,
                                                      const struct checkpoint *checkpoint,
                                                      struct shoal_error *error);
/* Determines anew which runs have ended at step `steps`, since a checkpoint may have been written with
 * another target or stagnation. A run with fewer steps than `steps` had ended before and stays ended, since
 * it can no longer make its steps together with the others. words, reals: records of all islands, beginning
 * with the first island of the first run. */
void search_settle_ends(struct search_device *device, uint64_t steps, uint32_t *words, const void *reals);
/* Adds the sections of the arrays of all solvers that hold a part of them to a checkpoint. */
SHOAL_MUST_CHECK enum shoal_status
search_save_arrays(struct shoal_solver *solver, struct checkpoint *checkpoint, struct shoal_error *error);

/* Returns the largest deviation from the host that is accepted after `steps` steps. */
double search_device_tolerance(const struct shoal_solver *solver, uint64_t steps);

/* Members that all algorithms have in their struct shoal_solver_ops for devices. */
#define SEARCH_DEVICE_SOLVER                                                                                 \
    .kind = "device", .create = search_device_create, .destroy = search_device_destroy,                      \
    .step = search_device_step, .result = search_device_result, .value = search_device_value,                \
    .save = search_device_save, .load = search_device_load, .tolerance = search_device_tolerance,            \
    .total_steps = search_device_total

/* Reads the algorithm's array `name` into values, [total][dim], one double for each gene of each member. */
SHOAL_MUST_CHECK enum shoal_status search_device_read_own(struct shoal_solver *solver, const char *name,
                                                          double *values, struct shoal_error *error);

/* Converts the champion of an island to a member, [dim]. champions: the array "champion". */
void search_device_champion(const struct search_device *device, const void *champions, size_t island,
                            double *member);

/* Reads the array `name`, one number or record for each member or island, from all solvers that hold a part
 * of it, and joins the parts as in a checkpoint. The caller frees *out, also after a failure. */
SHOAL_MUST_CHECK enum shoal_status search_device_read_all(struct shoal_solver *solver, const char *name,
                                                          void **out, struct shoal_error *error);

/* Returns element `index` of an array of reals in the device's precision. The array need not be aligned. */
double search_real_at(const struct search_device *device, const void *reals, size_t index);

#endif
