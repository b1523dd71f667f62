/* Through the library: whether the first line has names, as a table, a data set and cities read it, with the
 * notes that say what may be meant otherwise; what is missing, left out or refused. */
#include "unit.h"

#include "io/csv/days.h"
#include "io/csv/head.h"

#include <math.h>
#include <shoal/dataset.h>
#include <shoal/tsp.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define REPEATED    "a,x,high\nb,y,low\na,z,high\nb,y,low\n"

static struct csv_head head_of(const char *text, enum shoal_header header, bool may_be_matrix,
                               enum shoal_status wanted)
{
    const struct csv_rules rules = {.header = header, .may_be_matrix = may_be_matrix};
    struct csv_memory memory;
    struct csv_head head;
    const struct csv_text source =
        csv_text_of(&memory, (struct cursor){.name = "a.csv", .at = text, .end = text + strlen(text)});
    assert_status(csv_head_read(&source, &rules, &head, &test_error), wanted);
    return head;
}

static void each_rule(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum csv_reason reason;
        size_t columns, first_line;
        const char *names; /* joined by | ; NULL: none */
    } cases[] = {
        {"t,y\n1,2\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "t|y"},
        {"t,y\n?,2\nx,3\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "t|y"},
        {"t,y\nx,3\n1,z\n", CSV_ROW, 2, 1, NULL},
        {"t,2\nx,3\ny,4\n", CSV_ROW_WITH_WORD, 2, 1, NULL},
        {"1,2,class\n" REPEATED, CSV_NAMES_OVER_CLASSES, 3, 2, "1|2|class"},
        {"x,5 %\n1,2\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "x|5 %"},
        {"5 %,a\n6 %,b\n7 %,a\n", CSV_ROW, 2, 1, NULL},
        {"x,y\n6 %,b\n7 %,a\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "x|y"},
        {"1,2,high\n" REPEATED, CSV_ROW, 3, 1, NULL},
        {"from,to\nParis,Rome\nOslo,Bonn\n", CSV_NAMES_OVER_WORDS, 2, 2, "from|to"},
        {"from,to\nParis,from\nOslo,Bonn\n", CSV_ROW_WITH_WORD, 2, 1, NULL},
        {"a,a\nParis,Rome\n", CSV_ROW_WITH_WORD, 2, 1, NULL},
        {",name,city\n0,Ann,Rome\n1,Bob,Oslo\n", CSV_NAMES_OVER_WORDS, 3, 2, "1|name|city"},
        {"0,1,2\n1.5,2,3\n", CSV_NAMES_COUNT, 3, 2, "0|1|2"},
        {"1,2,3\n1.5,2,3\n", CSV_NAMES_COUNT, 3, 2, "1|2|3"},
        {"2,3,4\n1.5,2,3\n", CSV_ROW, 3, 1, NULL},
        {"0,1,3\n1.5,2,3\n", CSV_ROW, 3, 1, NULL},
        {"0,1,2\n1,2,3\n", CSV_ROW, 3, 1, NULL},
        {"0,1\n1.5,2\n", CSV_ROW_OF_TWO, 2, 1, NULL},
        {"0\n1.5\n", CSV_ROW, 1, 1, NULL},
        {",0\n7,1.5\n", CSV_NAMES_COUNT, 2, 2, "1|0"},
        {"# x y\n1 2\n", CSV_NAMES_COMMENT, 2, 2, "x|y"},
        {"# x,y\n1 2\n", CSV_NAMES_COMMENT, 2, 2, "x|y"},
        {"# 1 2\n1 2\n", CSV_ROW, 2, 2, NULL},
        {"# x x\n1 2\n", CSV_ROW, 2, 2, NULL},
        {"# x y z\n1 2\n", CSV_ROW, 2, 2, NULL},
        {"\"sep=;\"\nt;y\n1;2\n", CSV_NAMES_OVER_NUMBERS, 2, 3, "t|y"},
        {"sep=,\n1,2\n", CSV_ROW, 2, 2, NULL},
        {"a,,NA,\n1,2,3,\n", CSV_NAMES_OVER_NUMBERS, 3, 2, "a|2|3"},
        {"a,b\n", CSV_NAMES_OVER_NUMBERS, 2, 0, "a|b"},
        {"", CSV_ROW, 0, 0, NULL},
        {"x y\n1 0.5 a\n2 1.5 b\n", CSV_NAMES_OVER_NUMBERS, 3, 2, "1|x|y"},
        {"a;b,c\n1;2\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "a|b,c"},
        {"first;second, or none\n1,2\n", CSV_NAMES_OVER_NUMBERS, 2, 2, "first;second|or none"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("case %zu: %s", i, cases[i].text);
        struct csv_head head = head_of(cases[i].text, SHOAL_HEADER_AUTO, false, SHOAL_OK);
        char names[80] = "";
        for (size_t c = 0; c < head.columns && head.names; c++)
            strcat(strcat(names, c ? "|" : ""), head.names[c]);
        assert_int_equal(head.reason, cases[i].reason);
        assert_int_equal(head.columns, cases[i].columns);
        assert_int_equal(head.first_line, cases[i].first_line);
        assert_string_equal(names, cases[i].names ? cases[i].names : "");
        const bool notes = head.reason == CSV_ROW_OF_TWO || head.reason == CSV_ROW_WITH_WORD ||
                           head.reason == CSV_NAMES_COUNT || head.reason == CSV_NAMES_OVER_CLASSES;
        assert_true((head.notes != NULL) == notes);
        csv_head_free(&head);
    }
}

/* Decisions that the last row makes, in columns of more words than are remembered. */
static void the_last_row_decides(void **state)
{
    (void)state;
    struct text text = {0};
    text_add(&text, "t,y,word\n");
    for (int i = 0; i < 40000; i++)
        text_printf(&text, "%d,%d,w%d\n", i, i % 5, i);
    struct csv_head head = head_of(text.data, SHOAL_HEADER_AUTO, false, SHOAL_OK);
    assert_int_equal(head.reason, CSV_NAMES_OVER_NUMBERS);
    csv_head_free(&head);
    text_add(&text, "a,b,w7\n");
    head = head_of(text.data, SHOAL_HEADER_AUTO, false, SHOAL_OK);
    assert_int_equal(head.reason, CSV_ROW_WITH_WORD); /* one word came twice, not two */
    csv_head_free(&head);
    text_add(&text, "a,b,w9\n");
    head = head_of(text.data, SHOAL_HEADER_AUTO, false, SHOAL_OK);
    assert_int_equal(head.reason, CSV_NAMES_OVER_CLASSES);
    csv_head_free(&head);
    text_add(&text, "a,b,word\n");
    head = head_of(text.data, SHOAL_HEADER_AUTO, false, SHOAL_OK);
    assert_int_equal(head.reason, CSV_ROW);
    csv_head_free(&head);
    text_free(&text);
}

/* Also of so many columns that no name can be compared with all others. */
static void empty_names_are_numbers(void **state)
{
    (void)state;
    enum { COLUMNS = 300000 };
    static const char *const names[] = {"column 1", "1", "4", "column 4", "5", "06"};
    struct csv_head head = head_of(",1,4,NA,,06\n1,2,3,4,5,6\n", SHOAL_HEADER_YES, false, SHOAL_OK);
    assert_int_equal(head.columns, COUNT(names));
    for (size_t c = 0; c < COUNT(names); c++)
        assert_string_equal(head.names[c], names[c]);
    csv_head_free(&head);
    struct text text = {0};
    text_add(&text, "a");
    for (int c = 1; c < COLUMNS; c++)
        text_add(&text, ",");
    text_add(&text, "\n1");
    for (int c = 1; c < COLUMNS; c++)
        text_add(&text, ",1");
    head = head_of(text.data, SHOAL_HEADER_AUTO, false, SHOAL_OK);
    assert_int_equal(head.columns, COLUMNS);
    assert_string_equal(head.names[COLUMNS - 1], "300000");
    csv_head_free(&head);
    text_free(&text);
}

static void what_is_asked_for(void **state)
{
    (void)state;
    struct csv_head head = head_of("t,y\n1,2\n", SHOAL_HEADER_NO, false, SHOAL_OK);
    assert_true(head.reason == CSV_ROW_ASKED && !head.names && head.entry_count == 2);
    csv_head_free(&head);
    head = head_of("7,8\n1,2\n", SHOAL_HEADER_YES, false, SHOAL_OK);
    assert_true(head.reason == CSV_NAMES_ASKED && strcmp(head.names[1], "8") == 0);
    csv_head_free(&head);
    head = head_of("# t y\n7 8\n1 2\n", SHOAL_HEADER_YES, false, SHOAL_OK);
    assert_true(head.reason == CSV_NAMES_COMMENT && head.first_line == 2);
    csv_head_free(&head);
    head = head_of("# t y\n7 8\n1 2\n", SHOAL_HEADER_NO, false, SHOAL_OK);
    assert_true(head.reason == CSV_ROW_ASKED && !head.names);
    csv_head_free(&head);
    /* A square matrix begins as numbers of columns do. */
    head = head_of("0,1,2\n1,0,2.5\n2,2.5,0\n", SHOAL_HEADER_AUTO, true, SHOAL_OK);
    assert_int_equal(head.reason, CSV_ROW);
    csv_head_free(&head);
    head = head_of("t,u,t\n1,2,3\n", SHOAL_HEADER_AUTO, false, SHOAL_IO);
    assert_contains(test_error.message, "a.csv: columns 1 and 3 have the same name, 't'");
    csv_head_free(&head);
    head = head_of("x,y\n1,2,3\n4,5,6\n", SHOAL_HEADER_AUTO, false, SHOAL_IO);
    assert_contains(test_error.message, "row 1 (line 2) has 3 columns, the first line has 2");
    csv_head_free(&head);
    head = head_of("sep=|\n1|2\n", SHOAL_HEADER_AUTO, false, SHOAL_IO);
    assert_contains(test_error.message, "line 1 says that '|' separates columns");
    csv_head_free(&head);
}

static void tables_and_data_sets_and_cities_agree(void **state)
{
    (void)state;
    static const char text[] = ",x,y\n0,0,0\n1,0,3\n2,4,0\n";
    const char *path = test_path("a.csv");
    struct shoal_table *table;
    struct shoal_dataset *dataset;
    struct shoal_tsp_problem *problem;
    struct shoal_dataset_params params;
    struct shoal_tsp_params cities;
    double out[6];
    test_write_text(path, text);
    assert_ok(shoal_table_open(path, NULL, &table, &test_error));
    const struct shoal_table_info *info = shoal_table_get_info(table);
    assert_true(info->leaves_index && info->columns == 2);
    assert_contains(info->notes, "its first column has no name and numbers the rows");
    assert_string_equal(shoal_table_column_name(table, 0), "x");
    assert_ok(shoal_table_read(table, 0, 3, out, &test_error));
    assert_memory_equal(out, ((const double[6]){0, 0, 0, 3, 4, 0}), sizeof out);
    /* By name or number it is there again. */
    assert_ok(shoal_table_choose(&table, "3, 1", false, &test_error));
    assert_false(shoal_table_get_info(table)->leaves_index);
    assert_string_equal(shoal_table_get_info(table)->notes, "");
    assert_ok(shoal_table_read(table, 0, 3, out, &test_error));
    assert_memory_equal(out, ((const double[6]){0, 0, 3, 1, 0, 2}), sizeof out);
    shoal_table_destroy(&table);

    shoal_dataset_params_init(&params);
    params.path = path;
    assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
    assert_int_equal(shoal_dataset_column_at(dataset, 0)->kind, SHOAL_COLUMN_IGNORED);
    assert_string_equal(shoal_dataset_column_at(dataset, 0)->left_out, "index");
    assert_contains(shoal_dataset_get_info(dataset)->notes, "--columns '1 number' takes it");
    shoal_dataset_destroy(&dataset);

    shoal_tsp_params_init(&cities);
    cities.data = path;
    assert_ok(shoal_tsp_open(&cities, &problem, &test_error));
    assert_int_equal(shoal_tsp_get_info(problem)->cities, 3);
    assert_int_equal(shoal_tsp_get_info(problem)->dim, 2);
    shoal_tsp_close(&problem);
    cities.header = SHOAL_HEADER_NO;
    assert_int_not_equal(shoal_tsp_open(&cities, &problem, &test_error), SHOAL_OK);
}

static void parameters_of_tables(void **state)
{
    (void)state;
    struct shoal_table_params params = {.path = test_path("a.csv")};
    struct shoal_table *table;
    double out[4];
    test_write_text(params.path, "0,1,2\n-999,4.5,6\n7,8,9\n");
    assert_status(shoal_table_open_with(&params, &table, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "call shoal_table_params_init");
    shoal_table_params_init(&params);
    assert_status(shoal_table_open_with(&params, &table, &test_error), SHOAL_INVALID);
    params.path = test_path("a.csv");
    params.header = 3;
    assert_status(shoal_table_open_with(&params, &table, &test_error), SHOAL_INVALID);
    params.header = SHOAL_HEADER_NO;
    params.missing_values = "-999";
    assert_ok(shoal_table_open_with(&params, &table, &test_error));
    assert_int_equal(shoal_table_get_info(table)->rows, 3);
    assert_ok(shoal_table_choose(&table, NULL, true, &test_error));
    assert_int_equal(shoal_table_get_info(table)->dropped, 1);
    assert_ok(shoal_table_read(table, 1, 1, out, &test_error));
    assert_true(out[0] == 7);
    shoal_table_destroy(&table);
    params.header = SHOAL_HEADER_AUTO;
    assert_ok(shoal_table_open_with(&params, &table, &test_error));
    assert_contains(shoal_table_get_info(table)->notes, "0 to 2, is taken for names of columns");
    shoal_table_destroy(&table);
}

static void days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double day; /* NaN: none */
    } cases[] = {
        {"1970-01-01", 0},
        {"2000-02-29", 11016},
        {"2024-12-31", 20088},
        {"1969-12-31T12:00", -.5},
        {"1970-01-02 06:00:00Z", 1.25},
        {"1970-01-01T00:00:43.2", 0.0005},
        {"1900-02-29", NAN},
        {"2023-02-29", NAN},
        {"2023-13-01", NAN},
        {"2023-1-1", NAN},
        {"2023-01-01x", NAN},
        {"2023-01-01T24:00", NAN},
        {"", NAN},
        {"0001-01-01", -719162},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double day = NAN;
        test_label("%s", cases[i].text);
        const struct word word = {cases[i].text, cases[i].text + strlen(cases[i].text)};
        assert_int_equal(day_read(word, &day), !isnan(cases[i].day));
        assert_true(isnan(cases[i].day) || fabs(day - cases[i].day) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_rule),
        UNIT_TEST(the_last_row_decides),
        UNIT_TEST(empty_names_are_numbers),
        UNIT_TEST(what_is_asked_for),
        UNIT_TEST(tables_and_data_sets_and_cities_agree),
        UNIT_TEST(parameters_of_tables),
        UNIT_TEST(days),
    };
    return cmocka_run_group_tests_name("first line", tests, NULL, NULL);
}
