/* Private: from which islands an island of a run receives in an exchange: docs/search.md. */
#ifndef SHOAL_SEARCH_LINKS_H
#define SHOAL_SEARCH_LINKS_H

#include <shoal/error.h>
#include <shoal/search.h>

/* Island s of a run receives from source[first[s]] .. source[first[s + 1] - 1], in that order. For `all` and
 * `random`, and without an exchange, there is no table. */
struct search_links {
    size_t most; /* most sources that an island has */
    uint32_t *first, *source;
};

/* SHOAL_INVALID: the number of islands does not fit the topology, or the list of edges is wrong. */
SHOAL_MUST_CHECK enum shoal_status search_links_create(const struct shoal_search_params *params,
                                                       struct search_links *links, struct shoal_error *error);
void search_links_free(struct search_links *links); /* accepts zeros */

/* Topology `random`: the source of island s of a run in the exchange after step `step`. */
uint32_t search_random_source(uint64_t seed, uint64_t step, uint32_t s, uint32_t islands);

/* Rows of a torus with `places` places: the largest divisor of that number not above its square root. */
size_t search_torus_rows(size_t places);

#endif
