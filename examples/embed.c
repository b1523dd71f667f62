#include <shoal/shoal.h>
#include <stdio.h>
int main(void)
{
    struct shoal *shoal = NULL;
    struct shoal_error error = {0};
    struct shoal_report report = {0};
    struct shoal_pso_params params = SHOAL_PSO_PARAMS(.particles = 60);
    if (shoal_open(&shoal, NULL, &error) ||
        shoal_run(shoal_workload_find("pso"), shoal_device_at(shoal, 0), &params, NULL, &report, &error))
        fprintf(stderr, "%s\n", error.message);
    else
        printf("best value found: %g\n", report.result.value);
    shoal_report_clear(&report);
    shoal_close(&shoal);
    return error.status != SHOAL_OK;
}
