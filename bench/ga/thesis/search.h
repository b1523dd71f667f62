/* The thesis's genetic algorithm on devices, as cases of the benchmark. */
#ifndef SHOAL_BENCH_THESIS_GA_SEARCH_H
#define SHOAL_BENCH_THESIS_GA_SEARCH_H

#include "bench/ga/thesis/host.h"
#include "bench/search/searches.h"

/* Number of instructions that ga/methods/onchip.cu executes for an individual of Rosenbrock's function in two
 * dimensions, by its machine code for sm_90: in a generation of one of the islands of a run, a work-item
 * needs 376 for four individuals, and 407 (102 for each) where any of the island equals the best. Runs of one
 * island take 16 more, which look for their end. An H200 executes 0.60 of the instructions for which it has
 * room at 206.0 G individuals/s. */
enum { THESIS_GA_INSTRUCTIONS = 94 };

/* Sets the operators of the thesis: an individual's own slot against a random one, arithmetic crossover,
 * mutation of one gene by a normal number of deviation 1, no elites. The rates are those of the measurements
 * for which the thesis states them. */
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

/* Sets the same for a case, with the case's function in the thesis's box, its islands and its rates. */
void thesis_ga_set_case(struct shoal_ga_params *params, const struct thesis_ga_case *of);
/* Makes Griewank's or Michalewicz's function from a text that calls the device's fast functions. */
enum shoal_status thesis_ga_native(struct bench *bench, enum thesis_ga_function function,
                                   struct shoal_objective **out, struct shoal_error *error);

#endif
