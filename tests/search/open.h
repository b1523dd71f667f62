/* An instance over the fake backend for each test. */
#ifndef SHOAL_TESTS_SEARCH_OPEN_H
#define SHOAL_TESTS_SEARCH_OPEN_H

#include "unit.h"

extern struct shoal *shoal;

int set_up(void **state);
int tear_down(void **state);
#define OPEN_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
