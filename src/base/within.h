/* Private: calls that may never come back. */
#ifndef SHOAL_BASE_WITHIN_H
#define SHOAL_BASE_WITHIN_H

#include <stdbool.h>

/* Calls work(data) on a thread of its own and waits for its end, at most `seconds`. False: it is still
 * running, and nothing ends it but the process: what it uses must live on. Without memory or a thread it is
 * called right here, and waited for however long it takes. */
bool call_within(double seconds, void (*work)(void *data), void *data);

#endif
