/* Genetic algorithms: parameters of the workload "ga" (shoal_workload_find("ga")).
 *
 * Each island of a search (<shoal/search.h>) is a population of `population` individuals. In a step, a
 * generation, parents are selected, pairs of them are crossed, the children mutate and are evaluated, and
 * the replacement decides who is in the next population.
 *
 * docs/ga.md states each rule with its source and the random numbers it draws: the same seed gives the same
 * search on every solver, up to rounding. "Thesis" here: P. Pospichal, Brno 2009.
 *
 * Threads and errors: those of <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GA_H
#define SHOAL_GA_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

enum shoal_ga_selection {
    SHOAL_GA_TOURNAMENT,       /* the best of `tournament` random individuals */
    SHOAL_GA_OWN,              /* slot i against a random one; slots 2p and 2p + 1 mate: thesis */
    SHOAL_GA_ROULETTE,         /* by fitness: 0 of the worst value to 1 of the best */
    SHOAL_GA_SUS,              /* stochastic universal sampling by the same fitness: Baker 1987 */
    SHOAL_GA_LINEAR_RANK,      /* `pressure` copies of the best, 2 - pressure of the worst: Baker 1985 */
    SHOAL_GA_EXPONENTIAL_RANK, /* proportional to rank_base^rank */
    SHOAL_GA_TRUNCATION,       /* one of the best `truncation` of the population */
    SHOAL_GA_BOLTZMANN,        /* proportional to exp(fitness / temperature) */
    SHOAL_GA_BEST              /* cellular: the best of the neighbourhood */
};

/* Of reals (R), whole numbers, which are integers and choices, and bits (W), or an order (O). An operator is
 * of the genes of its kinds; the others of a mixed genome keep that of AUTO. */
enum shoal_ga_crossover {
    SHOAL_GA_CROSSOVER_AUTO, /* R SBX_BOUNDED, W TWO_POINT, O OX */
    SHOAL_GA_SBX_BOUNDED,    /* R: simulated binary crossover inside the box: Deb and Agrawal 1995, NSGA-II */
    SHOAL_GA_SBX,            /* R: the same without bounds */
    SHOAL_GA_BLX,        /* R: uniform in the widened interval of the parents: Eshelman and Schaffer 1993 */
    SHOAL_GA_ARITHMETIC, /* R: w a + (1 - w) b, one w in [0, 1) a pair: thesis */
    SHOAL_GA_AVERAGE,    /* R: the same, w in [-alpha, 1 + alpha): Muehlenbein 1993 */
    SHOAL_GA_HEURISTIC,  /* R: p + w (p - q), p the better parent, and p itself: Wright 1991 */
    SHOAL_GA_ONE_POINT,  /* R, W */
    SHOAL_GA_TWO_POINT,  /* R, W */
    SHOAL_GA_UNIFORM,    /* R, W: each gene from either parent with probability 1/2: Syswerda 1989 */
    SHOAL_GA_NO_CROSSOVER,
    SHOAL_GA_OX,  /* O: order crossover: Davis 1985 */
    SHOAL_GA_PMX, /* O: partially mapped: Goldberg and Lingle 1985 */
    SHOAL_GA_CX,  /* O: cycles: Oliver, Smith and Holland 1987 */
    SHOAL_GA_ERX  /* O: edge recombination: Whitley, Starkweather and Fuquay 1989 */
};

enum shoal_ga_mutation {
    SHOAL_GA_MUTATION_AUTO,  /* R POLYNOMIAL, integers STEP, choices UNIFORM_IN_BOX, bits FLIP, O SWAP */
    SHOAL_GA_POLYNOMIAL,     /* R: inside the box: Deb and Agrawal 1999, NSGA-II */
    SHOAL_GA_GAUSSIAN,       /* R: a normal number of deviation sigma is added */
    SHOAL_GA_UNIFORM_IN_BOX, /* R: the gene is drawn anew; integers and choices: among the other values */
    SHOAL_GA_STEP,           /* integers: a step up or down, small ones more likely */
    SHOAL_GA_FLIP,           /* bits */
    SHOAL_GA_TAIL_INVERSION, /* bits: those from one place to the last flip: thesis */
    SHOAL_GA_NO_MUTATION,
    SHOAL_GA_SWAP,      /* O: two things change places */
    SHOAL_GA_INSERTION, /* O: a thing moves to another place */
    SHOAL_GA_REVERSAL,  /* O: the places between two are reversed */
    SHOAL_GA_SCRAMBLE   /* O: they get a random order */
};

/* Those of one part of a mixed genome alone, in place of `crossover` and `mutation`; AUTO: as these say. */
enum shoal_ga_whole_crossover {
    SHOAL_GA_WHOLE_CROSSOVER_AUTO,
    SHOAL_GA_WHOLE_ONE_POINT,
    SHOAL_GA_WHOLE_TWO_POINT,
    SHOAL_GA_WHOLE_UNIFORM,
    SHOAL_GA_NO_WHOLE_CROSSOVER
};
enum shoal_ga_order_crossover {
    SHOAL_GA_ORDER_CROSSOVER_AUTO,
    SHOAL_GA_ORDER_OX,
    SHOAL_GA_ORDER_PMX,
    SHOAL_GA_ORDER_CX,
    SHOAL_GA_ORDER_ERX,
    SHOAL_GA_NO_ORDER_CROSSOVER
};
enum shoal_ga_whole_mutation {
    SHOAL_GA_WHOLE_MUTATION_AUTO,
    SHOAL_GA_WHOLE_UNIFORM_IN_BOX,
    SHOAL_GA_WHOLE_STEP,
    SHOAL_GA_WHOLE_FLIP,
    SHOAL_GA_WHOLE_TAIL_INVERSION,
    SHOAL_GA_NO_WHOLE_MUTATION
};
enum shoal_ga_order_mutation {
    SHOAL_GA_ORDER_MUTATION_AUTO,
    SHOAL_GA_ORDER_SWAP,
    SHOAL_GA_ORDER_INSERTION,
    SHOAL_GA_ORDER_REVERSAL,
    SHOAL_GA_ORDER_SCRAMBLE,
    SHOAL_GA_NO_ORDER_MUTATION
};

/* The unit of `sigma`. */
enum shoal_ga_sigma_unit { SHOAL_GA_SIGMA_BOX, SHOAL_GA_SIGMA_GENE };

/* A gene that an operator takes out of the box. */
enum shoal_ga_bounds {
    SHOAL_GA_CLAMP,    /* lies on the face */
    SHOAL_GA_REFLECT,  /* is mirrored at the face; on it if the image lies outside too */
    SHOAL_GA_PENALTY,  /* stays, and adds penalty (1 + distance / width) to the value: thesis */
    SHOAL_GA_UNBOUNDED /* stays */
};

/* Who may mate with whom. */
enum shoal_ga_structure {
    SHOAL_GA_PANMICTIC,  /* all of an island */
    SHOAL_GA_CELLULAR_4, /* neighbours on a torus as square as the population allows */
    SHOAL_GA_CELLULAR_8
};

enum shoal_ga_replacement {
    SHOAL_GA_GENERATIONAL, /* the children and `elites` parents */
    SHOAL_GA_STEADY,       /* few children take the places of members */
    SHOAL_GA_PLUS,         /* (mu + lambda): the best of parents and children */
    SHOAL_GA_COMMA,        /* (mu, lambda): the best children */
    /* Of reals alone in a panmictic population, by the methods AUTO and PIPELINE, where values do not depend
     * on the generation: STEADY with as many children as members and VICTIM_PARENT, so that each child
     * competes with one of its parents. Else GENERATIONAL. */
    SHOAL_GA_REPLACEMENT_AUTO
};

/* The member whose place a child takes, of SHOAL_GA_STEADY. */
enum shoal_ga_victim {
    SHOAL_GA_VICTIM_WORST, /* if the child is not worse */
    SHOAL_GA_VICTIM_RANDOM,
    SHOAL_GA_VICTIM_OLDEST,
    SHOAL_GA_VICTIM_PARENT /* if the child is not worse; cellular: its own cell */
};

/* Which members leave a copy, and whose places migrants take. */
enum shoal_ga_emigrants { SHOAL_GA_BEST_LEAVE, SHOAL_GA_RANDOM_LEAVE };
enum shoal_ga_immigrants { SHOAL_GA_REPLACE_WORST, SHOAL_GA_REPLACE_RANDOM };

/* Local search of children. */
enum shoal_ga_local_search {
    SHOAL_GA_NO_LOCAL_SEARCH,
    SHOAL_GA_FIRST_IMPROVEMENT, /* the first move that lowers the value, until none does */
    SHOAL_GA_BEST_IMPROVEMENT,  /* the one that lowers it most */
    SHOAL_GA_TABU               /* the best that is not tabu, even if it raises the value: Glover 1989 */
};
enum shoal_ga_moves {
    SHOAL_GA_MOVES_AUTO, /* flips where there are bits, else swaps */
    SHOAL_GA_MOVES_FLIP,
    SHOAL_GA_MOVES_SWAP,
    SHOAL_GA_MOVES_INSERTION,
    /* Of closed tours, the objective `tour`, by the local search of <shoal/tsp.h> to its end; not with TABU.
     */
    SHOAL_GA_MOVES_2OPT,
    SHOAL_GA_MOVES_2HOPT, /* and insertions of one city */
    SHOAL_GA_MOVES_OROPT, /* segments of one to three cities */
    SHOAL_GA_MOVES_2OPT_OROPT,
    SHOAL_GA_MOVES_3OPT /* with both */
};
enum shoal_ga_improve { SHOAL_GA_IMPROVE_ALL, SHOAL_GA_IMPROVE_ELITES };

/* Method: how a device computes a generation. */
enum shoal_ga_method {
    SHOAL_GA_AUTO,    /* the fastest that `shoal tune ga` measured, else by a rule */
    SHOAL_GA_FUSED,   /* populations in global memory, a generation in one launch */
    SHOAL_GA_ONCHIP,  /* islands in local memory, many generations a launch */
    SHOAL_GA_PIPELINE /* populations in global memory, a few launches a generation */
    /* 4: enum shoal_ga_thesis_method of <shoal/theses.h>. */
};

struct shoal_ga_thesis; /* <shoal/theses.h> */

struct shoal_ga_params {
    struct shoal_search_params search; /* its size is set by shoal_ga_params_init */

    uint64_t population; /* of one island */
    int32_t structure;   /* enum shoal_ga_structure */

    int32_t selection;   /* enum shoal_ga_selection */
    uint64_t tournament; /* 0: 1, which is any individual, where REPLACEMENT_AUTO is STEADY; else 2 */
    double pressure;     /* of SHOAL_GA_LINEAR_RANK, 1 to 2 */
    double rank_base;    /* of SHOAL_GA_EXPONENTIAL_RANK, 0 to 1 */
    double truncation;   /* 0 to 1 */
    double temperature;  /* of SHOAL_GA_BOLTZMANN in the first generation */
    double cooling;      /* factor of the temperature from one generation to the next */

    /* Rates are probabilities. Those of a list, "0.6,0.7,0.8", are of the islands of a run. */
    int32_t crossover;           /* enum shoal_ga_crossover */
    double crossover_rate;       /* that a pair crosses */
    const char *crossover_rates; /* a list in its place; NULL: none */
    double crossover_eta;        /* distribution index of SBX */
    double alpha;                /* widening of BLX and AVERAGE; NaN: 0.5 and 0.25 */
    int32_t whole_crossover;     /* enum shoal_ga_whole_crossover */
    int32_t order_crossover;     /* enum shoal_ga_order_crossover */

    int32_t mutation;           /* enum shoal_ga_mutation */
    double mutation_rate;       /* that an individual mutates */
    const char *mutation_rates; /* NULL: none */
    double gene_rate;       /* that a gene of such an individual mutates, an order excepted; NaN: 1 / genes */
    const char *gene_rates; /* NULL: none */
    bool one_gene;          /* one random gene of it mutates, in place of the rate */
    uint64_t messy;         /* pairs that a list of a place and a bit has at most; 0: genes of their own */
    double mutation_eta;    /* distribution index of SHOAL_GA_POLYNOMIAL */
    double sigma;           /* of SHOAL_GA_GAUSSIAN */
    int32_t sigma_unit;     /* enum shoal_ga_sigma_unit */
    int32_t whole_mutation; /* enum shoal_ga_whole_mutation */
    int32_t order_mutation; /* enum shoal_ga_order_mutation */
    int32_t bounds;         /* enum shoal_ga_bounds */
    double penalty;         /* of SHOAL_GA_PENALTY */

    int32_t local_search; /* enum shoal_ga_local_search */
    int32_t moves;        /* enum shoal_ga_moves */
    uint64_t local_steps; /* moves of a local search at most; 0: as many as there are bits or places */
    uint64_t tenure;      /* steps that a move is tabu at least; 0: by the number of bits or places */
    int32_t improve; /* enum shoal_ga_improve: all children, or as many of the best as there are elites */

    int32_t replacement; /* enum shoal_ga_replacement, default REPLACEMENT_AUTO */
    uint64_t elites;     /* best members that no child replaces */
    uint64_t children;   /* of a generation; 0: population, 2 with STEADY, 7 population with COMMA */
    int32_t victim;      /* enum shoal_ga_victim */
    bool unique;         /* STEADY: a child that equals a member or a child before it is discarded */

    /* Exchange between islands: search.exchange, search.exchange_topology. */
    uint64_t migrants;  /* that an island sends */
    int32_t emigrants;  /* enum shoal_ga_emigrants */
    int32_t immigrants; /* enum shoal_ga_immigrants */

    /* The device. */
    int32_t method; /* enum shoal_ga_method */

    struct shoal_ga_thesis *thesis; /* parameters of the thesis; NULL: its defaults */
};

SHOAL_API void shoal_ga_params_init(struct shoal_ga_params *params);
#define SHOAL_GA_PARAMS(...) SHOAL_INIT(shoal_ga_params, shoal_ga_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
