/* Law of a gas for fast multipoles, and the forces of the host solver. */
#include "base/error.h"
#include "gas/fmm/fmm.h"
#include "gas/model/problem.h"
#include "gas/species/species.h"

#include <stdlib.h>

/* Whether particles repel each other by a term that is not a product of their charges. */
static bool has_uncharged_term(const struct gas_problem *problem)
{
    const struct gas_species *species = problem->species;
    bool differs = false;
    for (size_t s = 0; species && s < species->count; s++)
        differs = differs || species->charge[s] != 1;
    return differs && problem->kind == GAS_PAIR_LOG_REPULSION;
}

enum shoal_status gas_fmm_check(const struct gas_problem *problem, struct shoal_error *error)
{
    const bool has_law = problem->kind == GAS_PAIR_LOG || problem->kind == GAS_PAIR_LOG_REPULSION ||
                         problem->kind == GAS_PAIR_GRAVITY;
    if (!has_law || problem->dim != 2 || problem->any_periodic)
        return fail(
            error, SHOAL_INVALID,
            "--method fmm is for --potential log, log-repulsion and gravity in 2D, between walls or in an "
            "open box: take another method");
    if (has_uncharged_term(problem))
        return fail(
            error, SHOAL_INVALID,
            "--method fmm sums products of charges, and the repulsion of log-repulsion does not depend on "
            "them: give each species the charge 1, or take --method allpairs");
    return SHOAL_OK;
}

struct shoal_fmm_params gas_fmm_params(const struct gas_problem *problem)
{
    const struct gas_pair *pair = &problem->pair;
    struct shoal_fmm_params params =
        SHOAL_FMM_PARAMS(.law = problem->kind == GAS_PAIR_LOG ? SHOAL_FMM_LOG : SHOAL_FMM_LOG_REPULSION,
                         .strength = pair->attraction, .repulsion = pair->repulsion,
                         .softening = sqrt(pair->softening2), .accuracy = problem->params->accuracy,
                         .max_sources = problem->n);
    /* Charges of one sign have errors of less than a quarter of those for which fmm chooses its nodes, in the
     * range where both were measured: docs/fmm.md. */
    const double least = 1e-5, most = 6e-4;
    if (!problem->species && problem->kind != GAS_PAIR_LOG_REPULSION && params.accuracy >= least &&
        params.accuracy <= most)
        params.accuracy *= 4;
    if (problem->kind == GAS_PAIR_GRAVITY) {
        params.law = SHOAL_FMM_INVERSE;
        params.strength = -pair->attraction;
    }
    return params;
}

bool gas_fmm_on_host(const struct gas_problem *problem)
{
    return gas_method_of(problem->params) == SHOAL_GAS_FMM;
}

static double charge_of(const struct gas_problem *problem, size_t particle)
{
    const struct gas_species *species = problem->species;
    return species ? species->charge[species->of[particle]] : 1;
}

enum shoal_status gas_fmm_forces(const struct gas_problem *problem, const double *position,
                                 double *acceleration, double *energy, double *virial,
                                 struct shoal_error *error)
{
    const struct shoal_fmm_params params = gas_fmm_params(problem);
    const size_t n = problem->n;
    double *charges = problem->species ? malloc(n * sizeof *charges) : NULL;
    if (problem->species && !charges)
        return fail_host_memory(error);
    for (size_t i = 0; charges && i < n; i++)
        charges[i] = charge_of(problem, i);
    const struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = position, .charges = charges, .source_count = n, .potential = energy,
                         .field = acceleration);
    const enum shoal_status status = shoal_fmm_on_host(&params, &points, error);
    free(charges);
    for (size_t i = 0; i < n && !status; i++) {
        const double charge = charge_of(problem, i), mass = gas_mass(problem, i);
        double work = 0;
        for (size_t k = 0; k < 2; k++) {
            const double force = charge * acceleration[2 * i + k];
            work += force * (position[2 * i + k] - 0.5 * problem->length[k]);
            acceleration[2 * i + k] = force / mass;
        }
        if (energy)
            energy[i] *= 0.5 * charge;
        if (virial)
            virial[i] = work;
    }
    return status;
}
