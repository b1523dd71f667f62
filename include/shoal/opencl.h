/* Native OpenCL handles: run shoal's kernels on the memory and queue of another program, without a copy.
 *
 * Wrapping retains the native object, and the destructor of the wrapper releases that object. Unwrapping
 * returns the native handle without retaining it.
 *
 * Threads: see <shoal/queue.h>.
 */
#ifndef SHOAL_OPENCL_H
#define SHOAL_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

/* Wraps an in-order command queue. shoal_queue_device() of the result is a new device for the queue's
 * context, which lives as long as the instance: create programs and wrap buffers with that device. Destroy
 * the wrapper with shoal_queue_destroy.
 * Errors: SHOAL_INVALID: `native` is no command queue, or runs out of order. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_opencl_queue_wrap(struct shoal *shoal,
                                                                     cl_command_queue native,
                                                                     struct shoal_queue **out,
                                                                     struct shoal_error *error);

/* Wraps a buffer of the context of `device`. Destroy the wrapper with shoal_buffer_destroy.
 * Errors: SHOAL_INVALID: `device` is no OpenCL device, or `native` is no buffer of its context. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_opencl_buffer_wrap(struct shoal_device *device,
                                                                      cl_mem native,
                                                                      struct shoal_buffer **out,
                                                                      struct shoal_error *error);

/* The native command queue. NULL: the queue is no OpenCL queue. */
SHOAL_API cl_command_queue shoal_opencl_queue_unwrap(const struct shoal_queue *queue);

/* The native buffer. NULL: the buffer is no OpenCL buffer. */
SHOAL_API cl_mem shoal_opencl_buffer_unwrap(const struct shoal_buffer *buffer);

SHOAL_END_DECLS

#endif
