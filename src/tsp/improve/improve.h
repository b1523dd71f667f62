/* Private: local search, which improves closed tours of a form by moves that shorten them. docs/tsp.md,
 * "Local search", has the rules. Devices make exactly the same moves (src/tsp/improve/device.h).
 *
 * The search has a queue of cities, each at most once. With first improvement, a round takes the first 32
 * cities out of the queue and finds the best move of each on the current tour. Then it makes these moves one
 * after another, except those that no longer shorten the tour after the preceding moves, and adds the ends of
 * changed edges to the queue. A city without a move is not added again (a don't-look bit). With best
 * improvement, a round finds the best moves of all cities in the queue, and makes only the best of these
 * moves. Without don't-look bits, no city is added to the queue: when the queue is empty, all cities are
 * added if a move was made since all cities were last added.
 */
#ifndef SHOAL_TSP_IMPROVE_H
#define SHOAL_TSP_IMPROVE_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

/* Kinds of moves. 2OPT: 2-opt. 2HOPT: 2-opt and insertions of single cities. OROPT: moves of segments of one
 * to three cities. 2OPT_OROPT: 2-opt and moves of segments of one to three cities. 3OPT: 3-opt, 2-opt and
 * moves of segments of one to three cities. */
enum tsp_moves { TSP_MOVES_2OPT, TSP_MOVES_2HOPT, TSP_MOVES_OROPT, TSP_MOVES_2OPT_OROPT, TSP_MOVES_3OPT };

struct tsp_improve_rules {
    enum tsp_moves moves;
    bool is_best; /* best improvement instead of first improvement */
    bool no_bits; /* no don't-look bits: the search ends when none of all cities has a move */
    /* Candidate lists: [form.n][neighbours] cities, ascending by distance, as tsp_neighbours writes them. */
    const uint32_t *lists;
    uint32_t neighbours;
    /* most cities that a move may reverse or displace, which limits the time of a move in a long tour; 0: no
     * limit */
    uint32_t reach;
};

/* State and memory of a local search. Only one thread may use it at a time. */
struct tsp_improver;

/* Creates an improver. All memory to which `rules` points must outlive the improver. */
SHOAL_MUST_CHECK enum shoal_status tsp_improver_create(const struct tsp_problem *problem,
                                                       const struct tsp_improve_rules *rules,
                                                       struct tsp_improver **out, struct shoal_error *error);
void tsp_improver_destroy(struct tsp_improver **improver); /* accepts NULL, sets it to NULL */

/* Sets the numbers that determine the random order in which all cities are added to the queue; initially all
 * are 0. */
void tsp_improver_draw(struct tsp_improver *improver, uint64_t seed, uint32_t step, uint32_t ant);
/* Begins a search on `tour`, which the search changes in place. place: index of each city in the tour, which
 * the search updates; NULL: the improver uses an array of its own. wake: `count` different cities with which
 * the queue begins, in this order; NULL: the queue begins with all cities, in a random order (waiting_rank of
 * cl/tsp/improve/moves.clh). */
void tsp_improver_begin(struct tsp_improver *improver, uint32_t *tour, uint32_t *place, const uint32_t *wake,
                        size_t count);
/* Makes up to `rounds` rounds. Returns true if the search has ended: the queue is empty. */
bool tsp_improver_advance(struct tsp_improver *improver, uint64_t rounds);
/* tsp_improver_gain: by how much the tour has become shorter since tsp_improver_begin. tsp_improver_moves:
 * number of moves since tsp_improver_begin. */
int64_t tsp_improver_gain(const struct tsp_improver *improver);
uint64_t tsp_improver_moves(const struct tsp_improver *improver);

/* Improves a tour until the queue is empty, and returns the gain. wake and count: see tsp_improver_begin. */
int64_t tsp_improve(struct tsp_improver *improver, uint32_t *tour, const uint32_t *wake, size_t count);

/* Makes greedy tours differ: each length is multiplied by 1 to 1 + part, drawn for the edge and the tour. */
struct tsp_greedy_noise {
    double part;
    uint64_t seed;
    uint32_t tour; /* number of the tour */
};

/* Number of cities of a candidate list whose edges are tried. Later ones are hardly ever joined. */
static inline uint32_t tsp_greedy_used(uint32_t neighbours)
{
    return neighbours < 8 ? neighbours : 8;
}

/* Constructs a first tour by greedy edge matching: takes all fixed edges, then the candidate edges in
 * ascending order of length, as far as each can be in one tour with the edges taken before. Joins the
 * remaining fragments by short edges between their ends; with coordinates, between ends that are near each
 * other on a space-filling curve. With coordinates, the time is nearly linear in n. The same problem
 * and noise (NULL: none) give the same tour. Returns SHOAL_STOPPED if `cut` ended the work. */
SHOAL_MUST_CHECK enum shoal_status tsp_greedy_tour(const struct tsp_problem *problem, const uint32_t *lists,
                                                   uint32_t neighbours, const struct tsp_greedy_noise *noise,
                                                   struct long_step *cut, uint32_t *tour,
                                                   struct shoal_error *error);
struct tsp_curve;
/* Writes the cities to `order`, which has room for n cities: in the order of a curve through their
 * coordinates, or in the order 0 .. n - 1 for a matrix. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_order(const struct tsp_problem *problem,
                                                   const struct tsp_curve *curve, uint32_t *order,
                                                   struct shoal_error *error);

/* Constructs a tour in very little time: the cities in the order of a curve, except that chains of fixed
 * edges are kept together. */
SHOAL_MUST_CHECK enum shoal_status tsp_curve_tour(const struct tsp_problem *problem,
                                                  const struct tsp_curve *curve, uint32_t *tour,
                                                  struct shoal_error *error);

#endif
