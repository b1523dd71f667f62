/* Focused ants: the same tours on the host and on every device, step by step, of each kind of problem;
 * colonies, ends of options, groups of several ants; ants taken together; fixed edges in every source; what a
 * checkpoint may not hold. */
#include "harness.h"

#include "tsp/faco/layout.h"
#include "tsp/tsp.h"
#include "workload/arrays.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole coordinates; clusters; many cities at one place; on a line; with fractions; in space; on a sphere; a
 * path; a path between two cities; distances that differ both ways, some forbidden. */
enum { PLANE, CLUSTERS, SHARED, LINE, FRACTIONS, SPACE, SPHERE, PATH, ENDS, MATRIX, KINDS };

static const struct shoal_workload *tsp;

struct input {
    struct shoal_tsp_params params;
    double *points;
    int32_t *matrix;
};

static double random_at(uint32_t index, uint32_t draw)
{
    return shoal_uniform_float(shoal_random_words(7, SHOAL_STREAM_TEST, 1, index, draw).x);
}

static void set_points(struct input *input, int kind, uint32_t n)
{
    const uint32_t dim = kind == SPACE ? 3 : 2;
    input->points = malloc((size_t)n * dim * sizeof *input->points);
    for (uint32_t i = 0; i < n * dim; i++) {
        const double at = random_at(i / dim, i % dim);
        input->points[i] = kind == SHARED   ? floor(at * 4)
                           : kind == LINE   ? (i % 2 ? 5 : floor(at * 3000))
                           : kind == SPHERE ? (at - 0.5) * (i % 2 ? 360 : 180)
                           : kind == SPACE  ? floor(at * 500)
                                            : at * 1000;
    }
    input->params.points = input->points;
    input->params.count = n;
    input->params.dim = dim;
    input->params.metric = kind == SPHERE  ? SHOAL_TSP_HAVERSINE
                           : kind == SPACE ? SHOAL_TSP_EUC_3D
                                           : SHOAL_TSP_EUC_2D;
    input->params.path = kind == PATH;
    input->params.start = kind == ENDS ? "2" : NULL;
    input->params.end = kind == ENDS ? "4" : NULL;
}

/* From each city to the next one nothing is forbidden, so there is a tour. */
static void set_matrix(struct input *input, uint32_t n)
{
    input->matrix = malloc((size_t)n * n * sizeof *input->matrix);
    for (uint32_t i = 0; i < n * n; i++) {
        const double at = random_at(i, 3);
        input->matrix[i] = at < 0.1 && i % n != (i / n + 1) % n ? SHOAL_TSP_FORBIDDEN : (int32_t)(at * 1000);
    }
    input->params.matrix = input->matrix;
    input->params.count = n;
}

static struct input input_of(int kind, uint32_t n, uint64_t ants)
{
    static char name[40];
    struct input input = {.points = NULL};
    shoal_tsp_params_init(&input.params);
    input.params.algorithm = SHOAL_TSP_FACO;
    input.params.ants = ants;
    input.params.iterations = 1000;
    if (kind == PLANE || kind == CLUSTERS) {
        snprintf(name, sizeof name, "%s:%u:5", kind == PLANE ? "uniform" : "clustered", (unsigned)n);
        input.params.generate = name;
    } else if (kind == MATRIX) {
        set_matrix(&input, n);
    } else {
        set_points(&input, kind, n);
    }
    return input;
}

static void input_free(struct input *input)
{
    free(input->points);
    free(input->matrix);
}

static void assert_same_steps(const struct shoal_tsp_params *params, uint32_t n, unsigned steps)
{
    struct shoal_solver *device = harness_solver("tsp", harness.device, params);
    struct shoal_solver *host = harness_solver("tsp", test_host_device(harness.shoal), params);
    uint32_t *tours = malloc(2 * (size_t)n * sizeof *tours);
    int64_t lengths[2] = {0, 0};
    for (unsigned i = 0; i < steps; i++) {
        size_t count, again;
        harness_step(device, 1);
        harness_step(host, 1);
        const double *got = harness_state(device, &count), *wanted = harness_state(host, &again);
        assert_true(count == again);
        assert_memory_equal(got, wanted, count * sizeof *got);
    }
    assert_ok(shoal_tsp_best(device, tours, n, &lengths[0], &test_error));
    assert_ok(shoal_tsp_best(host, tours + n, n, &lengths[1], &test_error));
    assert_true(lengths[0] == lengths[1]);
    assert_words(tours, tours + n, n);
    assert_ok(shoal_tsp_check(shoal_tsp_problem_of(device), tours, n, &lengths[1], &test_error));
    assert_true(lengths[0] == lengths[1]);
    free(tours);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
    harness_release();
}

static void test_kinds(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {5, 7, 17, 101, 333};
    const size_t most = harness.tiny ? 3 : sizeof sizes / sizeof *sizes;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < most; i++) {
            if (!harness_takes_case())
                continue;
            const uint32_t n =
                kind == CLUSTERS ? sizes[i] + 95 : sizes[i]; /* they have at least 100 cities */
            test_label("kind %d, %u cities", kind, (unsigned)n);
            struct input input = input_of(kind, n, harness.tiny ? 3 : 19);
            assert_same_steps(&input.params, n, harness.tiny ? 2 : 4);
            input_free(&input);
        }
}

/* Colonies, candidates, new edges, and shares beyond the defaults. */
static void test_options(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        if (!harness_takes_case())
            continue;
        test_label("options %d", i);
        struct input input = input_of(i % 2 ? CLUSTERS : PLANE, 150, harness.tiny ? 2 : i == 0 ? 0 : 7);
        struct shoal_tsp_params *params = &input.params;
        params->colonies = i == 1 ? 5 : 1;
        params->candidates = i == 2 ? 3 : i == 3 ? 64 : 0;
        params->faco.new_edges = i == 4 ? 32 : i == 2 ? 1 : 0;
        params->faco.source_share = i == 5 ? 0.5 : NAN;
        params->rho = i == 3 ? 0.02 : i == 4 ? 1 : NAN;
        params->beta = i == 5 ? 2.5 : NAN;
        assert_same_steps(params, 150, harness.tiny ? 1 : 12);
        input_free(&input);
    }
}

/* Long enough that ants leave sources of their own, and the best one returns. */
static void test_size(void **state)
{
    (void)state;
    struct input input = input_of(PLANE, 1999, 0);
    if (!harness.tiny && harness_takes_case())
        assert_same_steps(&input.params, 1999, 6);
    input_free(&input);
}

/* As a device has them by itself: 0. */
static void set_groups(int64_t items, int64_t ants)
{
    const int64_t own = harness.info->is_cpu ? 1 : 32;
    assert_ok(shoal_tuning_set(harness.device, "tsp.faco-ants", "WG", items ? items : own, &test_error));
    assert_ok(shoal_tuning_set(harness.device, "tsp.faco-ants", "ANTS", ants, &test_error));
}

/* An ant by all work-items of a group. PoCL 3.1 takes minutes to compile barriers in conditions. */
static void test_teams(void **state)
{
    (void)state;
    static const int64_t teams[] = {8, 32};
    if (harness.info->is_cpu && !harness.info->is_gpu)
        skip();
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        if (!harness_takes_case())
            continue;
        test_label("teams of %d", (int)teams[i]);
        struct input input = input_of(i ? CLUSTERS : MATRIX, i ? 150 : 33, harness.tiny ? 2 : 9);
        set_groups(teams[i], 1);
        assert_same_steps(&input.params, (uint32_t)(i ? 150 : 33), harness.tiny ? 1 : 12);
        set_groups(0, 1);
        input_free(&input);
    }
}

/* Groups of several ants; the last one is not full. */
static void test_groups(void **state)
{
    (void)state;
    if (!harness_takes_case())
        return;
    struct input input = input_of(PLANE, 60, harness.tiny ? 5 : 19);
    set_groups(4, 4);
    assert_ok(shoal_tuning_set(harness.device, "tsp.faco-source", "WG", 8, &test_error));
    assert_same_steps(&input.params, 60, harness.tiny ? 1 : 5);
    assert_ok(shoal_tuning_set(harness.device, "tsp.faco-source", "WG", 64, &test_error));
    set_groups(0, 1);
    input_free(&input);
}

/* Ants taken together ---------------------------------------------------------------------------------- */

/* Sources of all colonies, and their lengths. */
static void read_sources(struct shoal_solver *solver, uint32_t *sources, struct faco_colony *colonies)
{
    const size_t n = tsp_problem_of(solver)->form.n, count = tsp_params(solver)->colonies;
    struct checkpoint checkpoint = {0};
    assert_ok(solver->method.method->save(solver, &checkpoint, &test_error));
    assert_ok(checkpoint_get(&checkpoint, "sources", sources, count * n * sizeof *sources, &test_error));
    assert_ok(checkpoint_get(&checkpoint, "colonies", colonies, count * sizeof *colonies, &test_error));
    checkpoint_clear(&checkpoint);
}

static void assert_tour_of_length(const struct tsp_problem *problem, const uint32_t *tour, int64_t length)
{
    const uint32_t n = problem->form.n;
    bool *seen = calloc(n, sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(tour[i] < n && !seen[tour[i]]);
        seen[tour[i]] = true;
    }
    free(seen);
    assert_true(tsp_form_length(problem, tour) == length);
}

/* The source of each step has the length that is claimed, no more than by the best ant alone, with pieces no
 * more than before, and on the device is that of the host. Returns in how many steps several ants were taken.
 */
static unsigned check_merge(const struct shoal_tsp_params *params, unsigned steps)
{
    enum { COLONIES = 2, MOST = 2 * 700 };
    struct shoal_solver *solvers[] = {harness_solver("tsp", test_host_device(harness.shoal), params),
                                      harness_solver("tsp", harness.device, params)};
    const struct tsp_problem *problem = tsp_problem_of(solvers[0]);
    const uint32_t n = problem->form.n;
    uint32_t *sources = harness_memory(2 * COLONIES * MOST * sizeof *sources);
    struct faco_colony colonies[2 * COLONIES], before[COLONIES];
    unsigned merged = 0;
    assert_true(n <= MOST && params->colonies == COLONIES);
    harness_step(solvers[0], 1);
    harness_step(solvers[1], 1);
    read_sources(solvers[0], sources, before);
    for (unsigned step = 1; step < steps; step++) {
        size_t count, again;
        for (unsigned i = 0; i < 2; i++) {
            harness_step(solvers[i], 1);
            read_sources(solvers[i], sources + (size_t)i * COLONIES * n, colonies + i * COLONIES);
        }
        const double *changes = harness_state(solvers[0], &count), *got = harness_state(solvers[1], &again);
        assert_true(count == again);
        assert_memory_equal(got, changes, count * sizeof *got);
        assert_words(sources + COLONIES * n, sources, COLONIES * n);
        assert_memory_equal(colonies + COLONIES, colonies, sizeof before);
        for (unsigned c = 0; c < COLONIES; c++) {
            const size_t ants = count / COLONIES;
            double best = changes[c * ants];
            for (size_t i = 1; i < ants; i++)
                best = fmin(best, changes[c * ants + i]);
            assert_tour_of_length(problem, sources + c * n, colonies[c].source);
            if (colonies[c].take == FACO_TAKE_ANT) {
                const double change = (double)(colonies[c].source - before[c].source);
                assert_true(change <= (params->pieces > 1 ? 0 : best));
                merged += change < best;
            }
        }
        memcpy(before, colonies, sizeof before);
    }
    shoal_solver_destroy(&solvers[0]);
    shoal_solver_destroy(&solvers[1]);
    harness_release();
    return merged;
}

static void test_merge(void **state)
{
    (void)state;
    static const int kinds[] = {PLANE, CLUSTERS, PATH, MATRIX, LINE};
    for (size_t i = 0; i < 2 * COUNT(kinds); i++) {
        const int kind = kinds[i % COUNT(kinds)];
        const bool has_pieces = i >= COUNT(kinds);
        if (!harness_takes_case())
            continue;
        const uint32_t n = harness.tiny ? (kind == CLUSTERS ? 100 : 17) : kind == MATRIX ? 60 : 600;
        const uint64_t pieces = !has_pieces ? 0 : harness.tiny ? 2 : 5;
        test_label("merge, kind %d, %u pieces", kind, (unsigned)pieces);
        struct input input = input_of(kind, n, harness.tiny ? 4 : 40);
        input.params.colonies = 2;
        input.params.faco.merge = !has_pieces;
        input.params.pieces = pieces;
        const unsigned merged = check_merge(&input.params, harness.tiny ? 2 : 8);
        assert_true(harness.tiny || kind == MATRIX || kind == LINE || merged >= 2);
        input_free(&input);
    }
}

/* Fixed edges ------------------------------------------------------------------------------------------ */

enum { FIXED_CITIES = 40, FIXED_EDGES = 5 };
/* A path of three edges, and two edges alone. */
static const uint32_t fixed[FIXED_EDGES][2] = {{1, 2}, {2, 3}, {3, 21}, {10, 30}, {25, 7}};

static const char *fixed_file(void)
{
    static char text[4096];
    size_t used = (size_t)snprintf(
        text, sizeof text, "DIMENSION: %d\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n", FIXED_CITIES);
    for (uint32_t i = 0; i < FIXED_CITIES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u %.0f %.0f\n", (unsigned)i + 1,
                                 1000 * random_at(i, 4), 1000 * random_at(i, 5));
    used += (size_t)snprintf(text + used, sizeof text - used, "FIXED_EDGES_SECTION\n");
    for (uint32_t i = 0; i < FIXED_EDGES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u %u\n", (unsigned)fixed[i][0],
                                 (unsigned)fixed[i][1]);
    snprintf(text + used, sizeof text - used, "-1\nEOF\n");
    return text;
}

static void assert_fixed_edges(const uint32_t *tour)
{
    uint32_t place[FIXED_CITIES];
    for (uint32_t i = 0; i < FIXED_CITIES; i++)
        place[tour[i]] = i;
    for (uint32_t i = 0; i < FIXED_EDGES; i++) {
        const uint32_t a = place[fixed[i][0] - 1], b = place[fixed[i][1] - 1];
        const uint32_t apart = a < b ? b - a : a - b;
        assert_true(apart == 1 || apart == FIXED_CITIES - 1);
    }
}

/* In the tours of the ants that are taken in each step, which become the source, and in the best one. */
static void compare_fixed(bool merges, uint64_t pieces)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.data = test_path("fixed.tsp");
    test_write_text(params.data, fixed_file());
    params.ants = harness.tiny ? 4 : 20;
    params.iterations = 1000;
    params.faco.merge = merges;
    params.pieces = pieces;
    struct shoal_solver *solvers[] = {harness_solver("tsp", test_host_device(harness.shoal), &params),
                                      harness_solver("tsp", harness.device, &params)};
    for (int step = 0; step < (harness.tiny ? 2 : 12); step++) {
        uint32_t sources[2][FIXED_CITIES];
        for (int i = 0; i < 2; i++) {
            uint32_t best[FIXED_CITIES];
            int64_t length;
            harness_step(solvers[i], 1);
            struct checkpoint checkpoint = {0};
            assert_ok(solvers[i]->method.method->save(solvers[i], &checkpoint, &test_error));
            assert_ok(checkpoint_get(&checkpoint, "sources", sources[i], sizeof sources[i], &test_error));
            checkpoint_clear(&checkpoint);
            assert_fixed_edges(sources[i]);
            assert_ok(shoal_tsp_best(solvers[i], best, FIXED_CITIES, &length, &test_error));
            assert_fixed_edges(best);
        }
        assert_words(sources[1], sources[0], FIXED_CITIES);
    }
    shoal_solver_destroy(&solvers[0]);
    shoal_solver_destroy(&solvers[1]);
    harness_release();
}

static void test_fixed(void **state)
{
    (void)state;
    if (!harness_takes_case())
        return;
    compare_fixed(false, 0);
    compare_fixed(true, 0);
    compare_fixed(false, 2);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

/* Each but the first cannot be what a run has written. */
enum {
    WHOLE,
    NO_CITY,
    CITY_TWICE,
    BEST_TWICE,
    SOURCE_LENGTH,
    BEST_LENGTH,
    LATER_BEST,
    SHORT,
    ABSENT,
    DAMAGES
};

/* A section changed is that of `tour` or `colony`. */
static void damage(int kind, struct checkpoint *checkpoint, uint32_t *tour, struct faco_colony *colony)
{
    for (size_t i = 0; i < checkpoint->count; i++) {
        struct checkpoint_section *section = &checkpoint->sections[i];
        const bool is_best = strcmp(section->name, "best tours") == 0;
        if (strcmp(section->name, kind == BEST_TWICE ? "best tours" : "sources") == 0) {
            memcpy(tour, section->data, section->bytes);
            tour[3] = kind == NO_CITY ? 60 : kind == CITY_TWICE || kind == BEST_TWICE ? tour[4] : tour[3];
            section->data = tour;
        } else if (strcmp(section->name, "colonies") == 0) {
            memcpy(colony, section->data, section->bytes);
            colony->source += kind == SOURCE_LENGTH;
            colony->best -= kind == BEST_LENGTH;
            colony->best_step += kind == LATER_BEST ? 100 : 0;
            section->data = colony;
        } else if (strcmp(section->name, "pheromone") == 0) {
            section->bytes -= kind == SHORT ? 2 : 0;
        }
        if (is_best && kind == ABSENT)
            strcpy(section->name, "others");
    }
}

static void test_damaged(void **state)
{
    (void)state;
    if (!harness_takes_case())
        return;
    struct input input = input_of(PLANE, 60, 5);
    for (int turn = 0; turn < 2; turn++) {
        struct shoal_solver *solver =
            harness_solver("tsp", turn ? harness.device : test_host_device(harness.shoal), &input.params);
        const struct method *method = solver->method.method;
        harness_step(solver, 3);
        for (int kind = WHOLE; kind < DAMAGES; kind++) {
            uint32_t tour[60];
            struct faco_colony colony;
            struct checkpoint checkpoint = {.path = "a"};
            test_label("turn %d, damage %d", turn, kind);
            assert_ok(method->save(solver, &checkpoint, &test_error));
            damage(kind, &checkpoint, tour, &colony);
            const enum shoal_status status = method->load(solver, &checkpoint, &test_error);
            assert_int_equal(status, kind == WHOLE ? SHOAL_OK : SHOAL_IO);
            if (status) {
                assert_true(test_error.message[0] != '\0');
                assert_null(strchr(test_error.message, '\n'));
            }
            checkpoint_clear(&checkpoint);
        }
        shoal_solver_destroy(&solver);
    }
    input_free(&input);
    harness_release();
}

int main(void)
{
    tsp = shoal_workload_find("tsp");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_options),
        cmocka_unit_test(test_size),  cmocka_unit_test(test_groups),
        by_turn(test_merge),          cmocka_unit_test(test_teams),
        cmocka_unit_test(test_fixed), cmocka_unit_test(test_damaged),
    };
    return harness_main("tsp-faco", tests, sizeof tests / sizeof *tests);
}
