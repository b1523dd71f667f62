/* Solvers of ants on the host, for the tests of ants. The last header that they include, for
 * tsp/ants/rules.h. */
#ifndef SHOAL_TESTS_TSP_ANTS_ON_HOST_H
#define SHOAL_TESTS_TSP_ANTS_ON_HOST_H

#include "harness.h"

#include "tsp/ants/host.h"

#include "tsp/ants/rules.h"

static const int32_t algorithms[] = {SHOAL_TSP_AS,   SHOAL_TSP_EAS,  SHOAL_TSP_RAS,
                                     SHOAL_TSP_MMAS, SHOAL_TSP_BWAS, SHOAL_TSP_ACS};
static const char *const names[] = {"as", "eas", "ras", "mmas", "bwas", "acs"};
enum { ALGORITHMS = 6 };

static inline struct shoal_tsp_params params_of(int algorithm)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = algorithms[algorithm];
    params.generate = "uniform:60:1";
    params.iterations = 10000;
    return params;
}

static inline struct shoal_solver *host_solver(const struct shoal_tsp_params *params)
{
    return harness_solver("tsp", test_host_device(harness.shoal), params);
}

static inline struct ants_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static inline const uint32_t *tour_of(const struct ants_host *host, uint32_t ant)
{
    const struct ants_settings *settings = host->ants.settings;
    return &host->tours[(size_t)ANTS_TOUR(settings->colonies, 0, settings->ants, ant) * settings->cities];
}

#endif
