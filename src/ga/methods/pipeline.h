/* Private: the method "pipeline": populations in global memory, and a launch for each part of a
 * generation. */
#ifndef SHOAL_GA_PIPELINE_H
#define SHOAL_GA_PIPELINE_H

#include "ga/methods/improve.h"

struct ga_pipeline {
    struct ga_memory memory;
    struct ga_improver improver;
    struct shoal_buffer *scratch; /* [children][problem->scratch]: for the operators of orders */
    struct shoal_buffer *parents, *sums;
    struct shoal_buffer *claims, *sources;
    struct arrays arrays;
};

static inline struct ga_pipeline *ga_pipeline_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

#endif
