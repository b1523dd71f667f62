/* A round trip through points of your own, on the first device.
 *
 *     cc -std=c11 tsp.c $(pkg-config --cflags --libs shoal) -lm
 */
#include <math.h>
#include <shoal/shoal.h>
#include <stdio.h>

enum { CITIES = 500 };

/* Called at each better tour. */
static void on_better(void *data, const struct shoal_tsp_better *better)
{
    (void)data;
    printf("%7.3f s  length %lld\n", better->seconds, (long long)better->length);
}

int main(void)
{
    static double points[2 * CITIES];
    static uint32_t tour[CITIES];
    struct shoal *shoal = NULL;
    struct shoal_error error = {0};
    struct shoal_report report = {0};
    struct shoal_tsp_params params;
    int64_t length = 0;

    for (int i = 0; i < CITIES; i++) { /* on a spiral */
        points[2 * i] = 3 * i * cos(0.7 * i);
        points[2 * i + 1] = 3 * i * sin(0.7 * i);
    }
    shoal_tsp_params_init(&params);
    params.points = points;
    params.count = CITIES;
    params.iterations = 200;
    params.on_better = on_better;

    enum shoal_status status = shoal_open(&shoal, NULL, &error);
    if (!status)
        status =
            shoal_run(shoal_workload_find("tsp"), shoal_device_at(shoal, 0), &params, NULL, &report, &error);
    if (!status)
        status = shoal_tsp_best(report.solver, tour, CITIES, &length, &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("from city %u to city %u and on: %.1f\n", (unsigned)tour[0], (unsigned)tour[1],
               (double)length * shoal_tsp_get_info(shoal_tsp_problem_of(report.solver))->unit);
    shoal_report_clear(&report);
    shoal_close(&shoal);
    return status != SHOAL_OK;
}
