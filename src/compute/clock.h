/* Private: time on a queue, for the folders that use the compute layer. */
#ifndef SHOAL_COMPUTE_CLOCK_H
#define SHOAL_COMPUTE_CLOCK_H

#include <shoal/queue.h>

/* Seconds by the host's clock, minus the seconds that drivers took for first launches of kernels on the
 * queue. queue NULL: seconds by the host's clock. */
double queue_clock(const struct shoal_queue *queue);
/* If `is_wanted`, the queue from now on waits for the end of each first launch of a kernel, in which drivers
 * compile and load it, and spans do not count the time in which the device therefore does not work. Needs
 * profiling. */
void queue_time_first_launches(struct shoal_queue *queue, bool is_wanted);
/* Seconds that drivers have taken for first launches so far. May be called by any thread. */
double queue_first_launch_seconds(const struct shoal_queue *queue);
bool queue_is_profiling(const struct shoal_queue *queue);

#endif
