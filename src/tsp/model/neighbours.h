/* Private: candidate lists of the cities of a form. The cities near a city are sorted by distance, then by
 * number; cities joined by a fixed edge are first. The city itself and forbidden pairs are left out, and a
 * list that is not full ends with SHOAL_TSP_NONE. Host and devices make equal lists. */
#ifndef SHOAL_TSP_NEIGHBOURS_H
#define SHOAL_TSP_NEIGHBOURS_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

enum { TSP_MOST_NEIGHBOURS = 128 };

/* NEAREST: the nearest cities. QUADRANT: an equal number of cities from each of the four quadrants around the
 * city (eight octants in 3D and on a sphere), then the nearest of the other cities (D. S. Johnson and L. A.
 * McGeoch 1997); for a matrix the same as NEAREST. */
enum tsp_neighbour_kind { TSP_NEAREST, TSP_QUADRANT };

/* The candidate lists to make, and how the host makes them. */
struct tsp_listing {
    uint32_t count; /* number of cities in a list */
    enum tsp_neighbour_kind kind;
    int threads;           /* most threads on the host; 0: as many as OpenMP gives */
    struct long_step *cut; /* the work, which may be cut before all lists are made; NULL: nothing cuts it */
};

/* Makes the candidate lists, lists[form.n * count]. SHOAL_STOPPED: the work was cut. */
SHOAL_MUST_CHECK enum shoal_status tsp_neighbours(const struct tsp_problem *problem,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);

/* Estimates the time to make the lists on one thread of the host, in s. */
double tsp_neighbours_seconds(const struct tsp_problem *problem, const struct tsp_listing *listing);

/* Preference of an ant for a near city: nearest / distance, where `nearest` is the least distance above 0 of
 * the city's candidates. A candidate at distance 0 counts as if its distance were a tenth of `nearest`, and
 * its preference is 1. The result does not depend on the unit of length: numerator and denominator are
 * integers, and their quotient is rounded once. */
static inline double tsp_nearness(int64_t nearest, bool has_zero, int64_t distance)
{
    if (distance <= 0)
        return 1;
    return (double)nearest / (has_zero ? 10 * (double)distance : (double)distance);
}

/* Length of an algorithm's candidate lists, at most the number of other cities. asked: length that the user
 * asks for; 0: the length of the caller's lists or, without such lists, `standard`. */
uint32_t tsp_list_length(const struct tsp_problem *problem, uint64_t asked, uint32_t standard);
/* Makes lists[form.n * count] from the caller's lists (problem->given), sorted by distance, including the
 * cities that the form adds. In an asymmetric problem, the caller's list of a city has the cities that a tour
 * may enter next; the cities from which a tour may come are those whose lists have the city. */
void tsp_given_neighbours(const struct tsp_problem *problem, uint32_t count, int threads, uint32_t *lists);

/* Counts the connected components of the graph in which each city of the input is joined to the cities of its
 * list. The problem must be symmetric. */
SHOAL_MUST_CHECK enum shoal_status tsp_lists_components(const struct tsp_problem *problem,
                                                        const uint32_t *lists, uint32_t count,
                                                        uint32_t *components, struct shoal_error *error);

/* Returns the problem with the form that it would have without path, fixed edges and asymmetry. The copy must
 * not be destroyed. */
struct tsp_problem tsp_plain(const struct tsp_problem *problem);
/* Makes candidate lists, lists[n * count], for the cities of the input instead of the form, by the distance
 * from each city. */
SHOAL_MUST_CHECK enum shoal_status tsp_input_neighbours(const struct tsp_problem *problem, uint32_t count,
                                                        uint32_t *lists, struct shoal_error *error);

/* For the host and devices. tsp_neighbour_parts: number of quadrants or octants, 0: none. tsp_near_levels:
 * number of levels of the tree; level `level` has the nodes first[level] .. first[level + 1] - 1. */
enum { TSP_NEAR_LEVELS = 17 };
uint32_t tsp_neighbour_parts(const struct tsp_problem *problem, enum tsp_neighbour_kind kind);
uint32_t tsp_near_levels(uint32_t places, uint32_t first[TSP_NEAR_LEVELS]);

#endif
