/* PoCL keeps the code of kernels that it has loaded in one list of the process. An entry serves the launches
 * of its kernel and work-group size that are no wider than the entry, and counts those that run. A launch
 * wider than each entry adds one in front. The end of a launch is counted down at the first entry of its
 * kernel and work-group size, even if the launch used another one: with launches of several queues running
 * while an entry is added, a count falls below 0, and PoCL ends the process (pocl_release_dlhandle_cache,
 * seen in 3.1, told of 5.0). So a launch that may add an entry runs alone: the queues of the process come to
 * rest before and after it, and no other launch is enqueued meanwhile. Queues that a program wraps are left
 * out, since they may wait for the thread that would wait for them here. */
#include "compute/opencl/opencl.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The queues of PoCL's devices, guarded by the lock. */
static struct opencl_queue *queues;

void opencl_loading_add(struct opencl_queue *queue)
{
    pthread_mutex_lock(&lock);
    queue->next = queues;
    queues = queue;
    queue->loads_alone = true;
    pthread_mutex_unlock(&lock);
}

void opencl_loading_remove(struct opencl_queue *queue)
{
    if (!queue->loads_alone)
        return;
    pthread_mutex_lock(&lock);
    struct opencl_queue **place = &queues;
    while (*place != queue)
        place = &(*place)->next;
    *place = queue->next;
    pthread_mutex_unlock(&lock);
}

/* An error of a wait is not lost: the thread of the queue meets it at its next wait. */
static void come_to_rest(void)
{
    for (struct opencl_queue *queue = queues; queue; queue = queue->next)
        clFinish(queue->queue);
}

bool opencl_loading_begin(struct opencl_queue *queue, const struct opencl_kernel *kernel, size_t local,
                          size_t global)
{
    if (!queue->loads_alone)
        return false;
    pthread_mutex_lock(&lock);
    const bool may_load = local != kernel->local || global > kernel->widest;
    if (may_load && queues->next) /* the launches of a single queue run one after another */
        come_to_rest();
    return may_load;
}

void opencl_loading_end(struct opencl_queue *queue, struct opencl_kernel *kernel, size_t local, size_t global,
                        bool loads)
{
    if (!queue->loads_alone)
        return;
    if (loads && queues->next)
        clFinish(queue->queue);
    if (loads) {
        kernel->local = local;
        kernel->widest = global;
    }
    pthread_mutex_unlock(&lock);
}
