/* Checks whether an array of cities is a valid tour of a problem. */
#include "base/counted.h"
#include "base/error.h"
#include "tsp/model/problem.h"

#include <stdlib.h>

static const char *show(const struct tsp_problem *problem, uint32_t city, char text[64])
{
    tsp_id(problem, city, text, 64);
    return text;
}

/* Checks that the tour is a permutation of all cities, and sets `place` to the index of each city in the
 * tour. */
static enum shoal_status check_permutation(const struct tsp_problem *problem, const uint32_t *tour,
                                           uint32_t *place, struct shoal_error *error)
{
    char text[64];
    for (uint32_t i = 0; i < problem->n; i++)
        place[i] = SHOAL_TSP_NONE;
    for (uint32_t i = 0; i < problem->n; i++) {
        if (tour[i] >= problem->n)
            return fail(error, SHOAL_INVALID, "the tour has city number %lu at place %lu: %s has 0 to %lu",
                        (unsigned long)tour[i], (unsigned long)i + 1, problem->name,
                        (unsigned long)problem->n - 1);
        if (place[tour[i]] != SHOAL_TSP_NONE)
            return fail(error, SHOAL_INVALID, "the tour has city %s twice, at places %lu and %lu",
                        show(problem, tour[i], text), (unsigned long)place[tour[i]] + 1,
                        (unsigned long)i + 1);
        place[tour[i]] = i;
    }
    return SHOAL_OK;
}

static enum shoal_status check_end(const struct tsp_problem *problem, uint32_t wanted, uint32_t city,
                                   const char *what, struct shoal_error *error)
{
    char text[2][64];
    if (wanted == SHOAL_TSP_NONE || wanted == city)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID, "the tour %s in city %s, it should in %s", what,
                show(problem, city, text[0]), show(problem, wanted, text[1]));
}

static enum shoal_status check_fixed(const struct tsp_problem *problem, const uint32_t *place,
                                     struct shoal_error *error)
{
    const uint32_t n = problem->n;
    char text[2][64];
    for (size_t i = 0; i < problem->fixed_count; i++) {
        const uint32_t a = place[problem->fixed[i][0]], b = place[problem->fixed[i][1]];
        const bool is_forwards = a + 1 == b || (a + 1 == n && b == 0 && !problem->is_path);
        const bool is_backwards = b + 1 == a || (b + 1 == n && a == 0 && !problem->is_path);
        if (!is_forwards && !(is_backwards && !problem->is_asymmetric))
            return fail(error, SHOAL_INVALID, "the tour lacks the fixed edge from %s to %s",
                        show(problem, problem->fixed[i][0], text[0]),
                        show(problem, problem->fixed[i][1], text[1]));
    }
    return SHOAL_OK;
}

enum shoal_status tsp_tour_fault(const struct tsp_problem *problem, const uint32_t *tour, size_t count,
                                 struct shoal_error *error)
{
    const uint32_t n = problem->n;
    uint32_t forbidden = SHOAL_TSP_NONE;
    char text[2][64];
    if (count != n)
        return fail(error, SHOAL_INVALID, "the tour has %s, %s has %lu", counted(count, "city").s,
                    problem->name, (unsigned long)n);
    uint32_t *place = malloc(n * sizeof *place);
    enum shoal_status status =
        place ? check_permutation(problem, tour, place, error) : fail_host_memory(error);
    if (!status && problem->is_path) /* a closed tour may begin with any city, so this is not checked */
        status = check_end(problem, problem->start, tour[0], "begins", error);
    if (!status)
        status = check_end(problem, problem->end, tour[n - 1], "ends", error);
    if (!status)
        status = check_fixed(problem, place, error);
    free(place);
    if (!status)
        tsp_length(problem, tour, &forbidden);
    if (forbidden != SHOAL_TSP_NONE)
        return fail(error, SHOAL_INVALID, "the tour has the forbidden edge from %s to %s",
                    show(problem, tour[forbidden], text[0]),
                    show(problem, tour[(forbidden + 1) % n], text[1]));
    return status;
}
