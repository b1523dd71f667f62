/* Parameters of a thesis: a struct that a pointer of the workload's parameters leads to, or a part of a block
 * that params_init fills. */
#include "unit.h"

#include <shoal/pso.h>
#include <shoal/theses.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status validate(const char *workload, const void *params)
{
    return shoal_workload_validate(NULL, shoal_workload_find(workload), params, &test_error);
}

#if SHOAL_THESES

static void test_pointer(void **state)
{
    (void)state;
    struct shoal_pso_thesis thesis = SHOAL_PSO_THESIS_PARAMS(.argmin = SHOAL_PSO_ARGMIN_VOL);
    struct shoal_pso_params params = SHOAL_PSO_PARAMS(.thesis = &thesis);
    assert_ok(validate("pso", &params));
    thesis.argmin = 99;
    assert_status(validate("pso", &params), SHOAL_INVALID);
    assert_contains(test_error.message, "--argmin has no choice 99");
    thesis.argmin = 0;
    thesis.size = 0;
    assert_status(validate("pso", &params), SHOAL_INVALID);
    assert_contains(test_error.message, "call shoal_pso_thesis_init");
}

/* Its bytes may be copied, and the copy is a block, too. */
static void test_block(void **state)
{
    (void)state;
    const struct shoal_workload *pso = shoal_workload_find("pso");
    char *block = malloc(pso->params_size), *copy = malloc(pso->params_size);
    const int32_t wrong = 99;
    assert_non_null(block);
    assert_non_null(copy);
    pso->params_init(block);
    for (size_t i = 0; i < pso->option_count; i++)
        if (strcmp(pso->options[i].name, "argmin") == 0)
            memcpy(block + pso->options[i].offset, &wrong, sizeof wrong);
    memcpy(copy, block, pso->params_size);
    free(block);
    assert_status(validate("pso", copy), SHOAL_INVALID);
    assert_contains(test_error.message, "--argmin has no choice 99");
    pso->params_init(copy);
    assert_ok(validate("pso", copy));
    ((struct shoal_pso_params *)(void *)copy)->thesis = NULL;
    assert_status(validate("pso", copy), SHOAL_INVALID);
    assert_contains(test_error.message, "leave its member thesis as it is");
    free(copy);
}

/* A checkpoint gives them back where there is a struct for them. */
static void test_checkpoint(void **state)
{
    (void)state;
    struct shoal *shoal = unit_open();
    struct shoal_tsp_thesis thesis = SHOAL_TSP_THESIS_PARAMS(.macro_cycles = 1, .overlaps = 1), other;
    struct shoal_tsp_params params =
        SHOAL_TSP_PARAMS(.thesis = &thesis, .algorithm = SHOAL_TSP_THESIS, .generate = "uniform:30:1");
    struct shoal_checkpoint *checkpoint;
    struct shoal_run_params run;
    struct shoal_report report = {0};
    shoal_run_params_init(&run);
    run.checkpoint = test_path("checkpoint");
    assert_ok(
        shoal_run(shoal_workload_find("tsp"), test_host_device(shoal), &params, &run, &report, &test_error));
    shoal_report_clear(&report);
    assert_ok(shoal_checkpoint_open(run.checkpoint, &checkpoint, &test_error));
    params = SHOAL_TSP_PARAMS(.generate = "");
    assert_status(shoal_checkpoint_params(checkpoint, NULL, &params, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "--macro-cycles is not the default: set the member thesis");
    assert_null(params.thesis);
    assert_int_equal(params.algorithm, SHOAL_TSP_ALGORITHM_AUTO); /* nothing of the checkpoint */
    shoal_tsp_thesis_init(&other);
    params.thesis = &other;
    assert_ok(shoal_checkpoint_params(checkpoint, NULL, &params, &test_error));
    assert_ptr_equal(params.thesis, &other);
    assert_int_equal(params.algorithm, SHOAL_TSP_THESIS);
    assert_int_equal(other.macro_cycles, 1);
    assert_int_equal(other.micro_cycles, thesis.micro_cycles);
    shoal_checkpoint_close(&checkpoint);
    shoal_close(&shoal);
}

#else

static void test_without(void **state)
{
    (void)state;
    struct shoal_pso_thesis thesis = {.size = sizeof thesis};
    struct shoal_pso_params params = SHOAL_PSO_PARAMS(.thesis = &thesis);
    assert_status(validate("pso", &params), SHOAL_INVALID);
    assert_contains(test_error.message, "this build of the library is without theses");
    params = SHOAL_PSO_PARAMS(.random = SHOAL_PSO_GLOB, .update = SHOAL_PSO_INERTIA);
    assert_status(validate("pso", &params), SHOAL_INVALID);
    assert_contains(test_error.message, "--random has no choice 2");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if SHOAL_THESES
        cmocka_unit_test(test_pointer),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_checkpoint),
#else
        cmocka_unit_test(test_without),
#endif
    };
    return cmocka_run_group_tests_name("theses", tests, NULL, NULL);
}
