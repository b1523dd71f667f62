/* The sum of the numbers of two devices, as devices that divide the batches of a net make it: each copies the
 * numbers of the other, both at the same time, and then each adds them. */
#include "bench/runner/bench.h"

#include <math.h>
#include <pthread.h>
#include <shoal/measure.h>

enum { SAMPLES = 7, NUMBERS = 10000000, BYTES = 4 * NUMBERS, LAUNCHES = 8 };

/* Copies in one direction. */
struct direction {
    struct shoal_device *from, *to;
    double seconds[SAMPLES];
    enum shoal_status status;
    struct shoal_error error;
};

static void *take_copies(void *data)
{
    struct direction *own = data;
    own->status = shoal_measure_copies(own->from, own->to, BYTES, 1, own->seconds, SAMPLES, &own->error);
    return NULL;
}

/* Copies in both directions at the same time. Fills seconds[SAMPLES] with the time of the slower one. */
static enum shoal_status measure_copies(struct shoal_device *one, struct shoal_device *two, double *seconds,
                                        struct shoal_error *error)
{
    struct direction both[] = {{.from = one, .to = two}, {.from = two, .to = one}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, take_copies, &both[1]))
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "the host has no thread for the second device");
    (void)take_copies(&both[0]);
    pthread_join(thread, NULL);
    for (int k = 0; k < 2; k++)
        if (both[k].status != SHOAL_OK) {
            *error = both[k].error;
            return both[k].status;
        }
    for (int i = 0; i < SAMPLES; i++)
        seconds[i] = fmax(both[0].seconds[i], both[1].seconds[i]);
    return SHOAL_OK;
}

struct addition {
    struct shoal_queue *queue;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *left, *right;
};

static void addition_close(struct addition *addition)
{
    shoal_buffer_destroy(&addition->left);
    shoal_buffer_destroy(&addition->right);
    shoal_kernel_destroy(&addition->kernel);
    shoal_program_destroy(&addition->program);
    shoal_queue_destroy(&addition->queue);
}

/* Numbers 0, to which numbers 1 are added. */
static enum shoal_status addition_open(struct addition *addition, struct shoal_device *device,
                                       struct shoal_error *error)
{
    const uint32_t bits_of_one = 0x3F800000;
    enum shoal_status status = shoal_queue_create(device, 0, &addition->queue, error);
    if (status == SHOAL_OK)
        status = shoal_program_create(device, bench_program("mlp.shards"), NULL, &addition->program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(addition->program, "mlp_join", &addition->kernel, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(device, BYTES, &addition->left, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(device, BYTES, &addition->right, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(addition->queue, addition->left, 0, BYTES, 0, error);
    return status == SHOAL_OK
               ? shoal_buffer_fill(addition->queue, addition->right, 0, BYTES, bits_of_one, error)
               : status;
}

/* Each addition is waited for, as its result is needed next. */
static enum shoal_status add(const struct addition *addition, double *seconds, struct shoal_error *error)
{
    const struct shoal_arg args[] = {shoal_arg_buffer(addition->left),
                                     shoal_arg_buffer(addition->right),
                                     shoal_arg_buffer(NULL),
                                     shoal_arg_buffer(NULL),
                                     shoal_arg_buffer(NULL),
                                     shoal_arg_buffer(NULL),
                                     shoal_arg_uint(1),
                                     shoal_arg_uint(0),
                                     shoal_arg_uint(NUMBERS),
                                     shoal_arg_uint(0),
                                     shoal_arg_uint(0)};
    const size_t groups = shoal_kernel_groups(addition->kernel, NUMBERS);
    const double start = bench_seconds();
    enum shoal_status status = SHOAL_OK;
    for (int i = 0; i < LAUNCHES && status == SHOAL_OK; i++) {
        status = shoal_launch(addition->queue, addition->kernel, groups, args, sizeof args / sizeof *args,
                              NULL, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(addition->queue, error);
    }
    *seconds = (bench_seconds() - start) / LAUNCHES;
    return status;
}

/* Fills seconds[SAMPLES]. The first additions, which load the kernel, are no sample. */
static enum shoal_status measure_additions(struct shoal_device *device, double *seconds,
                                           struct bench_check *check, struct shoal_error *error)
{
    struct addition addition = {.queue = NULL};
    float last = 0;
    const float wanted = (float)((SAMPLES + 1) * LAUNCHES);
    double ignored;
    enum shoal_status status = addition_open(&addition, device, error);
    if (status == SHOAL_OK)
        status = add(&addition, &ignored, error);
    for (int i = 0; i < SAMPLES && status == SHOAL_OK; i++)
        status = add(&addition, &seconds[i], error);
    if (status == SHOAL_OK)
        status =
            shoal_buffer_read(addition.queue, addition.left, BYTES - sizeof last, &last, sizeof last, error);
    check->passed = last == wanted;
    snprintf(check->detail, sizeof check->detail, "the last number is %g, not %g", (double)last,
             (double)wanted);
    addition_close(&addition);
    return status;
}

static enum shoal_status measure(struct bench *bench, struct bench_sink *sink, struct shoal_error *error)
{
    struct shoal_device *other;
    double copies[SAMPLES], additions[SAMPLES], rates[SAMPLES];
    struct bench_check check = {.passed = false};
    enum shoal_status status = bench_second_device(bench, &other, error);
    if (status == SHOAL_OK)
        status = measure_copies(bench->device, other, copies, error);
    if (status == SHOAL_OK)
        status = measure_additions(bench->device, additions, &check, error);
    if (status != SHOAL_OK)
        return status;
    for (int i = 0; i < SAMPLES; i++)
        rates[i] = BYTES / (copies[i] + additions[i]);
    bench_add_figure(bench, "copies", "s", copies[SAMPLES - 1]);
    bench_add_figure(bench, "addition", "s", additions[SAMPLES - 1]);
    const struct bench_figure figure = {.suffix = "",
                                        .variant = "cl",
                                        .unit = "bytes/s",
                                        .higher_is_better = true,
                                        .samples = rates,
                                        .sample_count = SAMPLES,
                                        .build_s = NAN,
                                        .first_launch_s = NAN,
                                        .wall_s = NAN,
                                        .check = check,
                                        .figures = bench->figures,
                                        .figure_count = bench->figure_count};
    bench_emit(sink, &figure);
    return SHOAL_OK;
}

static const struct bench_case cases[] = {
    {.name = "core.link.sum",
     .help = "40 MB of floats of this device and 40 MB of a second one of the same kind: copies in both "
             "directions at the same time, then the addition, each waited for",
     .unit = "bytes/s",
     .precision = "fp32",
     .measure = measure},
};

const struct bench_case_list bench_sum_cases = {cases, sizeof cases / sizeof *cases};
