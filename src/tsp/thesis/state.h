/* Private: the state of a run of the thesis between steps, which host and devices share. */
#ifndef SHOAL_TSP_THESIS_STATE_H
#define SHOAL_TSP_THESIS_STATE_H

#include "tsp/thesis/thesis.h"

/* Kinds of tours in the file of shoal_tsp_write_history. MACRO: best tour of a macro cycle. MICRO: best tour
 * of a cycle of a piece. JOINT: the whole tour after a micro step. */
enum thesis_tour_kind { THESIS_MACRO, THESIS_MICRO, THESIS_JOINT };

struct thesis_record {
    enum thesis_tour_kind kind;
    /* MACRO: number of the macro cycle; JOINT: number of the micro step; MICRO: number of the cycle of the
     * piece */
    uint32_t cycle;
    uint32_t cluster; /* MICRO: number of the piece */
    uint32_t count;
    uint32_t *cities; /* allocated for this record alone */
};

struct thesis_history {
    bool is_kept;
    struct thesis_record *records;
    size_t count, capacity;
    uint32_t macro_cycles, joints; /* number of macro cycles, and of micro steps, recorded so far */
    /* Used during a micro step: the best tours of the cycles of all pieces, as positions in the piece. The
     * tours of a piece begin at index micro_cycles * (first position of the piece); each of the micro_cycles
     * cycles has one tour. */
    uint8_t *pieces;
    uint32_t *before; /* the tour before the micro step, to which positions in `pieces` refer */
};

struct thesis_state {
    struct thesis_rules rules;
    uint32_t n;
    uint32_t *tour; /* [n]: the best tour so far, rotated so that pieces are cut from its begin on */
    int64_t first;  /* length of the best tour of the first macro cycle, with which deposits are scaled */
    /* number of fixed edges times TSP_FAR: a length plus fixed_length is the length without fixed edges,
     * whose distances are -TSP_FAR */
    int64_t fixed_length;
    struct tsp_look look;
    double macro_s, micro_s; /* seconds spent on each level since the run began or was resumed */
    struct thesis_history history;
    atomic_uint_fast64_t visited; /* number of cities that ants on the host have visited */
};

/* The macro or the micro level of the thesis, on the host or on a device. */
struct thesis_level {
    const struct thesis_level_ops *ops;
    struct shoal_solver *solver;
    struct thesis_state *state;
    struct shoal_device *device; /* NULL: the level runs on the host */
    struct shoal_queue *queue;
    struct programs *programs;
    const struct tsp_places *places;
    void *own;
};

struct thesis_level_ops {
    enum shoal_status (*create)(struct thesis_level *level, struct shoal_error *error);
    /* must accept the state that a failed call of `create` has left */
    void (*destroy)(struct thesis_level *level);
    /* NULL: nothing is done before the first step */
    enum shoal_status (*begin)(struct thesis_level *level, struct shoal_error *error);
    enum shoal_status (*step)(struct thesis_level *level, uint64_t step, struct shoal_error *error);
    /* NULL: the level has no state between steps, so it needs neither `save` nor `load` */
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
/* Sets the state before the first step. start: a start tour of the form; NULL: no start tour. */
void thesis_state_begin(const struct tsp_problem *problem, const uint32_t *start, struct thesis_state *state);
/* Records the shortest tour of macro step `step` in the state, as the best tour if it is shorter. Returns the
 * pheromone that the tour deposits on its edges. */
float thesis_state_take(struct thesis_state *state, uint64_t step, int64_t length, const uint32_t *tour);
/* Must be called after micro step `step`, whose result is state->tour. length: length of this tour in the
 * form. */
void thesis_state_joined(struct thesis_state *state, uint64_t step, int64_t length);

/* thesis_state_save and thesis_state_load save and load the sections of the state. thesis_base_save and
 * thesis_base_load save and load `base`, the pheromone of all edges that are in no row. */
void thesis_state_save(struct thesis_state *state, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status thesis_state_load(const struct tsp_run *run, struct thesis_state *state,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status thesis_base_load(const struct checkpoint *checkpoint, float *base,
                                                    struct shoal_error *error);
void thesis_base_save(struct checkpoint *checkpoint, const float *base);

SHOAL_MUST_CHECK enum shoal_status thesis_record_macro(struct thesis_state *state, const uint32_t *tour,
                                                       struct shoal_error *error);
/* thesis_record_begin must be called before a micro step, and thesis_record_joint after it. thesis_recorded
 * returns the memory to which the piece that begins at position `first` writes its tours, or NULL if the run
 * does not record tours. */
SHOAL_MUST_CHECK enum shoal_status thesis_record_begin(struct thesis_state *state, struct shoal_error *error);
uint8_t *thesis_recorded(const struct thesis_state *state, uint32_t first);
SHOAL_MUST_CHECK enum shoal_status thesis_record_joint(struct thesis_state *state, struct shoal_error *error);
void thesis_history_free(struct thesis_history *history);

/* Returns the state of a solver of the algorithm thesis, whose form must have more than TSP_ONE_TOUR
 * cities. */
const struct thesis_state *thesis_state_of(const struct shoal_solver *solver);

#endif
