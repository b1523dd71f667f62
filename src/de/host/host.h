/* Private: differential evolution of the host solver, in double precision. In struct search_host, p and best
 * hold the members, x and y the trials. */
#ifndef SHOAL_DE_HOST_H
#define SHOAL_DE_HOST_H

#include "de/de.h"
#include "search/host/host.h"

struct de_host {
    struct search_host search;
    struct de_problem problem;
    double *archive;              /* [islands * slots][dim]: replaced members */
    double *memory;               /* [islands * cells][2]: means of F and CR */
    uint32_t *counts;             /* [islands][DE_COUNTS] */
    double *scale, *rate;         /* [total]: F and CR of the trials */
    double *own_scale, *own_rate; /* [total]: F and CR of the members; NULL: members have none */
    uint32_t *order;              /* [total]: the members of each island, the best first */
    bool *stays;                  /* [total]: the member stays while others leave */
    /* With a level of violation, else NULL: [islands][DE_LEVEL_REALS], see cl/de/model/level.clh; [total]:
     * what the members count in this step; [islands][dim]: scratch. */
    double *level, *levelled, *point;
};

extern const struct search_host_ops de_host_functions;

static inline struct de_host *de_host_of(const struct search_host *search)
{
    return (struct de_host *)search;
}

/* The coordinates of a member in the counters of random numbers. */
struct de_place {
    uint64_t seed;
    uint32_t index, step;
};

static inline struct de_place de_host_place(const struct de_problem *problem, size_t i, uint64_t step)
{
    const size_t each = problem->search.members * problem->search.run_islands;
    return (struct de_place){problem->search.params->seed + i / each, (uint32_t)(i % each), (uint32_t)step};
}

/* Writes the numbers of `members` members to `order`: the `best` best first, in the order of their values,
 * among equals of their numbers; the others follow in any order. */
void de_host_order(const double *values, size_t members, size_t best, uint32_t *order);

/* The values by which members are compared. */
static inline const double *de_host_values(const struct de_host *host)
{
    return host->levelled ? host->levelled : host->search.best;
}

/* The level of violation (level.c): sets that of an island that this step has drawn; gives that of a step;
 * gives what a point with this rank counts at a level. */
void de_host_begin_level(struct search_host *search, size_t island);
double de_host_level(const struct de_host *host, size_t island, uint64_t step);
double de_host_levelled(struct de_host *host, size_t island, const double *x, double rank, double level);

/* Functions of struct search_host_ops. */
void de_host_prepare(struct search_host *search, size_t island);
void de_host_draw(struct search_host *search, size_t i, double *scratch);
void de_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch);
void de_host_replace(struct search_host *search, size_t island, struct search_team team);

#endif
