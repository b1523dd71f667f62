#include "base/watchdog/watchdog.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* State that both threads share. A worker that its caller has abandoned frees itself. */
struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*work)(void *data); /* work that is waiting or running; NULL: no work */
    void *data;
    bool over, abandoned; /* over: no more work will come; abandoned: the caller no longer waits */
};

static void worker_free(struct worker *worker)
{
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

static void *run(void *pointer)
{
    struct worker *worker = pointer;
    pthread_mutex_lock(&worker->lock);
    while (!worker->over) {
        if (!worker->work) {
            pthread_cond_wait(&worker->changed, &worker->lock);
            continue;
        }
        pthread_mutex_unlock(&worker->lock);
        worker->work(worker->data);
        pthread_mutex_lock(&worker->lock);
        worker->work = NULL;
        pthread_cond_broadcast(&worker->changed);
    }
    const bool abandoned = worker->abandoned;
    pthread_mutex_unlock(&worker->lock);
    if (abandoned)
        worker_free(worker);
    return NULL;
}

struct worker *worker_start(void)
{
    pthread_condattr_t monotonic;
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker || pthread_condattr_init(&monotonic)) {
        free(worker);
        return NULL;
    }
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    const bool created = !pthread_cond_init(&worker->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!created) {
        free(worker);
        return NULL;
    }
    pthread_mutex_init(&worker->lock, NULL);
    if (pthread_create(&worker->thread, NULL, run, worker)) {
        worker_free(worker);
        return NULL;
    }
    return worker;
}

/* Longer limits are cut to this: time_t holds no infinity. */
static const double longest_s = 1e9;

static struct timespec in_seconds(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    seconds = fmin(seconds, longest_s);
    const double whole = floor(seconds);
    time.tv_sec += (time_t)whole;
    time.tv_nsec += (long)((seconds - whole) * 1e9);
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Number of equal parts into which the wait for a limit is divided. While the process is stopped (Ctrl-Z), at
 * most one part runs out. */
enum { PARTS = 16 };

/* Waits for the end of the work; the caller holds the lock. False: the work is still running. */
static bool wait_for_end(struct worker *worker, double seconds)
{
    for (int part = 0; part < PARTS && worker->work; part++) {
        const struct timespec end = in_seconds(seconds / PARTS);
        int late = 0;
        while (worker->work && !late)
            late = pthread_cond_timedwait(&worker->changed, &worker->lock, &end);
    }
    return !worker->work;
}

bool worker_call(struct worker **pointer, double seconds, void (*work)(void *data),
                 uint64_t (*progress)(const void *data), void *data)
{
    struct worker *worker = *pointer;
    uint64_t before = progress(data);
    pthread_mutex_lock(&worker->lock);
    worker->data = data;
    worker->work = work;
    pthread_cond_broadcast(&worker->changed);
    bool ended = wait_for_end(worker, seconds);
    while (!ended) {
        const uint64_t now = progress(data);
        if (now == before && now != WORKER_IS_ELSEWHERE)
            break;
        before = now;
        ended = wait_for_end(worker, seconds);
    }
    worker->over = worker->abandoned = !ended;
    if (!ended) {
        pthread_detach(worker->thread);
        *pointer = NULL;
    }
    pthread_mutex_unlock(&worker->lock);
    return ended;
}

void worker_end(struct worker **pointer)
{
    struct worker *worker = *pointer;
    if (!worker)
        return;
    *pointer = NULL;
    pthread_mutex_lock(&worker->lock);
    worker->over = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    worker_free(worker);
}
