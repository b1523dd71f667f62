/* Private: the parts of a swarm that only the thesis has: generators with a state, and the reductions of its
 * section 2.8. */
#ifndef SHOAL_PSO_THESIS_H
#define SHOAL_PSO_THESIS_H

#include <shoal/pso.h>

struct pso_host;
struct shoal_program_desc;
struct thesis_params;

/* The parts of the thesis that the parameters ask for. All zeros: none, as in every build without theses. */
struct pso_thesis {
    /* name, for messages, of a part that only the method "pipeline" has; NULL: there is none */
    const char *needs_pipeline;
    /* number of words of a generator's state that is kept between steps; 0: no state is kept */
    size_t kept_words;
    const struct shoal_program_desc *move; /* program to use instead of pso.move; NULL: pso.move */
    /* islands: program to use instead of search.island, NULL: search.island; argmin: value of its define
     * ARGMIN */
    const struct shoal_program_desc *islands;
    int32_t argmin;
    /* Functions of the host. pulls: draws r1 and r2 of particle i for `count` dimensions; NULL: r1 and r2
     * come from counters. start: sets the state of particle i's generator when the particle is drawn. */
    void (*pulls)(struct pso_host *host, size_t i, uint32_t step, size_t count, double *r1, double *r2);
    void (*start)(struct pso_host *host, size_t i);
};

#if SHOAL_THESES
extern const struct thesis_params pso_thesis_params;
extern const struct shoal_program_desc pso_thesis_islands_program, pso_thesis_move_program;
#define PSO_THESIS_PARAMS   &pso_thesis_params
#define PSO_THESIS_SIZE     sizeof(struct shoal_pso_thesis)
#define PSO_THESIS_PROGRAMS &pso_thesis_islands_program, &pso_thesis_move_program,
struct pso_thesis pso_thesis_of(const struct shoal_pso_params *params);
#else
#define PSO_THESIS_PARAMS NULL
#define PSO_THESIS_SIZE   0
#define PSO_THESIS_PROGRAMS
static inline struct pso_thesis pso_thesis_of(const struct shoal_pso_params *params)
{
    (void)params;
    return (struct pso_thesis){.needs_pipeline = NULL};
}
#endif

#endif
