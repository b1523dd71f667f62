/* Candidate lists: cases, and a reference that looks at all pairs. */
#ifndef SHOAL_TESTS_TSP_LISTS_H
#define SHOAL_TESTS_TSP_LISTS_H

#include "cities.h"
#include "tsp/model/neighbours.h"

struct lists_case {
    const char *name;
    enum cities_kind kind;
    enum shoal_tsp_metric metric;
    unsigned dim;
};
size_t lists_case_count(void);
const struct lists_case *lists_case_at(size_t index);

/* Paths, fixed edges, matrices. */
enum { LISTS_SPECIALS = 6 };
struct lists_special {
    const char *name;
    double *points;
    int32_t *matrix;
    struct cities cities;
};
void lists_open_special(struct lists_special *special, size_t index);
void lists_close_special(struct lists_special *special);

void lists_on_host(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind,
                   int threads, uint32_t *lists);
void lists_reference(const struct tsp_problem *problem, uint32_t count, enum tsp_neighbour_kind kind,
                     uint32_t *lists);

#endif
