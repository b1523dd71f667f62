/* Options in checkpoints: by name, with defaults for those that a file lacks, and as older files have them.
 */
#include "unit.h"

#include "counter.h"
#include "workload/checkpoint/saved_files.h"
#include "workload/checkpoint/saved_options.h"

#include <math.h>
#include <unistd.h>

enum { OPTIONS = 9, MANY = 300 };

static struct counter_params params;
static struct checkpoint checkpoint;
static struct shoal_option options[OPTIONS];
static struct workload other; /* with `options`: those of the counter, which a test changes */

static int start(void **state)
{
    if (unit_setup(state))
        return -1;
    counter_init(&params);
    checkpoint = (struct checkpoint){.path = "some.ckpt"};
    other.face = counter_workload.face;
    assert_int_equal(other.face.option_count, OPTIONS);
    memcpy(options, other.face.options, sizeof options);
    other.face.options = options;
    return 0;
}

static int end(void **state)
{
    checkpoint_clear(&checkpoint);
    return unit_teardown(state);
}

static enum shoal_status match(const struct shoal_workload *workload, const struct old_option *old)
{
    struct differences differences = {.omitted = 0};
    enum shoal_status status = saved_options_compare(workload, old, &params, &checkpoint,
                                                     SHOAL_OPTION_FREE_ON_RESUME, &differences, &test_error);
    if (status)
        text_free(&differences.text);
    else
        status = differences_end(&differences, &checkpoint, &test_error);
    if (status)
        assert_null(strpbrk(test_error.message, "\r\n"));
    return status;
}

static void what_a_file_lacks_has_its_default(void **state)
{
    (void)state;
    other.face.option_count = 4; /* without --rate and those after it */
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    assert_ok(match(&counter_workload.face, NULL));
    params.rate = 0.25;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "some.ckpt was made with --rate 0.5, not 0.25");
    params.rate = NAN;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "some.ckpt was made with --rate 0.5, not unset");
    /* One that is no more is no matter. */
    other.face.option_count = 1;
    assert_ok(match(&other.face, NULL));
}

static void choices_are_kept_by_name(void **state)
{
    (void)state;
    static const char *const more[] = {"sideways", "up", "down", NULL};
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    options[1].choices = more;
    params.mode = 1;
    assert_ok(match(&other.face, NULL));
    params.mode = 0;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--mode up, not sideways");
    checkpoint_clear(&checkpoint);
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--mode sideways, not up");
}

/* A run goes on by the value of before, and a caller who leaves the option at its default may load it. */
static void what_a_file_lacks_may_have_another_value(void **state)
{
    (void)state;
    static const struct old_option old[] = {{"rate", "rate", .before = "0.25"}, {NULL, NULL, NULL}};
    struct counter_params restored;
    char *texts[OPTIONS] = {NULL};
    other.face.option_count = 4;
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    counter_init(&restored);
    assert_ok(
        saved_options_restore(&counter_workload.face, old, &checkpoint, NULL, &restored, texts, &test_error));
    assert_true(restored.rate == 0.25);
    assert_ok(match(&counter_workload.face, old));
    params.rate = 0.25;
    assert_ok(match(&counter_workload.face, old));
    params.rate = 1;
    assert_status(match(&counter_workload.face, old), SHOAL_INVALID);
    assert_contains(test_error.message, "--rate 0.25, not 1");
    for (size_t i = 0; i < OPTIONS; i++)
        free(texts[i]);
}

static void options_may_get_other_names(void **state)
{
    (void)state;
    static const struct old_option old[] = {{.old_name = "mode", .name = "direction"}, {NULL, NULL, NULL}};
    params.mode = 1;
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    options[1].name = "direction";
    assert_ok(match(&other.face, old));
    params.mode = 0;
    assert_status(match(&other.face, old), SHOAL_INVALID);
    assert_contains(test_error.message, "--direction down, not up");
    assert_ok(match(&other.face, NULL)); /* there is none of that name: it has its default */
}

/* A text of as many characters as a number has bytes is no number. */
static void numbers_may_become_texts(void **state)
{
    (void)state;
    enum { LIMIT = 5, LABEL = 6 };
    static const struct old_option old[] = {{"limit", "limit", NULL, true}, {NULL, NULL, NULL, false}};
    char *texts[OPTIONS] = {NULL};
    options[LABEL].flags = SHOAL_OPTION_FREE_ON_RESUME;
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error)); /* not set */
    options[LIMIT].type = SHOAL_OPTION_TEXT;
    options[LIMIT].offset = offsetof(struct counter_params, label);
    assert_ok(match(&other.face, old));
    checkpoint_clear(&checkpoint);
    params.limit = 2.5;
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    params.label = "2.5";
    assert_ok(match(&other.face, old));
    params.label = "0,0,-0.5";
    assert_status(match(&other.face, old), SHOAL_INVALID);
    assert_contains(test_error.message, "--limit \"2.5\", not \"0,0,-0.5\"");
    other.face.option_count = LABEL;
    assert_ok(saved_options_restore(&other.face, old, &checkpoint, NULL, &params, texts, &test_error));
    assert_string_equal(params.label, "2.5");
    free(texts[LIMIT]);
    checkpoint_clear(&checkpoint);
    params.label = "0,0,-0.5";
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    assert_ok(match(&other.face, old));
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
    assert_status(match(&other.face, old), SHOAL_INVALID);
    assert_contains(test_error.message, "--a-rate-with-a-name-that-is-long 0.5, not 0.25");
    checkpoint.count--;
    checkpoint_add(&checkpoint, "--a-rate-with-a-name-t", &rate, sizeof rate);
    assert_ok(match(&other.face, old));
    params.mode = 0;
    assert_status(match(&other.face, old), SHOAL_INVALID);
    assert_contains(test_error.message, "--direction down, not up");
    static const int32_t wrong[] = {-1, 2};
    for (size_t i = 0; i < 2; i++) {
        checkpoint.sections[1].data = &wrong[i];
        assert_status(match(&other.face, old), SHOAL_INVALID);
        assert_contains(test_error.message, "--direction a choice unknown here, not up");
    }
}

/* A whole number whose default has changed gets the default of today if the file has the old default where
 * the option has no effect. Other numbers stay, and so does the old default where the option has an effect.
 */
static void an_old_default_without_effect_is_dropped(void **state)
{
    (void)state;
    static const struct old_option old[] = {{"wide", "wide", .was_default = 2}, {NULL, NULL, NULL}};
    options[3].needs = "mode=down";
    for (uint64_t wide = 2; wide < 4; wide++)
        for (int32_t mode = 0; mode < 2; mode++) {
            char *texts[OPTIONS] = {NULL};
            params.wide = wide;
            params.mode = mode;
            assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
            counter_init(&params);
            assert_ok(
                saved_options_restore(&other.face, old, &checkpoint, NULL, &params, texts, &test_error));
            assert_int_equal(params.wide, wide == 2 && mode == 0 ? 0 : wide);
            assert_int_equal(params.mode, mode);
            assert_ok(match(&other.face, old));
            checkpoint_clear(&checkpoint);
            for (size_t i = 0; i < OPTIONS; i++)
                free(texts[i]);
        }
}

/* Of an option that only other builds have, a file may hold the choices that remain, by name or by number. */
static void choices_of_other_builds_are_refused(void **state)
{
    (void)state;
    static const char *const all[] = {"here", "there", NULL}, *const here[] = {"here", NULL};
    static const struct shoal_option remaining[] = {
        {.name = "gone", .type = SHOAL_OPTION_CHOICE, .choices = here}, {.name = NULL}};
    char *texts[OPTIONS] = {NULL};
    for (int32_t choice = 0; choice < 2; choice++)
        for (int by_name = 0; by_name < 2; by_name++) {
            const enum shoal_status expected = choice ? SHOAL_INVALID : SHOAL_OK;
            other.face.option_count = 2;
            options[1].name = "gone";
            options[1].choices = all;
            params.mode = choice;
            if (by_name)
                assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
            else
                checkpoint_add(&checkpoint, "--gone", &choice, sizeof choice);
            other.face.option_count = 1;
            assert_ok(match(&other.face, NULL));
            other.remaining = remaining;
            assert_status(match(&other.face, NULL), expected);
            assert_status(
                saved_options_restore(&other.face, NULL, &checkpoint, NULL, &params, texts, &test_error),
                expected);
            if (choice)
                assert_contains(test_error.message,
                                by_name ? "--gone there" : "--gone a choice unknown here");
            other.remaining = NULL;
            checkpoint_clear(&checkpoint);
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
    other.face.options = many;
    other.face.option_count = MANY;
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    assert_int_equal(checkpoint.count, 1);
    assert_ok(match(&other.face, NULL));
    params.rate = 1;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, names[0]);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void files_are_compared_by_their_content(void **state)
{
    (void)state;
    struct saved_files files = {{0}, {0}};
    char first[300], second[300];
    snprintf(first, sizeof first, "%s/first", test_folder());
    snprintf(second, sizeof second, "%s/second", test_folder());
    write_file(first, "content");
    write_file(second, "content");
    options[6].flags = SHOAL_OPTION_READS; /* label */
    params.label = first;
    assert_ok(saved_files_take(&other.face, &params, &files, &test_error));
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    /* Without the hash, as in older files, the name counts. */
    assert_ok(match(&other.face, NULL));
    params.label = second;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    saved_files_add(&files, &checkpoint);
    assert_ok(match(&other.face, NULL));
    write_file(second, "contents");
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "/first\", not \"");
    write_file(first, "other content");
    params.label = first;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "/first\" as it was before its content changed");
    params.label = NULL;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    /* Where its content cannot be compared, the same name is not enough. */
    params.label = first;
    assert_int_equal(unlink(first), 0);
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "/first\", which cannot be read now (No such file or directory)");
    saved_files_free(&files);
}

/* Of a file with several instances, "FILE:2" is one. */
static void parts_of_files_are_compared(void **state)
{
    (void)state;
    struct saved_files files = {{0}, {0}};
    char first[300], second[300], other_part[300], literal[300];
    snprintf(first, sizeof first, "%s/first:1", test_folder());
    snprintf(second, sizeof second, "%s/second:1", test_folder());
    snprintf(other_part, sizeof other_part, "%s/first:2", test_folder());
    snprintf(literal, sizeof literal, "%s/second:2", test_folder());
    for (size_t i = 0; i < 2; i++) {
        char *path = i ? second : first;
        path[strlen(path) - 2] = '\0';
        write_file(path, "content");
        strcat(path, ":1");
    }
    options[6].flags = SHOAL_OPTION_READS; /* label */
    params.label = first;
    assert_ok(saved_files_take(&other.face, &params, &files, &test_error));
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    saved_files_add(&files, &checkpoint);
    params.label = second;
    assert_ok(match(&other.face, NULL));
    params.label = other_part;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "/first:1\", not \"");
    /* A file of that name is no part of another. */
    uint64_t whole, same;
    write_file(literal, "content");
    second[strlen(second) - 2] = '\0';
    assert_int_equal(file_hash(literal, &whole), 0);
    assert_int_equal(file_hash(second, &same), 0);
    assert_true(whole == same);
    saved_files_free(&files);
}

static void all_that_differs_is_listed(void **state)
{
    (void)state;
    static struct shoal_option many[MANY];
    static char names[MANY][64];
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    params.flag = true;
    params.mode = 1;
    params.wide = 7;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "--flag no, not yes; --mode up, not down; --wide 0, not 7: leave out");
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "option-%zu", i);
        many[i] = options[4];
        many[i].name = names[i];
    }
    params.rate = 0.25;
    checkpoint_clear(&checkpoint);
    other.face.options = many;
    other.face.option_count = MANY;
    assert_ok(saved_options_add(&other.face, &params, &checkpoint, &test_error));
    params.rate = 1;
    assert_status(match(&other.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--option-0 0.25, not 1; --option-1 0.25, not 1; ");
    assert_contains(test_error.message, " more: leave out what differs to resume it");
}

static void values_come_back(void **state)
{
    (void)state;
    char *texts[OPTIONS] = {NULL};
    struct counter_params back;
    const bool given[OPTIONS] = {[4] = true};
    params = (struct counter_params){.size = sizeof params,
                                     .flag = true,
                                     .mode = 1,
                                     .steps = 7,
                                     .wide = UINT64_MAX,
                                     .rate = 0.25,
                                     .limit = 3,
                                     .label = "a label",
                                     .time = NAN};
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    counter_init(&back);
    assert_ok(
        saved_options_restore(&counter_workload.face, NULL, &checkpoint, given, &back, texts, &test_error));
    assert_true(back.flag && back.mode == 1 && back.steps == 7 && back.wide == UINT64_MAX &&
                back.limit == 3 && isnan(back.time));
    assert_true(back.rate == 0.5); /* given */
    assert_string_equal(back.label, "a label");
    assert_ptr_equal(back.label, texts[6]);
    free(texts[6]);
    /* A choice of another version. */
    static const char *const fewer[] = {"up", NULL};
    options[1].choices = fewer;
    assert_status(saved_options_restore(&other.face, NULL, &checkpoint, NULL, &back, texts, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "was made with --mode down, which this version does not know");
}

static void damage_is_found(void **state)
{
    (void)state;
    params.label = "two\nlines";
    assert_ok(saved_options_add(&counter_workload.face, &params, &checkpoint, &test_error));
    params.label = NULL;
    assert_status(match(&counter_workload.face, NULL), SHOAL_INVALID);
    assert_contains(test_error.message, "--label \"two?lines\", not \"\"");
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
    assert_true(whole <= OPTIONS + 1);
    copy[1 + sizeof(uint64_t) + strlen("flag") + 1 + 7] = 0x7f; /* the size of the first value */
    assert_status(match(&counter_workload.face, NULL), SHOAL_IO);
    assert_contains(test_error.message, "some.ckpt is damaged");
    section->data = section->owned;
    free(copy);
}

#define OPTION_TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPTION_TEST(what_a_file_lacks_has_its_default),
        OPTION_TEST(choices_are_kept_by_name),
        OPTION_TEST(what_a_file_lacks_may_have_another_value),
        OPTION_TEST(options_may_get_other_names),
        OPTION_TEST(numbers_may_become_texts),
        OPTION_TEST(older_files_are_read),
        OPTION_TEST(an_old_default_without_effect_is_dropped),
        OPTION_TEST(choices_of_other_builds_are_refused),
        OPTION_TEST(any_names_and_numbers_have_room),
        OPTION_TEST(files_are_compared_by_their_content),
        OPTION_TEST(parts_of_files_are_compared),
        OPTION_TEST(all_that_differs_is_listed),
        OPTION_TEST(values_come_back),
        OPTION_TEST(damage_is_found),
    };
    return cmocka_run_group_tests_name("saved-options", tests, NULL, NULL);
}
