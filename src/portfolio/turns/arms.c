/* The arms of a portfolio with turns of steps or of lives: each arm is a solver. */
#include "base/error.h"
#include "portfolio/turns/turns.h"
#include "search/device/device.h"
#include "search/host/host.h"
#include "search/space.h"

#include <stdlib.h>
#include <string.h>

/* Exchanges *search and the solver of an arm, and counts the exchange as a life. */
static void exchange_arm(struct portfolio_turns *turns, size_t arm, struct shoal_solver **search)
{
    struct shoal_solver *const before = turns->arms[arm];
    portfolio_turns_hold(turns);
    turns->arms[arm] = *search;
    turns->created++;
    portfolio_turns_release(turns);
    *search = before;
}

enum shoal_status portfolio_arm_create(struct shoal_solver *solver, size_t arm, struct shoal_error *error)
{
    struct portfolio_turns *turns = portfolio_turns_of(solver);
    const struct portfolio_arm *of = &turns->problem.arms[arm];
    const uint64_t life = turns->states[arm].life, starts = of->params->start_count;
    const struct solver_setup setup = {.is_stopped = solver->is_stopped, .stop_data = solver->stop_data};
    struct shoal_solver *search = NULL;
    exchange_arm(turns, arm, &search);
    shoal_solver_destroy(&search);
    of->params->runs = turns->problem.search.islands * turns->problem.populations;
    of->params->seed = portfolio_seed(&turns->problem.search, 0, arm, life);
    of->params->start_count = life ? 0 : starts;
    if (!of->params->stagnation) /* an arm that never stagnates needs no tolerance */
        of->params->stagnation_tolerance = NAN;
    enum shoal_status status =
        solver_create(shoal_workload_find(of->algorithm->name), solver->device, solver->queue, of->params,
                      solver->programs.variant, &setup, &search, error);
    of->params->start_count = starts;
    if (!status)
        solver->programs.build_seconds += shoal_solver_build_seconds(search);
    exchange_arm(turns, arm, &search);
    return status;
}

static const struct search_problem *problem_of(const struct shoal_solver *arm)
{
    return arm->queue ? search_device_of(arm)->problem : ((const struct search_host *)arm->state)->problem;
}

enum shoal_status portfolio_arm_check(const struct shoal_solver *arm, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    const struct search_problem *problem = problem_of(arm);
    return problem->algorithm->check_state ? problem->algorithm->check_state(problem, checkpoint, error)
                                           : SHOAL_OK;
}

size_t portfolio_arm_points(const struct shoal_solver *arm, uint64_t step)
{
    const struct search_problem *problem = problem_of(arm);
    const struct search_shrinking *shrinking = problem->algorithm->shrinking;
    if (shrinking)
        return shrinking->members(problem, step);
    return step ? problem->points : problem->members;
}

uint64_t portfolio_arm_steps(const struct shoal_solver *arm)
{
    return arm->queue ? search_device_of(arm)->steps : search_host_steps(arm->state);
}

bool portfolio_arm_ended(const struct shoal_solver *arm)
{
    if (!arm->queue)
        return search_host_ended(arm->state);
    return search_device_of(arm)->ended || portfolio_arm_steps(arm) >= arm->ops->total_steps(arm);
}

/* Asked by the steps of an arm: must the run of the portfolio end? Also tells the watchdog that the portfolio
 * has made progress, since it does not watch the solver of the arm. */
static bool must_end(void *data)
{
    struct shoal_solver *solver = data;
    solver_got_further(solver);
    return solver_must_end(solver);
}

void portfolio_arm_watch(struct shoal_solver *solver, struct shoal_solver *arm)
{
    arm->must_end = solver->must_end ? must_end : NULL;
    arm->end_data = solver;
}

bool portfolio_arm_is_partial(const struct shoal_solver *arm)
{
    return !arm->queue && ((const struct search_host *)arm->state)->is_partial;
}

uint64_t portfolio_arm_evaluated(const struct shoal_solver *arm, size_t run, size_t run_islands)
{
    const struct search_host *host = arm->state;
    const size_t width = host->problem->width;
    uint64_t count = 0;
    for (size_t k = run * run_islands; k < (run + 1) * run_islands; k++)
        for (size_t i = 0; i < host->problem->members; i++)
            count += !host->outside[k * width + i];
    return count;
}

void portfolio_arm_reset(struct shoal_solver *arm)
{
    search_host_reset(arm->state);
}

enum shoal_status portfolio_arm_not_finite(struct shoal_solver *arm, uint64_t *count,
                                           struct shoal_error *error)
{
    const size_t islands = problem_of(arm)->islands; /* each is a run of the arm */
    if (!arm->queue) {
        for (size_t k = 0; k < islands; k++)
            *count += ((const struct search_host *)arm->state)->runs[k].not_finite;
        return SHOAL_OK;
    }
    void *words = NULL;
    enum shoal_status status = search_device_collect(arm, error);
    if (!status)
        status = arrays_read(&search_device_of(arm)->arrays, "words", &words, error);
    for (size_t k = 0; k < islands && !status; k++)
        *count += ((const uint32_t *)words)[k * ISLAND_WORDS + ISLAND_NOT_FINITE];
    free(words);
    return status;
}

/* Reads the best value of each population of an arm, and writes its best point, as `problem` has it.
 * member, point: scratch. */
static enum shoal_status read_device(struct shoal_solver *arm, const struct search_problem *problem,
                                     double *member, double *point, double *values, double *champion,
                                     struct shoal_error *error)
{
    const struct search_device *device = search_device_of(arm);
    void *reals = NULL, *champions = NULL;
    enum shoal_status status = search_device_collect(arm, error);
    if (!status)
        status = arrays_read(&device->arrays, "reals", &reals, error);
    if (!status)
        status = arrays_read(&device->arrays, "champion", &champions, error);
    for (size_t k = 0; k < device->problem->islands && !status; k++) {
        values[k] = search_real_at(device, reals, k * ISLAND_REALS + ISLAND_CHAMPION);
        search_device_champion(device, champions, k, member);
        search_convert(device->problem, member, problem, champion + k * problem->dim, point);
    }
    free(reals);
    free(champions);
    return status;
}

enum shoal_status portfolio_arm_read(struct shoal_solver *arm, const struct search_problem *problem,
                                     double *values, double *champion, struct shoal_error *error)
{
    const struct search_problem *own = problem_of(arm);
    double *member = malloc((own->dim + problem->dim) * sizeof *member), *point = member + own->dim;
    if (!member)
        return fail_host_memory(error);
    enum shoal_status status =
        arm->queue ? read_device(arm, problem, member, point, values, champion, error) : SHOAL_OK;
    for (size_t k = 0; k < own->islands && !arm->queue; k++) {
        const struct search_host *host = arm->state;
        values[k] = host->islands[k].champion;
        search_convert(own, host->champion + k * own->dim, problem, champion + k * problem->dim, point);
    }
    free(member);
    return status;
}

static void offer_on_host(struct search_host *host, const struct search_offer *offer)
{
    for (size_t k = 0; k < host->problem->islands; k++) {
        const struct search_migrant point = {0, offer->points + k * host->problem->dim, offer->values[k]};
        if (!host->runs[k].ended && point.value < host->islands[k].champion)
            search_host_receive(host, k, &point);
    }
}

enum shoal_status portfolio_arm_offer(struct shoal_solver *arm, const struct search_problem *problem,
                                      const size_t *source, const double *values, const double *champion,
                                      struct shoal_error *error)
{
    const struct search_problem *own = problem_of(arm);
    const size_t islands = own->islands, dim = own->dim;
    double *offered = malloc((islands * (dim + 1) + problem->dim) * sizeof *offered);
    if (!offered)
        return fail_host_memory(error);
    double *points = offered + islands, *point = points + islands * dim;
    for (size_t k = 0; k < islands; k++) {
        offered[k] = values[source[k]];
        search_convert(problem, champion + source[k] * problem->dim, own, points + k * dim, point);
    }
    const struct search_offer offer = {.values = offered, .points = points};
    enum shoal_status status = arm->queue ? search_device_collect(arm, error) : SHOAL_OK;
    if (!status && arm->queue)
        status = search_device_offer(arm, &offer, error);
    if (!arm->queue)
        offer_on_host(arm->state, &offer);
    free(offered);
    return status;
}
