/* Private: operators of each part of a genome. */
#ifndef SHOAL_GA_OPERATORS_H
#define SHOAL_GA_OPERATORS_H

#include "search/problem.h"

#include <shoal/ga.h>

/* The operators of a search; no operator is AUTO. Operators for parts that the genome does not have are not
 * used. */
struct ga_operators {
    /* cross_wholes: for integers, choices and bits */
    enum shoal_ga_crossover cross_reals, cross_wholes, cross_order;
    enum shoal_ga_mutation mutate_reals, mutate_integers, mutate_choices, mutate_bits, mutate_order;
};

/* Sets the operators for the variables of a problem, by the parameters. SHOAL_INVALID: an operator suits no
 * gene of the problem. */
SHOAL_MUST_CHECK enum shoal_status ga_operators_resolve(const struct search_problem *problem,
                                                        struct ga_operators *out, struct shoal_error *error);

/* Names of the operators, in the order of enum shoal_ga_crossover and enum shoal_ga_mutation, ended by
 * NULL. */
extern const char *const ga_crossover_names[], *const ga_mutation_names[];

#endif
