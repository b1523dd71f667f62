/* Particle swarm optimisation: parameters of the workload "pso" (shoal_workload_find("pso")).
 *
 * `runs` independent searches with seeds seed, seed + 1, ..., each of `swarms` islands of `particles`
 * particles in `dim` dimensions. In a step each particle gets a new velocity by the `update` from its own
 * best position p and the best position l that its neighbourhood (the `topology`) holds, moves, is put back
 * by the `bounds` rule where it left the box, is evaluated, and keeps the position if it is its best so far.
 * Bests are shared at the end of the step (synchronous), or after each `batch` particles, in the order of
 * their numbers (asynchronous).
 *
 * docs/pso.md states each rule with its source and the random numbers it draws: the same seed gives the same
 * search on every solver, up to rounding.
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
    SHOAL_PSO_FIPS      /* v = chi (v + mean of U(0, phi) (p_j - x) over the neighbours): (2.8) */
};

enum shoal_pso_topology {
    SHOAL_PSO_GLOBAL,
    SHOAL_PSO_RING,        /* i - neighbours / 2 .. i + neighbours / 2, round the end: (2.5) */
    SHOAL_PSO_VON_NEUMANN, /* four neighbours on a torus, as square as the number of particles allows */
    SHOAL_PSO_RANDOM /* each particle informs itself and about `neighbours` random ones, drawn anew after a
                        step that did not improve the swarm's best */
};

enum shoal_pso_bounds {
    SHOAL_PSO_REFLECT,   /* mirrored at the face, v = -v; on the face where the image lies outside too */
    SHOAL_PSO_CLAMP,     /* on the face, v kept */
    SHOAL_PSO_ABSORB,    /* on the face, v = 0 */
    SHOAL_PSO_BOUNCE,    /* on the face, v = -v / 2: SPSO-2011 */
    SHOAL_PSO_PERIODIC,  /* enters at the opposite face */
    SHOAL_PSO_REENTRY,   /* at a random coordinate, v kept */
    SHOAL_PSO_INVISIBLE, /* stays outside and is not evaluated there */
    SHOAL_PSO_UNBOUNDED  /* the box only holds the first positions: the thesis */
};

enum shoal_pso_velocity {
    SHOAL_PSO_HALF_DIFFERENCE, /* (u - x) / 2, u uniform in the box */
    SHOAL_PSO_DIFFERENCE,      /* u - x: SPSO-2011 */
    SHOAL_PSO_RANGE,           /* uniform in plus or minus the width of the box: the thesis */
    SHOAL_PSO_ZERO,
    SHOAL_PSO_VELOCITY_BY_UPDATE /* DIFFERENCE for SPSO-2011, else HALF_DIFFERENCE */
};

enum shoal_pso_exchange { SHOAL_PSO_EXCHANGE_RING, SHOAL_PSO_EXCHANGE_ALL };

/* Where the uniform numbers of a move come from. */
enum shoal_pso_random {
    SHOAL_PSO_PHILOX,   /* counter-based, 24 bits each */
    SHOAL_PSO_PHILOX16, /* the same, 16 bits each: half the words */
    SHOAL_PSO_GLOB,     /* XORWOW, a state for each particle kept in memory: GLOB of the thesis */
    SHOAL_PSO_REG       /* XORWOW, a state made anew in each step: REG of the thesis */
};

/* How a step is laid over a device. The first three do it in as few launches as possible; the others are the
 * pipeline of the thesis (move, evaluate, personal best, best of the neighbourhood) with one of its
 * evaluators. */
enum shoal_pso_evaluator {
    SHOAL_PSO_AUTO,         /* by what `shoal tune` measured, else by a rule: `shoal pso --help` */
    SHOAL_PSO_FUSED,        /* move, evaluate and personal best in one kernel, a launch for each step */
    SHOAL_PSO_ONCHIP,       /* a whole swarm in one work-group for many steps of a launch */
    SHOAL_PSO_THREAD,       /* a work-item for each particle, streaming over dimensions or rows */
    SHOAL_PSO_THREAD_NAIVE, /* the same, with the whole position loaded first */
    SHOAL_PSO_BLOCK,        /* a work-group for each particle */
    SHOAL_PSO_BLOCK_MAJOR,  /* the same, positions particle by particle in memory */
    SHOAL_PSO_MOD,    /* a work-group for 32 particles: lanes are particles, rows of lanes share dimensions */
    SHOAL_PSO_LANES,  /* a few neighbouring work-items for each particle */
    SHOAL_PSO_WARP2,  /* data rows: 32 work-items for each particle */
    SHOAL_PSO_BLOCK2, /* data rows: a work-group for each particle */
    SHOAL_PSO_ROWS    /* data rows: tiles of rows, each row read once for all particles */
};

/* How the pipeline finds the best particle: section 2.8 of the thesis, and one kernel without a second
 * launch. */
enum shoal_pso_argmin {
    SHOAL_PSO_ARGMIN_AUTO,
    SHOAL_PSO_ARGMIN_SHARED,    /* tree in local memory, launched again on the groups' results */
    SHOAL_PSO_ARGMIN_SHFL,      /* the last 32 by exchange between neighbouring work-items */
    SHOAL_PSO_ARGMIN_VOL,       /* the last 32 in local memory with a barrier after each step */
    SHOAL_PSO_ARGMIN_WARP_FIRST /* sections of 32 first, then their results */
};

struct shoal_pso_params {
    size_t size; /* set by shoal_pso_params_init */

    /* The problem. One of: objective (not NULL), objective_file, expression, data_file, function. */
    const struct shoal_objective *objective; /* of the caller; must outlive the solver */
    const char *objective_file;              /* text of the kernel dialect; with data_file: its residual */
    const char *expression;
    const char *data_file;   /* .npy, .csv, or raw binary as `data_layout` says */
    const char *data_layout; /* raw: "f8:ROWSxCOLUMNS", "f4:...", ":columns", ":blocks": see shoal/data.h */
    bool squared;            /* data without a text: a[d] x[d]^2 */
    bool compressed;         /* data without a text: its sum by a QR factor of the table, made once */
    int32_t function;        /* index of shoal_objective_at(), default rastrigin */
    int32_t precision;       /* enum shoal_precision of the device; the host solver is always double */
    uint64_t dim;            /* 0: the one of the data, else 30 */
    double lower, upper;     /* box; NaN: that of the function */
    const double *lower_bounds, *upper_bounds; /* dim numbers each instead; NULL: not given. Copied */
    double shift; /* the function is moved by shift times a random vector in +-1: 0 none; NaN none */
    bool maximise;

    /* The swarm. */
    uint64_t particles; /* of one swarm */
    int32_t update, topology, bounds, initial_velocity;
    uint64_t neighbours;                            /* ring and random; default 2 and 3 */
    double inertia, inertia_end, cognitive, social; /* NaN: those of the update, see docs/pso.md */
    double velocity_limit;                          /* of |v[d]|, in widths of the box; NaN: none */
    bool scalar_random;                             /* one pair r1, r2 for all dimensions of a particle */
    int32_t random;                                 /* enum shoal_pso_random */
    uint64_t batch; /* particles moved before bests are shared; 0: all of them */
    uint64_t seed;

    /* Several swarms. */
    uint64_t swarms;   /* islands of a run */
    uint64_t exchange; /* steps between exchanges of the islands' bests; 0: never */
    int32_t exchange_topology;
    uint64_t runs;
    double success; /* a run succeeded when its best, in double, is <= minimum + success */

    /* The end. Each ends a run; a run that ended stands still. */
    uint64_t iterations;  /* steps */
    uint64_t evaluations; /* of a run; 0: no limit */
    double target;        /* value in the solver's precision (>= with maximise); NaN: none */
    uint64_t stagnation;  /* steps without improvement by more than stagnation_tolerance; 0: no limit */
    double stagnation_tolerance; /* times max(1, |best|) */
    double time;                 /* seconds of wall time; NaN: no limit. Not repeatable */
    uint64_t restart;            /* steps without improvement after which an island starts anew; 0: never */

    /* After the swarm. */
    uint64_t polish; /* evaluations of a pattern search from the best position of each run; 0: none */

    uint64_t trace; /* steps between entries of the trace, 0: no trace */

    /* The device. */
    int32_t evaluator, argmin; /* argmin: of the pipeline alone; SHOAL_UNSUPPORTED with fused or onchip */
    /* Rows on the device at a time; 0: all, or as many as fit. SHOAL_INVALID for objectives without a table.
     */
    uint64_t chunk_rows;
};

SHOAL_API void shoal_pso_params_init(struct shoal_pso_params *params);

SHOAL_END_DECLS

#endif
