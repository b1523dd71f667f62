/* What an optimiser that evaluates points of its caller has found so far. */
#include "objective/constraints/constraints.h"
#include "search/optimiser/optimise.h"
#include "search/space.h"

#include <math.h>
#include <string.h>

bool shoal_optimiser_best(const struct shoal_optimiser *optimiser, double *x, double *value)
{
    if (!optimiser || !optimiser->started)
        return false;
    if (optimiser->device)
        return optimiser_device_best(optimiser, x, value);
    const struct search_problem *problem = optimiser_host(optimiser)->problem;
    const double best = problem->sign * optimiser_best_rank(optimiser, x);
    if (isfinite(best) && value)
        *value = search_shown_value(problem, best);
    return isfinite(best);
}

double optimiser_best_rank(const struct shoal_optimiser *optimiser, double *x)
{
    const struct search_problem *problem = optimiser_host(optimiser)->problem;
    const double *position;
    if (optimiser->refined && x)
        memcpy(x, optimiser->refined, optimiser->dim * sizeof *x);
    if (optimiser->refined)
        return optimiser->refined_value;
    const double best = optimiser_find_best(optimiser, &position);
    if (isfinite(best) && x)
        search_to_point(problem, position, x);
    return problem->sign * best;
}

double shoal_optimiser_violation(const struct shoal_optimiser *optimiser)
{
    if (!optimiser || !optimiser->started)
        return NAN;
    if (optimiser->device)
        return optimiser_device_violation(optimiser);
    const struct search_problem *problem = optimiser_host(optimiser)->problem;
    const double best = problem->sign * optimiser_best_rank(optimiser, NULL);
    return !isfinite(best) ? NAN : problem->constrained ? constrained_violation_of(best) : 0;
}

uint64_t shoal_optimiser_evaluations(const struct shoal_optimiser *optimiser)
{
    return optimiser ? optimiser->place.evaluations + optimiser->told.count : 0;
}

static uint64_t not_finite_told(const struct optimiser_told *told, size_t capacity)
{
    uint64_t count = 0;
    for (size_t i = 0; told->count && i < capacity; i++)
        count += told->is_told[i] && !isfinite(told->values[i]);
    return count;
}

uint64_t shoal_optimiser_not_finite(const struct shoal_optimiser *optimiser)
{
    if (optimiser && optimiser->host.state)
        return optimiser_host(optimiser)->runs->not_finite +
               not_finite_told(&optimiser->told, optimiser->capacity);
    return optimiser ? optimiser_device_count(optimiser, "not_finite") : 0;
}

uint64_t shoal_optimiser_steps(const struct shoal_optimiser *optimiser)
{
    if (optimiser && optimiser->host.state)
        return optimiser_host(optimiser)->runs->steps;
    return optimiser ? optimiser->result.steps : 0;
}

enum shoal_optimise_result shoal_optimiser_state(const struct shoal_optimiser *optimiser)
{
    return optimiser ? optimiser->state : SHOAL_OPTIMISE_RUNNING;
}
