/* Common to all commands: instance, devices, messages, signals, the state of stdout. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static volatile sig_atomic_t stop_signal;
/* errno of a failed write to standard output, set where a run prints its lines. */
static atomic_int output_code;

static void message_line(const char *format, ...) SHOAL_PRINTF(1, 2);
static void message_line(const char *format, ...)
{
    va_list args;
    cli_progress_clear();
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

/* May run on any thread; one call of stdio keeps a message together. */
static void log_message(void *data, enum shoal_log_level level, const char *message)
{
    static const char *const prefixes[] = {"", "warning: ", "", ""};
    (void)data;
    message_line("shoal: %s%s\n", prefixes[level], message);
}

int cli_open(struct cli *cli)
{
    struct shoal_params params;
    struct shoal_error error = {0};
    const struct cli_common *common = &cli->common;
    shoal_params_init(&params);
    params.log = log_message;
    params.log_level = common->quiet ? SHOAL_LOG_ERROR : common->verbose ? SHOAL_LOG_INFO : SHOAL_LOG_WARNING;
    struct stat folder;
    /* The library falls back to built-in kernels, which would hide a wrong path. */
    if (common->kernel_dir && (stat(common->kernel_dir, &folder) != 0 || !S_ISDIR(folder.st_mode)))
        return cli_error(CLI_USAGE, "--kernel-dir: %s: there is no such folder", common->kernel_dir);
    params.cache_dir = common->cache_dir;
    params.kernel_dir = common->kernel_dir;
    params.no_cache = common->no_cache;
    params.sync = common->sync;
    params.strict_fp = common->strict_fp;
    if (shoal_open(&cli->shoal, &params, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    return CLI_OK;
}

/* The first GPU, else the first device of any kind. */
static struct shoal_device *default_device(const struct shoal *shoal)
{
    for (size_t i = 0; i < shoal_device_count(shoal); i++)
        if (shoal_device_get_info(shoal_device_at(shoal, i))->is_gpu)
            return shoal_device_at(shoal, i);
    return shoal_device_at(shoal, 0);
}

int cli_select(struct cli *cli, const char *fallback, unsigned flags)
{
    if (!cli->shoal) {
        int code = cli_open(cli);
        if (code != CLI_OK)
            return code;
    }
    size_t capacity = shoal_device_count(cli->shoal);
    const char *selector = cli->common.device ? cli->common.device : fallback;
    struct shoal_error error = {0};
    free(cli->devices);
    cli->devices = cli_alloc(capacity * sizeof(struct shoal_device *));
    if (!selector) {
        cli->devices[0] = default_device(cli->shoal);
        cli->device_count = 1;
        return CLI_OK;
    }
    if (shoal_device_select(cli->shoal, selector, flags, cli->devices, capacity, &cli->device_count,
                            &error) != SHOAL_OK)
        return cli_fail("--device", &error);
    return CLI_OK;
}

void cli_close(struct cli *cli)
{
    free(cli->devices);
    cli->devices = NULL;
    shoal_close(&cli->shoal);
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

/* One line: control characters of user and system texts are replaced. */
static void line_of(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        return;
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    message_line("shoal: %s\n", text);
    free(text);
}

int cli_error(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line_of(format, args);
    va_end(args);
    return code;
}

void cli_note(const struct cli *cli, const char *format, ...)
{
    va_list args;
    if (cli->common.quiet)
        return;
    va_start(args, format);
    line_of(format, args);
    va_end(args);
}

int cli_fail(const char *where, const struct shoal_error *error)
{
    const char *message = *error->message ? error->message : shoal_status_name(error->status);
    size_t length = strlen(error->log);
    if (where && strncmp(message, where, strlen(where)) == 0)
        where = NULL; /* the message names it already */
    cli_error(CLI_FAILURE, "%s%s%s", where ? where : "", where ? ": " : "", message);
    if (length)
        message_line("%s%s", error->log, error->log[length - 1] == '\n' ? "" : "\n");
    return cli_exit_code(error->status);
}

int cli_first_failure(int code, int next)
{
    return code != CLI_OK ? code : next;
}

static void on_signal(int number)
{
    stop_signal = number;
}

void cli_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A closed pipe is seen as EPIPE by cli_output_failed, so that device work is ended in order. */
    action = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &action, NULL);
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
    if (output_code == CLI_OK && reason == EPIPE)
        output_code = CLI_CLOSED_PIPE;
    if (output_code == CLI_OK)
        output_code = cli_error(CLI_FAILURE, "standard output: cannot be written%s%s", reason ? ": " : "",
                                reason ? strerror(reason) : "");
    return output_code;
}

int cli_flush(void)
{
    errno = 0;
    if (output_code == CLI_OK && (fflush(stdout) != 0 || ferror(stdout)))
        return cli_output_failed(errno);
    return output_code;
}
