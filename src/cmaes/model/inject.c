/* Points from outside of the search, which become a step of the mean: docs/cmaes.md, "Points from outside".
 */
#include "base/error.h"
#include "cmaes/model/problem.h"

#include <math.h>
#include <shoal/rng.h>
#include <string.h>

#include "lib/host.h"

#define WG     1
#define INLINE inline
#define CMA_SPACE
#include "cmaes/model/population.clh"

/* Adds `step` times a vector to a vector of the population, with CMA_MEAN_Z or CMA_MEAN_Y as the former. */
static void add(const struct cma_view *view, enum cma_vector to, enum cma_vector from, double step)
{
    double *sum = cma_vector(view, to);
    const double *vector = cma_vector(view, from);
    for (uint d = 0; d < view->dim; d++)
        sum[d] += step * vector[d];
}

/* Returns the factor that shortens the step z, in units of normal vectors, to the length that a step of the
 * mean may have. */
static double shortening(const double *z, uint dim, double mueff)
{
    const double n = dim, most = (sqrt(2 * n) + 2 * n / (n + 2)) / sqrt(mueff);
    double square = 0;
    for (uint d = 0; d < dim; d++)
        square += z[d] * z[d];
    return square <= most * most ? 1 : most / sqrt(square);
}

void cmaes_inject(const struct cmaes_problem *problem, const uint32_t *words, double sigma,
                  const double *point, double *numbers)
{
    const struct search_problem *search = &problem->search;
    const struct cma_view view = {.dim = (uint)search->dim,
                                  .form = (uint)problem->params->form,
                                  .constants = problem->constants,
                                  .numbers = numbers};
    struct cma_record record = {.sigma = sigma};
    memcpy(record.word, words, sizeof record.word);
    if (view.form == CMA_LIMITED || record.word[CMA_PART] > 0)
        return;
    const double *mean = cma_vector(&view, CMA_MEAN);
    double *z = cma_vector(&view, CMA_MEAN_Z), *y = cma_vector(&view, CMA_MEAN_Y);
    for (size_t d = 0; d < search->dim; d++)
        y[d] = (cmaes_to_unit(search, d, point[d]) - mean[d]) / sigma;
    cma_solve(&view, z, y);
    const double mueff = cma_constant(&view, &record, CMA_MUEFF),
                 c_sigma = cma_constant(&view, &record, CMA_C_SIGMA),
                 c_c = cma_constant(&view, &record, CMA_C_C), factor = shortening(z, view.dim, mueff);
    if (!(factor > 0)) /* the population is too narrow for numbers to hold the step */
        return;
    add(&view, CMA_MEAN, CMA_MEAN_Y, sigma * factor);
    add(&view, CMA_SIGMA_PATH, CMA_MEAN_Z, sqrt(c_sigma * (2 - c_sigma) * mueff) * factor);
    add(&view, CMA_C_PATH, CMA_MEAN_Y, sqrt(c_c * (2 - c_c) * mueff) * factor);
}
