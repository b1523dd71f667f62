/* Parameters of the thesis: what is refused, and what holds where nothing is given. */
#include "fixture.h"
#include "unit.h"

#include "gas/thesis/thesis.h"

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
        GAS_TEST(refused_parameters),
        GAS_TEST(values_not_given),
    };
    return cmocka_run_group_tests_name("gas thesis", tests, NULL, NULL);
}
