#include "bench/runner/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum shoal_status bench_fail(struct shoal_error *error, enum shoal_status status, const char *format, ...)
{
    va_list args;
    if (!error)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}
