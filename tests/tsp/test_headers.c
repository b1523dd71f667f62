/* TSPLIB files as they are found: the keys of the published ones, remarks behind values, keys of other
 * programs, rounding that leaves nothing. */
#include "fixture.h"

#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The key lines and sections of TSPLIB's files, N for their size. */
static const struct {
    const char *keys, *sections;
} headers[] = {
    {"TYPE: ATSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: FULL_MATRIX",
     "EDGE_WEIGHT_SECTION EOF"},
    {"TYPE: TSP (M.~Hofmeister) | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: "
     "UPPER_DIAG_ROW | DISPLAY_DATA_TYPE: NO_DISPLAY",
     "EDGE_WEIGHT_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: ATT", "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: CEIL_2D", "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EUC_2D", "FIXED_EDGES_SECTION NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: FULL_MATRIX",
     "EDGE_WEIGHT_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: FULL_MATRIX | "
     "DISPLAY_DATA_TYPE: TWOD_DISPLAY",
     "EDGE_WEIGHT_SECTION DISPLAY_DATA_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: LOWER_DIAG_ROW",
     "EDGE_WEIGHT_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: LOWER_DIAG_ROW | "
     "NODE_COORD_TYPE: NO_COORDS | DISPLAY_DATA_TYPE: TWOD_DISPLAY",
     "EDGE_WEIGHT_SECTION DISPLAY_DATA_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: EXPLICIT | EDGE_WEIGHT_FORMAT: UPPER_ROW | "
     "DISPLAY_DATA_TYPE: TWOD_DISPLAY",
     "EDGE_WEIGHT_SECTION DISPLAY_DATA_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: GEO | DISPLAY_DATA_TYPE: COORD_DISPLAY",
     "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: GEO | EDGE_WEIGHT_FORMAT: FUNCTION | DISPLAY_DATA_TYPE: "
     "COORD_DISPLAY",
     "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: XRAY1", "NODE_COORD_SECTION EOF"},
    {"TYPE: TSP | DIMENSION: N | EDGE_WEIGHT_TYPE: XRAY2", "NODE_COORD_SECTION EOF"},
};

enum { CITIES = 5 };

static bool is_asked(const char *keys, const char *form)
{
    return strstr(keys, form) != NULL;
}

/* The distance of two cities in a matrix, not the same both ways where it need not be. */
static int weight(bool is_asymmetric, int from, int to)
{
    return 10 * (from + to) + (is_asymmetric && from > to ? 3 : 0) + (from - to) * (from - to);
}

static void add_weights(struct text *text, const char *keys)
{
    const bool is_asymmetric = is_asked(keys, "TYPE: ATSP");
    for (int i = 0; i < CITIES; i++) {
        const int first = is_asked(keys, "UPPER_DIAG_ROW") ? i : is_asked(keys, "UPPER_ROW") ? i + 1 : 0;
        const int end = is_asked(keys, "LOWER_DIAG_ROW") ? i + 1 : CITIES;
        for (int j = first; j < end; j++)
            text_printf(text, "%d ", i == j ? 0 : weight(is_asymmetric, i, j));
        text_add(text, "\n");
    }
}

static void add_section(struct text *text, const char *keys, const char *section)
{
    static const char *const places[CITIES] = {"0 0", "30 0", "30 40", "0 40", "15 60"};
    text_printf(text, "%s\n", section);
    if (strcmp(section, "EDGE_WEIGHT_SECTION") == 0)
        add_weights(text, keys);
    else if (strcmp(section, "FIXED_EDGES_SECTION") == 0)
        text_add(text, "1 3\n-1\n");
    else
        for (int i = 0; i < CITIES && strcmp(section, "EOF") != 0; i++)
            text_printf(text, "%d %s\n", i + 1, places[i]);
}

/* A small file with these keys and sections, which are parted by blanks. */
static void make_file(struct text *text, const char *keys, const char *sections)
{
    char copy[512], *rest = copy, *part;
    *text = (struct text){0};
    text_add(text, "NAME: small\n");
    snprintf(copy, sizeof copy, "%s", keys);
    for (part = strstr(rest, " | "); *rest; part = strstr(rest, " | ")) {
        const int length = part ? (int)(part - rest) : (int)strlen(rest);
        if (strncmp(rest, "DIMENSION", 9) == 0)
            text_printf(text, "DIMENSION: %d\n", CITIES);
        else
            text_printf(text, "%.*s\n", length, rest);
        rest += part ? length + 3 : length;
    }
    snprintf(copy, sizeof copy, "%s", sections);
    for (part = strtok(copy, " \r\n"); part; part = strtok(NULL, " \r\n"))
        add_section(text, keys, part);
}

static void reads_small(const char *keys, const char *sections)
{
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    struct text text;
    make_file(&text, keys, sections);
    test_label("%s", keys);
    const enum shoal_status status = tsp_fixture_read(&params, "small.tsp", text.data, &problem);
    text_free(&text);
    if (is_asked(keys, "XRAY")) {
        assert_status(status, SHOAL_IO);
        assert_contains(test_error.message, "EDGE_WEIGHT_TYPE is 'XRAY");
        return;
    }
    assert_ok(status);
    assert_int_equal(problem.n, CITIES);
    assert_string_equal(problem.info.notes, "");
    assert_int_equal(problem.fixed_count, strstr(sections, "FIXED") ? 1 : 0);
    if (problem.matrix)
        for (int i = 0; i < CITIES; i++)
            for (int j = 0; j < CITIES; j++)
                assert_int_equal(problem.matrix[i * CITIES + j],
                                 i == j ? 0 : weight(is_asked(keys, "ATSP"), i, j));
    else
        assert_true(problem.places[9] == 60);
    tsp_problem_destroy(&problem);
}

static void published_headers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(headers); i++)
        reads_small(headers[i].keys, headers[i].sections);
}

/* Those of the list beside the project, where there is one. */
static void listed_headers(void **state)
{
    (void)state;
    char path[600], line[1000];
    const char *folder = getenv("SHOAL_TEST_TSPLIB");
    snprintf(path, sizeof path, "%s/headers.tsv", folder ? folder : "");
    FILE *file = folder ? fopen(path, "r") : NULL;
    size_t count = 0;
    if (!file) {
        print_message("no list of published headers: set SHOAL_TEST_TSPLIB\n");
        skip();
    }
    while (fgets(line, sizeof line, file)) {
        char *keys = strchr(line, '\t'), *sections = keys ? strchr(keys + 1, '\t') : NULL;
        if (!sections || strncmp(line, "file\t", 5) == 0)
            continue;
        *sections = '\0';
        reads_small(keys + 1, sections + 1);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 132);
}

static void remarks_and_cases(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "TYPE: TSP (set by J. Doe)\nDIMENSION: 5 cities\nEDGE_WEIGHT_TYPE: EUC_2D rounded\n"
        "NODE_COORD_SECTION\n",
        "Type : tsp\ndimension : 5\nEdge_Weight_Type : euc_2d\nnode_coord_section\n",
        "TYPE: TSP(J. Doe)\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D(rounded)\nEDGE_WEIGHT_FORMAT: function x\n"
        "NODE_COORD_TYPE: twod_coords of the plane\nNODE_COORD_SECTION:\n",
    };
    for (size_t i = 0; i < COUNT(heads); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[500];
        snprintf(text, sizeof text, "%s1 0 0\n2 30 0\n3 30 40\n4 0 40\n5 15 60\neof\n", heads[i]);
        test_label("%s", heads[i]);
        assert_ok(tsp_fixture_read(&params, "five.tsp", text, &problem));
        assert_int_equal(problem.metric, SHOAL_TSP_EUC_2D);
        assert_int_equal(tsp_input_distance(&problem, 3, 4), 25);
        assert_string_equal(problem.info.notes, "");
        tsp_problem_destroy(&problem);
    }
}

static void unknown_keys_are_noted(void **state)
{
    (void)state;
    static const char text[] = "TYPE: TSP\nDIMENSION: 3\nCAPACITY: 100\nEDGE_WEIGHT_TYPE: EUC_2D\n"
                               "NODE_COORD_SECTION\n1 0 0\n2 30 0\n3 30 40\n"
                               "DEMAND_SECTION\n1 0\n2 7\n3 8\nDEPOT_SECTION\n1\n-1\nEOF\n";
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    assert_ok(tsp_fixture_read(&params, "cvrp.tsp", text, &problem));
    assert_int_equal(problem.n, 3);
    assert_contains(problem.info.notes,
                    "line 3: CAPACITY is no key of a TSP, ATSP or TOUR of TSPLIB: left out");
    assert_contains(problem.info.notes, "line 9: DEMAND_SECTION is no key");
    assert_contains(problem.info.notes, "line 13: DEPOT_SECTION is no key");
    tsp_problem_destroy(&problem);
}

static void minus_one_twice(void **state)
{
    (void)state;
    static const char text[] = "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nFIXED_EDGES_SECTION\n1 2\n-1\n-1\n"
                               "NODE_COORD_SECTION\n1 0 0\n2 0 30\n3 40 30\n4 40 0\nEOF\n";
    static const struct {
        const char *text;
        size_t count;
    } tours[] = {
        {"TOUR_SECTION\n2\n1\n4\n3\n-1\n-1\nEOF\n", 1},
        {"TOUR_SECTION\n2 1 4 3 -1 -1\n", 1},
        {"TOUR_SECTION\n2 1 4 3 -1\n1 2 3 4 -1\n4 3 2 1 -1\n-1\nEOF\n", 3},
        {"TOUR_SECTION\n2 1 4 3\n-1\nTOUR_SECTION\n1 2 3 4\n-1\nEOF\n", 2},
    };
    static const uint32_t wanted[] = {1, 0, 3, 2};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    assert_ok(tsp_fixture_read(&params, "four.tsp", text, &problem));
    assert_int_equal(problem.fixed_count, 1);
    const struct shoal_tsp_problem *opened = tsp_public(&problem);
    for (size_t i = 0; i < COUNT(tours); i++) {
        uint32_t tour[4];
        size_t count = 0;
        test_label("%s", tours[i].text);
        test_write_text(test_path("t.tour"), tours[i].text);
        assert_ok(shoal_tsp_read_tours(opened, test_path("t.tour"), tour, &count, &test_error));
        assert_words(tour, wanted, 4);
        assert_int_equal(count, tours[i].count);
    }
    test_write_text(test_path("t.tour"), "TOUR_SECTION\n2 1 4 3 -1\n1 2 3 3 -1\n");
    uint32_t tour[4];
    assert_status(shoal_tsp_read_tour(opened, test_path("t.tour"), tour, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "line 3: city 3 is in the tour twice");
    tsp_problem_destroy(&problem);
    /* A run says which one it starts from. */
    test_write_text(test_path("t.tour"), tours[2].text);
    params = tsp_fixture_params();
    params.tour = test_path("t.tour");
    assert_ok(tsp_fixture_read(&params, "four.tsp", text, &problem));
    assert_contains(problem.info.notes, "t.tour holds 3 tours: the first is taken");
    tsp_problem_destroy(&problem);
    /* Keys that it does not know have a line, there and where a tour is read alone. */
    static const char left_out[] =
        "t.tour: line 1: BESTKNOWN is no key of a TSP, ATSP or TOUR of TSPLIB: left out";
    uint32_t again[4];
    size_t count;
    char *notes;
    test_write_text(test_path("t.tour"), "BESTKNOWN: 3\nTOUR_SECTION\n2 1 4 3 -1\n");
    assert_ok(tsp_fixture_read(&params, "four.tsp", text, &problem));
    assert_contains(problem.info.notes, left_out);
    assert_ok(shoal_tsp_read_tour_file(tsp_public(&problem), test_path("t.tour"), again, &count, &notes,
                                       &test_error));
    assert_contains(notes, left_out);
    free(notes);
    tsp_problem_destroy(&problem);
}

static void fractions(void **state)
{
    (void)state;
    static const char head[] = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: ";
    static const char *const forms[] = {"UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2.5\n0.125\n",
                                        "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2.5\n1 0 .125\n2.5 .125 9\n"};
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[300];
        snprintf(text, sizeof text, "%s%sEOF\n", head, forms[i]);
        assert_ok(tsp_fixture_read(&params, "gr17.tsp", text, &problem));
        assert_true(tsp_in_unit(&problem, tsp_input_distance(&problem, 0, 2)) == 2.5);
        assert_true(tsp_in_unit(&problem, tsp_input_distance(&problem, 2, 1)) == 0.125);
        assert_contains(problem.info.notes, "weights are not whole");
        assert_int_equal(problem.optimum, 0);
        tsp_problem_destroy(&problem);
    }
    /* Fractions of the diagonal count for nothing. */
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    char text[300];
    snprintf(text, sizeof text, "%sFULL_MATRIX\nEDGE_WEIGHT_SECTION\n0.5 1 2\n1 0.5 3\n2 3 0.5\n", head);
    assert_ok(tsp_fixture_read(&params, "whole.tsp", text, &problem));
    assert_true(problem.unit == 1);
    assert_string_equal(problem.info.notes, "");
    tsp_problem_destroy(&problem);
}

static void rounding_that_leaves_nothing(void **state)
{
    (void)state;
    static const char *const metrics[] = {"EUC_2D", "MAN_2D", "MAX_2D", "CEIL_2D", "ATT", "GEO", "GEOM"};
    for (size_t i = 0; i < 2 * COUNT(metrics); i++) {
        /* One small place, and with the metric asked for instead the whole of it. */
        const bool is_small = i < COUNT(metrics);
        const char *metric = metrics[i % COUNT(metrics)];
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[400];
        const double side = is_small ? 1e-6 : 40;
        snprintf(text, sizeof text,
                 "DIMENSION: 4\nEDGE_WEIGHT_TYPE: %s\nNODE_COORD_SECTION\n1 0 0\n2 0 %g\n3 %g %g\n4 %g 0\n",
                 metric, side, side, side, side);
        test_label("%s %g", metric, side);
        assert_ok(tsp_fixture_read(&params, "small.tsp", text, &problem));
        if (is_small)
            assert_contains(problem.info.notes, "rounds to whole numbers, and most distances are 0 or 1");
        else
            assert_string_equal(problem.info.notes, "");
        tsp_problem_destroy(&problem);
    }
}

/* By Concorde's formula (UTIL/edgelen.c): 6378388 m, plus 1 and cut. */
static void geom(void **state)
{
    (void)state;
    static const double places[4][2] = {{46.05, 14.5}, {48.2, 16.37}, {45.81, 15.98}, {-17.95, -149.06}};
    static const char text[] = "DIMENSION: 4\nEDGE_WEIGHT_TYPE: GEOM\nNODE_COORD_SECTION\n1 46.05 14.5\n"
                               "2 48.2 16.37\n3 45.81 15.98\n4 -17.95 -149.06\nEOF\n";
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    assert_ok(tsp_fixture_read(&params, "isles.tsp", text, &problem));
    assert_string_equal(problem.unit_name, "m");
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++) {
            const double degree = M_PI / 180, lat = places[a][0] * degree, other = places[b][0] * degree;
            const double lon = (places[a][1] - places[b][1]) * degree;
            const double q1 = cos(other) * sin(lon), s = sin(lon / 2), c = cos(lon / 2);
            const double q2 = sin(lat + other) * s * s - sin(lat - other) * c * c;
            const double q5 = cos(lat - other) * c * c - cos(lat + other) * s * s;
            const int64_t wanted = (int64_t)(6378388.0 * atan2(sqrt(q1 * q1 + q2 * q2), q5) + 1.0);
            assert_int_equal(tsp_input_distance(&problem, a, b), wanted);
        }
    static const uint32_t tours[][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}};
    int64_t shortest = INT64_MAX;
    for (size_t i = 0; i < COUNT(tours); i++) {
        const int64_t length = tsp_length(&problem, tours[i], NULL);
        shortest = length < shortest ? length : shortest;
    }
    assert_int_equal(shortest, 33368421);
    tsp_problem_destroy(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(published_headers),
        UNIT_TEST(listed_headers),
        UNIT_TEST(remarks_and_cases),
        UNIT_TEST(unknown_keys_are_noted),
        UNIT_TEST(minus_one_twice),
        UNIT_TEST(fractions),
        UNIT_TEST(rounding_that_leaves_nothing),
        UNIT_TEST(geom),
    };
    return cmocka_run_group_tests_name("tsp-headers", tests, NULL, NULL);
}
