#include "bench/search/rastrigin.h"

#include <math.h>

/* The value of the device must be within 1e-6 (sum x^2 + 20 D) of the value in double precision: near a
 * minimum the two sums cancel. */
static enum shoal_status check_value(const struct shoal_result *result, struct bench_check *check,
                                     struct shoal_error *error)
{
    const struct shoal_field *field = shoal_result_find(result, "position");
    double squares = 0;
    if (!field)
        return bench_fail(error, SHOAL_FAILED, "the result has no position");
    for (size_t d = 0; d < field->count; d++)
        squares += field->reals[d] * field->reals[d];
    const double wanted =
        shoal_objective_value(shoal_objective_find("rastrigin"), field->reals, field->count);
    const double off = fabs(result->value - wanted) / (squares + 20 * (double)field->count);
    check->error = fmax(check->error, off);
    if (!(off <= 1e-6)) {
        check->passed = false;
        snprintf(check->detail, sizeof check->detail, "f is %.9g, in double %.9g", result->value, wanted);
    }
    return SHOAL_OK;
}

enum shoal_status bench_rastrigin_check(struct bench *bench, struct bench_check *check,
                                        struct shoal_error *error)
{
    const struct bench_searches *searches = bench->state;
    enum shoal_status status = bench_searches_check(bench, check, error);
    check->error = 0;
    for (size_t i = 0; i < searches->count && status == SHOAL_OK && check->passed; i++) {
        struct shoal_result result = {0};
        status = shoal_solver_result(searches->solvers[i], &result, error);
        if (status == SHOAL_OK)
            status = check_value(&result, check, error);
    }
    return status;
}
