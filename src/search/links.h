/* Private: the islands from which each island of a run receives points in an exchange (docs/search.md). */
#ifndef SHOAL_SEARCH_LINKS_H
#define SHOAL_SEARCH_LINKS_H

#include <shoal/error.h>
#include <shoal/search.h>

/* Links of a topology. Island s of a run receives from the islands source[first[s]] .. source[first[s + 1] -
 * 1], in this order. `first` is NULL for the topologies `all` and `random`, and without an exchange. */
struct search_links {
    size_t most; /* largest number of sources of an island */
    uint32_t *first, *source;
};

/* Creates the table of links. SHOAL_INVALID: the number of islands does not suit the topology, or the list of
 * edges is invalid. */
SHOAL_MUST_CHECK enum shoal_status search_links_create(const struct shoal_search_params *params,
                                                       struct search_links *links, struct shoal_error *error);
void search_links_free(struct search_links *links); /* accepts a struct of zeros */

/* Topology `random`: returns the source of island s of a run in the exchange after step `step`. */
uint32_t search_random_source(uint64_t seed, uint64_t step, uint32_t s, uint32_t islands);

/* Returns the number of rows of a torus of `places` islands: the largest divisor of `places` that is at most
 * the square root of `places`. */
size_t search_torus_rows(size_t places);

#endif
