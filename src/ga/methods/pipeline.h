/* Private: the method "pipeline": populations in global memory, a launch for each part of a generation. */
#ifndef SHOAL_GA_PIPELINE_H
#define SHOAL_GA_PIPELINE_H

#include "ga/methods/improve.h"

struct ga_pipeline_state {
    struct ga_memory memory;
    struct ga_improver improver;
    struct shoal_buffer *scratch; /* of the orders of children */
    struct shoal_buffer *parents, *sums;
    struct shoal_buffer *claims, *sources;
    struct arrays arrays;
};

static inline struct ga_pipeline_state *ga_pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* pipeline_plan.c: functions of struct method. */
enum shoal_status ga_pipeline_fits(const struct method *method, const void *populations,
                                   const struct shoal_device_info *info, struct shoal_error *error);
enum shoal_status ga_pipeline_create(struct shoal_solver *solver, struct shoal_error *error);
void ga_pipeline_destroy(struct shoal_solver *solver);

/* pipeline_vary.c: the children of the parents. */
SHOAL_MUST_CHECK enum shoal_status ga_pipeline_vary(struct shoal_solver *solver, uint32_t step,
                                                    struct shoal_error *error);

#endif
