/* The progress line. Messages clear it first, so that the two never share a line. */
#include "cli/output/progress.h"
#include "cli/output/text.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* For a run with a time limit, progress is by the clock, not by steps. */
static struct cli_text share_of(const struct cli_progress *shown, const struct shoal_progress *progress)
{
    struct cli_text text;
    double steps = progress->total ? (double)progress->done / (double)progress->total : 1;
    double time = shown->limit > 0 ? progress->seconds / shown->limit : 0;
    snprintf(text.s, sizeof text.s, "%.0f %%", 100 * fmin(fmax(steps, time), 1));
    return text;
}

void cli_progress_steps(void *data, const struct shoal_progress *progress)
{
    const double interval = 0.1;
    struct cli_progress *shown = data;
    if (!isnan(progress->value)) {
        shown->value = progress->value;
        shown->valued = true;
    }
    if (!enabled || (shown->any && progress->seconds - shown->seconds < interval))
        return;
    shown->seconds = progress->seconds;
    cli_progress_show("%s  step %llu of %llu  (%s)%s%s", shown->label, (unsigned long long)progress->done,
                      (unsigned long long)progress->total, share_of(shown, progress).s,
                      shown->valued ? "  so far " : "", shown->valued ? cli_number(shown->value).s : "");
    shown->any = true;
}
