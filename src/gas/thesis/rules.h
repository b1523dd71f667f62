/* Private: rules of a step that only the thesis has: the wall method W1, limiters of speeds, and integration
 * in place. */
#ifndef SHOAL_GAS_THESIS_RULES_H
#define SHOAL_GAS_THESIS_RULES_H

#include <shoal/gas.h>

struct gas_exchange;
struct gas_host;
struct gas_problem;
struct shoal_program_desc;

/* The rules of the thesis that the parameters ask for. All zeros: none of them, as always in builds without
 * theses. */
struct gas_rules {
    /* A text that replaces gas/model/rules.clh in the kernels of a device; NULL: none. */
    const char *text;
    /* Wall method W1: returns the side of the wall, -1 (low) or 1 (high), that turns back a particle at `x`
     * with velocity `full` at the full step, or 0 if none does. NULL: the wall method is another. */
    int (*side_to_turn_at)(const struct gas_problem *problem, size_t axis, double x, double full);
    /* Limits the velocity v after a step has changed it from `before`. NULL: speeds are not limited. */
    void (*limit)(const struct gas_host *host, const double *before, double *v,
                  struct gas_exchange *exchange);
    /* threshold of the limiter: for the kinetic energy over its mean (l1), or for the speed over the speed
     * before (l2) */
    double factor;
    /* For a limiter that needs the mean kinetic energy of the particles before a step: `prepare` computes the
     * limit on the host; `launch_mean` computes it on a device, by the kernel gas_limit_mean of program
     * `mean`, from the `groups` partial sums of gas_kinetic. NULL: the limiter needs no mean. */
    void (*prepare)(struct gas_host *host);
    const struct shoal_program_desc *mean;
    enum shoal_status (*launch_mean)(struct shoal_solver *solver, struct shoal_kernel *kernel,
                                     struct shoal_buffer *sums, uint32_t groups, struct shoal_error *error);
    /* Computes forces and makes step number `step` on the host, one particle after another. NULL: all forces
     * are computed before particles move. SHOAL_STOPPED: the step was cut, and nothing has changed. */
    enum shoal_status (*move)(struct gas_host *host, uint32_t step, struct shoal_error *error);
    const char *for_host; /* why devices cannot make these steps, for messages; NULL: devices can */
};

#if SHOAL_THESES
struct gas_rules gas_rules_of(const struct shoal_gas_params *params);
/* Whether a limiter of the thesis limits speeds. params: as callers of the library pass them. */
bool gas_limits_speeds(const struct shoal_gas_params *params);
#else
static inline struct gas_rules gas_rules_of(const struct shoal_gas_params *params)
{
    (void)params;
    return (struct gas_rules){.text = NULL};
}

static inline bool gas_limits_speeds(const struct shoal_gas_params *params)
{
    (void)params;
    return false;
}
#endif

#endif
