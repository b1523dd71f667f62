/* Built-in objectives over genes on the host: values by hand, optima by trying all points, files that are
 * read and refused. */
#include "unit.h"

#include "objective/rows/table.h"

#include <math.h>
#include <shoal/rng.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void values_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bits;
        double value;
    } cases[] = {
        {"onemax", "1011", 3},
        {"leading-ones", "1101", 2},
        {"leading-ones", "0111", 0},
        {"leading-ones", "111", 3},
        {"trap-5", "11111", 5},
        {"trap-5", "00000", 4},
        {"trap-5", "11110", 0},
        {"trap-5", "0100011", 3 + 2},
        {"trap-4", "1111000000", 4 + 3 + 1},
        {"royal-road", "1111111101111111", 8},
        {"royal-road", "1111111111111111111", 16},
        {"hiff", "1", 1},
        {"hiff", "1100", 4 + 4},
        {"hiff", "11110001", 8 + 2 * 3 + 4},
        {"hiff", "00000000", 8 * 4},
        {"labs", "1110010", 3},
        {"labs", "1111", 9 + 4 + 1},
        {"labs", "11", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const size_t dim = strlen(cases[i].bits);
        double x[32];
        for (size_t d = 0; d < dim; d++)
            x[d] = cases[i].bits[d] - '0';
        test_label("%s %s", cases[i].name, cases[i].bits);
        assert_true(shoal_objective_value(shoal_objective_find(cases[i].name), x, dim) == cases[i].value);
    }
}

/* The best of all points, and what the library says it is. */
static void check_best(const struct shoal_objective *objective, size_t dim)
{
    const struct shoal_objective_info *info = shoal_objective_get_info(objective);
    double best = info->maximise ? -INFINITY : INFINITY, x[16];
    for (uint32_t point = 0; point < 1u << dim; point++) {
        for (size_t d = 0; d < dim; d++)
            x[d] = point >> d & 1;
        const double value = shoal_objective_value(objective, x, dim);
        best = info->maximise ? fmax(best, value) : fmin(best, value);
    }
    test_label("%s of %zu", info->name, dim);
    assert_true(shoal_objective_minimum(objective, dim) == best);
}

static void optima_are_the_best_of_all_points(void **state)
{
    (void)state;
    static const char *const names[] = {"onemax",     "leading-ones", "trap-4", "trap-5",
                                        "royal-road", "hiff",         "labs"};
    static const char *const made[] = {"nk", "planted-sat"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct shoal_objective *objective = shoal_objective_find(names[i]);
        for (size_t dim = shoal_objective_get_info(objective)->min_dim; dim <= 13; dim++)
            check_best(objective, dim);
    }
    for (size_t i = 0; i < COUNT(made); i++)
        for (size_t dim = 5; dim <= 13; dim += 2) {
            struct shoal_objective *objective;
            assert_ok(shoal_objective_from_instance(made[i], NULL, dim, &objective, &test_error));
            const struct shoal_objective_info *info = shoal_objective_get_info(objective);
            assert_true(info->min_dim == dim && info->max_dim == dim);
            check_best(objective, dim);
            shoal_objective_destroy(&objective);
        }
    assert_true(isnan(shoal_objective_minimum(shoal_objective_find("labs"), 200)));
    assert_true(shoal_objective_minimum(shoal_objective_find("labs"), 60) == 218);
}

/* Least and greatest number of unsatisfied clauses differ: the instance is not trivial. */
static void planted_clauses_are_as_many_as_stated(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    double x[250], sum = 0;
    assert_ok(shoal_objective_from_instance("planted-sat", NULL, 250, &objective, &test_error));
    assert_int_equal(objective->table->rows, 2 + 5 * 1050);
    for (size_t i = 0; i < 64; i++) {
        for (size_t d = 0; d < 250; d++)
            x[d] = (double)(shoal_random_words(3, SHOAL_STREAM_TEST, 0, (uint32_t)(i * 250 + d), 0).x & 1);
        sum += shoal_objective_value(objective, x, 250) / 64;
    }
    /* An eighth of them, with a deviation of 11 / 8. */
    assert_near(sum, 1050 / 8.0, 10);
    shoal_objective_destroy(&objective);
}

static struct shoal_objective *from_file(const char *function, const char *text)
{
    struct shoal_objective *objective;
    test_write_text(test_path("instance"), text);
    assert_ok(shoal_objective_from_instance(function, test_path("instance"), 0, &objective, &test_error));
    return objective;
}

static void files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *function, *text;
        size_t dim;
        double x[4], value;
    } cases[] = {
        {"max-sat", "c a comment\np cnf 3 4\n1 -2 0\n2 3\n 0\nc more\n-1 0 -3 0\n%\n0\n", 3, {0, 1, 1}, 2},
        {"max-sat", "p cnf 2 2\n0\n1 2 0\n", 2, {1, 0}, 1},
        {"max-sat", "p wcnf 2 3 100\n100 1 0\n7 2 0\n5 -1 -2 0\n", 2, {1, 0}, 7},
        {"max-sat",
         "p wcnf 2 3 9223372036854775808\n9223372036854775808 1 0\n7 2 0\n5 -1 -2 0\n",
         2,
         {0, 1},
         13},
        {"max-sat", "p wcnf 2 3\n100 1 0\n7 2 0\n5 -1 -2 0\n", 2, {0, 0}, 107},
        {"knapsack", "1\n3 2 15\n10 5 7\n1 2 3\n4 4 4\n4 8\n", 3, {1, 0, 1}, 17},
        {"knapsack", "1\n3 2 15\n10 5 7\n1 2 3\n4 4 4\n4 8\n", 3, {1, 1, 1}, -6},
        {"max-cut", "3 3\n1 2 5\n2 3 -2\n1 3 4\n", 3, {1, 0, 0}, 9},
        {"qubo", "2 3\n1 1 -5\n2 2 3\n1 2 4\n", 2, {1, 1}, 2},
        {"qap",
         "3\n0 1 2\n3 0 4\n5 6 0\n\n0 10 20\n30 0 40\n50 60 0\n",
         3,
         {1, 2, 0},
         1 * 40 + 2 * 30 + 3 * 60 + 4 * 50 + 5 * 10 + 6 * 20},
        {"linear-ordering", "3\n0 1 2\n3 0 4\n5 6 0\n", 3, {2, 0, 1}, 5 + 6 + 1},
        {"flow-shop", "3 2\n4 1 3\n2 5 1\n", 3, {1, 0, 2}, 9},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shoal_objective *objective = from_file(cases[i].function, cases[i].text);
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        test_label("%s %zu", cases[i].function, i);
        assert_contains(info->name, "instance");
        assert_true(info->min_dim == cases[i].dim && info->max_dim == cases[i].dim);
        assert_true(shoal_objective_value(objective, cases[i].x, cases[i].dim) == cases[i].value);
        if (strcmp(cases[i].function, "knapsack") == 0)
            assert_true(info->minimum == 15);
        shoal_objective_destroy(&objective);
    }
    test_write_text(test_path("points.csv"), "0,0\n3,4\n3,0\n");
    struct shoal_objective *tour;
    const double x[] = {2, 0, 1};
    assert_ok(shoal_objective_from_instance("tour", test_path("points.csv"), 0, &tour, &test_error));
    assert_true(shoal_objective_value(tour, x, 3) == 3 + 5 + 4);
    shoal_objective_destroy(&tour);
}

static void faults_of_files_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *function, *text, *message;
    } cases[] = {
        {"qap", "3\n0 1 2\n3 0 4\n5 6 0\n\n0 10 20\n30 0",
         "instance: line 7: the file ends where a number of row 2 of "
         "matrix 2 is expected"},
        {"qap", "2\n0 1 1 0 0 1 1 0 7", "line 2: '7' where the file should end"},
        {"qap", "2\n0 1 1 x 0 1 1 0", "line 2: 'x' where a number of row 2 of matrix 1 is expected"},
        {"qap", "1\n0 0", "the size of the matrices is 1: whole numbers from 2 to 16384 are possible"},
        {"qap", "2\n0 1.5 1 0 0 1 1 0", "a number of row 1 of matrix 1 is 1.5: whole numbers"},
        {"qap", "", "line 1: the file ends where the size of the matrices is expected"},
        {"linear-ordering", "2\n0 2147483648 0 0",
         "is 2147483648: whole numbers from -2147483648 to 2147483647"},
        {"max-sat", "p cnf 3 2\n1 2 0\n1 4 0\n",
         "line 3: a literal is 4: whole numbers from -3 to 3 are possible"},
        {"max-sat", "p cnf 3 3\n1 2 0\n1 3 0\n", "the file ends behind 2 of 3 clauses"},
        {"max-sat", "p cnf 3 1\n1 2 0\n1 3 0\n", "line 3: there are more than the 1 clauses of the line p"},
        {"max-sat", "p cnf 3 1\n1 2\n", "the file ends where a literal is expected"},
        {"max-sat", "p sat 3 1\n1 2 0\n", "line 1: the format is cnf or wcnf"},
        {"max-sat", "1 2 0\n", "line 1: a line \"p cnf VARIABLES CLAUSES\""},
        {"max-sat", "p wcnf 3 1\n3000000000 1 0\n",
         "the weight of a soft clause is 3000000000, at most 2147483647"},
        {"max-sat", "p cnf 3 60000000\n1 0\n", "the file is too short for 60000000 clauses"},
        {"knapsack", "1\n3 2 15\n10 5 3000000000\n1 2 3\n4 4 4\n4 8\n",
         "line 3: a profit is 3000000000: whole"},
        {"knapsack", "1\n3 2 15\n10 5 7\n1 2 3\n4 4 4\n4\n", "the file ends where a capacity is expected"},
        {"knapsack", "1\n1000000 60000 15\n10 5 7\n",
         "the file is too short for 60001000000 profits and weights"},
        {"max-cut", "3 1\n1 4 5\n", "line 2: j is 4: whole numbers from 1 to 3 are possible"},
        {"max-cut", "3 1\n2 2 5\n", "an edge from 2 to itself is never cut"},
        {"max-cut", "3 1\n2 1 1e10\n", "a weight is 10000000000: whole numbers"},
        {"max-cut", "3 80000000\n2 1 1\n", "the file is too short for 80000000 lines i j w"},
        {"flow-shop", "3 2\n4 1 3\n2 5 -1\n", "line 3: the time of a job is -1"},
        {"max-sat", "p wcnf 2 2 9000000000\n9000000000 1 0\n2147483647 2 0\n",
         "instance: the weights of soft clauses have the sum 2147483647"},
        {"qap", "16384 ", "the file is too short for 536870912 numbers of matrices"},
        {"linear-ordering", "16384 ", "the file is too short for 268435456 numbers of matrices"},
        {"flow-shop", "65536 256", "the file is too short for 16777216 times of jobs"},
        {"qap", "2\n0 1 -2147483648 0 0 1 1048577 0",
         "instance: values may reach 9.01e+15, whole numbers are exact"},
        {"flow-shop", "70000 2\n", "the number of jobs is 70000: whole numbers from 2 to 65536"},
    };
    struct shoal_objective *objective;
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_write_text(test_path("instance"), cases[i].text);
        assert_status(shoal_objective_from_instance(cases[i].function, test_path("instance"), 0, &objective,
                                                    &test_error),
                      SHOAL_IO);
        assert_null(objective);
        assert_contains(test_error.message, cases[i].message);
        assert_lacks(test_error.message, "\n");
    }
    test_write_file(test_path("instance"), "2\n0 1\0001 0", 9);
    assert_status(
        shoal_objective_from_instance("linear-ordering", test_path("instance"), 0, &objective, &test_error),
        SHOAL_IO);
    assert_contains(test_error.message, "instance: byte 6 is 0: an instance is a text");
}

/* Sums of edges, which take more lines than a text by hand has. */
static void sums_of_weights_are_exact(void **state)
{
    (void)state;
    enum { LINES = 4194305 }; /* times 2^31 is more than 2^53 */
    static const char line[] = "1 2 -2147483648\n";
    struct shoal_objective *objective;
    FILE *file = fopen(test_path("edges"), "w");
    assert_non_null(file);
    fprintf(file, "2 %d\n", LINES);
    for (size_t i = 0; i < LINES; i++)
        fputs(line, file);
    assert_int_equal(fclose(file), 0);
    assert_status(shoal_objective_from_instance("max-cut", test_path("edges"), 0, &objective, &test_error),
                  SHOAL_IO);
    assert_contains(test_error.message, "edges: values may reach 9.01e+15, whole numbers are exact");
}

/* Each move of each built-in function that computes changes, and of one that does not. */
static void changes_are_differences_of_values(void **state)
{
    (void)state;
    static const double x[] = {3, 0, 4, 1, 2}, bits[] = {1, 0, 1};
    static const char *const functions[] = {"qap", "linear-ordering"};
    static const char matrix[] = "3 1 -4 1 5 9 2 6 -5 3 5 8 9 7 9 3 2 3 8 4 6 2 6 4 3 ";
    for (size_t f = 0; f < COUNT(functions); f++) {
        char text[200];
        snprintf(text, sizeof text, "5\n%s%s", matrix,
                 f ? "" : "1 -2 3 4 5 6 7 8 9 8 7 6 5 4 3 2 1 2 3 4 5 6 7 8 -9");
        struct shoal_objective *objective = from_file(functions[f], text);
        assert_ok(objective_check_changes(objective, &test_error));
        const double value = shoal_objective_value(objective, x, 5);
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++) {
                double swapped[5], inserted[5];
                memcpy(swapped, x, sizeof x);
                swapped[i] = x[j];
                swapped[j] = x[i];
                for (size_t k = 0; k < 5; k++) {
                    const size_t rest = k < j ? k : k - 1; /* among those that stay */
                    inserted[k] = k == j ? x[i] : x[rest < i ? rest : rest + 1];
                }
                assert_true(shoal_objective_change(objective, x, 5, SHOAL_MOVE_SWAP, i, j) ==
                            shoal_objective_value(objective, swapped, 5) - value);
                assert_true(shoal_objective_change(objective, x, 5, SHOAL_MOVE_INSERTION, i, j) ==
                            shoal_objective_value(objective, inserted, 5) - value);
            }
        assert_true(isnan(shoal_objective_change(objective, x, 5, SHOAL_MOVE_SWAP, 5, 0)));
        assert_true(isnan(shoal_objective_change(objective, x, 5, SHOAL_MOVE_FLIP, 0, 0)));
        shoal_objective_destroy(&objective);
    }
    const struct shoal_objective *onemax = shoal_objective_find("onemax"),
                                 *ones = shoal_objective_find("leading-ones");
    assert_ok(objective_check_changes(onemax, &test_error));
    assert_true(shoal_objective_change(onemax, bits, 3, SHOAL_MOVE_FLIP, 1, 0) == 1);
    assert_true(shoal_objective_change(onemax, bits, 3, SHOAL_MOVE_FLIP, 2, 0) == -1);
    assert_true(shoal_objective_change(ones, bits, 3, SHOAL_MOVE_FLIP, 1, 0) == 2);
    assert_true(isnan(shoal_objective_change(ones, bits, 3, SHOAL_MOVE_FLIP, 3, 0)));
    assert_true(
        isnan(shoal_objective_change(shoal_objective_find("sphere"), bits, 3, SHOAL_MOVE_SWAP, 0, 1)));
}

/* 10, 6, 4 for 5, 4, 3 of 8: the useful things first. */
static void knapsacks_are_repaired(void **state)
{
    (void)state;
    static const struct {
        double from[3], to[3];
    } cases[] = {
        {{1, 1, 1}, {1, 0, 1}},
        {{0, 0, 0}, {1, 0, 1}},
        {{0, 1, 1}, {0, 1, 1}},
        {{1, 1, 0}, {1, 0, 1}},
    };
    struct shoal_objective *sack = from_file("knapsack", "1\n3 1 0\n10 6 4\n5 4 3\n8\n");
    assert_true(shoal_objective_get_info(sack)->repairs);
    for (size_t i = 0; i < COUNT(cases); i++) {
        double x[3];
        memcpy(x, cases[i].from, sizeof x);
        assert_ok(shoal_objective_repair(sack, x, 3, &test_error));
        assert_memory_equal(x, cases[i].to, sizeof x);
    }
    shoal_objective_destroy(&sack);
    double x[3] = {1, 1, 1};
    sack = from_file("knapsack", "1\n3 1 0\n10 6 4\n5 -4 3\n8\n");
    assert_false(shoal_objective_get_info(sack)->repairs);
    assert_status(shoal_objective_repair(sack, x, 3, &test_error), SHOAL_UNSUPPORTED);
    shoal_objective_destroy(&sack);
    char many[2000] = "1\n1 257 0\n5\n";
    for (size_t i = 0, length = strlen(many); i < 2 * 257; i++, length += 2)
        strcpy(many + length, "1\n");
    sack = from_file("knapsack", many);
    assert_false(shoal_objective_get_info(sack)->repairs);
    shoal_objective_destroy(&sack);
    assert_status(shoal_objective_repair(shoal_objective_find("knapsack"), x, 3, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "knapsack needs an instance");
}

static void what_is_no_instance_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *function, *path;
        size_t dim;
        enum shoal_status status;
        const char *message;
    } cases[] = {
        {"qap", NULL, 9, SHOAL_INVALID, "qap needs an instance: give the path of its file, with --data"},
        {"nk", "file", 0, SHOAL_INVALID, "nk is not read from a file: leave out --data"},
        {"onemax", NULL, 9, SHOAL_INVALID, "onemax is not read from a file"},
        {"cube", NULL, 9, SHOAL_INVALID, "there is no built-in function cube"},
        {"nk", NULL, 4, SHOAL_INVALID, "nk has 5 to 65536 dimensions, 4 are asked for"},
        {"qap", "absent.dat", 0, SHOAL_IO, "cannot read instance absent.dat"},
        {"flow-shop", "ta121", 0, SHOAL_INVALID,
         "Taillard's flow shops are ta001 to ta120, there is no ta121"},
        {"flow-shop", "ta000", 0, SHOAL_INVALID, "there is no ta000"},
    };
    struct shoal_objective *objective;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_status(shoal_objective_from_instance(cases[i].function, cases[i].path, cases[i].dim,
                                                    &objective, &test_error),
                      cases[i].status);
        assert_contains(test_error.message, cases[i].message);
    }
    char path[600];
    test_write_text(test_path("two"), "2\n2 1 0\n5 6\n1 1\n1\n2 1 0\n7 8\n1 1\n1\n");
    assert_status(shoal_objective_from_instance("knapsack", test_path("two"), 0, &objective, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "has 2 instances: say which, as ");
    snprintf(path, sizeof path, "%s:3", test_path("two"));
    assert_status(shoal_objective_from_instance("knapsack", path, 0, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "has 2 instances, there is no number 3");
    snprintf(path, sizeof path, "%s:2", test_path("two"));
    assert_ok(shoal_objective_from_instance("knapsack", path, 0, &objective, &test_error));
    const double x[] = {0, 1};
    assert_true(shoal_objective_value(objective, x, 2) == 8);
    assert_true(isnan(shoal_objective_get_info(objective)->minimum));
    shoal_objective_destroy(&objective);
}

/* The folder of $SHOAL_TEST_INSTANCES; skips without it. */
static const char *published(char path[600], const char *name)
{
    const char *folder = getenv("SHOAL_TEST_INSTANCES");
    snprintf(path, 600, "%s/%s", folder ? folder : "", name);
    if (!folder || access(folder, R_OK) != 0) {
        print_message("no folder of published instances: set SHOAL_TEST_INSTANCES\n");
        skip();
    }
    return path;
}

/* QAPLIB's optimal permutation, and the values of the orders as they are given. */
static void published_assignments(void **state)
{
    (void)state;
    static const double nug12[] = {12, 7, 9, 3, 4, 8, 11, 1, 5, 6, 10, 2};
    char path[600];
    struct shoal_objective *objective;
    double x[12];
    assert_ok(
        shoal_objective_from_instance("qap", published(path, "qap/nug12.dat"), 0, &objective, &test_error));
    for (size_t i = 0; i < COUNT(nug12); i++)
        x[i] = nug12[i] - 1;
    assert_true(shoal_objective_value(objective, x, 12) == 578);
    shoal_objective_destroy(&objective);
}

/* Of the point of zeros or ones, which is feasible then. */
static double repaired_value(const struct shoal_objective *objective, double bit)
{
    double x[100];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = bit;
    assert_ok(shoal_objective_repair(objective, x, COUNT(x), &test_error));
    return shoal_objective_value(objective, x, COUNT(x));
}

/* What the repair makes of no item and of all: 0.968 to 0.990 of the best known values here; the exact dual
 * values of the linear relaxation give 0.966 to 0.991 (scipy's linprog). */
static void published_knapsacks(void **state)
{
    (void)state;
    static const double best[] = {24381, 24274, 23551, 23534, 23991};
    char path[600], one[620];
    struct shoal_objective *objective;
    for (size_t i = 0; i < COUNT(best); i++) {
        snprintf(one, sizeof one, "%s:%zu", published(path, "mknapcb1.txt"), i + 1);
        assert_ok(shoal_objective_from_instance("knapsack", one, 0, &objective, &test_error));
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        assert_true(info->minimum == best[i] && info->min_dim == 100 && objective->table->rows == 7);
        assert_true(repaired_value(objective, 0) > 0.96 * best[i]);
        assert_true(repaired_value(objective, 1) > 0.96 * best[i]);
        shoal_objective_destroy(&objective);
    }
    snprintf(one, sizeof one, "%s:31", path);
    assert_status(shoal_objective_from_instance("knapsack", one, 0, &objective, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "has 30 instances, there is no number 31");
}

/* Makespans of the jobs in their order, which the file lists. */
static void published_flow_shops(void **state)
{
    (void)state;
    char path[600], line[200], name[16];
    double seed, makespan, x[500];
    size_t jobs, machines, count = 0;
    FILE *file = fopen(published(path, "taillard-flowshop.tsv"), "r");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (double)i;
    while (fgets(line, sizeof line, file)) {
        struct shoal_objective *objective;
        if (sscanf(line, "%15s %zu %zu %lf %lf", name, &jobs, &machines, &seed, &makespan) != 5)
            continue;
        assert_ok(shoal_objective_from_instance("flow-shop", name, 0, &objective, &test_error));
        assert_int_equal(shoal_objective_get_info(objective)->min_dim, jobs);
        assert_true(shoal_objective_value(objective, x, jobs) == makespan);
        shoal_objective_destroy(&objective);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 120);
}

static void the_first_flow_shop_is_as_published(void **state)
{
    (void)state;
    static const double first[] = {54, 83, 15, 71};
    struct shoal_objective *objective;
    double row[20];
    assert_ok(shoal_objective_from_instance("flow-shop", "ta001", 0, &objective, &test_error));
    assert_ok(table_read(objective->table, 0, 1, row, &test_error));
    assert_memory_equal(row, first, sizeof first);
    assert_true(shoal_objective_get_info(objective)->minimum == 1278);
    shoal_objective_destroy(&objective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(values_by_hand),
        UNIT_TEST(optima_are_the_best_of_all_points),
        UNIT_TEST(planted_clauses_are_as_many_as_stated),
        UNIT_TEST(files_are_read),
        UNIT_TEST(faults_of_files_are_named),
        UNIT_TEST(sums_of_weights_are_exact),
        UNIT_TEST(changes_are_differences_of_values),
        UNIT_TEST(knapsacks_are_repaired),
        UNIT_TEST(what_is_no_instance_is_refused),
        UNIT_TEST(published_assignments),
        UNIT_TEST(published_knapsacks),
        UNIT_TEST(published_flow_shops),
        UNIT_TEST(the_first_flow_shop_is_as_published),
    };
    return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
