#include "compute/program/host/signal_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>

enum { STACK_BYTES = 1 << 17 };

static _Thread_local bool is_provided;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_of_thread;
static bool has_key;

/* Frees the signal stack at the end of its thread. */
static void release(void *stack)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (sigaltstack(&none, NULL) == 0)
        munmap(stack, STACK_BYTES);
}

static void create_key(void)
{
    has_key = pthread_key_create(&stack_of_thread, release) == 0;
}

/* The library may be unloaded before its threads end; their signal stacks are then not freed. */
__attribute__((destructor)) static void delete_key(void)
{
    if (has_key)
        pthread_key_delete(stack_of_thread);
}

static void provide(void)
{
    stack_t before;
    pthread_once(&once, create_key);
    if (!has_key || sigaltstack(NULL, &before) != 0 || !(before.ss_flags & SS_DISABLE))
        return;
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return;
    const stack_t own = {.ss_sp = stack, .ss_size = STACK_BYTES};
    if (pthread_setspecific(stack_of_thread, stack) != 0)
        munmap(stack, STACK_BYTES);
    else if (sigaltstack(&own, NULL) != 0) {
        pthread_setspecific(stack_of_thread, NULL);
        munmap(stack, STACK_BYTES);
    }
}

void signal_stack_provide(void)
{
    if (is_provided)
        return;
    is_provided = true;
    provide();
}
