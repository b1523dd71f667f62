/* The progress line. Messages clear it first, so that the two never share a line. */
#include "cli/output/progress.h"

#include "cli/output/tables/layout.h"
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

/* Without the last of its parts, which two blanks separate, as long as it does not fit; takes the line. */
static char *fit(char *line, size_t width)
{
    while (cli_columns(line) > width) {
        char *last = NULL;
        for (char *gap = line; (gap = strstr(gap, "  ")); gap += 2)
            last = gap;
        if (!last) {
            char *shortened = cli_shortened(line, width);
            free(line);
            return shortened;
        }
        *last = '\0';
    }
    return line;
}

void cli_progress_show(const char *format, ...)
{
    if (!enabled)
        return;
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&lock);
    /* The last column of a terminal would begin another line. */
    char *line = fit(cli_vsprintf(format, args), cli_width(stderr) - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    free(line);
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
static double share_of(const struct cli_progress *shown, const struct shoal_progress *progress)
{
    const double steps = progress->total ? (double)progress->done / (double)progress->total : 1;
    const double time = shown->limit > 0 ? progress->seconds / shown->limit : 0;
    return fmin(fmax(steps, time), 1);
}

/* Seconds, by the speed since the first call: NaN: it is not known yet. */
static double time_left(const struct cli_progress *shown, const struct shoal_progress *progress)
{
    const double least = 0.5;
    const double seconds = progress->seconds - shown->first.seconds;
    const double steps = (double)(progress->done - shown->first.done);
    if (seconds < least || steps <= 0)
        return NAN;
    const double left = (double)(progress->total - progress->done) / steps * seconds;
    return shown->limit > 0 ? fmin(left, fmax(shown->limit - progress->seconds, 0)) : left;
}

static struct cli_text time_text(double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    struct cli_text text = {""};
    size_t u = 0;
    while (units[u].seconds > 1 && seconds < 2 * units[u].seconds)
        u++;
    if (!isnan(seconds))
        snprintf(text.s, sizeof text.s, "  %.0f %s left", ceil(seconds / units[u].seconds), units[u].name);
    return text;
}

void cli_progress_steps(void *data, const struct shoal_progress *progress)
{
    const double interval = 0.1;
    struct cli_progress *shown = data;
    if (shown->first.total == 0 || progress->seconds < shown->seconds) {
        /* Another run may follow the one before. */
        shown->first = *progress;
        shown->any = shown->valued = false;
    }
    if (shown->name && !isnan(progress->value)) {
        shown->value = progress->value;
        shown->valued = true;
    }
    if (!enabled || (shown->any && progress->seconds - shown->seconds < interval))
        return;
    struct cli_text value = {""};
    if (shown->valued)
        snprintf(value.s, sizeof value.s, "  %s %.3g", shown->name, shown->value);
    shown->seconds = progress->seconds;
    const bool is_warm = progress->done >= progress->warm_up;
    const uint64_t before = is_warm ? progress->warm_up : 0,
                   end = is_warm ? progress->total : progress->warm_up;
    cli_progress_show("%s  %.0f %%%s%s  step %llu of %llu%s%s", shown->label, 100 * share_of(shown, progress),
                      time_text(time_left(shown, progress)).s, value.s,
                      (unsigned long long)(progress->done - before), (unsigned long long)(end - before),
                      is_warm ? "" : " of ", is_warm ? "" : shown->warm_up_name);
    shown->any = true;
}
