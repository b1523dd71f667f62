#include "cli/output/progress_line.h"

#include "cli/output/text.h"

#include <math.h>
#include <stdio.h>

void progress_note(struct cli_progress *progress, const struct shoal_progress *now)
{
    progress->last = *now;
    if (now->phase) {
        progress->begun = false;
        return;
    }
    if (!progress->begun) {
        progress->first = *now;
        progress->begun = true;
        progress->valued = false;
    }
    if (progress->name && !isnan(now->value)) {
        progress->value = now->value;
        progress->valued = true;
    }
}

/* The finished share of the run: by steps, or by the clock where the share of the time limit is larger. */
static double share_of(const struct cli_progress *progress, double seconds)
{
    const struct shoal_progress *last = &progress->last;
    const double steps = last->total ? (double)last->done / (double)last->total : 1;
    const double time = progress->limit > 0 ? seconds / progress->limit : 0;
    return fmin(fmax(steps, time), 1);
}

/* Estimates the time left by the speed since the first report; NaN: not known yet. */
static double time_left(const struct cli_progress *progress, double seconds)
{
    const double least = 0.5;
    const struct shoal_progress *last = &progress->last;
    const double since = last->seconds - progress->first.seconds;
    const double steps = (double)(last->done - progress->first.done);
    const double till = progress->limit > 0 ? fmax(progress->limit - seconds, 0) : INFINITY;
    if (since < least || steps <= 0)
        return isfinite(till) ? till : NAN;
    const double left = (double)(last->total - last->done) / steps * since - (seconds - last->seconds);
    return fmin(fmax(left, 0), till);
}

static struct cli_text left_text(double seconds)
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

char *progress_line(const struct cli_progress *progress, double later)
{
    const struct shoal_progress *last = &progress->last;
    const double seconds = last->seconds + later;
    const bool is_warm = last->done >= last->warm_up, is_timed = is_warm && progress->limit > 0;
    const uint64_t before = is_warm ? last->warm_up : 0, end = is_warm ? last->total : last->warm_up;
    struct cli_text value = {""}, time = {""}, of = {""};
    if (last->phase)
        return cli_sprintf("%s  %s", progress->label, last->phase);
    if (progress->valued)
        snprintf(value.s, sizeof value.s, "  %s %.3g", progress->name, progress->value);
    if (is_timed)
        snprintf(time.s, sizeof time.s, "  %.0f of %.10g s", fmin(seconds, progress->limit), progress->limit);
    else
        snprintf(of.s, sizeof of.s, " of %llu%s", (unsigned long long)(end - before), is_warm ? "" : " of ");
    return cli_sprintf("%s  %.0f %%%s%s%s  step %llu%s%s", progress->label, 100 * share_of(progress, seconds),
                       left_text(time_left(progress, seconds)).s, value.s, time.s,
                       (unsigned long long)(last->done - before), of.s,
                       is_warm ? "" : progress->warm_up_name);
}

double progress_wait(const struct progress_timer *timer, double now)
{
    const double due = timer->any ? timer->said + timer->apart : timer->first;
    return fmax(due - now, 0);
}

void progress_said(struct progress_timer *timer, double now)
{
    timer->said = now;
    timer->any = true;
}
