/* Four images of three pixels through a layer of two ReLU units, on the first device: C = max(A B^T + bias,
 * 0).
 *
 *     cc gemm.c -o gemm $(pkg-config --cflags --libs shoal)
 */
#include <shoal/shoal.h>
#include <stdio.h>

enum { IMAGES = 4, UNITS = 2, PIXELS = 3 };

static const float images[IMAGES][PIXELS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
                   weights[UNITS][PIXELS] = {{1, 2, -3}, {0.5f, 0, 4}}, bias[UNITS] = {0.25f, -1};

struct work {
    struct shoal_queue *queue;
    struct shoal_gemm *gemm;
    struct shoal_buffer *images, *weights, *bias, *values;
};

static enum shoal_status upload(struct shoal_device *device, struct work *work, struct shoal_buffer **buffer,
                                const void *numbers, size_t bytes, struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_create(device, bytes, buffer, error);
    return status ? status : shoal_buffer_write(work->queue, *buffer, 0, numbers, bytes, error);
}

static enum shoal_status compute(struct shoal_device *device, struct work *work, float values[IMAGES][UNITS],
                                 struct shoal_error *error)
{
    const struct shoal_gemm_params params =
        SHOAL_GEMM_PARAMS(.max_m = IMAGES, .max_n = UNITS, .max_k = PIXELS, .transposed_b = true,
                          .activation = SHOAL_GEMM_RELU);
    enum shoal_status status = shoal_queue_create(device, 0, &work->queue, error);
    if (!status)
        status = shoal_gemm_create(device, &params, &work->gemm, error);
    if (!status)
        status = upload(device, work, &work->images, images, sizeof images, error);
    if (!status)
        status = upload(device, work, &work->weights, weights, sizeof weights, error);
    if (!status)
        status = upload(device, work, &work->bias, bias, sizeof bias, error);
    if (!status)
        status = shoal_buffer_create(device, IMAGES * sizeof *values, &work->values, error);
    if (status)
        return status;
    const struct shoal_gemm_args args =
        SHOAL_GEMM_ARGS(.a = work->images, .b = work->weights, .c = work->values, .bias = work->bias,
                        .m = IMAGES, .n = UNITS, .k = PIXELS);
    status = shoal_gemm_run(work->gemm, work->queue, &args, error);
    return status ? status
                  : shoal_buffer_read(work->queue, work->values, 0, values, IMAGES * sizeof *values, error);
}

int main(void)
{
    struct shoal *shoal = NULL;
    struct shoal_error error = {0};
    struct work work = {0};
    float values[IMAGES][UNITS];
    enum shoal_status status = shoal_open(&shoal, NULL, &error);
    if (!status)
        status = compute(shoal_device_at(shoal, 0), &work, values, &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else
        for (int i = 0; i < IMAGES; i++)
            printf("%g %g\n", (double)values[i][0], (double)values[i][1]);
    shoal_buffer_destroy(&work.values);
    shoal_buffer_destroy(&work.bias);
    shoal_buffer_destroy(&work.weights);
    shoal_buffer_destroy(&work.images);
    shoal_gemm_destroy(&work.gemm);
    shoal_queue_destroy(&work.queue);
    shoal_close(&shoal);
    return status != SHOAL_OK;
}
