/* Time on the host in seconds. */
#ifndef SHOAL_BASE_CLOCK_H
#define SHOAL_BASE_CLOCK_H

double clock_seconds(void);        /* monotonic clock */
double clock_thread_seconds(void); /* processor time of the calling thread */

#endif
