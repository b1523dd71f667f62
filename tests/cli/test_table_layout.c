/* Tables, blocks and paragraphs in a given width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/tables/layout.h"
#include "cli/output/tables/table.h"
#include "cli/output/text.h"
#include "cli/run/split.h"

static char *text;
static size_t bytes;

static FILE *begin(const char *columns)
{
    setenv("COLUMNS", columns, 1);
    return open_memstream(&text, &bytes);
}

static void expect(FILE *file, const char *expected)
{
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void width_is_that_of_the_variable_else_80(void **state)
{
    static const struct {
        const char *columns;
        size_t width;
    } cases[] = {{"100", 100}, {"20", 20}, {"19", 80},        {"", 80},
                 {"wide", 80}, {"-5", 80}, {"9999999999", 80}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = begin(cases[i].columns);
        assert_int_equal(cli_width(file), cases[i].width);
        expect(file, "");
    }
    unsetenv("COLUMNS");
    FILE *file = open_memstream(&text, &bytes);
    assert_int_equal(cli_width(file), 80);
    expect(file, "");
}

static void names_are_shortened_in_the_middle(void **state)
{
    static const struct {
        const char *name, *shown;
        size_t width;
    } cases[] = {
        {"AMD EPYC", "AMD EPYC", 8},
        {"pthread-skylake-avx512-AMD EPYC", "pthre... EPYC", 13},
        {"abcdefgh", "a...h", 5},
        {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "\xc3\xa9\xc3\xa9...\xc3\xa9", 6}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *shown = cli_shortened(cases[i].name, cases[i].width);
        assert_string_equal(shown, cases[i].shown);
        assert_int_equal(cli_columns(shown), cases[i].width);
        free(shown);
    }
}

static void paragraphs_break_at_blanks(void **state)
{
    (void)state;
    FILE *file = begin("20");
    cli_paragraph(file, 4, "gas  one two three four-and-a-half-words-that-are-long end");
    cli_paragraph(file, 0, "");
    cli_paragraph(file, 2, "exactly-20-columns-x more");
    expect(file, "gas  one two three\n"
                 "    four-and-a-half-words-that-are-long\n"
                 "    end\n"
                 "\n"
                 "exactly-20-columns-x\n"
                 "  more\n");
}

static void blocks_align_their_values(void **state)
{
    struct cli_block *block = cli_block_new();
    (void)state;
    cli_block_line(block, "force_error", "%.1f", 0.5);
    cli_block_line(block, "of", "%s", "one two three four");
    FILE *file = begin("24");
    cli_block_print(block, file);
    expect(file, "force error:  0.5\n"
                 "of:           one two\n"
                 "              three four\n");
    cli_block_free(&block);
    assert_null(block);
}

static const struct cli_column columns[] = {{.title = "device"},
                                            {.title = "name", .least = 9, .rank = 1},
                                            {.title = "check"},
                                            {.title = "empty"},
                                            {.title = "time", .stays = true, .right = true},
                                            {.title = "build", .right = true, .rank = 2}};

static void add_row(struct cli_table *table, const char *device, const char *name, const char *build)
{
    cli_table_row(table);
    cli_table_cell(table, "%s", device);
    cli_table_cell(table, "%s", name);
    cli_table_cell(table, "pass");
    cli_table_cell(table, "-");
    cli_table_cell(table, "1 s");
    cli_table_cell(table, "%s", build);
}

static struct cli_table *two_rows(void)
{
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    add_row(table, "cuda:0", "a card with a long name", "20 ms");
    add_row(table, "host", "processor", "-");
    return table;
}

static void equal_and_empty_columns_are_not_shown(void **state)
{
    struct cli_table *table = two_rows();
    (void)state;
    FILE *file = begin("80");
    cli_table_print(table, file);
    expect(file, "In all rows: check pass\n"
                 "\n"
                 "device  name                     time  build\n"
                 "cuda:0  a card with a long name   1 s  20 ms\n"
                 "host    processor                 1 s      -\n");
    /* A row without its values: they are no longer those of all. */
    cli_table_row(table);
    cli_table_cell(table, "opencl:0");
    cli_table_span(table, "device lost: it was unplugged while the second of its three kernels ran");
    file = begin("60");
    cli_table_print(table, file);
    expect(file, "device    name                     check  time  build\n"
                 "cuda:0    a card with a long name  pass    1 s  20 ms\n"
                 "host      processor                pass    1 s      -\n"
                 "opencl:0  device lost: it was unplugged while the second of\n"
                 "          its three kernels ran\n");
    cli_table_free(&table);
}

static void narrow_tables_shorten_names_then_leave_columns_out(void **state)
{
    struct cli_table *table = two_rows();
    (void)state;
    FILE *file = begin("34");
    cli_table_print(table, file);
    expect(file, "In all rows: check pass\n"
                 "\n"
                 "device  name           time  build\n"
                 "cuda:0  a car... name   1 s  20 ms\n"
                 "host    processor       1 s      -\n");
    file = begin("27");
    cli_table_print(table, file);
    expect(file, "In all rows: check pass\n"
                 "\n"
                 "device  name           time\n"
                 "cuda:0  a car... name   1 s\n"
                 "host    processor       1 s\n"
                 "Not shown in 27 columns:\n"
                 "  build; --json has all.\n");
    file = begin("20");
    cli_table_print(table, file);
    expect(file, "In all rows: check\n"
                 "  pass\n"
                 "\n"
                 "device  time\n"
                 "cuda:0   1 s\n"
                 "host     1 s\n"
                 "Not shown in 20\n"
                 "  columns: build,\n"
                 "  name; --json has\n"
                 "  all.\n");
    cli_table_free(&table);
}

static void one_row_is_a_block(void **state)
{
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    struct cli_block *block = cli_block_new();
    (void)state;
    add_row(table, "host", "processor", "-");
    cli_table_add_to(table, block);
    FILE *file = begin("80");
    cli_block_print(block, file);
    expect(file, "device:  host\n"
                 "name:    processor\n"
                 "check:   pass\n"
                 "time:    1 s\n");
    cli_block_free(&block);
    cli_table_free(&table);
}

static void errors_have_two_digits(void **state)
{
    static const struct {
        double value, error;
        const char *shown;
    } cases[] = {{0.30123, 0.0483, "0.301 +- 0.048"},
                 {1179.32, 179.3, "1179 +- 179"},
                 {-2.5, 1.25, "-2.5 +- 1.2"},
                 {1e-5, 2.5e-8, "1.0000e-05 +- 2.5e-08"},
                 {0.5, 0, "0.5 +- 0"},
                 {0.00012, 0.0000345, "0.000120 +- 0.000034"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(cli_uncertain(cases[i].value, cases[i].error).s, cases[i].shown);
}

/* Paths of copies and moves of units have columns only where there are any. */
static void parts_have_the_columns_that_say_something(void **state)
{
    static const struct {
        const char *path;
        uint64_t moves;
        const char *shown;
    } cases[] = {{NULL, 0,
                  "\n"
                  "device  runs  numbers     busy   waited\n"
                  "one        2   0 to 1  1.000 s  1.000 s\n"
                  "two        1        2  1.000 s  1.000 s\n"},
                 {"peer", 0,
                  "\n"
                  "device  runs  numbers     busy   waited  path\n"
                  "one        2   0 to 1  1.000 s  1.000 s  -\n"
                  "two        1        2  1.000 s  1.000 s  peer\n"},
                 {NULL, 1,
                  "\n"
                  "device  runs  numbers     busy   waited  at first  moves\n"
                  "one        2   0 to 1  1.000 s  1.000 s         2      0\n"
                  "two        1        2  1.000 s  1.000 s         3      1\n"},
                 {"peer", 1,
                  "\n"
                  "device  runs  numbers     busy   waited  path  at first  moves\n"
                  "one        2   0 to 1  1.000 s  1.000 s  -            2      0\n"
                  "two        1        2  1.000 s  1.000 s  peer         3      1\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_part one = {.device = "one",
                                 .unit = "run",
                                 .units = "runs",
                                 .count = 2,
                                 .began_with = 2,
                                 .busy_s = 1,
                                 .waited_s = 1},
                          two = one;
        two.device = "two";
        two.first = 2;
        two.count = 1;
        two.began_with = 3;
        two.moves = cases[i].moves;
        two.path = cases[i].path;
        const struct cli_row row = {.parts = (struct shoal_part[]){one, two}, .part_count = 2};
        FILE *const terminal = stdout;
        stdout = begin("100");
        run_split_print(&row);
        FILE *file = stdout;
        stdout = terminal;
        expect(file, cases[i].shown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_is_that_of_the_variable_else_80),
        cmocka_unit_test(names_are_shortened_in_the_middle),
        cmocka_unit_test(paragraphs_break_at_blanks),
        cmocka_unit_test(blocks_align_their_values),
        cmocka_unit_test(equal_and_empty_columns_are_not_shown),
        cmocka_unit_test(narrow_tables_shorten_names_then_leave_columns_out),
        cmocka_unit_test(one_row_is_a_block),
        cmocka_unit_test(errors_have_two_digits),
        cmocka_unit_test(parts_have_the_columns_that_say_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
