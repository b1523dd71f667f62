/* Tables of numbers in files: every format, in pieces, and what is wrong with one in one line. */
#include "tables.h"

#include <math.h>

static size_t put_number(char *at, bool wide, double value)
{
    float narrow = (float)value;
    memcpy(at, wide ? (void *)&value : (void *)&narrow, wide ? 8 : 4);
    return wide ? 8 : 4;
}

/* order: 0 rows, 1 columns, 2 blocks. Behind `header`. */
static void write_binary(const char *path, const char *header, size_t header_bytes, bool wide, int order,
                         size_t rows, size_t columns)
{
    char *bytes = malloc(header_bytes + rows * columns * 8 + 1), *at = bytes + header_bytes;
    if (header_bytes)
        memcpy(bytes, header, header_bytes);
    for (size_t i = 0; i < rows * columns; i++) {
        size_t row = i / columns, column = i % columns;
        if (order == 1) {
            row = i % rows;
            column = i / rows;
        } else if (order == 2) {
            const size_t a = rows * (columns - 1);
            row = i < a ? i / (columns - 1) : i - a;
            column = i < a ? i % (columns - 1) : columns - 1;
        }
        at += put_number(at, wide, number(row, column));
    }
    test_write_file(path, bytes, (size_t)(at - bytes));
    free(bytes);
}

static const struct {
    size_t rows, columns;
} shapes[] = {{1, 1}, {1, 7}, {9, 1}, {5, 2}, {1000, 5}, {300, 17}, {3, 10000}, {10007, 3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void raw_numbers_in_each_layout(void **state)
{
    (void)state;
    static const char *const orders[] = {":rows", ":columns", ":blocks"};
    for (size_t s = 0; s < SHAPES; s++)
        for (int order = 0; order < 3; order++)
            for (int wide = 0; wide < 2; wide++) {
                const char *path = test_path("table.bin");
                char layout[64];
                write_binary(path, NULL, 0, wide, order, shapes[s].rows, shapes[s].columns);
                snprintf(layout, sizeof layout, "%s:%zux%zu%s", wide ? "f8" : "f4", shapes[s].rows,
                         shapes[s].columns, orders[order]);
                struct shoal_table *table = open_table(path, layout);
                assert_string_equal(shoal_table_get_info(table)->format, "raw");
                assert_string_equal(shoal_table_get_info(table)->order, orders[order] + 1);
                assert_string_equal(shoal_table_get_info(table)->type, wide ? "f8" : "f4");
                check_numbers(table, shapes[s].rows, shapes[s].columns);
                shoal_table_destroy(&table);
                assert_null(table);
            }
}

static void layouts_that_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",        "f8",       "f8:",     "f8:3",       "f8:x2",    "f8:3x",
        "f2:3x2",  "f8:-3x2",  "f8:3x2:", "f8:3x2:row", "f8:3x2x1", " f8:3x2",
        "f8:3x2 ", "f8:0x3x2", "F8:3x2",  "f8:3 x2",    "f8:+3x2",  "f8:99999999999999999999x2"};
    struct shoal_table *table;
    const char *path = test_path("table.bin");
    write_binary(path, NULL, 0, true, 0, 3, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(shoal_table_open(path, wrong[i], &table, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "is not understood; write f8:ROWSxCOLUMNS");
        assert_null(table);
    }
    static const char *const sizes[] = {"f8:3x3", "f8:2x2", "f4:3x2", "f8:4294967296x4294967296",
                                        "f8:9223372036854775807x1"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_status(shoal_table_open(path, sizes[i], &table, &test_error), SHOAL_IO);
    assert_status(shoal_table_open(path, "f8:3x3", &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "has 48 bytes; the layout needs 72");
    test_write_file(path, "", 0);
    assert_status(shoal_table_open(path, "f8:0x2", &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "has no rows");
    assert_status(shoal_table_open(path, "f8:2x0", &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "has no columns");
}

/* Mark, version and length in front of `dictionary`, which is filled up to `length` bytes. */
static size_t npy_header(char *out, int version, const char *dictionary, size_t length)
{
    const size_t given = strlen(dictionary), start = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    for (size_t i = 8; i < start; i++)
        out[i] = (char)(length >> 8 * (i - 8));
    memset(out + start, ' ', length);
    memcpy(out + start, dictionary, given < length ? given : length);
    if (given < length)
        out[start + length - 1] = '\n';
    return start + length;
}

static void npy_of_each_kind(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int kind = 0; kind < 12; kind++) {
            const int version = 1 + kind / 4, fortran = kind / 2 % 2, wide = kind % 2;
            char dictionary[160], header[256];
            snprintf(dictionary, sizeof dictionary,
                     "{'descr': '<f%d', 'fortran_order': %s, 'shape': (%zu, %zu), }", wide ? 8 : 4,
                     fortran ? "True" : "False", shapes[s].rows, shapes[s].columns);
            const size_t bytes = npy_header(header, version, dictionary, 118);
            const char *path = test_path("table.npy");
            write_binary(path, header, bytes, wide, fortran, shapes[s].rows, shapes[s].columns);
            struct shoal_table *table = open_table(path, NULL);
            assert_string_equal(shoal_table_get_info(table)->format, "npy");
            assert_string_equal(shoal_table_get_info(table)->order, fortran ? "columns" : "rows");
            check_numbers(table, shapes[s].rows, shapes[s].columns);
            shoal_table_destroy(&table);
        }
}

/* Whole numbers of every width, in both orders of bytes, as the doubles that they are. */
static void npy_of_whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        unsigned width;
        uint64_t words[4];
        double values[4];
    } cases[] = {
        {"|b1", 1, {0, 1, 1, 0}, {0, 1, 1, 0}},
        {"|i1", 1, {0, 127, 128, 255}, {0, 127, -128, -1}},
        {"|u1", 1, {0, 127, 128, 255}, {0, 127, 128, 255}},
        {"<i2", 2, {1, 0x7fff, 0x8000, 0xffff}, {1, 32767, -32768, -1}},
        {"<u2", 2, {1, 0x7fff, 0x8000, 0xffff}, {1, 32767, 32768, 65535}},
        {"<i4", 4, {7, 0x7fffffff, 0x80000000, 0xffffffff}, {7, 2147483647, -2147483648.0, -1}},
        {"<u4", 4, {7, 0x7fffffff, 0x80000000, 0xffffffff}, {7, 2147483647, 2147483648.0, 4294967295.0}},
        {"<i8",
         8,
         {9, UINT64_C(1) << 53, UINT64_C(1) << 63, UINT64_MAX},
         {9, 9007199254740992.0, -9223372036854775808.0, -1}},
        {"<u8",
         8,
         {9, UINT64_C(1) << 53, UINT64_C(1) << 63, (UINT64_C(1) << 60) + 256},
         {9, 9007199254740992.0, 9223372036854775808.0, 1152921504606847232.0}},
        {"<f8", 8, {0x3ff0000000000000, 0xc000000000000000, 0, 0}, {1, -2, 0, 0}},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const size_t c = i / 2;
        const bool is_big = i % 2;
        const unsigned width = cases[c].width;
        char dictionary[160], file[512];
        double values[4];
        snprintf(dictionary, sizeof dictionary,
                 "{'descr': '%c%s', 'fortran_order': False, 'shape': (2, 2), }",
                 is_big ? '>' : cases[c].type[0], cases[c].type + 1);
        test_label("%s", dictionary);
        size_t bytes = npy_header(file, 1, dictionary, 118);
        for (size_t k = 0; k < 4; k++)
            for (unsigned b = 0; b < width; b++)
                file[bytes++] = (char)(cases[c].words[k] >> 8 * (is_big ? width - 1 - b : b));
        const char *path = test_path("whole.npy");
        test_write_file(path, file, bytes);
        struct shoal_table *table = open_table(path, NULL);
        assert_string_equal(shoal_table_get_info(table)->type, cases[c].type + 1);
        assert_ok(shoal_table_read(table, 0, 2, values, &test_error));
        for (size_t k = 0; k < 4; k++)
            assert_true(values[k] == cases[c].values[k]);
        shoal_table_destroy(&table);
    }
    char file[512];
    double values[2];
    size_t bytes = npy_header(file, 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", 118);
    const int64_t numbers[2] = {5, -9007199254740993};
    memcpy(file + bytes, numbers, sizeof numbers);
    const char *path = test_path("whole.npy");
    test_write_file(path, file, bytes + sizeof numbers);
    struct shoal_table *table = open_table(path, NULL);
    assert_status(shoal_table_read(table, 0, 2, values, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "number 2 is -9007199254740993, which double precision has not");
    shoal_table_destroy(&table);
}

static void npy_headers(void **state)
{
    (void)state;
    static const struct {
        const char *dictionary, *message; /* NULL: fine */
    } cases[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", NULL},
        {"{\"shape\":(2,3,),\"descr\":\"<f8\",\"fortran_order\":False,}", NULL},
        {" { 'shape' : ( 2L , 3L ) , 'fortran_order' : False , 'descr' : '<f8' } ", NULL},
        {"{'descr': '<i3', 'fortran_order': False, 'shape': (2, 3), }", "holds numbers of type '<i3'"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }", "holds numbers of type '<f2'"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }", "holds numbers of type '<c8'"},
        {"{'descr': '<i', 'fortran_order': False, 'shape': (2, 3), }", "holds numbers of type '<i'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", "holds numbers of type '|O'"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3), }", "its numbers are records"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "has 0 dimensions"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3, 1), }", "has 4 dimensions"},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 3), }",
         "three dimensions in Fortran order"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4611686018427387904, 4), }",
         "too many numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", "its shape needs"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }", "its shape needs"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", "its shape needs"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
         "than a file can hold"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 3), }",
         "its shape cannot"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 3), }", "its shape cannot be read"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2 3), }", "its shape cannot be read"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': 2, }", "its shape cannot be read"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3), }", "fortran_order is neither"},
        {"{'descr': 8, 'fortran_order': False, 'shape': (2, 3), }", "the type of its numbers"},
        {"{'descr': '<f8', 'fortran_order': False, }", "lacks descr, fortran_order or shape"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}",
         "unknown key, or one twice"},
        {"{'descr': '<f8', 'order': False, 'shape': (2, 3)}", "unknown key, or one twice"},
        {"{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}", "is not a dictionary"},
        {"{'descr', '<f8'}", "is not a dictionary"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} 1", "its header continues after"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", "is not a dictionary"},
        {"", "is not a dictionary"},
    };
    const char *path = test_path("table.npy");
    struct shoal_table *table;
    char header[256];
    /* One dimension is a column. */
    static const char column[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }";
    write_binary(path, header, npy_header(header, 1, column, 118), true, 0, 6, 1);
    table = open_table(path, NULL);
    check_numbers(table, 6, 1);
    assert_int_equal(shoal_table_get_info(table)->depth, 0);
    shoal_table_destroy(&table);
    /* A row of three dimensions has the numbers of the last two. */
    static const char cube[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 2), }";
    write_binary(path, header, npy_header(header, 1, cube, 118), true, 0, 2, 6);
    table = open_table(path, NULL);
    check_numbers(table, 2, 6);
    assert_int_equal(shoal_table_get_info(table)->depth, 2);
    shoal_table_destroy(&table);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_binary(path, header, npy_header(header, 1, cases[i].dictionary, 118), true, 0, 2, 3);
        if (!cases[i].message) {
            table = open_table(path, NULL);
            check_numbers(table, 2, 3);
            shoal_table_destroy(&table);
            continue;
        }
        assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
        assert_contains(test_error.message, cases[i].message);
        assert_contains(test_error.message, "table.npy: ");
    }
}

static void npy_files_that_are_broken(void **state)
{
    (void)state;
    const char *path = test_path("table.npy"),
               *good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}";
    struct shoal_table *table;
    char header[256];
    size_t bytes = npy_header(header, 1, good, 118);
    for (size_t cut = 0; cut < bytes; cut++) {
        test_write_file(path, header, cut);
        assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    }
    header[6] = 4;
    write_binary(path, header, bytes, true, 0, 2, 3);
    assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "version 4.0; 1.0 to 3.0 are known");
    test_write_text(path, "1,2,3\n4,5,6\n");
    assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "is not a .npy file");
    /* A zero byte would hide what is behind it. */
    bytes = npy_header(header, 1, good, 118);
    header[bytes - 5] = '\0';
    write_binary(path, header, bytes, true, 0, 2, 3);
    assert_status(shoal_table_open(path, NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "holds a zero byte");
    /* By its first bytes, whatever the name. */
    bytes = npy_header(header, 3, good, 116);
    path = test_path("numbers");
    write_binary(path, header, bytes, true, 0, 2, 3);
    table = open_table(path, NULL);
    check_numbers(table, 2, 3);
    shoal_table_destroy(&table);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    struct shoal_table *table;
    assert_status(shoal_table_open(test_path("none.npy"), NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "none.npy: cannot be opened: No such file");
    assert_status(shoal_table_open(test_folder(), NULL, &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "cannot be opened: Is a directory");
    assert_status(shoal_table_open("/dev/null", "f8:1x1", &table, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "a pipe or a device: give a regular file");
    test_write_text(test_path("table.xls"), "1,2\n");
    assert_status(shoal_table_open(test_path("table.xls"), NULL, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "name a file .npy or .csv, or give the layout");
}

static void not_finite_with_row_and_column(void **state)
{
    (void)state;
    const double values[6] = {1, 2, 3, 4, NAN, INFINITY};
    double out[6];
    const char *path = test_path("table.bin");
    test_write_file(path, values, sizeof values);
    struct shoal_table *table = open_table(path, "f8:3x2");
    assert_ok(shoal_table_read(table, 0, 2, out, &test_error));
    assert_status(shoal_table_read(table, 1, 2, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "table.bin: row 3, column 1: NaN is not finite");
    shoal_table_destroy(&table);
    table = open_table(path, "f8:2x3:columns");
    assert_status(shoal_table_read(table, 0, 2, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 1, column 3: NaN");
    assert_status(shoal_table_read(table, 1, 1, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 2, column 3: an infinity");
    shoal_table_destroy(&table);
}

static void a_file_that_shrinks(void **state)
{
    (void)state;
    double out[6];
    const char *path = test_path("table.bin");
    write_binary(path, NULL, 0, true, 0, 3, 2);
    struct shoal_table *table = open_table(path, "f8:3x2");
    test_write_file(path, "", 0);
    assert_status(shoal_table_read(table, 0, 3, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "has become shorter");
    shoal_table_destroy(&table);
}

/* What the others have is not looked at; where the wanted ones are wrong, the message has their name. */
static void columns_are_selected(void **state)
{
    (void)state;
    static const size_t wanted[] = {2, 0};
    const char *path = test_path("table.csv"), *npy = test_path("table.npy");
    double out[4];
    struct shoal_table *table, *selected;
    test_write_text(path, "t,day,y\n1,monday,5\n2,nan,6\n3,,x\n");
    table = open_table(path, NULL);
    assert_ok(table_select(&table, wanted, 2, &selected, &test_error));
    assert_int_equal(shoal_table_get_info(selected)->columns, 2);
    assert_ok(shoal_table_read(selected, 0, 2, out, &test_error));
    assert_true(out[0] == 5 && out[1] == 1 && out[2] == 6 && out[3] == 2);
    assert_status(shoal_table_read(selected, 2, 1, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "table.csv: row 3 (line 4), column 3 (y): 'x' is not a number");
    shoal_table_destroy(&selected);
    /* Binary: rows 1 NaN 3, 4 NaN NaN. */
    const double numbers[] = {1, NAN, 3, 4, NAN, NAN};
    struct text text = {0};
    table_add_npy_header(&text, SHOAL_FP64, 2, 3);
    table_add_binary(&text, numbers, 6, SHOAL_FP64);
    test_write_file(npy, text.data, text.length);
    text_free(&text);
    table = open_table(npy, NULL);
    assert_ok(table_select(&table, wanted, 2, &selected, &test_error));
    assert_ok(shoal_table_read(selected, 0, 1, out, &test_error));
    assert_true(out[0] == 3 && out[1] == 1);
    assert_status(shoal_table_read(selected, 1, 1, out, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "row 2, column 3: NaN is not finite");
    shoal_table_destroy(&selected);
}

static bool stop_half_way(void *data, size_t done, size_t rows)
{
    *(size_t *)data = done;
    return done < rows / 2;
}

static void written_files_are_read_again(void **state)
{
    (void)state;
    static const char *const names[] = {"copy.npy", "copy.csv", "copy.bin"};
    struct shoal_least_squares_params params;
    shoal_least_squares_params_init(&params);
    params.dim = 4;
    params.rows = 20011;
    params.noise = 0.7;
    struct shoal_table *made, *read;
    assert_ok(shoal_table_least_squares(&params, &made, &test_error));
    const size_t count = params.rows * 5;
    double *wanted = malloc(count * sizeof *wanted), *got = malloc(count * sizeof *got);
    assert_ok(shoal_table_read(made, 0, params.rows, wanted, &test_error));
    for (int kind = 0; kind < 6; kind++) {
        const bool narrow = kind % 2;
        const char *path = test_path("%s", names[kind / 2]);
        size_t done = 0;
        assert_ok(shoal_table_write(made, path, narrow ? SHOAL_FP32 : SHOAL_FP64, NULL, NULL, &test_error));
        read = open_table(path, kind / 2 == 2 ? (narrow ? "f4:20011x5" : "f8:20011x5") : NULL);
        assert_ok(shoal_table_read(read, 0, params.rows, got, &test_error));
        for (size_t i = 0; i < count; i++) {
            /* Text says as much as is needed, and is read as a double. */
            if (narrow)
                assert_true((float)got[i] == (float)wanted[i]);
            else
                assert_true(got[i] == wanted[i]);
        }
        shoal_table_destroy(&read);
        /* Stopped: what was there stays, and nothing else. */
        assert_status(shoal_table_write(made, path, SHOAL_FP64, stop_half_way, &done, &test_error),
                      SHOAL_STOPPED);
        assert_true(done >= params.rows / 2 && done < params.rows);
        assert_int_equal(test_count_files(test_folder(), "", NULL, 0), (size_t)(kind / 2 + 1));
        read = open_table(path, kind / 2 == 2 ? (narrow ? "f4:20011x5" : "f8:20011x5") : NULL);
        shoal_table_destroy(&read);
    }
    free(wanted);
    free(got);
    assert_status(shoal_table_write(made, test_path("copy.xls"), SHOAL_FP64, NULL, NULL, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "name it .npy, .csv or .bin");
    assert_status(shoal_table_write(made, test_path("none/copy.npy"), SHOAL_FP64, NULL, NULL, &test_error),
                  SHOAL_IO);
    assert_contains(test_error.message, "none/copy.npy: cannot be written: No such file");
    shoal_table_destroy(&made);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    const double values[2] = {1, 1e39};
    const char *path = test_path("table.bin"), *copy = test_path("copy.npy");
    test_write_file(path, values, sizeof values);
    struct shoal_table *table = open_table(path, "f8:2x1");
    assert_status(shoal_table_write(table, copy, SHOAL_FP32, NULL, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 2, column 1: 1e+39 is too large for f4");
    assert_ok(shoal_table_write(table, copy, SHOAL_FP64, NULL, NULL, &test_error));
    shoal_table_destroy(&table);
    assert_int_equal(test_count_files(test_folder(), "", NULL, 0), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(raw_numbers_in_each_layout),
        UNIT_TEST(layouts_that_are_refused),
        UNIT_TEST(npy_of_each_kind),
        UNIT_TEST(npy_of_whole_numbers),
        UNIT_TEST(npy_headers),
        UNIT_TEST(npy_files_that_are_broken),
        UNIT_TEST(files_that_cannot_be_read),
        UNIT_TEST(not_finite_with_row_and_column),
        UNIT_TEST(a_file_that_shrinks),
        UNIT_TEST(columns_are_selected),
        UNIT_TEST(written_files_are_read_again),
        UNIT_TEST(what_cannot_be_written),
    };
    return cmocka_run_group_tests_name("table files", tests, NULL, NULL);
}
