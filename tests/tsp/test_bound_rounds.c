/* Lower bounds by threads: rounds of an ascent and shortest trees over all pairs are the same for each number
 * of threads, and the trees are as short as those of one edge after another. */
#include "ascents.h"
#include "harness.h"

#include "tsp/bound/rounds.h"

#include <string.h>
#include <sys/resource.h>

enum { FEW = 61, MANY = 2 * TSP_ROUNDS_PART + 77, ROUNDS = 12 };

static const int threads[] = {1, 2, 5};
enum { CHOICES = sizeof threads / sizeof *threads };

/* Without the special city, whose second edge depends on which of equal edges are in the tree. */
static void assert_as_short(const struct tsp_rounds *rounds, struct tsp_graph *graph)
{
    struct tsp_tree tree;
    int64_t longest = INT64_MIN;
    for (uint32_t i = 0; i < graph->n; i++)
        graph->penalties[rounds->order[i]] = rounds->penalties[i];
    assert_ok(tsp_tree_create(graph, &tree, &test_error));
    tsp_tree_find(graph, &tree);
    const int64_t own = rounds->special == SHOAL_TSP_NONE ? 0 : rounds->special_edge,
                  other = tree.special == SHOAL_TSP_NONE ? 0 : tree.second[tree.special];
    assert_true(rounds->weight - own == tree.weight - other);
    for (uint32_t i = 0; i + 1 < graph->n; i++)
        longest = tree.joins[i] > longest ? tree.joins[i] : longest;
    assert_true(rounds->longest == longest);
    tsp_tree_destroy(&tree);
}

static void assert_same(const struct tsp_rounds *a, const struct tsp_rounds *b)
{
    assert_true(a->weight == b->weight && a->longest == b->longest && a->special == b->special);
    assert_int_equal(a->even, b->even);
    assert_memory_equal(a->degrees, b->degrees, a->n * sizeof *a->degrees);
    assert_memory_equal(a->penalties, b->penalties, a->n * sizeof *a->penalties);
}

static void assert_rounds(const struct tsp_problem *problem)
{
    struct tsp_graph graph;
    struct tsp_rounds rounds[CHOICES];
    ascents_graph(problem, &graph);
    for (unsigned i = 0; i < CHOICES; i++) {
        assert_ok(tsp_rounds_create(&graph, threads[i], &rounds[i], &test_error));
        tsp_rounds_find(&rounds[i]);
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const int64_t step = rounds[0].longest > 0 ? rounds[0].longest / (1 + round) : 1000;
        if (round % 4 == 0)
            assert_as_short(&rounds[0], &graph);
        for (unsigned i = 1; i < CHOICES; i++)
            assert_same(&rounds[0], &rounds[i]);
        for (unsigned i = 0; i < CHOICES; i++) {
            tsp_rounds_move(&rounds[i], step);
            tsp_rounds_find(&rounds[i]);
        }
    }
    for (unsigned i = 0; i < CHOICES; i++)
        tsp_rounds_destroy(&rounds[i]);
    tsp_graph_destroy(&graph);
}

/* Trees over all pairs, with penalties that rule out some edges of the graph: weights and edges. */
static void assert_trees(const struct tsp_problem *problem)
{
    struct tsp_graph graphs[CHOICES];
    int64_t weights[CHOICES];
    size_t added[CHOICES];
    for (unsigned i = 0; i < CHOICES; i++) {
        uint64_t random = 3;
        ascents_graph(problem, &graphs[i]);
        for (uint32_t city = 0; city < graphs[i].n; city++)
            graphs[i].penalties[city] = (int64_t)(20000 * cities_uniform(&random)) - 10000;
        assert_ok(tsp_complete_tree(&graphs[i], threads[i], NULL, &weights[i], &added[i], &test_error));
    }
    for (unsigned i = 1; i < CHOICES; i++) {
        assert_true(weights[i] == weights[0]);
        assert_int_equal(added[i], added[0]);
        assert_int_equal(graphs[i].count, graphs[0].count);
        for (size_t e = 0; e < graphs[0].count; e++)
            assert_true(graphs[i].edges[e].a == graphs[0].edges[e].a &&
                        graphs[i].edges[e].b == graphs[0].edges[e].b);
    }
    for (unsigned i = 0; i < CHOICES; i++)
        tsp_graph_destroy(&graphs[i]);
}

static void test_rounds(void **state)
{
    (void)state;
    ascents_each(MANY, assert_rounds);
}

static void test_trees(void **state)
{
    (void)state;
    ascents_each(MANY, assert_trees);
}

/* Bounds of problems that are large enough for several threads. */
static void test_bounds(void **state)
{
    (void)state;
    static double points[2 * MANY];
    struct cities cities;
    int64_t bounds[CHOICES];
    if (!harness_takes_case())
        return;
    cities_make_points(UNIFORM, SHOAL_TSP_EUC_2D, 2, points, MANY);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, MANY);
    for (unsigned i = 0; i < CHOICES; i++)
        assert_ok(tsp_bound(&cities.problem, &(struct tsp_listing){.threads = threads[i]}, NULL, &bounds[i],
                            &test_error));
    assert_true(bounds[0] > 0 && bounds[1] == bounds[0] && bounds[2] == bounds[0]);
    cities_close(&cities);
}

/* A bound that is cut is given up. */
static void test_cut(void **state)
{
    (void)state;
    static double points[2 * FEW];
    struct cities cities;
    struct long_step cut;
    int64_t bound;
    if (!harness_takes_case())
        return;
    cities_make_points(UNIFORM, SHOAL_TSP_EUC_2D, 2, points, FEW);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, FEW);
    long_step_create(&cut, NULL);
    long_step_begin(&cut);
    atomic_store(&cut.is_cut, true);
    for (unsigned i = 0; i < CHOICES; i++)
        assert_status(tsp_bound(&cities.problem, &(struct tsp_listing){.threads = threads[i], .cut = &cut},
                                NULL, &bound, &test_error),
                      SHOAL_STOPPED);
    cities_close(&cities);
}

/* What needs more memory than the host has is refused ahead of its allocations. */
static void test_memory(void **state)
{
    (void)state;
    static double points[2 * MANY];
    struct cities cities;
    struct tsp_graph graph;
    struct tsp_rounds rounds;
    struct shoal_error errors[2];
    struct rlimit old;
    int64_t weight;
    size_t added;
    if (!harness_takes_case())
        return;
    cities_make_points(UNIFORM, SHOAL_TSP_EUC_2D, 2, points, MANY);
    cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, MANY);
    ascents_graph(&cities.problem, &graph);
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    const struct rlimit small = {.rlim_cur = 1 << 19, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    const enum shoal_status of_rounds = tsp_rounds_create(&graph, 1, &rounds, &errors[0]),
                            of_tree = tsp_complete_tree(&graph, 1, NULL, &weight, &added, &errors[1]);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_int_equal(of_rounds, SHOAL_OUT_OF_HOST_MEMORY);
    assert_int_equal(of_tree, SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(errors[0].message, "the rounds of a lower bound need");
    assert_contains(errors[1].message, "the shortest trees of a lower bound need");
    tsp_rounds_destroy(&rounds);
    tsp_graph_destroy(&graph);
    cities_close(&cities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounds), cmocka_unit_test(test_trees),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_memory)};
    return harness_main("tsp-bound-rounds", tests, sizeof tests / sizeof *tests);
}
