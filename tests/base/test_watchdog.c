/* The limit of a call on a worker thread counts no time in which the process is stopped. */
#include "unit.h"

#include "base/clock.h"
#include "base/watchdog/watchdog.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const double limit_s = 1.6;

static uint64_t no_progress(const void *data)
{
    (void)data;
    return 0;
}

/* Stops the whole process, and ends soon after it goes on. */
static void stop(void *data)
{
    (void)data;
    kill(getpid(), SIGSTOP);
    usleep(50000);
}

static void test_stopped(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        struct worker *worker = worker_start();
        const bool ended = worker && worker_call(&worker, limit_s, stop, no_progress, NULL);
        _exit(ended ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    const double start = clock_seconds();
    while (clock_seconds() - start < 1.25 * limit_s)
        usleep(10000);
    kill(child, SIGCONT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(test_stopped)};
    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
