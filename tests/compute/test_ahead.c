/* Programs that several threads build before solvers ask for them. */
#include "unit.h"

#include "compute/ahead/ahead.h"
#include "compute/ahead/scout.h"
#include "compute/tune.h"

#include <shoal/ahead.h>

enum { PROGRAMS = 6 };

static const char broken[] = "#error told to fail\n";

/* Asks for unit_program with COUNT = count, as a solver would. */
static enum shoal_status create(struct shoal_device *device, const char *text, int64_t count,
                                struct shoal_program **out, struct shoal_error *error)
{
    const struct shoal_define define = {"COUNT", count};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = text;
    params.defines = &define;
    params.define_count = 1;
    return shoal_program_create(device, &unit_program, &params, out, error);
}

struct asked {
    const char *texts[PROGRAMS]; /* NULL: no more */
    unsigned zeros;              /* what was read from a buffer, or'ed */
    enum shoal_status status;    /* of the first call that failed */
};

/* A value that could be tuned. */
static const struct tuning_question question = {
    .program = "unit.program", .name = "COUNT", .sizes = "", .tries = (const int64_t[]){1}, .try_count = 1};

static void ask(void *data, struct shoal_device *scout)
{
    struct asked *asked = data;
    struct shoal_error error;
    struct shoal_queue *queue = NULL;
    struct shoal_buffer *buffer = NULL;
    enum shoal_status status = shoal_queue_create(scout, SHOAL_QUEUE_PROFILING, &queue, &error);
    if (!status)
        status = shoal_buffer_create(scout, 4, &buffer, &error);
    (void)tuning_ask(scout, &question);
    for (int64_t i = 0; !status && i < PROGRAMS && asked->texts[i]; i++) {
        struct shoal_program *program = NULL;
        struct shoal_kernel *kernel = NULL;
        uint32_t word = 7;
        status = create(scout, asked->texts[i], i % 3, &program, &error);
        if (!status)
            status = shoal_kernel_create(program, "add", &kernel, &error);
        const struct shoal_arg args[] = {shoal_arg_uint(1), shoal_arg_buffer(buffer),
                                         shoal_arg_buffer(buffer)};
        if (!status)
            status = shoal_launch(queue, kernel, 1, args, 3, NULL, &error);
        if (!status)
            status = shoal_buffer_read(queue, buffer, 0, &word, 4, &error);
        asked->zeros |= word;
        shoal_kernel_destroy(&kernel);
        shoal_program_destroy(&program);
    }
    asked->status = status;
    shoal_buffer_destroy(&buffer);
    shoal_queue_destroy(&queue);
}

static bool stops;

static bool stop(void *data)
{
    (void)data;
    return stops;
}

static struct shoal *open_cached(void)
{
    struct shoal_params params = unit_params();
    params.no_cache = false;
    params.cache_dir = test_path("cache");
    params.stop = stop;
    stops = false;
    return unit_open_with(&params);
}

static struct shoal_device *gpu_of(struct shoal *shoal)
{
    struct shoal_device *device;
    size_t count;
    assert_ok(shoal_device_select(shoal, "gpu", 0, &device, 1, &count, &test_error));
    return device;
}

/* Two tasks ask for six programs each, of which three differ: each is built once, and nothing but a build
 * reaches the device. Solvers find all of them in the cache, and so do later tasks. */
static void each_program_is_built_once(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct shoal_device *device = gpu_of(shoal);
    struct asked asked[2] = {{.texts = {unit_text, unit_text, unit_text, unit_text, unit_text, unit_text}}};
    asked[1] = asked[0];
    const struct ahead_task tasks[] = {{device, ask, &asked[0]}, {device, ask, &asked[1]}};
    struct ahead_totals totals;
    assert_true(ahead_is_useful(device));
    for (int again = 0; again < 2; again++) {
        assert_ok(ahead_run(shoal, tasks, 2, &totals, &test_error));
        assert_int_equal(totals.programs, again ? 0 : 3);
        assert_true(again ? totals.compile_s == 0 : totals.compile_s > 0);
        assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 3);
        for (int i = 0; i < 2; i++) {
            assert_ok(asked[i].status);
            assert_int_equal(asked[i].zeros, 0);
        }
    }
    assert_int_equal(fake_count(FAKE_BUFFER_CREATE) + fake_count(FAKE_LAUNCH) + fake_count(FAKE_QUEUE_CREATE),
                     0);
    for (int64_t i = 0; i < 3; i++) {
        struct shoal_program *program;
        assert_ok(create(device, unit_text, i, &program, &test_error));
        assert_true(shoal_program_build_seconds(program) == 0);
        shoal_program_destroy(&program);
    }
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 3);
    shoal_close(&shoal);
}

/* A build that fails says nothing; who asks for the program later gets the error. */
static void failures_are_left_to_the_run(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct shoal_device *device = gpu_of(shoal);
    struct asked asked = {.texts = {broken, unit_text}};
    struct ahead_totals totals;
    struct shoal_program *program = NULL;
    assert_ok(ahead_run(shoal, &(struct ahead_task){device, ask, &asked}, 1, &totals, &test_error));
    assert_ok(asked.status);
    assert_int_equal(totals.programs, 1);
    assert_int_equal(unit_log_count(SHOAL_LOG_ERROR) + unit_log_count(SHOAL_LOG_WARNING), 0);
    assert_status(create(device, broken, 0, &program, &test_error), SHOAL_BUILD_FAILED);
    assert_non_null(strstr(test_error.log, "told to fail"));
    shoal_close(&shoal);
}

/* A tuned value out of range is reported once, and a value that can be tuned is noted, by the run: not by its
 * scout, which asks before it and is gone when the run begins. */
static void scouts_leave_tuned_values_as_they_are(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct shoal_device *device = gpu_of(shoal);
    struct asked asked = {.texts = {unit_text}};
    struct ahead_totals totals;
    assert_ok(shoal_tuning_set(device, "unit.program", "A", 100, &test_error));
    shoal_tuning_watch(device);
    assert_ok(ahead_run(shoal, &(struct ahead_task){device, ask, &asked}, 1, &totals, &test_error));
    assert_ok(asked.status);
    assert_int_equal(totals.programs, 1);
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 0);
    assert_int_equal(shoal->tuning->note_count, 0);
    (void)tuning_ask(device, &question);
    assert_int_equal(shoal->tuning->note_count, 1);
    for (int64_t i = 0; i < 2; i++) {
        struct shoal_program *program;
        assert_ok(create(device, unit_text, i, &program, &test_error));
        shoal_program_destroy(&program);
    }
    assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), 1);
    assert_contains(unit_log(), "A=100 is left out: it must be");
    shoal_close(&shoal);
}

/* The scout of a part asks for the tuned values of the whole device where the part has none. */
static void scouts_of_parts_know_the_whole(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct shoal_device *whole = gpu_of(shoal);
    struct shoal_device part = {
        .shoal = shoal, .info = whole->info, .backend = whole->backend, .whole = whole};
    part.info.units = 1;
    part.info.whole_units = 4;
    struct scout scout;
    int64_t value = 0;
    assert_ok(shoal_tuning_set(whole, "unit.program", "COUNT", 7, &test_error));
    scout_init(&scout, shoal, &part);
    assert_true(shoal_tuning_get(&scout.device, "unit.program", "COUNT", &value));
    assert_int_equal(value, 7);
    shoal_close(&shoal);
}

static void nothing_is_built_after_a_stop(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct asked asked = {.texts = {unit_text}};
    struct ahead_totals totals;
    stops = true;
    assert_ok(ahead_run(shoal, &(struct ahead_task){gpu_of(shoal), ask, &asked}, 1, &totals, &test_error));
    assert_int_equal(totals.programs + fake_count(FAKE_PROGRAM_BUILD), 0);
    shoal_close(&shoal);
}

/* Without a cache the results would be lost; drivers of processors build one program at a time. */
static void builds_that_gain_nothing_are_left_out(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    const struct shoal_workload *workload = shoal_workload_find("pso");
    void *params = calloc(1, workload->params_size);
    workload->params_init(params);
    struct shoal_planned_run run = {.workload = workload, .device = gpu_of(shoal), .params = params};
    size_t programs = 7;
    assert_false(ahead_is_useful(run.device));
    assert_ok(shoal_build_ahead(shoal, &run, 1, &programs, NULL, &test_error));
    assert_int_equal(programs + fake_count(FAKE_PROGRAM_BUILD), 0);
    shoal_close(&shoal);

    shoal = open_cached();
    run.device = gpu_of(shoal);
    run.device->info.is_gpu = false;
    run.device->info.is_cpu = true;
    assert_false(ahead_is_useful(run.device));
    run.device->info.is_gpu = true;
    run.device->info.is_cpu = false;
    struct shoal *other = unit_open();
    assert_status(shoal_build_ahead(other, &run, 1, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "run 0, fake:0, belongs to another instance");
    shoal_close(&other);
    run.params = NULL;
    assert_status(shoal_build_ahead(shoal, &run, 1, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "run 0 lacks workload, device or parameters");
    shoal_close(&shoal);
    free(params);
}

/* The programs of a whole run: its solver builds nothing more. */
static void a_run_finds_its_programs(void **state)
{
    (void)state;
    struct shoal *shoal = open_cached();
    struct shoal_device *device = gpu_of(shoal);
    const struct shoal_workload *workload = shoal_workload_find("pso");
    void *params = calloc(1, workload->params_size);
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    size_t programs;
    double compile_s;
    workload->params_init(params);
    const struct shoal_planned_run run = {
        .workload = workload, .device = device, .params = params, .compares_variants = true};
    assert_ok(shoal_build_ahead(shoal, &run, 1, &programs, &compile_s, &test_error));
    assert_true(programs > 0 && compile_s > 0);
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), programs);
    assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &queue, &test_error));
    assert_ok(shoal_solver_create(workload, device, queue, params, SHOAL_VARIANT_AUTO, &solver, &test_error));
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), programs);
    assert_true(shoal_solver_build_seconds(solver) == 0);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(each_program_is_built_once),
                                       UNIT_TEST(failures_are_left_to_the_run),
                                       UNIT_TEST(scouts_leave_tuned_values_as_they_are),
                                       UNIT_TEST(scouts_of_parts_know_the_whole),
                                       UNIT_TEST(nothing_is_built_after_a_stop),
                                       UNIT_TEST(builds_that_gain_nothing_are_left_out),
                                       UNIT_TEST(a_run_finds_its_programs)};
    return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}
