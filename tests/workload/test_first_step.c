/* A step that fails for want of memory: each allocation of the first step fails in turn, on the host. */
#include "allocations.h"
#include "first_step.h"
#include "unit.h"

static struct shoal *shoal;

static void arm(unsigned number)
{
    allocation_failed = false;
    allocation_countdown = number;
}

static bool disarm(void)
{
    allocation_countdown = 0;
    return allocation_failed;
}

static bool is_expected(enum shoal_status status)
{
    return status == SHOAL_OUT_OF_HOST_MEMORY;
}

static int open_host(void **state)
{
    struct shoal_params own;
    if (unit_setup(state))
        return -1;
    shoal_params_init(&own);
    own.host_only = own.no_cache = true;
    if (shoal_open(&shoal, &own, &test_error))
        return -1;
    first_step = (struct first_step){.device = test_host_device(shoal),
                                     .what = "allocation",
                                     .arm = arm,
                                     .disarm = disarm,
                                     .is_expected = is_expected,
                                     .first = 1,
                                     .every = 1,
                                     .computes = true};
    return 0;
}

static int close_host(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_step_of_swarms, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_populations, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_algorithms, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_gases, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_cells, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_multipoles, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_replicas, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_tours, open_host, close_host),
        cmocka_unit_test_setup_teardown(first_step_of_nets, open_host, close_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
