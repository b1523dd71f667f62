/* Private: messages to the log of an instance. */
#ifndef SHOAL_COMPUTE_LOG_H
#define SHOAL_COMPUTE_LOG_H

#include <shoal/log.h>

struct shoal;

SHOAL_PRINTF(3, 4)
void shoal_log(const struct shoal *shoal, enum shoal_log_level level, const char *format, ...);
/* Logs a text of several lines, such as a build log, as one message. */
void shoal_log_text(const struct shoal *shoal, enum shoal_log_level level, const char *text);
/* Logs each line of a text as a message; lines NULL: no message. */
void shoal_log_lines(const struct shoal *shoal, enum shoal_log_level level, const char *lines);

#endif
