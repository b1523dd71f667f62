/* Private: the problem of a genetic algorithm. It is created from the parameters, and does not change during
 * a search. */
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
    int32_t search;  /* enum shoal_ga_local_search */
    uint32_t moves;  /* enum shoal_ga_moves, never AUTO */
    uint32_t genes;  /* number of bits of a member, or of elements of its order */
    uint32_t count;  /* number of moves among which a step chooses */
    uint32_t steps;  /* largest number of steps of a local search */
    uint32_t tenure; /* least number of steps for which a move is tabu */
    uint32_t chosen; /* number of children of an island that are improved: the best ones */
    size_t first;    /* index, among the genes, of the first bit or of the first element of the order */
    bool by_change;  /* the objective computes the change of its value by a move */
    /* local search by moves of closed tours, without count, steps and tenure; NULL: the moves are flips,
     * swaps or insertions */
    struct ga_tours *tours;
};

struct ga_problem {
    struct search_problem search;         /* its points are the children of a generation */
    const struct shoal_ga_params *params; /* parameters of the solver */
    struct ga_operators operators;
    struct genome_layout genes; /* layout of a member's genes: if all variables are plain reals, dim reals */
    size_t messy;               /* largest number of pairs in a list; 0: genes are not messy */
    /* number of genes outside orders; with messy genes, largest number of pairs */
    size_t line;
    /* number of 16-bit words that the order of a child needs: order_scratch() */
    size_t scratch;
    bool one_gene; /* at most one of the `line` genes of a child mutates */
    struct ga_improve improve;
    bool is_cellular;
    /* number of pairs of an island in a generation; in cellular structures, each pair makes only one child */
    size_t pairs;
    size_t rows, columns; /* rows and columns of the torus of cells */
    size_t truncated;     /* number of best members among which truncation selects parents */
    double alpha;         /* alpha of the crossovers BLX and average */
    /* Tables for the kernels and the host, see cl/ga/layout.clh; freed with search.tables. */
    uint32_t *rates; /* [rate_entries][RATE_WORDS(line)] */
    size_t rate_entries;
    uint32_t *wholes; /* WHOLE_WORDS words for each integer or choice; NULL: there are none */
    uint32_t *ranks;  /* [members]: thresholds of the ranks; NULL: the selection is not by rank */
    struct ga_thesis thesis;
};

extern const struct search_algorithm ga_algorithm;

/* Sets problem->improve. Operators and sizes of the problem must be set. SHOAL_INVALID: the genome does not
 * have the genes for the moves, or a step would have too many moves. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_resolve(struct ga_problem *problem, struct shoal_error *error);

/* Sets `replacement` and `tournament` if they are AUTO, by the genes and by whether the objective is dynamic.
 * By default, children compete with their parents, which keeps the population diverse: docs/quality.md has a
 * study of these settings. */
void ga_resolve_replacement(struct shoal_ga_params *params, bool has_reals_alone, bool is_dynamic);

/* Returns the number of children of an island in a generation. If `replacement` is AUTO, returns the largest
 * number that is possible. */
uint64_t ga_children(const struct shoal_ga_params *params);

static inline bool ga_is_cellular(const struct shoal_ga_params *params)
{
    return params->structure != SHOAL_GA_PANMICTIC;
}

/* ga_selects_by_weight: whether the selection is roulette, SUS or Boltzmann, which need weights of the
 * members. ga_selects_by_order: whether the selection is by rank or truncation, which need the members sorted
 * by value. */
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

/* Returns the temperature of Boltzmann selection in a step. */
double ga_temperature(const struct shoal_ga_params *params, uint64_t step);

/* Checks the rules between the parameters that do not depend on the objective. Each parameter must be in the
 * range of its option. */
SHOAL_MUST_CHECK enum shoal_status ga_check_params(const void *params, struct shoal_error *error);

/* Checks the rules of ga_check_params that depend on the number of children in a generation. */
SHOAL_MUST_CHECK enum shoal_status ga_check_children(const struct shoal_ga_params *params,
                                                     struct shoal_error *error);

/* Creates the problem and its tables. search_problem_destroy destroys them. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status ga_problem_create(struct shoal *shoal,
                                                     const struct shoal_ga_params *params,
                                                     struct ga_problem *problem, struct shoal_error *error);

/* Returns the least number of bytes that a step reads and writes for each evaluation. */
double ga_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
