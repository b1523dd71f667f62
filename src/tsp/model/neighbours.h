/* Private: candidate lists of the cities of a form. A list has first the cities joined to the city by fixed
 * edges, then near cities, sorted by distance and, for equal distances, by number. It contains neither the
 * city itself nor cities to which an edge is forbidden. SHOAL_TSP_NONE ends a list that is not full. Host and
 * devices compute equal lists. */
#ifndef SHOAL_TSP_NEIGHBOURS_H
#define SHOAL_TSP_NEIGHBOURS_H

#include "tsp/model/problem.h"
#include "workload/steps/long_step.h"

enum { TSP_MOST_NEIGHBOURS = 128 };

/* Kinds of candidate lists. NEAREST: the nearest cities. QUADRANT: an equal number of cities from each of the
 * four quadrants around the city (eight octants in 3D and on a sphere), then the nearest of the other cities
 * (D. S. Johnson and L. A. McGeoch 1997); for a matrix equal to NEAREST. */
enum tsp_neighbour_kind { TSP_NEAREST, TSP_QUADRANT };

/* Which candidate lists to compute, and how the host computes them. */
struct tsp_listing {
    uint32_t count; /* number of cities in a list */
    enum tsp_neighbour_kind kind;
    int threads;           /* most threads on the host; 0: the number that OpenMP gives */
    struct long_step *cut; /* the action that computes the lists, which may be cut; NULL: nothing cuts it */
};

/* Computes candidate lists on the host, lists[form.n * count]. Returns SHOAL_STOPPED if listing->cut ended
 * the work. */
SHOAL_MUST_CHECK enum shoal_status tsp_neighbours(const struct tsp_problem *problem,
                                                  const struct tsp_listing *listing, uint32_t *lists,
                                                  struct shoal_error *error);

/* Estimates the seconds that one thread of the host takes to compute the lists. */
double tsp_neighbours_seconds(const struct tsp_problem *problem, const struct tsp_listing *listing);

/* Returns how much an ant prefers a candidate by distance: nearest / distance, at most 1. `nearest`: the
 * least distance above 0 of the city's candidates. If has_zero, a candidate at distance 0 counts as if it
 * were at a tenth of `nearest`, with the preference 1. The result does not depend on the unit of length: it
 * is the quotient of two integers, rounded once. */
static inline double tsp_nearness(int64_t nearest, bool has_zero, int64_t distance)
{
    if (distance <= 0)
        return 1;
    return (double)nearest / (has_zero ? 10 * (double)distance : (double)distance);
}

/* Returns the length of the candidate lists of an algorithm, at most the number of other cities. `asked`:
 * length that the user wants; 0: the length of the caller's lists or, if the caller gives no lists,
 * `standard`. */
uint32_t tsp_list_length(const struct tsp_problem *problem, uint64_t asked, uint32_t standard);
/* Computes lists[form.n * count] from the caller's lists (problem->given), sorted by distance, with the
 * cities that the form adds. In an asymmetric problem, the list of a city has the cities to which a tour may
 * go from it. The cities from which a tour may come follow from the lists that contain the city. */
void tsp_given_neighbours(const struct tsp_problem *problem, uint32_t count, int threads, uint32_t *lists);

/* Counts the connected components of the graph that has an edge from each city of the input to each city of
 * its list. The problem must be symmetric. */
SHOAL_MUST_CHECK enum shoal_status tsp_lists_components(const struct tsp_problem *problem,
                                                        const uint32_t *lists, uint32_t count,
                                                        uint32_t *components, struct shoal_error *error);

/* Returns a copy of the problem with another form: without path, fixed edges and asymmetry. The copy uses
 * memory of the problem and must not be destroyed. */
struct tsp_problem tsp_plain(const struct tsp_problem *problem);
/* Computes candidate lists, lists[n * count], for the cities of the input, by the distance from each city to
 * the others. */
SHOAL_MUST_CHECK enum shoal_status tsp_input_neighbours(const struct tsp_problem *problem, uint32_t count,
                                                        uint32_t *lists, struct shoal_error *error);

/* An element of an array that tsp_sort_keys sorts. */
struct tsp_keyed {
    uint64_t key;
    uint32_t number;
};
/* Sorts by ascending key: a stable radix sort with digits of 11 bits. Returns the array that has the result,
 * `from` or `to`. */
struct tsp_keyed *tsp_sort_keys(struct tsp_keyed *from, struct tsp_keyed *to, size_t n);

/* Used by the host and devices. tsp_neighbour_parts returns the number of quadrants or octants, or 0 if the
 * lists do not use them. tsp_near_levels returns the number of levels of the tree of boxes; level `level` has
 * the nodes first[level] .. first[level + 1] - 1. */
enum { TSP_NEAR_LEVELS = 17 };
uint32_t tsp_neighbour_parts(const struct tsp_problem *problem, enum tsp_neighbour_kind kind);
uint32_t tsp_near_levels(uint32_t places, uint32_t first[TSP_NEAR_LEVELS]);

#endif
