#define CL_TARGET_OPENCL_VERSION 120
#include "harness.h"

#include <CL/cl.h>
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 32, MAX_THINGS = 256, MAX_TESTS = 32, GUARD = 0xA5, SKIPPED = 77 };

struct harness harness;

static struct shoal_buffer *buffers[MAX_THINGS];
static void *memory[MAX_THINGS];
static size_t buffer_count, memory_count;
static char kinds[MAX_THINGS][64];
static size_t kind_count;
/* The share of the setups quick, theses and the address sanitizer (tests/meson.build), which find the kernels
 * that the setup full compiled in PoCL's cache. */
static const struct test_share quick_share = {1, 7};
static bool unoptimised;     /* the next program is built without optimisation */
static bool all_unoptimised; /* and each other one, as the caller asks */

static void log_line(void *data, enum shoal_log_level level, const char *message)
{
    (void)data;
    static const char *const names[] = {"error", "warning", "info", "debug"};
    print_message("%s: %s\n", names[level], message);
}

static bool is_new_kind(const char *kind)
{
    for (size_t i = 0; i < kind_count; i++)
        if (strcmp(kinds[i], kind) == 0)
            return false;
    assert_true(kind_count < MAX_THINGS);
    snprintf(kinds[kind_count++], sizeof *kinds, "%s", kind);
    return true;
}

bool harness_takes_case_of(const char *kind)
{
    harness.first |= is_new_kind(kind);
    return harness_takes_case();
}

const size_t *harness_sizes(void)
{
    static const size_t full[] = {1, 2, 31, 33, 255, 257, 1000003, 0};
    static const size_t tiny[] = {1, 2, 31, 33, 255, 257, 0};
    return harness.tiny ? tiny : full;
}

bool harness_has_fp64(void)
{
    const char *wanted = getenv("SHOAL_TEST_FP64");
    if (!harness.info->fp64)
        print_message("%s has no double precision: left out\n", harness.info->id);
    return harness.info->fp64 && !(wanted && strcmp(wanted, "no") == 0);
}

/* Takes the place of the driver's function of this name, since a program comes before its libraries.
 * $POCL_EXTRA_BUILD_FLAGS does the same, but PoCL 3.1 loses the options of each build where that is set, even
 * to nothing, and leak checks report them. */
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    cl_int (*next)(cl_program, cl_uint, const cl_device_id *, const char *,
                   void(CL_CALLBACK *)(cl_program, void *), void *);
    char all[4096];
    *(void **)&next = dlsym(RTLD_NEXT, "clBuildProgram");
    if (unoptimised) {
        assert_in_range(snprintf(all, sizeof all, "%s -cl-opt-disable", options), 0, sizeof all - 1);
        options = all;
    }
    return next(program, count, devices, options, notify, data);
}

/* Asks pocl_unoptimised.c, which looks whenever PoCL builds, to leave out what -cl-opt-disable does not.
 * Where the caller asks for that, all programs are built so. */
static void leave_passes_out(bool wanted)
{
    if (all_unoptimised)
        return;
    if (wanted)
        setenv("POCL_UNOPTIMISED", "yes", 1);
    else
        unsetenv("POCL_UNOPTIMISED");
}

bool harness_takes_case(void)
{
    const bool first = harness.first;
    harness.first = false;
    const unsigned number = harness.cases++;
    unoptimised = harness.info->is_cpu && !test_is_of(harness.optimised, number);
    leave_passes_out(unoptimised);
    const bool is_turn = test_is_of_mixed(harness.turn, number) || test_is_of(quick_share, number);
    return (test_is_of(harness.taken, number) && is_turn) || first;
}

void *harness_memory(size_t bytes)
{
    assert_true(memory_count < MAX_THINGS);
    void *block = malloc(bytes ? bytes : 1);
    assert_non_null(block);
    memory[memory_count++] = block;
    return block;
}

static struct shoal_buffer *new_buffer(size_t bytes)
{
    assert_true(buffer_count < MAX_THINGS);
    assert_ok(shoal_buffer_create(harness.device, bytes ? bytes : 1, &buffers[buffer_count], &test_error));
    return buffers[buffer_count++];
}

struct shoal_buffer *harness_upload(const void *data, size_t bytes)
{
    struct shoal_buffer *buffer = new_buffer(bytes);
    if (bytes)
        assert_ok(shoal_buffer_write(harness.queue, buffer, 0, data, bytes, &test_error));
    return buffer;
}

struct shoal_buffer *harness_buffer(size_t bytes)
{
    unsigned char *pattern = malloc(bytes + 1);
    assert_non_null(pattern);
    memset(pattern, GUARD, bytes + 1);
    struct shoal_buffer *buffer = harness_upload(pattern, bytes);
    free(pattern);
    return buffer;
}

void harness_read(struct shoal_buffer *buffer, void *data, size_t bytes)
{
    if (bytes)
        assert_ok(shoal_buffer_read(harness.queue, buffer, 0, data, bytes, &test_error));
    else
        assert_ok(shoal_queue_finish(harness.queue, &test_error));
}

void harness_release(void)
{
    while (buffer_count)
        shoal_buffer_destroy(&buffers[--buffer_count]);
    while (memory_count)
        free(memory[--memory_count]);
}

struct shoal_solver *harness_solver(const char *workload, struct shoal_device *device, const void *params)
{
    struct shoal_queue *queue = shoal_device_get_info(device)->is_host ? NULL : harness.queue;
    const enum shoal_variant variant =
        harness.variant == SHOAL_VARIANT_CL ? SHOAL_VARIANT_CL : SHOAL_VARIANT_AUTO;
    struct shoal_solver *solver = NULL;
    assert_ok(shoal_solver_create(shoal_workload_find(workload), device, queue, params, variant, &solver,
                                  &test_error));
    return solver;
}

uint64_t harness_step(struct shoal_solver *solver, uint64_t steps)
{
    uint64_t done = 0;
    assert_ok(shoal_solver_step(solver, steps, &done, &test_error));
    return done;
}

double *harness_state(struct shoal_solver *solver, size_t *count)
{
    assert_ok(shoal_solver_state(solver, NULL, 0, count, &test_error));
    double *state = harness_memory(*count * sizeof *state);
    assert_ok(shoal_solver_state(solver, state, *count, count, &test_error));
    return state;
}

void harness_words(uint32_t *words, size_t n, uint32_t step)
{
    for (size_t i = 0; i < n; i += 4) {
        struct shoal_words block = shoal_random_words(2, SHOAL_STREAM_TEST, step, (uint32_t)(i / 4), 0);
        memcpy(words + i, &block, (n - i < 4 ? n - i : 4) * sizeof *words);
    }
}

const struct shoal_program_desc *harness_program(const char *name)
{
    for (size_t i = 0; i < shoal_program_desc_count(); i++)
        if (strcmp(shoal_program_desc_at(i)->name, name) == 0)
            return shoal_program_desc_at(i);
    fail_msg("there is no program %s", name);
    return NULL;
}

/* Work-groups of a few items let a simulator's sizes reach the code for many tiles. */
static void use_small_groups(struct shoal_device *device)
{
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        if (strncmp(desc->name, "lib.", 4) == 0 &&
            shoal_tuning_set(device, desc->name, "WG", 8, &test_error)) {
            fprintf(stderr, "%s\n", test_error.message);
            exit(1);
        }
    }
}

/* The device that tests use when none is named. */
static const char *default_selector(const struct shoal *shoal)
{
    for (size_t i = 0; i < shoal_device_count(shoal); i++) {
        const struct shoal_device_info *info = shoal_device_get_info(shoal_device_at(shoal, i));
        if (info->is_cpu && strcmp(info->backend, "opencl") == 0)
            return info->id;
    }
    return "opencl:0";
}

static int begin_test(void **state)
{
    harness.first = true;
    if (harness.by_function)
        harness.cases = 0;
    return test_begin(state);
}

static int end_test(void **state)
{
    harness_release();
    return test_end(state);
}

/* The tests that are in the share: their number. */
static size_t choose_tests(const struct CMUnitTest *tests, size_t count, struct CMUnitTest *chosen)
{
    size_t used = 0;
    assert(count <= MAX_TESTS);
    for (size_t i = 0; i < count; i++) {
        const bool is_by_turn = tests[i].initial_state == &harness;
        if (harness.by_function && !is_by_turn &&
            !test_is_of_mixed(harness.turn, test_name_number(tests[i].name)))
            continue;
        chosen[used] = tests[i];
        chosen[used].setup_func = begin_test;
        chosen[used].teardown_func = end_test;
        chosen[used++].initial_state = NULL;
    }
    return used;
}

static int test_device(const char *name, const struct CMUnitTest *tests, size_t count)
{
    if (harness.tiny)
        use_small_groups(harness.device);
    if (shoal_queue_create(harness.device, 0, &harness.queue, &test_error)) {
        fprintf(stderr, "%s: %s\n", harness.info->id, test_error.message);
        return 1;
    }
    harness.cases = 0;
    kind_count = 0;
    print_message("%s on %s (%s)\n", name, harness.info->id, harness.info->name);
    int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    shoal_queue_destroy(&harness.queue);
    return failed;
}

static enum shoal_variant variant_wanted(void)
{
    const char *text = getenv("SHOAL_TEST_VARIANT");
    if (!text || strcmp(text, "auto") == 0)
        return SHOAL_VARIANT_AUTO;
    if (strcmp(text, "cl") == 0)
        return SHOAL_VARIANT_CL;
    if (strcmp(text, "cu") == 0)
        return SHOAL_VARIANT_CU;
    fprintf(stderr, "SHOAL_TEST_VARIANT is \"%s\": it must be cl, cu or auto\n", text);
    exit(1);
}

/* Which cases have their kernels optimised. */
static struct test_share optimised_wanted(void)
{
    const char *text = getenv("SHOAL_TEST_OPTIMISED");
    return text && strcmp(text, "none") == 0 ? (struct test_share){0, 1}
                                             : test_read_share("SHOAL_TEST_OPTIMISED");
}

int harness_main(const char *name, const struct CMUnitTest *tests, size_t count)
{
    /* As a whole: the numbers of its cases, by which the other shares choose, go on from function to
     * function. */
    if (!test_takes_function(name)) {
        printf("%s is not in the share of $SHOAL_TEST_FUNCTIONS\n", name);
        return SKIPPED;
    }
    const char *sizes = getenv("SHOAL_TEST_SIZES");
    if (sizes && strcmp(sizes, "groups") == 0)
        sizes = getenv("SHOAL_TEST_GROUPS_SIZES");
    harness.tiny = sizes && strcmp(sizes, "tiny") == 0;
    harness.variant = variant_wanted();
    harness.taken = test_read_share("SHOAL_TEST_SHARE");
    harness.turn = test_read_share("SHOAL_TEST_TURN");
    harness.by_function = harness.taken.of > 1 && harness.turn.of > 1;
    struct CMUnitTest chosen[MAX_TESTS];
    count = choose_tests(tests, count, chosen);
    if (count == 0) {
        printf("%s has no function in the share of $SHOAL_TEST_TURN\n", name);
        return SKIPPED;
    }
    harness.optimised = optimised_wanted();
    /* Nothing of OpenCL is loaded yet: pocl_unoptimised.c. */
    if (harness.optimised.number == 0)
        setenv("POCL_UNOPTIMISED", "yes", 1);
    else if (harness.optimised.of > 1)
        setenv("POCL_QUICK_INSTRUCTIONS", "yes", 1);
    const char *asked = getenv("POCL_UNOPTIMISED");
    all_unoptimised = asked && *asked;
    if ((uintptr_t)dlsym(RTLD_DEFAULT, "clBuildProgram") != (uintptr_t)clBuildProgram) {
        fprintf(stderr, "the test does not export clBuildProgram: it would choose no optimisation\n");
        return 1;
    }
    struct shoal_params params;
    shoal_params_init(&params);
    params.log = log_line;
    params.no_cache = true;
    if (shoal_open(&harness.shoal, &params, &test_error)) {
        fprintf(stderr, "%s\n", test_error.message);
        return 1;
    }
    const char *selector = getenv("SHOAL_TEST_DEVICES");
    if (!selector)
        selector = default_selector(harness.shoal);
    struct shoal_device *devices[MAX_DEVICES];
    size_t found = 0, tested = 0;
    int failed = 0;
    if (shoal_device_select(harness.shoal, selector, 0, devices, MAX_DEVICES, &found, &test_error)) {
        fprintf(stderr,
                "%s\nKernel tests need an OpenCL or CUDA device; without a GPU install pocl-opencl-icd.\n",
                test_error.message);
        failed = 1;
    }
    for (size_t i = 0; i < found; i++) {
        harness.device = devices[i];
        harness.info = shoal_device_get_info(devices[i]);
        if (harness.info->is_host)
            continue;
        tested++;
        failed += test_device(name, chosen, count);
    }
    if (!failed && !tested) {
        fprintf(stderr, "%s names no device that runs kernels\n", selector);
        failed = 1;
    }
    shoal_close(&harness.shoal);
    return failed ? 1 : 0;
}
