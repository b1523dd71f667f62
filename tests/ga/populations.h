/* Populations of the host solver. */
#ifndef SHOAL_TESTS_GA_POPULATIONS_H
#define SHOAL_TESTS_GA_POPULATIONS_H

#include "open.h"

#include "ga/host/host.h"

/* 12 individuals of the sphere in 3 dimensions, 1 thread, without a crossover or mutation of genes that are
 * equal. */
struct shoal_ga_params small_params(void);

void make_host(const struct shoal_ga_params *params, int threads, struct ga_host *host);
/* Members, values, records of islands and runs are the same bits. */
void assert_same(const struct ga_host *a, const struct ga_host *b);
/* A run of so many steps that is saved and loaded every `apart` ones is the same as a whole one. */
void assert_resumes(const struct shoal_ga_params *params, uint64_t steps, uint64_t apart);
/* The same by one thread and by two, and resumed. */
void assert_same_by_threads(const struct shoal_ga_params *params, uint64_t steps, uint64_t apart);
/* The status of a refusal, whose one line holds `part`. */
enum shoal_status refusal(const struct shoal_ga_params *params, const char *part);
int32_t function_named(const char *name);

/* The parents of one pair. */
static inline struct ga_parents parents_of(const struct ga_host *host, size_t island, size_t pair,
                                           uint64_t step)
{
    struct ga_parents parents[GA_SELECTED];
    ga_host_select(host, island, pair, 1, step, parents);
    return parents[0];
}

#endif
