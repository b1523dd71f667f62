/* Private: the swarms of the host solver, in double precision.
 *
 * Coordinate d of particle i (of all islands, one behind the other) is at i * dim + d. A step of a run goes
 * batch by batch: `propose` moves the particles of the batch, their values are written to y, `accept` keeps
 * the bests; `settle` ends the step and updates the records of the islands. Values come from the objective
 * (`evaluate`), or from a caller by ask and tell. Particles of a batch do not depend on one another, so the
 * number of threads changes no result.
 */
#ifndef SHOAL_PSO_REFERENCE_H
#define SHOAL_PSO_REFERENCE_H

#include "base/threads.h"
#include "pso/pso.h"
#include "search/polish.h"
#include "workload/arrays.h"

#include <stdatomic.h>

enum { REFERENCE_GENERATOR = 6 }; /* words of a XORWOW state */

/* Record of an island: docs/pso.md, "Islands, restarts, ends". */
struct pso_host_island {
    double goal, mark,
        champion;      /* best of its particles, best at the last improvement that counted, best ever */
    uint64_t stagnant; /* steps since the mark */
    uint64_t restarts, links_at;
    uint64_t leader; /* particle, within the island, that holds its best */
};

struct pso_host_run {
    uint64_t steps;      /* done */
    uint64_t not_finite; /* evaluations */
    uint64_t ended, reached;
};

/* Particles that a thread moved, evaluated or kept, for the watchdog; in a cache line of its own. */
struct progress_counter {
    _Alignas(64) _Atomic uint64_t count;
};

struct pso_host {
    struct pso_problem problem;
    double *x, *v, *p;      /* total * dim */
    double *best, *y;       /* total: value at p, and at x */
    unsigned char *outside; /* total: not to be evaluated (SHOAL_PSO_INVISIBLE) */
    struct pso_host_island *islands;
    struct pso_host_run *runs;
    double *champion;                  /* islands * dim: position of the island's champion */
    uint32_t *links;                   /* random topology: see host_links.c */
    uint32_t *generators;              /* total * REFERENCE_GENERATOR, --random glob; else NULL */
    double *trace;                     /* entry * runs + run */
    double *scratch;                   /* threads * pso_host_scratch() */
    int threads;                       /* at most */
    struct progress_counter *progress; /* threads */
    double particle_seconds;           /* time of an evaluation and a move; 0: not measured */
    double spent_s;                    /* by all threads on the particles of a step, without waiting */
    struct thread_choice choice;       /* where threads share the particles of a step, or the runs */
    bool drawn;                        /* step 0 is done */
    struct search_summary summary;
    struct search_polish *polish; /* of the last result; NULL: none */
    double *best_out, *position_out;
    uint64_t *ended_out;
    bool *reached_out;
    uint64_t saved_steps; /* of the checkpoint being written */
    struct arrays arrays; /* those above */
};

/* threads 0: as many as OpenMP gives. `params` must outlive the swarms. On failure nothing is left to
 * destroy. */
SHOAL_MUST_CHECK enum shoal_status pso_host_create(struct shoal *shoal, const struct shoal_pso_params *params,
                                                   int threads, struct pso_host *host,
                                                   struct shoal_error *error);
void pso_host_destroy(struct pso_host *host); /* accepts zeros */

/* Resets to the state before step 0. */
void pso_host_reset(struct pso_host *host);

/* Steps ------------------------------------------------------------------------------------------------ */

/* Does step 0 if it is not done yet, then up to `steps` steps of every run that has not ended; returns the
 * largest number of steps done. */
uint64_t pso_host_advance(struct pso_host *host, uint64_t steps);
bool pso_host_ended(const struct pso_host *host);        /* every run */
uint64_t pso_host_steps(const struct pso_host *host);    /* of the run that went on longest */
uint64_t pso_host_progress(const struct pso_host *host); /* of all threads; from any thread */

/* The next step of a run, 0: the first draw. */
static inline uint64_t pso_host_making(const struct pso_host *host, size_t run)
{
    return host->drawn ? host->runs[run].steps + 1 : 0;
}

/* Threads that work on the particles of a batch: the caller alone, or so many. */
struct pso_host_team {
    int threads;
    int thread; /* number of the caller if it works alone */
};

/* For the batches of a run. */
struct pso_host_team pso_host_team(const struct pso_host *host);

/* One batch of a step: new positions; y from the objective; bests from y. */
void pso_host_propose(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team);
void pso_host_evaluate(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team);
void pso_host_accept(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team);
size_t pso_host_batches(const struct pso_host *host); /* of a step */

/* Particles of a batch, numbered from 0: those of all islands of the run. */
size_t pso_host_batch_size(const struct pso_host *host, size_t batch);
size_t pso_host_batch_particle(const struct pso_host *host, size_t run, size_t batch, size_t number);

/* Updates the records of a run after the last batch of a step. Step 0 is done once every run has settled it
 * and `drawn` is set. */
void pso_host_settle(struct pso_host *host, size_t run);

/* Ends a run by target and stagnation, which may differ from those of the checkpoint. */
void pso_host_look_for_end(struct pso_host *host, size_t run);

/* The island that holds the best position of a run. */
size_t pso_host_champion(const struct pso_host *host, size_t run);

/* The outcome so far, checked; with `polish` improved by a pattern search, once for the same steps. */
SHOAL_MUST_CHECK enum shoal_status pso_host_result(struct pso_host *host, bool polish,
                                                   struct shoal_result *out, struct shoal_error *error);

/* Particles -------------------------------------------------------------------------------------------- */

/* Numbers a thread needs for a particle. */
size_t pso_host_scratch(const struct pso_problem *problem);

static inline double *pso_host_scratch_of(const struct pso_host *host, int thread)
{
    return host->scratch + (size_t)thread * pso_host_scratch(&host->problem);
}

/* Draws particle i anew, or moves it in that step. */
void pso_host_draw(struct pso_host *host, size_t i, double *scratch);
void pso_host_move(struct pso_host *host, size_t i, uint64_t step, double *scratch);

/* In [0, 1), as in the kernels in double precision. */
static inline double pso_host_uniform(uint32_t word)
{
    return (double)word * 2.3283064365386962890625e-10;
}

/* --random glob and reg: r1 and r2 of `count` dimensions; the generator of a particle that is drawn anew. */
void pso_host_xorwow(struct pso_host *host, size_t i, uint32_t step, size_t count, double *r1, double *r2);
void pso_host_xorwow_start(struct pso_host *host, size_t i);

/* Neighbourhoods --------------------------------------------------------------------------------------- */

/* uint32_t numbers of `links` for an island. */
size_t pso_host_links_size(const struct pso_problem *problem);
/* Draws the links of an island as of its step `links_at`. */
void pso_host_draw_links(struct pso_host *host, size_t island);
/* The particle with the best position that particle i knows. */
size_t pso_host_goal(const struct pso_host *host, size_t i);
/* Neighbours of particle i for fully informed updates, only itself if it has no other. */
size_t pso_host_informant_count(const struct pso_host *host, size_t i);
size_t pso_host_informant(const struct pso_host *host, size_t i, size_t number);

/* State ------------------------------------------------------------------------------------------------ */

/* The table of the arrays, with the trace of so many steps. */
void pso_host_list_arrays(struct pso_host *host, uint64_t steps);
SHOAL_MUST_CHECK enum shoal_status pso_host_save(struct pso_host *host, struct checkpoint *checkpoint,
                                                 struct shoal_error *error);
/* After a failure the state is that before step 0. */
SHOAL_MUST_CHECK enum shoal_status pso_host_load(struct pso_host *host, const struct checkpoint *checkpoint,
                                                 struct shoal_error *error);

#endif
