/* Private: tables of thresholds for random words: cl/ga/layout.clh. */
#ifndef SHOAL_GA_RATES_H
#define SHOAL_GA_RATES_H

#include "ga/model/problem.h"

/* Rates of one island. */
struct ga_rates {
    /* probabilities of the crossover of a pair, of the mutation of an individual, and of the mutation of a
     * gene */
    double crossover, mutation, gene;
    bool one_gene;
};

/* Fills the table of one island for `line` genes; words: [RATE_WORDS(line)]. */
void ga_fill_rates(const struct ga_rates *rates, size_t line, uint32_t *words);

/* Fills the thresholds of the ranks, from the best rank on; ranks: [members of the population]. */
void ga_fill_ranks(const struct shoal_ga_params *params, uint32_t *ranks);

#endif
