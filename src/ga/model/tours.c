#include "ga/model/tours.h"
#include "base/error.h"
#include "objective/instances/instance.h"
#include "tsp/device/neighbours.h"

#include <stdlib.h>

/* Number of candidates of a city: the default of shoal_tsp_improve_params_init. */
enum { NEIGHBOURS = 10 };

_Static_assert((int)SHOAL_GA_MOVES_2HOPT - SHOAL_GA_MOVES_2OPT == TSP_MOVES_2HOPT &&
                   (int)SHOAL_GA_MOVES_OROPT - SHOAL_GA_MOVES_2OPT == TSP_MOVES_OROPT &&
                   (int)SHOAL_GA_MOVES_2OPT_OROPT - SHOAL_GA_MOVES_2OPT == TSP_MOVES_2OPT_OROPT &&
                   (int)SHOAL_GA_MOVES_3OPT - SHOAL_GA_MOVES_2OPT == TSP_MOVES_3OPT,
               "moves of tours are in the order of enum tsp_moves");

static enum shoal_status check_objective(const struct ga_problem *problem, const char *moves,
                                         struct shoal_tsp_params *params, struct shoal_error *error)
{
    const struct search_problem *search = &problem->search;
    size_t count, dim;
    const double *points = tour_points(search->objective, &count, &dim);
    if (!points)
        return fail(error, SHOAL_INVALID,
                    "%s is a move of closed tours, which %s has not: give --moves swap or insertion", moves,
                    search->info->name);
    if (dim != 2 && dim != 3)
        return fail(error, SHOAL_INVALID,
                    "%s: %s measures points of 2 or 3 coordinates, not %zu: give --moves swap or insertion",
                    search->info->name, moves, dim);
    if (search->sign < 0)
        return fail(error, SHOAL_INVALID, "%s makes tours shorter: leave out --maximise", moves);
    shoal_tsp_params_init(params);
    params->metric = SHOAL_TSP_EUCLID;
    params->points = points;
    params->count = count;
    params->dim = dim;
    return SHOAL_OK;
}

enum shoal_status ga_tours_create(const struct ga_problem *problem, const char *moves, struct ga_tours **out,
                                  struct shoal_error *error)
{
    const struct ga_improve *improve = &problem->improve;
    struct shoal_tsp_params params;
    enum shoal_status status = check_objective(problem, moves, &params, error);
    if (status)
        return status;
    struct ga_tours *tours = calloc(1, sizeof *tours);
    if (!tours)
        return fail_host_memory(error);
    status = shoal_tsp_open(&params, &tours->problem, error);
    if (status) {
        ga_tours_destroy(&tours);
        return status;
    }
    tours->rules = (struct tsp_improve_rules){
        .moves = (enum tsp_moves)(improve->moves - SHOAL_GA_MOVES_2OPT),
        .is_best = improve->search == SHOAL_GA_BEST_IMPROVEMENT,
        .neighbours = tsp_list_length(tsp_private(tours->problem), 0, NEIGHBOURS),
    };
    *out = tours;
    return SHOAL_OK;
}

void ga_tours_destroy(struct ga_tours **pointer)
{
    struct ga_tours *tours = *pointer;
    if (!tours)
        return;
    for (size_t i = 0; i < tours->threads; i++)
        tsp_improver_destroy(&tours->improvers[i]);
    free(tours->improvers);
    free(tours->lists);
    shoal_tsp_close(&tours->problem);
    free(tours);
    *pointer = NULL;
}

static enum shoal_status find_lists(struct ga_tours *tours, struct shoal_error *error)
{
    const struct tsp_problem *problem = tsp_private(tours->problem);
    const struct tsp_listing listing = {.count = tours->rules.neighbours, .kind = TSP_NEAREST};
    tours->lists = malloc((size_t)problem->form.n * listing.count * sizeof *tours->lists);
    if (!tours->lists)
        return fail_host_memory(error);
    tours->rules.lists = tours->lists;
    return tsp_candidates(problem, NULL, NULL, &listing, tours->lists, error);
}

enum shoal_status ga_tours_open(struct ga_tours *tours, size_t threads, struct shoal_error *error)
{
    enum shoal_status status = find_lists(tours, error);
    if (status)
        return status;
    tours->improvers = calloc(threads, sizeof(struct tsp_improver *));
    if (!tours->improvers)
        return fail_host_memory(error);
    tours->threads = threads;
    for (size_t i = 0; i < threads && !status; i++)
        status = tsp_improver_create(tsp_private(tours->problem), &tours->rules, &tours->improvers[i], error);
    return status;
}

struct tsp_improver *ga_tours_enter(const struct ga_tours *tours, size_t thread, const double *places,
                                    uint32_t *tour)
{
    const uint32_t n = tsp_private(tours->problem)->form.n;
    for (uint32_t i = 0; i < n; i++)
        tour[i] = (uint32_t)places[i];
    tsp_improver_begin(tours->improvers[thread], tour, NULL, NULL, 0);
    return tours->improvers[thread];
}

void ga_tours_leave(const struct ga_tours *tours, const uint32_t *tour, double *places)
{
    const uint32_t n = tsp_private(tours->problem)->form.n;
    for (uint32_t i = 0; i < n; i++)
        places[i] = tour[i];
}
