/* Published lengths of the shortest closed tours: TSPLIB (G. Reinelt's list), the national and VLSI problems
 * (W. Cook's lists), the random problems of the DIMACS challenge (K. Helsgaun's list), and the Mona Lisa (R.
 * Bosch, Y. Nagata). */
#include "base/integer.h"
#include "tsp/files/files.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t n;
    /* metric to which the published length belongs; AUTO: the default metric of the problem's file */
    enum shoal_tsp_metric metric;
    /* the length is proven to be the shortest; false: the length is only the best known */
    bool is_optimal;
    int64_t length;
} published[] = {
#include "tsp/files/optima.inc"
};

/* Returns whether `name` denotes the instance `known` of the DIMACS challenge in the form of a generator,
 * which names an instance by size and seed, such as "portgen-1000-1000". */
static bool is_generated(const char *name, size_t length, const char *known)
{
    static const char *const families[][2] = {
        {"portgen-", "E"}, {"uniform:", "E"}, {"portcgen-", "C"}, {"clustered:", "C"}};
    uint64_t n, seed;
    for (size_t i = 0; i < COUNT(families); i++) {
        const size_t prefix = strlen(families[i][0]);
        char digits[48];
        if (length <= prefix || strncmp(name, families[i][0], prefix) != 0 || *known != *families[i][1] ||
            !tsp_find_instance(known, &n, &seed))
            continue;
        snprintf(digits, sizeof digits, "%llu%c%llu", (unsigned long long)n, families[i][0][prefix - 1],
                 (unsigned long long)seed);
        if (strlen(digits) == length - prefix && memcmp(name + prefix, digits, length - prefix) == 0)
            return true;
    }
    return false;
}

int64_t tsp_known_length(const struct tsp_problem *problem, bool *is_optimal)
{
    const char *name = problem->name;
    const bool is_own_metric = problem->params->metric == SHOAL_TSP_AUTO;
    size_t length = strlen(name);
    *is_optimal = false;
    /* Published lengths are sums of integer distances, so lengths in other units cannot be compared. */
    if (problem->unit != 1)
        return 0;
    if (length > 4 && strcmp(name + length - 4, ".tsp") == 0)
        length -= 4;
    for (size_t i = 0; i < COUNT(published) && !problem->is_path; i++) {
        const char *known = published[i].name;
        const bool is_named = (strlen(known) == length && memcmp(known, name, length) == 0) ||
                              is_generated(name, length, known);
        const bool is_measured =
            published[i].metric == SHOAL_TSP_AUTO ? is_own_metric : published[i].metric == problem->metric;
        /* linhp318 is the only published problem that has a fixed edge. */
        if (is_named && is_measured && published[i].n == problem->n &&
            (problem->fixed_count == 1) == (strcmp(known, "linhp318") == 0) && problem->fixed_count < 2) {
            *is_optimal = published[i].is_optimal;
            return published[i].length;
        }
    }
    return 0;
}
