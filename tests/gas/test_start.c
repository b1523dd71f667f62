/* Starts of a gas: where the particles are, how fast, and every start that is refused with its reason. */
#include "fixture.h"
#include "unit.h"

#include "gas/start/start.h"

#include <math.h>

static double least_distance_of(size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            double d = 0;
            for (size_t k = 0; k < built.dim; k++) {
                const double difference = gas_image(
                    &built, k, built.position[i * built.dim + k] - built.position[j * built.dim + k]);
                d += difference * difference;
            }
            least = fmin(least, d);
        }
    return sqrt(least);
}

static double least_distance(void)
{
    return least_distance_of(built.n);
}

static void assert_inside(void)
{
    for (size_t i = 0; i < built.n; i++)
        for (size_t k = 0; k < built.dim; k++) {
            const double x = built.position[i * built.dim + k];
            assert_true(x >= 0 && x < built.length[k]);
        }
}

/* Momentum 0 and exactly the temperature asked for. */
static void assert_velocities(double temperature)
{
    double squares = 0;
    for (size_t k = 0; k < built.dim; k++) {
        double sum = 0;
        for (size_t i = 0; i < built.n; i++)
            sum += built.velocity[i * built.dim + k];
        assert_near(sum, 0, 1e-10);
    }
    for (size_t i = 0; i < built.n * built.dim; i++)
        squares += built.velocity[i] * built.velocity[i];
    assert_close(built.params->mass * squares / built.degrees, temperature, 1e-12);
}

static void test_lattices(void **state)
{
    (void)state;
    /* A whole square: the spacing is that of the density. */
    input.particles = 1024;
    input.density = 0.6;
    input.temperature = 1.7;
    input.mass = 3;
    make();
    assert_close(least_distance(), sqrt(1 / 0.6), 1e-12);
    assert_inside();
    assert_velocities(1.7);
    /* No square: sites stay empty, none is taken twice. */
    static const size_t counts[] = {1, 2, 3, 5, 31, 33, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        input.particles = counts[i];
        input.density = NAN;
        input.width = 37;
        input.height = 11;
        make();
        assert_inside();
        const struct gas_lattice lattice = gas_lattice_fitting(2, built.length, counts[i]);
        assert_true(lattice.sites >= counts[i] &&
                    lattice.sites < counts[i] + lattice.count[0] + lattice.count[1]);
        assert_true(counts[i] < 2 || least_distance() > 0.55 * sqrt(37 * 11.0 / (double)counts[i]));
    }
    /* Face-centred cubic: 12 nearest neighbours at a / sqrt 2. */
    shoal_gas_params_init(&input);
    input.dim = 3;
    input.particles = 4 * 5 * 5 * 5;
    input.density = 0.8442;
    make();
    assert_close(least_distance(), cbrt(4 / 0.8442) / sqrt(2), 1e-12);
    assert_inside();
    assert_velocities(1);
}

static void test_random(void **state)
{
    (void)state;
    input.start = SHOAL_GAS_RANDOM;
    input.particles = 1500;
    input.density = 0.4;
    make();
    assert_inside();
    assert_true(least_distance() > 1);
    assert_velocities(1);
    double *before = malloc(2 * 1500 * sizeof *before);
    memcpy(before, built.position, 2 * 1500 * sizeof *before);
    make();
    assert_memory_equal(before, built.position, 2 * 1500 * sizeof *before);
    input.seed = 2;
    make();
    assert_memory_not_equal(before, built.position, 2 * 1500 * sizeof *before);
    free(before);
    input.start_distance = 1.1;
    make();
    assert_true(least_distance() >= 1.1);
    input.boundary_x = SHOAL_GAS_WALLS;
    input.start_distance = 0;
    input.epsilon = 0;
    make();
    assert_inside();
    assert_true(least_distance() < 0.5);
    shoal_gas_params_init(&input);
    input.start = SHOAL_GAS_RANDOM;
    input.dim = 3;
    input.particles = 700;
    input.density = 0.5;
    make();
    assert_inside();
    assert_true(least_distance() > 0.9);
    for (input.particles = 1; input.particles < 4; input.particles++) {
        input.density = 0.005;
        make();
        assert_inside();
    }
}

static void test_refused_random(void **state)
{
    (void)state;
    input.start = SHOAL_GAS_RANDOM;
    input.density = 0.9;
    input.start_distance = 1;
    refuse("density 0.9 is impossible with 1 between particles; the densest that works is 0.6268, or the "
           "distance 0.8345");
    input.start = SHOAL_GAS_RANDOM;
    input.dim = 3;
    input.density = 0.9;
    input.start_distance = 1;
    refuse("the densest that works is 0.66");
    input.start = SHOAL_GAS_RANDOM;
    input.start_distance = 60;
    refuse("--start-distance 60 is larger than half the periodic box");
    input.start_distance = 1;
    refuse("--start-distance needs --start random");
    /* What the message promises works. */
    input.start = SHOAL_GAS_RANDOM;
    input.density = 0.6267;
    input.particles = 800;
    input.start_distance = 1;
    make();
    assert_true(least_distance() >= 1);
}

static void test_droplets(void **state)
{
    (void)state;
    static const double places[] = {0.5, 0.03}; /* the second droplet passes the border of its periodic box */
    for (size_t test = 0; test < 4; test++) {
        const double place = places[test % 2];
        input.dim = 2 + (uint32_t)(test / 2);
        input.start = SHOAL_GAS_DROPLET;
        input.droplet_place = place;
        input.particles = 2000;
        input.density = 0.1;
        input.droplet_density = 0.8;
        input.droplet_share = 0.6;
        make();
        assert_inside();
        assert_velocities(1);
        const double near = input.dim == 2 ? sqrt(2 / (sqrt(3) * 0.8)) : cbrt(4 / 0.8) / sqrt(2);
        assert_close(least_distance_of(1200), near, 1e-9);
        assert_true(least_distance() > 1);
        /* The first 1200 fill a ball of that density, the others stay outside of it. */
        double farthest = 0, nearest = INFINITY;
        for (size_t i = 0; i < 2000; i++) {
            double d = 0;
            for (size_t k = 0; k < built.dim; k++) {
                const double x =
                    gas_image(&built, k, built.position[i * built.dim + k] - place * built.length[k]);
                d += x * x;
            }
            farthest = i < 1200 ? fmax(farthest, sqrt(d)) : farthest;
            nearest = i < 1200 ? nearest : fmin(nearest, sqrt(d));
        }
        const double pi = 3.14159265358979323846;
        const double ball = input.dim == 2 ? sqrt(1500 / pi) : cbrt(0.75 * 1500 / pi);
        assert_near(farthest, ball, 0.6);
        assert_true(nearest > farthest + 1);
    }
    shoal_gas_params_init(&input);
    input.start = SHOAL_GAS_DROPLET;
    input.droplet_share = 1;
    input.density = 0.3;
    make();
    assert_inside();
    input.droplet_share = 0;
    make();
    assert_inside();
    input.start = SHOAL_GAS_DROPLET;
    input.droplet_share = 1;
    input.density = 0.75;
    refuse("raise --droplet-density");
    for (int is_inside = 0; is_inside < 2; is_inside++) {
        input.start = SHOAL_GAS_DROPLET;
        input.density = 0.1;
        input.boundary_y = SHOAL_GAS_WALLS;
        input.droplet_place = is_inside ? 0.3 : 0.1;
        if (is_inside)
            make();
        else
            refuse("would pass the border of the box, which is 202.4 long along y: give --droplet-place 0.");
    }
    assert_inside();
}

static void start_from(const char *name, const char *text)
{
    test_write_text(test_path("%s", name), text);
    input.start_file = test_path("%s", name);
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
    assert_int_equal(built.n, 3);
    assert_true(built.length[0] == 10 && built.length[1] == 12);
    for (size_t i = 0; i < 6; i++) {
        assert_close(built.position[i], position[i], 1e-15);
        assert_true(built.velocity[i] == velocity[i]);
    }
    assert_string_equal(unit_log(), "");
    input.particles = 3; /* said twice */
    make();
    assert_int_equal(built.n, 3);
    /* The boundaries of the run hold, with a word about it. */
    input.boundary_x = SHOAL_GAS_OPEN;
    make();
    assert_contains(unit_log(), "start.xyz is periodic along x, the run is not");
    /* Without velocities they are drawn; without a box it is given. */
    shoal_gas_params_init(&input);
    input.width = input.height = 8;
    start_from("plain.xyz", "2\na comment = with a sign\nAr 1 2 0\nAr 7 7 0\n");
    make();
    assert_true(built.length[0] == 8 && built.position[3] == 7);
    assert_velocities(1);
}

#define BOX_OF_8                                                                                             \
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n-0.5 0.5\n"

/* What of a file has no effect, and which part of it was read. */
static void test_warnings_of_files(void **state)
{
    (void)state;
    start_from("one.xyz", "2\nLattice=\"8 0 0 0 8 0 0 0 0\" Properties=species:S:1:pos:R:3:momenta:R:3\n"
                          "Ar 1 2 0 3 -4 0\nAr 5 6 0 1 0 0\n");
    input.mass = 2;
    make();
    assert_string_equal(unit_log(), "");
    assert_true(built.velocity[0] == 1.5 && built.velocity[1] == -2 && built.velocity[2] == 0.5);
    input.mass = 1;
    start_from("mass.xyz", "2\nLattice=\"8 0 0 0 8 0 0 0 0\" Properties=pos:R:3:masses:R:1:momenta:R:3\n"
                           "1 2 0 4 3 -4 0\n5 6 0 4 1 0 0\n");
    make();
    assert_contains(unit_log(), "mass.xyz: the masses in it are not used: they are 4, the run has --mass 1");
    assert_true(built.velocity[0] == 0.75);
    start_from("kinds.dump", BOX_OF_8 "ITEM: ATOMS id type mass x y\n1 1 1 1 1\n2 2 4 3 1\n");
    make();
    assert_contains(unit_log(),
                    "kinds.dump: its particles differ in type, mass: that is not used, all are of "
                    "one kind here, with --mass 1");
    start_from("cut.dump", BOX_OF_8 "ITEM: ATOMS x y\n1 1\n3 1\n" BOX_OF_8 "ITEM: ATOMS x y\n1 1.25\n3 ");
    make();
    assert_contains(unit_log(), "cut.dump: its last frame is cut short: the run starts from the whole one "
                                "before it, number 1");
    assert_true(built.position[1] == 1);
    start_from("end.xyz", "1\nLattice=\"8 0 0 0 8 0 0 0 0\"\nAr 1 2 0.2");
    make();
    assert_contains(unit_log(),
                    "end.xyz: its last line has no end: if its writer was stopped, the last number "
                    "may be cut");
    start_from("two.dump", BOX_OF_8 "ITEM: ATOMS x y\n1 1\n3 1\n" BOX_OF_8 "ITEM: ATOMS x y\n2 1\n4 1\n");
    make();
    assert_contains(unit_log(), "two.dump holds 2 frames: the run starts from the last");
    assert_true(built.position[0] == 2);
    start_from("units.dump", "ITEM: UNITS\nmetal\n" BOX_OF_8 "ITEM: ATOMS x y\n1 1\n3 1\n");
    make();
    assert_contains(unit_log(), "units.dump: its numbers are in units metal of LAMMPS: they are taken as "
                                "reduced ones");
    start_from("more.xyz", "1\nLattice=\"8 0 0 0 8 0 0 0 0\"\nAr 1 2 0 7 8 9\n");
    make();
    assert_contains(unit_log(), "more.xyz: columns behind the position are not used: no Properties in its "
                                "second line say what they are");
    start_from("old.xyz",
               "1\nLattice=\"8 0 0 0 8 0 0 0 0\" Properties=pos:R:3:velo:R:3:masses:R:1:momenta:R:3\n"
               "1 2 0 9 9 0 1 3 4 0\n");
    make();
    assert_contains(unit_log(),
                    "old.xyz: its velocities are not its momenta over its masses: the momenta are "
                    "taken");
    assert_true(built.velocity[0] == 3 && built.velocity[1] == 4);
}

/* What a caller learns of a start file before a run. */
static void test_info_of_files(void **state)
{
    (void)state;
    struct shoal *host;
    struct shoal_params own;
    struct shoal_gas_start_info info = {.size = sizeof info};
    shoal_params_init(&own);
    own.host_only = true;
    assert_ok(shoal_open(&host, &own, &test_error));
    start_from("start.xyz", flat_box);
    assert_ok(shoal_gas_read_start(host, &input, &info, &test_error));
    assert_string_equal(info.format, "extended XYZ");
    assert_true(info.particles == 3 && info.dim == 2 && info.frames == 1 && info.frame == 1 && !info.is_cut);
    assert_true(info.has_box && info.has_velocities && !info.uses_temperature);
    assert_true(info.length[0] == 10 && info.length[1] == 12 && info.least[1] == -1 &&
                info.greatest[1] == 25);
    assert_close(info.mean_square_speed, (0.01 + 0.04 + 1) / 3, 1e-15);
    assert_string_equal(info.notes, "");
    input.thermostat = SHOAL_GAS_LANGEVIN;
    assert_ok(shoal_gas_read_start(host, &input, &info, &test_error));
    assert_true(info.uses_temperature);
    start_from("tall.dump", BOX_OF_8 "ITEM: ATOMS type x y z\n1 1 1 0\n2 3 1 0.25\n");
    assert_ok(shoal_gas_read_start(host, &input, &info, &test_error));
    assert_string_equal(info.format, "LAMMPS dump");
    assert_true(info.dim == 3 && !info.has_velocities && info.uses_temperature && info.greatest[2] == 0.25);
    assert_contains(info.notes, "tall.dump: its particles differ in type: that is not used");
    info.size = sizeof info + 8192;
    assert_status(shoal_gas_read_start(host, &input, &info, &test_error), SHOAL_INVALID);
    info.size = offsetof(struct shoal_gas_start_info, dim);
    assert_status(shoal_gas_read_start(host, &input, &info, &test_error), SHOAL_INVALID);
    info = (struct shoal_gas_start_info){0};
    assert_ok(shoal_gas_read_start(host, &input, &info, &test_error));
    assert_true(info.dim == 3 && info.size == sizeof info);
    assert_status(shoal_gas_read_start(host, &input, NULL, &test_error), SHOAL_INVALID);
    input.start_file = NULL;
    assert_status(shoal_gas_read_start(host, &input, &info, &test_error), SHOAL_INVALID);
    start_from("bad.xyz", "1\n\nAr 1 nan 0\n");
    assert_status(shoal_gas_read_start(host, &input, &info, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "line 3: y is 'nan'");
    shoal_close(&host);
}

static void test_refused_files(void **state)
{
    (void)state;
    input.start = SHOAL_GAS_FILE;
    refuse("--start file needs --start-file");
    input.start_file = test_path("absent.xyz");
    refuse_as(SHOAL_IO, "absent.xyz");
    start_from("start.xyz", flat_box);
    input.start = SHOAL_GAS_DROPLET;
    refuse("--start droplet does not go with --start-file; use one");
    start_from("start.xyz", flat_box);
    input.density = 0.5;
    refuse("--density does not go with --start-file; use one");
    start_from("start.xyz", flat_box);
    input.particles = 4096;
    refuse("start.xyz holds 3: leave --particles out");
    start_from("start.xyz", flat_box);
    input.boundary_y = SHOAL_GAS_WALLS;
    refuse("particle 2 is at y = -1, outside the box from 0 to 12");
    start_from("start.xyz", flat_box);
    input.cutoff = 5.5;
    refuse("--cutoff 5.5 is larger than half the periodic box, which is 10 long along x");
    start_from("start.xyz", flat_box);
    input.rdf_bins = 5;
    input.rdf_range = 5.1;
    refuse("--rdf-range 5.1 is larger than half the periodic box, which is 10 long along x");
    start_from("plain.xyz", "2\n\nAr 1 2 0\nAr 7 7 0\n");
    refuse("has no box: give --width and --height");
    start_from("plain.xyz", "2\n\nAr 1 2 0\nAr 7 7 0\n");
    input.dim = 3;
    input.width = input.height = 8;
    refuse("give --width, --height and --depth");
    start_from("line.xyz", "1\nLattice=\"9 0 0 0 0 0 0 0 0\"\nAr 1 2 0\n");
    refuse("line.xyz: its box has no length along y: give --height");
    start_from("flat.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 0\"\nAr 1 2 0\n");
    input.dim = 3;
    refuse("flat.xyz: its box has no length along z: give --depth");
    start_from("far.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2e20 0\n");
    refuse("particle 1 is at y = 2e+20, more than 1e+06 boxes away");
    start_from("tall.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 7 1\n");
    refuse("take --dim 3");
    start_from("nan.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 7 nan 0\n");
    refuse_as(SHOAL_IO, "nan.xyz: line 4: y is 'nan', which is not finite");
    start_from("close.xyz", "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 2 0\nAr 5 5 0\nAr 8.9 2 0\n");
    make();
    start_from("close.xyz", "4\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 0.1 2 0\nA 5 5 0\nA 8.9 2 0\nA 3 5 0\n");
    refuse("particles 1 and 3 overlap at the start: their distance is 0.2, their energy 9.77e+08; start them "
           "further apart or at a lower --density, or with --minimise 1000");
    start_from("close.xyz", "4\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 0.1 2 0\nA 5 5 0\nA 8.9 2 0\nA 3 5 0\n");
    input.minimise = 100;
    make();
    assert_true(least_distance() < 0.3);
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    input.minimise = 100;
    refuse("particles 1 and 2 start in the same place: move one of them");
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    refuse("particles 1 and 2 start in the same place: move one of them");
    start_from("same.xyz", "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 5 5 0\nA 1 2 0\nA 1 2 0\n");
    input.potential = SHOAL_GAS_LOG;
    input.boundary_x = input.boundary_y = SHOAL_GAS_WALLS;
    refuse("particles 2 and 3 start in the same place: move one of them");
    /* An ideal gas carries that. */
    start_from("same.xyz", "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nA 1 2 0\nA 1 2 0\n");
    input.epsilon = 0;
    make();
    /* The logarithm of a strong attraction is large where nothing overlaps. */
    shoal_gas_params_init(&input);
    input.potential = SHOAL_GAS_LOG;
    input.attraction = 2000;
    input.boundary_x = input.boundary_y = SHOAL_GAS_OPEN;
    make();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_lattices),      GAS_TEST(test_random),        GAS_TEST(test_refused_random),
        GAS_TEST(test_droplets),      GAS_TEST(test_files),         GAS_TEST(test_warnings_of_files),
        GAS_TEST(test_info_of_files), GAS_TEST(test_refused_files),
    };
    return cmocka_run_group_tests_name("gas-start", tests, NULL, NULL);
}
