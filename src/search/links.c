/* Topologies of the exchange between islands, as tables of the sources of each island. */
#include "search/links.h"
#include "base/error.h"

#include <ctype.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

size_t search_torus_rows(size_t places)
{
    size_t rows = 1;
    for (size_t divisor = 2; divisor <= places / divisor; divisor++)
        if (places % divisor == 0)
            rows = divisor;
    return rows;
}

uint32_t search_random_source(uint64_t seed, uint64_t step, uint32_t s, uint32_t islands)
{
    const struct shoal_words words =
        shoal_random_words(seed, SHOAL_STREAM_SEARCH_EXCHANGE, (uint32_t)step, s, 0);
    const uint32_t other = (uint32_t)(((uint64_t)words.x * (islands - 1)) >> 32);
    return other < s ? other : other + 1;
}

/* A list of edges, from one island to another ------------------------------------------------------------ */

struct edge {
    uint32_t from, to;
};

/* Reads an edge "FROM-TO" of a list, and moves *text to the end of the edge. */
static enum shoal_status read_edge(const char **text, uint64_t islands, struct edge *edge,
                                   struct shoal_error *error)
{
    const char *begin = *text;
    char *end;
    unsigned long long ends[2];
    for (int i = 0; i < 2; i++) {
        while (*begin == ' ')
            begin++;
        ends[i] = isdigit((unsigned char)*begin) ? strtoull(begin, &end, 10) : UINT64_MAX;
        if (!isdigit((unsigned char)*begin) || *end != (i ? *end ? ',' : '\0' : '-'))
            return fail(error, SHOAL_INVALID,
                        "--exchange-edges at \"%.20s\": write FROM-TO, separated by commas: 0-1,1-2,2-0",
                        *text);
        if (ends[i] >= islands)
            return fail(error, SHOAL_INVALID,
                        "--exchange-edges: there is no island %.12s, they are 0 to %llu", begin,
                        (unsigned long long)islands - 1);
        begin = end + (*end != '\0');
    }
    if (ends[0] == ends[1])
        return fail(error, SHOAL_INVALID, "--exchange-edges: island %llu sends to itself", ends[0]);
    *edge = (struct edge){(uint32_t)ends[0], (uint32_t)ends[1]};
    *text = begin;
    return SHOAL_OK;
}

/* Allocates a table for `total` links. */
static enum shoal_status allocate(size_t islands, struct search_links *links, size_t total,
                                  struct shoal_error *error)
{
    links->first = calloc(islands + 1, sizeof *links->first);
    links->source = calloc(total ? total : 1, sizeof *links->source);
    return links->first && links->source ? SHOAL_OK : fail_host_memory(error);
}

static enum shoal_status create_edges(const struct shoal_search_params *params, struct search_links *links,
                                      struct shoal_error *error)
{
    const size_t islands = (size_t)params->islands;
    size_t count = 0;
    struct edge edge;
    if (!params->exchange_edges || !*params->exchange_edges)
        return fail(error, SHOAL_INVALID,
                    "--exchange-topology edges needs --exchange-edges, such as 0-1,1-2,2-0");
    for (const char *text = params->exchange_edges; *text; count++) {
        enum shoal_status status = read_edge(&text, islands, &edge, error);
        if (status)
            return status;
    }
    enum shoal_status status = allocate(islands, links, count, error);
    /* A counting sort by the receiving island. The sources of an island keep the order of the list. */
    for (const char *text = params->exchange_edges; *text && !status;) {
        status = read_edge(&text, islands, &edge, error);
        links->first[edge.to + 1]++;
    }
    for (size_t s = 0; s < islands && !status; s++) {
        links->most = links->first[s + 1] > links->most ? links->first[s + 1] : links->most;
        links->first[s + 1] += links->first[s];
    }
    for (const char *text = params->exchange_edges; *text && !status;) {
        status = read_edge(&text, islands, &edge, error);
        links->source[links->first[edge.to]++] = edge.from;
    }
    /* Each entry of `first` has become the beginning of the following island, so all entries move up by
     * one. */
    for (size_t s = islands; s > 0 && !status; s--)
        links->first[s] = links->first[s - 1];
    if (!status)
        links->first[0] = 0;
    return status;
}

/* Regular topologies ----------------------------------------------------------------------------------- */

enum { MOST_SOURCES = 32 };

/* Writes the sources of island s, and returns their number. */
static size_t list_sources(int32_t topology, size_t islands, size_t rows, size_t s, uint32_t *sources)
{
    const size_t columns = islands / rows;
    const size_t row = s / columns, column = s % columns;
    const size_t around[] = {(row + rows - 1) % rows * columns + column,
                             row * columns + (column + columns - 1) % columns,
                             row * columns + (column + 1) % columns, (row + 1) % rows * columns + column};
    size_t count = 0;
    if (topology == SHOAL_SEARCH_EXCHANGE_RING) {
        sources[count++] = (uint32_t)((s + islands - 1) % islands);
    } else if (topology == SHOAL_SEARCH_EXCHANGE_TORUS) {
        /* On a torus of two rows or columns, two of the four neighbours are the same island, which is listed
         * once. */
        for (size_t i = 0; i < 4; i++) {
            size_t seen = 0;
            while (seen < count && sources[seen] != around[i])
                seen++;
            if (seen == count)
                sources[count++] = (uint32_t)around[i];
        }
    } else {
        for (size_t bit = 1; bit < islands; bit *= 2)
            sources[count++] = (uint32_t)(s ^ bit);
    }
    return count;
}

static enum shoal_status check_topology(const struct shoal_search_params *params, struct shoal_error *error)
{
    const uint64_t islands = params->islands;
    if (params->exchange_topology == SHOAL_SEARCH_EXCHANGE_TORUS && search_torus_rows((size_t)islands) < 2)
        return fail(error, SHOAL_INVALID,
                    "%llu islands have no rows and columns for --exchange-topology torus: take a number with "
                    "two factors, such as %llu",
                    (unsigned long long)islands,
                    (unsigned long long)(islands < 4 ? 4 : islands + islands % 2));
    if (params->exchange_topology == SHOAL_SEARCH_EXCHANGE_HYPERCUBE && (islands & (islands - 1))) {
        uint64_t power = 1;
        while (power < islands)
            power *= 2;
        return fail(error, SHOAL_INVALID,
                    "%llu islands are no corners of a hypercube: take a power of two, such as %llu",
                    (unsigned long long)islands, (unsigned long long)power);
    }
    return SHOAL_OK;
}

enum shoal_status search_links_create(const struct shoal_search_params *params, struct search_links *links,
                                      struct shoal_error *error)
{
    const size_t islands = (size_t)params->islands;
    const size_t rows = search_torus_rows(islands);
    uint32_t sources[MOST_SOURCES];
    *links = (struct search_links){.most = 1};
    if (!params->exchange || params->exchange_topology == SHOAL_SEARCH_EXCHANGE_ALL ||
        params->exchange_topology == SHOAL_SEARCH_EXCHANGE_RANDOM)
        return SHOAL_OK;
    enum shoal_status status = check_topology(params, error);
    if (!status && params->exchange_topology == SHOAL_SEARCH_EXCHANGE_EDGES) {
        links->most = 0;
        status = create_edges(params, links, error);
    } else if (!status) {
        links->most = list_sources(params->exchange_topology, islands, rows, 0, sources);
        status = allocate(islands, links, islands * links->most, error);
        for (size_t s = 0; s < islands && !status; s++)
            links->first[s + 1] =
                links->first[s] + (uint32_t)list_sources(params->exchange_topology, islands, rows, s,
                                                         links->source + links->first[s]);
    }
    if (status)
        search_links_free(links);
    return status;
}

void search_links_free(struct search_links *links)
{
    free(links->first);
    free(links->source);
    *links = (struct search_links){0};
}
