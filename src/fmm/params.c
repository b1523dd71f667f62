/* Parameters, and the plan that follows from the accuracy. */
#include "base/params.h"
#include "fmm/fmm.h"

void shoal_fmm_params_init(struct shoal_fmm_params *params)
{
    if (params)
        *params = (struct shoal_fmm_params){.size = sizeof *params,
                                            .law = SHOAL_FMM_LOG,
                                            .strength = 1,
                                            .accuracy = 1e-4,
                                            .real = SHOAL_TYPE_FLOAT,
                                            .potential = true,
                                            .variant = SHOAL_VARIANT_AUTO};
}

void shoal_fmm_points_init(struct shoal_fmm_points *points)
{
    if (points)
        *points = (struct shoal_fmm_points){.size = sizeof *points};
}

void shoal_fmm_args_init(struct shoal_fmm_args *args)
{
    if (args)
        *args = (struct shoal_fmm_args){.size = sizeof *args};
}

enum shoal_status fmm_check(const char *call, const struct shoal_fmm_params *params,
                            struct shoal_error *error)
{
    if (params->law != SHOAL_FMM_LOG && params->law != SHOAL_FMM_LOG_REPULSION &&
        params->law != SHOAL_FMM_INVERSE)
        return fail(error, SHOAL_INVALID, "%s: there is no law %d", call, (int)params->law);
    if (!isfinite(params->strength) || !isfinite(params->repulsion))
        return fail(error, SHOAL_INVALID, "%s: strength and repulsion must be finite numbers", call);
    if (!(params->softening >= 0) || !isfinite(params->softening))
        return fail(error, SHOAL_INVALID, "%s: the softening is %g; it must be a finite number >= 0", call,
                    params->softening);
    if (!(params->accuracy >= 1e-10 && params->accuracy <= 0.1))
        return fail(error, SHOAL_INVALID, "%s: the accuracy is %g; it must be 1e-10 to 0.1", call,
                    params->accuracy);
    if (params->nodes != 0 && (params->nodes < 2 || params->nodes > FMM_MOST_NODES))
        return fail(error, SHOAL_INVALID, "%s: %u nodes; there may be 2 to %d, or 0 to choose", call,
                    params->nodes, FMM_MOST_NODES);
    if (params->points != 0 && (params->points < FMM_LEAST_POINTS || params->points > FMM_MOST_POINTS))
        return fail(error, SHOAL_INVALID, "%s: %u points of a cell; there may be %d to %d, or 0 to choose",
                    call, params->points, FMM_LEAST_POINTS, FMM_MOST_POINTS);
    return SHOAL_OK;
}

struct fmm_plan fmm_plan_of(const struct shoal_fmm_params *params)
{
    /* The error for each number of nodes: about twice the largest that was measured (docs/fmm.md). */
    static const double reached[FMM_MOST_NODES + 1] = {
        [2] = 1e-1,  [3] = 1.5e-2,  [4] = 2.5e-3, [5] = 4e-4,    [6] = 8e-5,
        [7] = 2e-5,  [8] = 4e-6,    [9] = 8e-7,   [10] = 1.5e-7, [11] = 3e-8,
        [12] = 6e-9, [13] = 1.2e-9, [14] = 3e-10, [15] = 6e-11,  [16] = 2e-11};
    struct fmm_plan plan = {.nodes = params->nodes ? params->nodes : 2, .points = params->points};
    while (!params->nodes && plan.nodes < FMM_MOST_NODES && reached[plan.nodes] > params->accuracy)
        plan.nodes++;
    /* about as many points as nodes: their direct sum then takes as long as the sums of the nodes */
    if (plan.points == 0)
        plan.points = plan.nodes <= 6 ? 64 : plan.nodes <= 9 ? 128 : 256;
    /* Terms of a higher degree change the error by less than a fifth. */
    const unsigned more = plan.nodes < 8 ? 2 : plan.nodes / 2 - 1, most = 2 * plan.nodes - 2;
    plan.degree = plan.nodes - 1 + more < most ? plan.nodes - 1 + more : most;
    return plan;
}
