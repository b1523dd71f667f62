/* Small problems of each kind of form, without files: for tests of what works on forms. */
#ifndef SHOAL_TESTS_TSP_KINDS_H
#define SHOAL_TESTS_TSP_KINDS_H

#include "test.h"

#include "tsp/model/problem.h"

/* Whole coordinates; few of them, so that many cities share a place; far apart; with fractions; latitudes and
 * longitudes; a symmetric matrix; fixed edges; a path; an asymmetric matrix with forbidden pairs. */
enum kind { WHOLE, SHARED, LARGE, FRACTIONS, SPHERE, MATRIX, FIXED, PATH, ASYMMETRIC, KINDS };

struct kind_problem {
    struct tsp_problem problem;
    uint32_t *lists; /* by a search of all pairs, as tsp_neighbours gives them */
    uint32_t neighbours;
};

/* `n` cities of the input, at least 5; `neighbours` are at most those that there are. */
void kind_open(enum kind kind, uint32_t n, uint32_t neighbours, struct kind_problem *out);
void kind_close(struct kind_problem *kind);
const char *kind_name(enum kind kind);

/* A random tour of the form that holds the fixed edges, the same each time for a number. */
void kind_tour(const struct kind_problem *kind, uint32_t number, uint32_t *tour);
/* Fails unless each city is there once. */
void assert_tour(const struct tsp_problem *problem, const uint32_t *tour);

#endif
