#include "fixture.h"
#include "unit.h"

#include "gas/gas.h"

struct shoal *shoal;
struct shoal_gas_params input;
#if SHOAL_THESES
struct shoal_gas_thesis input_thesis;
#endif
struct gas_problem built;

void init_input(void)
{
    shoal_gas_params_init(&input);
#if SHOAL_THESES
    shoal_gas_thesis_init(&input_thesis);
    input.thesis = &input_thesis;
#endif
}

int set_up(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    init_input();
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
    init_input();
}

void refuse(const char *part)
{
    refuse_as(SHOAL_INVALID, part);
}
