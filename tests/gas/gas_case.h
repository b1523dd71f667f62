/* A gas made from parameters on the host, the same for each test: defaults before, nothing left after. */
#ifndef SHOAL_TESTS_GAS_CASE_H
#define SHOAL_TESTS_GAS_CASE_H

#include "unit.h"

#include "gas/gas.h"

extern struct shoal *shoal;
extern struct shoal_gas_params params;
extern struct gas_problem problem;

int gas_case_set_up(void **state);
int gas_case_tear_down(void **state);
#define GAS_TEST(function) cmocka_unit_test_setup_teardown(function, gas_case_set_up, gas_case_tear_down)

/* The gas of `params`; the one before is gone. */
void make(void);
/* Refused with one line that holds `part`; the parameters are the defaults again afterwards. */
void refuse_as(enum shoal_status wanted, const char *part);
void refuse(const char *part); /* SHOAL_INVALID */

#endif
