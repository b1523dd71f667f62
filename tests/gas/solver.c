#include "fixture.h"

void run_steps(struct shoal_solver *solver, uint64_t steps)
{
    assert_ok(shoal_solver_run(solver, steps, &test_error));
}

struct shoal_gas_thermo thermo_of(struct shoal_solver *solver)
{
    struct shoal_gas_thermo thermo;
    assert_ok(shoal_gas_get_thermo(solver, &thermo, &test_error));
    return thermo;
}

struct shoal_gas_frame frame_of(struct shoal_solver *solver)
{
    struct shoal_gas_frame frame;
    assert_ok(shoal_gas_get_frame(solver, &frame, &test_error));
    return frame;
}

struct shoal_gas_timing timing_of(struct shoal_solver *solver)
{
    struct shoal_gas_timing timing;
    assert_ok(shoal_gas_get_timing(solver, &timing, &test_error));
    return timing;
}
