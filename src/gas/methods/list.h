/* Private: the neighbour list method. */
#ifndef SHOAL_GAS_LIST_H
#define SHOAL_GAS_LIST_H

#include "gas/methods/neighbours.h"
#include "workload/workload.h"

/* Skin of the neighbour list: the value of --skin, or else a value by the rule of docs/gas-tuning.md. */
double gas_list_skin(const struct gas_problem *problem, const struct shoal_device_info *info);
/* Skin of the neighbour list: the value of --skin, or a value tuned for this class of gases, or else the
 * value of gas_list_skin. */
double gas_list_tuned_skin(struct shoal_solver *solver);
/* Writes the class of gases for which values of the method are tuned. */
void gas_list_class(const struct gas_problem *problem, char class[TUNING_CLASS_SIZE]);
enum { GAS_LIST_LONGEST_INTERVAL = 1024 };
/* Number of steps between two rebuilds. gas_list_first_interval computes it from the speeds at the start;
 * gas_list_next_interval computes a new interval from the old one and from the rate in words[WORD_RATE],
 * which the device measures. */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin);
uint32_t gas_list_next_interval(uint32_t interval, double rate);
/* The next step number above `steps_done` at which the interval is revised. */
uint64_t gas_list_next_revision(uint64_t steps_done);

extern const struct shoal_program_desc gas_list_step_program, gas_list_met_program;

/* State of the list. Checkpoints hold the bytes of this struct. */
struct list_state {
    uint32_t interval;
    uint32_t age;        /* number of steps since the build */
    uint32_t is_invalid; /* a displacement has exceeded half the skin */
    uint32_t padding;
};

struct gas_list {
    struct gas_neighbours *neighbours;
    struct shoal_kernel *step, *scaled_step, *forces;
    struct shoal_kernel *met_step; /* makes steps in launches in which devices meet; NULL: none do */
    struct gas_list_run *run;      /* NULL: each launch makes one step */
    uint32_t lanes, tile;
    bool block;
    double skin;
    /* sum of the largest displacements by other code than steps since the build */
    double drift;
    /* The accelerations, and the energies and virials, of the gas are those at the current positions. Only
     * for a gas that is not divided. */
    bool has_forces, has_energies;
    struct list_state state; /* the state after the steps that are enqueued */
    uint32_t most_steps;     /* of the next block, if it has rescalings */
    /* Device times of some steps and rebuilds, if the queue measures times. */
    /* events of the launch of steps before a rebuild, of the first launch after the sort of the rebuild, and
     * of the launch of steps after the rebuild */
    struct shoal_event *before, *build, *after;
    uint32_t steps_before, steps_after; /* number of steps in the launches `before` and `after` */
    double step_s, sort_s, build_s;
    uint64_t samples;
    uint64_t steps; /* number of steps since the start of the run or since a checkpoint was loaded */
    uint32_t rebuilds, violations;
    uint32_t rebuilds_before; /* number of rebuilds before the checkpoint */
};

/* Adds the defines of the layout of gas_list_step. Defined in list_schedule.c. */
void gas_list_add_layout(struct shoal_solver *solver, const struct gas_list *list, struct defines *defines);

/* Replaces the list as gas_neighbours_repair does, and the kernels if its entries become wider. A list may
 * have to be replaced GAS_LIST_REPLACEMENTS times: because it is too small, then for wider entries. */
enum { GAS_LIST_REPLACEMENTS = 2 };
SHOAL_MUST_CHECK enum shoal_status gas_list_replace(struct shoal_solver *solver, struct gas_list *list,
                                                    const struct gas_arrays *from, uint32_t wanted,
                                                    struct shoal_error *error);

/* Defined in list_saved.c: the members save and load of struct method. */
SHOAL_MUST_CHECK enum shoal_status gas_list_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                                                 struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_list_load(struct shoal_solver *solver, const struct checkpoint *checkpoint, struct shoal_error *error);

/* Defined in list_timing.c: gas_method.timing. */
void gas_list_timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing);

/* GAS_STEP_ARGS: arguments of a launch that makes steps. GAS_LIST_ARGS: those, and the list.
 * GAS_LIST_LANES_DESC, GAS_LIST_TILE_DESC, GAS_LIST_WINDOW_DESC: defines of the contracts of kernels that
 * make steps. GAS_LIST_STEP_DESCS: all defines that contracts of kernels with one step have in common. */
#define GAS_STEP_ARGS(device, neighbours)                                                                    \
    .velocity = (device)->velocity, .ids = (device)->id, .image = (device)->image,                           \
    .exchange = (device)->exchange, .words = (device)->words, .settings = (device)->settings,                \
    .reference = (neighbours)->sort->reference, .allowed2 = 0.25 * (neighbours)->skin * (neighbours)->skin
#define GAS_LIST_ARGS(device, neighbours)                                                                    \
    GAS_STEP_ARGS(device, neighbours), .list = (neighbours)->list, .counts = (neighbours)->counts
#define GAS_LIST_WINDOW_DESC(file)                                                                           \
    DEFINE(file, WINDOW_BITS, 4, 32,                                                                         \
           "bits by which list entries of 16 bits count; above 16: entries have 32 bits")
#define GAS_LIST_LANES_DESC(file)                                                                            \
    DEFINE(file, LANES, 1, 32, "work-items that share a particle: a power of two")
#define GAS_LIST_TILE_DESC(file) DEFINE(file, LIST_TILE, 1, 1024, "particles whose lists are interleaved")
#define GAS_LIST_STEP_DESCS(file)                                                                            \
    GAS_PAIR_DEFINE_DESCS(file), GAS_STATE_DEFINE_DESCS(file), GAS_MOTION_DEFINE_DESCS(file),                \
        GAS_LIST_LANES_DESC(file), GAS_LIST_TILE_DESC(file),                                                 \
        DEFINE(file, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),       \
        DEFINE(file, UNROLL, 1, 16, "neighbours that are loaded at a time"),                                 \
        TUNED_DEFINE(file, WG, 1, 1024, 1, "work-group size: a power of two"), GAS_LIST_WINDOW_DESC(file)

#endif
