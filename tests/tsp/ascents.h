/* Problems and graphs for tests of the rounds of an ascent. */
#ifndef SHOAL_TESTS_TSP_ASCENTS_H
#define SHOAL_TESTS_TSP_ASCENTS_H

#include "cities.h"
#include "tsp/bound/bound.h"

/* The graph of an ascent before its rounds, with edges of the shortest tree over all pairs. */
void ascents_graph(const struct tsp_problem *problem, struct tsp_graph *graph);

/* Calls the function for symmetric problems of all kinds with 61 cities, and for points of many kinds with up
 * to `many` cities: at random, on a lattice, in two heaps far apart, doubled, on a line, at one place. */
void ascents_each(uint32_t many, void (*assert_problem)(const struct tsp_problem *problem));

#endif
