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

static void refuse(const char *path, const char *format, const char *labels, enum shoal_status wanted,
                   const char *message)
{
    struct shoal_dataset_params params = params_of(path);
    struct shoal_dataset *dataset = NULL;
    params.format = format;
    params.labels = labels;
    assert_status(shoal_dataset_open(&params, &dataset, &test_error), wanted);
    assert_contains(test_error.message, message);
    assert_null(dataset);
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
    enum { AUTO = SHOAL_HEADER_AUTO, NO = SHOAL_HEADER_NO, YES = SHOAL_HEADER_YES };
    static const struct {
        const char *text, *first;
        int header;
        size_t rows, columns;
    } cases[] = {{"a,b\nc,d\n", "a", AUTO, 1, 2},        {"a,a\nc,d\n", "1", AUTO, 2, 2},
                 {"a,b\nc,d\n", "1", NO, 2, 2},          {"1,2\n3,4\n", "1", YES, 1, 2},
                 {"a,\nc,d\n", "1", AUTO, 2, 2},         {"x\ty\t\n\t2\t\n", "x", YES, 1, 2},
                 {"x y z\n1   2\t3\n", "x", AUTO, 1, 3}, {"a;b,c\n1;2\n", "a", AUTO, 1, 2},
                 {"a,b,\n1,2,\n", "a", AUTO, 1, 2},      {"a,b,\n1,2\n", "a", AUTO, 1, 2},
                 {"a,b\n1,2,,\n", "a", AUTO, 1, 2},      {"7,8,\n3,4,5\n", "1", AUTO, 2, 3},
                 {"7,8,\n3,4,\n", "1", AUTO, 2, 2},      {"\"\",b\n1,x\n", "1", AUTO, 1, 2},
                 {"a b\n\"1 2\" 3\n", "a", AUTO, 1, 2},  {"only\n1\n?\n2\n", "only", AUTO, 3, 1}};
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
        {"a,b\n1,2\n3,x\n", NULL, NULL, "row 2 (line 3), column 2 (b): 'x' is a word among numbers",
         SHOAL_IO},
        {"1,2\n\n3,x\n", NULL, NULL, "row 2 (line 3), column 2: 'x' is a word among numbers", SHOAL_IO},
        {"a,b\nx,2\n", NULL, "a number", "row 1 (line 2), column 1 (a): 'x' is not a number", SHOAL_IO},
        {"1,2\ninf,3\n", NULL, NULL, "row 2 (line 2), column 1: 'inf' is not finite; leave", SHOAL_IO},
        {"a,b\n-inf,3\n", NULL, NULL, "row 1 (line 2), column 1 (a): '-inf' is not finite", SHOAL_IO},
        {"a,b\n1e999,3\n", NULL, NULL, "row 1 (line 2), column 1 (a): '1e999' is too large", SHOAL_IO},
        {"a,b\n1,2\n3\n", NULL, NULL, "row 2 (line 3) has 1 column, the first line has 2", SHOAL_IO},
        {"a,b\n1,2,,3\n", NULL, NULL, "row 1 (line 2) has 4 columns, the first line has 2", SHOAL_IO},
        {"a,b,c\n1,2,x\n3,x\n", NULL, NULL, "row 2 (line 3) has 2 columns, the first line has 3", SHOAL_IO},
        {"a,b\n\"1,2\n", NULL, NULL, "has a quote that is not closed", SHOAL_IO},
        {"a;b\n1,5;2\n1.5;2\n", NULL, NULL, "column 1 (a): '1.5' has a decimal point", SHOAL_IO},
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
        {"a,b\n1,2\n", NULL, "a", "columns: 'a' has no kind or encoding behind it", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "'a number", "a quote (') is not closed", SHOAL_INVALID},
        {"a,b\n1,2\n", "a", "a ignored", "target: column 'a' is to be ignored", SHOAL_INVALID},
        {"a,b\n1,2\n", NULL, "a number one-hot", "'a' is to be a number and one-hot", SHOAL_INVALID},
        {"a,b\n1,2\n9,2\n", NULL, "a bits:3", "row 2, column 'a': 9 is no whole number from 0 to 7",
         SHOAL_IO},
        {"a,b\n1.5,2\n", NULL, "a thermometer", "row 1, column 'a': 1.5 is no whole number", SHOAL_IO},
        {"a,b\nx,2\ny,2\nz,2\n", NULL, "a binary", "column 'a' is to be binary but has 3 different values",
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

/* ARFF ------------------------------------------------------------------------------------------------- */

#define IRIS                                                                                                 \
    "% comment\n@RELATION 'a b'\n@attribute size REAL\n@attribute 'a \\'name\\'' {red, 'light "              \
    "blue',green}\n"                                                                                         \
    "@attribute text string\n@attribute \"open\" {no,yes}\n@data\n"

static void arff_dense_and_sparse(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = open_text(
        "a.txt", IRIS "5.1, 'light blue', b, yes\n% no row\n?,red,?,?\n{}\n{0 -2, 1 green,2 'x y', 3 yes}\n",
        "open", NULL);
    assert_string_equal(shoal_dataset_get_info(dataset)->format, "arff");
    assert_int_equal(shoal_dataset_get_info(dataset)->missing, 3);
    assert_string_equal(shoal_dataset_column_at(dataset, 1)->name, "a 'name'");
    assert_string_equal(shoal_dataset_column_at(dataset, 1)->categories[1], "light blue");
    assert_int_equal(shoal_dataset_column_at(dataset, 1)->counts[0], 2);
    assert_int_equal(shoal_dataset_column_at(dataset, 3)->kind, SHOAL_COLUMN_BINARY);
    check_values(dataset, 0, (const double[]){5.1, NAN, 0, -2}, 4);
    check_values(dataset, 1, (const double[]){1, 0, 0, 2}, 4);
    check_values(dataset, 3, (const double[]){1, NAN, 0, 1}, 4);
    shoal_dataset_destroy(&dataset);

    dataset = open_text("a.arff",
                        "@attribute a {2,1}\n@attribute d date\n@attribute n numeric\n@DATA\n1,x,7\n2,y,8\n",
                        NULL, "a number, d ignored, n category");
    check_values(dataset, 0, (const double[]){1, 2}, 2);
    check_values(dataset, 2, (const double[]){0, 1}, 2);
    assert_string_equal(shoal_dataset_column_at(dataset, 2)->categories[1], "8");
    shoal_dataset_destroy(&dataset);
}

static void arff_that_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {IRIS, "has no rows"},
        {IRIS "1,red,a\n", "row 1 (line 8) has 3 values, 4 attributes are declared"},
        {IRIS "1,red,a,yes,2\n", "has 5 values"},
        {IRIS "x,red,a,yes\n", "row 1 (line 8), column 1 (size): 'x' is not a number"},
        {IRIS "nan,red,a,yes\n", "'nan' is not finite"},
        {IRIS "1e999,red,a,yes\n", "'1e999' is too large"},
        {IRIS "1,blue,a,yes\n", "column 2 (a 'name'): 'blue' is not among the values"},
        {IRIS "1,'red,a,yes\n", "line 8: a quote (') is not closed"},
        {IRIS "1,'red' x,a,yes\n", "text follows a quote"},
        {IRIS "1,red,a,yes,{5}\n", "weights of rows are not read"},
        {IRIS "{4 1}\n", "attribute 4 is not there: they are 0 to 3"},
        {IRIS "{0 1\n", "a sparse row ends without }"},
        {IRIS "{a 1}\n", "'a' should be the number of an attribute"},
        {"@relation x\n@data\n1\n", "declares no @attribute"},
        {"@attribute a real\n1\n", "begins with none of @relation"},
        {"@attribute a real\n", "has no line @data"},
        {"@attribute a {1,2\n@data\n1\n", "the values of 'a' end without }"},
        {"@attribute a date\n@data\n1\n", "the type of attribute 'a' is none of numeric"},
        {"@attribute\n@data\n1\n", "an attribute has no name"},
    };
    const char *path = test_path("a.arff");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        test_write_text(path, cases[i][0]);
        refuse(path, NULL, NULL, SHOAL_IO, cases[i][1]);
    }
}

/* Numbers behind sizes --------------------------------------------------------------------------------------
 */

static void numbers_behind_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *format;
    } cases[] = {
        {"a.data", "3 2 1\n1 0\n1\n0 5.5 0\n? 1 1\n", "fann"},
        {"a.x", "\n3 2 1\n1 0\n1\n0 5.5\n0 ? 1\n1", "fann"},
        {"a.txt", "1, 2\n1 1 0\n0, 0, 5.5\n1 ?,1\n", "thesis"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        struct shoal_dataset *dataset = open_text(cases[i].name, cases[i].text, NULL, NULL);
        const size_t first = i == 2, target = i == 2 ? 0 : 2;
        assert_string_equal(shoal_dataset_get_info(dataset)->format, cases[i].format);
        assert_int_equal(shoal_dataset_get_info(dataset)->targets, 1);
        assert_true(shoal_dataset_column_at(dataset, target)->is_target);
        check_values(dataset, first, (const double[]){1, 0, NAN}, 3);
        check_values(dataset, first + 1, (const double[]){0, 5.5, 1}, 3);
        check_values(dataset, target, (const double[]){1, 0, 1}, 3);
        shoal_dataset_destroy(&dataset);
    }
    static const struct {
        const char *format, *text, *message;
    } refused[] = {
        {NULL, "2 2 1\n1 0 1\n", "declares 2 rows of 2 inputs and 1 target, 6 numbers; there are 3"},
        {NULL, "1 2 1\n1 0 1 1\n", "3 numbers; there are 4"},
        {NULL, "4000 2 1\n1 0 1\n", "which 15 bytes cannot hold"},
        {NULL, "1 2 1\n1 x 1\n", "row 1 (line 2), column 2: 'x' is not a number"},
        {NULL, "1 2 1\n1 nan 1\n", "'nan' is not finite"},
        {"fann", "0 2\n", "line 1 is not ROWS INPUTS TARGETS"},
        {NULL, "0 2 1\n", "declares 0 rows of 2 inputs and 1 target; each must be 1 or more"},
        {NULL, "2 0 1\n0\n1\n", "declares 2 rows of 0 inputs and 1 target"},
        {"thesis", "2 2 1\n", "line 1 is not TARGETS, INPUTS"},
        {"thesis", "1, 2\n1 0 1\n1 0\n", "row 2 (line 3) has 2 numbers, the first line declares 3"},
        {"thesis", "1, 2000\n1 0 1\n", "14 bytes cannot hold a row"},
    };
    const char *path = test_path("a.data");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        test_label("refused %zu", i);
        test_write_text(path, refused[i].text);
        refuse(path, refused[i].format, NULL, SHOAL_IO, refused[i].message);
    }
    refuse(path, "xls", NULL, SHOAL_INVALID, "format: 'xls' is none of csv, arff");
    refuse(path, NULL, path, SHOAL_INVALID, "labels: a second file belongs to IDX or .npy, and ");
}

/* IDX --------------------------------------------------------------------------------------------------- */

enum { IMAGE_BYTES = 16 + 3 * 4, LABEL_BYTES = 8 + 3 };
static const unsigned char images[IMAGE_BYTES] = {0, 0, 8, 3, 0, 0, 0, 3, 0,  0, 0, 2,   0, 0,
                                                  0, 2, 0, 1, 2, 3, 4, 5, 60, 7, 8, 255, 0, 1};
static const unsigned char labels[LABEL_BYTES] = {0, 0, 8, 1, 0, 0, 0, 3, 9, 2, 9};

/* What `gzip` makes of the labels. */
static const unsigned char packed[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x63,
                                       0x60, 0xe0, 0x60, 0x64, 0x60, 0x60, 0x60, 0xe6, 0x64, 0xe2, 0x04,
                                       0x00, 0x2d, 0x5d, 0x7b, 0x4a, 0x0b, 0x00, 0x00, 0x00};

static struct shoal_dataset *open_images(const char *label_path, const char *columns)
{
    struct shoal_dataset_params params = params_of(test_path("images"));
    struct shoal_dataset *dataset = NULL;
    test_write_file(params.path, images, sizeof images);
    params.labels = label_path;
    params.columns = columns;
    assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
    return dataset;
}

static void images_with_labels(void **state)
{
    (void)state;
    const char *path = test_path("labels"), *gzip = test_path("labels.gz");
    test_write_file(path, labels, sizeof labels);
    test_write_file(gzip, packed, sizeof packed);
    for (int i = 0; i < 3; i++) {
        test_label("case %d", i);
        struct shoal_dataset *dataset =
            open_images(i ? gzip : path, i == 2 ? "1 thermometer, 2 ignored" : NULL);
        const struct shoal_dataset_column *label = shoal_dataset_column_at(dataset, 4);
        assert_string_equal(shoal_dataset_get_info(dataset)->format, "idx");
        assert_int_equal(shoal_dataset_get_info(dataset)->target_width, 1);
        assert_int_equal(shoal_dataset_get_info(dataset)->input_width, i == 2 ? 10 : 4);
        assert_string_equal(label->name, "label");
        assert_int_equal(label->counts[1], 2);
        assert_string_equal(label->categories[0], "2");
        check_values(dataset, 4, (const double[]){1, 0, 1}, 3);
        check_values(dataset, 2, (const double[]){2, 60, 0}, 3);
        assert_true(shoal_dataset_column_at(dataset, 3)->mean == (3 + 7 + 1) / 3.0);
        assert_int_equal(shoal_dataset_column_at(dataset, 0)->greatest, 8);
        shoal_dataset_destroy(&dataset);
    }
    static const unsigned char wide[] = {0, 0, 14, 1, 0,    0,    0,    2,    0xc0, 4,    0,    0,
                                         0, 0, 0,  0, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a};
    static const unsigned char words[] = {0, 0, 11, 1, 0, 0, 0, 2, 0xff, 0xfe, 1, 0};
    test_write_file(path, wide, sizeof wide);
    struct shoal_dataset *dataset = open_with(path, NULL, NULL);
    check_values(dataset, 0, (const double[]){-2.5, 0.1}, 2);
    shoal_dataset_destroy(&dataset);
    test_write_file(path, words, sizeof words);
    dataset = open_with(path, NULL, NULL);
    check_values(dataset, 0, (const double[]){-2, 256}, 2);
    shoal_dataset_destroy(&dataset);
}

static void idx_that_is_refused(void **state)
{
    (void)state;
    const char *path = test_path("images"), *other = test_path("labels");
    unsigned char changed[64];
    test_write_file(path, images, sizeof images);
    test_write_file(other, labels, sizeof labels - 1);
    refuse(path, NULL, other, SHOAL_IO,
           "labels: has 2 bytes of numbers; its header declares 3 rows of 1 numbers of 1 bytes");
    memcpy(changed, labels, sizeof labels);
    changed[7] = 2;
    test_write_file(other, changed, sizeof labels - 1);
    refuse(path, NULL, other, SHOAL_IO, "has 2 labels, ");
    refuse(path, NULL, path, SHOAL_IO, "labels are whole numbers, one a row; these are 4 ");
    memcpy(changed, packed, sizeof packed);
    changed[sizeof packed - 8] ^= 1;
    test_write_file(other, changed, sizeof packed);
    refuse(path, NULL, other, SHOAL_IO, "its gzip data are damaged, or their sum is wrong");
    test_write_file(other, packed, sizeof packed - 9);
    refuse(path, NULL, other, SHOAL_IO, "is cut: its gzip data end early");
    memcpy(changed, images, sizeof images);
    changed[2] = 10;
    test_write_file(path, changed, sizeof images);
    refuse(path, "idx", NULL, SHOAL_IO, "is not an IDX file");
    refuse(path, NULL, NULL, SHOAL_IO, "holds a zero byte");
    test_write_file(path, images, 10);
    refuse(path, NULL, NULL, SHOAL_IO, "has 0 bytes of numbers");
}

static void written_formats_are_read_again(void **state)
{
    (void)state;
    static const char *const names[] = {"b.idx", "b.data", "b.txt", "b.npy"};
    const char *text = "n,c\n5,x\n0,y\n3,z\n", *encoded = "5100 0010 3001";
    for (int i = 0; i < 4; i++) {
        const char *path = test_path("%s", names[i]);
        struct shoal_dataset *dataset = open_text("a.csv", text, "c", NULL);
        assert_ok(shoal_dataset_write(dataset, path, SHOAL_FP32, NULL, NULL, &test_error));
        shoal_dataset_destroy(&dataset);
        dataset = open_with(path, i == 1 || i == 2 ? NULL : "2-4", NULL);
        check_encoded(dataset, encoded);
        shoal_dataset_destroy(&dataset);
    }
    struct shoal_dataset *dataset = open_text("a.csv", "n,c\n5,x\n256,y\n", NULL, NULL);
    assert_status(shoal_dataset_write(dataset, test_path("c.idx"), SHOAL_FP32, NULL, NULL, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "row 2: 256 is no byte");
    assert_status(shoal_dataset_write(dataset, test_path("c.data"), SHOAL_FP32, NULL, NULL, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "this data set has no targets");
    shoal_dataset_destroy(&dataset);
    assert_int_equal(test_count_files(test_folder(), ".idx", NULL, 0), 1);
}

static void which_files_are_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_table;
    } cases[] = {
        {"1,2\n3,4\n", true},     {"a,b\n1,2\n", true},     {"1,inf\n", true},         {"1,x\n", false},
        {"a,b\n1,\n", false},     {"a,b\nc,d\n", false},    {"1 2\n# 3\n?\n", true},   {"", true},
        {"1, 2\n0 5 7\n", false}, {"@relation x\n", false}, {"2 2 1\n1 1\n0\n", false}};
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
        UNIT_TEST(arff_dense_and_sparse),
        UNIT_TEST(arff_that_is_refused),
        UNIT_TEST(numbers_behind_sizes),
        UNIT_TEST(images_with_labels),
        UNIT_TEST(idx_that_is_refused),
        UNIT_TEST(written_formats_are_read_again),
        UNIT_TEST(which_files_are_tables),
        UNIT_TEST(letters_of_the_thesis),
    };
    return cmocka_run_group_tests_name("data sets", tests, NULL, NULL);
}
