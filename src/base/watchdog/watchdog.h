/* Private: runs a call on a worker thread with a time limit. */
#ifndef SHOAL_BASE_WATCHDOG_H
#define SHOAL_BASE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that runs one call after the other, so that what belongs to a thread (its OpenMP team) is created
 * once. */
struct worker;

#define WORKER_IS_ELSEWHERE UINT64_MAX

/* NULL: out of memory, or no thread could be started. */
struct worker *worker_start(void);

/* Runs work(data) on the worker and waits at most `seconds` for its end (more than 1e9 and INFINITY: 1e9),
 * not counting time in which this process is stopped. The limit starts again if progress(data), a count of
 * work done that is read while the work runs, has changed when it ends, or is WORKER_IS_ELSEWHERE: the work
 * then waits for something that has no limit. False: the work still runs, and only the end of the process
 * stops it: what it uses must stay valid. The worker then frees itself; *worker is NULL. */
bool worker_call(struct worker **worker, double seconds, void (*work)(void *data),
                 uint64_t (*progress)(const void *data), void *data);

/* Waits for the thread to end. Accepts NULL; sets the pointer to NULL. */
void worker_end(struct worker **worker);

#endif
