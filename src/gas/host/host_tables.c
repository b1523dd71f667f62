/* Sums of the tables of the host solver. */
#include "base/clock.h"
#include "base/error.h"
#include "gas/host/host.h"
#include "gas/model/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The full velocity of particle i; 0 beyond dim. */
static void velocity_of(const struct gas_host *host, size_t i, double v[GAS_MAX_DIM])
{
    const size_t dim = host->problem.dim;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        v[k] = k < dim ? gas_host_full_velocity(host, i * dim + k) : 0;
}

static void sum_tensor(const struct gas_host *host, double (*stress)[STRESS_PARTS], double sums[STRESS_PARTS])
{
    memset(sums, 0, STRESS_PARTS * sizeof *sums);
    for (size_t i = 0; i < host->problem.n; i++) {
        double v[GAS_MAX_DIM];
        velocity_of(host, i, v);
        const double moved[STRESS_PARTS] = {v[0] * v[0], v[1] * v[1], v[2] * v[2],
                                            v[0] * v[1], v[0] * v[2], v[1] * v[2]};
        for (size_t part = 0; part < STRESS_PARTS; part++)
            sums[part] += gas_mass(&host->problem, i) * moved[part] + stress[i][part];
    }
}

static void sum_profiles(const struct gas_host *host, double (*stress)[STRESS_PARTS], double *sums)
{
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim, axis = gas_profile_axis(problem);
    memset(sums, 0, gas_slices(problem) * PROFILE_SUMS * sizeof *sums);
    for (size_t i = 0; i < problem->n; i++) {
        const size_t slice = gas_slice_of(problem, host->x[i * dim + axis]);
        double v[GAS_MAX_DIM];
        if (slice == SIZE_MAX)
            continue;
        double *own = sums + slice * PROFILE_SUMS;
        velocity_of(host, i, v);
        const double mass = gas_mass(problem, i), ratio = mass / problem->params->mass;
        own[PROFILE_COUNT]++;
        own[PROFILE_MASS] += ratio;
        for (size_t k = 0; k < dim; k++) {
            own[PROFILE_VELOCITY + k] += ratio * v[k];
            own[PROFILE_SQUARES] += ratio * v[k] * v[k];
            own[PROFILE_STRESS + k] += mass * v[k] * v[k] + stress[i][STRESS_XX + k];
        }
    }
}

static void sum_waves(const struct gas_host *host, double *sums)
{
    static const double pi = 3.14159265358979323846;
    const struct gas_problem *problem = &host->problem;
    const struct gas_waves *waves = &host->common.tables.waves;
    const size_t dim = problem->dim;
#pragma omp parallel for num_threads(thread_choice_threads(&host->choice)) schedule(dynamic, 8)
    for (size_t w = 0; w < waves->count; w++) {
        double k[GAS_MAX_DIM], real_part = 0, imaginary = 0;
        for (size_t axis = 0; axis < dim; axis++)
            k[axis] = 2 * pi * waves->waves[w][axis] / problem->length[axis];
        for (size_t i = 0; i < problem->n; i++) {
            double phase = 0;
            for (size_t axis = 0; axis < dim; axis++)
                phase += k[axis] * host->x[i * dim + axis];
            real_part += cos(phase);
            imaginary += sin(phase);
        }
        sums[w] = real_part * real_part + imaginary * imaginary;
    }
}

/* number of neighbours whose directions make the hexatic order */
enum { SIX = 6 };

/* The nearest neighbours of a particle found so far, by ascending squared distance. */
struct nearest {
    const struct gas_host *host;
    size_t particle, count;
    double d[SIX], angle[SIX];
};

static void take_nearer(void *data, size_t j, double d)
{
    struct nearest *nearest = data;
    const struct gas_problem *problem = &nearest->host->problem;
    const double *x = nearest->host->x;
    size_t at = nearest->count;
    if (at == SIX && d >= nearest->d[SIX - 1])
        return;
    if (at < SIX)
        nearest->count++;
    else
        at--;
    for (; at > 0 && nearest->d[at - 1] > d; at--) {
        nearest->d[at] = nearest->d[at - 1];
        nearest->angle[at] = nearest->angle[at - 1];
    }
    nearest->d[at] = d;
    nearest->angle[at] = atan2(gas_image(problem, 1, x[2 * j + 1] - x[2 * nearest->particle + 1]),
                               gas_image(problem, 0, x[2 * j] - x[2 * nearest->particle]));
}

enum shoal_status gas_host_psi(const struct gas_host *host, double (*psi)[2], struct shoal_error *error)
{
    const struct gas_problem *problem = &host->problem;
    struct gas_grid grid;
    enum shoal_status status =
        gas_grid_create(problem, host->x, problem->params->hexatic_range, &grid, error);
    if (status)
        return status;
    for (size_t i = 0; i < problem->n; i++) {
        struct nearest nearest = {.host = host, .particle = i};
        size_t found = 0;
        gas_grid_visit(&grid, i, take_nearer, &nearest);
        psi[i][0] = psi[i][1] = 0;
        /* A neighbour in the place of the particle has no direction. */
        for (size_t k = 0; k < nearest.count; k++)
            found += nearest.d[k] > 0;
        for (size_t k = 0; k < nearest.count; k++)
            if (nearest.d[k] > 0) {
                psi[i][0] += cos(6 * nearest.angle[k]) / (double)found;
                psi[i][1] += sin(6 * nearest.angle[k]) / (double)found;
            }
    }
    gas_grid_destroy(&grid);
    return SHOAL_OK;
}

/* The pairs of a particle whose psi are multiplied. */
struct products {
    double (*psi)[2];
    size_t particle;
    double inverse_width;
    double *sums;
};

static void add_product(void *data, size_t j, double d)
{
    const struct products *products = data;
    const double *mine = products->psi[products->particle], *other = products->psi[j];
    double *own = products->sums + (size_t)(sqrt(d) * products->inverse_width) * G6_SUMS;
    if (j > products->particle)
        return;
    own[G6_PAIRS]++;
    own[G6_PRODUCTS] += mine[0] * other[0] + mine[1] * other[1];
}

static enum shoal_status sum_g6(const struct gas_host *host, double (*psi)[2], double *sums,
                                struct shoal_error *error)
{
    const struct gas_problem *problem = &host->problem;
    const double bins = (double)problem->params->g6_bins, range = gas_g6_range(problem->params);
    struct products products = {.psi = psi, .inverse_width = bins / range, .sums = sums};
    struct gas_grid grid;
    /* Rounding must not put a distance below the range beyond the last bin. */
    enum shoal_status status = gas_grid_create(problem, host->x, range * (1 - 1e-14), &grid, error);
    if (status)
        return status;
    memset(sums, 0, (size_t)problem->params->g6_bins * G6_SUMS * sizeof *sums);
    for (size_t i = 0; i < problem->n; i++) {
        products.particle = i;
        gas_grid_visit(&grid, i, add_product, &products);
    }
    gas_grid_destroy(&grid);
    return SHOAL_OK;
}

/* Sums up the hexatic order and, if `correlation` is not NULL, its correlation. */
static enum shoal_status sum_hexatic(const struct gas_host *host, double sums[HEXATIC_SUMS],
                                     double *correlation, struct shoal_error *error)
{
    double(*psi)[2] = calloc(host->problem.n, sizeof *psi);
    enum shoal_status status = psi ? gas_host_psi(host, psi, error) : fail_host_memory(error);
    memset(sums, 0, HEXATIC_SUMS * sizeof *sums);
    for (size_t i = 0; i < host->problem.n && !status; i++) {
        sums[HEXATIC_LOCAL] += hypot(psi[i][0], psi[i][1]);
        sums[HEXATIC_X] += psi[i][0];
        sums[HEXATIC_Y] += psi[i][1];
    }
    if (!status && correlation)
        status = sum_g6(host, psi, correlation, error);
    free(psi);
    return status;
}

enum shoal_status gas_host_tabulate(struct shoal_solver *solver, double *const sums[GAS_TABLES],
                                    struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem *problem = &host->problem;
    const bool has_stress = sums[SHOAL_GAS_TENSOR] || sums[SHOAL_GAS_PROFILES];
    const double start = clock_seconds();
    double(*stress)[STRESS_PARTS] = has_stress ? calloc(problem->n, sizeof *stress) : NULL;
    enum shoal_status status = gas_host_forces(host, false, error);
    if (!status && has_stress && !stress)
        status = fail_host_memory(error);
    if (!status && has_stress && !host->is_ideal)
        status = gas_stress(problem, host->x, stress, error);
    if (!status && sums[SHOAL_GAS_TENSOR])
        sum_tensor(host, stress, sums[SHOAL_GAS_TENSOR]);
    if (!status && sums[SHOAL_GAS_PROFILES])
        sum_profiles(host, stress, sums[SHOAL_GAS_PROFILES]);
    if (!status && sums[SHOAL_GAS_HEXATIC])
        status = sum_hexatic(host, sums[SHOAL_GAS_HEXATIC], sums[SHOAL_GAS_G6], error);
    if (!status && sums[SHOAL_GAS_STRUCTURE])
        sum_waves(host, sums[SHOAL_GAS_STRUCTURE]);
    if (!status && sums[SHOAL_GAS_CLUSTERS])
        status = gas_cluster_sums(problem, host->x, sums[SHOAL_GAS_CLUSTERS], error);
    free(stress);
    host->observe_s += clock_seconds() - start;
    return status;
}

/* Time origins ----------------------------------------------------------------------------------------- */

enum shoal_status gas_host_set_origin(struct shoal_solver *solver, size_t level, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const size_t numbers = host->problem.n * host->problem.dim, first = level * numbers;
    enum shoal_status status = gas_host_forces(host, false, error);
    if (status)
        return status;
    memcpy(host->origins_x + first, host->x, numbers * sizeof *host->x);
    memcpy(host->origins_image + first, host->image, numbers * sizeof *host->image);
    for (size_t at = 0; at < numbers; at++)
        host->origins_v[first + at] = gas_host_full_velocity(host, at);
    return SHOAL_OK;
}

enum shoal_status gas_host_correlate(struct shoal_solver *solver, size_t level,
                                     double products[GAS_MSD_GROUPS], double squares[GAS_MSD_GROUPS],
                                     struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim, first = level * problem->n * dim;
    enum shoal_status status = gas_host_forces(host, false, error);
    for (size_t g = 0; g < GAS_MSD_GROUPS && !status; g++) {
        products[g] = squares[g] = 0;
        for (size_t at = gas_msd_begin(problem->n, g) * dim; at < gas_msd_begin(problem->n, g + 1) * dim;
             at++) {
            products[g] += gas_host_full_velocity(host, at) * host->origins_v[first + at];
            squares[g] += pow(
                gas_host_moved(host, at, host->origins_x[first + at], host->origins_image[first + at]), 2);
        }
    }
    return status;
}
