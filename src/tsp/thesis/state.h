/* Private: the state of a run of the thesis between its steps, on any device. */
#ifndef SHOAL_TSP_THESIS_STATE_H
#define SHOAL_TSP_THESIS_STATE_H

#include "tsp/thesis/thesis.h"

/* Tours of a run for shoal_tsp_write_history, in the order in which they were found. */
enum thesis_tour_kind { THESIS_MACRO, THESIS_MICRO, THESIS_JOINT };

struct thesis_record {
    enum thesis_tour_kind kind;
    /* macro, joint: number of the cycle of the level; micro: number of the cycle of the piece */
    uint32_t cycle;
    uint32_t cluster; /* micro: number of the piece */
    uint32_t count;
    uint32_t *cities; /* one allocation for each record */
};

struct thesis_history {
    bool is_kept;
    struct thesis_record *records;
    size_t count, capacity;
    uint32_t macro_cycles, joints; /* number of macro cycles and of micro steps that were recorded */
    /* The best tours of the cycles of all pieces while a micro step runs. The tours of piece f begin at place
     * micro_cycles * (first position of the piece), one tour for each of micro_cycles cycles. */
    uint8_t *pieces;
    uint32_t *before; /* the order of cities to whose positions `pieces` refers */
};

struct thesis_state {
    struct thesis_rules rules;
    uint32_t n;
    uint32_t *tour; /* [n]: the best tour so far, in the order that is cut */
    int64_t first;  /* length of the best tour of the first macro cycle */
    /* sum of the lengths of fixed edges, by which a tour is longer than its other edges */
    int64_t fixed_length;
    struct tsp_look look;
    double macro_s, micro_s; /* seconds of each level since the run began or was resumed */
    struct thesis_history history;
    atomic_uint_fast64_t visited; /* number of cities that ants of the host have visited */
};

/* A level of the thesis on the host or on a device. */
struct thesis_level {
    const struct thesis_level_ops *ops;
    struct shoal_solver *solver;
    struct thesis_state *state;
    struct shoal_device *device; /* NULL: the host */
    struct shoal_queue *queue;
    struct programs *programs;
    const struct tsp_places *places;
    void *own;
};

struct thesis_level_ops {
    enum shoal_status (*create)(struct thesis_level *level, struct shoal_error *error);
    void (*destroy)(struct thesis_level *level); /* must accept the state that a failed `create` has left */
    /* NULL: there is nothing to do */
    enum shoal_status (*begin)(struct thesis_level *level, struct shoal_error *error);
    enum shoal_status (*step)(struct thesis_level *level, uint64_t step, struct shoal_error *error);
    /* NULL: the level keeps nothing between steps. */
    enum shoal_status (*save)(struct thesis_level *level, struct checkpoint *checkpoint,
                              struct shoal_error *error);
    enum shoal_status (*load)(struct thesis_level *level, const struct checkpoint *checkpoint,
                              struct shoal_error *error);
};

extern const struct thesis_level_ops thesis_macro_host, thesis_macro_device, thesis_micro_host,
    thesis_micro_device;

SHOAL_MUST_CHECK enum shoal_status thesis_state_create(const struct tsp_problem *problem,
                                                       struct thesis_state *state, struct shoal_error *error);
void thesis_state_destroy(struct thesis_state *state);
/* Sets the state before the first step. start: a tour of the form; NULL: none. */
void thesis_state_begin(const struct tsp_problem *problem, const uint32_t *start, struct thesis_state *state);
/* Takes the best tour of macro step `step`; returns the pheromone that its edges receive. */
float thesis_state_take(struct thesis_state *state, uint64_t step, int64_t length, const uint32_t *tour);
/* Call this when state->tour is the result of micro step `step`. */
void thesis_state_joined(struct thesis_state *state, uint64_t step, int64_t length);

/* Save and load the sections of the state. `base`: pheromone of most edges. */
void thesis_state_save(struct thesis_state *state, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status thesis_state_load(const struct tsp_run *run, struct thesis_state *state,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status thesis_base_load(const struct checkpoint *checkpoint, float *base,
                                                    struct shoal_error *error);
void thesis_base_save(struct checkpoint *checkpoint, const float *base);

SHOAL_MUST_CHECK enum shoal_status thesis_record_macro(struct thesis_state *state, const uint32_t *tour,
                                                       struct shoal_error *error);
/* Called before and after a micro step. `recorded`: where the piece that begins at position `first` writes
 * its tours; NULL: the tours are not recorded. */
SHOAL_MUST_CHECK enum shoal_status thesis_record_begin(struct thesis_state *state, struct shoal_error *error);
uint8_t *thesis_recorded(const struct thesis_state *state, uint32_t first);
SHOAL_MUST_CHECK enum shoal_status thesis_record_joint(struct thesis_state *state, struct shoal_error *error);
void thesis_history_free(struct thesis_history *history);

/* The state of a solver with algorithm thesis whose problem has more than TSP_ONE_TOUR cities. */
const struct thesis_state *thesis_state_of(const struct shoal_solver *solver);

#endif
