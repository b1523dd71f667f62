/* The algorithm that is chosen where none is named, its reason and the time of the run; what is refused; what
 * a resumed run has of the choice. */
#include "harness.h"

#include "tsp/tsp.h"

#include <math.h>
#include <string.h>

static struct shoal_tsp_params params_of(void)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.generate = "uniform:60:1";
    return params;
}

/* Options, number of cities and device decide in this order. */
static void test_choices(void **state)
{
    (void)state;
    static const struct {
        uint64_t ants, cooling, candidates;
        bool merge;
        enum tsp_maker maker;
        uint32_t cities;
        bool is_even;
        int32_t algorithm;
        const char *reason;
    } cases[] = {
        {.cities = 12, .algorithm = SHOAL_TSP_EXACT, .reason = "few cities"},
        {.cities = 1, .maker = TSP_CPU_DEVICE, .algorithm = SHOAL_TSP_EXACT, .reason = "few cities"},
        {.cities = 13, .algorithm = SHOAL_TSP_LK, .reason = "the host"},
        {.cities = 13,
         .maker = TSP_CPU_DEVICE,
         .algorithm = SHOAL_TSP_LK,
         .reason = "a processor and its time"},
        {.cities = 13,
         .candidates = 33,
         .maker = TSP_CPU_DEVICE,
         .algorithm = SHOAL_TSP_FACO,
         .reason = "a device"},
        {.cities = 13, .maker = TSP_GPU, .algorithm = SHOAL_TSP_LK, .reason = "a GPU and its time"},
        {.cities = 13, .candidates = 33, .maker = TSP_GPU, .algorithm = SHOAL_TSP_FACO, .reason = "a device"},
        {.cities = 65536, .maker = TSP_GPU, .algorithm = SHOAL_TSP_LK, .reason = "a GPU and its time"},
        {.cities = 65537, .maker = TSP_GPU, .algorithm = SHOAL_TSP_FACO, .reason = "a device"},
        {.cities = 1 << 18,
         .maker = TSP_CPU_DEVICE,
         .algorithm = SHOAL_TSP_LK,
         .reason = "a processor and its time"},
        {.cities = 1 << 17,
         .is_even = true,
         .maker = TSP_GPU,
         .algorithm = SHOAL_TSP_LK,
         .reason = "a GPU and many cities, evenly spread"},
        {.cities = 1 << 20,
         .is_even = true,
         .maker = TSP_CPU_DEVICE,
         .algorithm = SHOAL_TSP_FACO,
         .reason = "a device"},
        {.cities = 9, .candidates = 4, .algorithm = SHOAL_TSP_LK, .reason = "the host"},
        {.cities = 9, .ants = 4, .maker = TSP_GPU, .algorithm = SHOAL_TSP_FACO, .reason = "--ants"},
        {.cities = 90, .merge = true, .algorithm = SHOAL_TSP_FACO, .reason = "--merge"},
        {.cities = 9, .cooling = 4, .algorithm = SHOAL_TSP_LK, .reason = "--cooling"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params params = params_of();
        test_label("case %zu", i);
        params.ants = cases[i].ants;
        params.cooling = cases[i].cooling;
        params.candidates = cases[i].candidates;
        params.faco.merge = cases[i].merge;
        const enum tsp_choice choice =
            tsp_choose_algorithm(&params, cases[i].cities, cases[i].is_even, cases[i].maker);
        assert_int_equal(params.algorithm, cases[i].algorithm);
        assert_string_equal(tsp_choice_reason(choice, &params), cases[i].reason);
        if (params.algorithm == SHOAL_TSP_EXACT)
            assert_true(isnan(params.time)); /* no steps */
        else
            assert_true(params.time == 1 + 1e-5 * cases[i].cities);
    }
}

/* On a device the algorithm follows from the time. */
static void test_time_decides(void **state)
{
    (void)state;
    static const struct {
        double time; /* 0: the run has a number of iterations */
        uint32_t cities;
        bool is_even;
        enum tsp_maker maker;
        int32_t algorithm;
    } cases[] = {
        {1, 100000, false, TSP_GPU, SHOAL_TSP_FACO},       {3, 100000, false, TSP_GPU, SHOAL_TSP_FACO},
        {4, 100000, false, TSP_GPU, SHOAL_TSP_LK},         {1, 31623, false, TSP_GPU, SHOAL_TSP_LK},
        {0.1, 10000, false, TSP_GPU, SHOAL_TSP_FACO},      {1, 100000, true, TSP_GPU, SHOAL_TSP_LK},
        {0, 10000, false, TSP_GPU, SHOAL_TSP_FACO},        {2, 100000, false, TSP_CPU_DEVICE, SHOAL_TSP_LK},
        {2, 100000, true, TSP_CPU_DEVICE, SHOAL_TSP_FACO}, {5, 100000, true, TSP_CPU_DEVICE, SHOAL_TSP_LK},
        {0, 10000, false, TSP_CPU_DEVICE, SHOAL_TSP_FACO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params params = params_of();
        test_label("case %zu", i);
        params.time = cases[i].time > 0 ? cases[i].time : NAN;
        params.iterations = cases[i].time > 0 ? 0 : 5;
        tsp_choose_algorithm(&params, cases[i].cities, cases[i].is_even, cases[i].maker);
        assert_int_equal(params.algorithm, cases[i].algorithm);
    }
}

/* Many points in a plane are even unless they are clustered. */
static void test_even(void **state)
{
    (void)state;
    static const struct {
        const char *generate;
        bool is_even;
    } cases[] = {{"uniform:65537:1", true}, {"uniform:65536:1", false}, {"clustered:65537:1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_tsp_params params = params_of();
        struct tsp_problem problem;
        test_label("%s", cases[i].generate);
        params.generate = cases[i].generate;
        assert_ok(tsp_problem_create(&params, &problem, &test_error));
        assert_true(problem.form.is_even == cases[i].is_even);
        tsp_problem_destroy(&problem);
    }
}

/* A named algorithm stays, without a time; iterations and the caller's time are kept. */
static void test_kept(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of();
    params.algorithm = SHOAL_TSP_AS;
    assert_int_equal(tsp_choose_algorithm(&params, 5, false, TSP_HOST), TSP_NOT_CHOSEN);
    assert_true(params.algorithm == SHOAL_TSP_AS && isnan(params.time));
    params = params_of();
    params.iterations = 3;
    tsp_choose_algorithm(&params, 50, false, TSP_HOST);
    assert_true(isnan(params.time) && params.iterations == 3);
    params = params_of();
    params.time = 7;
    tsp_choose_algorithm(&params, 50, false, TSP_HOST);
    assert_true(params.time == 7);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of();
    params.cooling = 4;
    params.ants = 4;
    assert_status(tsp_algorithms[params.algorithm]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--cooling belongs to lk, which has no ants: leave out --ants");
    params = params_of();
    params.ants = 10;
    params.pieces = 4;
    assert_status(tsp_algorithms[params.algorithm]->check(&params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "10 is not a multiple of 4");
}

/* The chosen algorithm checks the parameters, as where it is named. */
static void test_checked(void **state)
{
    (void)state;
    struct shoal_report report = {0};
    struct shoal_tsp_params params = params_of();
    params.candidates = 128;
    params.iterations = 1;
    assert_status(shoal_run(shoal_workload_find("tsp"), harness.device, &params, NULL, &report, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "faco takes at most 64 --candidates");
    shoal_report_clear(&report);
}

/* Programs run on the host what is made for the host. */
static void test_preferred_device(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of();
    const struct shoal_workload *tsp = shoal_workload_find("tsp");
    const struct shoal_device *device = test_host_device(harness.shoal); /* no GPU */
    assert_false(shoal_workload_prefers_host(tsp, &params, NULL));
    assert_true(shoal_workload_prefers_host(tsp, &params, device));
    params.ants = 4;
    assert_false(shoal_workload_prefers_host(tsp, &params, device));
    params = params_of();
    params.cooling = 10;
    assert_true(shoal_workload_prefers_host(tsp, &params, NULL));
    params = params_of();
    params.algorithm = SHOAL_TSP_LK;
    assert_true(shoal_workload_prefers_host(tsp, &params, NULL));
    params.algorithm = SHOAL_TSP_FACO;
    assert_false(shoal_workload_prefers_host(tsp, &params, device));
    assert_false(shoal_workload_prefers_host(tsp, NULL, device));
}

static const char *text_of(struct shoal_solver *solver, const char *name)
{
    static struct shoal_result result;
    result = (struct shoal_result){.size = sizeof result};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    const struct shoal_field *field = shoal_result_find(&result, name);
    return field ? field->text : "";
}

/* A run that is resumed by the chosen algorithm's name has the reason of the choice. */
static void test_resumed(void **state)
{
    (void)state;
    struct shoal_device *host = test_host_device(harness.shoal);
    struct shoal_tsp_params params = params_of();
    params.iterations = 4;
    struct shoal_solver *first = harness_solver("tsp", host, &params);
    assert_int_equal(harness_step(first, 2), 2);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    params.algorithm = SHOAL_TSP_LK;
    struct shoal_solver *second = harness_solver("tsp", host, &params);
    assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
    assert_string_equal(text_of(first, "algorithm"), "lk");
    assert_string_equal(text_of(first, "chosen_for"), "the host");
    assert_string_equal(text_of(second, "chosen_for"), "the host");
    shoal_solver_destroy(&first);
    shoal_solver_destroy(&second);
}

/* A resumed run keeps the default time unless it gets a number of iterations or a time of its own. */
static void test_resumed_time(void **state)
{
    (void)state;
    static const struct {
        uint64_t iterations;
        double time; /* 0: the default */
        bool has_time, is_default;
    } cases[] = {{.has_time = true, .is_default = true},
                 {.iterations = 9},
                 {.time = 7, .has_time = true},
                 {.iterations = 9, .time = 7, .has_time = true}};
    struct shoal_device *host = test_host_device(harness.shoal);
    struct shoal_tsp_params params = params_of();
    struct shoal_solver *first = harness_solver("tsp", host, &params);
    const double time = tsp_params(first)->time;
    assert_int_equal(harness_step(first, 2), 2);
    assert_ok(shoal_solver_save(first, test_path("run"), &test_error));
    params.algorithm = SHOAL_TSP_LK;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_label("case %zu", i);
        params.iterations = cases[i].iterations;
        params.time = cases[i].time > 0 ? cases[i].time : time;
        struct shoal_solver *second = harness_solver("tsp", host, &params);
        assert_ok(shoal_solver_load(second, test_path("run"), &test_error));
        assert_true(cases[i].has_time ? tsp_params(second)->time == params.time
                                      : isnan(tsp_params(second)->time));
        assert_true(tsp_run_of(second)->has_default_time == cases[i].is_default);
        shoal_solver_destroy(&second);
    }
    shoal_solver_destroy(&first);
}

/* On the device under test and on the host, each by its own algorithm. */
static void test_runs(void **state)
{
    (void)state;
    struct shoal_tsp_params params = params_of();
    params.iterations = 2;
    struct shoal_solver *device = harness_solver("tsp", harness.device, &params),
                        *host = harness_solver("tsp", test_host_device(harness.shoal), &params);
    harness_step(device, 2);
    harness_step(host, 2);
    assert_string_equal(text_of(device, "algorithm"), "faco");
    assert_string_equal(text_of(device, "chosen_for"), "a device");
    assert_string_equal(text_of(host, "algorithm"), "lk");
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),      cmocka_unit_test(test_time_decides),
        cmocka_unit_test(test_even),         cmocka_unit_test(test_kept),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_preferred_device),
        cmocka_unit_test(test_checked),      cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_resumed_time), cmocka_unit_test(test_runs)};
    return harness_main("tsp-choice", tests, sizeof tests / sizeof *tests);
}
