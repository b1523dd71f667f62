/* Private: tables of thresholds for random words; cl/ga/layout.clh has the layout. */
#ifndef SHOAL_GA_RATES_H
#define SHOAL_GA_RATES_H

#include "ga/model/problem.h"

/* Rates of one island. */
struct ga_rates {
    double crossover, mutation, gene; /* probabilities: crossover of a pair, mutation of an individual,
                                       * mutation of a gene */
    bool one_gene;
};

/* Makes the table of one island for `line` genes; words: [RATE_WORDS(line)]. */
void ga_fill_rates(const struct ga_rates *rates, size_t line, uint32_t *words);

/* Makes the thresholds of the ranks, best rank first; ranks: [members of the population]. */
void ga_fill_ranks(const struct shoal_ga_params *params, uint32_t *ranks);

#endif
