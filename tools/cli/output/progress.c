/* Messages first clear the progress line of a terminal, so that a message never shares a line with progress.
 * Without a terminal, a thread sleeps until the next line is due, because the run may be in a step that takes
 * minutes. */
#include "cli/output/progress.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/output/tables/layout.h"
#include "cli/output/text.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const cli_progress_names[] = {"auto", "yes", "no", NULL};

enum mode { SILENT, TERMINAL, LOG };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum mode mode;
static bool visible; /* the line is on the terminal */
static double shown; /* time at which steps were last shown on the terminal */

/* The activity that is shown: a text, or the steps of a run. text and steps NULL: none. */
static struct {
    char *text;
    const struct cli_progress *steps;
    double since; /* when the activity began, or when its steps were last reported */
} activity;

/* Lines for a terminal that shows something else now. */
static struct {
    struct text lines;
    bool holds;
} held;

/* State of the lines of progress without a terminal. */
static struct {
    struct progress_timer timer;
    double start;
    pthread_t thread;
    pthread_cond_t changed; /* an activity begins, or progress ends */
    bool started, over;
} ticker;

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

/* Shortens a line until it fits `width`, by dropping its last parts; two blanks separate parts. Returns the
 * shortened line and frees `line`, or returns `line` if it fits. */
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

/* Functions called with the lock held
 * ----------------------------------------------------------------------------- */

static bool is_active(void)
{
    return activity.text || activity.steps;
}

static void show_on_terminal(char *line)
{
    /* A character in the last column would begin another line. */
    line = fit(line, cli_width(stderr) - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    free(line);
    visible = true;
}

/* Writes a line of the log by a single call of stdio, so that other output does not split it. */
static void log_line(void)
{
    const struct cli_progress *steps = activity.steps;
    const double seconds = clock_seconds() - activity.since;
    char *line = steps ? progress_line(steps, seconds) : cli_strdup(activity.text);
    const bool is_whole = steps && !steps->last.phase, is_long = !is_whole && seconds >= 1;
    char *text =
        is_long ? cli_sprintf("shoal: %s  for %.0f s\n", line, seconds) : cli_sprintf("shoal: %s\n", line);
    text_clean(text, "\n");
    fputs(text, stderr);
    free(text);
    free(line);
    progress_said(&ticker.timer, clock_seconds() - ticker.start);
}

static double wait_s(void)
{
    return progress_wait(&ticker.timer, clock_seconds() - ticker.start);
}

/* Sets the activity, and wakes the thread if it waits for an activity. */
static void replace_activity(char *text, const struct cli_progress *steps)
{
    const bool wakes = !is_active() && (text || steps);
    free(activity.text);
    activity.text = text;
    activity.steps = steps;
    activity.since = clock_seconds();
    if (mode == LOG && is_active() && wait_s() <= 0)
        log_line();
    if (ticker.started && wakes)
        pthread_cond_signal(&ticker.changed);
}

static void clear_line(void)
{
    if (visible)
        fputs("\r\033[K", stderr);
    visible = false;
}

/* The thread of a log ----------------------------------------------------------------------------------- */

static void wait_for_time(double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double whole = floor(seconds);
    end.tv_sec += (time_t)whole;
    end.tv_nsec += (long)((seconds - whole) * 1e9);
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&ticker.changed, &lock, &end);
}

static void *tick(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ticker.over) {
        const double seconds = wait_s();
        if (!is_active())
            pthread_cond_wait(&ticker.changed, &lock);
        else if (seconds > 0)
            wait_for_time(seconds);
        else
            log_line();
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* Starts the thread of a log. If the thread cannot be started, lines appear only when the run reports its
 * progress. */
static void start_ticker(void)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic))
        return;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    if (!pthread_cond_init(&ticker.changed, &monotonic)) {
        ticker.over = false;
        ticker.started = !pthread_create(&ticker.thread, NULL, tick, NULL);
        if (!ticker.started)
            pthread_cond_destroy(&ticker.changed);
    }
    pthread_condattr_destroy(&monotonic);
}

/* ------------------------------------------------------------------------------------------------------- */

void cli_progress_enable(enum cli_progress_kind kind, bool quiet)
{
    const bool is_asked = kind == CLI_PROGRESS_YES;
    if (kind == CLI_PROGRESS_NO || (quiet && !is_asked))
        mode = SILENT;
    else
        mode = is_terminal() ? TERMINAL : LOG;
    ticker.start = clock_seconds();
    ticker.timer =
        (struct progress_timer){.first = is_asked ? 0 : 10, .apart = is_asked ? 10 : 60, .any = false};
}

void cli_progress_disable(void)
{
    cli_progress_end();
    pthread_mutex_lock(&lock);
    const bool started = ticker.started;
    ticker.over = true;
    ticker.started = false;
    mode = SILENT;
    if (started)
        pthread_cond_signal(&ticker.changed);
    pthread_mutex_unlock(&lock);
    if (!started)
        return;
    pthread_join(ticker.thread, NULL);
    pthread_cond_destroy(&ticker.changed);
}

void cli_progress_show(const char *format, ...)
{
    if (mode == SILENT)
        return;
    va_list args;
    va_start(args, format);
    char *text = cli_vsprintf(format, args);
    va_end(args);
    pthread_mutex_lock(&lock);
    if (mode == LOG && !ticker.started)
        start_ticker();
    replace_activity(text, NULL);
    if (mode == TERMINAL)
        show_on_terminal(cli_strdup(text));
    pthread_mutex_unlock(&lock);
}

void cli_progress_steps(void *data, const struct shoal_progress *progress)
{
    const double interval = 0.1;
    struct cli_progress *steps = data;
    if (mode == SILENT)
        return;
    pthread_mutex_lock(&lock);
    const bool begins = progress->phase || !steps->begun;
    progress_note(steps, progress);
    if (mode == LOG && !ticker.started)
        start_ticker();
    const bool is_shown = mode == TERMINAL && (begins || clock_seconds() - shown >= interval);
    replace_activity(NULL, steps);
    if (is_shown) {
        show_on_terminal(progress_line(steps, 0));
        shown = clock_seconds();
    }
    pthread_mutex_unlock(&lock);
}

void cli_progress_end(void)
{
    pthread_mutex_lock(&lock);
    replace_activity(NULL, NULL);
    clear_line();
    pthread_mutex_unlock(&lock);
}

void cli_progress_clear(void)
{
    pthread_mutex_lock(&lock);
    clear_line();
    pthread_mutex_unlock(&lock);
}

void cli_progress_write(const char *lines)
{
    pthread_mutex_lock(&lock);
    if (held.holds)
        text_add(&held.lines, lines);
    if (!held.holds || held.lines.failed) { /* out of memory: better now than never */
        clear_line();
        fputs(lines, stderr);
    }
    pthread_mutex_unlock(&lock);
}

void cli_progress_hold(bool holds)
{
    pthread_mutex_lock(&lock);
    held.holds = holds && isatty(STDERR_FILENO);
    if (!held.holds && held.lines.length)
        fputs(held.lines.data, stderr);
    if (!held.holds)
        text_free(&held.lines);
    pthread_mutex_unlock(&lock);
}
