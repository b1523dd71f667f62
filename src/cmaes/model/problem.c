/* The problem of CMA-ES: the sizes of the populations and their constants. */
#include "cmaes/model/problem.h"
#include "base/error.h"
#include "objective/constraints/constraints.h"
#include "search/space.h"

#include <stdlib.h>

/* Largest dim of the full form, for which two triangular matrices take 0.5 GiB. */
enum { MOST_FULL = 8192 };

void cmaes_resolve(struct search_problem *problem)
{
    struct shoal_cmaes_params *params = (struct shoal_cmaes_params *)problem->params;
    if (!params->population)
        params->population = 4 + (uint64_t)(3 * log((double)problem->dim));
}

enum shoal_status cmaes_choose_rule(struct cmaes_problem *problem, struct shoal_error *error)
{
    struct shoal_cmaes_params *params = (struct shoal_cmaes_params *)problem->search.params;
    const struct constrained *constrained = problem->search.constrained;
    const bool is_possible = constrained && !constrained->is_told;
    if (params->constraint_rule == SHOAL_CMAES_LAGRANGIAN && constrained && !is_possible)
        return fail(error, SHOAL_INVALID,
                    "--constraint-rule lagrangian needs an objective that the search evaluates: use "
                    "--constraint-rule deb");
    if (!is_possible)
        params->constraint_rule = SHOAL_CMAES_DEB;
    else if (params->constraint_rule == SHOAL_CMAES_CONSTRAINT_AUTO)
        params->constraint_rule = SHOAL_CMAES_LAGRANGIAN;
    return SHOAL_OK;
}

static enum shoal_status check_form(const struct cmaes_problem *problem, struct shoal_error *error)
{
    const size_t dim = problem->search.dim;
    if (problem->params->form != SHOAL_CMAES_FULL || dim <= MOST_FULL)
        return SHOAL_OK;
    return fail(
        error, SHOAL_INVALID,
        "two matrices of dim %zu take %.0f bytes in each population; --form full is for dim %d at most: "
        "use --form separable or limited",
        dim, (double)dim * ((double)dim + 1) * sizeof(double), MOST_FULL);
}

static size_t rows_of_constants(const struct cmaes_problem *problem)
{
    return (size_t)problem->params->doublings + 1;
}

size_t cmaes_constants(const struct cmaes_problem *problem)
{
    return rows_of_constants(problem) * CMA_CONSTANTS + (problem->search.whole ? problem->search.dim : 0);
}

const double *cmaes_grains(const struct cmaes_problem *problem)
{
    return problem->search.whole ? problem->constants + rows_of_constants(problem) * CMA_CONSTANTS : NULL;
}

/* Creates a row of constants for each number of doublings of the population. */
static enum shoal_status create_constants(struct cmaes_problem *problem, struct shoal_error *error)
{
    const struct search_problem *search = &problem->search;
    const size_t rows = rows_of_constants(problem);
    double *constants = problem->search.tables = malloc(cmaes_constants(problem) * sizeof *constants);
    if (!constants)
        return fail_host_memory(error);
    for (size_t k = 0; k < rows; k++)
        cmaes_set_constants(problem->params, problem->search.dim, problem->search.members << k,
                            constants + k * CMA_CONSTANTS);
    for (size_t d = 0; search->whole && d < search->dim; d++)
        constants[rows * CMA_CONSTANTS + d] =
            search->whole[d] ? 1 / (search->upper[d] - search->lower[d]) : 0;
    problem->constants = constants;
    problem->ring = (size_t)constants[CMA_RING];
    problem->vectors = (size_t)(4 + floor(3 * log((double)problem->search.dim)));
    return SHOAL_OK;
}

/* Returns the parameters with x_tolerance 0 unless the user gave x_tolerance: before a restart the points of
 * a population are close together, which must not end the run. */
static struct shoal_cmaes_params without_spread(const struct shoal_cmaes_params *params)
{
    struct shoal_cmaes_params copy = *params;
    if (isnan(copy.search.x_tolerance))
        copy.search.x_tolerance = 0;
    return copy;
}

enum shoal_status cmaes_problem_create(struct shoal *shoal, const struct shoal_cmaes_params *params,
                                       struct cmaes_problem *problem, struct shoal_error *error)
{
    const struct shoal_cmaes_params own = without_spread(params);
    *problem = (struct cmaes_problem){.params = NULL};
    enum shoal_status status =
        search_problem_create(shoal, &cmaes_algorithm, &own.search, &problem->search, error);
    if (status)
        return status;
    problem->params = (const struct shoal_cmaes_params *)problem->search.params;
    problem->search.can_be_spent = params->restarts == SHOAL_CMAES_NONE;
    problem->search.has_restarts = !problem->search.can_be_spent;
    status = check_form(problem, error);
    if (!status && problem->search.whole && problem->params->form == SHOAL_CMAES_LIMITED)
        status =
            fail(error, SHOAL_INVALID,
                 "--form limited is for reals, and some variables are rounded: use --form full or separable");
    if (!status && problem->search.info->dynamic)
        status =
            fail(error, SHOAL_INVALID,
                 "%s depends on the generation, and cmaes compares values of several ones: use pso or ga",
                 problem->search.info->name);
    if (!status)
        status = create_constants(problem, error);
    if (status)
        search_problem_destroy(&problem->search);
    return status;
}

size_t cmaes_numbers(const struct cmaes_problem *problem)
{
    const size_t dim = problem->search.dim;
    const size_t matrices = problem->params->form == SHOAL_CMAES_FULL        ? dim * (dim + 1)
                            : problem->params->form == SHOAL_CMAES_SEPARABLE ? 2 * dim
                                                                             : problem->vectors * dim;
    return CMA_VECTORS * dim + matrices;
}

size_t cmaes_kept(const struct cmaes_problem *problem)
{
    return problem->ring + 2 * CMA_HISTORY;
}

void cmaes_fill_start(const struct cmaes_problem *problem, double *start)
{
    const struct search_problem *search = &problem->search;
    for (size_t i = 0; i < search->start_count * search->dim; i++)
        start[i] = cmaes_to_unit(search, i % search->dim, search->start[i]);
}

/* The step writes each point. All points of a step share one read and one write of the vectors and
 * matrices. */
double cmaes_evaluation_bytes(const struct search_problem *search, enum shoal_precision precision)
{
    const struct cmaes_problem *problem = (const struct cmaes_problem *)search;
    const double numbers = (double)cmaes_numbers(problem) / (double)search->members;
    return (2 * numbers + (double)search->dim) *
           (double)(precision == SHOAL_FP64 ? sizeof(double) : sizeof(float));
}
