/* Copies between two cards through the CUDA driver API alone. */
#include "bench/compute/link.h"
#include "bench/runner/symbols.h"

#include <dlfcn.h>
#include <shoal/cuda.h>
#include <string.h>

enum { WARM_UP = 4, COPIES = 32 };

/* Names and types of cuda.h, as far as they are needed. Every handle is a pointer. */
struct driver {
    void *library;
    int (*cuDeviceGetByPCIBusId)(int *device, const char *address);
    int (*cuDevicePrimaryCtxRetain)(void **context, int device);
    int (*cuDevicePrimaryCtxRelease_v2)(int device);
    int (*cuCtxPushCurrent_v2)(void *context);
    int (*cuCtxPopCurrent_v2)(void **context);
    int (*cuMemcpyPeerAsync)(shoal_cuda_pointer target, void *target_context, shoal_cuda_pointer source,
                             void *source_context, size_t bytes, void *stream);
    int (*cuStreamSynchronize)(void *stream);
};

/* One end of the copies. Queue and buffer are shoal's; the copies use their native handles. */
struct end {
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    shoal_cuda_pointer memory;
    int number;
    void *context; /* NULL: not retained */
};

static bool load(struct driver *cu)
{
    const struct symbol symbols[] = {
#define SYMBOL(name) {#name, &cu->name}
        SYMBOL(cuDeviceGetByPCIBusId), SYMBOL(cuDevicePrimaryCtxRetain), SYMBOL(cuDevicePrimaryCtxRelease_v2),
        SYMBOL(cuCtxPushCurrent_v2),   SYMBOL(cuCtxPopCurrent_v2),       SYMBOL(cuMemcpyPeerAsync),
        SYMBOL(cuStreamSynchronize),
#undef SYMBOL
    };
    return symbols_load("libcuda.so.1", symbols, sizeof symbols / sizeof *symbols, &cu->library);
}

static enum shoal_status end_open(struct end *end, const struct driver *cu, size_t bytes,
                                  struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(end->device);
    char address[32];
    enum shoal_status status = shoal_queue_create(end->device, 0, &end->queue, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(end->device, bytes, &end->buffer, error);
    if (status != SHOAL_OK)
        return status;
    snprintf(address, sizeof address, "%04x:%02x:%02x.%x", info->pci.domain, info->pci.bus, info->pci.device,
             info->pci.function);
    if (!shoal_cuda_buffer_unwrap(end->buffer, &end->memory) ||
        cu->cuDeviceGetByPCIBusId(&end->number, address) ||
        cu->cuDevicePrimaryCtxRetain(&end->context, end->number))
        return bench_fail(error, SHOAL_FAILED, "the driver does not find %s at %s", info->id, address);
    return SHOAL_OK;
}

static void end_close(struct end *end, const struct driver *cu)
{
    shoal_buffer_destroy(&end->buffer);
    shoal_queue_destroy(&end->queue);
    if (end->context)
        cu->cuDevicePrimaryCtxRelease_v2(end->number);
}

/* The context of the target is current. */
static int copy(const struct driver *cu, const struct end *from, const struct end *to, size_t bytes,
                int copies)
{
    shoal_cuda_stream stream = NULL;
    int code = shoal_cuda_queue_unwrap(to->queue, &stream) ? 0 : -1;
    for (int i = 0; i < copies && !code; i++) {
        code = cu->cuMemcpyPeerAsync(to->memory, to->context, from->memory, from->context, bytes, stream);
        if (!code)
            code = cu->cuStreamSynchronize(stream);
    }
    return code;
}

static enum shoal_status measure(const struct driver *cu, const struct end *from, const struct end *to,
                                 size_t bytes, double *samples, size_t count, struct shoal_error *error)
{
    void *popped;
    int code = cu->cuCtxPushCurrent_v2(to->context);
    if (code)
        return bench_fail(error, SHOAL_FAILED, "cuCtxPushCurrent failed with %d", code);
    code = copy(cu, from, to, bytes, WARM_UP);
    for (size_t i = 0; i < count && !code; i++) {
        const double start = bench_seconds();
        code = copy(cu, from, to, bytes, COPIES);
        samples[i] = (bench_seconds() - start) / COPIES;
    }
    cu->cuCtxPopCurrent_v2(&popped);
    return code ? bench_fail(error, SHOAL_FAILED, "cuMemcpyPeerAsync or the wait failed with %d", code)
                : SHOAL_OK;
}

enum shoal_status link_raw_cuda(struct shoal_device *from, struct shoal_device *to, size_t bytes,
                                double *samples, size_t count, struct shoal_error *error)
{
    struct driver cu = {.library = NULL};
    struct end source = {.device = from}, target = {.device = to};
    if (strcmp(shoal_device_get_info(from)->backend, "cuda") != 0 ||
        strcmp(shoal_device_get_info(to)->backend, "cuda") != 0)
        return bench_fail(error, SHOAL_UNSUPPORTED, "no devices of CUDA");
    enum shoal_status status =
        load(&cu) ? SHOAL_OK : bench_fail(error, SHOAL_UNSUPPORTED, "libcuda.so.1 lacks a function");
    if (status == SHOAL_OK)
        status = end_open(&source, &cu, bytes, error);
    if (status == SHOAL_OK)
        status = end_open(&target, &cu, bytes, error);
    if (status == SHOAL_OK)
        status = measure(&cu, &source, &target, bytes, samples, count, error);
    end_close(&target, &cu);
    end_close(&source, &cu);
    if (cu.library)
        dlclose(cu.library);
    return status;
}
