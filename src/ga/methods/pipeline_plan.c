/* The method "pipeline": its arrays and parts. */
#include "base/error.h"
#include "ga/methods/pipeline.h"

#include <stdlib.h>

enum shoal_status ga_pipeline_fits(const struct method *method, const void *populations,
                                   const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct ga_problem *problem = populations;
    if (problem->params->random != SHOAL_GA_PHILOX)
        return method_lacks(method, "random numbers other than philox", error);
    return ga_memory_fits(&problem->search, info, error);
}

static void list_arrays(struct shoal_solver *solver)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_ga_params *params = problem->params;
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const double total = (double)problem->search.total,
                 pairs = (double)problem->search.islands * (double)problem->pairs;
    const size_t word = sizeof(uint32_t);
    const bool claims = params->replacement == SHOAL_GA_STEADY && !problem->is_cellular &&
                        params->victim != SHOAL_GA_VICTIM_WORST;
    const struct array list[] = {
        {&pipeline->parents, 2 * pairs, word},
        {&pipeline->sums, ga_selects_by_weight(params) ? total : 0, sizeof(uint64_t)},
        {&pipeline->scratch, (double)pipeline->memory.generation.children * (double)problem->scratch,
         sizeof(uint16_t)},
        {&pipeline->claims, claims ? total : 0, word},
        {&pipeline->sources, total, word},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
}

enum shoal_status ga_pipeline_create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *search = search_device_of(solver)->problem;
    struct ga_pipeline_state *pipeline = solver->method.state = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return fail_host_memory(error);
    const enum evaluator_method method = evaluator_choose(
        solver->device, search->objective, search->point_dim, search->islands * search->width, NULL);
    enum shoal_status status =
        ga_memory_plan(solver, &pipeline->memory, method, search->islands * search->points, error);
    if (!status)
        status = ga_improve_plan(solver, &pipeline->improver, &pipeline->memory, error);
    list_arrays(solver);
    if (!status)
        status = ga_memory_create(solver, &pipeline->memory,
                                  arrays_bytes(&pipeline->arrays) + arrays_bytes(&pipeline->improver.arrays),
                                  error);
    if (!status)
        status = arrays_create(&pipeline->arrays, error);
    return status ? status : ga_improve_create(solver, &pipeline->improver, error);
}

void ga_pipeline_destroy(struct shoal_solver *solver)
{
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    if (!pipeline)
        return;
    ga_improve_destroy(&pipeline->improver);
    ga_memory_destroy(&pipeline->memory);
    arrays_destroy(&pipeline->arrays);
    free(pipeline);
    solver->method.state = NULL;
}
