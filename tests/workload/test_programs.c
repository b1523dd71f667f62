/* Lists of programs: what is built goes with the list, or with the part of a solver that it belongs to. */
#include "unit.h"
#include "workload/programs.h"

static struct shoal *shoal;
static struct programs programs;
static const struct shoal_program_desc *desc;
static size_t live; /* objects of the fake when nothing is built */

static enum shoal_status build(struct shoal_kernel **kernel, struct shoal_program **program)
{
    const struct defines defines = {.count = 0};
    const struct entry_kernel kernels[] = {{desc->entries[0].name, kernel}};
    return programs_build(&programs, desc, &defines, kernels, 1, program, &test_error);
}

static int open_list(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    programs = (struct programs){.device = shoal_device_at(shoal, 0)};
    desc = shoal_program_desc_at(0);
    /* The first build opens the device. */
    struct shoal_kernel *kernel = NULL;
    assert_ok(build(&kernel, NULL));
    programs_destroy(&programs);
    live = fake_live();
    return 0;
}

static int close_list(void **state)
{
    programs_destroy(&programs);
    assert_int_equal(fake_live(), live);
    shoal_close(&shoal);
    return unit_teardown(state);
}

static void parts_go_alone(void **state)
{
    (void)state;
    struct shoal_kernel *kernels[4] = {NULL};
    struct shoal_program *program = NULL;
    assert_ok(build(&kernels[0], &program));
    assert_non_null(program);
    const size_t one = fake_live() - live;
    const unsigned first = programs_begin_part(&programs);
    assert_ok(build(&kernels[1], NULL));
    programs_end_part(&programs);
    const unsigned second = programs_begin_part(&programs);
    assert_ok(build(&kernels[2], NULL));
    assert_ok(build(&kernels[3], NULL));
    programs_drop_newest(&programs);
    programs_end_part(&programs);
    assert_int_equal(fake_live() - live, 3 * one);
    programs_drop_part(&programs, first);
    assert_int_equal(fake_live() - live, 2 * one);
    assert_true(kernels[2] && shoal_kernel_work_group(kernels[2]) > 0);
    programs_drop_part(&programs, second);
    assert_int_equal(fake_live() - live, one);
    assert_true(programs.build_seconds > 0);
}

static void failures_leave_nothing_behind(void **state)
{
    (void)state;
    struct shoal_kernel *kernel = NULL;
    const struct defines none = {.count = 0};
    const struct entry_kernel unknown[] = {{"no_such_entry", &kernel}};
    assert_status(programs_build(&programs, desc, &none, unknown, 1, NULL, &test_error), SHOAL_INVALID);
    assert_null(kernel);
    struct defines many = {.count = 0};
    for (int i = 0; i < DEFINES_MOST; i++)
        define_add(&many, "WG", 1);
    assert_int_equal(many.list[DEFINES_MOST - 1].value, 1);
    define_add(&many, "WG", 1);
    assert_status(programs_build(&programs, desc, &many, NULL, 0, NULL, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "33 defines, there is room for 32");
    assert_false(programs_is_native(&programs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_go_alone, open_list, close_list),
        cmocka_unit_test_setup_teardown(failures_leave_nothing_behind, open_list, close_list),
    };
    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
