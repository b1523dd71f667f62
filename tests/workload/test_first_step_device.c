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
TEST(algorithms)
TEST(gases)
TEST(replicas)
TEST(tours)
TEST(nets)
TEST(methods)

/* A first step of these makes hundreds of calls, each of which takes a run to fail. A $SHOAL_TEST_TURN takes
 * its share of the calls; without the variable each eighth call fails. */
static void take_share(void)
{
    first_step.first = harness.turn.number;
    first_step.every *= harness.turn.of > 1 ? harness.turn.of : 8;
}

#define LONG_TEST(name)                                                                                      \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        if (!is_opencl())                                                                                    \
            skip();                                                                                          \
        take_share();                                                                                        \
        first_step_of_##name(state);                                                                         \
    }
LONG_TEST(cells)
LONG_TEST(multipoles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swarms),   cmocka_unit_test(populations), cmocka_unit_test(algorithms),
        cmocka_unit_test(gases),    cmocka_unit_test(cells),       cmocka_unit_test(multipoles),
        cmocka_unit_test(replicas), cmocka_unit_test(tours),       cmocka_unit_test(nets),
        cmocka_unit_test(methods),
    };
    return harness_main("first step", tests, sizeof tests / sizeof *tests);
}
