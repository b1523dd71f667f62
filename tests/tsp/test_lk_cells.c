/* Lin-Kernighan search in so many cells that a division takes several steps: resumed within it, a run has the
 * bits of one that was not interrupted. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resumed_in_a_division)};
    return harness_main("tsp-lk-cells", tests, sizeof tests / sizeof *tests);
}
