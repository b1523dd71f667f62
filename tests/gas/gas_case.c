#include "gas_case.h"

#include <math.h>

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
    enum shoal_status status = shoal_workload_validate(&gas_workload.face, &params, &unit_error);
    if (!status)
        status = gas_problem_create(shoal, &params, &problem, &unit_error);
    return status ? status : gas_problem_start(shoal, &problem, &unit_error);
}

void make(void)
{
    assert_ok(create());
}

void refuse_as(enum shoal_status wanted, const char *part)
{
    assert_status(create(), wanted);
    assert_contains(unit_error.message, part);
    assert_lacks(unit_error.message, "\n");
    shoal_gas_params_init(&params);
}

void refuse(const char *part)
{
    refuse_as(SHOAL_INVALID, part);
}

void gas_case_close(double a, double b, double tolerance, const char *file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%.17g, should be %.17g within %g\n", a, b, tolerance);
        _fail(file, line);
    }
}
