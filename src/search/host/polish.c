/* The pattern search from the best point of a run, between two steps: docs/search.md, "Pattern search during
 * the run". */
#include "search/host/host.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static void evaluate(struct search_host *host, const double *points, size_t count, double *values,
                     struct search_team team)
{
    const struct search_problem *problem = host->problem;
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (size_t i = 0; i < count; i++) {
        const int thread = team.threads > 1 ? omp_get_thread_num() : team.thread;
        values[i] = INFINITY;
        if (search_host_is_cut(host))
            continue;
        values[i] = search_value(problem, points + i * problem->dim, search_host_scratch_of(host, thread));
        search_host_worked(host, (size_t)thread, SEARCH_EVALUATION);
    }
}

/* Replaces the island's worst member by the point, which becomes the best member and the champion. */
static void put_back(struct search_host *host, size_t island, const double *point, double value)
{
    const struct search_migrant migrant = {island, point, value};
    const size_t dim = host->problem->dim;
    search_host_receive(host, island, &migrant);
    host->islands[island].goal = host->islands[island].champion = value;
    if (search_has_fallen(value, host->islands[island].mark, host->problem->params->stagnation_tolerance)) {
        host->islands[island].mark = value;
        host->islands[island].stagnant = 0;
    }
    memcpy(host->champion + island * dim, point, dim * sizeof *point);
}

/* Moves the best point of the run with at most `most` evaluations. */
static void move_best(struct search_host *host, size_t run, uint64_t most, struct search_team team)
{
    const size_t island = search_host_champion(host, run), dim = host->problem->dim;
    const double before = host->islands[island].champion;
    struct search_problem one = *host->problem; /* the problem with this run alone */
    struct search_polish *polish = NULL;
    struct shoal_error ignored;
    one.runs = 1;
    if (isinf(before) || search_polish_create(&one, SHOAL_POLISH_PATTERN, SHOAL_FP64, most,
                                              host->champion + island * dim, &before, &polish, &ignored))
        return;
    double *values = search_polish_values(polish);
    const double *points;
    size_t count;
    while (!search_host_is_cut(host) && (count = search_polish_ask(polish, &points)) > 0) {
        evaluate(host, points, count, values, team);
        search_polish_tell(polish, values);
    }
    host->moves[run] += search_polish_evaluations(polish);
    const double after = *search_polish_best(polish);
    if (after < before)
        put_back(host, island, search_polish_position(polish), after);
    search_polish_destroy(&polish);
}

void search_host_polish(struct search_host *host, size_t run, struct search_team team)
{
    const uint64_t most = search_polish_allowance(host->problem, host->runs[run].steps);
    if (!most || host->runs[run].ended)
        return;
    move_best(host, run, most, team);
    search_host_look_for_end(host, run, true);
}
