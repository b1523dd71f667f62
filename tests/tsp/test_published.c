/* Published problems: those of TSPLIB from their files, those of the DIMACS challenge from their seeds, and
 * the lengths of published tours. */
#include "unit.h"

#include "tsp/files/files.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

/* The folder of $SHOAL_TEST_TSPLIB; skips without it. */
static const char *published(char path[600], const char *name, const char *extension)
{
    const char *folder = getenv("SHOAL_TEST_TSPLIB");
    snprintf(path, 600, "%s/%s%s", folder ? folder : "", name, extension);
    if (!folder || access(folder, R_OK) != 0) {
        print_message("no folder of published problems: set SHOAL_TEST_TSPLIB\n");
        skip();
    }
    return path;
}

static struct shoal_tsp_params params(void)
{
    return (struct shoal_tsp_params){.size = sizeof(struct shoal_tsp_params), .optimum = NAN};
}

/* Each problem of OPTIMA.tsv is read, its optimum is known, and its published tour has that length. */
static void files_and_tours(void **state)
{
    (void)state;
    char path[600], tour_path[600], line[200], name[32], type[64], status[64], tour[64];
    unsigned long n, count = 0, tours = 0;
    long long length;
    FILE *file = fopen(published(path, "OPTIMA", ".tsv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct shoal_tsp_params own = params();
        struct tsp_problem problem;
        if (sscanf(line, "%31s %lu %63s %lld %63[^\t] %63s", name, &n, type, &length, status, tour) != 6)
            continue;
        test_label("%s", name);
        own.data = published(path, name, ".tsp");
        own.tour = strcmp(tour, "-") != 0 ? published(tour_path, name, ".opt.tour") : NULL;
        assert_ok(tsp_problem_create(&own, &problem, &test_error));
        assert_int_equal(problem.n, n);
        assert_int_equal(strncmp(type, "EXPLICIT", 8) == 0, problem.metric == SHOAL_TSP_MATRIX);
        assert_int_equal(problem.optimum, length);
        assert_int_equal(problem.is_optimal, strcmp(status, "optimal") == 0);
        if (own.tour)
            assert_int_equal(tsp_length(&problem, problem.tour, NULL), length);
        tours += own.tour != NULL;
        count++;
        tsp_problem_destroy(&problem);
    }
    fclose(file);
    assert_int_equal(count, 26);
    assert_int_equal(tours, 15);
}

/* dsj1000 is published with two distances. */
static void the_metric_chooses_the_optimum(void **state)
{
    (void)state;
    char path[600];
    struct shoal_tsp_params own = params();
    struct tsp_problem problem;
    own.data = published(path, "dsj1000", ".tsp");
    own.metric = SHOAL_TSP_EUC_2D;
    assert_ok(tsp_problem_create(&own, &problem, &test_error));
    assert_int_equal(problem.optimum, 18659688);
    tsp_problem_destroy(&problem);
    own.data = published(path, "berlin52", ".tsp");
    own.metric = SHOAL_TSP_MAN_2D;
    assert_ok(tsp_problem_create(&own, &problem, &test_error));
    assert_int_equal(problem.optimum, 0);
    tsp_problem_destroy(&problem);
}

static void best_known_lengths(void **state)
{
    (void)state;
    char path[600], line[200], name[32], family[32];
    unsigned long n, count = 0;
    long long seed, length;
    FILE *file = fopen(published(path, "DIMACS", ".tsv"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct shoal_tsp_params own = params();
        struct tsp_problem problem = {.params = &own, .name = name, .unit = 1};
        uint64_t found_n, found_seed;
        bool is_optimal;
        if (sscanf(line, "%31s %lu %31s %lld %lld", name, &n, family, &seed, &length) != 5)
            continue;
        test_label("%s", name);
        assert_true(tsp_find_instance(name, &found_n, &found_seed));
        assert_int_equal(found_n, n);
        assert_int_equal(found_seed, seed);
        problem.n = (uint32_t)n;
        assert_int_equal(tsp_known_length(&problem, &is_optimal), length);
        assert_false(is_optimal);
        /* As the generators name them, and as --generate does. */
        snprintf(name, sizeof name, "%s-%lu-%lld", *name == 'E' ? "portgen" : "portcgen", n, seed);
        assert_int_equal(tsp_known_length(&problem, &is_optimal), length);
        problem.is_path = true;
        assert_int_equal(tsp_known_length(&problem, &is_optimal), 0);
        count++;
    }
    fclose(file);
    /* The file may list more than the challenge's first fourteen. */
    assert_true(count >= 14);
}

/* Sums over all cities of what the generators of the challenge write: sum of (i + 1) x and of (i + 1) y. */
static void generated_problems(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n;
        double first[2], last[2], sums[2];
    } cases[] = {
        {"E1k.0", 1000, {140237, 801141}, {47594, 950873}, {253588668064, 247765222712}},
        {"E3k.4", 3162, {341716, 802295}, {241346, 902996}, {2529141982062, 2505937842629}},
        {"E100k.1", 100000, {800674, 202065}, {263056, 501617}, {2495541075696721, 2499877467313894}},
        {"C1k.9", 1000, {909444, 143969}, {861328, 323685}, {260586577705, 247824483689}},
        {"C10k.0", 10000, {646511, 741489}, {698745, 447516}, {25955340052357, 25565323775112}},
        {"uniform:9152:9152", 9152, {459283, 189902}, {951254, 129549}, {20926439704482, 20966520546893}},
        {"clustered:12345:77", 12345, {899069, 713419}, {938588, 636654}, {42328753526303, 36775782467963}},
        {"uniform:1:0", 1, {824358, 925189}, {824358, 925189}, {824358, 925189}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params own = params();
        struct tsp_problem problem;
        double sums[2] = {0, 0};
        own.generate = cases[i].name;
        test_label("%s", cases[i].name);
        assert_ok(tsp_problem_create(&own, &problem, &test_error));
        assert_int_equal(problem.n, cases[i].n);
        assert_int_equal(problem.metric, SHOAL_TSP_EUC_2D);
        assert_string_equal(problem.name, cases[i].name);
        for (size_t k = 0; k < 2; k++) {
            assert_true(problem.places[k] == cases[i].first[k]);
            assert_true(problem.places[2 * (problem.n - 1) + k] == cases[i].last[k]);
            for (size_t j = 0; j < problem.n; j++)
                sums[k] += (double)(j + 1) * problem.places[2 * j + k];
            assert_true(sums[k] == cases[i].sums[k]);
        }
        tsp_problem_destroy(&problem);
    }
}

static void what_is_not_generated(void **state)
{
    (void)state;
    static const struct {
        const char *name, *part;
    } cases[] = {
        {"E1k.10", "give uniform:N:SEED"},
        {"E2k.0", "give uniform:N:SEED"},
        {"C1M.0", "give uniform:N:SEED"},
        {"uniform", "give uniform:N:SEED"},
        {"uniform:10", "give uniform:N:SEED"},
        {"uniform:10:", "give uniform:N:SEED"},
        {"uniform:10:1x", "give uniform:N:SEED"},
        {"uniform:0:1", "1 to 268435456 cities are possible"},
        {"clustered:99:1", "100 to 268435456 cities are possible"},
        {"uniform:10:1000000000", "seeds are 0 to 999999999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params own = params();
        struct tsp_problem problem;
        own.generate = cases[i].name;
        test_label("%s", cases[i].name);
        assert_status(tsp_problem_create(&own, &problem, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, cases[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(files_and_tours),       UNIT_TEST(the_metric_chooses_the_optimum),
        UNIT_TEST(best_known_lengths),    UNIT_TEST(generated_problems),
        UNIT_TEST(what_is_not_generated),
    };
    return cmocka_run_group_tests_name("tsp-published", tests, NULL, NULL);
}
