/* Points of a function of the thesis on a device, for cases that evaluate them: uniform in its box, in double
 * precision.
 */
#ifndef SHOAL_BENCH_POINTS_H
#define SHOAL_BENCH_POINTS_H

#include "bench/pso/host.h"

#include <shoal/evaluator.h>

struct bench_points {
    struct thesis_size size;
    double *rows; /* rows of f5 to f10, by bench_points_rows; NULL: there are none */
    struct shoal_buffer *x, *y;
    double *checked; /* points of the check, one behind the other */
    /* bench_points_evaluator sets the following members. */
    struct shoal_objective *objective; /* objective of the rows; NULL: a built-in objective */
    struct shoal_evaluator *evaluator;
};

/* Makes the rows, where the function has any. */
enum shoal_status bench_points_rows(struct bench_points *points, const struct thesis_size *size,
                                    struct shoal_error *error);
/* Creates buffers of whole tiles: coordinate d of point i is number (i / tile * dim + d) * tile + i % tile of
 * x. y begins as zeros. */
enum shoal_status bench_points_create(struct bench *bench, struct bench_points *points, size_t tile,
                                      struct shoal_error *error);
/* Creates an evaluator, and the points in its layout; sets the build time and native. method: enum
 * shoal_evaluator_method. */
enum shoal_status bench_points_evaluator(struct bench *bench, struct bench_points *points, int32_t method,
                                         struct shoal_error *error);
/* Enqueues one evaluation of all points by the evaluator. */
enum shoal_status bench_points_evaluate(const struct bench_points *points, struct shoal_error *error);
/* What one evaluation of all points counts against its roof: operations where there are rows, else bytes. */
double bench_points_roof_work(const struct bench_points *points);
/* Compares some values in y with those of the host. */
enum shoal_status bench_points_check(struct bench *bench, const struct bench_points *points,
                                     struct bench_check *check, struct shoal_error *error);
void bench_points_destroy(struct bench_points *points); /* accepts zeros */

#endif
