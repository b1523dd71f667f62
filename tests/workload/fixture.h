/* The workload that counts, on two fake GPUs and the host. */
#ifndef SHOAL_TESTS_WORKLOAD_FIXTURE_H
#define SHOAL_TESTS_WORKLOAD_FIXTURE_H

#include "counter.h"
#include "unit.h"

extern struct shoal *shoal;
extern struct shoal_device *device, *host; /* the first GPU; the second stands between them */
extern struct counter_params params;

/* After each test no solver may be left. */
int open_workload(void **state);
int close_workload(void **state);
#define WORKLOAD_TEST(function) cmocka_unit_test_setup_teardown(function, open_workload, close_workload)

#endif
