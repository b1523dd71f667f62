/* Private: the swarms of the host solver, in double precision. p and best of struct search_host hold the
 * personal bests. */
#ifndef SHOAL_PSO_HOST_H
#define SHOAL_PSO_HOST_H

#include "pso/pso.h"
#include "search/host/host.h"

struct pso_host {
    struct search_host search;
    struct pso_problem problem;
    double *v;            /* [total][dim]: velocities */
    uint32_t *links;      /* random topology: see host_links.c */
    uint32_t *generators; /* [total][problem.thesis.kept_words]: state of each particle's generator; NULL: no
                           * state is kept */
};

extern const struct search_host_ops pso_host_functions;

static inline struct pso_host *pso_host_of(const struct search_host *search)
{
    return (struct pso_host *)search;
}

/* Particles -------------------------------------------------------------------------------------------- */

/* Numbers of scratch memory that a thread needs for a particle. */
size_t pso_host_numbers(const struct pso_problem *problem);

/* Draws particle i anew, or moves it in step `step`. */
void pso_host_draw(struct search_host *search, size_t i, double *scratch);
void pso_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch);

/* A word as a number in [0, 1), as kernels in double precision make it. */
static inline double pso_host_uniform(uint32_t word)
{
    return (double)word * 2.3283064365386962890625e-10;
}

/* Neighbourhoods --------------------------------------------------------------------------------------- */

/* Numbers of an island in `links`. */
size_t pso_host_links_size(const struct pso_problem *problem);
/* Draws the links of an island for its step `renew_at`. */
void pso_host_draw_links(struct search_host *search, size_t island);
/* The particle with the best position that particle i knows. */
size_t pso_host_goal(const struct pso_host *host, size_t i);
/* Neighbours of particle i for fully informed updates; a particle without neighbours gets itself. */
size_t pso_host_informant_count(const struct pso_host *host, size_t i);
size_t pso_host_informant(const struct pso_host *host, size_t i, size_t number);

#endif
