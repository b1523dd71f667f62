/* Messages on stderr, exit codes, signals, the state of standard output. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_MESSAGE_H
#define SHOAL_TOOLS_CLI_OUTPUT_MESSAGE_H

#include <shoal/error.h>
#include <shoal/log.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>

enum cli_exit {
    CLI_OK = 0,
    CLI_FAILURE = 1, /* also: device lost, output cannot be written */
    CLI_USAGE = 2,
    CLI_NO_DEVICE = 3,
    CLI_BUILD = 4,
    CLI_DEVICE_MEMORY = 5,
    CLI_CHECK = 6,
    CLI_REGRESSION = 7,
    CLI_INTERRUPTED = 130,
    CLI_CLOSED_PIPE = 141
};

int cli_exit_code(enum shoal_status status);
/*  A message begins with what it is about: an option, a file, a device, and among several the workload. It
 * does not repeat the command, which was just typed; `where` is NULL where the message says it all.
 *
 * Prints "shoal: WHERE: MESSAGE" to stderr, and behind it a compiler's log, if logs are shown and this log
 * was not shown before. Returns the exit code of error->status.
 */
int cli_fail(const char *where, const struct shoal_error *error);
void cli_show_logs(bool shows); /* shows the logs of compilers from now on, or no longer; at the start they
                                 * are not shown */
/* Prints "shoal: MESSAGE" to stderr; for a failure that no shoal_error describes. Returns `code`. */
SHOAL_PRINTF(2, 3) int cli_error(int code, const char *format, ...);
/* The messages that cli_fail and cli_error have reported, as a list, oldest first; NULL: none. */
struct cli_reported {
    int code; /* exit code */
    char *message;
    struct cli_reported *next;
};
const struct cli_reported *cli_reported_first(void);
/* Has this message been reported, for any device? */
bool cli_was_reported(const char *message);
/* Has a message said that the command was stopped? */
bool cli_stop_was_reported(void);
/* Combines exit codes of several runs: the first failure. */
int cli_first_failure(int code, int next);

/* Ctrl-C, SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU: the first asks for a clean end, one that comes at least a
 * second later ends the process as usual, but for SIGXCPU, which repeats itself. A signal that is ignored at
 * the start stays so. SIGPIPE and SIGXFSZ are ignored: writes fail instead. Before any other thread is
 * started. */
void cli_signals(void);
bool cli_stopped(void *unused); /* fits shoal_run_params.stop */
int cli_stop_code(void);        /* 128 + number of the signal, or of cli_output_failed */
/* Makes stdout write by cli_output_write; CLI_OK, or CLI_FAILURE after a message. Before any output. */
int cli_output_open(void);
/* Works as write(2), to standard output or a duplicate of it, except that a signal ends the wait for the
 * reader after a second (ETIMEDOUT): a pager may wait for its user. */
ssize_t cli_output_write(int fd, const void *bytes, size_t size);
/* Standard output cannot be written, `reason` from errno: reported once, a closed pipe not at all, and runs
 * end as by a signal. Returns the exit code. */
int cli_output_failed(int reason);

/* Flushes stdout. CLI_OK, CLI_CLOSED_PIPE without a message, or CLI_FAILURE with one line. Long commands call
 * it after each piece of output, so that a closed pipe ends them. */
int cli_flush(void);

/* One line on stderr, "shoal: MESSAGE", whose control characters are replaced; free() the result. */
char *cli_message(const char *format, va_list args);
/* Fits shoal_params.log. */
void cli_log(void *data, enum shoal_log_level level, const char *message);

#endif
