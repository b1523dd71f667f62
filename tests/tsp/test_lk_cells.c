/* Lin-Kernighan search in many cells. If a division takes several steps: resumed within it, a run has the
 * bits of one that was not interrupted. In small cells: a step has as many kicks as docs/tsp.md says. */
#include "harness.h"

#include <shoal/tsp.h>
#include <stdlib.h>

enum { CITIES = 81000, STEPS = 3 };

static int64_t take_tour(struct shoal_solver **solver, uint32_t *tour)
{
    int64_t length;
    assert_ok(shoal_tsp_best(*solver, tour, CITIES, &length, &test_error));
    shoal_solver_destroy(solver);
    return length;
}

static void test_resumed_in_a_division(void **state)
{
    (void)state;
    struct shoal_device *host = test_host_device(harness.shoal);
    struct shoal_tsp_params params;
    uint32_t *tours = malloc(2 * CITIES * sizeof *tours);
    if (!harness_takes_case()) {
        free(tours);
        return;
    }
    assert_non_null(tours);
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_LK;
    params.generate = "uniform:81000:1";
    params.iterations = STEPS;
    struct shoal_solver *whole = harness_solver("tsp", host, &params),
                        *first = harness_solver("tsp", host, &params),
                        *second = harness_solver("tsp", host, &params);
    harness_step(first, 1);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    shoal_solver_destroy(&first);
    assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
    harness_step(second, STEPS - 1);
    harness_step(whole, STEPS);
    const int64_t length = take_tour(&whole, tours);
    assert_true(take_tour(&second, tours + CITIES) == length);
    assert_words(tours + CITIES, tours, CITIES);
    free(tours);
}

static double kicks_of(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    return result.work;
}

/* One tour of more than 1536 small cells has twice as many kicks. Not each city of a cell of 8 can begin
 * one. */
static void test_kicks_of_a_step(void **state)
{
    (void)state;
    static const struct {
        const char *generate;
        uint64_t cities, replicas;
        double times;
    } runs[] = {
        {"uniform:12288:1", 12288, 1, 1}, {"uniform:12304:1", 12304, 1, 2}, {"uniform:12304:1", 12304, 2, 1}};
    struct shoal_device *host = test_host_device(harness.shoal);
    double usual = 0;
    if (!harness_takes_case())
        return;
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct shoal_tsp_params params;
        shoal_tsp_params_init(&params);
        params.algorithm = SHOAL_TSP_LK;
        params.generate = runs[i].generate;
        params.cell = 8;
        params.replicas = runs[i].replicas;
        params.iterations = 4;
        struct shoal_solver *solver = harness_solver("tsp", host, &params);
        harness_step(solver, 3);
        const double before = kicks_of(solver);
        harness_step(solver, 1);
        const double kicks = (kicks_of(solver) - before) / (double)(runs[i].cities * runs[i].replicas);
        if (i == 0)
            usual = kicks;
        assert_true(usual > 0.5 && usual <= 1);
        assert_true(kicks > 0.9 * runs[i].times * usual && kicks < 1.1 * runs[i].times * usual);
        shoal_solver_destroy(&solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resumed_in_a_division),
                                       cmocka_unit_test(test_kicks_of_a_step)};
    return harness_main("tsp-lk-cells", tests, sizeof tests / sizeof *tests);
}
