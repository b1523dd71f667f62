/* Status names, error records, the growing text, integers, numbers with their nouns. */
#include "unit.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/input.h"
#include "base/integer.h"
#include "base/text.h"
#include "base/vectors/random.h"

static void every_status_has_a_name(void **state)
{
    (void)state;
    for (int a = SHOAL_OK; a <= SHOAL_STOPPED; a++) {
        const char *name = shoal_status_name((enum shoal_status)a);
        assert_string_not_equal(name, "unknown status");
        for (int b = SHOAL_OK; b < a; b++)
            assert_string_not_equal(name, shoal_status_name((enum shoal_status)b));
    }
    assert_string_equal(shoal_status_name(SHOAL_DEVICE_LOST), "device lost");
    assert_string_equal(shoal_status_name((enum shoal_status)1000), "unknown status");
    assert_string_equal(shoal_status_name((enum shoal_status) - 1), "unknown status");
}

static void version_matches_the_macros(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SHOAL_VERSION_MAJOR, SHOAL_VERSION_MINOR,
             SHOAL_VERSION_PATCH);
    assert_string_equal(shoal_version(), version);
}

static void records_are_one_line_and_cut(void **state)
{
    (void)state;
    struct shoal_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(fail(&error, SHOAL_IO, "a\nb\r\n%s", "c\n"), SHOAL_IO);
    assert_int_equal(error.status, SHOAL_IO);
    assert_int_equal(error.native, 0);
    assert_string_equal(error.call, "");
    assert_string_equal(error.message, "a b  c ");
    assert_string_equal(error.log, "");

    char longer[4 * sizeof error.message];
    memset(longer, 'm', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(fail_call(&error, SHOAL_FAILED, longer, -5, "%s", longer), SHOAL_FAILED);
    assert_int_equal(error.native, -5);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.call), sizeof error.call - 1);

    error_reset(&error);
    assert_int_equal(error.status, SHOAL_OK);
    assert_string_equal(error.message, "");
    assert_string_equal(error.call, "");
}

static void no_record_is_fine(void **state)
{
    (void)state;
    assert_int_equal(fail(NULL, SHOAL_IO, "x"), SHOAL_IO);
    assert_int_equal(fail_call(NULL, SHOAL_FAILED, "call", 1, "x"), SHOAL_FAILED);
    assert_int_equal(fail_host_memory(NULL), SHOAL_OUT_OF_HOST_MEMORY);
    error_set_log(NULL, "x");
    error_reset(NULL);
}

static void logs_are_cut_at_a_line(void **state)
{
    (void)state;
    static struct shoal_error error;
    static char log[3 * sizeof error.log];
    error_set_log(&error, "short\n");
    assert_string_equal(error.log, "short\n");
    for (size_t i = 0; i < sizeof log - 1; i++)
        log[i] = i % 50 == 49 ? '\n' : 'l';
    error_set_log(&error, log);
    size_t length = strlen(error.log);
    assert_in_range(length, sizeof error.log - 51, sizeof error.log - 1);
    assert_int_equal(error.log[length - 1], '\n');
    /* One endless line is cut anywhere. */
    memset(log, 'l', sizeof log - 1);
    error_set_log(&error, log);
    assert_int_equal(strlen(error.log), sizeof error.log - 1);
}

static void texts_grow(void **state)
{
    (void)state;
    struct text text = {0};
    text_append(&text, "", 0);
    assert_string_equal(text.data, "");
    for (int i = 0; i < 1000; i++)
        text_printf(&text, "%d,", i);
    text_add(&text, "end");
    assert_false(text.failed);
    assert_int_equal(strlen(text.data), text.length);
    assert_int_equal(strncmp(text.data, "0,1,2,", 6), 0);
    assert_string_equal(text.data + text.length - 7, "999,end");
    text_free(&text);
    assert_null(text.data);
}

static void copies_are_trimmed(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"  a b \t\n", "a b"}, {"", ""},   {" \n ", ""}, {"x", "x"},
                                           {"\tx", "x"},          {"x ", "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *copy = text_trimmed_copy(cases[i][0]);
        assert_string_equal(copy, cases[i][1]);
        free(copy);
    }
}

static void texts_are_cleaned(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        /* given, as a line, with ASCII's control characters */
        {"AMD EPYC", "AMD EPYC", "AMD EPYC"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
         "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\x1b[1m\n\x7f", "a?[1m??", "a\x1b[1m\n\x7f"},
        {"\xc2\x9b\xc2\xa0", "?\xc2\xa0", "?\xc2\xa0"},
        {"\xff\xc3", "??", "??"},
        {"\xe2\x82", "??", "??"},
        {"\xc0\x80\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80", "????????????", "????????????"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 1; k < 3; k++) {
            char text[32];
            strcpy(text, cases[i][0]);
            text_clean(text, k == 1 ? "" : NULL);
            assert_string_equal(text, cases[i][k]);
        }
    char lines[] = "a\n\tb\r";
    text_clean(lines, "\n\t");
    assert_string_equal(lines, "a\n\tb?");
}

static void other_encodings_are_read_as_latin(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"Gr\xc3\xb6\xc3\x9f"
         "e",
         "Gr\xc3\xb6\xc3\x9f"
         "e"}, /* UTF-8 stays */
        {"Gr\xf6\xdf"
         "e",
         "Gr\xc3\xb6\xc3\x9f"
         "e"},
        {"\x80 \x9f \x81", "\xe2\x82\xac \xc5\xb8 \xef\xbf\xbd"}, /* Windows-1252, and what it lacks */
        {"\xc3\xa9\xe9\xc3", "\xc3\xa9\xc3\xa9\xc3\x83"},         /* both, and a cut character */
        {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\xe2\x82\xac"},         /* half of a pair of UTF-16 */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t length = strlen(cases[i].from);
        size_t copied;
        char *exact = malloc(length ? length : 1); /* no byte behind it is read */
        assert_non_null(exact);
        memcpy(exact, cases[i].from, length);
        char *copy = text_utf8_copy(exact, length, &copied);
        assert_non_null(copy);
        assert_string_equal(copy, cases[i].to);
        assert_int_equal(copied, strlen(cases[i].to));
        assert_true(text_is_utf8(copy, copied));
        assert_int_equal(text_is_utf8(exact, length), strcmp(cases[i].from, cases[i].to) == 0);
        free(copy);
        free(exact);
    }
    /* What may be another encoding of two bytes a character, or no text, is left to who reads it. */
    static const char *const wide[] = {"\xff\xfe"
                                       "a",
                                       "\xfe\xff"
                                       "a",
                                       "\0\xf6"
                                       "a"};
    for (size_t i = 0; i < 3; i++) {
        char *content = malloc(4);
        size_t bytes = 3;
        bool is_converted;
        assert_non_null(content);
        memcpy(content, wide[i], 4);
        assert_ok(input_to_utf8(&content, &bytes, &is_converted, &test_error));
        assert_false(is_converted);
        assert_memory_equal(content, wide[i], 4);
        free(content);
    }
}

static void parts_are_found_in_any_case(void **state)
{
    (void)state;
    assert_true(text_contains_any_case("NVIDIA H200", "h200"));
    assert_true(text_contains_any_case("nvidia", "NVIDIA"));
    assert_true(text_contains_any_case("abc", ""));
    assert_true(text_contains_any_case("", ""));
    assert_false(text_contains_any_case("", "a"));
    assert_false(text_contains_any_case("abc", "abcd"));
    assert_true(text_contains_any_case("aab", "AB"));
}

static void powers_and_limits(void **state)
{
    (void)state;
    static const uint64_t cases[][2] = {
        {0, 1}, {1, 1}, {2, 2}, {3, 4}, {64, 64}, {65, 128}, {1ull << 63, 1ull << 63}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(power_of_two_at_least(cases[i][0]) == cases[i][1]);
    assert_int_equal(clamped(5, 1, 10), 5);
    assert_int_equal(clamped(0, 1, 10), 1);
    assert_int_equal(clamped(UINT64_MAX, 1, 10), 10);
}

static void nearest_word(void **state)
{
    static const char *const words[] = {"devices", "pso", "compare", "bench", "verify"};
    (void)state;
    assert_string_equal(text_nearest("compar", words, 5), "compare");
    assert_string_equal(text_nearest("dev", words, 5), "devices");
    assert_string_equal(text_nearest("devcies", words, 5), "devices");
    assert_string_equal(text_nearest("psso", words, 5), "pso");
    assert_null(text_nearest("foo", words, 5));
    assert_null(text_nearest("", words, 5));
    assert_null(text_nearest("a very long word that is no command at all", words, 5));
}

static void words_of_draws_together(void **state)
{
    (void)state;
    const uint64_t seeds[] = {0, 1, 0xFFFFFFFF00000000u, 0x123456789ABCDEFu};
    const uint32_t firsts[] = {0, 5, 0x7FFFFFFF, 0xFFFFFFFE}; /* the number of a draw may overflow */
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        struct shoal_words words[RANDOM_TOGETHER];
        const uint32_t step = 0xFFFFFFFFu - (uint32_t)k, index = 0x80000000u + (uint32_t)k;
        random_together(seeds[k], SHOAL_STREAM_TEST, step, index, firsts[k], words);
        for (uint32_t n = 0; n < RANDOM_TOGETHER; n++) {
            const struct shoal_words one =
                shoal_random_words(seeds[k], SHOAL_STREAM_TEST, step, index, firsts[k] + n);
            assert_memory_equal(&words[n], &one, sizeof one);
        }
    }
}

static void counted_nouns(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        const char *noun, *text;
    } cases[] = {{1, "row", "1 row"},
                 {0, "row", "0 rows"},
                 {3, "column", "3 columns"},
                 {1, "city", "1 city"},
                 {2, "city", "2 cities"},
                 {2, "day", "2 days"},
                 {2, "class", "2 classes"},
                 {1, "class", "1 class"},
                 {UINT64_MAX, "value", "18446744073709551615 values"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(counted(cases[i].count, cases[i].noun).s, cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(every_status_has_a_name),
        UNIT_TEST(counted_nouns),
        UNIT_TEST(version_matches_the_macros),
        UNIT_TEST(records_are_one_line_and_cut),
        UNIT_TEST(no_record_is_fine),
        UNIT_TEST(logs_are_cut_at_a_line),
        UNIT_TEST(texts_grow),
        UNIT_TEST(copies_are_trimmed),
        UNIT_TEST(texts_are_cleaned),
        UNIT_TEST(other_encodings_are_read_as_latin),
        UNIT_TEST(parts_are_found_in_any_case),
        UNIT_TEST(powers_and_limits),
        UNIT_TEST(nearest_word),
        UNIT_TEST(words_of_draws_together),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
