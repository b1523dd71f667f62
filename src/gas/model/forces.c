/* Pair forces of all particles, in double precision on all cores. The pairs of each particle are added in an
 * order that depends only on the positions, so any number of threads gives the same bits. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "gas/model/grid.h"
#include "gas/model/pair_law.h"

#include <math.h>
#include <stdlib.h>

/* The particles that exert forces, in the order of a grid or of their numbers. */
struct sources {
    const struct gas_problem *problem;
    /* address of the coordinate of the first particle along each axis */
    const double *x[GAS_MAX_DIM];
    /* number of elements between the coordinates, along one axis, of two successive particles */
    size_t stride;
    /* period of each axis, and half of it, to find nearest images; half is infinite if the axis is not
     * periodic */
    double period[GAS_MAX_DIM], half[GAS_MAX_DIM];
    double reach2; /* square of the cutoff */
    /* number of the particle of each source; NULL: sources are in the order of the numbers */
    const uint32_t *order;
};

static struct sources sources_of(const struct gas_problem *problem, const double *position, size_t stride,
                                 size_t axes_apart)
{
    struct sources sources = {.problem = problem, .stride = stride, .reach2 = problem->pair.cutoff2};
    if (problem->kind == GAS_PAIR_REAL)
        sources.reach2 = INFINITY;
    for (size_t k = 0; k < problem->dim; k++) {
        const bool periodic = problem->boundary[k] == SHOAL_GAS_PERIODIC;
        sources.x[k] = position + k * axes_apart;
        sources.period[k] = periodic ? problem->length[k] : 0;
        sources.half[k] = periodic ? 0.5 * problem->length[k] : INFINITY;
    }
    return sources;
}

/* The sums of the pair forces on one particle. */
struct pull {
    double force[GAS_MAX_DIM], energy, virial;
};

enum { CHUNK = 64 };

/* Computes the coordinate differences between the target and `count` sources, beginning with source `first`,
 * and the squared distances d. */
static void find_differences(const struct sources *sources, const double *target, size_t first, size_t count,
                             double difference[GAS_MAX_DIM][CHUNK], double d[CHUNK])
{
    const size_t stride = sources->stride;
    for (size_t c = 0; c < count; c++)
        d[c] = 0;
    for (size_t k = 0; k < sources->problem->dim; k++) {
        const double *x = sources->x[k] + first * sources->stride;
        const double at = target[k], period = sources->period[k], half = sources->half[k];
        for (size_t c = 0; c < count; c++) {
            const double plain = at - x[c * stride];
            const double image = plain - (plain > half ? period : 0) + (plain < -half ? period : 0);
            difference[k][c] = image;
            d[c] += image * image;
        }
    }
}

/* Constants of the pair force between two sources. */
static const struct gas_pair *pair_of(const struct sources *sources, size_t a, size_t b)
{
    const uint32_t *order = sources->order;
    return gas_pair_between(sources->problem, order ? order[a] : a, order ? order[b] : b);
}

/* Adds to *pull the forces of the sources first .. end - 1 on the target, except the force of source `self`.
 */
static void add_pull(const struct sources *sources, const double *target, size_t self, size_t first,
                     size_t end, bool energies, struct pull *pull)
{
    const struct gas_problem *problem = sources->problem;
    double difference[GAS_MAX_DIM][CHUNK], d[CHUNK];
    gas_prepare_pairs(problem);
    for (; first < end; first += CHUNK) {
        const size_t count = end - first < CHUNK ? end - first : CHUNK;
        find_differences(sources, target, first, count, difference, d);
        for (size_t c = 0; c < count; c++) {
            if (!(d[c] < sources->reach2) || first + c == self)
                continue;
            const struct gas_value v =
                gas_pair_value(problem, pair_of(sources, self, first + c), d[c], energies);
            for (size_t k = 0; k < problem->dim; k++)
                pull->force[k] += v.force * difference[k][c];
            pull->energy += v.energy;
            pull->virial += v.force * d[c];
        }
    }
}

/* Arrays that receive the sums for each particle; NULL: these sums are not wanted. */
struct sums {
    double *acceleration, *energy, *virial;
};

static void store(const struct gas_problem *problem, const struct sums *sums, size_t place, size_t particle,
                  const struct pull *pull)
{
    const double mass = gas_mass(problem, particle);
    for (size_t k = 0; k < problem->dim; k++)
        sums->acceleration[place * problem->dim + k] = pull->force[k] / mass;
    if (sums->energy)
        sums->energy[place] = 0.5 * pull->energy;
    if (sums->virial)
        sums->virial[place] = 0.5 * pull->virial;
}

static bool sums_near(const struct gas_problem *problem)
{
    return isfinite(problem->pair.cutoff2) && problem->kind != GAS_PAIR_REAL;
}

static const double pair_s = 1e-8;

double gas_forces_seconds(const struct gas_problem *problem)
{
    const double n = (double)problem->n;
    const double near = sums_near(problem) ? gas_mean_neighbours(problem, problem->pair.cutoff) : n;
    /* The work for a particle that does not depend on its pairs takes as long as about 20 pairs. */
    return pair_s * n * (fmin(near, n) + 20);
}

int gas_threads(const struct gas_problem *problem, double alone_s)
{
    return problem->choice ? thread_choice_threads(problem->choice) : threads_once(alone_s);
}

/* Computes the forces on `count` particles by direct summation. targets: numbers of these particles; NULL:
 * all particles. */
static void forces_directly(const struct gas_problem *problem, const double *position, const size_t *targets,
                            size_t count, const struct sums *sums)
{
    const struct sources sources = sources_of(problem, position, problem->dim, 1);
    const int threads = gas_threads(problem, pair_s * (double)count * (double)problem->n);
#pragma omp parallel num_threads(threads) if (count > 1)
    {
        const double start = clock_thread_seconds();
        struct long_step_looks looks = {0};
#pragma omp for schedule(dynamic, 16) nowait
        for (size_t t = 0; t < count; t++) {
            if (long_step_worked(problem->long_step, &looks))
                continue;
            const size_t i = targets ? targets[t] : t;
            struct pull pull = {{0}, 0, 0};
            add_pull(&sources, position + i * problem->dim, i, 0, problem->n, sums->energy, &pull);
            store(problem, sums, t, i, &pull);
        }
        thread_choice_work(problem->choice, start);
    }
}

/* A copy of the positions, [dim][n], in the order of the grid, so that neighbours are near in memory; NULL:
 * there is no memory. */
static double *sorted_copy(const struct gas_grid *grid, const double *position)
{
    const size_t n = grid->problem->n, dim = grid->problem->dim;
    double *copy = malloc(n * dim * sizeof *copy);
    for (size_t k = 0; k < dim && copy; k++)
        for (size_t i = 0; i < n; i++)
            copy[k * n + i] = position[grid->order[i] * dim + k];
    return copy;
}

/* Computes the sums for each particle over the pairs with particles in the boxes around it. */
static void forces_by_grid(const struct gas_grid *grid, const double *sorted, const double *position,
                           const struct sums *sums)
{
    enum { LOOK = 16 }; /* number of boxes between two calls of long_step_look; a box takes some us */
    const struct gas_problem *problem = grid->problem;
    struct sources sources = sources_of(problem, sorted, 1, problem->n);
    sources.order = grid->order;
    const size_t boxes = grid->boxes[0] * grid->boxes[1] * grid->boxes[2];
    const int threads = gas_threads(problem, gas_forces_seconds(problem));
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (size_t box = 0; box < boxes; box++) {
        if (long_step_look_each(problem->long_step, box, LOOK))
            continue;
        size_t around[GAS_GRID_AROUND];
        const size_t count = gas_grid_around(grid, box, around);
        for (uint32_t place = grid->first[box]; place < grid->first[box + 1]; place++) {
            const size_t i = grid->order[place];
            struct pull pull = {{0}, 0, 0};
            for (size_t b = 0; b < count; b++)
                add_pull(&sources, position + i * problem->dim, place, grid->first[around[b]],
                         grid->first[around[b] + 1], sums->energy, &pull);
            store(problem, sums, i, i, &pull);
        }
    }
}

enum shoal_status gas_forces(const struct gas_problem *problem, const double *position, double *acceleration,
                             double *energy, double *virial, struct shoal_error *error)
{
    const struct sums sums = {acceleration, energy, virial};
    if (!sums_near(problem)) {
        forces_directly(problem, position, NULL, problem->n, &sums);
        return long_step_status(problem->long_step, error);
    }
    struct gas_grid grid;
    enum shoal_status status = gas_grid_create(problem, position, problem->pair.cutoff, &grid, error);
    if (status)
        return status;
    double *sorted = sorted_copy(&grid, position);
    if (sorted)
        forces_by_grid(&grid, sorted, position, &sums);
    else
        status = fail_host_memory(error);
    free(sorted);
    gas_grid_destroy(&grid);
    return status ? status : long_step_status(problem->long_step, error);
}

void gas_forces_sampled(const struct gas_problem *problem, const double *position, const size_t *targets,
                        size_t count, double *acceleration, double *energy)
{
    const struct sums sums = {acceleration, energy, NULL};
    forces_directly(problem, position, targets, count, &sums);
}

/* Square of the force of a pair or, if larger, of the change of the force when r decreases by r /
 * GAS_STEEPEST: near a minimum of the energy this change is far larger than the force. The change is computed
 * for a decrease of r, since an increase may pass the cutoff. */
static double squared_pull(const struct gas_problem *problem, const struct gas_pair *pair, double d)
{
    const double h = 0x1p-30, r = sqrt(d), inside = (1 - h) * r;
    const double force = gas_pair_value(problem, pair, d, false).force * r;
    const double before = gas_pair_value(problem, pair, inside * inside, false).force * inside;
    const double change = (force - before) / (h * GAS_STEEPEST);
    return fmax(force * force, change * change);
}

double gas_pulls_sampled(const struct gas_problem *problem, const double *position, const size_t *targets,
                         size_t count)
{
    const struct sources sources = sources_of(problem, position, problem->dim, 1);
    double sum = 0, difference[GAS_MAX_DIM][CHUNK], d[CHUNK];
    for (size_t t = 0; t < count; t++) {
        const double mass = gas_mass(problem, targets[t]);
        for (size_t first = 0; first < problem->n; first += CHUNK) {
            const size_t some = problem->n - first < CHUNK ? problem->n - first : CHUNK;
            find_differences(&sources, position + targets[t] * problem->dim, first, some, difference, d);
            for (size_t c = 0; c < some; c++)
                if (d[c] < sources.reach2 && first + c != targets[t])
                    sum +=
                        squared_pull(problem, pair_of(&sources, targets[t], first + c), d[c]) / (mass * mass);
        }
    }
    return sum;
}
