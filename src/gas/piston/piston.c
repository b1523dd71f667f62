/* The rules of the piston, in double precision. */
#include "gas/piston/piston.h"
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/observe/sampling.h"
#include "gas/species/species.h"

#include <math.h>

static double mass_of_gas(const struct gas_problem *problem)
{
    const struct gas_species *species = problem->species;
    double mass = species ? 0 : (double)problem->n * problem->params->mass;
    for (size_t s = 0; species && s < species->count; s++)
        mass += (double)species->particles[s] * species->mass[s];
    return mass;
}

void gas_piston_create(struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    const double cutoff = gas_has_pair_force(params) ? problem->pair.cutoff : 0;
    if (params->piston == SHOAL_GAS_NO_AXIS)
        return;
    const size_t axis = (size_t)(params->piston - SHOAL_GAS_X);
    const double length = problem->length[axis], start = params->start_part * length;
    problem->piston = (struct gas_piston){
        .acts = true,
        .axis = axis,
        .area = problem->volume / length,
        .mass =
            !isnan(params->piston_speed) ? INFINITY : gas_given_or(params->piston_mass, mass_of_gas(problem)),
        .spring = params->piston_stiffness,
        .start = start,
        /* Nearer to the low wall than a cutoff, particles no longer interact as in a gas. */
        .least = isfinite(cutoff) ? fmax(0.005 * length, fmin(cutoff, 0.5 * start)) : 0.005 * length,
        .most = 1.5 * length, /* where fixed-point coordinates end */
        .now = {.place = start},
    };
}

/* Force on the piston: of the gas, of the pressure outside and of the spring. */
static double force_of(const struct gas_piston *piston)
{
    return piston->force - piston->pressure * piston->area -
           piston->spring * (piston->now.place - piston->start);
}

void gas_piston_move(struct gas_problem *problem)
{
    struct gas_piston *piston = &problem->piston;
    const double dt = problem->params->dt;
    piston->now.speed =
        isfinite(piston->mass) ? piston->now.speed + force_of(piston) / piston->mass * dt : piston->speed;
    const double shift = piston->now.speed * dt;
    piston->now.work -= piston->force * shift;
    piston->now.place += shift;
}

enum shoal_status gas_piston_fail(const struct gas_problem *problem, uint64_t steps_done,
                                  struct shoal_error *error)
{
    const struct gas_piston *piston = &problem->piston;
    const bool is_body = isfinite(piston->mass), is_low = piston->now.speed < 0;
    return fail(error, SHOAL_CHECK_FAILED, "the piston %s at step %lld, %.6g from the low wall: %s",
                is_low ? "meets the far wall" : "gets out of its range", gas_failed_step(problem, steps_done),
                is_low ? piston->least : piston->most,
                !is_body && is_low ? "raise --piston-speed, or lower --steps"
                : !is_body         ? "lower --piston-speed or --steps"
                : is_low           ? "lower --piston-pressure, or raise --piston-mass or --wall-stiffness"
                                   : "raise --piston-pressure, or take a longer box for the gas");
}

double gas_piston_speed(const struct gas_problem *problem)
{
    const struct gas_piston *piston = &problem->piston;
    if (!piston->acts)
        return 0;
    return isfinite(piston->mass)
               ? piston->now.speed + 0.5 * problem->params->dt * force_of(piston) / piston->mass
               : piston->speed;
}

double gas_piston_energy(const struct gas_problem *problem)
{
    const struct gas_piston *piston = &problem->piston;
    const double speed = gas_piston_speed(problem), away = piston->now.place - piston->start;
    if (!piston->acts)
        return 0;
    if (!isfinite(piston->mass))
        return -piston->now.work;
    return 0.5 * piston->mass * speed * speed + piston->pressure * piston->area * piston->now.place +
           0.5 * piston->spring * away * away;
}

double gas_volume(const struct gas_problem *problem)
{
    const struct gas_piston *piston = &problem->piston;
    return piston->acts ? piston->area * piston->now.place : problem->volume;
}

double gas_shown_length(const struct gas_problem *problem, size_t axis)
{
    const struct gas_piston *piston = &problem->piston;
    const double length = problem->length[axis];
    return piston->acts && piston->axis == axis ? fmax(length, piston->now.place) : length;
}

bool gas_piston_is_sound(const struct gas_piston *piston, const struct gas_piston_state *state)
{
    return gas_piston_fits(piston, state->place) && isfinite(state->speed) && isfinite(state->work);
}
