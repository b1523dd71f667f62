/* The ants against ACOTSP 1.03: means of the best lengths of 12 runs, with their standard errors, those of
 * ACOTSP of 100, as bench/quality_tsp.py makes. Devices construct the host's tours to the last bit
 * (test_ants.c), so the host's figures are theirs. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The file of a published problem in the folder of $SHOAL_TEST_TSPLIB; skips without it. */
static const char *published(char path[600], const char *name)
{
    const char *folder = getenv("SHOAL_TEST_TSPLIB");
    snprintf(path, 600, "%s/%s.tsp", folder ? folder : "", name);
    if (!folder || access(path, R_OK) != 0) {
        print_message("no folder of published problems: set SHOAL_TEST_TSPLIB\n");
        skip();
    }
    return path;
}

struct figure {
    int32_t algorithm;
    uint64_t local_search, tours;
    double mean, error; /* of ACOTSP */
};

static void measure(const struct figure *figure, const char *data, double *mean, double *error)
{
    struct shoal_tsp_params params;
    struct shoal_report report = {0};
    enum { COLONIES = 12 };
    shoal_tsp_params_init(&params);
    params.algorithm = figure->algorithm;
    params.data = data;
    params.seed = 42;
    params.colonies = COLONIES;
    params.tours = COLONIES * figure->tours;
    params.iterations = figure->tours;
    params.colony.local_search = figure->local_search;
    assert_ok(shoal_run(shoal_workload_find("tsp"), test_host_device(harness.shoal), &params, NULL, &report,
                        &test_error));
    assert_true(report.result.check_passed);
    const struct shoal_field *field = shoal_result_find(&report.result, "mean_length");
    const struct shoal_field *spread = shoal_result_find(&report.result, "mean_length_error");
    assert_true(field && spread);
    *mean = field->real;
    *error = spread->real;
    shoal_report_clear(&report);
}

static void test_plain(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {SHOAL_TSP_AS, 0, 20000, 22859, 23},   {SHOAL_TSP_EAS, 0, 20000, 22008, 32},
        {SHOAL_TSP_RAS, 0, 20000, 21603, 20},  {SHOAL_TSP_MMAS, 0, 20000, 24491, 40},
        {SHOAL_TSP_BWAS, 0, 20000, 21988, 38}, {SHOAL_TSP_ACS, 0, 20000, 21599, 28},
    };
    char path[600];
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double mean, error;
        measure(&figures[i], published(path, "kroA100"), &mean, &error);
        print_message("algorithm %d: %.0f (%.0f), ACOTSP %.0f (%.0f)\n", (int)figures[i].algorithm, mean,
                      error, figures[i].mean, figures[i].error);
        assert_true(fabs(mean - figures[i].mean) <= 3 * hypot(error, figures[i].error));
    }
}

/* With local search: no worse. */
static void test_local_search(void **state)
{
    (void)state;
    static const struct figure figures[] = {
        {SHOAL_TSP_MMAS, 1, 2500, 42504, 33},
        {SHOAL_TSP_ACS, 1, 2500, 42341, 24},
    };
    char path[600];
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double mean, error;
        measure(&figures[i], published(path, "lin318"), &mean, &error);
        print_message("algorithm %d, local search %d: %.0f (%.0f), ACOTSP %.0f (%.0f)\n",
                      (int)figures[i].algorithm, (int)figures[i].local_search, mean, error, figures[i].mean,
                      figures[i].error);
        assert_true(mean - figures[i].mean <= 3 * hypot(error, figures[i].error));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_local_search)};
    return harness_main("tsp-ants-quality", tests, sizeof tests / sizeof *tests);
}
