/* Constants of a population, which depend on its size and the number of dimensions, by Hansen's tutorial
 * (arXiv 1604.00772, version of 2023): docs/cmaes.md, "Constants". */
#include "cmaes/model/problem.h"

/* Limit on the change of C between two factorisations: the sum of the learning rates over the generations
 * between them, times dim. Below this limit, fewer factorisations cost no additional evaluations
 * (docs/cmaes.md). */
static const double stale_rate = 1;

/* Sums over the weights before they are scaled. */
struct sums {
    double positive, negative;    /* sums of the absolute values of the weights above 0 and below 0 */
    double mueff, mueff_negative; /* effective numbers of points with weights above 0 and below 0 */
};

static struct sums sum_weights(size_t population)
{
    struct sums sums = {0};
    const double half = log(((double)population + 1) / 2);
    double squares = 0, negative_squares = 0;
    for (size_t i = 0; i < population; i++) {
        const double weight = half - log((double)(i + 1));
        sums.positive += fmax(weight, 0);
        sums.negative += fmax(-weight, 0);
        *(weight >= 0 ? &squares : &negative_squares) += weight * weight;
    }
    sums.mueff = sums.positive * sums.positive / squares;
    sums.mueff_negative = sums.negative * sums.negative / negative_squares;
    return sums;
}

/* Sets the learning rates of the covariance matrix. A diagonal matrix learns (dim + 2) / 3 times as fast (Ros
 * and Hansen 2008). */
static void set_rates(const struct shoal_cmaes_params *params, double n, double mueff, double *c)
{
    const double faster = params->form == SHOAL_CMAES_SEPARABLE ? (n + 2) / 3 : 1;
    c[CMA_C_C] = (4 + mueff / n) / (n + 4 + 2 * mueff / n);
    c[CMA_C_ONE] = fmin(faster * 2 / ((n + 1.3) * (n + 1.3) + mueff), 1);
    c[CMA_C_MU] =
        fmin(1 - c[CMA_C_ONE], faster * 2 * (0.25 + mueff + 1 / mueff - 2) / ((n + 2) * (n + 2) + mueff));
}

/* Returns the factor by which the weights below 0 are scaled: the sum of their absolute values becomes the
 * least of three bounds. */
static double negative_factor(const struct sums *sums, double n, const double *c)
{
    if (!(c[CMA_C_MU] > 0))
        return 0;
    const double by_rates = 1 + c[CMA_C_ONE] / c[CMA_C_MU];
    const double by_points = 1 + 2 * sums->mueff_negative / (sums->mueff + 2);
    const double definite = fmax(1 - c[CMA_C_ONE] - c[CMA_C_MU], 0) / (n * c[CMA_C_MU]);
    return fmin(by_rates, fmin(by_points, definite)) / sums->negative;
}

void cmaes_set_constants(const struct shoal_cmaes_params *params, size_t dim, size_t population,
                         double constants[CMA_CONSTANTS])
{
    const double n = (double)dim, lambda = (double)population;
    const struct sums sums = sum_weights(population);
    double *c = constants;
    c[CMA_HALF] = log((lambda + 1) / 2);
    c[CMA_POSITIVE] = 1 / sums.positive;
    c[CMA_MUEFF] = sums.mueff;
    c[CMA_C_SIGMA] = (sums.mueff + 2) / (n + sums.mueff + 5);
    c[CMA_D_SIGMA] = 1 + 2 * fmax(0, sqrt((sums.mueff - 1) / (n + 1)) - 1) + c[CMA_C_SIGMA];
    set_rates(params, n, sums.mueff, c);
    const bool has_negative = !params->positive && params->form != SHOAL_CMAES_LIMITED;
    c[CMA_NEGATIVE] = has_negative ? negative_factor(&sums, n, c) : 0;
    c[CMA_DECAY] = 1 - c[CMA_C_ONE] - c[CMA_C_MU] * (1 - c[CMA_NEGATIVE] * sums.negative);
    c[CMA_CHI] = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    c[CMA_GAP] = fmax(1, floor(stale_rate / (n * (c[CMA_C_ONE] + c[CMA_C_MU]))));
    c[CMA_RING] = 10 + ceil(30 * n / lambda);
    if (params->form == SHOAL_CMAES_LIMITED) {
        c[CMA_C_SIGMA] = fmin(2 * lambda / n, 1);
        c[CMA_D_SIGMA] = 1;
        c[CMA_GAP] = 1;
    }
}
