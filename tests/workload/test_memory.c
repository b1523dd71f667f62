/* Each allocation of the library fails in turn. */
#include "allocations.h"
#include "counter.h"
#include "scenario.h"
#include "searches.h"

#include "gas/gas.h"
#include "objective/rows/table.h"

#include <shoal/optimise.h>

/* Calls `action` with the nth allocation failing, for each n there is. It may succeed all the same, without
 * what it can do without; otherwise the status says that memory is out. */
static void fail_each(enum shoal_status (*action)(struct shoal_error *error))
{
    for (unsigned n = 1;; n++) {
        struct shoal_error error = {0};
        allocation_countdown = n;
        allocation_failed = false;
        enum shoal_status status = action(&error);
        allocation_countdown = 0;
        if (status != SHOAL_OK && (!allocation_failed || status != SHOAL_OUT_OF_HOST_MEMORY))
            print_error("allocation %u: %s: %s\n", n, shoal_status_name(status), error.message);
        assert_int_equal(status, status && allocation_failed ? SHOAL_OUT_OF_HOST_MEMORY : SHOAL_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(fake_breaches(), 0);
        if (!allocation_failed)
            return;
    }
}

static bool use_cache;

static enum shoal_status whole_scenario(struct shoal_error *error)
{
    struct scenario o = {0};
    fake_reset_one_gpu();
    enum shoal_status status = scenario_run(&o, use_cache, error);
    scenario_destroy(&o);
    assert_int_equal(fake_live(), 0);
    return status;
}

static void a_whole_run(void **state)
{
    (void)state;
    scenario_prepare();
    fail_each(whole_scenario);
}

static void a_whole_run_with_a_cache(void **state)
{
    (void)state;
    scenario_prepare();
    use_cache = true;
    fail_each(whole_scenario);
    fail_each(whole_scenario); /* now with entries to load */
    use_cache = false;
}

static struct shoal *shoal;
static struct shoal_device *device;

static enum shoal_status flatten(struct shoal_error *error)
{
    char *text = NULL;
    enum shoal_status status = shoal_kernel_source(shoal, "unit/program.cl", &text, error);
    assert_true((text != NULL) == (status == SHOAL_OK));
    free(text);
    return status;
}

static enum shoal_status halve(struct shoal_error *error)
{
    struct shoal_program *program;
    enum shoal_status status = shoal_program_create(device, &unit_program, NULL, &program, error);
    assert_true((program != NULL) == (status == SHOAL_OK));
    shoal_program_destroy(&program);
    return status;
}

static enum shoal_status tune(struct shoal_error *error)
{
    enum shoal_status status = shoal_tuning_set(device, "unit.program", "COUNT", 2, error);
    int64_t value;
    if (!status && !shoal_tuning_get(device, "unit.program", "COUNT", &value))
        assert_true(allocation_failed);
    return status;
}

static enum shoal_status select_all(struct shoal_error *error)
{
    struct shoal_device *devices[4];
    size_t count;
    return shoal_device_select(shoal, "all,gpu", 0, devices, 4, &count, error);
}

static enum shoal_status cache_calls(struct shoal_error *error)
{
    struct shoal_cache_info info = {0};
    enum shoal_status status = shoal_cache_get_info(shoal, &info, error);
    return status ? status : shoal_cache_clear(shoal, NULL, error);
}

static enum shoal_status run_workload(struct shoal_error *error)
{
    struct counter_params params;
    struct shoal_report report = {0};
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.checkpoint = test_path("run.ckpt");
    counter_init(&params);
    enum shoal_status status = shoal_run(&counter_workload.face, device, &params, &run, &report, error);
    shoal_report_clear(&report);
    assert_int_equal(counters_alive, 0);
    return status;
}

static enum shoal_status resume_workload(struct shoal_error *error)
{
    struct counter_params params;
    struct shoal_report report = {0};
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.resume = test_path("run.ckpt");
    counter_init(&params);
    enum shoal_status status = shoal_run(&counter_workload.face, device, &params, &run, &report, error);
    shoal_report_clear(&report);
    return status;
}

static enum shoal_status verify_workload(struct shoal_error *error)
{
    struct counter_params params;
    struct shoal_verification result = {0};
    counter_init(&params);
    return shoal_workload_verify(&counter_workload.face, device, &params, 3, SHOAL_VARIANT_AUTO, &result,
                                 error);
}

static enum shoal_status write_table(struct shoal_error *error)
{
    struct shoal_least_squares_params params;
    struct shoal_table *table;
    shoal_least_squares_params_init(&params);
    enum shoal_status status = shoal_table_least_squares(&params, &table, error);
    if (!status)
        status = shoal_table_write(table, test_path("table.csv"), SHOAL_FP64, NULL, NULL, error);
    if (!status)
        status = shoal_table_write(table, test_path("table.npy"), SHOAL_FP32, NULL, NULL, error);
    shoal_table_destroy(&table);
    return status;
}

static enum shoal_status sum_table_up(struct shoal_error *error)
{
    struct shoal_table_summary summary = {.size = sizeof summary};
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(test_path("table.csv"), NULL, &table, error);
    if (!status)
        status = shoal_table_summarise(table, &summary, NULL, NULL, error);
    shoal_table_summary_free(&summary);
    shoal_table_destroy(&table);
    return status;
}

static enum shoal_status stream_table(struct shoal_error *error)
{
    struct objective_table *table = NULL;
    struct shoal_table *source;
    float numbers[5];
    enum shoal_status status = shoal_table_open(test_path("table.npy"), NULL, &source, error);
    if (!status)
        status = table_create(source, 4, 0, &table, error);
    if (!status)
        status = table_read_tiles(table, 7, 1, SHOAL_FP32, 1, numbers, error);
    table_destroy(&table);
    return status;
}

static enum shoal_status compress_table(struct shoal_error *error)
{
    struct shoal_objective *whole = NULL, *small = NULL;
    const struct objective_file file = {.path = test_path("table.npy")};
    enum shoal_status status = objective_from_table_file(NULL, &file, &whole, error);
    if (!status)
        status = objective_compress(whole, &small, error);
    assert_true((small != NULL) == (status == SHOAL_OK));
    shoal_objective_destroy(&whole);
    shoal_objective_destroy(&small);
    return status;
}

static void tables(void **state)
{
    (void)state;
    fail_each(write_table);
    fail_each(sum_table_up);
    fail_each(stream_table);
    fail_each(compress_table);
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 2);
}

static enum shoal_status make_formula(struct shoal_error *error)
{
    struct shoal_objective *objective;
    enum shoal_status status =
        shoal_objective_from_expression("sum(x[i]^2)*prod(cos(x[i+1]))", &objective, error);
    assert_true((objective != NULL) == (status == SHOAL_OK));
    shoal_objective_destroy(&objective);
    return status;
}

static enum shoal_status make_text(struct shoal_error *error)
{
    struct shoal_objective *objective;
    enum shoal_status status = shoal_objective_from_text(shoal,
                                                         "#define SHAPE OPAQUE\n"
                                                         "real objective_value(const real *x, uint dim)\n"
                                                         "{ return x[dim - 1]; }\n",
                                                         "memory.cl", &objective, error);
    assert_true((objective != NULL) == (status == SHOAL_OK));
    shoal_objective_destroy(&objective);
    return status;
}

static enum shoal_status make_text_table(struct shoal_error *error)
{
    static const double values[] = {1, 2, 3, 4};
    struct shoal_objective *objective;
    enum shoal_status status = shoal_objective_from_text_table(
        shoal,
        "#define SHAPE OPAQUE\n"
        "#define TABLE\n"
        "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
        "{ return x[dim - 1] * ELEMENT(table, 1, 1); }\n",
        "memory.cl", values, 2, 2, &objective, error);
    assert_true((objective != NULL) == (status == SHOAL_OK));
    shoal_objective_destroy(&objective);
    return status;
}

static double nothing(const double *x, size_t dim, void *data)
{
    (void)x;
    (void)dim;
    (void)data;
    return 0;
}

static enum shoal_status make_callback(struct shoal_error *error)
{
    struct shoal_objective *objective;
    enum shoal_status status = shoal_objective_from_callback(nothing, NULL, "nothing", &objective, error);
    shoal_objective_destroy(&objective);
    return status;
}

static enum shoal_status optimise(struct shoal_error *error)
{
    struct shoal_optimiser *optimiser = NULL;
    void *bytes = NULL;
    size_t size;
    double x[2], value;
    enum shoal_status status = shoal_optimiser_create(2, &optimiser, error);
    if (!status)
        status = shoal_optimiser_set_callback(optimiser, nothing, NULL, error);
    if (!status)
        status = shoal_optimiser_set_box(optimiser, -1, 1, error);
    if (!status) {
        shoal_optimiser_params(optimiser)->evaluations = 200;
        shoal_optimiser_params(optimiser)->polish = 10;
        if (shoal_optimise(optimiser, x, &value, error) == SHOAL_OPTIMISE_FAILED)
            status = error->status;
    }
    if (!status)
        status = shoal_optimiser_save_memory(optimiser, &bytes, &size, error);
    if (!status)
        status = shoal_optimiser_load_memory(optimiser, bytes, size, error);
    free(bytes);
    shoal_optimiser_destroy(&optimiser);
    return status;
}

static struct shoal_device *host_device(void)
{
    size_t host = 0;
    while (!shoal_device_get_info(shoal_device_at(shoal, host))->is_host)
        host++;
    return shoal_device_at(shoal, host);
}

static enum shoal_status make_gas(const struct shoal_gas_params *params, struct shoal_error *error)
{
    struct gas_problem problem;
    enum shoal_status status = gas_problem_create(shoal, params, &problem, error);
    if (!status)
        status = gas_problem_start(shoal, &problem, error);
    double *acceleration = status ? NULL : __real_calloc(problem.n * problem.dim, sizeof(double));
    if (!status)
        status = gas_forces(&problem, problem.position, acceleration, NULL, NULL, error);
    free(acceleration);
    gas_problem_destroy(&problem);
    return status;
}

static enum shoal_status scatter_gas(struct shoal_error *error)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = 50;
    params.start = SHOAL_GAS_DROPLET;
    params.density = 0.1;
    return make_gas(&params, error);
}

static enum shoal_status gas_from_file(struct shoal_error *error)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.start_file = test_path("start.xyz");
    params.pair_force = test_path("pair.cl");
    return make_gas(&params, error);
}

static enum shoal_status run_gas_on_the_host(struct shoal_error *error)
{
    struct shoal_gas_params params;
    struct shoal_report report = {0};
    shoal_gas_params_init(&params);
    params.particles = 16;
    params.steps = 4;
    params.thermo = 2;
    params.rdf_bins = params.speed_bins = 5;
    params.cluster_distance = 1.5;
    params.minimise = 2;
    enum shoal_status status = shoal_run(shoal_workload_find("gas"), device, &params, NULL, &report, error);
    shoal_report_clear(&report);
    return status;
}

static void gases(void **state)
{
    (void)state;
    shoal = unit_open();
    device = host_device();
    test_write_text(test_path("start.xyz"),
                    "2\nLattice=\"9 0 0 0 9 0 0 0 1\" Properties=pos:R:3:velo:R:3:id:I:1\n"
                    "1 2 0 0 0 0 2\n5 6 0 0 0 0 1\n");
    test_write_text(test_path("pair.cl"),
                    "#define CUTOFF 2.0\n"
                    "static inline real user_force(real d) { return d; }\n"
                    "static inline real user_energy(real d) { return R(-0.25) * d * d; }\n");
    fail_each(scatter_gas);
    fail_each(gas_from_file);
    fail_each(run_gas_on_the_host);
    shoal_close(&shoal);
}

static enum shoal_status search_on_the_host(struct shoal_error *error)
{
    struct shoal_pso_params params;
    struct shoal_report report = {0};
    test_pso_params_init(&params);
    params.particles = 10;
    params.search.iterations = params.search.polish = 30;
    params.topology = SHOAL_PSO_RANDOM;
    params.search.runs = 2;
    params.search.trace = 10;
    enum shoal_status status = shoal_run(shoal_workload_find("pso"), device, &params, NULL, &report, error);
    shoal_report_clear(&report);
    return status;
}

/* A sum of squares that is refined, in a box of lists, from points of a table. */
static enum shoal_status fit(bool maximise, struct shoal_error *error)
{
    static const double numbers[] = {1, 0, 2, 0, 1, 3, 1, 1, 5.5, 2, 1, 7};
    const struct shoal_rows rows = {.size = sizeof rows, .values = numbers, .rows = 4, .columns = 3};
    struct shoal_objective *objective = NULL;
    struct shoal_pso_params params;
    struct shoal_report report = {0};
    test_pso_params_init(&params);
    params.particles = 5;
    params.search.iterations = 2;
    params.search.lower_list = "-5, -2*pi";
    params.search.upper_list = "5";
    params.search.start = test_path("start.csv");
    params.search.maximise = maximise;
    enum shoal_status status = shoal_objective_from_rows(shoal, &rows, &objective, error);
    params.search.objective = objective;
    if (!status)
        status = shoal_run(shoal_workload_find("pso"), device, &params, NULL, &report, error);
    shoal_report_clear(&report);
    shoal_objective_destroy(&objective);
    return status;
}

static enum shoal_status fit_on_the_host(struct shoal_error *error)
{
    return fit(false, error);
}

/* By a pattern search. */
static enum shoal_status worst_fit_on_the_host(struct shoal_error *error)
{
    return fit(true, error);
}

static void searches(void **state)
{
    (void)state;
    shoal = unit_open();
    device = host_device();
    test_write_text(test_path("start.csv"), "1,2\n3,4\n");
    fail_each(fit_on_the_host);
    fail_each(worst_fit_on_the_host);
    fail_each(optimise);
    fail_each(search_on_the_host);
    shoal_close(&shoal);
}

static void objectives(void **state)
{
    (void)state;
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = test_path("cache");
    shoal = unit_open_with(&params);
    fail_each(make_formula);
    fail_each(make_text);
    fail_each(make_text_table);
    fail_each(make_callback);
    assert_int_equal(test_count_files(test_path("cache"), "", NULL, 0), 0);
    shoal_close(&shoal);
}

static void single_calls(void **state)
{
    (void)state;
    scenario_prepare();
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = test_path("cache");
    params.kernel_dir = test_folder();
    shoal = unit_open_with(&params);
    device = shoal_device_at(shoal, 0);
    fake_set_kernel_limit("noop", 4);
    fail_each(flatten);
    fail_each(halve);
    fail_each(tune);
    fail_each(select_all);
    fail_each(cache_calls);
    counter_reset();
    fail_each(run_workload);
    fail_each(resume_workload);
    fail_each(verify_workload);

    /* What matches nothing stays what it is, with a shorter message. */
    struct shoal_device *devices[4];
    size_t count;
    for (unsigned n = 2; n < 6; n++) {
        allocation_countdown = n;
        assert_status(shoal_device_select(shoal, "none", 0, devices, 4, &count, &test_error),
                      SHOAL_NO_DEVICE);
        allocation_countdown = 0;
        assert_contains(test_error.message, "\"none\"");
    }
    shoal_close(&shoal);
}

/* An asynchronous error without memory for the names of the launches. */
static void names_are_left_out(void **state)
{
    (void)state;
    struct scenario o = {0};
    scenario_prepare();
    fake_fail_later(1, SHOAL_FAILED);
    assert_status(scenario_run(&o, false, &test_error), SHOAL_FAILED);
    fake_fail_later(1, SHOAL_FAILED);
    struct shoal_kernel *noop;
    assert_ok(shoal_kernel_create(o.program, "noop", &noop, &test_error));
    assert_ok(shoal_launch(o.queue, noop, 1, NULL, 0, NULL, &test_error));
    allocation_countdown = 1;
    assert_status(shoal_queue_finish(o.queue, &test_error), SHOAL_FAILED);
    allocation_countdown = 0;
    assert_contains(test_error.message, "injected failure");
    shoal_kernel_destroy(&noop);
    scenario_destroy(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(a_whole_run),  UNIT_TEST(a_whole_run_with_a_cache),
        UNIT_TEST(single_calls), UNIT_TEST(names_are_left_out),
        UNIT_TEST(tables),       UNIT_TEST(objectives),
        UNIT_TEST(searches),     UNIT_TEST(gases),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
