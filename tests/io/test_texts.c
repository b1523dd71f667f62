/* Numbers, lines and strings of text files. */
#include "unit.h"

#include "io/csv/amounts.h"
#include "io/cursor.h"
#include "io/decimal.h"
#include "io/output.h"

#include <locale.h>
#include <math.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* The C library rounds correctly: every number has its bits. */
static void numbers_are_those_of_the_library(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "-1.5e3",
        ".5",
        "5.",
        "00012",
        "+7",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e22",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "123456789012345678",
        "12345678901234567890",
        "123456789012345678901234567890",
        "0.1234567890123456789012345",
        "0.0000000000000000000000000000001",
        "1e308",
        "1e309",
        "-1e400",
        "4.9e-324",
        "1e-400",
        "2.2250738585072011e-308",
        "1e99999999999",
        "1e-99999999999",
        "0e999999999999",
        "179769313486231580793728971405301e276",
        "4503599627370496.5", /* in the middle of two, and beside that */
        "4503599627370497.5",
        "4503599627370497.499",
        "4503599627370496.501",
        "9007199254740993",
        "9007199254740995",
        "18014398509481988",
        "18014398509481990",
        "9999999999999999999",
        "1844674407370955161500e-27",
        "8.988465674311579538e27",
        "1e+5",
        "1E-5",
    };
    uint64_t random = 88172645463325252u;
    for (size_t i = 0; i < COUNT(texts) + 200000; i++) {
        char made[64];
        double value = NAN;
        snprintf(made, sizeof made, "%s%llu.%llue%d", i % 2 ? "-" : "",
                 (unsigned long long)next(&random) >> (i % 64), (unsigned long long)next(&random) >> (i % 61),
                 (int)(next(&random) % 80) - 40);
        const char *text = i < COUNT(texts) ? texts[i] : made;
        const double wanted = strtod(text, NULL);
        test_label("%s", text);
        assert_ptr_equal(decimal_read(text, &value), text + strlen(text));
        assert_true(value == wanted);
    }
}

static void where_a_number_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"", 0},    {"-", 0},    {".", 0},   {"e5", 0},    {"inf", 0}, {"nan", 0},
                 {"x", 0},   {" 1", 0},   {"1x", 1},  {"1.2.3", 3}, {"1e", 1},  {"1e+", 1},
                 {"1,5", 1}, {"0x10", 1}, {"1-2", 1}, {"--1", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value;
        test_label("%s", cases[i].text);
        assert_int_equal(decimal_read(cases[i].text, &value) - cases[i].text, cases[i].length);
    }
}

static void written_numbers_read_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *digits, *single;
    } cases[] = {{0, "0", "0"},
                 {-0.0, "-0", "-0"},
                 {1e15, "1e+15", "1e+15"},
                 {999999999999999, "999999999999999", "1e+15"},
                 {1000000, "1000000", "1e+06"},
                 {999999, "999999", "999999"},
                 {0.1, "0.1", "0.1"},
                 {1.0 / 3, "0.3333333333333333", "0.33333334"},
                 {-123.5, "-123.5", "-123.5"}};
    uint64_t random = 88172645463325252u;
    char digits[DECIMAL_MOST];
    double value;
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%g", cases[i].value);
        assert_int_equal(decimal_write(digits, cases[i].value, false), strlen(cases[i].digits));
        assert_string_equal(digits, cases[i].digits);
        decimal_write(digits, (double)(float)cases[i].value, true);
        assert_string_equal(digits, cases[i].single);
    }
    for (size_t i = 0; i < 20000; i++) {
        const double number = ldexp((double)(int64_t)next(&random), (int)(next(&random) % 200) - 160);
        decimal_write(digits, number, false);
        decimal_read(digits, &value);
        assert_true(value == number);
        decimal_write(digits, (double)(float)number, true);
        decimal_read(digits, &value);
        assert_true((float)value == (float)number);
    }
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    char digits[DECIMAL_MOST];
    double value;
    bool is_set = false;
    for (size_t i = 0; i < COUNT(names) && !is_set; i++)
        is_set = setlocale(LC_ALL, names[i]) != NULL;
    /* Without such a locale on the machine the program's own must do. */
    assert_ptr_not_equal(decimal_read("1.25e-30", &value), "1.25e-30");
    assert_true(value == 1.25e-30);
    decimal_write(digits, 1.25, false);
    assert_string_equal(digits, "1.25");
    setlocale(LC_ALL, "C");
}

static void lines_and_words(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf  one two\t3 \r\n\n 4e1 -inf +INFINITY nan";
    struct cursor cursor = {.name = "text", .at = text, .end = text + sizeof text - 1, .error = &test_error};
    struct line line;
    struct word word;
    uint64_t count;
    double value;
    cursor_skip_mark(&cursor);
    assert_true(cursor_next(&cursor, &line));
    assert_true(line_begins(&line, "one"));
    assert_true(line_word(&line, &word) && word_is(word, "one"));
    assert_status(word_count(&cursor, word, "a count", &count), SHOAL_IO);
    assert_string_equal(test_error.message, "text: line 1: 'one' should be a count");
    assert_true(line_word(&line, &word) && word_is(word, "two"));
    assert_true(line_word(&line, &word));
    assert_ok(word_count(&cursor, word, "a count", &count));
    assert_int_equal(count, 3);
    assert_false(line_word(&line, &word));
    assert_true(cursor_next(&cursor, &line) && line.begin == line.end);
    assert_true(cursor_next(&cursor, &line));
    assert_true(line_word(&line, &word));
    assert_ok(word_real(&cursor, word, "a number", &value));
    assert_true(value == 40);
    for (int i = 0; i < 3; i++) {
        assert_true(line_word(&line, &word));
        assert_int_equal(word_is_infinite(word), i == 1);
        assert_status(word_real(&cursor, word, "a number", &value), SHOAL_IO);
        assert_contains(test_error.message, "text: line 3: a number is ");
        assert_contains(test_error.message, "which is not finite");
    }
    assert_false(cursor_next(&cursor, &line));
}

/* What follows in memory says nothing. */
static void an_amount_ends_with_its_field(void **state)
{
    static const char text[] = "5,5";
    struct amount amount;
    (void)state;
    assert_true(amount_read((struct word){text, text + 3}, &amount));
    assert_true(amount.decimal == ',' && amount.value == 5.5);
    assert_false(amount_read((struct word){text, text + 2}, &amount));
}

static void words_are_shown_in_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *word, *shown;
    } cases[] = {{"gr\xc3\xb6\xc3\x9f"
                  "e",
                  "gr\xc3\xb6\xc3\x9f"
                  "e"},
                 {"a\x01\x7f\xff", "a???"},
                 {"123456789 123456789 123456789 1234", "123456789 123456789 123456789 1"},
                 {"123456789 123456789 123456789 \xc3\xb6", "123456789 123456789 123456789 "},
                 {"123456789 123456789 123456789\xf0\x9f\x90\x9f", "123456789 123456789 123456789"}};
    static const char nul[] = "a\0b";
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = cases[i].word;
        assert_string_equal(word_show((struct word){text, text + strlen(text)}).text, cases[i].shown);
    }
    assert_string_equal(word_show((struct word){nul, nul + 3}).text, "a?b");
}

static void strings_of_json(void **state)
{
    (void)state;
    static const struct {
        const char *string, *json;
    } cases[] = {{"plain", "\"plain\""},
                 {"a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\""},
                 {"tab\there\nfeed", "\"tab\\u0009here\\u000afeed\""},
                 {"bell\a", "\"bell?\""},
                 {"caf\xc3\xa9", "\"caf\xc3\xa9\""},
                 {"wrong \xff", "\"wrong ?\""},
                 {"", "\"\""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct output output;
        char text[100];
        test_label("%s", cases[i].string);
        output_open(&output, test_path("string"));
        output_json_string(&output, cases[i].string);
        assert_ok(output_close(&output, true, &test_error));
        FILE *file = fopen(test_path("string"), "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        assert_string_equal(text, cases[i].json);
    }
}

static void files_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    struct output output;
    test_write_text(test_path("kept"), "before");
    output_open(&output, test_path("kept"));
    for (int i = 0; i < 100000; i++)
        output_printf(&output, "%d %s\n", i, "some text");
    assert_ok(output_close(&output, false, &test_error));
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 1);
    output_open(&output, test_path("none/file"));
    output_add(&output, "text");
    assert_status(output_close(&output, true, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "none/file: cannot be written: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(numbers_are_those_of_the_library),
        UNIT_TEST(where_a_number_ends),
        UNIT_TEST(written_numbers_read_back),
        UNIT_TEST(the_locale_does_not_matter),
        UNIT_TEST(lines_and_words),
        UNIT_TEST(an_amount_ends_with_its_field),
        UNIT_TEST(words_are_shown_in_utf8),
        UNIT_TEST(strings_of_json),
        UNIT_TEST(files_appear_whole_or_not_at_all),
    };
    return cmocka_run_group_tests_name("texts", tests, NULL, NULL);
}
