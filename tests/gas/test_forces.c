/* Forces of the gas on the host: published values, derivatives, continuity, boxes against direct sums. */
#include "fixture.h"
#include "unit.h"

#include "gas/model/grid.h"

#include <math.h>
#include <shoal/rng.h>

/* Sums over the particles. */
struct sums {
    double energy, virial, squares, *acceleration;
};

static struct sums forces_of(const struct gas_problem *gas, const double *position)
{
    const size_t n = gas->n;
    struct sums sums = {.acceleration = calloc(n * gas->dim, sizeof(double))};
    double *energy = calloc(n, sizeof *energy), *virial = calloc(n, sizeof *virial);
    assert_ok(gas_forces(gas, position, sums.acceleration, energy, virial, &test_error));
    for (size_t i = 0; i < n; i++) {
        sums.energy += energy[i];
        sums.virial += virial[i];
    }
    for (size_t i = 0; i < n * gas->dim; i++)
        sums.squares += sums.acceleration[i] * sums.acceleration[i];
    free(energy);
    free(virial);
    return sums;
}

/* Published values ------------------------------------------------------------------------------------- */

/* 32 x 32 particles on a square lattice, each moved a little: a closed form, so that other programs can
 * compute it; LAMMPS agrees with the numbers in all digits. */
static void test_closed_form(void **state)
{
    (void)state;
    static const struct {
        double cutoff, energy, shifted, virial, squares, force_shifted, force_shifted_virial;
    } wanted[] = {{2.5, -1386.790469446, -1311.928572914, -1094.646849383, 217222.530056, -1162.068951108,
                   -797.182464805},
                  {4.0, -1442.874020057, -1428.489837365, -1430.382170559, 216457.797509, -1401.405496621,
                   -1371.182490880}};
    input.particles = 1024;
    input.density = 0.6;
    for (size_t c = 0; c < 2; c++) {
        input.cutoff = wanted[c].cutoff;
        input.cut = SHOAL_GAS_CUT_TRUNCATED;
        make();
        const double a = 1 / sqrt(0.6);
        double *position = malloc(2 * built.n * sizeof *position);
        for (size_t k = 0; k < built.n; k++) {
            position[2 * k] = a * ((double)(k % 32) + 0.5 + 0.12 * sin(12.9898 * (double)k));
            position[2 * k + 1] = a * ((double)(k / 32) + 0.5 + 0.12 * cos(78.233 * (double)k));
        }
        assert_near(built.length[0], 41.311822359546, 1e-11);
        struct sums sums = forces_of(&built, position);
        assert_near(sums.energy, wanted[c].energy, 1e-8);
        assert_near(sums.virial, wanted[c].virial, 1e-8);
        assert_near(sums.squares, wanted[c].squares, 1e-5);
        if (c == 0) {
            assert_near(sums.acceleration[0], -4.112016227, 1e-8);
            assert_near(sums.acceleration[1], -23.898935949, 1e-8);
        }
        free(sums.acceleration);
        input.cut = SHOAL_GAS_CUT_SHIFTED;
        make();
        sums = forces_of(&built, position);
        assert_near(sums.energy, wanted[c].shifted, 1e-8);
        assert_near(sums.virial, wanted[c].virial, 1e-8);
        free(sums.acceleration);
        input.cut = SHOAL_GAS_CUT_DEFAULT;
        make();
        sums = forces_of(&built, position);
        assert_near(sums.energy, wanted[c].force_shifted, 1e-8);
        assert_near(sums.virial, wanted[c].force_shifted_virial, 1e-8);
        free(sums.acceleration);
        free(position);
    }
}

/* Configuration 4 of the Lennard-Jones reference calculations of NIST (Standard Reference Simulation
 * Website): number of particles, box, then one particle a line, the box about the origin. */
static double *read_nist(double length)
{
    const char *folder = getenv("SHOAL_TEST_VECTORS");
    char path[1024];
    size_t count;
    double box[3];
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/nist-lj-config4.xyz", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %*d %lf %lf %lf", &count, &box[0], &box[1], &box[2]), 4);
    assert_true(count == 30 && box[0] == length && box[1] == length && box[2] == length);
    double *position = malloc(3 * count * sizeof *position);
    for (size_t i = 0; i < count; i++) {
        double *x = position + 3 * i;
        assert_int_equal(fscanf(file, "%*d %lf %lf %lf", &x[0], &x[1], &x[2]), 3);
        for (size_t k = 0; k < 3; k++)
            x[k] += 0.5 * length;
    }
    fclose(file);
    return position;
}

static void test_nist(void **state)
{
    (void)state;
    /* Energies as published: the first with all its digits, the others with those given. */
    static const struct {
        double cutoff;
        int32_t cut;
        double energy, virial, tolerance;
    } wanted[] = {{3, SHOAL_GAS_CUT_TRUNCATED, -16.790321304625856, -46.249, 5e-4},
                  {4, SHOAL_GAS_CUT_TRUNCATED, -17.060, -47.869, 5e-4},
                  {3, SHOAL_GAS_CUT_FORCE_SHIFTED, -15.001, -43.096, 1e-3}};
    double *position = read_nist(8);
    input.dim = 3;
    input.particles = 30;
    input.width = input.height = input.depth = 8;
    for (size_t i = 0; i < 3; i++) {
        input.cutoff = wanted[i].cutoff;
        input.cut = wanted[i].cut;
        make();
        struct sums sums = forces_of(&built, position);
        assert_near(sums.energy, wanted[i].energy, i == 0 ? 1e-11 : wanted[i].tolerance);
        assert_near(sums.virial, wanted[i].virial, wanted[i].tolerance);
        free(sums.acceleration);
    }
    free(position);
}

/* Every law and cut ------------------------------------------------------------------------------------ */

static const char user_lj[] = "#define CUTOFF 2.5\n"
                              "static inline real user_force(real d)\n"
                              "{\n"
                              "    const real i2 = R(1.0) / d, i6 = i2 * i2 * i2;\n"
                              "    return R(24.0) * i2 * i6 * (R(2.0) * i6 - R(1.0));\n"
                              "}\n"
                              "static inline real user_energy(real d)\n"
                              "{\n"
                              "    const real i2 = R(1.0) / d, i6 = i2 * i2 * i2;\n"
                              "    return R(4.0) * i6 * (i6 - R(1.0));\n"
                              "}\n";

struct law {
    int32_t potential, cut;
    double cutoff;
};

/* Cutoffs that are not the default ones, and softenings that matter. */
static const struct law laws[] = {
    {SHOAL_GAS_LJ, SHOAL_GAS_CUT_TRUNCATED, 2.2},       {SHOAL_GAS_LJ, SHOAL_GAS_CUT_SHIFTED, 2.2},
    {SHOAL_GAS_LJ, SHOAL_GAS_CUT_FORCE_SHIFTED, 2.2},   {SHOAL_GAS_LJ, SHOAL_GAS_CUT_SMOOTHED, 2.2},
    {SHOAL_GAS_LJ, SHOAL_GAS_CUT_DEFAULT, 0},           {SHOAL_GAS_WCA, SHOAL_GAS_CUT_DEFAULT, NAN},
    {SHOAL_GAS_LOG, SHOAL_GAS_CUT_DEFAULT, NAN},        {SHOAL_GAS_LOG_REPULSION, SHOAL_GAS_CUT_DEFAULT, NAN},
    {SHOAL_GAS_REAL, SHOAL_GAS_CUT_TRUNCATED, 1.9},     {SHOAL_GAS_REAL, SHOAL_GAS_CUT_SHIFTED, 1.9},
    {SHOAL_GAS_REAL, SHOAL_GAS_CUT_FORCE_SHIFTED, 1.9}, {SHOAL_GAS_REAL, SHOAL_GAS_CUT_SMOOTHED, 1.9},
    {SHOAL_GAS_GRAVITY, SHOAL_GAS_CUT_DEFAULT, NAN},    {SHOAL_GAS_USER, SHOAL_GAS_CUT_FORCE_SHIFTED, 2.2},
    {SHOAL_GAS_USER, SHOAL_GAS_CUT_SMOOTHED, 2.2},
};
enum { LAWS = sizeof laws / sizeof *laws };

static void choose(const struct law *law)
{
    shoal_gas_params_init(&input);
    input.boundary_x = input.boundary_y = SHOAL_GAS_OPEN;
    input.particles = 200;
    input.density = 0.8;
    input.potential = law->potential;
    input.cut = law->cut;
    input.cutoff = law->cutoff;
    if (law->potential == SHOAL_GAS_REAL) {
        input.attraction = 0.3;
        input.short_attraction = 4;
        input.repulsion = 3;
        input.softening = 0.4;
    }
    if (law->potential == SHOAL_GAS_USER) {
        test_write_text(test_path("lj.cl"), user_lj);
        input.pair_force = test_path("lj.cl");
    }
    make();
}

static double energy_at(double r)
{
    double force, energy;
    gas_pair_evaluate(&built, &built.pair, r * r, &force, &energy);
    return energy;
}

static double force_at(double r)
{
    double force, alone, energy;
    gas_pair_evaluate(&built, &built.pair, r * r, &force, &energy);
    gas_pair_evaluate(&built, &built.pair, r * r, &alone, NULL);
    assert_true(force == alone);
    return r * force;
}

/* u'(r) by differences of the fourth order: the error is about h^4 of the fifth derivative, and rounding
 * 1e-16 / h. */
static const double slope_step = 2e-4;

static double slope_at(double r)
{
    const double h = slope_step;
    return (8 * (energy_at(r + h) - energy_at(r - h)) - (energy_at(r + 2 * h) - energy_at(r - 2 * h))) /
           (12 * h);
}

/* Distance at which the law ends; that of the thesis is tested on softened distances. */
static double end_of(void)
{
    return sqrt(built.pair.cutoff2 - (built.kind == GAS_PAIR_REAL ? built.pair.softening2 : 0));
}

static void test_derivatives(void **state)
{
    (void)state;
    for (size_t l = 0; l < LAWS; l++) {
        choose(&laws[l]);
        for (double r = 0.85; r < 3.3; r += 0.0371) {
            const double end = end_of(), softening2 = built.pair.softening2;
            if (fabs(r - end) < 3 * slope_step ||
                fabs(r - sqrt(fabs(built.pair.switch2 - softening2))) < 3 * slope_step)
                continue;
            const double slope = slope_at(r);
            test_label("law %zu at %g", l, r);
            assert_close(force_at(r), -slope, 1e-7);
        }
    }
}

static void test_cuts(void **state)
{
    (void)state;
    const double step = 1e-9;
    for (size_t l = 0; l < LAWS; l++) {
        choose(&laws[l]);
        const double end = end_of();
        if (isinf(end)) {
            assert_true(force_at(50) != 0);
            continue;
        }
        const double energy = energy_at(end - step) - energy_at(end + step);
        const double force = force_at(end - step) - force_at(end + step);
        assert_true(built.kind == GAS_PAIR_REAL || (energy_at(end + step) == 0 && force_at(end + step) == 0));
        if (built.cut == SHOAL_GAS_CUT_TRUNCATED)
            assert_true(fabs(energy) > 0.01);
        else
            assert_near(energy, 0, 1e-7);
        if (built.cut == SHOAL_GAS_CUT_FORCE_SHIFTED || built.cut == SHOAL_GAS_CUT_SMOOTHED)
            assert_near(force, 0, 1e-6);
        else if (laws[l].potential != SHOAL_GAS_WCA)
            assert_true(fabs(force) > 0.01);
        if (built.cut == SHOAL_GAS_CUT_SMOOTHED) {
            /* Where the polynomial begins the law is the bare one, and twice differentiable. */
            const double from = sqrt(built.pair.switch2), h = 1e-4;
            assert_near(energy_at(from - step), energy_at(from + step), 1e-7);
            assert_near(force_at(from - step), force_at(from + step), 1e-6);
            const double before = (force_at(from) - force_at(from - h)) / h;
            const double behind = (force_at(from + h) - force_at(from)) / h;
            assert_near(before, behind, 0.05 * fmax(1, fabs(before)));
        }
    }
}

static void test_closed_laws(void **state)
{
    (void)state;
    choose(&laws[7]); /* log-repulsion: attraction 1, softening 1/4, repulsion 17/16 */
    const double s = 1.7 * 1.7 + 1.0 / 16;
    assert_near(force_at(1.7), 1.7 * (17.0 / 16 / s - 1) / s, 1e-14);
    assert_near(energy_at(1.7), 0.5 * log(s) + 17.0 / 32 / s, 1e-14);
    choose(&laws[12]);
    assert_near(energy_at(1.7), -1 / sqrt(s), 1e-14);
    assert_near(force_at(1.7), -1.7 / (s * sqrt(s)), 1e-14);
    /* The real gas: all space, and the short part up to a softened distance of 1.9. */
    choose(&laws[8]);
    const double inside = 1.5 * 1.5 + 0.16, outside = 2.25 * 2.25 + 0.16;
    assert_near(force_at(1.5), 1.5 * (3 / inside - 4.3) / inside, 1e-14);
    assert_near(force_at(2.25), -2.25 * 0.3 / outside, 1e-14);
    assert_near(energy_at(2.25), 0.15 * log(outside), 1e-14);
    /* What is attraction can repel. */
    input.potential = SHOAL_GAS_LOG;
    input.cut = SHOAL_GAS_CUT_DEFAULT;
    input.cutoff = input.repulsion = input.short_attraction = NAN;
    input.attraction = -2;
    make();
    assert_true(force_at(1) > 0);
}

/* Systems ---------------------------------------------------------------------------------------------- */

static void random_positions(double *position, uint64_t seed)
{
    for (size_t i = 0; i < built.n * built.dim; i++) {
        const struct shoal_words words = shoal_random_words(seed, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0);
        position[i] = shoal_uniform_double(words.x, words.y) * built.length[i % built.dim];
    }
}

/* By boxes and directly, for all particles and for some. Sums differ in order alone. */
static void compare_with_direct(const double *position)
{
    const size_t n = built.n, dim = built.dim;
    struct sums sums = forces_of(&built, position);
    size_t *targets = malloc(n * sizeof *targets);
    double *direct = malloc(n * dim * sizeof *direct), *energy = malloc(n * sizeof *energy), total = 0;
    for (size_t i = 0; i < n; i++)
        targets[i] = n - 1 - i;
    gas_forces_sampled(&built, position, targets, n, direct, energy);
    for (size_t i = 0; i < n; i++) {
        total += energy[i];
        for (size_t k = 0; k < dim; k++) {
            const double a = sums.acceleration[(n - 1 - i) * dim + k], b = direct[i * dim + k];
            assert_near(a, b, 1e-12 * fmax(1, sqrt(sums.squares)));
        }
    }
    assert_near(sums.energy, total, 1e-12 * fmax(1, fabs(total)));
    free(sums.acceleration);
    free(targets);
    free(direct);
    free(energy);
}

static void test_boxes_and_direct_sums(void **state)
{
    (void)state;
    /* Width and height in cutoffs: two boxes, two and a bit, many; long and thin ones. */
    static const double sizes[][3] = {{2, 2, 2},       {2.01, 2.99, 2.5}, {3, 2, 4},
                                      {3.001, 5.7, 3}, {17, 2.2, 2.3},    {9.3, 8.1, 3.2},
                                      {40, 41, 2.1},   {350, 3.3, 2.1},   {4.4, 280, 3.7}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned variant = 0; variant < 12; variant++) {
            shoal_gas_params_init(&input);
            input.dim = variant % 2 ? 3 : 2;
            input.particles = 1 + 37 * (variant + 1) * (s + 1) % 400;
            input.cutoff = 1.3;
            input.width = sizes[s][0] * 1.3;
            input.height = sizes[s][1] * 1.3;
            input.depth = input.dim == 3 ? sizes[s][2] * 1.3 : NAN;
            input.epsilon = 0; /* the start may be crowded */
            input.mass = 2;
            input.boundary_x = variant / 2 % 3;
            input.boundary_y = variant / 6 ? SHOAL_GAS_OPEN : SHOAL_GAS_PERIODIC;
            make();
            built.pair.lj6 = 4e-6; /* so that random places make no huge forces */
            built.pair.lj12 = 1e-12;
            double *position = malloc(built.n * built.dim * sizeof *position);
            random_positions(position, 100 * s + variant);
            /* At open ends particles stand outside, on borders exactly on them, and in one place. */
            if (built.n > 4 && input.boundary_y == SHOAL_GAS_OPEN) {
                position[1] = -3;
                position[input.dim + 1] = built.length[1] + 2.5;
            }
            position[0] = 0;
            if (built.n > 3)
                position[2 * built.dim] = built.length[0] / 2;
            compare_with_direct(position);
            free(position);
        }
}

/* Boxes of the same volume get about as many cells, however long they are. */
static void test_cells_of_a_box(void **state)
{
    (void)state;
    static const struct {
        double fitting[GAS_MAX_DIM], most;
        size_t cells[GAS_MAX_DIM];
    } cases[] = {
        {{1, 1, 1}, 1, {1, 1, 1}},
        {{7, 9, 1}, 63, {7, 9, 1}},
        {{7, 9, 1}, 1e9, {7, 9, 1}},
        {{100, 100, 1}, 4096, {64, 64, 1}},
        {{100, 100, 100}, 4096, {16, 16, 16}},
        {{200, 50, 1}, 2500, {100, 25, 1}},
        /* Long: what the short axis has not to give comes from the long one. */
        {{1600, 4, 1}, 6400, {1600, 4, 1}},
        {{2857, 3, 1}, 4096, {2048, 2, 1}},
        {{3, 2857, 1}, 1000, {1, 1000, 1}},
        {{100000, 2, 1}, 4096, {4096, 1, 1}},
        {{2, 3000, 3}, 4096, {1, 2048, 2}},
        /* Flat. */
        {{400, 1, 400}, 4096, {64, 1, 64}},
        {{1, 1000, 500}, 5000, {1, 100, 50}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t cells[GAS_MAX_DIM];
        gas_fit_cells(cases[i].fitting, cases[i].most, cells);
        for (size_t k = 0; k < GAS_MAX_DIM; k++)
            if (cells[k] != cases[i].cells[k]) {
                print_error("case %zu: %zu x %zu x %zu cells\n", i, cells[0], cells[1], cells[2]);
                assert_int_equal(cells[k], cases[i].cells[k]);
            }
    }
}

static void test_momentum_and_threads(void **state)
{
    (void)state;
    for (size_t l = 0; l < LAWS; l++) {
        choose(&laws[l]);
        double *position = malloc(2 * built.n * sizeof *position);
        for (size_t i = 0; i < 2 * built.n; i++) {
            const struct shoal_words words = shoal_random_words(7, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0);
            position[i] = built.position[i] + 0.3 * shoal_uniform_double(words.x, words.y);
        }
        struct sums sums = forces_of(&built, position);
        double sum[2] = {0, 0};
        for (size_t i = 0; i < 2 * built.n; i++)
            sum[i % 2] += sums.acceleration[i];
        assert_near(sum[0], 0, 1e-11 * sqrt(sums.squares));
        assert_near(sum[1], 0, 1e-11 * sqrt(sums.squares));
        assert_true(sums.squares > 0);
        /* The same bits with any number of threads. */
        for (int threads = 1; threads < 4; threads++) {
            struct thread_choice choice = {.most = threads};
            built.choice = &choice;
            struct sums again = forces_of(&built, position);
            assert_memory_equal(again.acceleration, sums.acceleration, 2 * built.n * sizeof(double));
            assert_true(again.energy == sums.energy && again.virial == sums.virial);
            free(again.acceleration);
        }
        built.choice = NULL;
        free(sums.acceleration);
        free(position);
    }
}

static void test_user_force_is_lj(void **state)
{
    (void)state;
    static const int32_t cuts[] = {SHOAL_GAS_CUT_TRUNCATED, SHOAL_GAS_CUT_SHIFTED, SHOAL_GAS_CUT_DEFAULT,
                                   SHOAL_GAS_CUT_SMOOTHED};
    input.particles = 300;
    input.density = 0.5;
    input.start = SHOAL_GAS_RANDOM;
    input.mass = 1.5;
    for (size_t c = 0; c < 4; c++) {
        input.cut = cuts[c];
        input.pair_force = NULL;
        make();
        double *position = malloc(2 * built.n * sizeof *position);
        memcpy(position, built.position, 2 * built.n * sizeof *position);
        struct sums wanted = forces_of(&built, position);
        test_write_text(test_path("lj.cl"), user_lj);
        input.pair_force = test_path("lj.cl");
        make();
        struct sums sums = forces_of(&built, position);
        assert_near(sums.energy, wanted.energy, 1e-11 * fabs(wanted.energy));
        assert_near(sums.virial, wanted.virial, 1e-10 * fabs(wanted.virial));
        for (size_t i = 0; i < 2 * built.n; i++)
            assert_near(sums.acceleration[i], wanted.acceleration[i], 1e-12 * sqrt(wanted.squares));
        free(sums.acceleration);
        free(wanted.acceleration);
        free(position);
    }
}

/* The texts that the documentation shows: force and energy belong together, and both go to 0. */
static void test_examples(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double distance, depth;
    } examples[] = {{"morse.clh", 1, 1}};
    const char *folder = getenv("SHOAL_TEST_EXAMPLES");
    assert_non_null(folder);
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, examples[e].file);
        input.pair_force = path;
        input.cut = SHOAL_GAS_CUT_TRUNCATED;
        make();
        assert_near(force_at(examples[e].distance), 0, 1e-12);
        assert_near(energy_at(examples[e].distance), -examples[e].depth, 1e-12);
        for (double r = 0.7; r < end_of() - 0.01; r += 0.0371) {
            const double slope = slope_at(r);
            assert_near(force_at(r), -slope, 1e-7 * fmax(1, fabs(slope)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_closed_form),      GAS_TEST(test_nist),
        GAS_TEST(test_derivatives),      GAS_TEST(test_cuts),
        GAS_TEST(test_closed_laws),      GAS_TEST(test_boxes_and_direct_sums),
        GAS_TEST(test_cells_of_a_box),   GAS_TEST(test_momentum_and_threads),
        GAS_TEST(test_user_force_is_lj), GAS_TEST(test_examples),
    };
    return cmocka_run_group_tests_name("gas-forces", tests, NULL, NULL);
}
