/* Shortest tours by dynamic programming over sets of cities: M. Held and R. M. Karp, Journal of the Society
 * for Industrial and Applied Mathematics 10, 1962; R. Bellman, Journal of the ACM 9, 1962. */
#include "tsp/exact/exact.h"

#include "base/error.h"
#include "tsp/tsp.h"

#include <stdlib.h>

/* A path has an additional city, at distance 0 from all cities, from which the tour begins. */
enum { MOST = TSP_EXACT_CITIES + 1, SETS = 1 << (MOST - 1) };

/* The tour begins with the last city. The other cities are members of sets, each by its bit. */
struct table {
    uint32_t n; /* number of cities, the additional one included */
    int64_t distance[MOST][MOST];
    /* [set][member]: length of the shortest way from the last city through the set that ends with the member;
     * the city before the member */
    int64_t length[SETS][MOST - 1];
    unsigned char before[SETS][MOST - 1];
};

/* A tour with all fixed edges and no forbidden edge is shorter than every other tour: see TSP_FAR. */
static void set_distances(const struct tsp_problem *problem, struct table *table)
{
    const uint32_t n = problem->n, additional = n;
    table->n = n + problem->is_path;
    for (uint32_t a = 0; a < table->n; a++)
        for (uint32_t b = 0; b < table->n; b++) {
            const int64_t distance = a < n && b < n && a != b ? tsp_input_distance(problem, a, b) : 0;
            table->distance[a][b] = distance == SHOAL_TSP_FORBIDDEN ? TSP_FAR : distance;
        }
    for (size_t i = 0; i < problem->fixed_count; i++) {
        const uint32_t *edge = problem->fixed[i];
        table->distance[edge[0]][edge[1]] = -TSP_FAR;
        if (!problem->is_asymmetric)
            table->distance[edge[1]][edge[0]] = -TSP_FAR;
    }
    if (problem->is_path && problem->start != SHOAL_TSP_NONE)
        table->distance[additional][problem->start] = -TSP_FAR;
    if (problem->is_path && problem->end != SHOAL_TSP_NONE)
        table->distance[problem->end][additional] = -TSP_FAR;
}

/* Finds the city before `member` in the shortest way through `set`, of which it is not the only member. */
static void find_before(struct table *table, uint32_t set, uint32_t member)
{
    const uint32_t rest = set & ~(UINT32_C(1) << member);
    int64_t best = INT64_MAX;
    for (uint32_t city = 0; city < table->n - 1; city++) {
        if (!(rest >> city & 1))
            continue;
        const int64_t length = table->length[rest][city] + table->distance[city][member];
        if (length < best) {
            best = length;
            table->before[set][member] = (unsigned char)city;
        }
    }
    table->length[set][member] = best;
}

/* Sets `tour` to all cities of the table but the first one, which is the last by number. */
static void find_tour(struct table *table, uint32_t *tour)
{
    const uint32_t members = table->n - 1, first = members;
    const uint32_t all = (UINT32_C(1) << members) - 1;
    for (uint32_t set = 1; set <= all; set++)
        for (uint32_t member = 0; member < members; member++) {
            if (set == UINT32_C(1) << member)
                table->length[set][member] = table->distance[first][member];
            else if (set >> member & 1)
                find_before(table, set, member);
        }
    uint32_t last = 0;
    for (uint32_t member = 1; member < members; member++)
        if (table->length[all][member] + table->distance[member][first] <
            table->length[all][last] + table->distance[last][first])
            last = member;
    for (uint32_t place = members, set = all; place--;) {
        tour[place] = last;
        const uint32_t before = table->before[set][last];
        set &= ~(UINT32_C(1) << last);
        last = before;
    }
}

enum shoal_status tsp_exact_tour(const struct tsp_problem *problem, uint32_t *tour, struct shoal_error *error)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return fail_host_memory(error);
    set_distances(problem, table);
    if (!problem->is_path)
        tour[problem->n - 1] = problem->n - 1;
    if (table->n > 1)
        find_tour(table, tour);
    free(table);
    return SHOAL_OK;
}

/* The algorithm ------------------------------------------------------------------------------------------ */

static enum shoal_status check(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const char *option = tsp_option_of_search(params);
    if (option)
        return fail(error, SHOAL_INVALID, "exact has no candidate lists and no start tour: leave out %s",
                    option);
    return tsp_check_no_ants(params, error);
}

static enum shoal_status fits(const struct tsp_problem *problem, struct shoal_error *error)
{
    if (problem->n <= TSP_EXACT_CITIES)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "%s: --algorithm exact takes at most %d cities, not %lu: leave out --algorithm",
                problem->name, TSP_EXACT_CITIES, (unsigned long)problem->n);
}

const struct tsp_algorithm tsp_exact = {.name = "exact", .check = check, .fits = fits};
