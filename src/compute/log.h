/* Private: messages to the log of an instance. */
#ifndef SHOAL_COMPUTE_LOG_H
#define SHOAL_COMPUTE_LOG_H

#include <shoal/log.h>

struct shoal;

SHOAL_PRINTF(3, 4)
void shoal_log(const struct shoal *shoal, enum shoal_log_level level, const char *format, ...);
/* A text of several lines, e.g. a build log, passed on as it is. */
void shoal_log_text(const struct shoal *shoal, enum shoal_log_level level, const char *text);
/* A message a line; NULL: none. */
void shoal_log_lines(const struct shoal *shoal, enum shoal_log_level level, const char *lines);

#endif
