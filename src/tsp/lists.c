/* The kind and the length of the candidate lists of an algorithm that has quadrants. */
#include "base/error.h"
#include "tsp/model/neighbours.h"
#include "tsp/tsp.h"

#include <math.h>
#include <stdlib.h>

enum shoal_status tsp_run_check_lists(const struct tsp_run *run, struct shoal_error *error)
{
    if (run->problem.lists != SHOAL_TSP_LISTS_ALPHA)
        return SHOAL_OK;
    if (run->problem.form.is_asymmetric)
        return fail(error, SHOAL_UNSUPPORTED,
                    "--lists alpha: %s has different distances there and back: leave it out",
                    run->problem.name);
    if (run->algorithm != tsp_algorithms[SHOAL_TSP_LK])
        return fail(error, SHOAL_INVALID, "--lists alpha belongs to lk, not to %s: leave it out",
                    run->algorithm->name);
    return SHOAL_OK;
}

uint32_t tsp_run_list_length(const struct shoal_solver *solver, const struct tsp_list_rules *rules)
{
    const struct tsp_problem *problem = tsp_problem_of(solver);
    const uint32_t standard = problem->lists == SHOAL_TSP_LISTS_QUADRANT ? rules->quadrants
                              : problem->lists == SHOAL_TSP_LISTS_ALPHA  ? rules->alpha
                                                                         : rules->nearest;
    const uint32_t k = tsp_list_length(problem, tsp_params(solver)->candidates, standard);
    return k < rules->most ? k : rules->most;
}

/* Makes the candidate lists, within the time limit of the run. */
static enum shoal_status make_lists(struct shoal_solver *solver, uint32_t k, uint32_t *lists,
                                    struct shoal_error *error)
{
    struct long_step *cut = &tsp_run_of(solver)->cut;
    const double time = tsp_params(solver)->time;
    long_step_begin(cut);
    cut->ends_s = isnan(time) ? 0 : cut->began_s + time;
    const enum shoal_status status = tsp_run_candidates(solver, k, lists, error);
    cut->ends_s = 0;
    return status;
}

enum shoal_status tsp_run_choose_lists(struct shoal_solver *solver, const struct tsp_list_rules *rules,
                                       uint32_t **lists, struct shoal_error *error)
{
    struct tsp_problem *problem = &tsp_run_of(solver)->problem;
    uint32_t components = 1;
    if (problem->lists != SHOAL_TSP_LISTS_AUTO)
        return SHOAL_OK;
    problem->lists = SHOAL_TSP_LISTS_NEAREST;
    const uint32_t k = tsp_run_list_length(solver, rules);
    *lists = malloc((size_t)problem->form.n * k * sizeof **lists);
    if (!*lists)
        return fail_host_memory(error);
    enum shoal_status status = make_lists(solver, k, *lists, error);
    const bool timed_out = status == SHOAL_STOPPED && !solver_is_stopped(solver);
    if (!status)
        status = tsp_lists_components(problem, *lists, k, &components, error);
    if (!status && components == 1)
        return SHOAL_OK;
    free(*lists);
    *lists = NULL;
    if (timed_out)
        return SHOAL_OK;
    problem->lists = SHOAL_TSP_LISTS_QUADRANT;
    return status;
}
