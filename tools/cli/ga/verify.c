#include "cli/ga/verify.h"

#include "cli/cli.h"

#include <shoal/ga.h>
#include <shoal/rng.h>
#include <stdlib.h>

/* Verifies tours through points in the unit square, whose children cl/ga/methods/tours.cl improves: no case
 * of the workload covers this kernel. Device and host are compared as in other cases. */
static void verify_tours(struct verify *verify, struct shoal_device *device)
{
    enum { POINTS = 40 };
    const struct shoal_workload *ga = shoal_workload_find("ga");
    struct shoal_verification result = {0};
    struct shoal_objective *objective = NULL;
    struct shoal_ga_params params;
    struct verify_row row = {.name = "ga.tours", .what = ""};
    double points[2 * POINTS];
    for (uint32_t i = 0; i < 2 * POINTS; i++)
        points[i] = (double)shoal_uniform_float(shoal_random_words(1, SHOAL_STREAM_TEST, 0, i / 2, i % 2).x);
    cli_progress_show("%s  %s", row.name, shoal_device_get_info(device)->id);
    shoal_ga_params_init(&params);
    if (!shoal_objective_from_points(points, POINTS, 2, &objective, &row.error)) {
        params.search.objective = objective;
        params.search.iterations = 2000;
        /* in double precision rounding seldom changes which of two lengths is less */
        params.search.precision = SHOAL_FP64;
        params.population = 24;
        params.local_search = SHOAL_GA_FIRST_IMPROVEMENT;
        params.moves = SHOAL_GA_MOVES_2OPT_OROPT;
        row.error.status =
            shoal_workload_verify(ga, device, &params, verify->steps, verify->variant, &result, &row.error);
        row.what = result.what ? cli_keep(result.what) : "";
        row.compared = result.steps;
        row.deviation = result.deviation;
        row.tolerance = result.tolerance;
    }
    verify_add(verify, device, &row);
    shoal_objective_destroy(&objective);
}

const struct verify_check ga_checks[] = {
    {"ga.tours", verify_tours, "-", "local search of tours of devices against the host", .is_short = true},
    {NULL}};
