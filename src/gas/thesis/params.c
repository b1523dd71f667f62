/* Parameters of the thesis: defaults, names of choices, and checks. */
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/thesis/options.h"
#include "gas/thesis/thesis.h"
#include "workload/workload.h"

#define DEFAULTS                                                                                             \
    .size = sizeof(struct shoal_gas_thesis), .near_radius = NAN, .middle_radius = NAN, .limit = NAN

void shoal_gas_thesis_init(struct shoal_gas_thesis *thesis)
{
    if (thesis)
        *thesis = (struct shoal_gas_thesis){DEFAULTS};
}

static void init(void *thesis)
{
    shoal_gas_thesis_init(thesis);
}

const struct thesis_params gas_thesis_params = {
    .size = sizeof(struct shoal_gas_thesis), .init_name = "shoal_gas_thesis_init", .init = init};

const char *const gas_thesis_kernel_names[] = {"auto",     "tiled",        "naive", "rsqrt",
                                               "unrolled", "semi-blocked", NULL};
const char *const gas_thesis_scheme_names[] = {"corrected", "tiled1", "tiled11", "tiled2", "tiled3", NULL};
const char *const gas_thesis_far_names[] = {"2k", "ha1", "ha3", NULL};
const char *const gas_thesis_adder_names[] = {"nadder", "kadder", NULL};
const char *const gas_thesis_sort_names[] = {"device", "v1", "v2", NULL};
const char *const gas_thesis_limiter_names[] = {"none", "l1", "l2", NULL};

const struct shoal_gas_thesis *gas_thesis_of(const struct shoal_gas_params *params)
{
    static const struct shoal_gas_thesis defaults = {DEFAULTS};
    return params->thesis ? params->thesis : &defaults;
}

static bool names_cells(const struct shoal_gas_thesis *thesis)
{
    return thesis->scheme || thesis->far || thesis->adder || thesis->sort || thesis->cells ||
           !isnan(thesis->near_radius) || !isnan(thesis->middle_radius);
}

int32_t gas_thesis_method(const struct shoal_gas_params *params)
{
    const struct shoal_gas_thesis *thesis = gas_thesis_of(params);
    if (thesis->kernel)
        return SHOAL_GAS_ALLPAIRS;
    return names_cells(thesis) ? (int32_t)SHOAL_GAS_CELLS : (int32_t)SHOAL_GAS_AUTO;
}

enum shoal_status gas_check_cells(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    if (params->dim == 3)
        return fail(error, SHOAL_INVALID, "--method cells is for --dim 2: take allpairs or list");
    if (potential != SHOAL_GAS_LOG && potential != SHOAL_GAS_REAL)
        return fail(
            error, SHOAL_INVALID,
            "--method cells does the potentials log and real, between walls or open boundaries, not %s: "
            "take allpairs%s",
            gas_potential_name(potential), gas_is_long(potential) ? "" : " or list");
    if (!(gas_near_radius_of(params) > 0))
        return fail(error, SHOAL_INVALID, "--near-radius must be above 0: a cell is near itself");
    return SHOAL_OK;
}

enum shoal_status gas_check_thesis(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const struct shoal_gas_thesis *thesis = gas_thesis_of(params);
    if (thesis->unroll == 1 || thesis->unroll & (thesis->unroll - 1))
        return fail(error, SHOAL_INVALID, "--unroll is %llu, allowed are 2, 4, 8 and 16",
                    (unsigned long long)thesis->unroll);
    if (gas_near_radius_of(params) > gas_middle_radius_of(params))
        return fail(error, SHOAL_INVALID, "--near-radius %g is larger than --middle-radius %g",
                    gas_near_radius_of(params), gas_middle_radius_of(params));
    if (gas_method_of(params) == SHOAL_GAS_CELLS) {
        const enum shoal_status status = gas_check_cells(params, error);
        if (status)
            return status;
    }
    if (thesis->kernel > SHOAL_GAS_KERNEL_TILED && params->softening == 0)
        return fail(error, SHOAL_INVALID,
                    "the kernels of the thesis need --softening above 0: take --kernel tiled");
    return SHOAL_OK;
}
