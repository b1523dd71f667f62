/* Private: calls that may never come back. */
#ifndef SHOAL_BASE_WITHIN_H
#define SHOAL_BASE_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that makes one call after the other: what a thread keeps (those of OpenMP that work for it) is
 * made once. */
struct worker;

/* NULL: there is no memory or no thread for one. */
struct worker *worker_start(void);

/* Calls work(data) on the worker and waits for its end, at most `seconds`; with `beats` (may be NULL) at most
 * that long, or twice, without a change of what beats(data) returns. False: it is still running, and nothing
 * ends it but the process: what it uses must live on. The worker is then its own, *worker is NULL. */
bool worker_call(struct worker **worker, double seconds, void (*work)(void *data),
                 uint64_t (*beats)(const void *data), void *data);

/* Accepts NULL and sets the pointer to NULL. */
void worker_end(struct worker **worker);

#endif
