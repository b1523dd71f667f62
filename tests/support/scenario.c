#include "scenario.h"

void scenario_prepare(void)
{
    test_write_text(test_path("unit/program.cl"), "#include \"unit/common.clh\"\n__kernel void add() {}\n");
    test_write_text(test_path("unit/common.clh"), "everything noop\n");
}

static enum shoal_status open_instance(struct scenario *o, bool use_cache, struct shoal_error *error)
{
    static const struct backend *const backends[] = {&fake_other_backend, &fake_backend};
    struct shoal_params params = unit_params();
    params.no_cache = !use_cache;
    params.cache_dir = test_path("cache");
    params.kernel_dir = test_folder();
    if (o->real)
        return shoal_open(&o->shoal, &params, error);
    return shoal_open_with(&o->shoal, &params, backends, 2, error);
}

static enum shoal_status build(struct scenario *o, struct shoal_device *device, struct shoal_error *error)
{
    const struct shoal_define count = {"COUNT", 3};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = &count;
    params.define_count = 1;
    enum shoal_status status = shoal_program_create(device, &unit_program, &params, &o->program, error);
    return status ? status : shoal_kernel_create(o->program, "everything", &o->kernel, error);
}

enum shoal_status scenario_run(struct scenario *o, bool use_cache, struct shoal_error *error)
{
    struct shoal_device *device;
    size_t count;
    char data[64] = {0};
    double start, end, seconds;
    struct unit_pair pair = {1, 2, 3};
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    enum shoal_status status = open_instance(o, use_cache, error);
    if (!status)
        status = shoal_device_select(o->shoal,
                                     o->on_part ? "opencl:0/1"
                                     : o->real  ? "opencl:0"
                                                : "gpu",
                                     0, &device, 1, &count, error);
    if (!status && o->real && use_cache)
        device->info.self_caching = false;
    if (!status)
        status = shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &o->queue, error);
    if (!status)
        status = shoal_queue_create(device, 0, &o->second, error);
    if (!status)
        status = shoal_buffer_create(device, sizeof data, &o->in, error);
    if (!status)
        status = shoal_buffer_create(device, sizeof data, &o->out, error);
    if (!status)
        status = build(o, device, error);
    if (!status)
        status = shoal_buffer_write(o->queue, o->in, 0, data, sizeof data, error);
    if (!status)
        status = shoal_buffer_fill(o->queue, o->out, 0, sizeof data, 1, error);
    if (!status)
        status = shoal_span_begin(o->queue, error);
    if (!status) {
        unit_everything_args(args, o->in, o->out, &pair);
        status = shoal_launch(o->queue, o->kernel, 2, args, UNIT_EVERYTHING_ARGS, &o->event, error);
    }
    if (!status)
        status = shoal_queue_flush(o->queue, error);
    if (!status)
        status = shoal_queue_wait(o->second, o->event, error);
    if (!status)
        status = shoal_buffer_copy(o->second, o->out, 0, o->in, 0, sizeof data, error);
    if (!status)
        status = shoal_event_wait(o->event, error);
    if (!status)
        status = shoal_event_times(o->event, &start, &end, error);
    if (!status)
        status = shoal_span_end(o->queue, &seconds, error);
    if (!status)
        status = shoal_buffer_read(o->second, o->in, 0, data, sizeof data, error);
    if (!status)
        status = shoal_queue_finish(o->queue, error);
    return status;
}

void scenario_destroy(struct scenario *o)
{
    shoal_event_destroy(&o->event);
    shoal_kernel_destroy(&o->kernel);
    shoal_program_destroy(&o->program);
    shoal_buffer_destroy(&o->out);
    shoal_buffer_destroy(&o->in);
    shoal_queue_destroy(&o->second);
    shoal_queue_destroy(&o->queue);
    shoal_close(&o->shoal);
}
