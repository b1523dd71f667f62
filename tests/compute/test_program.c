/* Building programs: defines, work-group sizes, variants, capabilities, build errors. */
#include "unit.h"

#include <stddef.h>

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_program *program;

static void open_gpu(void)
{
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    program = NULL;
}

static void close_gpu(void)
{
    shoal_program_destroy(&program);
    shoal_close(&shoal);
}

static struct shoal_program_params text_params(const char *text)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = text;
    return params;
}

/* Builds with `count` defines. */
static enum shoal_status build(const struct shoal_define *defines, size_t count)
{
    struct shoal_program_params params = text_params(unit_text);
    params.defines = defines;
    params.define_count = count;
    shoal_program_destroy(&program);
    return shoal_program_create(device, &unit_program, &params, &program, &test_error);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_program_params params = text_params(unit_text);
    assert_status(shoal_program_create(NULL, &unit_program, &params, &program, &test_error), SHOAL_INVALID);
    assert_status(shoal_program_create(device, NULL, &params, &program, &test_error), SHOAL_INVALID);
    assert_status(shoal_program_create(device, &unit_program, &params, NULL, &test_error), SHOAL_INVALID);
    const size_t sizes[] = {0, sizeof(size_t) - 1, sizeof params + 8192, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        params.size = sizes[i];
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      SHOAL_INVALID);
        assert_null(program);
    }
    params = text_params(unit_text);
    params.define_count = 1;
    assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error), SHOAL_INVALID);
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 0);

    shoal_program_destroy(NULL);
    shoal_program_destroy(&program);
    assert_int_equal(shoal_program_define(NULL, "WG"), 0);
    assert_true(shoal_program_build_seconds(NULL) == 0);
    assert_false(shoal_program_is_native(NULL));
    close_gpu();
}

/* A caller compiled when the struct ended with the defines. */
static void older_parameters_are_accepted(void **state)
{
    (void)state;
    struct shoal_params instance = unit_params();
    instance.kernel_dir = test_folder();
    test_write_text(test_path("unit/program.cl"), unit_text);
    shoal = unit_open_with(&instance);
    device = shoal_device_at(shoal, 0);
    const struct shoal_define count = {"COUNT", 3};
    struct shoal_program_params params = text_params("#error not for this caller\n");
    params.defines = &count;
    params.define_count = 1;
    params.size = offsetof(struct shoal_program_params, variant);
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    assert_int_equal(shoal_program_define(program, "COUNT"), 3);
    close_gpu();
}

static void defines_are_complete_and_sorted(void **state)
{
    (void)state;
    open_gpu();
    assert_ok(build(NULL, 0));
    assert_string_equal(fake_built_defines(), "A=1 COUNT=4 REAL=32 WG=64");
    assert_contains(fake_last(FAKE_PROGRAM_BUILD), "strict=0 contraction=1 native=0");
    const struct shoal_define given[] = {{"WG", 32}, {"COUNT", -8}, {"A", 0}};
    assert_ok(build(given, 3));
    assert_string_equal(fake_built_defines(), "A=0 COUNT=-8 REAL=32 WG=32");
    assert_int_equal(shoal_program_define(program, "WG"), 32);
    assert_int_equal(shoal_program_define(program, "COUNT"), -8);
    assert_int_equal(shoal_program_define(program, "REAL"), 32);
    assert_int_equal(shoal_program_define(program, "NONE"), 0);
    assert_int_equal(shoal_program_define(program, NULL), 0);
    assert_true(shoal_program_build_seconds(program) >= 0);
    assert_false(shoal_program_is_native(program));
    close_gpu();
}

static void wrong_defines_are_refused(void **state)
{
    (void)state;
    open_gpu();
    static const struct shoal_define wrong[] = {
        {"COUNT", 9}, {"COUNT", -9}, {"COUNT", INT64_MAX}, {"COUNT", INT64_MIN},
        {"WG", 0},    {"WG", 1025},  {"NONE", 1},          {"", 1},
        {"count", 1}, {NULL, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(build(&wrong[i], 1), SHOAL_INVALID);
        assert_null(program);
        assert_contains(test_error.message, "unit.program");
        if (wrong[i].name)
            assert_contains(test_error.message, wrong[i].name);
    }
    assert_status(build(&wrong[0], 1), SHOAL_INVALID);
    assert_contains(test_error.message, "-8..8");
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 0);
    close_gpu();
}

static void work_groups_fit_the_device(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_define size = {"WG", 1024};
    assert_ok(build(&size, 1));
    assert_int_equal(shoal_program_define(program, "WG"), 256);
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 1); /* no try with what cannot be */
    struct shoal_kernel *kernel;
    assert_ok(shoal_kernel_create(program, "add", &kernel, &test_error));
    assert_int_equal(shoal_kernel_work_group(kernel), 256);
    assert_int_equal(shoal_kernel_groups(kernel, 0), 1);
    assert_int_equal(shoal_kernel_groups(kernel, 1), 1);
    assert_int_equal(shoal_kernel_groups(kernel, 256), 1);
    assert_int_equal(shoal_kernel_groups(kernel, 257), 2);
    assert_int_equal(shoal_kernel_groups(kernel, SIZE_MAX), SIZE_MAX / 256 + 1);
    assert_int_equal(shoal_kernel_work_group(NULL), 0);
    shoal_kernel_destroy(&kernel);
    close_gpu();

    /* Local memory: "everything" takes 8 bytes for each work-item. */
    struct shoal_device_info info = fake_gpu("Small");
    info.local_mem = 8 * 40;
    fake_reset();
    fake_add_device(&fake_backend, &info);
    open_gpu();
    assert_ok(build(NULL, 0));
    assert_int_equal(shoal_program_define(program, "WG"), 32);
    close_gpu();

    info.local_mem = 7;
    fake_reset();
    fake_add_device(&fake_backend, &info);
    open_gpu();
    assert_status(build(NULL, 0), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "everything");
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 0);
    close_gpu();

    /* One work-item in a group is still a device. */
    info = fake_gpu("Single");
    info.max_work_group = 1;
    fake_reset();
    fake_add_device(&fake_backend, &info);
    open_gpu();
    assert_ok(build(NULL, 0));
    assert_int_equal(shoal_program_define(program, "WG"), 1);
    close_gpu();
}

/* A kernel may need more registers than a full group has: it says so after the build. */
static void work_groups_are_halved_for_the_kernel(void **state)
{
    (void)state;
    open_gpu();
    fake_set_kernel_limit("everything", 24);
    assert_ok(build(NULL, 0));
    assert_int_equal(shoal_program_define(program, "WG"), 16);
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 2);
    assert_int_equal(fake_count(FAKE_PROGRAM_DESTROY), 1);
    assert_string_equal(fake_built_defines(), "A=1 COUNT=4 REAL=32 WG=16");
    fake_set_kernel_limit("add", 1);
    assert_ok(build(NULL, 0));
    assert_int_equal(shoal_program_define(program, "WG"), 1);
    close_gpu();
}

/* Above 32 work-items the halves are multiples of 32. */
static void halves_are_whole_sets_of_work_items(void **state)
{
    (void)state;
    static const struct {
        int64_t wanted, limit, size;
    } cases[] = {{160, 159, 64}, {160, 63, 32}, {96, 50, 32}, {224, 100, 96}, {96, 31, 16}, {128, 100, 64}};
    open_gpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct shoal_define size = {"WG", cases[i].wanted};
        fake_set_kernel_limit("add", (size_t)cases[i].limit);
        assert_ok(build(&size, 1));
        assert_int_equal(shoal_program_define(program, "WG"), cases[i].size);
    }
    close_gpu();
}

static const struct shoal_define_desc strict_defines[] = {{"WG", 64, 64, 64, "fixed"}};
static const struct shoal_entry_desc strict_entries[] = {
    {"noop", NULL, 0, "WG", 0, 0, SHOAL_ROOF_NONE, 0, 0, "nothing"}};

static void a_fixed_work_group_that_does_not_fit(void **state)
{
    (void)state;
    const struct shoal_program_desc fixed = {.name = "unit.fixed",
                                             .file = "unit/fixed.cl",
                                             .defines = strict_defines,
                                             .define_count = 1,
                                             .entries = strict_entries,
                                             .entry_count = 1};
    open_gpu();
    struct shoal_program_params params = text_params(unit_text);
    fake_set_kernel_limit("noop", 63);
    assert_status(shoal_program_create(device, &fixed, &params, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "noop");
    assert_contains(test_error.message, "64");
    assert_contains(test_error.message, "63");
    assert_null(program);
    fake_set_kernel_limit("noop", 64);
    assert_ok(shoal_program_create(device, &fixed, &params, &program, &test_error));
    close_gpu();
    struct shoal_device_info info = fake_gpu("Small");
    info.max_work_group = 32;
    fake_reset();
    fake_add_device(&fake_backend, &info);
    open_gpu();
    assert_status(shoal_program_create(device, &fixed, &params, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "32");
    close_gpu();
}

/* The size found by halving is used at once the next time, for the same specialisation only. */
static void halved_work_groups_are_remembered(void **state)
{
    (void)state;
    test_write_text(test_path("unit/program.cl"), unit_text);
    struct shoal_params instance = unit_params();
    instance.kernel_dir = test_folder();
    shoal = unit_open_with(&instance);
    device = shoal_device_at(shoal, 0);
    fake_set_kernel_limit("everything", 16);
    assert_ok(shoal_program_create(device, &unit_program, NULL, &program, &test_error));
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 2);
    shoal_program_destroy(&program);
    fake_clear_records();
    assert_ok(shoal_program_create(device, &unit_program, NULL, &program, &test_error));
    assert_int_equal(shoal_program_define(program, "WG"), 16);
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 1);
    shoal_program_destroy(&program);

    /* Also when tuned values make another specialisation. */
    assert_ok(shoal_tuning_set(device, "unit.program", "COUNT", 7, &test_error));
    for (size_t builds = 2; builds >= 1; builds--) {
        fake_clear_records();
        assert_ok(shoal_program_create(device, &unit_program, NULL, &program, &test_error));
        assert_int_equal(shoal_program_define(program, "WG"), 16);
        assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), builds);
        shoal_program_destroy(&program);
    }

    fake_set_kernel_limit("everything", 0);
    struct shoal_program_params params = text_params(NULL);
    const struct shoal_define count = {"COUNT", 1};
    params.defines = &count;
    params.define_count = 1;
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    assert_int_equal(shoal_program_define(program, "WG"), 64);
    close_gpu();
}

static void tuned_values_fill_what_is_open(void **state)
{
    (void)state;
    open_gpu();
    assert_ok(shoal_tuning_set(device, "unit.program", "WG", 128, &test_error));
    assert_ok(shoal_tuning_set(device, "unit.program", "COUNT", 7, &test_error));
    assert_ok(shoal_tuning_set(device, "unit.program", "A", 100, &test_error)); /* out of range: ignored */
    assert_ok(shoal_tuning_set(device, "unit.other", "REAL", 64, &test_error));
    const struct shoal_define given[] = {{"COUNT", 2}};
    assert_ok(build(given, 1));
    assert_string_equal(fake_built_defines(), "A=1 COUNT=2 REAL=32 WG=128");
    assert_ok(shoal_tuning_set(device, "unit.program", "WG", 1024, &test_error));
    assert_ok(build(given, 1));
    assert_int_equal(shoal_program_define(program, "WG"), 256);
    /* A tuned precision is the precision of the arguments too. */
    assert_ok(shoal_tuning_set(device, "unit.program", "REAL", 64, &test_error));
    assert_ok(build(given, 1));
    assert_true(program->real64);
    close_gpu();
}

static void build_errors_name_our_file_and_line(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_program_params params = text_params("__kernel void add() {}\n\n#error no such thing\n");
    assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_null(program);
    assert_contains(test_error.log, "unit/program.cl:3: error: no such thing");
    params.text_name = "mine/wave.cl";
    assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                  SHOAL_BUILD_FAILED);
    assert_contains(test_error.log, "mine/wave.cl:3: error: no such thing");
    assert_contains(test_error.message, "mine/wave.cl");
    /* Names of callers may be anything. */
    static const char *const names[] = {"/home/me/wave.cl", "../wave.cl", "a\"b/wave.cl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        params.text_name = names[i];
        assert_status(shoal_program_create(device, &unit_program, &params, &program, &test_error),
                      SHOAL_BUILD_FAILED);
        assert_contains(test_error.log, "wave.cl:3: error: no such thing");
    }
    close_gpu();
}

static void warnings_go_to_the_log(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_program_params params = text_params("#warning mind the gap\nadd everything noop\n");
    unit_log_clear();
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    assert_contains(unit_log(), "unit/program.cl:1: warning: mind the gap");
    close_gpu();
}

static void strict_floating_point_is_passed_on(void **state)
{
    (void)state;
    struct shoal_params instance = unit_params();
    instance.strict_fp = true;
    shoal = unit_open_with(&instance);
    device = shoal_device_at(shoal, 0);
    assert_ok(build(NULL, 0));
    assert_contains(fake_last(FAKE_PROGRAM_BUILD), "strict=1 contraction=0");
    close_gpu();
}

static void programs_ask_for_floating_point(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_program_desc desc = unit_program;
    struct shoal_program_params params = text_params(unit_text);
    desc.needs = SHOAL_WITHOUT_CONTRACTION;
    assert_ok(shoal_program_create(device, &desc, &params, &program, &test_error));
    assert_contains(fake_last(FAKE_PROGRAM_BUILD), "strict=0 contraction=0");
    shoal_program_destroy(&program);
    desc.needs = SHOAL_NEEDS_STRICT_FP;
    assert_ok(shoal_program_create(device, &desc, &params, &program, &test_error));
    assert_contains(fake_last(FAKE_PROGRAM_BUILD), "strict=1 contraction=0");
    close_gpu();
}

static void capabilities_are_asked(void **state)
{
    (void)state;
    fake_reset();
    struct shoal_device_info info = fake_gpu("Plain");
    info.fp64 = info.int64_atomics = info.correct_division = false;
    fake_add_device(&fake_backend, &info);
    open_gpu();
    struct shoal_program_desc desc = unit_program;
    struct shoal_program_params params = text_params(unit_text);
    desc.needs = SHOAL_NEEDS_FP64;
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "double precision");
    desc.needs = SHOAL_NEEDS_INT64_ATOMICS;
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "64-bit atomics");
    desc.needs = SHOAL_NEEDS_STRICT_FP;
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "has no correctly rounded division and square root");
    const struct shoal_define real = {"REAL", 64};
    assert_status(build(&real, 1), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "double precision");
    assert_int_equal(fake_count(FAKE_PROGRAM_BUILD), 0);
    assert_ok(build(NULL, 0));
    close_gpu();
}

/* The backend with a prelude stands for CUDA: it takes native texts. */
static void native_texts_are_chosen(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Other GPU");
    fake_add_device(&fake_other_backend, &info);
    struct shoal_params instance = unit_params();
    instance.kernel_dir = test_folder();
    test_write_text(test_path("unit/program.cl"), unit_text);
    test_write_text(test_path("cuda/program.cu"), "add everything noop native\n");
    shoal = unit_open_with(&instance);
    struct shoal_device *other = shoal_device_at(shoal, 0);
    device = shoal_device_at(shoal, 1);
    struct shoal_program_desc desc = unit_program;
    desc.native = "cuda/program.cu";
    static const struct {
        enum shoal_variant variant;
        bool native;
    } cases[] = {{SHOAL_VARIANT_AUTO, true}, {SHOAL_VARIANT_CU, true}, {SHOAL_VARIANT_CL, false}};
    struct shoal_program_params params = text_params(NULL);
    for (size_t i = 0; i < 3; i++) {
        params.variant = cases[i].variant;
        assert_ok(shoal_program_create(other, &desc, &params, &program, &test_error));
        assert_int_equal(shoal_program_is_native(program), cases[i].native);
        assert_contains(fake_last(FAKE_PROGRAM_BUILD), cases[i].native ? "native=1" : "native=0");
        if (cases[i].native)
            assert_contains(fake_built_text(), "noop native");
        shoal_program_destroy(&program);
        params.variant = cases[i].variant;
        if (cases[i].variant == SHOAL_VARIANT_CU) {
            assert_status(shoal_program_create(device, &desc, &params, &program, &test_error),
                          SHOAL_UNSUPPORTED);
            assert_contains(test_error.message, "native CUDA");
        } else {
            assert_ok(shoal_program_create(device, &desc, &params, &program, &test_error));
            assert_false(shoal_program_is_native(program));
            shoal_program_destroy(&program);
        }
    }
    /* A text of the caller is OpenCL C everywhere. */
    params = text_params(unit_text);
    assert_ok(shoal_program_create(other, &desc, &params, &program, &test_error));
    assert_false(shoal_program_is_native(program));
    close_gpu();
}

static void contracts_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    open_gpu();
    struct shoal_entry_desc entry = strict_entries[0];
    struct shoal_program_desc desc = {.name = "unit.broken",
                                      .file = "unit/broken.cl",
                                      .defines = strict_defines,
                                      .define_count = 1,
                                      .entries = &entry,
                                      .entry_count = 1};
    struct shoal_program_params params = text_params(unit_text);
    static const char *const wrong[] = {NULL, "", "SIZE"};
    for (size_t i = 0; i < 3; i++) {
        entry.work_group = wrong[i];
        assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "unit.broken");
    }
    static const struct shoal_define_desc empty_group[] = {{"WG", 0, 0, 64, "none to 64"}};
    entry = strict_entries[0];
    desc.defines = empty_group;
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "unit.broken");
    desc.defines = strict_defines;
    desc.file = NULL;
    params.text_name = NULL;
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_INVALID);
    params.text_name = "own.cl";
    assert_ok(shoal_program_create(device, &desc, &params, &program, &test_error));
    shoal_program_destroy(&program);
    /* An entry that the text lacks. */
    params.text = "nothing\n";
    assert_status(shoal_program_create(device, &desc, &params, &program, &test_error), SHOAL_BUILD_FAILED);
    assert_null(program);
    close_gpu();
}

static void kernels_are_found_by_name(void **state)
{
    (void)state;
    open_gpu();
    program = unit_build(device);
    struct shoal_kernel *kernel = (struct shoal_kernel *)state;
    assert_status(shoal_kernel_create(program, "none", &kernel, &test_error), SHOAL_INVALID);
    assert_null(kernel);
    assert_contains(test_error.message, "unit.program");
    assert_contains(test_error.message, "none");
    assert_status(shoal_kernel_create(NULL, "add", &kernel, &test_error), SHOAL_INVALID);
    assert_status(shoal_kernel_create(program, NULL, &kernel, &test_error), SHOAL_INVALID);
    assert_status(shoal_kernel_create(program, "add", NULL, &test_error), SHOAL_INVALID);
    kernel = (struct shoal_kernel *)state;
    fake_fail_call(FAKE_KERNEL_CREATE, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_status(shoal_kernel_create(program, "add", &kernel, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_null(kernel);
    shoal_kernel_destroy(NULL);
    shoal_kernel_destroy(&kernel);
    close_gpu();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(arguments_are_checked),
        UNIT_TEST(older_parameters_are_accepted),
        UNIT_TEST(defines_are_complete_and_sorted),
        UNIT_TEST(wrong_defines_are_refused),
        UNIT_TEST(work_groups_fit_the_device),
        UNIT_TEST(work_groups_are_halved_for_the_kernel),
        UNIT_TEST(halves_are_whole_sets_of_work_items),
        UNIT_TEST(a_fixed_work_group_that_does_not_fit),
        UNIT_TEST(halved_work_groups_are_remembered),
        UNIT_TEST(tuned_values_fill_what_is_open),
        UNIT_TEST(build_errors_name_our_file_and_line),
        UNIT_TEST(warnings_go_to_the_log),
        UNIT_TEST(strict_floating_point_is_passed_on),
        UNIT_TEST(programs_ask_for_floating_point),
        UNIT_TEST(capabilities_are_asked),
        UNIT_TEST(native_texts_are_chosen),
        UNIT_TEST(contracts_that_make_no_sense_are_refused),
        UNIT_TEST(kernels_are_found_by_name),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
