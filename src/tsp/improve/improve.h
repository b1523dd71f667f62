/* Private: local search of closed tours of a form: improves a tour until no move shortens it. docs/tsp.md,
 * "Local search", has the rules; devices make exactly the same moves (src/tsp/improve/device.h).
 *
 * A queue holds cities, each at most once. In a round, the first 32 cities leave the queue, and the best move
 * of each on the current tour is found. Then the moves are made one after another, if they still shorten the
 * tour after the moves before, and the ends of their edges are added to the queue. A city without a move is
 * not added (a don't-look bit). With best improvement, the best moves of all cities of the queue are found,
 * and the best of these moves is made. Without don't-look bits no city is added to the queue; when the queue
 * is empty, and a move was made since all cities were in the queue, all cities are put into the queue again.
 */
#ifndef SHOAL_TSP_IMPROVE_H
#define SHOAL_TSP_IMPROVE_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

/* Kinds of moves. 2OPT: 2-opt. 2HOPT: 2-opt and insertions of single cities. OROPT: moves of segments of one
 * to three cities. 2OPT_OROPT: 2-opt and moves of segments. 3OPT: 3-opt, 2-opt and moves of segments. */
enum tsp_moves { TSP_MOVES_2OPT, TSP_MOVES_2HOPT, TSP_MOVES_OROPT, TSP_MOVES_2OPT_OROPT, TSP_MOVES_3OPT };

struct tsp_improve_rules {
    enum tsp_moves moves;
    bool is_best; /* best improvement instead of first improvement */
    bool no_bits; /* no don't-look bits: the search ends when a pass over all cities finds no move */
    /* Candidates: [form.n][neighbours] cities, ascending by distance, as tsp_neighbours writes them. */
    const uint32_t *lists;
    uint32_t neighbours;
    /* most cities that a move may reverse or move, which limits the time of a move in long tours; 0: no
     * limit */
    uint32_t reach;
};

/* Memory of a local search, used by one thread at a time. */
struct tsp_improver;

/* Creates an improver. All memory to which `rules` points must outlive the improver. */
SHOAL_MUST_CHECK enum shoal_status tsp_improver_create(const struct tsp_problem *problem,
                                                       const struct tsp_improve_rules *rules,
                                                       struct tsp_improver **out, struct shoal_error *error);
void tsp_improver_destroy(struct tsp_improver **improver); /* accepts NULL, sets it to NULL */

/* Sets the numbers from which the order of all cities in the queue is drawn; initially 0, 0, 0. */
void tsp_improver_draw(struct tsp_improver *improver, uint64_t seed, uint32_t step, uint32_t ant);
/* Begins with a tour, which is improved in place. place: index of each city in the tour, which the improver
 * updates; NULL: the improver uses its own array. wake: the `count` cities with which the queue begins, each
 * once, in this order; NULL: the queue begins with all cities, in a random order (waiting_rank of
 * cl/tsp/improve/moves.clh). */
void tsp_improver_begin(struct tsp_improver *improver, uint32_t *tour, uint32_t *place, const uint32_t *wake,
                        size_t count);
/* Makes up to `rounds` rounds. A round takes 32 cities of the queue or, with best improvement, all of them.
 * True: the queue is empty, and no city has a move. */
bool tsp_improver_advance(struct tsp_improver *improver, uint64_t rounds);
/* tsp_improver_gain: decrease of the length since `begin`. tsp_improver_moves: number of moves since
 * `begin`. */
int64_t tsp_improver_gain(const struct tsp_improver *improver);
uint64_t tsp_improver_moves(const struct tsp_improver *improver);

/* Improves a tour until no city has a move; returns the gain. */
int64_t tsp_improve(struct tsp_improver *improver, uint32_t *tour, const uint32_t *wake, size_t count);

/* Constructs a first tour by greedy edge matching: fixed edges, then the shortest candidate edges with which
 * a tour is possible. The remaining fragments are joined by short edges between ends that are near each other
 * on a space-filling curve (points) or nearest (matrix). For points the time is nearly linear in n. Equal
 * problems get equal tours. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_tour(const struct tsp_problem *problem, const uint32_t *lists,
                                                   uint32_t neighbours, struct long_step *cut, uint32_t *tour,
                                                   struct shoal_error *error);
/* Writes the cities in the order of a Hilbert curve through their coordinates to `order`, which has room for
 * n cities; for a matrix, in the order 0 .. n - 1. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_order(const struct tsp_problem *problem, uint32_t *order,
                                                   struct shoal_error *error);

/* Makes a tour in very little time: cities are in the order of the curve, and chains of fixed edges are kept
 * together. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_tour(const struct tsp_problem *problem, uint32_t *tour,
                                                  struct shoal_error *error);

#endif
