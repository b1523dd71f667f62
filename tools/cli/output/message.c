/* Messages on stderr, exit codes, signals, the state of standard output. */
#include "cli/output/message.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/output/progress.h"
#include "cli/output/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int stop_signal;
/* errno of a failed write to standard output; set while a run prints its lines. */
static atomic_int output_code;

static void message_line(const char *format, ...) SHOAL_PRINTF(1, 2);
static void message_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = cli_vsprintf(format, args);
    va_end(args);
    /* Names of files and devices, and build logs, may contain any characters. */
    text_clean(text, "\n\t");
    cli_progress_write(text);
    free(text);
}

/* Whether the message was not printed before: each device and each run of a command would repeat a warning.
 */
static bool is_new(const char *message)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct said {
        struct said *before;
        char *message;
    } * last;
    pthread_mutex_lock(&lock);
    const struct said *equal = last;
    while (equal && strcmp(equal->message, message) != 0)
        equal = equal->before;
    if (!equal) {
        struct said *said = cli_alloc(sizeof *said);
        *said = (struct said){last, cli_strdup(message)};
        last = said;
    }
    pthread_mutex_unlock(&lock);
    return !equal;
}

/* May be called by any thread; one call of stdio keeps a message together. */
void cli_log(void *data, enum shoal_log_level level, const char *message)
{
    static const char *const prefixes[] = {"", "warning: ", "", ""};
    (void)data;
    if (level != SHOAL_LOG_WARNING || is_new(message))
        message_line("shoal: %s%s\n", prefixes[level], message);
}

int cli_exit_code(enum shoal_status status)
{
    switch (status) {
    case SHOAL_OK:
        return CLI_OK;
    case SHOAL_INVALID:
        return CLI_USAGE;
    case SHOAL_NO_DEVICE:
        return CLI_NO_DEVICE;
    case SHOAL_BUILD_FAILED:
        return CLI_BUILD;
    case SHOAL_OUT_OF_DEVICE_MEMORY:
        return CLI_DEVICE_MEMORY;
    case SHOAL_CHECK_FAILED:
        return CLI_CHECK;
    case SHOAL_STOPPED:
        return cli_stop_code() != CLI_OK ? cli_stop_code() : CLI_INTERRUPTED;
    case SHOAL_FAILED:
    case SHOAL_OUT_OF_HOST_MEMORY:
    case SHOAL_DEVICE_LOST:
    case SHOAL_UNSUPPORTED:
    case SHOAL_IO:
        break;
    }
    return CLI_FAILURE;
}

char *cli_message(const char *format, va_list args)
{
    char *text = cli_vsprintf(format, args);
    text_clean(text, "");
    message_line("shoal: %s\n", text);
    return text;
}

/* The thread of the run and the one that writes its frames report, too. */
static pthread_mutex_t reported_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cli_reported *first_reported, **last_reported = &first_reported;

const struct cli_reported *cli_reported_first(void)
{
    return first_reported;
}

bool cli_stop_was_reported(void)
{
    pthread_mutex_lock(&reported_lock);
    const struct cli_reported *one = first_reported;
    while (one && one->code != cli_stop_code())
        one = one->next;
    pthread_mutex_unlock(&reported_lock);
    return one;
}

bool cli_was_reported(const char *message)
{
    const size_t length = strlen(message);
    bool was = false;
    pthread_mutex_lock(&reported_lock);
    for (const struct cli_reported *one = first_reported; one && !was; one = one->next) {
        const size_t all = strlen(one->message);
        was = all >= length && strcmp(one->message + all - length, message) == 0;
    }
    pthread_mutex_unlock(&reported_lock);
    return was;
}

static int report(int code, const char *format, va_list args)
{
    char *message = cli_message(format, args);
    if (code == CLI_OK) {
        free(message);
        return code;
    }
    struct cli_reported *reported = cli_alloc(sizeof *reported);
    *reported = (struct cli_reported){.code = code, .message = message};
    pthread_mutex_lock(&reported_lock);
    *last_reported = reported;
    last_reported = &reported->next;
    pthread_mutex_unlock(&reported_lock);
    return code;
}

int cli_error(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(code, format, args);
    va_end(args);
    return code;
}

static bool shows_logs;

void cli_show_logs(bool shows)
{
    shows_logs = shows;
}

int cli_fail(const char *where, const struct shoal_error *error)
{
    const char *message = *error->message ? error->message : shoal_status_name(error->status);
    size_t length = strlen(error->log);
    if (where && strncmp(message, where, strlen(where)) == 0)
        where = NULL; /* the message names `where` itself */
    const int code =
        cli_error(cli_exit_code(error->status), "%s%s%s", where ? where : "", where ? ": " : "", message);
    if (length && shows_logs && is_new(error->log))
        message_line("%s%s", error->log, error->log[length - 1] == '\n' ? "" : "\n");
    return code;
}

int cli_first_failure(int code, int next)
{
    return code != CLI_OK ? code : next;
}

/* A second signal within this time counts as a repetition of the first: timeout(1) signals its child and then
 * the process group of the child, so that the child gets two signals. A wrapper in a terminal may do so,
 * too. */
static const double repeat_s = 1;

/* The thread that takes signals, which all other threads block. There is no signal handler, since drivers
 * replace handlers by their own, which would end the process at the first or second signal. */
static void *take_signals(void *data)
{
    const sigset_t *taken = data;
    double first_s = -INFINITY;
    for (;;) {
        int number;
        if (sigwait(taken, &number) != 0)
            return NULL;
        const double now_s = clock_seconds();
        if (stop_signal == 0) {
            stop_signal = number;
            first_s = now_s;
        } else if (number != SIGXCPU && now_s - first_s >= repeat_s) {
            /* SIGXCPU never forces the end, since the system repeats SIGXCPU every second once the limit is
             * reached. */
            signal(number, SIG_DFL);
            pthread_sigmask(SIG_UNBLOCK, taken, NULL);
            raise(number);
        }
    }
}

void cli_signals(void)
{
    /* Batch systems announce the end of a job by SIGUSR1, and of its processor time by SIGXCPU. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};
    static sigset_t taken;
    sigset_t blocked;
    pthread_t thread;
    struct sigaction before;
    sigemptyset(&taken);
    sigemptyset(&blocked);
    /* Signals that nohup or a background shell ignores are blocked, too, and no thread takes them: otherwise
     * handlers of drivers could end the process. */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaddset(&blocked, numbers[i]);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(&taken, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    if (pthread_create(&thread, NULL, take_signals, &taken) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
    /* A write to a closed pipe then fails with EPIPE, so that cli_output_failed can end the run in order. */
    signal(SIGPIPE, SIG_IGN);
    /* A write beyond the limit of file sizes then fails with EFBIG, as on a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

static const char *stopped_by = "a signal";

void cli_stop(const char *by)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&stop_signal, &none, SIGINT))
        stopped_by = by;
}

const char *cli_stopped_by(void)
{
    return stopped_by;
}

bool cli_stopped(void *unused)
{
    (void)unused;
    return stop_signal != 0 || output_code != CLI_OK;
}

int cli_stop_code(void)
{
    return stop_signal ? 128 + stop_signal : output_code;
}

int cli_output_failed(int reason)
{
    const char *why = reason == ETIMEDOUT ? "no program reads it" : reason ? strerror(reason) : "";
    if (output_code == CLI_OK && reason == EPIPE)
        output_code = CLI_CLOSED_PIPE;
    if (output_code == CLI_OK)
        output_code = cli_error(stop_signal ? cli_stop_code() : CLI_FAILURE,
                                "standard output: cannot be written%s%s", *why ? ": " : "", why);
    return output_code;
}

ssize_t cli_output_write(int fd, const void *bytes, size_t size)
{
    enum { WAIT_MS = 100 };
    struct pollfd output = {.fd = fd, .events = POLLOUT};
    for (double waited_s = 0; poll(&output, 1, WAIT_MS) == 0;) {
        waited_s = stop_signal ? waited_s + 1e-3 * WAIT_MS : 0;
        if (output_code != CLI_OK || waited_s >= repeat_s) {
            errno = ETIMEDOUT;
            return -1;
        }
    }
    /* A write of at most PIPE_BUF bytes does not block if the pipe has room. */
    return write(fd, bytes, size < PIPE_BUF ? size : PIPE_BUF);
}

/* Write function for fopencookie; 0 means failure. */
static ssize_t write_stdout(void *unused, const char *bytes, size_t size)
{
    (void)unused;
    for (size_t done = 0; done < size;) {
        const ssize_t written = cli_output_write(STDOUT_FILENO, bytes + done, size - done);
        if (written < 0 && errno != EINTR) {
            cli_output_failed(errno); /* stdio loses the errno */
            return 0;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return (ssize_t)size;
}

int cli_output_open(void)
{
#ifdef __GLIBC__ /* other C libraries have a stdout that cannot be set */
    FILE *output = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_stdout});
    if (!output)
        return cli_error(CLI_FAILURE, "out of memory");
    setvbuf(output, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = output;
#endif
    return CLI_OK;
}

int cli_flush(void)
{
    errno = 0;
    if (output_code == CLI_OK && (fflush(stdout) != 0 || ferror(stdout)))
        return cli_output_failed(errno);
    return output_code;
}
