/* Each OpenCL call that the first step makes fails in turn; where not all cases are tested, one in seven. */
#include "first_step.h"
#include "harness.h"
#include "record.h"

#include <shoal/replicas.h>
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

/* Steps replicas 6000 times, in which call `number` fails (0: none), then to step 9000; after a failure first
 * by one step. Returns whether the call was reached. */
static bool step_replicas(unsigned number, struct shoal_gas_replica *row)
{
    static struct shoal_gas_params gas;
    shoal_gas_params_init(&gas);
    gas.particles = 16;
    gas.density = 0.4;
    gas.cutoff = 2;
    gas.steps = 9000;
    gas.thermo = 100;
    const struct shoal_gas_replicas_params params = SHOAL_GAS_REPLICAS_PARAMS(.gas = &gas, .count = 2);
    struct shoal_gas_replicas *replicas;
    assert_ok(shoal_gas_replicas_create(harness.device, harness.queue, &params, &replicas, &test_error));
    uint64_t done = 0, all = 0;
    arm(number);
    const enum shoal_status status = shoal_gas_replicas_step(replicas, 6000, &all, &test_error);
    const bool has_failed = disarm();
    if (status)
        assert_ok(shoal_gas_replicas_step(replicas, 1, &done, &test_error));
    all = status ? done : all;
    assert_ok(shoal_gas_replicas_step(replicas, 9000 - all, &done, &test_error));
    *row = (struct shoal_gas_replica){.size = 0};
    assert_ok(shoal_gas_replicas_get(replicas, 1, row, &test_error));
    shoal_gas_replicas_destroy(&replicas);
    return has_failed;
}

/* A launch that was not read is repeated first, even if the next call asks for fewer steps. */
static void fewer_steps_after_a_failure(void **state)
{
    (void)state;
    struct shoal_gas_replica wanted, row;
    if (!is_opencl())
        skip();
    step_replicas(0, &wanted);
    for (unsigned number = first_step.first; step_replicas(number, &row); number += first_step.every) {
        test_label("call %u", number);
        assert_int_equal(row.samples, wanted.samples);
        assert_memory_equal(&row.mean_temperature, &wanted.mean_temperature, sizeof row.mean_temperature);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swarms),
        cmocka_unit_test(populations),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(gases),
        cmocka_unit_test(cells),
        cmocka_unit_test(multipoles),
        cmocka_unit_test(replicas),
        cmocka_unit_test(tours),
        cmocka_unit_test(nets),
        cmocka_unit_test(methods),
        cmocka_unit_test(fewer_steps_after_a_failure),
    };
    return harness_main("first step", tests, sizeof tests / sizeof *tests);
}
