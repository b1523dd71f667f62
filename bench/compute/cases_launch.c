/* What shoal adds to a launch: an empty kernel with 4 buffers and 4 numbers, given anew for each launch; no
 * event, no time stamps; 10,000 launches and one wait make a sample; shoal and the raw API take turns.
 *
 * Rows: the time of a launch through shoal, "-raw" the same through the API, "-ratio" of the two, sample by
 * sample.
 */
#include "bench/compute/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 10000, SAMPLES = 9, BUFFER_BYTES = 4096 };

struct sides {
    struct launch_rig rig;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    const struct launch_raw *api;
    void *raw;
};

static void sides_close(struct sides *sides)
{
    if (sides->api)
        sides->api->close(sides->raw);
    shoal_kernel_destroy(&sides->kernel);
    shoal_program_destroy(&sides->program);
    for (int i = 0; i < LAUNCH_BUFFERS; i++)
        shoal_buffer_destroy(&sides->rig.buffers[i]);
    shoal_queue_destroy(&sides->rig.queue);
}

static enum shoal_status sides_open(struct sides *sides, struct bench *bench, bool all_change,
                                    struct shoal_error *error)
{
    static const struct launch_raw *const apis[] = {&launch_raw_opencl, &launch_raw_cuda};
    const char *backend = shoal_device_get_info(bench->device)->backend;
    const struct launch_raw *api = NULL;
    for (size_t i = 0; i < sizeof apis / sizeof *apis; i++)
        if (strcmp(apis[i]->backend, backend) == 0)
            api = apis[i];
    if (!api)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the raw API of the %s backend is not known here",
                          backend);
    sides->rig.shoal = bench->shoal;
    sides->rig.device = bench->device;
    sides->rig.all_change = all_change;
    enum shoal_status status = shoal_queue_create(bench->device, 0, &sides->rig.queue, error);
    for (uint32_t i = 0; status == SHOAL_OK && i < LAUNCH_BUFFERS; i++) {
        status = shoal_buffer_create(bench->device, BUFFER_BYTES, &sides->rig.buffers[i], error);
        if (status == SHOAL_OK)
            status =
                shoal_buffer_fill(sides->rig.queue, sides->rig.buffers[i], 0, BUFFER_BYTES, i + 1, error);
    }
    if (status != SHOAL_OK)
        return status;
    const struct shoal_define defines[] = {{"WG", LAUNCH_WORK_GROUP}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = 1;
    params.variant = bench->variant;
    status =
        shoal_program_create(bench->device, bench_program("measure.empty"), &params, &sides->program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(sides->program, "measure_args8", &sides->kernel, error);
    if (status != SHOAL_OK)
        return status;
    bench_uses(bench, sides->program);
    sides->api = api;
    return api->open(&sides->rig, &sides->raw, error);
}

static enum shoal_status shoal_batch(struct sides *sides, uint32_t count, struct shoal_error *error)
{
    struct shoal_buffer *const *buffers = sides->rig.buffers;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t launch = 0; status == SHOAL_OK && launch < count; launch++) {
        struct launch_args args = launch_args_at(sides->rig.all_change, launch);
        const struct shoal_arg list[] = {shoal_arg_buffer(buffers[args.buffer[0]]),
                                         shoal_arg_buffer(buffers[args.buffer[1]]),
                                         shoal_arg_buffer(buffers[args.buffer[2]]),
                                         shoal_arg_buffer(buffers[args.buffer[3]]),
                                         shoal_arg_uint(args.i),
                                         shoal_arg_uint(args.n),
                                         shoal_arg_float(args.x),
                                         shoal_arg_float(args.y)};
        status =
            shoal_launch(sides->rig.queue, sides->kernel, 1, list, sizeof list / sizeof *list, NULL, error);
    }
    return status == SHOAL_OK ? shoal_queue_finish(sides->rig.queue, error) : status;
}

static enum shoal_status timed(struct sides *sides, bool raw, uint32_t count, double *seconds,
                               struct shoal_error *error)
{
    double start = bench_seconds();
    enum shoal_status status =
        raw ? sides->api->batch(&sides->rig, sides->raw, count, error) : shoal_batch(sides, count, error);
    *seconds = (bench_seconds() - start) / count;
    return status;
}

/* An empty kernel leaves its buffers alone. */
static enum shoal_status check_buffers(struct sides *sides, struct bench_check *check,
                                       struct shoal_error *error)
{
    check->passed = true;
    for (uint32_t i = 0; i < LAUNCH_BUFFERS; i++) {
        uint32_t words[BUFFER_BYTES / sizeof(uint32_t)];
        enum shoal_status status =
            shoal_buffer_read(sides->rig.queue, sides->rig.buffers[i], 0, words, sizeof words, error);
        if (status != SHOAL_OK)
            return status;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            check->passed = check->passed && words[k] == i + 1;
    }
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "an empty kernel changed a buffer");
    return SHOAL_OK;
}

static enum shoal_status measure(struct bench *bench, struct bench_sink *sink, bool all_change,
                                 struct shoal_error *error)
{
    struct sides sides = {.api = NULL};
    double raw_s[SAMPLES], shoal_s[SAMPLES], ratio[SAMPLES], first_s = 0, unused;
    struct bench_figure figure = {.variant = "cl", .sample_count = SAMPLES, .wall_s = NAN};
    enum shoal_status status = sides_open(&sides, bench, all_change, error);
    if (status == SHOAL_OK)
        status = timed(&sides, false, 1, &first_s, error);
    /* Warms up both sides. */
    if (status == SHOAL_OK)
        status = timed(&sides, true, LAUNCHES / 10, &unused, error);
    if (status == SHOAL_OK)
        status = timed(&sides, false, LAUNCHES / 10, &unused, error);
    for (int i = 0; status == SHOAL_OK && i < SAMPLES; i++) {
        /* The two sides alternate in going first, so that a drift of the machine affects both. */
        bool raw_first = i % 2 == 0;
        status = timed(&sides, raw_first, LAUNCHES, raw_first ? &raw_s[i] : &shoal_s[i], error);
        if (status == SHOAL_OK)
            status = timed(&sides, !raw_first, LAUNCHES, raw_first ? &shoal_s[i] : &raw_s[i], error);
        if (status == SHOAL_OK)
            ratio[i] = shoal_s[i] / raw_s[i];
    }
    if (status == SHOAL_OK)
        status = check_buffers(&sides, &figure.check, error);
    if (status == SHOAL_OK) {
        figure.variant = bench->native ? "cu" : "cl";
        figure.build_s = bench->build_s;
        figure.first_launch_s = first_s;
        figure.suffix = "";
        figure.unit = "s";
        figure.samples = shoal_s;
        bench_emit(sink, &figure);
        /* the two times are those of the shoal side: the raw side shows none */
        figure.build_s = figure.first_launch_s = NAN;
        figure.suffix = "-raw";
        figure.samples = raw_s;
        bench_emit(sink, &figure);
        figure.suffix = "-ratio";
        figure.unit = "ratio";
        figure.samples = ratio;
        bench_emit(sink, &figure);
    }
    sides_close(&sides);
    return status;
}

static enum shoal_status measure_step_loop(struct bench *bench, struct bench_sink *sink,
                                           struct shoal_error *error)
{
    return measure(bench, sink, false, error);
}

static enum shoal_status measure_all_change(struct bench *bench, struct bench_sink *sink,
                                            struct shoal_error *error)
{
    return measure(bench, sink, true, error);
}

static const struct bench_case cases[] = {
    {.name = "core.launch.args8",
     .help =
         "launch with 8 arguments, of which a counter and two swapped buffers change; shoal, raw API, ratio",
     .unit = "s",
     .precision = "",
     .roof = SHOAL_ROOF_LAUNCH,
     .measure = measure_step_loop},
    {.name = "core.launch.args8-all",
     .help = "the same when all 8 arguments change with every launch",
     .unit = "s",
     .precision = "",
     .roof = SHOAL_ROOF_LAUNCH,
     .measure = measure_all_change},
};

const struct bench_case_list bench_launch_cases = {cases, sizeof cases / sizeof *cases};
