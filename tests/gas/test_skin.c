/* The neighbour list of the host solver: the forces of the grid, made again in time, and bits that depend on
 * no thread, no call and no checkpoint. */
#include "fixture.h"
#include "unit.h"

#include <math.h>

/* Positions of the list less those that it was made of: how far the farthest particle went. */
static double farthest_from_list(const struct gas_host *reference)
{
    const struct gas_problem *problem = &reference->problem;
    double farthest = 0;
    for (size_t i = 0; i < problem->n; i++) {
        double d = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            const size_t at = i * problem->dim + k;
            const double way = gas_image(problem, k, reference->x[at] - reference->list.built_at[at]);
            d += way * way;
        }
        farthest = fmax(farthest, d);
    }
    return sqrt(farthest);
}

/* Accelerations, energies and virials by the list against those by cells, relative to the largest. */
static void assert_list_is_right(struct shoal_solver *solver)
{
    enum { MOST = 1200 };
    static double a[3 * MOST], energy[MOST], virial[MOST];
    struct gas_host *reference = gas_host_of(solver);
    const struct gas_problem *problem = &reference->problem;
    double off[3] = {0}, largest[3] = {1e-300, 1e-300, 1e-300};
    assert_true(problem->n <= MOST);
    assert_ok(gas_host_forces(reference, true, &test_error));
    assert_at_most(farthest_from_list(reference), 0.5 * reference->list.skin);
    assert_ok(gas_forces(problem, reference->x, a, energy, virial, &test_error));
    for (size_t at = 0; at < problem->n * problem->dim; at++) {
        off[0] = fmax(off[0], fabs(reference->a[at] - a[at]));
        largest[0] = fmax(largest[0], fabs(a[at]));
    }
    for (size_t i = 0; i < problem->n; i++) {
        off[1] = fmax(off[1], fabs(reference->energy[i] - energy[i]));
        off[2] = fmax(off[2], fabs(reference->virial[i] - virial[i]));
        largest[1] = fmax(largest[1], fabs(energy[i]));
        largest[2] = fmax(largest[2], fabs(virial[i]));
    }
    for (size_t which = 0; which < 3; which++)
        assert_at_most(off[which] / largest[which], 1e-12);
}

static void follow_list(const struct shoal_gas_params *params, size_t steps)
{
    struct shoal_solver *solver = host_open(params, 2);
    const struct gas_host_list *list = &gas_host_of(solver)->list;
    uint64_t kept = 0;
    assert_ptr_equal(list->problem, &gas_host_of(solver)->problem);
    for (size_t step = 0; step < steps; step++) {
        const uint64_t before = list->rebuilds;
        run_steps(solver, 1);
        assert_list_is_right(solver);
        kept += list->rebuilds == before;
    }
    /* Made again, and used again: otherwise nothing was tried. */
    assert_true(params->particles < 4 || list->rebuilds > 2);
    assert_true(kept > 0);
    shoal_solver_destroy(&solver);
}

/* Two and three dimensions, boxes of one to many cells, all kinds of borders, blocks that are not full. */
static void test_forces(void **state)
{
    (void)state;
    static const struct {
        uint64_t particles, dim;
        int32_t potential, cut, boundary_x;
        double density, skin;
        size_t steps;
    } cases[] = {
        {1200, 2, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_PERIODIC, 0.4, NAN, 50},
        {1025, 2, SHOAL_GAS_LJ, SHOAL_GAS_CUT_TRUNCATED, SHOAL_GAS_WALLS, 0.7, 0.2, 50},
        {1100, 3, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_PERIODIC, 0.8, NAN, 50},
        {777, 3, SHOAL_GAS_LJ, SHOAL_GAS_CUT_SMOOTHED, SHOAL_GAS_OPEN, 0.5, 1, 150},
        {257, 2, SHOAL_GAS_WCA, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_PERIODIC, 0.6, NAN, 50},
        /* Box 5.3 wide and 5.06: one box of the grid, and a skin that is cut to half of it. */
        {20, 2, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_PERIODIC, 0.7, 0.3, 50},
        {40, 3, SHOAL_GAS_LJ, SHOAL_GAS_CUT_SHIFTED, SHOAL_GAS_PERIODIC, 0.308, 40, 400},
        /* Two along each axis. */
        {25, 2, SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT, SHOAL_GAS_PERIODIC, 0.6, 0.5, 50},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct shoal_gas_params params = host_params(cases[c].particles);
        params.dim = cases[c].dim;
        params.potential = cases[c].potential;
        params.cut = cases[c].cut;
        params.boundary_x = cases[c].boundary_x;
        params.density = cases[c].density;
        params.skin = cases[c].skin;
        params.temperature = 1.5;
        follow_list(&params, cases[c].steps);
    }
}

static void test_few(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 3; n++)
        for (uint64_t dim = 2; dim <= 3; dim++) {
            struct shoal_gas_params params = host_params(n);
            params.dim = dim;
            params.density = NAN;
            params.width = params.height = 5;
            params.depth = dim == 3 ? 5 : NAN;
            follow_list(&params, 200);
        }
}

/* A list whose particles lie on top of one another across the borders: pairs in many batches. */
static void test_crowd(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(1200);
    params.sigma = 0.2;
    params.cutoff = 9;
    params.density = 3;
    params.dt = 0.0005;
    params.skin = 0.01;
    struct shoal_solver *solver = host_open(&params, 3);
    run_steps(solver, 20);
    assert_list_is_right(solver);
    assert_true(gas_host_list_mean(&gas_host_of(solver)->list) > 600);
    shoal_solver_destroy(&solver);
}

static void test_timing(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(400);
    struct shoal_gas_timing timing;
    struct shoal_result result = {0};
    params.skin = 0.4;
    struct shoal_solver *solver = host_open(&params, 0);
    run_steps(solver, 100);
    assert_ok(shoal_gas_get_timing(solver, &timing, &test_error));
    assert_true(timing.skin == 0.4);
    assert_true(timing.rebuilds > 3 && timing.rebuilds < 50);
    assert_near(timing.rebuild_interval, 100.0 / (double)timing.rebuilds, 1e-12);
    /* Of a uniform gas: density pi (cutoff + skin)^2. */
    assert_near(timing.mean_neighbours, 0.4 * 3.1416 * 2.9 * 2.9, 1.5);
    assert_true(thermo_of(solver).rebuilds == timing.rebuilds);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_int_equal(result.roof, SHOAL_ROOF_COPY_BYTES);
    assert_near(result.roof_work, 5 * 2 * sizeof(double) + 4 * timing.mean_neighbours + 4, 1e-9);
    shoal_solver_destroy(&solver);

    params.skin = NAN;
    params.cutoff = INFINITY;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    solver = host_open(&params, 0);
    run_steps(solver, 2);
    assert_ok(shoal_gas_get_timing(solver, &timing, &test_error));
    assert_true(timing.rebuilds == 0 && isnan(timing.skin));
    assert_string_equal(timing.method, "all-pairs");
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.roof == SHOAL_ROOF_FP32_FLOPS && result.roof_work == 28 * 400);
    shoal_solver_destroy(&solver);
}

/* Blocks enough for each thread; pieces of every length, looks between them, and checkpoints on and
 * between the rebuilds. */
static void test_same_bits(void **state)
{
    (void)state;
    for (uint64_t dim = 2; dim <= 3; dim++) {
        struct shoal_gas_params params = host_params(1030);
        params.dim = dim;
        params.temperature = 2;
        const char *path = test_path("list.ckp");
        struct shoal_solver *once = host_open(&params, 1), *pieces = host_open(&params, 3);
        const struct gas_host_list *list = &gas_host_of(pieces)->list;
        size_t between = 0;
        run_steps(once, 24);
        for (uint64_t made = 0; made < 24; made++) {
            run_steps(pieces, 1);
            if (made % 3 == 0)
                (void)thermo_of(pieces);
            if (made % 2)
                continue;
            struct shoal_solver *resumed = host_open(&params, 2);
            const struct gas_host_list *later = &gas_host_of(resumed)->list;
            assert_ok(shoal_solver_save(pieces, path, &test_error));
            assert_ok(shoal_solver_load(resumed, path, &test_error));
            between += farthest_from_list(gas_host_of(pieces)) > 0;
            run_steps(resumed, 23 - made);
            host_assert_same(once, resumed);
            assert_int_equal(later->rebuilds, gas_host_of(once)->list.rebuilds);
            shoal_solver_destroy(&resumed);
        }
        host_assert_same(once, pieces);
        assert_true(list->rebuilds > 2 && between > 8);
        shoal_solver_destroy(&once);
        shoal_solver_destroy(&pieces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_forces), GAS_TEST(test_few),       GAS_TEST(test_crowd),
        GAS_TEST(test_timing), GAS_TEST(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
