/* Private: the two levels of the thesis. The macro level is an ant system over all cities, the micro level
 * has an ant system with 2-opt for each piece of the tour. docs/tsp.md, "Thesis", describes the rules. */
#ifndef SHOAL_TSP_THESIS_H
#define SHOAL_TSP_THESIS_H

#include "tsp/tsp.h"

struct thread_choice;

/* Least and most cities of a piece. A piece with fewer cities is not changed. */
enum { THESIS_LEAST_PIECE = 4, THESIS_MOST_PIECE = 256 };

/* Values of the parameters in a run, with defaults inserted. */
struct thesis_rules {
    float alpha, beta;
    float keep; /* factor by which pheromone decreases in a cycle, 1 - rho */
    /* margin for rounding errors: by this factor the computed weight of a longer edge may exceed the weight
     * of a shorter edge with the same pheromone */
    float margin;
    double deposit;  /* the constant Q of the thesis */
    uint32_t starts; /* number of ants of the macro level, each of which has a start city of its own */
    uint32_t pieces;
    /* number of candidates in a row of struct thesis_rows; 0: an ant compares all cities that it has not
     * visited */
    uint32_t candidates;
    uint32_t macro_cycles, micro_cycles, passes, piece;
    bool rewinds_late, draws, one_by_one;
    uint64_t seed;
};

void thesis_rules(const struct tsp_problem *problem, struct thesis_rules *rules);
/* Returns whether step `step` of a run is a macro cycle; otherwise the step is a micro step. */
static inline bool thesis_is_macro(const struct thesis_rules *rules, uint64_t step)
{
    return step < rules->macro_cycles;
}
static inline uint32_t thesis_start(const struct thesis_rules *rules, uint32_t n, uint32_t s)
{
    return (uint32_t)((uint64_t)s * n / rules->starts);
}
/* Returns the first position of piece f in the tour; for f = pieces, n. */
static inline uint32_t thesis_cut(const struct thesis_rules *rules, uint32_t n, uint32_t f)
{
    return (uint32_t)((uint64_t)f * n / rules->pieces);
}
/* Returns the number of positions by which the tour is rotated to the left before micro step `step`. */
static inline uint32_t thesis_turn(const struct thesis_rules *rules, uint32_t n, uint64_t step)
{
    return step ? n / (2 * rules->pieces) : 0;
}
void thesis_rotate(uint32_t *tour, uint32_t n, uint32_t left);
/* Returns the pheromone that a tour deposits on its edges, in fp32: Q first / length. `first`: length of the
 * best tour of the first cycle; `length`: length of the tour; both without fixed edges. */
float thesis_amount(const struct thesis_rules *rules, int64_t first, int64_t length);
/* Returns the number of fixed edges times TSP_FAR. Since fixed edges have the distance -TSP_FAR, a length of
 * the form plus this value is the length without fixed edges. */
int64_t thesis_fixed_length(const struct tsp_problem *problem);

/* Pheromone of the macro level. The row of a city has the edges to the city's candidates, and then further
 * edges that were in best tours of cycles. All edges that are in no row have the pheromone `base`, and the
 * weights of a city's edges outside of its row are at most beyond[city]. */
struct thesis_rows {
    uint32_t n, width;
    uint32_t *cities;     /* [n][width]: the cities to which the edges in the row of a city lead */
    float *tau, *weights; /* [n][width]: pheromone and weights of the edges in the rows */
    uint32_t *used;       /* [n]: number of edges in each row */
    float *beyond;        /* [n]: upper bound of the weights of edges that are not in the row of a city */
    /* pheromone of the edges that are in no row, and this pheromone to the power of alpha */
    float base, base_trail;
};

/* Threads of the host, and data that they share. */
struct thesis_work {
    struct thread_choice *threads;
    atomic_uint_fast64_t *progress; /* number of cities visited, which the watchdog reads */
    struct long_step *cut;          /* the action in progress, which may be cut; NULL: nothing cuts it */
};

/* Returns the largest number of edges of a row: the candidates, and two edges of the best tour of every
 * cycle. */
static inline uint32_t thesis_row_width(const struct thesis_rules *rules)
{
    return rules->candidates + 2 * rules->macro_cycles;
}
/* thesis_rows_begin sets the rows before the first cycle. thesis_rows_reinforce updates the pheromone after a
 * cycle. thesis_rows_weigh computes the weights from the pheromone, and must be called after either of these
 * two. */
SHOAL_MUST_CHECK enum shoal_status thesis_rows_begin(const struct tsp_problem *problem,
                                                     const struct thesis_rules *rules,
                                                     struct thesis_rows *rows, const struct thesis_work *work,
                                                     struct shoal_error *error);
void thesis_rows_reinforce(const struct thesis_rules *rules, struct thesis_rows *rows, const uint32_t *tour,
                           float amount);
void thesis_rows_weigh(const struct tsp_problem *problem, const struct thesis_rules *rules,
                       struct thesis_rows *rows, int threads);

/* thesis_base_kept returns `base` as it is after a cycle. thesis_base_trail returns `base` to the power of
 * alpha. */
float thesis_base_kept(const struct thesis_rules *rules, float base);
float thesis_base_trail(const struct thesis_rules *rules, float base);

/* The shortest tour of a cycle; of tours with equal lengths, the tour with the lowest start. */
struct thesis_best {
    int64_t length;
    uint32_t start;
    uint32_t *tour;
};

/* Constructs the tours of all ants of a cycle on the host, and sets `best`. Returns SHOAL_STOPPED if
 * work->cut ended the work. */
SHOAL_MUST_CHECK enum shoal_status thesis_ants(const struct tsp_problem *problem,
                                               const struct thesis_rules *rules,
                                               const struct thesis_rows *rows, uint64_t cycle,
                                               const struct thesis_work *work, struct thesis_best *best,
                                               struct shoal_error *error);

/* A piece for thesis_solve_piece, which makes all micro cycles of the piece and writes the best path to
 * `cities`. tours (NULL: not wanted): receives the best tour of each cycle, [micro_cycles][count], as indices
 * in `cities` before the call. */
struct thesis_piece {
    const struct tsp_problem *problem;
    const struct thesis_rules *rules;
    uint32_t *cities;
    uint32_t count;
    uint32_t number; /* number of the piece, which selects random numbers */
    uint64_t step;   /* number of the run's step, which selects random numbers */
    uint8_t *tours;
};
SHOAL_MUST_CHECK enum shoal_status thesis_solve_piece(const struct thesis_piece *piece,
                                                      struct shoal_error *error);

/* A tour of the cities of a piece, read as a path from the first city of the piece to the last; 2-opt
 * improves the path. `cities`: closed tour of `count` cities, which has an edge from the last to the first
 * city of the piece. */
struct thesis_path {
    uint8_t *cities;
    uint32_t count;
    uint32_t first;        /* index in `cities` of the piece's first city, which has number 0 */
    bool is_backward;      /* the path goes from index `first` towards lower indices */
    const void *distances; /* [count][count]: int32_t, or int64_t if is_wide */
    bool is_wide;
};
/* Sets `first` and `is_backward` from the tour that an ant has constructed. */
void thesis_find_ends(struct thesis_path *path);
/* Rotates the tour and, if is_backward, reverses it, so that the first and the last element are the first and
 * the last city of the piece. */
void thesis_rewind(struct thesis_path *path);
void thesis_improve(const struct thesis_path *path, uint32_t passes);
int64_t thesis_path_length(const struct thesis_path *path);

extern const struct tsp_algorithm tsp_thesis;
extern const struct tsp_method thesis_host_method, thesis_device_method;

#endif
