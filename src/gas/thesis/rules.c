/* The wall method W1 and the speed limiters of the thesis, on the host and on devices. */
#include "gas/thesis/rules.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "gas/device/device.h"
#include "gas/host/host.h"
#include "gas/thesis/in_place.h"
#include "gas/thesis/options.h"
#include "gas/thesis/thesis.h"
#include "workload/workload.h"

#include <math.h>

/* Host ------------------------------------------------------------------------------------------------- */

static int side_to_turn_at(const struct gas_problem *problem, size_t axis, double x, double full)
{
    const int side = gas_outside(problem, axis, x);
    return side * full > 0 ? side : 0;
}

static void prepare(struct gas_host *host)
{
    const struct gas_problem *problem = &host->problem;
    host->limit_kinetic = problem->rules.factor * gas_host_kinetic(host) / (double)problem->n;
}

/* If v^2 exceeds `allowed`, scales the velocity v so that v^2 is `most`. */
static void slow(const struct gas_problem *problem, double most, double allowed, double *v,
                 struct gas_exchange *exchange)
{
    const size_t dim = problem->dim;
    const double now = gas_square(v, dim), mass = problem->params->mass;
    if (!(now > allowed))
        return;
    for (size_t k = 0; k < dim; k++)
        v[k] *= sqrt(most / now);
    exchange->heat += 0.5 * mass * (gas_square(v, dim) - now);
}

static void limit_energy(const struct gas_host *host, const double *before, double *v,
                         struct gas_exchange *exchange)
{
    const double most = 2 * host->limit_kinetic / host->problem.params->mass;
    (void)before;
    slow(&host->problem, most, most, v, exchange);
}

static void limit_jump(const struct gas_host *host, const double *before, double *v,
                       struct gas_exchange *exchange)
{
    const struct gas_problem *problem = &host->problem;
    const double most = gas_square(before, problem->dim);
    if (most > 0)
        slow(problem, most, problem->rules.factor * problem->rules.factor * most, v, exchange);
}

/* Devices ---------------------------------------------------------------------------------------------- */

static const struct shoal_entry_desc entries[] = {
    ENTRY(gas_limit_mean, gas_limit_mean, .local_bytes_per_item = 8,
          .help = "mean kinetic energy for the limiter"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(gas_limit_mean, WG, 1, 1024, "work-group size, a power of two"),
    GAS_STATE_DEFINE_DESCS(gas_limit_mean),
};

const struct shoal_program_desc gas_limit_mean_program =
    PROGRAM("gas.limit_mean", gas_limit_mean, 0, defines, entries);

static enum shoal_status launch_mean(struct shoal_solver *solver, struct shoal_kernel *kernel,
                                     struct shoal_buffer *sums, uint32_t groups, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    return LAUNCH(gas_limit_mean, solver->queue, kernel, 1, error, .sums = sums, .words = device->words,
                  .settings = device->settings, .count = groups, .n = (uint32_t)device->problem.n);
}

/* Texts of rules for the kernels, texts[limiter][whether the wall method is W1]. */
#define TEXT(limiter, let_out)                                                                               \
    "#define LIMITER " #limiter "\n#define WALLS_LET_OUT " #let_out "\n#include \"gas/thesis/rules.clh\"\n"
static const char *const texts[][2] = {
    [SHOAL_GAS_NO_LIMITER] = {NULL, TEXT(NO_LIMITER, 1)},
    [SHOAL_GAS_LIMIT_ENERGY] = {TEXT(LIMIT_ENERGY, 0), TEXT(LIMIT_ENERGY, 1)},
    [SHOAL_GAS_LIMIT_JUMP] = {TEXT(LIMIT_JUMP, 0), TEXT(LIMIT_JUMP, 1)},
};

/* Rules ------------------------------------------------------------------------------------------------ */

struct gas_rules gas_rules_of(const struct shoal_gas_params *params)
{
    const struct shoal_gas_thesis *thesis = gas_thesis_of(params);
    const bool is_w1 = params->wall_method == SHOAL_GAS_W1;
    struct gas_rules rules = {.text = texts[thesis->limiter][is_w1]};
    if (is_w1)
        rules.side_to_turn_at = side_to_turn_at;
    if (thesis->limiter == SHOAL_GAS_LIMIT_ENERGY) {
        rules.limit = limit_energy;
        rules.factor = gas_given_or(thesis->limit, 15);
        rules.prepare = prepare;
        rules.mean = &gas_limit_mean_program;
        rules.launch_mean = launch_mean;
    } else if (thesis->limiter == SHOAL_GAS_LIMIT_JUMP) {
        rules.limit = limit_jump;
        rules.factor = gas_given_or(thesis->limit, 100);
    }
    if (params->integrator == SHOAL_GAS_EULER_IN_PLACE) {
        rules.move = gas_move_in_place;
        rules.for_host = "euler-in-place moves particle after particle";
    }
    return rules;
}

bool gas_limits_speeds(const struct shoal_gas_params *params)
{
    const struct shoal_gas_thesis *thesis = workload_thesis_of(
        &gas_workload, params, offsetof(struct shoal_gas_thesis, limiter) + sizeof thesis->limiter);
    return thesis && thesis->limiter != SHOAL_GAS_NO_LIMITER;
}
