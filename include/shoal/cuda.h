/* Native CUDA handles: run shoal's kernels on the memory and stream of another program, without a copy.
 *
 * shoal uses the device's primary context, as the CUDA runtime does. Wrapping does not take ownership: CUDA
 * streams and allocations have no reference count, so the caller keeps them alive until the wrapper is
 * destroyed.
 *
 * Threads: see <shoal/queue.h>.
 */
#ifndef SHOAL_CUDA_H
#define SHOAL_CUDA_H

#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

/* A native stream: CUstream, cudaStream_t. */
typedef struct CUstream_st *shoal_cuda_stream;

/* A native address of device memory: CUdeviceptr. */
typedef unsigned long long shoal_cuda_pointer;

/* Wraps a stream of the CUDA device `device`. `native` NULL: the legacy default stream. `flags`: see
 * shoal_queue_create. Destroy the wrapper with shoal_queue_destroy.
 * Errors: SHOAL_INVALID: `device` is no CUDA device, or `flags` has an unknown flag. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cuda_queue_wrap(struct shoal_device *device,
                                                                   shoal_cuda_stream native, unsigned flags,
                                                                   struct shoal_queue **out,
                                                                   struct shoal_error *error);

/* Wraps `bytes` bytes of memory of the CUDA device `device`. Destroy the wrapper with shoal_buffer_destroy.
 * Errors: SHOAL_INVALID: `device` is no CUDA device, or the memory is empty. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cuda_buffer_wrap(struct shoal_device *device,
                                                                    shoal_cuda_pointer native, size_t bytes,
                                                                    struct shoal_buffer **out,
                                                                    struct shoal_error *error);

/* `*native` receives the native stream of the queue. False: the queue is no CUDA queue. */
SHOAL_API bool shoal_cuda_queue_unwrap(const struct shoal_queue *queue, shoal_cuda_stream *native);

/* `*native` receives the native address of the buffer. False: the buffer is no CUDA buffer. */
SHOAL_API bool shoal_cuda_buffer_unwrap(const struct shoal_buffer *buffer, shoal_cuda_pointer *native);

SHOAL_END_DECLS

#endif
