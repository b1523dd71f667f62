/* Native CUDA handles: run shoal's kernels on the memory and stream of another program, without a copy.
 *
 * shoal uses the device's primary context, as the CUDA runtime does. wrap does not take ownership: CUDA
 * streams and allocations have no reference count, so the caller keeps them alive until the wrapper is
 * destroyed.
 */
#ifndef SHOAL_CUDA_H
#define SHOAL_CUDA_H

#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

typedef struct CUstream_st *shoal_cuda_stream; /* CUstream, cudaStream_t */
typedef unsigned long long shoal_cuda_pointer; /* CUdeviceptr */

/* `device` must be a CUDA device; `native` may be NULL, the legacy default stream. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cuda_queue_wrap(struct shoal_device *device,
                                                                   shoal_cuda_stream native, unsigned flags,
                                                                   struct shoal_queue **out,
                                                                   struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_cuda_buffer_wrap(struct shoal_device *device,
                                                                    shoal_cuda_pointer native, size_t bytes,
                                                                    struct shoal_buffer **out,
                                                                    struct shoal_error *error);
/* False where the object does not belong to the CUDA backend. */
SHOAL_API bool shoal_cuda_queue_unwrap(const struct shoal_queue *queue, shoal_cuda_stream *native);
SHOAL_API bool shoal_cuda_buffer_unwrap(const struct shoal_buffer *buffer, shoal_cuda_pointer *native);

SHOAL_END_DECLS

#endif
