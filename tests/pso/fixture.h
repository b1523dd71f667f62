/* What the tests of swarms on the host share. */
#ifndef SHOAL_TESTS_PSO_FIXTURE_H
#define SHOAL_TESTS_PSO_FIXTURE_H

#include "open.h"

#include "pso/host/host.h"

/* The table of its arrays has their addresses: it stays where it is. */
static inline void make_host(const struct shoal_pso_params *params, int threads, struct pso_host *host)
{
    assert_ok(
        search_host_create(shoal, &pso_algorithm, &params->search, threads, &host->search, &test_error));
}

#endif
