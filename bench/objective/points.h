/* Points of a function of the thesis on a device, for cases that evaluate them: uniform in its box, in double
 * precision.
 */
#ifndef SHOAL_BENCH_POINTS_H
#define SHOAL_BENCH_POINTS_H

#include "bench/pso/host.h"

#include <shoal/evaluator.h>

struct bench_points {
    struct thesis_size size;
    double *rows; /* f5 to f10, of bench_points_rows; NULL: none */
    struct shoal_buffer *x, *y;
    double *checked; /* points of the check, one behind the other */
    /* Of bench_points_evaluator. */
    struct shoal_objective *objective; /* of the rows; NULL: built in */
    struct shoal_evaluator *evaluator;
};

/* The rows, where the function has any. */
enum shoal_status bench_points_rows(struct bench_points *points, const struct thesis_size *size,
                                    struct shoal_error *error);
/* Buffers of whole tiles: coordinate d of point i is number (i / tile * dim + d) * tile + i % tile of x; y is
 * zeros. */
enum shoal_status bench_points_create(struct bench *bench, struct bench_points *points, size_t tile,
                                      struct shoal_error *error);
/* The same in the layout of an evaluator created for them; sets the build time and native. method: enum
 * shoal_evaluator_method. */
enum shoal_status bench_points_evaluator(struct bench *bench, struct bench_points *points, int32_t method,
                                         struct shoal_error *error);
/* One evaluation of all points by it. */
enum shoal_status bench_points_evaluate(const struct bench_points *points, struct shoal_error *error);
/* What one evaluation of all points counts against its roof: operations where there are rows, else bytes. */
double bench_points_roof_work(const struct bench_points *points);
/* Some values in y against the host's. */
enum shoal_status bench_points_check(struct bench *bench, const struct bench_points *points,
                                     struct bench_check *check, struct shoal_error *error);
void bench_points_destroy(struct bench_points *points); /* accepts zeros */

#endif
