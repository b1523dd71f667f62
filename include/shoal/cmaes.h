/* CMA-ES, the evolution strategy with covariance matrix adaptation: parameters of the workload "cmaes"
 * (shoal_workload_find("cmaes")).
 *
 * A run (<shoal/search.h>) has one population at a time. In a generation the population draws `population`
 * points from a normal distribution, evaluates the points, and adapts mean, covariance matrix and step size
 * of the distribution to the better points. A population that no longer improves ends by its own stopping
 * rules; `restarts` chooses the next population. The run ends when one of its limits is reached.
 *
 * A step of the run evaluates `population` points, so a population of 2^k `population` points takes 2^k steps
 * for a generation.
 *
 * docs/cmaes.md states each rule with its source and the random numbers it draws: an equal seed gives an
 * equal search on every solver, up to rounding.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_CMAES_H
#define SHOAL_CMAES_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Form of the covariance matrix. */
enum shoal_cmaes_form {
    SHOAL_CMAES_FULL,      /* All dim^2 numbers: Hansen 2016, arXiv 1604.00772. Up to dim 8192. */
    SHOAL_CMAES_SEPARABLE, /* A diagonal, for coordinates that do not depend on one another: Ros, Hansen 2008.
                            */
    /* 4 + 3 ln(dim) vectors, for dim 1000 and more: LM-MA-ES, Loshchilov, Glasmachers, Beyer 2017. On the
     * host alone. */
    SHOAL_CMAES_LIMITED
};

/* Restart rule: which population follows a population that has ended by its own stopping rules. */
enum shoal_cmaes_restarts {
    SHOAL_CMAES_NONE, /* No population: the run ends. */
    SHOAL_CMAES_IPOP, /* A population of twice the size, up to `doublings` times: Auger, Hansen 2005. */
    /* A large population, of twice the largest size so far, or a small one with a smaller step size if small
     * populations have used fewer steps than large ones: Hansen 2009. */
    SHOAL_CMAES_BIPOP
};

/* How a population compares points where the objective has constraints. */
enum shoal_cmaes_constraint_rule {
    SHOAL_CMAES_CONSTRAINT_AUTO, /* SHOAL_CMAES_LAGRANGIAN for a solver on the host, else SHOAL_CMAES_DEB. */
    /* By Deb's rules: feasible points by their values, before all other points, which are compared by their
     * violation alone. */
    SHOAL_CMAES_DEB,
    /* By an augmented Lagrangian: Atamna, Auger, Hansen 2017. Only for a solver on the host.
     * SHOAL_UNSUPPORTED: another use on the host, such as an optimiser (<shoal/optimise.h>), which has only
     * the value and the violation of a point. */
    SHOAL_CMAES_LAGRANGIAN
};

/* How a device computes a step. */
enum shoal_cmaes_method {
    SHOAL_CMAES_AUTO,    /* The fastest method that `shoal tune cmaes` measured, else by a rule. */
    SHOAL_CMAES_ONCHIP,  /* A whole population in one work-group, many steps a launch. */
    SHOAL_CMAES_PIPELINE /* Three launches a step: draw points, evaluate points, update populations. */
};

/* Parameters of CMA-ES. */
struct shoal_cmaes_params {
    /* Parameters of all searches; their `size` is set by shoal_cmaes_params_init. Defaults of this algorithm:
     * the precision is SHOAL_FP64, and `refine` is SHOAL_REFINE_AUTO. `islands` must be 1. */
    struct shoal_search_params search;

    /* The population. */

    uint64_t population; /* Points of a generation of the first population, 2 to 65536. Default: 0, which
                          * means 4 + 3 ln(dim), rounded down. */
    double sigma;        /* First step size, in widths of the box, 1e-6 to 10. Default: 0.3. */
    int32_t form; /* Form of the covariance matrix, enum shoal_cmaes_form. Default: SHOAL_CMAES_FULL. */
    /* No point has a negative weight in the update of the covariance matrix. Default: false. */
    bool positive;

    /* How points are compared under constraints, enum shoal_cmaes_constraint_rule. No effect without
     * constraints. Default: SHOAL_CMAES_CONSTRAINT_AUTO. */
    int32_t constraint_rule;

    /* Restarts. */

    int32_t restarts;   /* Restart rule, enum shoal_cmaes_restarts. Default: SHOAL_CMAES_BIPOP. */
    uint64_t doublings; /* Most doublings of the population, 0 to 12. Default: 9. */

    /* The device. */

    int32_t method; /* How a device computes a step, enum shoal_cmaes_method. Default: SHOAL_CMAES_AUTO. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_cmaes_params_init(struct shoal_cmaes_params *params);
#define SHOAL_CMAES_PARAMS(...) SHOAL_INIT(shoal_cmaes_params, shoal_cmaes_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
