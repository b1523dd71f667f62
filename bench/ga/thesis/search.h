/* The thesis's genetic algorithm on devices as cases. */
#ifndef SHOAL_BENCH_THESIS_GA_SEARCH_H
#define SHOAL_BENCH_THESIS_GA_SEARCH_H

#include "bench/ga/thesis/host.h"
#include "bench/search/searches.h"

/* Machine code of ga/methods/onchip.cl for sm_90 for an individual of Rosenbrock's function in two
 * dimensions. */
enum { THESIS_GA_INSTRUCTIONS = 128 };

/* Own slot against a random one, arithmetic crossover, one Gaussian gene of deviation 1, no elites; rates of
 * the measurements that say theirs. */
static inline void thesis_ga_set(struct shoal_ga_params *params)
{
    params->selection = SHOAL_GA_OWN;
    params->crossover = SHOAL_GA_ARITHMETIC;
    params->crossover_rate = 0.7;
    params->mutation = SHOAL_GA_GAUSSIAN;
    params->mutation_rate = 0.05;
    params->one_gene = true;
    params->sigma = 1;
    params->sigma_unit = SHOAL_GA_SIGMA_GENE;
    params->elites = 0;
}

/* The same of a case, with its function in the thesis's box, islands and rates. */
void thesis_ga_set_case(struct shoal_ga_params *params, const struct thesis_ga_case *of);
/* Griewank's or Michalewicz's function by the fast functions of the device. */
enum shoal_status thesis_ga_native(struct bench *bench, enum thesis_ga_function function,
                                   struct shoal_objective **out, struct shoal_error *error);

#endif
