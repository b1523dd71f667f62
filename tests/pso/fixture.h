/* What the tests of searches over the fake backend share. */
#ifndef SHOAL_TESTS_PSO_FIXTURE_H
#define SHOAL_TESTS_PSO_FIXTURE_H

#include "unit.h"

#include "pso/host/host.h"

extern struct shoal *shoal;

int set_up(void **state);
int tear_down(void **state);
#define PSO_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* The table of its arrays has their addresses: it stays where it is. */
void make_host(const struct shoal_pso_params *params, int threads, struct pso_host *host);

#endif
