/* The direct sum on the host, and the checks of its points. */
#include "base/memory.h"
#include "base/params.h"
#include "base/threads.h"
#include "fmm/points.h"

static enum shoal_status check_numbers(const char *call, const char *what, const double *numbers,
                                       size_t per_point, size_t count, struct shoal_error *error)
{
    for (size_t i = 0; numbers && i < per_point * count; i++)
        if (!isfinite(numbers[i]))
            return fail(error, SHOAL_INVALID, "%s: the %s of point %zu is not a finite number", call, what,
                        i / per_point);
    return SHOAL_OK;
}

enum shoal_status fmm_points_take(const char *call, const struct shoal_fmm_params *params,
                                  const struct shoal_fmm_points *points, struct shoal_fmm_params *own,
                                  struct shoal_fmm_points *mine, struct shoal_error *error)
{
    shoal_fmm_params_init(own);
    shoal_fmm_points_init(mine);
    enum shoal_status status = params_take(call, params, "shoal_fmm_params_init", own, sizeof *own, error);
    if (!status)
        status = params_take(call, points, "shoal_fmm_points_init", mine, sizeof *mine, error);
    if (!status)
        status = fmm_check(call, own, error);
    if (status)
        return status;
    if (mine->source_count > SHOAL_FMM_MAX || mine->target_count > SHOAL_FMM_MAX)
        return fail(error, SHOAL_INVALID, "%s: %zu sources and %zu targets; there may be %d of each", call,
                    mine->source_count, mine->target_count, SHOAL_FMM_MAX);
    if (!mine->targets) {
        if (mine->target_count > mine->source_count)
            return fail(error, SHOAL_INVALID, "%s: %zu targets among %zu sources", call, mine->target_count,
                        mine->source_count);
        if (mine->target_count == 0)
            mine->target_count = mine->source_count;
    }
    if (mine->source_count && !NEED_MEMBER_OF(error, call, points, *mine, sources))
        return SHOAL_INVALID;
    status = check_numbers(call, "position", mine->sources, 2, mine->source_count, error);
    if (!status)
        status = check_numbers(call, "charge", mine->charges, 1, mine->source_count, error);
    if (!status)
        status = check_numbers(call, "position", mine->targets, 2, mine->target_count, error);
    return status;
}

static void sum_at(const struct shoal_fmm_params *params, const struct shoal_fmm_points *points, size_t t)
{
    const double *const at = points->targets ? points->targets : points->sources;
    const double x = at[2 * t], y = at[2 * t + 1];
    const bool with_potential = points->potential;
    double fx = 0, fy = 0, potential = 0;
    for (size_t s = 0; s < points->source_count; s++) {
        const double dx = x - points->sources[2 * s], dy = y - points->sources[2 * s + 1];
        const double d = dx * dx + dy * dy;
        if ((!points->targets && s == t) || (d == 0 && params->softening == 0))
            continue;
        const struct law_value v = fmm_law_value(params, d, with_potential);
        const double charge = points->charges ? points->charges[s] : 1;
        fx += charge * v.force * dx;
        fy += charge * v.force * dy;
        potential += charge * v.potential;
    }
    if (points->field) {
        points->field[2 * t] = fx;
        points->field[2 * t + 1] = fy;
    }
    if (points->potential)
        points->potential[t] = potential;
}

enum shoal_status shoal_fmm_direct(const struct shoal_fmm_params *params,
                                   const struct shoal_fmm_points *points, struct shoal_error *error)
{
    struct shoal_fmm_params own;
    struct shoal_fmm_points mine;
    if (!NEED(error, params, points))
        return SHOAL_INVALID;
    enum shoal_status status = fmm_points_take(__func__, params, points, &own, &mine, error);
    if (status)
        return status;
    enum { PAIR_NS = 5 };
    const int threads = threads_once(1e-9 * PAIR_NS * (double)mine.source_count * (double)mine.target_count);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (size_t t = 0; t < mine.target_count; t++)
        sum_at(&own, &mine, t);
    return SHOAL_OK;
}
