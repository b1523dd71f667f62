/* The cell schemes of the gas: kernels against the same scheme in double precision, to rounding, and against
 * all pairs, to what each scheme may lose. */
#include "fixture.h"
#include "harness.h"
#include "naive.h"

#include "gas/thesis/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How particles stand. */
enum state {
    UNIFORM,
    DROPLETS, /* 60 % in three droplets, the first in cell 0 */
    ONE_CELL, /* all of them; every other cell is empty */
    BORDERS,  /* on borders and corners of cells and on the faces of the box */
    STATES
};

struct setup {
    enum state state;
    size_t n;
    struct shoal_gas_params params; /* without `thesis` */
    struct shoal_gas_thesis thesis;
};

/* A gas on the device with the method alone, no motion. */
struct gas {
    struct gas_box box;
    struct shoal_gas_thesis thesis;
    uint32_t *cell;
    struct scheme_force *got, *wanted;
    uint32_t *id;
};

static const double width = 1000, height = 900;

static double uniform(uint32_t word)
{
    return (word >> 8) * 0x1p-24;
}

static void place_particles(const struct setup *setup, double side, double *position)
{
    const size_t n = setup->n;
    const double centres[3][2] = {
        {0.4 * side, 0.45 * side}, {0.7 * width, 0.3 * height}, {0.55 * width, 0.8 * height}};
    uint32_t *words = harness_memory((4 * n + 8) * sizeof *words);
    harness_words(words, 4 * n, 3);
    for (size_t i = 0; i < n; i++) {
        double x = width * uniform(words[4 * i]), y = height * uniform(words[4 * i + 1]);
        if (setup->state == DROPLETS && i % 5 < 3) {
            const double r = 30 * sqrt(-2 * log(1 - uniform(words[4 * i + 2])));
            const double angle = 6.283185307179586 * uniform(words[4 * i + 3]);
            x = fabs(centres[i % 3][0] + r * cos(angle));
            y = fabs(centres[i % 3][1] + r * sin(angle));
        } else if (setup->state == ONE_CELL) {
            x = side * (2 + uniform(words[4 * i]));
            y = side * (1 + uniform(words[4 * i + 1]));
        } else if (setup->state == BORDERS) {
            x = fmin(side * (words[4 * i] % 11), width);
            y = i % 3 ? fmin(side * (words[4 * i + 1] % 11), height) : y;
        }
        position[2 * i] = fmin(x, width);
        position[2 * i + 1] = fmin(y, height);
    }
}

/* The cell on an axis as the layout of the coordinates defines it. */
static uint32_t cell_along(const struct gas *gas, double x, size_t axis, uint32_t count, double side)
{
    const double unit = gas->box.device.problem.length[axis] / 0x1p30;
    double cell = floor(x / side);
    if (gas->box.device.precision != SHOAL_GAS_DOUBLE)
        cell = floor(rint(x / unit) / ceil(side / (unit * (1 + 1e-12))));
    return cell < 0 ? 0 : cell >= count ? count - 1 : (uint32_t)cell;
}

/* Positions and ids in an order that is not that of the numbers, as a device has them. */
static void upload_particles(struct gas *gas)
{
    struct gas_box *box = &gas->box;
    struct gas_device *device = &box->device;
    const size_t n = device->problem.n, bytes = device->position_bytes;
    uint32_t *id = harness_memory(device->padded * sizeof *id);
    for (size_t place = 0; place < device->padded; place++)
        id[place] = (uint32_t)(place < n ? (place + n / 2) % n : place);
    for (size_t place = 0; place < n; place++)
        for (size_t axis = 0; axis < 2; axis++) {
            double *x = &box->place[2 * id[place] + axis];
            *x = gas_box_put(box, box->raw + place * bytes, axis, *x);
        }
    assert_ok(shoal_buffer_write(harness.queue, device->position, 0, box->raw, n * bytes, &test_error));
    assert_ok(shoal_buffer_write(harness.queue, device->id, 0, id, device->padded * sizeof *id, &test_error));
}

static size_t begin(struct gas *gas, const struct setup *setup)
{
    test_label("state %d, n %zu, scheme %d, far %d, adder %d, sort %d, precision %d, potential %d",
               (int)setup->state, setup->n, (int)setup->thesis.scheme, (int)setup->thesis.far,
               (int)setup->thesis.adder, (int)setup->thesis.sort, (int)setup->params.precision,
               (int)setup->params.potential);
    memset(gas, 0, sizeof *gas);
    gas->box.params = setup->params;
    gas->thesis = setup->thesis;
    gas->box.params.thesis = &gas->thesis;
    gas->box.params.particles = setup->n;
    gas->box.params.width = width;
    gas->box.params.height = height;
    gas->box.params.boundary_x = gas->box.params.boundary_y = SHOAL_GAS_WALLS;
    gas->box.params.start = SHOAL_GAS_LATTICE;
    struct gas_device *device = &gas->box.device;
    assert_ok(gas_problem_create(harness.shoal, &gas->box.params, &device->problem, &test_error));
    gas_box_open(&gas->box, (enum shoal_gas_precision)setup->params.precision);
    const size_t n = device->problem.n, columns = cells_columns(&device->problem);
    gas->cell = harness_memory(n * sizeof *gas->cell);
    gas->got = harness_memory(n * sizeof *gas->got);
    gas->wanted = harness_memory(n * sizeof *gas->wanted);
    gas->id = harness_memory(n * sizeof *gas->id);
    struct setup sized = *setup;
    sized.n = n;
    place_particles(&sized, width / (double)columns, gas->box.place);
    upload_particles(gas);
    device->acceleration = gas_box_buffer(device->padded * device->velocity_bytes);
    device->energy = gas_box_buffer(device->padded * 8);
    device->virial = gas_box_buffer(device->padded * 8);
    return n;
}

static void end(struct gas *gas)
{
    gas_cells_method.base.destroy(&gas->box.solver);
    chosen_free(&gas->box.solver.method.chosen);
    gas_box_destroy(&gas->box);
    harness_release();
}

/* What the method makes of the particles, by number. */
static void find_forces(struct gas *gas, bool energies)
{
    const struct gas_device *device = &gas->box.device;
    const size_t n = device->problem.n;
    const bool wide = device->precision != SHOAL_GAS_SINGLE;
    assert_ok(gas_cells_method.forces(&gas->box.solver, energies, &test_error));
    void *acceleration = harness_memory(n * device->velocity_bytes), *energy = harness_memory(n * 8),
         *virial = harness_memory(n * 8);
    harness_read(device->acceleration, acceleration, n * device->velocity_bytes);
    harness_read(device->energy, energy, n * (wide ? 8 : 4));
    harness_read(device->virial, virial, n * (wide ? 8 : 4));
    harness_read(device->id, gas->id, n * sizeof *gas->id);
    uint8_t *seen = harness_memory(n);
    memset(seen, 0, n);
    for (size_t place = 0; place < n; place++) {
        const uint32_t id = gas->id[place];
        assert_true(id < n && !seen[id]);
        seen[id] = 1;
        const double *a = acceleration, *e = energy, *v = virial;
        const float *fa = acceleration, *fe = energy, *fv = virial;
        gas->got[id] = wide ? (struct scheme_force){a[2 * place], a[2 * place + 1], e[place], v[place]}
                            : (struct scheme_force){(double)fa[2 * place], (double)fa[2 * place + 1],
                                                    (double)fe[place], (double)fv[place]};
    }
}

/* By cell, and in a cell by number. */
static void check_order(const struct gas *gas)
{
    for (size_t place = 1; place < gas->box.device.problem.n; place++) {
        const uint32_t before = gas->id[place - 1], id = gas->id[place];
        assert_true(gas->cell[before] < gas->cell[id] || (gas->cell[before] == gas->cell[id] && before < id));
    }
}

static void check(const struct setup *setup)
{
    char kind[40];
    snprintf(kind, sizeof kind, "far %d, adder %d", (int)setup->thesis.far, (int)setup->thesis.adder);
    if (!harness_takes_case_of(kind))
        return;
    struct gas gas;
    const size_t n = begin(&gas, setup);
    const struct gas_problem *problem = &gas.box.device.problem;
    const uint32_t columns = cells_columns(problem);
    const double side = width / columns;
    const uint32_t rows = (uint32_t)ceil(height / side * (1 - 1e-12));
    for (size_t i = 0; i < n; i++)
        gas.cell[i] = cell_along(&gas, gas.box.place[2 * i + 1], 1, rows, side) * columns +
                      cell_along(&gas, gas.box.place[2 * i], 0, columns, side);
    assert_ok(gas_cells_method.base.fits(&gas_cells_method.base, problem, harness.info, &test_error));
    assert_ok(gas_cells_method.base.create(&gas.box.solver, &test_error));
    scheme_forces(problem, gas.box.place, gas.cell, side, columns, rows, gas.wanted);
    const double epsilon = setup->params.precision == SHOAL_GAS_DOUBLE ? 1e-15 : 1e-7;
    double size = 0, energy = 0, virial = 0, energy_size = 0, virial_size = 0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, hypot(gas.wanted[i].x, gas.wanted[i].y));
        energy += gas.wanted[i].energy;
        virial += gas.wanted[i].virial;
        energy_size += fabs(gas.wanted[i].energy);
        virial_size += fabs(gas.wanted[i].virial);
    }
    /* Twice, with energies and without: the second time from the order that the first has left. */
    for (int energies = 1; energies >= 0; energies--) {
        find_forces(&gas, energies);
        check_order(&gas);
        /* Positions in a cell are rounded to 2^-24 of it, sums have n terms. */
        assert_at_most(scheme_distance(gas.got, gas.wanted, n), 100 * epsilon);
        for (size_t i = 0; i < n; i++)
            assert_at_most(hypot(gas.got[i].x - gas.wanted[i].x, gas.got[i].y - gas.wanted[i].y),
                           300 * epsilon * size);
        if (!energies)
            break;
        double got_energy = 0, got_virial = 0;
        for (size_t i = 0; i < n; i++) {
            got_energy += gas.got[i].energy;
            got_virial += gas.got[i].virial;
        }
        assert_near(got_energy, energy, 100 * epsilon * energy_size);
        assert_near(got_virial, virial, 100 * epsilon * virial_size);
    }
    end(&gas);
}

static struct setup setup_of(enum state state, size_t n, enum shoal_gas_scheme scheme)
{
    struct setup setup = {.state = state, .n = n};
    shoal_gas_params_init(&setup.params);
    shoal_gas_thesis_init(&setup.thesis);
    setup.params.potential = SHOAL_GAS_LOG;
    setup.params.attraction = 1;
    setup.params.softening = 1;
    setup.params.mass = 2;
    setup.thesis.scheme = (int32_t)scheme;
    setup.thesis.cells = harness.tiny ? 4 : 14;
    setup.thesis.middle_radius = harness.tiny ? 2.5 : 5;
    return setup;
}

static size_t particles(void)
{
    return harness.tiny ? 37 : 1531;
}

static void schemes(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= SHOAL_GAS_SCHEME_TILED3; scheme++)
        for (int at = 0; at < STATES; at++) {
            const struct setup setup = setup_of((enum state)at, particles(), (enum shoal_gas_scheme)scheme);
            check(&setup);
        }
}

/* One cell near, no middle zone, all near, one cell. */
static void zones(void **state)
{
    (void)state;
    static const double radii[][2] = {{1, 5}, {1, 1}, {3.2, 3.2}, {30, 30}};
    for (int scheme = 0; scheme <= SHOAL_GAS_SCHEME_TILED3; scheme++)
        for (size_t k = 0; k < (harness.tiny ? 1 : sizeof radii / sizeof *radii); k++) {
            struct setup setup = setup_of(DROPLETS, particles(), (enum shoal_gas_scheme)scheme);
            setup.thesis.near_radius = radii[k][0];
            setup.thesis.middle_radius = radii[k][1];
            check(&setup);
            setup.thesis.cells = 1;
            if (k == 0)
                check(&setup);
        }
}

static void far_kernels_and_adders(void **state)
{
    (void)state;
    for (int far = 0; far <= SHOAL_GAS_FAR_HA3; far++)
        for (int adder = 0; adder <= SHOAL_GAS_KADDER; adder++) {
            struct setup setup =
                setup_of(DROPLETS, particles(), adder ? SHOAL_GAS_SCHEME_TILED3 : SHOAL_GAS_SCHEME_TILED2);
            setup.thesis.far = far;
            setup.thesis.adder = adder;
            setup.thesis.middle_radius = 2;
            check(&setup);
        }
    struct setup setup = setup_of(DROPLETS, particles(), SHOAL_GAS_SCHEME_CORRECTED);
    setup.thesis.adder = SHOAL_GAS_KADDER;
    check(&setup);
}

static void sorts_on_the_host(void **state)
{
    (void)state;
    for (int sort = SHOAL_GAS_SORT_V1; sort <= SHOAL_GAS_SORT_V2; sort++)
        for (int at = 0; at < STATES; at++)
            for (int precision = SHOAL_GAS_SINGLE; precision <= SHOAL_GAS_DOUBLE;
                 precision += SHOAL_GAS_DOUBLE) {
                struct setup setup = setup_of((enum state)at, particles(), SHOAL_GAS_SCHEME_TILED3);
                setup.thesis.sort = sort;
                setup.params.precision = precision;
                if (precision == SHOAL_GAS_SINGLE || harness_has_fp64())
                    check(&setup);
            }
}

static void precisions(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (int precision = SHOAL_GAS_MIXED; precision <= SHOAL_GAS_DOUBLE; precision++)
        for (int scheme = 0; scheme <= SHOAL_GAS_SCHEME_TILED3; scheme++) {
            struct setup setup = setup_of(DROPLETS, particles(), (enum shoal_gas_scheme)scheme);
            setup.params.precision = precision;
            check(&setup);
        }
}

/* 1: all sizes around a work-group; the end of a near cell is never a multiple of the unrolled loop. */
static void numbers_of_particles(void **state)
{
    (void)state;
    for (const size_t *n = harness_sizes(); *n && *n < 3000; n++) {
        if (*n < 2)
            continue;
        const struct setup setup = setup_of(UNIFORM, *n, SHOAL_GAS_SCHEME_CORRECTED);
        check(&setup);
    }
}

static void real_gas(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= SHOAL_GAS_SCHEME_TILED3; scheme++)
        for (int cut = SHOAL_GAS_CUT_TRUNCATED; cut <= SHOAL_GAS_CUT_FORCE_SHIFTED; cut += 2) {
            struct setup setup = setup_of(UNIFORM, particles(), (enum shoal_gas_scheme)scheme);
            setup.params.potential = SHOAL_GAS_REAL;
            setup.params.cut = cut;
            setup.params.cutoff = 40;
            setup.params.repulsion = 2000;
            setup.params.short_attraction = 30;
            check(&setup);
        }
}

/* All pairs: what the scheme itself loses. Bounds are some twice what it measures here; the figures for large
 * numbers come from the benchmark suite. */
static void against_all_pairs(void **state)
{
    (void)state;
    static const struct {
        enum shoal_gas_scheme scheme;
        double near_radius, uniform, droplets;
    } bounds[] = {
        {SHOAL_GAS_SCHEME_CORRECTED, 2, 3e-3, 2e-3}, {SHOAL_GAS_SCHEME_CORRECTED, 1, 5e-2, 0.13},
        {SHOAL_GAS_SCHEME_TILED1, 2, 1e-2, 2e-2},    {SHOAL_GAS_SCHEME_TILED11, 1, 6e-2, 0.36},
        {SHOAL_GAS_SCHEME_TILED2, 2, 3e-2, 3e-2},    {SHOAL_GAS_SCHEME_TILED3, 1, 7e-2, 0.36},
    };
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds && !harness.tiny; k++) {
        if (!harness_takes_case())
            continue;
        double worst = 0, tolerance = 0;
        for (int at = UNIFORM; at <= DROPLETS; at++) {
            struct setup setup = setup_of((enum state)at, 3001, bounds[k].scheme);
            struct gas gas;
            setup.thesis.near_radius = bounds[k].near_radius;
            const size_t n = begin(&gas, &setup);
            assert_ok(gas_cells_method.base.create(&gas.box.solver, &test_error));
            find_forces(&gas, false);
            direct_forces(&gas.box.device.problem, gas.box.place, gas.wanted);
            const double distance = scheme_distance(gas.got, gas.wanted, n);
            print_message("scheme %d, near radius %g, %s: %.2e of the accelerations\n",
                          (int)setup.thesis.scheme, setup.thesis.near_radius, at ? "droplets" : "uniform",
                          distance);
            assert_at_most(distance, at ? bounds[k].droplets : bounds[k].uniform);
            worst = fmax(worst, distance);
            tolerance = gas_cells_method.force_tolerance(&gas.box.solver);
            end(&gas);
        }
        /* What runs are allowed: no less, and not so much that nothing would ever be found. */
        const double generous = bounds[k].near_radius > 1 ? 7 : 2.5;
        print_message("scheme %d, near radius %g: %.2e is allowed\n", (int)bounds[k].scheme,
                      bounds[k].near_radius, tolerance);
        assert_true(worst < tolerance && tolerance < generous * worst);
    }
}

/* The same bits again. */
static void repeats(void **state)
{
    (void)state;
    const struct setup setup = setup_of(DROPLETS, particles(), SHOAL_GAS_SCHEME_CORRECTED);
    struct gas gas;
    const size_t n = begin(&gas, &setup);
    assert_ok(gas_cells_method.base.create(&gas.box.solver, &test_error));
    find_forces(&gas, true);
    memcpy(gas.wanted, gas.got, n * sizeof *gas.got);
    find_forces(&gas, true);
    assert_memory_equal(gas.got, gas.wanted, n * sizeof *gas.got);
    end(&gas);
}

/* Runs -------------------------------------------------------------------------------------------------- */

/* A run that stops, is saved and goes on in another solver has the bits of one that does not, and so have
 * runs that sort elsewhere: the order of the particles follows from where they are. */
static void runs_continue(void **state)
{
    (void)state;
    const char *path = test_path("cells.state");
    struct setup setup = setup_of(UNIFORM, harness.tiny ? 61 : 701, SHOAL_GAS_SCHEME_CORRECTED);
    struct shoal_gas_params params = setup.params;
    size_t count = 0;
    double *first = NULL, *values = NULL;
    params.thesis = &setup.thesis;
    params.particles = setup.n;
    params.width = width;
    params.height = height;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    params.method = SHOAL_GAS_CELLS;
    params.start = SHOAL_GAS_RANDOM;
    params.steps = 12;
    params.thermo = 5;
    params.dt = 0.5;
    for (int sort = SHOAL_GAS_SORT_DEVICE; sort <= SHOAL_GAS_SORT_V2; sort++)
        for (int stops = 0; stops < 2; stops++) {
            if (!harness_takes_case())
                continue;
            setup.thesis.sort = sort;
            struct shoal_solver *solver = gas_run_open(&params, false);
            run_steps(solver, stops ? 7 : 12);
            if (stops) {
                assert_ok(shoal_solver_save(solver, path, &test_error));
                shoal_solver_destroy(&solver);
                solver = gas_run_open(&params, false);
                assert_ok(shoal_solver_load(solver, path, &test_error));
                run_steps(solver, 5);
            }
            if (!first) {
                assert_ok(shoal_solver_state(solver, NULL, 0, &count, &test_error));
                first = harness_memory(count * sizeof *first);
                values = harness_memory(count * sizeof *values);
            }
            double *to = sort == SHOAL_GAS_SORT_DEVICE && !stops ? first : values;
            assert_ok(shoal_solver_state(solver, to, count, &count, &test_error));
            assert_memory_equal(to, first, count * sizeof *first);
            shoal_solver_destroy(&solver);
        }
}

static void refuse_setup(const struct setup *setup, const char *part)
{
    struct gas gas;
    begin(&gas, setup);
    assert_status(gas_cells_method.base.fits(&gas_cells_method.base, &gas.box.device.problem, harness.info,
                                             &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, part);
    end(&gas);
}

static void refused(void **state)
{
    (void)state;
    struct setup setup = setup_of(UNIFORM, 40, SHOAL_GAS_SCHEME_TILED3);
    setup.params.potential = SHOAL_GAS_REAL;
    setup.params.repulsion = 10;
    setup.params.short_attraction = 1;
    setup.thesis.cells = 50;
    setup.params.cutoff = 21;
    refuse_setup(&setup, "near cells");
    setup.params.cutoff = 15;
    setup.thesis.near_radius = 1;
    refuse_setup(&setup, "near cells");
    setup.thesis.near_radius = 2;
    struct gas gas;
    begin(&gas, &setup);
    assert_ok(gas_cells_method.base.fits(&gas_cells_method.base, &gas.box.device.problem, harness.info,
                                         &test_error));
    end(&gas);
    /* As few cells as the cutoff asks for. */
    setup.thesis.cells = 0;
    setup.params.cutoff = 100;
    begin(&gas, &setup);
    assert_int_equal(cells_columns(&gas.box.device.problem), 10);
    assert_ok(gas_cells_method.base.fits(&gas_cells_method.base, &gas.box.device.problem, harness.info,
                                         &test_error));
    end(&gas);
    /* What is refused where cells are asked for must not be taken where they were tuned. */
    setup = setup_of(UNIFORM, 40, SHOAL_GAS_SCHEME_CORRECTED);
    setup.params.method = SHOAL_GAS_AUTO;
    setup.thesis.cells = 0;
    setup.thesis.middle_radius = NAN;
    setup.params.potential = SHOAL_GAS_LOG_REPULSION;
    setup.params.repulsion = 10;
    refuse_setup(&setup, "log and real");
    setup = setup_of(UNIFORM, 40, SHOAL_GAS_SCHEME_TILED3);
    setup.thesis.middle_radius = 5;
    setup.thesis.cells = 4096;
    refuse_setup(&setup, "middle-radius 5 of each");
    setup.thesis.far = SHOAL_GAS_FAR_HA1;
    refuse_setup(&setup, "tables");
}

/* Numbers of cells as the thesis has them, and how far the near zone holds all pairs. */
static void lattice(void **state)
{
    (void)state;
    assert_int_equal(cells_within(1), 1);
    assert_int_equal(cells_within(2), 9);
    assert_int_equal(cells_within(10) - cells_within(2), 296);
    assert_true(cells_near_range(1) == 0);
    assert_true(cells_near_range(1.2) == 0);
    assert_true(cells_near_range(2) == 1);
    assert_true(cells_near_range(3) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice),
        cmocka_unit_test(schemes),
        by_turn(zones),
        by_turn(far_kernels_and_adders),
        cmocka_unit_test(sorts_on_the_host),
        cmocka_unit_test(precisions),
        cmocka_unit_test(numbers_of_particles),
        cmocka_unit_test(real_gas),
        cmocka_unit_test(against_all_pairs),
        cmocka_unit_test(repeats),
        cmocka_unit_test(runs_continue),
        cmocka_unit_test(refused),
    };
    return harness_main("gas_cells", tests, sizeof tests / sizeof *tests);
}
