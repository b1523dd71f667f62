#include "gas_case.h"

struct shoal *shoal;
struct shoal_gas_params params;
struct gas_problem problem;

int gas_case_set_up(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    shoal_gas_params_init(&params);
    return 0;
}

int gas_case_tear_down(void **state)
{
    gas_problem_destroy(&problem);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static enum shoal_status create(void)
{
    gas_problem_destroy(&problem);
    enum shoal_status status = shoal_workload_validate(&gas_workload.face, &params, &test_error);
    if (!status)
        status = gas_problem_create(shoal, &params, &problem, &test_error);
    return status ? status : gas_problem_start(shoal, &problem, &test_error);
}

void make(void)
{
    assert_ok(create());
}

void refuse_as(enum shoal_status wanted, const char *part)
{
    assert_status(create(), wanted);
    assert_contains(test_error.message, part);
    assert_lacks(test_error.message, "\n");
    shoal_gas_params_init(&params);
}

void refuse(const char *part)
{
    refuse_as(SHOAL_INVALID, part);
}
