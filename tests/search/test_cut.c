/* Steps of the host that are cut: they are dropped, and what follows is as if they had never begun. */
#include "open.h"

#include "portfolio/turns/turns.h"
#include "search/host/host.h"
#include "workload/workload.h"

#include <math.h>
#include <shoal/ga.h>
#include <shoal/portfolio.h>
#include <shoal/pso.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIM = 6, STEPS = 3 };

/* Evaluations behind the first wait until a thread has asked, while `waits`. */
static atomic_bool waits, asked;
static atomic_int evaluations_begun;

static double sphere(const double *x, size_t dim, void *data)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    double sum = 0;
    (void)data;
    if (waits && evaluations_begun++ > 0)
        while (!asked)
            nanosleep(&pause, NULL);
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d];
    return sum;
}

static bool ends(void *data)
{
    (void)data;
    if (evaluations_begun == 0) /* between two steps */
        return false;
    asked = true;
    return true;
}

/* From then on parts of any length are cut. */
static void cut_all(struct shoal_solver *solver)
{
    const bool is_portfolio = strcmp(solver->workload->name, "portfolio") == 0;
    struct search_host *host = is_portfolio ? portfolio_turns_of(solver)->arms[0]->state : solver->state;
    host->cut.patience_s = 0;
    solver->must_end = ends;
    asked = false;
    evaluations_begun = 0;
    waits = true;
}

struct end {
    double *state;
    size_t count;
    double value, work;
};

static struct shoal_solver *solver_of(const char *workload, const void *params)
{
    struct shoal_solver *solver = NULL;
    assert_ok(shoal_solver_create(shoal_workload_find(workload), test_host_device(shoal), NULL, params,
                                  SHOAL_VARIANT_AUTO, &solver, &test_error));
    return solver;
}

static struct end end_of(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    struct end end;
    assert_ok(shoal_solver_state(solver, NULL, 0, &end.count, &test_error));
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    end.value = result.value;
    end.work = result.work;
    end.state = malloc(end.count * sizeof *end.state);
    assert_non_null(end.state);
    assert_ok(shoal_solver_state(solver, end.state, end.count, &end.count, &test_error));
    shoal_solver_destroy(&solver);
    return end;
}

static void step(struct shoal_solver *solver, uint64_t steps, uint64_t expected)
{
    uint64_t done = 99;
    assert_ok(shoal_solver_step(solver, steps, &done, &test_error));
    assert_int_equal(done, expected);
}

/* A step that is asked to end does nothing, and runs that were cut in the middle end as others. */
static void check(const char *workload, const void *params)
{
    struct shoal_solver *whole = solver_of(workload, params), *cut = solver_of(workload, params);
    step(whole, STEPS, STEPS);
    step(cut, 1, 1);
    cut_all(cut);
    step(cut, STEPS - 1, 0);
    waits = false;
    cut->must_end = NULL;
    step(cut, STEPS - 1, STEPS - 1);
    struct end a = end_of(whole), b = end_of(cut);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.state, b.state, a.count * sizeof *a.state);
    assert_true(a.value == b.value && a.work == b.work);
    free(a.state);
    free(b.state);
}

static struct shoal_objective *sphere_of(struct shoal_search_params *search)
{
    struct shoal_objective *objective = NULL;
    assert_ok(shoal_objective_from_callback(sphere, NULL, "a sphere", &objective, &test_error));
    search->objective = objective;
    search->dim = DIM;
    search->lower = -3;
    search->upper = 5;
    search->iterations = STEPS;
    return objective;
}

static void swarms_go_on_where_they_were_cut(void **state)
{
    (void)state;
    static const enum shoal_pso_topology topologies[] = {SHOAL_PSO_GLOBAL, SHOAL_PSO_RING, SHOAL_PSO_RANDOM};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        struct shoal_pso_params params;
        shoal_pso_params_init(&params);
        struct shoal_objective *objective = sphere_of(&params.search);
        params.particles = 40;
        params.topology = topologies[i];
        params.search.runs = i == 1 ? 3 : 1;
        check("pso", &params);
        shoal_objective_destroy(&objective);
    }
}

static void populations_go_on_where_they_were_cut(void **state)
{
    (void)state;
    for (int islands = 1; islands <= 2; islands++) {
        struct shoal_ga_params params;
        shoal_ga_params_init(&params);
        struct shoal_objective *objective = sphere_of(&params.search);
        params.population = 40;
        params.search.islands = (uint64_t)islands;
        params.search.exchange = islands > 1;
        check("ga", &params);
        shoal_objective_destroy(&objective);
    }
}

/* The first points that have values are a result; nothing can go on from them. */
static void first_points_may_lack_values(void **state)
{
    enum { PARTICLES = 10000 }; /* several for each thread */
    (void)state;
    struct shoal_pso_params params;
    struct shoal_result result = {0};
    shoal_pso_params_init(&params);
    struct shoal_objective *objective = sphere_of(&params.search);
    params.particles = PARTICLES;
    struct shoal_solver *solver = solver_of("pso", &params);
    cut_all(solver);
    step(solver, 0, 0);
    waits = false;
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(isfinite(result.value) && result.work >= 1 && result.work < PARTICLES && result.check_passed);
    assert_status(shoal_solver_save(solver, test_path("state"), &test_error), SHOAL_UNSUPPORTED);
    assert_non_null(strstr(test_error.message, "before all of its first points had values"));
    shoal_solver_destroy(&solver);
    shoal_objective_destroy(&objective);
}

static void portfolios_go_on_where_they_were_cut(void **state)
{
    (void)state;
    struct shoal_portfolio_params params;
    shoal_portfolio_params_init(&params);
    struct shoal_objective *objective = sphere_of(&params.search);
    params.turns = SHOAL_PORTFOLIO_STEPS;
    params.algorithms = "pattern,random";
    params.points = 300;
    params.search.islands = 2;
    check("portfolio", &params);
    shoal_objective_destroy(&objective);
}

static void first_points_of_a_portfolio_may_lack_values(void **state)
{
    (void)state;
    struct shoal_portfolio_params params;
    struct shoal_result result = {0};
    shoal_portfolio_params_init(&params);
    struct shoal_objective *objective = sphere_of(&params.search);
    params.turns = SHOAL_PORTFOLIO_STEPS;
    params.algorithms = "ga";
    params.points = 300;
    struct shoal_solver *whole = solver_of("portfolio", &params), *cut = solver_of("portfolio", &params);
    step(whole, STEPS, STEPS);
    cut_all(cut);
    step(cut, 0, 0);
    waits = false;
    cut->must_end = NULL;
    assert_ok(shoal_solver_result(cut, &result, &test_error));
    assert_true(isfinite(result.value) && result.work >= 1 && result.work < 100 && result.check_passed);
    assert_status(shoal_solver_save(cut, test_path("state"), &test_error), SHOAL_UNSUPPORTED);
    assert_non_null(strstr(test_error.message, "before all of its first points had values"));
    step(cut, STEPS, STEPS);
    struct end a = end_of(whole), b = end_of(cut);
    assert_memory_equal(a.state, b.state, a.count * sizeof *a.state);
    assert_true(a.value == b.value && a.work == b.work);
    free(a.state);
    free(b.state);
    shoal_objective_destroy(&objective);
}

/* True from the second evaluation of a refinement on, which asks before each of its evaluations; others ask
 * between the steps. */
static bool ends_refinement(void *data)
{
    static int before = -2;
    const int now = evaluations_begun;
    const bool ends = now == before + 1;
    (void)data;
    before = ends ? now - 1 : now;
    return ends;
}

/* A refinement at the end of a life that is cut is made anew. */
static void lives_end_where_they_were_cut(void **state)
{
    (void)state;
    struct shoal_portfolio_params params;
    shoal_portfolio_params_init(&params);
    struct shoal_objective *objective = sphere_of(&params.search);
    params.turns = SHOAL_PORTFOLIO_LIVES;
    params.algorithms = "de";
    params.points = 300;
    params.life = 0.5;
    params.search.runs = 2;
    struct shoal_solver *whole = solver_of("portfolio", &params), *cut = solver_of("portfolio", &params),
                        *resumed = solver_of("portfolio", &params);
    step(whole, STEPS, STEPS);
    waits = asked = true;
    evaluations_begun = 0;
    struct portfolio_turns *turns = portfolio_turns_of(cut);
    turns->cut.patience_s = turns->cut.pause_s = 0;
    cut->must_end = ends_refinement;
    uint64_t done;
    assert_ok(shoal_solver_step(cut, STEPS, &done, &test_error));
    assert_true(done < STEPS);
    assert_int_equal(turns->rest.is_cut, PORTFOLIO_CUT_LIFE);
    waits = false;
    cut->must_end = NULL;
    assert_ok(shoal_solver_save(cut, test_path("life"), &test_error));
    assert_ok(shoal_solver_load(resumed, test_path("life"), &test_error));
    step(cut, STEPS - done, STEPS - done);
    step(resumed, STEPS - done, STEPS - done);
    struct end a = end_of(whole), others[] = {end_of(cut), end_of(resumed)};
    for (size_t i = 0; i < 2; i++) {
        assert_memory_equal(a.state, others[i].state, a.count * sizeof *a.state);
        assert_true(a.value == others[i].value && a.work == others[i].work);
        free(others[i].state);
    }
    free(a.state);
    shoal_objective_destroy(&objective);
}

/* Refinements behind the last step end where the caller stops the run, with what they have reached. */
static void refinements_can_be_stopped(void **state)
{
    (void)state;
    enum { ROWS = 2000, COLUMNS = 3 };
    static double values[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        values[i * COLUMNS] = sin((double)i);
        values[i * COLUMNS + 1] = cos(3 * (double)i);
        values[i * COLUMNS + 2] =
            2 * values[i * COLUMNS] - values[i * COLUMNS + 1] + 0.1 * sin(7 * (double)i);
    }
    const struct shoal_rows rows = {.size = sizeof rows, .values = values, .rows = ROWS, .columns = COLUMNS};
    uint64_t evaluations[2];
    for (int stops = 0; stops < 2; stops++) {
        struct shoal_pso_params params;
        struct shoal_objective *objective = NULL;
        struct shoal_result result = {0};
        shoal_pso_params_init(&params);
        assert_ok(shoal_objective_from_rows(shoal, &rows, &objective, &test_error));
        params.search.objective = objective;
        params.search.lower = -10;
        params.search.upper = 10;
        params.search.iterations = STEPS;
        struct shoal_solver *solver = solver_of("pso", &params);
        step(solver, STEPS, STEPS);
        solver->is_stopped = stops ? ends : NULL;
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        evaluations[stops] = shoal_result_find(&result, "refined")->uint;
        assert_true(isfinite(result.value) && result.check_passed);
        shoal_solver_destroy(&solver);
        shoal_objective_destroy(&objective);
    }
    assert_true(evaluations[0] > 5);
    assert_int_equal(evaluations[1], 2 * (COLUMNS - 1) + 1); /* the one that was under way */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(swarms_go_on_where_they_were_cut),
        OPEN_TEST(populations_go_on_where_they_were_cut),
        OPEN_TEST(first_points_may_lack_values),
        OPEN_TEST(portfolios_go_on_where_they_were_cut),
        OPEN_TEST(first_points_of_a_portfolio_may_lack_values),
        OPEN_TEST(lives_end_where_they_were_cut),
        OPEN_TEST(refinements_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
