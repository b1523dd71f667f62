/* Particle swarm optimisation: parameters of the workload "pso" (shoal_workload_find("pso")).
 *
 * Each island of a search (<shoal/search.h>) is a swarm of `particles` particles in `dim` dimensions. In a
 * step each particle gets a new velocity by the `update` rule from its personal best position p and the best
 * position l of its neighbourhood (the `topology`), moves, is put back by the `bounds` rule if it has left
 * the box, and is evaluated; a position that is the best of the particle so far becomes its personal best.
 * Personal bests become visible to other particles at the end of the step (synchronous), or after each
 * `batch` particles, in the order of their numbers (asynchronous).
 *
 * The defaults were chosen by the rate of success of searches (docs/quality.md): 60 fully informed particles
 * on a torus (FIPS, von Neumann), reflection at the bounds, and a pattern search at the end
 * (`search.refine`). SPSO-2011 has 40 particles, SHOAL_PSO_SPSO2011, SHOAL_PSO_RANDOM, SHOAL_PSO_BOUNCE and
 * SHOAL_REFINE_AUTO: `shoal pso --preset spso2011`.
 *
 * docs/pso.md states each rule with its source and the random numbers it draws: an equal seed gives an equal
 * search on every solver, up to rounding. "Thesis" here: M. Hosala, Prague 2014, with its equation numbers in
 * parentheses.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_PSO_H
#define SHOAL_PSO_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Rule of the new velocity v of a particle at x with personal best p and neighbourhood best l. */
enum shoal_pso_update {
    SHOAL_PSO_INERTIA, /* v = w v + c1 r1 (p - x) + c2 r2 (l - x): Shi, Eberhart 1998; thesis (2.4). */
    /* As SHOAL_PSO_INERTIA, with w falling from `inertia` to `inertia_end` over the iterations, or over the
     * iterations that the evaluations allow. */
    SHOAL_PSO_LINEAR,
    /* v = chi (v + c1 r1 (p - x) + c2 r2 (l - x)): Clerc, Kennedy 2002; thesis (2.6), (2.7). */
    SHOAL_PSO_CONSTRICTION,
    /* A random point of the ball about G = x + (c (p - x) + c (l - x)) / 3: Clerc 2012. */
    SHOAL_PSO_SPSO2011,
    /* Fully informed: v = chi (v + mean of U(0, phi) (p_j - x) over the neighbours j); thesis (2.8). */
    SHOAL_PSO_FIPS
};

/* Rule that chooses the neighbourhood of particle i. */
enum shoal_pso_topology {
    SHOAL_PSO_GLOBAL,      /* All particles of the swarm. */
    SHOAL_PSO_RING,        /* Particles i - neighbours / 2 .. i + neighbours / 2, periodic; thesis (2.5). */
    SHOAL_PSO_VON_NEUMANN, /* Four neighbours on a torus, as square as the number of particles allows. */
    /* Each particle informs itself and `neighbours` random particles on average. The links are drawn anew
     * after a step that did not improve the swarm's best. */
    SHOAL_PSO_RANDOM,
    /* Four clusters; the particles of a cluster all inform one another, and one pair of particles links each
     * pair of clusters. For 12 particles or more. Mendes 2004. */
    SHOAL_PSO_CLUSTERS,
    SHOAL_PSO_PYRAMID /* Neighbours one step away in a three-sided pyramid, up to twelve. Mendes 2004. */
};

/* Treatment of a dimension in which a particle leaves the box. */
enum shoal_pso_bounds {
    /* x is mirrored at the face and v = -v. If the mirror image also lies outside, x lies on the face. */
    SHOAL_PSO_REFLECT,
    SHOAL_PSO_CLAMP,     /* x lies on the face, v is kept. */
    SHOAL_PSO_ABSORB,    /* x lies on the face, v = 0. */
    SHOAL_PSO_BOUNCE,    /* x lies on the face, v = -v / 2: SPSO-2011. */
    SHOAL_PSO_PERIODIC,  /* x enters at the opposite face. */
    SHOAL_PSO_REENTRY,   /* x is drawn uniformly in the box, v is kept. */
    SHOAL_PSO_INVISIBLE, /* x stays outside and is not evaluated there. */
    /* x stays outside and is evaluated there: the box only bounds initial positions. The thesis's rule. */
    SHOAL_PSO_UNBOUNDED
};

/* Initial velocity of a particle at x; u is uniform in the box. */
enum shoal_pso_velocity {
    SHOAL_PSO_HALF_DIFFERENCE, /* (u - x) / 2. */
    SHOAL_PSO_DIFFERENCE,      /* u - x: SPSO-2011. */
    SHOAL_PSO_RANGE,           /* Uniform between minus and plus the width of the box: the thesis's rule. */
    SHOAL_PSO_ZERO,            /* 0. */
    /* SHOAL_PSO_DIFFERENCE for SHOAL_PSO_SPSO2011, else SHOAL_PSO_HALF_DIFFERENCE. */
    SHOAL_PSO_VELOCITY_BY_UPDATE
};

/* Generator of the uniform random numbers of the velocity update. Values 2 and 3: enum
 * shoal_pso_thesis_random of <shoal/theses.h>. */
enum shoal_pso_random {
    SHOAL_PSO_PHILOX,  /* Philox, counter-based, numbers of 24 bits (32 in double precision). */
    SHOAL_PSO_PHILOX16 /* Philox, counter-based, numbers of 16 bits, which need half as many random words. */
};

/* How a device computes a step. SHOAL_PSO_FUSED and SHOAL_PSO_ONCHIP use as few launches as possible; the
 * methods from SHOAL_PSO_THREAD on are the pipeline of the thesis (move, evaluate, personal best, best of the
 * neighbourhood), each with another evaluator. */
enum shoal_pso_method {
    SHOAL_PSO_AUTO,         /* The fastest method that `shoal tune pso` measured, else by a rule. */
    SHOAL_PSO_FUSED,        /* Move, evaluate and personal best in one kernel, one launch a step. */
    SHOAL_PSO_ONCHIP,       /* A whole swarm in one work-group, many steps a launch. */
    SHOAL_PSO_THREAD,       /* A work-item for each particle, streaming over dimensions or rows. */
    SHOAL_PSO_THREAD_NAIVE, /* A work-item for each particle, which loads the whole position first. */
    SHOAL_PSO_BLOCK,        /* A work-group for each particle. */
    SHOAL_PSO_BLOCK_MAJOR,  /* A work-group for each particle, positions particle by particle in memory. */
    /* A work-group for 32 particles; the work-items of a particle divide its dimensions. */
    SHOAL_PSO_MOD,
    SHOAL_PSO_LANES,  /* A few neighbouring work-items for each particle. */
    SHOAL_PSO_WARP2,  /* Data rows: 32 work-items for each particle. */
    SHOAL_PSO_BLOCK2, /* Data rows: a work-group for each particle. */
    SHOAL_PSO_ROWS    /* Data rows: tiles of rows, each row read once for all particles. */
};

/* Parameters of the thesis: see <shoal/theses.h>. */
struct shoal_pso_thesis;

/* Parameters of a particle swarm. */
struct shoal_pso_params {
    /* Parameters of all searches; their `size` is set by shoal_pso_params_init. */
    struct shoal_search_params search;

    /* The swarm. */

    uint64_t particles; /* Number of particles of a swarm (island), 1 to 268435456. Default: 60. */
    int32_t update;     /* Rule of velocities, enum shoal_pso_update. Default: SHOAL_PSO_FIPS. */
    int32_t topology;   /* Neighbourhoods, enum shoal_pso_topology. Default: SHOAL_PSO_VON_NEUMANN. */
    int32_t bounds;     /* Treatment of particles outside the box, enum shoal_pso_bounds. Default:
                         * SHOAL_PSO_REFLECT. */
    /* How initial velocities are drawn, enum shoal_pso_velocity. Default: SHOAL_PSO_VELOCITY_BY_UPDATE. */
    int32_t initial_velocity;
    /* SHOAL_PSO_RING: number of neighbours, which is even; SHOAL_PSO_RANDOM: mean number of other particles
     * that a particle informs; up to 1024. Default: 0, which means 2 in a ring and 3 with SHOAL_PSO_RANDOM.
     */
    uint64_t neighbours;
    /* Inertia weight w, -10 to 10. Default: NaN, by the update rule: 0.9 for SHOAL_PSO_LINEAR, 1 / (2 ln 2)
     * for SHOAL_PSO_SPSO2011, 0.7298 for other rules. */
    double inertia;
    /* Last inertia weight of SHOAL_PSO_LINEAR, -10 to 10. Default: NaN, which means 0.4. */
    double inertia_end;
    /* c1, attraction to the personal best, -10 to 10. Default: NaN, by the update rule: 2 for
     * SHOAL_PSO_LINEAR, 2.05 for SHOAL_PSO_CONSTRICTION and SHOAL_PSO_FIPS, 1/2 + ln 2 for
     * SHOAL_PSO_SPSO2011, 1.49618 for SHOAL_PSO_INERTIA. */
    double cognitive;
    /* c2, attraction to the neighbourhood's best, -10 to 10. Default: NaN, which means the value of
     * `cognitive`. */
    double social;
    /* Largest |v[d]|, in widths of the box, up to 1000. Default: NaN, no limit. */
    double velocity_limit;
    bool scalar_random; /* A particle draws one pair r1, r2 for all dimensions. Default: false. */
    int32_t random;     /* Generator, enum shoal_pso_random. Default: SHOAL_PSO_PHILOX. */
    /* Number of particles that move before they share their bests; 0: all. Range: 0 to 2^28. Default: 0. */
    uint64_t batch;

    /* The device. */

    int32_t method; /* How a device computes a step, enum shoal_pso_method. Default: SHOAL_PSO_AUTO. */

    /* Parameters of the thesis, struct shoal_pso_thesis of <shoal/theses.h>. Default: NULL, the defaults. */
    struct shoal_pso_thesis *thesis;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_pso_params_init(struct shoal_pso_params *params);
#define SHOAL_PSO_PARAMS(...) SHOAL_INIT(shoal_pso_params, shoal_pso_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
