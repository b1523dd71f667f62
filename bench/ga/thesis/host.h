/* The thesis's genetic algorithm on the host, as cases of the benchmark. */
#ifndef SHOAL_BENCH_THESIS_GA_HOST_H
#define SHOAL_BENCH_THESIS_GA_HOST_H

#include "bench/ga/thesis/cpu.h"
#include "bench/runner/bench.h"

/* Function, sizes, operators and rates of a case of the thesis. */
struct thesis_ga_case {
    enum thesis_ga_function function;
    size_t population, islands; /* for cases of quality, `islands` is the number of runs */
    double crossover_rate, mutation_rate;
    bool roulette, single_point, elitism, conditional;
    bool scalar; /* use the scalar twin; false: the vector twin */
};

/* There are two genes, as in all runs that the thesis describes. */
enum { THESIS_GA_DIM = 2 };

/* the library's name of the function */
const char *thesis_ga_function_name(enum thesis_ga_function function);

/* bench->data must begin with a struct thesis_ga_case. thesis_ga_host_ops times generations, in
 * evaluations/s. thesis_ga_host_quality_ops makes as many runs as there are islands, each from its start, and
 * reports the mean of their best values. */
extern const struct bench_ops thesis_ga_host_ops, thesis_ga_host_quality_ops;

/* Number of runs of a case of quality, and of generations in each. */
enum { THESIS_GA_RUNS = 100, THESIS_GA_GENERATIONS = 50 };

/* Adds figures on the best values of the runs. */
void thesis_ga_quality(struct bench *bench, double mean, double error, double median);

/* The function `figures` of struct bench_ops; adds gene iterations a second, as the thesis counts them. */
void thesis_ga_figures(struct bench *bench, double seconds);

#endif
