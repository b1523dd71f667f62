/* Observables of the host solver. */
#include "base/clock.h"
#include "base/error.h"
#include "gas/host/host.h"
#include "gas/model/grid.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Computes momentum and largest speed, of the velocities of the full step. */
static void look_at_speeds(const struct gas_host *host, struct shoal_gas_thermo *thermo)
{
    const struct gas_problem *problem = &host->problem;
    double fastest = 0;
    for (size_t i = 0; i < problem->n; i++) {
        const double mass = gas_mass(problem, i);
        double square = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            const double v = gas_host_full_velocity(host, i * problem->dim + k);
            thermo->momentum[k] += mass * v;
            square += v * v;
        }
        fastest = fmax(fastest, square);
    }
    thermo->max_speed = sqrt(fastest);
}

enum shoal_status gas_host_measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                   double *impulse, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem *problem = &host->problem;
    enum shoal_status status = gas_host_forces(host, true, error);
    if (status)
        return status;
    const double pairs = sum_of(host->energy, problem->n);
    thermo->rebuilds = host->list.rebuilds;
    thermo->kinetic = gas_host_kinetic(host);
    thermo->potential = pairs + gas_external_energy(problem, host->x, host->image);
    gas_finish_thermo(problem, sum_of(host->virial, problem->n), host->exchange.heat, thermo);
    look_at_speeds(host, thermo);
    *impulse = gas_mean_wall_impulse(problem, host->exchange.impulse);
    return SHOAL_OK;
}

/* Histograms ------------------------------------------------------------------------------------------- */

struct distances {
    const struct gas_problem *problem;
    size_t i; /* the particle whose distances are counted */
    uint64_t *counts;
    size_t bins;
    double inverse_width;
};

static void add_distance(void *data, size_t j, double d)
{
    struct distances *distances = data;
    const size_t bin = (size_t)(sqrt(d) * distances->inverse_width);
    if (bin < distances->bins)
        distances->counts[gas_pair_index(distances->problem, distances->i, j) * distances->bins + bin]++;
}

static enum shoal_status count_pairs(struct gas_host *host, struct shoal_error *error)
{
    const struct gas_problem *problem = &host->problem;
    const size_t bins = gas_bins(problem, SHOAL_GAS_RDF), all = gas_count_bins(problem, SHOAL_GAS_RDF);
    const double width = gas_bin_width(problem, SHOAL_GAS_RDF);
    struct gas_grid grid;
    bool failed = false;
    enum shoal_status status = gas_grid_create(problem, host->x, width * (double)bins, &grid, error);
    if (status)
        return status;
#pragma omp parallel num_threads(thread_choice_threads(&host->choice))
    {
        struct distances own = {problem, 0, calloc(all, sizeof *own.counts), bins, 1 / width};
        if (!own.counts) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < problem->n; i++)
            if (own.counts) {
                own.i = i;
                gas_grid_visit(&grid, i, add_distance, &own);
            }
#pragma omp critical(gas_host_count)
        for (size_t b = 0; b < all && own.counts; b++)
            host->counts[SHOAL_GAS_RDF][b] += own.counts[b];
        free(own.counts);
    }
    gas_grid_destroy(&grid);
    return failed ? fail_host_memory(error) : SHOAL_OK;
}

static void count_speeds(struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    const size_t bins = gas_bins(problem, SHOAL_GAS_SPEEDS);
    const double inverse_width = 1 / gas_bin_width(problem, SHOAL_GAS_SPEEDS);
    for (size_t i = 0; i < problem->n; i++) {
        double square = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            const double v = gas_host_full_velocity(host, i * problem->dim + k);
            square += v * v;
        }
        const double bin = sqrt(square) * inverse_width;
        if (bin < (double)bins)
            host->counts[SHOAL_GAS_SPEEDS][(size_t)bin]++;
    }
}

static void count_places(struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    const size_t axis = gas_profile_axis(problem);
    const double bins = (double)gas_bins(problem, SHOAL_GAS_PROFILE);
    for (size_t i = 0; i < problem->n; i++) {
        const double bin = host->x[i * problem->dim + axis] / problem->length[axis] * bins;
        if (bin >= 0 && bin < bins)
            host->counts[SHOAL_GAS_PROFILE][(size_t)bin]++;
    }
}

enum shoal_status gas_host_count(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const double start = clock_seconds();
    enum shoal_status status = gas_host_forces(host, false, error);
    if (!status && host->counts[SHOAL_GAS_RDF])
        status = count_pairs(host, error);
    if (!status && host->counts[SHOAL_GAS_SPEEDS])
        count_speeds(host);
    if (!status && host->counts[SHOAL_GAS_PROFILE])
        count_places(host);
    host->observe_s += clock_seconds() - start;
    return status;
}

/* Displacements ---------------------------------------------------------------------------------------- */

enum shoal_status gas_host_mark(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const size_t numbers = host->problem.n * host->problem.dim;
    (void)error;
    memcpy(host->origin, host->x, numbers * sizeof *host->origin);
    memcpy(host->origin_image, host->image, numbers * sizeof *host->origin_image);
    return SHOAL_OK;
}

enum shoal_status gas_host_displacements(struct shoal_solver *solver,
                                         double sums[GAS_MSD_GROUPS][GAS_MAX_DIM], struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim;
    (void)error;
    memset(sums, 0, GAS_MSD_GROUPS * sizeof *sums);
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++)
        for (size_t at = gas_msd_begin(problem->n, g) * dim; at < gas_msd_begin(problem->n, g + 1) * dim;
             at++) {
            const double moved = gas_host_moved(host, at, host->origin[at], host->origin_image[at]);
            sums[g][at % dim] += moved * moved;
        }
    return SHOAL_OK;
}
