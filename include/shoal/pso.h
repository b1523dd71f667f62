/* Particle swarm optimisation: parameters of the workload "pso" (shoal_workload_find("pso")).
 *
 * Global-best swarm with inertia weight, synchronous. In each step and dimension d a particle does
 *     v = inertia v + cognitive r1 (p - x) + social r2 (g - x),   x = x + v
 * with fresh uniform r1, r2, its own best position p and the best position g of the swarm after the step
 * before. A coordinate that leaves the box is mirrored at the face it crossed and its velocity turned round;
 * where even the mirror image lies outside, it is set on the face.
 *
 * Result fields: "position" (the best position), "function", "precision", "reached" (step at which the target
 * was reached; absent otherwise), "trace" (best value after 0, n, 2n ... steps; absent without --trace).
 */
#ifndef SHOAL_PSO_H
#define SHOAL_PSO_H

#include <shoal/objective.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

enum shoal_precision { SHOAL_FP32, SHOAL_FP64 };

struct shoal_pso_params {
    size_t size;       /* set by shoal_pso_params_init */
    int32_t function;  /* enum shoal_objective_id */
    int32_t precision; /* enum shoal_precision of the device; the host solver is always double */
    uint64_t dim;
    uint64_t particles;
    uint64_t iterations;
    uint64_t seed;
    double inertia;      /* default 0.7298 = 2 / (phi - 2 + sqrt(phi^2 - 4 phi)), phi = 4.1 */
    double cognitive;    /* default 1.49618 = 0.7298 phi / 2: pull to the particle's own best */
    double social;       /* default 1.49618: pull to the swarm's best */
    double lower, upper; /* box; NaN: that of the function */
    double target;       /* the run ends after the step that finds a value <= target; NaN: none */
    uint64_t trace;      /* steps between entries of the trace, 0: no trace */
};

SHOAL_API void shoal_pso_params_init(struct shoal_pso_params *params);

SHOAL_END_DECLS

#endif
