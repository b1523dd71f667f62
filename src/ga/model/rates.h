/* Private: tables of thresholds for random words, in the layout of cl/ga/layout.clh. */
#ifndef SHOAL_GA_RATES_H
#define SHOAL_GA_RATES_H

#include "cl/ga/layout.clh"

#include <shoal/ga.h>

/* The rates of an island. */
struct ga_rates {
    /* probabilities that a pair is crossed (crossover), that an individual is mutated (mutation), and that a
     * gene is mutated (gene) */
    double crossover, mutation, gene;
    bool one_gene;
};

/* Fills the entry of `rates` for one island with `line` genes outside orders. words: [RATE_WORDS(line)]. */
void ga_fill_rates(const struct ga_rates *rates, size_t line, uint32_t *words);

/* Fills the thresholds of the ranks, beginning with the best rank. ranks: [population]. */
void ga_fill_ranks(const struct shoal_ga_params *params, uint32_t *ranks);

/* Reads a list of `count` probabilities, such as "0.5,0.6,0.7", one for each island. option: name of the
 * option, for messages. */
SHOAL_MUST_CHECK enum shoal_status ga_read_rates(const char *option, const char *list, size_t count,
                                                 double *out, struct shoal_error *error);

#endif
