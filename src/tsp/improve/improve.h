/* Private: local search of closed tours of a form: from a given tour to a tour that no move makes shorter.
 * docs/tsp.md, "Local search", has the rules; devices follow them to the last integer
 * (src/tsp/improve/device.h).
 *
 * Cities wait in a queue, at most once each. The first 32 cities each look for their best move on the present
 * tour. The moves are then made one after the other, if they still gain on the tour that the moves before
 * have changed, and the ends of their edges join the queue. A city without a move has left it (a don't-look
 * bit). With best improvement all cities of the queue look, and one move, the best of all, is made. Without
 * don't-look bits no city joins the queue; where it is empty and a move was made since all cities waited, all
 * wait again.
 */
#ifndef SHOAL_TSP_IMPROVE_H
#define SHOAL_TSP_IMPROVE_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

/* Moves: 2-opt; 2-opt with insertions of a city; moves of segments of one to three cities; 2-opt with such
 * moves; 3-opt with both. */
enum tsp_moves { TSP_MOVES_2OPT, TSP_MOVES_2HOPT, TSP_MOVES_OROPT, TSP_MOVES_2OPT_OROPT, TSP_MOVES_3OPT };

struct tsp_improve_rules {
    enum tsp_moves moves;
    bool is_best; /* best improvement instead of first */
    bool no_bits; /* local search without don't-look bits: it ends when a look at all cities finds no move */
    /* Candidates: form.n * neighbours cities, ascending by distance, as tsp_neighbours gives them. */
    const uint32_t *lists;
    uint32_t neighbours;
    /* the most cities that a move may turn or carry, which limits the time of a move in long tours; 0: any
     * number */
    uint32_t reach;
};

/* Scratch memory for tours of a problem, for one thread. */
struct tsp_improver;

/* Creates an improver. All memory that `rules` points to must stay valid as long as the improver. */
SHOAL_MUST_CHECK enum shoal_status tsp_improver_create(const struct tsp_problem *problem,
                                                       const struct tsp_improve_rules *rules,
                                                       struct tsp_improver **out, struct shoal_error *error);
void tsp_improver_destroy(struct tsp_improver **improver); /* accepts NULL, sets it to NULL */

/* Sets the numbers with which the order of all waiting cities is drawn from now on; they begin as 0, 0, 0. */
void tsp_improver_draw(struct tsp_improver *improver, uint64_t seed, uint32_t step, uint32_t ant);
/* Begins with a tour, which is improved in place. place: the place of each city in the tour, which the
 * improver updates; NULL: it uses its own array. The queue begins with the `count` cities of `wake`, each
 * once, in this order; NULL: with all cities, in another order than the tour's (waiting_rank of
 * cl/tsp/improve/moves.clh). */
void tsp_improver_begin(struct tsp_improver *improver, uint32_t *tour, uint32_t *place, const uint32_t *wake,
                        size_t count);
/* Makes up to `rounds` rounds. A round takes 32 cities, or with best improvement all cities that wait. True:
 * the queue is empty, and no city has a move. */
bool tsp_improver_advance(struct tsp_improver *improver, uint64_t rounds);
/* tsp_improver_gain: by how much the tour became shorter since `begin`. tsp_improver_moves: number of moves
 * since `begin`. */
int64_t tsp_improver_gain(const struct tsp_improver *improver);
uint64_t tsp_improver_moves(const struct tsp_improver *improver);

/* Improves a tour to the end; returns the gain. */
int64_t tsp_improve(struct tsp_improver *improver, uint32_t *tour, const uint32_t *wake, size_t count);

/* A first tour, in time near to linear in n for points: the shortest candidate edges that make a tour
 * possible (greedy edge matching), fixed ones first; the fragments that remain are joined by short edges
 * between ends that are near on a space-filling curve (of points) or nearest (of a matrix). Equal problems
 * get equal tours. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_tour(const struct tsp_problem *problem, const uint32_t *lists,
                                                   uint32_t neighbours, struct long_step *cut, uint32_t *tour,
                                                   struct shoal_error *error);
/* Fills `order`, which has room for n cities, with the cities in the order of a Hilbert curve through their
 * places; for a matrix with 0 .. n - 1. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_order(const struct tsp_problem *problem, uint32_t *order,
                                                   struct shoal_error *error);

/* Makes a tour in almost no time: the cities in the order of the curve, each chain of fixed edges in one
 * piece. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_tour(const struct tsp_problem *problem, uint32_t *tour,
                                                  struct shoal_error *error);

#endif
