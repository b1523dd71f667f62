/* Calls of the CUDA driver API, which the cases measure beside shoal's own. */
#ifndef SHOAL_BENCH_CUDA_DRIVER_H
#define SHOAL_BENCH_CUDA_DRIVER_H

#include "bench/runner/bench.h"

#include <shoal/cuda.h>

/* Names and types of cuda.h, as far as they are needed. Every handle is a pointer. */
struct cuda_driver {
    void *library;
    int (*cuDeviceGetByPCIBusId)(int *device, const char *address);
    int (*cuDevicePrimaryCtxRetain)(void **context, int device);
    int (*cuDevicePrimaryCtxRelease_v2)(int device);
    int (*cuCtxPushCurrent_v2)(void *context);
    int (*cuCtxPopCurrent_v2)(void **context);
    int (*cuMemcpyPeerAsync)(shoal_cuda_pointer target, void *target_context, shoal_cuda_pointer source,
                             void *source_context, size_t bytes, void *stream);
    int (*cuModuleLoadData)(void **module, const void *image);
    int (*cuModuleUnload)(void *module);
    int (*cuModuleGetFunction)(void **function, void *module, const char *name);
    int (*cuLaunchKernel)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **params,
                          void **extra);
    int (*cuStreamSynchronize)(void *stream);
};

/* The context of a device, which shoal uses, too. */
struct cuda_context {
    int device;
    void *context; /* NULL: not retained */
};

/* Loads the driver. SHOAL_UNSUPPORTED: it lacks a function. */
enum shoal_status cuda_driver_open(struct cuda_driver *cu, struct shoal_error *error);
/* Accepts zeros. */
void cuda_driver_close(struct cuda_driver *cu);
enum shoal_status cuda_context_open(struct cuda_context *context, const struct cuda_driver *cu,
                                    const struct shoal_device *device, struct shoal_error *error);
/* Accepts zeros. */
void cuda_context_close(struct cuda_context *context, const struct cuda_driver *cu);
/* SHOAL_FAILED: the call failed with `code`. */
enum shoal_status cuda_driver_failed(struct shoal_error *error, const char *call, int code);

#endif
