/* Private: the populations of the host solver, in double precision. In struct search_host, p and best are the
 * members and their values, x and y the children of a generation and their values. */
#ifndef SHOAL_GA_HOST_H
#define SHOAL_GA_HOST_H

#include "ga/ga.h"
#include "ga/host/reals.h"
#include "search/host/host.h"

#include <shoal/rng.h>

/* A member or child in an order by value. number: its index within the island. */
struct ga_ranked {
    double value;
    uint32_t number;
};

struct ga_host {
    struct search_host search;
    struct ga_problem problem;
    const struct ga_host_reals *reals;
    struct ga_sbx_shape sbx;
    /* [islands][ranked_each]: for each island, the order of its members, then the order of its children; see
     * ga_host_rank */
    struct ga_ranked *ranked;
    size_t ranked_each;
    /* [total]: running sums of the weights of an island's members; NULL: the selection has no weights */
    uint64_t *sums;
    double *kept; /* [islands * kept_each][dim]: copies of members that become members with other indices */
    double *kept_values;
    size_t kept_each;
    /* [islands * width]: values of the children before local search; NULL: there is no local search */
    double *judged;
    bool *marks; /* [islands][children + members]: marks of replace.c; NULL: not needed */
    /* State of problem.thesis; NULL: random numbers come from counters. */
    uint32_t *generators; /* [total]: states of the generators of the members */
    void *draws;          /* [total]: struct ga_thesis_draw, the random choices of each member */
    /* mail, [islands * migrants][dim]: individuals in the mailboxes; mail_values: their values */
    double *mail, *mail_values;
};

extern const struct search_host_ops ga_host_functions;

static inline struct ga_host *ga_host_of(const struct search_host *search)
{
    return (struct ga_host *)search;
}

/* Seed, step and first index for the random numbers of an island in a step. */
struct ga_place {
    uint64_t seed;
    uint32_t first; /* index of the island's first child in the counters of random numbers */
    uint32_t step;
};

static inline struct ga_place ga_host_place(const struct ga_problem *problem, size_t island, uint64_t step)
{
    const struct search_problem *search = &problem->search;
    const size_t run = search_host_part(island, search->run_islands),
                 first = island - run * search->run_islands;
    return (struct ga_place){search->params->seed + run, (uint32_t)(first * search->width), (uint32_t)step};
}

/* Children ---------------------------------------------------------------------------------------------- */

/* ga_host_draw: draws member i, in step 0 or at a restart. ga_host_move: makes child i and the children of
 * some pairs that follow, if it is the first of them; the others were made before. */
void ga_host_draw(struct search_host *search, size_t i, double *scratch);
void ga_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch);

/* ga_host_improve: improves the children of a run by local search. ga_host_improve_numbers: count of numbers
 * of scratch memory that a thread needs for a local search. */
void ga_host_improve(struct search_host *search, size_t run, struct search_team team);
size_t ga_host_improve_numbers(const struct ga_problem *problem);

/* The parents of a pair, as indices of members within the island. */
struct ga_parents {
    uint32_t a, b;
};

/* ga_host_prepare: computes the order of the members or their running weights, if the selection needs them.
 * ga_host_select: selects the parents of up to GA_SELECTED pairs from pair `first` on. ga_host_select_by:
 * returns those of one pair, for a caller that has the words of draw 0 of the pair: `select` of stream
 * GA_SELECT, `own` of stream GA_PAIR. */
void ga_host_prepare(struct search_host *search, size_t island);
enum { GA_SELECTED = 2 * RANDOM_TOGETHER };
void ga_host_select(const struct ga_host *host, size_t island, size_t first, size_t count, uint64_t step,
                    struct ga_parents parents[GA_SELECTED]);
struct ga_parents ga_host_select_by(const struct ga_host *host, size_t island, size_t pair, uint64_t step,
                                    struct shoal_words select, struct shoal_words own);

/* Index of a pair in the counters of random numbers. */
static inline uint32_t ga_host_index(const struct ga_problem *problem, const struct ga_place *place,
                                     size_t pair)
{
    return place->first + (uint32_t)(problem->is_cellular ? pair : 2 * pair);
}

/* Sorts the best `count` members of an island to the front of its part of `ranked`, and returns this part. */
struct ga_ranked *ga_host_rank(const struct ga_host *host, size_t island, size_t count);
/* Sorts by value; equal values by number. */
void ga_host_sort(struct ga_ranked *ranked, size_t count);

/* Replacement and migration ------------------------------------------------------------------------------ */

void ga_host_replace(struct search_host *search, size_t island, struct search_team team);
void ga_host_emigrate(struct search_host *search, size_t island);
void ga_host_immigrate(struct search_host *search, size_t island, size_t number,
                       const struct search_migrant *migrant);

#endif
