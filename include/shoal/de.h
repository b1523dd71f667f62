/* Differential evolution: parameters of the workload "de" (shoal_workload_find("de")).
 *
 * Each island of a search (<shoal/search.h>) is a population of points in `dim` dimensions. In a step each
 * member x gets a mutant v by the `strategy`, which adds differences of members, scaled by F. The trial of x
 * takes some coordinates from v, chosen by the `crossover` with the rate CR, and the other coordinates from
 * x. The trial replaces x if its value is not worse. The `adaptation` chooses F and CR from the trials that
 * succeeded before.
 *
 * The default is L-SHADE (Tanabe, Fukunaga 2014): 18 members for each dimension, of which the worst leave
 * until 4 remain at the end of the budget of evaluations.
 *
 * docs/de.md states each rule with its source and the random numbers it draws: an equal seed gives an equal
 * search on every solver, up to rounding.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_DE_H
#define SHOAL_DE_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* How F and CR of a trial are chosen. */
enum shoal_de_adaptation {
    SHOAL_DE_NONE, /* All trials have `scale` and `crossover_rate`: Storn, Price 1997. */
    /* Each member has its own F and CR, drawn anew with probability 0.1: Brest, Greiner, Boskovic, Mernik,
     * Zumer 2006. */
    SHOAL_DE_JDE,
    SHOAL_DE_JADE,  /* Drawn around one mean of F and one mean of CR: Zhang, Sanderson 2009. */
    SHOAL_DE_SHADE, /* Drawn around means in a memory of 100 cells: Tanabe, Fukunaga 2013. */
    /* SHADE with a memory of 6 cells and a population that shrinks: Tanabe, Fukunaga 2014. */
    SHOAL_DE_LSHADE,
    /* L-SHADE with a memory of 5 cells, and limits of F and CR that depend on the share of the budget that is
     * used: Brest, Maucec, Boskovic 2017. */
    SHOAL_DE_JSO
};

/* Formula of the mutant v of member x. best: the best member; a, b, c: members drawn at random; p: a random
 * member of the best share `pbest` of the population. */
enum shoal_de_strategy {
    /* SHOAL_DE_RAND_1 if the adaptation is SHOAL_DE_NONE or SHOAL_DE_JDE, or if there are constraints and
     * neither `pbest` nor an `archive` above 0 is given. Otherwise SHOAL_DE_CURRENT_TO_PBEST_1. */
    SHOAL_DE_STRATEGY_AUTO,
    SHOAL_DE_RAND_1, /* a + F (b - c). */
    SHOAL_DE_BEST_1, /* best + F (a - b). */
    /* x + F (p - x) + F (a - b), where b may be from the archive. With SHOAL_DE_JSO the first F is multiplied
     * by 0.7, 0.8 or 1.2, depending on the share of the budget that is used. */
    SHOAL_DE_CURRENT_TO_PBEST_1
};

/* Which coordinates a trial takes from the mutant, at least one. */
enum shoal_de_crossover {
    SHOAL_DE_BINOMIAL,   /* Each coordinate of the mutant with probability CR. */
    SHOAL_DE_EXPONENTIAL /* A run of neighbouring coordinates of the mutant, continued with probability CR. */
};

/* How a device computes a step. */
enum shoal_de_method {
    SHOAL_DE_AUTO,    /* The fastest method that `shoal tune de` measured, else by a rule. */
    SHOAL_DE_ONCHIP,  /* A whole island in one work-group, many steps a launch. */
    SHOAL_DE_PIPELINE /* A launch for each part of a step, for every objective and population. */
};

/* Parameters of differential evolution. */
struct shoal_de_params {
    /* Parameters of all searches; their `size` is set by shoal_de_params_init. */
    struct shoal_search_params search;

    /* Number of members of an island at the start, 4 to 268435456. Default: 0, which means by the adaptation:
     * 10 for each dimension with SHOAL_DE_NONE, 100 with SHOAL_DE_JDE, SHOAL_DE_JADE and SHOAL_DE_SHADE, 18
     * for each dimension with SHOAL_DE_LSHADE, 25 ln(dim) sqrt(dim) with SHOAL_DE_JSO; at least 8, and at
     * most a fiftieth of the evaluations of an island. */
    uint64_t population;
    /* Number of members at the end of the budget, 4 to `population`. The number falls linearly with the
     * evaluations. Default: 0, which means 4 with SHOAL_DE_LSHADE and SHOAL_DE_JSO, else `population`. */
    uint64_t population_end;
    int32_t adaptation; /* Choice of F and CR, enum shoal_de_adaptation. Default: SHOAL_DE_LSHADE. */
    int32_t strategy;   /* Mutants, enum shoal_de_strategy. Default: SHOAL_DE_STRATEGY_AUTO. */
    int32_t crossover;  /* Trials, enum shoal_de_crossover. Default: SHOAL_DE_BINOMIAL. */
    double scale;       /* F of SHOAL_DE_NONE, above 0 to 2. Default: 0.5. */
    /* CR of SHOAL_DE_NONE, 0 to 1. Default: 0.9. */
    double crossover_rate;
    /* Share of the population among which p is drawn, above 0 to 1; at least two members. Default: NaN, which
     * means 0.05 with SHOAL_DE_JADE, a random share up to 0.2 for each trial with SHOAL_DE_SHADE, 0.25
     * falling to 0.125 with SHOAL_DE_JSO, else 0.11. */
    double pbest;
    /* Members of the archive of replaced members, for each member of the population, 0 to 10. Default: NaN,
     * which means 2.6 with SHOAL_DE_LSHADE, 0 with SHOAL_DE_NONE and SHOAL_DE_JDE, else 1. */
    double archive;
    /* Cells of the memory of F and CR, up to 1024; with SHOAL_DE_JSO the last cell is constant. Default: 0,
     * which means 100 with SHOAL_DE_SHADE, 6 with SHOAL_DE_LSHADE, 5 with SHOAL_DE_JSO. */
    uint64_t memory;

    int32_t method; /* How a device computes a step, enum shoal_de_method. Default: SHOAL_DE_AUTO. */
    /* Share of the budget, 0 to 1, during which constraints are relaxed by the epsilon level of Takahama and
     * Sakai: a point whose violation is at most the epsilon level counts as feasible, and the level falls to
     * 0. 0: no relaxation. Needs constraints and a population that does not shrink. Default: NaN, which means
     * 0.1 if some constraint is an equality and `population_end` does not ask for a population that shrinks,
     * else 0. A share above 0 changes other defaults: with SHOAL_DE_LSHADE and SHOAL_DE_JSO `population` is
     * one member for each 2000 evaluations of an island, 20 to 60; `population_end` equals `population`;
     * `restart` 0 means 300 if `stagnation` is 0. */
    double level;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_de_params_init(struct shoal_de_params *params);
#define SHOAL_DE_PARAMS(...) SHOAL_INIT(shoal_de_params, shoal_de_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
