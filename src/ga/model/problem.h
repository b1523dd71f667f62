/* Private: the problem of a genetic algorithm, resolved from the parameters once and constant from then on.
 */
#ifndef SHOAL_GA_PROBLEM_H
#define SHOAL_GA_PROBLEM_H

#include "ga/model/operators.h"

#include "cl/ga/layout.clh"
#include "cl/search/layout.clh"
#include "ga/thesis/use.h"

enum { GA_MAX_LOCAL_STEPS = 1 << 20 };

struct ga_tours;

/* Local search of children. */
struct ga_improve {
    int32_t search;         /* enum shoal_ga_local_search */
    uint32_t moves;         /* enum shoal_ga_moves, not AUTO */
    uint32_t genes;         /* bits or places */
    uint32_t count;         /* moves among which a step chooses */
    uint32_t steps;         /* most steps of a local search */
    uint32_t tenure;        /* fewest steps for which a move is tabu */
    uint32_t chosen;        /* best children of an island that get a local search */
    size_t first;           /* index of the first bit or place among the genes */
    bool by_change;         /* the objective computes the change of its value by a move */
    struct ga_tours *tours; /* local search of closed tours, which has no count, steps and tenure; NULL: moves
                             * are of another kind */
};

struct ga_problem {
    struct search_problem search;         /* points: children of a generation */
    const struct shoal_ga_params *params; /* of the solver */
    struct ga_operators operators;
    struct genome_layout genes; /* of a member; dim reals where the variables are these */
    size_t messy;               /* pairs of a list at most; 0: genes are not messy */
    size_t line;                /* genes that are not in an order; messy genes: the pairs */
    size_t scratch;             /* numbers of 16 bits that a child's order needs: order_scratch() */
    bool one_gene;              /* at most one of these genes mutates in a child */
    struct ga_improve improve;
    bool is_cellular;
    size_t pairs;         /* pairs of an island in a generation; cellular: a pair makes one child */
    size_t rows, columns; /* rows and columns of the torus of cells */
    size_t truncated;     /* best members, among which truncation draws a parent */
    double alpha;         /* alpha of BLX and widened averaging */
    /* Tables of the kernels and the host, among search.tables: layouts in cl/ga/layout.clh. */
    uint32_t *rates; /* rate_entries * RATE_WORDS(line) */
    size_t rate_entries;
    uint32_t *wholes; /* WHOLE_WORDS words for each whole number; NULL: no gene is a whole number */
    uint32_t *ranks;  /* members: thresholds of the ranks; NULL: the selection has none */
    struct ga_thesis thesis;
};

extern const struct search_algorithm ga_algorithm;

/* Sets `improve`, of a problem that has its operators and sizes. SHOAL_INVALID: the genome has no such moves,
 * or there are too many. */
SHOAL_MUST_CHECK enum shoal_status ga_improve_resolve(struct ga_problem *problem, struct shoal_error *error);

/* Sets `replacement` and `tournament` where they are open, by what the genome and the objective are. A child
 * that competes with a parent keeps the population apart: a study of settings is in docs/quality.md. */
void ga_resolve_replacement(struct shoal_ga_params *params, bool has_reals_alone, bool is_dynamic);

/* Children of an island in a generation; the most where the replacement is open. */
uint64_t ga_children(const struct shoal_ga_params *params);

static inline bool ga_is_cellular(const struct shoal_ga_params *params)
{
    return params->structure != SHOAL_GA_PANMICTIC;
}

/* Roulette, SUS and Boltzmann select by weights, ranks and truncation by the order of the values. */
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

/* The part of that check that depends on the number of children in a generation. */
SHOAL_MUST_CHECK enum shoal_status ga_check_children(const struct shoal_ga_params *params,
                                                     struct shoal_error *error);

/* The numbers of a list such as "0.5,0.6,0.7" of probabilities, one for each of `count` islands, to out.
 * option: of the list, for messages. */
SHOAL_MUST_CHECK enum shoal_status ga_read_rates(const char *option, const char *list, size_t count,
                                                 double *out, struct shoal_error *error);

/* The problem, to be destroyed by search_problem_destroy, with its tables. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status ga_problem_create(struct shoal *shoal,
                                                     const struct shoal_ga_params *params,
                                                     struct ga_problem *problem, struct shoal_error *error);

/* Bytes of memory that a step reads and writes at least for one evaluation. */
double ga_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision);

#endif
