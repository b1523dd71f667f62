/* Private: the two levels of the thesis: an ant system over all cities (macro), then ant systems with 2-opt
 * over pieces of its tour (micro): docs/tsp.md, "Thesis". */
#ifndef SHOAL_TSP_THESIS_H
#define SHOAL_TSP_THESIS_H

#include "tsp/tsp.h"

struct thread_choice;

/* Least and most cities of a piece; a smaller piece stays as it is. */
enum { THESIS_LEAST_PIECE = 4, THESIS_MOST_PIECE = 256 };

/* The parameters of a run, resolved. */
struct thesis_rules {
    float alpha, beta;
    float keep;      /* the share of the pheromone that stays in a cycle: 1 - rho */
    float margin;    /* factor by which rounding may break the rule that weights of equal pheromone grow as
                      * distances fall */
    double deposit;  /* Q */
    uint32_t starts; /* number of start cities on the macro level */
    uint32_t pieces;
    uint32_t candidates; /* cities in a row of thesis_rows; 0: an ant considers all cities in each step */
    uint32_t macro_cycles, micro_cycles, passes, piece;
    bool rewinds_late, draws, one_by_one;
    uint64_t seed;
};

void thesis_rules(const struct tsp_problem *problem, struct thesis_rules *rules);
/* Step `step` of a run is a macro cycle, else the micro level once. */
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
/* Places by which the tour turns left before micro step `step` (0: the first). */
static inline uint32_t thesis_turn(const struct thesis_rules *rules, uint32_t n, uint64_t step)
{
    return step ? n / (2 * rules->pieces) : 0;
}
void thesis_rotate(uint32_t *tour, uint32_t n, uint32_t left);
/* fp32 of Q first / length, lengths without fixed edges. */
float thesis_amount(const struct thesis_rules *rules, int64_t first, int64_t length);
/* Fixed edges of the form: a tour's length without them is that much more. */
int64_t thesis_fixed_length(const struct tsp_problem *problem);

/* Pheromone of the macro level: the row of a city has the edges to its nearest cities, and behind these the
 * edges of the best tours of the cycles. All other edges have the same pheromone, `base`, so an edge that is
 * in no row has no larger weight than `beyond`. */
struct thesis_rows {
    uint32_t n, width;
    uint32_t *cities;       /* n * width */
    float *tau, *weights;   /* [cities][width], like the cities of the rows */
    uint32_t *used;         /* n: entries of the row */
    float *beyond;          /* n */
    float base, base_trail; /* pheromone, and raised to alpha */
};

/* The threads, and the work that they share, on the host. */
struct thesis_work {
    struct thread_choice *threads;
    atomic_uint_fast64_t *progress; /* cities visited */
    struct long_step *cut;          /* NULL: none */
};

/* Entries of a row with room for the edges of every cycle. */
static inline uint32_t thesis_row_width(const struct thesis_rules *rules)
{
    return rules->candidates + 2 * rules->macro_cycles;
}
/* thesis_rows_begin: the rows before the first cycle; thesis_rows_reinforce: changes them after a cycle;
 * thesis_rows_weigh: computes the weights after either. */
SHOAL_MUST_CHECK enum shoal_status thesis_rows_begin(const struct tsp_problem *problem,
                                                     const struct thesis_rules *rules,
                                                     struct thesis_rows *rows, const struct thesis_work *work,
                                                     struct shoal_error *error);
void thesis_rows_reinforce(const struct thesis_rules *rules, struct thesis_rows *rows, const uint32_t *tour,
                           float amount);
void thesis_rows_weigh(const struct tsp_problem *problem, const struct thesis_rules *rules,
                       struct thesis_rows *rows, int threads);

/* Pheromone of most edges after a cycle; raised to alpha. */
float thesis_base_kept(const struct thesis_rules *rules, float base);
float thesis_base_trail(const struct thesis_rules *rules, float base);

/* The best tour of a cycle: shortest, then of the lowest start. */
struct thesis_best {
    int64_t length;
    uint32_t start;
    uint32_t *tour;
};

/* A cycle's ants on the host. SHOAL_OUT_OF_HOST_MEMORY; SHOAL_STOPPED: the cycle was cut. */
SHOAL_MUST_CHECK enum shoal_status thesis_ants(const struct tsp_problem *problem,
                                               const struct thesis_rules *rules,
                                               const struct thesis_rows *rows, uint64_t cycle,
                                               const struct thesis_work *work, struct thesis_best *best,
                                               struct shoal_error *error);

/* The micro level of one piece: `cities`, in the order of the tour, get their new order. `tours` (NULL: not
 * wanted) receives the best tour of each cycle, micro_cycles times `count` places of cities of the old order.
 * SHOAL_OUT_OF_HOST_MEMORY. */
struct thesis_piece {
    const struct tsp_problem *problem;
    const struct thesis_rules *rules;
    uint32_t *cities;
    uint32_t count;
    uint32_t number; /* number of the piece in the counters of random numbers */
    uint64_t step;   /* step of the run in these counters */
    uint8_t *tours;
};
SHOAL_MUST_CHECK enum shoal_status thesis_solve_piece(const struct thesis_piece *piece,
                                                      struct shoal_error *error);

/* 2-opt of a path through a piece. */
struct thesis_path {
    uint8_t
        *cities; /* a closed tour of `count` cities with the edge from the last to the first of the piece */
    uint32_t count;
    uint32_t first;        /* place of city 0 in `cities` */
    bool is_backward;      /* the path runs towards lower places from there */
    const void *distances; /* count * count int32_t, or int64_t if is_wide */
    bool is_wide;
};
/* Finds `first` and the direction of a constructed tour. */
void thesis_find_ends(struct thesis_path *path);
/* Puts city 0 first and the last city last. */
void thesis_rewind(struct thesis_path *path);
void thesis_improve(const struct thesis_path *path, uint32_t passes);
int64_t thesis_path_length(const struct thesis_path *path);

extern const struct tsp_algorithm tsp_thesis;
extern const struct tsp_method thesis_host_method, thesis_device_method;

#endif
