/* Points and matrices as CSV and .npy, those of the caller, and each fault with its line. */
#include "fixture.h"

#include "tsp/model/check.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void points(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum shoal_tsp_metric metric;
        unsigned dim;
        const char *id; /* of the last city */
    } cases[] = {
        {"1,2\n3,4\n5,6\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"1 2\n3 4\n5\t6\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"1;2\r\n3;4\r\n5;6", SHOAL_TSP_EUCLID, 2, "3"},
        {"# cities\n\nx,y\n1,2\n# more\n3,4\n5,6\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"\xef\xbb\xbfX, Y\n 1 , 2 \n3,4\n5,6e0\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"y,x\n2,1\n4,3\n6,5\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"name,population,x,y\na,9,1,2\nb,x,3,4\n\"c, d\",,5,6\n", SHOAL_TSP_EUCLID, 2, "c, d"},
        {"id\tname\tx\ty\n7\ta\t1\t2\n8\tb\t3\t4\n9\tc\t5\t6\n", SHOAL_TSP_EUCLID, 2, "9"},
        {"id,x,y\n1,1,2\n2,3,4\n3,5,6\n", SHOAL_TSP_EUCLID, 2, "3"},
        {"id,x,y\n\"a \"\"b\"\"\",1,2\nc,3,4\n\"say \"\"d\"\"\",5,6\n", SHOAL_TSP_EUCLID, 2, "say \"d\""},
        {"city,Latitude,Longitude\nA,1,2\nB,3,4\nC,5,6\n", SHOAL_TSP_HAVERSINE, 2, "C"},
        {"lng;lat\n2;1\n4;3\n6;5\n", SHOAL_TSP_HAVERSINE, 2, "3"},
        {"x,y,z\n1,2,0\n3,4,0\n5,6,0\n", SHOAL_TSP_EUCLID, 3, "3"},
        {"1,2,0\n3,4,0\n5,6,0\n7,8,0\n", SHOAL_TSP_EUCLID, 3, "4"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char id[64];
        test_label("%zu: %s", i, cases[i].text);
        assert_ok(tsp_fixture_read(&params, "points.csv", cases[i].text, &problem));
        assert_int_equal(problem.metric, cases[i].metric);
        assert_int_equal(problem.dim, cases[i].dim);
        for (size_t city = 0; city < problem.n; city++)
            for (size_t k = 0; k < 2; k++)
                assert_true(problem.places[city * problem.dim + k] == (double)(2 * city + k + 1));
        tsp_id(&problem, problem.n - 1, id, sizeof id);
        assert_string_equal(id, cases[i].id);
        assert_int_equal(tsp_city(&problem, id), problem.n - 1);
        assert_int_equal(tsp_city(&problem, "none"), SHOAL_TSP_NONE);
        assert_string_equal(problem.unit_name, cases[i].metric == SHOAL_TSP_HAVERSINE ? "m" : "");
        tsp_problem_destroy(&problem);
    }
}

static void many_names(void **state)
{
    (void)state;
    enum { CITIES = 3000 };
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    struct text text = {0};
    char id[64];
    text_add(&text, "id,x,y\n");
    /* Numbers up to the 1000th, then names. */
    for (int i = 0; i < CITIES; i++)
        text_printf(&text, i < 1000 ? "%d,%d,1\n" : "city %d,%d,1\n", i + 1, i);
    assert_ok(tsp_fixture_read(&params, "names.csv", text.data, &problem));
    for (uint32_t city = 0; city < CITIES; city++) {
        snprintf(id, sizeof id, city < 1000 ? "%u" : "city %u", city + 1);
        assert_int_equal(tsp_city(&problem, id), city);
        tsp_id(&problem, city, id, sizeof id);
        assert_int_equal(tsp_city(&problem, id), city);
    }
    tsp_problem_destroy(&problem);
    text_add(&text, "17,1,1\n");
    assert_status(tsp_fixture_read(&params, "names.csv", text.data, &problem), SHOAL_IO);
    assert_contains(test_error.message, "line 3002: the id '17' belongs to city 17 already");
    text_free(&text);
}

static void matrices(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double unit;
        bool is_asymmetric;
        int32_t values[9];
    } cases[] = {
        {"0,1,2\n1,0,3\n2,3,0\n", 1, false, {0, 1, 2, 1, 0, 3, 2, 3, 0}},
        {"0 1 2\n4 0 3\n5 6 0\n", 1, true, {0, 1, 2, 4, 0, 3, 5, 6, 0}},
        {"inf;1;2\n1;nothing;3\n", 0, false, {0}}, /* see faults */
        {"9;1;Inf\n1;9;3\n5;3;inf\n", 1, true, {0, 1, -1, 1, 0, 3, 5, 3, 0}},
        {"0,0.5,2\n0.5,0,3.25\n2,3.25,0\n",
         1e-8,
         false,
         {0, 50000000, 200000000, 50000000, 0, 325000000, 200000000, 325000000, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        test_label("%s", cases[i].text);
        const enum shoal_status status = tsp_fixture_read(&params, "matrix.csv", cases[i].text, &problem);
        assert_int_equal(status == SHOAL_OK, cases[i].unit > 0);
        if (status)
            continue;
        assert_int_equal(problem.n, 3);
        assert_int_equal(problem.metric, SHOAL_TSP_MATRIX);
        assert_true(problem.unit == cases[i].unit);
        assert_int_equal(problem.is_asymmetric, cases[i].is_asymmetric);
        assert_memory_equal(problem.matrix, cases[i].values, sizeof cases[i].values);
        tsp_problem_destroy(&problem);
    }
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is empty"},
        {"# nothing\n\n", "is empty"},
        {"x,y\n", "no city follows the header"},
        {"a,b\n1,2\n", "line 1: the header names no columns x and y, nor lat and lon"},
        {"x,z\n1,2\n", "line 1: the header names no columns x and y, nor lat and lon"},
        {"x,y,lat,lon\n1,2,3,4\n", "line 1: the header names both x, y and lat, lon"},
        {"x,y,X\n1,2,3\n", "line 1: column 3, 'X', is there twice"},
        {"x,y\n1,2\n3,four\n", "line 3: 'four' should be y"},
        {"x,y\n1,2\n3,\n", "line 3: '' should be y"},
        {"x,y\n1,2\n3,nan\n", "line 3: y is 'nan', which is not finite"},
        {"x,y\n1,2\ninf,1\n", "line 3: x is 'inf', which is not finite"},
        {"x,y\n1,2\n3\n", "line 3: has 1 column, the first line has 2"},
        {"x,y\n1,2\n3,4,5\n", "line 3: has 3 columns, the first line has 2"},
        {"1,2\n3,4,5\n", "line 2: has 3 columns, the first line has 2"},
        {"lat,lon\n1,2\n90.01,4\n", "line 3: a latitude is beyond 90 degrees"},
        {"lat,lon\n1,2\n9,361\n", "line 3: a longitude is beyond 360 degrees"},
        {"lat,lon\n1,2\n9,x\n", "line 3: 'x' should be lon"},
        {"id,x,y\na,1,2\na,3,4\n", "line 3: the id 'a' belongs to city 1 already"},
        {"id,x,y\na,1,2\n,3,4\n", "line 3: a city has no id"},
        {"1,2,3,4\n1,2,3,4\n",
         "bad.csv: 4 columns and 2 rows: points have 2 or 3 columns or a header, a matrix is square"},
        {"0,1,2\n1,0,x\n2,3,0\n", "line 2: 'x' should be a distance"},
        {"0,1,2\n1,0,-3\n2,3,0\n", "line 2: the distance from 2 to 3 is -3, below 0"},
        {"0,1,2\n1,0,nan\n2,3,0\n", "line 2: a distance is 'nan', which is not finite"},
        {"0,1,2\n1,0,3000000000\n2,3,0\n",
         "the distance from 2 to 3 is 3000000000: at most 2147483647 is possible"},
        {"0,1,2\n1,0\n2,3,0\n", "line 2: has 2 columns, the first line has 3"},
        {"0,inf,inf\n1,0,3\n2,3,0\n",
         "no tour exists: of the edges of city 1 all but 0 are forbidden, a tour needs 1"},
        {"0,1,inf,inf\n1,0,inf,inf\n1,1,0,1\n1,1,1,0\n",
         "no tour exists: forbidden edges part city 1 from 3"},
        {"0,1,1,1\n1,0,1,1\ninf,inf,0,1\ninf,inf,1,0\n",
         "no tour exists: forbidden edges part city 3 from 1"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        test_label("%s", cases[i].message);
        assert_int_not_equal(tsp_fixture_read(&params, "bad.csv", cases[i].text, &problem), SHOAL_OK);
        assert_contains(test_error.message, cases[i].message);
        assert_contains(test_error.message, "bad");
    }
}

/* Names of cities in the first line, the first column or both, numbers that count on, and a diagonal without
 * distances. */
static void labelled_matrices(void **state)
{
    (void)state;
    static const int32_t wanted[9] = {0, 10, 15, 10, 0, 35, 15, 35, 0};
    static const struct {
        const char *text, *first, *last, *note;
    } cases[] = {
        {",Aber,Bex,Cove\nAber,0,10,15\nBex,10,0,35\nCove,15,35,0\n", "Aber", "Cove", ""},
        {"city,Aber,Bex,Cove\nAber,,10,15\nBex,10,,35\nCove,15,35,\n", "Aber", "Cove", ""},
        {"Aber,Bex,Cove\n0,10,15\n10,0,35\n15,35,0\n", "Aber", "Cove", ""},
        {"Aber,0,10,15\nBex,10,0,35\nCove,15,35,0\n", "Aber", "Cove", ""},
        {"\"\";\"A b\";\"B,b\";C\nA b;nan;10;15\nB,b;10;NaN;35\nC;15;35;-\n", "A b", "C", ""},
        {",1,2,3\n1,0,10,15\n2,10,0,35\n3,15,35,0\n", "1", "3", ""},
        {",0,1,2\n0,0,10,15\n1,10,0,35\n2,15,35,0\n", "0", "2", ""},
        {",1,2,3\n1,,10,15\n2,10,,35\n3,15,35,\n", "1", "3",
         "the first line and the first column are taken for the numbers of the cities"},
        {",70435,70182,7\n70435,0,10,15\n70182,10,0,35\n7,15,35,0\n", "70435", "7", ""},
        {"nan,10,15\n10,nan,35\n15,35,nan\n", "1", "3", ""},
        {",10,15\n10,,35\n15,35,\n", "1", "3", ""},
        {"-,10,15\n10,-,35\n15,35,-\n", "1", "3", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char id[64];
        test_label("%s", cases[i].text);
        assert_ok(tsp_fixture_read(&params, "named.csv", cases[i].text, &problem));
        assert_int_equal(problem.n, 3);
        assert_non_null(problem.matrix);
        assert_memory_equal(problem.matrix, wanted, sizeof wanted);
        tsp_id(&problem, 0, id, sizeof id);
        assert_string_equal(id, cases[i].first);
        tsp_id(&problem, 2, id, sizeof id);
        assert_string_equal(id, cases[i].last);
        assert_contains(problem.info.notes, cases[i].note);
        assert_int_equal(*problem.info.notes != '\0', *cases[i].note != '\0');
        tsp_problem_destroy(&problem);
    }
    static const char *const faults[][2] = {
        {",Aber,Bex,Cove\nAber,0,10,15\nBexx,10,0,35\nCove,15,35,0\n",
         "line 3: row 2 of the matrix is of 'Bexx', its column 2 of 'Bex'"},
        {"Aber,0,10,15\nBex,10,0,35\nAber,15,35,0\n", "the id 'Aber' belongs to city 1 already"},
        {",Aber,Bex,Cove\nAber,0,10,15\nBex,10,0,\nCove,15,35,0\n", "line 3: "},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        test_label("%s", faults[i][1]);
        assert_status(tsp_fixture_read(&params, "named.csv", faults[i][0], &problem), SHOAL_IO);
        assert_contains(test_error.message, faults[i][1]);
    }
}

/* A first column that counts on without a name. */
static void columns_of_ids(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned dim;
        double last;    /* coordinate */
        const char *id; /* of the last city */
        int32_t metric;
        bool has_note;
    } cases[] = {
        {"1 5 7\n2 8 9\n3 4 4\n4 1 2.5\n", 2, 2.5, "4", SHOAL_TSP_AUTO, true},
        {"0,5,7\n1,8,9\n2,4,4\n3,1,2.5\n", 2, 2.5, "3", SHOAL_TSP_EUC_2D, true},
        {"1 5 7 1\n2 8 9 1\n3 4 2.5 7\n", 3, 7, "3", SHOAL_TSP_AUTO, true},
        {"1 5 7\n2 8 9\n3 4 4\n4 1 2.5\n", 3, 2.5, "4", SHOAL_TSP_EUC_3D, false}, /* asked for */
        {"1 5 7\n2 8 9\n4 4 4\n5 1 2.5\n", 3, 2.5, "4", SHOAL_TSP_AUTO, false},
        {"1 5\n2 8\n3 4\n4 2.5\n", 2, 2.5, "4", SHOAL_TSP_AUTO, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char id[64];
        params.metric = cases[i].metric;
        test_label("%zu: %s", i, cases[i].text);
        assert_ok(tsp_fixture_read(&params, "ids.txt", cases[i].text, &problem));
        assert_int_equal(problem.dim, cases[i].dim);
        assert_true(problem.places[problem.n * problem.dim - 1] == cases[i].last);
        tsp_id(&problem, problem.n - 1, id, sizeof id);
        assert_string_equal(id, cases[i].id);
        assert_int_equal(strstr(problem.info.notes, "ids of the cities, not x") != NULL, cases[i].has_note);
        tsp_problem_destroy(&problem);
    }
}

static void metrics_that_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum shoal_tsp_metric metric;
        const char *message; /* NULL: it is right */
    } cases[] = {
        {"1,2\n3,4\n", SHOAL_TSP_EUC_2D, NULL},
        {"1,2\n3,4\n", SHOAL_TSP_HAVERSINE, NULL},
        {"1,2\n3,4\n", SHOAL_TSP_MATRIX, NULL},
        {"x,y\n1,2\n3,4\n", SHOAL_TSP_HAVERSINE, "has columns x and y, --metric haversine takes lat and lon"},
        {"lat,lon\n1,2\n3,4\n", SHOAL_TSP_GEO, NULL},
        {"lat,lon\n1,2\n3,4\n", SHOAL_TSP_EUCLID, NULL},
        {"1,2,3\n4,5,6\n7,8,9\n", SHOAL_TSP_MAX_3D, NULL},
        {"1,2\n3,4\n", SHOAL_TSP_MAX_3D, "holds points of 2 coordinates, --metric MAX_3D takes 3"},
        {"1,2,3\n4,5,6\n", SHOAL_TSP_EUC_2D, "holds points of 3 coordinates, --metric EUC_2D takes 2"},
        {"x,y\n1,2\n3,4\n", SHOAL_TSP_MATRIX, "holds points, no matrix"},
        {"1,2,3,4\n", SHOAL_TSP_EUC_2D, "4 columns without a header: points have x, y or x, y, z"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        params.metric = (int32_t)cases[i].metric;
        test_label("%s as %s", cases[i].text, tsp_metric_name(cases[i].metric));
        const enum shoal_status status = tsp_fixture_read(&params, "asked.csv", cases[i].text, &problem);
        assert_int_equal(status == SHOAL_OK, !cases[i].message);
        if (status) {
            assert_contains(test_error.message, cases[i].message);
            continue;
        }
        assert_int_equal(problem.metric, cases[i].metric);
        tsp_problem_destroy(&problem);
    }
}

/* .npy, by the writer of tables. */
static void numpy_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_matrix, fits;
    } cases[] = {
        {"1,2\n3,4\n5,6\n", false, true},        {"1,2,3\n4,5,6\n", false, true},
        {"0,1,2\n1,0,3\n2,3,0\n", true, true},   {"1,2,3,4\n5,6,7,8\n", false, false},
        {"0,1,2\n-1,0,3\n2,3,0\n", true, false}, {"1,2\n3,1e200\n5,6\n", false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        struct shoal_table *table;
        const char *path = test_path("table.npy");
        params.data = path;
        test_label("%s", cases[i].text);
        test_write_text(test_path("table.csv"), cases[i].text);
        assert_ok(shoal_table_open(test_path("table.csv"), NULL, &table, &test_error));
        assert_ok(shoal_table_write(table, path, SHOAL_FP64, NULL, NULL, &test_error));
        shoal_table_destroy(&table);
        const enum shoal_status status = tsp_problem_create(&params, &problem, &test_error);
        assert_int_equal(status == SHOAL_OK, cases[i].fits);
        if (status) {
            assert_contains(test_error.message, "table.npy");
            continue;
        }
        assert_int_equal(problem.matrix != NULL, cases[i].is_matrix);
        if (problem.matrix)
            assert_int_equal(problem.matrix[5], 3);
        else
            assert_true(problem.places[problem.dim + 1] == (problem.dim == 2 ? 4 : 5));
        tsp_problem_destroy(&problem);
    }
}

static void infinity_in_a_numpy_matrix_is_forbidden(void **state)
{
    (void)state;
    static const double matrix[] = {0, 1, INFINITY, 1, 0, 2, 3, 2, 0};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    char bytes[128 + sizeof matrix];
    memset(bytes, ' ', 128);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }", 59);
    bytes[127] = '\n';
    memcpy(bytes + 128, matrix, sizeof matrix);
    params.data = test_path("forbidden.npy");
    test_write_file(params.data, bytes, sizeof bytes);
    assert_ok(tsp_problem_create(&params, &problem, &test_error));
    assert_true(problem.is_asymmetric);
    assert_int_equal(tsp_input_distance(&problem, 0, 2), SHOAL_TSP_FORBIDDEN);
    assert_int_equal(tsp_input_distance(&problem, 2, 0), 3);
    tsp_problem_destroy(&problem);
}

static void arrays_of_the_caller(void **state)
{
    (void)state;
    static const double places[] = {0, 0, 3, 4, 3, 0};
    static const double beyond[] = {0, 0, 91, 4, 3, 0}, endless[] = {0, 0, 3, NAN, 3, 0};
    static const int32_t matrix[] = {7, 1, 2, 1, 7, -1, 2, 3, 7}, negative[] = {0, 1, 2, -2, 0, 3, 4, 5, 0};
    static const uint32_t lists[] = {1, 2, 0, SHOAL_TSP_NONE, 1, 0}, self[] = {1, 2, 1, 0, 1, 0},
                          gap[] = {1, 2, SHOAL_TSP_NONE, 0, 1, 0};
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    params.points = places;
    params.count = 3;
    params.dim = 2;
    params.neighbour_lists = lists;
    params.neighbours = 2;
    assert_ok(tsp_check_params(&params, &test_error));
    assert_ok(tsp_problem_create(&params, &problem, &test_error));
    assert_true(problem.metric == SHOAL_TSP_EUCLID && problem.places == places && !problem.owns_places);
    assert_true(problem.unit == 1e-8 && tsp_input_distance(&problem, 0, 1) == 500000000);
    tsp_problem_destroy(&problem);
    params.neighbour_lists = self;
    assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "neighbour_lists: entry 0 of city 1 is 1");
    params.neighbour_lists = gap;
    assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
    params.neighbour_lists = NULL;
    params.neighbours = 0;
    params.points = endless;
    assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "points: city 2: a coordinate is not finite");
    params.points = beyond;
    params.metric = SHOAL_TSP_HAVERSINE;
    assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "points: city 2: a latitude is beyond 90 degrees");
    params = tsp_fixture_params();
    params.matrix = matrix;
    params.count = 3;
    assert_ok(tsp_problem_create(&params, &problem, &test_error));
    assert_true(problem.is_asymmetric && tsp_input_distance(&problem, 1, 2) == SHOAL_TSP_FORBIDDEN);
    tsp_problem_destroy(&problem);
    params.matrix = negative;
    assert_status(tsp_problem_create(&params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "matrix: the distance from 2 to 1 is -2");
}

static void parameters_that_contradict(void **state)
{
    (void)state;
    static const double places[] = {0, 0, 3, 4};
    static const uint32_t tour[] = {0, 1};
    struct shoal_tsp_params params[9];
    static const char *const messages[9] = {"a problem is one of data, generate, points and matrix",
                                            "count: 0 is not between 1 and 268435456",
                                            "dim: points have 2 or 3 coordinates, not 4",
                                            "metric: EUC_3D takes points of 3 coordinates, not 2",
                                            "metric: points are no matrix",
                                            "tour and start_tour are both given",
                                            "neighbour_lists and neighbours belong together",
                                            "optimum: -1 is no length",
                                            "neighbour_lists belong to --lists file"};
    for (size_t i = 0; i < COUNT(params); i++) {
        params[i] = tsp_fixture_params();
        params[i].points = places;
        params[i].count = 2;
        params[i].dim = 2;
        assert_ok(tsp_check_params(&params[i], &test_error));
    }
    params[0].data = "x";
    params[1].count = 0;
    params[2].dim = 4;
    params[3].metric = SHOAL_TSP_EUC_3D;
    params[4].metric = SHOAL_TSP_MATRIX;
    params[5].tour = "x";
    params[5].start_tour = tour;
    params[6].neighbours = 3;
    params[7].optimum = -1;
    params[8].neighbour_lists = tour;
    params[8].neighbours = 1;
    params[8].lists = SHOAL_TSP_LISTS_NEAREST;
    for (size_t i = 0; i < COUNT(params); i++) {
        test_label("%s", messages[i]);
        assert_status(tsp_check_params(&params[i], &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, messages[i]);
    }
}

static void units_keep_distances_below_2_to_30(void **state)
{
    (void)state;
    assert_true(tsp_unit(0) == 1);
    assert_true(tsp_unit(1) == 1e-9);
    assert_true(tsp_unit(1.2) == 1e-8);
    assert_true(tsp_unit(1e9) == 1);
    assert_true(tsp_unit(1073741821) == 1);
    assert_true(tsp_unit(1073741824) == 10);
    assert_true(tsp_unit(1e12) == 1e3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(points),
        UNIT_TEST(many_names),
        UNIT_TEST(matrices),
        UNIT_TEST(faults),
        UNIT_TEST(labelled_matrices),
        UNIT_TEST(columns_of_ids),
        UNIT_TEST(metrics_that_are_asked_for),
        UNIT_TEST(numpy_files),
        UNIT_TEST(infinity_in_a_numpy_matrix_is_forbidden),
        UNIT_TEST(arrays_of_the_caller),
        UNIT_TEST(parameters_that_contradict),
        UNIT_TEST(units_keep_distances_below_2_to_30),
    };
    return cmocka_run_group_tests_name("tsp-tables", tests, NULL, NULL);
}
