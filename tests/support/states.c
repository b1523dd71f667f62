#include "states.h"

#include "workload/checkpoint/checkpoint.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *saved_state(struct shoal_solver *solver, size_t *size)
{
    struct checkpoint checkpoint = {0};
    void *bytes;
    assert_ok(solver_get_checkpoint(solver, &checkpoint, &test_error));
    assert_ok(checkpoint_to_memory(&checkpoint, &bytes, size, &test_error));
    checkpoint_clear(&checkpoint);
    void *kept = harness_memory(*size);
    memcpy(kept, bytes, *size);
    free(bytes);
    return kept;
}

void assert_same_state(struct shoal_solver *a, struct shoal_solver *b)
{
    size_t size, other_size;
    const void *one = saved_state(a, &size), *other = saved_state(b, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(one, other, size);
}

void compare_resumed(struct shoal_solver *whole, struct shoal_solver *again, uint64_t middle, uint64_t end)
{
    struct checkpoint checkpoint;
    size_t size;
    uint64_t rest = 0;
    for (uint64_t step = 0; step < end; step++) {
        if (step == middle) {
            const void *bytes = saved_state(whole, &size);
            assert_ok(checkpoint_parse(&checkpoint, bytes, size, "memory", &test_error));
            assert_ok(solver_set_checkpoint(again, &checkpoint, &test_error));
        }
        const uint64_t done = harness_step(whole, 1);
        rest += step >= middle ? done : 0;
    }
    assert_int_equal(harness_step(again, end - middle), rest);
    assert_same_state(whole, again);
    shoal_solver_destroy(&whole);
    shoal_solver_destroy(&again);
}

void compare_results(struct shoal_solver *device, struct shoal_solver *host, double tolerance)
{
    struct shoal_result of_device = {0}, of_host = {0};
    assert_ok(shoal_solver_result(device, &of_device, &test_error));
    const double value = of_device.value, work = of_device.work;
    assert_ok(shoal_solver_result(host, &of_host, &test_error));
    assert_true(value == of_host.value || fabs(value - of_host.value) <= tolerance * fmax(1, fabs(value)));
    assert_true(work == of_host.work);
}

void set_work_groups(const char *const programs[2], int64_t items)
{
    while (items > (int64_t)harness.info->max_work_group)
        items /= 8;
    for (size_t i = 0; i < 2; i++)
        assert_ok(shoal_tuning_set(harness.device, programs[i], "WG", items, &test_error));
}

int64_t group_of_case(size_t number, size_t methods)
{
    static const int64_t groups[] = {8, 64, 1, 32};
    return groups[(number + number / methods / 2) % (sizeof groups / sizeof *groups)];
}
