/* What the host solver sees of its gas. */
#include "base/clock.h"
#include "base/error.h"
#include "gas/host/host.h"
#include "gas/model/grid.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Momentum and the largest speed, of the full step. */
static void look_at_speeds(const struct gas_reference *reference, struct shoal_gas_thermo *thermo)
{
    const struct gas_problem *problem = &reference->problem;
    double fastest = 0;
    for (size_t i = 0; i < problem->n; i++) {
        double square = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            const double v = gas_reference_full_velocity(reference, i * problem->dim + k);
            thermo->momentum[k] += problem->params->mass * v;
            square += v * v;
        }
        fastest = fmax(fastest, square);
    }
    thermo->max_speed = sqrt(fastest);
}

enum shoal_status gas_reference_measure(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                        double *impulse, struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    const struct gas_problem *problem = &reference->problem;
    enum shoal_status status = gas_reference_forces(reference, true, error);
    if (status)
        return status;
    const double pairs = sum_of(reference->energy, problem->n);
    thermo->rebuilds = reference->list.rebuilds;
    thermo->kinetic = gas_reference_kinetic(reference);
    thermo->potential = pairs + gas_outer_energy(problem, reference->x, reference->image);
    gas_finish_thermo(problem, sum_of(reference->virial, problem->n), reference->books.heat, thermo);
    look_at_speeds(reference, thermo);
    *impulse = gas_mean_wall_impulse(problem, reference->books.impulse);
    return SHOAL_OK;
}

/* Histograms ------------------------------------------------------------------------------------------- */

struct distances {
    uint64_t *counts;
    size_t bins;
    double inverse_width;
};

static void add_distance(void *data, size_t j, double d)
{
    struct distances *distances = data;
    const size_t bin = (size_t)(sqrt(d) * distances->inverse_width);
    (void)j;
    if (bin < distances->bins)
        distances->counts[bin]++;
}

static enum shoal_status count_pairs(struct gas_reference *reference, struct shoal_error *error)
{
    const struct gas_problem *problem = &reference->problem;
    const size_t bins = gas_bins(problem, 0);
    const double width = gas_bin_width(problem, 0);
    struct gas_grid grid;
    bool failed = false;
    enum shoal_status status = gas_grid_create(problem, reference->x, width * (double)bins, &grid, error);
    if (status)
        return status;
#pragma omp parallel num_threads(reference->threads)
    {
        struct distances own = {calloc(bins, sizeof *own.counts), bins, 1 / width};
        if (!own.counts) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < problem->n; i++)
            if (own.counts)
                gas_grid_visit(&grid, i, add_distance, &own);
#pragma omp critical(gas_reference_count)
        for (size_t b = 0; b < bins && own.counts; b++)
            reference->pair_counts[b] += own.counts[b];
        free(own.counts);
    }
    gas_grid_destroy(&grid);
    return failed ? fail_host_memory(error) : SHOAL_OK;
}

static void count_speeds(struct gas_reference *reference)
{
    const struct gas_problem *problem = &reference->problem;
    const size_t bins = gas_bins(problem, 1);
    const double inverse_width = 1 / gas_bin_width(problem, 1);
    for (size_t i = 0; i < problem->n; i++) {
        double square = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            const double v = gas_reference_full_velocity(reference, i * problem->dim + k);
            square += v * v;
        }
        const double bin = sqrt(square) * inverse_width;
        if (bin < (double)bins)
            reference->speed_counts[(size_t)bin]++;
    }
}

enum shoal_status gas_reference_count(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    const double start = clock_seconds();
    enum shoal_status status = gas_reference_forces(reference, false, error);
    if (!status && reference->pair_counts)
        status = count_pairs(reference, error);
    if (!status && reference->speed_counts)
        count_speeds(reference);
    reference->observe_s += clock_seconds() - start;
    return status;
}
