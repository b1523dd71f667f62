/* From parameters to a gas: boxes, constants, and every combination that is refused. */
#include "fixture.h"
#include "unit.h"

#include "gas/device/device.h"
#include "gas/model/problem.h"

#include <math.h>

static void walls(void)
{
    input.boundary_x = input.boundary_y = SHOAL_GAS_WALLS;
}

/* Options ---------------------------------------------------------------------------------------------- */

static void test_options(void **state)
{
    (void)state;
    /* Each field that is a number, a choice or a file has an option, and no two have the same. */
    size_t bytes = sizeof input.size;
    for (size_t i = 0; i < GAS_OPTIONS; i++) {
        const struct shoal_option *option = &gas_options[i];
        assert_true(strlen(option->name) <= 20 && option->help[0]);
        if (option->offset < sizeof input)
            bytes += option->type == SHOAL_OPTION_CHOICE ? sizeof(int32_t) : sizeof(double);
        for (size_t k = 0; k < i; k++)
            assert_true(gas_options[k].offset != option->offset);
    }
    /* Callbacks and their data are no options; padding of the 32-bit choices is less than another field. */
    assert_true(bytes + 4 * sizeof(void *) <= sizeof input);
    assert_true(bytes + 4 * sizeof(void *) + 12 * sizeof(int32_t) > sizeof input);
}

static void test_defaults(void **state)
{
    (void)state;
    make();
    assert_int_equal(built.n, 4096);
    assert_int_equal(built.dim, 2);
    assert_close(built.length[0], sqrt(4096 / 0.4), 1e-14);
    assert_close(built.volume, 4096 / 0.4, 1e-14);
    assert_true(built.length[1] == built.length[0] && built.length[2] == 1);
    assert_true(built.kind == GAS_PAIR_LJ && built.cut == SHOAL_GAS_CUT_FORCE_SHIFTED);
    assert_true(built.any_periodic && !built.any_wall);
    assert_true(built.pair.cutoff == 2.5 && built.pair.lj12 == 4 && built.pair.lj6 == 4);
    assert_close(built.pair.shift_energy, 4 * (pow(0.4, 12) - pow(0.4, 6)), 1e-14);
    assert_close(built.pair.shift_force, 24 * 0.4 * (pow(0.4, 6) - 2 * pow(0.4, 12)), 1e-14);
    assert_true(built.degrees == 2 * 4095.0);
    assert_true(built.wall_temperature == 1);
    input.wall_temperature = 3;
    input.boundary_x = SHOAL_GAS_WALLS;
    input.wall_left = SHOAL_GAS_WALL_THERMAL;
    make();
    assert_true(built.wall_temperature == 3);
    gas_problem_destroy(&built);
    gas_problem_destroy(&built);
}

static void test_degrees(void **state)
{
    (void)state;
    input.boundary_y = SHOAL_GAS_WALLS;
    make();
    assert_true(built.degrees == 2 * 4096.0 - 1);
    input.boundary_y = SHOAL_GAS_OPEN;
    input.field_x = 0.1;
    make();
    assert_true(built.degrees == 2 * 4096.0 - 1);
    input.thermostat = SHOAL_GAS_LANGEVIN;
    make();
    assert_true(built.degrees == 2 * 4096.0);
    /* Such a wall changes the velocity along itself, too. */
    init_input();
    input.boundary_y = SHOAL_GAS_WALLS;
    input.wall_top = SHOAL_GAS_WALL_THERMAL;
    make();
    assert_true(built.degrees == 2 * 4096.0);
    init_input();
    input.particles = 1;
    input.width = input.height = 20;
    make();
    assert_true(built.degrees == 2);
    assert_close(built.velocity[0] * built.velocity[0] + built.velocity[1] * built.velocity[1], 2, 1e-14);
}

static void test_boxes(void **state)
{
    (void)state;
    input.width = 32;
    input.density = 0.5;
    make();
    assert_close(built.length[1], 4096 / 0.5 / 32, 1e-14);
    input.density = NAN;
    input.height = 100;
    make();
    assert_true(built.length[0] == 32 && built.length[1] == 100 && built.volume == 3200);
    init_input();
    input.dim = 3;
    input.density = 0.8442;
    input.height = 12;
    make();
    assert_close(built.length[0], sqrt(4096 / 0.8442 / 12), 1e-14);
    assert_true(built.length[2] == built.length[0] && built.length[1] == 12);
}

static void test_refused_boxes(void **state)
{
    (void)state;
    input.width = input.height = 50;
    input.density = 0.3;
    refuse("density and the whole box");
    input.particles = 20;
    input.density = 1;
    refuse("--cutoff 2.5 is larger than half the periodic box, which is 4.47214 long along x");
    input.dim = 3;
    input.particles = 40;
    refuse("larger than half the periodic box");
    input.cutoff = 0;
    refuse("without cutoff does not fit a periodic box");
    input.cutoff = INFINITY;
    refuse("without cutoff does not fit a periodic box");
    input.rdf_bins = 10;
    input.rdf_range = 60;
    refuse("--rdf-range 60 is larger than half");
    input.cluster_distance = 51;
    refuse("--cluster-distance 51 is larger than half");
    input.density = 1e6;
    input.width = 1e6;
    refuse("the box is 4.096e-09 long along y, allowed are 1e-06 to 1e+15");
    /* The box of the same particles is fine where the ends are open. */
    input.boundary_x = input.boundary_y = SHOAL_GAS_OPEN;
    input.particles = 20;
    input.density = 1;
    input.cutoff = 0;
    make();
    assert_true(isinf(built.pair.cutoff2) && isinf(built.pair.cutoff));
}

/* Pair forces ------------------------------------------------------------------------------------------ */

static void test_laws(void **state)
{
    (void)state;
    input.potential = SHOAL_GAS_WCA;
    input.sigma = 1.5;
    make();
    assert_true(built.kind == GAS_PAIR_LJ && built.cut == SHOAL_GAS_CUT_SHIFTED);
    assert_close(built.pair.cutoff, 1.5 * pow(2, 1.0 / 6), 1e-14);
    assert_close(built.pair.shift_energy, -1, 1e-14);
    init_input();
    walls();
    input.potential = SHOAL_GAS_LOG;
    make();
    assert_true(built.kind == GAS_PAIR_LOG && isinf(built.pair.cutoff2));
    assert_true(built.pair.attraction == 1 && built.pair.softening2 == 0.0625);
    assert_true(built.pair.repulsion == 0 && built.cut != SHOAL_GAS_CUT_DEFAULT);
    input.potential = SHOAL_GAS_LOG_REPULSION;
    input.attraction = 3;
    input.softening = 0.5;
    make();
    assert_true(built.pair.repulsion == 3 * 1.25);
    input.repulsion = 7;
    make();
    assert_true(built.pair.repulsion == 7);
    init_input();
    walls();
    input.potential = SHOAL_GAS_REAL;
    make();
    assert_true(built.pair.attraction == 1e-4 && built.pair.short_attraction == 2);
    assert_true(built.pair.cutoff == 2.5 && built.cut == SHOAL_GAS_CUT_FORCE_SHIFTED);
    /* The least energy of a pair of any law with repulsion is at distance 1, where the cut is truncated. */
    input.cut = SHOAL_GAS_CUT_TRUNCATED;
    make();
    double force;
    gas_pair_evaluate(&built, &built.pair, 1, &force, NULL);
    assert_near(force, 0, 1e-14);
}

static void test_refused_laws(void **state)
{
    (void)state;
    static const int32_t long_laws[] = {SHOAL_GAS_LOG, SHOAL_GAS_LOG_REPULSION, SHOAL_GAS_REAL,
                                        SHOAL_GAS_GRAVITY};
    for (size_t i = 0; i < 4; i++) {
        input.potential = long_laws[i];
        refuse("no Ewald summation here");
        /* One periodic side is enough. */
        input.potential = long_laws[i];
        input.boundary_x = SHOAL_GAS_WALLS;
        refuse("no Ewald summation here");
    }
    input.potential = SHOAL_GAS_LOG;
    walls();
    input.cutoff = 3;
    refuse("--cutoff needs --potential lj, real or user");
    input.potential = SHOAL_GAS_WCA;
    input.cutoff = 3;
    refuse("--cutoff needs --potential lj, real or user");
    input.potential = SHOAL_GAS_REAL;
    walls();
    input.cutoff = 0;
    refuse("short part of real needs --cutoff");
    input.potential = SHOAL_GAS_REAL;
    walls();
    input.cutoff = 1;
    input.softening = 1;
    refuse("must be above --softening 1");
    input.potential = SHOAL_GAS_WCA;
    input.cut = SHOAL_GAS_CUT_SHIFTED;
    refuse("--cut needs --potential lj, real or user");
    input.cut = SHOAL_GAS_CUT_SHIFTED;
    input.cutoff = 0;
    walls();
    refuse("leave --cut out");
    input.cut = SHOAL_GAS_CUT_SMOOTHED;
    input.switch_radius = 2.5;
    refuse("less than --cutoff 2.5");
}

static void write_force(const char *name, const char *text)
{
    test_write_text(test_path("%s", name), text);
    input.pair_force = test_path("%s", name);
}

static const char soft_sphere[] = "#define CUTOFF 3.0\n"
                                  "static inline real user_force(real d)\n"
                                  "{\n    return R(2.0) / (d * d);\n}\n"
                                  "static inline real user_energy(real d)\n"
                                  "{\n    return R(1.0) / d;\n}\n";

static void test_user_forces(void **state)
{
    (void)state;
    write_force("soft.cl", soft_sphere);
    make();
    assert_true(built.kind == GAS_PAIR_USER && built.pair.cutoff == 3);
    assert_string_equal(built.pair_text, soft_sphere);
    assert_string_equal(built.pair_name, "soft.cl");
    assert_close(built.pair.shift_energy, 1.0 / 9, 1e-15);
    assert_close(built.pair.shift_force, -2.0 / 27, 1e-15);
    input.cutoff = 4;
    input.potential = SHOAL_GAS_USER;
    make();
    assert_true(built.pair.cutoff == 4);
}

/* The 50 distances are 0.03, 0.09 ... 2.97. */
static void test_forces_that_are_no_slope(void **state)
{
    (void)state;
    static const char head[] = "#define CUTOFF 3.0\n"
                               "static inline real user_energy(real d) { return R(1.0) / d; }\n";
    static const struct {
        const char *force, *part; /* NULL: it agrees */
    } cases[] = {
        {"return R(2.0) / (d * d);", NULL},
        {"return R(2.0004) / (d * d);", NULL},
        {"return R(2.01) / (d * d);", "at distance 0.03: by user_force the force is 74444.4444, by the "
                                      "derivative of user_energy 74074.074"},
        {"return R(-2.0) / (d * d);", "at distance 0.03: "},
        {"return R(1.0) / d;", "at distance 0.03: "},
        /* Wrong in a part of the range alone. */
        {"return d < R(4.0) ? R(2.0) / (d * d) : R(1.9) / (d * d);",
         "at distance 2.01: by user_force the force is 0.233"},
        {"return d < R(8.7) ? R(2.0) / (d * d) : R(0.0);",
         "at distance 2.97: by user_force the force is 0, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "%sstatic inline real user_force(real d) { %s }\n", head, cases[i].force);
        write_force("slope.cl", text);
        if (!cases[i].part)
            make();
        else
            refuse(cases[i].part);
    }
    /* Two pieces with a seam at 2.0099, within the longer step about 2.01; without cutoff up to the box. */
    write_force(
        "seam.cl",
        "#define CUTOFF 3.0\n"
        "static inline real user_energy(real d) { return d < R(4.03969801) ? R(1.0) / d : R(5.0) / d; }\n"
        "static inline real user_force(real d)\n"
        "{\n    return (d < R(4.03969801) ? R(2.0) : R(10.0)) / (d * d);\n}\n");
    make();
    write_force(
        "far.cl",
        "static inline real user_energy(real d) { return R(1.0) / d; }\n"
        "static inline real user_force(real d) { return d < R(900.0) ? R(2.0) / (d * d) : R(0.0); }\n");
    walls();
    input.cutoff = 0;
    refuse("far.cl: force and energy differ at distance 3");
}

static void test_refused_user_forces(void **state)
{
    (void)state;
    input.pair_force = test_path("absent.cl");
    refuse_as(SHOAL_IO, "cannot read pair force");
    test_write_file(test_path("binary.cl"), "a\0b", 3);
    input.pair_force = test_path("binary.cl");
    refuse_as(SHOAL_IO, "NUL");
    write_force("half.cl", "static inline real user_force(real d) { return d; }\n");
    refuse_as(SHOAL_IO, "half.cl defines no user_energy(real d)");
    write_force("bad.cl", "static inline real user_energy(real d) { return d; }\n\n"
                          "static inline real user_force(real d) { return d + nothing; }\n");
    gas_problem_destroy(&built);
    assert_status(gas_problem_create(shoal, &input, &built, &test_error), SHOAL_BUILD_FAILED);
    /* File and line of the user. */
    assert_contains(test_error.message, "bad.cl does not compile: bad.cl:3: ");
    assert_contains(test_error.log, "nothing");
    init_input();
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    /* Before a device is opened too. */
    assert_status(gas_check_input(shoal, &input, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "open.cl has no cutoff");
    input.cutoff = 0;
    assert_status(gas_check_input(shoal, &input, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "without cutoff does not fit a periodic box");
    input.cutoff = 2;
    assert_ok(gas_check_input(shoal, &input, &test_error));
    input.cutoff = NAN;
    refuse("open.cl has no cutoff");
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    input.cutoff = 0;
    refuse("without cutoff does not fit a periodic box");
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    input.cutoff = 0;
    walls();
    input.method = SHOAL_GAS_LIST;
    refuse("--method list needs a force that ends");
    write_force("end.cl", "#define CUTOFF -1.0\n"
                          "static inline real user_energy(real d) { return d; }\n"
                          "static inline real user_force(real d) { return R(-2.0); }\n");
    refuse("CUTOFF is -1");
    write_force("wide.cl", "#define CUTOFF 70.0\n"
                           "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    refuse("--cutoff 70 is larger than half");
    write_force("pole.cl", "#define CUTOFF 2.0\n"
                           "static inline real user_energy(real d) { return R(1.0) / (d - R(4.0)); }\n"
                           "static inline real user_force(real d) { return R(1.0); }\n");
    refuse("not finite at its cutoff 2");
}

/* Walls, motion, methods ------------------------------------------------------------------------------- */

static void test_refused_walls(void **state)
{
    (void)state;
    walls();
    input.wall_method = SHOAL_GAS_W4;
    refuse("do not interact");
    walls();
    input.wall_method = SHOAL_GAS_W4;
    input.epsilon = 0;
    make();
}

static void test_refused_motion(void **state)
{
    (void)state;
    input.pressure = 1;
    input.thermostat = SHOAL_GAS_RESCALE;
    input.field_x = 1;
    refuse("--pressure keeps the pressure of a uniform gas: leave out the field, or the pressure");
    input.thermostat = SHOAL_GAS_RESCALE;
    input.temperature = 0;
    refuse("temperature 0");
    input.thermostat = SHOAL_GAS_RESCALE;
    input.temperature_end = 0;
    refuse("temperature-end 0");
    input.temperature_end = 2;
    refuse("temperature-end");
    input.equilibration = 5;
    input.temperature = 0;
    refuse("temperature 0");
    input.thermostat = SHOAL_GAS_CHAIN;
    input.temperature = 0;
    refuse("temperature 0");
    input.thermostat = SHOAL_GAS_CHAIN;
    input.relaxation = 0.02;
    refuse("--relaxation 0.02 is shorter than 5 steps of --dt 0.005, which a chain cannot follow");
    input.steps = input.equilibration = 4000000000;
    refuse("together are more than");
}

static void test_refused_methods(void **state)
{
    (void)state;
    input.method = SHOAL_GAS_LIST;
    input.potential = SHOAL_GAS_REAL;
    walls();
    refuse("--method list needs a force that ends at a cutoff, real does not");
    input.method = SHOAL_GAS_LIST;
    input.cutoff = 0;
    walls();
    refuse("lj has none");
    input.skin = 0.3;
    input.cutoff = 0;
    walls();
    refuse("skin is for a pair force with a cutoff");
    input.work_group = 96;
    refuse("no power of two");
}

/* Steps of the grid: 2^-32 of a periodic box, 2^-30 of another. */
static void grid(double width, bool fine)
{
    input.width = input.height = width;
    gas_problem_destroy(&built);
    assert_ok(gas_problem_create(shoal, &input, &built, &test_error));
    const enum shoal_status status = gas_check_grid(&built, &test_error);
    if (!fine)
        assert_contains(test_error.message, "take --precision double");
    assert_int_equal(status, fine ? SHOAL_OK : SHOAL_INVALID);
}

static void test_grids(void **state)
{
    (void)state;
    input.particles = 100;
    grid(21000, true); /* 5e-6 * 2^32 = 21475 */
    grid(22000, false);
    input.mass = 0.25; /* twice as fast */
    grid(42000, true);
    input.mass = 1;
    input.dt = 0.0005;
    grid(2100, true);
    grid(2200, false);
    input.dt = 0.005;
    walls();
    grid(5300, true); /* 5e-6 * 2^30 = 5369 */
    grid(5400, false);
    input.boundary_y = SHOAL_GAS_PERIODIC;
    grid(5400, false);
    input.boundary_x = SHOAL_GAS_PERIODIC;
    grid(5400, true);
    /* The highest temperature of start, thermostat and walls. */
    walls();
    input.temperature = 0.01;
    grid(540, false);
    input.wall_left = SHOAL_GAS_WALL_THERMAL;
    input.wall_temperature = 4;
    grid(10600, true);
    grid(10800, false);
    /* Nothing is warm: the well of the pairs, and laws that never let go. */
    input.wall_left = SHOAL_GAS_WALL_REFLECT;
    input.wall_temperature = NAN;
    input.temperature = 0;
    grid(5300, true);
    grid(5400, false);
    input.epsilon = 4;
    grid(10600, true);
    input.epsilon = 0;
    grid(1e8, true);
    input.epsilon = 1;
    input.potential = SHOAL_GAS_LOG;
    grid(1e8, true);
}

/* A start file's velocities are what the temperature is not. */
static void test_grids_of_files(void **state)
{
    (void)state;
    char *path = NULL;
    assert_true(asprintf(&path, "%s/moving.xyz", test_folder()) > 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "2\nLattice=\"300 0 0 0 300 0 0 0 1\" Properties=species:S:1:pos:R:3:velo:R:3\n"
                  "A 10 10 0 0.01 0 0\nA 200 200 0 -0.01 0 0\n");
    fclose(file);
    input.start_file = path;
    grid(NAN, false); /* sqrt(1e-4 / 2) 0.005 1e-3 2^32 = 152 */
    input.thermostat = SHOAL_GAS_LANGEVIN;
    grid(NAN, true);
    free(path);
}

/* What holds where nothing is given, and what is given where it has an effect. */
static void test_values_not_given(void **state)
{
    (void)state;
    make();
    assert_true(built.wall_damping == 0.9 && built.wall_stiffness == 1000);
    assert_true(gas_friction_of(&input) == 1 && gas_relaxation_of(&input) == 0.5);
    assert_true(gas_droplet_density_of(&input) == 0.8 && gas_droplet_share_of(&input) == 0.5);
    input.boundary_x = SHOAL_GAS_WALLS;
    input.wall_method = SHOAL_GAS_W5;
    input.wall_stiffness = 70;
    input.friction = 2;
    input.thermostat = SHOAL_GAS_LANGEVIN;
    input.relaxation = 3;
    input.equilibration = 10;
    input.start = SHOAL_GAS_DROPLET;
    input.droplet_density = 0.7;
    input.skin = 0.3;
    make();
    assert_true(built.wall_stiffness == 70 && gas_friction_of(&input) == 2);
    assert_true(gas_relaxation_of(&input) == 3 && gas_droplet_density_of(&input) == 0.7);
    input.wall_method = SHOAL_GAS_W3;
    input.wall_stiffness = NAN;
    input.wall_right = SHOAL_GAS_WALL_DAMPING;
    input.wall_damping = 0.3;
    make();
    assert_true(built.wall_damping == 0.3);
}

static void test_devices(void **state)
{
    (void)state;
    struct shoal_device_info info = *shoal_device_get_info(shoal_device_at(shoal, 0));
    info.fp64 = false;
    assert_ok(gas_check_device(&input, &info, &test_error));
    input.precision = SHOAL_GAS_MIXED;
    assert_status(gas_check_device(&input, &info, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "no double precision");
    info.fp64 = true;
    assert_ok(gas_check_device(&input, &info, &test_error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_options),
        GAS_TEST(test_defaults),
        GAS_TEST(test_degrees),
        GAS_TEST(test_boxes),
        GAS_TEST(test_refused_boxes),
        GAS_TEST(test_laws),
        GAS_TEST(test_refused_laws),
        GAS_TEST(test_user_forces),
        GAS_TEST(test_refused_user_forces),
        GAS_TEST(test_forces_that_are_no_slope),
        GAS_TEST(test_refused_walls),
        GAS_TEST(test_refused_motion),
        GAS_TEST(test_refused_methods),
        GAS_TEST(test_values_not_given),
        GAS_TEST(test_devices),
        GAS_TEST(test_grids),
        GAS_TEST(test_grids_of_files),
    };
    return cmocka_run_group_tests_name("gas-problem", tests, NULL, NULL);
}
