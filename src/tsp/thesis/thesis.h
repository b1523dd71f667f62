/* Private: the two levels of the thesis. Macro level: an ant system over all cities. Micro level: ant systems
 * with 2-opt over pieces of the tour. docs/tsp.md, "Thesis", has the rules. */
#ifndef SHOAL_TSP_THESIS_H
#define SHOAL_TSP_THESIS_H

#include "tsp/tsp.h"

struct thread_choice;

/* Least and most cities of a piece; smaller pieces are not changed. */
enum { THESIS_LEAST_PIECE = 4, THESIS_MOST_PIECE = 256 };

/* The parameters of a run as they take effect. */
struct thesis_rules {
    float alpha, beta;
    float keep; /* factor of the pheromone in a cycle: 1 - rho */
    /* factor for rounding errors, by which the weight of a longer edge may exceed that of a shorter edge with
     * the same pheromone */
    float margin;
    double deposit;  /* the constant Q of the thesis; a tour of length L deposits Q / L */
    uint32_t starts; /* number of start cities on the macro level */
    uint32_t pieces;
    /* number of candidates in a row of thesis_rows; 0: an ant examines all cities in each step */
    uint32_t candidates;
    uint32_t macro_cycles, micro_cycles, passes, piece;
    bool rewinds_late, draws, one_by_one;
    uint64_t seed;
};

void thesis_rules(const struct tsp_problem *problem, struct thesis_rules *rules);
/* Whether step `step` of a run is a macro cycle; if not, it is a micro step. */
static inline bool thesis_is_macro(const struct thesis_rules *rules, uint64_t step)
{
    return step < rules->macro_cycles;
}
static inline uint32_t thesis_start(const struct thesis_rules *rules, uint32_t n, uint32_t s)
{
    return (uint32_t)((uint64_t)s * n / rules->starts);
}
/* First position of piece f; the first position of piece `pieces` is n. */
static inline uint32_t thesis_cut(const struct thesis_rules *rules, uint32_t n, uint32_t f)
{
    return (uint32_t)((uint64_t)f * n / rules->pieces);
}
/* Number of positions by which the tour is rotated to the left before micro step `step`. */
static inline uint32_t thesis_turn(const struct thesis_rules *rules, uint32_t n, uint64_t step)
{
    return step ? n / (2 * rules->pieces) : 0;
}
void thesis_rotate(uint32_t *tour, uint32_t n, uint32_t left);
/* The deposit of a tour in fp32: Q first / length. Both lengths are without fixed edges. */
float thesis_amount(const struct thesis_rules *rules, int64_t first, int64_t length);
/* Sum of the lengths of fixed edges in the form, which is subtracted from lengths. */
int64_t thesis_fixed_length(const struct tsp_problem *problem);

/* Pheromone of the macro level. The row of a city has the edges to its candidates, and then the edges of the
 * best tours of the cycles. All other edges have the pheromone `base`, so their weights are at most
 * beyond[city]. */
struct thesis_rows {
    uint32_t n, width;
    uint32_t *cities;     /* [n][width]: cities to which the edges of the rows lead */
    float *tau, *weights; /* [n][width]: pheromone and weights of these edges */
    uint32_t *used;       /* [n]: number of used entries in each row */
    float *beyond;        /* [n]: upper bound of the weights of edges outside of the row */
    /* pheromone of the edges that are in no row, and this pheromone raised to alpha */
    float base, base_trail;
};

/* Threads of the host, and data of their common work. */
struct thesis_work {
    struct thread_choice *threads;
    atomic_uint_fast64_t *progress; /* number of cities visited */
    struct long_step *cut;          /* NULL: nothing cuts the work */
};

/* Number of entries in a row: room for the candidates and for two edges of every cycle. */
static inline uint32_t thesis_row_width(const struct thesis_rules *rules)
{
    return rules->candidates + 2 * rules->macro_cycles;
}
/* thesis_rows_begin: makes the rows before the first cycle. thesis_rows_reinforce: updates the rows after a
 * cycle. thesis_rows_weigh: computes the weights, and must be called after each of these functions. */
SHOAL_MUST_CHECK enum shoal_status thesis_rows_begin(const struct tsp_problem *problem,
                                                     const struct thesis_rules *rules,
                                                     struct thesis_rows *rows, const struct thesis_work *work,
                                                     struct shoal_error *error);
void thesis_rows_reinforce(const struct thesis_rules *rules, struct thesis_rows *rows, const uint32_t *tour,
                           float amount);
void thesis_rows_weigh(const struct tsp_problem *problem, const struct thesis_rules *rules,
                       struct thesis_rows *rows, int threads);

/* thesis_base_kept: pheromone of edges in no row after a cycle. thesis_base_trail: `base` raised to alpha. */
float thesis_base_kept(const struct thesis_rules *rules, float base);
float thesis_base_trail(const struct thesis_rules *rules, float base);

/* The best tour of a cycle: the shortest; of equal lengths, the tour with the lowest start. */
struct thesis_best {
    int64_t length;
    uint32_t start;
    uint32_t *tour;
};

/* Constructs the tours of all ants of a cycle on the host. SHOAL_OUT_OF_HOST_MEMORY: there is no memory.
 * SHOAL_STOPPED: the cycle was cut. */
SHOAL_MUST_CHECK enum shoal_status thesis_ants(const struct tsp_problem *problem,
                                               const struct thesis_rules *rules,
                                               const struct thesis_rows *rows, uint64_t cycle,
                                               const struct thesis_work *work, struct thesis_best *best,
                                               struct shoal_error *error);

/* The micro level of one piece: solves the piece and reorders `cities`. tours (NULL: not wanted): receives
 * the best tour of each cycle, [micro_cycles][count], as indices in the old order. SHOAL_OUT_OF_HOST_MEMORY:
 * there is no memory. */
struct thesis_piece {
    const struct tsp_problem *problem;
    const struct thesis_rules *rules;
    uint32_t *cities;
    uint32_t count;
    uint32_t number; /* number of the piece for random numbers */
    uint64_t step;   /* number of the run's step for random numbers */
    uint8_t *tours;
};
SHOAL_MUST_CHECK enum shoal_status thesis_solve_piece(const struct thesis_piece *piece,
                                                      struct shoal_error *error);

/* A path through a piece, which 2-opt improves. */
struct thesis_path {
    uint8_t
        /* a closed tour of `count` cities, which contains the edge from the last to the first city of the
         * piece */
        *cities;
    uint32_t count;
    uint32_t first;        /* index of city 0 in `cities` */
    bool is_backward;      /* the path goes from `first` towards lower indices */
    const void *distances; /* [count][count]: int32_t, or int64_t if is_wide */
    bool is_wide;
};
/* Finds `first` and the direction of the path in a constructed tour. */
void thesis_find_ends(struct thesis_path *path);
/* Rotates and, if necessary, reverses the tour, so that city 0 is first and the last city of the piece is
 * last. */
void thesis_rewind(struct thesis_path *path);
void thesis_improve(const struct thesis_path *path, uint32_t passes);
int64_t thesis_path_length(const struct thesis_path *path);

extern const struct tsp_algorithm tsp_thesis;
extern const struct tsp_method thesis_host_method, thesis_device_method;

#endif
