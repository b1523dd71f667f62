/* Differential evolution on the host: the number of members by step, defaults, budgets, resumed runs. */
#include "de/host/host.h"
#include "open.h"
#include "search/space.h"

#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct shoal_de_params small(void)
{
    struct shoal_de_params params;
    shoal_de_params_init(&params);
    params.search.dim = 5;
    params.search.refine = SHOAL_REFINE_NONE;
    params.search.evaluations = 3000;
    params.population = 30;
    return params;
}

static void create(const struct shoal_de_params *params, int threads, struct de_host *host)
{
    assert_ok(search_host_create(shoal, &de_algorithm, &params->search, threads, &host->search, &test_error));
}

/* Schedules --------------------------------------------------------------------------------------------- */

/* Sums of the members of each step, and the steps at which their number falls, one by one. */
static void test_schedule(void **state)
{
    (void)state;
    static const double budgets[] = {31, 60, 1000, 30000};
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        struct shoal_de_params params = small();
        params.population_end = 4;
        params.search.evaluations = (uint64_t)budgets[b];
        const struct de_schedule schedule = de_schedule_of(&params);
        double sum = 0, before = schedule.first;
        for (double step = 0; sum < 4 * budgets[b] + 100; step++) {
            const double members = de_schedule_members(&schedule, step);
            assert_true(members <= before && members >= 4);
            for (double n = before; n > members; n--)
                assert_true(de_schedule_fall(&schedule, n) == step);
            assert_true(de_schedule_steps(&schedule, sum + 1) == step);
            sum += members;
            assert_true(de_schedule_evaluations(&schedule, step) == sum);
            assert_true(de_schedule_steps(&schedule, sum) == step);
            before = members;
        }
        assert_true(before == 4);
    }
}

/* The last members are reached at the end of the budget: the linear reduction of the source, whose numbers of
 * members it has up to rounding. */
static void test_linear(void **state)
{
    (void)state;
    struct shoal_de_params params = small();
    params.population = 540;
    params.population_end = 4;
    params.search.evaluations = 300000;
    const struct de_schedule schedule = de_schedule_of(&params);
    double made = 540;
    for (double step = 1; made < 299000; step++) {
        const double members = de_schedule_members(&schedule, step);
        assert_true(fabs(members - (540 - 536 * (made - 540) / 300000)) <= 2);
        made += members;
    }
}

static void test_plan(void **state)
{
    (void)state;
    struct shoal_de_params params = small();
    params.adaptation = SHOAL_DE_JSO;
    struct de_problem problem;
    assert_ok(de_problem_create(shoal, &params, &problem, &test_error));
    for (uint64_t step = 0; step <= problem.search.max_steps; step++) {
        const struct de_step now = de_problem_step(&problem, step);
        assert_true(now.members == de_schedule_members(&problem.schedule, (double)step));
        assert_int_equal(now.next, de_problem_step(&problem, step + 1).members);
        assert_int_equal(now.next_slots, de_problem_step(&problem, step + 1).slots);
        assert_true(now.best >= 2 && now.best <= now.members);
    }
    assert_int_equal(de_problem_step(&problem, 1).pull, 7);
    assert_int_equal(de_problem_step(&problem, 1).least_rate, 7);
    assert_int_equal(de_problem_step(&problem, 1).most_scale, 7);
    assert_int_equal(de_problem_step(&problem, problem.search.max_steps).pull, 12);
    assert_int_equal(de_problem_step(&problem, problem.search.max_steps).least_rate, 0);
    assert_int_equal(de_problem_step(&problem, problem.search.max_steps).most_scale, 10);
    /* A quarter of the members at the begin, an eighth at the end. */
    assert_int_equal(de_problem_step(&problem, 1).best, 8);
    assert_int_equal(de_best_share(problem.plan, 4), 65536 / 8);
    search_problem_destroy(&problem.search);
}

static void test_picks(void **state)
{
    (void)state;
    enum { COUNT_OF = 7 };
    unsigned seen[COUNT_OF] = {0};
    for (unsigned k = 0; k < 4096; k++) {
        const unsigned word = k << 20, a = 5, b = 2, c = 3;
        const unsigned one = de_other_than_1(word, COUNT_OF, a), two = de_other_than_2(word, COUNT_OF, a, b),
                       three = de_other_than_3(word, COUNT_OF, a, b, c);
        assert_true(one < COUNT_OF && one != a);
        assert_true(two < COUNT_OF && two != a && two != b);
        assert_true(three < COUNT_OF && three != a && three != b && three != c);
        seen[three]++;
    }
    assert_true(seen[0] == 1024 && seen[1] == 1024 && seen[4] == 1024 && seen[6] == 1024);
}

/* The order ------------------------------------------------------------------------------------------- */

static void test_order(void **state)
{
    (void)state;
    static const double values[] = {3, 1, NAN, 2, INFINITY, 1, 0, 3};
    static const uint32_t wanted[] = {6, 1, 5, 3, 0, 7, 4, 2};
    enum { MEMBERS = 8 };
    for (size_t best = 1; best <= MEMBERS; best++) {
        uint32_t order[MEMBERS];
        de_host_order(values, MEMBERS, best, order);
        assert_memory_equal(order, wanted, best * sizeof *order);
    }
    for (size_t worst = 0; worst <= MEMBERS; worst++) {
        uint32_t order[MEMBERS];
        bool is_worst[MEMBERS] = {false};
        de_host_choose_worst(values, MEMBERS, worst, order);
        for (size_t n = 0; n < worst; n++)
            is_worst[order[n]] = true;
        for (size_t n = 0; n < MEMBERS; n++)
            assert_true(is_worst[wanted[n]] == (n >= MEMBERS - worst));
    }
}

/* Runs ------------------------------------------------------------------------------------------------ */

static void *saved(struct de_host *host, size_t *size)
{
    struct checkpoint checkpoint = {0};
    void *bytes;
    assert_ok(search_host_save(&host->search, &checkpoint, &test_error));
    assert_ok(checkpoint_to_memory(&checkpoint, &bytes, size, &test_error));
    checkpoint_clear(&checkpoint);
    return bytes;
}

static void load(struct de_host *host, const void *bytes, size_t size, enum shoal_status status)
{
    struct checkpoint checkpoint;
    assert_ok(checkpoint_parse(&checkpoint, bytes, size, "memory", &test_error));
    assert_status(search_host_load(&host->search, &checkpoint, &test_error), status);
}

/* With several threads, and resumed, a run has the bits of an uninterrupted one; it makes the evaluations
 * that it was given, and lost members have no value. */
static void test_resumed(void **state)
{
    (void)state;
    static const int32_t adaptations[] = {SHOAL_DE_JDE, SHOAL_DE_SHADE, SHOAL_DE_LSHADE, SHOAL_DE_JSO};
    for (size_t a = 0; a < sizeof adaptations / sizeof *adaptations; a++) {
        struct shoal_de_params params = small();
        params.adaptation = adaptations[a];
        params.search.islands = 2;
        params.search.exchange = 7;
        params.search.runs = 2;
        struct de_host whole, part, again;
        size_t size, part_size;
        create(&params, 1, &whole);
        create(&params, 3, &part);
        create(&params, 1, &again);
        search_host_advance(&part.search, 20);
        void *middle = saved(&part, &part_size);
        load(&again, middle, part_size, SHOAL_OK);
        search_host_advance(&again.search, 100000);
        search_host_advance(&whole.search, 100000);
        void *end = saved(&whole, &size), *other = saved(&again, &part_size);
        assert_int_equal(size, part_size);
        assert_memory_equal(end, other, size);
        const struct search_problem *problem = whole.search.problem;
        const double made = search_evaluations(problem, problem->max_steps, 0);
        assert_true(made >= 3000 && made < 3000 + 2 * 30);
        const size_t left = search_members_after(problem, problem->max_steps);
        assert_true(adaptations[a] >= SHOAL_DE_LSHADE ? left < 10 : left == 30);
        for (size_t i = 0; i < problem->total; i++)
            assert_int_equal(isnan(whole.search.best[i]), i % 30 >= left);
        free(middle);
        free(end);
        free(other);
        search_host_destroy(&whole.search);
        search_host_destroy(&part.search);
        search_host_destroy(&again.search);
    }
}

/* Another budget would have other numbers of members; a count behind the archive would be read as an index.
 */
static void test_refused(void **state)
{
    (void)state;
    struct shoal_de_params params = small();
    struct de_host host, other;
    size_t size;
    create(&params, 1, &host);
    search_host_advance(&host.search, 5);
    char *bytes = saved(&host, &size);
    params.search.evaluations = 4000;
    create(&params, 1, &other);
    load(&other, bytes, size, SHOAL_INVALID);
    assert_contains(test_error.message, "shrinks over another budget");
    struct checkpoint checkpoint;
    assert_ok(checkpoint_parse(&checkpoint, bytes, size, "memory", &test_error));
    const struct checkpoint_section *counts = checkpoint_find(&checkpoint, "counts");
    const uint32_t wrong = 79; /* one more than 2.6 times 30 */
    memcpy(bytes + ((const char *)counts->data - bytes), &wrong, sizeof wrong);
    assert_status(search_host_load(&host.search, &checkpoint, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "damaged");
    free(bytes);
    search_host_destroy(&host.search);
    search_host_destroy(&other.search);
}

static void test_defaults(void **state)
{
    (void)state;
    static const struct {
        int32_t adaptation;
        uint64_t evaluations, population, end;
    } cases[] = {{SHOAL_DE_NONE, 300000, 300, 300}, {SHOAL_DE_SHADE, 300000, 100, 100},
                 {SHOAL_DE_LSHADE, 300000, 540, 4}, {SHOAL_DE_JSO, 300000, 466, 4},
                 {SHOAL_DE_LSHADE, 5000, 100, 4},   {SHOAL_DE_LSHADE, 20, 8, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_de_params params;
        struct de_problem problem;
        shoal_de_params_init(&params);
        params.adaptation = cases[i].adaptation;
        params.search.evaluations = cases[i].evaluations;
        params.search.refine = SHOAL_REFINE_NONE;
        assert_ok(de_problem_create(shoal, &params, &problem, &test_error));
        assert_int_equal(problem.search.members, cases[i].population);
        assert_int_equal(problem.params->population_end, cases[i].end);
        search_problem_destroy(&problem.search);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    struct de_problem problem;
    struct shoal_de_params params = small();
    params.search.evaluations = 29;
    assert_status(de_problem_create(shoal, &params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--evaluations 29 is below the 30 members of step 0");
    params = small();
    params.population_end = 31;
    assert_status(de_problem_create(shoal, &params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--population-end 31 is above the population, 30");
    params = small();
    params.search.evaluations = 0;
    params.search.time = 1;
    params.population_end = 4;
    assert_status(de_problem_create(shoal, &params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--population-end needs a budget over which members leave");
    params.population_end = 0;
    params.adaptation = SHOAL_DE_JSO;
    assert_ok(de_problem_create(shoal, &params, &problem, &test_error));
    assert_int_equal(search_members_after(&problem.search, 4000000000), 30);
    assert_int_equal(de_problem_step(&problem, 1).pull, 12);
    assert_int_equal(de_problem_step(&problem, 1).most_scale, 10);
    search_problem_destroy(&problem.search);
    params = small();
    params.population = 3;
    assert_status(de_check_params(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--population 3: a trial is made of 4 members or more");
    params = small();
    params.adaptation = SHOAL_DE_JDE;
    params.pbest = 0.1;
    assert_status(de_check_params(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--pbest needs --strategy current-to-pbest-1");
}

/* Variables that are rounded --------------------------------------------------------------------------- */

enum { ROUNDED = 5 };
static const char rounded[] = "a real -2 2, b integer -3 9, c choice 5, d bit, e real 7 7";

/* First positions have each whole number equally often, and points the nearest whole number below. */
static void test_rounded(void **state)
{
    (void)state;
    static const double lower[ROUNDED] = {-2, -3, 0, 0, 7}, upper[ROUNDED] = {2, 10, 5, 2, 7},
                        start[2 * ROUNDED] = {1, 9, 4, 1, 7, -1.5, -3, 0, 0, 7};
    struct shoal_de_params params = small();
    struct de_host host;
    double point[ROUNDED];
    size_t seen[13] = {0};
    params.search.variables = rounded;
    params.population = 1300;
    params.search.evaluations = 5000;
    params.search.start_points = start;
    params.search.start_count = 2;
    create(&params, 1, &host);
    const struct search_problem *problem = host.search.problem;
    assert_int_equal(problem->dim, ROUNDED);
    assert_memory_equal(problem->lower, lower, sizeof lower);
    assert_memory_equal(problem->upper, upper, sizeof upper);
    search_host_advance(&host.search, 0);
    for (size_t i = 0; i < problem->members; i++) {
        const double *member = host.search.p + i * ROUNDED;
        search_to_point(problem, member, point);
        assert_ok(shoal_variables_check(problem->variables, point, &test_error));
        assert_true(point[0] == member[0] && point[1] == floor(member[1]));
        if (i < 2)
            assert_memory_equal(point, start + i * ROUNDED, sizeof point);
        seen[(size_t)(point[1] + 3)]++;
    }
    for (size_t k = 0; k < 13; k++) /* 100 +- 5 deviations */
        assert_in_range(seen[k], 50, 150);
    search_to_point(problem, upper, point);
    assert_ok(shoal_variables_check(problem->variables, point, &test_error));
    search_host_destroy(&host.search);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *list, *message;
    } refused[] = {
        {"x1 real 0 1, x2-x4 order",
         "x2 is an order: de takes reals, integers, choices and bits alone, none of them coded; take ga"},
        {"x1-x3 integer 0 9 gray 4, x4 bit", "x1 is an integer coded in bits: de takes reals"},
        {"x1-x3 integer 0 9", "start point 1: x2 is 9.5"},
        {"x1 integer 0 9, x2 real 0 9, x3 bit", "start point 1: x2 is 9.5: its range is 0 to 9"},
        {"x1-x3 integer 0 20000000", "x1 has whole numbers beyond 16777216"},
    };
    static const double start[3] = {1, 9.5, 0};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct shoal_de_params params = small();
        struct de_problem problem;
        params.search.dim = 0;
        params.search.variables = refused[i].list;
        if (strstr(refused[i].message, "start")) {
            params.search.dim = 3;
            params.search.start_points = start;
            params.search.start_count = 1;
        }
        enum shoal_status status = de_problem_create(shoal, &params, &problem, &test_error);
        if (!status) {
            status = search_box_check_single(&problem.search, &test_error);
            search_problem_destroy(&problem.search);
        }
        assert_status(status, SHOAL_INVALID);
        assert_contains(test_error.message, refused[i].message);
    }
    static const char *const others[] = {"--rotate", "--shift", "--polish", "--x-tolerance"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct shoal_de_params params = small();
        struct de_problem problem;
        params.search.dim = 0;
        params.search.variables = rounded;
        params.search.rotate = i == 0;
        params.search.shift = i == 1;
        params.search.polish = i == 2;
        if (i == 3)
            params.search.x_tolerance = 1e-3;
        assert_status(de_problem_create(shoal, &params, &problem, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, others[i]);
        assert_contains(test_error.message, "of which each variable must be one");
    }
}

/* One dimension, equal values everywhere, and values that are not finite. */
static double level(const double *x, size_t dim, void *data)
{
    (void)x;
    (void)dim;
    (void)data;
    return 1;
}

static double half(const double *x, size_t dim, void *data)
{
    (void)data;
    return x[0] < 0 ? NAN : x[0] + (double)dim;
}

static void test_edges(void **state)
{
    (void)state;
    static double (*const functions[])(const double *, size_t, void *) = {level, half};
    for (size_t f = 0; f < 2; f++) {
        struct shoal_de_params params = small();
        struct shoal_objective *objective;
        struct de_host host;
        assert_ok(shoal_objective_from_callback(functions[f], NULL, "edge", &objective, &test_error));
        params.search.objective = objective;
        params.search.dim = 1;
        params.search.lower = -1;
        params.search.upper = 2;
        create(&params, 1, &host);
        search_host_advance(&host.search, 100000);
        assert_true(host.search.islands[0].champion == 1);
        search_host_destroy(&host.search);
        shoal_objective_destroy(&objective);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(test_schedule), OPEN_TEST(test_linear),  OPEN_TEST(test_plan),    OPEN_TEST(test_picks),
        OPEN_TEST(test_order),    OPEN_TEST(test_resumed), OPEN_TEST(test_refused), OPEN_TEST(test_defaults),
        OPEN_TEST(test_mistakes), OPEN_TEST(test_rounded), OPEN_TEST(test_kinds),   OPEN_TEST(test_edges)};
    return cmocka_run_group_tests_name("de-host", tests, NULL, NULL);
}
