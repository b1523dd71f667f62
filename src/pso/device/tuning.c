/* What was measured to be fastest is kept for problems of like size: the method of a swarm, and the evaluator
 * of the pipeline, which also serves batches of points outside a swarm. */
#include "base/error.h"
#include "objective/evaluate/evaluator.h"
#include "pso/device/device.h"

enum shoal_status pso_device_remember(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    const int32_t method = pso_params(solver)->method;
    enum shoal_status status = SHOAL_OK;
    char key[PSO_METHOD_KEY], evaluator_key[EVALUATOR_KEY_SIZE];
    if (method == SHOAL_PSO_AUTO)
        return fail(error, SHOAL_INVALID, "the method was left open: there is no choice to remember");
    pso_method_key(problem, key);
    status = shoal_tuning_set(solver->device, "pso.engine", key, method, error);
    if (status || method < SHOAL_PSO_THREAD)
        return status;
    evaluator_tuning_key(problem->objective, problem->dim, problem->total, evaluator_key);
    return shoal_tuning_set(solver->device, "pso.evaluator", evaluator_key, method - SHOAL_PSO_THREAD, error);
}
