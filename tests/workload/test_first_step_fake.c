/* Each call of a backend that the first step makes fails in turn, on a device without hardware: the next step
 * begins again, and nothing is left. Kernels do nothing there. */
#include "first_step.h"
#include "unit.h"

static struct shoal *shoal;
static struct shoal_queue *queue;

static void arm(unsigned number)
{
    fake_fail_nth(number, SHOAL_FAILED);
}

static bool disarm(void)
{
    const bool has_failed = fake_failed_call() != FAKE_CALLS;
    fake_fail_nth(0, SHOAL_OK);
    return has_failed;
}

static bool is_expected(enum shoal_status status)
{
    return status == SHOAL_FAILED;
}

static int open_fake(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    if (shoal_queue_create(device, 0, &queue, &test_error))
        return -1;
    first_step = (struct first_step){.device = device,
                                     .queue = queue,
                                     .what = "call",
                                     .arm = arm,
                                     .disarm = disarm,
                                     .is_expected = is_expected,
                                     .first = 1,
                                     .every = 1};
    return 0;
}

static int close_fake(void **state)
{
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    return unit_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_step_of_swarms, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_populations, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_algorithms, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_gases, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_tours, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_nets, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(first_step_of_methods, open_fake, close_fake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
