/* Stacks for signal handlers, of a library that is unloaded while threads have them. */
#include "test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static const char *module;
static void (*provide)(void);
static sem_t provided, unloaded;

static void *use(void *data)
{
    stack_t stack;
    (void)data;
    provide();
    assert_int_equal(sigaltstack(NULL, &stack), 0);
    assert_false(stack.ss_flags & SS_DISABLE);
    sem_post(&provided);
    sem_wait(&unloaded);
    /* Still there. */
    memset(stack.ss_sp, 1, stack.ss_size);
    return NULL;
}

static void a_thread_may_end_after_the_library(void **state)
{
    (void)state;
    pthread_t thread;
    void *library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    *(void **)&provide = dlsym(library, "signal_stack_provide");
    assert_non_null(provide);
    assert_int_equal(sem_init(&provided, 0, 0), 0);
    assert_int_equal(sem_init(&unloaded, 0, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, use, NULL), 0);
    sem_wait(&provided);
    assert_int_equal(dlclose(library), 0);
    sem_post(&unloaded);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_may_end_after_the_library)};
    if (argc != 2)
        return 2;
    module = argv[1];
    return cmocka_run_group_tests_name("signal_stack", tests, NULL, NULL);
}
