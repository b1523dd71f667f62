#include "compute/log.h"

#include "compute/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shoal_log_text(const struct shoal *shoal, enum shoal_log_level level, const char *text)
{
    if (shoal->log && level <= shoal->log_level)
        shoal->log(shoal->log_data, level, text);
}

void shoal_log_lines(const struct shoal *shoal, enum shoal_log_level level, const char *lines)
{
    for (const char *end; lines && *lines; lines = end + (*end == '\n')) {
        end = strchrnul(lines, '\n');
        shoal_log(shoal, level, "%.*s", (int)(end - lines), lines);
    }
}

void shoal_log(const struct shoal *shoal, enum shoal_log_level level, const char *format, ...)
{
    if (!shoal->log || level > shoal->log_level)
        return;
    char message[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    shoal->log(shoal->log_data, level, message);
}
