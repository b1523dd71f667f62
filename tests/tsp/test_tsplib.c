/* TSPLIB files: metrics, matrix forms, what is tolerated, and each fault with its line. */
#include "fixture.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void metrics(void **state)
{
    (void)state;
    /* Distances of the two cities by hand, with TSPLIB's formulas. */
    static const struct {
        const char *name, *a, *b;
        enum shoal_tsp_metric metric;
        int64_t distance;
    } cases[] = {
        {"EUC_2D", "0 0", "1 2", SHOAL_TSP_EUC_2D, 2},     /* 2.24 */
        {"EUC_2D", "0 0", "1.5 2", SHOAL_TSP_EUC_2D, 3},   /* 2.5 */
        {"EUC_3D", "0 0 0", "1 2 3", SHOAL_TSP_EUC_3D, 4}, /* 3.74 */
        {"CEIL_2D", "0 0", "1 2", SHOAL_TSP_CEIL_2D, 3},
        {"CEIL_2D", "0 0", "3 4", SHOAL_TSP_CEIL_2D, 5},
        {"MAN_2D", "0 0", "-1.2 2", SHOAL_TSP_MAN_2D, 3}, /* 3.2 */
        {"MAN_3D", "0 0 1", "1 2 4", SHOAL_TSP_MAN_3D, 6},
        {"MAX_2D", "0 0", "1 2.6", SHOAL_TSP_MAX_2D, 3}, /* 2.6 */
        {"MAX_3D", "0 0 0", "1 2 9", SHOAL_TSP_MAX_3D, 9},
        {"ATT", "0 0", "10 10", SHOAL_TSP_ATT, 5},                 /* 4.47 is rounded to 4, which is less */
        {"GEO", "38.24 20.42", "39.57 26.15", SHOAL_TSP_GEO, 509}, /* of ulysses16 */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[300];
        snprintf(text, sizeof text,
                 "DIMENSION: 2\nEDGE_WEIGHT_TYPE: %s\nNODE_COORD_SECTION\n1 %s\n2 %s\nEOF\n", cases[i].name,
                 cases[i].a, cases[i].b);
        test_label("%s %s", cases[i].name, cases[i].b);
        assert_ok(tsp_fixture_read(&params, "two.tsp", text, &problem));
        assert_int_equal(problem.metric, cases[i].metric);
        assert_string_equal(problem.name, "two");
        assert_int_equal(tsp_input_distance(&problem, 0, 1), cases[i].distance);
        assert_int_equal(tsp_input_distance(&problem, 1, 0), cases[i].distance);
        tsp_problem_destroy(&problem);
    }
}

/* The same problem of four cities in each form. */
static void matrix_forms(void **state)
{
    (void)state;
    static const struct {
        const char *form, *weights;
    } cases[] = {
        {"FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0"},
        {"UPPER_ROW", "1 2 3\n4 5\n6"},
        {"LOWER_ROW", "1\n2 4\n3 5 6"},
        {"UPPER_DIAG_ROW", "0 1 2 3\n0 4 5\n0 6\n0"},
        {"LOWER_DIAG_ROW", "0\n1 0\n2 4 0\n3 5 6 0"},
        {"UPPER_COL", "1\n2 4\n3 5 6"},
        {"LOWER_COL", "1 2 3\n4 5\n6"},
        {"UPPER_DIAG_COL", "0\n1 0\n2 4 0\n3 5 6 0"},
        {"LOWER_DIAG_COL", "0 1 2 3\n0 4 5\n0 6\n0"},
        /* Rows need not be lines, and of the diagonal nothing is used. */
        {"LOWER_DIAG_ROW", "9 1 -1 2\n4 0.5\n 3 5\t6 inf"},
        {"FULL_MATRIX", "9999 1 2 3 1 9999 4 5 2 4 9999 6 3 5 6 9999"},
    };
    static const int32_t wanted[16] = {0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[300];
        snprintf(text, sizeof text,
                 "NAME: four\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: %s\n"
                 "EDGE_WEIGHT_SECTION\n%s\nEOF\n",
                 cases[i].form, cases[i].weights);
        test_label("%s", cases[i].form);
        assert_ok(tsp_fixture_read(&params, "four.tsp", text, &problem));
        assert_false(problem.is_asymmetric);
        assert_memory_equal(problem.matrix, wanted, sizeof wanted);
        tsp_problem_destroy(&problem);
    }
}

static void asymmetric_matrix(void **state)
{
    (void)state;
    static const int32_t wanted[9] = {0, 1, 2, 3, 0, SHOAL_TSP_FORBIDDEN, 5, 6, 0};
    static const char head[] =
        "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
        "EDGE_WEIGHT_SECTION\n";
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    char text[300];
    snprintf(text, sizeof text, "%s100 1 2 3 100 INF 5 6 100\n", head);
    assert_ok(tsp_fixture_read(&params, "three.atsp", text, &problem));
    assert_true(problem.is_asymmetric);
    assert_memory_equal(problem.matrix, wanted, sizeof wanted);
    tsp_problem_destroy(&problem);
    /* What is the same both ways is solved as such. */
    snprintf(text, sizeof text, "%s0 1 2 1 0 3 2 3 0\n", head);
    assert_ok(tsp_fixture_read(&params, "three.atsp", text, &problem));
    assert_false(problem.is_asymmetric);
    tsp_problem_destroy(&problem);
}

/* Ten files that differ in what does not matter. */
static void what_is_tolerated(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "NAME : q\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 "
        "3 0\nEOF\n",
        "NAME:q\nTYPE:TSP\nDIMENSION:3\nEDGE_WEIGHT_TYPE:EUC_2D\nNODE_COORD_SECTION:\n1 0 0\n2 3 4\n3 3 0\n",
        "NAME: q\r\nTYPE: TSP\r\nDIMENSION: 3\r\nEDGE_WEIGHT_TYPE: EUC_2D\r\nNODE_COORD_SECTION\r\n1 0 "
        "0\r\n2 3 4\r\n3 3 "
        "0\r\nEOF\r\n",
        "\xef\xbb\xbfNAME: q\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 3 "
        "0",
        "NAME:\tq\nDIMENSION:\t3\nEDGE_WEIGHT_TYPE:\tEUC_2D\nNODE_COORD_"
        "SECTION\t\n1\t0\t0\n2\t3\t4\n\t3\t3\t0\t\n",
        "NAME: q\nCOMMENT: one\nCOMMENT: two\n# three\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: "
        "EUC_2D\nNODE_COORD_SECTION\n1 0 "
        "0\n# four\n\n2 3 4\n3 3 0\nEOF\nanything\n",
        "NAME: q\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0.0 0e5\n2 3e0 +40.0E-1\n3 "
        ".3e+1 -0\n",
        "NAME: q\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n3 3 0\n1 0 0\n2 3 4\n",
        "NAME: q\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nEDGE_WEIGHT_FORMAT: FUNCTION\nNODE_COORD_TYPE: "
        "TWOD_COORDS\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 3 "
        "0\nDISPLAY_DATA_SECTION\n1 5 5\n2 6 6\n3 7 7\nEOF\n",
        "NAME: q\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nFIXED_EDGES_SECTION\n-1\nNODE_COORD_SECTION\n1 0 "
        "0\n2 3 4\n3 3 "
        "0\nEOF\n",
    };
    static const double wanted[] = {0, 0, 3, 4, 3, 0};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        test_label("text %zu", i);
        assert_ok(tsp_fixture_read(&params, "q.tsp", texts[i], &problem));
        assert_string_equal(problem.name, "q");
        assert_int_equal(problem.n, 3);
        for (size_t k = 0; k < 6; k++)
            assert_true(problem.places[k] == wanted[k]);
        assert_null(problem.ids);
        assert_int_equal(tsp_city(&problem, "3"), 2);
        assert_int_equal(tsp_city(&problem, "4"), SHOAL_TSP_NONE);
        assert_int_equal(tsp_city(&problem, "x"), SHOAL_TSP_NONE);
        tsp_problem_destroy(&problem);
    }
}

static void one_to_four_cities_and_one_place(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[300];
        int length =
            snprintf(text, sizeof text, "DIMENSION: %u\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n", n);
        for (unsigned i = 1; i <= n; i++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%u 7 7\n", i);
        test_label("%u cities", n);
        assert_ok(tsp_fixture_read(&params, "few.tsp", text, &problem));
        assert_int_equal(problem.n, n);
        tsp_problem_destroy(&problem);
    }
}

#define POINTS "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
#define MATRIX "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
#define FULL   "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n"
#define UPPER  "UPPER_ROW\nEDGE_WEIGHT_SECTION\n"
#define THREE  "1 0 0\n2 3 4\n3 3 0\n"

struct fault {
    const char *text, *message;
};

static const struct fault faults_of_points[] = {
    {POINTS THREE, "line 2: NODE_COORD_SECTION comes before DIMENSION, which is missing"},
    {"NAME: x\nEDGE_WEIGHT_TYPE: EUC_2D\n", "line 2: the file ends without DIMENSION"},
    {"DIMENSION: 0\n" POINTS, "line 1: DIMENSION is 0"},
    {"DIMENSION: -3\n" POINTS, "line 1: '-3' should be DIMENSION, a number of cities"},
    {"DIMENSION: many\n" POINTS, "line 1: 'many' should be DIMENSION"},
    {"DIMENSION: 268435457\n" POINTS,
     "line 1: DIMENSION is 268435457: at most 268435456 cities are possible"},
    {"DIMENSION: 65537\n" POINTS THREE,
     "line 3: DIMENSION is 65537, more cities than the rest of the file can hold"},
    {"DIMENSION: 4\n" POINTS THREE "EOF\n", "line 6: the section ends behind 3 of 4 cities, 4 is missing"},
    {"DIMENSION: 4\n" POINTS "1 0 0\n4 3 4\n3 3 0",
     "line 6: the section ends behind 3 of 4 cities, 2 is missing"},
    {"DIMENSION: 2\n" POINTS THREE, "line 6: the section has more than the 2 cities of DIMENSION"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3 4\n2 3 0\n", "line 6: city 2 is given twice"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3 4\n4 3 0\n",
     "line 6: the number of a city is 4: DIMENSION allows 1 to 3"},
    {"DIMENSION: 3\n" POINTS "0 0 0\n1 3 4\n2 3 0\n", "line 4: the number of a city is 0"},
    {"DIMENSION: 3\n" POINTS "1.5 0 0\n1 3 4\n2 3 0\n", "line 4: '1.5' should be the number of a city"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3,5 4\n3 3 0\n", "line 5: '3,5' should be x"},
    {"DIMENSION: 3\n" POINTS "1 0 0\nx 3 4\n3 3 0\n", "line 5: 'x' should be the number of a city"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3 nan\n3 3 0\n", "line 5: y is 'nan', which is not finite"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 -inf 2\n3 3 0\n", "line 5: x is '-inf', which is not finite"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 1e999 2\n3 3 0\n", "line 5: x is '1e999', which is not finite"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 1e200 2\n3 3 0\n", "line 5: a coordinate is beyond 1e150"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3\n3 3 0\n", "line 5: city 2 has 1 numbers, 2 are needed"},
    {"DIMENSION: 3\n" POINTS "1 0 0\n2 3 4 5\n3 3 0\n", "line 5: '5' behind the 2 numbers of city 2"},
    {"DIMENSION: 3\nCAPACITY 4\n" POINTS THREE,
     "line 2: 'CAPACITY' is no key of a TSP, ATSP or TOUR of TSPLIB"},
    {"DIMENSION: 3\nDEMAND_SECTION\n", "line 2: the file ends without EDGE_WEIGHT_TYPE"},
    {"DIMENSION 3\nTYPE: TSP\n", "line 1: DIMENSION needs a colon and its value"},
    {"DIMENSION: 3\nDIMENSION: 3\n", "line 2: DIMENSION is given again, first in line 1"},
    {"DIMENSION: 3\n" POINTS THREE "NODE_COORD_SECTION\n",
     "line 7: NODE_COORD_SECTION is given again, first in line 3"},
    {"DIMENSION: 3\n" POINTS THREE "TYPE: TSP\n", "line 7: TYPE comes behind NODE_COORD_SECTION of line 3"},
    {"TYPE: SOP\n", "line 1: TYPE is 'SOP': TSP, ATSP and TOUR are known"},
    {"TYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n1 2 3 -1\n", "line 3: TOUR_SECTION: this is a tour"},
    {"TYPE: TOUR\nDIMENSION: 3\n" POINTS THREE, "TYPE: TOUR of line 1: this is no problem"},
    {"TYPE: ATSP\nDIMENSION: 3\n" POINTS THREE, "EDGE_WEIGHT_TYPE: EUC_2D of line 3 contradicts TYPE: ATSP"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: XRAY1\n",
     "line 2: EDGE_WEIGHT_TYPE is 'XRAY1': EUC_2D, EUC_3D, CEIL_2D"},
    {"DIMENSION: 3\nNODE_COORD_SECTION\n",
     "line 2: NODE_COORD_SECTION comes before EDGE_WEIGHT_TYPE, which is missing"},
    {"DIMENSION: 3\n", "line 1: the file ends without EDGE_WEIGHT_TYPE"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n",
     "line 2: the file ends without NODE_COORD_SECTION, which EUC_2D of line 2"},
    {"DIMENSION: 3\nNODE_COORD_TYPE: NO_COORDS\n" POINTS THREE,
     "line 4: NODE_COORD_SECTION contradicts NODE_COORD_TYPE"},
    {"DIMENSION: 3\nNODE_COORD_TYPE: THREED_COORDS\n" POINTS THREE,
     "NODE_COORD_TYPE: THREED_COORDS of line 2 contradicts EDGE_WEIGHT_TYPE: EUC_2D of line 3"},
    {"DIMENSION: 3\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n" POINTS THREE,
     "EDGE_WEIGHT_FORMAT of line 2 contradicts EDGE_WEIGHT_TYPE: EUC_2D of line 3"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nEDGE_WEIGHT_SECTION\n",
     "line 3: EDGE_WEIGHT_SECTION contradicts EDGE_WEIGHT_TYPE: EUC_2D of line 2"},
    {"DIMENSION: 3\nDISPLAY_DATA_TYPE: NO_DISPLAY\n" POINTS THREE "DISPLAY_DATA_SECTION\n" THREE,
     "DISPLAY_DATA_SECTION of line 8 contradicts DISPLAY_DATA_TYPE: NO_DISPLAY of line 2"},
};

static const struct fault faults_of_matrices[] = {
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n",
     "line 3: EDGE_WEIGHT_SECTION comes before EDGE_WEIGHT_FORMAT, which is missing"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FUNCTION\nEDGE_WEIGHT_SECTION\n",
     "line 4: EDGE_WEIGHT_SECTION contradicts EDGE_WEIGHT_FORMAT: FUNCTION of line 3"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: WEIGHT_LIST\n",
     "line 3: EDGE_WEIGHT_FORMAT is 'WEIGHT_LIST': FUNCTION, FULL_MATRIX, UPPER_ROW, LOWER_ROW, "
     "UPPER_DIAG_ROW, "
     "LOWER_DIAG_ROW, UPPER_COL, LOWER_COL, UPPER_DIAG_COL and LOWER_DIAG_COL are known"},
    {MATRIX "FULL_MATRIX\n",
     "line 3: the file ends without EDGE_WEIGHT_SECTION, which EXPLICIT of line 2 needs"},
    {"TYPE: ATSP\n" MATRIX UPPER "1 2 3\n", "EDGE_WEIGHT_FORMAT: UPPER_ROW of line 4 contradicts TYPE: ATSP"},
    {MATRIX UPPER "1 2\nEOF\n", "line 5: the section ends behind 2 weights, that from 2 to 3 is missing"},
    {"DIMENSION: 1025\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: " UPPER "1 2",
     "line 4: 524800 weights are needed, more than the rest of the file can hold"},
    {MATRIX UPPER "1 2", "line 5: the section ends behind 2 weights, that from 2 to 3 is missing"},
    {MATRIX UPPER "1 2 3\n4\n", "line 6: '4' behind all 3 weights that DIMENSION: 3 needs"},
    {MATRIX UPPER "1 -2 3\n", "line 5: the weight from 1 to 3 is -2: numbers from 0 to 2147483647, and inf"},
    {MATRIX UPPER "1 -2.5 3\n", "line 5: the weight from 1 to 3 is -2.5"},
    {MATRIX UPPER "1 2.5 -3\n", "line 5: the weight from 2 to 3 is -3"},
    {MATRIX FULL "0 1 2\n1 0 3.5\n2 4.25 0\n",
     "the weights from 3 to 2 and back are 4.25 and 3.5: write TYPE: ATSP"},
    {MATRIX UPPER "1 2 2147483648\n", "line 5: the weight from 2 to 3 is 2147483648"},
    {MATRIX UPPER "1 x 3\n", "line 5: 'x' should be a weight"},
    {MATRIX FULL "0 1 2\n1 0 3\n2 4 0\n", "the weights from 3 to 2 and back are 4 and 3: write TYPE: ATSP"},
    {MATRIX UPPER "inf inf 3\n",
     "no tour exists: of the edges of city 1 all but 0 are forbidden, a tour needs 2"},
    {MATRIX UPPER "1 inf 3\n",
     "no tour exists: of the edges of city 1 all but 1 are forbidden, a tour needs 2"},
    {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 0 0\n2 90.5 1\n3 1 1\n",
     "line 5: a latitude is beyond 90 degrees"},
    {"DIMENSION: 2\n" POINTS "1 0 0\n2 3e9 0\n", "the distance of the cities 1 and 2 is 3000000000"},
    {"", "is empty"},
};

static void refuses(const struct fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        test_label("%s", faults[i].message);
        assert_int_not_equal(tsp_fixture_read(&params, "bad.tsp", faults[i].text, &problem), SHOAL_OK);
        assert_contains(test_error.message, faults[i].message);
        assert_contains(test_error.message, "bad");
    }
}

static void faults(void **state)
{
    (void)state;
    refuses(faults_of_points, COUNT(faults_of_points));
    refuses(faults_of_matrices, COUNT(faults_of_matrices));
}

#define FIXED                                                                                                \
    "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 3 0\n4 9 "                  \
    "9\nFIXED_EDGES_SECTION\n"

static void fixed_edges(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: it is right */
        const char *start, *end;
        size_t count;
    } cases[] = {
        {FIXED "1 3\n-1\nEOF\n", NULL, NULL, NULL, 1},
        {FIXED "1 3 3 2 -1\n", NULL, NULL, NULL, 2},
        {FIXED "1 3\n3 1\n1 3\n-1\n", NULL, NULL, NULL, 1},
        {FIXED "1 2\n2 3\n3 4\n4 1\n-1\n", NULL, NULL, NULL, 4},
        {FIXED "1 2\n2 3\n3 4\n4 1\n-1\n", "the fixed edge from 4 to 1 meets two others in a city", "1", NULL,
         0},
        {FIXED "1 2\n2 3\n3 1\n-1\n", "closes a cycle before all cities are in it", NULL, NULL, 0},
        {FIXED "1 2\n1 3\n1 4\n-1\n", "the fixed edge from 1 to 4 meets two others in a city", NULL, NULL, 0},
        {FIXED "1 2\n1 3\n-1\n", "the fixed edge from 1 to 3 meets two others in a city", "1", NULL, 0},
        {FIXED "1 2\n-1\n", "closes a cycle before all cities are in it", "1", "2", 0},
        {FIXED "1 2\n2 3\n3 4\n-1\n", NULL, "1", "4", 3},
        {FIXED "2 2\n-1\n", "line 9: a fixed edge joins city 2 to itself", NULL, NULL, 0},
        {FIXED "2 5\n-1\n", "line 9: the number of a city is 5: 1 to 4 are possible", NULL, NULL, 0},
        {FIXED "2 3 4\n-1\n", "a fixed edge from 4 has no other end", NULL, NULL, 0},
        {FIXED "2 3 4", "a fixed edge from 4 has no other end", NULL, NULL, 0},
        {FIXED "2 3\n", "the file ends within FIXED_EDGES_SECTION: -1 is expected", NULL, NULL, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        params.start = cases[i].start;
        params.path = cases[i].start != NULL;
        params.end = cases[i].end;
        test_label("%zu: %s", i, cases[i].message ? cases[i].message : "right");
        const enum shoal_status status = tsp_fixture_read(&params, "fixed.tsp", cases[i].text, &problem);
        assert_int_equal(status == SHOAL_OK, !cases[i].message);
        if (cases[i].message) {
            assert_contains(test_error.message, cases[i].message);
            continue;
        }
        assert_int_equal(problem.fixed_count, cases[i].count);
        assert_int_equal(problem.is_path, cases[i].start != NULL);
        tsp_problem_destroy(&problem);
    }
}

static void fixed_arcs(void **state)
{
    (void)state;
    static const char head[] =
        "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
        "EDGE_WEIGHT_SECTION\n0 1 2\n3 0 inf\n5 6 0\nFIXED_EDGES_SECTION\n";
    static const char *const cases[][2] = {
        {"1 2\n3 1\n-1\n", NULL},
        {"1 2\n1 3\n-1\n", "the fixed edge from 1 to 3 leaves a city that another fixed edge leaves"},
        {"1 2\n3 2\n-1\n", "the fixed edge from 3 to 2 enters a city that another fixed edge enters"},
        {"1 2\n2 1\n-1\n", "closes a cycle before all cities are in it"},
        {"2 3\n-1\n", "is forbidden, its weight is inf"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_tsp_params params = tsp_fixture_params();
        struct tsp_problem problem;
        char text[400];
        snprintf(text, sizeof text, "%s%s", head, cases[i][0]);
        test_label("%s", cases[i][0]);
        const enum shoal_status status = tsp_fixture_read(&params, "arcs.atsp", text, &problem);
        assert_int_equal(status == SHOAL_OK, !cases[i][1]);
        if (cases[i][1])
            assert_contains(test_error.message, cases[i][1]);
        else
            tsp_problem_destroy(&problem);
    }
}

static void ends_of_paths(void **state)
{
    (void)state;
    static const char text[] = "DIMENSION: 3\n" POINTS THREE;
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    params.start = "2";
    for (int is_path = 0; is_path < 2; is_path++) {
        params.path = is_path;
        assert_ok(tsp_fixture_read(&params, "ends.tsp", text, &problem));
        assert_true(problem.is_path == (bool)is_path && problem.start == 1 && problem.end == SHOAL_TSP_NONE);
        tsp_problem_destroy(&problem);
    }
    params.path = false;
    params.end = "2";
    assert_status(tsp_fixture_read(&params, "ends.tsp", text, &problem), SHOAL_INVALID);
    assert_contains(test_error.message, "--start and --end are both 2");
    params.end = "9";
    assert_status(tsp_fixture_read(&params, "ends.tsp", text, &problem), SHOAL_INVALID);
    assert_contains(test_error.message, "--end 9: ends has no such city; its first is 1, its last 3");
    params.start = params.end = "1";
    assert_ok(tsp_fixture_read(&params, "one.tsp", "DIMENSION: 1\n" POINTS "1 5 5\n", &problem));
    tsp_problem_destroy(&problem);
}

static void metrics_that_do_not_fit(void **state)
{
    (void)state;
    struct shoal_tsp_params params = tsp_fixture_params();
    struct tsp_problem problem;
    params.metric = SHOAL_TSP_EUC_3D;
    assert_status(tsp_fixture_read(&params, "flat.tsp", "DIMENSION: 3\n" POINTS THREE, &problem),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "holds points of 2 coordinates, --metric EUC_3D takes 3");
    params.metric = SHOAL_TSP_EUC_2D;
    assert_status(tsp_fixture_read(&params, "matrix.tsp", MATRIX UPPER "1 2 3\n", &problem), SHOAL_INVALID);
    assert_contains(test_error.message, "holds a matrix of distances: leave out --metric");
    params.metric = SHOAL_TSP_MAN_2D;
    assert_ok(tsp_fixture_read(&params, "flat.tsp", "DIMENSION: 3\n" POINTS THREE, &problem));
    assert_int_equal(tsp_input_distance(&problem, 0, 1), 7);
    tsp_problem_destroy(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(metrics),
        UNIT_TEST(matrix_forms),
        UNIT_TEST(asymmetric_matrix),
        UNIT_TEST(what_is_tolerated),
        UNIT_TEST(one_to_four_cities_and_one_place),
        UNIT_TEST(faults),
        UNIT_TEST(fixed_edges),
        UNIT_TEST(fixed_arcs),
        UNIT_TEST(ends_of_paths),
        UNIT_TEST(metrics_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("tsp-tsplib", tests, NULL, NULL);
}
