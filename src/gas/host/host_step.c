/* Forces and steps of the host solver. */
#include "base/clock.h"
#include "base/error.h"
#include "gas/fmm/fmm.h"
#include "gas/host/host.h"
#include "gas/model/thermostat.h"
#include "gas/piston/piston.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums ------------------------------------------------------------------------------------------------- */

double gas_host_kinetic(const struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim;
    double sum = 0;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice))
    for (size_t block = 0; block < gas_blocks(host); block++) {
        double squares = 0;
        for (size_t i = block * GAS_BLOCK; i < gas_block_end(host, block); i++) {
            const double ratio = gas_mass_ratio(problem, i);
            for (size_t k = 0; k < dim; k++) {
                const double v = gas_host_full_velocity(host, i * dim + k);
                squares += ratio * (v * v);
            }
        }
        host->block_sums[block] = squares;
    }
    for (size_t block = 0; block < gas_blocks(host); block++)
        sum += host->block_sums[block];
    return 0.5 * problem->params->mass * sum;
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Computes accelerations and, if `energies`, energies and virials by the list. The bits of the accelerations
 * do not depend on `energies`, since observing must not change the trajectory. */
static enum shoal_status forces_by_list(struct gas_host *host, bool energies, struct shoal_error *error)
{
    struct gas_host_list *list = &host->list;
    enum shoal_status status = gas_host_list_follow(list, host->x, error);
    if (status)
        return status;
    if (!host->is_fresh)
        gas_host_list_forces(list, host->a);
    status = long_step_status(host->problem.long_step, error);
    if (energies && !status)
        gas_host_list_energies(list, host->energy, host->virial);
    return status;
}

enum shoal_status gas_host_forces(struct gas_host *host, bool energies, struct shoal_error *error)
{
    const double start = clock_seconds(), list_s = host->list.make_s;
    enum shoal_status status = SHOAL_OK;
    if (host->is_ideal || (host->is_fresh && !energies))
        return SHOAL_OK;
    if (host->list.problem)
        status = forces_by_list(host, energies, error);
    else if (gas_fmm_on_host(&host->problem))
        status = gas_fmm_forces(&host->problem, host->x, host->a, energies ? host->energy : NULL,
                                energies ? host->virial : NULL, error);
    else
        status = gas_forces(&host->problem, host->x, host->a, energies ? host->energy : NULL,
                            energies ? host->virial : NULL, error);
    host->is_fresh = !status;
    *(energies ? &host->observe_s : &host->force_s) += clock_seconds() - start - (host->list.make_s - list_s);
    return status;
}

/* Thermostats between steps ---------------------------------------------------------------------------- */

/* Multiplies the velocities of the full step by the factor of the stochastic velocity rescaling or of the
 * chain. */
static void rescale(struct gas_host *host, uint64_t steps_done)
{
    const struct gas_problem *problem = &host->problem;
    const double kinetic = gas_host_kinetic(host);
    double factor, heat;
    if (gas_chain_acts(problem->params, steps_done)) {
        const struct gas_chain_move move = gas_chain_move_at(problem, steps_done);
        double energy;
        factor = gas_chain_factor(&move, kinetic, host->chain, &energy);
        heat = -energy;
    } else {
        const struct gas_rescaling rescaling = gas_rescale_draw(problem, steps_done);
        factor = gas_rescale_factor(&rescaling, kinetic);
        heat = (factor * factor - 1) * kinetic;
    }
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice))
    for (size_t at = 0; at < problem->n * problem->dim; at++) {
        const double full = gas_host_full_velocity(host, at);
        host->v[at] += (factor - 1) * full;
    }
    host->exchange.heat += heat;
}

enum shoal_status gas_host_resize(struct shoal_solver *solver, const double length[GAS_MAX_DIM],
                                  struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    struct gas_problem *problem = &host->problem;
    const size_t numbers = problem->n * problem->dim;
    double factor[GAS_MAX_DIM];
    for (size_t k = 0; k < problem->dim; k++)
        factor[k] = length[k] / problem->length[k];
    for (size_t at = 0; at < numbers; at++) {
        const size_t k = at % problem->dim;
        host->v[at] = gas_host_full_velocity(host, at) / factor[k];
        /* rounding must not move a particle out of the box */
        host->x[at] = fmin(host->x[at] * factor[k], nextafter(length[k], 0));
    }
    gas_set_box(problem, length);
    host->list.is_void = true;
    host->is_fresh = false;
    enum shoal_status status = gas_host_forces(host, false, error);
    for (size_t at = 0; at < numbers && !status; at++)
        host->v[at] -= problem->half_step * gas_host_acceleration(host, at);
    return status;
}

/* Motion ----------------------------------------------------------------------------------------------- */

static void move_block(struct gas_host *host, size_t block, uint32_t step)
{
    const bool is_free = gas_host_is_free(&host->problem);
    struct gas_exchange exchange = {0};
    struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
    for (size_t i = block * GAS_BLOCK; i < gas_block_end(host, block); i++)
        if (is_free)
            gas_host_move_free(host, i, &trouble);
        else
            gas_host_move(host, i, step, &exchange, &trouble);
    host->block_exchange[block] = exchange;
    host->troubles[block] = trouble;
}

static void move_all(struct gas_host *host, uint32_t step)
{
#pragma omp parallel num_threads(thread_choice_threads(&host->choice))
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t block = 0; block < gas_blocks(host); block++)
            move_block(host, block, step);
        thread_choice_work(&host->choice, start);
    }
    host->is_fresh = false;
}

static void add_exchange(struct gas_host *host)
{
    struct gas_exchange *exchange = &host->exchange;
    for (size_t block = 0; block < gas_blocks(host); block++) {
        const struct gas_exchange *part = &host->block_exchange[block];
        exchange->heat += part->heat;
        for (size_t k = 0; k < GAS_MAX_DIM; k++)
            for (size_t side = 0; side < 2; side++)
                exchange->impulse[k][side] += part->impulse[k][side];
    }
}

void gas_host_press(struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    struct gas_piston *piston = &host->problem.piston;
    double sum = 0;
    if (!piston->acts)
        return;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice))
    for (size_t block = 0; block < gas_blocks(host); block++) {
        double depths = 0;
        for (size_t i = block * GAS_BLOCK; i < gas_block_end(host, block); i++)
            depths += fmax(0, host->x[i * problem->dim + piston->axis] - piston->now.place);
        host->block_sums[block] = depths;
    }
    for (size_t block = 0; block < gas_blocks(host); block++)
        sum += host->block_sums[block];
    piston->force = problem->wall_stiffness * sum;
}

/* Makes the step of the piston, after that of the particles. In the equilibration the piston is held. */
static enum shoal_status move_piston(struct gas_host *host, uint64_t steps_done, struct shoal_error *error)
{
    struct gas_problem *problem = &host->problem;
    if (!problem->piston.acts)
        return SHOAL_OK;
    if (steps_done >= problem->params->equilibration)
        gas_piston_move(problem);
    gas_host_press(host);
    return gas_piston_fits(&problem->piston, problem->piston.now.place)
               ? SHOAL_OK
               : gas_piston_fail(problem, steps_done + 1, error);
}

/* Fails if a particle exploded or escaped in the step. If several did, the message names the one with the
 * lowest number. */
static enum shoal_status check_trouble(const struct gas_host *host, uint64_t steps_done,
                                       struct shoal_error *error)
{
    struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
    for (size_t block = gas_blocks(host); block-- > 0;) {
        const struct gas_trouble *part = &host->troubles[block];
        trouble.exploded = part->exploded < SIZE_MAX ? part->exploded : trouble.exploded;
        trouble.escaped = part->escaped < SIZE_MAX ? part->escaped : trouble.escaped;
    }
    if (trouble.exploded < SIZE_MAX)
        return gas_fail_exploded(&host->problem, steps_done, trouble.exploded, error);
    if (trouble.escaped < SIZE_MAX)
        return gas_fail_escaped(&host->problem, steps_done, trouble.escaped, error);
    return SHOAL_OK;
}

/* Makes one step, the first one after `steps_done` steps. SHOAL_STOPPED: the step was cut, and nothing has
 * changed. */
static enum shoal_status make_step(struct gas_host *host, uint64_t steps_done, struct shoal_error *error)
{
    const struct gas_rules *rules = &host->problem.rules;
    const bool rescales = gas_rescale_is_due(host->problem.params, steps_done);
    enum shoal_status status = SHOAL_OK;
    gas_set_step(&host->problem, steps_done);
    if (!rules->move || rescales)
        status = gas_host_forces(host, false, error);
    if (status)
        return status;
    if (rescales)
        rescale(host, steps_done);
    if (rules->prepare)
        rules->prepare(host);
    if (rules->move)
        status = rules->move(host, (uint32_t)(steps_done + 1), error);
    else
        move_all(host, (uint32_t)(steps_done + 1));
    if (!status)
        status = long_step_status(host->problem.long_step, error);
    if (status)
        return status;
    add_exchange(host);
    status = check_trouble(host, steps_done + 1, error);
    return status ? status : move_piston(host, steps_done, error);
}

enum shoal_status gas_host_advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const uint64_t begin = host->common.clock.steps_done;
    enum shoal_status status = SHOAL_OK;
    host->problem.long_step = &host->cut;
    for (uint64_t i = 0; i < steps && !status; i++) {
        long_step_begin(&host->cut);
        thread_choice_begin(&host->choice);
        status = make_step(host, begin + i, error);
        thread_choice_end(&host->choice);
        if (status == SHOAL_STOPPED) {
            host->common.dropped = steps - i;
            status = SHOAL_OK;
            break;
        }
    }
    host->problem.long_step = NULL;
    gas_set_step(&host->problem, begin + steps - host->common.dropped);
    return status;
}
