/* Structs that begin with their size, of older, newer and careless programs; pointers by their names. */
#include "unit.h"

#include "base/params.h"

struct settings {
    size_t size;
    double rate;
    const char *name;
    double added; /* by this release */
};

/* Of a later release. */
struct newer_settings {
    struct settings known;
    double later;
    bool flag;
};

static void settings_init(struct settings *settings)
{
    *settings = (struct settings){.size = sizeof *settings, .rate = 0.5, .name = "usual", .added = 3};
}

static enum shoal_status take(const void *given, struct settings *out)
{
    return PARAMS_TAKE(given, settings_init, out, &test_error);
}

static void a_struct_as_long_is_copied(void **state)
{
    (void)state;
    const struct settings given = {.size = sizeof given, .rate = 2, .name = "own", .added = 4};
    struct settings out;
    assert_ok(take(&given, &out));
    assert_memory_equal(&out, &given, sizeof out);
}

static void an_older_program_gets_the_defaults_of_what_it_does_not_know(void **state)
{
    (void)state;
    const struct settings given = {
        .size = offsetof(struct settings, added), .rate = 2, .name = "own", .added = 77};
    struct settings out;
    assert_ok(take(&given, &out));
    assert_true(out.rate == 2 && out.added == 3 && out.size == sizeof out);
    assert_string_equal(out.name, "own");
    assert_ok(take(&(size_t){sizeof(size_t)}, &out));
    assert_true(out.rate == 0.5 && out.added == 3 && out.size == sizeof out);
}

static void a_newer_program_may_not_set_what_the_library_does_not_know(void **state)
{
    (void)state;
    struct newer_settings given = {.known = {.size = sizeof given, .rate = 2}};
    struct settings out;
    assert_ok(take(&given, &out));
    assert_true(out.rate == 2 && out.size == sizeof out);
    given.flag = true;
    assert_status(take(&given, &out), SHOAL_INVALID);
    assert_contains(test_error.message, "take: the program sets parameters that this library");
    assert_contains(test_error.message, shoal_version());
}

static void a_size_that_was_not_set_names_the_init_call(void **state)
{
    (void)state;
    struct settings given = {.rate = 2}, out;
    const size_t sizes[] = {0, 1, sizeof(size_t) - 1, sizeof given + 8192, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        given.size = sizes[i];
        assert_status(take(&given, &out), SHOAL_INVALID);
        assert_contains(test_error.message, "take: the parameters have size");
        assert_contains(test_error.message, "call settings_init");
    }
}

static void changed_parameters_return_as_far_as_the_program_knows_them(void **state)
{
    (void)state;
    const struct settings changed = {.size = sizeof changed, .rate = 9, .name = "changed", .added = 8};
    struct settings given = {.size = offsetof(struct settings, added), .rate = 2, .added = 77};
    params_return(&changed, sizeof changed, &given);
    assert_int_equal(given.size, offsetof(struct settings, added));
    assert_true(given.rate == 9 && given.added == 77);
    struct newer_settings newer = {.known = {.size = sizeof newer}, .later = 5};
    params_return(&changed, sizeof changed, &newer);
    assert_int_equal(newer.known.size, sizeof newer);
    assert_true(newer.known.added == 8 && newer.later == 5);
}

/* As a call that gives a struct whose first release ended with `name`. */
static enum shoal_status give(void *out)
{
    const struct settings from = {.size = sizeof from, .rate = 9, .name = "given", .added = 8};
    struct settings *known = out;
    const enum shoal_status status = RESULT_CHECK(known, name, &test_error);
    if (!status)
        RESULT_GIVE(&from, name, known);
    return status;
}

static void results_fill_what_there_is_room_for(void **state)
{
    (void)state;
    struct settings out = {.size = sizeof out};
    assert_ok(give(&out));
    assert_true(out.size == sizeof out && out.rate == 9 && out.added == 8);
    /* 0 is the first release, which had no `added`. */
    out = (struct settings){.added = 77};
    assert_ok(give(&out));
    assert_true(out.size == offsetof(struct settings, added) && out.rate == 9 && out.added == 77);
    assert_ok(give(&out));
    assert_true(out.added == 77);
    struct newer_settings newer = {.known = {.size = sizeof newer}, .later = 5, .flag = true};
    assert_ok(give(&newer));
    assert_true(newer.known.size == sizeof newer.known && newer.known.added == 8 && newer.later == 0);
    assert_false(newer.flag);
    /* Larger than a struct can be, smaller than the first one was. */
    newer.known.size = sizeof newer + 8192;
    assert_status(give(&newer), SHOAL_INVALID);
    newer.known.size = sizeof(size_t);
    assert_status(give(&newer), SHOAL_INVALID);
    assert_contains(test_error.message, "give: the struct for the result has size");
}

static void a_missing_pointer_is_named(void **state)
{
    (void)state;
    const struct settings own = {.name = NULL};
    const int a = 0, *b = NULL;
    assert_true(NEED(&test_error, &a, state));
    assert_false(NEED(&test_error, &a, b, state));
    assert_int_equal(test_error.status, SHOAL_INVALID);
    assert_string_equal(test_error.message, "a_missing_pointer_is_named: b is NULL");
    assert_false(NEED_MEMBER(&test_error, params, own, name));
    assert_string_equal(test_error.message, "a_missing_pointer_is_named: params.name is NULL");
    assert_false(NEED(NULL, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_as_long_is_copied),
        cmocka_unit_test(an_older_program_gets_the_defaults_of_what_it_does_not_know),
        cmocka_unit_test(a_newer_program_may_not_set_what_the_library_does_not_know),
        cmocka_unit_test(a_size_that_was_not_set_names_the_init_call),
        cmocka_unit_test(changed_parameters_return_as_far_as_the_program_knows_them),
        cmocka_unit_test(results_fill_what_there_is_room_for),
        cmocka_unit_test(a_missing_pointer_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
