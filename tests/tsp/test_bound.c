/* The lower bound: the shortest 1-tree over all pairs against dense trees, alpha-nearness against trees that
 * hold an edge, bounds of few cities against shortest tours, runs with a bound, what is refused. */
#include "cities.h"
#include "harness.h"
#include "kinds.h"

#include "tsp/bound/bound.h"
#include "tsp/exact/exact.h"
#include "tsp/tsp.h"

#include <math.h>
#include <shoal/tsp_bound.h>

enum { MOST = 61 };

/* An offset of the weights of edges that a tree must have, above all sums of weights. */
static const int64_t forced = INT64_C(1) << 50;

/* Weights of all pairs of cities; those of fixed edges less `forced`. */
struct dense {
    uint32_t n;
    int64_t weights[MOST][MOST];
};

static void set_dense(const struct tsp_graph *graph, struct dense *dense)
{
    dense->n = graph->n;
    for (uint32_t a = 0; a < graph->n; a++)
        for (uint32_t b = 0; b < graph->n; b++) {
            const int64_t length = a == b ? INT64_MAX : tsp_graph_length(graph, a, b);
            dense->weights[a][b] =
                length == INT64_MAX ? INT64_MAX : length + graph->penalties[a] + graph->penalties[b];
        }
    for (size_t i = 0; i < graph->fixed_count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        const int64_t weight = tsp_edge_weight(graph, edge) - forced;
        dense->weights[edge->a][edge->b] = dense->weights[edge->b][edge->a] = weight;
    }
}

static int64_t without_offset(int64_t weight)
{
    return weight < -forced / 2 ? weight + forced : weight;
}

/* The weight of the shortest tree of all cities but `special`, by R. C. Prim's rule. */
static int64_t tree_without(const struct dense *dense, uint32_t special)
{
    int64_t nearest[MOST], total = 0;
    bool is_in[MOST] = {false};
    uint32_t last = special == 0 ? 1 : 0;
    for (uint32_t i = 0; i < dense->n; i++)
        nearest[i] = INT64_MAX;
    is_in[special] = is_in[last] = true;
    for (uint32_t joined = 2; joined < dense->n; joined++) {
        uint32_t best = special;
        for (uint32_t i = 0; i < dense->n; i++) {
            if (is_in[i])
                continue;
            if (dense->weights[last][i] < nearest[i])
                nearest[i] = dense->weights[last][i];
            if (best == special || nearest[i] < nearest[best])
                best = i;
        }
        total += without_offset(nearest[best]);
        is_in[best] = true;
        last = best;
    }
    return total;
}

/* The weight of the shortest 1-tree with a special city. */
static int64_t one_tree(const struct dense *dense, uint32_t special)
{
    int64_t first = INT64_MAX, second = INT64_MAX;
    for (uint32_t i = 0; i < dense->n; i++) {
        const int64_t weight = dense->weights[special][i];
        if (i != special && weight < first) {
            second = first;
            first = weight;
        } else if (i != special && weight < second) {
            second = weight;
        }
    }
    return tree_without(dense, special) + without_offset(first) + without_offset(second);
}

static int64_t penalty_sum(const struct tsp_graph *graph)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < graph->n; i++)
        sum += 2 * graph->penalties[i];
    return sum;
}

/* Whether fixed edges alone lead from a to b. */
static bool are_fixed_together(const struct tsp_form *form, uint32_t a, uint32_t b)
{
    for (unsigned side = 0; side < 2 && form->has_fixed; side++)
        for (uint32_t before = a, at = form->fixed[2 * a + side]; at != SHOAL_TSP_NONE;) {
            const uint32_t *ends = form->fixed + 2 * (size_t)at, next = ends[ends[0] == before];
            if (at == b)
                return true;
            before = at;
            at = next;
        }
    return false;
}

/* Alpha-nearness of edges that do not end at the special city. */
static void assert_alpha(const struct tsp_graph *graph, struct dense *dense)
{
    struct tsp_tree tree;
    assert_ok(tsp_tree_create(graph, &tree, &test_error));
    tsp_tree_find(graph, &tree);
    const int64_t least = tree_without(dense, tree.special);
    for (size_t i = graph->fixed_count; i < graph->count; i += 5) {
        const struct tsp_edge *edge = &graph->edges[i];
        if (edge->a == tree.special || edge->b == tree.special)
            continue;
        if (are_fixed_together(&graph->problem->form, edge->a, edge->b)) {
            assert_true(tsp_tree_alpha(graph, &tree, edge) == INT64_MAX);
            continue;
        }
        const int64_t weight = tsp_edge_weight(graph, edge);
        dense->weights[edge->a][edge->b] = dense->weights[edge->b][edge->a] = weight - forced;
        assert_true(tsp_tree_alpha(graph, &tree, edge) == tree_without(dense, tree.special) - least);
        dense->weights[edge->a][edge->b] = dense->weights[edge->b][edge->a] = weight;
    }
    tsp_tree_destroy(&tree);
}

/* After an ascent, the 1-tree over all pairs is that of dense weights. */
static void test_dense(void **state)
{
    (void)state;
    static const uint32_t counts[] = {5, 12, 60};
    static struct dense dense;
    for (int kind = 0; kind < ASYMMETRIC; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct kind_problem own;
            struct tsp_graph graph = {0};
            int64_t bound, weight, best = INT64_MIN;
            size_t added;
            bool is_found = false;
            if (!harness_takes_case())
                continue;
            test_label("%s, %u cities", kind_name((enum kind)kind), (unsigned)counts[c]);
            kind_open((enum kind)kind, counts[c], 4, &own);
            assert_ok(tsp_ascend(&own.problem, &(struct tsp_listing){0}, NULL, &graph, &bound, &test_error));
            assert_ok(tsp_complete_tree(&graph, 1, NULL, &weight, &added, &test_error));
            set_dense(&graph, &dense);
            for (uint32_t city = 0; city < graph.n; city++) {
                const int64_t length = one_tree(&dense, city) - penalty_sum(&graph);
                is_found = is_found || length == weight;
                best = length > best ? length : best;
            }
            assert_true(is_found);
            assert_true(bound >= 0 && bound <= (best <= 0 ? 0 : (best + graph.scale - 1) / graph.scale));
            assert_alpha(&graph, &dense);
            tsp_graph_destroy(&graph);
            kind_close(&own);
        }
}

/* No bound of few cities is above the shortest tour, and all are near it. */
static void test_few_cities(void **state)
{
    (void)state;
    enum { CITIES = 9, PROBLEMS = 12 };
    for (int kind = 0; kind < 3; kind++) /* closed, path, path from a city */
        for (uint32_t number = 0; number < PROBLEMS; number++) {
            struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.metric = SHOAL_TSP_EUC_2D);
            double points[2 * CITIES];
            struct tsp_problem problem;
            uint32_t tour[CITIES];
            int64_t bound;
            uint64_t random = number + 1;
            if (!harness_takes_case())
                continue;
            test_label("shape %d, problem %u", kind, (unsigned)number);
            for (uint32_t i = 0; i < 2 * CITIES; i++)
                points[i] = floor(cities_uniform(&random) * (number % 3 ? 100 : 3));
            params.points = points;
            params.count = 1 + (number + 4) % CITIES;
            params.path = kind != 0;
            params.start = kind == 2 ? "1" : NULL;
            assert_ok(tsp_problem_create(&params, &problem, &test_error));
            assert_ok(tsp_bound(&problem, &(struct tsp_listing){0}, NULL, &bound, &test_error));
            assert_ok(tsp_exact_tour(&problem, tour, &test_error));
            const int64_t length = tsp_length(&problem, tour, NULL);
            assert_true(bound >= 0 && bound <= length);
            assert_true((double)bound >= 0.8 * (double)length);
            tsp_problem_destroy(&problem);
        }
}

/* A run with a bound and lists by alpha-nearness. */
static void test_run(void **state)
{
    (void)state;
    struct shoal_result result = {.size = sizeof result};
    struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.generate = "uniform:200:1", .bound = true,
                                                      .lists = SHOAL_TSP_LISTS_ALPHA, .iterations = 20);
    int64_t bound;
    if (!harness_takes_case())
        return;
    struct shoal_solver *solver = harness_solver("tsp", test_host_device(harness.shoal), &params);
    harness_step(solver, 20);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_ok(shoal_tsp_bound(shoal_tsp_problem_of(solver), &bound, &test_error));
    assert_true(shoal_result_number(&result, "bound") == (double)bound);
    assert_true(result.value >= (double)bound && result.value <= 1.03 * (double)bound);
    assert_string_equal(shoal_result_find(&result, "algorithm")->text, "lk");
    assert_string_equal(shoal_result_find(&result, "chosen_for")->text, "--lists alpha");
    assert_string_equal(shoal_result_find(&result, "lists")->text, "alpha");
    shoal_solver_destroy(&solver);
}

/* The bounds of paths are as near as those of closed tours. */
static void test_paths(void **state)
{
    (void)state;
    for (int ends = 0; ends < 3; ends++) {
        struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.generate = "uniform:200:1", .path = true,
                                                          .algorithm = SHOAL_TSP_LK, .iterations = 20);
        uint32_t tour[200];
        int64_t bound, length;
        if (!harness_takes_case())
            continue;
        test_label("%d ends", ends);
        params.start = ends > 0 ? "7" : NULL;
        params.end = ends > 1 ? "30" : NULL;
        struct shoal_solver *solver = harness_solver("tsp", test_host_device(harness.shoal), &params);
        harness_step(solver, 20);
        assert_ok(shoal_tsp_bound(shoal_tsp_problem_of(solver), &bound, &test_error));
        assert_ok(shoal_tsp_best(solver, tour, 200, &length, &test_error));
        assert_true(length >= bound && (double)length <= 1.03 * (double)bound);
        shoal_solver_destroy(&solver);
    }
}

static void assert_refused(const struct shoal_tsp_params *params, enum shoal_status wanted, const char *text)
{
    struct shoal_solver *solver = NULL;
    assert_status(shoal_solver_create(shoal_workload_find("tsp"), test_host_device(harness.shoal), NULL,
                                      params, SHOAL_VARIANT_AUTO, &solver, &test_error),
                  wanted);
    assert_contains(test_error.message, text);
}

static void test_refused(void **state)
{
    (void)state;
    static const int32_t matrix[] = {0, 5, 3, 9, 9, 0, 2, 4, 4, 1, 0, 7, 6, 2, 8, 0};
    struct shoal_tsp_params params =
        SHOAL_TSP_PARAMS(.matrix = matrix, .count = 4, .bound = true, .algorithm = SHOAL_TSP_LK);
    if (!harness_takes_case())
        return;
    assert_refused(&params, SHOAL_UNSUPPORTED, "a lower bound needs equal distances there and back");
    params.bound = false;
    params.lists = SHOAL_TSP_LISTS_ALPHA;
    assert_refused(&params, SHOAL_UNSUPPORTED,
                   "--lists alpha: matrix has different distances there and back");
    params = SHOAL_TSP_PARAMS(.generate = "uniform:30:1", .lists = SHOAL_TSP_LISTS_ALPHA,
                              .algorithm = SHOAL_TSP_FACO);
    assert_refused(&params, SHOAL_INVALID, "--lists alpha belongs to lk, not to faco");
    params.algorithm = SHOAL_TSP_ALGORITHM_AUTO;
    params.ants = 4;
    assert_status(tsp_algorithms[params.algorithm]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--lists alpha belongs to lk, which has no ants: leave out --ants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dense), cmocka_unit_test(test_few_cities),
                                       cmocka_unit_test(test_run), cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_refused)};
    return harness_main("tsp-bound", tests, sizeof tests / sizeof *tests);
}
