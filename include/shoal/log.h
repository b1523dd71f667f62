/* Log messages of the library. libshoal prints nothing by itself. */
#ifndef SHOAL_LOG_H
#define SHOAL_LOG_H

#include <shoal/api.h>

SHOAL_BEGIN_DECLS

enum shoal_log_level { SHOAL_LOG_ERROR, SHOAL_LOG_WARNING, SHOAL_LOG_INFO, SHOAL_LOG_DEBUG };

/* `message` is one line or a build log, valid during the call. May be called from any thread of shoal or of
 * a driver, also from two at once, with locks of the instance held: it must not call shoal. */
typedef void (*shoal_log_fn)(void *data, enum shoal_log_level level, const char *message);

SHOAL_END_DECLS

#endif
