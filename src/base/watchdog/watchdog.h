/* Private: runs a call on a worker thread with a time limit. */
#ifndef SHOAL_BASE_WATCHDOG_H
#define SHOAL_BASE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that runs one call after another. Resources of a thread, such as its OpenMP team, are thus created
 * only once. */
struct worker;

#define WORKER_IS_ELSEWHERE UINT64_MAX

/* Starts a worker. NULL: out of memory, or no thread could be started. */
struct worker *worker_start(void);

/* Runs work(data) on the worker and waits at most `seconds` for its end; limits above 1e9, such as INFINITY,
 * are 1e9 s. Time in which this process is stopped does not count. progress(data) returns a count of the work
 * done; the calling thread calls it before the work and whenever the limit is over. If the count has changed,
 * the limit starts again. The limit also starts again if the count is WORKER_IS_ELSEWHERE: the work is then
 * waiting for something that has no limit. False: the work is still running, and only the end of the process
 * stops it. Memory that the work uses must stay valid; the worker frees itself later, and *worker becomes
 * NULL. */
bool worker_call(struct worker **worker, double seconds, void (*work)(void *data),
                 uint64_t (*progress)(const void *data), void *data);

/* Waits for the thread to end. Accepts NULL; sets the pointer to NULL. */
void worker_end(struct worker **worker);

#endif
