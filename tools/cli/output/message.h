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
    CLI_FAILURE = 1, /* other failures, such as a lost device or output that cannot be written */
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
/* where: subject of the message: an option, a file, a device, or one of several workloads, but not the
 * command, which the user has just typed. NULL: the message itself names its subject.
 *
 * Prints "shoal: WHERE: MESSAGE" to stderr, followed by the log of a compiler if logs are shown and this log
 * was not printed before. Returns the exit code for error->status.
 */
int cli_fail(const char *where, const struct shoal_error *error);
void cli_show_logs(bool shows); /* switches compilers' logs on or off; at the start they are off */
/* Prints "shoal: MESSAGE" to stderr, for a failure without a shoal_error. Returns `code`. */
SHOAL_PRINTF(2, 3) int cli_error(int code, const char *format, ...);
/* The messages that cli_fail and cli_error have reported, as a list, oldest first; NULL: none. */
struct cli_reported {
    int code; /* exit code */
    char *message;
    struct cli_reported *next;
};
const struct cli_reported *cli_reported_first(void);
/* Whether `message` was reported before, for any device. */
bool cli_was_reported(const char *message);
/* Whether a message said that the command was stopped. */
bool cli_stop_was_reported(void);
/* Returns `code` if this is a failure, else `next`: the first failure of several runs. */
int cli_first_failure(int code, int next);

/* Sets up Ctrl-C, SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU: the first signal asks for a clean end; a second
 * signal, at least a second later, ends the process by the default action (except SIGXCPU, which the system
 * repeats). Signals that are ignored at the start stay ignored. SIGPIPE and SIGXFSZ are ignored, so that
 * writes fail instead. Call this before any other thread is started. */
void cli_signals(void);
/* Ends the command as Ctrl-C does. by: for the message, "stopped by BY"; a constant. */
void cli_stop(const char *by);
const char *cli_stopped_by(void); /* "a signal" or what cli_stop named */
bool cli_stopped(void *unused);   /* for shoal_run_params.stop */
int cli_stop_code(void);          /* 128 plus the number of the signal, or the code of cli_output_failed */
/* Makes stdout write through cli_output_write; call this before any output. Returns CLI_OK, or CLI_FAILURE
 * after a message. */
int cli_output_open(void);
/* Works like write(2) on standard output or a duplicate of standard output. After a signal the function waits
 * at most a second for the reader, then fails with ETIMEDOUT: a pager may wait for its user. */
ssize_t cli_output_write(int fd, const void *bytes, size_t size);
/* Reports that standard output cannot be written for `reason`, an errno: once, and not for a closed pipe.
 * Runs then end as after a signal. Returns the exit code. */
int cli_output_failed(int reason);

/* Flushes stdout. Returns CLI_OK, CLI_CLOSED_PIPE without a message, or CLI_FAILURE after one line. Long
 * commands call this function after each piece of output, so that a closed pipe ends the command. */
int cli_flush(void);

/* Makes one line "shoal: MESSAGE" for stderr, with control characters replaced; the caller frees the line. */
char *cli_message(const char *format, va_list args);
/* A function for shoal_params.log: prints messages of the library. */
void cli_log(void *data, enum shoal_log_level level, const char *message);

#endif
