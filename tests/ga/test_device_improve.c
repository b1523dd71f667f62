/* Local search of children on every device, however it is cut into launches: the members of the host solver.
 * A generation that is dropped leaves everything as it was. */
#include "compare.h"
#include "searches.h"
#include "states.h"

#include "ga/methods/pipeline.h"
#include "workload/workload.h"

#include <math.h>
#include <shoal/optimise.h>
#include <stdlib.h>
#include <string.h>

/* Genomes that a local search keeps in registers, in local memory, and those with changes of their own. */
static const struct {
    const char *name, *variables, *function;
    size_t dim;
    int32_t moves;
    double tolerance;
} searched[] = {
    {"few bits", NULL, "labs", 37, SHOAL_GA_MOVES_FLIP, 0},
    {"many bits", NULL, "trap-5", 135, SHOAL_GA_MOVES_AUTO, 0},
    {"changes by flips", NULL, "onemax", 131, SHOAL_GA_MOVES_FLIP, 0},
    {"clauses", NULL, "planted-sat", 20, SHOAL_GA_MOVES_FLIP, 0},
    {"swaps", "x1-x12 order", NULL, 0, SHOAL_GA_MOVES_AUTO, 0},
    {"insertions", "x1-x11 order", NULL, 0, SHOAL_GA_MOVES_INSERTION, 0},
    {"bits of a mixed genome", whole_genes, NULL, 0, SHOAL_GA_MOVES_FLIP, 0},
    {"order of a mixed genome", whole_genes, NULL, 0, SHOAL_GA_MOVES_SWAP, 0},
    {"insertions of a mixed genome", mixed_genes, NULL, 0, SHOAL_GA_MOVES_INSERTION, 1e-10},
    {"flips of a mixed genome", mixed_genes, NULL, 0, SHOAL_GA_MOVES_AUTO, 1e-10},
};
enum { SEARCHED = sizeof searched / sizeof *searched, KINDS = 6 };

static void set_search(struct shoal_ga_params *params, size_t k)
{
    params->local_search = SHOAL_GA_FIRST_IMPROVEMENT + (int32_t)(k % 3);
    params->local_steps = k % 2 ? 0 : 5;
    params->improve = k % 4 == 3 ? SHOAL_GA_IMPROVE_ELITES : SHOAL_GA_IMPROVE_ALL;
    params->elites = k % 5;
    params->tenure = k == 5 ? 2 : 0;
    params->search.islands = k == 2 ? 3 : 1;
    params->search.runs = k == 2 ? 2 : 1;
    params->search.exchange = k == 2 ? 2 : 0;
    params->search.maximise = k == 4;
    params->search.restart = k == 5 ? 2 : 0;
}

/* Of nine children an island: launches of a few children, of a few steps, of one step. */
static void cut_launches(struct shoal_solver *solver, size_t k)
{
    struct ga_improver *improver = &ga_pipeline_of(solver)->improver;
    assert_true(improver->wide >= 1 && improver->least >= 1 && improver->least <= improver->wide);
    if (k % KINDS == 0)
        return;
    improver->limit = k % 3 == 0 ? 0 : k % 3 == 1 ? 2e-4 : INFINITY;
    improver->wide = improver->wide < 4 ? improver->wide : 4;
    improver->least = improver->least < 1 + k % 2 ? improver->least : (uint32_t)(1 + k % 2);
}

static void test_local_search(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (size_t i = 0; i < SEARCHED; i++)
        for (size_t n = 0; n < 2; n++) {
            const size_t k = (i + 5 + 3 * n) % KINDS;
            struct shoal_ga_params params = pipeline_params();
            struct shoal_objective *formula = NULL;
            params.population = 9;
            if (searched[i].function) {
                params.search.function = function_named(searched[i].function);
                params.search.dim = searched[i].dim;
            } else {
                formula = formula_over(searched[i].variables, searched[i].tolerance);
                params.search.objective = formula;
            }
            set_search(&params, k);
            params.moves = searched[i].moves;
            params.search.seed = 3 + k;
            if (harness_takes_case_of(searched[i].name))
                for (size_t cut = 0; cut < KINDS; cut += 1 + (cut + i) % 2)
                    compare_with_host(&params, searched[i].name, cut, searched[i].tolerance, cut_launches);
            shoal_objective_destroy(&formula);
        }
}

/* Ends -------------------------------------------------------------------------------------------------- */

enum { CHILDREN = 9, STEPS = 12 };

/* Of a dynamic objective the members' values change in each step. */
static const char moving[] = "#define SHAPE OPAQUE\n"
                             "#define DYNAMIC\n"
                             "#define VALUE LONG\n"
                             "#define VARIABLES \"x1-xD bit\"\n"
                             "static inline long objective_value(GENOME, uint dim)\n"
                             "{\n"
                             "    long sum = 0;\n"
                             "    uint i;\n"
                             "    for (i = 0u; i < dim; i++)\n"
                             "        sum += (long)(BIT(i) == ((GENERATION + i) & 1u)) * (long)(i + 1u);\n"
                             "    return sum;\n"
                             "}\n";

static struct shoal_ga_params tabu_params(struct shoal_objective **objective, bool is_dynamic)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    *objective = NULL;
    if (is_dynamic)
        assert_ok(shoal_objective_from_text(harness.shoal, moving, "own.clh", objective, &test_error));
    params.search.objective = *objective ? *objective : shoal_objective_find("labs");
    params.search.dim = 21;
    params.search.maximise = is_dynamic;
    params.search.iterations = 1000;
    params.search.islands = 2;
    params.search.exchange = 2;
    params.population = CHILDREN;
    params.elites = 0;
    params.local_search = SHOAL_GA_TABU;
    params.local_steps = STEPS;
    return params;
}

static struct shoal_solver *slow_solver(const struct shoal_ga_params *params)
{
    struct shoal_solver *solver = harness_solver("ga", harness.device, params);
    struct ga_improver *improver = &ga_pipeline_of(solver)->improver;
    improver->limit = 0;
    improver->wide = improver->least = 1;
    return solver;
}

/* The watchdog sees each launch. */
static void test_progress(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    if (!harness_has_fp64())
        return;
    const struct shoal_ga_params params = tabu_params(&objective, false);
    struct shoal_solver *solver = slow_solver(&params);
    assert_int_equal(harness_step(solver, 1), 1);
    assert_int_equal(atomic_load(&solver->calls), 2 * 2 * CHILDREN * STEPS);
    ga_pipeline_of(solver)->improver.limit = INFINITY;
    assert_int_equal(harness_step(solver, 1), 1);
    assert_int_equal(atomic_load(&solver->calls), 2 * (2 * CHILDREN * STEPS + 1));
    assert_int_equal(harness_step(solver, 3), 3);
    assert_int_equal(atomic_load(&solver->calls), 2 * (2 * CHILDREN * STEPS + 2));
    shoal_solver_destroy(&solver);
}

static void test_dropped(void **state)
{
    (void)state;
    /* In the first search, between searches, in the last one; in the step after. */
    static const int polls[] = {0, STEPS - 1, 2 * CHILDREN * STEPS - 2, 2 * CHILDREN * STEPS - 1};
    if (!harness_has_fp64())
        return;
    for (int is_dynamic = 0; is_dynamic < 2; is_dynamic++)
        for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
            struct shoal_objective *objective;
            const struct shoal_ga_params params = tabu_params(&objective, is_dynamic);
            struct shoal_solver *dropped = slow_solver(&params), *whole = slow_solver(&params);
            const uint64_t steps = polls[i] == 2 * CHILDREN * STEPS - 1 ? 4 : 3;
            int left = polls[i];
            uint64_t done;
            assert_int_equal(harness_step(dropped, 3), 3);
            assert_int_equal(harness_step(whole, steps), steps);
            dropped->must_end = ends_after;
            dropped->end_data = &left;
            assert_ok(shoal_solver_step(dropped, 5, &done, &test_error));
            assert_int_equal(done, steps - 3);
            assert_int_equal(left, -1);
            assert_same_state(dropped, whole);
            dropped->must_end = NULL;
            assert_int_equal(harness_step(dropped, 3), 3);
            assert_int_equal(harness_step(whole, 3), 3);
            assert_same_state(dropped, whole);
            shoal_solver_destroy(&dropped);
            shoal_solver_destroy(&whole);
            shoal_objective_destroy(&objective);
        }
}

/* Polled before the initial state's first step, then between the launches of that. */
static void test_stopped(void **state)
{
    (void)state;
    if (!harness_has_fp64())
        return;
    for (int watched = 0; watched < 2; watched++) {
        struct shoal_objective *objective;
        struct shoal_ga_params params = tabu_params(&objective, false);
        struct shoal_run_params run;
        struct shoal_report stopped = {0}, none = {0};
        int left = 1;
        params.local_steps = 1000;
        shoal_run_params_init(&run);
        run.stop = ends_after;
        run.data = &left;
        run.hang_limit = watched ? 1000 : 0;
        assert_status(
            shoal_run(shoal_workload_find("ga"), harness.device, &params, &run, &stopped, &test_error),
            SHOAL_STOPPED);
        assert_true(stopped.stopped && !stopped.timed_out && stopped.result.check_passed);
        assert_int_equal(stopped.result.steps, 0);
        left = 0;
        assert_status(shoal_run(shoal_workload_find("ga"), harness.device, &params, &run, &none, &test_error),
                      SHOAL_STOPPED);
        assert_same_state(stopped.solver, none.solver);
        shoal_report_clear(&stopped);
        shoal_report_clear(&none);
    }
}

/* Calls that are too short for a step make one each. */
static void test_short_calls(void **state)
{
    (void)state;
    enum { DIM = 30, LONG = 4000, MOST = 20 };
    struct shoal_optimiser *search;
    double x[DIM], value;
    int calls = 0, longer = 0;
    if (!harness_has_fp64())
        return;
    assert_ok(shoal_optimiser_create(DIM, &search, &test_error));
    assert_ok(shoal_optimiser_set_algorithm(search, "ga", &test_error));
    assert_ok(shoal_optimiser_set_function(search, "labs", &test_error));
    assert_ok(shoal_optimiser_set_device(search, harness.device, &test_error));
    struct shoal_ga_params *params = shoal_optimiser_ga(search);
    params->population = CHILDREN;
    params->local_search = SHOAL_GA_TABU;
    params->local_steps = LONG;
    params->search.evaluations = 0;
    params->search.time = 1e-3;
    for (uint64_t before = 0; longer < 3 && calls < MOST; calls++) {
        assert_int_equal(shoal_optimise(search, x, &value, &test_error), SHOAL_OPTIMISE_TIME);
        longer += shoal_optimiser_evaluations(search) >= before + CHILDREN * LONG;
        before = shoal_optimiser_evaluations(search);
    }
    assert_int_equal(longer, 3);
    shoal_optimiser_destroy(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_local_search), by_turn(test_progress),
                                       cmocka_unit_test(test_dropped), cmocka_unit_test(test_stopped),
                                       cmocka_unit_test(test_short_calls)};
    return harness_main("ga-device-improve", tests, sizeof tests / sizeof *tests);
}
