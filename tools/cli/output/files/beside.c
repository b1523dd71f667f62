#include "cli/output/files/beside.h"

#include "cli/output/text.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct beside {
    void (*work)(void *data);
    void *data;
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_busy, ends; /* guarded by lock */
};

static void *serve(void *data)
{
    struct beside *beside = data;
    pthread_mutex_lock(&beside->lock);
    while (!beside->ends) {
        if (!beside->is_busy) {
            pthread_cond_wait(&beside->changed, &beside->lock);
            continue;
        }
        pthread_mutex_unlock(&beside->lock);
        beside->work(beside->data);
        pthread_mutex_lock(&beside->lock);
        beside->is_busy = false;
        pthread_cond_broadcast(&beside->changed);
    }
    pthread_mutex_unlock(&beside->lock);
    return NULL;
}

struct beside *beside_create(void (*work)(void *data), void *data)
{
    struct beside *beside = cli_alloc(sizeof *beside);
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}; /* by the thread itself */
    sigset_t all, before;
    *beside = (struct beside){.work = work, .data = data};
    pthread_mutex_init(&beside->lock, NULL);
    pthread_cond_init(&beside->changed, NULL);
    /* signals are for the thread of the run, whose calls they interrupt */
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    beside->has_thread = pthread_create(&beside->thread, NULL, serve, beside) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return beside;
}

void beside_begin(struct beside *beside)
{
    beside_wait(beside);
    if (!beside->has_thread) {
        beside->work(beside->data);
        return;
    }
    pthread_mutex_lock(&beside->lock);
    beside->is_busy = true;
    pthread_cond_broadcast(&beside->changed);
    pthread_mutex_unlock(&beside->lock);
}

void beside_wait(struct beside *beside)
{
    pthread_mutex_lock(&beside->lock);
    while (beside->is_busy)
        pthread_cond_wait(&beside->changed, &beside->lock);
    pthread_mutex_unlock(&beside->lock);
}

void beside_destroy(struct beside **beside)
{
    struct beside *gone = *beside;
    if (!gone)
        return;
    beside_wait(gone);
    pthread_mutex_lock(&gone->lock);
    gone->ends = true;
    pthread_cond_broadcast(&gone->changed);
    pthread_mutex_unlock(&gone->lock);
    if (gone->has_thread)
        pthread_join(gone->thread, NULL);
    pthread_cond_destroy(&gone->changed);
    pthread_mutex_destroy(&gone->lock);
    free(gone);
    *beside = NULL;
}
