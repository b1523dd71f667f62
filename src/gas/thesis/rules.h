/* Private: rules of a step that only the thesis has: wall method W1, limiters of speeds, and integration in
 * place. */
#ifndef SHOAL_GAS_THESIS_RULES_H
#define SHOAL_GAS_THESIS_RULES_H

#include <shoal/gas.h>

struct gas_exchange;
struct gas_host;
struct gas_problem;
struct shoal_program_desc;

/* The rules that the parameters ask for. All zeros: none of these rules; builds without theses always have
 * zeros. */
struct gas_rules {
    /* A text that replaces gas/model/rules.clh in the kernels of a device; NULL: none. */
    const char *text;
    /* Wall method W1: the side of the wall that turns back a particle at `x` with the velocity `full` at the
     * full step; 0: no side. NULL: another wall method. */
    int (*side_to_turn_at)(const struct gas_problem *problem, size_t axis, double x, double full);
    /* Limits the velocity v after the kick. before: the velocity before the kick. NULL: speeds are not
     * limited. */
    void (*limit)(const struct gas_host *host, const double *before, double *v,
                  struct gas_exchange *exchange);
    double factor; /* factor of the limiter */
    /* The mean kinetic energy that a limiter needs before a step. `prepare` computes it on the host,
     * `launch_mean` on a device, by the kernel gas_limit_mean of the program `mean` from the `groups` partial
     * sums of gas_kinetic. NULL: the limiter needs no mean. */
    void (*prepare)(struct gas_host *host);
    const struct shoal_program_desc *mean;
    enum shoal_status (*launch_mean)(struct shoal_solver *solver, struct shoal_kernel *kernel,
                                     struct shoal_buffer *sums, uint32_t groups, struct shoal_error *error);
    /* Computes forces and makes step `step` on the host, one particle after another. NULL: all forces are
     * computed before particles move. SHOAL_STOPPED: the step was cut, and nothing has changed. */
    enum shoal_status (*move)(struct gas_host *host, uint32_t step, struct shoal_error *error);
    const char *for_host; /* reason, for messages, why devices cannot make these steps; NULL: devices can */
};

#if SHOAL_THESES
struct gas_rules gas_rules_of(const struct shoal_gas_params *params);
/* Whether a limiter changes speeds. `params`: as a caller of the library passes them. */
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
