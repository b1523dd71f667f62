/* Each OpenCL call that the first step makes fails in turn; where not all cases are tested, one in seven. */
#include "first_step.h"
#include "harness.h"
#include "record.h"

#include <string.h>

static void arm(unsigned number)
{
    record_failed = false;
    record_countdown = number;
}

static bool disarm(void)
{
    record_countdown = 0;
    return record_failed;
}

static bool is_expected(enum shoal_status status)
{
    return status == SHOAL_OUT_OF_HOST_MEMORY || status == SHOAL_OUT_OF_DEVICE_MEMORY ||
           status == SHOAL_FAILED;
}

static bool is_opencl(void)
{
    harness_takes_case();
    first_step = (struct first_step){.device = harness.device,
                                     .queue = harness.queue,
                                     .variant = harness.variant,
                                     .what = "call",
                                     .arm = arm,
                                     .disarm = disarm,
                                     .is_expected = is_expected,
                                     .first = harness.taken.of > 1 ? 2 : 1,
                                     .every = harness.taken.of,
                                     .computes = true};
    return strcmp(harness.info->backend, "opencl") == 0;
}

#define TEST(of)                                                                                             \
    static void of(void **state)                                                                             \
    {                                                                                                        \
        if (!is_opencl())                                                                                    \
            skip();                                                                                          \
        first_step_of_##of(state);                                                                           \
    }
TEST(swarms)
TEST(populations)
TEST(gases)
TEST(tours)
TEST(nets)
TEST(methods)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swarms), cmocka_unit_test(populations), cmocka_unit_test(gases),
        cmocka_unit_test(tours),  cmocka_unit_test(nets),        cmocka_unit_test(methods),
    };
    return harness_main("first step", tests, sizeof tests / sizeof *tests);
}
