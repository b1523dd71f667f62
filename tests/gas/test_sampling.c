/* What happens between the steps of a gas: when samples and frames are taken, callers that end a run,
 * averages with their error, clusters, g(r). On the host; devices have the same code. */
#include "fixture.h"
#include "unit.h"

#include <math.h>
#include <shoal/rng.h>

/* Callbacks -------------------------------------------------------------------------------------------- */

struct record {
    uint64_t thermo[64], frames[64];
    size_t thermo_count, frame_count;
    uint64_t fail_at; /* step at which the caller cannot write any more; UINT64_MAX: never */
};

static bool on_sample(void *data, const void *sample, const char **failure)
{
    struct record *record = data;
    const struct shoal_gas_thermo *thermo = sample;
    record->thermo[record->thermo_count++] = thermo->step;
    *failure = "cannot write thermo.csv: no space left on device";
    return thermo->step >= record->fail_at;
}

static bool on_frame(void *data, const struct shoal_gas_frame *frame, const char **failure)
{
    struct record *record = data;
    record->frames[record->frame_count++] = frame->step;
    assert_near(frame->time, (double)frame->step * 0.005, 1e-12);
    (void)failure;
    return false;
}

static void assert_steps(const uint64_t *is, size_t count, const uint64_t *should, size_t wanted)
{
    assert_int_equal(count, wanted);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(is[i], should[i]);
}

static struct shoal_gas_params recorded(struct record *record)
{
    struct shoal_gas_params params = host_params(40);
    *record = (struct record){.fail_at = UINT64_MAX};
    params.steps = 50;
    params.equilibration = 13;
    params.thermo = 20;
    params.frames = 15;
    params.on_frame = on_frame;
    params.data = record;
    return params;
}

static struct shoal_solver *open_recorded(const struct shoal_gas_params *params)
{
    struct shoal_solver *solver = host_open(params, 1);
    shoal_solver_on_sample(solver, on_sample, params->data);
    return solver;
}

/* However the run is cut; the equilibration gives nothing; no step follows the last. */
static void test_schedule(void **state)
{
    (void)state;
    static const uint64_t thermo[] = {0, 20, 40, 50}, frames[] = {0, 15, 30, 45}, ends[] = {0, 50};
    for (uint64_t piece = 1; piece <= 100; piece = piece * 3 + 1) {
        struct record record;
        const struct shoal_gas_params params = recorded(&record);
        struct shoal_solver *solver = open_recorded(&params);
        uint64_t done = 1, made = 0;
        while (done) {
            assert_ok(shoal_solver_step(solver, piece, &done, &test_error));
            made += done;
        }
        assert_int_equal(made, 63);
        assert_steps(record.thermo, record.thermo_count, thermo, 4);
        assert_steps(record.frames, record.frame_count, frames, 4);
        shoal_solver_destroy(&solver);
    }
    struct record record;
    struct shoal_gas_params params = recorded(&record);
    params.thermo = params.frames = params.equilibration = 0;
    struct shoal_solver *solver = open_recorded(&params);
    run_steps(solver, 50);
    assert_steps(record.thermo, record.thermo_count, ends, 2);
    assert_int_equal(record.frame_count, 0);
    shoal_solver_destroy(&solver);
}

static void test_caller_ends(void **state)
{
    (void)state;
    struct record record;
    const struct shoal_gas_params params = recorded(&record);
    record.fail_at = 40;
    struct shoal_solver *solver = open_recorded(&params);
    uint64_t done;
    assert_status(shoal_solver_step(solver, 1000, &done, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, "cannot write thermo.csv: no space left on device (at step 40)");
    assert_int_equal(record.thermo_count, 3);
    shoal_solver_destroy(&solver);
}

/* Asking for what there is not. */
static void test_public(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(40);
    struct shoal_gas_histogram histogram;
    struct shoal_gas_timing timing;
    struct shoal_solver *solver = host_open(&params, 1);
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_RDF, &histogram, &test_error));
    assert_int_equal(histogram.bins, 0);
    assert_status(shoal_gas_get_histogram(solver, 3, &histogram, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "kind is 3");
    struct shoal_gas_msd msd;
    assert_ok(shoal_gas_get_msd(solver, &msd, &test_error));
    assert_int_equal(msd.samples, 0);
    assert_true(isnan(msd.diffusion) && isnan(msd.diffusion_error));
    assert_status(shoal_gas_get_msd(solver, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_gas_get_thermo(solver, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_gas_get_frame(NULL, NULL, &test_error), SHOAL_INVALID);
    assert_ok(shoal_gas_get_timing(solver, &timing, &test_error));
    assert_string_equal(timing.method, "list");
    shoal_solver_destroy(&solver);
}

/* Averages --------------------------------------------------------------------------------------------- */

static double normal(uint32_t i)
{
    double first, second;
    shoal_normal_double(shoal_random_words(5, SHOAL_STREAM_TEST, 1, i, 0), &first, &second);
    return first;
}

/* x(n + 1) = phi x(n) + noise: its mean has the variance (1 + phi) / (1 - phi) / N of the samples'. */
static void test_blocking(void **state)
{
    (void)state;
    static const double phis[] = {0, 0.5, 0.9, 0.98};
    const uint32_t count = 60001;
    struct gas_averages *averages;
    assert_ok(gas_averages_create(&averages, &test_error));
    for (size_t p = 0; p < 4; p++) {
        const double phi = phis[p];
        double x = 0, sum = 0;
        gas_averages_reset(averages);
        for (uint32_t i = 0; i < count; i++) {
            x = phi * x + sqrt(1 - phi * phi) * normal(i);
            sum += x;
            const struct shoal_gas_thermo thermo = {.time = 0.1 * i,
                                                    .temperature = 3 + x,
                                                    .conserved = 50 * (0.25 + 1e-3 * 0.1 * i),
                                                    .wall_pressure = i % 2 ? x : NAN};
            gas_averages_add(averages, &thermo, 50);
        }
        const struct gas_average average = gas_averages_get(averages, GAS_MEAN_TEMPERATURE);
        const double wanted = sqrt((1 + phi) / (1 - phi) / count);
        assert_int_equal(average.samples, count);
        assert_near(average.mean, 3 + sum / count, 1e-12);
        assert_near(average.error / wanted, 1, 0.2);
        assert_near(average.variance, 1, 0.2);
        assert_int_equal(gas_averages_get(averages, GAS_MEAN_WALL_PRESSURE).samples, count / 2);
        assert_near(gas_averages_slope(averages), 1e-3, 1e-13);
        assert_true(gas_averages_are_sound(averages, count, true));
        assert_false(gas_averages_are_sound(averages, count - 1, true));
    }
    gas_averages_reset(averages);
    assert_true(isnan(gas_averages_get(averages, GAS_MEAN_PRESSURE).mean));
    assert_true(isnan(gas_averages_slope(averages)));
    gas_averages_destroy(&averages);
}

/* Clusters, distances ----------------------------------------------------------------------------------- */

/* A row of five across a periodic border, a pair, and particles by themselves. */
static void test_clusters(void **state)
{
    (void)state;
    static const double position[] = {9.4, 5, 0.2, 5, 1.1, 5, 2.0, 5, 2.9, 5, 6, 1, 6.9, 1, 5, 8, 3, 3};
    struct shoal_gas_params params = host_params(9);
    params.width = params.height = 10;
    params.cluster_distance = 1;
    struct shoal_solver *solver = host_open(&params, 1);
    host_place(solver, position, NULL);
    assert_near(thermo_of(solver).largest_cluster, 5.0 / 9, 1e-15);
    shoal_solver_destroy(&solver);
    params.boundary_x = SHOAL_GAS_WALLS;
    solver = host_open(&params, 1);
    host_place(solver, position, NULL);
    assert_near(thermo_of(solver).largest_cluster, 4.0 / 9, 1e-15);
    shoal_solver_destroy(&solver);
}

/* A square lattice: 4 neighbours at 1, 4 at sqrt 2, 4 at 2, 8 at sqrt 5. */
static void test_lattice(void **state)
{
    (void)state;
    struct shoal_gas_params params = host_params(400);
    struct shoal_gas_histogram histogram;
    params.density = 1;
    params.rdf_range = 2.45;
    params.rdf_bins = 49; /* 0.05 */
    struct shoal_solver *solver = host_open(&params, 0);
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_RDF, &histogram, &test_error));
    assert_int_equal(histogram.bins, 49);
    assert_int_equal(histogram.samples, 1);
    static const double distances[] = {1, 1.41421356, 2, 2.23606798}, neighbours[] = {4, 4, 4, 8};
    for (size_t shell = 0; shell < 4; shell++) {
        double found = 0;
        for (size_t b = 0; b < histogram.bins; b++) {
            const double inner = (double)b * histogram.width, outer = inner + histogram.width;
            /* A length on the border of two bins may be in either. */
            if (outer > distances[shell] - 1e-6 && inner < distances[shell] + 1e-6)
                found +=
                    histogram.value[b] * 3.14159265358979 * (outer * outer - inner * inner) * 399.0 / 400;
        }
        assert_near(found, neighbours[shell], 1e-9);
    }
    shoal_solver_destroy(&solver);
}

/* Density and displacements of a gas without forces, whose positions are known at all times: particles that
 * fly along x, at each of eight heights. */
static void test_flight(void **state)
{
    (void)state;
    enum { ROWS = 8, COLUMNS = 4, COUNT_ALL = ROWS * COLUMNS };
    struct shoal_gas_params params = host_params(COUNT_ALL);
    double position[2 * COUNT_ALL], velocity[2 * COUNT_ALL] = {0};
    params.epsilon = 0;
    params.density = NAN;
    params.width = params.height = 8;
    params.dt = 0.01;
    params.thermo = 100;
    params.msd = true;
    params.profile_axis = SHOAL_GAS_Y;
    params.profile_bins = 16;
    for (size_t i = 0; i < COUNT_ALL; i++) {
        position[2 * i] = 2 * (double)(i % COLUMNS) + 0.5;
        position[2 * i + 1] = (double)(i / COLUMNS) + 0.25;
        velocity[2 * i] = i % 2 ? 3 : -5; /* through up to 7 boxes */
    }
    struct shoal_solver *solver = host_open(&params, 0);
    host_place(solver, position, velocity);
    run_steps(solver, 1100);
    struct shoal_gas_msd msd;
    struct shoal_gas_histogram profile;
    assert_ok(shoal_gas_get_msd(solver, &msd, &test_error));
    assert_int_equal(msd.samples, 12);
    for (size_t i = 0; i < msd.samples; i++) {
        const double time = (double)i, expected = 17 * time * time;
        assert_near(msd.sample[i].time, time, 1e-12);
        assert_near(msd.sample[i].along[0], expected, 1e-9 * expected);
        assert_near(msd.sample[i].total, expected, 1e-9 * expected);
        assert_near(msd.sample[i].along[1], 0, 0);
    }
    /* The line through 17 t^2 at t = 6 ... 11 has the slope 17 (6 + 11); each group has the same. */
    assert_near(msd.diffusion, 17.0 * 17 / 4, 1e-6);
    assert_near(msd.diffusion_error, 0, 1e-6);
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_PROFILE, &profile, &test_error));
    assert_int_equal(profile.samples, 12);
    assert_near(profile.width, 0.5, 1e-15);
    assert_null(profile.theory);
    for (size_t b = 0; b < profile.bins; b++)
        assert_near(profile.value[b], b % 2 ? 0 : (double)COLUMNS / (8 * 0.5), 1e-12);
    shoal_solver_destroy(&solver);
}

/* Where the potential is truncated in a periodic box, and nowhere else. */
static void test_tail(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979324, epsilon = 1.3, sigma = 1.1, density = 0.3, cutoff = 2.4;
    for (uint64_t dim = 2; dim <= 3; dim++)
        for (int32_t cut = SHOAL_GAS_CUT_DEFAULT; cut <= SHOAL_GAS_CUT_SMOOTHED; cut++)
            for (int32_t boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_WALLS; boundary++) {
                struct shoal_gas_params params = host_params(60);
                struct shoal_result result = {0};
                params.dim = dim;
                params.epsilon = epsilon;
                params.sigma = sigma;
                params.density = density;
                params.cutoff = cutoff;
                params.cut = cut;
                params.boundary_y = boundary;
                struct shoal_solver *solver = host_open(&params, 1);
                run_steps(solver, 1);
                assert_ok(shoal_solver_result(solver, &result, &test_error));
                const double energy = shoal_result_number(&result, "tail_energy"),
                             pressure = shoal_result_number(&result, "tail_pressure");
                if (cut != SHOAL_GAS_CUT_TRUNCATED || boundary != SHOAL_GAS_PERIODIC) {
                    assert_true(isnan(energy) && isnan(pressure));
                } else if (dim == 3) {
                    const double x3 = pow(sigma / cutoff, 3), x9 = x3 * x3 * x3, s3 = sigma * sigma * sigma;
                    assert_near(energy, 8.0 / 3 * pi * density * epsilon * s3 * (x9 / 3 - x3), 1e-12);
                    assert_near(pressure,
                                16.0 / 3 * pi * density * density * epsilon * s3 * (2 * x9 / 3 - x3), 1e-12);
                } else {
                    const double x4 = pow(sigma / cutoff, 4), x10 = pow(sigma / cutoff, 10);
                    const double s2 = sigma * sigma;
                    assert_near(energy, pi * density * epsilon * s2 * (0.4 * x10 - x4), 1e-12);
                    assert_near(pressure, pi * density * density * epsilon * s2 * (2.4 * x10 - 3 * x4),
                                1e-12);
                }
                shoal_solver_destroy(&solver);
            }
}

/* The tail of a pair force in a text, at a density of 0.3; NaN: there is none. */
static void user_tail(const char *text, uint64_t dim, double *energy, double *pressure)
{
    struct shoal_gas_params params = host_params(60);
    struct shoal_result result = {0};
    test_write_text(test_path("tail.clh"), text);
    params.pair_force = test_path("tail.clh");
    params.dim = dim;
    params.density = 0.3;
    params.cut = SHOAL_GAS_CUT_TRUNCATED;
    struct shoal_solver *solver = host_open(&params, 1);
    run_steps(solver, 0);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    *energy = shoal_result_number(&result, "tail_energy");
    *pressure = shoal_result_number(&result, "tail_pressure");
    shoal_solver_destroy(&solver);
}

/* Sums of powers of the distance, and an exponential: integrals that are known. */
static void test_user_tail(void **state)
{
    (void)state;
    static const char lennard_jones[] = "#define CUTOFF 2.4\n"
                                        "static inline real user_force(real d) { return R(24.0) * (2 / "
                                        "pow(d, R(7.0)) - 1 / pow(d, R(4.0))); }\n"
                                        "static inline real user_energy(real d) { return R(4.0) * (1 / "
                                        "pow(d, R(6.0)) - 1 / pow(d, R(3.0))); }\n";
    static const char exponential[] =
        "#define CUTOFF 2.0\n"
        "static inline real user_force(real d) { return 7 * exp(-7 * sqrt(d)) / sqrt(d); }\n"
        "static inline real user_energy(real d) { return exp(-7 * sqrt(d)); }\n";
    static const char cubic[] = "#define CUTOFF 2.0\n"
                                "static inline real user_force(real d) { return 3 / (d * d * sqrt(d)); }\n"
                                "static inline real user_energy(real d) { return 1 / (d * sqrt(d)); }\n";
    const double pi = 3.14159265358979324, density = 0.3;
    double energy, pressure;
    user_tail(lennard_jones, 3, &energy, &pressure);
    const double x3 = pow(1 / 2.4, 3), x9 = x3 * x3 * x3;
    assert_close(energy, 8.0 / 3 * pi * density * (x9 / 3 - x3), 1e-12);
    assert_close(pressure, 16.0 / 3 * pi * density * density * (2 * x9 / 3 - x3), 1e-12);
    user_tail(lennard_jones, 2, &energy, &pressure);
    const double x4 = pow(1 / 2.4, 4), x10 = pow(1 / 2.4, 10);
    assert_close(energy, pi * density * (0.4 * x10 - x4), 1e-12);
    assert_close(pressure, pi * density * density * (2.4 * x10 - 3 * x4), 1e-12);
    user_tail(exponential, 3, &energy, &pressure);
    /* Of r^2 exp(-7 r), and of 7 r^3 exp(-7 r), from 2 on. */
    const double squares = exp(-14) * (4.0 / 7 + 4.0 / 49 + 2.0 / 343);
    assert_close(energy, 2 * pi * density * squares, 1e-12);
    assert_close(pressure, 2 * pi / 3 * density * density * (exp(-14) * 8 + 3 * squares), 1e-12);
    /* 1 / r^3: in the plane the integral is 1 / 2; in space it diverges, slowly. */
    user_tail(cubic, 2, &energy, &pressure);
    assert_close(energy, pi * density * 0.5, 1e-12);
    assert_close(pressure, 0.5 * pi * density * density * 1.5, 1e-12);
    user_tail(cubic, 3, &energy, &pressure);
    assert_true(isnan(energy) && isnan(pressure));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAS_TEST(test_schedule), GAS_TEST(test_caller_ends), GAS_TEST(test_public),
        GAS_TEST(test_blocking), GAS_TEST(test_clusters),    GAS_TEST(test_lattice),
        GAS_TEST(test_flight),   GAS_TEST(test_tail),        GAS_TEST(test_user_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
