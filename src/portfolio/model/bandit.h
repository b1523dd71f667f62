/* Private: the rule that divides the evaluations among the arms of a portfolio: discounted UCB (Garivier and
 * Moulines, On upper-confidence bound policies for switching bandit problems, ALT 2011). */
#ifndef SHOAL_PORTFOLIO_BANDIT_H
#define SHOAL_PORTFOLIO_BANDIT_H

#include <stddef.h>

/* Discounted counts of an arm, as plain numbers for checkpoints. All zeros: no epoch yet. */
struct bandit_record {
    /* tries: epochs of the arm; wins: their gains. Each epoch of any arm multiplies both by the discount. */
    double tries, wins;
};

/* Adds an epoch of arm `arm` with its gain, from 0 to 1. */
void bandit_note(struct bandit_record *records, size_t count, size_t arm, double gain);

/* Returns the bandit's index of arm `arm`, an upper confidence bound of its gain. The arm with the largest
 * index comes next, the first among equals. */
double bandit_index(const struct bandit_record *records, size_t count, size_t arm);

#endif
