/* Particle swarm optimisation: parameters of the workload "pso" (shoal_workload_find("pso")).
 *
 * `runs` independent searches with seeds seed, seed + 1, ..., each of `swarms` islands of `particles`
 * particles in `dim` dimensions. In a step each particle gets a new velocity by the `update` rule from its
 * personal best position p and the best position l of its neighbourhood (the `topology`), moves, is put back
 * by the `bounds` rule where it left the box, is evaluated, and keeps the position if it is its best so far.
 * Personal bests become visible to other particles at the end of the step (synchronous), or after each
 * `batch` particles, in the order of their numbers (asynchronous).
 *
 * docs/pso.md states each rule with its source and the random numbers it draws: the same seed gives the same
 * search on every solver, up to rounding. "Thesis" here: M. Hosala, Prague 2014, with its equation numbers in
 * parentheses.
 *
 * Threads and errors: those of <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_PSO_H
#define SHOAL_PSO_H

#include <shoal/objective.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

enum shoal_pso_update {
    SHOAL_PSO_INERTIA,      /* v = w v + c1 r1 (p - x) + c2 r2 (l - x): Shi, Eberhart 1998; thesis (2.4) */
    SHOAL_PSO_LINEAR,       /* the same, w falls from `inertia` to `inertia_end` over the iterations */
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

/* Where an island's migrant comes from: the previous island, or the best of the run. */
enum shoal_pso_exchange { SHOAL_PSO_EXCHANGE_RING, SHOAL_PSO_EXCHANGE_ALL };

/* Generator of the uniform random numbers of the velocity update. */
enum shoal_pso_random {
    SHOAL_PSO_PHILOX,   /* Philox, counter-based, 24 bits each (32 in double precision) */
    SHOAL_PSO_PHILOX16, /* the same, 16 bits each: half the random words */
    SHOAL_PSO_GLOB,     /* XORWOW, the state of each particle kept in memory: GLOB of the thesis */
    SHOAL_PSO_REG       /* XORWOW, a state seeded anew in each step: REG of the thesis */
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

/* Reduction by which the pipeline finds the best particle: those of section 2.8 of the thesis, and AUTO, one
 * kernel in a single launch. */
enum shoal_pso_argmin {
    SHOAL_PSO_ARGMIN_AUTO,
    SHOAL_PSO_ARGMIN_SHARED,    /* tree in local memory, a second launch for the results of the groups */
    SHOAL_PSO_ARGMIN_SHFL,      /* the last 32 by shuffles between work-items */
    SHOAL_PSO_ARGMIN_VOL,       /* the last 32 in local memory with a barrier after each level */
    SHOAL_PSO_ARGMIN_WARP_FIRST /* sections of 32 first, then their results */
};

struct shoal_pso_params {
    size_t size; /* set by shoal_pso_params_init */

    /* The problem. One of: objective (not NULL), objective_file, expression, data_file, function. */
    const struct shoal_objective *objective; /* of the caller; must outlive the solver */
    const char *objective_file;              /* text in the kernel dialect; with data_file: its residual */
    const char *expression;
    const char *data_file;   /* .npy, .csv, or raw binary as `data_layout` says */
    const char *data_layout; /* raw: "f8:ROWSxCOLUMNS", "f4:...", ":columns", ":blocks": see shoal/data.h */
    bool squared;            /* data without a text: a[d] x[d]^2 */
    bool compressed;         /* data without a text: the sum over a QR factor of the table, computed once */
    int32_t function;        /* index of shoal_objective_at(), default rastrigin */
    int32_t precision;       /* enum shoal_precision of the device; the host solver is always double */
    uint64_t dim;            /* 0: that of the data, else 30 */
    double lower, upper;     /* box, the same in each dimension; NaN: that of the function */
    const double *lower_bounds, *upper_bounds; /* instead, for each of dim dimensions; NULL: none. Copied */
    double shift; /* evaluates f(x - shift r), r a fixed random vector in [-1, 1)^dim; 0 or NaN: none */
    bool maximise;

    /* The swarm. */
    uint64_t particles; /* of one swarm */
    int32_t update, topology, bounds, initial_velocity;
    uint64_t neighbours;                            /* of ring and random; 0: 2 and 3 */
    double inertia, inertia_end, cognitive, social; /* NaN: those of the update rule, see docs/pso.md */
    double velocity_limit;                          /* of |v[d]|, in widths of the box; NaN: none */
    bool scalar_random;                             /* one pair r1, r2 for all dimensions of a particle */
    int32_t random;                                 /* enum shoal_pso_random */
    uint64_t batch;                                 /* particles that move before bests are shared; 0: all */
    uint64_t seed;

    /* Several swarms. */
    uint64_t swarms;           /* islands of a run */
    uint64_t exchange;         /* steps between exchanges of the islands' bests; 0: never */
    int32_t exchange_topology; /* enum shoal_pso_exchange */
    uint64_t runs;             /* independent runs with seeds seed, seed + 1, ... */
    double success;            /* a run succeeds when its best, in double, is <= minimum + success */

    /* Stopping. Each of these ends a run; a run that has ended does not move while others go on. */
    uint64_t iterations;  /* steps */
    uint64_t evaluations; /* of a run; 0: no limit */
    double target;        /* value <= target (>= with maximise), in the solver's precision; NaN: none */
    uint64_t stagnation;  /* steps without improvement by more than stagnation_tolerance; 0: no limit */
    double stagnation_tolerance; /* relative to max(1, |best|) */
    double time;                 /* limit of wall time in seconds; NaN: none. Not repeatable */
    uint64_t restart;            /* steps without improvement after which an island restarts; 0: never */

    /* After the swarm. */
    uint64_t polish; /* evaluations of a pattern search from the best position of each run; 0: none */

    uint64_t trace; /* steps between recorded best values; 0: no trace */

    /* The device. */
    int32_t method;      /* enum shoal_pso_method */
    int32_t argmin;      /* enum shoal_pso_argmin, of the pipeline; SHOAL_UNSUPPORTED with fused or onchip */
    uint64_t chunk_rows; /* rows of the table on the device at a time; 0: all, or as many as fit.
                          * SHOAL_INVALID for objectives without a table */
};

/* An entry of the trace: the best value after a step. */
struct shoal_pso_sample {
    uint64_t step;
    double value;              /* of several runs: their median */
    double q05, q25, q75, q95; /* quantiles of several runs */
};

SHOAL_API void shoal_pso_params_init(struct shoal_pso_params *params);

SHOAL_END_DECLS

#endif
