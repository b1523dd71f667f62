/* Private: the rule by which the arms of a portfolio share the evaluations: discounted UCB (Garivier and
 * Moulines, On upper-confidence bound policies for switching bandit problems, ALT 2011). */
#ifndef SHOAL_PORTFOLIO_BANDIT_H
#define SHOAL_PORTFOLIO_BANDIT_H

#include <stddef.h>

/* What is known of an arm; plain numbers, parts of checkpoints. Zeros: nothing yet. */
struct bandit_record {
    double tries, wins; /* epochs of the arm, and those in which it gained, each less by the discount of the
                         * epochs since */
};

/* Notes an epoch of arm `arm`, and its gain from 0 to 1. */
void bandit_note(struct bandit_record *records, size_t count, size_t arm, double gain);

/* The index of an arm among `count`; the arm with the largest index comes next, of equal ones the first. */
double bandit_index(const struct bandit_record *records, size_t count, size_t arm);

#endif
