/* Parameters of the thesis: what is refused, and what holds where nothing is given; its limiters and its
 * integration in place on the host. */
#include "fixture.h"
#include "unit.h"

#include "gas/thesis/options.h"
#include "gas/thesis/thesis.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static void walls(void)
{
    input.boundary_x = input.boundary_y = SHOAL_GAS_WALLS;
}

static void refused_parameters(void **state)
{
    (void)state;
    input.method = SHOAL_GAS_CELLS;
    input.dim = 3;
    refuse("cells is for --dim 2");
    input.method = SHOAL_GAS_CELLS;
    refuse("cells does the potentials log and real, between walls or open boundaries, not lj");
    input_thesis.scheme = SHOAL_GAS_SCHEME_TILED3;
    refuse("not lj");
    input_thesis.cells = 50;
    refuse("method cells does the potentials log and real");
    input_thesis.cells = 50;
    input.potential = SHOAL_GAS_LOG;
    walls();
    make();
    assert_int_equal(gas_method_of(&input), SHOAL_GAS_CELLS);
    init_input();
    input.method = SHOAL_GAS_CELLS;
    input.potential = SHOAL_GAS_LOG_REPULSION;
    walls();
    refuse("not log-repulsion: take allpairs");
    input.method = SHOAL_GAS_CELLS;
    input.potential = SHOAL_GAS_LOG;
    input_thesis.near_radius = 0;
    walls();
    refuse("near-radius must be above 0");
    input_thesis.kernel = SHOAL_GAS_KERNEL_NAIVE;
    input.potential = SHOAL_GAS_LOG;
    input.softening = 0;
    walls();
    refuse("need --softening above 0");
    input_thesis.unroll = 6;
    input_thesis.kernel = SHOAL_GAS_KERNEL_UNROLLED;
    input.potential = SHOAL_GAS_LOG;
    walls();
    refuse("unroll is 6");
    input_thesis.near_radius = 20;
    refuse("larger than --middle-radius");
}

/* Any change of a speed ends the conservation of momentum. */
static void limiters(void **state)
{
    (void)state;
    make();
    assert_true(built.degrees == 2 * 4095.0 && !built.rules.limit && !built.rules.mean && !built.rules.text);
    input_thesis.limiter = SHOAL_GAS_LIMIT_ENERGY;
    make();
    assert_true(built.degrees == 2 * 4096.0 && built.rules.factor == 15 && built.rules.mean);
    input_thesis.limiter = SHOAL_GAS_LIMIT_JUMP;
    make();
    assert_true(built.degrees == 2 * 4096.0 && built.rules.factor == 100 && !built.rules.mean);
    input_thesis.limit = 3;
    make();
    assert_true(built.rules.factor == 3);
}

/* Lines of a run show the conserved energy where a limiter acts: parameters as callers have them. */
static void limiters_exchange_heat(void **state)
{
    (void)state;
    struct shoal_gas_params *block = malloc(gas_workload.face.params_size);
    assert_non_null(block);
    gas_workload.face.params_init(block);
    assert_false(gas_exchanges_heat(block));
    const int32_t l2 = SHOAL_GAS_LIMIT_JUMP;
    memcpy((char *)block + GAS_THESIS_FIELD(limiter), &l2, sizeof l2);
    assert_true(gas_exchanges_heat(block));
    free(block);
    assert_false(gas_exchanges_heat(&input));
    input_thesis.limiter = SHOAL_GAS_LIMIT_ENERGY;
    assert_true(gas_exchanges_heat(&input));
    input_thesis.size = offsetof(struct shoal_gas_thesis, limiter); /* of an older program */
    assert_false(gas_exchanges_heat(&input));
    input.thesis = NULL;
    assert_false(gas_exchanges_heat(&input));
}

static void limiters_on_the_host(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(100);
    double velocity[200] = {0};
    params.epsilon = 0;
    limit_speeds(&params, SHOAL_GAS_LIMIT_ENERGY, NAN);
    for (size_t i = 0; i < 200; i++)
        velocity[i] = i % 4 < 2 ? 1 : -1;
    velocity[7] = 40;
    struct shoal_solver *solver = host_open(&params, 0);
    host_place(solver, NULL, velocity);
    const struct shoal_gas_thermo before = thermo_of(solver);
    run_steps(solver, 1);
    const struct shoal_gas_thermo after = thermo_of(solver);
    /* 15 times the mean before the step. */
    assert_near(after.max_speed * after.max_speed / 2, 15 * before.kinetic / 100, 1e-10);
    assert_near(after.conserved, before.conserved, 1e-9);
    shoal_solver_destroy(&solver);

    limit_speeds(&params, SHOAL_GAS_LIMIT_JUMP, 10);
    params.field_x = 4000; /* 20 in a step of 0.005 */
    params.boundary_x = SHOAL_GAS_OPEN;
    velocity[7] = 1;
    velocity[0] = 3; /* -7 half a step before, 13 half a step behind: not tenfold */
    velocity[2] = 10.1;
    velocity[3] = 0; /* 0.1 and 20.1 */
    solver = host_open(&params, 0);
    host_place(solver, NULL, velocity);
    run_steps(solver, 1);
    const double *v = gas_host_of(solver)->v;
    assert_near(v[0], 13, 1e-9);
    assert_near(v[2], 0.1, 1e-9);
    shoal_solver_destroy(&solver);
}

/* What moves freely takes a way of its own through a step. */
static void free_motion(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++) {
        struct shoal_gas_params params = host_params(130);
        params.dim = dim;
        params.boundary_x = SHOAL_GAS_OPEN;
        params.field_y = -0.3;
        struct shoal_solver *freely = host_open(&params, 1);
        limit_speeds(&params, SHOAL_GAS_LIMIT_ENERGY, 1e9);
        struct shoal_solver *limited = host_open(&params, 1);
        /* With a limiter the start has one degree of freedom more. */
        host_place(limited, NULL, gas_host_of(freely)->problem.velocity);
        assert_true(gas_host_is_free(&gas_host_of(freely)->problem));
        assert_false(gas_host_is_free(&gas_host_of(limited)->problem));
        run_steps(freely, 100);
        run_steps(limited, 100);
        host_assert_same(freely, limited);
        shoal_solver_destroy(&freely);
        shoal_solver_destroy(&limited);
    }
}

static void integration_in_place(void **state)
{
    (void)state;
    struct shoal_device_info info = *shoal_device_get_info(shoal_device_at(shoal, 0));
    input.integrator = SHOAL_GAS_EULER_IN_PLACE;
    assert_status(gas_check_device(&input, &info, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "for --device host");
    info.is_host = true;
    assert_ok(gas_check_device(&input, &info, &test_error));
}

static void values_not_given(void **state)
{
    (void)state;
    make();
    assert_true(gas_near_radius_of(&input) == 2 && gas_middle_radius_of(&input) == 10);
    assert_int_equal(gas_unroll_of(&input), 8);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        GAS_TEST(refused_parameters),   GAS_TEST(limiters),    GAS_TEST(limiters_exchange_heat),
        GAS_TEST(limiters_on_the_host), GAS_TEST(free_motion), GAS_TEST(integration_in_place),
        GAS_TEST(values_not_given),
    };
    return cmocka_run_group_tests_name("gas thesis", tests, NULL, NULL);
}
