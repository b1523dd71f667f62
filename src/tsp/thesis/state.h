/* Private: the state of a run of the thesis between steps, for the host and devices. */
#ifndef SHOAL_TSP_THESIS_STATE_H
#define SHOAL_TSP_THESIS_STATE_H

#include "tsp/thesis/thesis.h"

/* Kinds of tours that shoal_tsp_write_history writes. MACRO: best tour of a macro cycle; MICRO: best tour of
 * a cycle of a piece; JOINT: tour after a micro step. */
enum thesis_tour_kind { THESIS_MACRO, THESIS_MICRO, THESIS_JOINT };

struct thesis_record {
    enum thesis_tour_kind kind;
    /* macro and joint: number of the cycle or step of the level; micro: number of the cycle of the piece */
    uint32_t cycle;
    uint32_t cluster; /* micro: number of the piece */
    uint32_t count;
    uint32_t *cities; /* each record has its own allocation */
};

struct thesis_history {
    bool is_kept;
    struct thesis_record *records;
    size_t count, capacity;
    uint32_t macro_cycles, joints; /* number of recorded macro cycles, and of recorded micro steps */
    /* During a micro step: the best tours of the cycles of all pieces. Those of a piece begin at index
     * micro_cycles * (first position of the piece), with one tour for each of micro_cycles cycles. */
    uint8_t *pieces;
    uint32_t *before; /* the tour before the micro step: `pieces` holds positions in it */
};

struct thesis_state {
    struct thesis_rules rules;
    uint32_t n;
    uint32_t *tour; /* [n]: the best tour so far, in the order in which it is cut into pieces */
    int64_t first;  /* length of the best tour of the first macro cycle, which scales deposits */
    /* sum of the lengths of fixed edges in the form, which is subtracted from lengths */
    int64_t fixed_length;
    struct tsp_look look;
    double macro_s, micro_s; /* seconds of each level since the run began or was resumed */
    struct thesis_history history;
    atomic_uint_fast64_t visited; /* number of cities visited by ants of the host */
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
    /* NULL: the level has no action before the first step */
    enum shoal_status (*begin)(struct thesis_level *level, struct shoal_error *error);
    enum shoal_status (*step)(struct thesis_level *level, uint64_t step, struct shoal_error *error);
    /* NULL: the level has no state between steps */
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
/* Sets the state before the first step. start: a tour of the form; NULL: there is none. */
void thesis_state_begin(const struct tsp_problem *problem, const uint32_t *start, struct thesis_state *state);
/* Takes the best tour of macro step `step`. Returns the pheromone that its edges receive. */
float thesis_state_take(struct thesis_state *state, uint64_t step, int64_t length, const uint32_t *tour);
/* Called after micro step `step`, whose result is state->tour. */
void thesis_state_joined(struct thesis_state *state, uint64_t step, int64_t length);

/* thesis_state_save, thesis_state_load: save and load the sections of the state. thesis_base_save,
 * thesis_base_load: save and load `base`, the pheromone of edges in no row. */
void thesis_state_save(struct thesis_state *state, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status thesis_state_load(const struct tsp_run *run, struct thesis_state *state,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status thesis_base_load(const struct checkpoint *checkpoint, float *base,
                                                    struct shoal_error *error);
void thesis_base_save(struct checkpoint *checkpoint, const float *base);

SHOAL_MUST_CHECK enum shoal_status thesis_record_macro(struct thesis_state *state, const uint32_t *tour,
                                                       struct shoal_error *error);
/* thesis_record_begin is called before a micro step, thesis_record_joint after it. thesis_recorded: where the
 * piece that begins at position `first` writes its tours; NULL: tours are not recorded. */
SHOAL_MUST_CHECK enum shoal_status thesis_record_begin(struct thesis_state *state, struct shoal_error *error);
uint8_t *thesis_recorded(const struct thesis_state *state, uint32_t first);
SHOAL_MUST_CHECK enum shoal_status thesis_record_joint(struct thesis_state *state, struct shoal_error *error);
void thesis_history_free(struct thesis_history *history);

/* The state of a solver of the algorithm thesis. The form must have more than TSP_ONE_TOUR cities. */
const struct thesis_state *thesis_state_of(const struct shoal_solver *solver);

#endif
