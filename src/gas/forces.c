/* Pair forces of all particles, in double on all cores. Each particle adds up its own pairs in an order that
 * depends on the positions alone: the same bits with any number of threads. */
#include "base/error.h"
#include "gas/grid.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* Sums of one particle. */
struct pull {
    double force[GAS_MAX_DIM], energy, virial;
};

static void add_pair(const struct gas_problem *problem, const double *a, const double *b, bool energies,
                     struct pull *pull)
{
    double difference[GAS_MAX_DIM], d = 0, force, energy = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        difference[k] = gas_image(problem, k, a[k] - b[k]);
        d += difference[k] * difference[k];
    }
    if (!(d < problem->pair.cutoff2) && problem->kind != GAS_PAIR_REAL)
        return;
    gas_pair_evaluate(problem, d, &force, energies ? &energy : NULL);
    for (size_t k = 0; k < problem->dim; k++)
        pull->force[k] += force * difference[k];
    pull->energy += energy;
    pull->virial += force * d;
}

/* Where the sums of particles go; NULL: nowhere. */
struct sums {
    double *acceleration, *energy, *virial;
};

static void store(const struct gas_problem *problem, const struct sums *sums, size_t place,
                  const struct pull *pull)
{
    for (size_t k = 0; k < problem->dim; k++)
        sums->acceleration[place * problem->dim + k] = pull->force[k] / problem->params->mass;
    if (sums->energy)
        sums->energy[place] = 0.5 * pull->energy;
    if (sums->virial)
        sums->virial[place] = 0.5 * pull->virial;
}

/* Every source. */
static struct pull pull_of_all(const struct gas_problem *problem, const double *position, size_t i,
                               bool energies)
{
    const size_t dim = problem->dim;
    struct pull pull = {{0}, 0, 0};
    for (size_t j = 0; j < problem->n; j++)
        if (j != i)
            add_pair(problem, position + i * dim, position + j * dim, energies, &pull);
    return pull;
}

/* The sources in the boxes around. */
static struct pull pull_of_near(const struct gas_grid *grid, const double *position, size_t i,
                                const size_t *around, size_t count, bool energies)
{
    const size_t dim = grid->problem->dim;
    struct pull pull = {{0}, 0, 0};
    for (size_t b = 0; b < count; b++)
        for (uint32_t place = grid->first[around[b]]; place < grid->first[around[b] + 1]; place++) {
            const size_t j = grid->order[place];
            if (j != i)
                add_pair(grid->problem, position + i * dim, position + j * dim, energies, &pull);
        }
    return pull;
}

static int threads_for(const struct gas_problem *problem)
{
    return problem->threads ? problem->threads : omp_get_max_threads();
}

static void forces_by_grid(const struct gas_grid *grid, const double *position, const struct sums *sums)
{
    const struct gas_problem *problem = grid->problem;
    const size_t boxes = grid->boxes[0] * grid->boxes[1] * grid->boxes[2];
    const bool energies = sums->energy;
#pragma omp parallel for num_threads(threads_for(problem)) schedule(dynamic, 16)
    for (size_t box = 0; box < boxes; box++) {
        size_t around[GAS_GRID_AROUND];
        const size_t count = gas_grid_around(grid, box, around);
        for (uint32_t place = grid->first[box]; place < grid->first[box + 1]; place++) {
            const size_t i = grid->order[place];
            const struct pull pull = pull_of_near(grid, position, i, around, count, energies);
            store(problem, sums, i, &pull);
        }
    }
}

enum shoal_status gas_forces(const struct gas_problem *problem, const double *position, double *acceleration,
                             double *energy, double *virial, struct shoal_error *error)
{
    const struct sums sums = {acceleration, energy, virial};
    if (problem->kind != GAS_PAIR_REAL && isfinite(problem->pair.cutoff)) {
        struct gas_grid grid;
        enum shoal_status status = gas_grid_create(problem, position, problem->pair.cutoff, &grid, error);
        if (status)
            return status;
        forces_by_grid(&grid, position, &sums);
        gas_grid_destroy(&grid);
        return SHOAL_OK;
    }
#pragma omp parallel for num_threads(threads_for(problem)) schedule(static)
    for (size_t i = 0; i < problem->n; i++) {
        const struct pull pull = pull_of_all(problem, position, i, energy);
        store(problem, &sums, i, &pull);
    }
    return SHOAL_OK;
}

void gas_forces_sampled(const struct gas_problem *problem, const double *position, const size_t *targets,
                        size_t count, double *acceleration, double *energy)
{
    const struct sums sums = {acceleration, energy, NULL};
#pragma omp parallel for num_threads(threads_for(problem)) schedule(static)
    for (size_t t = 0; t < count; t++) {
        const struct pull pull = pull_of_all(problem, position, targets[t], energy);
        store(problem, &sums, t, &pull);
    }
}
