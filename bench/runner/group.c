#include "bench/runner/group.h"

#include <math.h>

enum { MOST_DEFINES = 16 };

void bench_group_release(struct bench_group *group)
{
    shoal_kernel_destroy(&group->kernel);
    shoal_program_destroy(&group->program);
}

static enum shoal_status make(struct bench *bench, const struct bench_group_build *build, int64_t size,
                              struct bench_group *group, struct shoal_error *error)
{
    struct shoal_define defines[MOST_DEFINES] = {{"WG", size}};
    struct shoal_program_params params = build->params;
    for (size_t i = 0; i < build->define_count && i + 1 < MOST_DEFINES; i++)
        defines[i + 1] = build->defines[i];
    params.defines = defines;
    params.define_count = build->define_count + 1;
    enum shoal_status status =
        shoal_program_create(bench->device, bench_program(build->program), &params, &group->program, error);
    return status == SHOAL_OK ? shoal_kernel_create(group->program, build->entry, &group->kernel, error)
                              : status;
}

/* Measures the seconds of one run, from some milliseconds of runs. */
static enum shoal_status time_run(struct bench *bench,
                                  enum shoal_status (*run)(struct bench *bench, struct shoal_error *error),
                                  double *seconds, struct shoal_error *error)
{
    enum shoal_status status = run(bench, error);
    if (status == SHOAL_OK)
        status = shoal_queue_finish(bench->queue, error);
    double spent = 0;
    for (unsigned count = 1; status == SHOAL_OK && spent < 2e-3; count *= 4) {
        const double start = bench_seconds();
        for (unsigned i = 0; i < count && status == SHOAL_OK; i++)
            status = run(bench, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(bench->queue, error);
        spent = bench_seconds() - start;
        *seconds = spent / count;
    }
    return status;
}

enum shoal_status bench_group_choose(struct bench *bench, const struct bench_group_build *build,
                                     enum shoal_status (*run)(struct bench *bench, struct shoal_error *error),
                                     struct bench_group *group, struct shoal_error *error)
{
    static const int64_t gpu_sizes[] = {32, 64, 128, 256, 512, 1024, 0}, cpu_sizes[] = {16, 64, 0};
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    int64_t best = 0;
    double least = (double)INFINITY;
    enum shoal_status status = SHOAL_OK;
    if (!bench_program(build->program))
        return bench_fail(error, SHOAL_UNSUPPORTED, "the library has no program %s", build->program);
    for (const int64_t *size = info->is_cpu ? cpu_sizes : gpu_sizes; *size && status == SHOAL_OK; size++) {
        double seconds = (double)INFINITY;
        if ((uint64_t)*size > info->max_work_group)
            continue;
        status = make(bench, build, *size, group, error);
        if (status == SHOAL_OK)
            bench_uses(bench, group->program);
        /* A kernel may allow only smaller groups than asked for. Such groups were tried before. */
        if (status == SHOAL_OK && shoal_kernel_work_group(group->kernel) == *size)
            status = time_run(bench, run, &seconds, error);
        if (status == SHOAL_OK && seconds < least) {
            least = seconds;
            best = *size;
        }
        bench_group_release(group);
    }
    if (status == SHOAL_OK && !best)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the device takes none of the work-group sizes");
    return status == SHOAL_OK ? make(bench, build, best, group, error) : status;
}
