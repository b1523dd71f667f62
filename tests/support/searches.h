/* Parameters of searches for tests: sizes, rules and a number of steps of their own, so that they stay as
 * they are when defaults change. */
#ifndef SHOAL_TESTS_SEARCHES_H
#define SHOAL_TESTS_SEARCHES_H

#include <shoal/ga.h>
#include <shoal/pso.h>

/* 1024 particles by the inertia rule with the global best, 2000 steps. */
static inline void test_pso_params_init(struct shoal_pso_params *params)
{
    shoal_pso_params_init(params);
    params->particles = 1024;
    params->update = SHOAL_PSO_INERTIA;
    params->topology = SHOAL_PSO_GLOBAL;
    params->bounds = SHOAL_PSO_REFLECT;
    params->search.iterations = 2000;
    params->search.refine = SHOAL_REFINE_AUTO;
}

/* A population of 128 whose children replace it, 2000 generations. */
static inline void test_ga_params_init(struct shoal_ga_params *params)
{
    shoal_ga_params_init(params);
    params->population = 128;
    params->replacement = SHOAL_GA_GENERATIONAL;
    params->search.iterations = 2000;
    params->search.refine = SHOAL_REFINE_AUTO;
}

#endif
