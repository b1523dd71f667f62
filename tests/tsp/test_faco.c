/* Focused ants: the same tours on the host and on every device, step by step, of each kind of problem; a run
 * that is resumed, colonies, ends of options; what a checkpoint may not hold. */
#include "harness.h"

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

int main(void)
{
    tsp = shoal_workload_find("tsp");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_size),
    };
    return harness_main("tsp-faco", tests, sizeof tests / sizeof *tests);
}
