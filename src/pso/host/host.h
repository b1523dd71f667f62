/* Private: the swarms of the host solver, in double precision. In struct search_host, p and best are the
 * personal bests. */
#ifndef SHOAL_PSO_HOST_H
#define SHOAL_PSO_HOST_H

#include "base/vectors/random.h"
#include "pso/pso.h"
#include "search/host/host.h"

struct pso_host {
    struct search_host search;
    struct pso_problem problem;
    const struct pso_host_moves *moves;
    double *v;       /* [total][dim]: velocities */
    uint32_t *links; /* links of the random topology: host_links.c */
    /* [total][problem.thesis.kept_words]: state of each particle's generator; NULL: generators have no
     * state */
    uint32_t *generators;
};

extern const struct search_host_ops pso_host_functions;

static inline struct pso_host *pso_host_of(const struct search_host *search)
{
    return (struct pso_host *)search;
}

/* Particles -------------------------------------------------------------------------------------------- */

/* Functions that fill an array write up to 8 numbers at a time, so arrays have room for this many numbers
 * after the last dimension. */
enum { PSO_HOST_PADDING = 8 };

/* Number of informants whose random numbers are drawn together, since few dimensions need few draws. */
enum { PSO_HOST_TOGETHER = 4 };

/* Count of doubles of scratch memory that a thread needs for a particle: a draw uses three arrays, a move at
 * most a sum and the numbers of some informants. */
static inline size_t pso_host_numbers(const struct pso_problem *problem)
{
    return (1 + PSO_HOST_TOGETHER) * (problem->search.dim + PSO_HOST_PADDING);
}

struct pso_host_moves {
    /* Draws a first position and velocity of particle i. */
    void (*draw)(struct search_host *search, size_t i, double *scratch);
    /* Moves particle i in step `step`. */
    void (*move)(struct search_host *search, size_t i, uint64_t step, double *scratch);
};

/* pso_host_moves_avx2: the same moves, with the same bits, for processors with AVX2. */
extern const struct pso_host_moves pso_host_moves, pso_host_moves_avx2;

/* Neighbourhoods --------------------------------------------------------------------------------------- */

/* Returns the number of words for the links of an island; 0: the topology has no random links. */
size_t pso_host_links_size(const struct pso_problem *problem);
/* Draws the links of an island, with the random numbers of its step `renew_at`. */
void pso_host_draw_links(struct search_host *search, size_t island);
/* Returns the index of the particle with the best personal best that particle i knows. */
size_t pso_host_goal(const struct pso_host *host, size_t i);
/* pso_host_informant_count: number of neighbours that inform particle i, for fully informed updates.
 * pso_host_list_informants: sets the indices of `count` neighbours from number `first` on. A particle without
 * neighbours is its own neighbour. */
size_t pso_host_informant_count(const struct pso_host *host, size_t i);
void pso_host_list_informants(const struct pso_host *host, size_t i, size_t first, size_t count, size_t *out);

#endif
