#include "base/within.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Of both threads: the last one frees it. */
struct call {
    pthread_mutex_t lock;
    pthread_cond_t ended_now;
    void (*work)(void *data);
    void *data;
    bool ended, left; /* the work has ended; nobody waits any more */
};

static void call_free(struct call *call)
{
    pthread_cond_destroy(&call->ended_now);
    pthread_mutex_destroy(&call->lock);
    free(call);
}

static void *run(void *pointer)
{
    struct call *call = pointer;
    call->work(call->data);
    pthread_mutex_lock(&call->lock);
    call->ended = true;
    const bool left = call->left;
    pthread_cond_signal(&call->ended_now);
    pthread_mutex_unlock(&call->lock);
    if (left)
        call_free(call);
    return NULL;
}

static struct call *call_new(void (*work)(void *data), void *data)
{
    pthread_condattr_t monotonic;
    struct call *call = calloc(1, sizeof *call);
    if (!call || pthread_condattr_init(&monotonic)) {
        free(call);
        return NULL;
    }
    call->work = work;
    call->data = data;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    const bool made = !pthread_cond_init(&call->ended_now, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!made) {
        free(call);
        return NULL;
    }
    pthread_mutex_init(&call->lock, NULL);
    return call;
}

static struct timespec in_seconds(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const double whole = floor(seconds);
    time.tv_sec += (time_t)whole;
    time.tv_nsec += (long)((seconds - whole) * 1e9);
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

bool call_within(double seconds, void (*work)(void *data), void *data)
{
    struct call *call = call_new(work, data);
    const struct timespec end = in_seconds(seconds);
    pthread_t thread;
    if (!call || pthread_create(&thread, NULL, run, call)) {
        if (call)
            call_free(call);
        work(data);
        return true;
    }
    pthread_mutex_lock(&call->lock);
    int late = 0;
    while (!call->ended && !late)
        late = pthread_cond_timedwait(&call->ended_now, &call->lock, &end);
    const bool ended = call->ended;
    call->left = !ended;
    pthread_mutex_unlock(&call->lock);
    if (!ended) {
        pthread_detach(thread);
        return false;
    }
    pthread_join(thread, NULL);
    call_free(call);
    return true;
}
