/* Private: candidate lists: the cities near each city of the form, nearest first, of equal distance the lower
 * number first. Cities joined by a fixed edge come first of all; forbidden pairs and the city itself are left
 * out; a list that is not full ends with SHOAL_TSP_NONE. The same lists on host and devices. */
#ifndef SHOAL_TSP_NEIGHBOURS_H
#define SHOAL_TSP_NEIGHBOURS_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

enum { TSP_MOST_NEIGHBOURS = 128 };

/* NEAREST: of all cities. QUADRANT: the same number from each of the four quadrants (eight octants in 3D
 * and on a sphere) around the city, filled with the nearest of the rest (D. S. Johnson and L. A. McGeoch
 * 1997); of a matrix NEAREST. */
enum tsp_neighbour_kind { TSP_NEAREST, TSP_QUADRANT };

/* Describes the lists that a caller wants, and who makes them. */
struct tsp_listing {
    uint32_t count; /* cities of a list */
    enum tsp_neighbour_kind kind;
    int threads;           /* most threads of the host; 0: as many as OpenMP gives */
    struct long_step *cut; /* that may end before all lists are there; NULL: none */
};

/* lists[form.n * count]; SHOAL_STOPPED: they were cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_neighbours(const struct tsp_problem *problem,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);

/* About the time on one thread of the host, in s. */
double tsp_neighbours_seconds(const struct tsp_problem *problem, const struct tsp_listing *listing);

/* What ants prefer near cities by: (nearest / distance), `nearest` the least distance above 0 of a city's
 * candidates. Where some are at distance 0, these are taken to be at a tenth of it, and have 1. Nothing here
 * depends on the unit of length: numerator and denominator are whole numbers, and their quotient is rounded
 * once. */
static inline double tsp_nearness(int64_t nearest, bool has_zero, int64_t distance)
{
    if (distance <= 0)
        return 1;
    return (double)nearest / (has_zero ? 10 * (double)distance : (double)distance);
}

/* Length of an algorithm's lists, at most the number of other cities: `asked`; 0: the length of the caller's
 * lists, or without these `standard`. */
uint32_t tsp_list_length(const struct tsp_problem *problem, uint64_t asked, uint32_t standard);
/* The caller's lists (problem->given), nearest first, with what the form adds: lists[form.n *
 * count]. Of an asymmetric problem the caller's are those that a city is left to; it is entered from those
 * whose list has it. */
void tsp_given_neighbours(const struct tsp_problem *problem, uint32_t count, int threads, uint32_t *lists);

/* The graph joins each city of the input to the cities of its list. The problem must be symmetric. */
SHOAL_MUST_CHECK enum shoal_status tsp_lists_components(const struct tsp_problem *problem,
                                                        const uint32_t *lists, uint32_t count,
                                                        uint32_t *components, struct shoal_error *error);

/* The problem with the form that it would have without path, fixed edges and second cities. The copy must not
 * be destroyed. */
struct tsp_problem tsp_plain(const struct tsp_problem *problem);
/* tsp_neighbours for the cities of the input, without additions of the form, by the distance from each city.
 * lists[n * count]. */
SHOAL_MUST_CHECK enum shoal_status tsp_input_neighbours(const struct tsp_problem *problem, uint32_t count,
                                                        uint32_t *lists, struct shoal_error *error);

/* Used by the host and devices: number of quadrants or octants of the lists, 0: none; number of levels of the
 * tree, whose level `level` has nodes first[level] .. first[level + 1] - 1. */
enum { TSP_NEAR_LEVELS = 17 };
uint32_t tsp_neighbour_parts(const struct tsp_problem *problem, enum tsp_neighbour_kind kind);
uint32_t tsp_near_levels(uint32_t places, uint32_t first[TSP_NEAR_LEVELS]);

#endif
