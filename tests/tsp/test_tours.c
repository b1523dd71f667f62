/* Tours: files that are read, what is no tour, and what is written. */
#include "fixture.h"

#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char square[] =
    "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 3\n4 4 0\n";
static const char named[] = "name,lat,lon\nA,0,0\n\"B, b\",0,1\n\"C \"\"c\"\"\",1,1\n";

static void tours_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "NAME: t\nTYPE: TOUR\nDIMENSION: 4\nTOUR_SECTION\n2\n3\n4\n1\n-1\nEOF\n",
        "TYPE : TOUR\nTOUR_SECTION\n2 3 4 1 -1\n",
        "TOUR_SECTION\r\n2 3\r\n4 1\r\nEOF\r\n",
        "TOUR_SECTION\n2\n3\n4\n1",
        "2\n3\n4\n1\n",
        "# a tour\n\n 2 \r\n3\r\n4\r\n1",
        "4\n1 2 3 0\n", /* Concorde's solution */
        "4\n1 2\n3 0",
        "{\"order\": [2, 3, 4, 1], \"length\": 14}",
        "Place;ID\n1;2\n2;3\n3;4\n4;1\n5;2\n",
        "2\n3\n4\n1\n2\n", /* it ends where it began */
    };
    static const uint32_t wanted[] = {1, 2, 3, 0};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    uint32_t tour[4];
    size_t count;
    char *notes;
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    for (size_t i = 0; i < COUNT(texts); i++) {
        test_label("%s", texts[i]);
        test_write_text(test_path("read.tour"), texts[i]);
        assert_ok(tsp_read_tour(&problem, test_path("read.tour"), tour, &count, &notes, &test_error));
        free(notes);
        assert_words(tour, wanted, 4);
        assert_int_equal(tsp_length(&problem, tour, NULL), 14);
    }
    /* No solution, though it begins with their number: that has a city 0. */
    static const uint32_t from_last[] = {3, 0, 1, 2};
    test_write_text(test_path("read.tour"), "4\n1\n2\n3\n4\n");
    assert_ok(tsp_read_tour(&problem, test_path("read.tour"), tour, &count, &notes, &test_error));
    free(notes);
    assert_words(tour, from_last, 4);
    tsp_problem_destroy(&problem);
}

static void faults_of_files(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"TYPE: TOUR\nDIMENSION: 5\nTOUR_SECTION\n1 2 3 4 5 -1\n",
         "line 2: the tour has 5 cities, square has 4: it is of another problem"},
        {"TOUR_SECTION\n1 2 3\n5 -1\n", "line 3: the number of a city is 5: 1 to 4 are possible"},
        {"TOUR_SECTION\n1 2 2 3 -1\n", "line 2: city 2 is in the tour twice"},
        {"TOUR_SECTION\n1 2\n4 -1\n", "line 3: the tour ends behind 3 of 4 cities, 3 is missing"},
        {"TOUR_SECTION\n1 2 x 4 -1\n", "line 2: 'x' should be the number of a city"},
        {"TYPE: TOUR\nDIMENSION: 4\n", "line 2: the file ends without TOUR_SECTION"},
        {"TYPE: TSP\nTOUR_SECTION\n1 2 3 4\n", "TYPE: TSP of line 1: this is no tour"},
        {"TYPE: TSP\nDIMENSION: 4\nNODE_COORD_SECTION\n",
         "line 3: NODE_COORD_SECTION: this is a problem, not a tour"},
        {"1\n2\n5\n3\n", "line 3: '5' is no city of square"},
        {"1\n2\n2\n3\n", "line 3: city '2' is in the tour twice"},
        {"1\n2\n3\n", "line 3: the tour ends behind 3 of 4 cities, '4' is missing"},
        {"", "holds no city: give a tour of square"},
        {"4\n0 1 2 2\n", "line 2: city '2' is in the tour twice"},
        {"4\n0 1 2 4\n", "line 2: the number of a city is 4: 0 to 3 are possible in a solution of Concorde"},
        {"{\"order\": [1, 2, 3]}", "the tour ends behind 3 of 4 cities, '4' is missing"},
        {"{\"order\": [1, 2, 3, 9]}", "'9' is no city of square"},
        {"{\"order\": [1, 2, 3, null]}", "\"order\" holds something else than ids"},
        {"{\"tour\": [1, 2, 3, 4]}", "has no \"order\", the ids of the cities"},
        {"{\"order\": [1, 2", "is no JSON"},
        {"place,id\n1,2\n2\n", "line 3: has no column 2, the id of a city"},
        {"place,id\n1,2\n2,7\n", "line 3: '7' is no city of square"},
        {"1\n2\n3\n4\n1\n2\n", "line 6: city '2' is in the tour twice"},
    };
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    uint32_t tour[4];
    size_t count;
    char *notes;
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i][1]);
        test_write_text(test_path("bad.tour"), cases[i][0]);
        assert_status(tsp_read_tour(&problem, test_path("bad.tour"), tour, &count, &notes, &test_error),
                      SHOAL_IO);
        assert_contains(test_error.message, cases[i][1]);
        assert_contains(test_error.message, "bad.tour: ");
    }
    assert_status(tsp_read_tour(&problem, test_path("none.tour"), tour, &count, &notes, &test_error),
                  SHOAL_IO);
    assert_contains(test_error.message, "cannot read tour");
    tsp_problem_destroy(&problem);
}

static void what_is_no_tour(void **state)
{
    (void)state;
    static const struct {
        uint32_t tour[4];
        size_t count;
        const char *message, *start, *end;
        const char *more; /* of the file */
    } cases[] = {
        {{0, 1, 2, 3}, 4, NULL, NULL, NULL, ""},
        {{0, 1, 2, 3}, 3, "the tour has 3 cities, square has 4", NULL, NULL, ""},
        {{0, 1, 2, 4}, 4, "the tour has city number 4 at place 4: square has 0 to 3", NULL, NULL, ""},
        {{0, 1, 2, 1}, 4, "the tour has city 2 twice, at places 2 and 4", NULL, NULL, ""},
        {{0, 1, 2, 3}, 4, "the tour begins in city 1, it should in 2", "2", NULL, ""},
        {{0, 1, 2, 3}, 4, "the tour ends in city 4, it should in 3", "1", "3", ""},
        {{0, 1, 3, 2}, 4, NULL, "1", "3", ""},
        {{0, 1, 2, 3},
         4,
         "the tour lacks the fixed edge from 1 to 3",
         NULL,
         NULL,
         "FIXED_EDGES_SECTION\n1 3\n-1\n"},
        {{0, 3, 1, 2}, 4, NULL, NULL, NULL, "FIXED_EDGES_SECTION\n1 3\n-1\n"},
        {{0, 3, 1, 2},
         4,
         "the tour lacks the fixed edge from 1 to 3",
         "1",
         NULL,
         "FIXED_EDGES_SECTION\n1 3\n-1\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[400];
        params.start = cases[i].start;
        params.path = cases[i].start != NULL;
        params.end = cases[i].end;
        snprintf(text, sizeof text, "%s%s", square, cases[i].more);
        test_label("%zu: %s", i, cases[i].message ? cases[i].message : "a tour");
        assert_ok(tsp_fixture_read(&params, "square.tsp", text, &problem));
        const enum shoal_status status = tsp_tour_fault(&problem, cases[i].tour, cases[i].count, &test_error);
        assert_int_equal(status, cases[i].message ? SHOAL_INVALID : SHOAL_OK);
        if (status)
            assert_contains(test_error.message, cases[i].message);
        tsp_problem_destroy(&problem);
    }
}

static void forbidden_edges_and_arcs(void **state)
{
    (void)state;
    static const uint32_t forwards[] = {0, 1, 2}, backwards[] = {0, 2, 1};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    assert_ok(tsp_fixture_read(&params, "arcs.csv", "0,1,2\n3,0,4\ninf,5,0\n", &problem));
    assert_ok(tsp_tour_fault(&problem, backwards, 3, &test_error));
    assert_int_equal(tsp_length(&problem, backwards, NULL), 2 + 5 + 3);
    assert_status(tsp_tour_fault(&problem, forwards, 3, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the tour has the forbidden edge from 3 to 1");
    tsp_problem_destroy(&problem);
    /* The forbidden arc is not on the path. */
    params.path = true;
    assert_ok(tsp_fixture_read(&params, "arcs.csv", "0,1,2\n3,0,4\ninf,5,0\n", &problem));
    assert_ok(tsp_tour_fault(&problem, forwards, 3, &test_error));
    tsp_problem_destroy(&problem);
}

static void start_tours(void **state)
{
    (void)state;
    static const uint32_t tour[] = {3, 2, 1, 0}, twice[] = {3, 2, 2, 0};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    char path[200];
    snprintf(path, sizeof path, "%s", test_path("start.tour"));
    test_write_text(path, "4\n3\n2\n1\n");
    params.tour = path;
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    assert_words(problem.tour, tour, 4);
    tsp_problem_destroy(&problem);
    params.start = "1"; /* a closed tour has no first city of its own */
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    tsp_problem_destroy(&problem);
    params.path = true;
    assert_status(tsp_fixture_read(&params, "square.tsp", square, &problem), SHOAL_INVALID);
    assert_contains(test_error.message, "the tour begins in city 4, it should in 1");
    params.tour = params.start = NULL;
    params.path = false;
    params.start_tour = tour;
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    assert_words(problem.tour, tour, 4);
    tsp_problem_destroy(&problem);
    params.start_tour = twice;
    assert_status(tsp_fixture_read(&params, "square.tsp", square, &problem), SHOAL_INVALID);
}

/* Writing ---------------------------------------------------------------------------------------------- */

static void assert_file(const char *path, const char *wanted)
{
    char text[2000];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

static void formats_of_tours(void **state)
{
    (void)state;
    static const uint32_t tour[] = {2, 1, 0, 3};
    static const struct {
        const char *name, *text;
    } cases[] = {
        {"t.tour", "NAME: square.tour\nCOMMENT: Length 14\nTYPE: TOUR\nDIMENSION: "
                   "4\nTOUR_SECTION\n3\n2\n1\n4\n-1\nEOF\n"},
        {"t.txt", "3\n2\n1\n4\n"},
        {"t.csv", "place,id,leg,cumulated\n1,3,0,0\n2,2,4,4\n3,1,3,7\n4,4,4,11\n5,3,3,14\n"},
        {"t.JSON", "{\n  \"name\": \"square\",\n  \"cities\": 4,\n  \"path\": false,\n  \"length\": 14,\n  "
                   "\"order\": [3, 2, 1, "
                   "4],\n  \"legs\": [4, 3, 4, 3],\n  \"cumulated\": [4, 7, 11, 14]\n}\n"},
    };
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    uint32_t again[4];
    size_t count;
    char *notes;
    assert_ok(tsp_fixture_read(&params, "square.tsp", square, &problem));
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_label("%s", cases[i].name);
        assert_ok(tsp_write_tour(&problem, tour, test_path("%s", cases[i].name), &test_error));
        assert_file(test_path("%s", cases[i].name), cases[i].text);
        assert_ok(
            tsp_read_tour(&problem, test_path("%s", cases[i].name), again, &count, &notes, &test_error));
        free(notes);
        assert_words(again, tour, 4);
    }
    assert_status(tsp_write_tour(&problem, tour, test_path("t.geojson"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "GeoJSON is of latitudes and longitudes");
    assert_status(tsp_write_tour(&problem, tour, test_path("t.xml"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "name a tour .tour (TSPLIB), .txt, .csv, .json or .geojson");
    assert_status(tsp_write_tour(&problem, tour, test_path("none/t.txt"), &test_error), SHOAL_IO);
    assert_contains(test_error.message, "none/t.txt: cannot be written: ");
    tsp_problem_destroy(&problem);
}

/* A path with names, in metres. A degree of the sphere of radius 6,371,008.8 m has 111,195.08 m. */
static void names_and_units(void **state)
{
    (void)state;
    static const uint32_t tour[] = {0, 1, 2};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    uint32_t again[3];
    size_t count;
    char *notes;
    params.path = true;
    assert_ok(tsp_fixture_read(&params, "earth.csv", named, &problem));
    assert_ok(tsp_write_tour(&problem, tour, test_path("p.csv"), &test_error));
    assert_file(test_path("p.csv"), "place,id,leg,cumulated\n1,A,0,0\n2,\"B, b\",111195.08,111195.08\n"
                                    "3,\"C \"\"c\"\"\",111195.08,222390.16\n");
    assert_ok(tsp_write_tour(&problem, tour, test_path("p.json"), &test_error));
    assert_file(test_path("p.json"),
                "{\n  \"name\": \"earth\",\n  \"cities\": 3,\n  \"path\": true,\n  \"length\": 222390.16,\n  "
                "\"unit\": \"m\",\n"
                "  \"order\": [\"A\", \"B, b\", \"C \\\"c\\\"\"],\n  \"legs\": [111195.08, 111195.08],\n"
                "  \"cumulated\": [111195.08, 222390.16]\n}\n");
    assert_ok(tsp_write_tour(&problem, tour, test_path("p.geojson"), &test_error));
    assert_file(test_path("p.geojson"), "{\"type\": \"FeatureCollection\", \"features\": [\n"
                                        "{\"type\": \"Feature\", \"properties\": {\"name\": \"earth\", "
                                        "\"length\": 222390.16}, \"geometry\": {\"type\": "
                                        "\"LineString\", \"coordinates\": [[0, 0], [1, 0], [1, 1]]}},\n"
                                        "{\"type\": \"Feature\", \"properties\": {\"id\": \"A\", \"place\": "
                                        "1}, \"geometry\": {\"type\": \"Point\", "
                                        "\"coordinates\": [0, 0]}},\n"
                                        "{\"type\": \"Feature\", \"properties\": {\"id\": \"B, b\", "
                                        "\"place\": 2}, \"geometry\": {\"type\": \"Point\", "
                                        "\"coordinates\": [1, 0]}},\n"
                                        "{\"type\": \"Feature\", \"properties\": {\"id\": \"C \\\"c\\\"\", "
                                        "\"place\": 3}, \"geometry\": {\"type\": "
                                        "\"Point\", \"coordinates\": [1, 1]}}\n]}\n");
    assert_ok(tsp_write_tour(&problem, tour, test_path("p.txt"), &test_error));
    static const char *const files[] = {"p.txt", "p.csv", "p.json"};
    for (size_t i = 0; i < COUNT(files); i++) {
        assert_ok(tsp_read_tour(&problem, test_path("%s", files[i]), again, &count, &notes, &test_error));
        free(notes);
        assert_words(again, tour, 3);
    }
    tsp_problem_destroy(&problem);
}

/* Lines that cross 180 degrees are cut there, RFC 7946 section 3.1.9. */
static void lines_are_cut_at_180_degrees(void **state)
{
    (void)state;
    static const struct {
        const char *places, *line;
        bool is_path;
    } cases[] = {
        {"0,179\n0,-179\n2,-179\n2,179\n",
         "\"MultiLineString\", \"coordinates\": [[[179, 0], [180, 0]], [[-180, 0], [-179, 0], [-179, 2], "
         "[-180, 2]], [[180, 2], [179, 2], [179, 0]]]}",
         false},
        {"0,178\n1,-178\n",
         "\"MultiLineString\", \"coordinates\": [[[178, 0], [180, 0.5]], [[-180, 0.5], [-178, 1]]]}", true},
        /* In a city that is there itself, in longitudes beyond 180, and nowhere. */
        {"0,179\n0,180\n0,-179\n",
         "\"MultiLineString\", \"coordinates\": [[[179, 0], [180, 0]], [[-180, 0], [-179, 0]]]}", true},
        {"0,180\n0,-179\n5,-179\n", "\"LineString\", \"coordinates\": [[-180, 0], [-179, 0], [-179, 5]]}",
         true},
        {"0,179\n0,181\n",
         "\"MultiLineString\", \"coordinates\": [[[179, 0], [180, 0]], [[-180, 0], [-179, 0]]]}", true},
        {"0,179\n0,170\n5,170\n", "\"LineString\", \"coordinates\": [[179, 0], [170, 0], [170, 5]]}", true},
    };
    static const uint32_t tour[] = {0, 1, 2, 3};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[4000], places[200];
        params.path = cases[i].is_path;
        snprintf(places, sizeof places, "lat,lon\n%s", cases[i].places);
        test_label("%s", cases[i].places);
        assert_ok(tsp_fixture_read(&params, "line.csv", places, &problem));
        assert_ok(tsp_write_tour(&problem, tour, test_path("line.geojson"), &test_error));
        FILE *file = fopen(test_path("line.geojson"), "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        assert_contains(text, cases[i].line);
        tsp_problem_destroy(&problem);
    }
}

/* Problems are the same after writing and reading: distances, names, fixed and forbidden edges. */
static void problems_are_written(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *copy;
        bool keeps_names;
    } cases[] = {
        {"square.tsp", square, "copy.tsp", true},
        {"square.tsp", square, "copy.csv", true},
        {"geo.tsp", "DIMENSION: 2\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 38.24 20.42\n2 39.57 26.15\n",
         "copy.atsp", true},
        {"space.csv", "x,y,z\n0,0,0.1\n1,2,3\n5.25,5,1e-3\n", "copy.tsp", true},
        {"space.csv", "x,y,z\n0,0,0.1\n1,2,3\n5.25,5,1e-3\n", "copy.csv", true},
        {"earth.csv", named, "copy.csv", true},
        {"names.csv", "id,x,y\nA,1,2\nB,3,4.5\n", "copy.tsp", false},
        {"matrix.csv", "0,1,2\n1,0,3\n2,3,0\n", "copy.tsp", true},
        {"matrix.csv", "0,1,2\n1,0,inf\n2.5,3,0\n", "copy.csv", true},
        {"matrix.csv", "0,1,2\n1,0,7\n2,3,0\n", "copy.atsp", true},
        {"named.csv", ",A b,B,\"C,\"\nA b,0,1,2\nB,1,0,7\n\"C,\",2,3,0\n", "copy.csv", true},
        {"named.csv", ",17,4,0\n17,0,1,2\n4,1,0,7\n0,2,3,0\n", "copy.csv", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params(), other = tsp_fixture_params();
        struct tsp_problem problem, copy;
        char ids[2][64], path[300];
        test_label("%zu: %s to %s", i, cases[i].name, cases[i].copy);
        assert_ok(tsp_fixture_read(&params, cases[i].name, cases[i].text, &problem));
        snprintf(path, sizeof path, "%s", test_path("%s", cases[i].copy));
        assert_ok(tsp_write_problem(&problem, path, &test_error));
        other.data = path;
        /* CSV does not hold the metric. */
        if (tsp_has_extension(path, ".csv") && !problem.matrix)
            other.metric = (int32_t)problem.metric;
        assert_ok(tsp_problem_create(&other, &copy, &test_error));
        assert_int_equal(copy.n, problem.n);
        for (uint32_t a = 0; a < copy.n; a++) {
            tsp_id(&problem, a, ids[0], sizeof ids[0]);
            tsp_id(&copy, a, ids[1], sizeof ids[1]);
            if (cases[i].keeps_names)
                assert_string_equal(ids[0], ids[1]);
            for (uint32_t b = 0; b < copy.n; b++)
                if (a != b)
                    assert_int_equal(tsp_input_distance(&copy, a, b), tsp_input_distance(&problem, a, b));
        }
        tsp_problem_destroy(&problem);
        tsp_problem_destroy(&copy);
    }
}

static void fixed_edges_are_written(void **state)
{
    (void)state;
    static const char text[] =
        "NAME: f\nCOMMENT: a: b\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n"
        "1 0.1 -2e-07\n2 3 4\n3 1e+05 7\nFIXED_EDGES_SECTION\n2 3\n-1\nEOF\n";
    static const char wanted[] =
        "NAME: f\nCOMMENT: a: b\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: CEIL_2D\n"
        "NODE_COORD_SECTION\n1 0.1 -2e-07\n2 3 4\n3 100000 7\nFIXED_EDGES_SECTION\n2 3\n-1\nEOF\n";
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    assert_ok(tsp_fixture_read(&params, "fixed.tsp", text, &problem));
    assert_ok(tsp_write_problem(&problem, test_path("again.tsp"), &test_error));
    assert_file(test_path("again.tsp"), wanted);
    assert_status(tsp_write_problem(&problem, test_path("again.csv"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "CSV has no fixed edges");
    assert_status(tsp_write_problem(&problem, test_path("again.npy"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "name it .tsp, .atsp (TSPLIB) or .csv");
    tsp_problem_destroy(&problem);
    assert_ok(tsp_fixture_read(&params, "earth.csv", named, &problem));
    assert_status(tsp_write_problem(&problem, test_path("earth.tsp"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "TSPLIB has no haversine distance");
    tsp_problem_destroy(&problem);
    assert_ok(tsp_fixture_read(&params, "m.csv", "0,1,2\n1,0,3\ninf,3,0\n", &problem));
    assert_status(tsp_write_problem(&problem, test_path("m.atsp"), &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "TSPLIB has no forbidden edges");
    tsp_problem_destroy(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(tours_are_read),       UNIT_TEST(faults_of_files),
        UNIT_TEST(what_is_no_tour),      UNIT_TEST(forbidden_edges_and_arcs),
        UNIT_TEST(start_tours),          UNIT_TEST(formats_of_tours),
        UNIT_TEST(names_and_units),      UNIT_TEST(lines_are_cut_at_180_degrees),
        UNIT_TEST(problems_are_written), UNIT_TEST(fixed_edges_are_written),
    };
    return cmocka_run_group_tests_name("tsp-tours", tests, NULL, NULL);
}
