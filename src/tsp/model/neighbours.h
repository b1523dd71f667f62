/* Private: candidate lists: the cities near each city of the form, nearest first, of equal distance the lower
 * number first. Cities joined by a fixed edge come first of all; forbidden pairs and the city itself are left
 * out; a list that is not full ends with SHOAL_TSP_NONE. Host and devices make equal lists. */
#ifndef SHOAL_TSP_NEIGHBOURS_H
#define SHOAL_TSP_NEIGHBOURS_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

enum { TSP_MOST_NEIGHBOURS = 128 };

/* NEAREST: the nearest of all cities. QUADRANT: an equal number of cities from each of the four quadrants
 * (eight octants in 3D and on a sphere) around the city, then the nearest of the rest (D. S. Johnson and L.
 * A. McGeoch 1997); for a matrix as NEAREST. */
enum tsp_neighbour_kind { TSP_NEAREST, TSP_QUADRANT };

/* Describes the lists that a caller wants, and who makes them. */
struct tsp_listing {
    uint32_t count; /* number of cities of a list */
    enum tsp_neighbour_kind kind;
    int threads;           /* most threads of the host; 0: as many as OpenMP gives */
    struct long_step *cut; /* the work that may be cut before all lists are made; NULL: nothing cuts it */
};

/* Makes the candidate lists, lists[form.n * count]. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_neighbours(const struct tsp_problem *problem,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);

/* Estimates the time on one thread of the host, in s. */
double tsp_neighbours_seconds(const struct tsp_problem *problem, const struct tsp_listing *listing);

/* How much an ant prefers a near city: (nearest / distance), where `nearest` is the least distance above 0 of
 * the city's candidates. Candidates at distance 0 count as if they were at a tenth of that distance, and have
 * 1. The value does not depend on the unit of length: numerator and denominator are whole numbers, and their
 * quotient is rounded once. */
static inline double tsp_nearness(int64_t nearest, bool has_zero, int64_t distance)
{
    if (distance <= 0)
        return 1;
    return (double)nearest / (has_zero ? 10 * (double)distance : (double)distance);
}

/* Length of an algorithm's lists, at most the number of other cities: `asked`, or if `asked` is 0 the length
 * of the caller's lists, or without such lists `standard`. */
uint32_t tsp_list_length(const struct tsp_problem *problem, uint64_t asked, uint32_t standard);
/* Makes lists[form.n * count] of the caller's lists (problem->given), nearest first, with the cities that the
 * form adds. In an asymmetric problem the caller's list of a city has the cities to which a tour may go on;
 * the cities from which a tour may come are those whose lists have the city. */
void tsp_given_neighbours(const struct tsp_problem *problem, uint32_t count, int threads, uint32_t *lists);

/* Counts the connected parts of the graph that joins each city of the input to the cities of its list. The
 * problem must be symmetric. */
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
