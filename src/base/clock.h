/* Monotonic host time in seconds. */
#ifndef SHOAL_BASE_CLOCK_H
#define SHOAL_BASE_CLOCK_H

double clock_seconds(void);

#endif
