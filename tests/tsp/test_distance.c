/* Distances on the host against plain formulas, forms of paths and asymmetric problems, units and limits. */
#include "base/integer.h"
#include "cities.h"
#include "tsp/model/farthest.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

/* The text of the host and of kernels, in whole numbers. */
#include "lib/host.h"
#include "tsp/model/straight.clh"

/* The nearest whole number to the root, without rounding. */
static int64_t exact_root(uint64_t square)
{
    uint64_t n = (uint64_t)sqrtl((long double)square);
    while (n * n > square)
        n--;
    while ((n + 1) * (n + 1) <= square)
        n++;
    return (int64_t)(square > n * n + n ? n + 1 : n);
}

/* TSPLIB 95, section 2: as printed there. */
static int nint(double x)
{
    return (int)(x + 0.5);
}

static double geo_radians(double x)
{
    const double degrees = (int)x, minutes = x - degrees;
    return 3.141592 * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

static double geo(const double *p, const double *q)
{
    const double q1 = cos(geo_radians(p[1]) - geo_radians(q[1]));
    const double q2 = cos(geo_radians(p[0]) - geo_radians(q[0]));
    const double q3 = cos(geo_radians(p[0]) + geo_radians(q[0]));
    return 6378.388 * acos(fmin(fmax(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1), 1)) + 1.0;
}

/* Near the opposite side the angle from there is the accurate one. */
static long double angle_on_earth(const double *p, const double *q)
{
    const long double pi = 3.14159265358979323846264338327950288L, radian = pi / 180;
    const bool is_far =
        cosl(p[0] * radian) * cosl(q[0] * radian) * cosl((q[1] - (long double)p[1]) * radian) +
            sinl(p[0] * radian) * sinl(q[0] * radian) <
        0;
    const double latitude = is_far ? -q[0] : q[0];
    const long double longitude = is_far ? q[1] + 180.0L : q[1];
    const long double a = sinl((latitude - (long double)p[0]) * radian / 2);
    const long double b = sinl((longitude - p[1]) * radian / 2);
    const long double h = a * a + cosl(p[0] * radian) * cosl(latitude * radian) * b * b;
    const long double angle = 2 * asinl(sqrtl(h));
    return is_far ? pi - angle : angle;
}

/* `*rounded` is what is cut to the distance where another formula of the same value may be cut otherwise. */
static int64_t plain(enum shoal_tsp_metric metric, const double *p, const double *q, double unit,
                     double *rounded)
{
    const double x = fabs(p[0] - q[0]), y = fabs(p[1] - q[1]);
    double root;
    *rounded = NAN;
    switch (metric) {
    case SHOAL_TSP_EUC_2D:
        return nint(sqrt(x * x + y * y));
    case SHOAL_TSP_EUC_3D:
        return nint(sqrt(x * x + y * y + (p[2] - q[2]) * (p[2] - q[2])));
    case SHOAL_TSP_CEIL_2D:
        return (int)ceil(sqrt(x * x + y * y));
    case SHOAL_TSP_MAN_2D:
        return nint(x + y);
    case SHOAL_TSP_MAN_3D:
        return nint(x + y + fabs(p[2] - q[2]));
    case SHOAL_TSP_MAX_2D:
        return nint(x) > nint(y) ? nint(x) : nint(y);
    case SHOAL_TSP_MAX_3D:
        root = fmax(fmax(x, y), fabs(p[2] - q[2]));
        return nint(root);
    case SHOAL_TSP_ATT:
        root = sqrt((x * x + y * y) / 10.0);
        return nint(root) < root ? nint(root) + 1 : nint(root);
    case SHOAL_TSP_GEO:
        *rounded = geo(p, q);
        return (int64_t)*rounded;
    case SHOAL_TSP_HAVERSINE:
        *rounded = (double)(637100880.0L * angle_on_earth(p, q) + 0.5L);
        return (int64_t)*rounded;
    case SHOAL_TSP_GEOM: /* of Concorde and LKH */
        *rounded = (double)(6378388.0L * angle_on_earth(p, q) + 1.0L);
        return (int64_t)*rounded;
    default: {
        const uint64_t dx = (uint64_t)rint(x / unit), dy = (uint64_t)rint(y / unit);
        return exact_root(dx * dx + dy * dy);
    }
    }
}

enum { COUNT_OF_PAIRS = 40000 };

static void formulas_are_as_published(void **state)
{
    (void)state;
    double *points = malloc(sizeof *points * 6 * COUNT_OF_PAIRS);
    assert_non_null(points);
    for (size_t k = 0; k < CITIES_PAIRS; k++) {
        const struct cities_pairs *pairs = &cities_pairs[k];
        struct cities cities;
        size_t unsure = 0;
        test_label("%s", pairs->name);
        cities_make_pairs(pairs, k + 1, points, COUNT_OF_PAIRS);
        cities_open(&cities, pairs->metric, pairs->dim, points, 2 * COUNT_OF_PAIRS);
        assert_int_equal(cities.problem.form.is_whole,
                         pairs->is_whole && (pairs->span < 1 << 25 || pairs->metric != SHOAL_TSP_EUC_2D));
        for (uint32_t i = 0; i < COUNT_OF_PAIRS; i++) {
            double rounded;
            const int64_t wanted = plain(pairs->metric, points + 2 * i * pairs->dim,
                                         points + (2 * i + 1) * pairs->dim, cities.problem.unit, &rounded);
            const int64_t got = tsp_distance(&cities.problem, 2 * i, 2 * i + 1);
            /* Where the formula of the reference is within its own error of a border. */
            if (got != wanted && fabs(rounded - rint(rounded)) < 1e-4) {
                unsure++;
                assert_true(got == wanted + 1 || got == wanted - 1);
                continue;
            }
            if (got != wanted)
                fail_msg("pair %u: %lld, not %lld", i, (long long)got, (long long)wanted);
            assert_int_equal(tsp_distance(&cities.problem, 2 * i + 1, 2 * i), got);
        }
        assert_at_most((double)unsure, 1e-3 * COUNT_OF_PAIRS);
        cities_close(&cities);
    }
    free(points);
}

/* What kernels compute without double precision. */
static void whole_roots_are_exact(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 400000; i++) {
        const int bits = 1 + i % 20;
        const int n = (int)(cities_random(&random) >> (64 - bits)), m = (int)sqrt((double)n) + i % 3 - 1;
        const int x = i & 1 ? n : (int)(cities_random(&random) >> (64 - bits)), y = i & 2 ? m : n - m;
        const uint64_t square = (uint64_t)((int64_t)x * x + (int64_t)y * y);
        const int64_t nearest = exact_root(square);
        const int64_t up = (int64_t)ceil(sqrt((double)square)),
                      tenth = (int64_t)ceil(sqrt((double)square / 10));
        test_label("%d %d", x, y);
        assert_int_equal(root_of_small(RULE_NEAREST, x, y, 0), nearest);
        assert_int_equal(root_of_large(RULE_NEAREST, x, y, 0), nearest);
        assert_int_equal(root_of_small(RULE_CEIL, x, y, 0), up);
        assert_int_equal(root_of_large(RULE_CEIL, x, y, 0), up);
        assert_int_equal(root_of_small(RULE_ATT, x, y, 0), tenth);
        assert_int_equal(root_of_large(RULE_ATT, x, y, 0), tenth);
        /* n^2 + m^2 at m^2 = n and next to it, up to 2^30. */
        const int64_t c = (int64_t)(cities_random(&random) % 32767) + 1, d = c * c + i % 5 - 2;
        assert_int_equal(root_of_large(RULE_NEAREST, (int)d, (int)c, 0),
                         exact_root((uint64_t)(d * d + c * c)));
    }
}

static void euclid_has_the_smallest_unit(void **state)
{
    (void)state;
    static const struct {
        double x, y, unit;
        int64_t distance;
    } cases[] = {
        {3, 4, 1e-8, 500000000},
        {0.25, 0, 1e-9, 250000000},
        {0, 1.1, 1e-8, 110000000},
        {0, 1.0e30, 1e21, 1000000000},
        {1073741824, 0, 1e1, 107374182},
        {1073741823, 0, 1, 1073741823},
        {0, 1.073741823, 1e-9, 1073741823},
        {0, 0, 1e-1, 0},
        {1e150, 0, 1e141, 1000000000},
        {1e-310, 0, 1e-300, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double points[] = {0, 0, cases[i].x, cases[i].y};
        struct cities cities;
        test_label("%g %g", cases[i].x, cases[i].y);
        cities_open(&cities, SHOAL_TSP_EUCLID, 2, points, 2);
        if (cases[i].distance)
            assert_true(fabs(cities.problem.unit / cases[i].unit - 1) < 1e-12);
        assert_int_equal(tsp_distance(&cities.problem, 0, 1), cases[i].distance);
        cities_close(&cities);
    }
}

/* By decimals the numbers are whole in the unit: devices need no double precision. */
static void decimals_are_whole(void **state)
{
    (void)state;
    uint64_t random = 3;
    double points[2000];
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] = ((double)(cities_random(&random) % 2000000) - 1e6) / 1e5;
    struct cities cities;
    cities_open(&cities, SHOAL_TSP_EUCLID, 2, points, 1000);
    assert_true(cities.problem.form.is_whole && cities.problem.form.is_exact);
    cities_close(&cities);
    points[7] = 1.0 / 3;
    cities_open(&cities, SHOAL_TSP_EUCLID, 2, points, 1000);
    assert_false(cities.problem.form.is_whole);
    cities_close(&cities);
}

static void too_far_is_named(void **state)
{
    (void)state;
    const double points[] = {5, 5, 1e9, 7, 3e9, 1e9, -1e9, -2, 2, 2};
    struct shoal_tsp_params params;
    struct tsp_problem problem;
    shoal_tsp_params_init(&params);
    params.points = points;
    params.count = 5;
    params.dim = 2;
    static const struct {
        enum shoal_tsp_metric metric;
        const char *part;
    } cases[] = {
        {SHOAL_TSP_EUC_2D, "4123105626"}, {SHOAL_TSP_MAN_2D, "5000000002"}, {SHOAL_TSP_MAX_2D, "4000000000"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        params.metric = (int32_t)cases[i].metric;
        assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].part);
        assert_true(strstr(test_error.message, "3 and 4 is") || strstr(test_error.message, "4 and 3 is"));
    }
    /* Their box is too large, no pair is. */
    const double far[] = {0, 1.1e9, 2.1e9, 1e9, 1.1e9, 0, 1e9, 2e9};
    params.points = far;
    params.count = 4;
    params.metric = SHOAL_TSP_EUC_2D;
    assert_ok(tsp_problem_create(&params, &problem, &test_error));
    assert_true(problem.form.is_wide);
    tsp_problem_destroy(&problem);
}

static void check_farthest(const double *points, uint32_t n, unsigned dim, int rule)
{
    uint32_t pair[2];
    double best = 0, difference[3] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            for (unsigned d = 0; d < dim; d++)
                difference[d] = fabs(points[i * dim + d] - points[j * dim + d]);
            best = fmax(best, tsp_measure(rule, dim, difference));
        }
    assert_ok(tsp_farthest(points, n, dim, rule, pair, &test_error));
    for (unsigned d = 0; d < dim; d++)
        difference[d] = fabs(points[pair[0] * dim + d] - points[pair[1] * dim + d]);
    assert_true(tsp_measure(rule, dim, difference) == best);
}

static void the_farthest_pair(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 7, 8, 9, 17, 100, 501};
    static const int rules[] = {RULE_NEAREST, RULE_MANHATTAN, RULE_MAXIMUM};
    static double points[3 * 501];
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (int kind = 0; kind < CITIES_KINDS; kind++)
            for (unsigned dim = 2; dim <= 3; dim++)
                for (size_t r = 0; r < COUNT(rules); r++) {
                    test_label("%u places of kind %d in %u dimensions, rule %d", sizes[s], kind, dim,
                               rules[r]);
                    cities_make_points((enum cities_kind)kind, SHOAL_TSP_EUC_2D, dim, points, sizes[s]);
                    check_farthest(points, sizes[s], dim, rules[r]);
                }
}

/* On a circle all places are outside: the time must not grow with the square of their number. */
static void a_circle_is_no_worst_case(void **state)
{
    (void)state;
    const size_t n = getenv("SHOAL_TEST_SHARE") ? 40009 : 200003; /* quick: fewer */
    double *points = malloc(2 * n * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < n; i++) {
        points[2 * i] = 1e6 * cos(6.283185307179586 * (double)i / (double)n);
        points[2 * i + 1] = 1e6 * sin(6.283185307179586 * (double)i / (double)n);
    }
    uint32_t pair[2];
    assert_ok(tsp_farthest(points, n, 2, RULE_NEAREST, pair, &test_error));
    assert_near(fmod(fabs((double)pair[0] - pair[1]), (double)n), (double)n / 2, 2);
    free(points);
}

/* Problems that are opened by the threads of a caller's team, in which tasks may wait until the team ends. */
static void threads_of_a_team_open_problems(void **state)
{
    (void)state;
    enum { N = 60000, TEAM = 2 };
    double *points = malloc(2 * N * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < N; i++) {
        points[2 * i] = 4.5e6 * cos(6.283185307179586 * (double)i / N);
        points[2 * i + 1] = 4.5e6 * sin(6.283185307179586 * (double)i / N);
    }
    /* Side and diagonal of the square around the circle give different units: the farthest pair decides. */
    const struct shoal_tsp_params params =
        SHOAL_TSP_PARAMS(.points = points, .count = N, .metric = SHOAL_TSP_EUCLID);
    struct tsp_problem problems[TEAM] = {0};
    struct shoal_error errors[TEAM];
    enum shoal_status status[TEAM], farthest[TEAM];
    uint32_t pairs[TEAM][2], pair[2];
#pragma omp parallel for num_threads(TEAM) schedule(static, 1)
    for (int i = 0; i < TEAM; i++) {
        farthest[i] = tsp_farthest(points, N, 2, RULE_NEAREST, pairs[i], &errors[i]);
        status[i] = tsp_problem_create(&params, &problems[i], &errors[i]);
    }
    assert_ok(tsp_farthest(points, N, 2, RULE_NEAREST, pair, &test_error));
    for (int i = 0; i < TEAM; i++) {
        assert_int_equal(farthest[i], SHOAL_OK);
        assert_int_equal(status[i], SHOAL_OK);
        assert_memory_equal(pairs[i], pair, sizeof pair);
        assert_near(problems[i].unit, 0.01, 1e-15);
        tsp_problem_destroy(&problems[i]);
    }
    free(points);
}

/* Tours through the form and back. */
static void check_tours(const struct tsp_problem *problem)
{
    const struct tsp_form *form = &problem->form;
    int64_t in_fixed = 0;
    for (size_t i = 0; i < problem->fixed_count; i++)
        in_fixed += tsp_input_distance(problem, problem->fixed[i][0], problem->fixed[i][1]);
    uint32_t tour[8], form_tour[18], back[8];
    for (uint32_t i = 0; i < problem->n; i++)
        tour[i] = i;
    /* The other cities between the given ends, rotated. */
    for (uint32_t shift = 0; shift < form->n; shift++)
        for (unsigned backwards = 0; backwards < 2; backwards++) {
            uint32_t turned[18];
            tsp_form_enter(problem, tour, form_tour);
            for (uint32_t i = 0; i < form->n; i++)
                turned[i] = form_tour[(backwards ? form->n - 1 - i + shift : i + shift) % form->n];
            assert_true(tsp_form_leave(problem, turned, back));
            assert_int_equal(tsp_length(problem, back, NULL), tsp_length(problem, tour, NULL));
            if (form->n > 2)
                assert_int_equal(tsp_form_length(problem, turned),
                                 tsp_length(problem, tour, NULL) - in_fixed - form->fixed_count * TSP_FAR);
            if (problem->is_path && problem->start != SHOAL_TSP_NONE)
                assert_int_equal(back[0], problem->start);
            if (problem->is_path && problem->end != SHOAL_TSP_NONE)
                assert_int_equal(back[problem->n - 1], problem->end);
        }
}

static void tours_pass_through_the_form(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 10, 3, 20, 1, 15, 14, 3, 17, 8, 8, 4, 4};
    int32_t symmetric[49], directed[49];
    uint64_t random = 11;
    for (uint32_t i = 0; i < 49; i++) {
        directed[i] = (int32_t)(cities_random(&random) % 1000);
        symmetric[i] = i / 7 < i % 7 ? directed[i] : i / 7 == i % 7 ? 0 : symmetric[i % 7 * 7 + i / 7];
        directed[i] = i / 7 == i % 7 ? 0 : directed[i];
    }
    static const uint32_t fixed[1][2] = {{1, 2}};
    for (uint32_t n = 1; n <= 7; n++)
        for (int source = 0; source < 3; source++)
            for (int ends = 0; ends < 5; ends++) {
                struct cities cities;
                int32_t matrix[49];
                for (uint32_t i = 0; i < n * n; i++)
                    matrix[i] = (source == 1 ? symmetric : directed)[i / n * 7 + i % n];
                test_label("%u cities, source %d, ends %d", n, source, ends);
                if (source == 0)
                    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, n);
                else
                    cities_open_matrix(&cities, matrix, n);
                assert_ok(cities_change(&cities, ends > 0, ends & 1 ? 0 : SHOAL_TSP_NONE,
                                        ends & 2 ? n - 1 : SHOAL_TSP_NONE, fixed, n > 3));
                check_tours(&cities.problem);
                cities_close(&cities);
            }
}

static void broken_edges_are_seen(void **state)
{
    (void)state;
    static const int32_t matrix[16] = {0, 1, -1, 2, 1, 0, 3, 4, -1, 3, 0, 5, 2, 4, 5, 0};
    static const uint32_t good[] = {0, 1, 2, 3}, bad[] = {0, 2, 1, 3}, fixed[1][2] = {{0, 3}};
    uint32_t tour[4], forbidden;
    struct cities cities;
    cities_open_matrix(&cities, matrix, 4);
    assert_true(cities.problem.form.is_wide && !cities.problem.form.has_fixed);
    assert_int_equal(tsp_distance(&cities.problem, 0, 2), TSP_FAR);
    assert_true(tsp_form_leave(&cities.problem, good, tour));
    assert_false(tsp_form_leave(&cities.problem, bad, tour));
    assert_int_equal(tsp_length(&cities.problem, bad, &forbidden), 3 + 4 + 2);
    assert_int_equal(forbidden, 0);
    assert_ok(cities_change(&cities, false, SHOAL_TSP_NONE, SHOAL_TSP_NONE, fixed, 1));
    static const uint32_t without[] = {0, 1, 3, 2};
    assert_true(tsp_form_leave(&cities.problem, good, tour));
    assert_false(tsp_form_leave(&cities.problem, without, tour));
    cities_close(&cities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(formulas_are_as_published),
        UNIT_TEST(whole_roots_are_exact),
        UNIT_TEST(euclid_has_the_smallest_unit),
        UNIT_TEST(decimals_are_whole),
        UNIT_TEST(too_far_is_named),
        UNIT_TEST(the_farthest_pair),
        UNIT_TEST(a_circle_is_no_worst_case),
        UNIT_TEST(threads_of_a_team_open_problems),
        UNIT_TEST(tours_pass_through_the_form),
        UNIT_TEST(broken_edges_are_seen),
    };
    return cmocka_run_group_tests_name("tsp distance", tests, NULL, NULL);
}
