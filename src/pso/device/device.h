/* Private: the swarms on a device. */
#ifndef SHOAL_PSO_DEVICE_H
#define SHOAL_PSO_DEVICE_H

#include "pso/pso.h"
#include "search/device/device.h"

struct pso_device {
    struct search_device search;
    struct pso_problem problem;
    /* positions, velocities and personal bests of the particles: dim reals for each particle, in tiles */
    struct shoal_buffer *x, *v, *p;
    struct shoal_buffer *best; /* value of each personal best, in tiles */
};

static inline struct pso_device *pso_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops pso_device_functions;
extern const struct search_method pso_fused_method, pso_onchip_method,
    pso_pipeline_methods[EVALUATOR_METHODS];

/* Adds the values of the defines of cl/pso/model/rule.clh for the solver's problem. All swarm kernels have
 * these defines. */
void pso_rule_defines(const struct shoal_solver *solver, struct defines *defines);

/* Contract rows for the defines of pso_rule_defines except RANDOM. */
#define PSO_RULE_DEFINE_DESCS(file)                                                                          \
    DEFINE(file, BOUNDS, SHOAL_PSO_REFLECT, SHOAL_PSO_UNBOUNDED,                                             \
           "0 reflect, 1 clamp, 2 absorb, 3 bounce, 4 periodic, 5 reentry, 6 invisible, 7 unbounded"),       \
        DEFINE(file, BOX, 0, 1, "1: box and shift of each dimension"),                                       \
        DEFINE(file, INITIAL_VELOCITY, SHOAL_PSO_HALF_DIFFERENCE, SHOAL_PSO_ZERO,                            \
               "0 half a difference, 1 a difference, 2 range, 3 zero"),                                      \
        DEFINE(file, LIMITED, 0, 1, "1: the velocity is limited"),                                           \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, SCALAR_RANDOM, 0, 1, "1: one pair of random numbers for all dimensions"),               \
        DEFINE(file, TOPOLOGY, SHOAL_PSO_GLOBAL, SHOAL_PSO_PYRAMID,                                          \
               "0 global, 1 ring, 2 von Neumann, 3 random"),                                                 \
        DEFINE(file, UPDATE, PSO_LINEAR_UPDATE, PSO_FIPS_UPDATE, "0 linear, 1 SPSO-2011, 2 FIPS")

#define PSO_RANDOM_DEFINE_DESC(file)                                                                         \
    DEFINE(file, RANDOM, SHOAL_PSO_PHILOX, SHOAL_PSO_PHILOX16, "0 philox, 1 philox16")

/* Writes the swarm's settings, from index SET_OWN on. */
void pso_fill_settings(const struct search_problem *problem, double *settings);

#endif
