#include "ascents.h"
#include "harness.h"
#include "kinds.h"

#include <stdlib.h>

enum { FEW = 61, NEIGHBOURS = 7 };

/* Cities at places where many distances are equal, or some are much longer than the others. */
enum shape { LATTICE, TWO_HEAPS, SHAPES };

static void set_shape(enum shape shape, double *points, uint32_t n)
{
    uint64_t random = 7;
    for (uint32_t i = 0; i < n; i++) {
        const bool is_far = shape == TWO_HEAPS && i % 2;
        points[2 * i] = shape == LATTICE ? i % 90 : 1000 * cities_uniform(&random) + (is_far ? 1e7 : 0);
        points[2 * i + 1] = shape == LATTICE ? i / 90.0 - i % 90 / 90.0 : 1000 * cities_uniform(&random);
    }
}

void ascents_graph(const struct tsp_problem *problem, struct tsp_graph *graph)
{
    const uint32_t n = problem->form.n, k = NEIGHBOURS;
    const struct tsp_listing listing = {.count = k, .kind = problem->form.dim ? TSP_QUADRANT : TSP_NEAREST};
    uint32_t *lists = malloc((size_t)n * k * sizeof *lists);
    int64_t weight;
    size_t added;
    assert_ok(tsp_neighbours(problem, &listing, lists, &test_error));
    assert_ok(tsp_graph_create(problem, lists, k, graph, &test_error));
    free(lists);
    assert_ok(tsp_complete_tree(graph, 1, NULL, &weight, &added, &test_error));
    tsp_graph_scale(graph, 512);
}

void ascents_each(uint32_t many, void (*assert_problem)(const struct tsp_problem *problem))
{
    double *points = harness_memory(2 * (size_t)many * sizeof *points);
    struct cities cities;
    for (int kind = 0; kind < ASYMMETRIC; kind++) {
        struct kind_problem own;
        if (!harness_takes_case())
            continue;
        test_label("%s", kind_name((enum kind)kind));
        kind_open((enum kind)kind, FEW, 4, &own);
        assert_problem(&own.problem);
        kind_close(&own);
    }
    for (int kind = 0; kind < CITIES_KINDS + SHAPES; kind++) {
        /* All cities at one place are all joined by edges of length 0. */
        const uint32_t n = kind == ONE_PLACE ? FEW : many;
        if (!harness_takes_case())
            continue;
        test_label("kind %d of %u points", kind, (unsigned)n);
        if (kind < CITIES_KINDS)
            cities_make_points((enum cities_kind)kind, SHOAL_TSP_EUC_2D, 2, points, n);
        else
            set_shape((enum shape)(kind - CITIES_KINDS), points, n);
        cities_open(&cities, SHOAL_TSP_EUC_2D, 2, points, n);
        assert_problem(&cities.problem);
        cities_close(&cities);
    }
    harness_release();
}
