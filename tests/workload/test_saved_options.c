/* Options in checkpoints: by name, with defaults for those that a file lacks, and as older files have them.
 */
#include "unit.h"

#include "counter.h"
#include "workload/checkpoint/saved_options.h"

enum { OPTIONS = 8, MANY = 300 };

static struct counter_params params;
static struct checkpoint checkpoint;
static struct shoal_option options[OPTIONS];
static struct shoal_workload other; /* with `options`: those of the counter, which a test changes */

static int start(void **state)
{
    if (unit_setup(state))
        return -1;
    counter_init(&params);
    checkpoint = (struct checkpoint){.path = "some.ckpt"};
    other = counter_workload.face;
    assert_int_equal(other.option_count, OPTIONS);
    memcpy(options, other.options, sizeof options);
    other.options = options;
    return 0;
}

static int end(void **state)
{
    checkpoint_clear(&checkpoint);
    return unit_teardown(state);
}

static enum shoal_status match(const struct shoal_workload *workload, const struct old_option *old)
{
    enum shoal_status status = saved_options_match(workload, old, &params, &checkpoint, &unit_error);
    if (status)
        assert_null(strpbrk(unit_error.message, "\r\n"));
    return status;
}

static void what_a_file_lacks_has_its_default(void **state)
{
    (void)state;
    other.option_count = 4; /* without --rate and those after it */
    assert_ok(saved_options_add(&other, &params, &checkpoint, &unit_error));
    assert_ok(match(&counter_workload.face, NULL));
    params.rate = 0.25;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(unit_error.message, "some.ckpt was made with --rate 0.5, this run has 0.25");
    /* One that is no more is no matter. */
    other.option_count = 1;
    assert_ok(match(&other, NULL));
}

static void choices_are_kept_by_name(void **state)
{
    (void)state;
    static const char *const more[] = {"sideways", "up", "down", NULL};
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &unit_error));
    options[1].choices = more;
    params.mode = 1;
    assert_ok(match(&other, NULL));
    params.mode = 0;
    assert_status(match(&other, NULL), SHOAL_INVALID);
    assert_contains(unit_error.message, "--mode up, this run has sideways");
    checkpoint_clear(&checkpoint);
    assert_ok(saved_options_add(&other, &params, &checkpoint, &unit_error));
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(unit_error.message, "--mode sideways, this run has up");
}

static void options_may_get_other_names(void **state)
{
    (void)state;
    static const struct old_option old[] = {{.old_name = "mode", .name = "direction"}, {NULL, NULL, NULL}};
    params.mode = 1;
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &unit_error));
    options[1].name = "direction";
    assert_ok(match(&other, old));
    params.mode = 0;
    assert_status(match(&other, old), SHOAL_INVALID);
    assert_contains(unit_error.message, "--direction down, this run has up");
    assert_ok(match(&other, NULL)); /* there is none of that name: it has its default */
}

/* A section for each option, named by its first 20 characters; choices are numbers. */
static void older_files_are_read(void **state)
{
    (void)state;
    static const char *const before[] = {"down", "up", NULL};
    static const struct old_option old[] = {{"mode", "direction", before}, {NULL, NULL, NULL}};
    static const int32_t down = 0;
    static const bool flag = true;
    static const double rate = 0.25;
    options[1].name = "direction";
    options[4].name = "a-rate-with-a-name-that-is-long";
    checkpoint_add(&checkpoint, "--flag", &flag, sizeof flag);
    checkpoint_add(&checkpoint, "--mode", &down, sizeof down);
    checkpoint_add(&checkpoint, "--a-rate-with-a-name-th", &rate, sizeof rate);
    params.flag = true;
    params.mode = 1;
    params.rate = 0.25;
    assert_status(match(&other, old), SHOAL_INVALID);
    assert_contains(unit_error.message, "--a-rate-with-a-name-that-is-long 0.5, this run has 0.25");
    checkpoint.count--;
    checkpoint_add(&checkpoint, "--a-rate-with-a-name-t", &rate, sizeof rate);
    assert_ok(match(&other, old));
    params.mode = 0;
    assert_status(match(&other, old), SHOAL_INVALID);
    assert_contains(unit_error.message, "--direction down, this run has up");
    static const int32_t wrong[] = {-1, 2};
    for (size_t i = 0; i < 2; i++) {
        checkpoint.sections[1].data = &wrong[i];
        assert_status(match(&other, old), SHOAL_INVALID);
        assert_contains(unit_error.message, "--direction a choice unknown here, this run has up");
    }
}

static void any_names_and_numbers_have_room(void **state)
{
    (void)state;
    static struct shoal_option many[MANY];
    static char names[MANY][64];
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "an-option-with-a-name-of-forty-characters-%zu", i);
        many[i] = counter_workload.face.options[4];
        many[i].name = names[i];
    }
    other.options = many;
    other.option_count = MANY;
    assert_ok(saved_options_add(&other, &params, &checkpoint, &unit_error));
    assert_int_equal(checkpoint.count, 1);
    assert_ok(match(&other, NULL));
    params.rate = 1;
    assert_status(match(&other, NULL), SHOAL_INVALID);
    assert_contains(unit_error.message, names[0]);
}

static void damage_is_found(void **state)
{
    (void)state;
    params.label = "two\nlines";
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &unit_error));
    params.label = NULL;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(unit_error.message, "--label \"two?lines\", this run has \"\"");
    struct checkpoint_section *section = &checkpoint.sections[0];
    const size_t bytes = section->bytes;
    char *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, section->data, bytes);
    section->data = copy;
    size_t whole = 0; /* cut off between two options, for which those behind have their defaults */
    for (section->bytes = 0; section->bytes < bytes; section->bytes++) {
        const enum shoal_status status = match(&counter_workload.face, NULL);
        assert_true(!status || status == SHOAL_IO || status == SHOAL_INVALID);
        whole += status != SHOAL_IO;
    }
    assert_true(whole <= OPTIONS);
    copy[strlen("flag") + 1 + 7] = 0x7f; /* the size of the first value */
    assert_status(match(&counter_workload.face, NULL), SHOAL_IO);
    assert_contains(unit_error.message, "some.ckpt is damaged");
    section->data = section->owned;
    free(copy);
}

#define OPTION_TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPTION_TEST(what_a_file_lacks_has_its_default), OPTION_TEST(choices_are_kept_by_name),
        OPTION_TEST(options_may_get_other_names),       OPTION_TEST(older_files_are_read),
        OPTION_TEST(any_names_and_numbers_have_room),   OPTION_TEST(damage_is_found),
    };
    return cmocka_run_group_tests_name("saved-options", tests, NULL, NULL);
}
