#include "cities.h"

#include <math.h>
#include <stdlib.h>

static struct shoal_tsp_params params_of(uint32_t n)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.count = n;
    return params;
}

void cities_open(struct cities *cities, enum shoal_tsp_metric metric, unsigned dim, const double *points,
                 uint32_t n)
{
    cities->params = params_of(n);
    cities->params.points = points;
    cities->params.dim = dim;
    cities->params.metric = (int32_t)metric;
    assert_ok(tsp_problem_create(&cities->params, &cities->problem, &test_error));
}

void cities_open_matrix(struct cities *cities, const int32_t *matrix, uint32_t n)
{
    cities->params = params_of(n);
    cities->params.matrix = matrix;
    assert_ok(tsp_problem_create(&cities->params, &cities->problem, &test_error));
}

enum shoal_status cities_change(struct cities *cities, bool is_path, uint32_t start, uint32_t end,
                                const uint32_t (*fixed)[2], size_t count)
{
    struct tsp_problem *problem = &cities->problem;
    tsp_form_destroy(&problem->form);
    free(problem->fixed);
    problem->is_path = is_path;
    problem->start = start;
    problem->end = end;
    problem->fixed = malloc((count ? count : 1) * sizeof *problem->fixed);
    assert_non_null(problem->fixed);
    for (size_t i = 0; i < count; i++) {
        problem->fixed[i][0] = fixed[i][0];
        problem->fixed[i][1] = fixed[i][1];
    }
    problem->fixed_count = count;
    return tsp_form_create(problem, &test_error);
}

void cities_close(struct cities *cities)
{
    tsp_problem_destroy(&cities->problem);
}

/* xorshift64*, S. Vigna 2016. */
uint64_t cities_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

double cities_uniform(uint64_t *state)
{
    return (double)(cities_random(state) >> 11) * 0x1p-53;
}

/* Whole coordinates less than 2^21, 2^25 and 2^31 apart are computed in different ways on devices. */
const struct cities_pairs cities_pairs[CITIES_PAIRS] = {
    {"EUC_2D", SHOAL_TSP_EUC_2D, 2, true, 1 << 20},
    {"EUC_2D, short", SHOAL_TSP_EUC_2D, 2, true, 300},
    {"EUC_2D, large", SHOAL_TSP_EUC_2D, 2, true, 1 << 23},
    {"EUC_2D, beyond 2^25", SHOAL_TSP_EUC_2D, 2, true, 1 << 28},
    {"EUC_2D, real", SHOAL_TSP_EUC_2D, 2, false, 1e6},
    {"EUC_3D", SHOAL_TSP_EUC_3D, 3, true, 1 << 20},
    {"EUC_3D, real", SHOAL_TSP_EUC_3D, 3, false, 1e4},
    {"CEIL_2D", SHOAL_TSP_CEIL_2D, 2, true, 1 << 20},
    {"CEIL_2D, large", SHOAL_TSP_CEIL_2D, 2, true, 1 << 23},
    {"CEIL_2D, real", SHOAL_TSP_CEIL_2D, 2, false, 1e6},
    {"MAN_2D", SHOAL_TSP_MAN_2D, 2, true, 1 << 28},
    {"MAN_3D, real", SHOAL_TSP_MAN_3D, 3, false, 1e6},
    {"MAX_2D, real", SHOAL_TSP_MAX_2D, 2, false, 1e6},
    {"MAX_2D", SHOAL_TSP_MAX_2D, 2, true, 1 << 28},
    {"MAX_3D", SHOAL_TSP_MAX_3D, 3, true, 1 << 28},
    {"ATT", SHOAL_TSP_ATT, 2, true, 1 << 20},
    {"ATT, large", SHOAL_TSP_ATT, 2, true, 1 << 23},
    {"ATT, real", SHOAL_TSP_ATT, 2, false, 1e5},
    {"GEO", SHOAL_TSP_GEO, 2, false, 0},
    {"EUCLID", SHOAL_TSP_EUCLID, 2, true, 1 << 20},
    {"HAVERSINE", SHOAL_TSP_HAVERSINE, 2, false, 0},
    {"GEOM", SHOAL_TSP_GEOM, 2, false, 0},
};

static double whole_below(uint64_t *state, double span)
{
    return floor(cities_uniform(state) * span);
}

/* Differences of whole numbers whose distance is at a border or next to it: n^2 + m^2 is n^2 + n at n = m^2;
 * and the other difference that fits best to one taken at random. */
static void whole_border(const struct cities_pairs *pairs, uint64_t *state, double difference[3])
{
    const double most = pairs->span / 2;
    const bool is_ceil = pairs->metric == SHOAL_TSP_CEIL_2D, is_att = pairs->metric == SHOAL_TSP_ATT;
    if (!is_ceil && !is_att && cities_random(state) & 1) {
        const double m = 1 + whole_below(state, fmin(sqrt(most), 40000)),
                     n = m * m + whole_below(state, 5) - 2;
        difference[0] = n;
        difference[1] = m;
        return;
    }
    const double x = whole_below(state, most), n = floor(x + cities_uniform(state) * (most - x) * 0.3);
    const double square = is_att ? 10 * n * n : is_ceil ? n * n : n * n + n;
    difference[0] = x;
    difference[1] = square > x * x ? rint(sqrt(square - x * x)) : 0;
    if (difference[1] > most)
        difference[1] = most;
}

static void real_border(const struct cities_pairs *pairs, uint64_t *state, double difference[3])
{
    const double turn = 6.283185307179586 * cities_uniform(state), n = whole_below(state, pairs->span / 4);
    const bool is_ceil = pairs->metric == SHOAL_TSP_CEIL_2D, is_att = pairs->metric == SHOAL_TSP_ATT;
    const double length = is_ceil ? n : is_att ? n * sqrt(10) : n + 0.5;
    difference[0] = length * cos(turn);
    difference[1] = length * sin(turn);
    if (pairs->metric == SHOAL_TSP_MAN_3D) {
        difference[1] = cities_uniform(state) * length;
        difference[0] = length - difference[1];
    }
    if (pairs->metric == SHOAL_TSP_MAX_2D)
        difference[0] = n + 0.5;
    for (unsigned steps = cities_random(state) & 3; steps > 0; steps--)
        difference[1] = nextafter(difference[1], cities_random(state) & 1 ? 1e9 : -1e9);
}

/* The second point of a pair at a small or at nearly the greatest distance: places repeat, too. */
static void on_the_earth(const struct cities_pairs *pairs, uint64_t *state, bool border, double *p, double *q)
{
    const double size = border ? pow(10, -12 * cities_uniform(state)) : 1;
    p[0] = 180 * cities_uniform(state) - 90;
    p[1] = 360 * cities_uniform(state) - 180;
    const bool far = border && cities_random(state) & 1;
    q[0] = fmin(fmax((far ? -p[0] : p[0]) + size * (180 * cities_uniform(state) - 90), -90), 90);
    q[1] = fmod((far ? p[1] + 180 : p[1]) + size * (360 * cities_uniform(state) - 180), 180);
    if (pairs->metric == SHOAL_TSP_GEO)
        for (unsigned d = 0; d < 2; d++) {
            p[d] = rint(p[d] * 100) / 100 * 0.999;
            q[d] = rint(q[d] * 100) / 100 * 0.999;
        }
}

void cities_make_pairs(const struct cities_pairs *pairs, uint64_t seed, double *points, size_t count)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; i < count; i++) {
        double *p = points + 2 * i * pairs->dim, *q = p + pairs->dim;
        const bool border = i >= count / 2;
        if (pairs->span == 0) {
            on_the_earth(pairs, &state, border, p, q);
            continue;
        }
        double difference[3] = {0};
        if (border && pairs->is_whole)
            whole_border(pairs, &state, difference);
        else if (border)
            real_border(pairs, &state, difference);
        for (unsigned d = 0; d < pairs->dim; d++) {
            p[d] = cities_uniform(&state) * pairs->span;
            q[d] = cities_uniform(&state) * pairs->span;
            if (pairs->is_whole) {
                p[d] = floor(p[d]);
                q[d] = floor(q[d]);
            }
            if (border)
                q[d] = p[d] + (p[d] > pairs->span / 2 ? -difference[d] : difference[d]);
            /* Few bits, so that the difference is the one chosen. */
            if (border && !pairs->is_whole && i & 1) {
                p[d] = 0;
                q[d] = difference[d];
            }
        }
    }
}

void cities_make_points(enum cities_kind kind, enum shoal_tsp_metric metric, unsigned dim, double *points,
                        uint32_t n)
{
    uint64_t state = 1000003 * (uint64_t)n + kind + 1;
    const bool on_earth = tsp_is_globe(metric);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < dim; d++) {
            const double x = 10000 * cities_uniform(&state);
            double *place = &points[i * dim + d];
            *place = floor(x);
            if (kind == CLUSTERED)
                *place = floor(x / 2000) * 2000 + floor(pow(cities_uniform(&state), 8) * 50);
            if (kind == DUPLICATES)
                *place = floor(x / 2500);
            if (kind == LINE)
                *place = d ? 7 : floor(x / 40);
            if (kind == ONE_PLACE)
                *place = 5;
            if (kind == REAL_NUMBERS)
                *place = x / 30;
            if (on_earth)
                *place = *place / 10000 * (d ? 360 : 180) - (d ? 180 : 90);
        }
}
