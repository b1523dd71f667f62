/* Private: questions of the layers above `compute` about a device: its instance, and its kind for launch
 * plans. */
#ifndef SHOAL_COMPUTE_DEVICE_H
#define SHOAL_COMPUTE_DEVICE_H

#include "base/error.h"

#include <shoal/queue.h>

struct shoal *device_shoal(const struct shoal_device *device);
/* The device of which `device` is a part, or `device` itself if it is not a part. */
const struct shoal_device *device_whole(const struct shoal_device *device);
/* Whether both devices belong to the same host. Devices of other ranks may belong to other hosts. */
bool device_are_of_one_host(const struct shoal_device *one, const struct shoal_device *two);
/* The device `host`, which every instance has. */
struct shoal_device *instance_host_device(const struct shoal *shoal);
/* Marks the device as lost and fills the error. */
SHOAL_PRINTF(5, 6)
enum shoal_status device_lost(struct shoal_device *device, struct shoal_error *error, const char *call,
                              int native, const char *format, ...);
/* Does the device no longer answer? */
bool device_is_lost(const struct shoal_device *device);
/* instance_set_hung records that a run on one of the devices has not ended, so that nothing of the instance
 * may be freed. instance_is_hung: whether this was recorded. */
void instance_set_hung(struct shoal *shoal);
bool instance_is_hung(const struct shoal *shoal);

/* Checks that the other processes of the run still answer, as far as no call of a device would notice that
 * they do not. SHOAL_DEVICE_LOST: the message names the rank and its host. If the run was told to end,
 * instance_check_alive checks nothing, since the run can still end by itself and write its checkpoint;
 * instance_check_alive_at_end then waits for the answers. Defined in remote/join.c. */
SHOAL_MUST_CHECK enum shoal_status instance_check_alive(const struct shoal *shoal, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status instance_check_alive_at_end(const struct shoal *shoal,
                                                               struct shoal_error *error);

/* Whether kernels of the device can read memory of the host where it is. */
bool device_reads_host(const struct shoal_device *device);
/* Creates a buffer of the `bytes` bytes at `memory`, for such a device. Kernels only read the buffer. The
 * bytes must stay valid and unchanged as long as the buffer. */
SHOAL_MUST_CHECK enum shoal_status buffer_over(struct shoal_device *device, const void *memory, size_t bytes,
                                               struct shoal_buffer **out, struct shoal_error *error);

/* Host memory that devices copy to and from at full speed. */
struct host_block;
SHOAL_MUST_CHECK enum shoal_status host_block_create(struct shoal_device *device, size_t bytes,
                                                     struct host_block **out, struct shoal_error *error);
void host_block_destroy(struct host_block **block); /* accepts NULL */
/* Waits for earlier commands of the queue, then copies the first `bytes` bytes of the buffer to the block.
 * Returns their address in *data, which is valid as long as the block. */
SHOAL_MUST_CHECK enum shoal_status host_block_read(struct shoal_queue *queue, struct shoal_buffer *buffer,
                                                   struct host_block *block, size_t bytes, const void **data,
                                                   struct shoal_error *error);
/* Enqueues this copy only: the block has the bytes when the queue is finished. */
SHOAL_MUST_CHECK enum shoal_status host_block_begin_read(struct shoal_queue *queue,
                                                         struct shoal_buffer *buffer,
                                                         struct host_block *block, size_t bytes,
                                                         struct shoal_error *error);
/* Enqueues a copy of the first `bytes` bytes of the block to the buffer. The block must not change until the
 * queue is finished. */
SHOAL_MUST_CHECK enum shoal_status host_block_begin_write(struct shoal_queue *queue,
                                                          struct shoal_buffer *buffer,
                                                          struct host_block *block, size_t bytes,
                                                          struct shoal_error *error);
void *host_block_data(const struct host_block *block);

/* Whether the device is a CPU and nothing else: simulators report several kinds. */
static inline bool is_cpu_alone(const struct shoal_device_info *info)
{
    return info->is_cpu && !info->is_gpu;
}

/* Number of compute units, at least 1, among which sums are divided. For a part of a device it is the number
 * of the whole device, so that a part adds in the same order and gets the same bits. */
static inline uint32_t units_for_sums(const struct shoal_device_info *info)
{
    const uint32_t units = info->whole_units ? info->whole_units : info->units;
    return units ? units : 1;
}

/* Most work-groups of a cluster, which share their local memory (CUDA, compute capability 9.0 on); 1: the
 * device has no clusters. Hopper and Blackwell GPUs for servers, of capability 9.0 to below 11.0 with many
 * multiprocessors, allow twice as many as all others must. */
static inline uint32_t cluster_groups(const struct shoal_device_info *info)
{
    enum { SINCE = 90, LARGE_BEFORE = 110, LARGE_UNITS = 64, LARGE = 16, PORTABLE = 8 };
    if (info->architecture < SINCE)
        return 1;
    return info->architecture < LARGE_BEFORE && units_for_sums(info) >= LARGE_UNITS ? LARGE : PORTABLE;
}

static inline bool is_plain_cpu(const struct shoal_device *device)
{
    return is_cpu_alone(shoal_device_get_info(device));
}

static inline bool is_cuda(const struct shoal_device *device)
{
    return shoal_device_get_info(device)->architecture > 0;
}

#endif
