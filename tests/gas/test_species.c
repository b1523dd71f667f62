/* Species of particles: what is refused, numbers, masses and pairs, start files that name species, and
 * mixtures on the host. test_mixture.c has the devices. */
#include "fixture.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_refused(void **state)
{
    static const struct {
        const char *species, *pairs, *part;
    } cases[] = {
        {"A=100", NULL, "--species names one species: name at least two"},
        {"A=0.5,B=0.4", NULL, "--species: the fractions add up to 0.9, not to 1"},
        {"A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1,I=1", NULL, "--species names more than 8 species"},
        {"A=60,B=50", NULL, "--species: the numbers add up to 110, but there are 100 particles"},
        {"A=0.5,B=0.5:mass=-1", NULL,
         "--species: B has 'mass=-1': mass must be a number from 1e-12 to 1e+12"},
        {"A=0.5,B=0.5:mass", NULL, "--species: B has 'mass': mass must be a number"},
        {"A=0.5,B=0.5:mass=1e", NULL, "--species: B has 'mass=1e': mass must be a number"},
        {"A=0.5,B=0.5:mass=inf", NULL, "--species: B has 'mass=inf': mass must be a number"},
        {"A=0.5,B=0.5:mass=1:mass=2", NULL, "--species: B has two values of mass"},
        {"A=0.5,A=0.5", NULL, "--species names A twice"},
        {"A=0.5,B=50", NULL, "--species: B differs from the species before it: give numbers"},
        {"A=50,B", NULL, "--species: B differs from the species before it: give numbers"},
        {"A=0.5,B=0.5:size=3", NULL, "--species: B has no value 'size': there are mass, charge"},
        {"A=0.5,B=0.5:charge=1", NULL, "--species: B has a charge, which --potential lj lacks"},
        {"A,B", NULL, "--species: A has no amount, and no start file names species"},
        {"A=1.5,B=0.5", NULL, "--species: A=1.5 is neither a number of particles nor a fraction"},
        {"A=-1,B=101", NULL, "--species: A=-1 is neither a number"},
        {"", NULL, "--species: '' is no name of a species"},
        {"A=0.5,,B=0.5", NULL, "--species: '' is no name of a species"},
        {"A=0.5,1B=0.5", NULL, "--species: '1B' is no name of a species"},
        {"A=0.5,B=0.5", "A-C:epsilon=1", "--species-pairs: A-C has 'C', which --species does not name"},
        {"A=0.5,B=0.5", "A-B", "--species-pairs: A-B has no values"},
        {"A=0.5,B=0.5", "AB:epsilon=1", "--species-pairs: 'AB' is no pair NAME-NAME"},
        {"A=0.5,B=0.5", "", "--species-pairs: '' is no pair NAME-NAME"},
        {"A=0.5,B=0.5", "A-:epsilon=1", "--species-pairs: A- has '', which --species does not name"},
        {"A=0.5,B=0.5", "A-B:epsilon=1,B-A:sigma=1", "--species-pairs has the pair B-A twice"},
        {"A=0.5,B=0.5", "A-B:cutoff=0", "--species-pairs: A-B has 'cutoff=0': cutoff must be a number"},
        {"A=0.5,B=0.5", "A-B:mass=1", "--species-pairs: A-B has no value 'mass': there are epsilon"},
        {"A=0.5,B=0.5", "A-A:sigma=50", "is larger than half the periodic box"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        input.particles = 100;
        input.species = cases[i].species;
        input.species_pairs = cases[i].pairs;
        refuse(cases[i].part);
    }
    input.species = "A=10,B=10:sigma=0.9";
    input.potential = SHOAL_GAS_LOG;
    input.boundary_x = input.boundary_y = SHOAL_GAS_OPEN;
    refuse("--species: B has an epsilon or a sigma, which --potential log lacks");
    input.species = "A=10,B=10";
    input.cut = SHOAL_GAS_CUT_SMOOTHED;
    input.density = 0.01;
    input.species_pairs = "A-B:cutoff=1.5";
    input.switch_radius = 1.7;
    refuse("--switch-radius 1.7 must be less than the cutoff 1.5 of A-B");
    const struct workload_split *const splits[] = {&gas_split, &gas_domains_split};
    init_input();
    input.species = "A=50,B=50";
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(splits[i]->check(&input, &test_error), SHOAL_INVALID);
        assert_string_equal(test_error.message, "--species is for one device: leave out --split");
    }
#if SHOAL_THESES
    input.method = SHOAL_GAS_CELLS;
    refuse("--species is not for the methods and rules that reproduce the thesis");
#endif
}

/* Numbers are exact, of largest remainders for fractions; a number for each species sets that of the
 * particles; which particle is of which species is random, and depends on the seed alone. */
static void test_numbers(void **state)
{
    (void)state;
    input.species = "A=7,B=30,C=0";
    make();
    assert_true(built.n == 37 && built.species->count == 3 && built.species->particles[1] == 30);
    input.particles = 11;
    input.species = "A=0.6,B=0.3,C=0.1"; /* 6.6, 3.3, 1.1 */
    make();
    const size_t *particles = built.species->particles;
    assert_true(particles[0] == 7 && particles[1] == 3 && particles[2] == 1);
    uint8_t before[11];
    size_t counted[3] = {0};
    memcpy(before, built.species->of, sizeof before);
    for (size_t i = 0; i < 11; i++)
        counted[before[i]]++;
    assert_true(counted[0] == 7 && counted[1] == 3 && counted[2] == 1);
    make();
    assert_memory_equal(before, built.species->of, sizeof before);
    input.seed = 2;
    make();
    assert_memory_not_equal(before, built.species->of, sizeof before);
}

/* The rule of Lorentz and Berthelot, and what replaces it. */
static void test_pairs(void **state)
{
    (void)state;
    input.particles = 4000;
    input.cut = SHOAL_GAS_CUT_TRUNCATED;
    input.species = "A=0.5,B=0.5:epsilon=0.25:sigma=0.5";
    make();
    struct gas_pair(*pair)[SHOAL_GAS_MOST_SPECIES] = built.species->pair;
    assert_close(pair[0][1].lj6, 4 * 0.5 * pow(0.75, 6), 1e-14);
    assert_close(pair[1][1].lj12, 4 * 0.25 * pow(0.5, 12), 1e-14);
    assert_close(pair[0][1].cutoff, 2.5 * 0.75, 1e-14);
    assert_true(built.pair.cutoff == 2.5 && pair[0][0].lj6 == 4);
    assert_memory_equal(&pair[0][1], &pair[1][0], sizeof **pair);
    input.species_pairs = "B-A:epsilon=1.5:cutoff=3,B-B:sigma=2";
    make();
    pair = built.species->pair;
    assert_close(pair[0][1].lj6, 4 * 1.5 * pow(0.75, 6), 1e-14);
    assert_true(pair[0][1].cutoff == 3 && pair[1][1].cutoff == 5 && built.pair.cutoff == 5);
    input.cutoff = 1.9; /* of the pairs without their own */
    make();
    assert_true(built.species->pair[0][0].cutoff == 1.9 && built.pair.cutoff == 3);
    init_input();
    input.potential = SHOAL_GAS_WCA;
    input.species = "A=0.5,B=0.5:sigma=2";
    make();
    assert_close(built.species->pair[0][1].cutoff, 1.5 * pow(2, 1.0 / 6), 1e-14);
}

/* Momentum 0 and exactly the temperature asked for, with different masses. */
static void test_velocities(void **state)
{
    (void)state;
    input.particles = 100;
    input.temperature = 1.7;
    input.mass = 3;
    input.species = "A=0.5:mass=0.5,B=0.5";
    make();
    double momentum[2] = {0}, kinetic = 0, light = 0;
    for (size_t i = 0; i < built.n; i++)
        for (size_t k = 0; k < 2; k++) {
            const double v = built.velocity[2 * i + k], mass = built.species->of[i] ? 3 : 0.5;
            momentum[k] += mass * v;
            kinetic += mass * v * v;
            light += built.species->of[i] ? 0 : mass * v * v;
        }
    assert_near(momentum[0], 0, 1e-10);
    assert_near(momentum[1], 0, 1e-10);
    assert_close(kinetic / built.degrees, 1.7, 1e-12);
    /* 100 numbers: three times sqrt(2 / 100) */
    assert_near(light / 100 / 1.7, 1, 0.43);
}

/* Files ------------------------------------------------------------------------------------------------ */

static void start(const char *text)
{
    test_write_text(test_path("start.xyz"), text);
    input.start_file = test_path("start.xyz");
}

static const char head[] = "4\nLattice=\"20 0 0 0 20 0 0 0 1\" "
                           "Properties=species:S:1:pos:R:3:masses:R:1\n";

static char *with_head(const char *rows)
{
    static char text[400];
    snprintf(text, sizeof text, "%s%s", head, rows);
    return text;
}

static void test_files(void **state)
{
    (void)state;
    const char *rows = "B 1 1 0 2\nA 3 3 0 5\nB 5 5 0 2\nA 7 7 0 5\n";
    start(with_head(rows));
    input.species = "A,B:mass=7";
    make();
    assert_true(built.species->of[0] == 1 && built.species->of[1] == 0 && built.species->particles[1] == 2);
    assert_true(built.species->mass[0] == 5 && built.species->mass[1] == 7 && built.species->has_masses);
    start(with_head(rows));
    input.species = "A=1,B=3";
    refuse("holds 2 particles of species A, --species asks for 1: leave the amounts out");
    start(with_head(rows));
    input.species = "A,C";
    refuse("particle 1 is of species B, which --species does not name");
    start(with_head("B 1 1 0 2\nA 3 3 0 5\nB 5 5 0 3\nA 7 7 0 5\n"));
    input.species = "A,B";
    refuse("the masses of species B differ: 2, and 3 of particle 3: give one in --species");
    start(with_head("B 1 1 0 2\nA 3 3 0 0\nB 5 5 0 3\nA 7 7 0 5\n"));
    input.species = "A,B:mass=1";
    refuse("particle 2 has the mass 0, 1e-12 to 1e+12 are allowed");
    /* types of a dump are numbers of species; ids give the order */
    test_write_text(
        test_path("start.dump"),
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n-1 1\n"
        "ITEM: ATOMS id type x y z\n3 2 1 1 0\n1 1 5 5 0\n2 2 9 9 0\n");
    input.start_file = test_path("start.dump");
    input.species = "A,B";
    make();
    assert_true(built.species->of[0] == 0 && built.species->of[1] == 1 && built.species->of[2] == 1);
    /* a file without species, or of one kind */
    start("3\nLattice=\"20 0 0 0 20 0 0 0 1\" Properties=pos:R:3\n1 1 0\n4 4 0\n9 9 0\n");
    input.species = "A=2,B=1";
    make();
    assert_true(built.species->particles[0] == 2);
    start("3\nLattice=\"20 0 0 0 20 0 0 0 1\" Properties=pos:R:3\n1 1 0\n4 4 0\n9 9 0\n");
    input.species = "A=0.5,B=0.4";
    refuse("the fractions add up to 0.9");
    start("3\nLattice=\"20 0 0 0 20 0 0 0 1\" Properties=pos:R:3\n1 1 0\n4 4 0\n9 9 0\n");
    input.species = "A=2,B=2";
    refuse("the numbers add up to 4, but the start file holds 3 particles");
}

/* Runs ------------------------------------------------------------------------------------------------- */

/* Two species with the same values are one, bit for bit, by a list and by all pairs. */
static void test_equal_species(void **state)
{
    (void)state;
    for (int is_log = 0; is_log < 2; is_log++) {
        struct shoal_gas_params params = host_params(100);
        params.thermostat = SHOAL_GAS_LANGEVIN;
        params.rdf_bins = 20;
        params.thermo = 10;
        if (is_log) {
            params.potential = SHOAL_GAS_LOG;
            params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
            params.wall_left = SHOAL_GAS_WALL_THERMAL;
        }
        struct shoal_solver *one = host_open(&params, 1);
        params.species = "A=0.3,B=0.7";
        struct shoal_solver *two = host_open(&params, 1);
        run_steps(one, 60);
        run_steps(two, 60);
        host_assert_same(one, two);
        struct shoal_gas_histogram rdf, all;
        double mixed[20], sum[20] = {0};
        assert_ok(shoal_gas_get_histogram(one, SHOAL_GAS_RDF, &all, &test_error));
        memcpy(mixed, all.value, sizeof mixed);
        assert_ok(shoal_gas_get_histogram(two, SHOAL_GAS_RDF, &all, &test_error));
        assert_memory_equal(mixed, all.value, sizeof mixed);
        for (size_t pair = 0; pair < 3; pair++) {
            const double pairs[] = {30 * 29, 2 * 30 * 70, 70 * 69};
            assert_ok(shoal_gas_get_pair_rdf(two, pair == 2, pair > 0, &rdf, &test_error));
            for (size_t b = 0; b < 20; b++)
                sum[b] += pairs[pair] * rdf.value[b] / (100 * 99);
        }
        for (size_t b = 0; b < 20; b++)
            assert_near(sum[b], mixed[b], 1e-13 * (1 + mixed[b]));
        assert_int_equal(shoal_gas_get_pair_rdf(two, 0, 2, &rdf, &test_error), SHOAL_INVALID);
        shoal_solver_destroy(&one);
        shoal_solver_destroy(&two);
    }
}

/* Energy and momentum of species of different masses stay, and callers see the species. */
static void test_motion(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(100);
    params.species = "Light=60:mass=0.5,Heavy=40:mass=4:sigma=1.2";
    params.dt = 0.001;
    struct shoal_solver *solver = host_open(&params, 1);
    struct shoal_gas_species species = {.size = sizeof species};
    const double before = thermo_of(solver).total;
    run_steps(solver, 500);
    const struct shoal_gas_thermo thermo = thermo_of(solver);
    assert_near(thermo.total / before, 1, 1e-4);
    assert_near(thermo.momentum[0], 0, 1e-10);
    assert_near(thermo.momentum[1], 0, 1e-10);
    assert_ok(shoal_gas_get_species(solver, &species, &test_error));
    assert_true(species.count == 2 && species.particles[1] == 40 && species.mass[1] == 4 && species.of);
    assert_string_equal(species.names[1], "Heavy");
    const struct shoal_gas_frame frame = frame_of(solver);
    assert_true(frame.species && frame.species->of == species.of);
    shoal_solver_destroy(&solver);
    params.species = NULL;
    solver = host_open(&params, 1);
    species.size = sizeof species;
    assert_ok(shoal_gas_get_species(solver, &species, &test_error));
    assert_true(species.count == 1 && !species.of && species.particles[0] == 100 && species.charge[0] == 1);
    assert_null(frame_of(solver).species);
    shoal_solver_destroy(&solver);
}

/* Charges of a log gas: attraction q q', so with a negative attraction equal charges repel. */
static void test_charges(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(3);
    const double position[] = {5, 5, 7, 5, 5, 8}, velocity[6] = {0};
    params.width = params.height = 20;
    params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
    params.potential = SHOAL_GAS_LOG;
    params.attraction = -2;
    params.softening = 0.1;
    params.species = "P=2:charge=2,N=1:charge=-1";
    struct shoal_solver *solver = host_open(&params, 1);
    const uint8_t *of = gas_host_of(solver)->problem.species->of;
    host_place(solver, position, velocity);
    const double distances[3][3] = {{0, 4, 9}, {4, 0, 13}, {9, 13, 0}};
    double energy = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < i; j++)
            energy += -2 * (of[i] ? -1 : 2) * (of[j] ? -1 : 2) / 2.0 * log(distances[i][j] + 0.01);
    assert_close(thermo_of(solver).potential, energy, 1e-12);
    shoal_solver_destroy(&solver);
}

/* The tail of a mixture is that of the pairs, by their fractions; of equal species, that of one. */
static void test_tails(void **state)
{
    (void)state;
    double energy, pressure, one_energy, one_pressure;
    input.particles = 400;
    input.cut = SHOAL_GAS_CUT_TRUNCATED;
    make();
    assert_true(gas_tail(&built, &one_energy, &one_pressure));
    input.species = "A=100,B=300";
    make();
    assert_true(gas_tail(&built, &energy, &pressure));
    assert_close(energy, one_energy, 1e-14);
    assert_close(pressure, one_pressure, 1e-14);
    input.species_pairs = "A-B:epsilon=0"; /* 2 * 3 / 16 of all pairs */
    make();
    assert_true(gas_tail(&built, &energy, &pressure));
    assert_close(energy, one_energy * 10 / 16, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_refused),    GAS_TEST(test_numbers), GAS_TEST(test_pairs),
        GAS_TEST(test_velocities), GAS_TEST(test_files),   GAS_TEST(test_equal_species),
        GAS_TEST(test_motion),     GAS_TEST(test_charges), GAS_TEST(test_tails),
    };
    return cmocka_run_group_tests_name("gas-species", tests, NULL, NULL);
}
