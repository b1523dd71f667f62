/* A second algorithm, random search, as its folder would bring it: what an algorithm writes itself, and that
 * all else holds for it: options, runs, islands, results, checkpoints, pattern search, ask and tell. */
#include "optimiser.h"

#include "search/host/host.h"
#include "search/options/options.h"

#include <shoal/rng.h>

/* The algorithm ---------------------------------------------------------------------------------------- */

struct draws_params {
    struct shoal_search_params search;
    uint64_t points; /* of an island */
};

struct draws_host {
    struct search_host search;
    struct search_problem problem;
};

static const struct search_algorithm draws_algorithm;

static void params_init(void *data)
{
    struct draws_params *params = data;
    *params = (struct draws_params){.points = 10};
    search_params_init(&params->search, sizeof *params);
}

#define OPTIONS_OF            struct draws_params
#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP   "number of islands in a run"
#define SEARCH_STAGNATION     "100"

static const struct shoal_option options[] = {
#include "search/options/problem.inc"
    {.name = "points",
     .group = "Draws",
     OPTION_UINT(points, "N", 1, SEARCH_MAX_MEMBERS),
     .help = "points of an island in a step"},
#include "search/options/run.inc"
#include "search/options/table.inc"
};
_Static_assert(sizeof options / sizeof *options == SEARCH_OPTIONS + 1, "the rows of all parts and its own");

static enum shoal_status check(const void *params, struct shoal_error *error)
{
    return search_check_params(&draws_algorithm, params, error);
}

static enum shoal_status check_input(struct shoal *shoal, const void *params, struct shoal_error *error)
{
    return search_check_input(shoal, &draws_algorithm, params, error);
}

static uint64_t total_steps(const void *params)
{
    return search_total_steps(&draws_algorithm, params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return search_problem_create(shoal, &draws_algorithm, params, problem, error);
}

static enum shoal_status open_host(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    search->batch = search->problem->members;
    search->numbers = search->problem->dim;
    return SHOAL_OK;
}

static void move_point(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t run = i / (problem->members * problem->run_islands);
    for (size_t d = 0; d < problem->dim; d++) {
        const struct shoal_words words = shoal_random_words(problem->params->seed + run, SHOAL_STREAM_USER,
                                                            (uint32_t)step, (uint32_t)i, (uint32_t)d);
        const double width = problem->upper[d] - problem->lower[d];
        search->x[i * problem->dim + d] = problem->lower[d] + width * shoal_uniform_double(words.x, words.y);
    }
}

static void draw_point(struct search_host *search, size_t i, double *scratch)
{
    move_point(search, i, 0, scratch);
}

static void keep_point(struct search_host *search, size_t i, bool is_drawn)
{
    const size_t dim = search->problem->dim;
    if (!is_drawn && !(search->y[i] < search->best[i]))
        return;
    search->best[i] = search->y[i];
    memcpy(search->p + i * dim, search->x + i * dim, dim * sizeof *search->p);
}

static double evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    (void)precision;
    return (double)problem->dim * sizeof(double);
}

static const struct search_host_ops host_functions = {.size = sizeof(struct draws_host),
                                                      .problem = offsetof(struct draws_host, problem),
                                                      .evaluation_bytes = evaluation_bytes,
                                                      .open = open_host,
                                                      .draw = draw_point,
                                                      .move = move_point,
                                                      .keep = keep_point};

static const struct search_algorithm draws_algorithm = {
    .name = "draws",
    .members = "points",
    .member_name = "points",
    .islands = "islands",
    .members_offset = offsetof(struct draws_params, points),
    .problem_size = sizeof(struct search_problem),
    .problem_create = create_problem,
    .stagnation = 100,
    .host = &host_functions,
};

static const struct shoal_solver_ops host_solver = {SEARCH_HOST_SOLVER, .what = "points"};

static const struct workload draws_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "draws",
             .summary = "minimise a function with random points",
             .params_size = sizeof(struct draws_params),
             .params_init = params_init,
             .options = options,
             .option_count = sizeof options / sizeof *options,
             .sampling = &search_sampling,
             .progress_name = "best"},
    .check = check,
    .check_input = check_input,
    .total_steps = total_steps,
    SEARCH_WORKLOAD,
    .host = &host_solver,
};

/* In place of the lists in the static library. */
extern const struct workload pso_workload;
extern const struct search_algorithm pso_algorithm;
const struct workload *const registry_workloads[] = {&pso_workload, &draws_workload, NULL};
const struct search_algorithm *const search_algorithms[] = {&pso_algorithm, &draws_algorithm, NULL};

/* The optimiser ---------------------------------------------------------------------------------------- */

static struct shoal_optimiser *make_draws(void)
{
    struct shoal_optimiser *optimiser = make_for(bowl, NULL);
    assert_ok(shoal_optimiser_set_algorithm(optimiser, "draws", &test_error));
    struct shoal_search_params *params = shoal_optimiser_params(optimiser);
    ((struct draws_params *)params)->points = 20;
    params->islands = 3;
    params->exchange = 4;
    params->restart = 9;
    params->iterations = 30;
    params->polish = 600;
    return optimiser;
}

static void test_optimise(void **state)
{
    (void)state;
    double x[DIM], value;
    struct shoal_optimiser *optimiser = make_draws();
    assert_null(shoal_optimiser_pso(optimiser));
    assert_int_equal(shoal_optimiser_capacity(optimiser), 60);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_ITERATIONS);
    assert_found(x, value); /* by the pattern search */
    assert_int_equal(shoal_optimiser_steps(optimiser), 30);
    assert_true(shoal_optimiser_evaluations(optimiser) > 31 * 60);
    assert_status(shoal_optimiser_set_algorithm(optimiser, "annealing", &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "use one of pso, draws");
    ((struct draws_params *)shoal_optimiser_params(optimiser))->points = 0;
    shoal_optimiser_reset(optimiser);
    assert_result(shoal_optimise(optimiser, x, &value, &test_error), SHOAL_OPTIMISE_FAILED);
    assert_contains(test_error.message, "points is 0");
    shoal_optimiser_destroy(&optimiser);
}

/* Asks and tells up to `batches` times. */
static void tell_some(struct shoal_optimiser *optimiser, size_t batches)
{
    double points[60 * DIM], values[60];
    size_t count;
    while (batches-- > 0) {
        assert_ok(shoal_optimiser_ask(optimiser, points, 60, &count, &test_error));
        if (!count)
            return;
        for (size_t i = 0; i < count; i++)
            values[i] = bowl(points + i * DIM, DIM, NULL);
        assert_ok(shoal_optimiser_tell(optimiser, values, count, &test_error));
    }
}

static void test_state(void **state)
{
    (void)state;
    double start[60 * DIM], points[60 * DIM], wanted, value;
    size_t count, size;
    void *bytes;
    struct shoal_optimiser *whole = make_draws(), *first = make_draws(), *second = make_draws();
    struct shoal_optimiser *swarm = make_for(bowl, NULL);
    for (size_t i = 0; i < 60 * DIM; i++)
        start[i] = 1 + (double)i / 100;
    assert_ok(shoal_optimiser_set_start(whole, start, 60, &test_error));
    assert_ok(shoal_optimiser_set_start(first, start, 60, &test_error));
    assert_ok(shoal_optimiser_ask(whole, points, 60, &count, &test_error));
    assert_int_equal(count, 60);
    assert_memory_equal(points, start, sizeof start);
    tell_some(whole, SIZE_MAX);
    assert_true(shoal_optimiser_best(whole, NULL, &wanted));
    tell_some(first, 13);
    assert_ok(shoal_optimiser_save_memory(first, &bytes, &size, &test_error));
    assert_ok(shoal_optimiser_load_memory(second, bytes, size, &test_error));
    tell_some(second, SIZE_MAX);
    assert_true(shoal_optimiser_best(second, NULL, &value) && value == wanted);
    assert_int_equal(shoal_optimiser_evaluations(second), shoal_optimiser_evaluations(whole));
    /* Refused by another algorithm. */
    assert_status(shoal_optimiser_load_memory(swarm, bytes, size, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message,
                        "the memory given is a search by the algorithm draws, this one is by pso");
    free(bytes);
    shoal_optimiser_destroy(&whole);
    shoal_optimiser_destroy(&first);
    shoal_optimiser_destroy(&second);
    shoal_optimiser_destroy(&swarm);
}

/* The workload ----------------------------------------------------------------------------------------- */

static enum shoal_status try_run(struct shoal *shoal, uint64_t steps, const char *resume,
                                 const char *checkpoint, struct shoal_report *report)
{
    struct draws_params params;
    struct shoal_run_params how;
    params_init(&params);
    params.search.dim = 5;
    params.search.runs = 3;
    params.search.islands = 2;
    params.search.exchange = 3;
    params.search.trace = 10;
    params.search.iterations = steps;
    shoal_run_params_init(&how);
    how.resume = resume;
    how.checkpoint = checkpoint;
    return shoal_run(&draws_workload.face, test_host_device(shoal), &params, &how, report, &test_error);
}

static double run(struct shoal *shoal, uint64_t steps, const char *resume, const char *checkpoint)
{
    struct shoal_report report = {0};
    assert_ok(try_run(shoal, steps, resume, checkpoint, &report));
    const struct shoal_result *result = &report.result;
    assert_true(result->check_passed && result->error == 0);
    assert_int_equal(shoal_result_find(result, "runs")->uint, 3);
    const struct shoal_field *trace = shoal_result_find(result, "trace");
    assert_int_equal(trace->count, steps / 10 + 1);
    assert_true(trace->reals[0] >= trace->reals[trace->count - 1]);
    assert_true(result->work == (double)(3 * 2 * 10 * (steps + 1)));
    const double value = result->value;
    shoal_report_clear(&report);
    return value;
}

static void test_workload(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    const double whole = run(shoal, 40, NULL, NULL);
    run(shoal, 20, NULL, test_path("half"));
    assert_true(run(shoal, 40, test_path("half"), NULL) == whole);
    /* A run that would end before the checkpoint. */
    struct shoal_report report = {0};
    assert_status(try_run(shoal, 10, test_path("half"), NULL, &report), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "is at step 20, this run ends at 10: raise --iterations or --evaluations");
    shoal_report_clear(&report);
    shoal_close(&shoal);
    /* Read without a solver, though the workload has none for devices. */
    struct shoal_checkpoint *checkpoint;
    assert_ok(shoal_checkpoint_open(test_path("half"), &checkpoint, &test_error));
    assert_ptr_equal(shoal_checkpoint_workload(checkpoint), &draws_workload.face);
    shoal_checkpoint_close(&checkpoint);
}

static void test_messages(void **state)
{
    (void)state;
    struct draws_params params;
    params_init(&params);
    params.search.exchange = 3;
    assert_status(shoal_workload_validate(NULL, &draws_workload.face, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--exchange needs --islands above 1");
    params.search.exchange = 0;
    params.points = 1 << 20;
    params.search.runs = 1 << 10;
    assert_status(shoal_workload_validate(NULL, &draws_workload.face, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "lower --runs, --islands or --points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(test_optimise),
        UNIT_TEST(test_state),
        UNIT_TEST(test_workload),
        UNIT_TEST(test_messages),
    };
    return cmocka_run_group_tests_name("algorithm", tests, NULL, NULL);
}
