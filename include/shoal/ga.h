/* Genetic algorithms: parameters of the workload "ga" (shoal_workload_find("ga")).
 *
 * Each island of a search (<shoal/search.h>) is a population of `population` individuals. In a step, a
 * generation, parents are selected, pairs of parents are crossed, the children mutate and are evaluated, and
 * the replacement decides who is in the next population.
 *
 * docs/ga.md states each rule with its source and the random numbers it draws: an equal seed gives an equal
 * search on every solver, up to rounding. "Thesis" here: P. Pospichal, Brno 2009.
 *
 * Operators are for kinds of genes: reals (R), whole numbers, which are integers, choices and bits (W), or an
 * order (O). An operator applies to the genes of its kinds; other genes of a mixed genome keep the operator
 * of AUTO.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GA_H
#define SHOAL_GA_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* How a parent is selected. */
enum shoal_ga_selection {
    SHOAL_GA_TOURNAMENT, /* The best of `tournament` random individuals. */
    /* Parent i is the better of individual i and a random individual; parents 2p and 2p + 1 mate. The
     * thesis's rule. */
    SHOAL_GA_OWN,
    /* Probability in proportion to fitness, which is 0 for the worst value, 1 for the best, linear between.
     */
    SHOAL_GA_ROULETTE,
    /* Stochastic universal sampling by the fitness of SHOAL_GA_ROULETTE: Baker 1987. */
    SHOAL_GA_SUS,
    /* By rank, linearly: the expected number of copies is `pressure` for the best and 2 - pressure for the
     * worst: Baker 1985. */
    SHOAL_GA_LINEAR_RANK,
    /* Probability in proportion to rank_base^rank; the best has rank 0. */
    SHOAL_GA_EXPONENTIAL_RANK,
    SHOAL_GA_TRUNCATION, /* A random individual of the best share `truncation` of the population. */
    SHOAL_GA_BOLTZMANN,  /* Probability in proportion to exp(fitness / temperature). */
    SHOAL_GA_BEST        /* Cellular structures: the best of the neighbourhood. */
};

/* How two parents make two children. */
enum shoal_ga_crossover {
    /* SHOAL_GA_SBX_BOUNDED for reals, SHOAL_GA_TWO_POINT for whole numbers, SHOAL_GA_OX for an order. */
    SHOAL_GA_CROSSOVER_AUTO,
    SHOAL_GA_SBX_BOUNDED, /* R: simulated binary crossover inside the box: Deb and Agrawal 1995, NSGA-II. */
    SHOAL_GA_SBX,         /* R: simulated binary crossover without bounds: Deb and Agrawal 1995. */
    SHOAL_GA_BLX,         /* R: uniform in the widened interval of the parents: Eshelman and Schaffer 1993. */
    SHOAL_GA_ARITHMETIC,  /* R: w a + (1 - w) b, one w in [0, 1) for a pair. The thesis's rule. */
    SHOAL_GA_AVERAGE,     /* R: w a + (1 - w) b, one w in [-alpha, 1 + alpha) for a pair: Muehlenbein 1993. */
    SHOAL_GA_HEURISTIC,   /* R: p + w (p - q), p the better parent, and p itself: Wright 1991. */
    SHOAL_GA_ONE_POINT,   /* R, W: genes after a random position are exchanged. */
    SHOAL_GA_TWO_POINT,   /* R, W: genes between two random positions are exchanged. */
    SHOAL_GA_UNIFORM,     /* R, W: each gene is from either parent with probability 1/2: Syswerda 1989. */
    /* Children are copies of their parents. */
    SHOAL_GA_NO_CROSSOVER,
    SHOAL_GA_OX,  /* O: order crossover: Davis 1985. */
    SHOAL_GA_PMX, /* O: partially mapped crossover: Goldberg and Lingle 1985. */
    SHOAL_GA_CX,  /* O: cycle crossover: Oliver, Smith and Holland 1987. */
    SHOAL_GA_ERX  /* O: edge recombination: Whitley, Starkweather and Fuquay 1989. */
};

/* Operator of mutation. */
enum shoal_ga_mutation {
    /* SHOAL_GA_POLYNOMIAL for reals, SHOAL_GA_STEP for integers, SHOAL_GA_UNIFORM_IN_BOX for choices,
     * SHOAL_GA_FLIP for bits, SHOAL_GA_SWAP for an order. */
    SHOAL_GA_MUTATION_AUTO,
    SHOAL_GA_POLYNOMIAL, /* R: polynomial mutation inside the box: Deb and Agrawal 1999, NSGA-II. */
    SHOAL_GA_GAUSSIAN,   /* R: a normal number of standard deviation `sigma` is added. */
    /* R: the gene is drawn anew. Integers and choices: the gene is drawn among the other values. */
    SHOAL_GA_UNIFORM_IN_BOX,
    SHOAL_GA_STEP, /* Integers: a step up or down, small steps more likely. */
    SHOAL_GA_FLIP, /* Bits: the bit flips. */
    /* Bits: all bits from a random position to the last bit flip. The thesis's rule. */
    SHOAL_GA_TAIL_INVERSION,
    SHOAL_GA_NO_MUTATION, /* No gene mutates. */
    SHOAL_GA_SWAP,        /* O: two elements of the order are exchanged. */
    SHOAL_GA_INSERTION,   /* O: an element of the order moves to another position. */
    SHOAL_GA_REVERSAL,    /* O: the elements between two random positions are reversed. */
    SHOAL_GA_SCRAMBLE     /* O: the elements between two random positions are shuffled. */
};

/* Crossover of the integers, choices and bits of a mixed genome alone, in place of `crossover`. */
enum shoal_ga_whole_crossover {
    SHOAL_GA_WHOLE_CROSSOVER_AUTO, /* The crossover that `crossover` names. */
    SHOAL_GA_WHOLE_ONE_POINT,      /* As SHOAL_GA_ONE_POINT. */
    SHOAL_GA_WHOLE_TWO_POINT,      /* As SHOAL_GA_TWO_POINT. */
    SHOAL_GA_WHOLE_UNIFORM,        /* As SHOAL_GA_UNIFORM. */
    SHOAL_GA_NO_WHOLE_CROSSOVER    /* As SHOAL_GA_NO_CROSSOVER. */
};

/* Crossover of the order of a mixed genome alone, in place of `crossover`. */
enum shoal_ga_order_crossover {
    SHOAL_GA_ORDER_CROSSOVER_AUTO, /* The crossover that `crossover` names. */
    SHOAL_GA_ORDER_OX,             /* As SHOAL_GA_OX. */
    SHOAL_GA_ORDER_PMX,            /* As SHOAL_GA_PMX. */
    SHOAL_GA_ORDER_CX,             /* As SHOAL_GA_CX. */
    SHOAL_GA_ORDER_ERX,            /* As SHOAL_GA_ERX. */
    SHOAL_GA_NO_ORDER_CROSSOVER    /* As SHOAL_GA_NO_CROSSOVER. */
};

/* Mutation of the integers, choices and bits of a mixed genome alone, in place of `mutation`. */
enum shoal_ga_whole_mutation {
    SHOAL_GA_WHOLE_MUTATION_AUTO,  /* The mutation that `mutation` names. */
    SHOAL_GA_WHOLE_UNIFORM_IN_BOX, /* As SHOAL_GA_UNIFORM_IN_BOX. */
    SHOAL_GA_WHOLE_STEP,           /* As SHOAL_GA_STEP. */
    SHOAL_GA_WHOLE_FLIP,           /* As SHOAL_GA_FLIP. */
    SHOAL_GA_WHOLE_TAIL_INVERSION, /* As SHOAL_GA_TAIL_INVERSION. */
    SHOAL_GA_NO_WHOLE_MUTATION     /* As SHOAL_GA_NO_MUTATION. */
};

/* Mutation of the order of a mixed genome alone, in place of `mutation`. */
enum shoal_ga_order_mutation {
    SHOAL_GA_ORDER_MUTATION_AUTO, /* The mutation that `mutation` names. */
    SHOAL_GA_ORDER_SWAP,          /* As SHOAL_GA_SWAP. */
    SHOAL_GA_ORDER_INSERTION,     /* As SHOAL_GA_INSERTION. */
    SHOAL_GA_ORDER_REVERSAL,      /* As SHOAL_GA_REVERSAL. */
    SHOAL_GA_ORDER_SCRAMBLE,      /* As SHOAL_GA_SCRAMBLE. */
    SHOAL_GA_NO_ORDER_MUTATION    /* As SHOAL_GA_NO_MUTATION. */
};

/* Unit of `sigma`. */
enum shoal_ga_sigma_unit {
    SHOAL_GA_SIGMA_BOX, /* `sigma` is in widths of the box. */
    SHOAL_GA_SIGMA_GENE /* `sigma` is in the unit of the gene itself. */
};

/* Treatment of a gene that an operator takes out of the box. */
enum shoal_ga_bounds {
    SHOAL_GA_CLAMP, /* The gene is set to the nearest bound. */
    /* The gene is mirrored at the face of the box, or lies on the face if the mirror image is outside, too.
     */
    SHOAL_GA_REFLECT,
    /* The gene stays outside, and the individual's value grows by penalty (1 + distance / width): the
     * thesis's rule. */
    SHOAL_GA_PENALTY,
    SHOAL_GA_UNBOUNDED /* The gene keeps its value, at no penalty. */
};

/* Structure of a population: the individuals among which a mate is chosen. */
enum shoal_ga_structure {
    SHOAL_GA_PANMICTIC, /* All individuals of an island. */
    /* The four neighbours on a torus, which is as square as the size of the population allows. */
    SHOAL_GA_CELLULAR_4,
    /* The eight neighbours on a torus, which is as square as the size of the population allows. */
    SHOAL_GA_CELLULAR_8
};

/* Rule that chooses the individuals of the next population. */
enum shoal_ga_replacement {
    SHOAL_GA_GENERATIONAL, /* The children and the best `elites` parents. */
    SHOAL_GA_STEADY,       /* The members of the old population, of which a few are replaced by children. */
    SHOAL_GA_PLUS,         /* (mu + lambda): the best of parents and children. */
    SHOAL_GA_COMMA,        /* (mu, lambda): the best children. */
    /* SHOAL_GA_STEADY with as many children as members and SHOAL_GA_VICTIM_PARENT, so that each child
     * competes with one of its parents. This choice needs a panmictic population, genes that are all reals,
     * values that do not depend on the generation, and the method SHOAL_GA_AUTO or SHOAL_GA_PIPELINE.
     * Otherwise SHOAL_GA_GENERATIONAL. */
    SHOAL_GA_REPLACEMENT_AUTO
};

/* The member whose place a child takes with SHOAL_GA_STEADY. */
enum shoal_ga_victim {
    SHOAL_GA_VICTIM_WORST,  /* The worst member, if the child is not worse. */
    SHOAL_GA_VICTIM_RANDOM, /* A random member. */
    SHOAL_GA_VICTIM_OLDEST, /* The oldest member. */
    /* A parent of the child, if the child is not worse; in cellular structures the member in the cell of the
     * child. */
    SHOAL_GA_VICTIM_PARENT
};

/* Members of which an island sends copies in an exchange. */
enum shoal_ga_emigrants {
    SHOAL_GA_BEST_LEAVE,  /* The best members. */
    SHOAL_GA_RANDOM_LEAVE /* Random members. */
};

/* Members that migrants replace. */
enum shoal_ga_immigrants {
    SHOAL_GA_REPLACE_WORST, /* The worst members. */
    SHOAL_GA_REPLACE_RANDOM /* Random members. */
};

/* Local search that improves children. */
enum shoal_ga_local_search {
    SHOAL_GA_NO_LOCAL_SEARCH,   /* Children are not improved. */
    SHOAL_GA_FIRST_IMPROVEMENT, /* Makes the first move found that lowers the value, until no move does. */
    SHOAL_GA_BEST_IMPROVEMENT,  /* Makes the move that lowers the value most, until no move does. */
    /* Makes the best move that is not tabu, even if the move raises the value: Glover 1989. */
    SHOAL_GA_TABU
};

/* Moves of the local search. SHOAL_GA_MOVES_2OPT and the values after it are for closed tours (objective
 * `tour`) and not for SHOAL_GA_TABU: with these moves, the local search of <shoal/tsp.h> runs until no move
 * shortens the tour. */
enum shoal_ga_moves {
    SHOAL_GA_MOVES_AUTO,       /* SHOAL_GA_MOVES_FLIP where there are bits, else SHOAL_GA_MOVES_SWAP. */
    SHOAL_GA_MOVES_FLIP,       /* A bit flips. */
    SHOAL_GA_MOVES_SWAP,       /* Two elements of an order are exchanged. */
    SHOAL_GA_MOVES_INSERTION,  /* An element of an order moves to another position. */
    SHOAL_GA_MOVES_2OPT,       /* A tour: 2-opt. */
    SHOAL_GA_MOVES_2HOPT,      /* A tour: 2-opt and insertions of one city (2.5-opt). */
    SHOAL_GA_MOVES_OROPT,      /* A tour: Or-opt, segments of one to three cities. */
    SHOAL_GA_MOVES_2OPT_OROPT, /* A tour: 2-opt and Or-opt. */
    SHOAL_GA_MOVES_3OPT        /* A tour: 2-opt, Or-opt and 3-opt. */
};

/* Children that the local search improves. */
enum shoal_ga_improve {
    SHOAL_GA_IMPROVE_ALL,   /* All children. */
    SHOAL_GA_IMPROVE_ELITES /* The best children, as many as `elites`. */
};

/* How a device computes a generation. Value 4: enum shoal_ga_thesis_method of <shoal/theses.h>. */
enum shoal_ga_method {
    SHOAL_GA_AUTO,    /* The fastest method that `shoal tune ga` measured, else by a rule. */
    SHOAL_GA_FUSED,   /* Populations in global memory, a generation in one launch. */
    SHOAL_GA_ONCHIP,  /* Islands in local memory, many generations a launch. */
    SHOAL_GA_PIPELINE /* Populations in global memory, a few launches a generation. */
};

/* Parameters of the thesis: see <shoal/theses.h>. */
struct shoal_ga_thesis;

/* Parameters of a genetic algorithm. Texts are not copied: valid as long as the solver. Rates are
 * probabilities. A list of rates, "0.6,0.7,0.8", has one for each island of a run. */
struct shoal_ga_params {
    /* Parameters of all searches; their `size` is set by shoal_ga_params_init. */
    struct shoal_search_params search;

    /* Number of individuals of an island, 2 to 268435456. Default: 100. */
    uint64_t population;
    int32_t structure; /* Structure of a population, enum shoal_ga_structure. Default: SHOAL_GA_PANMICTIC. */

    int32_t selection; /* How a parent is selected, enum shoal_ga_selection. Default: SHOAL_GA_TOURNAMENT. */
    /* Individuals of a tournament. Range: 0 to 1024. Default: 0, which means 1 (any individual) where
     * SHOAL_GA_REPLACEMENT_AUTO is SHOAL_GA_STEADY, else 2. */
    uint64_t tournament;
    double pressure;   /* Of SHOAL_GA_LINEAR_RANK: expected copies of the best, 1 to 2. Default: 2. */
    double rank_base;  /* Of SHOAL_GA_EXPONENTIAL_RANK: base, 1e-6 to 1. Default: 0.97. */
    double truncation; /* Of SHOAL_GA_TRUNCATION: share of the population, 0 to 1. Default: 0.5. */
    /* Of SHOAL_GA_BOLTZMANN: temperature of the first generation, as a multiple of the difference of the
     * worst and the best value, 0.01 to 1e6. Default: 1. */
    double temperature;
    /* Of SHOAL_GA_BOLTZMANN: factor of the temperature from one generation to the next, 0 to 1; the
     * temperature stays at least 0.01. Range: 0 to 1. Default: 0.99. */
    double cooling;

    /* How two parents make two children, enum shoal_ga_crossover. Default: SHOAL_GA_CROSSOVER_AUTO. */
    int32_t crossover;
    double crossover_rate; /* Probability that a pair crosses. Range: 0 to 1. Default: 0.9. */
    /* List of rates in place of crossover_rate. Default: NULL, none. */
    const char *crossover_rates;
    /* Distribution index of simulated binary crossover, 0 to 1000: a larger index gives children nearer to
     * their parents. Default: 15. */
    double crossover_eta;
    /* Widening alpha of SHOAL_GA_BLX and SHOAL_GA_AVERAGE, as a multiple of the distance of the parents.
     * Range: 0 to 10. Default: NaN, which means 0.5 for SHOAL_GA_BLX and 0.25 for SHOAL_GA_AVERAGE. */
    double alpha;
    /* Crossover of integers, choices and bits alone, enum shoal_ga_whole_crossover. Default:
     * SHOAL_GA_WHOLE_CROSSOVER_AUTO. */
    int32_t whole_crossover;
    /* Crossover of an order alone, enum shoal_ga_order_crossover. Default: SHOAL_GA_ORDER_CROSSOVER_AUTO. */
    int32_t order_crossover;

    /* Operator of mutation, enum shoal_ga_mutation. Default: SHOAL_GA_MUTATION_AUTO. */
    int32_t mutation;
    double mutation_rate; /* Probability that a child mutates. Range: 0 to 1. Default: 1. */
    /* List of rates in place of mutation_rate. Default: NULL, none. */
    const char *mutation_rates;
    /* Probability with which each gene of a mutating child is changed; the genes of an order have no such
     * probability. Range: 0 to 1. Default: NaN, which means 1 / genes. */
    double gene_rate;
    /* List of rates in place of gene_rate. Default: NULL, none. */
    const char *gene_rates;
    bool one_gene; /* One random gene of a child mutates, in place of gene_rate. Default: false. */
    /* Length of a messy genome: its largest number of pairs of a position and a bit, up to 65536; 0: an
     * ordinary genome, with a fixed position for each gene. Default: 0. */
    uint64_t messy;
    /* Distribution index of SHOAL_GA_POLYNOMIAL, 0 to 1000: a larger index gives smaller steps. Default: 20.
     */
    double mutation_eta;
    double sigma; /* Standard deviation of SHOAL_GA_GAUSSIAN, up to 1e15. Default: 0.1. */
    /* Unit of `sigma`, enum shoal_ga_sigma_unit. Default: SHOAL_GA_SIGMA_BOX. */
    int32_t sigma_unit;
    /* Mutation of integers, choices and bits alone, enum shoal_ga_whole_mutation. Default:
     * SHOAL_GA_WHOLE_MUTATION_AUTO. */
    int32_t whole_mutation;
    /* Mutation of an order alone, enum shoal_ga_order_mutation. Default: SHOAL_GA_ORDER_MUTATION_AUTO. */
    int32_t order_mutation;
    int32_t bounds; /* Treatment of genes outside the box, enum shoal_ga_bounds. Default: SHOAL_GA_CLAMP. */
    /* Of SHOAL_GA_PENALTY: addition to the value for each gene outside the box. Range: 0 to 1e15. Default:
     * 1e6. */
    double penalty;

    /* Local search that improves children, enum shoal_ga_local_search. Default: SHOAL_GA_NO_LOCAL_SEARCH. */
    int32_t local_search;
    int32_t moves; /* Moves of the local search, enum shoal_ga_moves. Default: SHOAL_GA_MOVES_AUTO. */
    /* Most moves of a local search, up to 1048576. Default: 0, which means the number of bits, or of elements
     * of the order. */
    uint64_t local_steps;
    /* Least number of steps for which a move is tabu, up to 1048576. Default: 0, by the number of bits, or of
     * elements of the order. */
    uint64_t tenure;
    /* Children that the local search improves, enum shoal_ga_improve. Default: SHOAL_GA_IMPROVE_ALL. */
    int32_t improve;

    /* Rule that chooses the next population, enum shoal_ga_replacement. Default: SHOAL_GA_REPLACEMENT_AUTO.
     */
    int32_t replacement;
    /* Number of best members that no child replaces. SHOAL_INVALID: more than 1 with a rule by which a child
     * only replaces a member that is no better (docs/ga.md, "Replacement"). Range: 0 to 2^28. Default: 1. */
    uint64_t elites;
    /* Number of children of a generation. Range: 0 to 2^28. Default: 0, which means by the rule of
     * replacement (docs/ga.md): 2 with SHOAL_GA_STEADY, 7 times the population with SHOAL_GA_COMMA, the
     * population less the elites with SHOAL_GA_GENERATIONAL in a panmictic population, else the population.
     */
    uint64_t children;
    /* The member whose place a child takes with SHOAL_GA_STEADY, enum shoal_ga_victim. Default:
     * SHOAL_GA_VICTIM_WORST. */
    int32_t victim;
    /* With SHOAL_GA_STEADY, a child that equals a member or an earlier child is discarded. Default: false. */
    bool unique;

    /* Number of individuals that an island sends in an exchange (search.exchange, search.exchange_topology).
     * Range: 1 to 2^28. Default: 1. */
    uint64_t migrants;
    /* Members of which an island sends copies, enum shoal_ga_emigrants. Default: SHOAL_GA_BEST_LEAVE. */
    int32_t emigrants;
    /* Members that migrants replace, enum shoal_ga_immigrants. Default: SHOAL_GA_REPLACE_WORST. */
    int32_t immigrants;

    int32_t method; /* How a device computes a generation, enum shoal_ga_method. Default: SHOAL_GA_AUTO. */

    /* Parameters of the thesis, struct shoal_ga_thesis of <shoal/theses.h>. Default: NULL, the defaults. */
    struct shoal_ga_thesis *thesis;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_ga_params_init(struct shoal_ga_params *params);
#define SHOAL_GA_PARAMS(...) SHOAL_INIT(shoal_ga_params, shoal_ga_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
