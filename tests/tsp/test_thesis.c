/* The thesis on the host: lengths known for three published problems, a plain reference with whole matrices,
 * what must not change the result, its arithmetic. */
#include "unit.h"

#include "tsp/model/problem.h"
#include "tsp/thesis/state.h"

#include <math.h>
#include <omp.h>
#include <shoal/theses.h>
#include <unistd.h>

#include "tsp/thesis/weights.h"

static struct shoal *shoal;
static const struct shoal_workload *tsp;

/* Of the parameters that params_of has made last. */
static struct shoal_tsp_thesis thesis;

static struct shoal_tsp_params params_of(void)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_THESIS;
    shoal_tsp_thesis_init(&thesis);
    params.thesis = &thesis;
    return params;
}

/* Steps of a run one by one: lengths[step]; and the order after the last one. */
static void run_steps(const struct shoal_tsp_params *params, uint64_t steps, int64_t *lengths,
                      uint32_t *order)
{
    struct shoal_solver *solver = NULL;
    uint64_t done;
    assert_ok(shoal_solver_create(tsp, test_host_device(shoal), NULL, params, SHOAL_VARIANT_AUTO, &solver,
                                  &test_error));
    for (uint64_t step = 0; step < steps; step++) {
        assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
        assert_int_equal(done, 1);
        assert_ok(shoal_tsp_best(solver, NULL, 0, &lengths[step], &test_error));
    }
    const struct thesis_state *state = thesis_state_of(solver);
    if (order)
        memcpy(order, state->tour, state->n * sizeof *order);
    shoal_solver_destroy(&solver);
}

/* Published problems ----------------------------------------------------------------------------------- */

/* Three macro cycles, then two micro steps; on one thread and on more. */
static void published_lengths(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int64_t macro, first, second;
    } cases[] = {{"lin318", 48502, 44759, 43377},
                 {"pr1002", 307940, 289055, 282051},
                 {"pr2392", 456916, 424036, 412815}};
    const char *folder = getenv("SHOAL_TEST_TSPLIB");
    if (!folder || access(folder, R_OK) != 0) {
        print_message("no folder of published problems: set SHOAL_TEST_TSPLIB\n");
        skip();
    }
    const int threads = omp_get_max_threads();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turn = 0; turn < 2; turn++) {
            char path[600];
            int64_t lengths[5];
            struct shoal_tsp_params params = params_of();
            snprintf(path, sizeof path, "%s/%s.tsp", folder, cases[i].name);
            params.data = path;
            test_label("%s, turn %d", cases[i].name, turn);
            omp_set_num_threads(turn ? 3 : 1);
            run_steps(&params, 5, lengths, NULL);
            assert_int_equal(lengths[2], cases[i].macro);
            assert_int_equal(lengths[3], cases[i].first);
            assert_int_equal(lengths[4], cases[i].second);
        }
    omp_set_num_threads(threads);
}

/* Problems --------------------------------------------------------------------------------------------- */

enum { KINDS = 5, MOST = 200 };
static const char *const kind_names[KINDS] = {"uniform", "duplicates", "line", "one place", "far"};

/* Whole coordinates of `n` cities. */
static void points_of(int kind, uint32_t n, double *points)
{
    uint32_t word = 12345 + n;
    for (uint32_t i = 0; i < 2 * n; i++) {
        word = word * 1664525u + 1013904223u;
        const uint32_t draw = word >> 8;
        points[i] = kind == 0   ? draw % 1000
                    : kind == 1 ? draw % 6
                    : kind == 2 ? (i % 2 ? 5 : draw % 500)
                    : kind == 3 ? 9
                                : draw * 80.0;
    }
}

static void set_points(struct shoal_tsp_params *params, int kind, uint32_t n, double *points)
{
    points_of(kind, n, points);
    params->points = points;
    params->count = n;
    params->metric = SHOAL_TSP_EUC_2D;
}

/* The macro level as it is defined: whole matrices, every city in every step. */
static int64_t plain_macro(const struct tsp_problem *problem, const struct thesis_rules *rules,
                           uint32_t cycles, uint32_t *best_tour)
{
    static float tau[MOST][MOST], weights[MOST][MOST];
    static uint32_t tours[64][MOST];
    const uint32_t n = problem->form.n;
    int64_t best = INT64_MAX, first = 0;
    float base = 1;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            tau[a][b] = 1;
    for (uint32_t cycle = 0; cycle < cycles; cycle++) {
        const float base_trail = thesis_raised(base, rules->alpha);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                weights[a][b] = thesis_weight(thesis_trail(tau[a][b], base_trail, rules->alpha),
                                              thesis_sight((float)tsp_distance(problem, a, b), rules->beta));
        int64_t least = INT64_MAX;
        const uint32_t *shortest = NULL;
        for (uint32_t s = 0; s < rules->starts; s++) {
            bool visited[MOST] = {false};
            uint32_t city = s * n / rules->starts;
            int64_t length = 0;
            for (uint32_t t = 0; t < n; t++) {
                uint32_t next = n;
                tours[s][t] = city;
                visited[city] = true;
                for (uint32_t c = 0; c < n; c++)
                    if (!visited[c] && (next == n || weights[city][c] > weights[city][next]))
                        next = c;
                length += tsp_distance(problem, city, next < n ? next : tours[s][0]);
                city = next;
            }
            if (length < least) {
                least = length;
                shortest = tours[s];
            }
        }
        first = cycle ? first : least;
        if (least < best) {
            best = least;
            memcpy(best_tour, shortest, n * sizeof *best_tour);
        }
        base = thesis_kept(base, rules->keep);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                tau[a][b] = thesis_kept(tau[a][b], rules->keep);
        const float amount = (float)((double)(first > 1 ? first : 1) / (double)(least > 1 ? least : 1));
        for (uint32_t t = 0; t < n; t++) {
            const uint32_t a = shortest[t], b = shortest[t + 1 < n ? t + 1 : 0];
            tau[a][b] += amount;
            tau[b][a] += amount;
        }
    }
    return best;
}

static void macro_equals_whole_matrices(void **unused)
{
    (void)unused;
    static const uint32_t sizes[] = {4, 5, 7, 30, 63, 64, 65, 150};
    static const double exponents[][2] = {{1, 2}, {2, 1}, {0.7, 2.5}, {0, 3}, {1, 0}, {3, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
                double points[2 * MOST];
                uint32_t wanted[MOST], got[MOST];
                int64_t lengths[6];
                struct tsp_problem problem;
                struct thesis_rules rules;
                struct shoal_tsp_params params = params_of();
                set_points(&params, kind, sizes[i], points);
                params.alpha = exponents[e][0];
                params.beta = exponents[e][1];
                params.candidates = 3 + sizes[i] % 7;
                thesis.macro_cycles = 6;
                test_label("%u cities, %s, alpha %g, beta %g", (unsigned)sizes[i], kind_names[kind],
                           params.alpha, params.beta);
                assert_ok(tsp_problem_create(&params, &problem, &test_error));
                thesis_rules(&problem, &rules);
                const int64_t length = plain_macro(&problem, &rules, 6, wanted);
                run_steps(&params, 6, lengths, got);
                assert_int_equal(lengths[5], length);
                assert_words(got, wanted, sizes[i]);
                params.candidates = 0;
                thesis.scan = SHOAL_TSP_SCAN_ALL;
                run_steps(&params, 6, lengths, got);
                assert_words(got, wanted, sizes[i]);
                tsp_problem_destroy(&problem);
            }
}

/* Sizes around pieces of 96, and the least. */
static void late_equals_at_once(void **unused)
{
    (void)unused;
    static const uint32_t sizes[] = {4, 5, 6, 7, 8, 9, 10, 95, 96, 97, 98, 191, 192, 193};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            double points[2 * MOST];
            uint32_t wanted[MOST], got[MOST];
            int64_t lengths[5], late[5];
            struct shoal_tsp_params params = params_of();
            set_points(&params, kind, sizes[i], points);
            thesis.micro_cycles = 4;
            test_label("%u cities, %s", (unsigned)sizes[i], kind_names[kind]);
            run_steps(&params, 5, lengths, wanted);
            thesis.rewinding = SHOAL_TSP_REWIND_LATE;
            run_steps(&params, 5, late, got);
            assert_memory_equal(late, lengths, sizeof late);
            assert_words(got, wanted, sizes[i]);
            for (int step = 1; step < 5; step++)
                assert_true(lengths[step] <= lengths[step - 1]);
        }
}

/* The ends of each piece stay, its cities are the same, and the tour becomes shorter by what the pieces do.
 */
static void pieces_keep_ends(void **unused)
{
    (void)unused;
    static const uint32_t sizes[] = {9, 97, 150, 193};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t most = 4; most <= 100; most += 23) {
            double points[2 * MOST];
            uint32_t tour[MOST], after[MOST];
            struct tsp_problem problem;
            struct thesis_rules rules;
            struct shoal_tsp_params params = params_of();
            int64_t gain = 0;
            const uint32_t n = sizes[i];
            set_points(&params, 0, n, points);
            thesis.piece = most;
            thesis.micro_cycles = 3;
            test_label("%u cities, pieces of %u", (unsigned)n, (unsigned)most);
            assert_ok(tsp_problem_create(&params, &problem, &test_error));
            thesis_rules(&problem, &rules);
            for (uint32_t p = 0; p < n; p++)
                tour[p] = after[p] = p;
            for (uint32_t f = 0; f < rules.pieces; f++) {
                const uint32_t first = thesis_cut(&rules, n, f), end = thesis_cut(&rules, n, f + 1);
                bool seen[MOST] = {false};
                const struct thesis_piece piece = {.problem = &problem,
                                                   .rules = &rules,
                                                   .cities = after + first,
                                                   .count = end - first,
                                                   .number = f};
                assert_true(end - first <= most && (n < 4 || end > first));
                assert_ok(thesis_solve_piece(&piece, &test_error));
                assert_true(after[first] == tour[first] && after[end - 1] == tour[end - 1]);
                for (uint32_t p = first; p < end; p++) {
                    assert_true(after[p] >= first && after[p] < end && !seen[after[p]]);
                    seen[after[p]] = true;
                    if (p + 1 < end)
                        gain += tsp_distance(&problem, tour[p], tour[p + 1]) -
                                tsp_distance(&problem, after[p], after[p + 1]);
                }
            }
            assert_true(gain >= 0 &&
                        gain == tsp_form_length(&problem, tour) - tsp_form_length(&problem, after));
            tsp_problem_destroy(&problem);
        }
}

static void turns_and_cuts(void **unused)
{
    (void)unused;
    uint32_t tour[MOST];
    for (uint32_t n = 1; n <= MOST; n += 7)
        for (uint32_t left = 0; left <= n; left += 3) {
            for (uint32_t i = 0; i < n; i++)
                tour[i] = i;
            thesis_rotate(tour, n, left);
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(tour[i], (i + left) % n);
        }
}

/* Arithmetic ------------------------------------------------------------------------------------------- */

static uint64_t next_word(uint64_t *word)
{
    *word = *word * 6364136223846793005u + 1442695040888963407u;
    return *word >> 11; /* 53 bits */
}

static void ratio_by_integers(void **unused)
{
    (void)unused;
    uint64_t word = 1;
    for (int i = 0; i < 1000000; i++) {
        const uint64_t a = (next_word(&word) >> (i % 53)) | 1, b = (next_word(&word) >> (i / 53 % 53)) | 1;
        const float wanted = (float)((double)a / (double)b), got = thesis_ratio(a, b);
        if (wanted != got)
            fail_msg("%llu / %llu is %.9g, not %.9g", (unsigned long long)a, (unsigned long long)b,
                     (double)wanted, (double)got);
    }
    for (uint64_t a = 1; a <= 300; a++)
        for (uint64_t b = 1; b <= 300; b++)
            assert_true(thesis_ratio(a, b) == (float)((double)a / (double)b));
}

/* Of the power, and that no larger distance has a weight above that of a smaller one times the margin. */
static void power_is_near(void **unused)
{
    (void)unused;
    for (float e = 0.25F; e < 12; e *= 1.37F) {
        float least = INFINITY;
        for (float d = 1; d < 1e6F; d = ceilf(d * 1.003F)) {
            const float sight = thesis_sight(d, e);
            const double wanted = fmax(pow((double)(1 / d), (double)e), 0x1p-126);
            assert_true(fabs((double)sight - wanted) <= 3e-5 * wanted);
            assert_true(sight <= least * 1.0001F);
            least = sight < least ? sight : least;
        }
    }
    assert_true(thesis_raised(0.3F, 1) == 0.3F && thesis_raised(0.3F, 2) == 0.3F * 0.3F);
    assert_true(thesis_raised(0.3F, 0) == 1);
}

static void draws_by_shares(void **unused)
{
    (void)unused;
    const uint64_t totals[] = {1, 7, 0xffffffffu, 0x100000000u, 0x123456789abu};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        assert_true(thesis_drawn(0, totals[i]) == 0);
        assert_true(thesis_drawn(UINT32_MAX, totals[i]) < totals[i]);
        assert_true(thesis_drawn(0x80000000u, totals[i]) == totals[i] / 2);
    }
}

/* Parameters ------------------------------------------------------------------------------------------- */

static void refuses(void **unused)
{
    (void)unused;
    struct shoal_tsp_params params = params_of();
    params.generate = "uniform:50:1";
    params.colonies = 2;
    assert_status(shoal_workload_validate(shoal, tsp, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--colonies");
    params = params_of();
    params.ants = 9;
    assert_status(shoal_workload_validate(shoal, tsp, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--ants");
    params = params_of();
    thesis.macro_cycles = thesis.overlaps = 0;
    assert_status(shoal_workload_validate(shoal, tsp, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "nothing to do");
    params = params_of();
    thesis.piece = 257;
    assert_status(shoal_workload_validate(shoal, tsp, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--piece");
}

static int open_host(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    return 0;
}

static int close_host(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

#define THESIS_TEST(function) cmocka_unit_test_setup_teardown(function, open_host, close_host)

int main(void)
{
    tsp = shoal_workload_find("tsp");
    const struct CMUnitTest tests[] = {
        THESIS_TEST(published_lengths),
        THESIS_TEST(macro_equals_whole_matrices),
        THESIS_TEST(late_equals_at_once),
        THESIS_TEST(pieces_keep_ends),
        THESIS_TEST(turns_and_cuts),
        THESIS_TEST(ratio_by_integers),
        THESIS_TEST(power_is_near),
        THESIS_TEST(draws_by_shares),
        THESIS_TEST(refuses),
    };
    return cmocka_run_group_tests_name("tsp-thesis", tests, NULL, NULL);
}
