/* Private: iterated Lin-Kernighan search on the host: rules, cells and steps. docs/tsp.md, "Lin-Kernighan
 * search", has the rules. */
#ifndef SHOAL_TSP_LK_H
#define SHOAL_TSP_LK_H

#include "tsp/tsp.h"

/* BATCH: most cells of a step. CELL: number of cities of a cell at which a problem is divided. */
enum { LK_BATCH = 16, LK_CELL = 5000 };
/* Most reversals between a kick and the decision whether it is undone. */
enum { LK_FLIPS = 4096 };

/* Rules of a run, and the tables that steps only read. */
struct lk {
    const struct tsp_problem *problem;
    uint64_t seed;
    uint32_t n, k;        /* numbers of cities and of candidates of a city */
    uint32_t cells;       /* number of cells of a division */
    uint32_t most_cities; /* most cities of a cell */
    uint32_t batches;     /* number of steps that visit each cell of a division once */
    uint32_t visits;      /* number of visits of each cell of a division */
    bool is_plain;        /* distances are straight lines in the plane, rounded; no edge is fixed */
    uint32_t *lists;      /* [n][k]: candidates */
    uint32_t *first;      /* [n]: the first tour */
};

/* A cell: some cities with the tour restricted to them, as a closed tour of its own. Two cities that follow
 * each other in the cell but not in the whole tour are joined by a link, which stands for the path outside.
 * Numbers of cities in a cell are their places in the restricted tour when the cell is loaded. */
struct lk_cell {
    const struct lk *lk;
    uint32_t n, k;
    uint32_t *ids;       /* [n]: cities of the form */
    uint32_t *order;     /* [n]: the tour */
    uint32_t *place;     /* [n]: index of each city in the tour */
    uint32_t *lists;     /* [n][k]: candidates in the cell, ended by SHOAL_TSP_NONE */
    int32_t *near;       /* [n][k]: distances of the candidates */
    double *places;      /* [n][2]: coordinates, used if lk->is_plain */
    uint32_t (*kept)[2]; /* [n]: cities joined by edges that stay: before, after; or SHOAL_TSP_NONE */
    unsigned char
        *is_link;    /* [n]: bit 1: the kept edge to the city before is a link; bit 2: to the city after */
    uint32_t *queue; /* ring of n cities that wait for a search; `count` cities from index `head` on */
    bool *waits;
    uint32_t head, count;
    uint32_t (*flips)[2]; /* [LK_FLIPS]: reversals since the last kick: first and last place */
    uint32_t flip_count;
    int64_t longest; /* length up to which an edge is not long */
    int64_t gain;    /* decrease of the length since the last kick */
    int64_t delta;   /* change of the length by the visit of the cell */
    uint64_t kicks;
};

/* What a visit of a cell does. */
struct lk_visit {
    uint32_t step, cell; /* counters of the random numbers */
    bool is_first;       /* the visit is the cell's first in its division */
    bool is_mending;     /* improves the tour from the ends of its long edges alone, without kicks */
    double threshold;    /* a worse tour is kept if it is longer by at most this part of a mean leg */
    struct long_step *cut;
};

/* Improves the tour of a cell from all its cities in a first visit, then by kicks, in lk->visits visits one
 * for each city.
 * lk_search_any is for all forms; lk_search_plane is faster. */
typedef void lk_search_function(struct lk_cell *cell, const struct lk_visit *visit);
lk_search_function lk_search_any, lk_search_plane;

/* The whole tour with its division into cells. */
struct lk_whole {
    uint32_t *order;     /* [n]: the tour */
    uint32_t *place;     /* [n]: index of each city in the tour */
    uint32_t (*next)[2]; /* [n]: the two neighbours of each city, while cells are joined */
    uint32_t *cell_of;   /* [n]: number of the cell of each city */
    uint32_t *local;     /* [n]: number of each city in its cell; number of its part while parts are joined */
    uint32_t *members;   /* [n]: cities by cell, in the order of the tour */
    uint32_t *begins;    /* [cells + 1]: index of the first member of each cell */
    uint64_t division;   /* number of the division by coordinates that cell_of holds; UINT64_MAX: none */
};

/* Sets places, cells and members. What cities with coordinates are divided into depends on the number of the
 * division alone; otherwise consecutive cities of the tour are in a cell. */
void lk_divide(const struct lk *lk, struct lk_whole *whole, uint64_t division);
/* Loads the members of cell `number`. */
void lk_cell_load(const struct lk_whole *whole, uint32_t number, struct lk_cell *cell);
/* Writes the neighbours of the cell's cities to whole->next. */
void lk_cell_store(const struct lk_whole *whole, const struct lk_cell *cell);
/* Joins the parts into which the neighbours divide the cities, and writes the tour to whole->order. Returns
 * the change of the length by the edges that join the parts. */
int64_t lk_join(const struct lk *lk, struct lk_whole *whole);

/* Sets the rules. After a failure lk_destroy frees what was allocated. */
SHOAL_MUST_CHECK enum shoal_status lk_create(struct shoal_solver *solver, struct lk *lk,
                                             struct shoal_error *error);
/* Function `prepare` of struct tsp_method: makes the lists and, if is_first, the first tour. After a failure
 * there are none. */
SHOAL_MUST_CHECK enum shoal_status lk_prepare(struct shoal_solver *solver, struct lk *lk, bool is_first,
                                              struct shoal_error *error);
void lk_destroy(struct lk *lk); /* accepts a struct of zeros */

extern const struct tsp_method lk_host_method;

#endif
