/* Tables as text: every style of CSV, what is missing, and what is wrong with a file in one line. */
#include "tables.h"

#include <locale.h>
#include <math.h>
#include <zlib.h>

static void csv_in_each_style(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0,-1000\n0.25,-999.75\n0.5,-999.5\n",
        "0,-1000\n0.25,-999.75\n0.5,-999.5",
        "a,b\n0,-1000\n0.25,-999.75\n0.5,-999.5\n",
        "\"a, or b\",c\r\n0,-1000\r\n0.25,-999.75\r\n0.5,-999.5\r\n",
        "# made by hand\n\n  # twice\na;b\n0;-1e3\n\n25e-2;-99975E-2\n#\n+.5 ; -0.9995e+3\n\n# end",
        "0 -1000\n0.25\t-999.75\n  0.5 \t -999.5  \n",
        "x y\n0 -1000\n0.25 -999.75\n0.5 -999.5\n",
        "\xef\xbb\xbf"
        "0,-1000\n0.25,-999.75\n0.5,-999.5\n",
        "\xef\xbb\xbf"
        "a,b\n0,-1000\n0.25,-999.75\n0.5,-999.5\n",
        "first;second, or none\n0,-1000\n0.25,-999.75\n0.5,-999.5\n",
        "a,b\n\"0\",\"-1000\"\n\"0.25\",-999.75\n0.5,\"-999.5\"\n",
        "a,b\n0,-1000,\n0.25,-999.75,\n0.5,-999.5,\n",
        "a,b,,\n0,-1000,,\n0.25,-999.75,,,\n0.5,-999.5,,\n",
        "0,-1000\n0.25,-999.75,\n0.5,-999.5\n",
        "a;b\n0;-1000\n0,25;-999,75\n\"0,5\";-9,995e2\n",
        "a;b;\n,0;-1000;\n,25;-999,75;\n0,5;-999,5;\n",
        "0,0\t-1000\n0,25\t-999,75\n0,5\t-999,5\n",
        "a b\tc\n0\t-1000\t\n0.25\t-999.75\t\n0.5\t-999.5\t\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = test_path("table.csv");
        double out[6];
        test_write_text(path, texts[i]);
        struct shoal_table *table = open_table(path, NULL);
        assert_int_equal(shoal_table_get_info(table)->rows, 3);
        assert_int_equal(shoal_table_get_info(table)->columns, 2);
        assert_ok(shoal_table_read(table, 0, 3, out, &test_error));
        for (size_t row = 0; row < 3; row++) {
            assert_true(out[2 * row] == (double)row * 0.25);
            assert_true(out[2 * row + 1] == (double)row * 0.25 - 1000);
        }
        shoal_table_destroy(&table);
    }
}

/* Groups of thousands, signs of percent and currency: whole columns say what they are. */
static void csv_amounts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *note; /* note: a part of it; NULL: the first row does not show it */
        double value;            /* of the last row, first column */
    } cases[] = {
        {"7,2\n\"1,234.5\",2\n", NULL, 1234.5},
        {"x,y\n\"1,234\",2\n2.5,3\n\"-1,235\",2\n",
         "column 1 (x) has numbers such as '1,234', which is read as 1234", -1235},
        {"x,y\n\"1,234,567\",2\n\"1,235\",2\n", "which is read as 1234567", 1235},
        {"\"12,34,567.5\",2\n", "which is read as 1234567.5", 1234567.5},
        {"1.234,5;2\n1.235;3\n", "'1.234,5', which is read as 1234.5", 1235},
        {"1 234,5;2\n1 235;3\n", "'1 234,5', which is read as 1234.5", 1235},
        {"7,2\n1 234 567.5,2\n", NULL, 1234567.5},
        {"7,2\n1\xc2\xa0"
         "234,2\n",
         NULL, 1234},
        {"7,2\n1'234.5,2\n", NULL, 1234.5},
        {"7,2\n1_234,2\n", NULL, 1234},
        {"12 %,2\n-3.5%,2\n", "'12 %', which is read as 12", -3.5},
        {"$5.00,2\n-$6.50,2\n", "'$5.00', which is read as 5", -6.5},
        {"5,00 \xe2\x82\xac;2\n1.006,50 \xe2\x82\xac;2\n", "which is read as 5", 1006.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_path("table.csv");
        double out[2];
        test_write_text(path, cases[i].text);
        struct shoal_table *table = open_table(path, NULL);
        const struct shoal_table_info *info = shoal_table_get_info(table);
        assert_ok(shoal_table_read(table, info->rows - 1, 1, out, &test_error));
        assert_true(out[0] == cases[i].value);
        if (cases[i].note)
            assert_non_null(strstr(info->notes, cases[i].note));
        else
            assert_string_equal(info->notes, "");
        shoal_table_destroy(&table);
    }
}

static void csv_names_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *text, *names[2];
    } cases[] = {
        {"t,y\n0,1\n", {"t", "y"}},
        {"\xef\xbb\xbf# made by hand\n \"time (s)\" , y \r\n0,1\n", {"time (s)", "y"}},
        {"\"a, or b\",c\n0,1\n", {"a, or b", "c"}},
        {"\"t; s\",y\n0,1\n", {"t; s", "y"}},
        {"t,note\n0,\"a \"\"b\"\"; c\"\n", {"t", "note"}},
        {"x\ty\n0 1\n", {"x", "y"}},
        {"a\001b,\n0,1\n", {"a?b", "2"}},
        {"0,1\n", {NULL}},
    };
    const char *path = test_path("table.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_write_text(path, cases[i].text);
        struct shoal_table *table = open_table(path, NULL);
        assert_true((table->names != NULL) == (cases[i].names[0] != NULL));
        for (size_t c = 0; c < 2 && table->names; c++)
            assert_string_equal(table->names[c], cases[i].names[c]);
        shoal_table_destroy(&table);
    }
}

/* Written by iconv from "1,2\n". */
static void other_encodings_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        const char *encoding;
    } cases[] = {{"\xff\xfe"
                  "1\0,\0"
                  "2\0\n\0",
                  10, "UTF-16"},
                 {"\xfe\xff\0"
                  "1\0,\0"
                  "2\0\n",
                  10, "UTF-16"},
                 {"1\0,\0"
                  "2\0\n\0",
                  8, "UTF-16"},
                 {"\0"
                  "1\0,\0"
                  "2\0\n",
                  8, "UTF-16"},
                 {"\xff\xfe\0\0"
                  "1\0\0\0",
                  8, "UTF-32"},
                 {"\0\0\xfe\xff\0\0\0"
                  "1",
                  8, "UTF-32"}};
    struct shoal_table *table;
    char wanted[80];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_write_file(test_path("table.csv"), cases[i].bytes, cases[i].count);
        assert_status(shoal_table_open(test_path("table.csv"), NULL, &table, &test_error), SHOAL_IO);
        snprintf(wanted, sizeof wanted, "table.csv: is text in %s: save it as UTF-8", cases[i].encoding);
        assert_contains(test_error.message, wanted);
    }
    test_write_text(test_path("table.csv"), "# made by hand\ra,b\r1,2\r");
    assert_status(shoal_table_open(test_path("table.csv"), NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message,
                    "table.csv: has lines that end in CR alone: convert it: tr '\\r' '\\n' <");
    test_write_text(test_path("table.csv"), "1,2\r");
    table = open_table(test_path("table.csv"), NULL);
    assert_int_equal(table->info.rows, 1);
    shoal_table_destroy(&table);
}

/* Whole, cut and damaged. */
static void packed_tables(void **state)
{
    (void)state;
    static const char text[] = "a,b\n0,-16\n0.25,-15.75\n";
    unsigned char packed[256];
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)text,
                       .avail_in = sizeof text - 1,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    struct shoal_table *table;
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    const size_t bytes = stream.total_out;
    deflateEnd(&stream);
    const char *path = test_path("table.csv.gz");
    test_write_file(path, packed, bytes);
    table = open_table(path, NULL);
    check_numbers(table, 2, 2);
    shoal_table_destroy(&table);
    test_write_file(path, packed, bytes - 9);
    assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "table.csv.gz: is cut: its gzip data end early");
    packed[bytes / 2] ^= 0x55;
    test_write_file(path, packed, bytes);
    assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "table.csv.gz: its gzip data are damaged");
}

static struct shoal_table *choose(const char *columns, bool drops)
{
    struct shoal_table *table = open_table(test_path("table.csv"), NULL);
    assert_ok(shoal_table_choose(&table, columns, drops, &test_error));
    return table;
}

static void columns_that_are_chosen(void **state)
{
    (void)state;
    static const char text[] = "day,\"a, b\",c d,e\nmon,1,2,3\ntue,4,,6\nwed,7,8,NA\nthu,10,11,12\n";
    static const struct {
        const char *columns;
        size_t rows, width;
        double numbers[8];
    } cases[] = {{"'a, b'", 4, 1, {1, 4, 7, 10}},
                 {"e, 2", 3, 2, {3, 1, 6, 4, 12, 10}},
                 {"2-3", 3, 2, {1, 2, 7, 8, 10, 11}},
                 {"4, \"c d\", 2", 2, 3, {3, 2, 1, 12, 11, 10}}};
    test_write_text(test_path("table.csv"), text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_table *table = choose(cases[i].columns, true);
        double out[8];
        assert_int_equal(table->info.rows, cases[i].rows);
        assert_int_equal(table->info.columns, cases[i].width);
        assert_int_equal(table->info.dropped, 4 - cases[i].rows);
        assert_string_equal(shoal_table_column_name(table, 0), i == 1 || i == 3 ? "e" : "a, b");
        assert_null(shoal_table_column_name(table, cases[i].width));
        assert_ok(shoal_table_read(table, 0, cases[i].rows, out, &test_error));
        assert_memory_equal(out, cases[i].numbers, cases[i].rows * cases[i].width * sizeof *out);
        for (size_t row = cases[i].rows; row-- > 0;) {
            assert_ok(shoal_table_read(table, row, 1, out, &test_error));
            assert_memory_equal(out, cases[i].numbers + row * cases[i].width, cases[i].width * sizeof *out);
        }
        shoal_table_destroy(&table);
    }
    static const struct {
        const char *columns, *message;
    } refused[] = {
        {"f", "columns: "},
        {"f", "has no column 'f'; its 4 columns are numbered from 1, the first is 'day'"},
        {"e, 4", "columns: column 4 of "},
        {"e number", "columns: 'number' is more than a column; commas separate them"},
        {"'e", "columns: a quote (') is not closed"},
        {"day, e", "row 1 (line 2), column 1 (day): 'mon' is not a number"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct shoal_table *table = open_table(test_path("table.csv"), NULL);
        assert_true(shoal_table_choose(&table, refused[i].columns, true, &test_error) != SHOAL_OK);
        assert_contains(test_error.message, refused[i].message);
        assert_null(table);
    }
}

/* Of other columns they may be the text of anything. */
static void decimal_commas_of_the_columns_in_use(void **state)
{
    (void)state;
    static const char text[] = "t;version;y;z\n0.5;1,5;2;3,5\n1.5;1,6;;4\n2.5;1,7;6;5,5;\n";
    double out[4];
    test_write_text(test_path("table.csv"), text);
    struct shoal_table *table = choose("y, t", true);
    assert_ok(shoal_table_read(table, 0, 2, out, &test_error));
    assert_memory_equal(out, ((const double[4]){2, 0.5, 6, 2.5}), sizeof out);
    shoal_table_destroy(&table);
    table = choose("z, version", false);
    assert_ok(shoal_table_read(table, 1, 2, out, &test_error));
    assert_memory_equal(out, ((const double[4]){4, 1.6, 5.5, 1.7}), sizeof out);
    shoal_table_destroy(&table);
    table = choose("t, z", false);
    assert_status(shoal_table_read(table, 0, 1, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message,
                    "column 1 (t): '0.5' has a decimal point, and other numbers of the columns in use have");
    shoal_table_destroy(&table);
}

/* More rows than marks, and more dropped than kept between some of them. */
static void rows_that_are_dropped(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    FILE *file = fopen(test_path("table.csv"), "w");
    double row[2];
    size_t kept = 0;
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, i % 3 == 1 || (i > 1000 && i < 2000) ? "%d,\n" : "%d,1\n", i);
    fclose(file);
    struct shoal_table *table = choose(NULL, true);
    for (int i = 0; i < ROWS; i++)
        if (!(i % 3 == 1 || (i > 1000 && i < 2000))) {
            assert_ok(shoal_table_read(table, kept++, 1, row, &test_error));
            assert_true(row[0] == i && row[1] == 1);
        }
    assert_int_equal(table->info.rows, kept);
    assert_int_equal(table->info.dropped, ROWS - kept);
    shoal_table_destroy(&table);
    /* A number that is none by name counts as missing; an infinity does not. */
    test_write_text(test_path("table.csv"), "1,2\nnan,3\n4,\"NaN\"\n5,6\nx,NAN\n");
    table = choose("2", true);
    assert_int_equal(table->info.rows, 3);
    assert_null(shoal_table_column_name(table, 0));
    assert_ok(shoal_table_read(table, 2, 1, row, &test_error));
    assert_true(row[0] == 6);
    shoal_table_destroy(&table);
    test_write_text(test_path("table.csv"), "1\ninf\n");
    table = open_table(test_path("table.csv"), NULL);
    assert_status(shoal_table_choose(&table, NULL, true, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "'inf' is not finite");
    test_write_text(test_path("table.csv"), "a,b\n1,\n?,2\n");
    table = open_table(test_path("table.csv"), NULL);
    assert_status(shoal_table_choose(&table, NULL, true, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "a value is missing in each of its rows");
    test_write_file(test_path("table.bin"), (const double[6]){0}, 6 * sizeof(double));
    table = open_table(test_path("table.bin"), "f8:3x2");
    assert_status(shoal_table_choose(&table, NULL, true, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "is raw, and --missing drop is for text: save it without");
}

static void csv_that_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"1,2\n3\n", "row 2 (line 2) has 1 column, the first line has 2"},
        {"# c\na,b\n1,2\n\n3,4,5\n", "row 2 (line 5) has 3 columns, the first line has 2"},
        {"1,2\n3,\n",
         "row 2 (line 2), column 2: '' is missing: fill it in, or have such rows left out by --missing"},
        {"1,2\n,4\n", "row 2 (line 2), column 1: '' is missing"},
        {"1,b\n3,4\n", "row 1 (line 1), column 2: 'b' is not a number"},
        {"1,2\n3,4x\n", "row 2 (line 2), column 2: '4x' is not a number"},
        {"1,2\n3,0x10\n", "'0x10' is not a number"},
        {"1,2\n3,4 5\n", "'4 5' is not a number"},
        {"a,b\n1,2\n3,?\n", "row 2 (line 3), column 2 (b): '?' is missing"},
        {"\"wind, m/s\",b\nNA,2\n3,4\n", "row 1 (line 2), column 1 (wind, m/s): 'NA' is missing"},
        {"a,b,c\n1,2,\n", "row 1 (line 2), column 3 (c): '' is missing"},
        {"1;2,5\n3.5;4\n",
         "column 1: '3.5' has a decimal point, and other numbers of the columns in use have decimal commas"},
        {"1;2,5\n3;1.23,5\n", "column 2: '1.23,5' is not a number"},
        {"1,2\n\"1,5\",5\n", "column 1: '\"1,5\"' has a decimal comma, and commas separate"},
        {"1,2\n\"1,234\",5\n", "column 1: '\"1,234\"' may have its comma between thousands or for decimals"},
        {"1,2\n5 %,5\n", "column 1: '5 %' and other numbers of its column: some have a sign of percent"},
        {"1,2\n\"3,4\n", "column 1: '\"3,4' has a quote that is not closed in its line"},
        {"1,2\n\"ab\"cd,4\n", "column 1: '\"ab\"cd' has text behind its closing quote; quotes within"},
        {"1,2\n\"ab\"cd\",4\n", "column 1: '\"ab\"cd\"' has text behind its closing quote"},
        {"1,2\n\",4\n", "column 1: '\",4' has a quote that is not closed in its line"},
        {"1,2\n\"a\"\"\n", "column 1: '\"a\"\"' has a quote that is not closed in its line"},
        {"1,2\n\"NA\",4\n", "column 1: '\"NA\"' is not a number"},
        {"t,y,z\n0,1\n", "row 1 (line 2) has 2 columns, the first line has 3"},
        {"1,2\nnan,4\n",
         "row 2 (line 2), column 1: 'nan' is missing: fill it in, or have such rows left out by --missing"},
        {"1,2\n3,-Inf\n", "row 2 (line 2), column 2: '-Inf' is not finite"},
        {"1,2\n3,1e999\n", "'1e999' is not finite"},
        {"1,2\n3,1\001\n", "'1?' is not a number"},
        {"1,2\n3,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
         "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is"},
    };
    struct shoal_table *table;
    const char *path = test_path("table.csv");
    double out[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_write_text(path, cases[i].text);
        table = open_table(path, NULL);
        assert_status(shoal_table_read(table, 0, shoal_table_get_info(table)->rows, out, &test_error),
                      SHOAL_IO);
        assert_contains(test_error.message, cases[i].message);
        assert_contains(test_error.message, "table.csv: row ");
        shoal_table_destroy(&table);
    }
    static const char *const empty[] = {"", "\n\n", "# nothing\n", "a,b\n", "a b"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        test_write_text(path, empty[i]);
        assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "table.csv: has no rows");
    }
}

/* A zero byte is no end of text. */
static void csv_with_a_zero_byte(void **state)
{
    (void)state;
    double out[4];
    const char *path = test_path("table.csv");
    test_write_file(path,
                    "1,2\n3,4\0"
                    "5\n",
                    10);
    struct shoal_table *table = open_table(path, NULL);
    assert_status(shoal_table_read(table, 0, 2, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "'4?5' is not a number");
    shoal_table_destroy(&table);
}

/* More lines than one block of the reader holds, and a line longer than one. */
static void csv_that_is_large(void **state)
{
    (void)state;
    const char *path = test_path("table.csv");
    for (int wide = 0; wide < 2; wide++) {
        const size_t rows = wide ? 3 : 20011, columns = wide ? 30000 : 3;
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        for (size_t i = 0; i < rows * columns; i++) {
            if (i % columns == 0 && i / columns % 100 == 50)
                fputs("# a comment between\n", file);
            fprintf(file, "%.17g%c", number(i / columns, i % columns),
                    i % columns + 1 < columns ? ',' : '\n');
        }
        fclose(file);
        struct shoal_table *table = open_table(path, NULL);
        check_numbers(table, rows, columns);
        shoal_table_destroy(&table);
    }
}

/* A locale with a decimal comma changes nothing, neither in reading nor in writing. */
static void csv_in_another_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "cs_CZ.UTF-8", "pt_BR.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    const char *path = test_path("table.csv"), *copy = test_path("copy.csv");
    double out[2];
    test_write_text(path, "0.5,-1000.25\n");
    struct shoal_table *table = open_table(path, NULL);
    assert_ok(shoal_table_read(table, 0, 1, out, &test_error));
    assert_ok(shoal_table_write(table, copy, SHOAL_FP64, NULL, NULL, &test_error));
    shoal_table_destroy(&table);
    setlocale(LC_NUMERIC, "C");
    assert_true(out[0] == 0.5 && out[1] == -1000.25);
    char text[64] = "";
    FILE *file = fopen(copy, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "0.5,-1000.25\n");
    if (!found)
        print_message("no locale with a decimal comma is installed: read in the C locale only\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(csv_in_each_style),
        UNIT_TEST(csv_names_are_kept),
        UNIT_TEST(csv_amounts),
        UNIT_TEST(other_encodings_are_named),
        UNIT_TEST(packed_tables),
        UNIT_TEST(columns_that_are_chosen),
        UNIT_TEST(decimal_commas_of_the_columns_in_use),
        UNIT_TEST(rows_that_are_dropped),
        UNIT_TEST(csv_that_is_refused),
        UNIT_TEST(csv_with_a_zero_byte),
        UNIT_TEST(csv_that_is_large),
        UNIT_TEST(csv_in_another_locale),
    };
    return cmocka_run_group_tests_name("table texts", tests, NULL, NULL);
}
