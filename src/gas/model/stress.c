/* The virial tensor of each particle, in double precision: half of r F for each of its pairs. The pairs of a
 * particle are added in an order that depends only on the positions. */
#include "base/error.h"
#include "gas/model/grid.h"
#include "gas/observe/tables.h"
#include "gas/species/species.h"

#include <math.h>

/* The particle whose tensor is summed up. */
struct target {
    const struct gas_problem *problem;
    const double *position; /* [n][dim] */
    size_t particle;
    double *stress; /* [STRESS_PARTS] */
};

static void add_pair(void *data, size_t j, double d)
{
    static const struct {
        size_t a, b;
    } axes[STRESS_PARTS] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const struct target *target = data;
    const size_t dim = target->problem->dim;
    double r[GAS_MAX_DIM] = {0}, force;
    gas_pair_evaluate(target->problem, gas_pair_between(target->problem, target->particle, j), d, &force,
                      NULL);
    for (size_t k = 0; k < dim; k++)
        r[k] = gas_image(target->problem, k,
                         target->position[target->particle * dim + k] - target->position[j * dim + k]);
    for (size_t part = 0; part < STRESS_PARTS; part++)
        target->stress[part] += 0.5 * force * r[axes[part].a] * r[axes[part].b];
}

/* Adds the pairs of a particle with all other particles. */
static void add_all(struct target *target)
{
    const struct gas_problem *problem = target->problem;
    const size_t dim = problem->dim, i = target->particle;
    for (size_t j = 0; j < problem->n; j++) {
        double d = 0;
        for (size_t k = 0; k < dim; k++)
            d += pow(gas_image(problem, k, target->position[i * dim + k] - target->position[j * dim + k]), 2);
        if (j != i)
            add_pair(target, j, d);
    }
}

enum shoal_status gas_stress(const struct gas_problem *problem, const double *position,
                             double (*stress)[STRESS_PARTS], struct shoal_error *error)
{
    const bool is_short = isfinite(problem->pair.cutoff2) && problem->kind != GAS_PAIR_REAL;
    const int threads = gas_threads(problem, gas_forces_seconds(problem));
    struct gas_grid grid = {0};
    enum shoal_status status =
        is_short ? gas_grid_create(problem, position, problem->pair.cutoff, &grid, error) : SHOAL_OK;
    if (status)
        return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (size_t i = 0; i < problem->n; i++) {
        struct target target = {problem, position, i, stress[i]};
        for (size_t part = 0; part < STRESS_PARTS; part++)
            stress[i][part] = 0;
        if (is_short)
            gas_grid_visit(&grid, i, add_pair, &target);
        else
            add_all(&target);
    }
    gas_grid_destroy(&grid);
    return SHOAL_OK;
}
