/* Private: the problem of a genetic algorithm. Its members follow from the parameters and stay constant. */
#ifndef SHOAL_GA_PROBLEM_H
#define SHOAL_GA_PROBLEM_H

#include "ga/model/operators.h"

#include "cl/ga/layout.clh"
#include "cl/search/layout.clh"
#include "ga/thesis/use.h"

enum { GA_MAX_LOCAL_STEPS = 1 << 20 };

struct ga_tours;

/* Rules of the local search of children. */
struct ga_improve {
    int32_t search;         /* enum shoal_ga_local_search */
    uint32_t moves;         /* enum shoal_ga_moves, not AUTO */
    uint32_t genes;         /* number of bits or places in a member */
    uint32_t count;         /* number of moves that a step can choose from */
    uint32_t steps;         /* most steps of a local search */
    uint32_t tenure;        /* fewest steps for which a move is tabu */
    uint32_t chosen;        /* number of children of an island, the best, that get a local search */
    size_t first;           /* index of the first bit or place among the genes */
    bool by_change;         /* the objective computes the change of its value by a move */
    struct ga_tours *tours; /* local search of closed tours, without count, steps and tenure; NULL: other
                             * moves */
};

struct ga_problem {
    struct search_problem search;         /* points: children of a generation */
    const struct shoal_ga_params *params; /* parameters of the solver */
    struct ga_operators operators;
    struct genome_layout genes; /* genes of a member; dim reals where all variables are plain reals */
    size_t messy;               /* most pairs of a list; 0: genes are not messy */
    size_t line;                /* number of genes outside orders; for messy genes: number of pairs */
    size_t scratch;             /* numbers of 16 bits that a child's order needs: order_scratch() */
    bool one_gene;              /* at most one of the `line` genes mutates in a child */
    struct ga_improve improve;
    bool is_cellular;
    size_t pairs;         /* pairs of an island in a generation; cellular: each pair makes one child */
    size_t rows, columns; /* rows and columns of the torus of cells */
    size_t truncated;     /* best members, among which truncation draws a parent */
    double alpha;         /* parameter alpha of the crossovers BLX and widened averaging */
    /* Tables for the kernels and the host, owned by search.tables; cl/ga/layout.clh has their layouts. */
    uint32_t *rates; /* [rate_entries][RATE_WORDS(line)] */
    size_t rate_entries;
    uint32_t *wholes; /* WHOLE_WORDS words for each whole number; NULL: no gene is a whole number */
    uint32_t *ranks;  /* [members]: thresholds of the ranks; NULL: the selection has no ranks */
    struct ga_thesis thesis;
};

extern const struct search_algorithm ga_algorithm;

/* Sets `improve` of a problem whose operators and sizes are set. SHOAL_INVALID: the genome has no such moves,
 * or a step has too many moves. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_resolve(struct ga_problem *problem, struct shoal_error *error);

/* Sets `replacement` and `tournament` where they are AUTO, depending on the genes and on whether the
 * objective is dynamic. Children that compete with their parents keep the population diverse: docs/quality.md
 * has a study of these settings. */
void ga_resolve_replacement(struct shoal_ga_params *params, bool has_reals_alone, bool is_dynamic);

/* Number of children of an island in a generation; where `replacement` is AUTO, the largest possible
 * number. */
uint64_t ga_children(const struct shoal_ga_params *params);

static inline bool ga_is_cellular(const struct shoal_ga_params *params)
{
    return params->structure != SHOAL_GA_PANMICTIC;
}

/* ga_selects_by_weight: roulette, SUS and Boltzmann; ga_selects_by_order: ranks and truncation, which need
 * the members sorted by value. */
static inline bool ga_selects_by_weight(const struct shoal_ga_params *params)
{
    return params->selection == SHOAL_GA_ROULETTE || params->selection == SHOAL_GA_SUS ||
           params->selection == SHOAL_GA_BOLTZMANN;
}

static inline bool ga_selects_by_order(const struct shoal_ga_params *params)
{
    return params->selection == SHOAL_GA_LINEAR_RANK || params->selection == SHOAL_GA_EXPONENTIAL_RANK ||
           params->selection == SHOAL_GA_TRUNCATION;
}

/* Temperature of Boltzmann selection in a step. */
double ga_temperature(const struct shoal_ga_params *params, uint64_t step);

/* Checks rules between the parameters that need no objective. Each parameter must be in the range of its
 * option. */
SHOAL_MUST_CHECK enum shoal_status ga_check_params(const void *params, struct shoal_error *error);

/* The part of ga_check_params that depends on the number of children in a generation. */
SHOAL_MUST_CHECK enum shoal_status ga_check_children(const struct shoal_ga_params *params,
                                                     struct shoal_error *error);

/* Reads a list of probabilities such as "0.5,0.6,0.7", one for each of `count` islands, into `out`. option:
 * name of the option, for messages. */
SHOAL_MUST_CHECK enum shoal_status ga_read_rates(const char *option, const char *list, size_t count,
                                                 double *out, struct shoal_error *error);

/* Creates the problem with its tables; search_problem_destroy destroys it. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status ga_problem_create(struct shoal *shoal,
                                                     const struct shoal_ga_params *params,
                                                     struct ga_problem *problem, struct shoal_error *error);

/* Least bytes that a step reads and writes for one evaluation. */
double ga_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
