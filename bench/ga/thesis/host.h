/* The thesis's genetic algorithm on the host as cases. */
#ifndef SHOAL_BENCH_THESIS_GA_HOST_H
#define SHOAL_BENCH_THESIS_GA_HOST_H

#include "bench/ga/thesis/cpu.h"
#include "bench/runner/bench.h"

/* Operators and rates of the thesis on its functions. */
struct thesis_ga_case {
    enum thesis_ga_function function;
    size_t population, islands; /* islands of quality: runs */
    double crossover_rate, mutation_rate;
    bool roulette, single_point, elitism, conditional;
    bool scalar; /* the scalar twin, else the vector one */
};

/* Two genes, as in all runs that the thesis describes. */
enum { THESIS_GA_DIM = 2 };

const char *thesis_ga_function_name(enum thesis_ga_function function); /* of the library */

/* bench->data begins with a struct thesis_ga_case. thesis_ga_host_ops: generations, in evaluations/s;
 * thesis_ga_host_quality_ops: as many runs as there are islands, from the start, and the mean of their best
 * values. */
extern const struct bench_ops thesis_ga_host_ops, thesis_ga_host_quality_ops;

/* Of the runs of quality. */
enum { THESIS_GA_RUNS = 100, THESIS_GA_GENERATIONS = 50 };

/* Adds what the best values of the runs are like. */
void thesis_ga_quality(struct bench *bench, double mean, double error, double median);

/* figures of struct bench_ops: gene iterations a second, as the thesis counts. */
void thesis_ga_figures(struct bench *bench, double seconds);

#endif
