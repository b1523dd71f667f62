/* Private: runs a call on a worker thread with a time limit. */
#ifndef SHOAL_BASE_WATCHDOG_H
#define SHOAL_BASE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that runs one call after another, so that what belongs to a thread, such as its OpenMP team, is
 * created once. */
struct worker;

#define WORKER_IS_ELSEWHERE UINT64_MAX

/* NULL: out of memory, or no thread could be started. */
struct worker *worker_start(void);

/* Runs work(data) on the worker and waits at most `seconds` for its end (values above 1e9, and INFINITY: 1e9
 * s). Time in which this process is stopped does not count. progress(data) returns a count of the work done
 * and is called while the work runs. At the end of the limit, the limit starts again if the count has
 * changed, or if it is WORKER_IS_ELSEWHERE: then the work waits for something without a limit. False: the
 * work is still running, and only the end of the process stops it. Memory that it uses must stay valid; the
 * worker frees itself later, and *worker becomes NULL. */
bool worker_call(struct worker **worker, double seconds, void (*work)(void *data),
                 uint64_t (*progress)(const void *data), void *data);

/* Waits for the thread to end. Accepts NULL; sets the pointer to NULL. */
void worker_end(struct worker **worker);

#endif
