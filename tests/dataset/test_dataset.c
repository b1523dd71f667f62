/* Data sets: files of each format, kinds and encodings, and what is wrong with a file in one line. */
#include "unit.h"

#include <math.h>
#include <shoal/dataset.h>
#include <unistd.h>

static struct shoal_dataset_params params_of(const char *path)
{
    struct shoal_dataset_params params;
    shoal_dataset_params_init(&params);
    params.path = path;
    return params;
}

static struct shoal_dataset *open_with(const char *path, const char *target, const char *columns)
{
    struct shoal_dataset_params params = params_of(path);
    struct shoal_dataset *dataset = NULL;
    params.target = target;
    params.columns = columns;
    assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
    return dataset;
}

static struct shoal_dataset *open_text(const char *name, const char *text, const char *target,
                                       const char *columns)
{
    const char *path = test_path("%s", name);
    test_write_text(path, text);
    return open_with(path, target, columns);
}

static void check_values(const struct shoal_dataset *dataset, size_t column, const double *wanted,
                         size_t count)
{
    double *values = malloc(count * sizeof *values);
    assert_int_equal(shoal_dataset_get_info(dataset)->rows, count);
    assert_ok(shoal_dataset_read(dataset, column, 0, count, values, &test_error));
    for (size_t i = 0; i < count; i++)
        assert_true(isnan(wanted[i]) ? isnan(values[i]) : values[i] == wanted[i]);
    free(values);
}

/* Encoded rows of the whole data set, as digits with blanks between rows. */
static void check_encoded(const struct shoal_dataset *dataset, const char *wanted)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    const size_t width = info->input_width + info->target_width;
    double *values = malloc(info->rows * width * sizeof *values);
    char *digits = calloc(info->rows * (width + 1) + 1, 1), *next = digits;
    assert_ok(shoal_dataset_encode(dataset, 0, info->rows, values, &test_error));
    for (size_t i = 0; i < info->rows * width; i++) {
        if (i && i % width == 0)
            *next++ = ' ';
        *next++ = (char)('0' + (int)values[i]);
    }
    assert_string_equal(digits, wanted);
    free(values);
    free(digits);
}

static void kinds_are_those_of_the_content(void **state)
{
    (void)state;
    const char *text =
        "\xef\xbb\xbf"
        "size,\"the, colour\",open,flag,id\n# left out\n"
        "5.25,red,no,0,1\n\n?,\"a \"\"b\"\"\",yes,1,2\r\n -3 ,red,,1,300\n\"7\",blue,no,0,70000\n";
    struct shoal_dataset *dataset = open_text("a.csv", text, "'the, colour'", NULL);
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, 1);
    assert_string_equal(info->format, "csv");
    assert_int_equal(info->rows, 4);
    assert_int_equal(info->columns, 5);
    assert_int_equal(info->targets, 1);
    assert_int_equal(info->missing, 2);
    assert_int_equal(info->input_width, 4);
    assert_int_equal(info->target_width, 3);
    assert_string_equal(column->name, "the, colour");
    assert_true(column->is_target);
    assert_int_equal(column->kind, SHOAL_COLUMN_CATEGORY);
    assert_string_equal(column->categories[0], "a \"b\"");
    assert_string_equal(column->categories[1], "blue");
    assert_string_equal(column->categories[2], "red");
    assert_int_equal(column->counts[2], 2);
    assert_int_equal(shoal_dataset_column_at(dataset, 0)->kind, SHOAL_COLUMN_NUMBER);
    assert_int_equal(shoal_dataset_column_at(dataset, 0)->missing, 1);
    assert_true(shoal_dataset_column_at(dataset, 0)->mean == (5.25 - 3 + 7) / 3);
    assert_int_equal(shoal_dataset_column_at(dataset, 2)->kind, SHOAL_COLUMN_BINARY);
    assert_string_equal(shoal_dataset_column_at(dataset, 2)->categories[1], "yes");
    assert_int_equal(shoal_dataset_column_at(dataset, 3)->kind, SHOAL_COLUMN_BINARY);
    assert_int_equal(shoal_dataset_column_at(dataset, 4)->greatest, 70000);
    assert_null(shoal_dataset_column_at(dataset, 5));
    check_values(dataset, 0, (const double[]){5.25, NAN, -3, 7}, 4);
    check_values(dataset, 1, (const double[]){2, 0, 2, 1}, 4);
    check_values(dataset, 2, (const double[]){0, 1, NAN, 0}, 4);
    check_values(dataset, 3, (const double[]){0, 1, 1, 0}, 4);
    check_values(dataset, 4, (const double[]){1, 2, 300, 70000}, 4);
    double out[8];
    assert_status(shoal_dataset_encode(dataset, 1, 1, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 2, column 1 ('size') has no value");
    assert_status(shoal_dataset_read(dataset, 0, 3, 2, out, &test_error), SHOAL_INVALID);
    assert_status(shoal_dataset_read(dataset, 5, 0, 1, out, &test_error), SHOAL_INVALID);
    shoal_dataset_destroy(&dataset);
    assert_null(dataset);
}

static void lines_with_names_and_without(void **state)
{
    (void)state;
    static const struct {
        const char *text, *first;
        int header;
        size_t rows, columns;
    } cases[] = {
        {"a,b\nc,d\n", "a", -1, 1, 2},        {"a,a\nc,d\n", "1", -1, 2, 2},
        {"a,b\nc,d\n", "1", 0, 2, 2},         {"1,2\n3,4\n", "1", 1, 1, 2},
        {"a,\nc,d\n", "1", -1, 2, 2},         {"x\ty\t\n\t2\t\n", "x", 1, 1, 3},
        {"x y z\n1   2\t3\n", "x", -1, 1, 3}, {"a;b,c\n1;2\n", "a", -1, 1, 2},
        {"a b\n\"1 2\" 3\n", "a", -1, 1, 2},  {"only\n1\n?\n2\n", "only", -1, 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        const char *path = test_path("a.txt");
        test_write_text(path, cases[i].text);
        struct shoal_dataset_params params = params_of(path);
        struct shoal_dataset *dataset;
        params.header = cases[i].header;
        assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
        assert_int_equal(shoal_dataset_get_info(dataset)->rows, cases[i].rows);
        assert_int_equal(shoal_dataset_get_info(dataset)->columns, cases[i].columns);
        assert_string_equal(shoal_dataset_column_at(dataset, 0)->name, cases[i].first);
        shoal_dataset_destroy(&dataset);
    }
}

static void columns_are_encoded(void **state)
{
    (void)state;
    const char *text = "n,c,b\n5,10,x\n0,9,y\n3,-1,x\n";
    static const struct {
        const char *target, *columns, *encoded;
    } cases[] = {
        {NULL, NULL, NULL},
        {"n", "n bits:3, c category", "0010101 0101000 1000011"},
        {"c", "1-2 category, 3 ignored", "001001 100010 010100"},
        {"n", "n thermometer, c ignored", "011111 100000 011100"},
        {"3, 1", "n bits:4,\"c\" one-hot bits:2", "1001010 0100001 0000110"},
        {"b", "* category, n bits:2, c thermometer", "101110 001001 010010"},
        {NULL, "* ignored, b category one-hot", "10 01 10"},
        {NULL, "c ignored, b bits:1", "50 01 30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        struct shoal_dataset *dataset = open_text("a.csv", text, cases[i].target, cases[i].columns);
        if (cases[i].encoded)
            check_encoded(dataset, cases[i].encoded);
        shoal_dataset_destroy(&dataset);
    }
}

/* In the smallest form, and in blocks of columns of one form. */
static void values_take_little_memory(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 40 };
    const char *path = test_path("a.csv");
    char *text = malloc(ROWS * COLUMNS * 24), *next = text;
    for (int row = 0; row < ROWS; row++)
        for (int c = 0; c < COLUMNS; c++) {
            const int value = row * 7 + c;
            const char end = c + 1 < COLUMNS ? ',' : '\n';
            if (c < 20)
                next += sprintf(next, "%d%c", value % 2, end);
            else if (c < 30)
                next += sprintf(next, "%d%c", value % 256, end);
            else if (c < 35)
                next += sprintf(next, "%.2f%c", value / 4.0, end);
            else
                next += sprintf(next, "%d.1%c", value, end);
        }
    test_write_text(path, text);
    free(text);
    struct shoal_dataset *dataset = open_with(path, NULL, NULL);
    assert_int_equal(shoal_dataset_get_info(dataset)->bytes, ROWS * (3 + 10 + 5 * 4 + 5 * 8));
    for (int c = 0; c < COLUMNS; c++) {
        double values[ROWS];
        assert_ok(shoal_dataset_read(dataset, (size_t)c, 0, ROWS, values, &test_error));
        for (int row = 0; row < ROWS; row++) {
            const int value = row * 7 + c;
            assert_true(values[row] == (c < 20   ? value % 2
                                        : c < 30 ? value % 256
                                        : c < 35 ? value / 4.0
                                                 : value + 0.1) ||
                        (c >= 35 && fabs(values[row] - value - 0.1) < 1e-12));
        }
    }
    shoal_dataset_destroy(&dataset);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *target, *columns, *message;
        enum shoal_status status;
    } cases[] = {
        {"", NULL, NULL, "has no rows", SHOAL_IO},
        {"a,b\n", NULL, NULL, "has no rows", SHOAL_IO},
        {"a,b\n1,2\n3,x\n", NULL, NULL, "row 2 (line 3), column 2 (b): 'x' is not a number; a missing one is",
         SHOAL_IO},
        {"1,2\n\n3,x\n", NULL, NULL, "row 2 (line 3), column 2: 'x' is not a number", SHOAL_IO},
        {"a,b\nx,2\n", NULL, "a number", "row 1 (line 2), column 1 (a): 'x' is not a number", SHOAL_IO},
        {"1,2\nNaN,3\n", NULL, NULL, "row 2 (line 2), column 1: 'NaN' is not finite; leave", SHOAL_IO},
        {"a,b\n-inf,3\n", NULL, NULL, "row 1 (line 2), column 1 (a): '-inf' is not finite", SHOAL_IO},
        {"a,b\n1e999,3\n", NULL, NULL, "row 1 (line 2), column 1 (a): '1e999' is too large", SHOAL_IO},
        {"a,b\n1,2\n3\n", NULL, NULL, "row 2 (line 3) has 1 column, the first line has 2", SHOAL_IO},
        {"a,b\n1,2,3\n", NULL, NULL, "row 1 (line 2) has 3 columns, the first line has 2", SHOAL_IO},
        {"a,b\n\"1,2\n", NULL, NULL, "has a quote that is not closed", SHOAL_IO},
        {"a,b\n1,2\n", "c", NULL, "target: ", SHOAL_INVALID},
        {"a,b\n1,2\n", "c", NULL, "has no column 'c'; its 2 columns are numbered from 1, the first is 'a'",
         SHOAL_INVALID},
        {"a,b\n1,2\n", "3", NULL, "has no column '3'", SHOAL_INVALID},
        {"a,b\n1,2\n", "0", NULL, "has no column '0'", SHOAL_INVALID},
        {"a,b\n1,2\n", "2-1", NULL, "has no column '2-1'", SHOAL_INVALID},
        {"a,b\n1,2\n", "a b", NULL, "target: 'b' is more than a column", SHOAL_INVALID},
        {"a,b\n1,2\n", "a,", NULL, "has no column ''", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "a word", "columns: 'word' is none of number, binary", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "a bits:25", "'bits:25' is none of", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "a", "columns: says 'a' and not what it is to be", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "'a number", "a quote (') is not closed", SHOAL_INVALID},
        {"a,b\n1,2\n", "a", "a ignored", "target: column 'a' is to be ignored", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "a number one-hot", "'a' is to be a number and one-hot", SHOAL_INVALID},
        {"a,b\n1,2\n9,2\n", NULL, "a bits:3", "row 2, column 'a': 9 is no whole number from 0 to 7",
         SHOAL_IO},
        {"a,b\n1.5,2\n", NULL, "a thermometer", "row 1, column 'a': 1.5 is no whole number", SHOAL_IO},
        {"a,b\nx,2\ny,2\nz,2\n", NULL, "a binary", "column 'a' is to be binary and has 3 different values",
         SHOAL_IO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        const char *path = test_path("a.csv");
        test_write_text(path, cases[i].text);
        struct shoal_dataset_params params = params_of(path);
        struct shoal_dataset *dataset;
        params.target = cases[i].target;
        params.columns = cases[i].columns;
        assert_status(shoal_dataset_open(&params, &dataset, &test_error), cases[i].status);
        assert_contains(test_error.message, cases[i].message);
        assert_null(dataset);
    }
    struct shoal_dataset_params params = params_of(test_path("none.csv"));
    struct shoal_dataset *dataset;
    assert_status(shoal_dataset_open(&params, &dataset, &test_error), SHOAL_IO);
    test_write_file(params.path, "1,2\n3,\0\n", 8);
    assert_status(shoal_dataset_open(&params, &dataset, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "holds a zero byte");
}

static void written_files_hold_the_same(void **state)
{
    (void)state;
    const char *text = "size,colour,open\n5.25,red,no\n,\"a, \"\"b\"\"\",yes\n-3,red,\n";
    const char *path = test_path("b.csv");
    struct shoal_dataset *dataset = open_text("a.csv", text, NULL, NULL);
    assert_ok(shoal_dataset_write(dataset, path, SHOAL_FP64, NULL, NULL, &test_error));
    shoal_dataset_destroy(&dataset);
    char back[200] = "";
    FILE *file = fopen(path, "r");
    assert_true(fread(back, 1, sizeof back - 1, file) > 0);
    fclose(file);
    assert_string_equal(back, text);

    dataset = open_text("a.csv", "a,b,c\n1,x,5\n2,y,\n3,z,7\n", "b", "c ignored");
    path = test_path("b.npy");
    assert_ok(shoal_dataset_write(dataset, path, SHOAL_FP64, NULL, NULL, &test_error));
    assert_status(shoal_dataset_write(dataset, test_path("b.xls"), SHOAL_FP64, NULL, NULL, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "name it .csv");
    assert_status(shoal_dataset_write(dataset, test_path("none/b.csv"), SHOAL_FP64, NULL, NULL, &test_error),
                  SHOAL_IO);
    shoal_dataset_destroy(&dataset);
    dataset = open_with(path, "4", "1 category");
    check_encoded(dataset, "100100 010010 001001");
    assert_string_equal(shoal_dataset_column_at(dataset, 0)->categories[2], "3");
    shoal_dataset_destroy(&dataset);
}

static void which_files_are_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_table;
    } cases[] = {{"1,2\n3,4\n", true}, {"a,b\n1,2\n", true},  {"1,nan\n", true},       {"1,x\n", false},
                 {"a,b\n1,\n", false}, {"a,b\nc,d\n", false}, {"1 2\n# 3\n?\n", true}, {"", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        const char *path = test_path("a.csv");
        test_write_text(path, cases[i].text);
        assert_int_equal(shoal_dataset_is_table(path), cases[i].is_table);
    }
    assert_true(shoal_dataset_is_table(test_path("none")));
}

/* Frey and Slate's letters: the counts that the thesis's source gives. */
static void letters_of_the_thesis(void **state)
{
    (void)state;
    static const unsigned counts[26] = {789, 766, 736, 805, 768, 775, 773, 734, 755, 747, 739, 761, 792,
                                        783, 753, 803, 783, 758, 748, 796, 813, 764, 752, 787, 786, 734};
    const char *folder = getenv("SHOAL_TEST_LETTERS");
    char path[600];
    snprintf(path, sizeof path, "%s/letter-recognition.data", folder ? folder : "");
    if (!folder || access(path, R_OK) != 0) {
        print_message("no letter-recognition.data: set SHOAL_TEST_LETTERS to its folder\n");
        skip();
    }
    struct shoal_dataset *dataset = open_with(path, "1", "2-17 bits:4");
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, 0);
    assert_int_equal(info->rows, 20000);
    assert_int_equal(info->input_width, 64);
    assert_int_equal(info->target_width, 26);
    assert_int_equal(info->missing, 0);
    for (int i = 0; i < 26; i++) {
        assert_int_equal(column->categories[i][0], 'A' + i);
        assert_int_equal(column->counts[i], counts[i]);
    }
    shoal_dataset_destroy(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(kinds_are_those_of_the_content),
        UNIT_TEST(lines_with_names_and_without),
        UNIT_TEST(columns_are_encoded),
        UNIT_TEST(values_take_little_memory),
        UNIT_TEST(what_is_refused),
        UNIT_TEST(written_files_hold_the_same),
        UNIT_TEST(which_files_are_tables),
        UNIT_TEST(letters_of_the_thesis),
    };
    return cmocka_run_group_tests_name("data sets", tests, NULL, NULL);
}
