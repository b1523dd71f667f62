/* Numbers, words, values, tables and exit codes of the command, without running it. */
#include "cli/cli.h"
#include "cli/commands/tune.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void seconds_have_four_digits(void **state)
{
    (void)state;
    assert_string_equal(cli_seconds(0).s, "0 s");
    assert_string_equal(cli_seconds(1).s, "1.000 s");
    assert_string_equal(cli_seconds(0.0012345).s, "1.234 ms");
    assert_string_equal(cli_seconds(12.5e-6).s, "12.50 us");
    assert_string_equal(cli_seconds(3e-9).s, "3.000 ns");
    assert_string_equal(cli_seconds(2e-12).s, "0.002 ns");
    assert_string_equal(cli_seconds(4321).s, "4321 s");
    assert_string_equal(cli_seconds(-1).s, "-");
    assert_string_equal(cli_seconds(0.0 / 0.0).s, "-");
}

static void rounding_moves_to_the_next_prefix(void **state)
{
    (void)state;
    assert_string_equal(cli_seconds(0.99999).s, "1.000 s");
    assert_string_equal(cli_seconds(0.0009999999).s, "1.000 ms");
    assert_string_equal(cli_si(999.99, "B/s").s, "1.000 kB/s");
    assert_string_equal(cli_si(99.999, "").s, "100.0");
    assert_string_equal(cli_si(9.99999e9, "").s, "10.00 G");
    assert_string_equal(cli_si(4.8e12, "B/s").s, "4.800 TB/s");
    assert_string_equal(cli_si(0.25, "op/s").s, "0.250 op/s");
}

static void sizes_are_binary(void **state)
{
    (void)state;
    assert_string_equal(cli_bytes(0).s, "0 B");
    assert_string_equal(cli_bytes(1023).s, "1023 B");
    assert_string_equal(cli_bytes(1024).s, "1 KiB");
    assert_string_equal(cli_bytes(49152).s, "48 KiB");
    assert_string_equal(cli_bytes((uint64_t)141 << 30).s, "141 GiB");
    assert_string_equal(cli_bytes(UINT64_MAX).s, "1.638e+04 PiB");
}

static void ratios(void **state)
{
    (void)state;
    assert_string_equal(cli_ratio(1).s, "1.00x");
    assert_string_equal(cli_ratio(0.5).s, "0.50x");
    assert_string_equal(cli_ratio(0.012).s, "0.012x");
    assert_string_equal(cli_ratio(12.34).s, "12.3x");
    assert_string_equal(cli_ratio(1234).s, "1234x");
    assert_string_equal(cli_ratio(0.0 / 0.0).s, "-");
}

static void roofs(void **state)
{
    (void)state;
    assert_string_equal(cli_roof(1.05e11, "flop/s").s, "105.0 Gflop/s");
    assert_string_equal(cli_roof(2e-6, "s").s, "2.000 us");
    assert_string_equal(cli_roof(0, "flop/s").s, "-");
    assert_string_equal(cli_roof(0.0 / 0.0, "B/s").s, "busy, not measured");
}

static void measurements_and_whole_numbers(void **state)
{
    (void)state;
    assert_string_equal(cli_number(0.0).s, "0");
    assert_string_equal(cli_number(1.0 / 3).s, "0.333333");
    assert_string_equal(cli_number(1234567.8).s, "1.23457e+06");
    assert_string_equal(cli_number(1234567).s, "1234567");
    assert_string_equal(cli_number(-123456789012345).s, "-123456789012345");
    assert_string_equal(cli_number(1e15).s, "1e+15");
    assert_string_equal(cli_number(0.0 / 0.0).s, "-");
}

static void exact_numbers_read_back_the_same(void **state)
{
    (void)state;
    assert_string_equal(cli_exact(0.1, false).s, "0.1");
    assert_string_equal(cli_exact(0.1 + 0.2, false).s, "0.30000000000000004");
    assert_string_equal(cli_exact(1700000000.5004437, false).s, "1700000000.5004437");
    assert_string_equal(cli_exact((double)0.1f, true).s, "0.1");
    assert_string_equal(cli_exact((double)0.1f, false).s, "0.10000000149011612");
    /* None of single precision, for example refined in double. */
    assert_string_equal(cli_exact(0.1 + 0.2, true).s, "0.30000000000000004");
    assert_string_equal(cli_exact(-16777216, true).s, "-16777216");
    assert_string_equal(cli_exact(1.0 / 0.0, false).s, "-");
    assert_string_equal(cli_digits((double)0.3f, 9).s, "0.3");
    assert_string_equal(cli_digits(0.1 + 0.2, 17).s, "0.30000000000000004");
    assert_string_equal(cli_digits(0.1 + 0.2, 0).s, "0.3");
}

static void values_are_shown_down_to_their_errors(void **state)
{
    (void)state;
    assert_string_equal(cli_uncertain(0.30123, 0.0482).s, "0.301 +- 0.048");
    assert_string_equal(cli_uncertain(1700000000.5004437, 0.00043612).s, "1700000000.50044 +- 0.00044");
    assert_string_equal(cli_uncertain(0.5, 0.2999).s, "0.50 +- 0.30");
    assert_string_equal(cli_uncertain(0.5, 0.0996).s, "0.50 +- 0.10");
    assert_string_equal(cli_uncertain(123456, 4800).s, "123456 +- 4800");
    assert_string_equal(cli_uncertain(6.02214076e23, 3e15).s, "6.022140760e+23 +- 3e+15");
    assert_string_equal(cli_uncertain(1.2345678e-12, 3.2e-16).s, "1.23457e-12 +- 3.2e-16");
    assert_string_equal(cli_uncertain(1e-7, 0.05).s, "0.000 +- 0.050");
    assert_string_equal(cli_uncertain(0, 0.05).s, "0.000 +- 0.050");
    assert_string_equal(cli_uncertain(1.5, 0).s, "1.5 +- 0");
    assert_string_equal(cli_uncertain(1.0 / 3, 0.0 / 0.0).s, "0.333333");
    /* An error below the digits of a double. */
    assert_string_equal(cli_to_error(0.75, 1e-30).s, "0.75000000000000000");
    assert_string_equal(cli_to_error(0.1 + 0.2, 0.0 / 0.0).s, "0.30000000000000004");
    assert_string_equal(cli_mean(1700000000.25, 1700000000, 1700000001).s, "1700000000.2500000");
    assert_string_equal(cli_mean(1.0 / 3, 0, 1).s, "0.333333");
}

static void shares_of_almost_one_are_not_one(void **state)
{
    (void)state;
    assert_string_equal(cli_share(1, 4).s, "1");
    assert_string_equal(cli_share(0.5, 4).s, "0.5");
    assert_string_equal(cli_share(0.99994, 4).s, "0.9999");
    assert_string_equal(cli_share(0.99996, 4).s, "0.999960");
    assert_string_equal(cli_share(0.99999983, 6).s, "0.99999983");
    assert_string_equal(cli_share(0.0 / 0.0, 4).s, "-");
}

struct values {
    uint64_t number;
    double real;
    bool flag;
    int32_t choice;
    const char *text;
};
static const char *const choices[] = {"red", "green", NULL};
static const struct shoal_option options[] = {
    {"number", SHOAL_OPTION_UINT, offsetof(struct values, number), "", 1, 18446744073709551615.0, NULL, ""},
    {"real", SHOAL_OPTION_REAL, offsetof(struct values, real), "", -2, 2, NULL, ""},
    {"flag", SHOAL_OPTION_FLAG, offsetof(struct values, flag), "", 0, 0, NULL, ""},
    {"choice", SHOAL_OPTION_CHOICE, offsetof(struct values, choice), "", 0, 0, choices, ""},
    {"text", SHOAL_OPTION_TEXT, offsetof(struct values, text), "", 0, 0, NULL, ""},
};

static void whole_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"1", 1},
                {"18446744073709551615", UINT64_MAX},
                {"1e6", 1000000},
                {"2E3", 2000},
                {"64Ki", 65536},
                {"3M", 3000000},
                {"1e19", 10000000000000000000u}};
    static const char *const bad[] = {"",
                                      "0",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.5",
                                      "1e",
                                      "1e-3",
                                      "1e20",
                                      "0x10",
                                      "64KiB",
                                      "k",
                                      "1e99999999999999999999",
                                      "nan",
                                      "18446744073709551616",
                                      "20000000000G"};
    struct values values = {0};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(cli_value_set(&options[0], &values, good[i].text, "test"));
        assert_true(values.number == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cli_value_set(&options[0], &values, bad[i], "test"));
}

static void other_values(void **state)
{
    struct values values = {0};
    (void)state;
    assert_true(cli_value_set(&options[1], &values, "-1.5e0", "test") && values.real == -1.5);
    assert_false(cli_value_set(&options[1], &values, "2.1", "test"));
    assert_false(cli_value_set(&options[1], &values, "inf", "test"));
    assert_false(cli_value_set(&options[1], &values, "1,5", "test"));
    assert_true(cli_value_set(&options[2], &values, "Yes", "test") && values.flag);
    assert_true(cli_value_set(&options[2], &values, "off", "test") && !values.flag);
    assert_false(cli_value_set(&options[2], &values, "", "test"));
    assert_true(cli_value_set(&options[3], &values, "green", "test") && values.choice == 1);
    assert_false(cli_value_set(&options[3], &values, "gree", "test"));
    assert_false(cli_value_set(&options[4], &values, "", "test"));
    assert_true(cli_value_set(&options[4], &values, "x y", "test"));
    assert_string_equal(cli_value_get(&options[3], &values).s, "green");
    char *line = cli_values_line(options, 5, &values, NULL);
    assert_non_null(strstr(line, "real=-1.5 choice=green text=x y"));
    free(line);
    const struct values defaults = {.real = -1.5, .choice = 1};
    line = cli_values_line(options + 1, 4, &values, &defaults);
    assert_string_equal(line, "text=x y");
    free(line);
}

static void unset_values_have_no_text(void **state)
{
    struct values values = {.real = 0.0 / 0.0};
    (void)state;
    assert_string_equal(cli_value_get(&options[1], &values).s, "");
    assert_string_equal(cli_value_get(&options[4], &values).s, "");
    char *line = cli_values_line(options + 1, 1, &values, NULL);
    assert_string_equal(line, "");
    free(line);
}

static void table_layout(void **state)
{
    static const struct cli_column columns[] = {{.title = "device"},
                                                {.title = "name", .least = 8},
                                                {.title = "time", .right = true},
                                                {.title = "note"}};
    struct cli_table *table = cli_table_new(columns, 4);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    (void)state;
    cli_table_row(table);
    cli_table_cell(table, "cuda:0");
    cli_table_cell(table, "Caf\xc3\xa9");
    cli_table_cell(table, "1.5 s");
    cli_table_cell(table, "x");
    cli_table_row(table);
    cli_table_cell(table, "opencl:10");
    cli_table_span(table, "device lost: a reason longer than the columns");
    cli_table_row(table);
    cli_table_cell(table, "host");
    cli_table_cell(table, "Cafe au lait");
    cli_table_cell(table, "12.5 s");
    cli_table_print(table, file);
    fclose(file);
    assert_string_equal(text, "device     name            time  note\n"
                              "cuda:0     Caf\xc3\xa9           1.5 s  x\n"
                              "opencl:10  device lost: a reason longer than the columns\n"
                              "host       Cafe au lait  12.5 s\n");
    free(text);
    cli_table_free(&table);
    assert_null(table);
}

static void exit_codes(void **state)
{
    static const struct {
        enum shoal_status status;
        int code;
    } codes[] = {{SHOAL_OK, 0},
                 {SHOAL_FAILED, 1},
                 {SHOAL_INVALID, 2},
                 {SHOAL_NO_DEVICE, 3},
                 {SHOAL_BUILD_FAILED, 4},
                 {SHOAL_OUT_OF_DEVICE_MEMORY, 5},
                 {SHOAL_OUT_OF_HOST_MEMORY, 1},
                 {SHOAL_DEVICE_LOST, 1},
                 {SHOAL_UNSUPPORTED, 1},
                 {SHOAL_IO, 1},
                 {SHOAL_CHECK_FAILED, 6},
                 {SHOAL_STOPPED, 130}};
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(cli_exit_code(codes[i].status), codes[i].code);
    assert_int_equal(cli_first_failure(0, 4), 4);
    assert_int_equal(cli_first_failure(3, 4), 3);
    assert_int_equal(cli_first_failure(3, 0), 3);
}

static void json_numbers_are_exact(void **state)
{
    cJSON *json = cli_json_new("test");
    struct values values = {.number = UINT64_MAX, .real = 0.0 / 0.0};
    (void)state;
    cli_json_uint(json, "large", 9007199254740993u);
    cli_json_real(json, "infinite", 1.0 / 0.0);
    cli_json_text(json, "name", "a\xff\xc3");
    cli_json_options(json, options, 2, &values);
    char *text = cJSON_PrintUnformatted(json);
    assert_string_equal(
        text, "{\"schema\":1,\"shoal\":\""
              "0.1.0"
              "\",\"command\":\"test\",\"large\":9007199254740993,"
              "\"infinite\":null,\"name\":\"a??\",\"number\":\"18446744073709551615\",\"real\":null}");
    cJSON_free(text);
    cJSON_Delete(json);
}

static void tried_sizes_are_those_asked_for(void **state)
{
    (void)state;
    static const int64_t sizes[] = {32, 64, 128, 256, 512};
    int64_t kept[TUNE_TRIALS];
    assert_int_equal(tune_within(sizes, 5, 16, 1024, kept), 5);
    assert_memory_equal(kept, sizes, sizeof sizes);
    assert_int_equal(tune_within(sizes, 5, 64, 256, kept), 3);
    assert_memory_equal(kept, sizes + 1, 3 * sizeof *sizes);
    assert_int_equal(tune_within(sizes, 5, 65, 127, kept), 0);
    assert_int_equal(tune_within(sizes, 5, 512, 65536, kept), 1);
    assert_int_equal(kept[0], 512);
}

/* What computes on the host alone is compared with nothing. */
static void every_workload_has_the_sizes_of_compare(void **state)
{
    (void)state;
    static const char *const names[] = {"small", "medium", "large"};
    for (size_t w = 0; w < shoal_workload_count(); w++) {
        const struct shoal_workload *workload = shoal_workload_at(w);
        size_t found[3] = {0};
        for (size_t i = 0; i < shoal_workload_case_count(workload); i++) {
            const struct shoal_case *at = shoal_workload_case_at(workload, i);
            for (size_t n = 0; at->flags & SHOAL_CASE_COMPARE && n < 3; n++)
                found[n] += strcmp(at->name, names[n]) == 0;
        }
        for (size_t n = 0; n < 3; n++)
            assert_int_equal(found[n], !(workload->flags & SHOAL_WORKLOAD_HOST_ONLY));
    }
}

/* The third device has no units; the first one makes its four of five units in a tenth of the time. */
static void a_device_may_be_faster_alone(void **state)
{
    (void)state;
    struct shoal_part parts[] = {{.device = "fast", .count = 4, .busy_s = 1, .waited_s = 9},
                                 {.device = "slow", .count = 1, .busy_s = 10},
                                 {.device = "none", .count = 0}};
    struct cli_row row = {.parts = parts, .part_count = sizeof parts / sizeof *parts, .wall_s = 11};
    double alone, together;
    assert_ptr_equal(cli_row_faster_alone(&row, &alone, &together), &parts[0]);
    assert_true(alone == 1.25 && together == 10);
    parts[0].busy_s = 8;
    parts[0].waited_s = 2;
    assert_null(cli_row_faster_alone(&row, &alone, &together)); /* it would take 10 s, too */
    parts[0].busy_s = 7.3;
    assert_null(cli_row_faster_alone(&row, &alone, &together)); /* 9.1 s, which is too close */
    parts[0].busy_s = 1;
    parts[2].moves = 1;
    assert_null(cli_row_faster_alone(&row, &alone, &together));
    parts[2].moves = 0;
    row.wall_s = 1.3; /* the rest was for first launches */
    assert_null(cli_row_faster_alone(&row, &alone, &together));
    parts[1].busy_s = 0.09; /* too short */
    parts[0].busy_s = parts[0].waited_s = 0.01;
    assert_null(cli_row_faster_alone(&row, &alone, &together));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_have_four_digits),
        cmocka_unit_test(rounding_moves_to_the_next_prefix),
        cmocka_unit_test(sizes_are_binary),
        cmocka_unit_test(ratios),
        cmocka_unit_test(roofs),
        cmocka_unit_test(measurements_and_whole_numbers),
        cmocka_unit_test(exact_numbers_read_back_the_same),
        cmocka_unit_test(values_are_shown_down_to_their_errors),
        cmocka_unit_test(shares_of_almost_one_are_not_one),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(other_values),
        cmocka_unit_test(unset_values_have_no_text),
        cmocka_unit_test(table_layout),
        cmocka_unit_test(exit_codes),
        cmocka_unit_test(json_numbers_are_exact),
        cmocka_unit_test(tried_sizes_are_those_asked_for),
        cmocka_unit_test(every_workload_has_the_sizes_of_compare),
        cmocka_unit_test(a_device_may_be_faster_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
