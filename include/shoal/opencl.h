/* Native OpenCL handles: run shoal's kernels on the memory and queue of another program, without a copy.
 *
 * wrap retains the native object and the destructor of the wrapper releases it; unwrap returns the native
 * handle without retaining it.
 */
#ifndef SHOAL_OPENCL_H
#define SHOAL_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <shoal/queue.h>

SHOAL_BEGIN_DECLS

/* Wraps an in-order command queue. shoal_queue_device() of the result is a new device that represents the
 * queue's context; create programs and wrap buffers with that device. It lives as long as the instance. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_opencl_queue_wrap(struct shoal *shoal,
                                                                     cl_command_queue native,
                                                                     struct shoal_queue **out,
                                                                     struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_opencl_buffer_wrap(struct shoal_device *device,
                                                                      cl_mem native,
                                                                      struct shoal_buffer **out,
                                                                      struct shoal_error *error);
/* NULL where the object does not belong to the OpenCL backend. */
SHOAL_API cl_command_queue shoal_opencl_queue_unwrap(const struct shoal_queue *queue);
SHOAL_API cl_mem shoal_opencl_buffer_unwrap(const struct shoal_buffer *buffer);

SHOAL_END_DECLS

#endif
