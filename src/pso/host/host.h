/* Private: the swarms of the host solver, in double precision.
 *
 * Coordinate d of particle i (of all islands, one behind the other) stands at i * dim + d. A step of a run
 * goes batch by batch: `propose` moves the particles of the batch, their values are put into y, `accept`
 * keeps the bests; `settle` ends the step with the books of the islands. Values come from the objective
 * (`evaluate`), or from a caller who asks for positions and tells values. Particles of a batch do not depend
 * on one another, so the number of threads changes no result.
 */
#ifndef SHOAL_PSO_REFERENCE_H
#define SHOAL_PSO_REFERENCE_H

#include "pso/optimiser/polish.h"
#include "pso/pso.h"

#include <stdatomic.h>

enum { REFERENCE_GENERATOR = 6 }; /* words of a XORWOW state */

/* Books of an island: docs/pso.md, "Islands, restarts, ends". */
struct reference_island {
    double goal, mark,
        champion;      /* best of its particles, best at the last improvement that counted, best ever */
    uint64_t stagnant; /* steps since the mark */
    uint64_t restarts, links_at;
    uint64_t leader; /* particle, within the island, that holds its best */
};

struct reference_run {
    uint64_t steps;      /* made */
    uint64_t not_finite; /* evaluations */
    uint64_t ended, reached;
};

/* Particles that a thread moved, evaluated or kept, for who watches from outside whether it comes forward; in
 * a cache line of its own. */
struct reference_beat {
    _Alignas(64) _Atomic uint64_t count;
};

struct reference {
    struct pso_problem problem;
    double *x, *v, *p;      /* total * dim */
    double *best, *y;       /* total: value at p, and at x */
    unsigned char *outside; /* total: not to be evaluated (SHOAL_PSO_INVISIBLE) */
    struct reference_island *islands;
    struct reference_run *runs;
    double *champion;             /* islands * dim: position of the island's champion */
    uint32_t *links;              /* random topology: see host_links.c */
    uint32_t *generators;         /* total * REFERENCE_GENERATOR, --random glob; else NULL */
    double *trace;                /* entry * runs + run */
    double *scratch;              /* threads * reference_scratch() */
    int threads;                  /* at most */
    struct reference_beat *beats; /* threads */
    double particle_seconds;      /* an evaluation and a move take; 0: not measured */
    bool drawn;                   /* step 0 is made */
    struct pso_summary summary;
    struct pso_polish *polish; /* of the last result; NULL: none */
    double *best_out, *position_out;
    uint64_t *ended_out;
    bool *reached_out;
    uint64_t saved_steps; /* of the checkpoint being written */
};

/* threads 0: as many as OpenMP gives. `params` must outlive the swarms. On failure nothing is left to
 * destroy. */
SHOAL_MUST_CHECK enum shoal_status reference_create(struct shoal *shoal,
                                                    const struct shoal_pso_params *params, int threads,
                                                    struct reference *reference, struct shoal_error *error);
void reference_destroy(struct reference *reference); /* accepts zeros */

/* Back to where no step is made. */
void reference_reset(struct reference *reference);

/* Steps ------------------------------------------------------------------------------------------------ */

/* Makes step 0 where it is not made yet, then up to `steps` steps of every run that has not ended; returns
 * how many the longest made. */
uint64_t reference_advance(struct reference *reference, uint64_t steps);
bool reference_ended(const struct reference *reference);     /* every run */
uint64_t reference_steps(const struct reference *reference); /* of the run that went on longest */
uint64_t reference_beats(const struct reference *reference); /* of all threads; from any thread */

/* The step that a run makes next, 0: the first draw. */
static inline uint64_t reference_making(const struct reference *reference, size_t run)
{
    return reference->drawn ? reference->runs[run].steps + 1 : 0;
}

/* Who does the particles of a batch: the caller, or that many threads. */
struct reference_team {
    int threads;
    int thread; /* number of the caller, where he is alone */
};

/* For the batches of a run. */
struct reference_team reference_team(const struct reference *reference);

/* One batch of a step: new positions; y from the objective; bests from y. */
void reference_propose(struct reference *reference, size_t run, size_t batch, struct reference_team team);
void reference_evaluate(struct reference *reference, size_t run, size_t batch, struct reference_team team);
void reference_accept(struct reference *reference, size_t run, size_t batch, struct reference_team team);
size_t reference_batches(const struct reference *reference); /* of a step */

/* Particles of a batch, numbered from 0: those of all islands of the run. */
size_t reference_batch_size(const struct reference *reference, size_t batch);
size_t reference_batch_particle(const struct reference *reference, size_t run, size_t batch, size_t number);

/* Books of a run after the last batch of a step. Step 0 counts as made once every run has settled it and
 * `drawn` is set. */
void reference_settle(struct reference *reference, size_t run);

/* By target and stagnation, which may be others than when a checkpoint was written. */
void reference_look_for_end(struct reference *reference, size_t run);

/* The island that holds the best position of a run. */
size_t reference_champion(const struct reference *reference, size_t run);

/* The outcome so far, checked; with `polish` what a pattern search makes of it, once for the same steps. */
SHOAL_MUST_CHECK enum shoal_status reference_result(struct reference *reference, bool polish,
                                                    struct shoal_result *out, struct shoal_error *error);

/* Particles -------------------------------------------------------------------------------------------- */

/* Numbers a thread needs for a particle. */
size_t reference_scratch(const struct pso_problem *problem);

static inline double *reference_scratch_of(const struct reference *reference, int thread)
{
    return reference->scratch + (size_t)thread * reference_scratch(&reference->problem);
}

/* Draws particle i anew, or moves it in that step. */
void reference_draw(struct reference *reference, size_t i, double *scratch);
void reference_move(struct reference *reference, size_t i, uint64_t step, double *scratch);

/* In [0, 1), as the kernels have it in double precision. */
static inline double reference_uniform(uint32_t word)
{
    return (double)word * 2.3283064365386962890625e-10;
}

/* --random glob and reg: r1 and r2 of `count` dimensions; the generator of a particle that is drawn anew. */
void reference_xorwow(struct reference *reference, size_t i, uint32_t step, size_t count, double *r1,
                      double *r2);
void reference_xorwow_start(struct reference *reference, size_t i);

/* Neighbourhoods --------------------------------------------------------------------------------------- */

/* uint32_t numbers of `links` for an island. */
size_t reference_links_size(const struct pso_problem *problem);
/* Draws the links of an island as of its step `links_at`. */
void reference_draw_links(struct reference *reference, size_t island);
/* The particle with the best position that particle i knows. */
size_t reference_goal(const struct reference *reference, size_t i);
/* Neighbours of particle i for fully informed updates, itself only where it has no other. */
size_t reference_informant_count(const struct reference *reference, size_t i);
size_t reference_informant(const struct reference *reference, size_t i, size_t number);

/* State ------------------------------------------------------------------------------------------------ */

void reference_save(struct reference *reference, struct checkpoint *checkpoint);
/* After a failure no step is made. */
SHOAL_MUST_CHECK enum shoal_status
reference_load(struct reference *reference, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
