/*  Private: a search on a device: the first member of each algorithm's own struct.
 *
 * All methods of an algorithm share the buffers below and those of the algorithm; a method distributes the
 * work of a step over the device and has further buffers of its own. Arrays of members are in tiles: number d
 * of member i (of all islands, one behind the other) is at (i / tile * stride + d) * tile + i % tile; the
 * last tile is whole. The stride is the count of a member's numbers; in tiles of one member a method may set
 * another stride.
 */
#ifndef SHOAL_SEARCH_DEVICE_H
#define SHOAL_SEARCH_DEVICE_H

#include "objective/evaluate/evaluator.h"
#include "search/observe/trace.h"
#include "search/refine/polish.h"
#include "workload/arrays.h"
#include "workload/workload.h"

#include "cl/search/layout.clh"

/* Functions of an algorithm on a device. */
struct search_device_ops {
    size_t size;    /* bytes of the algorithm's struct */
    size_t problem; /* offset of the problem in the algorithm's struct */
    void (*set_choice)(const struct search_problem *problem, struct method_choice *choice);
    /* The method for `auto` without a tuning file: the fastest one in measurements. */
    const struct method *(*method_by_rule)(struct shoal_device *device, const struct search_problem *problem);
    /* Sets the table `own` of the algorithm's arrays for the current tiles. The array "best" has the values
     * of a population. */
    void (*list_arrays)(struct shoal_solver *solver);
    const char *members; /* name of the array that holds the members; for a swarm, the personal bests */
    /* Writes the algorithm's settings, from index SET_OWN to SET_BOX. */
    void (*fill_settings)(const struct search_problem *problem, double *settings);
};

struct search_device {
    const struct search_device_ops *ops;
    struct search_problem *problem; /* problem of the algorithm */
    enum shoal_precision precision;
    size_t real;                        /* bytes of a real: 4 or 8 */
    size_t numbers, number;             /* numbers: count of numbers of a member (reals, or words of a
                                         * genome); number: bytes of one number */
    struct shoal_buffer *settings;      /* see cl/search/layout.clh */
    struct shoal_buffer *words, *reals; /* records of the islands: see cl/search/layout.clh */
    struct shoal_buffer *champion;      /* [rows][numbers]: the member whose value is ISLAND_CHAMPION. Rows of
                                         * words, reals and champion: see search_rows */
    struct shoal_buffer *links;         /* sources of the exchange: cl/search/exchange.clh; NULL: no table */
    bool drawn;
    bool ended;       /* every run has ended, as read back at the end of a call of step */
    uint64_t steps;   /* number of steps enqueued so far */
    uint64_t dropped; /* steps that the last `advance` of a method left out because the run must end */
    struct search_summary summary;
    struct search_polisher *polisher; /* evaluator of the polish at the end; NULL: no polish */
    struct search_polish *polish;     /* polish of the last result; NULL: none */
    struct search_trace trace;
    /* Of a share of values: the method's evaluator, and the order of sums on which the shares have agreed;
     * zeros: not yet. */
    struct evaluator *evaluator;
    struct evaluator_order order;
    double *best_out, *position_out; /* best value and position of each run, for the outcome */
    uint64_t *ended_out;
    bool *reached_out, *stagnated_out;
    bool *converged; /* [runs]: a check has found all members of the run near its best */
    uint64_t *restarts_out, *moves_out;
    struct search_spread *spread_out;   /* NULL: the algorithm has no population */
    struct arrays arrays, own, outcome; /* tables of the buffers above, of the algorithm's buffers, and of the
                                         * outcome */
};

static inline struct search_device *search_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

/* A method of a search. */
struct search_method {
    struct method base; /* `advance` enqueues the steps after device->steps with exchanges, restarts and ends:
                           docs/search.md */
    enum evaluator_method evaluator; /* evaluator of the method; not used by methods without one */
    /* Least bytes that a step reads and writes for one evaluation; NULL: steps need no global memory. */
    double (*evaluation_bytes)(const struct search_problem *problem, enum shoal_precision precision);
    /* Updates words, reals and champion; NULL: `advance` keeps them up to date. */
    enum shoal_status (*collect)(struct shoal_solver *solver, struct shoal_error *error);
    bool takes_instances; /* runs may have different objectives: value_of_run of an objective */
    bool shares_members;  /* several solvers can share the members of an island */
};

static inline const struct search_method *search_device_method(const struct shoal_solver *solver)
{
    return (const struct search_method *)solver->method.method;
}

/* Enqueues the work that brings words, reals and champion up to date. */
SHOAL_MUST_CHECK static inline enum shoal_status search_device_collect(struct shoal_solver *solver,
                                                                       struct shoal_error *error)
{
    const struct search_method *method = search_device_method(solver);
    return method->collect ? method->collect(solver, error) : SHOAL_OK;
}

/* search_device_collect for all holders. */
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

/* The define BOX of cl/search/space.clh for a problem, and its row of a contract. */
static inline int32_t search_box_define(const struct search_problem *problem)
{
    return problem->whole ? 2 : !problem->same_box;
}
#define SEARCH_BOX_DESC(file)                                                                                \
    DEFINE(file, BOX, 0, 2, "1: box and shift of each dimension; 2: box of each, some are rounded")

/* Most numbers of a table that may be part of the settings, where methods on the chip read the table. */
enum { SEARCH_SETTINGS_NUMBERS = 1 << 22 };
#define SEARCH_SETTINGS_LACKS "objectives that read a table of more than 4194304 numbers"

/* Steps between exchanges for which all islands must be at rest; 0: no such exchange. */
static inline uint64_t search_exchange_interval(const struct search_problem *problem)
{
    return problem->has_mailbox ? 0 : problem->params->exchange;
}

/* Has the solver a share of the islands of the runs? */
static inline bool search_shares_islands(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_ISLANDS;
}

/* Has the solver a share of the work that evaluates members: of the rows of the objective's table, or of the
 * points? */
static inline bool search_shares_values(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SHARDS;
}

/* Has the solver a share of the members of the only island? Its arrays have room for all members. */
static inline bool search_shares_members(const struct shoal_solver *solver)
{
    return solver->share.rules && solver->share.rules->scheme == SPLIT_SLICES;
}

/* Has each share of the search the records of all islands? */
static inline bool search_has_all_records(const struct shoal_solver *solver)
{
    return search_shares_values(solver) || search_shares_members(solver);
}

/* A run of members. */
struct search_range {
    size_t first, count;
};

/* The members that a solver moves: those of its blocks, or all. */
static inline struct search_range search_own_members(const struct shoal_solver *solver)
{
    const size_t total = search_device_of(solver)->problem->total;
    if (!search_shares_members(solver))
        return (struct search_range){0, total};
    const uint64_t first = solver->share.first * SEARCH_BLOCK,
                   last = first + solver->share.count * SEARCH_BLOCK;
    return (struct search_range){(size_t)first, (size_t)(last < total ? last - first : total - first)};
}

/* The solvers that together hold all records, or all members. Shares of values hold all of both, shares of
 * members hold all records: then the first of them is enough. */
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

/* Defined in guests.c, for a solver that has a share of the islands; a solver with all islands does nothing.
 * Bring rows of islands of other shares into the tables of this share: search_guests_records the records of
 * all islands of its runs, search_guests_sources the rows, in `tables`, of the islands from which its own
 * islands receive after step `step`. */
SHOAL_MUST_CHECK enum shoal_status search_guests_records(struct shoal_solver *solver,
                                                         struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_guests_sources(struct shoal_solver *solver, uint64_t step,
                                                         const struct solver_table *tables, size_t count,
                                                         struct shoal_error *error);
/* search_guests_sources for the champions and their values. */
SHOAL_MUST_CHECK enum shoal_status search_guests_champions(struct shoal_solver *solver, uint64_t step,
                                                           struct shoal_error *error);
/* Ends the runs whose start points, which have just been placed, reach the target. */
SHOAL_MUST_CHECK enum shoal_status search_guests_settle(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Do the islands exchange after step `step`? */
static inline bool search_exchange_is_due(const struct search_problem *problem, uint64_t step)
{
    const uint64_t interval = search_exchange_interval(problem);
    return step && interval && step % interval == 0;
}

/* The kernels' number for the islands from which migrants come. */
static inline uint32_t search_exchange_kind(const struct search_problem *problem)
{
    return problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_ALL      ? EXCHANGE_ALL
           : problem->params->exchange_topology == SHOAL_SEARCH_EXCHANGE_RANDOM ? EXCHANGE_RANDOM
                                                                                : EXCHANGE_LINKS;
}

/* Size and content of the buffer `settings`. The queue may still be empty. */
size_t search_settings_bytes(const struct search_device *device);
/* The table of the objective that is part of the settings; NULL: the objective has none, or the table is too
 * large. */
const struct objective_table *search_settings_table(const struct shoal_objective *objective);
SHOAL_MUST_CHECK enum shoal_status search_settings_write(struct shoal_solver *solver,
                                                         struct shoal_error *error);
/* Writes reals in the precision of the device. */
SHOAL_MUST_CHECK enum shoal_status search_device_write_reals(struct shoal_solver *solver,
                                                             struct shoal_buffer *buffer, const double *wide,
                                                             size_t count, struct shoal_error *error);
/* Size and content of the buffer `links`. */
size_t search_links_count(const struct search_problem *problem);
SHOAL_MUST_CHECK enum shoal_status search_links_write(struct shoal_solver *solver, struct shoal_error *error);

/* Creates an evaluator of the solver's objective. `layout` has method, points, planned, stride, chosen and
 * programs; the other members are set from the problem. `layout` may have another objective over the same
 * points, whose values are not shared with other solvers. */
SHOAL_MUST_CHECK enum shoal_status search_evaluator_create(struct shoal_solver *solver,
                                                           const struct evaluator_params *layout,
                                                           struct evaluator **out, struct shoal_error *error);

/* Defined in polish.c. Creates the evaluator of the polish, device->polisher, together with the
 * solver, so that a checkpoint holds its method and tuned values. Loading a checkpoint with another method or
 * other values replaces the evaluator. */
SHOAL_MUST_CHECK enum shoal_status search_polisher_create(struct shoal_solver *solver,
                                                          struct shoal_error *error);
void search_polisher_save(struct shoal_solver *solver, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status search_polisher_load(struct shoal_solver *solver,
                                                        const struct checkpoint *checkpoint,
                                                        struct shoal_error *error);
void search_polisher_destroy(struct search_polisher **polisher); /* accepts NULL */
/* Begins the polish device->polish at the outcome's positions, or continues it. The device evaluates
 * its points. */
SHOAL_MUST_CHECK enum shoal_status search_device_polish(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Sets the tables of the buffers for the current tiles. */
void search_device_list_arrays(struct shoal_solver *solver);

/* Reallocates the tiled arrays for the method that a checkpoint needs. After a failure the arrays are
 * unchanged, but the caller must list the tables again. */
SHOAL_MUST_CHECK enum shoal_status search_device_resize(struct shoal_solver *solver,
                                                        struct shoal_error *error);

/* Defined in start.c. Replaces the first members of each run, which step 0 has drawn, by the start points. */
SHOAL_MUST_CHECK enum shoal_status search_device_place_start(struct shoal_solver *solver,
                                                             struct shoal_error *error);

/* Defined in state.c. Takes a sample; called as an event of a schedule. */
SHOAL_MUST_CHECK enum shoal_status search_device_take_sample(struct shoal_solver *solver, uint64_t step,
                                                             struct shoal_error *error);

/* Defined in converged.c. Ends the runs whose members have come together. Called as an event of a schedule,
 * at the steps of search_looks_for_spread. */
SHOAL_MUST_CHECK enum shoal_status search_device_look_for_spread(struct shoal_solver *solver, uint64_t step,
                                                                 struct shoal_error *error);

/* Functions of struct shoal_solver_ops; the solver's state is the struct of the algorithm that has the name
 * of its workload. */
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

/* Defined in shares.c. Shares of members count evaluations without a finite value each for itself:
 * search_members_join_counts adds the counts to that of the first share. */
SHOAL_MUST_CHECK enum shoal_status search_members_join_counts(const struct solver_list *shares,
                                                              struct shoal_error *error);
/* Defined in shares.c. Gives each share its sections of a checkpoint of step `steps`. */
SHOAL_MUST_CHECK enum shoal_status search_shares_load(struct shoal_solver *whole, uint64_t steps,
                                                      const struct checkpoint *checkpoint,
                                                      struct shoal_error *error);
/* Decides again which runs have ended at step `steps`: a checkpoint may have been written with another target
 * and stagnation. A run with fewer steps than others has ended and stays ended, since the runs no longer make
 * steps together. words, reals: records of all islands of the runs, from the first island of the first run
 * on. */
void search_settle_ends(struct search_device *device, uint64_t steps, uint32_t *words, const void *reals);
/* Adds the sections of the arrays of all holders. */
SHOAL_MUST_CHECK enum shoal_status
search_save_arrays(struct shoal_solver *solver, struct checkpoint *checkpoint, struct shoal_error *error);

/* Allowed deviation from the host after `steps` steps. */
double search_device_tolerance(const struct shoal_solver *solver, uint64_t steps);

/* Members of an algorithm's table of solver functions. */
#define SEARCH_DEVICE_SOLVER                                                                                 \
    .kind = "device", .create = search_device_create, .destroy = search_device_destroy,                      \
    .step = search_device_step, .result = search_device_result, .value = search_device_value,                \
    .save = search_device_save, .load = search_device_load, .tolerance = search_device_tolerance,            \
    .total_steps = search_device_total

/* Reads the algorithm's array `name`: values [total][dim], one double for each gene of each member. */
SHOAL_MUST_CHECK enum shoal_status search_device_read_own(struct shoal_solver *solver, const char *name,
                                                          double *values, struct shoal_error *error);

/* Reads array `name` of all holders, one behind the other, as a checkpoint has it; the array has one number
 * or record for each member or island. The caller frees *out, also after a failure. */
SHOAL_MUST_CHECK enum shoal_status search_device_read_all(struct shoal_solver *solver, const char *name,
                                                          void **out, struct shoal_error *error);

/* Number `index` of an array of reals in the device's precision; the array need not be aligned. */
double search_real_at(const struct search_device *device, const void *reals, size_t index);

#endif
