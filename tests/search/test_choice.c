/* The choice of an algorithm by the problem: shoal_optimise_choose. */
#include "unit.h"

#include <math.h>
#include <shoal/optimise.h>

static void assert_taken(const struct shoal_optimise_params *params, struct shoal_optimise_choice *choice,
                         const char *name)
{
    assert_ok(shoal_optimise_choose(NULL, params, choice, &test_error));
    assert_string_equal(choice->workload->name, name);
}

/* What "auto" goes by, and what it refuses. */
static void test_choose(void **state)
{
    (void)state;
    struct shoal_optimise_params params = SHOAL_OPTIMISE_PARAMS(.search.dim = 3, .search.islands = 2);
    struct shoal_search_params *search = &params.search;
    struct shoal_optimise_choice choice = {.size = sizeof choice};
    assert_ok(shoal_optimise_choose(NULL, &params, &choice, &test_error));
    assert_contains(choice.values, "evaluations=30000");
    assert_contains(choice.values, " runs=");
    params.search.runs = 2;
    assert_ok(shoal_optimise_choose(NULL, &params, &choice, &test_error));
    assert_lacks(choice.values, "runs=");
    params.search.evaluations = 100;
    assert_taken(&params, &choice, "de");
    assert_string_equal(choice.values, "");
    params.search.evaluations = 3000;
    assert_taken(&params, &choice, "de"); /* two islands */
    params.search.islands = 1;
    assert_taken(&params, &choice, "portfolio");
    params.search.islands = 2;
    params.on_devices = true;
    params.search.precision = SHOAL_FP32;
    assert_taken(&params, &choice, "de");
    params.search.precision = SHOAL_FP64;
    assert_taken(&params, &choice, "de"); /* two islands */
    params.search.evaluations = 6000;
    assert_taken(&params, &choice, "portfolio");
    assert_contains(choice.reason, "double precision");
    params.is_divided = true;
    assert_taken(&params, &choice, "de");
    params.on_devices = false; /* a divided run is on devices */
    assert_taken(&params, &choice, "de");
    params.search.evaluations = 0;
    params.search.time = 1;
    assert_taken(&params, &choice, "de");
    params.is_divided = false;
    params.on_devices = true;
    assert_taken(&params, &choice, "portfolio");
    assert_contains(choice.reason, "room for many populations");
    params.lacks_double = true;
    assert_taken(&params, &choice, "de");
    params.lacks_double = false;
    uint64_t *const asked[] = {&search->polish, &search->restart, &search->exchange, &search->polish_every};
    for (size_t i = 0; i < 8; i++) {
        *asked[i % 4] = 50;
        params.on_devices = i >= 4;
        assert_taken(&params, &choice, i < 3 ? "portfolio" : "de");
        *asked[i % 4] = 0;
    }
    search->iterations = 100;
    assert_taken(&params, &choice, "de");
    params.search.iterations = 0;
    params.search.time = NAN;
    params.on_devices = false;
    params.search.evaluations = 5;
    assert_taken(&params, &choice, "pattern");
    params.search.dim = 1000;
    params.search.evaluations = 100000;
    assert_taken(&params, &choice, "ga");
    params.search.dim = 3;
    params.search.variables = "x1-x3 integer 0 9";
    assert_taken(&params, &choice, "de");
    assert_contains(choice.reason, "whole numbers");
    params.search.evaluations = 5;
    assert_taken(&params, &choice, "ga");
    params.search.variables = "x1-x3 integer 0 9, x4 real 0 1 gray 12";
    params.search.evaluations = 3000;
    params.search.dim = 4;
    assert_taken(&params, &choice, "ga");
    params.search.variables = "x1-x3 nothing";
    assert_status(shoal_optimise_choose(NULL, &params, &choice, &test_error), SHOAL_INVALID);
    params = SHOAL_OPTIMISE_PARAMS(.search.expression = "sum(x[i]", .search.dim = 3);
    assert_status(shoal_optimise_choose(NULL, &params, &choice, &test_error), SHOAL_INVALID);
    assert_non_null(shoal_optimiser_algorithm_at(0));
    assert_null(shoal_optimiser_algorithm_at(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(test_choose)};
    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
