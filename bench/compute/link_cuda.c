/* Copies between two cards through the CUDA driver API alone. */
#include "bench/compute/cuda_driver.h"
#include "bench/compute/link.h"

#include <string.h>

enum { WARM_UP = 4, COPIES = 32 };

/* One end of the copies. Queue and buffer are shoal's; the copies use their native handles. */
struct end {
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    shoal_cuda_pointer memory;
    struct cuda_context own;
};

static enum shoal_status end_open(struct end *end, const struct cuda_driver *cu, size_t bytes,
                                  struct shoal_error *error)
{
    enum shoal_status status = shoal_queue_create(end->device, 0, &end->queue, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(end->device, bytes, &end->buffer, error);
    if (status == SHOAL_OK && !shoal_cuda_buffer_unwrap(end->buffer, &end->memory))
        status = bench_fail(error, SHOAL_FAILED, "a buffer of %s has no CUDA address",
                            shoal_device_get_info(end->device)->id);
    return status == SHOAL_OK ? cuda_context_open(&end->own, cu, end->device, error) : status;
}

static void end_close(struct end *end, const struct cuda_driver *cu)
{
    shoal_buffer_destroy(&end->buffer);
    shoal_queue_destroy(&end->queue);
    cuda_context_close(&end->own, cu);
}

/* The context of the target is current. */
static int copy(const struct cuda_driver *cu, const struct end *from, const struct end *to, size_t bytes,
                int copies)
{
    shoal_cuda_stream stream = NULL;
    int code = shoal_cuda_queue_unwrap(to->queue, &stream) ? 0 : -1;
    for (int i = 0; i < copies && !code; i++) {
        code = cu->cuMemcpyPeerAsync(to->memory, to->own.context, from->memory, from->own.context, bytes,
                                     stream);
        if (!code)
            code = cu->cuStreamSynchronize(stream);
    }
    return code;
}

static enum shoal_status measure(const struct cuda_driver *cu, const struct end *from, const struct end *to,
                                 size_t bytes, double *samples, size_t count, struct shoal_error *error)
{
    void *popped;
    int code = cu->cuCtxPushCurrent_v2(to->own.context);
    if (code)
        return cuda_driver_failed(error, "cuCtxPushCurrent", code);
    code = copy(cu, from, to, bytes, WARM_UP);
    for (size_t i = 0; i < count && !code; i++) {
        const double start = bench_seconds();
        code = copy(cu, from, to, bytes, COPIES);
        samples[i] = (bench_seconds() - start) / COPIES;
    }
    cu->cuCtxPopCurrent_v2(&popped);
    return code ? cuda_driver_failed(error, "cuMemcpyPeerAsync or the wait", code) : SHOAL_OK;
}

enum shoal_status link_raw_cuda(struct shoal_device *from, struct shoal_device *to, size_t bytes,
                                double *samples, size_t count, struct shoal_error *error)
{
    struct cuda_driver cu = {.library = NULL};
    struct end source = {.device = from}, target = {.device = to};
    if (strcmp(shoal_device_get_info(from)->backend, "cuda") != 0 ||
        strcmp(shoal_device_get_info(to)->backend, "cuda") != 0)
        return bench_fail(error, SHOAL_UNSUPPORTED, "no devices of CUDA");
    enum shoal_status status = cuda_driver_open(&cu, error);
    if (status == SHOAL_OK)
        status = end_open(&source, &cu, bytes, error);
    if (status == SHOAL_OK)
        status = end_open(&target, &cu, bytes, error);
    if (status == SHOAL_OK)
        status = measure(&cu, &source, &target, bytes, samples, count, error);
    end_close(&target, &cu);
    end_close(&source, &cu);
    cuda_driver_close(&cu);
    return status;
}
