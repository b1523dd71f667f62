/* Kinds of searches that are asked for points, and damaged states. */
#ifndef SHOAL_TESTS_SEARCH_KINDS_H
#define SHOAL_TESTS_SEARCH_KINDS_H

#include "optimiser.h"

#include "workload/checkpoint/checkpoint.h"

/* Kinds of searches: swarms that are synchronous, one by one, islands with a pattern search after them,
 * invisible outside; populations with more children than members, with few, in cells, with restarts, over
 * genes of several kinds, over an order; populations that lose members, with a memory and with F and CR of
 * their own. */
enum { KINDS = 14 };

struct shoal_optimiser *kind(size_t k);

/* Variables of several kinds. */
extern const char mixed[];
/* A genetic algorithm over variables, which have their ranges themselves. */
struct shoal_optimiser *over(const char *variables);

/* Loads the optimiser's own state with another section of that name; what it had is discarded. */
enum shoal_status load_with(struct shoal_optimiser *optimiser, const char *name,
                            void (*change)(struct checkpoint_section *section));

#endif
