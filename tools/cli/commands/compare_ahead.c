/* The kernels of a comparison, built by several threads before its first row. */
#include "bench/runner/bench.h"
#include "cli/commands/compare.h"

#include <shoal/ahead.h>
#include <stdlib.h>

void compare_build_ahead(struct comparison *comparison)
{
    const struct cli *cli = comparison->cli;
    const enum shoal_variant variant = (enum shoal_variant)cli->common.variant;
    struct compared_builds *builds = &comparison->builds;
    struct shoal_planned_run *runs = cli_alloc(comparison->work_count * cli->device_count * sizeof *runs);
    size_t count = 0;
    for (size_t w = 0; w < comparison->work_count; w++)
        for (size_t d = 0; d < cli->device_count; d++)
            if (shoal_device_get_info(cli->devices[d])->is_gpu)
                runs[count++] =
                    (struct shoal_planned_run){.workload = comparison->works[w].workload,
                                               .device = cli->devices[d],
                                               .params = comparison->works[w].params,
                                               .variant = variant,
                                               .compares_variants = variant == SHOAL_VARIANT_AUTO};
    if (!count) {
        free(runs);
        return;
    }
    struct shoal_error error;
    const double begin = bench_seconds();
    cli_progress_show("builds the kernels of %zu runs", count);
    if (shoal_build_ahead(cli->shoal, runs, count, &builds->programs, &builds->compile_s, &error) != SHOAL_OK)
        cli_note(cli, "%s", error.message);
    cli_progress_end();
    builds->wall_s = bench_seconds() - begin;
    free(runs);
}

void compare_print_builds(const struct compared_builds *builds)
{
    if (builds->programs)
        printf("%zu kernel programs were built before the first run, in %s (%s of compilers)\n",
               builds->programs, cli_seconds(builds->wall_s).s, cli_seconds(builds->compile_s).s);
}

void compare_builds_json(const struct compared_builds *builds, cJSON *json)
{
    cJSON *object = cli_json_object(json, "built_ahead");
    cli_json_uint(object, "programs", builds->programs);
    cli_json_real(object, "wall_s", builds->wall_s);
    cli_json_real(object, "compile_s", builds->compile_s);
}
