/* From parameters to a gas: boxes, constants, starts, and every combination that is refused. */
#include "unit.h"

#include "gas/grid.h"
#include "gas/problem.h"
#include "gas/start.h"

#include <math.h>

/* As cmocka's fail_msg, whose last part unit.h takes away. */
#define FAIL(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

static struct shoal *shoal;
static struct shoal_gas_params params;
static struct gas_problem problem;

static int set_up(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    shoal_gas_params_init(&params);
    return 0;
}

static int tear_down(void **state)
{
    gas_problem_destroy(&problem);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static void make(void)
{
    gas_problem_destroy(&problem);
    assert_ok(gas_problem_create(shoal, &params, &problem, &unit_error));
}

static void refuse_as(enum shoal_status wanted, const char *part)
{
    gas_problem_destroy(&problem);
    assert_status(gas_problem_create(shoal, &params, &problem, &unit_error), wanted);
    assert_contains(unit_error.message, part);
    assert_lacks(unit_error.message, "\n");
    assert_null(problem.position);
    shoal_gas_params_init(&params);
}

/* Refused with one line that holds `part`; the parameters are the defaults again afterwards. */
static void refuse(const char *part)
{
    refuse_as(SHOAL_INVALID, part);
}

static void assert_close(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fmax(1, fabs(b))))
        FAIL("%.17g, should be %.17g\n", a, b);
}

static void walls(void)
{
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
}

/* Options ---------------------------------------------------------------------------------------------- */

static void test_options(void **state)
{
    (void)state;
    /* Each field that is a number, a choice or a file has an option, and no two have the same. */
    size_t bytes = sizeof params.size;
    for (size_t i = 0; i < GAS_OPTIONS; i++) {
        const struct shoal_option *option = &gas_options[i];
        assert_true(strlen(option->name) <= 20 && option->help[0]);
        bytes += option->type == SHOAL_OPTION_CHOICE ? sizeof(int32_t) : sizeof(double);
        for (size_t k = 0; k < i; k++)
            assert_true(gas_options[k].offset != option->offset);
    }
    /* Callbacks and their data are no options; padding of the 32-bit choices is less than another field. */
    assert_true(bytes + 3 * sizeof(void *) <= sizeof params);
    assert_true(bytes + 3 * sizeof(void *) + 12 * sizeof(int32_t) > sizeof params);
}

static void test_defaults(void **state)
{
    (void)state;
    make();
    assert_int_equal(problem.n, 4096);
    assert_int_equal(problem.dim, 2);
    assert_close(problem.length[0], sqrt(4096 / 0.4), 1e-14);
    assert_close(problem.volume, 4096 / 0.4, 1e-14);
    assert_true(problem.length[1] == problem.length[0] && problem.length[2] == 1);
    assert_true(problem.kind == GAS_PAIR_LJ && problem.cut == SHOAL_GAS_CUT_FORCE_SHIFTED);
    assert_true(problem.any_periodic && !problem.any_wall);
    assert_true(problem.pair.cutoff == 2.5 && problem.pair.lj12 == 4 && problem.pair.lj6 == 4);
    assert_close(problem.pair.shift_energy, 4 * (pow(0.4, 12) - pow(0.4, 6)), 1e-14);
    assert_close(problem.pair.shift_force, 24 * 0.4 * (pow(0.4, 6) - 2 * pow(0.4, 12)), 1e-14);
    assert_true(problem.degrees == 2 * 4095.0);
    assert_true(problem.wall_temperature == 1 && problem.limit == 15);
    params.limiter = SHOAL_GAS_LIMIT_JUMP;
    params.wall_temperature = 3;
    make();
    assert_true(problem.limit == 100 && problem.wall_temperature == 3);
    gas_problem_destroy(&problem);
    gas_problem_destroy(&problem);
}

static void test_degrees(void **state)
{
    (void)state;
    params.boundary_y = SHOAL_GAS_WALLS;
    make();
    assert_true(problem.degrees == 2 * 4096.0 - 1);
    params.boundary_y = SHOAL_GAS_OPEN;
    params.field_x = 0.1;
    make();
    assert_true(problem.degrees == 2 * 4096.0 - 1);
    params.thermostat = SHOAL_GAS_LANGEVIN;
    make();
    assert_true(problem.degrees == 2 * 4096.0);
    shoal_gas_params_init(&params);
    params.particles = 1;
    params.width = params.height = 20;
    make();
    assert_true(problem.degrees == 2);
    assert_close(problem.velocity[0] * problem.velocity[0] + problem.velocity[1] * problem.velocity[1], 2,
                 1e-14);
}

static void test_boxes(void **state)
{
    (void)state;
    params.width = 32;
    params.density = 0.5;
    make();
    assert_close(problem.length[1], 4096 / 0.5 / 32, 1e-14);
    params.density = NAN;
    params.height = 100;
    make();
    assert_true(problem.length[0] == 32 && problem.length[1] == 100 && problem.volume == 3200);
    shoal_gas_params_init(&params);
    params.dim = 3;
    params.density = 0.8442;
    params.height = 12;
    make();
    assert_close(problem.length[0], sqrt(4096 / 0.8442 / 12), 1e-14);
    assert_true(problem.length[2] == problem.length[0] && problem.length[1] == 12);
}

static void test_refused_boxes(void **state)
{
    (void)state;
    params.width = params.height = 50;
    params.density = 0.3;
    refuse("density and the whole box");
    params.depth = 3;
    refuse("for dim 3");
    params.boundary_z = SHOAL_GAS_OPEN;
    refuse("for dim 3");
    params.field_z = 1;
    refuse("for dim 3");
    params.particles = 20;
    params.density = 1;
    refuse("cutoff 2.5 is larger than half the periodic box, which is 4.47214 long along x");
    params.dim = 3;
    params.particles = 40;
    refuse("larger than half the periodic box");
    params.cutoff = 0;
    refuse("without cutoff does not fit a periodic box");
    params.cutoff = INFINITY;
    refuse("without cutoff does not fit a periodic box");
    params.rdf_bins = 10;
    params.rdf_range = 60;
    refuse("rdf-range 60 is larger than half");
    params.rdf_range = 2;
    refuse("give rdf-bins");
    params.density = 1e6;
    params.width = 1e6;
    refuse("the box is 4.096e-09 long along y, allowed are 1e-06 to 1e+15");
    /* The box of the same particles is fine where the ends are open. */
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.particles = 20;
    params.density = 1;
    params.cutoff = 0;
    make();
    assert_true(isinf(problem.pair.cutoff2) && isinf(problem.pair.cutoff));
}

/* Pair forces ------------------------------------------------------------------------------------------ */

static void test_laws(void **state)
{
    (void)state;
    params.potential = SHOAL_GAS_WCA;
    params.sigma = 1.5;
    make();
    assert_true(problem.kind == GAS_PAIR_LJ && problem.cut == SHOAL_GAS_CUT_SHIFTED);
    assert_close(problem.pair.cutoff, 1.5 * pow(2, 1.0 / 6), 1e-14);
    assert_close(problem.pair.shift_energy, -1, 1e-14);
    shoal_gas_params_init(&params);
    walls();
    params.potential = SHOAL_GAS_LOG;
    make();
    assert_true(problem.kind == GAS_PAIR_LOG && isinf(problem.pair.cutoff2));
    assert_true(problem.pair.attraction == 1 && problem.pair.softening2 == 0.0625);
    assert_true(problem.pair.repulsion == 0 && problem.cut != SHOAL_GAS_CUT_DEFAULT);
    params.potential = SHOAL_GAS_LOG_REPULSION;
    params.attraction = 3;
    params.softening = 0.5;
    make();
    assert_true(problem.pair.repulsion == 3 * 1.25);
    params.repulsion = 7;
    make();
    assert_true(problem.pair.repulsion == 7);
    shoal_gas_params_init(&params);
    walls();
    params.potential = SHOAL_GAS_REAL;
    make();
    assert_true(problem.pair.attraction == 1e-4 && problem.pair.short_attraction == 2);
    assert_true(problem.pair.cutoff == 2.5 && problem.cut == SHOAL_GAS_CUT_FORCE_SHIFTED);
    /* The least energy of a pair of any law with repulsion is at distance 1, where the cut is truncated. */
    params.cut = SHOAL_GAS_CUT_TRUNCATED;
    make();
    double force;
    gas_pair_evaluate(&problem, 1, &force, NULL);
    assert_true(fabs(force) < 1e-14);
}

static void test_refused_laws(void **state)
{
    (void)state;
    static const int32_t long_laws[] = {SHOAL_GAS_LOG, SHOAL_GAS_LOG_REPULSION, SHOAL_GAS_REAL,
                                        SHOAL_GAS_GRAVITY};
    for (size_t i = 0; i < 4; i++) {
        params.potential = long_laws[i];
        refuse("no Ewald summation here");
        /* One periodic side is enough. */
        params.potential = long_laws[i];
        params.boundary_x = SHOAL_GAS_WALLS;
        refuse("no Ewald summation here");
    }
    params.potential = SHOAL_GAS_LOG;
    walls();
    params.cutoff = 3;
    refuse("log reaches over all space: leave cutoff out");
    params.potential = SHOAL_GAS_WCA;
    params.cutoff = 3;
    refuse("wca ends at its own minimum");
    params.potential = SHOAL_GAS_REAL;
    walls();
    params.cutoff = 0;
    refuse("short part of real needs a cutoff");
    params.potential = SHOAL_GAS_REAL;
    walls();
    params.cutoff = 1;
    params.softening = 1;
    refuse("must be above softening 1");
    params.potential = SHOAL_GAS_WCA;
    params.cut = SHOAL_GAS_CUT_SHIFTED;
    refuse("leave cut out");
    params.switch_radius = 2;
    refuse("for cut smoothed");
    params.cut = SHOAL_GAS_CUT_SMOOTHED;
    params.switch_radius = 2.5;
    refuse("less than the cutoff 2.5");
    params.attraction = 1;
    refuse("not for lj");
    params.softening = 1;
    refuse("not for lj");
    params.repulsion = 1;
    refuse("repulsion is for");
    params.short_attraction = 1;
    refuse("short-attraction is for real");
    params.potential = SHOAL_GAS_GRAVITY;
    walls();
    params.sigma = 2;
    refuse("epsilon and sigma are for lj and wca, not for gravity");
    params.potential = SHOAL_GAS_USER;
    refuse("give pair-force");
    params.potential = SHOAL_GAS_LOG;
    params.pair_force = "my.cl";
    refuse("potential log and pair-force");
}

static void write_force(const char *name, const char *text)
{
    unit_write_text(unit_path("%s", name), text);
    params.pair_force = unit_path("%s", name);
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
    assert_true(problem.kind == GAS_PAIR_USER && problem.pair.cutoff == 3);
    assert_string_equal(problem.pair_text, soft_sphere);
    assert_string_equal(problem.pair_name, "soft.cl");
    assert_close(problem.pair.shift_energy, 1.0 / 9, 1e-15);
    assert_close(problem.pair.shift_force, -2.0 / 27, 1e-15);
    params.cutoff = 4;
    params.potential = SHOAL_GAS_USER;
    make();
    assert_true(problem.pair.cutoff == 4);
}

static void test_refused_user_forces(void **state)
{
    (void)state;
    params.pair_force = unit_path("absent.cl");
    refuse_as(SHOAL_IO, "cannot read pair force");
    unit_write_file(unit_path("binary.cl"), "a\0b", 3);
    params.pair_force = unit_path("binary.cl");
    refuse_as(SHOAL_IO, "NUL");
    write_force("half.cl", "static inline real user_force(real d) { return d; }\n");
    refuse("half.cl defines no user_energy(real d)");
    write_force("bad.cl", "static inline real user_energy(real d) { return d; }\n\n"
                          "static inline real user_force(real d) { return d + nothing; }\n");
    gas_problem_destroy(&problem);
    assert_status(gas_problem_create(shoal, &params, &problem, &unit_error), SHOAL_BUILD_FAILED);
    /* File and line of the user. */
    assert_contains(unit_error.message, "bad.cl does not compile: bad.cl:3:");
    assert_contains(unit_error.log, "nothing");
    shoal_gas_params_init(&params);
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    refuse("open.cl does not say where the force ends");
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    params.cutoff = 0;
    refuse("without cutoff does not fit a periodic box");
    write_force("open.cl", "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    params.cutoff = 0;
    walls();
    params.method = SHOAL_GAS_LIST;
    refuse("method list needs a force that ends");
    write_force("end.cl", "#define CUTOFF -1.0\n"
                          "static inline real user_energy(real d) { return d; }\n"
                          "static inline real user_force(real d) { return R(-2.0); }\n");
    refuse("CUTOFF is -1");
    write_force("wide.cl", "#define CUTOFF 70.0\n"
                           "static inline real user_energy(real d) { return d; }\n"
                           "static inline real user_force(real d) { return R(-2.0); }\n");
    refuse("cutoff 70 is larger than half");
    write_force("pole.cl", "#define CUTOFF 2.0\n"
                           "static inline real user_energy(real d) { return R(1.0) / (d - R(4.0)); }\n"
                           "static inline real user_force(real d) { return R(1.0); }\n");
    refuse("not finite at its cutoff 2");
}

/* Walls, motion, methods ------------------------------------------------------------------------------- */

static void test_refused_walls(void **state)
{
    (void)state;
    params.wall_left = SHOAL_GAS_WALL_THERMAL;
    refuse("wall-left needs boundary-x walls");
    params.boundary_x = SHOAL_GAS_WALLS;
    params.wall_top = SHOAL_GAS_WALL_DAMPING;
    refuse("wall-top needs boundary-y walls");
    params.wall_front = SHOAL_GAS_WALL_DAMPING;
    refuse("dim is 2");
    walls();
    params.wall_method = SHOAL_GAS_W5;
    params.wall_left = SHOAL_GAS_WALL_THERMAL;
    refuse("w5 knows reflecting walls alone");
    walls();
    params.wall_method = SHOAL_GAS_W4;
    refuse("do not feel one another");
    walls();
    params.wall_method = SHOAL_GAS_W4;
    params.epsilon = 0;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    refuse("take nve");
    walls();
    params.wall_method = SHOAL_GAS_W4;
    params.epsilon = 0;
    make();
    params.limit = 3;
    refuse("give limiter");
}

static void test_refused_motion(void **state)
{
    (void)state;
    params.integrator = SHOAL_GAS_EULER;
    params.thermostat = SHOAL_GAS_LANGEVIN;
    refuse("splitting of verlet");
    params.integrator = SHOAL_GAS_EULER_IN_PLACE;
    params.thermostat = SHOAL_GAS_RESCALE;
    refuse("euler-in-place");
    params.integrator = SHOAL_GAS_EULER_IN_PLACE;
    params.equilibration = 10;
    refuse("euler-in-place");
    params.thermostat = SHOAL_GAS_RESCALE;
    params.temperature = 0;
    refuse("temperature 0");
    params.equilibration = 5;
    params.temperature = 0;
    refuse("temperature 0");
    params.steps = params.equilibration = 4000000000;
    refuse("together are more than");
}

static void test_refused_methods(void **state)
{
    (void)state;
    params.method = SHOAL_GAS_LIST;
    params.potential = SHOAL_GAS_REAL;
    walls();
    refuse("method list needs a force that ends at a cutoff, real does not");
    params.method = SHOAL_GAS_LIST;
    params.cutoff = 0;
    walls();
    refuse("lj has none");
    params.method = SHOAL_GAS_CELLS;
    params.dim = 3;
    refuse("cells is for dim 2");
    params.method = SHOAL_GAS_LIST;
    params.kernel = SHOAL_GAS_KERNEL_NAIVE;
    refuse("kernel is for method allpairs");
    params.method = SHOAL_GAS_ALLPAIRS;
    params.scheme = SHOAL_GAS_SCHEME_TILED3;
    refuse("for method cells");
    params.kernel = SHOAL_GAS_KERNEL_NAIVE;
    params.scheme = SHOAL_GAS_SCHEME_TILED3;
    refuse("use one");
    params.unroll = 6;
    refuse("unroll is 6");
    params.work_group = 96;
    refuse("no power of two");
    params.near_radius = 20;
    refuse("larger than middle-radius");
}

static void test_devices(void **state)
{
    (void)state;
    struct shoal_device_info info = *shoal_device_get_info(shoal_device_at(shoal, 0));
    info.fp64 = false;
    assert_ok(gas_check_device(&params, &info, &unit_error));
    params.integrator = SHOAL_GAS_EULER_IN_PLACE;
    assert_status(gas_check_device(&params, &info, &unit_error), SHOAL_UNSUPPORTED);
    assert_contains(unit_error.message, "for --device host");
    info.is_host = true;
    assert_ok(gas_check_device(&params, &info, &unit_error));
    info.is_host = false;
    params.integrator = SHOAL_GAS_VERLET;
    params.precision = SHOAL_GAS_MIXED;
    assert_status(gas_check_device(&params, &info, &unit_error), SHOAL_UNSUPPORTED);
    assert_contains(unit_error.message, "no double precision");
    info.fp64 = true;
    assert_ok(gas_check_device(&params, &info, &unit_error));
}

/* Starts ----------------------------------------------------------------------------------------------- */

static double least_distance_of(size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            double d = 0;
            for (size_t k = 0; k < problem.dim; k++) {
                const double difference =
                    gas_image(&problem, k,
                              problem.position[i * problem.dim + k] - problem.position[j * problem.dim + k]);
                d += difference * difference;
            }
            least = fmin(least, d);
        }
    return sqrt(least);
}

static double least_distance(void)
{
    return least_distance_of(problem.n);
}

static void assert_inside(void)
{
    for (size_t i = 0; i < problem.n; i++)
        for (size_t k = 0; k < problem.dim; k++) {
            const double x = problem.position[i * problem.dim + k];
            assert_true(x >= 0 && x < problem.length[k]);
        }
}

/* Momentum 0 and exactly the temperature asked for. */
static void assert_velocities(double temperature)
{
    double squares = 0;
    for (size_t k = 0; k < problem.dim; k++) {
        double sum = 0;
        for (size_t i = 0; i < problem.n; i++)
            sum += problem.velocity[i * problem.dim + k];
        assert_true(fabs(sum) < 1e-10);
    }
    for (size_t i = 0; i < problem.n * problem.dim; i++)
        squares += problem.velocity[i] * problem.velocity[i];
    assert_close(problem.params->mass * squares / problem.degrees, temperature, 1e-12);
}

static void test_lattices(void **state)
{
    (void)state;
    /* A whole square: the spacing is that of the density. */
    params.particles = 1024;
    params.density = 0.6;
    params.temperature = 1.7;
    params.mass = 3;
    make();
    assert_close(least_distance(), sqrt(1 / 0.6), 1e-12);
    assert_inside();
    assert_velocities(1.7);
    /* No square: sites stay empty, none is taken twice. */
    static const size_t counts[] = {1, 2, 3, 5, 31, 33, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        params.particles = counts[i];
        params.density = NAN;
        params.width = 37;
        params.height = 11;
        make();
        assert_inside();
        const struct gas_lattice lattice = gas_lattice_fitting(2, problem.length, counts[i]);
        assert_true(lattice.sites >= counts[i] &&
                    lattice.sites < counts[i] + lattice.count[0] + lattice.count[1]);
        assert_true(counts[i] < 2 || least_distance() > 0.55 * sqrt(37 * 11.0 / (double)counts[i]));
    }
    /* Face-centred cubic: 12 nearest neighbours at a / sqrt 2. */
    shoal_gas_params_init(&params);
    params.dim = 3;
    params.particles = 4 * 5 * 5 * 5;
    params.density = 0.8442;
    make();
    assert_close(least_distance(), cbrt(4 / 0.8442) / sqrt(2), 1e-12);
    assert_inside();
    assert_velocities(1);
}

static void test_random(void **state)
{
    (void)state;
    params.start = SHOAL_GAS_RANDOM;
    params.particles = 1500;
    params.density = 0.4;
    make();
    assert_inside();
    assert_true(least_distance() > 1);
    assert_velocities(1);
    double *before = malloc(2 * 1500 * sizeof *before);
    memcpy(before, problem.position, 2 * 1500 * sizeof *before);
    make();
    assert_memory_equal(before, problem.position, 2 * 1500 * sizeof *before);
    params.seed = 2;
    make();
    assert_memory_not_equal(before, problem.position, 2 * 1500 * sizeof *before);
    free(before);
    params.start_distance = 1.1;
    make();
    assert_true(least_distance() >= 1.1);
    params.boundary_x = SHOAL_GAS_WALLS;
    params.start_distance = 0;
    params.epsilon = 0;
    make();
    assert_inside();
    assert_true(least_distance() < 0.5);
    shoal_gas_params_init(&params);
    params.start = SHOAL_GAS_RANDOM;
    params.dim = 3;
    params.particles = 700;
    params.density = 0.5;
    make();
    assert_inside();
    assert_true(least_distance() > 0.9);
    for (params.particles = 1; params.particles < 4; params.particles++) {
        params.density = 0.005;
        make();
        assert_inside();
    }
}

static void test_refused_random(void **state)
{
    (void)state;
    params.start = SHOAL_GAS_RANDOM;
    params.density = 0.9;
    params.start_distance = 1;
    refuse("density 0.9 is impossible with 1 between particles; the densest that works is 0.6268, or the "
           "distance 0.8345");
    params.start = SHOAL_GAS_RANDOM;
    params.dim = 3;
    params.density = 0.9;
    params.start_distance = 1;
    refuse("the densest that works is 0.66");
    params.start = SHOAL_GAS_RANDOM;
    params.start_distance = 60;
    refuse("start-distance 60 is larger than half the periodic box");
    params.start_distance = 1;
    refuse("start-distance is for start random");
    /* What the message promises works. */
    params.start = SHOAL_GAS_RANDOM;
    params.density = 0.6267;
    params.particles = 800;
    params.start_distance = 1;
    make();
    assert_true(least_distance() >= 1);
}

static void test_droplets(void **state)
{
    (void)state;
    for (params.dim = 2; params.dim <= 3; params.dim++) {
        params.start = SHOAL_GAS_DROPLET;
        params.particles = 2000;
        params.density = 0.1;
        params.droplet_density = 0.8;
        params.droplet_share = 0.6;
        make();
        assert_inside();
        assert_velocities(1);
        const double near = params.dim == 2 ? sqrt(2 / (sqrt(3) * 0.8)) : cbrt(4 / 0.8) / sqrt(2);
        assert_close(least_distance_of(1200), near, 1e-9);
        assert_true(least_distance() > 1);
        /* The first 1200 fill a ball of that density, the others stay outside of it. */
        double farthest = 0, nearest = INFINITY;
        for (size_t i = 0; i < 2000; i++) {
            double d = 0;
            for (size_t k = 0; k < problem.dim; k++) {
                const double x = problem.position[i * problem.dim + k] - 0.5 * problem.length[k];
                d += x * x;
            }
            farthest = i < 1200 ? fmax(farthest, sqrt(d)) : farthest;
            nearest = i < 1200 ? nearest : fmin(nearest, sqrt(d));
        }
        const double pi = 3.14159265358979323846;
        const double ball = params.dim == 2 ? sqrt(1500 / pi) : cbrt(0.75 * 1500 / pi);
        assert_true(fabs(farthest - ball) < 0.6);
        assert_true(nearest > farthest + 1);
    }
    shoal_gas_params_init(&params);
    params.start = SHOAL_GAS_DROPLET;
    params.droplet_share = 1;
    params.density = 0.3;
    make();
    assert_inside();
    params.droplet_share = 0;
    make();
    assert_inside();
    params.start = SHOAL_GAS_DROPLET;
    params.droplet_share = 1;
    params.density = 0.75;
    refuse("raise droplet-density");
}

static void start_from(const char *name, const char *text)
{
    unit_write_text(unit_path("%s", name), text);
    params.start_file = unit_path("%s", name);
}

static const char flat_box[] = "3\nLattice=\"10 0 0 0 12 0 0 0 1\" pbc=\"T T T\" "
                               "Properties=species:S:1:pos:R:3:velo:R:3\n"
                               "A 1 2 0.5 0.1 0.2 0\nA 9.5 -1 0.5 -1 0 0\nA 4 25 0.5 0 0 0\n";

static void test_files(void **state)
{
    (void)state;
    start_from("start.xyz", flat_box);
    make();
    const double position[] = {1, 2, 9.5, 11, 4, 1}, velocity[] = {0.1, 0.2, -1, 0, 0, 0};
    assert_int_equal(problem.n, 3);
    assert_true(problem.length[0] == 10 && problem.length[1] == 12);
    for (size_t i = 0; i < 6; i++) {
        assert_close(problem.position[i], position[i], 1e-15);
        assert_true(problem.velocity[i] == velocity[i]);
    }
    assert_string_equal(unit_log(), "");
    /* The boundaries of the run hold, with a word about it. */
    params.boundary_x = SHOAL_GAS_OPEN;
    make();
    assert_contains(unit_log(), "start.xyz is periodic along x, the run is not");
    /* Without velocities they are drawn; without a box it is given. */
    shoal_gas_params_init(&params);
    params.width = params.height = 8;
    start_from("plain.xyz", "2\na comment = with a sign\nAr 1 2 0\nAr 7 7 0\n");
    make();
    assert_true(problem.length[0] == 8 && problem.position[3] == 7);
    assert_velocities(1);
}

static void test_refused_files(void **state)
{
    (void)state;
    params.start = SHOAL_GAS_FILE;
    refuse("give start-file");
    params.start_file = unit_path("absent.xyz");
    refuse_as(SHOAL_IO, "absent.xyz");
    start_from("start.xyz", flat_box);
    params.start = SHOAL_GAS_DROPLET;
    refuse("start droplet and start-file");
    start_from("start.xyz", flat_box);
    params.density = 0.5;
    refuse("leave density out");
    start_from("start.xyz", flat_box);
    params.boundary_y = SHOAL_GAS_WALLS;
    refuse("particle 1 is at y = -1, outside the box from 0 to 12");
    start_from("start.xyz", flat_box);
    params.cutoff = 5.5;
    refuse("cutoff 5.5 is larger than half the periodic box, which is 10 long along x");
    start_from("plain.xyz", "2\n\nAr 1 2 0\nAr 7 7 0\n");
    refuse("says nothing of a box");
    start_from("far.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2e20 0\n");
    refuse("particle 0 is at y = 2e+20, more than 1e+06 boxes away");
    start_from("tall.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 7 1\n");
    refuse("take dim 3");
    start_from("nan.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 nan 0\n");
    refuse("nan.xyz: line 4: y is 'nan', which is not finite");
    start_from("close.xyz", "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 5 5 0\nAr 8.9 2 0\n");
    make();
    start_from("close.xyz", "4\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 0.1 2 0\nA 5 5 0\nA 8.9 2 0\nA 3 5 0\n");
    refuse("particles 0 and 2 overlap at the start: their distance is 0.2, their energy 9.77e+08");
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    refuse("particles 0 and 1 overlap at the start: their distance is 0,");
    /* Softened laws and an ideal gas carry that. */
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    params.epsilon = 0;
    make();
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_options),        TEST(test_defaults),       TEST(test_degrees),
        TEST(test_boxes),          TEST(test_refused_boxes),  TEST(test_laws),
        TEST(test_refused_laws),   TEST(test_user_forces),    TEST(test_refused_user_forces),
        TEST(test_refused_walls),  TEST(test_refused_motion), TEST(test_refused_methods),
        TEST(test_devices),        TEST(test_lattices),       TEST(test_random),
        TEST(test_refused_random), TEST(test_droplets),       TEST(test_files),
        TEST(test_refused_files),
    };
    return cmocka_run_group_tests_name("gas-problem", tests, NULL, NULL);
}
