/* Direct searches, which compare values and use no model of the objective: parameters of the workloads
 * "nelder-mead", "pattern" and "random".
 *
 * All variables must be reals. An island of a search (<shoal/search.h>) is one simplex, one pattern, or one
 * set of random points. docs/direct-search.md states each rule with its source and the random numbers it
 * draws.
 *
 * Threads and errors: see <shoal/workload.h>.
 */
#ifndef SHOAL_DIRECT_SEARCH_H
#define SHOAL_DIRECT_SEARCH_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* How a device computes a step of a direct search. */
enum shoal_direct_method {
    SHOAL_DIRECT_AUTO,    /* The fastest method that `shoal tune` measured, else by a rule. */
    SHOAL_DIRECT_ONCHIP,  /* A whole island in one work-group, many steps a launch. */
    SHOAL_DIRECT_PIPELINE /* Three launches a step: generate points, evaluate points, update islands. */
};

/* Parameters of the simplex search of Nelder and Mead (1965) with the coefficients of Gao and Han (2012). */
struct shoal_nelder_mead_params {
    /* Parameters of all searches; their `size` is set by shoal_nelder_mead_params_init. */
    struct shoal_search_params search;
    /* Length of the edges of a first simplex, in widths of the box, above 0 to 0.5. Default: 0.1. */
    double edge;
    uint64_t vertices; /* Set by the library: dim + 1. Default: 0. */
    int32_t method; /* How a device computes a step, enum shoal_direct_method. Default: SHOAL_DIRECT_AUTO. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_nelder_mead_params_init(struct shoal_nelder_mead_params *params);
#define SHOAL_NELDER_MEAD_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_nelder_mead_params, shoal_nelder_mead_params_init, __VA_ARGS__)

/* Parameters of a pattern search: Hooke and Jeeves (1961), Torczon (1997). */
struct shoal_pattern_params {
    /* Parameters of all searches; their `size` is set by shoal_pattern_params_init. */
    struct shoal_search_params search;
    double width;     /* First step along each axis, in widths of the box, above 0 to 0.5. Default: 0.25. */
    uint64_t centres; /* Set by the library: 1. Default: 1. */
    uint64_t polls;   /* Set by the library: number of points that a step evaluates. Default: 0. */
    int32_t method; /* How a device computes a step, enum shoal_direct_method. Default: SHOAL_DIRECT_AUTO. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_pattern_params_init(struct shoal_pattern_params *params);
#define SHOAL_PATTERN_PARAMS(...) SHOAL_INIT(shoal_pattern_params, shoal_pattern_params_init, __VA_ARGS__)

/* Parameters of a random search: points that are independent and uniform in the box. */
struct shoal_random_params {
    /* Parameters of all searches; their `size` is set by shoal_random_params_init. */
    struct shoal_search_params search;
    uint64_t points; /* Number of points of a step, 1 to 268435456. Default: 100. */
    int32_t method;  /* How a device computes a step, enum shoal_direct_method. Default: SHOAL_DIRECT_AUTO. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_random_params_init(struct shoal_random_params *params);
#define SHOAL_RANDOM_PARAMS(...) SHOAL_INIT(shoal_random_params, shoal_random_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
