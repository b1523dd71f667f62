/* Particle swarm optimisation: parameters of the workload "pso" (shoal_workload_find("pso")).
 *
 * Each island of a search (<shoal/search.h>) is a swarm of `particles` particles in `dim` dimensions. In a
 * step each particle gets a new velocity by the `update` rule from its personal best position p and the best
 * position l of its neighbourhood (the `topology`), moves, is put back by the `bounds` rule where it left the
 * box, is evaluated, and keeps the position if it is its best so far. Personal bests become visible to other
 * particles at the end of the step (synchronous), or after each `batch` particles, in the order of their
 * numbers (asynchronous).
 *
 * The defaults were chosen by how often they find the minimum (docs/quality.md): 60 fully informed particles
 * on a torus (FIPS, von Neumann), bounds reflect, and a pattern search at the end (`search.refine`). Those of
 * SPSO-2011 are 40 particles, SHOAL_PSO_SPSO2011, SHOAL_PSO_RANDOM, SHOAL_PSO_BOUNCE, SHOAL_REFINE_AUTO:
 * `shoal pso --preset spso2011`.
 *
 * docs/pso.md states each rule with its source and the random numbers it draws: the same seed gives the same
 * search on every solver, up to rounding. "Thesis" here: M. Hosala, Prague 2014, with its equation numbers in
 * parentheses.
 *
 * Threads and errors: those of <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_PSO_H
#define SHOAL_PSO_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

enum shoal_pso_update {
    SHOAL_PSO_INERTIA,      /* v = w v + c1 r1 (p - x) + c2 r2 (l - x): Shi, Eberhart 1998; thesis (2.4) */
    SHOAL_PSO_LINEAR,       /* the same, w falls from `inertia` to `inertia_end` over the iterations, or over
                             * those of the evaluations */
    SHOAL_PSO_CONSTRICTION, /* v = chi (v + c1 r1 (p - x) + c2 r2 (l - x)): Clerc, Kennedy 2002; (2.6), (2.7)
                             */
    SHOAL_PSO_SPSO2011, /* a random point of the ball about G = x + (c (p - x) + c (l - x)) / 3: Clerc 2012 */
    SHOAL_PSO_FIPS /* fully informed: v = chi (v + mean of U(0, phi) (p_j - x) over the neighbours): (2.8) */
};

enum shoal_pso_topology {
    SHOAL_PSO_GLOBAL,
    SHOAL_PSO_RING,        /* i - neighbours / 2 .. i + neighbours / 2, periodic: (2.5) */
    SHOAL_PSO_VON_NEUMANN, /* four neighbours on a torus, as square as the number of particles allows */
    SHOAL_PSO_RANDOM /* each particle informs itself and `neighbours` random ones on average; the links are
                      * drawn anew after a step that did not improve the swarm's best */
};

enum shoal_pso_bounds {
    SHOAL_PSO_REFLECT,   /* x mirrored at the face, v = -v; on the face if the image lies outside too */
    SHOAL_PSO_CLAMP,     /* x on the face, v kept */
    SHOAL_PSO_ABSORB,    /* x on the face, v = 0 */
    SHOAL_PSO_BOUNCE,    /* x on the face, v = -v / 2: SPSO-2011 */
    SHOAL_PSO_PERIODIC,  /* x enters at the opposite face */
    SHOAL_PSO_REENTRY,   /* x uniform in the box, v kept */
    SHOAL_PSO_INVISIBLE, /* x stays outside and is not evaluated there */
    SHOAL_PSO_UNBOUNDED  /* none; the box bounds the first positions only: the thesis */
};

/* Initial velocity of a particle at x. */
enum shoal_pso_velocity {
    SHOAL_PSO_HALF_DIFFERENCE, /* (u - x) / 2, u uniform in the box */
    SHOAL_PSO_DIFFERENCE,      /* u - x: SPSO-2011 */
    SHOAL_PSO_RANGE,           /* uniform in plus or minus the width of the box: the thesis */
    SHOAL_PSO_ZERO,
    SHOAL_PSO_VELOCITY_BY_UPDATE /* DIFFERENCE for SPSO-2011, else HALF_DIFFERENCE */
};

/* Generator of the uniform random numbers of the velocity update. */
enum shoal_pso_random {
    SHOAL_PSO_PHILOX,  /* Philox, counter-based, 24 bits each (32 in double precision) */
    SHOAL_PSO_PHILOX16 /* the same, 16 bits each: half the random words */
    /* 2, 3: enum shoal_pso_thesis_random of <shoal/theses.h>. */
};

/* Method: how a device computes a step. FUSED and ONCHIP use as few launches as possible; those from THREAD
 * on are the pipeline of the thesis (move, evaluate, personal best, best of the neighbourhood) with one of
 * its evaluators. */
enum shoal_pso_method {
    SHOAL_PSO_AUTO,         /* the fastest that `shoal tune pso` measured, else by a rule */
    SHOAL_PSO_FUSED,        /* move, evaluate and personal best in one kernel, one launch a step */
    SHOAL_PSO_ONCHIP,       /* a whole swarm in one work-group, many steps a launch */
    SHOAL_PSO_THREAD,       /* a work-item for each particle, streaming over dimensions or rows */
    SHOAL_PSO_THREAD_NAIVE, /* the same, with the whole position loaded first */
    SHOAL_PSO_BLOCK,        /* a work-group for each particle */
    SHOAL_PSO_BLOCK_MAJOR,  /* the same, positions particle by particle in memory */
    SHOAL_PSO_MOD,    /* a work-group for 32 particles; its rows of 32 work-items share the dimensions */
    SHOAL_PSO_LANES,  /* a few neighbouring work-items for each particle */
    SHOAL_PSO_WARP2,  /* data rows: 32 work-items for each particle */
    SHOAL_PSO_BLOCK2, /* data rows: a work-group for each particle */
    SHOAL_PSO_ROWS    /* data rows: tiles of rows, each row read once for all particles */
};

struct shoal_pso_thesis; /* <shoal/theses.h> */

struct shoal_pso_params {
    struct shoal_search_params search; /* its size is set by shoal_pso_params_init */

    /* The swarm. */
    uint64_t particles; /* of one island */
    int32_t update, topology, bounds, initial_velocity;
    uint64_t neighbours;                            /* of ring and random; 0: 2 and 3 */
    double inertia, inertia_end, cognitive, social; /* NaN: those of the update rule, see docs/pso.md */
    double velocity_limit;                          /* of |v[d]|, in widths of the box; NaN: none */
    bool scalar_random;                             /* one pair r1, r2 for all dimensions of a particle */
    int32_t random;                                 /* enum shoal_pso_random */
    uint64_t batch;                                 /* particles that move before bests are shared; 0: all */

    /* The device. */
    int32_t method; /* enum shoal_pso_method */

    struct shoal_pso_thesis *thesis; /* parameters of the thesis; NULL: its defaults */
};

SHOAL_API void shoal_pso_params_init(struct shoal_pso_params *params);
#define SHOAL_PSO_PARAMS(...) SHOAL_INIT(shoal_pso_params, shoal_pso_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
