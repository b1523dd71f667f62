#include "fixture.h"
#include "unit.h"

#include "gas/gas.h"

struct shoal *shoal;
struct shoal_gas_params input;
struct gas_problem built;

int set_up(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    shoal_gas_params_init(&input);
    return 0;
}

int tear_down(void **state)
{
    gas_problem_destroy(&built);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static enum shoal_status create(void)
{
    gas_problem_destroy(&built);
    enum shoal_status status = shoal_workload_validate(NULL, &gas_workload.face, &input, &test_error);
    if (!status)
        status = gas_problem_create(shoal, &input, &built, &test_error);
    return status ? status : gas_problem_start(shoal, &built, &test_error);
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
    shoal_gas_params_init(&input);
}

void refuse(const char *part)
{
    refuse_as(SHOAL_INVALID, part);
}
