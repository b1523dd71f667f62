/* The calls of the list method over a backend without hardware, whose kernels do next to nothing. */
#include "unit.h"

#include "gas/device/device.h"
#include "workload/workload.h"

#include <shoal/gas.h>
#include <shoal/shoal.h>

static unsigned forces_launches;

static void count_forces(const struct fake_run *run)
{
    (void)run;
    forces_launches++;
}

static struct shoal *open_gas(const struct shoal_gas_params *params, struct shoal_queue **queue,
                              struct shoal_solver **solver)
{
    fake_reset_one_gpu();
    fake_register_kernel("gas_list_forces", count_forces);
    struct shoal *shoal = unit_open();
    struct shoal_device *device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, 0, queue, &test_error));
    assert_ok(shoal_solver_create(shoal_workload_find("gas"), device, *queue, params, SHOAL_VARIANT_AUTO,
                                  solver, &test_error));
    return shoal;
}

/* Energies that are known are not computed again; those of a launch that failed are not known. */
static void forces_of_failed_launches_are_unknown(void **state)
{
    (void)state;
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    struct shoal_gas_params params;
    uint64_t done;
    shoal_gas_params_init(&params);
    params.particles = 300;
    params.method = SHOAL_GAS_LIST;
    struct shoal *shoal = open_gas(&params, &queue, &solver);
    assert_ok(shoal_solver_step(solver, 0, &done, &test_error));
    for (int energies = 0; energies < 2; energies++) {
        const struct gas_method *method = gas_device_method(solver);
        method->moved(solver, 0);
        forces_launches = 0;
        fake_fail_call(FAKE_LAUNCH, 1, SHOAL_FAILED);
        assert_status(method->forces(solver, energies, &test_error), SHOAL_FAILED);
        assert_int_equal(forces_launches, 0);
        for (int again = 0; again < 2; again++) {
            assert_ok(method->forces(solver, energies, &test_error));
            assert_ok(shoal_queue_finish(queue, &test_error));
            assert_int_equal(forces_launches, 1);
        }
    }
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(forces_of_failed_launches_are_unknown),
    };
    return cmocka_run_group_tests_name("gas_list_calls", tests, NULL, NULL);
}
