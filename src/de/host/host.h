/* Private: differential evolution on the host, in double precision. In struct search_host, p and best are the
 * members, x and y the trials. */
#ifndef SHOAL_DE_HOST_H
#define SHOAL_DE_HOST_H

#include "base/vectors/random.h"
#include "de/de.h"
#include "search/host/host.h"

struct de_host {
    struct search_host search;
    struct de_problem problem;
    void (*move)(struct search_host *search, size_t i, uint64_t step, double *scratch); /* de_host_move */
    double *archive;       /* [islands * slots][dim]: members that were replaced */
    double *memory;        /* [islands * cells][2]: means of F and CR */
    double *below;         /* [islands * cells]: see de_host_find_below; valid in a step */
    uint32_t *counts;      /* [islands][DE_COUNTS] */
    struct de_step *steps; /* [islands]: the numbers of the step in progress; valid if it moves members */
    double *scale, *rate;  /* [total]: F and CR of the trials */
    double *own_scale, *own_rate; /* [total]: F and CR of the members; NULL: members have no F and CR */
    uint32_t *order;              /* [total]: members of each island, sorted by value */
    bool *stays;                  /* [total]: the member stays when the population shrinks */
    /* NULL: there is no epsilon level. level: [islands][DE_LEVEL_REALS], see cl/de/model/level.clh; levelled:
     * [total], values of the members at the level of the step; point: [islands][dim], scratch memory */
    double *level, *levelled, *point;
};

extern const struct search_host_ops de_host_functions;

static inline struct de_host *de_host_of(const struct search_host *search)
{
    return (struct de_host *)search;
}

/* Seed, index and step for the random numbers of a member. */
struct de_place {
    uint64_t seed;
    uint32_t index, step;
};

static inline struct de_place de_host_place(const struct de_problem *problem, size_t i, uint64_t step)
{
    const size_t each = problem->search.members * problem->search.run_islands;
    const size_t run = search_host_part(i, each);
    return (struct de_place){problem->search.params->seed + run, (uint32_t)(i - run * each), (uint32_t)step};
}

/* Write the numbers of `members` members to `order`. de_host_order: the first `best` are the best members,
 * sorted by value, then by number; the remaining members follow in any order. de_host_choose_worst: the first
 * `worst` are those that come last in this order, and are in any order themselves. */
void de_host_order(const double *values, size_t members, size_t best, uint32_t *order);
void de_host_choose_worst(const double *values, size_t members, size_t worst, uint32_t *order);

/* The values by which members are compared. */
static inline const double *de_host_values(const struct de_host *host)
{
    return host->levelled ? host->levelled : host->search.best;
}

/* The epsilon level (level.c). de_host_begin_level: sets the level of an island that is drawn in this step.
 * de_host_level: returns the level of an island in a step. de_host_levelled: returns the value of point x at
 * a level; rank: value of x in the constrained objective. */
void de_host_begin_level(struct search_host *search, size_t island);
double de_host_level(const struct de_host *host, size_t island, uint64_t step);
double de_host_levelled(struct de_host *host, size_t island, const double *x, double rank, double level);

/* Sets host->below for the cells of an island: the probability that a number of the Cauchy distribution about
 * the mean of F is not positive. */
void de_host_find_below(struct de_host *host, size_t island);

/* Number of members of an island whose trials are made together, with the first of them. */
enum { DE_HOST_TOGETHER = 8 };

/* Number of coordinates of a trial in scratch memory: whole blocks, of two for each random word of a draw. */
enum { DE_HOST_BLOCK = 8 };

static inline size_t de_host_padded(size_t dim)
{
    return (dim + DE_HOST_BLOCK - 1) / DE_HOST_BLOCK * DE_HOST_BLOCK;
}

/* de_host_prepare, de_host_draw, de_host_move, de_host_replace: functions of struct search_host_ops.
 * de_host_move_avx2: de_host_move, with the same bits, for processors with AVX2. */
void de_host_prepare(struct search_host *search, size_t island);
void de_host_draw(struct search_host *search, size_t i, double *scratch);
void de_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch);
void de_host_move_avx2(struct search_host *search, size_t i, uint64_t step, double *scratch);
void de_host_replace(struct search_host *search, size_t island, struct search_team team);

#endif
