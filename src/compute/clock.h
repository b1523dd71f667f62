/* Private: time on a queue, for the layers above. */
#ifndef SHOAL_COMPUTE_CLOCK_H
#define SHOAL_COMPUTE_CLOCK_H

#include <pthread.h>
#include <shoal/queue.h>

/* Seconds on the host's clock, minus the time that drivers took for first launches. queue NULL: seconds on
 * the host's clock alone. */
double queue_clock(const struct shoal_queue *queue);
/* is_wanted: from now on the queue waits for the end of each first launch of a kernel, in which drivers
 * compile and load, and spans leave out the time in which the device does not work because of it. Needs
 * profiling. */
void queue_time_first_launches(struct shoal_queue *queue, bool is_wanted);
/* Queues with the same lock make the first launches that they time one after the other. PoCL 3.1 ends the
 * process where two threads load a kernel at once. lock NULL: first launches are made at any time. The lock
 * must stay valid while the queue uses it. */
void queue_order_first_launches(struct shoal_queue *queue, pthread_mutex_t *lock);
/* Seconds that drivers took at first launches so far, the wait for the lock of first launches included. Any
 * thread. */
double queue_first_launch_seconds(const struct shoal_queue *queue);
bool queue_is_profiling(const struct shoal_queue *queue);

#endif
