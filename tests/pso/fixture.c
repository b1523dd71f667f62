#include "fixture.h"

struct shoal *shoal;

int set_up(void **state)
{
    const int failed = unit_setup(state);
    shoal = failed ? NULL : unit_open();
    return failed;
}

int tear_down(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

void make_host(const struct shoal_pso_params *params, int threads, struct pso_host *host)
{
    assert_ok(pso_host_create(shoal, params, threads, host, &test_error));
}
