/* Public calls for the objective and the result of a search by any algorithm. */
#include "base/error.h"
#include "base/params.h"
#include "search/device/device.h"
#include "search/host/host.h"
#include "search/space.h"

#include <inttypes.h>
#include <shoal/fit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the problem of a solver, and sets *summary to the summary of its last result. NULL: the solver does
 * not belong to a search. */
static const struct search_problem *problem_of(const struct shoal_solver *solver,
                                               const struct search_summary **summary)
{
    const struct search_algorithm *algorithm = solver ? search_algorithm_find(solver->workload->name) : NULL;
    const struct search_problem *problem =
        algorithm && algorithm->look_into ? algorithm->look_into(solver, summary) : NULL;
    if (problem || !algorithm)
        return problem;
    const struct search_host *host = solver->state;
    *summary = solver->queue ? &search_device_of(solver)->summary : &host->summary;
    return solver->queue ? search_device_of(solver)->problem : host->problem;
}

const struct shoal_objective *shoal_solver_objective(const struct shoal_solver *solver)
{
    const struct search_summary *summary;
    const struct search_problem *problem = problem_of(solver, &summary);
    return problem ? problem->objective : NULL;
}

enum shoal_status search_result_of(const struct shoal_solver *solver, const char *call,
                                   const struct search_problem **problem,
                                   const struct search_summary **summary, struct shoal_error *error)
{
    *problem = problem_of(solver, summary);
    if (!*problem)
        return fail(error, SHOAL_INVALID, "%s: the solver is no search", call);
    if (!(*summary)->members)
        return fail(error, SHOAL_INVALID, "%s: there is no result yet: call shoal_solver_result", call);
    return SHOAL_OK;
}

enum shoal_status shoal_search_run_position(const struct shoal_solver *solver, uint64_t run, double *x,
                                            size_t capacity, struct shoal_error *error)
{
    const struct search_problem *problem = NULL;
    const struct search_summary *summary = NULL;
    error_reset(error);
    if (!NEED(error, solver, x))
        return SHOAL_INVALID;
    const enum shoal_status status = search_result_of(solver, __func__, &problem, &summary, error);
    if (status)
        return status;
    if (run >= problem->runs || capacity < problem->point_dim)
        return fail(error, SHOAL_INVALID, "%s: run %" PRIu64 " of %zu, room for %zu of %zu numbers", __func__,
                    run, problem->runs, capacity, problem->point_dim);
    search_to_point(problem, summary->members + run * problem->dim, x);
    return SHOAL_OK;
}

/* Sets *problem to the problem of a search over plain reals, in which members and points are the same. */
static enum shoal_status problem_of_reals(const struct shoal_solver *solver, const char *call,
                                          const struct search_problem **problem, struct shoal_error *error)
{
    const struct search_summary *summary;
    *problem = problem_of(solver, &summary);
    if (!*problem)
        return fail(error, SHOAL_INVALID, "%s: the solver is no search", call);
    if ((*problem)->has_genome)
        return fail(error, SHOAL_UNSUPPORTED, "%s: some coordinates are no plain reals", call);
    return SHOAL_OK;
}

enum shoal_status shoal_search_box(const struct shoal_solver *solver, double *lower, double *upper,
                                   size_t capacity, struct shoal_error *error)
{
    const struct search_problem *problem;
    error_reset(error);
    if (!NEED(error, solver, lower, upper))
        return SHOAL_INVALID;
    const enum shoal_status status = problem_of_reals(solver, __func__, &problem, error);
    if (status)
        return status;
    if (capacity < problem->dim)
        return fail(error, SHOAL_INVALID, "%s: room for %zu of %zu numbers", __func__, capacity,
                    problem->dim);
    memcpy(lower, problem->lower, problem->dim * sizeof *lower);
    memcpy(upper, problem->upper, problem->dim * sizeof *upper);
    return SHOAL_OK;
}

enum shoal_status shoal_search_values(const struct shoal_solver *solver, const double *points, size_t count,
                                      size_t dim, double *values, struct shoal_error *error)
{
    const struct search_problem *problem;
    error_reset(error);
    if (!NEED(error, solver, points, values))
        return SHOAL_INVALID;
    const enum shoal_status status = problem_of_reals(solver, __func__, &problem, error);
    if (status)
        return status;
    if (dim != problem->dim)
        return fail(error, SHOAL_INVALID, "%s: points of %zu coordinates, and the search has %zu", __func__,
                    dim, problem->dim);
    double *scratch = malloc(dim * sizeof *scratch);
    if (!scratch)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++)
        values[i] = problem->sign * search_value(problem, points + i * dim, scratch);
    free(scratch);
    return SHOAL_OK;
}

const char *shoal_search_name(const struct shoal_solver *solver, size_t index, char name[SHOAL_SEARCH_NAME])
{
    if (!name)
        return NULL;
    _Static_assert(2 * VARIABLES_NAME <= SHOAL_SEARCH_NAME, "names of variables fit");
    const struct search_summary *summary;
    const struct search_problem *problem = problem_of(solver, &summary);
    const struct shoal_model_info *model = problem ? shoal_objective_model(problem->objective) : NULL;
    if (model && index < model->parameter_count)
        snprintf(name, SHOAL_SEARCH_NAME, "%s", model->parameters[index].name);
    else if (problem && problem->variables && index < problem->point_dim)
        variables_name(problem->variables, index, name);
    else
        snprintf(name, SHOAL_SEARCH_NAME, "x%zu", index + 1);
    return name;
}
