/* Private: children that are closed tours of points. src/tsp/improve improves them, with Euclidean distances
 * as integers (SHOAL_TSP_EUCLID). docs/ga.md, "Local search". */
#ifndef SHOAL_GA_TOURS_H
#define SHOAL_GA_TOURS_H

#include "ga/model/problem.h"
#include "tsp/improve/improve.h"

struct ga_tours {
    struct shoal_tsp_problem *problem;
    struct tsp_improve_rules rules;
    /* candidate lists of `rules` on the host; NULL on a device */
    uint32_t *lists;
    /* [threads]: the improver of each thread of the host; NULL on a device */
    struct tsp_improver **improvers;
    size_t threads;
};

/* Creates the local search of tours for the objective of `problem`. moves: name of the moves, for messages.
 * SHOAL_INVALID: the objective is not the length of a tour of points with 2 or 3 coordinates, or it is
 * maximised. */
SHOAL_MUST_CHECK enum shoal_status ga_tours_create(const struct ga_problem *problem, const char *moves,
                                                   struct ga_tours **out, struct shoal_error *error);
void ga_tours_destroy(struct ga_tours **tours); /* accepts NULL, sets it to NULL */

/* ga_tours_open: creates the candidate lists and the memory for `threads` threads of the host.
 * ga_tours_enter: converts an order, `places`, to a tour, and returns the thread's improver for this tour;
 * tsp_improver_advance then improves it. tour: memory for one tour. */
SHOAL_MUST_CHECK enum shoal_status ga_tours_open(struct ga_tours *tours, size_t threads,
                                                 struct shoal_error *error);
struct tsp_improver *ga_tours_enter(const struct ga_tours *tours, size_t thread, const double *places,
                                    uint32_t *tour);
/* Converts the improved tour back to the order `places`, after the last call of tsp_improver_advance. */
void ga_tours_leave(const struct ga_tours *tours, const uint32_t *tour, double *places);

#endif
