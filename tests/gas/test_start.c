/* Starts of a gas: where the particles are, how fast, and every start that is refused with its reason. */
#include "gas_case.h"

#include "gas/start/start.h"

#include <math.h>

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
    refuse("--start-distance 60 is larger than half the periodic box");
    params.start_distance = 1;
    refuse("--start-distance needs --start random");
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
    refuse("raise --droplet-density");
}

static void start_from(const char *name, const char *text)
{
    test_write_text(test_path("%s", name), text);
    params.start_file = test_path("%s", name);
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
    params.particles = 3; /* said twice */
    make();
    assert_int_equal(problem.n, 3);
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
    refuse("--start file needs --start-file");
    params.start_file = test_path("absent.xyz");
    refuse_as(SHOAL_IO, "absent.xyz");
    start_from("start.xyz", flat_box);
    params.start = SHOAL_GAS_DROPLET;
    refuse("--start droplet does not go with --start-file; use one");
    start_from("start.xyz", flat_box);
    params.density = 0.5;
    refuse("--density does not go with --start-file; use one");
    start_from("start.xyz", flat_box);
    params.particles = 4096;
    refuse("start.xyz holds 3: leave --particles out");
    start_from("start.xyz", flat_box);
    params.boundary_y = SHOAL_GAS_WALLS;
    refuse("particle 1 is at y = -1, outside the box from 0 to 12");
    start_from("start.xyz", flat_box);
    params.cutoff = 5.5;
    refuse("--cutoff 5.5 is larger than half the periodic box, which is 10 long along x");
    start_from("start.xyz", flat_box);
    params.rdf_bins = 5;
    params.rdf_range = 5.1;
    refuse("--rdf-range 5.1 is larger than half the periodic box, which is 10 long along x");
    start_from("plain.xyz", "2\n\nAr 1 2 0\nAr 7 7 0\n");
    refuse("has no box: give --width and --height");
    start_from("plain.xyz", "2\n\nAr 1 2 0\nAr 7 7 0\n");
    params.dim = 3;
    params.width = params.height = 8;
    refuse("give --width, --height and --depth");
    start_from("far.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2e20 0\n");
    refuse("particle 0 is at y = 2e+20, more than 1e+06 boxes away");
    start_from("tall.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 7 1\n");
    refuse("take --dim 3");
    start_from("nan.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 nan 0\n");
    refuse_as(SHOAL_IO, "nan.xyz: line 4: y is 'nan', which is not finite");
    start_from("close.xyz", "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 5 5 0\nAr 8.9 2 0\n");
    make();
    start_from("close.xyz", "4\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 0.1 2 0\nA 5 5 0\nA 8.9 2 0\nA 3 5 0\n");
    refuse("particles 0 and 2 overlap at the start: their distance is 0.2, their energy 9.77e+08");
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    refuse("particles 0 and 1 start in the same place: move one of them");
    start_from("same.xyz", "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 5 5 0\nA 1 2 0\nA 1 2 0\n");
    params.potential = SHOAL_GAS_LOG;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    refuse("particles 1 and 2 start in the same place: move one of them");
    /* An ideal gas carries that. */
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    params.epsilon = 0;
    make();
    /* The logarithm of a strong attraction is large where nothing overlaps. */
    shoal_gas_params_init(&params);
    params.potential = SHOAL_GAS_LOG;
    params.attraction = 2000;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    make();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_lattices), GAS_TEST(test_random), GAS_TEST(test_refused_random),
        GAS_TEST(test_droplets), GAS_TEST(test_files),  GAS_TEST(test_refused_files),
    };
    return cmocka_run_group_tests_name("gas-start", tests, NULL, NULL);
}
