/* Random formulas of objectives. */
#ifndef SHOAL_TESTS_FORMULAS_H
#define SHOAL_TESTS_FORMULAS_H

#include <stdint.h>

/* Gives formula number `number`, for five or more coordinates of about size 1: one to four sums and products,
 * some of which are followed by a single coordinate. Valid until the next call. */
const char *formula_random(uint32_t number);

#endif
