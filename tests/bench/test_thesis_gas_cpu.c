/* Every variant of the ladder in every build against double sums: odd numbers of particles, one to three
 * threads. */
#include "unit.h"

#include "bench/gas/thesis/cells.h"

#include <math.h>
#include <omp.h>

/* Largest difference of a new velocity from dt times the acceleration, over the largest such velocity. */
static double error_of(const struct thesis_gas *gas)
{
    double worst = 0, size = 0;
    for (size_t i = 0; i < gas->n; i++) {
        double ax, ay;
        thesis_gas_direct(gas, i, &ax, &ay);
        size = fmax(size, hypot(ax, ay) * (double)gas->dt);
        worst = fmax(worst, hypot((double)gas->vx[i] - ax * (double)gas->dt,
                                  (double)gas->vy[i] - ay * (double)gas->dt));
    }
    return size > 0 ? worst / size : worst;
}

static void check(const struct thesis_gas_build *build, const struct thesis_gas_variant *variant, size_t n,
                  size_t threads)
{
    struct thesis_gas gas;
    assert_true(thesis_gas_create(&gas, n, threads, threads));
    variant->accelerate(&gas);
    /* Sums of n terms of random signs, in single precision. */
    const double error = error_of(&gas), allowed = 1e-6 * sqrt((double)n);
    if (!(error <= allowed)) {
        print_error("%s, %s: %zu particles on %zu threads: error %g, %g allowed\n", build->name,
                    variant->name, n, threads, error, allowed);
        assert_true(error <= allowed);
    }
    /* A second time adds the same again: copies were left at zero. */
    const float x = gas.vx[n / 2], y = gas.vy[n / 2];
    variant->accelerate(&gas);
    assert_near((double)gas.vx[n / 2], 2 * (double)x, 1e-5 * fabs((double)x) + 1e-12);
    assert_near((double)gas.vy[n / 2], 2 * (double)y, 1e-5 * fabs((double)y) + 1e-12);
    thesis_gas_destroy(&gas);
}

static void variants(void **state)
{
    static const size_t sizes[] = {1, 2, 63, 65, 517, 1031};
    (void)state;
    for (size_t b = 0; thesis_gas_build_at(b); b++) {
        const struct thesis_gas_build *build = thesis_gas_build_at(b);
        for (size_t v = 0; v < build->count; v++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (size_t threads = 1; threads <= 3; threads++)
                    check(build, &build->variants[v], sizes[s], threads);
    }
}

/* Only every stride-th source (MTI) or target (MTJ) counts. */
static void strides(void **state)
{
    enum { N = 101 };
    (void)state;
    for (size_t stride = 1; stride <= 8; stride++) {
        struct thesis_gas gas, part;
        const struct thesis_gas_build *build = thesis_gas_build();
        assert_true(thesis_gas_create(&gas, N, 1, 1));
        gas.stride = stride;
        thesis_gas_variant(build, "mtj")->accelerate(&gas);
        for (size_t i = 0; i < N; i++) {
            double ax, ay;
            thesis_gas_direct(&gas, i, &ax, &ay);
            const double wanted = i % stride ? 0 : ax * (double)gas.dt;
            assert_near((double)gas.vx[i], wanted, 1e-5 * fabs(ax) * (double)gas.dt + 1e-12);
        }
        thesis_gas_destroy(&gas);
        assert_true(thesis_gas_create(&gas, N, 1, 1));
        assert_true(thesis_gas_create(&part, (N + stride - 1) / stride, 1, 1));
        for (size_t j = 0; j < part.n; j++) {
            part.x[j] = gas.x[j * stride];
            part.y[j] = gas.y[j * stride];
        }
        gas.stride = stride;
        thesis_gas_variant(build, "mti")->accelerate(&gas);
        double ax, ay;
        thesis_gas_direct(&part, 0, &ax, &ay);
        assert_near((double)gas.vx[0], ax * (double)gas.dt, 1e-5 * fabs(ax) * (double)gas.dt);
        thesis_gas_destroy(&gas);
        thesis_gas_destroy(&part);
    }
}

/* Positions move with the new velocities; a particle outside turns round. */
static void moves(void **state)
{
    struct thesis_gas gas;
    (void)state;
    assert_true(thesis_gas_create(&gas, 3, 2, 1));
    gas.dt = 0.5f;
    const float x[] = {1, 999.5f, -1}, v[] = {2, 4, 1};
    for (size_t i = 0; i < 3; i++) {
        gas.x[i] = x[i];
        gas.vx[i] = v[i];
    }
    thesis_gas_move(&gas);
    assert_true(gas.x[0] == 2 && gas.vx[0] == 2);
    assert_true(gas.x[1] == 1001.5f && gas.vx[1] == -4);
    assert_true(gas.x[2] == -0.5f && gas.vx[2] == 1);
    thesis_gas_destroy(&gas);
}

/* rms of the difference from all pairs over the rms of all pairs. */
static double cells_error(struct thesis_gas_cells *cells)
{
    const struct thesis_gas *gas = &cells->gas;
    double difference = 0, size = 0;
    for (size_t i = 0; i < gas->n; i++) {
        double ax, ay;
        thesis_gas_cells_direct(cells, i, &ax, &ay);
        const double x = (double)gas->vx[i] / (double)gas->dt - ax,
                     y = (double)gas->vy[i] / (double)gas->dt - ay;
        difference += x * x + y * y;
        size += ax * ax + ay * ay;
    }
    return sqrt(difference / size);
}

/* Schemes err by what they leave out, all pairs by rounding; lists and tests are the same scheme. */
static void cells(void **state)
{
    enum { N = 2001, COLUMNS = 15 };
    static const double bounds[] = {[THESIS_GAS_FULL] = 1e-5,
                                    [THESIS_GAS_TILED1] = 0.02,
                                    [THESIS_GAS_TILED2] = 0.05,
                                    [THESIS_GAS_TILED3] = 0.05};
    (void)state;
    for (int real = 0; real < 2; real++)
        for (size_t threads = 1; threads <= 3; threads++) {
            double errors[4];
            for (int zones = THESIS_GAS_FULL; zones <= THESIS_GAS_TILED3; zones++) {
                struct thesis_gas_cells c;
                assert_true(thesis_gas_cells_create(&c, (enum thesis_gas_zones)zones, N, threads, COLUMNS,
                                                    false, real));
                thesis_gas_cells_accelerate(&c);
                errors[zones] = cells_error(&c);
                assert_true(errors[zones] <= bounds[zones]);
                thesis_gas_cells_destroy(&c);
            }
            assert_true(errors[THESIS_GAS_TILED1] > 1e-5 && errors[THESIS_GAS_TILED2] > 1e-5);
            assert_near(errors[THESIS_GAS_TILED3], errors[THESIS_GAS_TILED2], 1e-5);
        }
}

/* All particles in one cell, every other one empty: all pairs are near. */
static void one_cell(void **state)
{
    (void)state;
    struct thesis_gas_cells c;
    assert_true(thesis_gas_cells_create(&c, THESIS_GAS_TILED3, 301, 2, 12, false, false));
    for (size_t i = 0; i < c.gas.n; i++) {
        c.gas.x[i] = c.side * (11 + c.gas.x[i] / 1001);
        c.gas.y[i] = c.side * c.gas.y[i] / 1001;
    }
    thesis_gas_cells_accelerate(&c);
    assert_true(cells_error(&c) <= 1e-5);
    thesis_gas_cells_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants), cmocka_unit_test(strides),  cmocka_unit_test(moves),
        cmocka_unit_test(cells),    cmocka_unit_test(one_cell),
    };
    omp_set_dynamic(0);
    return cmocka_run_group_tests_name("thesis-gas-cpu", tests, NULL, NULL);
}
