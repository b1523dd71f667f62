/* Rows of the thesis's problems, and the training of its twins. */
#ifndef SHOAL_BENCH_THESIS_MLP_HOST_H
#define SHOAL_BENCH_THESIS_MLP_HOST_H

#include "bench/mlp/thesis/cpu.h"
#include "bench/runner/bench.h"

#include <shoal/dataset.h>

/* Number of rows of all runs of the thesis. */
enum { THESIS_MLP_ROWS = 15360 };

/* The thesis's letters (64 bits and 26 classes; the library's teacher makes sets of this size, since times do
 * not depend on the values), or its random numbers. */
struct thesis_mlp_set {
    struct thesis_mlp_net net;
    struct shoal_dataset *dataset;
    float *inputs, *targets, *weights; /* weights: the weights at the start */
};

/* After a failure thesis_mlp_close frees the rest. */
enum shoal_status thesis_mlp_open(const struct thesis_mlp_net *net, struct thesis_mlp_set *set,
                                  struct shoal_error *error);
void thesis_mlp_close(struct thesis_mlp_set *set);

/* The derivatives of the first rows, with changed sign, added in double precision over short runs of a
 * twin. */
enum shoal_status thesis_mlp_gradient(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                      size_t rows, double *gradient, struct shoal_error *error);
/* The derivatives of the first rows from the formulas in double precision. */
enum shoal_status thesis_mlp_exact(const struct thesis_mlp_set *set, size_t rows, double *gradient,
                                   struct shoal_error *error);
/* Norm of the difference to `wanted`, relative to the norm of `wanted`. */
double thesis_mlp_deviation(const double *gradient, const double *wanted, size_t count);

/* A twin that is trained: threads share the rows. */
struct thesis_mlp_training {
    const struct thesis_mlp_twin *twin;
    struct thesis_mlp_net net;
    int threads;
    float *memory; /* work memory and derivatives of each thread */
    size_t each;
    float *weights, *steps; /* steps: changes by the update before, for momentum */
};
enum shoal_status thesis_mlp_begin(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                   int threads, struct thesis_mlp_training *training,
                                   struct shoal_error *error);
void thesis_mlp_end(struct thesis_mlp_training *training);
/* Makes an update with all of the first rows. */
void thesis_mlp_epoch(struct thesis_mlp_training *training, const struct thesis_mlp_set *set, size_t rows);

/* Rows a second of a twin, measured over about a tenth of a second of work. */
enum shoal_status thesis_mlp_rate(const struct thesis_mlp_set *set, const struct thesis_mlp_twin *twin,
                                  int threads, double *rate, struct shoal_error *error);

#endif
