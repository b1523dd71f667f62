#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *shoal_status_name(enum shoal_status status)
{
    static const char *const names[] = {
        [SHOAL_OK] = "ok",
        [SHOAL_FAILED] = "failed",
        [SHOAL_INVALID] = "invalid argument",
        [SHOAL_NO_DEVICE] = "no such device",
        [SHOAL_BUILD_FAILED] = "kernel build failed",
        [SHOAL_OUT_OF_DEVICE_MEMORY] = "out of device memory",
        [SHOAL_OUT_OF_HOST_MEMORY] = "out of host memory",
        [SHOAL_DEVICE_LOST] = "device lost",
        [SHOAL_UNSUPPORTED] = "not supported by the device",
        [SHOAL_IO] = "file error",
        [SHOAL_CHECK_FAILED] = "result check failed",
        [SHOAL_STOPPED] = "stopped",
    };
    if ((size_t)status < sizeof names / sizeof *names)
        return names[status];
    return "unknown status";
}

#define STRINGIFY_(x) #x
#define STRINGIFY(x)  STRINGIFY_(x)

const char *shoal_version(void)
{
    return STRINGIFY(SHOAL_VERSION_MAJOR) "." STRINGIFY(SHOAL_VERSION_MINOR) "." STRINGIFY(
        SHOAL_VERSION_PATCH);
}

void error_reset(struct shoal_error *error)
{
    if (!error)
        return;
    error->status = SHOAL_OK;
    error->native = 0;
    error->call[0] = error->message[0] = error->log[0] = '\0';
}

static void fill(struct shoal_error *error, enum shoal_status status, const char *format, va_list list)
{
    error_reset(error);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, list);
    /* A message is one line, but texts of drivers may hold line feeds. */
    for (char *c = error->message; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
}

enum shoal_status fail(struct shoal_error *error, enum shoal_status status, const char *format, ...)
{
    if (error) {
        va_list list;
        va_start(list, format);
        fill(error, status, format, list);
        va_end(list);
    }
    return status;
}

enum shoal_status fail_call(struct shoal_error *error, enum shoal_status status, const char *call, int native,
                            const char *format, ...)
{
    if (error) {
        va_list list;
        va_start(list, format);
        fill(error, status, format, list);
        va_end(list);
        error->native = native;
        snprintf(error->call, sizeof error->call, "%s", call);
    }
    return status;
}

enum shoal_status fail_host_memory(struct shoal_error *error)
{
    return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory on the host");
}

enum shoal_status fail_in_file(struct shoal_error *error, enum shoal_status status)
{
    if (status != SHOAL_INVALID)
        return status;
    if (error)
        error->status = SHOAL_IO;
    return SHOAL_IO;
}

void error_prefix(struct shoal_error *error, const char *format, ...)
{
    if (!error)
        return;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    va_list list;
    va_start(list, format);
    const int used = vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    if (used >= 0 && (size_t)used < sizeof error->message)
        snprintf(error->message + used, sizeof error->message - (size_t)used, "%s", message);
}

void error_set_log(struct shoal_error *error, const char *log)
{
    if (!error)
        return;
    size_t length = strlen(log);
    if (length >= sizeof error->log) {
        length = sizeof error->log - 1;
        const char *feed = memrchr(log, '\n', length);
        if (feed)
            length = (size_t)(feed - log) + 1;
    }
    memcpy(error->log, log, length);
    error->log[length] = '\0';
}
