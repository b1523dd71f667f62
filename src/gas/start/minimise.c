#include "gas/start/minimise.h"
#include "base/error.h"
#include "gas/observe/sampling.h"
#include "gas/start/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of FIRE 2.0. DELAY: number of steps downhill before dt grows; dt_up, dt_down: factors by which
 * dt changes; mixing_first: the mixing at the start; mixing_down: factor by which the mixing falls;
 * longest_dt, shortest_dt: bounds of dt, in units of the run's dt. */
enum { DELAY = 20 };
static const double dt_up = 1.1, dt_down = 0.5, mixing_first = 0.25, mixing_down = 0.99, longest_dt = 10,
                    shortest_dt = 0.02;

/* Largest displacement of a particle in a step, as a fraction of sigma or of the typical distance between
 * particles, whichever is shorter. */
static const double farthest_share = 0.1;

struct fire {
    double dt, mixing;
    double farthest;
    uint64_t downhill; /* number of steps since the last step uphill */
};

static double farthest_of(const struct gas_problem *problem)
{
    double length = problem->params->sigma;
    length = fmin(length, pow(problem->volume / (double)problem->n, 1 / (double)problem->dim));
    for (size_t k = 0; k < problem->dim; k++)
        length = fmin(length, problem->length[k]);
    return farthest_share * length;
}

/* Limit of accelerations, by which a particle at rest moves by `farthest` in a step. The limit is so low that
 * the sum of the squares over the largest number of particles is finite as a float. */
static double limit_of(const struct fire *fire)
{
    const double most = 1e15;
    return fmin(fire->farthest / (fire->dt * fire->dt), most);
}

/* Returns the move of step number `step`, counted from 0. sums: computed with the current limit. */
static struct gas_fire_move next_move(struct fire *fire, const struct shoal_gas_params *params,
                                      const struct gas_fire_sums *sums, uint64_t step)
{
    const bool is_downhill = step > 0 && sums->power > 0;
    struct gas_fire_move move = {.limit = limit_of(fire), .step = (uint32_t)step + 1};
    double velocity2 = 0;
    fire->downhill = is_downhill ? fire->downhill + 1 : 0;
    if (is_downhill && fire->downhill > DELAY) {
        fire->dt = fmin(dt_up * fire->dt, longest_dt * params->dt);
        fire->mixing *= mixing_down;
    } else if (!is_downhill && step >= DELAY) {
        fire->dt = fmax(dt_down * fire->dt, shortest_dt * params->dt);
        fire->mixing = mixing_first;
    }
    if (is_downhill)
        velocity2 = sums->velocity2 + 2 * fire->dt * sums->power;
    velocity2 += fire->dt * fire->dt * sums->push2; /* squared norm of all velocities after the kick */
    const double ratio = sums->push2 > 0 ? sqrt(velocity2 / sums->push2) : 0;
    move.dt = fire->dt;
    move.keep = is_downhill ? 1 - fire->mixing : 0;
    move.push = (1 - fire->mixing) * fire->dt + fire->mixing * ratio;
    move.back = is_downhill || step == 0 ? 0 : 0.5 * fire->dt;
    move.fastest = fire->farthest / fire->dt;
    const double fastest = step > 0 ? sums->fastest : 0;
    move.farthest =
        move.back * fastest +
        move.dt * fmin(move.fastest, move.keep * fastest + move.push * fmin(sums->largest, move.limit));
    return move;
}

enum shoal_status gas_fail_ended(const struct shoal_solver *solver, const char *when,
                                 struct shoal_error *error)
{
    if (solver->timed_out)
        return fail(error, SHOAL_FAILED, "the time limit came %s, ahead of the run: allow more time", when);
    return fail(error, SHOAL_STOPPED, "stopped %s, ahead of the run", when);
}

/* Makes steps of the minimiser until the forces are small enough or all steps are made. SHOAL_STOPPED: the
 * run must end. */
static enum shoal_status descend(struct shoal_solver *solver, const struct shoal_gas_params *params,
                                 struct fire *fire, struct gas_minimum *minimum, struct shoal_error *error)
{
    const struct gas_stepper *stepper = gas_common_of(solver)->stepper;
    for (minimum->steps = 0;; minimum->steps++) {
        struct gas_fire_sums sums;
        enum shoal_status status =
            stepper->fire_sums(solver, limit_of(fire), (uint32_t)minimum->steps + 1, &sums, error);
        if (status)
            return status;
        minimum->force = params->mass * sums.largest;
        if (minimum->force <= gas_minimise_force_of(params) || minimum->steps == params->minimise)
            return SHOAL_OK;
        if (solver_must_end(solver))
            return SHOAL_STOPPED;
        const struct gas_fire_move move = next_move(fire, params, &sums, minimum->steps);
        status = stepper->fire_move(solver, &move, error);
        if (status)
            return status;
        solver_got_further(solver);
    }
}

static enum shoal_status measure_energy(struct shoal_solver *solver, double *energy,
                                        struct shoal_error *error)
{
    struct shoal_gas_thermo thermo = {0};
    double unused;
    enum shoal_status status = gas_common_of(solver)->stepper->measure(solver, &thermo, &unused, error);
    *energy = thermo.potential;
    return status;
}

/* Makes the current positions and border crossings the start of `problem`. */
static enum shoal_status take_state(struct shoal_solver *solver, struct gas_problem *problem,
                                    struct shoal_error *error)
{
    const size_t numbers = problem->n * problem->dim;
    struct shoal_gas_frame frame;
    if (!problem->image)
        problem->image = calloc(numbers, sizeof *problem->image);
    if (!problem->image)
        return fail_host_memory(error);
    enum shoal_status status = gas_frame(solver, &frame, error);
    if (status)
        return status;
    memcpy(problem->position, frame.position, numbers * sizeof *problem->position);
    memcpy(problem->image, frame.image, numbers * sizeof *problem->image);
    return SHOAL_OK;
}

enum shoal_status gas_minimise(struct shoal_solver *solver, struct gas_problem *problem,
                               struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    struct gas_minimum *minimum = &gas_common_of(solver)->minimum;
    struct fire fire = {.dt = params->dt, .mixing = mixing_first, .farthest = farthest_of(problem)};
    enum shoal_status status = measure_energy(solver, &minimum->before, error);
    if (!status)
        status = descend(solver, params, &fire, minimum, error);
    if (!status)
        status = measure_energy(solver, &minimum->after, error);
    if (!status)
        status = take_state(solver, problem, error);
    if (status == SHOAL_STOPPED) {
        char when[80];
        snprintf(when, sizeof when, "after %llu steps of the minimisation",
                 (unsigned long long)minimum->steps);
        return gas_fail_ended(solver, when, error);
    }
    return status ? status : gas_check_overlaps(problem, &minimum->steps, error);
}
