#include "fixture.h"

struct shoal *shoal;
struct shoal_device *device, *host;
struct counter_params params;

int open_workload(void **state)
{
    if (unit_setup(state))
        return -1;
    counter_reset();
    counter_init(&params);
    struct shoal_device_info info = fake_gpu("Second GPU");
    fake_add_device(&fake_backend, &info);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    host = shoal_device_at(shoal, 2);
    return 0;
}

int close_workload(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state) || counters_alive ? -1 : 0;
}
