#include "cli/output/crash.h"
#include "base/text.h"

#include <execinfo.h>
#include <shoal/program.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "invalid memory access"},
               {SIGBUS, "invalid memory access"},
               {SIGFPE, "integer division by zero"},
               {SIGILL, "invalid instruction"},
               {SIGABRT, "abort"}};
enum { CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction before[CRASHES];

/* Returns the name of the user's text whose code this thread executes, also in a function that the text
 * called. NULL: there is no such text. */
static const char *current_text(void)
{
    void *calls[64];
    const int count = backtrace(calls, sizeof calls / sizeof *calls);
    const char *name = NULL;
    for (int i = 0; i < count && !name; i++)
        name = shoal_host_text_at(calls[i]);
    return name;
}

static void tell(const char *text, const char *what)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    char line[1024];
    while (atomic_flag_test_and_set(&told))
        pause(); /* another thread is ending the process */
    snprintf(line, sizeof line - 1, "shoal: %s: crashed on the host (%s): correct the text", text, what);
    text_clean(line, "");
    strcat(line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return; /* there is nothing to report */
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    const char *text = current_text();
    size_t i = 0;
    while (crashes[i].number != number)
        i++;
    const bool is_function = before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN;
    if (!text && is_function && (before[i].sa_flags & SA_SIGINFO)) {
        before[i].sa_sigaction(number, info, context);
    } else if (!text && is_function) {
        before[i].sa_handler(number);
    } else {
        if (text)
            tell(text, crashes[i].name);
        /* A fault occurs again when this handler returns; other signals are sent again. */
        signal(number, SIG_DFL);
        if (info->si_code <= 0)
            raise(number);
    }
}

void cli_tell_crashes(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *call;
    backtrace(&call, 1); /* the first call loads code that backtrace() needs in the handler */
    action.sa_sigaction = on_crash;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++)
        sigaction(crashes[i].number, &action, &before[i]);
}
