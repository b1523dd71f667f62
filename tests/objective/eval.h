/* Points, their values on a device and in compensated double sums: shared by the tests of the evaluators. */
#ifndef SHOAL_TESTS_EVAL_H
#define SHOAL_TESTS_EVAL_H

#include "harness.h"

#include "objective/evaluate/evaluator.h"

/* A sum in double with the error of each addition kept: what devices are compared with. */
struct exact_sum {
    double sum, rest;
};
void exact_add(struct exact_sum *sum, double value);
static inline double exact_value(const struct exact_sum *sum)
{
    return sum->sum + sum->rest;
}

/* One way to evaluate one objective. */
struct eval_setup {
    const struct shoal_objective *objective;
    enum evaluator_method method;
    enum shoal_precision precision;
    size_t dim, points;
    uint64_t chunk_rows;
    const double *shift;
};

/* Points in the box [-span, span], as doubles that both precisions hold, point behind point. */
double *eval_points(size_t points, size_t dim, double span);

/* Values first .. first + count - 1 of `points`, in doubles; the elements around them are found untouched.
 * `runs` evaluations must give the same bits. */
void eval_on_device(const struct eval_setup *setup, const double *points, size_t first, size_t count,
                    unsigned runs, double *values);

#endif
