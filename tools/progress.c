/* The progress line. Messages clear it first, so that the two never share a line. */
#include "cli.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool enabled, visible;

void cli_progress_enable(bool enable)
{
    const char *term = getenv("TERM");
    enabled = enable && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void cli_progress_show(const char *format, ...)
{
    if (!enabled)
        return;
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&lock);
    fputc('\r', stderr);
    vfprintf(stderr, format, args);
    fputs("\033[K", stderr);
    fflush(stderr);
    visible = true;
    pthread_mutex_unlock(&lock);
    va_end(args);
}

void cli_progress_clear(void)
{
    pthread_mutex_lock(&lock);
    if (visible)
        fputs("\r\033[K", stderr);
    visible = false;
    pthread_mutex_unlock(&lock);
}

void cli_progress_steps(void *data, uint64_t done, uint64_t total)
{
    const double interval = 0.1;
    struct cli_progress *progress = data;
    struct timespec now;
    if (!enabled)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    if (seconds - progress->shown < interval)
        return;
    progress->shown = seconds;
    cli_progress_show("%s  step %llu of %llu  (%.0f %%)", progress->label, (unsigned long long)done,
                      (unsigned long long)total, total ? 100.0 * (double)done / (double)total : 100.0);
}
